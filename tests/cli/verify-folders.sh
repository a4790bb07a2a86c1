# A folder stands for the files of ours under it; nothing in it is passed over in silence.
meadow
expect 0 vxbake bake meadow.json -o good.vxg -q
mkdir -p tree/b tree/a/deep tree/.hidden 'tree/odd
name' empty others
cp good.vxg tree/b/1.vxg
cp good.vxg tree/a/deep/2.VXG
cp good.vxg tree/.hidden/3.vxg
cp good.vxg "tree/odd
name/4.vxg"
cp good.vxg tree/a.vxg
printf 'Pf\n1 1\n-1.0\n\000\000\000\077' >a.pfm
expect 0 vxbake bake a.pfm -o tree/5.ktx2 -q
cp meadow.json hills.r16 tree/a
cp meadow.json others
expect 0 vxbake verify tree >text
sed -n 's/: good;.*//p' text >order
cat >wanted <<'END'
tree/.hidden/3.vxg
tree/5.ktx2
tree/a.vxg
tree/a/deep/2.VXG
tree/b/1.vxg
tree/odd\x0aname/4.vxg
END
diff -u wanted order || fail 'not these files in this order'
holds '6 files: 6 good, 0 bad, 0 not checked; 0 errors, 0 warnings, 0 notes, 0 ignored; 2 others in folders skipped' text
expect 0 vxbake verify tree/ --threads 4 >slash
sed 's/^tree\//&/' text | cmp - slash || fail 'a slash at the end, or threads, change the report'
expect 0 vxbake verify tree --format json --report junit=r.xml >json
holds '"skipped": 2' json
holds '<property name="skipped-files" value="2"/>' r.xml

# Textures of another kind are no pyramids; one that vxbake made as a pyramid is, whatever its header says by now.
mkdir textures
cp tree/5.ktx2 textures/1.ktx2
for n in 2 3; do
    # BC7, which is written without its writer's name in 2.
    cp tree/5.ktx2 "textures/$n.ktx2"
    printf '\221\000\000\000' | dd of="textures/$n.ktx2" bs=1 seek=12 conv=notrunc status=none
done
sed 's/vxbake, bake/others, bake/' textures/2.ktx2 >textures/other && mv textures/other textures/2.ktx2
expect 1 vxbake verify textures >text
holds 'textures/1.ktx2: good' text
holds 'textures/3.ktx2: error VX3003' text
holds '2 files: 1 good, 1 bad' text
holds '1 other in folders skipped' text
expect 1 vxbake verify textures/2.ktx2 >text
holds 'textures/2.ktx2: error VX3003' text
rm textures/[13].ktx2
expect 2 vxbake verify textures 2>err
holds 'nothing to check' err

# Links: followed, each folder once, by its own path where it has one.
ln -s .. tree/a/up
ln -s ../../tree tree/b/again
ln -s loop tree/b/loop
ln -s ../../others tree/a/elsewhere
ln -s ../good.vxg tree/link.vxg
cp good.vxg others/6.vxg
expect 0 vxbake verify tree --format json-lines >lines 2>err
holds '8 files; 4 others in folders skipped' err
test "$(wc -l <lines)" -eq 8 || fail 'links were not followed once'
holds '"path":"tree/a/elsewhere/6.vxg"' lines
holds '"path":"tree/link.vxg"' lines

# Nothing to check is no success, wherever it is among others.
expect 2 vxbake verify empty 2>err
holds 'nothing to check' err
rm others/6.vxg
expect 2 vxbake verify others good.vxg >text 2>err
holds 'others: nothing to check' err
holds 'good.vxg: good' text
expect 2 vxbake verify tree --report-of report.json 2>err
holds '--report-of is about one file' err
expect 2 vxbake verify tree --recipe - 2>err

# What can't be read is never left out.
ln -s nowhere tree/gone.vxg
expect 3 vxbake verify tree >text 2>err
holds 'tree/gone.vxg' err
holds '8 files: 7 good, 0 bad, 1 not checked' text
rm tree/gone.vxg
if mkfifo tree/pipe.vxg 2>"$CLI_SCRATCH/mkfifo"; then
    expect 3 vxbake verify tree --format json >json 2>err
    holds 'this is not a regular file' err
    holds '"failed": 1' json
    rm tree/pipe.vxg
fi
echo bad >tree/b/bad.vxg
expect 1 vxbake verify tree >text
holds '1 bad' text
# A report is never written over what is checked.
expect 5 vxbake verify tree --report json=tree/b/1.vxg 2>err
cmp -s good.vxg tree/b/1.vxg || fail 'a report replaced a file'
rm tree/b/bad.vxg

user=
if [ "$(id -u)" -eq 0 ]; then
    user='setpriv --reuid=65534 --regid=65534 --clear-groups'
    chmod 755 .. .
    $user vxbake version >"$CLI_SCRATCH/version" 2>&1 || skip 'the superuser may read everything'
fi
chmod 000 tree/b
expect 3 $user vxbake verify tree --format json >json 2>err
holds 'tree/b: cannot read the folder' err
holds '"failure": "cannot read the folder' json
chmod 444 tree/b
expect 3 $user vxbake verify tree >text 2>err
holds 'tree/b/1.vxg' err
chmod 755 tree/b
chmod 000 tree/a.vxg
expect 3 $user vxbake verify tree --report junit=- >r.xml 2>err
holds '<error message=' r.xml
holds 'errors="1"' r.xml
chmod 644 tree/a.vxg
