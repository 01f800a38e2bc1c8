#!/bin/sh
# SPDX-License-Identifier: MIT
# env: what it prints makes programs find tacho's libraries.
unset LD_LIBRARY_PATH TACHO_SIM

run 0 tacho env gpa
has out "export LD_LIBRARY_PATH='"
has out 'export TACHO_SIM=rx480'
grep -v '^#' out >line
[ "$(wc -l <line)" = 1 ] || fail "more than one line to evaluate"
. ./line
run 0 tacho env gpa
has out "libGPUPerfAPICL.so is now ${LD_LIBRARY_PATH%%:*}/libGPUPerfAPICL.so, tacho's"
has out "libGPUPerfAPIGL.so is now ${LD_LIBRARY_PATH%%:*}/libGPUPerfAPIGL.so, tacho's"
has out "libGPUPerfAPIGLES.so is now ${LD_LIBRARY_PATH%%:*}/libGPUPerfAPIGLES.so, tacho's"
has out "libGPUPerfAPIHSA.so is now ${LD_LIBRARY_PATH%%:*}/libGPUPerfAPIHSA.so, tacho's"
run 0 tacho env gpa --json
has out '"schema": "tacho.env/1"'
has out '"ours": true'
has_not out '"ours": false'

# a library of somebody else
mkdir other
LD_LIBRARY_PATH=$PWD/other
cp "$(sed -n 's/.*"answer": "\(.*GL.so\)".*/\1/p' out)" other/
run 0 tacho env gpa
has out "other/libGPUPerfAPIGL.so, not tacho's"
has out 'libGPUPerfAPICL.so is now not found'

# compilers find the headers that belong to a library, where they are
unset LD_LIBRARY_PATH CPATH
run 0 tacho env perfworks
has out "Programs for PerfWorks 0.46 get"
has out 'export TACHO_SIM=h200'
grep -v '^#' out >line
. ./line
run 0 tacho env perfworks
has out "libnvperfapi.so is now ${LD_LIBRARY_PATH%%:*}/libnvperfapi.so, tacho's"
if [ -n "${CPATH:-}" ]; then
	[ -r "$CPATH/nvperfapi_user_impl.h" ] || fail "CPATH is $CPATH"
	unset LD_LIBRARY_PATH CPATH
	# shellcheck disable=SC2016 # for the inner shell
	run 0 tacho env perfworks -- sh -c '[ -r "$CPATH/nvperfapi.h" ]'
fi
unset CPATH

run 1 tacho env nonsense
has err 'choose of gpa, perfworks, rocprofiler'
run 2 tacho env
run 2 tacho env gpa gpa

# tools in a program that never heard of them
unset LD_LIBRARY_PATH OPENCL_LAYERS ROCP_TOOL_LIBRARIES TACHO_FACE
# shellcheck disable=SC2016 # for the inner shell
tell='printf "%s\n" "$LD_LIBRARY_PATH" "$OPENCL_LAYERS$LD_PRELOAD" "$TACHO_FACE" "$TACHO_SIM" \
	"$ROCP_TOOL_LIBRARIES" "$1"; exit 5'
run 0 tacho env rocprofiler
grep -v '^#' out >line
(. ./line && sh -c "$tell" sh '') >evaluated
run 5 tacho env rocprofiler -- sh -c "$tell" sh ''
cmp -s evaluated out || fail "what is printed sets other things"
run 5 tacho env rocprofiler --sim mi300x --tool one.so --tool two.so -- sh -c "$tell" sh --json
{
	sed -n 1,3p evaluated
	printf '%s\n' mi300x one.so:two.so --json
} >wanted
cmp -s wanted out || fail "the program sees $(cat out)"
face=$(sed -n 3p evaluated)
[ -r "$face" ] || fail "there is no $face"
# what is set stays behind, and is not set twice
ROCP_TOOL_LIBRARIES=old.so OPENCL_LAYERS=$(sed -n 2p evaluated):old
export ROCP_TOOL_LIBRARIES OPENCL_LAYERS
run 5 tacho env rocprofiler --tool one.so -- sh -c "$tell" sh ''
has out "$OPENCL_LAYERS"
has out one.so:old.so
[ "$(sed -n 2p out)" = "$OPENCL_LAYERS" ] || fail "OPENCL_LAYERS is $(sed -n 2p out)"
run 0 tacho env rocprofiler --json
has out '"name": "TACHO_FACE"'
run 127 tacho env rocprofiler -- ./nothing
run 126 tacho env rocprofiler -- /dev/null
run 125 tacho env nonsense -- true
run 2 tacho env rocprofiler true
run 2 tacho env rocprofiler gpa -- true
run 2 tacho env rocprofiler --sim mi300x
run 2 tacho env rocprofiler --json -- true

# What is not there is told before the program starts.
run 125 tacho env rocprofiler --tool /nowhere/tool.so -- touch started
has err 'cannot load /nowhere/tool.so'
run 125 tacho env rocprofiler --sim mi300x,mi999 -- touch started
has err 'there is no simulated device "mi999"'
[ ! -e started ] || fail "the program was started"
