/* SPDX-License-Identifier: MIT */
/* All that a reader does with a recording that may be damaged. */
#ifndef FUZZ_READ_RECORDING_H
#define FUZZ_READ_RECORDING_H

#include "tacho/recording.h"
#include "tacho/summary.h"

static inline void fuzz_read_recording(const char *path)
{
	struct tacho_recording *recording;
	struct tacho_summary *summary;
	struct tacho_cursor *cursor;

	if (tacho_recording_open(path, &recording))
		return;
	if (!tacho_cursor_open(recording, &cursor)) {
		while (tacho_cursor_next(cursor, NULL) == 1)
			tacho_cursor_format_arguments(cursor, ";");
		tacho_cursor_close(cursor);
	}
	if (!tacho_summary_create(recording, &summary))
		tacho_summary_destroy(summary);
	tacho_recording_close(recording);
}

#endif
