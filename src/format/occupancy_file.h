/* SPDX-License-Identifier: MIT */
/* The .occupancy session file: a row per kernel launch whose registers and limits are known. */
#ifndef TACHO_FORMAT_OCCUPANCY_FILE_H
#define TACHO_FORMAT_OCCUPANCY_FILE_H

#include <stdio.h>

#include "base/buf.h"
#include "format/spill.h"
#include "tacho/occupancy.h"
#include "tacho/recording.h"

struct tacho__occupancy {
	struct tacho__spill *spill;
	const struct tacho_kept *kept; /* programs of the recording; NULL: none */
	struct tacho__spill_text rows;
	struct tacho__buf line;
	uint64_t count;
};

/* No program is kept until `kept` is set. */
void tacho__occupancy_init(struct tacho__occupancy *occupancy, struct tacho__spill *spill);
void tacho__occupancy_finish(struct tacho__occupancy *occupancy);

/* One launch, and what is known of it. */
struct tacho__launch {
	const struct tacho_command *command;
	struct tacho_limits limits;
	struct tacho_use use;
	struct tacho_occupancy occupancy;
	uint64_t global_size; /* 0: not known */
};

/* Fills in all but launch->command. 0: it is known, 1: it is not, negative: memory ran out. */
int tacho__occupancy_measure(const struct tacho_kept *kept, struct tacho__launch *launch);

/*
 * Adds the row of a kernel launch; nothing when its program was not kept, its device's limits are
 * not known, or nobody said in what groups it ran. NOMEM, IO.
 */
int tacho__occupancy_add(struct tacho__occupancy *occupancy, const struct tacho_call *call);

/* Writes header, column line and rows. NOMEM, IO. */
int tacho__occupancy_write(const struct tacho__occupancy *occupancy,
			   const struct tacho_recording *recording, FILE *stream);

#endif
