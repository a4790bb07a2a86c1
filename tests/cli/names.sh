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
