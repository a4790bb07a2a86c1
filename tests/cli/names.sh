# Names are bytes: spaces, UTF-8, quotes, a leading dash; and text from outside never steers the terminal.
meadow
mkdir 'a b' 'grün' './-c'
for folder in 'a b' 'grün' '-c'; do
    cp hills.r16 meadow.json "./$folder/"
    expect 0 vxbake bake -q -o "./$folder/my \$field'.vxg" -- "$folder/meadow.json"
    expect 0 vxbake verify -q "./$folder/my \$field'.vxg"
done
cmp "a b/my \$field'.vxg" "grün/my \$field'.vxg" || exit
escape=$(printf '\033')
expect 3 vxbake inspect "no${escape}[31mred" 2>err
grep -q "$escape" err && fail 'an escape sequence was printed'
holds 'no\x1b[31mred' err
# A path that is no UTF-8 is told by its bytes in JSON, and by its escapes elsewhere.
bytes=$(printf 'b\351\303\251.vxg')
expect 0 vxbake bake meadow.json -o "$bytes" -q
expect 0 vxbake verify "$bytes" "a b/my \$field'.vxg" --format json --report junit=told.xml >told.json
holds '"path_bytes": "62e9c3a92e767867"' told.json
test "$(grep -c 'path_bytes' told.json)" -eq 1 || fail 'a path that is UTF-8 is told by its bytes'
holds '"path": "b'"$(printf '\357\277\275\303\251')"'.vxg"' told.json
holds 'b\xe9'"$(printf '\303\251')"'.vxg' told.xml
expect 0 vxbake diff "$bytes" "$bytes" --format json >told.json
holds '"a_bytes": "62e9c3a92e767867"' told.json
holds '"b_bytes": "62e9c3a92e767867"' told.json
expect 0 vxbake transcode "$bytes" -o "$bytes.1" --to 1 --lossy -q --report json=told.json
holds '"path_bytes": "62e9c3a92e767867"' told.json
holds '"path_bytes": "62e9c3a92e7678672e31"' told.json
# An empty name shows, and is never told as another file's; most often it is a variable that was not set.
expect 0 vxbake bake meadow.json -o a.vxg -q
for args in 'verify' 'inspect' 'diff a.vxg' 'bake -o x.vxg' 'explain --at 1,1' 'transcode -o x.vxg' 'verify a.vxg --recipe' \
    'verify a.vxg --report-of' 'transcode a.vxg -o' 'transcode a.vxg -o x --to runtime --stomp' \
    'transcode a.vxg -o x --to runtime --recipe' 'bake meadow.json -o' 'inspect a.vxg --preview'; do
    expect 3 vxbake $args '' >"$CLI_SCRATCH/empty" 2>err
    grep -q "^vxbake: error: '': cannot " err || fail "no empty name: $(cat err)"
    test "$(wc -l <err)" -eq 1 || fail "said twice: $(cat err)"
done
expect 3 vxinspect '' 2>err
holds "vxinspect: error: '': cannot open" err
expect 2 vxbake "x${escape}y" 2>err
holds 'x\x1by' err
