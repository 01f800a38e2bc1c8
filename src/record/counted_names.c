/* SPDX-License-Identifier: MIT */
/* Which names fit what a recording was to count. */
#include "record/reader.h"

bool tacho__recording_fits(const struct tacho_recording *recording, const char *pattern,
			   const char *name)
{
	return recording->counting && tacho_counting_fits(recording->counting, pattern, name);
}
