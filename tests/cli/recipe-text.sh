# A byte order mark and CRLF line ends change nothing; all errors of a recipe are told in one run.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
{ printf '\357\273\277'; sed 's/$/\r/' meadow.json; } >dos.json
expect 0 vxbake bake dos.json -o b.vxg -q
cmp a.vxg b.vxg || fail 'CRLF gives other bytes'
sed 's/"seed": 7/"sed": 7/; s/"density": 4/"density": -4/' meadow.json >wrong.json
expect 2 vxbake bake wrong.json -o c.vxg 2>err
holds '/sed' err
holds '/density' err
test "$(grep -c '^vxbake: error' err)" -eq 2 || fail "not each error once: $(cat err)"
# A file of another kind is called what it is.
expect 2 vxbake bake a.vxg -o c.vxg 2>err
holds 'a.vxg: this is a grass file; JSON is expected' err
printf '\211PNG\r\n\032\n0123456789' >meadow.jpg
expect 2 vxbake explain meadow.jpg --at 1,1 2>err
holds 'meadow.jpg: this is a PNG; JSON is expected' err
rm meadow.jpg
printf '{"a": 1' >cut.json
expect 2 vxbake bake cut.json -o c.vxg 2>err
holds 'cut.json:1:' err
