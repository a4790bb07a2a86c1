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
# One that ends before its time, by a signal or by a fault of its own, leaves no report that anybody could take for good.
if mkfifo pipe 2>"$CLI_SCRATCH/mkfifo"; then
    for signal in TERM SEGV; do
        # AddressSanitizer would take the fault for one of its own.
        ASAN_OPTIONS=${ASAN_OPTIONS-}:handle_segv=0 UBSAN_OPTIONS=${UBSAN_OPTIONS-}:handle_segv=0 \
            vxbake verify a.vxg pipe --threads 1 --report json=ended.json --report junit=ended.xml >text 2>err &
        exec 3>pipe
        # Again, in case the first one came just before it began to wait for the pipe.
        while kill -$signal $! 2>"$CLI_SCRATCH/kill"; do
            sleep 0.2
        done
        wait $!
        status=$?
        exec 3>&-
        test $status -gt 128 || fail "exit status $status after $signal"
        test ! -e ended.json && test ! -e ended.xml || fail "a report was left after $signal"
    done
fi
expect 0 vxbake verify --list-findings >list
holds VX1001 list
expect 0 vxbake verify --explain VX1001 >by-code
name=$(sed -n 's/^VX1001 *[a-z]* *\([a-z0-9-]*\) .*/\1/p' list)
expect 0 vxbake verify --explain "$name" >by-name
cmp by-code by-name || fail "'$name' is not VX1001"
expect 2 vxbake verify --list-findings --explain VX1001 2>err
holds "leave '--list-findings' out" err
expect 2 vxbake verify --list-findings --report json=list.json 2>err
expect 2 vxbake verify --explain VX1001 a.vxg 2>err
test ! -e list.json || fail 'a report of no file'
