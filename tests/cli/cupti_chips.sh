# SPDX-License-Identifier: MIT
# NVIDIA's own libraries, where CUDA is installed: chips, metrics and passes that are known of version
# 13.0; of others, that they fit together.
unset TACHO_CUPTI
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
tacho doctor cupti --json >out 2>err
version=$(sed -n 's/^ *"detail": "version \([^,]*\), .*chips.*/\1/p' out)
[ -n "$version" ] || skip "CUPTI is not installed"

# listed CHIP: counters of it.
listed() {
	tacho list counters --arch "$1" --api cuda --names | grep -c __
}

# passes CHIP LIST: prints how many, in the order that is given.
passes() {
	tacho plan --arch "$1" --api cuda -m "$2" --json |
		sed -n 's/^ *"passes_as_given": \([0-9]*\).*/\1/p'
}

# expect WHAT NUMBER GOT
expect() {
	[ "$2" = "$3" ] || fail "$1: $3, not $2"
}

# Whatever the version: passes of one are 1, sets are planned, and no order is worse than the one given.
run 0 tacho plan --arch gh100 --api cuda -m sm__cycles_active.sum
has out '1 pass for 1 entry'
has out 'collects  sm__cycles_active'
run 0 tacho plan --arch gh100 --api cuda -m set:full --json
found=$(grep -c '"mode":' out)
given=$(sed -n 's/^ *"passes_as_given": \([0-9]*\).*/\1/p' out)
[ "$found" -le "$given" ] || fail "$found passes, $given as given"
[ "$(grep -c '"id": "0x' out)" -ge 100 ] || fail "few counters are told"
run 0 tacho info dram__bytes.sum.per_second --arch gh100 --api cuda
has out 'bytes/second'
case $version in 13.0.*) ;; *) exit 0 ;; esac

run 0 tacho list archs --api cuda
has out '29 architectures, API cuda'
# The library takes seconds for some chips: the others with TACHO_LONG=1.
[ "${TACHO_LONG:-0}" = 1 ] && is_long=1 || is_long=0
while read -r chip count long; do
	[ "$long" = long ] && [ $is_long = 0 ] && continue
	expect "metrics of $chip" "$count" "$(listed "$chip")"
done <<-EOF
	gv100 1731
	tu102 1796
	tu116 1764 long
	ga100 3062
	ga102 3036 long
	gh100 3650
	ad102 3001 long
	gb100 4065 long
	gb110 4085 long
	gb202 3871 long
EOF

# The table of what single metrics and units need.
while read -r passes chip list long; do
	[ "$long" = long ] && [ $is_long = 0 ] && continue
	expect "passes of $list on $chip" "$passes" "$(passes "$chip" "$list")"
done <<-EOF
	1 gh100 gpu__time_duration.sum
	1 gh100 smsp__sass_thread_inst_executed_op_ffma_pred_on.sum
	2 gh100 smsp__sass_thread_inst_executed_op_ffma_pred_on.sum,sm__cycles_active.sum
	8 gh100 sm__throughput
	5 gh100 gpu__compute_memory_throughput
	5 gh100 l1tex__throughput.avg.pct_of_peak_sustained_active
	4 gh100 lts__throughput
	1 gh100 dram__*
	5 gh100 gpu__*
	23 gh100 sm__*
	50 gh100 smsp__*
	52 gh100 l1tex__* long
	14 tu102 sm__*
	20 ga100 sm__*
	22 ga102 sm__* long
	23 ad102 sm__* long
	28 gb100 sm__* long
	35 gb202 sm__* long
	9 gh100 set:basic
	10 ga100 set:basic long
	7 ad102 set:basic long
	8 tu102 set:basic
	8 gb100 set:basic long
	8 gb202 set:basic long
	12 gh100 set:detailed
	11 ga100 set:detailed long
	10 ad102 set:detailed long
	9 tu102 set:detailed
	12 gb100 set:detailed long
EOF
run 0 tacho plan --arch gh100 --api cuda -m set:full --passes 24
