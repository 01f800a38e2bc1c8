/* SPDX-License-Identifier: MIT */
/* The .csv session file: one row per kernel launch, as docs/codexl.md tells. */
#ifndef TACHO_FORMAT_CSV_CODEXL_H
#define TACHO_FORMAT_CSV_CODEXL_H

#include <stdio.h>

#include "base/buf.h"
#include "base/map.h"
#include "format/spill.h"
#include "tacho/occupancy.h"
#include "tacho/recording.h"

struct tacho__csv {
	struct tacho__spill *spill;		 /* borrowed */
	const struct tacho_recording *recording; /* borrowed */
	const struct tacho_kept *kept;		 /* programs of the recording; NULL: none */
	struct tacho__spill_text rows;
	struct tacho__map device_numbers;
	struct tacho__buf line;
	uint64_t count;
	const struct tacho_result *row; /* of the cursor; NULL: nothing was counted yet */
	uint64_t templates;		/* executions of templates, which are no rows */
	char api[32];			/* of the first row, when it is not OpenCL; "" */
};

/* The spill must outlive it. Never fails. */
void tacho__csv_init(struct tacho__csv *csv, struct tacho__spill *spill,
		     const struct tacho_recording *recording);
void tacho__csv_finish(struct tacho__csv *csv);

/* Adds a kernel launch, the current call of the cursor; `index` is the call's in the .atp. IO,
 * NOMEM. */
int tacho__csv_add(struct tacho__csv *csv, struct tacho_cursor *cursor,
		   const struct tacho_call *call, uint64_t index);

/* Writes the file. `cursor` is at its end; `session` is the name that a person gave. IO, NOMEM. */
int tacho__csv_write(const struct tacho__csv *csv, const struct tacho_recording *recording,
		     const struct tacho_cursor *cursor, const char *session, FILE *stream);

#endif
