#!/bin/sh
# SPDX-License-Identifier: MIT
# A newcomer's first hour, on a bare Debian that is made for it: git clone, ./demo, ./check.
#
#	tools/fresh-check.sh [--worktree] [--suite NAME] [FOLDER]
#
# --worktree    take the files as they are here instead of the last commit
# --suite NAME  which Debian: bookworm (12) if nothing else is said
# FOLDER        make the machine there, or use the one that this script made there before (default:
#               a new folder in TMPDIR); about 5 GB are needed. Other folders that are not empty are
#               refused
#
# Needs root, debootstrap and a package mirror. The machine is a folder; /proc, /sys, /dev/pts and
# /dev/shm are mounted in it in a mount namespace of this script's own, so nothing can stay mounted.
# The machine as it is before ./demo is kept in TACHO_ROOTS=FOLDER (build/roots), and begun with the
# next time. Prints at its end how long each part took.
# Exit status: 0 all went well, 77 it cannot be done here (the reason is said), else failed.
set -eu
ROOT=$(cd "$(dirname "$0")/.." && pwd)
. "$ROOT/packaging/sources.sh"
. "$ROOT/packaging/root.sh"

MARK=.tacho-fresh-check # in the folders of this script's machines; not empty: they are complete

# What is in the folder was made here, or there is nothing: else it is somebody's.
check_folder() {
	[ -e "$1/$MARK" ] || [ -z "$(ls -A "$1" 2>/dev/null)" ] && { [ -d "$1" ] || [ ! -e "$1" ]; } && return
	echo "fresh-check: $1 is not empty and no machine of this script: name a new folder" >&2
	exit 1
}

# How this machine reaches the mirror, and names of hosts; beside what the other one has, whose keys are
# those of its own suite.
copy_network() {
	mkdir -p "$machine/etc/apt"
	for place in apt.conf apt.conf.d auth.conf auth.conf.d keyrings trusted.gpg trusted.gpg.d; do
		[ -e "/etc/apt/$place" ] || continue
		cp -RL "/etc/apt/$place" "$machine/etc/apt"
	done
	# Hooks of programs that the machine does not have would fail there.
	rm -f "$machine"/etc/apt/apt.conf.d/*packagekit "$machine"/etc/apt/apt.conf.d/*appstream
	for file in /etc/resolv.conf /etc/hosts; do
		rm -f "$machine$file"
		cp -L $file "$machine$file"
	done
	if [ -d /usr/local/share/ca-certificates ]; then
		mkdir -p "$machine/usr/local/share"
		cp -RL /usr/local/share/ca-certificates "$machine/usr/local/share/"
	fi
	if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
		mkdir -p "$machine/etc/ssl/certs"
		cp -L /etc/ssl/certs/ca-certificates.crt "$machine/etc/ssl/certs/"
	fi
}

make_machine() {
	: >"$machine/$MARK"
	root_make "$suite" "$machine" git ca-certificates || {
		tail -n 20 "$root_log"
		say "no $suite can be made"
		exit 1
	}
	copy_network
	echo "$suite" >"$machine/$MARK"
}

put_checkout() {
	rm -rf "$machine/home/new/tacho"
	mkdir -p "$machine/home/new"
	if [ "$worktree" = 1 ] || ! git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null 2>&1; then
		say "the files as they are here, not a clone"
		put_sources "$machine/home/new/tacho"
	else
		git clone -q --no-hardlinks "$ROOT" "$machine/home/new/tacho"
	fi
}

# Runs a line of shell in the machine as root, with an environment as bare as the machine.
inside() {
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin ${HTTP_PROXY:+HTTP_PROXY="$HTTP_PROXY"} \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		"$@"
}

# A command line in the checkout, timed as a part of its own.
step() {
	say "$*"
	part "$*" inside HOME=/root chroot "$machine" sh -c "cd /home/new/tacho && $*" || {
		say "failed: $* (exit status $?)"
		exit 1
	}
}

mount_machine() {
	mount -t proc proc "$machine/proc"
	mount -t sysfs -o ro sysfs "$machine/sys" 2>/dev/null || mount --rbind /sys "$machine/sys" ||
		skip "/sys cannot be mounted in the bare machine: the CPU driver needs it"
	[ -c "$machine/dev/null" ] || mount --bind /dev "$machine/dev"
	mkdir -p "$machine/dev/shm" "$machine/dev/pts"
	mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$machine/dev/pts" || true
	mount -t tmpfs -o size=64m shm "$machine/dev/shm" || true
}

# Without HOME, in sources that are mounted read-only and noexec.
demo_as_user() {
	mount --bind "$machine/home/new/tacho" "$machine/home/new/tacho"
	mount -o remount,bind,ro,noexec "$machine/home/new/tacho"
	inside TACHO_OFFLINE=1 chroot --userspec=12345:12345 "$machine" sh /home/new/tacho/demo
	umount -l "$machine/home/new/tacho"
}

doctor_without_sys() {
	umount -l "$machine/sys"
	inside HOME=/root chroot "$machine" /home/new/tacho/build/cli/tacho doctor \
		>"$own/doctor" 2>&1 || true
	grep -q '/sys' "$own/doctor" && return
	cat "$own/doctor"
	say "tacho doctor does not name the missing /sys"
	return 1
}

run_machine() {
	mount_machine
	before=$(inside chroot "$machine" dpkg-query -W | wc -l)
	step ./demo
	say "packages: $before before, $(inside chroot "$machine" dpkg-query -W | wc -l) after ./demo"
	step ./demo
	step ./check
	say "./demo as a user without HOME, in sources that are mounted read-only and noexec"
	part "user" demo_as_user
	say "doctor without /sys"
	part "doctor" doctor_without_sys
	say "all went well"
}

worktree=0
inner=0
suite=bookworm
machine=
while [ $# -gt 0 ]; do
	case $1 in
	--worktree) worktree=1 ;;
	--inner) inner=1 ;;
	--suite)
		suite=${2:?--suite needs a name}
		shift
		;;
	-*) sed -n '3,18s/^# \{0,1\}//p' "$0" && exit 2 ;;
	*) machine=$1 ;;
	esac
	shift
done

[ -z "$machine" ] || check_folder "$machine"
root_check
command -v git >/dev/null 2>&1 || skip "git is not installed"
own=${fresh_own:-$(mktemp -d "${TMPDIR:-/tmp}/tacho-fresh.XXXXXX")}
machine=${machine:-$own/machine}
tally=$own/tally
root_log=$own/log
. "$ROOT/tests/harness.sh"
if [ $inner = 1 ]; then
	parts=$fresh_parts
	trap show_parts EXIT # however it ends
	run_machine
	exit 0
fi

trap 'rm -rf "$own"' EXIT
trap 'exit 130' INT TERM
chmod 755 "$own" # its machine's users pass through it
mkdir -p "$machine"
chmod 755 "$machine" # it is the root folder of all users in it
free=$(df -Pk "$machine" | sed -n '2s/^[^ ]* *[0-9]* *[0-9]* *\([0-9]*\).*/\1/p')
[ "$free" -ge 5242880 ] || skip "$((free / 1024)) MiB are free at $machine, 5120 MiB are needed"
[ -s "$machine/$MARK" ] || part machine make_machine
part checkout put_checkout
fresh_parts=$parts fresh_own=$own unshare --mount --pid --fork --kill-child --propagation private \
	sh "$0" --inner "$machine"
