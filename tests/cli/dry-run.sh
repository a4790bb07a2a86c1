# The plan without the bake: what it tells is what the bake then does, and nothing is written.
meadow
expect 0 vxbake bake meadow.json --dry-run >plan
holds 'hills.r16' plan
holds 'candidates' plan
expect 0 vxbake bake meadow.json -n -o a.vxg --depfile a.d --preview a.png --format json >plan.json
only hills.r16 meadow.json plan plan.json
expect 0 vxbake bake meadow.json -n --depfile a.d >/dev/null
expect 0 vxbake bake meadow.json -n --preview a.png -q >/dev/null
expect 0 vxbake bake meadow.json -o a.vxg >text
id=$(sed -n 's/^bake id *//p' text)
test -n "$id" || fail 'no bake id'
holds "$id" plan
holds "$id" plan.json
holds "$id" text
