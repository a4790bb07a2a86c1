# --max-memory is a limit on what an input may take.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q --max-memory 64M
expect 0 vxbake inspect a.vxg --max-memory 1MiB >text
expect 0 vxbake verify a.vxg -q --max-memory 1000000
slow
expect 7 vxbake bake slow.json -o b.vxg --max-memory 1K 2>err
test -s err || fail 'no reason was given'
