# SPDX-License-Identifier: MIT
# Bare machines in folders: made once, kept as archives, unpacked for each use. Sourced behind
# sources.sh. Needs root, debootstrap and a mirror; TACHO_ROOTS is where the archives are kept.

ROOTS=${TACHO_ROOTS:-$ROOT/build/roots}

# root_check: skips where such machines cannot be made.
root_check() {
	[ "$(id -u)" = 0 ] || skip "only root can make bare machines"
	command -v debootstrap >/dev/null 2>&1 || skip "debootstrap is not installed"
	unshare --mount --pid --fork true 2>/dev/null || skip "namespaces cannot be made here"
	mkdir -p "$ROOTS"
}

# The mirror of a suite, and what its Release file is signed with.
root_source() {
	case $1 in
	jammy | noble)
		echo http://archive.ubuntu.com/ubuntu
		echo /usr/share/keyrings/ubuntu-archive-keyring.gpg
		;;
	*)
		sed -n -e 's/^URIs: *\([^ ]*\/debian\)\/*$/\1/p' \
			-e 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\/debian\)\/* .*/\2/p' \
			/etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null |
			head -n 1 | grep . || echo http://deb.debian.org/debian
		echo /usr/share/keyrings/debian-archive-keyring.gpg
		;;
	esac
}

# root_make SUITE FOLDER [PACKAGE...]: a machine of a suite with these packages. Not 0: it cannot be
# made; the reason is in FOLDER.log, or in the file that root_log names.
root_make() {
	root_suite=$1 root_folder=$2 root_told=${root_log:-$2.log}
	shift 2
	root_kept=$ROOTS/$root_suite$(printf '%s' "$*" | cksum | sed 's/ .*//').tar.gz
	mkdir -p "$root_folder"
	if [ ! -e "$root_kept" ]; then
		{ read -r root_mirror && read -r root_keys; } <<EOF
$(root_source "$root_suite")
EOF
		[ -e "$root_keys" ] || {
			echo "$root_keys is not there" >"$root_told"
			return 1
		}
		# debootstrap has no script for suites that are younger than itself
		root_script=/usr/share/debootstrap/scripts/$root_suite
		[ -e "$root_script" ] || root_script=/usr/share/debootstrap/scripts/gutsy
		say "debootstrap $root_suite from $root_mirror"
		debootstrap --variant=minbase --keyring="$root_keys" \
			${1:+--include="$(echo "$*" | tr ' ' ',')"} \
			--components=main"$(root_components "$root_suite")" "$root_suite" \
			"$root_folder" "$root_mirror" "$root_script" >"$root_told" 2>&1 || return 1
		rm -rf "$root_folder"/var/cache/apt/archives/*.deb "$root_folder"/var/lib/apt/lists/*
		tar -C "$root_folder" --one-file-system -cf - . | gzip -1 >"$root_kept.new"
		mv "$root_kept.new" "$root_kept"
		return 0
	fi
	gzip -dc "$root_kept" | tar -C "$root_folder" -xpf -
}

root_components() {
	case $1 in
	jammy | noble) echo ,universe ;;
	esac
}

# root_run FOLDER COMMAND...: in the machine, as its root, with nothing of this environment.
root_run() {
	root_folder=$1
	shift
	mkdir -p "$root_folder/proc" "$root_folder/sys" "$root_folder/dev"
	cp -L /etc/resolv.conf "$root_folder/etc/resolv.conf" 2>/dev/null || true
	# shellcheck disable=SC2016 # words of the inner shell
	unshare --mount --pid --fork --kill-child --propagation private sh -c '
		root=$1
		shift
		mount -t proc proc "$root/proc"
		mount -t sysfs -o ro sysfs "$root/sys" 2>/dev/null || mount --rbind /sys "$root/sys"
		mount --rbind /dev "$root/dev"
		exec env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
			DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} \
			${https_proxy:+https_proxy="$https_proxy"} chroot "$root" "$@"' \
		sh "$root_folder" "$@"
}
