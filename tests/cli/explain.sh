# What became of the candidates about a spot: text and JSON, what is refused, and an answer where nothing is.
meadow
cp "$(dirname "$CLI_SETUP")"/../../examples/meadow/* .
expect 0 vxbake explain meadow.json --at 90,60 --limit 4 2>notes
expect 0 vxbake explain meadow.json --at 90,60 --species Clover --set '/species/1/altitude=[-16,5]' --limit 1 -q
expect 0 vxbake explain meadow.json --at=-100,4 -q
expect 0 vxbake explain meadow.json --at 126.5,64 --radius 0.4 --limit 1 -q
expect 0 vxbake explain meadow.json --at 40,40 --set '/budgets={}' --radius 0.3 --limit 2 -q
holds 'shares divide the field' notes

expect 0 vxbake explain meadow.json --at 90,60 --format json -q --report json=report.json >printed.json
cmp printed.json report.json || fail 'the report is not what is printed'
expect 0 vxbake explain meadow.json --at 90,60 --format json-lines -q --threads 3 >line.json
test "$(wc -l <line.json)" -eq 1 || fail 'not one line'
expect 0 vxbake explain meadow.json --at 90,60 -q --report json=- >printed.json 2>text
cmp printed.json report.json || fail 'standard output has another report'
holds 'none: altitude' text
cat meadow.json | vxbake explain - --at 90,60 --format json -q | cmp - report.json || fail 'standard input differs'

# What it lists as a blade is one of the baked file, as inspect prints it.
expect 0 vxbake bake meadow.json -o field.vxg -q
blade=$(sed -n 's/^ *"blade": {$/x/p; s/^ *"x": \([-0-9.]*\),$/\1/p' report.json | sed -n '/^x$/{n;p;q;}')
test -n "$blade" || fail 'no blade is explained'
vxbake inspect field.vxg --chunk 5,3 --blades >blades
holds ",$blade," blades

exec 2>errors
expect 2 vxbake explain --at 0,0
expect 2 vxbake explain meadow.json
expect 2 vxbake explain meadow.json other.json --at 0,0
expect 2 vxbake explain meadow.json --at 0
expect 2 vxbake explain meadow.json --at 0,nan
expect 2 vxbake explain meadow.json --at 0,2e6 -q
expect 2 vxbake explain meadow.json --at 0,0 --radius 0
expect 2 vxbake explain meadow.json --at 0,0 --radius far
expect 2 vxbake explain meadow.json --at 0,0 --limit 0
expect 2 vxbake explain meadow.json --at 0,0 --species Moss -q
expect 2 vxbake explain meadow.json --at 0,0 --format yaml
expect 2 vxbake explain meadow.json --at 0,0 --format json --report json=-
expect 2 vxbake explain meadow.json --at 0,0 --set density=3
expect 2 vxbake explain meadow.json --at 0,0 --set /densty=3 -q
expect 3 vxbake explain missing.json --at 0,0
expect 2 vxbake explain field.vxg --at 0,0
expect 5 vxbake explain meadow.json --at 0,0 -q --report json=meadow.json
expect 5 vxbake explain meadow.json --at 0,0 -q --report json=Meadow.vxterrain
expect 3 vxbake explain meadow.json --at 0,0 -q --report json=nowhere/report.json
holds "there is no species \"Moss\"; the recipe's species are" errors
