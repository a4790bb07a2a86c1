# The bytes of good, cut and damaged files by their fields, and what the exit status says of each.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
vxinspect a.vxg --raw header || exit
vxinspect a.vxg --raw section --format csv || exit
vxinspect a.vxg --raw string || exit
vxinspect a.vxg --raw 'chunk 1' | sed 1d || exit
vxinspect a.vxg --raw blade:0 --format json-lines || exit
# A damaged field is told beside it; the reader refuses the file.
cp a.vxg bad.vxg
printf '\011' | dd of=bad.vxg bs=1 seek=157 conv=notrunc 2>"$CLI_SCRATCH/dd"
expect 4 vxinspect bad.vxg --sections 2>refused.txt
holds 'vxinspect: error: bad.vxg: at byte ' refused.txt
holds 'vxinspect: note: --raw shows the bytes' refused.txt
vxinspect bad.vxg --raw section 2>"$CLI_SCRATCH/warned" | grep pass_count || fail 'the field is not shown'
cat "$CLI_SCRATCH/warned"
expect 1 vxinspect bad.vxg --hashes >hashes.txt 2>said.txt
holds 'tables' hashes.txt
test "$(grep -c ' no$' hashes.txt)" -eq 1 || fail 'not one hash is wrong'
# A cut file: as far as it goes.
head -c 300 a.vxg >cut.vxg
expect 4 vxinspect cut.vxg --raw chunk 2>said.txt
holds 'holds no more' said.txt
expect 0 vxinspect - --raw header <cut.vxg >header.txt 2>said.txt
# Its first bytes gone: it has to be told what it is.
tail -c +9 a.vxg | { printf 'notgrass'; cat; } >lost.vxg
expect 4 vxinspect lost.vxg --raw header 2>said.txt
holds '; --as says what to take the file for' said.txt
expect 0 vxinspect lost.vxg --raw section --as grass-2 --format csv 2>said.txt >as.csv
vxinspect a.vxg --raw section --format csv | cmp - as.csv || fail 'other bytes'
expect 0 vxinspect a.vxg --raw section --at 0x80 --format csv | cmp - as.csv || fail 'other bytes at an offset'
# A depth pyramid.
printf 'Pf\n2 2\n-1.0\n\000\000\000\077\000\000\000\077\000\000\000\077\000\000\000\077' >a.pfm
expect 0 vxbake bake a.pfm -o a.ktx2 --set /reduce=farthest -q
for what in header level dfd sample key; do
    vxinspect a.ktx2 --raw $what --format csv || exit
done
# The last numbers that a count and an offset have room for are numbers too.
expect 4 vxinspect a.vxg --raw chunk:4294967290-4294967295 --at 18446744073709551615 >said.txt 2>&1
holds 'holds no more' said.txt
expect 4 vxinspect a.vxg --raw header --at 0xffffffffffffffff >said.txt 2>&1
expect 2 vxinspect a.vxg --blades=4294967295 >said.txt 2>&1
holds 'blade 4294967295 was asked for; there are 784, numbered from 0' said.txt
expect 2 vxinspect a.vxg --blades=4294967296 2>said.txt
holds 'from 0 to 4294967295' said.txt
for at in 18446744073709551616 0x10000000000000000 0x 0a 1x ''; do
    expect 2 vxinspect a.vxg --raw header --at "$at" 2>said.txt
done
# What makes no sense.
for args in '--raw bogus' '--raw chunk:999' '--raw chunk:x' '--raw header --chunks' '--at 4' '--raw header --at x' \
    '--hashes --raw header' '--chunks --blades --format csv' '--levels' '--chunks 0-9' '--chunk 1,1' \
    '--chunks=5-4' '--blades=-1' '--format csv' '--raw string:99' '--raw blade:9999999' '--raw blade --at 9'; do
    expect 2 vxinspect a.vxg $args >said.txt 2>&1
    test -s said.txt || fail "nothing is said of $args"
done
expect 2 vxinspect >said.txt 2>&1
expect 2 vxinspect a.ktx2 --chunks >said.txt 2>&1
expect 3 vxinspect missing.vxg --raw header >said.txt 2>&1
expect 4 vxinspect a.ktx2 --hashes >said.txt 2>&1
expect 4 vxinspect meadow.json >said.txt 2>&1
expect 0 vxinspect --version >said.txt
expect 0 vxinspect -h >said.txt
holds 'Usage: vxinspect FILE' said.txt
