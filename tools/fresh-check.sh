#!/bin/sh
# SPDX-License-Identifier: MIT
# A newcomer's first hour, on a bare Debian 12 that is made for it: git clone, ./demo, ./check.
#
#	tools/fresh-check.sh [--worktree] [FOLDER]
#
# --worktree  take the files as they are here instead of the last commit
# FOLDER      make the machine there (default: a new folder in TMPDIR); about 5 GB are needed
#
# Needs root, debootstrap and a package mirror. The machine is a folder; /proc, /sys, /dev/pts and
# /dev/shm are mounted in it in a mount namespace of this script's own, so nothing can stay mounted.
# Exit status: 0 all went well, 77 it cannot be done here (the reason is said), else failed.
set -eu
ROOT=$(cd "$(dirname "$0")/.." && pwd)

say() {
	printf 'fresh-check: %s\n' "$*"
}

skip() {
	printf 'SKIP: %s\n' "$*"
	exit 77
}

# Into the machine: package sources, keys, proxy, names of hosts.
copy_network() {
	mkdir -p "$machine/etc/apt"
	for part in apt.conf apt.conf.d auth.conf auth.conf.d keyrings sources.list sources.list.d \
		preferences.d trusted.gpg trusted.gpg.d; do
		[ -e "/etc/apt/$part" ] || continue
		rm -rf "${machine:?}/etc/apt/$part"
		cp -RL "/etc/apt/$part" "$machine/etc/apt/$part"
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

mirror_of_this_machine() {
	sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' -e 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' \
		/etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -n 1
}

make_machine() {
	mirror=$(mirror_of_this_machine)
	say "debootstrap bookworm from ${mirror:-the default mirror}"
	debootstrap --variant=minbase --include=git,ca-certificates bookworm "$machine" \
		${mirror:+"$mirror"} >"$machine.log" 2>&1 || {
		tail -n 20 "$machine.log"
		say "debootstrap failed; all of it: $machine.log"
		exit 1
	}
	copy_network
}

put_sources() {
	mkdir -p "$machine/home/new"
	if [ "$worktree" = 1 ] || ! git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null 2>&1; then
		say "the files as they are here, not a clone"
		mkdir "$machine/home/new/tacho"
		(cd "$ROOT" && git ls-files -z --cached --others --exclude-standard |
			tar --null -T - -cf -) | tar -xf - -C "$machine/home/new/tacho"
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

step() {
	say "$*"
	inside HOME=/root chroot "$machine" sh -c "cd /home/new/tacho && $*" || {
		say "failed: $* (exit status $?)"
		exit 1
	}
}

run_machine() {
	mount -t proc proc "$machine/proc"
	mount -t sysfs -o ro sysfs "$machine/sys" 2>/dev/null || mount --rbind /sys "$machine/sys" ||
		skip "/sys cannot be mounted in the bare machine: the CPU driver needs it"
	mkdir -p "$machine/dev/shm" "$machine/dev/pts"
	mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$machine/dev/pts" || true
	mount -t tmpfs -o size=64m shm "$machine/dev/shm" || true
	[ -c "$machine/dev/null" ] || mount --bind /dev "$machine/dev"
	before=$(inside chroot "$machine" dpkg-query -W | wc -l)
	step ./demo
	say "packages: $before before, $(inside chroot "$machine" dpkg-query -W | wc -l) after ./demo"
	step ./demo
	step ./check
	say "./demo as a user without HOME, in sources that are mounted read-only and noexec"
	mount --bind "$machine/home/new/tacho" "$machine/home/new/tacho"
	mount -o remount,bind,ro,noexec "$machine/home/new/tacho"
	inside TACHO_OFFLINE=1 chroot --userspec=12345:12345 "$machine" sh /home/new/tacho/demo
	umount -l "$machine/home/new/tacho"
	say "doctor without /sys"
	umount -l "$machine/sys"
	inside HOME=/root chroot "$machine" /home/new/tacho/build/cli/tacho doctor \
		>"$machine.doctor" 2>&1 || true
	grep -q '/sys' "$machine.doctor" || {
		cat "$machine.doctor"
		say "tacho doctor does not name the missing /sys"
		exit 1
	}
	say "all went well"
}

worktree=0
inner=0
machine=
for argument; do
	case $argument in
	--worktree) worktree=1 ;;
	--inner) inner=1 ;;
	-*) sed -n '3,12s/^# \{0,1\}//p' "$0" && exit 2 ;;
	*) machine=$argument ;;
	esac
done

[ "$(id -u)" = 0 ] || skip "fresh-check needs root to make a bare machine"
command -v debootstrap >/dev/null 2>&1 || skip "debootstrap is not installed"
command -v git >/dev/null 2>&1 || skip "git is not installed"
if [ $inner = 1 ]; then
	run_machine
	exit 0
fi
unshare --mount --pid --fork true 2>/dev/null || skip "namespaces cannot be made here"

if [ -z "$machine" ]; then
	machine=$(mktemp -d "${TMPDIR:-/tmp}/tacho-fresh.XXXXXX")
	trap 'rm -rf "$machine" "$machine.log" "$machine.doctor"' EXIT
fi
trap 'exit 130' INT TERM
mkdir -p "$machine"
chmod 755 "$machine" # it is the root folder of all users in it; mktemp makes it root's alone
free=$(df -Pk "$machine" | sed -n '2s/^[^ ]* *[0-9]* *[0-9]* *\([0-9]*\).*/\1/p')
[ "$free" -ge 5242880 ] || skip "$((free / 1024)) MiB are free at $machine, 5120 MiB are needed"
[ -e "$machine/etc/debian_version" ] || make_machine
rm -rf "$machine/home/new/tacho"
put_sources
unshare --mount --pid --fork --kill-child --propagation private sh "$0" --inner "$machine"
