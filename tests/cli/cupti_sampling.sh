# SPDX-License-Identifier: MIT
# Samples of whole GPUs as NVIDIA's own library plans them, where CUDA is installed: what is known of
# version 13.0; of others, that it fits together.
unset TACHO_CUPTI
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
tacho doctor cupti --json >out 2>err
version=$(sed -n 's/^ *"detail": "version \([^,]*\), .*chips.*/\1/p' out)
[ -n "$version" ] || skip "CUPTI is not installed"

# expect WHAT NUMBER GOT
expect() {
	[ "$2" = "$3" ] || fail "$1: $3, not $2"
}

# listed CHIP: its bases, which stay in names.CHIP.
listed() {
	tacho list counters --arch "$1" --api cuda_sampling --names >"names.$1"
	grep -c __ "names.$1"
}

# passes CHIP LIST: prints how many.
passes() {
	tacho plan --arch "$1" --api cuda_sampling -m "$2" |
		sed -n '1s/.*: \([0-9]*\) pass.*/\1/p'
}

# What a name means is asked of that API; without one it is the one of ranges.
run 0 tacho info sm__cycles_active.avg --arch gh100 --api cuda_sampling
has out 'API cuda_sampling'
tacho list archs --api cuda_sampling --names >out
[ -s out ] || fail "no chip is sampled"
while read -r chip; do
	expect "passes of set:default on $chip" 1 "$(passes "$chip" set:default)"
done <out
tacho info set:default --api cuda_sampling >out
has_not out 'does not have'

# What only one of the two profilers knows is told.
run 1 tacho plan --arch gh100 --api cuda -m sm__cycles_active.sum,raster__cycles_active.sum
has err 'it is of samples alone'
run 1 tacho plan --arch gh100 --api cuda_sampling -m smsp__sass_thread_inst_executed.sum
has err 'it is of launches and ranges alone'
run 1 tacho plan --arch gh100 --api cuda_sampling -m nothing__at_all.sum
has_not err 'alone'
case $version in 13.0.*) ;; *) exit 0 ;; esac

# Counters, ratios and throughputs of the profiler of samples.
while read -r chip count; do
	expect "metrics of $chip" "$count" "$(listed "$chip")"
done <<-END
	tu102 1353
	ga100 1187
	ga102 1706
	ga10b 1736
	gh100 1279
	ad102 1797
	gb100 1016
	gb10b 1456
	gb202 1314
END
# What is declared of libcupti's calls is what CUDA's headers say, where they are installed, too.
mkdir empty
: >empty/string # a header of C++ that one of them asks for
for folder in "${CUDA_HOME:-/usr/local/cuda}" /usr/local/cuda-*; do
	[ -e "$folder/include/cupti_pmsampling.h" ] || continue
	${CC:-cc} -std=c17 -fsyntax-only -I "$folder/include" -I empty -I "$SOURCES/src" \
		"$SOURCES/tests/fake/cupti/calls_layout.c" 2>err || fail "$folder has other structs"
done
run 1 tacho list counters --arch gv100 --api cuda_sampling
has err 'cannot plan for it, sampled'

# The table of metrics in the guide of CUPTI: those of it that a chip has, and their passes.
elapsed=.pct_of_peak_sustained_elapsed
table="gpc__cycles_elapsed.avg.per_second sys__cycles_elapsed.avg.per_second
	gr__cycles_active.sum$elapsed gr__dispatch_count.avg$elapsed
	tpc__warps_inactive_sm_active_realtime.avg$elapsed tpc__warps_inactive_sm_idle_realtime.avg$elapsed
	sm__cycles_active.avg$elapsed sm__inst_executed_realtime.avg$elapsed
	sm__pipe_tensor_cycles_active_realtime.avg$elapsed
	dramc__read_throughput.avg$elapsed dramc__write_throughput.avg$elapsed
	pcie__read_bytes.avg$elapsed pcie__write_bytes.avg$elapsed
	nvlrx__bytes.avg$elapsed nvltx__bytes.avg$elapsed
	pcie__rx_requests_aperture_bar1_op_read.sum pcie__rx_requests_aperture_bar1_op_write.sum"
while read -r chip count number; do
	known=
	found=0
	for name in $table; do
		grep -qx "${name%%.*}" "names.$chip" || continue
		known=$known,$name
		found=$((found + 1))
	done
	expect "metrics of the table on $chip" "$count" "$found"
	expect "passes of the table on $chip" "$number" "$(passes "$chip" "${known#,}")"
done <<-END
	gh100 15 1
	ga102 17 1
	ad102 15 1
	tu102 16 1
	gb100 11 2
	gb202 11 1
END
expect "passes of sm__throughput" 19 "$(passes gh100 sm__throughput)"
