/* SPDX-License-Identifier: MIT */
/* The key=value lines at the start of .atp, .csv and .occupancy. */
#ifndef TACHO_FORMAT_HEADER_H
#define TACHO_FORMAT_HEADER_H

#include <stdio.h>

#include "tacho/recording.h"

#define TACHO__PROFILER_VERSION "5.6.0"

/* How one of the three files writes such lines. */
struct tacho__header {
	FILE *stream;
	const char *prefix;	   /* "", "#", "# " */
	const char *device_equals; /* between key and value of a device's line: " = " or "=" */
	size_t line_max;	   /* longer lines are cut and end in "..."; 0: no limit */
};

/* NOMEM. */
int tacho__header_put(const struct tacho__header *header, const char *key, const char *value);

/* The lines about the run: Application, ApplicationArgs. NOMEM. */
int tacho__header_put_run(const struct tacho__header *header, const struct tacho_run *run);

/* "OS Version" and DisplayName. NOMEM. */
int tacho__header_put_system(const struct tacho__header *header, const struct tacho_run *run,
			     const char *session);

/*
 * What is missing in the recording, so far as that is known: NotWhole, a line per fault; Lost, one
 * per reason; LeftOut, one per function of which calls were left out as asked. None when it has
 * all. NOMEM.
 */
int tacho__header_put_gaps(const struct tacho__header *header,
			   const struct tacho_recording *recording);

/* A group of lines per device, devices of one name once. NOMEM. */
int tacho__header_put_devices(const struct tacho__header *header,
			      const struct tacho_cursor *cursor);

#endif
