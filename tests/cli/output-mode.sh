# A new file gets what the umask leaves, a replaced one keeps its mode.
meadow
umask 027
expect 0 vxbake bake meadow.json -o new.vxg -q
echo old >old.vxg
chmod 604 old.vxg
expect 0 vxbake bake meadow.json -o old.vxg -q
cmp new.vxg old.vxg || exit
ls -l new.vxg | cut -c 1-10
ls -l old.vxg | cut -c 1-10
