# Depth pyramids are told by their content, inspected and verified; what is wrong with one is found and told where.
zeros() { head -c $((4 * $1)) /dev/zero; }
one() { printf '\000\000\200\077'; }
# 5 x 3, sky but for the last texel of the last row, which halving both sides leaves over. The bottom row comes first.
{ printf 'Pf\n5 3\n-1.0\n'; zeros 4; one; zeros 10; } >a.pfm
expect 0 vxbake bake a.pfm -o a.ktx2 -q
mv a.ktx2 a.vxg
expect 0 vxbake verify a.vxg >text
holds 'a.vxg: good; depth pyramid; checked 18 of 18 texels' text
expect 0 sh -c 'cat a.vxg | vxbake verify - -q'
expect 0 vxbake inspect a.vxg --preview a.png >text
holds 'format        KTX2, R32_SFLOAT (100)' text
holds 'key           KTXwriter = vxbake, bake revision' text
grep -q vxbake.reduce text && fail 'a nearest pyramid has a key that Khronos'\''s validator warns of'
expect 0 vxbake bake a.pfm -o far.ktx2 --set /reduce=farthest -q
expect 0 vxbake inspect far.ktx2 >text.far
holds 'key           vxbake.reduce = farthest' text.far
expect 0 vxbake verify far.ktx2 -q
expect 0 vxbake inspect - <a.vxg >piped
sed 1d piped >piped.rest
sed 1d text | cmp - piped.rest || fail "standard input shows something else"
expect 0 vxbake inspect a.vxg --format json >json
holds '"kind": "texture-inspect"' json
expect 0 vxbake inspect a.vxg --preview - --preview-size 16 >small.png
cmp -s a.png small.png && fail 'the size of the picture changes nothing'
expect 2 vxbake inspect a.vxg --chunks 2>err
holds '--chunks is for grass files' err
# Against its frame, a recipe that names it, a new bake and its report.
echo '{"kind": "depth-pyramid", "depth": {"file": "a.pfm"}}' >a.json
echo '{"kind": "depth-pyramid", "depth": {"file": "a.pfm"}, "reduce": "farthest"}' >far.json
expect 0 vxbake bake a.json -o again.ktx2 -q --report json=report.json
expect 0 vxbake verify a.vxg --recipe a.pfm --rebake a.json --report-of report.json >text
holds "the recipe's identities, a new bake of the recipe, the bake's report" text
expect 1 vxbake verify a.vxg --recipe far.json >text
holds 'VX1903 recipe-header: /keyValueData/vxbake.reduce' text
expect 1 vxbake verify a.vxg --rebake far.json >text
holds 'VX1926 rebake-level: /levels/2' text
printf 'Pf\n5 3\n-1.0\n' >other.pfm
zeros 15 >>other.pfm
expect 1 vxbake verify a.vxg --recipe other.pfm >text
holds 'VX1906 recipe-depth: /levels/0' text
expect 2 vxbake verify a.vxg --report-of report.json --level header 2>err
expect 5 vxbake verify a.vxg --recipe a.json --report json=a.pfm 2>err
holds 'is also an input' err

size=$(wc -c <a.vxg)
from=a.vxg
# spoil NAME AT BYTES: NAME is the file from with these bytes at that place.
spoil() {
    cp $from "$1"
    printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>"$CLI_SCRATCH/dd"
}
# wrong NAME FINDING TEXT: verify finds it and says so.
wrong() {
    expect 1 vxbake verify "$1" >text
    holds "$2" text
    holds "$3" text
}
# What a plain 2 x 2 reduction makes of the frame: three texels of sky on levels 2 and 1.
spoil lost $((size - 72)) '\000\000\000\000\000\000\000\000\000\000\000\000'
wrong lost 'VX3106 pyramid-cover: /levels/1' 'texel (4, 2) of level 0, which it covers, is nearer (1)'
holds 'the last row or column, which halving an odd side leaves over' text
wrong lost 'VX3104 pyramid-level: /levels/1' 'cell (1, 0) is 0'
spoil nan $((size - 4)) '\000\000\300\177'
wrong nan 'VX3103 pyramid-texel: /levels/0' 'texel (4, 2) of level 0 is NaN'
spoil above $((size - 60)) '\000\000\000\100'
wrong above 'VX3103 pyramid-texel' 'texel (0, 0) of level 0 is 2'
spoil first 5 '11'
wrong first 'VX3000 ktx2-identifier' 'a KTX 1 file'
spoil format 12 '\114'
wrong format 'VX3004 ktx2-header: /header/typeSize' 'that of R16_SFLOAT is 2'
spoil packed 44 '\002'
wrong packed 'VX3003 ktx2-unsupported' 'Zstandard'
spoil levels 40 '\001'
wrong levels 'ktx2-header' 'has to be'
spoil index 80 '\001'
wrong index 'VX3009 ktx2-level-index: /levels/0' 'level 0'
spoil dfd 160 '\007'
wrong dfd 'VX3005 ktx2-dfd' 'descriptor'
head -c $((size - 1)) a.vxg >cut
wrong cut 'VX3001 ktx2-truncated' "the file ends after $((size - 1)) bytes"
{ cat a.vxg; printf x; } >long
wrong long 'VX3002 ktx2-trailing' '1 bytes follow level 0'
spoil minus $((size - 60)) '\000\000\000\200'
wrong minus 'texel (0, 0) of level 0 is -0: a depth is between 0 (sky) and 1 (nearest), and a 0 has no sign'

# A cell too near costs a march and loses nothing: in our own file it is wrong for all that, in another tool's it may be
# another reduction.
spoil near $((size - 68)) '\001\000\200\076'
wrong near 'VX3104 pyramid-level: /levels/1' 'cell (0, 0) is 0.25000003: the nearest of its block on level 0 is 0'
writer=$(grep -abo 'vxbake, bake' a.vxg | cut -d : -f 1)
from=near
spoil theirs "$writer" 'xxbake'
expect 0 vxbake verify theirs >text
holds 'VX3105 pyramid-other: /levels/1' text
from=lost
spoil theirs.lost "$writer" 'xxbake'
wrong theirs.lost 'VX3106 pyramid-cover: /levels/1' 'VX3105 pyramid-other'

# No reduction.
from=far.ktx2
at=$(grep -abo 'farthest' far.ktx2 | cut -d : -f 1)
spoil other "$at" 'farthett'
wrong other 'VX3102 pyramid-reduce' 'it is nearest or farthest'

# Several kinds at once, and what is damaged where it is needed.
meadow
expect 0 vxbake bake meadow.json -o b.vxg -q
expect 1 vxbake verify a.vxg b.vxg lost --format json-lines >lines
[ "$(grep -c '"kind": *"depth-pyramid"' lines)" -eq 2 ] || fail 'the kinds are not told'
expect 4 vxbake inspect cut 2>err
expect 4 vxbake inspect nan --preview nan.png >text 2>err
[ ! -e nan.png ] || fail 'a picture of what is no pyramid was left'
