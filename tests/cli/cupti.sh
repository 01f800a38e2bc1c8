# SPDX-License-Identifier: MIT
# NVIDIA's chips over fakes of NVIDIA's libraries, which have one, GF100, and a rule for passes.
TACHO_CUPTI=$FAKE_CUPTI_FILE
XDG_CACHE_HOME=$PWD/cache
export TACHO_CUPTI XDG_CACHE_HOME
unset FAKE_CUPTI

# line FILE REGEX: fails unless a line fits.
line() {
	grep -q -e "$2" "$1" || fail "no line of $1 fits $2"
}

# Where the libraries are is told, and what they can do.
run 3 tacho doctor cupti --json
has out '"detail": "version 13.0.1, '
has out "$(dirname "$FAKE_CUPTI_FILE")/libnvperf_host.so: knows 2 chips"
mkdir folder
ln -s "$FAKE_CUPTI_FILE" folder/libcupti.so
TACHO_CUPTI=$PWD/folder tacho doctor cupti --json >out
has out "$FAKE_CUPTI_FILE" # links are followed, to the folder with the other one
TACHO_CUPTI=folder run 3 tacho doctor cupti --json
line out '"level": "warn",'
has out 'TACHO_CUPTI is \"folder\": no whole path'
TACHO_CUPTI=$PWD/nothing run 3 tacho doctor cupti --json
has out 'libcupti is not there'
mkdir alone
cp "$FAKE_CUPTI_FILE" alone/libcupti.so
if ! ldconfig -p 2>/dev/null | grep -q libnvperf_host; then
	TACHO_CUPTI=$PWD/alone run 3 tacho doctor cupti --json
	has out 'libnvperf_host.so is not beside'
fi
TACHO_CUPTI=$PWD/nothing run 1 tacho plan --arch gf100 -m a__x00.sum
line err 'cause: NVIDIA.s chips are known to CUPTI alone'
has err 'libcupti is not there'

TACHO_CUPTI=$PWD/nothing run 1 tacho plan --arch gh100 --api cuda -m dram__bytes
has err 'CUPTI was not found'
TACHO_CUPTI=$PWD/nothing run 1 tacho list archs --api cuda
has err 'libcupti is not there'

# Metrics with all that is known of them.
run 0 tacho list archs --api cuda
line out '^  gf100 .*NVIDIA GF100$'
grep -q gx101 out && fail "a chip is listed that the library does not open"
run 1 tacho list counters --arch gx101
has err 'CUPTI 13.0.1 lists GX101, but cannot plan for it'
run 0 tacho list counters --arch gf100
line out '^  a__x\[0-11\]  *bytes  *a  *made up$'
line out '^  a__throughput  *percent  *a  *made up$'
run 0 tacho list blocks --arch gf100
line out '^  a  *-  *1  *-'
run 0 tacho info a__x00 --arch gf100
has_not out grammar
line out '^  endings  *.sum (the name alone means it), .avg, .max, .min, .sum.per_second$'
line out '^  unit  *bytes$'
line out '^  block  *a$'
run 0 tacho info a__rate.pct --arch gf100
line out '^  unit  *percent$'
line out '^  group  *ratio$'
for name in a__x00.foo a__x00. a__rate.sum a__throughput.sum a__x; do
	run 1 tacho plan --arch gf100 -m $name
	has err "gf100 has no counter, metric or set \"$name\""
done

# Passes, what each collects, and for whom. Four of unit a fit into one.
run 0 tacho plan --arch gf100 -m a__x00,a__x01.avg,a__rate.ratio,a__x09.max
line out '^gf100 (cuda): 1 pass for 4 entries$'
line out '^pass 1: 3 of the vendor.s counters$'
line out '^  collects  a__x00 (for 2), a__x01 (for 2), a__x09$'
line out '^  bound  *at least 1 (everything fits into one pass)'
run 0 tacho plan --arch gf100 -m a__throughput,a__x04.sum
line out '^gf100 (cuda): 2 passes for 2 entries$'
line out '^  bound  *not known$'
line out '^  advice  *leave out a__x04.sum to need one pass less$'
run 0 tacho plan --arch gf100 -m 'a__x0*.sum'
line out '^gf100 (cuda): 3 passes for 10 entries$'
run 0 tacho plan --arch gf100 -m a__x02,a__x03,a__x04,a__x05,a__rate
line out '^  orders '
run 0 tacho plan --arch gf100 -m b__limit.sum
line out '^gf100 (cuda): 1 pass for 1 entry$'
run 1 tacho plan --arch gf100 -m a__x00.sum,c__device.sum,a__x01.sum
line err 'cannot be counted with the others'
run 0 tacho plan --arch gf100 -m c__device.sum
run 5 tacho plan --arch gf100 -m 'a__x*' --passes 2
has err '3 passes are needed'
run 1 tacho plan --arch gf100 -m a__x00:pipelined
has err 'pipelined'
run 0 tacho plan --arch gf100 -m 'a__x*:serialized' --depth 2
line out ', the work runs 6 times$'

# The order matters: 12 of unit a and 4 of unit b need 3 passes, and 4 as they are listed.
rm -rf cache
run 0 tacho plan --arch gf100 -m 'a__x*,b__y*' --json
cp out first
line out '"passes_as_given": 4'
[ "$(grep -c '"mode"' out)" -le 4 ] || fail "more passes than given"

# What was found is kept, for this user alone, and used again.
[ "$(find cache -type f | wc -l)" = 1 ] || fail "one file was to be kept"
[ -z "$(find cache ! -perm 600 -type f)" ] || fail "others can read it"
[ -z "$(find cache ! -perm 700 -type d)" ] || fail "others can look into the folder"
run 0 tacho plan --arch gf100 -m 'a__x*,b__y*' --json
cmp -s first out || fail "another plan than before"
kept=$(find cache -type f)
head -n 1 "$kept" >out
same out 'tacho-order 1'
# What is wrong there is found again.
cp "$kept" good
for change in 's/^a__x00$/a__x01/' 's/^a__x00$/nothing/' 's/^passes .*/passes 0 given 0 trials 0/' \
	's/^tacho-order 1/tacho-order 2/' '$d' 's/^passes [0-9]*/passes 1/' '1,$d'; do
	sed "$change" good >"$kept"
	run 0 tacho plan --arch gf100 -m 'a__x*,b__y*' --json
	cmp -s first out || fail "another plan after $change"
	cmp -s good "$kept" || fail "not mended after $change"
done
# Without a place for it nothing else changes.
XDG_CACHE_HOME=/proc/nothing run 0 tacho plan --arch gf100 -m 'a__x*,b__y*' --json
cmp -s first out || fail "another plan without a cache"
(unset XDG_CACHE_HOME; HOME=$PWD/home tacho plan --arch gf100 -m 'a__x*,b__y*' >/dev/null)
[ "$(find home/.cache/tacho/orders -type f | wc -l)" = 1 ] || fail "nothing kept below HOME"

# A newer version has larger structs; one that does not tell what passes collect plans all the same.
FAKE_CUPTI=newer run 0 tacho plan --arch gf100 -m a__x00
line out '^  collects  a__x00$'
FAKE_CUPTI=newer tacho doctor cupti --json >out
has out 'version 13.3.0'
FAKE_CUPTI=mute run 0 tacho plan --arch gf100 -m 'a__x*'
line out '^gf100 (cuda): 3 passes for 12 entries$'
line out '^pass 3: 12 counters$'

# What cannot be is refused, and harms nothing.
for word in many_chips many_names no_names; do
	FAKE_CUPTI=$word run 1 tacho list counters --arch gf100
	has err "answers what cannot be"
done
for word in huge_image many_passes no_passes many_counters more_counters huge_scratch; do
	FAKE_CUPTI=$word run 1 tacho plan --arch gf100 -m a__x03.sum
	line err 'answers what cannot be\|cannot be counted'
done
FAKE_CUPTI=no_texts run 0 tacho info a__x00 --arch gf100
