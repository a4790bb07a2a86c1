# Pictures: whole PNG files, from a bake and from a baked file, the same from any number of threads.
meadow
is_png() {
    test "$(head -c 8 "$1" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a || fail "$1 is no PNG"
    test "$(tail -c 8 "$1" | od -An -tx1 | tr -d ' ')" = 49454e44ae426082 || fail "$1 has no end"
}
for what in species reason density; do
    expect 0 vxbake bake meadow.json -o a.vxg -q --preview $what.png --preview-as $what
    is_png $what.png
done
cmp -s species.png reason.png && fail 'reason is the same as species'
expect 0 vxbake inspect a.vxg --preview 1.png --threads 1 >text
expect 0 vxbake inspect a.vxg --preview 3.png --threads 3 >text
is_png 1.png
cmp 1.png 3.png || fail 'the picture depends on threads'
expect 0 vxbake inspect a.vxg --preview - >4.png
cmp 1.png 4.png || fail 'standard output holds something else'
expect 0 vxbake inspect a.vxg --preview 5.png --preview-as density --preview-size 64 >text
is_png 5.png
