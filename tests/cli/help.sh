# Help goes to standard output and is no error, however it is asked for.
vxbake --help >a && vxbake -h >b && vxbake help >c || exit
cmp a b && cmp b c || exit
for command in bake inspect verify explain help version; do
    holds "  $command " a
    expect 0 vxbake help $command >d
    expect 0 vxbake $command --help >e
    cmp d e || exit
    holds "Usage: vxbake $command" d
done
