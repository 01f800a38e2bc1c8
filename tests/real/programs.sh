#!/bin/sh
# SPDX-License-Identifier: MIT
# What --keep-programs keeps: source and binary of a program that builds, the log of one that does not.
. "$ROOT/tests/real/lib.sh"
need clpeak

record_options=--keep-programs
record built clpeak -p "$driver_platform" --kernel-latency
same "exit status" 0 $record_status
"$TACHO" export built --to programs >export.txt || fail "tacho export --to programs"
grep -q '__kernel void' built.programs/*.source || fail "no source of a kernel was kept"
for binary in built.programs/*.binary; do
	[ -s "$binary" ] || fail "no binary was kept"
done

/usr/bin/python3 -c 'import pyopencl' 2>/dev/null || exit 0
cat >broken.py <<'EOF'
import sys
import pyopencl as cl
platform = cl.get_platforms()[int(sys.argv[1])]
context = cl.Context(platform.get_devices())
try:
    cl.Program(context, "__kernel void k(void) { undeclared = 1; }").build(cache_dir=False)
    print("built")
except cl.RuntimeError:
    print("refused")
EOF
record broken /usr/bin/python3 broken.py "$driver_platform"
same "the program saw" refused "$(cat broken.out)"
"$TACHO" export broken --to programs >export.txt || fail "tacho export --to programs"
grep -q undeclared broken.programs/*.build_log || fail "the build log does not name the mistake"
