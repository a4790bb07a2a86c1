# What a transcode writes to: a full disk, a limit on file sizes, a reader that closes early, a FIFO, symbolic links. Old
# outputs stay, nothing temporary is left, links lead where they led.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q --set /density=60
expect 0 vxbake transcode a.vxg --compress 3 -o good -q

# A device that takes nothing, and an exit status that says so.
if test -c /dev/full; then
    for how in '--compress 3' '--to csv' '--to ply' '--to 1 --lossy'; do
        expect 3 vxbake transcode a.vxg $how -o /dev/full -q 2>err
        holds /dev/full err
    done
    expect 3 vxbake transcode a.vxg --to csv -o - -q >/dev/full 2>err
    expect 3 vxbake inspect a.vxg --blades >/dev/full 2>err
    ln -s /dev/full x.bin.json
    expect 3 vxbake transcode a.vxg --to runtime --force -o x.bin -q 2>err
    test -e x.bin && fail 'records without what tells of them'
    rm x.bin.json
fi

# A limit below the output's size, met or ignored.
for how in '--compress 3' '--to csv' '--to ply' '--to 1 --lossy'; do
    echo old >x
    (ulimit -f 4 && exec vxbake transcode a.vxg $how -o x -q) 2>err
    test "$(signal_of $?)" -eq 25 || fail "no SIGXFSZ: $how"
    test "$(cat x)" = old || fail "the old output is gone: $how"
    (trap '' XFSZ && ulimit -f 4 && exec vxbake transcode a.vxg $how -o x -q) 2>err && fail "it ends well: $how"
    test "$(cat x)" = old || fail "the old output is gone: $how"
done
rm x

# A reader that closes early.
for how in '--compress 3' '--to csv' '--to ply'; do
    { vxbake transcode a.vxg $how -o - -q 2>err; echo $? >status; } | head -c 5 >part
    test "$(signal_of "$(cat status)")" -eq 13 || fail "status $(cat status) after a reader closed: $how"
done
{ (trap '' PIPE && exec vxbake transcode a.vxg --to csv -o - -q) 2>err; echo $? >status; } | head -c 5 >part
test "$(cat status)" -eq 3 || fail "status $(cat status) where SIGPIPE is ignored"

# A FIFO and a symbolic link.
mkfifo fifo
cat fifo >through &
expect 0 vxbake transcode a.vxg --compress 3 -o fifo -q
wait
test -p fifo || fail 'the FIFO is none any more'
cmp good through || fail 'other bytes through the FIFO'
echo old >target
ln -s target link
ln -s "$PWD/nothing-yet" dangling
for link in link dangling; do
    expect 0 vxbake transcode a.vxg --compress 3 -o $link -q
    test -L $link || fail "$link is no link any more"
    cmp good $link || fail "$link leads to other bytes"
done
only a.vxg dangling err fifo good hills.r16 link meadow.json nothing-yet part status target through
