# The summary adds up and goes to standard output; -q silences it; the bytes depend on the recipe alone.
meadow
expect 0 vxbake bake meadow.json -o a.vxg >text
holds 'a.vxg: ' text
holds 'candidates' text
holds 'no surface' text
holds 'bake id' text
expect 0 vxbake bake meadow.json -o b.vxg -q --threads 1 >quiet
test -s quiet && fail '-q is not quiet'
expect 0 vxbake bake meadow.json -o c.vxg -q --threads 7
VXBAKE_THREADS=2 vxbake bake meadow.json -o d.vxg -q
cmp a.vxg b.vxg && cmp a.vxg c.vxg && cmp a.vxg d.vxg || fail 'bytes depend on threads'
expect 0 vxbake verify a.vxg b.vxg c.vxg d.vxg -q
only a.vxg b.vxg c.vxg d.vxg hills.r16 meadow.json quiet text
