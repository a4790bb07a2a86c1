# A full disk is an error wherever it shows: while writing, or only when the last bytes are flushed.
test -c /dev/full || skip 'no /dev/full'
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
expect 3 vxbake bake meadow.json -o /dev/full -q 2>err
holds '/dev/full' err
expect 3 vxbake bake meadow.json -o - -q >/dev/full 2>err
holds 'standard output' err
expect 3 vxbake bake meadow.json -o b.vxg >/dev/full 2>err
expect 3 vxbake bake meadow.json -o b.vxg --format json >/dev/full 2>err
expect 3 vxbake bake meadow.json -n >/dev/full 2>err
expect 3 vxbake inspect a.vxg >/dev/full 2>err
expect 3 vxbake inspect a.vxg --blades >/dev/full 2>err
expect 3 vxbake inspect a.vxg --format json >/dev/full 2>err
expect 3 vxbake inspect a.vxg --preview - >/dev/full 2>err
expect 3 vxbake verify a.vxg >/dev/full 2>err
expect 3 vxbake verify a.vxg --format json >/dev/full 2>err
expect 3 vxbake verify a.vxg --report json=/dev/full -q 2>err
expect 3 vxbake verify --list-findings >/dev/full 2>err
expect 3 vxbake help >/dev/full 2>err
expect 3 vxbake version >/dev/full 2>err
expect 3 vxbake version >&- 2>err
test -c /dev/full || fail '/dev/full is gone'
