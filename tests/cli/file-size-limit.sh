# A limit on the size of files: the old output stays, nothing is left behind. With SIGXFSZ ignored it is an error of
# writing; else the program ends by the signal, as its parent should see. One thread writes a spill first, many do not.
meadow
expect 0 vxbake bake meadow.json -o old.vxg -q --set /density=1
cp old.vxg kept.vxg
for threads in 1 16; do
    (
        ulimit -c 0
        trap '' XFSZ
        ulimit -f 8
        vxbake bake meadow.json -o old.vxg -q --threads $threads --set /density=400
    ) 2>err
    test $? -eq 3 || fail 'not exit status 3'
    holds 'File too large' err
    cmp old.vxg kept.vxg || fail 'the old output is gone'
    (
        ulimit -c 0
        ulimit -f 8
        vxbake bake meadow.json -o old.vxg -q --threads $threads --set /density=400
    ) 2>err
    status=$?
    test "$(signal_of $status)" -eq 25 || fail "not SIGXFSZ but status $status"
    cmp old.vxg kept.vxg || fail 'the old output is gone'
done
only err hills.r16 kept.vxg meadow.json old.vxg
