# A field without blades is a valid file.
meadow
expect 0 vxbake bake meadow.json -o a.vxg --set /density_scale=0 >text
holds 'a.vxg: 0 blades' text
expect 0 vxbake verify a.vxg -q
expect 0 vxbake inspect a.vxg --chunks >text
expect 0 vxbake inspect a.vxg --blades >text
test "$(wc -l <text)" -eq 1 || fail 'there are blades'
expect 0 vxbake inspect a.vxg --preview a.png >text
