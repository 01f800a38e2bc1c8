/* SPDX-License-Identifier: MIT */
/*
 * What about this machine helps or hinders measuring. For the command and tests: no ABI promise.
 */
#ifndef TACHO_SYS_DOCTOR_H
#define TACHO_SYS_DOCTOR_H

#include <stdint.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tacho_check_level {
	TACHO_CHECK_OK = 0,
	TACHO_CHECK_WARN = 1, /* some programs will not work or not be recorded */
	TACHO_CHECK_FAIL = 2  /* nothing of this kind can work */
};

/* One fact. Strings are "" when there is nothing to say, and valid during the callback only. */
struct tacho_check {
	enum tacho_check_level level;
	const char *what;   /* what was looked at: "cache folder" */
	const char *detail; /* what was found: "/root/.cache/pocl/kcache, writable" */
	const char *cause;  /* why it is not ok, a fact with the value that was read */
	const char *cure;   /* what to do, an imperative sentence */
};

typedef void (*tacho_check_fn)(void *user, const struct tacho_check *check);

/* What can be done; `asked` says what was looked at. */
struct tacho_doctor_verdict {
	uint32_t asked_record, can_record; /* a device ran a kernel that can be recorded */
	uint32_t asked_count, can_count;   /* a device has counters that can be read */
};

/*
 * Looks at everything and tells `fn` of each fact, in a fixed order; each is told before the next
 * is looked at. It runs vendors' code and a small kernel on each device, which may crash or hang:
 * the command does it in a child process. `only`, which ends with NULL, limits it to these APIs and
 * backends, by name, and to devices that exist only when they are named ("BACKEND:NAME"); NULL or
 * none: all but these. 0 when something can be recorded or counted; NODEVICE; PERM when counting
 * was asked for and lacks a permission; NOTFOUND for a word that is unknown: then *out_verdict
 * stays as it is.
 */
TACHO_API int tacho_doctor_run(const char *const *only, tacho_check_fn fn, void *user,
			       struct tacho_doctor_verdict *out_verdict);

#ifdef __cplusplus
}
#endif

#endif
