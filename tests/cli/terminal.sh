# Colour only on a terminal, and not where NO_COLOR or a dumb terminal says so; never in what is piped.
script -qec true /dev/null >"$CLI_SCRATCH/script" 2>&1 </dev/null || skip 'no script(1)'
escape=$(printf '\033')
on_terminal() {
    script -qec "$*" /dev/null </dev/null >said
}
export TERM=xterm
on_terminal vxbake frobnicate && fail 'an unknown command is an error'
grep -q "$escape" said || fail 'no colour on a terminal'
holds 'unknown command' said
on_terminal env NO_COLOR=1 vxbake frobnicate
grep -q "$escape" said && fail 'NO_COLOR does nothing'
on_terminal env NO_COLOR= vxbake frobnicate
grep -q "$escape" said || fail 'an empty NO_COLOR counts'
on_terminal env TERM=dumb vxbake frobnicate
grep -q "$escape" said && fail 'colour on a dumb terminal'
vxbake frobnicate 2>said
grep -q "$escape" said && fail 'colour in a file'

# A file's bytes are not for a terminal, lists and pictures of text are.
meadow
expect 0 vxbake bake meadow.json -o field.vxg -q
for command in 'bake meadow.json -o -' 'bake meadow.json -o x.vxg --preview /dev/stdout' 'transcode field.vxg --to 2 -o -' \
    'inspect field.vxg --preview -'; do
    on_terminal vxbake $command && fail "vxbake $command wrote to a terminal"
    holds 'standard output is a terminal' said
done
on_terminal vxbake transcode field.vxg --to csv -o - || fail 'a list is text'
grep -q 'x,' said || fail 'no list'
vxbake bake meadow.json -o - -q | cmp - field.vxg || fail 'a pipe is no terminal'
rm -f field.vxg meadow.json hills.r16

slow
on_terminal timeout -s TERM 5 vxbake bake slow.json --threads 1 -o x.vxg
grep -q '%' said || fail 'no progress bar'
on_terminal timeout -s TERM 2 vxbake bake slow.json --threads 1 -o x.vxg --no-progress
grep -q '%' said && fail '--no-progress does nothing'
on_terminal timeout -s TERM 2 vxbake bake slow.json --threads 1 -o x.vxg -q
grep -q '%' said && fail '-q shows a progress bar'
only flat.r16 said slow.json
