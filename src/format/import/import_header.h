/* SPDX-License-Identifier: MIT */
/* What the headers of session files say: the same keys in all three, in any order. */
#ifndef TACHO_FORMAT_IMPORT_IMPORT_HEADER_H
#define TACHO_FORMAT_IMPORT_IMPORT_HEADER_H

#include "base/arena.h"
#include "format/import/span.h"
#include "tacho/recording.h"

enum { TACHO__IMPORT_DEVICES_MAX = 256 };

/* A device that a header describes. */
struct tacho__import_device {
	const char *label; /* its name in session files, without blanks */
	const char *text;  /* what is told of it, "key=value" lines */
};

/* What the recording lacked that the files were made of, a line of header.c. */
struct tacho__import_gap {
	const char *key, *value;
	struct tacho__import_gap *next;
};

struct tacho__import_header {
	struct tacho__arena *arena; /* owns all strings */
	struct tacho__import_gap *gaps;
	const char *generator, *profiler, *application, *arguments, *directory, *os, *api,
		*counters_from;
	const char *excluded; /* functions whose calls were left out */
	const char *display;
	char separator; /* of cells; 0: not told */
	struct tacho__import_device devices[TACHO__IMPORT_DEVICES_MAX];
	size_t device_count;
};

/* Takes one line, without what precedes the key. Keys that are not known are left out. NOMEM. */
int tacho__import_header_take(struct tacho__import_header *header, struct tacho__span line);

/* Fills the strings of the run; all are "" when the header does not tell. NOMEM. */
int tacho__import_header_fill(const struct tacho__import_header *header, struct tacho_run *run);

/* The recording lacks what the one lacked that the files were made of. NOMEM. */
int tacho__import_header_tell(const struct tacho__import_header *header,
			      struct tacho_recording *recording);

/*
 * The device whose label the text begins with, the longest one; its size in *out_size. False when
 * the header has none.
 */
bool tacho__import_header_find(const struct tacho__import_header *header, struct tacho__span text,
			       size_t *out_size);

#endif
