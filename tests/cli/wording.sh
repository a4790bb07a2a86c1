# What the library refuses is told with the name that the program has for it: the option that is at fault in front, the
# one that helps behind.
meadow
cat >light.json <<'END_OF_LIGHT'
{"kind": "irradiance-field", "bounds": {"min": [0, 0, 0], "max": [8, 8, 8]}, "cells": [2, 2, 2], "rays": 16}
END_OF_LIGHT
printf 'Pf\n2 1\n-1.0\n\0\0\0\0\0\0\0\77' >depth.pfm
expect 0 vxbake bake meadow.json -o a.vxg -q
expect 0 vxbake bake light.json -o l.vxp -q
expect 0 vxbake bake depth.pfm -o d.ktx2 -q

# fault OPTION COMMAND...; helps TEXT CODE COMMAND...
fault() {
    option_=$1
    shift
    expect 2 "$@" >out 2>err
    grep -q "^vx[a-z]*: error: $option_: " err || fail "$option_ is not named by $*: $(cat err)"
}
helps() {
    text_=$1 code_=$2
    shift 2
    expect "$code_" "$@" >out 2>err
    grep -q "; $text_\$" err || fail "'$text_' is not said by $*: $(cat err)"
}

for options in '--lossy' '--species grass' '--origin 1,2,3' '--recipe meadow.json' '--stomp m.png' '--force' \
    '--split' '--compress 3 --to csv' '--origin 0,0,2e6 --to ply' '--species moss --to 2' '--to ktx2' '--to slices'; do
    fault "${options%% *}" vxbake transcode a.vxg $options -o x
done
fault --to vxbake transcode a.vxg -o x --to ktx2
fault --stomp vxbake transcode a.vxg --to runtime -o x --recipe meadow.json --stomp m.png
fault -o vxbake transcode a.vxg --to runtime -o - >out
for options in '--to csv' '--to 2' '--split --compress 1' '--to 2 --species x'; do
    fault "${options%% *}" vxbake transcode l.vxp $options -o x
done
fault -o vxbake transcode l.vxp --to ktx2 -o -
fault --region vxbake bake meadow.json -o x --region 5,5,1,1
fault --region vxbake bake meadow.json -o x --region 500,500,600,600
fault --depfile vxbake bake meadow.json -o - --depfile x.d
fault --depfile vxbake bake meadow.json -o 'a;b' --depfile x.d
fault --device vxbake bake meadow.json -o x --device gpu
fault --cross-check vxbake bake meadow.json -o x --cross-check 5
fault --cross-check vxbake bake light.json -o x --cross-check 5
fault VXBAKE_DEVICE env VXBAKE_DEVICE=gpu vxbake bake meadow.json -o x
expect 2 vxbake bake meadow.json -o x --inexact 2>err
holds '--inexact needs a device: give --device with it' err
fault --at vxbake explain meadow.json --at 5e6,1
fault --at vxbake explain meadow.json --at 1,5e6
fault --species vxbake explain meadow.json --at 1,1 --species moss
fault --level vxbake verify d.ktx2 --level header --report-of none.json
fault --at vxinspect a.vxg --raw blade --at 4

helps '--lossy lets them be lost' 2 vxbake transcode a.vxg --to 1 -o x
vxbake transcode a.vxg --to runtime -o r -q || exit
helps '--force replaces it' 5 vxbake transcode a.vxg --to runtime -o r
vxbake transcode l.vxp --to ktx2 -o l.ktx2 -q || exit
helps '--force replaces it' 5 vxbake transcode l.vxp --to ktx2 -o l.ktx2
helps '--at gives the offset where it stands' 2 vxinspect a.vxg --raw header:1
limit='--max-memory raises it'
helps "$limit" 7 vxbake verify a.vxg --max-memory 10
helps "$limit" 7 vxbake verify l.vxp --max-memory 10
helps "$limit" 7 vxbake verify d.ktx2 --max-memory 10
helps "$limit" 7 vxbake diff a.vxg a.vxg --max-memory 10
helps "$limit" 7 vxbake transcode a.vxg -o x --max-memory 10
helps "$limit" 7 vxbake bake light.json -o x --max-memory 10
helps "$limit" 7 vxbake bake depth.pfm -o x --max-memory 5
helps "$limit" 7 sh -c 'cat a.vxg | vxbake inspect - --max-memory 10'

# A second value never drops a first one in silence where that names a file or what is looked at.
for twice in 'bake meadow.json -o x -o y' 'bake meadow.json -o x --preview p --preview q' \
    'bake meadow.json -o x --depfile p --depfile q' 'bake meadow.json -o x --report json=p --report json=q' \
    'bake meadow.json -o x --region 0,0,4,4 --region 0,0,8,8' 'inspect a.vxg --chunk 0,0 --chunk 1,1' \
    'inspect a.vxg --preview p --preview q' 'verify a.vxg --recipe meadow.json --recipe light.json' \
    'verify --explain magic --explain density' 'diff a.vxg a.vxg --report json=p --report json=q' \
    'transcode a.vxg -o x -o y' 'explain meadow.json --at 1,1 --at 2,2'; do
    expect 2 vxbake $twice 2>err
    holds 'is a second value, and there can be only one' err
done
expect 0 vxbake bake meadow.json -o x --compress 3 --compress none --threads 1 --threads 2 -q
cmp x a.vxg || fail 'of settings the last does not hold'

# What a command line nearly says.
for pair in BAKE:bake trans:transcode bkae:bake simul:simulate; do
    expect 2 vxbake ${pair%:*} 2>err
    holds "unknown command '${pair%:*}': did you mean '${pair#*:}'?" err
done
vxbake --vers | cmp - "$(vxbake version >version; echo version)" || fail '--vers is not --version'
vxbake --hel | cmp - "$(vxbake help >help; echo help)" || fail '--hel is not --help'
expect 2 vxbake bake meadow.json -o x --compress fast 2>err
holds "'fast' is not a level: a whole number from -131072 to 22, or none" err
expect 0 vxbake bake meadow.json -o x -q --max-memory 1m
for rest in '--level header' '--warnings-as-errors' '--max-findings 3' '--max-invalid 3'; do
    expect 2 vxbake verify --list-findings $rest 2>err
    holds "leave '${rest%% *}' out" err
done
