#!/bin/sh
# SPDX-License-Identifier: MIT
# rocprofiler_tools.sh HOST OWN-HOST TOOL-A TOOL-B NO-TOOL REAL: tools are found wherever they are,
# each once, in the order that AMD's library has, and finalized once; nothing that goes wrong with
# one ends the program.
set -u
LC_ALL=C
export LC_ALL
host=$1
own=$2
a=$3
b=$4
no_tool=$5
real=$6
sanitized=$(readelf -d "$host" | grep -E 'lib(a|t|ub)san')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset ROCP_TOOL_LIBRARIES ROCPROFILER_LOG_LEVEL ROCPROFILER_LIBRARY_CTOR TACHO_ROCPROFILER_REAL

# fail TEXT: also from within a pipe
fail() {
	echo "FAIL: $(cat "$work/name") $1"
	cat "$work/errors"
	: >"$work/failed"
}

# expect NAME ASSIGNMENT... COMMAND...: what is printed is what comes on standard input, and the
# program ends with 0
expect() {
	echo "$1" >"$work/name"
	shift
	cat >"$work/expected"
	env "$@" >"$work/printed" 2>"$work/errors"
	status=$?
	cmp -s "$work/expected" "$work/printed" || {
		diff "$work/expected" "$work/printed"
		fail "prints something else (< expected, > printed):"
	}
	[ "$status" = 0 ] || fail "ends with $status:"
}

# quiet: nothing was said on standard error
quiet() {
	[ ! -s "$work/errors" ] || fail "is not quiet:"
}

# says TEXT: it was said
says() {
	grep -qF -- "$1" "$work/errors" || fail "does not say \"$1\" but:"
}

ok=ROCPROFILER_STATUS_SUCCESS
locked=ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED
configured() {
	echo "$1 configure: 10000 \"1.0.0\" priority $2, id of 24 bytes, create_context $locked"
}
initialized() {
	echo "$1 initialize: data ours, initialized -1, create_context $ok"
}
# finalized NAME IS-FINALIZED: -1 for the last
finalized() {
	echo "$1 finalize: context active 0, finalized $2"
}

{
	echo "initialized 0, finalized 0"
	configured A 0
	configured B 1
	initialized A
	initialized B
	echo "table: 0"
	echo "initialized 1, finalized 0"
	echo "create: $locked"
	echo "force: $locked"
	echo "table: 0"
	echo "end of main"
	finalized A 0
	finalized B -1
} | expect "two tools" ROCP_TOOL_LIBRARIES="$a:$b::$a" "$host" state table state create force table
quiet

{
	configured B 0
	initialized B
	echo "table: 0"
	echo "end of main"
	finalized B -1
} | expect "paths that are no tools" ROCP_TOOL_LIBRARIES="/nowhere/libtool.so:$no_tool:$b" \
	"$host" table
quiet
{
	configured B 0
	initialized B
	echo "table: 0"
	echo "end of main"
	finalized B -1
} | expect "errors that are asked for" ROCPROFILER_LOG_LEVEL=error \
	ROCP_TOOL_LIBRARIES="/nowhere/libtool.so:$no_tool:$b" "$host" table
says "/nowhere/libtool.so: cannot open shared object file"
says "$no_tool has no rocprofiler_configure(): it is not a tool"

{
	configured A 0
	echo "A does not want to run"
	configured B 1
	initialized B
	echo "table: 0"
	echo "end of main"
	finalized B -1
} | expect "a tool that does not want" TOOL_A=refuse ROCP_TOOL_LIBRARIES="$a:$b" "$host" table

{
	configured A 0
	configured B 1
	initialized A
	initialized B
	echo "table: 0"
	echo "its context is valid: 0"
	echo "its context is valid: 1"
	echo "end of main"
	finalized B -1
} | expect "a tool that fails" TOOL_A=fail ROCP_TOOL_LIBRARIES="$a:$b" "$host" table "$a" "$b"

{
	echo "host configure: priority 0"
	configured A 1
	echo "host initialize"
	initialized A
	echo "force: $ok"
	echo "host finalize"
	echo "initialized 1, finalized 0"
	echo "end of main"
	finalized A -1
} | expect "a tool that is forced, and finalized early" ROCP_TOOL_LIBRARIES="$a" "$host" force \
	finalize finalize state
{
	echo "host configure: priority 0"
	echo "host initialize"
	echo "force: $ok"
	echo "host finalize"
	echo "initialized 1, finalized 1"
	echo "force: $locked"
	echo "end of main"
} | expect "the only tool, finalized early" "$host" force finalize state force-null

{
	echo "host configure: priority 0"
	echo "host initialize"
	echo "force: $ok"
	echo "end of main"
	echo "host finalize"
} | expect "a program that is a tool" "$own" force-null
{
	echo "host configure: priority 0"
	echo "host initialize"
	echo "table: 0"
	echo "end of main"
	echo "host finalize"
} | expect "a program that is a tool, when a runtime loads" "$own" table

# Sanitizers want to be the first library.
[ "$sanitized" ] || {
	configured A 0
	configured B 1
	initialized A
	initialized B
	echo "table: 0"
	echo "end of main"
	finalized A 0
	finalized B -1
} | expect "tools that were loaded before" LD_PRELOAD="$a $b" "$host" table

{
	echo "force: $ok"
	echo "initialized 1, finalized 0"
	echo "end of main"
} | expect "no tool at all" "$host" force-null state

{
	configured A 0
	initialized A
	echo "end of main"
	finalized A -1
} | expect "tools before main" ROCPROFILER_LIBRARY_CTOR=1 ROCP_TOOL_LIBRARIES="$a" "$host"
{
	echo "end of main"
} | expect "no tools before main" ROCPROFILER_LIBRARY_CTOR=0 ROCP_TOOL_LIBRARIES="$a" "$host"

{
	configured A 0
	initialized A
	echo "table: 0"
	echo "child exits with 7"
	echo "end of main"
	finalized A -1
} | expect "a child that is forked" ROCP_TOOL_LIBRARIES="$a" "$host" table fork

# Sanitizers allow no RTLD_DEEPBIND: the library finds tacho's function there.
version=9.8.7
[ "$sanitized" ] && version=1.0.0
{
	echo "real: hsa 10000 0, 1 tables; it is $version"
	echo "table: 42"
	echo "end of main"
} | expect "AMD's library" TACHO_ROCPROFILER_REAL="$real" "$host" table
quiet
# It would configure them once more.
{
	configured A 0
	initialized A
	echo "table: 0"
	echo "end of main"
	finalized A -1
} | expect "AMD's library, with a tool" ROCP_TOOL_LIBRARIES="$a" TACHO_ROCPROFILER_REAL="$real" \
	"$host" table
quiet
{
	echo "table: 0"
	echo "end of main"
} | expect "AMD's library, gone" ROCPROFILER_LOG_LEVEL=error \
	TACHO_ROCPROFILER_REAL=/nowhere/librocprofiler-sdk.so.1 "$host" table
says "TACHO_ROCPROFILER_REAL: /nowhere/librocprofiler-sdk.so.1: cannot open"
[ ! -e "$work/failed" ]
