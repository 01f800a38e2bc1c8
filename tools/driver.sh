# SPDX-License-Identifier: MIT
# Finding an OpenCL driver that runs kernels. Sourced.
#
# An exit status of 0 proves nothing: clpeak exits 0 when there is no driver at all. So a driver
# works when clpeak prints a latency that it measured.

# Looks with the variables VAR=VALUE given for a platform that runs kernels, other devices before
# CPUs. Sets driver_platform (its number) and driver_device (what ran); fails when there is none.
driver_find() {
	driver_platform= driver_number=0
	while [ $driver_number -lt 8 ]; do
		driver_text=$(env "$@" timeout 120 clpeak -p $driver_number --kernel-latency 2>&1)
		case $driver_text in
		*"Kernel launch latency : "[0-9]*)
			driver_is_cpu=0
			case $driver_text in
			*"Platform: Portable Computing"* | *"Platform: Oclgrind"*) driver_is_cpu=1 ;;
			esac
			if [ -z "$driver_platform" ] || [ $driver_is_cpu = 0 ]; then
				driver_platform=$driver_number
				driver_device=$(printf '%s\n' "$driver_text" |
					sed -n 's/^ *Device: *//p' | head -n 1)
			fi
			[ $driver_is_cpu = 0 ] && return 0
			;;
		*Platform:*) ;;
		*) break ;; # there are no more
		esac
		driver_number=$((driver_number + 1))
	done
	[ -n "$driver_platform" ]
}

# Sets and exports what makes a driver work that runs kernels; driver_note says when that is not
# one of the system's own.
driver_choose() {
	driver_note=
	command -v clpeak >/dev/null 2>&1 || return 1
	driver_find TACHO_DRIVER=system && return 0
	driver_note="the system's own OpenCL drivers run no kernel here"
	for driver_icd in /usr/lib/oclgrind/liboclgrind-rt-icd.so /usr/lib/*/oclgrind/*-icd.so; do
		[ -e "$driver_icd" ] && driver_find OCL_ICD_VENDORS="$driver_icd" || continue
		export OCL_ICD_VENDORS="$driver_icd"
		return 0
	done
	driver_icd=/etc/OpenCL/vendors/rusticl.icd
	if [ -e $driver_icd ] && driver_find OCL_ICD_VENDORS=$driver_icd RUSTICL_ENABLE=llvmpipe; then
		export OCL_ICD_VENDORS=$driver_icd RUSTICL_ENABLE=llvmpipe
		return 0
	fi
	return 1
}

# What the driver answered, for a person.
driver_explain() {
	echo "  clpeak --kernel-latency says:"
	timeout 120 clpeak --kernel-latency 2>&1 | head -n 8 | sed 's/^/    /'
	for driver_icd in "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd; do
		[ -e "$driver_icd" ] && echo "  driver file: $driver_icd"
	done
	[ -e /sys/devices/system/cpu ] ||
		echo "  /sys is not mounted: the CPU driver PoCL cannot work without it"
}
