# Every mistake on the command line says what is wrong and what would be right, and exits with 2.
meadow
expect 2 vxbake
expect 2 vxbake bkae
expect 2 vxbake frobnicate
expect 2 vxbake --quiet
expect 2 vxbake help bkae
expect 2 vxbake help bake verify
expect 2 vxbake version now
expect 2 vxbake bake
expect 2 vxbake bake meadow.json
expect 2 vxbake bake meadow.json other.json -o x.vxg
expect 2 vxbake bake meadow.json -o
expect 2 vxbake bake meadow.json --ouptut x.vxg
expect 2 vxbake bake meadow.json -o x.vxg -x
expect 2 vxbake bake meadow.json -o x.vxg --pre y.png
expect 2 vxbake bake meadow.json -o x.vxg --split=1
expect 2 vxbake bake meadow.json -o x.vxg --split
expect 2 vxbake bake meadow.json -o x.vxg --preview-as reason
expect 2 vxbake bake meadow.json -o x.vxg --preview y.png --preview-as colour
expect 2 vxbake bake meadow.json -o x.vxg --compress 23
expect 2 vxbake bake meadow.json -o x.vxg --compress fast
expect 2 vxbake bake meadow.json -o x.vxg --threads -1
expect 2 vxbake bake meadow.json -o x.vxg --threads 1.5
expect 2 vxbake bake meadow.json -o x.vxg --threads ' 1'
expect 2 vxbake bake meadow.json -o x.vxg --threads 99999999999999999999
expect 2 vxbake bake meadow.json -o x.vxg --max-memory 0
expect 2 vxbake bake meadow.json -o x.vxg --max-memory 1X
expect 2 vxbake bake meadow.json -o x.vxg --max-memory 99999999T
expect 2 vxbake bake meadow.json -o x.vxg --set density=1
expect 2 vxbake bake meadow.json -o x.vxg --report xml=r
expect 2 vxbake bake meadow.json -o x.vxg --report json=
expect 2 vxbake bake meadow.json -o x.vxg --report json=a --report json=b
expect 2 vxbake bake meadow.json -o x.vxg --format yaml
expect 2 vxbake bake meadow.json -o - --format json
expect 2 vxbake bake meadow.json -o - --depfile -
expect 2 vxbake bake meadow.json --dry-run --report json=a
expect 2 env VXBAKE_THREADS=many vxbake bake meadow.json -o x.vxg
expect 2 vxbake inspect
expect 2 vxbake inspect a b
expect 2 vxbake inspect a --chunk 3
expect 2 vxbake inspect a --chunk 3,x
expect 2 vxbake inspect a --preview-size 10 --preview p.png
expect 2 vxbake inspect a --preview-size 100
expect 2 vxbake verify
expect 2 vxbake verify - -
expect 2 vxbake verify a b --report-of r
expect 2 vxbake verify a b --recipe -
expect 2 vxbake verify a --report a
expect 2 vxbake verify a --report json=- --report junit=-
expect 2 vxbake verify --explain nothing
expect 2 vxbake verify a --level
expect 2 vxbake verify a --level none
expect 2 vxbake verify a -W
expect 2 vxbake verify a -W =error
expect 2 vxbake verify a --list-findings
# Nothing is checked there, so what would belong to a check is not dropped in silence.
for rest in '--report json=r' '--recipe meadow.json' '--rebake meadow.json' '--report-of r' '-W magic=ignore' \
    '--explain magic'; do
    expect 2 vxbake verify --list-findings $rest
done
expect 2 vxbake verify --explain magic --report junit=r
# A second operand is most often what an option takes: the usage is told.
expect 2 vxbake bake meadow.json x.vxg 2>err
holds "'x.vxg' is a second one: vxbake bake RECIPE -o FILE" err
expect 2 vxbake simulate a.vxg walk.json 2>err
holds "'walk.json' is a second one: vxbake simulate FILE --path PATH.json" err
rm err
only hills.r16 meadow.json
