/* SPDX-License-Identifier: MIT */
/* What the doctor asks of the kernel's events: permissions, and counters of the CPU. */
#include <errno.h>
#include <linux/perf_event.h>

#include "backend/perf/perf.h"
#include "base/error.h"

/* What each level takes away from those without CAP_PERFMON: Documentation/admin-guide/
 * perf-security.rst of the kernel; Debian's kernels have 3 as well. */
static const char *describe_level(long level)
{
	if (level <= 0)
		return "processes and the whole machine may be counted";
	if (level == 1)
		return "processes may be counted, the whole machine may not";
	if (level == 2)
		return "processes may be counted in user space, the whole machine may not";
	return "nothing may be counted";
}

static void check_rights(tacho_check_fn fn, void *user)
{
	struct tacho_check check = {
		.what = "kernel.perf_event_paranoid", .detail = "", .cause = "", .cure = ""};
	struct tacho__perf_rights rights;

	tacho__perf_get_rights(&rights);
	if (!rights.has_paranoid) {
		check.level = TACHO_CHECK_WARN;
		check.detail = "cannot be read";
		check.cause = "/proc/sys/kernel/perf_event_paranoid is not there";
		check.cure = "use a kernel with CONFIG_PERF_EVENTS, and mount /proc";
	} else if (rights.is_perfmon || rights.paranoid <= 0) {
		check.detail = tacho__detail("%ld%s: processes and the whole machine may be "
					     "counted",
					     rights.paranoid,
					     rights.is_perfmon ? ", CAP_PERFMON is there" : "");
	} else {
		check.level = TACHO_CHECK_WARN;
		check.detail = tacho__detail("%ld", rights.paranoid);
		check.cause = tacho__detail("CAP_PERFMON is missing: %s",
					    describe_level(rights.paranoid));
		check.cure = "run as root: sysctl kernel.perf_event_paranoid=0; or give the "
			     "command CAP_PERFMON";
	}
	fn(user, &check);
}

static void check_cpu(tacho_check_fn fn, void *user)
{
	struct tacho_check check = {
		.what = "CPU counters", .detail = "cycles are counted", .cause = "", .cure = ""};
	struct tacho_entry entry = {.name = "cycles"};
	struct tacho__perf_counter counter = {.entry = &entry, .scale = 1};
	int error;

	counter.code.type = PERF_TYPE_HARDWARE;
	counter.code.config[0] = PERF_COUNT_HW_CPU_CYCLES;
	error = tacho__perf_try(&counter, true);
	if (error) {
		tacho__perf_fail(error, "cycles", TACHO__PERF_PROCESS);
		check.level = TACHO_CHECK_WARN;
		check.detail = "cycles are not counted";
		check.cause = tacho_error_last()->cause;
		check.cure = error == EACCES || error == EPERM
				     ? tacho_error_last()->cure
				     : "count the kernel's own events; in a virtual machine, have "
				       "its host pass the performance counters on";
	}
	fn(user, &check);
}

void tacho__perf_check(tacho_check_fn fn, void *user)
{
	check_rights(fn, user);
	check_cpu(fn, user);
}
