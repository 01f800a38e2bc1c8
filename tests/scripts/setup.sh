#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/setup.sh on machines that lack something: what it says, and that it changes nothing it
# should not. The machine is a folder of commands: PATH holds that folder and nothing else.
set -u

fail() {
	echo "FAIL: $*"
	sed 's/^/  said: /' "$WORK/out"
	sed 's/^/  called: /' "$WORK/calls"
	exit 1
}

# A machine with a shell, coreutils, sed and grep, where two packages are missing.
new_machine() {
	rm -rf "$WORK/bin" "$WORK/root"
	mkdir -p "$WORK/bin" "$WORK/root/tools"
	: >"$WORK/calls"
	for tool in sh cat chmod cut dirname df env find grep head id ln mkdir mktemp rm sed sleep tail \
		timeout tr; do
		ln -s "$(command -v $tool)" "$WORK/bin/$tool"
	done
	cat >"$WORK/root/tools/packages.txt" <<-'END'
		# comment
		build cmd:tacho-no-such-tool,cmd:nor-this apt-one dnf-one pacman-one zypper-one apk-one for one thing
		build cmd:sh apt-sh dnf-sh pacman-sh zypper-sh apk-sh a shell
		check cmd:tacho-other-tool apt-old/apt-new - pacman-other - apk-other for another
	END
}

# Puts a command into the machine that notes its arguments and then does what stdin says.
add_command() {
	{
		echo '#!/bin/sh'
		echo "echo \"$1 \$*\" >>'$WORK/calls'"
		cat
	} >"$WORK/new"
	rm -f "$WORK/bin/$1"
	mv "$WORK/new" "$WORK/bin/$1"
	chmod +x "$WORK/bin/$1"
}

# apt of a machine whose mirror has apt-one and apt-new; install makes the tools appear.
add_apt() {
	add_command dpkg </dev/null
	add_command apt-cache <<-'END'
		echo "$2:"
		case $2 in
		apt-one | apt-new) echo "  Candidate: 1.0" ;;
		*) echo "  Candidate: (none)" ;;
		esac
	END
	add_command apt-get <<-END
		echo "environment \$DEBIAN_FRONTEND \$NEEDRESTART_MODE" >>'$WORK/calls'
		case "\$*" in
		*--assume-no*)
			echo "Need to get ${1:-1.5 MB} of archives."
			echo "After this operation, ${2:-3,000 kB} of additional disk space will be used." ;;
		*-y*install*)
			ln -s /bin/true '$WORK/bin/tacho-no-such-tool'
			ln -s /bin/true '$WORK/bin/tacho-other-tool' ;;
		esac
	END
}

# Says that the user is not root.
add_plain_user() {
	add_command id <<-'END'
		echo 1000
	END
}

# run_setup STATUS VAR=VALUE...: what it said is in WORK/out.
run_setup() {
	wanted_status=$1
	shift
	env -i PATH="$WORK/bin" ROOT="$WORK/root" TMPDIR="$WORK" "$@" sh -c \
		". '$ROOT/tools/setup.sh'; setup_packages build check; s=\$?
		 echo \"missing=[\$setup_missing]\"; exit \$s" >"$WORK/out" 2>&1 </dev/null
	status=$?
	[ $status = "$wanted_status" ] || fail "status $status instead of $wanted_status"
}

expect() {
	grep -q -e "$1" "$WORK/out" || fail "expected to read: $1"
}

expect_call() {
	grep -q -e "$1" "$WORK/calls" || fail "expected the call: $1"
}

expect_no_call() {
	if grep -q -e "$1" "$WORK/calls"; then
		fail "there must be no call of: $1"
	fi
}

# Everything is there: not a word, no call.
new_machine
add_apt
ln -s /bin/true "$WORK/bin/nor-this"
ln -s /bin/true "$WORK/bin/tacho-other-tool"
run_setup 0
[ "$(cat "$WORK/out")" = "missing=[]" ] || fail "it spoke although all is there"
expect_no_call apt

# Another distribution: names for five package managers.
new_machine
run_setup 1
expect 'apt: *apt-one apt-old$'
expect 'dnf: *dnf-one$'
expect 'pacman: pacman-one pacman-other$'
expect 'zypper: zypper-one$'
expect 'apk: *apk-one apk-other$'
expect 'for one thing'

# Root with apt: says what and why, asks apt in the agreed way, takes the name that exists.
new_machine
add_apt
[ "$(id -u)" = 0 ] || add_command sudo <<-'END'
	[ "$1" = -n ] && shift
	exec "$@"
END
run_setup 0
expect 'apt-one (for one thing)'
expect 'download 1.5 MB, on disk 3,000 kB'
expect 'missing=\[\]'
expect_call '^environment noninteractive a$'
expect_call '-y -o DPkg::Lock::Timeout=120 .*install --no-install-recommends apt-one apt-new$'

# What apt has no package for is asked for once a day, not each time; what must be there, always.
new_machine
add_apt
mkdir -p "$WORK/build"
rm -f "$WORK/build/apt-lacks"
sed -i '$s| apt-old/apt-new | apt-gone |' "$WORK/root/tools/packages.txt"
[ "$(id -u)" = 0 ] || add_command sudo <<-'END'
	[ "$1" = -n ] && shift
	exec "$@"
END
add_command apt-get <<-END
	case "\$*" in
	*-y*install*) ln -sf /bin/true '$WORK/bin/tacho-no-such-tool' ;;
	esac
END
run_setup 0 BUILD="$WORK/build"
expect 'apt knows no package of this name: apt-gone'
expect_call 'apt-get .*update'
: >"$WORK/calls"
run_setup 0 BUILD="$WORK/build"
expect 'going on without: apt-gone'
expect_no_call apt
touch -d '2 days ago' "$WORK/build/apt-lacks"
run_setup 0 BUILD="$WORK/build"
expect_call 'apt-get .*update'
rm "$WORK/bin/tacho-no-such-tool"
: >"$WORK/calls"
run_setup 0 BUILD="$WORK/build"
expect_call 'apt-get .*update'

# Lists that could not be fetched say nothing about what there is: asked again.
rm "$WORK/build/apt-lacks"
add_command apt-get <<-'END'
	case "$*" in
	*update*) exit 100 ;;
	esac
END
run_setup 0 BUILD="$WORK/build"
expect 'apt-get update failed'
[ ! -e "$WORK/build/apt-lacks" ] || fail "it takes old lists for what there is"

# A disk that is too small: the numbers, and no installation.
new_machine
add_apt "4.4 GB" "9999 GB"
run_setup 1
expect 'MiB are needed'
expect_no_call '-y.*install'

# Offline on request: no call at all.
new_machine
add_apt
run_setup 1 TACHO_OFFLINE=1
expect 'TACHO_OFFLINE=1'
expect 'cannot go on without: apt-one'
expect_no_call apt

# Only what may be missing is missing: goes on and says so.
new_machine
add_apt
ln -s /bin/true "$WORK/bin/nor-this"
run_setup 0 TACHO_OFFLINE=1
expect 'going on without: apt-old'
expect 'missing=\[apt-old\]'

# A plain user without sudo: the one command for the administrator.
new_machine
add_apt
add_plain_user
run_setup 1
expect '^  apt-get update && apt-get install --no-install-recommends apt-one apt-old$'
expect_no_call apt-get

# A plain user whose sudo wants a password, without a terminal: it is not asked.
new_machine
add_apt
add_plain_user
add_command sudo <<-'END'
	[ "$1" = -n ] && exit 1
	exec sleep 1000
END
run_setup 1
expect 'no sudo that works without asking'
expect_no_call apt-get

# A mirror that cannot be reached.
new_machine
add_apt
add_command apt-get <<-'END'
	case "$*" in
	*-y*install*) echo "E: Failed to fetch http://mirror/apt-one.deb"; exit 100 ;;
	esac
END
[ "$(id -u)" = 0 ] || add_command sudo <<-'END'
	[ "$1" = -n ] && shift
	exec "$@"
END
run_setup 1
expect 'failed with status 100'
expect 'reaches its package mirror'
expect 'cannot go on without: apt-one'

# An apt that hangs.
new_machine
add_apt
add_command apt-get <<-'END'
	case "$*" in
	*-y*install*) sleep 60 ;;
	esac
END
[ "$(id -u)" = 0 ] || add_command sudo <<-'END'
	[ "$1" = -n ] && shift
	exec "$@"
END
run_setup 1 TACHO_SETUP_TIMEOUT=1
expect 'took longer than 1 s'

echo "all machines behaved"
