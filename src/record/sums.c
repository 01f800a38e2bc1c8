/* SPDX-License-Identifier: MIT */
/* Recordings that have tables of sums in place of rows. */
#include "tacho/sums.h"

#include <stdlib.h>

#include "base/error.h"
#include "record/reader.h"

const struct tacho_sums *tacho_recording_get_sums(const struct tacho_recording *recording,
						  size_t index)
{
	return recording && index < recording->sum_count ? &recording->sums[index] : NULL;
}

int tacho__recording_refuse_rows(const struct tacho_recording *recording)
{
	return tacho__fail(TACHO_E_UNSUPPORTED, recording->why_sums, recording->sums_cure,
			   "%s has sums only, which tacho report and diff show: no single call or "
			   "launch",
			   recording->path);
}

void tacho__recording_finish_sums(struct tacho_recording *recording)
{
	for (size_t i = 0; i < recording->sum_count; i++)
		tacho_result_destroy((struct tacho_result *)(uintptr_t)recording->sums[i].lines);
	free(recording->sums);
	recording->sums = NULL;
	recording->sum_count = 0;
}
