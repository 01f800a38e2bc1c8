#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# All that a program can see of itself and of OpenCL is the same when it is recorded.
. "$ROOT/tests/real/lib.sh"
need
program=$BIN/tests/real/transparent

sections="queues lists events callbacks commands native errors property references"

# 17 counters of a block with 8 slots: three passes, for which launches run three times.
counters=SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_INSTS_LDS,SQ_INSTS_BRANCH,SQ_ITEMS,SQ_WAVE_CYCLES
counters=$counters,SQ_WAIT_ANY,SQ_INSTS_SMEM,SQ_INSTS_FLAT,SQ_CYCLES,SQ_BUSY_CYCLES,SQ_WAVES_EQ_64
counters=$counters,SQ_WAVES_LT_64,SQ_INSTS_VMEM_RD,SQ_INSTS_VMEM_WR,SQ_INSTS_GDS

# Below tacho, next to the driver: else what a driver leaves in errno, of which OpenCL says nothing,
# would differ from run to run.
cat >beneath <<END
#!/bin/sh
OPENCL_LAYERS=$BIN/tests/real/errno.so\${OPENCL_LAYERS:+:\$OPENCL_LAYERS} exec "$program" "\$@"
END
chmod +x beneath


# Times that tacho hides are refused by tacho, which leaves errno as it was, 77; the driver's function
# leaves 1045.
even_errno() {
	sed -i 's/errno 1045 /errno 77 /' "$@"
}

recorded() {
	"$TACHO" export -f recording --to jsonl >/dev/null 2>&1
	grep -q clCreateContext recording.jsonl || fail "$name recorded nothing"
}

# Drivers die of some sections, or never come back; what they do before is compared all the same.
compare() {
	plain warm timeout 20 ./beneath return
	for how in $2; do
		plain "$1-$how" timeout 10 ./beneath "$how"
		[ $plain_status = 124 ] && {
			never_back "$1" "$how"
			continue
		}
		# The shell's own words are no message of the program.
		sed -i '/^\(Segmentation fault\|Aborted\|Terminated\)\( (core dumped)\)\{0,1\}$/d' \
			"$1-$how.plain-err"
		for via in $3; do
			name=$1-$how-$via
			"$TACHO" record -q --via "$via" -f -o recording -- ./beneath "$how" \
				>"$name.out" 2>"$name.err" </dev/null
			same "status of $name" $plain_status $?
			even_errno "$1-$how.plain" "$name.out"
			same_file "output of $name" "$1-$how.plain" "$name.out"
			# A driver that calls itself until its stack ends has too many calls for tacho.
			[ $plain_status = 139 ] &&
				sed -i '/^tacho: warning: lost: .* calls were not recorded/d' "$name.err"
			same_file "messages of $name" "$1-$how.plain-err" "$name.err"
			recorded
		done
		compared=$((compared + 1))
	done
}

# The driver never comes back, and goes on when it is recorded: it does not die.
never_back() {
	name=$1-$2-layer
	timeout 10 "$TACHO" record -q -f -o recording -- ./beneath "$2" >"$name.out" 2>"$name.err" \
		</dev/null
	same "status of $name, which never comes back" 124 $?
	even_errno "$1-$2.plain" "$name.out"
	same_file "output of $name" "$1-$2.plain" "$name.out"
	recorded
}

# What it reads of queues, events and references, while its launches are counted.
compare_counted() {
	for section in $2; do
		plain "$1-$section" timeout 20 "$program" "$section"
		for options in "kernel -m $counters" "none -m SQ_WAVES"; do
			name=$1-$section-${options%% *}
			# shellcheck disable=SC2086 # words
			"$TACHO" record -q -f -o recording --sim mi300x --replay $options -- "$program" \
				"$section" >"$name.out" 2>"$name.err" </dev/null
			same "status of $name" $plain_status $?
			# its events keep what they waited for, and so gates (docs/holding.md)
			[ "$name" = rusticl-references-none ] &&
				sed -i 's/ context [0-9]*//' "$1-$section.plain" "$name.out"
			same_file "output of $name" "$1-$section.plain" "$name.out"
			"$TACHO" export -f recording --to jsonl >/dev/null 2>&1
			grep -q '"SQ_WAVES": {[^}]*"ok"' recording.jsonl || fail "$name counted nothing"
		done
	done
}

compare_driver() {
	compared=0
	case $1 in
	pocl) compare_counted pocl "queues callbacks commands references" ;;
	*) compare_counted "$1" references ;;
	esac
	case $1-$long in
	pocl-*) compare pocl "all property return exit _exit quick_exit abort signal" "layer preload" ;;
	*-0) compare "$1" "queues errors references" layer ;;
	*) compare "$1" "$sections return _exit abort" layer ;;
	esac
	[ $compared -ge 2 ] || fail "only $compared runs were compared on $1"
}

each_driver compare_driver
