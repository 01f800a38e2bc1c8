# SPDX-License-Identifier: MIT
# The fakes of NVIDIA's driver and libcupti: what programs compute over them, and that their names,
# numbers, types and prototypes are CUDA's, where CUDA is installed.

# What runs on the fake GPU is right, each way to bring it there.
for mode in add graph capture child devices ways threads many fork exec contexts spin memory; do
	run 0 "$FAKE_CUDA_PROGRAM" $mode
done
run 7 "$FAKE_CUDA_PROGRAM" leave
run 0 "$FAKE_RUNTIME_PROGRAM" 3
same out 'scaled 8 counted 60'
FAKE_CUDA=no_device run 3 "$FAKE_CUDA_PROGRAM" add
has err 'CUDA_ERROR_NO_DEVICE'
FAKE_CUDA=abandon run 0 "$FAKE_CUDA_PROGRAM" contexts

# The log has each kernel once, when it was done.
FAKE_CUDA_LOG=log run 0 "$FAKE_CUDA_PROGRAM" threads 10
[ "$(grep -c ' kernel .* _Z5countPj ' log)" = 160 ] || fail "not 160 kernels in the log"
awk '$2 == "kernel" && !($7 <= $8 && $9 <= $10 && $10 <= $11 && $11 <= $12) { exit 1 }' log ||
	fail "times in the log are not in order"

include=
for folder in "${CUDA_HOME:-/usr/local/cuda}" /usr/local/cuda-*; do
	[ -e "$folder/include/cupti_activity.h" ] && include=$folder/include
done
[ -n "$include" ] || skip "CUDA's headers are not installed: layouts were not compared"
cc=${CC:-cc}
fakes=$SOURCES/tests/fake/cuda

# What is made of the fake's headers and of CUDA's is the same; the latter also stand beside the
# fake's prototypes, or it would not compile. Version 13.0 is what the fakes are.
grep -q 'CUDA_VERSION 13000' "$include/cuda.h" || skip "$include is not of CUDA 13.0"
$cc -Wall -Werror -I "$fakes" "$fakes/layout.c" -o ours || fail "ours does not compile"
$cc -DREAL -I "$include" -I "$fakes" "$fakes/layout.c" -o theirs || fail "theirs does not compile"
$cc -DREAL -DCUDA_API_PER_THREAD_DEFAULT_STREAM -fsyntax-only -I "$include" -I "$fakes" \
	"$fakes/layout.c" 2>err || fail "with streams of threads it does not compile"
./ours >out
./theirs >theirs.out
diff out theirs.out || fail "layouts differ"
[ "$(wc -l <out)" -gt 200 ] || fail "few were compared"

# Every name that the fakes export is exported by NVIDIA's library, too.
exported() {
	nm -D --defined-only "$1" | sed 's/@.*//' | awk '{ print $3 }' | grep '^cu' | sort -u
}
for pair in "$FAKE_CUDA_LIBRARY:stubs/libcuda.so" "$FAKE_CUPTI_FILE:libcupti.so"; do
	real=$include/../lib/${pair#*:}
	[ -e "$real" ] || real=$include/../lib64/${pair#*:}
	[ -e "$real" ] || continue
	exported "${pair%%:*}" >ours.names
	exported "$real" >theirs.names
	comm -23 ours.names theirs.names >out
	[ -s out ] && fail "NVIDIA's library has no such names"
	[ "$(wc -l <ours.names)" -gt 30 ] || fail "few names of ${pair%%:*}"
done
exit 0
