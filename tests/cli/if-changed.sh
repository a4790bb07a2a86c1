# --if-changed leaves an identical output alone, its time too, and replaces another.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
touch -d '2001-01-01' a.vxg
cp -p a.vxg "$CLI_SCRATCH/stamp"
expect 0 vxbake bake meadow.json -o a.vxg --if-changed >text
holds 'unchanged' text
test a.vxg -nt "$CLI_SCRATCH/stamp" && fail 'the time changed'
expect 0 vxbake bake meadow.json -o a.vxg --if-changed -q --set /density=5
test a.vxg -nt "$CLI_SCRATCH/stamp" || fail 'the time did not change'
cmp -s a.vxg "$CLI_SCRATCH/stamp" && fail 'the content did not change'
touch -d '2001-01-01' a.vxg
expect 0 vxbake bake meadow.json -o a.vxg -q --set /density=5
test a.vxg -nt "$CLI_SCRATCH/stamp" || fail 'without --if-changed the file is written'
