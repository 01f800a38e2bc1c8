#!/bin/sh
# SPDX-License-Identifier: MIT
# What compilers write tells whether a program prints: LLVM's bitcode, AMD's code objects, NVIDIA's
# PTX, and SPIR-V where it can be made here. What PoCL, oclgrind and rusticl write is in print.sh.
. "$ROOT/tests/real/lib.sh"
command -v clang >/dev/null 2>&1 || skip "clang is not installed"

cat >mute.cl <<'END'
#ifdef LOUD
#define TELL(x) printf("x %d\n", x)
#else
#define TELL(x)
#endif
void helper(int x) { TELL(x); }
kernel void other(global int *x) { helper(x[0]); }
kernel void mute(global int *x) { x[0] *= 3; }
END

# compile NAME OPTIONS...: NAME.mute and NAME.loud
compile() {
	compile_name=$1
	shift
	clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -O2 "$@" mute.cl \
		-o "$compile_name.mute" 2>"$compile_name.log" &&
		clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -DLOUD "$@" mute.cl \
			-o "$compile_name.loud" 2>"$compile_name.log"
}

tell() {
	same "$1" "$1.mute never $1.loud prints" \
		"$("$BIN/tests/real/prints" mute "$1.mute" "$1.loud" | paste -s -d ' ')"
	same "$1 of another kernel" "$1.mute perhaps" "$("$BIN/tests/real/prints" none "$1.mute")"
	told=$((told + 1))
}

told=0
compile bitcode -target spir64 -emit-llvm -c || fail "clang: $(cat bitcode.log)"
tell bitcode
compile debug -target spir64 -emit-llvm -c -g && tell debug
compile plain -target spir64 -emit-llvm -c -O0 && tell plain
compile ptx -target nvptx64-nvidia-cuda -S && tell ptx
for arch in gfx803 gfx90a gfx1030; do
	compile $arch -target amdgcn-amd-amdhsa -mcpu=$arch -nogpulib || continue
	# clang 15 loses the printing of AMD's programs
	grep -q printf_buffer $arch.loud && tell $arch
done
for translator in llvm-spirv llvm-spirv-14 llvm-spirv-15; do
	command -v $translator >/dev/null 2>&1 || continue
	for what in mute loud; do
		$translator plain.$what -o spirv.$what 2>spirv.log || continue 2
	done
	tell spirv
	break
done
echo "kinds of binaries: $told"
