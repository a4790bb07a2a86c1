# A part of a field: its chunks are the whole bake's, it is marked, and nothing takes it for the whole.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
expect 0 vxbake bake meadow.json -o b.vxg --region 4,0,8.5,4 --report json=report.json >text
holds 'partial: only cells 1,0 to 2,0' text
expect 0 vxbake inspect b.vxg >inspect
holds 'flags              partial' inspect
for cell in 1,0 2,0; do
    vxbake inspect a.vxg --chunk $cell --blades | sed 's/^\([^,]*,[^,]*,[^,]*,[^,]*\),[^,]*,/\1,/' >a.csv
    vxbake inspect b.vxg --chunk $cell --blades | sed 's/^\([^,]*,[^,]*,[^,]*,[^,]*\),[^,]*,/\1,/' >b.csv
    cmp a.csv b.csv || fail "cell $cell differs"
    test "$(wc -l <a.csv)" -gt 1 || fail "cell $cell is empty"
done
expect 0 vxbake verify b.vxg >text
holds 'partial-field' text
expect 0 vxbake verify b.vxg --report-of report.json -q
expect 1 vxbake verify b.vxg --recipe meadow.json >text
holds 'compare-partial' text
expect 1 vxbake verify b.vxg --rebake meadow.json >text
expect 0 vxbake transcode b.vxg --compress 3 -o c.vxg -q
expect 0 vxbake inspect c.vxg >inspect
holds 'zstd, partial' inspect

for region in 0,0,4 0,0,4,x 4,0,0,4 100,100,200,200 0,0,nan,4; do
    expect 2 vxbake bake meadow.json -o x.vxg --region $region 2>>err
done
expect 2 vxbake bake meadow.json -n --region 0,0,4,4 2>>err
test -e x.vxg && fail 'a refusal wrote something'
exit 0
