# SIGTERM, SIGINT and SIGHUP at several moments of a long bake: the old output stays, nothing is left behind, and the
# parent sees the signal.
env --default-signal=INT,HUP true 2>"$CLI_SCRATCH/env" || skip 'env has no --default-signal'
slow
mkfifo pipe
echo old >x.vxg
echo old >x.png
for signal in 15 2 1; do
    for wait in 0.02 0.1 0.3 0.7; do
        # A shell without job control starts background commands with SIGINT ignored; nohup ignores SIGHUP. On a busy
        # machine env takes longer than the first wait to undo that, so the recipe is a pipe: it is read by then.
        env --default-signal=INT,HUP vxbake bake pipe --threads 1 -o x.vxg --preview x.png --depfile x.d >text 2>err &
        job=$!
        cat slow.json >pipe
        sleep $wait
        kill -$signal $job || fail "it ended before signal $signal"
        wait $job
        status=$?
        test "$(signal_of $status)" -eq $signal || fail "signal $signal after $wait s: status $status"
        test "$(cat x.vxg x.png)" = 'old
old' || fail 'an old output is gone'
    done
done
# Defect: where it ended what writes blade by blade, an error told of an output that took no more.
expect 0 vxbake bake slow.json -o many.vxg -q --set /density=1 --set /density_scale=1
for format in text json; do
    vxbake inspect many.vxg --blades --format $format >text 2>err &
    job=$!
    sleep 0.3
    kill -15 $job || fail 'it ended before the signal'
    wait $job
    test "$(signal_of $?)" -eq 15 || fail 'not ended by the signal'
    test -s err && fail "a signal is not quiet: $(cat err)"
done
rm many.vxg
only err flat.r16 pipe slow.json text x.png x.vxg
