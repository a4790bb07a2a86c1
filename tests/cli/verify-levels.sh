# --level: what is looked at, and that every output says so. -W: what findings count as, stated and never silently gone.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
expect 0 vxbake bake meadow.json -o z.vxg -q --compress 3
expect 0 vxbake transcode a.vxg --to 1 --lossy -q -o one.vxg
printf 'Pf\n1 1\n-1.0\n\000\000\000\077' >a.pfm
expect 0 vxbake bake a.pfm -o a.ktx2 -q
size=$(wc -c <a.vxg)
# The last blade's up direction: no hash but the chunk's knows of it.
cp a.vxg blade.vxg
printf '\200' | dd of=blade.vxg bs=1 seek=$((size - 6)) conv=notrunc 2>"$CLI_SCRATCH/dd"
expect 0 vxbake verify blade.vxg --level header >text
holds 'header and tables only, checked ' text
expect 1 vxbake verify blade.vxg --level hash >text
holds 'VX1651 chunk-hash' text
holds 'hashes only, checked 16 of 16 hashes' text
grep -q 'blade-up' text && fail 'the level hash looks at blades'
expect 1 vxbake verify blade.vxg >text
holds 'blade-up-code' text
holds 'checked 16 of 16 chunks' text
for level in header hash full; do
    expect 0 vxbake verify a.vxg z.vxg one.vxg a.ktx2 --level $level --format json --report junit=r.xml >json
    test "$(grep -c "\"level\": \"$level\"" json)" -eq 4 || fail 'the level is not in the JSON'
    test "$(grep -c "level $level: complete" r.xml)" -eq 4 || fail 'the level is not in the JUnit report'
done
expect 0 vxbake verify one.vxg a.ktx2 --level hash >text
test "$(grep -c 'it stores no hashes' text)" -eq 2 || fail 'missing hashes are not told of'
expect 2 vxbake verify a.vxg --level most 2>err
holds 'header, hash or full' err
expect 2 vxbake verify a.vxg --level hash --rebake meadow.json 2>err
holds 'leave --level hash out' err
expect 0 vxbake verify a.vxg --level header --recipe meadow.json >text
holds "the recipe's identities" text

# Counted and stated, by code, by number and by name; the last one of a finding holds.
{ cat a.vxg; printf x; } >long.vxg
expect 1 vxbake verify long.vxg >text
holds '1 error; ' text
for rule in VX1007=ignore 1007=ignore file-longer=ignore; do
    expect 0 vxbake verify long.vxg -W $rule >text
    holds 'long.vxg: good, 1 ignored; ' text
    grep -q VX1007 text && fail 'what is ignored is listed'
done
expect 0 vxbake verify long.vxg -v --severity=file-longer=ignore >text
holds 'ignored VX1007 file-longer' text
expect 0 vxbake verify long.vxg -W file-longer=ignore --format json --report junit=r.xml >json
holds '"severity": "ignored"' json
holds '"ignored": 1' json
holds 'ignored VX1007' r.xml
holds '<property name="ignored" value="1"/>' r.xml
expect 0 vxbake verify long.vxg -W file-longer=ignore -W file-longer=warning >text
holds 'warning VX1007' text
expect 1 vxbake verify long.vxg -W file-longer=warning --warnings-as-errors --format json --report junit=r.xml >json
holds '"good": false' json
holds 'failures="1"' r.xml
expect 0 vxbake verify long.vxg -W file-longer=ignore --warnings-as-errors -q
expect 0 vxbake bake meadow.json -o part.vxg --region 0,0,4,4 -q
expect 0 vxbake verify part.vxg -q >text
expect 1 vxbake verify part.vxg -W partial-field=error -q >text

# What stops the reader stays an error, whatever it counts as.
head -c 3000 a.vxg >cut.vxg
echo bad >bad.vxg
expect 1 vxbake verify bad.vxg -W magic=ignore >text
holds 'VX1020 unchecked' text
expect 1 vxbake verify cut.vxg -W file-cut=ignore -W chunk-outside=ignore >text
holds 'VX1020 unchecked' text
holds 'not to the end' text
# One that was asked for a comparison that could not be made, too.
expect 1 vxbake verify part.vxg -W compare-partial=ignore --rebake meadow.json >text
holds 'VX1020 unchecked' text
expect 2 vxbake verify a.vxg -W unchecked=ignore 2>err
holds 'always counts as an error' err
expect 2 vxbake verify a.vxg -W file-longr=ignore 2>err
holds 'did you mean file-longer?' err
expect 2 vxbake verify a.vxg -W VX9999=ignore 2>err
expect 2 vxbake verify a.vxg -W file-longer 2>err
holds 'CODE=error, CODE=warning or CODE=ignore' err
expect 2 vxbake verify a.vxg -W file-longer=note 2>err
holds 'error, warning or ignore' err
expect 2 vxbake verify --explain file-longr 2>err
holds 'did you mean file-longer?' err
