# SPDX-License-Identifier: MIT
# Packages that ./demo and ./check need: finds out what is missing, says so, installs it.
#
#	. tools/setup.sh
#	setup_packages "build demo" "check"	# uses that must be there, uses that may be
#
# Returns 0 when all that must be there is there, 1 otherwise; what is missing was said then.
# setup_missing then holds the packages that are still missing, for whoever skips something.
# POSIX sh, coreutils, find, sed and grep only. Nothing is changed before it was said.
#
# BUILD=FOLDER           keeps there, for a day, what apt has no package for
# TACHO_OFFLINE=1        install nothing
# TACHO_SETUP_TIMEOUT=N  seconds that apt may take, 1800

setup_say() {
	printf '%s\n' "$*" >&2
}

# Is one of the comma-separated alternatives there? See packages.txt.
setup_seen() {
	setup_rest=$1,
	while [ -n "$setup_rest" ]; do
		setup_one=${setup_rest%%,*}
		setup_rest=${setup_rest#*,}
		case $setup_one in
		cmd:*) command -v "${setup_one#cmd:}" >/dev/null 2>&1 && return 0 ;;
		pc:*) pkg-config --exists "${setup_one#pc:}" 2>/dev/null && return 0 ;;
		py:*) /usr/bin/python3 -c "import importlib.util as u, sys
sys.exit(u.find_spec('${setup_one#py:}') is None)" 2>/dev/null && return 0 ;;
		file:*)
			for setup_file in ${setup_one#file:}; do
				[ -e "$setup_file" ] && return 0
			done
			;;
		esac
	done
	return 1
}

# Writes the table's lines of the given uses that are not there to stdout.
setup_list_missing() {
	while read -r setup_use setup_by setup_names; do
		case $setup_use in '' | '#'*) continue ;; esac
		case " $* " in *" $setup_use "*) ;; *) continue ;; esac
		setup_seen "$setup_by" || printf '%s %s %s\n' "$setup_use" "$setup_by" "$setup_names"
	done <"$setup_table"
}

# The column of names for one package manager (1 apt ... 5 apk) of lines like the table's.
setup_names() {
	while read -r setup_use setup_by setup_apt setup_dnf setup_pacman setup_zypper setup_apk \
		setup_why; do
		case $1 in
		1) setup_name=$setup_apt ;;
		2) setup_name=$setup_dnf ;;
		3) setup_name=$setup_pacman ;;
		4) setup_name=$setup_zypper ;;
		*) setup_name=$setup_apk ;;
		esac
		[ "$setup_name" = - ] || printf '%s ' "$setup_name"
	done | sed 's/ $//'
}

# Prints the names of what is missing for all package managers.
setup_print_names() {
	setup_say "  apt:    $(setup_names 1 <"$1" | sed 's|/[^ ]*||g')"
	setup_say "  dnf:    $(setup_names 2 <"$1")"
	setup_say "  pacman: $(setup_names 3 <"$1")"
	setup_say "  zypper: $(setup_names 4 <"$1")"
	setup_say "  apk:    $(setup_names 5 <"$1")"
}

# Fails with the numbers when less than $2 KiB are free where $1 is (or will be).
setup_check_space() {
	setup_at=$1
	while [ ! -d "$setup_at" ]; do
		setup_at=$(dirname "$setup_at")
	done
	setup_free=$(df -Pk "$setup_at" 2>/dev/null | sed -n '2s/^[^ ]* *[0-9]* *[0-9]* *\([0-9]*\).*/\1/p')
	[ -z "$setup_free" ] && return 0
	[ "$setup_free" -ge "$2" ] && return 0
	setup_say "tacho: not enough disk space for $3"
	setup_say "  cause: $((setup_free / 1024)) MiB are free at $setup_at, $(($2 / 1024)) MiB are needed"
	setup_say "  cure:  free $((($2 - setup_free) / 1024 + 1)) MiB there"
	return 1
}

# Sets setup_root to the words that make a command run as root; fails when there are none.
setup_find_root() {
	setup_root=
	[ "$(id -u)" = 0 ] && return 0
	command -v sudo >/dev/null 2>&1 || return 1
	setup_root="sudo -n"
	sudo -n true 2>/dev/null && return 0
	[ -t 0 ] || return 1
	setup_root=sudo
}

setup_apt() {
	$setup_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a LC_ALL=C \
		timeout "${TACHO_SETUP_TIMEOUT:-1800}" \
		apt-get -y -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@"
}

setup_installable() {
	LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q '^  Candidate: [^(]'
}

# Chooses names that apt can install for the missing lines of file $1: into setup_chosen; those
# that it cannot into setup_unknown.
setup_choose() {
	setup_chosen= setup_unknown=
	for setup_names in $(setup_names 1 <"$1"); do
		setup_pick=
		for setup_name in $(printf '%s' "$setup_names" | tr / ' '); do
			if [ -z "$setup_pick" ] && setup_installable "$setup_name"; then
				setup_pick=$setup_name
			fi
		done
		if [ -n "$setup_pick" ]; then
			setup_chosen="$setup_chosen $setup_pick"
		else
			setup_unknown="$setup_unknown ${setup_names%%/*}"
		fi
	done
}

# "12.7 MB" of apt's words, in KiB.
setup_to_kib() {
	setup_number=${1%% *}
	setup_whole=$(printf '%s' "${setup_number%%.*}" | tr -d ,)
	case ${1##* } in
	GB) setup_tenth=${setup_number#*.} && [ "$setup_tenth" = "$setup_number" ] && setup_tenth=0
		echo $(((setup_whole * 10 + ${setup_tenth%"${setup_tenth#?}"} + 1) * 100000)) ;;
	MB) echo $(((setup_whole + 1) * 1000)) ;;
	*) echo $((setup_whole + 1)) ;;
	esac
}

# Does the disk hold what apt would bring? By apt's own numbers.
setup_check_apt_space() {
	# shellcheck disable=SC2086 # a list of words
	setup_plan=$(LC_ALL=C apt-get --assume-no --no-install-recommends install $setup_chosen 2>&1)
	setup_get=$(printf '%s\n' "$setup_plan" |
		sed -n 's/^Need to get \([0-9.,]* [kMG]*B\).*/\1/p')
	setup_use=$(printf '%s\n' "$setup_plan" |
		sed -n 's/^After this operation, \([0-9.,]* [kMG]*B\) of additional.*/\1/p')
	[ -n "$setup_get" ] || setup_get="0 B"
	[ -n "$setup_use" ] || setup_use="0 B"
	setup_say "  download $setup_get, on disk $setup_use"
	setup_check_space /var/cache/apt/archives "$(setup_to_kib "$setup_get")" "the download" &&
		setup_check_space /usr $(($(setup_to_kib "$setup_get") + $(setup_to_kib "$setup_use"))) \
			"the packages"
}

# Updates apt's lists and installs what file $1 lists. 0 also when some were not installable.
setup_install() {
	setup_check_space /var/lib/apt 153600 "apt's package lists" || return 1
	setup_log=$setup_temp/apt.log
	if [ -n "$(dpkg --audit 2>/dev/null)" ]; then
		setup_say "tacho: an earlier installation was interrupted: dpkg --configure -a"
		$setup_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a >"$setup_log" 2>&1 || true
	fi
	setup_say "tacho: apt-get update"
	setup_apt update >"$setup_log" 2>&1 && setup_updated=1 || {
		setup_say "tacho: apt-get update failed; going on with the lists that are there"
		sed 's/^/  /' "$setup_log" | tail -n 5 >&2
	}
	setup_choose "$1"
	[ -n "$setup_unknown" ] &&
		setup_say "tacho: apt knows no package of this name:$setup_unknown"
	[ -n "$setup_chosen" ] || return 0
	setup_say "tacho: apt-get install --no-install-recommends$setup_chosen"
	setup_check_apt_space || return 1
	# shellcheck disable=SC2086 # a list of words
	setup_apt install --no-install-recommends $setup_chosen >"$setup_log" 2>&1
	setup_status=$?
	[ $setup_status = 0 ] && return 0
	if [ $setup_status = 124 ]; then
		setup_say "tacho: apt-get took longer than ${TACHO_SETUP_TIMEOUT:-1800} s and was stopped"
		setup_say "  cure:  run it again, or set TACHO_SETUP_TIMEOUT to more seconds"
		return 1
	fi
	setup_say "tacho: apt-get install failed with status $setup_status; its last lines:"
	tail -n 8 "$setup_log" | sed 's/^/  /' >&2
	if grep -q -i -e 'Failed to fetch' -e 'resolv' "$setup_log"; then
		setup_say "  cure:  see that this machine reaches its package mirror"
	fi
	return 1
}

# Says what is missing and why; installs it when it may.
setup_bring() {
	setup_say "tacho: these packages are missing:"
	while read -r setup_use setup_by setup_apt setup_dnf setup_pacman setup_zypper setup_apk \
		setup_why; do
		[ "$setup_apt" = - ] || setup_say "  $setup_apt ($setup_why)"
	done <"$1"
	if [ "${TACHO_OFFLINE:-0}" = 1 ]; then
		setup_say "tacho: TACHO_OFFLINE=1: nothing is installed"
		return 1
	fi
	if ! command -v apt-get >/dev/null 2>&1; then
		setup_say "tacho: no apt-get here; install these with your package manager:"
		setup_print_names "$1"
		return 1
	fi
	if ! setup_find_root; then
		setup_say "tacho: not root, and no sudo that works without asking. As administrator, run:"
		setup_say "  apt-get update && apt-get install --no-install-recommends" \
			"$(setup_names 1 <"$1" | sed 's|/[^ ]*||g')"
		return 1
	fi
	setup_install "$1"
}

# Is all that file $1 lists what apt, with the lists of today, did not bring already?
setup_asked() {
	[ -n "${BUILD:-}" ] && [ -n "$(find "$BUILD/apt-lacks" -mtime -1 2>/dev/null)" ] &&
		! grep -q -v -x -F -f "$BUILD/apt-lacks" "$1"
}

# setup_packages MUST MAY
setup_packages() {
	setup_table=${ROOT:?}/tools/packages.txt
	setup_temp=$(mktemp -d "${TMPDIR:-/tmp}/tacho-setup.XXXXXX") || return 1
	# shellcheck disable=SC2086 # lists of words
	setup_list_missing $1 $2 >"$setup_temp/missing"
	# shellcheck disable=SC2086
	setup_list_missing $1 >"$setup_temp/must"
	setup_updated=0 setup_brought=0
	if [ -s "$setup_temp/must" ] ||
		{ [ -s "$setup_temp/missing" ] && ! setup_asked "$setup_temp/missing"; }; then
		setup_bring "$setup_temp/missing" && setup_brought=1
		# shellcheck disable=SC2086
		setup_list_missing $1 >"$setup_temp/must"
		# shellcheck disable=SC2086
		setup_list_missing $1 $2 >"$setup_temp/missing"
	fi
	if [ "$setup_updated$setup_brought" = 11 ] && [ -n "${BUILD:-}" ]; then
		cat "$setup_temp/missing" 2>/dev/null >"$BUILD/apt-lacks" || true
	fi
	setup_missing=$(setup_names 1 <"$setup_temp/missing" | sed 's|/[^ ]*||g')
	setup_result=0
	if [ -s "$setup_temp/must" ]; then
		setup_say "tacho: cannot go on without:" \
			"$(setup_names 1 <"$setup_temp/must" | sed 's|/[^ ]*||g')"
		setup_result=1
	elif [ -n "$setup_missing" ]; then
		setup_say "tacho: going on without: $setup_missing"
	fi
	rm -rf "$setup_temp"
	return $setup_result
}
