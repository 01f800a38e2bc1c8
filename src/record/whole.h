/* SPDX-License-Identifier: MIT */
/* What a recording lacks, over all of its parts. */
#ifndef TACHO_RECORD_WHOLE_H
#define TACHO_RECORD_WHOLE_H

#include <stdbool.h>

#include "tacho/recording.h"
#include "tacho/summary.h"

/* Each kind of loss in a fixed order: 1 and *out_loss, or 0 past the last. */
int tacho__losses_get(const struct tacho_losses *losses, size_t index, struct tacho_loss *out_loss);
/* The count of a kind that there is. */
uint64_t *tacho__losses_count(struct tacho_losses *losses, size_t index);

/* Whether something is counted in it that is missing: waits and errors alone are not. */
int tacho__losses_any(const struct tacho_losses *losses);
/* The same, but for ranges that the program named: what it called is there without them. */
int tacho__losses_any_but_ranges(const struct tacho_losses *losses);

/* Whether its start is known: files of other tools may begin at 0, and then tell their end. */
static inline bool tacho__run_has_start(const struct tacho_run *run)
{
	return run->start_ns || (run->import_note && run->end_ns);
}

/* Calls that its parts state to hold, known without reading them; 0 where none states it. */
uint64_t tacho__recording_count_stated(const struct tacho_recording *recording);

#endif
