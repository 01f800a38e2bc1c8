# SPDX-License-Identifier: MIT
# What tools/gpu-check.sh checks on an AMD GPU. Sourced by it, with the program's words as "$@".

# ---- what is here ----

keep rocm sh -c 'cat /opt/rocm*/.info/version /sys/module/amdgpu/version; ls -l /opt/rocm*/lib/librocprofiler*'
keep topology sh -c "cd '$root/sys/class/kfd/kfd/topology/nodes' && grep -r . . "
keep nodes sh -c 'ls -ln /dev/kfd /dev/dri; id'
keep devices "$tacho" list devices rocm --json
keep doctor "$tacho" doctor rocm
keep libraries sh -c 'ldconfig -p | grep -i -e rocprof -e amdhip -e hsa-runtime'

claim "tacho finds as many GPUs as the kernel shows ($gpus)" \
	sh -c '[ "$(grep -o "\"backend\": \"rocm\"" devices.txt | wc -l)" -ge '"$gpus"' ]'
claim "a GPU can be used" grep -q 'This machine can measure' doctor.txt
claim "AMD's library is found" sh -c 'tr -s " \n" " " <doctor.txt | grep -q "ROCprofiler-SDK - /"'

# ---- a program ----

make_program() {
	cat >program.hip <<'END'
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
#define DO(call) do { hipError_t e = (call); if (e) { fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(e)); exit(1); } } while (0)
extern "C" __global__ void tacho_add(const float *a, float *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; b[i] += a[i]; }
extern "C" __global__ void tacho_spin(float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; float x = b[i]; for (int k = 0; k < n; k++) x = x * 1.0001f + 0.5f; b[i] = x; }
enum { SIZE = 1 << 20, BLOCK = 256, LAUNCHES = 50 };
static void work(bool times) {
	std::vector<float> host(SIZE, 1); float *a, *b; hipStream_t stream; hipEvent_t from, to; float ms, sum = 0;
	DO(hipStreamCreate(&stream)); DO(hipEventCreate(&from)); DO(hipEventCreate(&to));
	DO(hipMalloc(&a, SIZE * 4)); DO(hipMalloc(&b, SIZE * 4));
	DO(hipMemcpy(a, host.data(), SIZE * 4, hipMemcpyHostToDevice)); DO(hipMemcpy(b, host.data(), SIZE * 4, hipMemcpyHostToDevice));
	for (int i = 0; i < LAUNCHES; i++) {
		tacho_add<<<SIZE / BLOCK, BLOCK, 0, stream>>>(a, b);
		DO(hipEventRecord(from, stream)); tacho_spin<<<SIZE / BLOCK, BLOCK, 0, stream>>>(b, 2000); DO(hipEventRecord(to, stream));
		DO(hipEventSynchronize(to)); DO(hipEventElapsedTime(&ms, from, to)); sum += ms;
	}
	DO(hipMemcpy(host.data(), b, SIZE * 4, hipMemcpyDeviceToHost));
	if (times) printf("spin_us %.1f\nresult %.3f\n", sum * 1000, host[SIZE - 1]);
	DO(hipFree(a)); DO(hipFree(b));
}
int main(int argc, char **argv) {
	int count = argc > 1 ? atoi(argv[1]) : 1; std::vector<std::thread> threads; hipDeviceProp_t device;
	DO(hipGetDeviceProperties(&device, 0)); printf("device %s\nwave %d\n", device.gcnArchName, device.warpSize);
	if (count == 1) work(true);
	for (int i = 0; count > 1 && i < count; i++) threads.emplace_back(work, false);
	for (auto &thread : threads) thread.join();
	return 0;
}
END
	"$1" -O2 -o program program.hip
}

is_own=
if [ $# = 0 ]; then
	hipcc=$(command -v hipcc || ls /opt/rocm*/bin/hipcc 2>/dev/null | head -n 1)
	if [ -n "$hipcc" ]; then
		claim "a HIP program compiles" make_program "$hipcc"
		[ -x program ] && is_own=1 && set -- "$saw/program"
	fi
fi

# number KEY: what the program printed.
number() {
	sed -n "s/^$1 //p" plain.txt
}

count_calls() {
	grep -c "\"function\": \"$1\"" calls.jsonl
}

# value COLUMN KERNEL: the values of a counter, one a line.
value() {
	awk -F, -v name="$1" -v kernel="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR > 1 && $2 == kernel { print at ? $at : "" }' values.csv
}

all_are() {
	all_values=$(value "$1" "$2" | sort -u)
	echo "$1 of $2: $all_values, expected $3"
	[ "$all_values" = "$3" ]
}

# ---- recording ----

check_recording() {
	"$@" >plain.txt 2>plain-err.txt
	plain_status=$?
	claim "the program ends as without tacho (status $plain_status)" \
		sh -c "'$tacho' record -q -f -o run -- \"\$@\" >program.txt 2>record.txt; [ \$? = $plain_status ]" sh "$@"
	claim "the recording is whole" "$tacho" check run
	keep report "$tacho" report run
	keep api "$tacho" report run --by api --top 0
	"$tacho" export -f run --to jsonl -o calls >>log.txt 2>&1
	claim "dispatches of kernels are recorded" grep -q '"function": "kernel_dispatch"' calls.jsonl
	claim "calls of HIP or HSA are recorded" grep -q -e '"function": "hip' -e '"function": "hsa_' calls.jsonl
	claim "all dispatches have device times" \
		sh -c '! grep "\"function\": \"kernel_dispatch\"" calls.jsonl | grep -qv "\"state\": \"ok\""'
	claim "device times lie on one of the host's clocks" \
		sh -c 'grep "\"function\": \"kernel_dispatch\"" calls.jsonl | grep -q "\"clock\": \"CLOCK_"'
	claim "kernels have names" \
		sh -c '! grep "\"function\": \"kernel_dispatch\"" calls.jsonl | grep -q "\"kernel\": null"'
}

spin_time() {
	spin_ns=$(grep '"name": "tacho_spin"' calls.jsonl |
		sed 's/.*"start_ns": \([0-9]*\), "end_ns": \([0-9]*\), "uncertainty.*/\1 \2/' |
		awk '{ sum += $2 - $1 } END { printf "%.0f", sum }')
	between "device time of tacho_spin against HIP's events" \
		"$(awk -v a="$spin_ns" -v b="$(number spin_us)" 'BEGIN { print a / 1000 / b }')" 0.7 1.05
}

check_own_recording() {
	claim "all 50 launches of each kernel are there" \
		sh -c '[ "$(grep -c "\"name\": \"tacho_add\"" calls.jsonl)" = 50 ] &&
			[ "$(grep -c "\"name\": \"tacho_spin\"" calls.jsonl)" = 50 ]'
	claim "grid and work-group are told" \
		sh -c 'grep "tacho_add" calls.jsonl | grep -q "\"global\": \[1048576\], \"local\": \[256\]"'
	claim "device times agree with HIP's events" spin_time
	claim "copies to the device have their bytes" \
		sh -c 'grep "memory_copy_to_device" calls.jsonl | grep -q "\"bytes\": 4194304"'
	claim "the program's result is the same" \
		sh -c '[ "$(grep "^result" plain.txt)" = "$(grep "^result" program.txt)" ]'
	claim "8 threads: all 800 launches are there" \
		sh -c "'$tacho' record -q -f -o many -- '$1' 8 && '$tacho' check many &&
			'$tacho' report many | grep -q '800 kernel launches'"
	# programs that load AMD's library by themselves, as a test's fake does, are not for this
	claim "the program runs with tacho's drop-in library in place of AMD's" runs_over_face "$@"
	claim "and AMD's library, behind it, still tells of its kernels" record_over_face "$@"
}

# tacho's own librocprofiler-sdk.so.1 hands on what AMD's runtimes give it.
runs_over_face() {
	"$tacho" env rocprofiler -- "$@" >face.txt 2>&1
	face_status=$?
	cat face.txt
	[ $face_status = "$plain_status" ]
}

record_over_face() {
	TACHO_ROCPROFILER_REAL=$(tr -s ' \n' ' ' <doctor.txt | sed 's/.*ROCprofiler-SDK - \(\/[^ ,]*\).*/\1/')
	export TACHO_ROCPROFILER_REAL
	"$tacho" record -q -f -o over -- "$tacho" env rocprofiler -- "$@" >over.txt 2>&1 &&
		"$tacho" report over | grep -q 'kernel launches'
	record_over_status=$?
	unset TACHO_ROCPROFILER_REAL
	return $record_over_status
}

# ---- counting ----

count_into() {
	rm -f values.csv
	record -d "$device" "$@" && "$tacho" export -f run --to csv -o values &&
		mv values.values.csv values.csv
}

# Launches have values, and no counter lacks one.
is_full() {
	awk -F, 'NR > 1 { for (i = 4; i <= NF; i++) if ($i == "") bad = 1 } END { exit bad || NR < 2 }' values.csv
}

count_full() {
	count_into "$@" && is_full
}

# Each launch has some of the values, and each counter some launch.
count_turns() {
	count_into "$@" && awk -F, 'NR > 1 { some = 0; for (i = 4; i <= NF; i++) if ($i != "") { some = 1; seen[i] = 1 } }
		NR > 1 && !some { bad = 1 } END { for (i = 4; i <= NF; i++) if (!seen[i]) bad = 1; exit bad || NR < 2 }' values.csv
}

refuses_replay() {
	"$tacho" stat -d "$device" -m "$counters" -- "$@" >refused.txt 2>&1
	[ $? = 125 ] && tr -s ' \n' ' ' <refused.txt | grep -q 'take --replay process or rotate'
}

check_counting() {
	# by its number among all devices
	device=$(awk -F'[:,]' '/"index"/ { at = $2 + 0 } /"backend": "rocm"/ { print at; exit }' devices.txt)
	echo "device $device" >>log.txt
	claim "SQ_WAVES is counted for every launch" count_full -m SQ_WAVES -- "$@"
	keep counted "$tacho" report run
	claim "kernel replay is refused with the reason" refuses_replay "$@"
	claim "all hardware counters of SQ come, in passes by process" \
		count_full --replay process -m "$counters" -- "$@"
	keep passes "$tacho" report run
	claim "rotation: launches take turns, and each counter has its own" \
		count_turns --replay rotate -m "$counters" -- "$@"
}

check_own_counting() {
	waves=$((1048576 / $(number wave)))
	claim "waves and vector instructions are counted" count_full -m SQ_WAVES,SQ_INSTS_VALU -- "$1"
	claim "SQ_WAVES of tacho_add is exactly $waves" all_are SQ_WAVES tacho_add "$waves"
	claim "SQ_WAVES of tacho_spin is exactly $waves" all_are SQ_WAVES tacho_spin "$waves"
	claim "tacho_spin has at least 2000 vector instructions a wave" \
		between SQ_INSTS_VALU "$(value SQ_INSTS_VALU tacho_spin | sort -n | head -n 1)" \
		$((waves * 2000)) $((waves * 20000))
	if command -v rocprofv3 >/dev/null; then
		claim "rocprofv3 counts the same waves" sh -c "rocprofv3 --pmc SQ_WAVES -f csv -d rocprof -- '$1' &&
			cat \$(find rocprof -name '*counter_collection.csv') | grep tacho_add | grep -q '\"SQ_WAVES\",$waves'"
	else
		skip "rocprofv3 counts the same waves" "rocprofv3 is not installed"
	fi
}

if [ $# = 0 ]; then
	skip "everything that needs a program" "hipcc is not installed: give a program that uses HIP behind --"
else
	check_recording "$@"
	[ -z "$is_own" ] || check_own_recording "$1"
	check_counting "$@"
	if [ -n "$is_own" ]; then
		check_own_counting "$1"
	else
		skip "exact numbers" "what the program does is not known"
	fi
fi

