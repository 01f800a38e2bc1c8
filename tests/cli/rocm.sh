# SPDX-License-Identifier: MIT
# AMD's GPUs in trees as the kernel's topology shows them: what is found, and what hinders.
unset ROCR_VISIBLE_DEVICES HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES ZE_AFFINITY_MASK
unset ROCP_TOOL_LIBRARIES FAKE_ROCM LD_LIBRARY_PATH
hide_drivers

# devices TREE: lists them, with the library of that name when FAKE is not empty.
devices() {
	rm -rf tree
	cp -R "$SOURCES/tests/data/kfd/$1" tree
	[ -z "${FAKE:-}" ] || { mkdir -p tree/opt/rocm-7.0.0/lib &&
		ln -s "$FAKE_ROCM_LIBRARY" tree/opt/rocm-7.0.0/lib/librocprofiler-sdk.so.1; }
	TACHO_ROCM_ROOT=$PWD/tree
	export TACHO_ROCM_ROOT
	tacho list devices rocm >lines 2>err
	tr -s ' \n' ' ' <lines >out
}

devices mi210
has out 'AMD Instinct MI210'
has out "AMD's profiling library does not load"
has out 'librocprofiler-sdk.so.1'
has out 'install ROCm 7.0'
devices mi300x
has out 'AMD Instinct MI300X #[1-2]'
devices navi31
has out 'Radeon RX 7900 XTX'
devices apu
has out 'gfx902'

# A machine without one says so, and what can be done meanwhile.
mkdir empty
TACHO_ROCM_ROOT=$PWD/empty tacho list devices rocm >out 2>err
has out 'no AMD GPU with the driver amdgpu'
has out 'sim mi300x'

# With the library all is there, and its version and the driver's are told.
FAKE=1
devices mi210
has out 'yes'
run 0 tacho list devices rocm --json
has out '"name": "AMD Instinct MI210"'
has out '"driver": "amdgpu 6.12.12, PCI 1002:740f, gfx90a, 1 die, HIP device 0"'
has out '"compute_units": 104'
run 0 tacho doctor rocm
has out 'opt/rocm-7.0.0/lib/librocprofiler-sdk.so.1,'
has out 'version 1.0.0'
has out 'libtacho-rocm.so'
has out 'This machine can measure.'
devices mi300x
run 0 tacho list devices rocm --json
has out 'gfx942, 8 dies'
has out '"compute_units": 304'

# Their numbers in programs, by hand: a mask takes GPUs in its order, the next one of what is left.
numbers() {
	tacho list devices rocm --json | sed -n 's/.*"driver": ".* dies, \(.*\)",$/\1/p' | head -n 2 |
		tr '\n' ';'
}
[ "$(numbers)" = 'HIP device 0;HIP device 1;' ] || fail "numbers without masks: $(numbers)"
[ "$(ROCR_VISIBLE_DEVICES=1,0 numbers)" = 'HIP device 1;HIP device 0;' ] || fail "in another order"
hidden='hidden by ROCR_VISIBLE_DEVICES;HIP device 0;'
[ "$(ROCR_VISIBLE_DEVICES=1 numbers)" = "$hidden" ] || fail "one hidden"
[ "$(ROCR_VISIBLE_DEVICES=1,x,0 numbers)" = "$hidden" ] || fail "a word that names nothing ends it"
[ "$(ROCR_VISIBLE_DEVICES=1,0 HIP_VISIBLE_DEVICES=1 CUDA_VISIBLE_DEVICES=0 numbers)" = \
	'HIP device 0;hidden by HIP_VISIBLE_DEVICES;' ] || fail "one mask behind another"
[ "$(CUDA_VISIBLE_DEVICES=0 numbers)" = 'HIP device 0;hidden by CUDA_VISIBLE_DEVICES;' ] ||
	fail "CUDA's name of it"
ROCR_VISIBLE_DEVICES=1 ZE_AFFINITY_MASK=0.1 tacho list devices rocm >lines
tr -s ' \n' ' ' <lines >out
has out 'ROCR_VISIBLE_DEVICES=1 is set: programs may see fewer devices'
has out 'ZE_AFFINITY_MASK=0.1 is set'
ZE_AFFINITY_MASK=0.1 run 0 tacho list devices rocm --json
has out '"name": "ZE_AFFINITY_MASK"'
tacho list devices rocm >out
has_not out 'is set'

# Its catalog.
run 0 tacho stat --list -d 'MI300X #2'
has out 'SQ_WAVES'
has out 'MeanOccupancyPerCU'
