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

run 1 tacho env nonsense
has err 'choose of gpa'
run 2 tacho env
run 2 tacho env gpa gpa
