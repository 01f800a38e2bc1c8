/* SPDX-License-Identifier: MIT */
/* Why the kernel refuses an event: the settings that were read, and how to change them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/perf/perf.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"

enum {
	PROC_MAX = 64 * 1024,
	SYS_ADMIN_BIT = 21, /* include/uapi/linux/capability.h */
	PERFMON_BIT = 38,
	FILTER = 2, /* SECCOMP_MODE_FILTER */
};

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* The number behind "KEY:" in a text of lines; `fallback` when there is none. */
static unsigned long long find_number(const char *text, const char *key, int base,
				      unsigned long long fallback)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, base) : fallback;
}

void tacho__perf_get_rights(struct tacho__perf_rights *out_rights)
{
	struct tacho__perf_rights rights = {0};
	struct tacho__buf text = {0};
	unsigned long long capabilities;

	if (!tacho__fs_read(PARANOID, PROC_MAX, &text) && text.size) {
		rights.has_paranoid = true;
		rights.paranoid = strtol(text.text, NULL, 10);
	}
	tacho__buf_clear(&text);
	if (!tacho__fs_read("/proc/self/status", PROC_MAX, &text) && text.size) {
		capabilities = find_number(text.text, "\nCapEff:", 16, 0);
		rights.is_perfmon =
			(capabilities >> PERFMON_BIT & 1) || (capabilities >> SYS_ADMIN_BIT & 1);
		rights.is_filtered = find_number(text.text, "\nSeccomp:", 10, 0) == FILTER;
	}
	tacho__buf_finish(&text);
	*out_rights = rights;
}

static int fail_permission(int error, const char *what, enum tacho__perf_scope scope)
{
	int level = scope == TACHO__PERF_SYSTEM ? 0 : 1;
	struct tacho__perf_rights rights;
	const char *cause, *cure;

	tacho__perf_get_rights(&rights);
	if (!rights.has_paranoid)
		cause = tacho__detail("%s (errno %d); " PARANOID " cannot be read", strerror(error),
				      error);
	else
		cause = tacho__detail("%s (errno %d); kernel.perf_event_paranoid is %ld, "
				      "CAP_PERFMON is %s%s",
				      strerror(error), error, rights.paranoid,
				      rights.is_perfmon ? "there" : "missing",
				      rights.is_filtered ? ", a seccomp filter is active" : "");
	if (!rights.is_perfmon && (!rights.has_paranoid || rights.paranoid > level))
		cure = tacho__detail("run as root: sysctl kernel.perf_event_paranoid=%d; or give "
				     "the command CAP_PERFMON",
				     level);
	else if (rights.is_filtered)
		cure = "start the container with a seccomp profile that allows perf_event_open, "
		       "for example with --cap-add=PERFMON";
	else
		cure = "allow it in the security module that refuses (SELinux, AppArmor, "
		       "lockdown): the kernel's log names it";
	return tacho__fail_vendor(
		tacho__fail(TACHO_E_PERM, cause, cure, "%s may not be counted%s", what,
			    scope == TACHO__PERF_SYSTEM ? " on the whole machine" : ""),
		error);
}

int tacho__perf_fail(int error, const char *what, enum tacho__perf_scope scope)
{
	const char *cause = tacho__detail("%s (errno %d)", strerror(error), error);
	const char *cure = "";
	int code = TACHO_E_UNSUPPORTED;

	switch (error) {
	case EACCES:
	case EPERM: return fail_permission(error, what, scope);
	case ENOSYS:
		cure = "use a kernel with CONFIG_PERF_EVENTS, or a seccomp profile that allows "
		       "perf_event_open";
		break;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		cause = tacho__detail("this CPU, or the virtual machine around it, does not have "
				      "it: %s (errno %d)",
				      strerror(error), error);
		cure = "leave it out";
		break;
	case EBUSY:
		code = TACHO_E_BUSY;
		cure = "end the other program that counts with this unit";
		break;
	case ESRCH:
		code = TACHO_E_NOTFOUND;
		cure = "name a process that runs";
		break;
	case EMFILE:
	case ENFILE:
		code = TACHO_E_IO;
		cure = "allow more open files: ulimit -n 65536; or count less at once";
		break;
	case ENOMEM: code = TACHO_E_NOMEM; break;
	default: cure = "check the numbers of the event; dmesg may say more";
	}
	return tacho__fail_vendor(tacho__fail(code, cause, cure, "%s cannot be counted", what),
				  error);
}
