# SPDX-License-Identifier: MIT
# What tools/gpu-check.sh checks on an NVIDIA GPU: recording, counting, agreement with NVIDIA's tools,
# overhead. Sourced by it, with the program's words as "$@". Its own program is cuda_work, whose kernels
# (kernels.ptx) the driver compiles; how often what is done in them follows from their text.
#
# GPU_CHECK_KERNELS, _COUNTS, _SIDE, _ITEMS, _COPY, _MANY: other kernels, counters and sizes, for
# tests: then nobody knows what the counters must be.

kernels=${GPU_CHECK_KERNELS:-$here/tools/gpu-check/kernels.ptx}
side=${GPU_CHECK_SIDE:-1024} items=${GPU_CHECK_ITEMS:-1048576}
copy=${GPU_CHECK_COPY:-67108864} # words: more than any cache holds
many=${GPU_CHECK_MANY:-20000}
launches=20 nodes=16
counts=sm__warps_launched.sum,sm__ctas_launched.sum,smsp__inst_executed.sum
counts=$counts,smsp__thread_inst_executed_per_inst_executed.ratio
counts=$counts,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
counts=$counts,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
counts=$counts,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
counts=$counts,smsp__sass_thread_inst_executed_op_fadd_pred_on.sum
counts=$counts,smsp__sass_thread_inst_executed_op_ffma_pred_on.sum
counts=$counts,dram__bytes_read.sum
counts=${GPU_CHECK_COUNTS:-$counts}

keep nvidia sh -c 'cat /proc/driver/nvidia/version /proc/driver/nvidia/params; nvidia-smi -q'
keep nvidia-devices "$tacho" list devices cupti --json
keep nvidia-doctor "$tacho" doctor cupti
keep tools sh -c 'command -v ncu nsys nvcc python3; ncu --version; nsys --version; nvcc --version'

claim "tacho finds as many NVIDIA GPUs as the driver ($cuda_gpus)" \
	sh -c '[ "$(grep -o "\"backend\": \"cupti\"" nvidia-devices.txt | wc -l)" -ge '"$cuda_gpus"' ]'
# by its number among all devices: that of the driver's first
device=$(awk -F'[:,]' -v name="$(sed -n 's/^name //p' cuda.txt)" '/"index"/ { at = $2 + 0 }
	/"name"/ { is = index($0, "\"" name "\"") } /"backend": "cupti"/ && is { print at; exit }' nvidia-devices.txt)
claim "the driver's first GPU is device $device" [ -n "$device" ]
claim "CUPTI is found" grep -q '^ok *CUPTI' nvidia-doctor.txt

# Not every chip has all of them: what is lacking is left out, and said.
for counter in $(echo "$counts" | tr ',' ' '); do
	if "$tacho" record -q -f -o run -d "$device" -m "$counter" -- true >>log.txt 2>&1; then
		known=${known:+$known,}$counter
	else
		skip "$counter" "the GPU lacks it"
	fi
done
counts=${known:-$counts}

# ---- recording ----

# seconds KEY FILE: what the program printed.
printed() {
	sed -n "s/^$1 //p" "$2"
}

count_kernels() {
	grep -c "\"kind\": \"kernel\", \"code\".*\"name\": \"$1\"" calls.jsonl
}

sum_kernels() {
	grep "\"kind\": \"kernel\", \"code\".*\"name\": \"$1\"" calls.jsonl |
		sed 's/.*"start_ns": \([0-9]*\), "end_ns": \([0-9]*\), "uncertainty.*/\1 \2/' |
		awk '{ sum += $2 - $1 } END { printf "%.3f", sum / 1000 }'
}

# The device's events are around all launches, so they have what lies between kernels as well; on a
# busy machine without a GPU that is nearly all.
least=0.3
[ -z "${GPU_CHECK_KERNELS:-}" ] || least=0

agree_with_events() {
	between "device time of $1 against the driver's events" \
		"$(awk -v a="$(sum_kernels "$1")" -v each="$(printed device_us program.txt)" \
			-v n="$(printed launches program.txt)" 'BEGIN { print a / (each * n) }')" $least 1.02
}

# check_mode MODE SIZE KERNEL LAUNCHES
check_mode() {
	claim "$1: the program ends well without tacho" \
		sh -c "'$cuda_work' '$kernels' $1 $2 $launches >plain.txt"
	claim "$1: and recorded" record -- "$cuda_work" "$kernels" "$1" "$2" "$launches"
	claim "$1: its result is the same" \
		sh -c '[ "$(grep ^result plain.txt)" = "$(grep ^result program.txt)" ]'
	claim "$1: the recording is whole" "$tacho" check run
	keep "report-$1" "$tacho" report run
	"$tacho" export -f run --to jsonl -o calls >>log.txt 2>&1
	claim "$1: all $4 launches of $3 are there" [ "$(count_kernels "$3")" = "$4" ]
	claim "$1: all have device times" \
		sh -c '! grep "\"kind\": \"kernel\", \"code\"" calls.jsonl | grep -qv "\"state\": \"ok\""'
	claim "$1: times agree with the driver's events" agree_with_events "$3"
	rm -rf "run-$1.tacho" && mv run.tacho "run-$1.tacho"
}

check_own_recordings() {
	check_mode add "$items" vector_add $launches
	claim "add: grid and block are told" grep -q "\"global\": \[$items\(, 1\)*\], \"local\": \[256" calls.jsonl
	check_mode copy "$copy" vector_copy $launches
	claim "copy: copies to the device have their bytes" grep -q "\"bytes\": $((copy * 4))" calls.jsonl
	check_mode multiply "$side" matrix_multiply $launches
	keep occupancy "$tacho" occupancy run-multiply
	claim "multiply: occupancy is worked out" grep -q '^ *matrix_multiply\|of .* waves' occupancy.txt
	"$tacho" export -f run-multiply --to codexl -o multiply >>log.txt 2>&1
	claim "multiply: .occupancy has a row for each launch" grep -q "KernelCount=$launches" multiply.occupancy
	check_mode graph $nodes vector_add $((nodes * launches))
}

# ---- counting ----

count_into() {
	rm -f values.csv
	record -d "$device" "$@" && "$tacho" export -f run --to csv -o values && mv values.values.csv values.csv
}

# Launches have values, and no counter lacks one.
count_full() {
	count_into "$@" && awk -F, '/^#/ { next } !header { header = 1; for (i = 1; i <= NF; i++) is[i] = $i ~ /__[^:]*$/; next }
		{ rows++; for (i = 1; i <= NF; i++) if (is[i] && $i == "") bad = 1 } END { exit bad || !rows }' values.csv
}

# all_are COUNTER KERNEL NUMBER
all_are() {
	found=$(awk -F, -v name="$1" -v kernel="$2" '/^#/ { next }
		!header { header = 1; for (i = 1; i <= NF; i++) { if ($i == name) at = i; if ($i == "name") who = i } next }
		$who == kernel { print at ? $at + 0 : "" }' values.csv | sort -u)
	echo "$1 of $2: $found, expected $3"
	[ "$found" = "$3" ]
}

# count_mode MODE SIZE
count_mode() {
	claim "$1: ten counters are counted for every launch" \
		count_full -m "$counts" -- "$cuda_work" "$kernels" "$1" "$2" 3
	claim "$1: its result is right when it is counted" grep -q ^result program.txt
	keep "counted-$1" "$tacho" report run
	[ ! -f values.csv ] || cp values.csv "values-$1.csv"
}

# A warp of 32 threads reads 128 bytes with a request, which are 4 sectors.
check_exactly() {
	claim "add: warps launched are $((items / 32))" all_are sm__warps_launched.sum vector_add $((items / 32))
	claim "add: blocks launched are $((items / 256))" all_are sm__ctas_launched.sum vector_add $((items / 256))
	claim "add: $items additions" \
		all_are smsp__sass_thread_inst_executed_op_fadd_pred_on.sum vector_add "$items"
	claim "add: a request for each warp's read" \
		all_are l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum vector_add $((items / 16))
	claim "add: 4 sectors for each of them" \
		all_are l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum vector_add $((items / 4))
	claim "add: and for each write" \
		all_are l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum vector_add $((items / 8))
	cp values-multiply.csv values.csv
	claim "multiply: side ^ 3 multiplications" \
		all_are smsp__sass_thread_inst_executed_op_ffma_pred_on.sum matrix_multiply $((side * side * side))
	cp values-copy.csv values.csv
	case $counts in *dram__bytes_read.sum*) ;; *) return ;; esac
	claim "copy: DRAM is read as often as the copy says, within 5 %" between dram__bytes_read.sum \
		"$(awk -F, '/^#/ { next } !h { h = 1; for (i = 1; i <= NF; i++) if ($i == "dram__bytes_read.sum") at = i; next }
			at { print $at; exit }' values.csv)" $((copy * 4 * 95 / 100)) $((copy * 4 * 105 / 100))
}

first=${counts%%,*}

counts_second() {
	count_into -s 1 -c 1 -m "$first" -- "$cuda_work" "$kernels" add "$items" 3 &&
		awk -F, '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i ~ /__[^:]*$/) at = i; next }
			{ row++; if ($at != "") { counted++; which = row } } END { exit counted != 1 || which > 2 }' values.csv
}

check_own_counting() {
	count_mode add "$items"
	count_mode multiply "$side"
	count_mode copy "$copy"
	claim "add: a run for each pass counts as well" \
		count_full --replay process -m "$counts" -- "$cuda_work" "$kernels" add "$items" 3
	claim "add: only the second launch is counted when that is asked for" counts_second
	if [ -z "${GPU_CHECK_KERNELS:-}" ]; then
		cp values-add.csv values.csv
		check_exactly
	else
		skip "what counters must be" "what the kernels do is not known"
	fi
}

# ---- NVIDIA's tools ----

with_ncu() {
	ncu --csv --page raw --print-units base --metrics "$counts" "$cuda_work" "$kernels" "$1" "$2" 3 >"ncu-$1.csv" &&
		python3 "$here/tools/gpu-check/compare.py" counts "ncu-$1.csv" "values-$1.csv"
}

with_nsys() {
	nsys profile -o "nsys-$1" -f true -t cuda "$cuda_work" "$kernels" "$1" "$2" $launches >>log.txt 2>&1 &&
		nsys stats -r cuda_gpu_trace -f csv --force-export true "nsys-$1.nsys-rep" >"nsys-$1.csv" &&
		"$tacho" export -f "run-$1" --to jsonl -o calls &&
		python3 "$here/tools/gpu-check/compare.py" launches "nsys-$1.csv" calls.jsonl
}

# compare_with TOOL WHAT COMMAND: for each mode.
compare_with() {
	if ! command -v "$1" >/dev/null; then
		skip "$1 $2" "$1 is not installed"
	elif ! command -v python3 >/dev/null; then
		skip "$1 $2" "Python is not installed"
	else
		claim "add: $1 $2" "$3" add "$items"
		claim "multiply: $1 $2" "$3" multiply "$side"
		claim "copy: $1 $2" "$3" copy "$copy"
	fi
}

# ---- overhead ----

# cost KEY COMMAND...: microseconds a launch, of the best of three runs; "" when one fails.
cost() {
	cost_key=$1
	shift
	for run in 1 2 3; do
		"$@" >cost.txt 2>>log.txt || return
		printed "$cost_key" cost.txt
	done | sort -n | head -n 1
}

row() {
	printf '| %s | %s | %s |\n' "$1" "${2:--}" "$3" | tee -a results.md
}

less() {
	awk -v a="$1" -v b="$2" 'BEGIN { if (a != "" && b != "") printf "%.3f", a - b }'
}

measure_overhead() {
	set -- "$cuda_work" "$kernels" add 65536 "$many"
	{
		echo "## On an NVIDIA GPU"
		echo
		echo "- $(printed name cuda.txt), compute capability $(printed capability cuda.txt), driver $(printed driver cuda.txt)"
		echo "- $many launches of vector_add on 65536 items, best of three; host time of a launch"
		echo
		echo "| run | us a launch | what it adds |"
		echo "|---|---:|---:|"
	} >results.md
	plain=$(cost host_us "$@")
	row "alone" "$plain" ""
	recorded=$(cost host_us "$tacho" record -q -f -o cost -- "$@")
	row "tacho record" "$recorded" "$(less "$recorded" "$plain")"
	GPU_CHECK_CUPTI=$(tr -s ' \n' ' ' <nvidia-doctor.txt | sed 's/.*CUPTI - version [^,]*, \(\/[^ ,]*\).*/\1/')
	export GPU_CHECK_CUPTI
	activity=$(CUDA_INJECTION64_PATH=$build/tools/gpu-check/libcuda_activity.so cost host_us "$@")
	row "the least that a tool of CUPTI does" "$activity" "$(less "$activity" "$plain")"
	nsys=
	! command -v nsys >/dev/null || nsys=$(cost host_us nsys profile -o cost -f true -t cuda "$@")
	row "nsys profile -t cuda" "$nsys" "$(less "$nsys" "$plain")"
	# counted launches: until the device has ended
	set -- "$cuda_work" "$kernels" add 65536 200
	counted=$(cost all_us "$tacho" record -q -f -o cost -d "$device" -m "$first" -- "$@")
	row "tacho record -m, one pass: all of a launch" "$counted" ""
	ncu=
	! command -v ncu >/dev/null || ncu=$(cost all_us ncu --metrics "$first" "$@")
	row "ncu, one pass: all of a launch" "$ncu" ""
	if [ -n "${GPU_CHECK_KERNELS:-}" ]; then
		skip "what recording costs at most" "the kernels are not a GPU's"
		return
	fi
	claim "recording costs less than 1 us a launch" between "us a launch" "$(less "$recorded" "$plain")" -1 1
	[ -z "$nsys" ] || claim "and at most half of what nsys does" between "share of nsys's" \
		"$(awk -v a="$(less "$recorded" "$plain")" -v b="$(less "$nsys" "$plain")" 'BEGIN { print a / b }')" -10 0.5
	[ -z "$ncu" ] || claim "a counted launch costs a tenth of ncu's, or less" between "share of ncu's" \
		"$(awk -v a="$counted" -v b="$ncu" 'BEGIN { print a / b }')" 0 0.1
}

check_torch() {
	if ! command -v python3 >/dev/null || ! python3 -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' 2>>log.txt; then
		skip "a training step of PyTorch" "there is no Python, no PyTorch, or it sees no GPU"
		return
	fi
	claim "PyTorch: a training step runs recorded" record -- python3 "$here/tools/gpu-check/torch_step.py"
	keep report-torch "$tacho" report run
	claim "PyTorch: the recording is whole" "$tacho" check run
	claim "PyTorch: kernels are recorded, with their names" \
		sh -c "'$tacho' report run | grep -q 'kernel launches' && '$tacho' report run | grep -q 'sgemm\|gemm\|elementwise'"
	rm -rf run-torch.tacho && mv run.tacho run-torch.tacho
}

if [ $# != 0 ]; then
	claim "the program runs recorded" record -- "$@"
	claim "the recording is whole" "$tacho" check run
	keep report "$tacho" report run
	skip "exact numbers, NVIDIA's tools and overhead" "what the program does is not known"
else
	check_own_recordings
	check_own_counting
	compare_with nsys "has the same launches and durations" with_nsys
	compare_with ncu "counts the same" with_ncu
	check_torch
	measure_overhead
fi
