# SPDX-License-Identifier: MIT
# NVIDIA's GPUs: found in trees as driver and kernel show them, asked over fakes of NVIDIA's libraries,
# sampled and watched over them; and all that hinders, with its cause and its cure.
TACHO_CUPTI=$(dirname "$FAKE_CUPTI_FILE")
LD_LIBRARY_PATH=$(dirname "$FAKE_CUDA_FILE"):$(dirname "$FAKE_NVML_FILE")
XDG_CACHE_HOME=$PWD/cache
export TACHO_CUPTI LD_LIBRARY_PATH XDG_CACHE_HOME
unset FAKE_CUPTI FAKE_CUDA FAKE_NVML CUDA_VISIBLE_DEVICES CUDA_INJECTION64_PATH
hide_drivers

# tree NAME: takes that one.
tree() {
	rm -rf tree
	cp -R "$SOURCES/tests/data/nvidia-trees/$1" tree
	TACHO_NVIDIA_ROOT=$PWD/tree
	export TACHO_NVIDIA_ROOT
}

# ours: the GPU of the tree is the one that the fakes have.
ours() {
	tree h100
	sed -i 's/GPU-3291dfa4-fcc4-0110-615b-c894a0d7c689/GPU-00010203-0405-0607-0809-0a0b0c0d0e0f/
		s/NVIDIA H100 80GB HBM3/Fake GF100/' tree/proc/driver/nvidia/gpus/*/information
}

# devices [WORD...]: those of CUPTI, in one line.
devices() {
	tacho list devices cupti "$@" >lines 2>err
	tr -s ' \n' ' ' <lines >out
}

# hinders CAUSE CURE: the GPU cannot be counted on, and a program that was to be counted is not started.
hinders() {
	devices
	has out "$1"
	has out "$2"
	rm -f started
	run 125 tacho stat -d "Fake GF100" -m a__x00 -- touch started
	tr -s ' \n' ' ' <err >out
	has out "$1"
	[ ! -e started ] || fail "the program was started"
}

# What there is, without any library.
tree nodriver
devices
has out 'the driver nouveau has PCI device 0000:01:00.0'
has out 'no driver has PCI device 0000:02:00.0'
tacho doctor cupti >lines 2>err || :
tr -s ' \n' ' ' <lines >out
has out 'CUDA no driver, PCI 0000:02:00.0, cannot count'
has out 'modprobe nvidia'
tree container
devices
has out 'dev/nvidiactl is not there'
has out 'docker run --gpus all'
mkdir nothing
TACHO_NVIDIA_ROOT=$PWD/nothing
devices
has out 'no NVIDIA GPU is in'
has out 'tacho plan --arch gh100'

# What the libraries say of one.
ours
run 0 tacho list devices cupti --json
has out '"name": "Fake GF100"'
has out '"driver": "nvidia 580.65.06, PCI 0000:1b:00.0, gf100, CUDA device 0"'
has out '"id": "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f"'
has out '"arch": "gf100"'
has out '"compute_units": 132'
has out '"memory_bytes": 85899345920'
run 0 tacho doctor cupti
has out '580.65.06, of CUDA 13.0'
has out 'RmProfilingAdminOnly is 0: everybody may count'
has out 'This machine can measure.'
# By number, a part of its name, its id or the beginning of that.
number=$(tacho list devices cupti --json | sed -n 's/^ *"index": \([0-9]*\).*/\1/p' | head -n 1)
for name in "$number" gf100 cupti:Fake GPU-00010203-0405-0607-0809-0a0b0c0d0e0f GPU-0001; do
	run 0 tacho stat --list -d "$name"
	has out a__x00
done
# What it counts, and in how many passes, also where it may not count now.
FAKE_CUPTI=s_availability=35 run 0 tacho plan -d gf100 -m a__throughput,a__x04.sum
has out 'gf100 (cuda): 2 passes for 2 entries'
run 0 tacho plan -d cupti_sampling:gf100 -m a__x00
has out 'gf100 (cuda_sampling): 1 pass for 1 entry'
run 0 tacho info a__x00 -d "Fake GF100"
has out 'On gf100 (API cuda)'
run 2 tacho plan -d gf100 --arch gf100 -m a__x00
has err 'exclude each other'

# Several: as nvidia-smi numbers them, and as CUDA does.
FAKE_CUDA=devices=2 FAKE_NVML=devices=2
export FAKE_CUDA FAKE_NVML
tacho list devices cupti --json >out
has out 'CUDA device 1'
CUDA_VISIBLE_DEVICES=1 tacho list devices cupti --json >out
has out 'PCI 0000:1c:00.0, gf100, CUDA device 0'
has out 'PCI 0000:1b:00.0, gf100, not shown to CUDA'
has out 'CUDA_VISIBLE_DEVICES is \"1\" and hides it; to CUDA it is number 0'
CUDA_VISIBLE_DEVICES=GPU-1011,GPU-0001 tacho list devices cupti --json >out
has out 'PCI 0000:1b:00.0, gf100, CUDA device 1'
for list in '' -1 7,0 GPU-ff; do
	CUDA_VISIBLE_DEVICES=$list tacho list devices cupti --json >out
	has out 'PCI 0000:1b:00.0, gf100, not shown to CUDA'
done
unset FAKE_CUDA FAKE_NVML

# Who may: CUPTI's word counts, and files say why; without it, files.
ours
FAKE_CUPTI=s_availability=35
export FAKE_CUPTI
hinders 'RmProfilingAdminOnly: 0' 'NVreg_RestrictProfilingToAdminUsers=0'
sed -i 's/RmProfilingAdminOnly: 0/RmProfilingAdminOnly: 1/' tree/proc/driver/nvidia/params
hinders 'RmProfilingAdminOnly: 1, and this process has neither CAP_SYS_ADMIN nor CAP_PERFMON' 'docker run --cap-add'
unset FAKE_CUPTI
devices
has out ' yes' # CUPTI says that it may
FAKE_CUPTI=no_samples,old_chip run 3 tacho doctor cupti
tr -s ' \n' ' ' <out >lines
has lines 'profiling rights - for administrators alone'

# Who else counts.
ours
FAKE_CUPTI=s_availability=26
export FAKE_CUPTI
hinders 'HARDWARE_BUSY' 'dcgmi profile --pause'
mkdir -p tree/proc/4711
echo nv-hostengine >tree/proc/4711/comm
hinders 'its counters are held, and process 4711 is nv-hostengine' 'dcgmi profile --pause'
mkdir -p tree/proc/4712
echo ncu >tree/proc/4712/comm
hinders 'process 4712 is ncu' 'wait for its end'
unset FAKE_CUPTI
rm -r tree/proc/4712
run 0 tacho doctor cupti # DCGM may hold them, and does not
has out 'DCGM - nv-hostengine, process 4711'
echo nvidia-cuda-mps >tree/proc/4711/comm
hinders 'MPS shares the GPU: process 4711' 'echo quit'

# What the GPU is, or was made.
ours
while read -r word cause; do
	FAKE_CUPTI=$word
	export FAKE_CUPTI
	hinders "$cause" ' '
done <<-END
	sli SLI_DEVICE_NOT_SUPPORTED
	vgpu VIRTUALIZED_DEVICE_NOT_SUPPORTED
	vgpu_off VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
	confidential CONFIDENTIAL_COMPUTING_NOT_SUPPORTED
	mining CMP_DEVICE_NOT_SUPPORTED
	wsl WSL_DEVICE_NOT_SUPPORTED
	old_chip whose compute capability is 9.0
	supported=27 NOT_SUPPORTED
	initialize=15 NOT_INITIALIZED
	s_availability=43 MIG_DEVICE_NOT_SUPPORTED
END
unset FAKE_CUPTI
FAKE_NVML=mig,asleep run 0 tacho doctor cupti
has out 'MIG - on, GPU 0'
has out 'persistence mode - off, GPU 0'
FAKE_NVML=confidential run 0 tacho doctor cupti
has out 'confidential computing is on'

# A driver that is too old, does not start, dies, or is not there.
FAKE_NVML=old_driver FAKE_CUDA=old_driver FAKE_CUPTI=initialize=15
export FAKE_NVML FAKE_CUDA FAKE_CUPTI
hinders 'CUPTI is of CUDA 13.0, and the driver 550.54.14 of CUDA 12.4 is older' 'update the driver'
unset FAKE_NVML FAKE_CUDA FAKE_CUPTI
FAKE_CUDA=no_device
export FAKE_CUDA
hinders 'cuInit says 100, NO_DEVICE' 'docker --gpus'
unset FAKE_CUDA
FAKE_NVML=crash
export FAKE_NVML
hinders 'died of signal 6' 'dmesg'
unset FAKE_NVML
FAKE_NVML=init=9 tacho doctor cupti >out 2>err
has out 'Driver Not Loaded'
tree wsl # Windows' driver has no files in /proc
devices
has out 'Fake GF100 80GB'
run 0 tacho doctor cupti
has out "Windows'"

# Samples of the whole GPU under its own name. The first one, which began before, is dropped.
ours

# sampled STATUS LIST: counts every 10 ms; the first windows are in out.
sampled() {
	rm -f samples
	run "$1" tacho stat -I 10 -d gf100 -m "$2" --csv -o samples -- sleep 0.1
	[ ! -e samples ] || tr -d '\r' <samples | sed 1d | head -n 4 >out
}
sampled 0 a__x00.sum,a__x01.avg
same out 0,0.010000000,2,ok,1,4,ok,1 1,0.020000000,3,ok,1,6,ok,1 2,0.030000000,4,ok,1,8,ok,1 \
	3,0.040000000,5,ok,1,10,ok,1
[ "$(wc -l <samples)" -ge 5 ] || fail "samples are missing"
# A buffer that was full has left a gap.
FAKE_CUPTI=s_overflow
export FAKE_CUPTI
sampled 0 a__x00.sum
same out 0,0.010000000,2,ok,1 1,0.020000000,3,ok,1 6,0.070000000,8,lost,1 7,0.080000000,9,ok,1
# What cannot be is told, before the program begins where that is when it shows.
for call in s_availability s_enable s_config s_start; do
	FAKE_CUPTI=$call=26
	sampled 125 a__x00.sum
	has err 'HARDWARE_BUSY'
done
for call in s_decode s_count s_sample s_stop; do
	FAKE_CUPTI=$call=999
	sampled 0 a__x00.sum
	has err '999, UNKNOWN'
done
FAKE_CUPTI=s_huge
sampled 125 a__x00.sum
has err 'answers what cannot be'
FAKE_CUPTI=no_samples
sampled 125 a__x00.sum
has err 'samples need Turing or newer'
unset FAKE_CUPTI
# They have one pass.
sampled 125 a__x00.sum,a__x01.sum,a__x02.sum,a__x03.sum,a__x04.sum
has err '2 passes'
has err 'leave out a__x04.sum to need one pass less'
grep -q -e '--replay' err && fail 'samples are said to have replays'
run 125 tacho stat -d cupti_sampling:gf100 -m a__x00 -- true
has err 'tacho stat -I 10'

# What the driver shows to everybody, through NVML.
run 0 tacho stat -I 100 -d nvml:gf100 -m sm_util,pcie_tx_per_sec,power,sm_clock,gpu_util,memory_util --csv -o watched -- sleep 0.35
tr -d '\r' <watched | sed '1d; s/^[0-9]*,[0-9.]*,//' | sort -u >out
same out 2.25,ok,1,21233664,ok,1,350.5,ok,1,1500000000,ok,1,75,ok,1,40,ok,1
[ "$(wc -l <watched)" -ge 3 ] || fail "windows are missing"
run 125 tacho stat -I 10 -d nvml:gf100 -m power -- true
has err '100 ms at least'
FAKE_NVML=no_gpm
export FAKE_NVML
run 125 tacho stat -I 100 -d nvml:gf100 -m sm_util -- true
has err 'began with Hopper'
run 0 tacho stat -I 100 -d nvml:gf100 -m power --csv -o power -- sleep 0.25
tr -d '\r' <power | sed '1d; s/^[0-9]*,[0-9.]*,//' | sort -u >out
same out 350.5,ok,1
FAKE_NVML=gpm=4
run 0 tacho stat -I 100 -d nvml:gf100 -m sm_util -- sleep 0.25
has err 'Insufficient Permissions'
unset FAKE_NVML
run 0 tacho list counters --arch gpm --api nvml
has out 'dram_bw_util'
