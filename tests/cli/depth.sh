# A depth frame becomes a pyramid, by a recipe and standing for one; the same bytes with any number of threads.
frame() { # FILE: a PFM of 3 x 2, 0.5 everywhere but for sky in the first texel of the bottom row
    {
        printf 'Pf\n3 2\n-1.0\n\000\000\000\000\000\000\000\077\000\000\000\077'
        printf '\000\000\000\077\000\000\000\077\000\000\000\077'
    } >"$1"
}
frame a.pfm
expect 0 vxbake bake a.pfm -o a.ktx2 >text
holds 'a.ktx2: 3 x 2 texels in 2 levels' text
holds 'sky           1 texel, 16.7 %' text
holds 'surfaces      from 0.5 (farthest) to 0.5 (nearest)' text
mkdir in
frame in/f.PFM
printf '{"kind": "depth-pyramid", "depth": {"file": "f.PFM"}}' >in/r.json
expect 0 vxbake bake in/r.json -o b.ktx2 --threads 3 -q
cmp a.ktx2 b.ktx2 || fail 'the recipe gives another file than the frame alone'
expect 0 vxbake bake - -o c.ktx2 --set /depth/file=in/f.PFM -q <in/r.json
cmp a.ktx2 c.ktx2 || fail 'the recipe from standard input gives another file'
expect 0 vxbake bake in/r.json -o - -q >d.ktx2
cmp a.ktx2 d.ktx2 || fail 'standard output gets other bytes'

# What is said of a frame where it stands for a recipe.
tail -c 24 a.pfm >a.raw
expect 2 vxbake bake a.raw -o e.ktx2 2>err
holds 'a.raw: /depth/size: "size" is missing' err
expect 0 vxbake bake a.raw -o e.ktx2 --set '/depth/size=[3, 2]' --set /reduce=farthest --report json=e.json -q
holds '"reduce": "farthest"' e.json

# Options of other kinds.
expect 2 vxbake bake a.pfm -o f.ktx2 --compress 3 2>err
holds '--compress is not for depth pyramids' err
expect 2 vxbake bake a.pfm -o f.ktx2 --preview f.png --preview-as species 2>err
holds '--preview-as is for grass' err
expect 2 vxbake bake a.pfm -o f.ktx2 --region 0,0,4,4 2>err
holds 'region is for grass' err
for option in --device=cpu --cross-check=0 --inexact; do
    expect 2 vxbake bake a.pfm -o f.ktx2 $option 2>err
    holds 'made on the cpu' err
done
expect 0 env VXBAKE_DEVICE=cpu vxbake bake a.pfm -o g.ktx2 -q
expect 2 vxbake bake a.exr -o f.ktx2 2>err
holds 'export the depth as a PFM' err
expect 2 vxbake bake a.pfm 2>err
holds 'vxbake bake a.pfm -o a.ktx2' err

# No depth: which texel; and nothing is written.
printf 'Pf\n1 1\n-1.0\n\000\000\300\177' >nan.pfm
expect 4 vxbake bake nan.pfm -o f.ktx2 2>err
holds 'nan.pfm: /depth/file: texel (0, 0) is NaN' err
expect 5 vxbake bake a.pfm -o a.pfm 2>err
expect 5 vxbake bake in/r.json -o in/r.json 2>err

# A dry run tells the same and writes nothing.
expect 0 vxbake bake in/r.json -n --depfile x.d >plan
holds 'levels        2 of 3 x 2 texels, nearest' plan
expect 0 vxbake bake in/r.json -o g.ktx2 --depfile g.d --preview g.png -q
holds 'g.ktx2: \' g.d
holds '  in/r.json \' g.d
holds '  in/f.PFM' g.d
only a.ktx2 a.pfm a.raw b.ktx2 c.ktx2 d.ktx2 e.json e.ktx2 err g.d g.ktx2 g.png in nan.pfm plan text
