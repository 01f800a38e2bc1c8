/* SPDX-License-Identifier: MIT */
/* How long an export will be, before it is made. */
#ifndef TACHO_FORMAT_ESTIMATE_H
#define TACHO_FORMAT_ESTIMATE_H

#include <stdint.h>

#include "format/format.h"
#include "format/template_runs.h"

/* The length of arguments as text: some of them are formatted, as that is what costs time. {0} at
 * first. */
struct tacho__sampler {
	uint64_t calls, sampled, bytes;
};

/* The length of the current call's arguments, or the mean of those before it. */
uint64_t tacho__sampler_add(struct tacho__sampler *sampler, struct tacho_cursor *cursor);

/* What a format is told while its length is estimated. */
struct tacho__estimate {
	struct tacho__sampler arguments;
	struct tacho__template_numbers templates;
	uint64_t bytes;
};

/* The commands of the template that the call runs when they will be written with it, else 0. NOMEM.
 */
int tacho__estimate_template(struct tacho__estimate *estimate, const struct tacho_call *call,
			     uint64_t *out_commands);

/* `fn`, whose user is a struct tacho__estimate, adds its bytes for each call. */
int tacho__estimate(struct tacho_recording *recording, uint64_t run_bytes, uint64_t process_bytes,
		    tacho__call_fn fn, uint64_t *out_bytes);

/* How many values a row has. */
uint64_t tacho__estimate_values(const struct tacho_result *result);

/* FNV-1a. */
uint64_t tacho__hash_text(const char *text);

#endif
