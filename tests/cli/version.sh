# Two lines, however it is asked for.
vxbake version
vxbake --version >a
vxbake -V >b
vxbake version >c
cmp a b && cmp b c
