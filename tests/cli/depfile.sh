# The dependency file as make reads it: names with spaces, #, $ and : are escaped, an input that is gone stops nothing.
command -v make >"$CLI_SCRATCH/which" || skip 'no make'
unset MAKEFLAGS MAKELEVEL MFLAGS
terrain 'my hills#1$.r16'
recipe 'my meadow#1$.json' 'my hills#1$.r16'
expect 0 vxbake bake 'my meadow#1$.json' -o 'my field#1$.vxg' --depfile field.d -q
cat >Makefile <<'END'
all: my\ field\#1$$.vxg
my\ field\#1$$.vxg:
	touch '$@'
	echo made >>made
include field.d
END
make -s || fail 'make failed'
test -e made && fail 'make made a new file again'
touch -d '2001-01-01' 'my field#1$.vxg'
make -s || fail 'make failed'
test "$(wc -l <made)" -eq 1 || fail 'a prerequisite was not seen'
touch -d '2001-01-01' 'my field#1$.vxg' 'my meadow#1$.json' && touch 'my hills#1$.r16'
make -s || fail 'make failed'
test "$(wc -l <made)" -eq 2 || fail 'the terrain is no prerequisite'
rm 'my hills#1$.r16'
make -s || fail 'a prerequisite that is gone stops make'
test "$(wc -l <made)" -eq 3 || fail 'a prerequisite that is gone does not make anew'
# Defect: a name with a colon made a second target, one with a backslash before # a comment.
terrain '~a:b\#c.r16'
recipe 'a:b\#c.json' '~a:b\\#c.r16'
expect 0 vxbake bake 'a:b\#c.json' -o plain.vxg --depfile odd.d -q
cat >odd.mk <<'END'
plain.vxg:
	echo made >>odd-made
include odd.d
END
make -s -f odd.mk || fail 'make failed'
test -e odd-made && fail 'make made a new file again'
rm '~a:b\#c.r16'
make -s -f odd.mk || fail 'a prerequisite that is gone stops make'
test -e odd-made || fail 'the terrain is no prerequisite'
# Defect: make ran what stood behind a semicolon or a line break in a name. What it can't be told of is refused.
meadow
for name in 'a;touch made' 'a=b' 'a|b' 'end\' 'a
all: ; touch made'; do
    cp meadow.json "$name"
    expect 2 vxbake bake meadow.json -o "x$name" --depfile no.d -q 2>err
    expect 2 vxbake bake "$name" -o field.vxg --depfile no.d -q 2>err
    holds "which make can't be told" err
done
expect 2 vxbake bake meadow.json -o 'a%b.vxg' --depfile no.d -q 2>err
test -e no.d && fail 'there is a dependency file'
exit 0
