/* SPDX-License-Identifier: MIT */
/* What a recording lacks, of files and of calls, in words. */
#include "record/whole.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/text.h"

int tacho_fault_format(const struct tacho_fault *fault, char **out_text)
{
	struct tacho__buf text = {0};

	if (!fault || !out_text)
		return tacho__fail_null(__func__);
	tacho__buf_printf(&text, "%s%s%s", fault->path, *fault->path ? " " : "", fault->what);
	if (fault->error)
		tacho__buf_printf(&text, ": %s (errno %d)", strerror(fault->error), fault->error);
	if (fault->bytes)
		tacho__buf_printf(&text, ", %" PRIu64 " byte%s", fault->bytes,
				  tacho__plural(fault->bytes));
	if (fault->calls)
		tacho__buf_printf(&text, ", %" PRIu64 " call%s", fault->calls,
				  tacho__plural(fault->calls));
	if (text.failed) {
		tacho__buf_finish(&text);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to say what is wrong");
	}
	*out_text = text.text;
	return 0;
}

/* ---- whether it is whole ---- */

/* The first that has an errno, as it says most; else the first. */
static const struct tacho_fault *find_cause(const struct tacho_recording *recording,
					    size_t *out_count)
{
	const struct tacho_fault *fault, *cause = tacho_recording_get_fault(recording, 0);
	size_t count = 0;

	for (; (fault = tacho_recording_get_fault(recording, count)); count++)
		if (!cause->error && fault->error)
			cause = fault;
	*out_count = count;
	return cause;
}

static int fail(const struct tacho_recording *recording, const char *cause, int error)
{
	return tacho__fail_vendor(
		tacho__fail(TACHO_E_LOST, cause,
			    "see `tacho report` for all that is missing; --partial takes what is "
			    "there",
			    "%s is not whole", tacho_recording_get_path(recording)),
		error);
}

int tacho_recording_check(const struct tacho_recording *recording)
{
	const struct tacho_fault *fault;
	struct tacho_losses losses;
	char more[40] = "", *text;
	size_t count;
	int rc;

	if (!recording)
		return tacho__fail_null(__func__);
	fault = find_cause(recording, &count);
	if (fault) {
		rc = tacho_fault_format(fault, &text);
		if (rc)
			return rc;
		if (count > 1)
			snprintf(more, sizeof(more), ", and %zu more", count - 1);
		rc = fail(recording, tacho__detail("%s%s", text, more), fault->error);
		free(text);
		return rc;
	}
	tacho_recording_sum_losses(recording, &losses);
	if (losses.missing)
		return fail(recording,
			    tacho__detail("%" PRIu64 " call%s missing", losses.missing,
					  losses.missing == 1 ? " is" : "s are"),
			    0);
	if (losses.unreadable)
		return fail(recording,
			    tacho__detail("%" PRIu64 " byte%s cannot be read", losses.unreadable,
					  tacho__plural(losses.unreadable)),
			    0);
	return 0;
}
