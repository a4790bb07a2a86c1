# --max-memory is a limit on what a file may take: below it everything works, above it the message says what is needed.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q --max-memory 64M --compress 1
expect 0 vxbake inspect a.vxg --max-memory 1MiB >text
expect 0 vxbake verify a.vxg -q --max-memory 1000000
expect 7 vxbake inspect a.vxg --blades --max-memory 512 >text 2>err
test -s err || fail 'no reason was given'
expect 7 vxbake verify a.vxg --max-memory 512 >text 2>err
test -s err || fail 'no reason was given'
