#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 300
# Kernels that print, in programs of every origin, are not run again for further passes: each line
# comes once. Those that do not print are, so that all their counters have values.
. "$ROOT/tests/real/lib.sh"
need python3

# 17 counters of a block with 8 slots: three passes.
counters=SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_INSTS_LDS,SQ_INSTS_BRANCH,SQ_ITEMS,SQ_WAVE_CYCLES
counters=$counters,SQ_WAIT_ANY,SQ_INSTS_SMEM,SQ_INSTS_FLAT,SQ_CYCLES,SQ_BUSY_CYCLES,SQ_WAVES_EQ_64
counters=$counters,SQ_WAVES_LT_64,SQ_INSTS_VMEM_RD,SQ_INSTS_VMEM_WR,SQ_INSTS_GDS

# passes NAME: the kernels with their launches, by how many passes they were counted in.
passes() {
	python3 - "$1.jsonl" <<'END'
import collections, json, sys
launches = collections.Counter()
for line in open(sys.argv[1]):
    call = json.loads(line)
    if call["schema"] != "tacho.call/1" or not call["command"]:
        continue
    if call["command"]["kind"] == "kernel":
        values, note = call["values"].values(), call.get("values_note", "")
        ok = sum(value["state"] == "ok" for value in values)
        how = "all" if ok == len(values) else "one"
        assert ok and (how == "all" and not note or how == "one" and "may print" in note), call
        launches[call["command"]["kernel"]["name"] + "=" + how] += 1
print(" ".join(f"{count}*{name}" for name, count in sorted(launches.items())))
END
}

# compare NAME MUTE COMMAND...: it prints the same when it is counted, and its mute kernel was
# launched and counted so often.
compare() {
	compare_name=$1 compare_mute=$2
	shift 2
	plain "$compare_name" "$@"
	[ $plain_status = 77 ] && {
		echo "$compare_name: left out: $(cat "$compare_name.plain-err")"
		return 0
	}
	same "$compare_name: exit status of the plain run" 0 $plain_status
	same "$compare_name: printed lines" 3 "$(grep -c '^loud [0-9]*$' "$compare_name.plain")"
	record_options="--sim mi300x --replay kernel -m $counters"
	record "$compare_name" "$@"
	same "$compare_name: exit status" 0 "$record_status"
	same_file "$compare_name: output" "$compare_name.plain" "$compare_name.out"
	same "$compare_name: launches and passes" "3*loud=one $compare_mute" \
		"$(passes "$compare_name")"
}

try_ways() {
	for way in source option glue file header library binary; do
		compare "$1-$way" "6*mute=all" "$BIN/tests/real/print_cl" 0 "$way" "$WORK"
	done
}

(each_driver try_ways) || exit

# The command that counts only.
plain stat "$BIN/tests/real/print_cl" "$driver_platform" binary
"$TACHO" stat --sim mi300x --replay kernel -m "$counters" -- "$BIN/tests/real/print_cl" \
	"$driver_platform" binary >stat.out 2>stat.err || fail "tacho stat: $(tail -n 5 stat.err)"
same_file "stat: output" stat.plain stat.out
tr -s ' \n' ' ' <stat.err | grep -q '3 launches .*(loud): it may print' ||
	fail "tacho stat does not say why: $(cat stat.err)"

if /usr/bin/python3 -c 'import pyopencl' 2>/dev/null; then
	export PYOPENCL_CTX="$driver_platform" XDG_CACHE_HOME="$WORK/cache"
	plain pyopencl-first /usr/bin/python3 "$ROOT/tests/real/print.py"
	compare pyopencl "3*mute=all" /usr/bin/python3 "$ROOT/tests/real/print.py"
	# newer ones keep none of PoCL's
	if find "$XDG_CACHE_HOME" -name binary 2>/dev/null | grep -q .; then
		same "programs that pyopencl had in its cache" 2 \
			"$(calls pyopencl clCreateProgramWithBinary)"
	else
		echo "pyopencl keeps no programs of this driver: its cache is left out"
	fi
else
	echo "python3-pyopencl is not installed: left out"
fi
exit 0
