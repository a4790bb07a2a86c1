# An output that can't be written is known before the work begins, says why, and changes nothing.
meadow
slow
mkdir folder
expect 3 vxbake bake slow.json -o folder 2>err
holds 'folder' err
expect 3 vxbake bake slow.json -o folder/ 2>err
expect 3 vxbake bake slow.json -o missing/x.vxg 2>err
holds 'missing/x.vxg' err
expect 3 vxbake bake slow.json -o meadow.json/x.vxg 2>err
expect 3 vxbake bake slow.json -o "$(printf '%0300d' 0)" 2>err
expect 3 vxbake bake slow.json -o '' 2>err
expect 3 vxbake bake slow.json -o x.vxg --preview missing/x.png 2>err
expect 3 vxbake bake slow.json -o x.vxg --depfile missing/x.d 2>err
expect 3 vxbake bake slow.json -o x.vxg --report json=missing/x.json 2>err
only err flat.r16 folder hills.r16 meadow.json slow.json
