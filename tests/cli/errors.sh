# SPDX-License-Identifier: MIT
# tacho help errors, and of each error what it means, its exit status, causes and cures.

sed -n 's/^\tTACHO_\(E_[A-Z]*\) = \(-[0-9]*\),*.*/\1 \2/p' "$SOURCES/include/tacho/error.h" >errors
[ "$(wc -l <errors)" -ge 16 ] || fail "few errors are in the header"
COLUMNS=120 run 0 tacho help errors
narrow out 120
cp out list
[ "$(grep -c '^  E_[A-Z]* ' list)" = "$(wc -l <errors)" ] || fail "the list has others than the header"
while read -r name number; do
	grep -q "^  $name  *$number  *[1-5]  *[a-z]" list || fail "$name is not in the list with $number"
	status=$(sed -n "s/^  $name  *$number  *\([1-5]\) .*/\1/p" list)
	COLUMNS=80 run 0 tacho help "$name"
	narrow out 80
	has out "TACHO_$name ($number): "
	has out "Exit status: usually $status ("
	for title in 'Usual causes:' 'What to do:'; do
		sed -n "/^$title\$/,/^\$/p" out | grep -q '^  - [a-z]' || fail "$name: no $title"
	done
done <errors

# However it is written.
run 0 tacho help E_NOTFOUND
cp out known
for name in TACHO_E_NOTFOUND e_notfound NotFound tacho_e_notfound; do
	run 0 tacho help $name
	cmp -s out known || fail "$name is another page than E_NOTFOUND"
done

# What is none: the nearest.
run 2 tacho help E_NOTFUND
has err 'there is no error "E_NOTFUND"'
has err 'did you mean E_NOTFOUND, '
run 2 tacho help tacho_e_
has err 'All: tacho help errors'
run 2 tacho help nosuch
has err 'command "nosuch" is not known'

# Statuses are those that commands end with.
ends() {
	status=$(sed -n "s/^  $1  *-[0-9]*  *\([1-5]\) .*/\1/p" list)
	shift
	run "$status" "$@"
}
ends E_NOTFOUND tacho info nosuch_counter
ends E_EXISTS sh -c 'tacho record -q -o one true && tacho export one --to csv -o x && tacho export one --to csv -o x'
ends E_PASSES tacho plan --arch gfx942 -m 'SQ_*' --passes 1

# What newcomers write: a shell's own words, quotes around all of a line, programs where recordings are
# meant.
run 127 tacho record cd /
has err "sh -c 'cd ...'"
run 127 tacho record 'sh -c true'
has err 'write sh -c true without them'
run 127 tacho record 'nosuch -c true'
has err 'check the name and PATH'
run 2 tacho diff 'sh -c true' 'sh -c false'
has err "tacho diff --run 10 'A' 'B'"
run 1 tacho diff nosuch 'nosuch either'
has err 'cannot open recording nosuch'
run 2 tacho diff 'sh -c true'
has err "tacho diff --run 10 'A' 'B'"
