# Reports of several files in every format; each written whole; --list-findings and --explain.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
echo bad >b.vxg
expect 1 vxbake verify a.vxg b.vxg --format json >text.json
expect 1 vxbake verify a.vxg b.vxg -q --report json=r.json --report junit=r.xml >text
cmp text.json r.json || fail 'the JSON reports differ'
expect 1 vxbake verify a.vxg b.vxg --format json-lines >lines
test "$(wc -l <lines)" -eq 2 || fail 'not a line a file'
holds '<testsuite' r.xml
holds 'b.vxg' r.xml
expect 1 vxbake verify a.vxg b.vxg --report json=- >out.json 2>text
cmp text.json out.json || fail 'standard output holds something else'
holds 'a.vxg: good' text
expect 0 vxbake verify --list-findings >list
holds VX1001 list
expect 0 vxbake verify --explain VX1001 >by-code
name=$(sed -n 's/^VX1001 *[a-z]* *\([a-z0-9-]*\) .*/\1/p' list)
expect 0 vxbake verify --explain "$name" >by-name
cmp by-code by-name || fail "'$name' is not VX1001"
