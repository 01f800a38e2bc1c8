/* SPDX-License-Identifier: MIT */
/* Traces of XLA's profiler, which JAX and TensorFlow write, what the parts of their reader share:
 * xla.c xla_event.c xla_rows.c. */
#ifndef TACHO_FORMAT_FOREIGN_XLA_H
#define TACHO_FORMAT_FOREIGN_XLA_H

#include "base/map.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_chrome.h"

/* Of a process of the trace: XLA calls it a plane, and numbers it itself. */
enum tacho__xla_plane {
	TACHO__XLA_UNKNOWN,
	TACHO__XLA_HOST,
	TACHO__XLA_GPU,
	TACHO__XLA_STRANGER, /* a device of another sort */
};

/* Arguments of an event; texts that it lacks are "". */
struct tacho__xla_arguments {
	bool has_correlation;
	bool is_memory; /* memory was given or taken back */
	bool is_graph;	/* a graph that was traced as a whole */
	uint64_t correlation;
	struct tacho__buf module, operation;  /* of a call or of work, as the compiler named them */
	struct tacho__buf runs;		      /* the module that the host's event runs */
	struct tacho__buf kernel, copy, fill; /* "grid:4,1,1 block:256,1,1 ..." */
	struct tacho__buf label;	      /* "name" of a plane or line */
};

struct tacho__xla {
	struct tacho__foreign *foreign;
	struct tacho__foreign_json json;
	struct tacho__foreign_chrome chrome;
	struct tacho__xla_arguments arguments;
	uint32_t process;
	struct tacho__map planes; /* its number -> enum tacho__xla_plane | number of the GPU << 8 */
	struct tacho__map lines;  /* plane << 32 | its number -> number of the stream + 1 */
	uint64_t name_count;
	/* Counts for the notes. */
	uint64_t events, calls, commands, unlinked, sizeless, unfilled, own_copies;
	uint64_t frames, memory, derived, strangers, timeless;
};

/* xla_event.c */
void tacho__xla_begin_events(struct tacho__xla *xla);
void tacho__xla_finish_events(struct tacho__xla *xla);
/* The next event. As tacho__foreign_chrome_next(). */
int tacho__xla_next(struct tacho__xla *xla, bool *out_is_one);
/* Of "regs:16 grid:4,1,1 ..." what stands behind a key; false: nothing, or no number. */
bool tacho__xla_number(const char *details, const char *key, uint64_t *out_number);
bool tacho__xla_sizes(const char *details, const char *key, uint64_t out_sizes[3]);

/* xla_rows.c: an event becomes rows, or is counted. IO, NOMEM. */
int tacho__xla_take(struct tacho__xla *xla);

#endif
