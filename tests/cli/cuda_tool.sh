# SPDX-License-Identifier: MIT
# How tacho gets into CUDA programs, and what is said when it does not.
unset CUDA_INJECTION64_PATH FAKE_CUDA FAKE_CUDA_LOG LD_LIBRARY_PATH CUDA_MPS_PIPE_DIRECTORY
TACHO_CUPTI=$FAKE_CUPTI_FILE
export TACHO_CUPTI

# The program does what it does, and is recorded, and so is what it starts.
"$FAKE_CUDA_PROGRAM" exec 2 >expected
run 0 tacho record -q -f -o x -- "$FAKE_CUDA_PROGRAM" exec 2
cmp expected out || fail "its output is another one"
run 0 tacho report x
has out '4 kernel launches, 4 transfers'
run 0 tacho record -q -f --no-follow -o x -- "$FAKE_CUDA_PROGRAM" exec 2
run 0 tacho report x
has out '2 kernel launches, 2 transfers'

# The driver loads one library: the one that was asked for stays.
CUDA_INJECTION64_PATH=/opt/other/libtool.so tacho record -f -o x -- "$FAKE_CUDA_PROGRAM" add >out 2>err
has out 'sum 16785408'
has err 'CUDA_INJECTION64_PATH is /opt/other/libtool.so, and the driver loads one library only: take it out of'
has err 'CUDA_INJECTION64_PATH is /opt/other/libtool.so, which the driver loads instead'
has_not err 'which tacho does not record'
# one of tacho's, of whatever place, is no other
CUDA_INJECTION64_PATH=/opt/old/libtacho-cuda.so tacho record -f -o x -- "$FAKE_CUDA_PROGRAM" add >out 2>err
has_not err 'take it out of'
has err '37 calls and 7 commands'

# What is missing is said, with what to do, and the program runs.
for why in 'subscribed:MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:run it without Nsight' \
	'old_driver:NOT_INITIALIZED:set TACHO_CUPTI'; do
	FAKE_CUDA=${why%%:*} tacho record -f -o x -- "$FAKE_CUDA_PROGRAM" add >out 2>err
	has out 'sum 16785408'
	why=${why#*:}
	has err "did not record CUDA (CUPTI says"
	has err "${why%%:*}"
	has err "${why#*:}"
	run 0 tacho report x
	has out 'functions that are not recorded: CUDA'
done
mkdir empty
TACHO_CUPTI=$PWD/empty tacho record -f -o x -- "$FAKE_CUDA_PROGRAM" add >out 2>err
has out 'sum 16785408'
has err 'did not record CUDA (libcupti was not found: install'

# The doctor tells where there is a GPU; where there is none who asks is answered, and nobody else.
TACHO_NVIDIA_ROOT=$PWD/empty run 3 tacho doctor cuda
has_not out 'tool for CUDA'
has out 'CUDA - not on this machine'
has out 'cause: no NVIDIA GPU is in /proc/driver/nvidia/gpus'
TACHO_NVIDIA_ROOT=$PWD/empty tacho doctor >out 2>err || :
has_not out 'CUDA - not on this machine'
TACHO_NVIDIA_ROOT=$SOURCES/tests/data/nvidia-trees/wsl run 0 tacho doctor cuda
tr -s " \n" " " <out >flat
has flat "tool for CUDA - "
run 1 tacho doctor nonsense
has err 'cuda'
mkdir -p tree/proc/driver/nvidia/gpus/0000:1b:00.0
TACHO_NVIDIA_ROOT=$PWD/tree
export TACHO_NVIDIA_ROOT
run 0 tacho doctor cuda
tr -s " \n" " " <out >flat
has flat "tool for CUDA - "
has out 'libtacho-cuda.so'
CUDA_INJECTION64_PATH=/opt/other/libtool.so tacho doctor cuda >out 2>err
has out 'CUDA_INJECTION64_PATH - /opt/other/libtool.so'
has out 'the driver loads one library only'
