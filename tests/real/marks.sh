#!/bin/sh
# SPDX-License-Identifier: MIT
# Ranges that programs name through NVTX, ITT and ROCTX: what the APIs return, what stands in the
# recording, and that nothing happens outside of one.
. "$ROOT/tests/real/lib.sh"
program="$BIN/tests/real/name_ranges"
marks="$BIN/src/inject/marks/libtacho-marks.so"

# Without a recording no library takes part, whatever the variables say.
"$program" nvtx >none.out
same "nvtx of nobody" "nvtx: 0" "$(cat none.out)"
NVTX_INJECTION64_PATH=$marks "$program" nvtx >none.out
same "nvtx outside of a recording" "nvtx: 0" "$(cat none.out)"
INTEL_LIBITTNOTIFY64=$marks "$program" itt >none.out
same "itt outside of a recording" "itt: 0" "$(cat none.out)"

ranges nvtx "$program" nvtx
cat >nvtx.returns <<'END'
nvtx: 1
push: 0
push: 1
pop: 1
pop: 0
pop: -1
numbers: 1
push: 0
pop: 0
the same domain: 1
push: 0
push: 1
push: 0
push: 0
pop: 1
pop: 0
pop: 0
pop: -1
pop: 0
END
same_file "what NVTX returns" nvtx.returns nvtx.out
long_name=$(printf '%255s' '' | tr ' ' n)
expect nvtx <<END
nvtx mark "" ""
nvtx mark "" ""
nvtx mark "" ""
nvtx mark "" ""
nvtx mark "" ""
nvtx mark "" "here"
nvtx mark "" "$long_name"
nvtx mark "" "wide € 𝄞"
nvtx mark "library" "registered"
nvtx nested "" "colored" in "" #ff336699
nvtx nested "" "größer" in "outer"
nvtx nested "" "in a domain" in ""
nvtx nested "" "outer" in ""
nvtx nested "library" "in a domain" in ""
nvtx nested "library" "registered" in "in a domain"
nvtx nested "übrige" "weit" in ""
nvtx process "" "first"
nvtx process "" "second"
nvtx process "library" "in a domain"
END

ranges older "$program" older
same "functions that an older NVTX lacks" "behind its end: 0" "$(tail -n 1 older.out)"

ranges itt "$program" itt
cat >itt.returns <<'END'
itt: 1
the same: 1 1
on: 1, work, task
event: 1
mark: 0, none: 1
others: 0
END
same_file "what ITT returns" itt.returns itt.out
expect itt <<'END'
itt mark "" "mark"
itt mark "work" "marker"
itt nested "early" "early task" in ""
itt nested "work" "0x1234" in "task"
itt nested "work" "task" in ""
itt process "" "event"
itt process "work" "goes"
itt process "work" "region"
itt process "work" "stays" open
itt process "work" "task"
itt process "work" "task"
itt process "work" "work"
END

ranges threads "$program" threads 8
same "threads with 1000 ranges through each API" 16 "$(sort threads.list | uniq -c |
	awk '$1 == 1000 { n++ } END { print n + 0 }')"
same "others" 16 "$(sort -u threads.list | wc -l)"

ranges names "$program" names
# what the kernel calls the second may not have been read before it ended
"$BIN/tests/real/list_ranges" names threads | sed 's/ on "name_ranges"/ on ""/' >names.list
expect names <<'END'
nvtx nested "" "first" in "" on "größer"
nvtx nested "" "second" in "" on ""
nvtx nested "" "third" in "" on "by ITT"
END

ranges child "$program" child
expect child <<'END'
nvtx nested "" "before" in ""
nvtx nested "" "in the child" in ""
END

# With --no-follow children keep their variables, and are not recorded.
"$TACHO" record -f --no-follow -o alone -- sh -c "$program nvtx; :" >alone.out 2>alone.err
same "ranges of a child that is not followed" "" "$("$BIN/tests/real/list_ranges" alone)"
same "what the child returns" "$(cat nvtx.returns)" "$(cat alone.out)" >/dev/null

# What the user set stays, and is told; set to nothing it is not even told.
for variable in NVTX_INJECTION64_PATH INTEL_LIBITTNOTIFY64; do
	env $variable=/nowhere/theirs.so "$TACHO" record -f -o theirs -- \
		sh -c "echo \$$variable" >theirs.out 2>theirs.err
	same "$variable of the user" /nowhere/theirs.so "$(cat theirs.out)"
	grep -q "$variable is set, to /nowhere/theirs.so: unset it" theirs.err ||
		fail "not told: $(cat theirs.err)"
	env $variable= "$TACHO" record -f -o theirs -- "$program" nvtx >theirs.out 2>theirs.err
	! grep -q "$variable" theirs.err || fail "told: $(cat theirs.err)"
done
same "nvtx, recorded by another tacho" "nvtx: 1" "$(NVTX_INJECTION64_PATH=/other/libtacho-marks.so \
	"$TACHO" record -f -o theirs -- "$program" nvtx 2>/dev/null | head -n 1)"

# ROCTX: the library that the program is linked with is called as before.
LD_LIBRARY_PATH=$BIN/tests/real
export LD_LIBRARY_PATH
for way in "$BIN/tests/real/name_roctx" "$BIN/tests/real/load_library $BIN/tests/real/libroctx_user.so"; do
	# shellcheck disable=SC2086 # words
	$way >roctx.plain || fail "$way"
	grep -q 'push: 101' roctx.plain || fail "$way did not reach its library: $(cat roctx.plain)"
	# shellcheck disable=SC2086 # words
	ranges roctx $way
	same_file "what ROCTX returns" roctx.plain roctx.out
	"$BIN/tests/real/list_ranges" roctx threads >roctx.list
	expect roctx <<'END'
roctx mark "" "here" on "by ROCTX"
roctx nested "" "inner" in "outer" on "by ROCTX"
roctx nested "" "outer" in "" on "by ROCTX"
roctx process "" "first" on "by ROCTX"
roctx process "" "second" on "by ROCTX"
END
done
unset LD_LIBRARY_PATH

# A program that names ranges and calls nothing else is no puzzle.
"$TACHO" record -f -o alone -- "$program" names threads >alone.out 2>alone.err
grep -q 'the program named 3 ranges, and made no call that tacho records' alone.err ||
	fail "ranges alone: $(cat alone.err)"
"$TACHO" report alone >alone.report
grep -q 'no calls  *the program named 3 ranges' alone.report || fail "$(cat alone.report)"

# The doctor says who listens.
"$TACHO" doctor nvtx itt >doctor.out || fail "the doctor ended with $?: $(cat doctor.out)"
same "libraries that the doctor finds" 2 "$(grep -c libtacho-marks.so doctor.out)"
NVTX_INJECTION64_PATH=/nowhere/theirs.so "$TACHO" doctor nvtx >doctor.out
grep -q 'cure: *unset NVTX_INJECTION64_PATH' doctor.out || fail "the doctor: $(cat doctor.out)"
