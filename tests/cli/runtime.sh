# Runtime records: the side file's name is made up, so an old one is refused; stomp from the file's own recipe or a map.
python=${PYTHON3:-python3}
$python -c 'import zlib' 2>"$CLI_SCRATCH/python" || skip 'no python3'
terrain hills.r16
$python - <<'END'
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def png(name, value):
    rows = b"".join(b"\0" + bytes([value] * 8) for _ in range(8))
    open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)) +
                           chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
png("stomp.png", 77)
END
sed 's/XX/"stomp": "stomp.png", /' >meadow.json <<'END'
{"kind": "grass-field", "seed": 7, "cell_size": 4, "density": 4, "species": [{"name": "grass"}],
 "terrain": {"file": "hills.r16", XX"size": [8, 8], "range": [0, 8], "metres_per_quad": 2}}
END
sed 's/"seed": 7/"seed": 8/' meadow.json >other.json
expect 0 vxbake bake meadow.json -o a.vxg -q
blades=$(vxbake inspect a.vxg | sed -n 's/^blades *//p')
stomps() {
    $python -c 'import sys; d = open(sys.argv[1], "rb").read(); print(*sorted(set(d[22::24]))); assert not any(d[23::24])' "$1"
}
expect 0 vxbake transcode a.vxg --to runtime -o plain -q
test "$(wc -c <plain)" -eq $((24 * blades)) || fail 'not 24 bytes a blade'
test "$(stomps plain)" = 0 || fail 'stomp without a map'
expect 5 vxbake transcode a.vxg --to runtime -o plain 2>err
expect 0 vxbake transcode a.vxg --to runtime -o plain -f -q
expect 0 vxbake transcode a.vxg --to runtime --recipe meadow.json -o recipe -q
test "$(stomps recipe)" = 77 || fail 'another stomp from the recipe'
expect 0 vxbake transcode a.vxg --to runtime --stomp stomp.png -o map -q
cmp recipe map || fail 'the recipe and its map differ'
expect 2 vxbake transcode a.vxg --to runtime --recipe other.json -o x 2>err
holds 'bake id' err
expect 5 vxbake transcode a.vxg --to runtime --stomp stomp.png -o stomp.png 2>err
expect 5 vxbake transcode a.vxg --to runtime --recipe meadow.json -f -o meadow 2>err
expect 3 vxbake transcode a.vxg --to runtime --stomp missing.png -o x 2>err
expect 4 vxbake transcode a.vxg --to runtime --stomp a.vxg -o x 2>err
expect 2 vxbake transcode a.vxg --to runtime -o - 2>err
# What is no regular file has no place beside it for the side file: a device's folder is not for that.
expect 2 vxbake transcode a.vxg --to runtime -o /dev/null 2>err
holds '/dev/null: the JSON file that belongs' err
test -e /dev/null.json && fail 'a file in the folder of a device'
mkdir somewhere
if mkfifo somewhere/pipe 2>"$CLI_SCRATCH/mkfifo"; then
    cat somewhere/pipe >piped &
    expect 2 vxbake transcode a.vxg --to runtime -o somewhere/pipe 2>err
    wait
    test -e somewhere/pipe.json && fail 'a file beside a pipe'
fi
expect 2 vxbake transcode a.vxg --to csv --stomp stomp.png -o x 2>err
test -e x && fail 'a refusal wrote something'
exit 0
