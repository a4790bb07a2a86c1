# Many files at once: reported in the order given, the same from any number of threads, whatever some of them hold.
meadow
expect 0 vxbake bake meadow.json -o good.vxg -q
echo bad >bad.vxg
head -c 3000 good.vxg >cut.vxg
files=
for i in 1 2 3 4 5 6 7 8 9 10; do
    files="$files good.vxg bad.vxg cut.vxg missing.vxg"
done
expect 3 vxbake verify $files --threads 1 --format json --report junit=1.xml >1.json 2>1.err
expect 3 vxbake verify $files --threads 8 --format json --report junit=8.xml >8.json 2>8.err
cmp 1.json 8.json && cmp 1.xml 8.xml && cmp 1.err 8.err || fail 'the reports depend on threads'
expect 3 vxbake verify $files --threads 1 >1.txt 2>1.err
expect 3 vxbake verify $files --threads 8 >8.txt 2>8.err
cmp 1.txt 8.txt || fail 'the text depends on threads'
test "$(grep -c 'good.vxg: good' 1.txt)" -eq 10 || fail 'not every file was checked'
