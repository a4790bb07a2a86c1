# A reader that closes early: SIGPIPE ends the program quietly, or, where that is ignored, the failed write is an error.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q --set /density=400
{ vxbake inspect a.vxg --blades; echo $? >status; } 2>err | head -n 1 >first
test "$(signal_of $(cat status))" -eq 13 || fail "status $(cat status), not SIGPIPE"
test -s err && fail 'SIGPIPE is not quiet'
{ (trap '' PIPE; exec vxbake inspect a.vxg --blades); echo $? >status; } 2>err | head -n 1 >first
test "$(cat status)" -eq 3 || fail "status $(cat status), not 3"
holds 'standard output' err
# Defect: what writes a file's bytes there told of the broken pipe before it ended by it.
for command in 'bake meadow.json -o - -q --set /density=400' 'transcode a.vxg --to csv -o -' \
    'transcode a.vxg --to ply -o -'; do
    { vxbake $command; echo $? >status; } 2>err | head -c 1 >first
    test "$(signal_of $(cat status))" -eq 13 || fail "status $(cat status), not SIGPIPE"
    test -s err && fail "SIGPIPE is not quiet: $(cat err)"
done
rm status first err
