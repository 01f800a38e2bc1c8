/* SPDX-License-Identifier: MIT */
/* Writing a recording in other tools' formats. */
#ifndef TACHO_EXPORTER_H
#define TACHO_EXPORTER_H

#include <tacho/recording.h>
#include <tacho/sink.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One format: the files it writes are BASE + suffix. */
struct tacho_format {
	const char *name;     /* "codexl" */
	const char *summary;  /* one line for people */
	const char *suffixes; /* ".atp .csv .occupancy" */
	int is_stream;	      /* it is one file, written from its beginning to its end */
};

/* The formats in a fixed order; NULL past the last. Static. */
TACHO_API const struct tacho_format *tacho_format_get(size_t index);

struct tacho_export_options {
	size_t size;   /* sizeof(struct tacho_export_options) */
	int overwrite; /* replace files that exist */
	int partial; /* write what there is of a recording that is not whole; the output says so */
	/* Told of what the format cannot say when it is written, a sentence each; NULL: nobody. */
	void (*warn)(void *user, const char *sentence);
	void *user;
	/* In CSV, cells that spreadsheets would take for formulas begin with an apostrophe. */
	int csv_safe;
};

/*
 * Writes `recording` as `format` to BASE + suffixes, mode 0600, never through a symbolic link at
 * the last component. `options` may be NULL. A file appears under its name only when it is whole.
 * NOTFOUND: no such format. EXISTS: a file is there and overwrite is 0. LOST: the recording is not
 * whole (tacho_recording_check()), and no file was written. IO, NOMEM.
 */
TACHO_API int tacho_recording_export(struct tacho_recording *recording, const char *format,
				     const char *base, const struct tacho_export_options *options);

/*
 * Gives what would be in the file to a sink, in pieces. What the sink took before a failure is no
 * whole file. `options` may be NULL. NOTFOUND: no such format. UNSUPPORTED: it is no stream, and
 * why. LOST: the recording is not whole; mostly that is known before anything is given. IO, also
 * when the sink failed; NOMEM.
 */
TACHO_API int tacho_recording_export_to(struct tacho_recording *recording, const char *format,
					const struct tacho_sink *sink,
					const struct tacho_export_options *options);

/* How many bytes `format` will write for this recording, an estimate within a factor of two. */
TACHO_API int tacho_recording_estimate(struct tacho_recording *recording, const char *format,
				       uint64_t *out_bytes);

#ifdef __cplusplus
}
#endif

#endif
