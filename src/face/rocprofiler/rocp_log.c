/* SPDX-License-Identifier: MIT */
/* Messages on standard error, for those who ask for them, and errors of tacho as statuses. */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "face/rocprofiler/rocprofiler.h"
#include "tacho/error.h"

enum { UNKNOWN, QUIET, ERRORS, ALL };

static int read_level(void)
{
	const char *text = getenv("ROCPROFILER_LOG_LEVEL");

	if (!text)
		return QUIET;
	if (!strcmp(text, "error") || !strcmp(text, "warning"))
		return ERRORS;
	return !strcmp(text, "info") || !strcmp(text, "trace") ? ALL : QUIET;
}

static bool is_wanted(int level)
{
	static atomic_int known;
	int wanted = atomic_load_explicit(&known, memory_order_relaxed);

	if (wanted == UNKNOWN) {
		wanted = read_level();
		atomic_store_explicit(&known, wanted, memory_order_relaxed);
	}
	return wanted >= level;
}

static void say(const char *kind, const char *format, va_list list)
	__attribute__((format(printf, 2, 0)));
static void say(const char *kind, const char *format, va_list list)
{
	char text[2048];
	int error = errno;

	vsnprintf(text, sizeof(text), format, list);
	fprintf(stderr, "tacho: rocprofiler: %s%s\n", kind, text);
	errno = error;
}

void tacho__rocp_log_error(const char *format, ...)
{
	va_list list;

	if (!is_wanted(ERRORS))
		return;
	va_start(list, format);
	say("error: ", format, list);
	va_end(list);
}

void tacho__rocp_log_info(const char *format, ...)
{
	va_list list;

	if (!is_wanted(ALL))
		return;
	va_start(list, format);
	say("", format, list);
	va_end(list);
}

static rocprofiler_status_t status_of(int code)
{
	switch (code) {
	case TACHO_E_INVAL: return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	case TACHO_E_NOMEM: return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	case TACHO_E_NODEVICE: return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
	case TACHO_E_UNSUPPORTED: return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
	case TACHO_E_PERM: return ROCPROFILER_STATUS_ERROR_PERMISSION_DENIED;
	case TACHO_E_PASSES: return ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT;
	default: return ROCPROFILER_STATUS_ERROR;
	}
}

rocprofiler_status_t tacho__rocp_fail(const char *what)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	tacho__rocp_log_error("%s: %s%s%s%s%s", what, detail->message, *detail->cause ? ": " : "",
			      detail->cause, *detail->cure ? "; the cure: " : "", detail->cure);
	return status_of(detail->code);
}
