# SPDX-License-Identifier: MIT
# What ./demo and ./check cost, said before anything is done, and what is cheap to find out before
# packages are fetched. Sourced; needs ROOT, tools/setup.sh and tools/place.sh.
#
# The figures are of a quiet machine with two CPUs of 2.6 GHz, without caches of the compiler;
# ./check prints its own at the end, by part. They stand here and nowhere else.
outlook_demo_minutes=4
outlook_demo_kib=204800 # one build and its recordings
outlook_check_minutes=13
outlook_check_kib=1572864 # three builds and their tests

# outlook_say NAME: "demo" or "check".
outlook_say() {
	eval "outlook_minutes=\$outlook_$1_minutes outlook_kib=\$outlook_$1_kib"
	setup_say "$1: takes about $outlook_minutes minutes on a quiet machine with two CPUs" \
		"(this one lets it use $(place_cpus)) and $((outlook_kib / 1024)) MiB of disk"
	if [ -z "$(outlook_missing "$2")" ]; then
		setup_say "$1: all packages are there: nothing is downloaded"
	else
		setup_say "$1: packages are missing and come on top; their size is told before they are fetched"
	fi
}

# What of the uses is not there yet.
outlook_missing() {
	setup_table=$ROOT/tools/packages.txt
	# shellcheck disable=SC2086 # a list of words
	setup_list_missing $1
}

# outlook_machine WHAT: whether programs for GPUs can run here at all, whatever is installed.
outlook_machine() {
	outlook_root=${outlook_root:-}
	[ -e "$outlook_root/sys/devices/system/cpu" ] && [ -e "$outlook_root/proc/self/stat" ] &&
		return 0
	setup_say "tacho: $1"
	if [ -e "$outlook_root/proc/self/stat" ]; then
		setup_say "  cause: /sys is not mounted, or masked: drivers for CPUs and GPUs look there"
		setup_say "  cure:  as root: mount -t sysfs sysfs /sys; containers: do not mask it"
	else
		setup_say "  cause: /proc is not mounted"
		setup_say "  cure:  as root: mount -t proc proc /proc"
	fi
	return 1
}

# outlook_place NAME: where to build, and whether that has room.
outlook_place() {
	eval "outlook_kib=\$outlook_$1_kib"
	place_build && setup_check_space "$BUILD" "$outlook_kib" "./$1"
}
