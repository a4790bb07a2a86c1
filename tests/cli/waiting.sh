# A signal ends the program also while it waits for the other end of a pipe: for a recipe, or for a reader.
meadow
mkfifo silent unread
vxbake bake - -o a.vxg -q <silent 2>err &
job=$!
exec 3>silent
sleep 0.3
kill -15 $job
wait $job
status=$?
test "$(signal_of $status)" -eq 15 || fail "status $status while reading"
vxbake bake meadow.json -o unread -q 2>err &
job=$!
sleep 0.3
kill -15 $job
wait $job
status=$?
test "$(signal_of $status)" -eq 15 || fail "status $status while opening"
only err hills.r16 meadow.json silent unread
