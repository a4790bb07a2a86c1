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
expect 2 vxbake "x${escape}y" 2>err
holds 'x\x1by' err
