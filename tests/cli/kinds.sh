# A file that is of no kind that a command takes: what it is, or how it begins, and which kinds would do.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
printf 'Pf\n2 1\n-1.0\n\0\0\0\0\0\0\0\77' >d.pfm
expect 0 vxbake bake d.pfm -o d.ktx2 -q
expect 0 vxbake inspect a.vxg --preview p.png -q >"$CLI_SCRATCH/text"
cat >walk.json <<'END_OF_WALK'
{"kind": "camera-path", "fps": 1, "views": [
  {"time": 0, "position": [1, 2, 1], "look_at": [7, 0, 7], "fov_y": 1.5, "aspect": 1.5},
  {"time": 1, "position": [3, 2, 3], "look_at": [7, 0, 7], "fov_y": 1.5, "aspect": 1.5}]}
END_OF_WALK
printf 'nothing that anybody knows' >x

# told FILE WHAT: every command says so of it.
told() {
    expect 1 vxbake verify "$1" >said
    holds "$1: error VX1001 magic: /header/magic: this is $2" said
    holds ': grass files, irradiance fields and depth pyramids, which are KTX2 files, are checked' said
    holds "$1: 1 error; no file of ours; checked 0 of $(($(wc -c <"$1"))) bytes; not to the end" said
    expect 4 vxbake inspect "$1" 2>said
    holds "$1: this is $2: grass files, irradiance fields and KTX2 files are read" said
    expect 4 vxinspect "$1" 2>said
    holds "$1: this is $2: grass files, irradiance fields and KTX2 files are read" said
    for files in "$1 a.vxg" "a.vxg $1"; do
        expect 4 vxbake diff $files 2>said
        holds "$1: this is $2: grass files and irradiance fields are compared, each with its like" said
    done
    expect 4 vxbake transcode "$1" -o new 2>said
    holds "$1: this is $2: only grass files and irradiance fields are written in other formats" said
    expect 4 vxbake simulate "$1" --path walk.json --range 5 --capacity 20 2>said
    holds "$1: this is $2" said
    holds 'note: a walk is over a grass file' said
    expect 4 vxinspect "$1" --raw header 2>said
    holds 'grass-1, grass-2, grass-3, ktx2 and probes-1' said
    holds '; --as says what to take the file for' said
}

told meadow.json 'JSON, such as a recipe'
told p.png 'a PNG'
told d.pfm 'a PFM'
told x 'no kind of file that vxbake knows; it starts with 6E 6F 74 68 69 6E 67 20'

# The finding itself names them all, whatever case its code is given in.
for code in VX1001 vx1001 Vx1001 1001 magic MAGIC; do
    expect 0 vxbake verify --explain $code >said
    holds 'VX1001 magic (error)' said
    holds '89 56 58 47 0D 0A 1A 0A' said
    holds '89 56 58 50 0D 0A 1A 0A' said
    holds 'AB 4B 54 58 20 32 30 BB 0D 0A 1A 0A' said
    expect 0 vxbake verify a.vxg -q -W $code=error
done
expect 2 vxbake verify --explain Magci 2>said
holds "there is no finding 'Magci': did you mean magic? --list-findings lists them" said

# One that is of a kind, but not of the command's.
expect 4 vxbake simulate d.ktx2 --path walk.json --range 5 --capacity 20 2>said
holds 'd.ktx2: this is a KTX2 file: a walk is over a grass file' said
expect 4 vxbake transcode d.ktx2 -o new 2>said
holds 'd.ktx2: this is a KTX2 file: only grass files and irradiance fields' said
expect 4 vxbake diff a.vxg d.ktx2 2>said
holds 'd.ktx2: this is a KTX2 file: grass files and irradiance fields' said
rm said
only a.vxg d.ktx2 d.pfm hills.r16 meadow.json p.png walk.json x
