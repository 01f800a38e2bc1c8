/* SPDX-License-Identifier: MIT */
/*
 * Reads a .pftrace file as Perfetto's trace processor does, as far as tacho writes one: what was
 * interned is looked up, events are sorted by time and then by their order in the file, and an end
 * closes the slice of its track that was begun last. A file that is not well formed fails the test.
 */
#ifndef PERFETTO_DECODER_H
#define PERFETTO_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DECODED_MAX = 4096, DECODED_DEPTH_MAX = 32 };

struct decoded_track {
	uint64_t uuid, parent_uuid;
	char name[128], process_name[128], command[128], thread_name[64], unit_name[64];
	char description[128];
	int64_t pid, tid; /* 0: none */
	bool is_counter;
	uint64_t unit, rank;
};

enum decoded_kind { DECODED_SLICE, DECODED_INSTANT, DECODED_SAMPLE };

struct decoded_event {
	enum decoded_kind kind;
	const struct decoded_track *track;
	uint64_t start_ns, end_ns; /* end_ns 0: it has none */
	unsigned depth;		   /* of slices: how many are around it */
	char category[64], name[128];
	uint64_t flow, terminating_flow; /* 0: none */
	double value;			 /* of samples */
	bool is_double;
	char notes[2048]; /* "|arguments.size=u4096|failed=true|" */
};

/* A render stage. */
struct decoded_stage {
	uint64_t start_ns, duration_ns;
	char queue[128], sort[64], name[128];
	char context[32]; /* "pid 4711, api 2" */
	uint64_t submission, extras;
};

struct decoded {
	struct decoded_stage stages[16];
	size_t stage_count;
	struct decoded_track tracks[256];
	size_t track_count;
	struct decoded_event events[DECODED_MAX]; /* in the order of their begin */
	size_t event_count;
	uint64_t monotonic_ns, realtime_ns, primary_clock, default_clock;
	char release[64], machine[64];
	size_t packet_count, interned_count, size;
};

/* Owned; free() it. */
struct decoded *decode_trace(const char *path);

/* Event `index` of those with that name; fails the test when there is none. */
const struct decoded_event *decoded_get(const struct decoded *trace, const char *name,
					size_t index);
size_t decoded_count(const struct decoded *trace, enum decoded_kind kind);
/* The track that is described with this name; fails the test when there is none. */
const struct decoded_track *decoded_track(const struct decoded *trace, const char *name);
/* Whether the event has the note "key=value". */
bool decoded_has(const struct decoded_event *event, const char *note);

#endif
