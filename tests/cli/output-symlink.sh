# A symbolic link as output: what it leads to is replaced, the link stays. Relative, absolute and dangling.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q
mkdir real
echo old >real/one.vxg
ln -s real/one.vxg relative
ln -s "$PWD/real/two.vxg" absolute
ln -s real/three.vxg dangling
for link in relative absolute dangling; do
    expect 0 vxbake bake meadow.json -o $link -q
    test -L $link || fail "$link is no link any more"
    cmp a.vxg $link || exit
done
ln -s loop loop
expect 3 vxbake bake meadow.json -o loop -q 2>err
ln -s nowhere/x.vxg lost
expect 3 vxbake bake meadow.json -o lost -q 2>err
cd real && only one.vxg two.vxg three.vxg
