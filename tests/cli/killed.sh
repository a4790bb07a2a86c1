# SIGKILL at several moments: the old output stays, and at most one file is left behind, under the name the page tells.
slow
echo old >x.vxg
for wait in 0.05 0.3 0.8; do
    vxbake bake slow.json --threads 1 -o x.vxg >text 2>err &
    job=$!
    sleep $wait
    kill -9 $job || fail 'it ended by itself'
    wait $job
    test "$(cat x.vxg)" = old || fail 'the old output is gone'
    ls -A | grep -v '^\.x\.vxg\.vxbake-......$' | LC_ALL=C sort | tr '\n' ' ' >"$CLI_SCRATCH/left"
    test "$(cat "$CLI_SCRATCH/left")" = 'err flat.r16 slow.json text x.vxg ' || fail "left: $(cat "$CLI_SCRATCH/left")"
done
