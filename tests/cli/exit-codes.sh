# One of each status that can be had on purpose. 6 needs a device, 8 a bug.
meadow
expect 0 vxbake bake meadow.json -o good.vxg -q
printf 'no grass\n' >bad.vxg
expect 1 vxbake verify bad.vxg -q >text
expect 2 vxbake verify
printf '{"kind": "grass-field", "densty": 1}' >wrong.json
expect 2 vxbake bake wrong.json -o x.vxg
expect 3 vxbake bake missing.json -o x.vxg
expect 3 vxbake inspect missing.vxg
expect 3 vxbake verify missing.vxg
expect 4 vxbake inspect bad.vxg
recipe short.json short.r16
head -c 100 hills.r16 >short.r16
expect 4 vxbake bake short.json -o x.vxg
expect 5 vxbake bake meadow.json -o meadow.json
expect 7 vxbake bake meadow.json -o x.vxg --set /cell_size=1024 --set /density=1000
# The highest of several wins, whatever the order.
expect 3 vxbake verify missing.vxg bad.vxg good.vxg >text
expect 3 vxbake verify good.vxg bad.vxg missing.vxg >text
expect 1 vxbake verify bad.vxg good.vxg >text
expect 1 vxbake verify good.vxg bad.vxg >text
holds 'good.vxg: good' text
