/* SPDX-License-Identifier: MIT */
/* Session files behind the recording that they are read as; import.c cursor.c. */
#ifndef TACHO_FORMAT_IMPORT_IMPORT_H
#define TACHO_FORMAT_IMPORT_IMPORT_H

#include "base/buf.h"
#include "format/import/read_atp.h"
#include "format/import/read_csv.h"
#include "record/reader.h"
#include "record/kept_source.h"

enum tacho__import_file {
	TACHO__IMPORT_ATP,
	TACHO__IMPORT_CSV,
	TACHO__IMPORT_OCCUPANCY,
	TACHO__IMPORT_FILES
};

/* The APIs of calls, and of ranges; OpenCL's is the name of its call table. */
#define TACHO__IMPORT_API_OPENCL "opencl"
#define TACHO__IMPORT_API_HSA	 "HSA"
#define TACHO__IMPORT_API_MARKER "AMDTActivityLogger"

/* The group of the counters that are columns of an .occupancy file. */
#define TACHO__IMPORT_OCCUPANCY_GROUP "occupancy"

/* What was met by the first reading and has no place in the recording. */
struct tacho__import_tally {
	uint64_t unreadable;   /* bytes of lines that do not read */
	uint64_t untimed;      /* calls that the file has no times for */
	uint64_t packets;      /* of HSA without times: barriers */
	uint64_t cut;	       /* lines of times that read in part */
	uint64_t rows_matched; /* of the .csv, with a call */
	uint64_t occupancies_matched;
	uint64_t headless_ranges; /* ends of ranges that did not begin */
	uint64_t deep_ranges;	  /* that were too many at a time */
	/* From the first call of a thread on whose times are another function's; of the first such
	 * thread both names. */
	uint64_t misplaced;
	uint32_t misplaced_thread;
	struct tacho__span misplaced_call, misplaced_times;
};

struct tacho__import {
	struct tacho__buf texts[TACHO__IMPORT_FILES];
	bool has[TACHO__IMPORT_FILES];
	struct tacho__import_header header;
	struct tacho__atp_file atp;
	struct tacho__csv_file csv, occupancy;
	uint32_t kernel_id_max;	      /* that the .csv gives */
	struct tacho__names launches; /* "THREAD/KERNEL" -> number of the first row + 1 */
	size_t column_max;	      /* of the .csv and .occupancy */
	struct tacho__import_tally tally;
};

extern const struct tacho__source tacho__source_import;

/* Whether `path` has the suffix of a session file, and which. */
bool tacho__import_is_file(const char *path, enum tacho__import_file *out_file);

/*
 * Reads the file, or with TACHO__IMPORT_FILES those of the base name `path`. Errors as
 * tacho_recording_open().
 */
int tacho__import_open(const char *path, enum tacho__import_file file,
		       struct tacho_recording **out_recording);

/* Whether some session file BASE + suffix is there. PERM, IO, NOMEM. */
int tacho__import_find_base(const char *base, bool *out_is_there);

void tacho__import_close(struct tacho_recording *recording);

/* "THREAD/KERNEL" of a row or a launch, into `out_text`. */
void tacho__import_put_launch(struct tacho__buf *out_text, uint32_t thread,
			      struct tacho__span kernel);

/* cursor.c: reads everything once and fills the tally. */
int tacho__import_survey(struct tacho_recording *recording, struct tacho__import_tally *out_tally);

#endif
