# A folder that may not be written, and a file that may not: exit status 3, nothing changed. The superuser may write
# everywhere, so it becomes nobody for this.
meadow
user=
if [ "$(id -u)" -eq 0 ]; then
    user='setpriv --reuid=65534 --regid=65534 --clear-groups'
    chmod 755 .. .
    $user vxbake version >"$CLI_SCRATCH/version" 2>&1 || skip 'the superuser may write everywhere'
fi
mkdir shut open
expect 0 vxbake bake meadow.json -o shut/kept.vxg -q
cp shut/kept.vxg "$CLI_SCRATCH/kept.vxg"
chmod 666 shut/kept.vxg
chmod 555 shut
chmod 777 open
expect 3 $user vxbake bake meadow.json -o shut/x.vxg 2>err
holds 'shut/x.vxg' err
expect 3 $user vxbake bake meadow.json -o shut/kept.vxg 2>err
expect 3 $user vxbake bake meadow.json -o open/x.vxg --depfile shut/x.d 2>err
echo old >open/kept.vxg
chmod 444 open/kept.vxg
expect 3 $user vxbake bake meadow.json -o open/kept.vxg 2>err
holds 'open/kept.vxg' err
expect 0 $user vxbake bake meadow.json -o open/new.vxg -q
chmod 000 open/new.vxg
expect 3 $user vxbake inspect open/new.vxg 2>err
expect 3 $user vxbake verify open/new.vxg 2>err
cmp shut/kept.vxg "$CLI_SCRATCH/kept.vxg" || exit
cd shut && only kept.vxg
cd ../open && only kept.vxg new.vxg
cat kept.vxg
