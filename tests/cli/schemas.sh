# Everything that is printed as JSON is what its schema says, with names that hold anything, and the XML is well-formed.
python=${PYTHON3:-python3}
$python -c 'import jsonschema' 2>"$CLI_SCRATCH/python" || skip 'no python3 with jsonschema'
schemas=$(dirname "$CLI_SETUP")/../../schemas
cat >"$CLI_SCRATCH/valid.py" <<'END'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1], encoding="utf-8"))
lines = open(sys.argv[2], encoding="utf-8").read()
documents = lines.splitlines() if sys.argv[2].endswith(".jsonl") else [lines]
for document in documents:
    jsonschema.validate(json.loads(document), schema)
END
valid() {
    $python "$CLI_SCRATCH/valid.py" "$schemas/report-$1.schema.json" "$2" || fail "$2 is not what its schema says"
}
meadow
name='a "b" \\ <&> ü.vxg'
expect 0 vxbake bake meadow.json -n --format json >plan.json
valid plan plan.json
expect 0 vxbake bake meadow.json -n --format json-lines >plan.jsonl
valid plan plan.jsonl
expect 0 vxbake bake meadow.json -o "$name" --format json --set '/species/0/name="q\u0022\u00fc"' >bake.json
valid bake bake.json
expect 0 vxbake inspect "$name" --format json >inspect.json
valid inspect inspect.json
expect 0 vxbake inspect "$name" --format json --chunks --blades >blades.json
valid inspect blades.json
expect 0 vxbake inspect "$name" --format json --chunk 1,1 >chunk.json
valid inspect chunk.json
printf 'Pf\n1 1\n-1.0\n\000\000\000\077' >a.pfm
expect 0 vxbake bake a.pfm -o a.ktx2 --format json --report json=pyramid.json >printed.json
valid pyramid pyramid.json
valid pyramid printed.json
expect 0 vxbake bake a.pfm -n --format json-lines --set /depth/convention=device >pyramid.jsonl
valid pyramid pyramid.jsonl
expect 0 vxbake inspect a.ktx2 --format json >texture.json
valid texture texture.json
expect 0 vxbake inspect a.ktx2 --format json-lines >texture.jsonl
valid texture texture.jsonl
expect 0 vxinspect "$name" --header --sections --lods --strings --chunks --blades --format json >list.json
valid list list.json
expect 0 vxinspect a.ktx2 --header --levels --keys --samples --format json >listed.json
valid list listed.json
expect 0 vxinspect "$name" --hashes --format json >hashes.json
valid hashes hashes.json
head -c 400 "$name" >cut.vxg
expect 4 vxinspect cut.vxg --raw chunk --format json >raw.json 2>said
valid raw raw.json
for what in header level dfd sample key; do
    expect 0 vxinspect a.ktx2 --raw $what --format json >raw.json
    valid raw raw.json
done
expect 0 vxbake verify a.ktx2 --format json >good.json
valid verify good.json
odd=$(printf 'odd\033\001\377\357\277\277')
head -c 1500 "$name" >"$odd"
expect 3 vxbake verify "$name" "$odd" missing --format json --report junit=verify.xml >verify.json 2>err
valid verify verify.json
expect 3 vxbake verify "$name" "$odd" missing --format json-lines >verify.jsonl 2>err
valid verify verify.jsonl
test "$(wc -l <verify.jsonl)" -eq 3 || fail 'not a line a file'
for level in header hash full; do
    expect 3 vxbake verify "$name" "$odd" missing a.ktx2 --level $level -W magic=ignore --format json >verify.json 2>err
    valid verify verify.json
done
mkdir folder
cp "$name" a.pfm folder
expect 0 vxbake verify folder --format json -W chunk-hash=warning >verify.json
valid verify verify.json
findings() {
    $python "$CLI_SCRATCH/valid.py" "$schemas/findings.schema.json" "$1" || fail "$1 is not what its schema says"
}
expect 0 vxbake verify --list-findings --format json >findings.json
findings findings.json
expect 0 vxbake verify --list-findings --format json-lines >findings.jsonl
findings findings.jsonl
test "$(wc -l <findings.jsonl)" -eq "$(vxbake verify --list-findings | wc -l)" || fail 'not a line a finding'
expect 0 vxbake verify --explain magic --format json >findings.json
findings findings.json
$python -c 'import xml.dom.minidom; xml.dom.minidom.parse("verify.xml")' || fail 'the XML is not well-formed'
expect 0 vxbake bake meadow.json -o other.vxg -q --set /seed=8
expect 1 vxbake diff "$name" other.vxg --format json >diff.json
valid diff diff.json
expect 0 vxbake diff "$name" "$name" --format json-lines >diff.jsonl
valid diff diff.jsonl
expect 0 vxbake explain meadow.json --at 3,3 --radius 5 --limit 400 --format json --set '/budgets={"max_blades": 40}' >explain.json
valid explain explain.json
expect 0 vxbake explain meadow.json --at -9,3 --format json-lines --set '/species/0/name="q\u0022\u00fc"' >explain.jsonl
valid explain explain.jsonl
expect 0 vxbake bake meadow.json -o one.vxg -q && expect 0 vxbake transcode one.vxg --to 1 --lossy -q -o legacy.vxg
expect 0 vxbake inspect legacy.vxg --format json --chunks --blades >legacy.json
valid inspect legacy.json
expect 0 vxbake bake meadow.json -o part.vxg --region 0,0,4,4 --format json >part.json
valid bake part.json
expect 0 vxbake transcode one.vxg --to 1 --lossy -q -o x.vxg --report json=lossy.json
valid transcode lossy.json
expect 0 vxbake transcode legacy.vxg --compress 3 -q -o x.vxg --format json-lines >quantised.jsonl
valid transcode quantised.jsonl
expect 0 vxbake transcode "$name" --to csv -q -o - --report json=csv.json >csv
valid transcode csv.json
expect 0 vxbake transcode "$name" --to runtime --origin 1,2.5,-3 -o records -q
$python "$CLI_SCRATCH/valid.py" "$schemas/runtime.schema.json" records.json || fail 'records.json is not what its schema says'
