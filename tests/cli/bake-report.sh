# The report as JSON: on standard output, in a file, on one line; the same but for the time.
meadow
without_time() { sed 's/"seconds": *[-0-9.e+]*//'; }
expect 0 vxbake bake meadow.json -o a.vxg --format json >a.json
expect 0 vxbake bake meadow.json -o a.vxg -q --report json=b.json
expect 0 vxbake bake meadow.json -o a.vxg --format json-lines >c.json
expect 0 vxbake bake meadow.json -o a.vxg --report json=- >d.json 2>summary
holds 'a.vxg: ' summary
without_time <a.json >a && without_time <b.json >b && without_time <d.json >d
cmp a b && cmp a d || fail 'the reports differ'
test "$(wc -l <c.json)" -eq 1 || fail 'json-lines is not one line'
tr -d ' \n' <a >e
without_time <c.json | tr -d ' \n' >c
cmp c e || fail 'json-lines is not the same'
expect 0 vxbake verify a.vxg --report-of b.json
