/* SPDX-License-Identifier: MIT */
/*
 * The .atp session file, version 3.2, as docs/codexl.md tells. Calls are added one by one; the file
 * is written at the end, because a thread's calls stand together in it and are counted first.
 */
#ifndef TACHO_FORMAT_ATP_H
#define TACHO_FORMAT_ATP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/map.h"
#include "format/atp_ranges.h"
#include "format/spill.h"
#include "tacho/recording.h"

#define TACHO__ATP_API	  "opencl"	   /* whose sections are called otherwise: "ocl" */
#define TACHO__ATP_POLLED "clGetEventInfo" /* rows of equal calls of it are shown as one */

struct tacho__atp_thread;

enum { TACHO__ATP_NAME_MAX = 32, TACHO__ATP_PARTS_MAX = 16 };

/* The sections of an API. */
struct tacho__atp_part {
	char api[TACHO__ATP_NAME_MAX];
	struct tacho__map by_id;
	struct tacho__atp_thread **threads;
	size_t count, capacity;
};

struct tacho__atp {
	struct tacho__spill *spill; /* borrowed */
	struct tacho__atp_part parts[TACHO__ATP_PARTS_MAX];
	size_t part_count;
	struct tacho__buf line, times; /* scratch */
	struct tacho__atp_ranges ranges;
};

/* The spill must outlive it. Never fails. */
void tacho__atp_init(struct tacho__atp *atp, struct tacho__spill *spill);
void tacho__atp_finish(struct tacho__atp *atp);

/* Whether calls of the API can be written: HSA's sections have another form. */
bool tacho__atp_has_section(const char *api);

/*
 * Adds the cursor's current call and tells its index in its thread's block, from 0. 1 when its API
 * has no section: then *out_index is untouched. IO, NOMEM.
 */
int tacho__atp_add(struct tacho__atp *atp, struct tacho_cursor *cursor,
		   const struct tacho_call *call, uint64_t *out_index);

/* Writes the file. `cursor` is at its end; `session` is the name that a person gave. IO, NOMEM. */
int tacho__atp_write(struct tacho__atp *atp, const struct tacho_recording *recording,
		     const struct tacho_cursor *cursor, const char *session, FILE *stream);

#endif
