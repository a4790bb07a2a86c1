# A folder that may not be written, and a file that may not: exit status 3, nothing changed.
meadow
mkdir shut
chmod 555 shut
touch shut/probe 2>"$CLI_SCRATCH/touch" && skip 'this user may write everywhere'
expect 3 vxbake bake meadow.json -o shut/x.vxg 2>err
holds 'shut/x.vxg' err
echo old >kept.vxg
chmod 444 kept.vxg
expect 3 vxbake bake meadow.json -o kept.vxg 2>err
cat kept.vxg
