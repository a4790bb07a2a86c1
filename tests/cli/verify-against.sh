# Against the recipe, a new bake and the bake's report: good where they belong together, findings where they do not.
meadow
expect 0 vxbake bake meadow.json -o a.vxg -q --report json=a.json
expect 0 vxbake bake meadow.json -o b.vxg -q --report json=b.json --set /density=5
expect 0 vxbake bake meadow.json -o c.vxg -q --compress 3 --split
sed 's/"density": 4/"density": 5/' meadow.json >other.json
expect 0 vxbake verify a.vxg --recipe meadow.json --rebake meadow.json --report-of a.json >text
holds "the recipe's identities" text
holds 'a new bake' text
holds "the bake's report" text
expect 0 vxbake verify c.vxg --rebake meadow.json >text
expect 0 vxbake verify b.vxg --recipe other.json >text
expect 1 vxbake verify a.vxg --recipe other.json >text
expect 1 vxbake verify a.vxg --rebake other.json >text
expect 1 vxbake verify a.vxg --report-of b.json >text
expect 3 vxbake verify a.vxg --recipe missing.json >text 2>err
printf "{" >broken.json
expect 2 vxbake verify a.vxg --recipe broken.json >text 2>err
