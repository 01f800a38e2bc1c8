#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 60
# What ./demo says and looks at before it fetches packages: the machine is a folder of commands
# where the tools that build are missing, and apt-get notes that it was called.
set -u
cd "$WORK" || exit 1

fail() {
	echo "FAIL: $*"
	sed 's/^/  said: /' "$WORK/out"
	exit 1
}

rm -rf bin calls place
mkdir bin place
for tool in sh awk cat chmod cksum cut date df dirname env grep head id ln ls mkdir mktemp nproc rm \
	sed sleep sort tail timeout tr uname; do
	ln -s "$(command -v $tool)" "bin/$tool"
done
printf '#!/bin/sh\necho "$*" >>"%s/calls"\nexit 1\n' "$WORK" >bin/apt-get
cp bin/apt-get bin/apt-cache
chmod +x bin/apt-get bin/apt-cache

# run_demo STATUS VAR=VALUE...
run_demo() {
	wanted_status=$1
	shift
	rm -f calls
	env -i PATH="$WORK/bin" TMPDIR="$WORK" BUILD="$WORK/place" "$@" sh "$ROOT/demo" >out 2>&1 </dev/null
	demo_status=$?
	[ $demo_status = "$wanted_status" ] || fail "status $demo_status, not $wanted_status: $*"
}

expect() {
	tr -s ' \n' ' ' <out | grep -q -e "$1" || fail "expected to read: $1"
}

# Without /sys nothing is fetched.
mkdir -p bare/proc/self
: >bare/proc/self/stat
run_demo 1 outlook_root="$WORK/bare"
expect 'demo: takes about [0-9]* minutes on a quiet machine with two CPUs'
expect 'their size is told before they are fetched'
expect '/sys is not mounted'
expect 'nothing was downloaded'
[ ! -e calls ] || fail "apt was called: $(cat calls)"
rm -rf bare/proc
run_demo 1 outlook_root="$WORK/bare"
expect '/proc is not mounted'
[ ! -e calls ] || fail "apt was called: $(cat calls)"

# Nor where nothing can be built: a file in the way.
: >file
run_demo 1 BUILD="$WORK/file"
expect 'BUILD=.* cannot be used'
[ ! -e calls ] || fail "apt was called: $(cat calls)"

# Nor without room.
rm bin/df
printf '#!/bin/sh\necho "Filesystem 1024-blocks Used Available"\necho "disk 1000 900 100 90%% /"\n' >bin/df
chmod +x bin/df
run_demo 1
expect 'not enough disk space for ./demo'
[ ! -e calls ] || fail "apt was called: $(cat calls)"

# Where all is well it comes to the packages.
rm bin/df
ln -s "$(command -v df)" bin/df
run_demo 1
expect 'these packages are missing'
echo "demo looks first"
