# An output that is an input, by whatever name, is refused and both stay as they are; so are two outputs on one file.
meadow
cp meadow.json hills.r16 "$CLI_SCRATCH/"
expect 0 vxbake bake meadow.json -o a.vxg -q
cp a.vxg "$CLI_SCRATCH/"
ln -s meadow.json link-to-recipe
ln -s hills.r16 link-to-terrain
ln meadow.json hard-recipe
ln hills.r16 hard-terrain
mkdir sub
for name in meadow.json ./meadow.json sub/../meadow.json link-to-recipe hard-recipe hills.r16 ./hills.r16 \
        link-to-terrain hard-terrain "$PWD/hills.r16"; do
    expect 5 vxbake bake meadow.json -o "$name" 2>err
    test -s err || fail 'no reason was given'
    expect 5 vxbake bake meadow.json -o x.vxg --preview "$name" 2>err
    expect 5 vxbake bake meadow.json -o x.vxg --depfile "$name" 2>err
    expect 5 vxbake bake meadow.json -o x.vxg --report "json=$name" 2>err
done
expect 5 vxbake bake meadow.json -o x --preview x 2>err
expect 5 vxbake bake meadow.json -o x --depfile ./x 2>err
expect 5 vxbake bake meadow.json -o x.vxg --preview p --report json=sub/../p 2>err
ln a.vxg hard-field
expect 5 vxbake inspect a.vxg --preview hard-field 2>err
expect 5 vxbake verify a.vxg --report json=hard-field 2>err
expect 5 vxbake verify a.vxg --recipe meadow.json --report junit=link-to-recipe 2>err
expect 5 vxbake verify a.vxg --report json=r --report junit=./r 2>err
# Defect: the file behind standard input was no input, and a recipe's terrain none of verify's.
expect 5 vxbake bake - -o meadow.json <meadow.json 2>err
expect 5 vxbake bake - -o x.vxg --report json=hard-recipe <meadow.json 2>err
expect 5 vxbake inspect - --preview a.vxg <a.vxg 2>err
expect 5 vxbake verify - --report json=hard-field <a.vxg 2>err
expect 5 vxbake verify a.vxg --recipe meadow.json --report json=hills.r16 2>err
expect 5 vxbake verify a.vxg --rebake meadow.json --report junit=link-to-terrain 2>err
# Defect: so was one that a descriptor leads to.
if test -e /dev/fd/1; then
    expect 5 vxbake bake meadow.json -o /dev/fd/7 7<>meadow.json 2>err
    expect 5 vxbake bake meadow.json -o - 1<>hills.r16 2>err
fi
for name in meadow.json hills.r16 a.vxg; do
    cmp $name "$CLI_SCRATCH/$name" || fail "$name was changed"
done
only a.vxg err hard-field hard-recipe hard-terrain hills.r16 link-to-recipe link-to-terrain meadow.json sub
