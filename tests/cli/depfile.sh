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
