/* SPDX-License-Identifier: MIT */
/* What a recording lacks, over all of its parts. */
#ifndef TACHO_RECORD_WHOLE_H
#define TACHO_RECORD_WHOLE_H

#include "tacho/recording.h"

/*
 * Of all processes and of what belongs to none; io_error is the last one. They grow while cursors
 * move, so it is asked for behind the last call.
 */
void tacho__losses_sum(const struct tacho_recording *recording, struct tacho_losses *out_sum);

/* Whether something is counted in it that is missing: waits and errors alone are not. */
int tacho__losses_any(const struct tacho_losses *losses);

#endif
