/* SPDX-License-Identifier: MIT */
/*
 * Writing a recording as a trace for Perfetto, shared by its files: perfetto.c (the format),
 * packet.c (packets, names, annotations), tracks.c (who has which track),
 * call_slices.c (calls, commands, values), range_slices.c (ranges), window_slices.c (what was
 * sampled), memory_tracks.c (what was allocated), stages.c (what GPUs draw, for Perfetto's own
 * tracks of them). docs/perfetto.md tells what is on which track.
 */
#ifndef TACHO_FORMAT_PERFETTO_PERFETTO_H
#define TACHO_FORMAT_PERFETTO_PERFETTO_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/proto.h"
#include "format/lanes.h"
#include "tacho/recording.h"

/* Texts that packets refer to by number; each kind counts by itself. */
enum tacho__perfetto_text {
	TACHO__PERFETTO_CATEGORY,
	TACHO__PERFETTO_NAME,
	TACHO__PERFETTO_KEY,
	TACHO__PERFETTO_STRING,
	TACHO__PERFETTO_TEXTS
};

enum tacho__perfetto_owner {
	TACHO__PERFETTO_THREAD,
	TACHO__PERFETTO_QUEUE,
	TACHO__PERFETTO_RANGES /* of a domain on a thread, of a process, or between commands */
};

/* A track with its lanes. */
struct tacho__perfetto_track {
	enum tacho__perfetto_owner owner;
	const struct tacho_process *process;
	uint32_t thread;      /* of threads */
	uint64_t name_hash;   /* of threads: of the name that was written */
	const char *name;     /* not of threads */
	uint64_t parent_uuid; /* not of threads */
	struct tacho__lanes lanes;
	struct tacho__perfetto_open {
		uint64_t id;
		size_t lane;
	} * open; /* ranges that have begun and not ended */
	size_t open_count, open_capacity;
	struct tacho__perfetto_lane {
		uint64_t uuid;
		uint64_t counter_uuid; /* of the first counter, the others follow; 0: none yet */
	} * ids;		       /* one per lane */
	size_t id_count, id_capacity;
};

struct tacho__perfetto_process {
	uint64_t uuid;
	uint64_t last_ns;    /* of all times in it */
	uint64_t marks_uuid; /* 0: it has none */
	uint64_t undrawn;    /* commands without a time, whose call is not known either */
};

/*
 * A text that was interned, and where it stood last: most come from the same place again, and to
 * compare them takes less than to look them up.
 */
enum { TACHO__PERFETTO_RECENT = 256 }; /* a power of two */

struct tacho__perfetto_interned {
	const char *text;
	uint64_t iid;
};

struct tacho__perfetto_recent {
	const char *place;
	const struct tacho__perfetto_interned *interned;
};

struct tacho__perfetto {
	FILE *stream;
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	struct tacho__arena arena;
	struct tacho__proto packets;  /* what was not given to the stream yet */
	struct tacho__proto interned; /* texts that are new in the open packet */
	struct tacho__names texts[TACHO__PERFETTO_TEXTS]; /* -> struct tacho__perfetto_interned */
	struct tacho__perfetto_recent recent[TACHO__PERFETTO_TEXTS][TACHO__PERFETTO_RECENT];
	size_t text_bytes;			      /* in all of them */
	uint32_t note_fields[TACHO__PROTO_DEPTH_MAX]; /* what annotations are called where */
	unsigned note_depth;
	bool has_begun;
	bool is_import;	   /* of session files: ids of processes and uncertainties are not known */
	uint64_t first_ns; /* of all events; 0: none yet */
	uint64_t uuid;	   /* that was given out last */
	struct tacho__perfetto_process *processes;
	size_t process_count;
	size_t counter_count;
	struct tacho__perfetto_sampling *samplings;
	size_t sampling_count;
	struct tacho__map threads, queues; /* to struct tacho__perfetto_track */
	struct tacho__map devices;	   /* their ids to uuids of tracks */
	struct tacho__map heaps;	   /* memory_tracks.c */
	struct tacho__names domains;	   /* of ranges; to struct tacho__perfetto_track */
	struct tacho__names stages;	   /* queues and sorts of work, to their numbers */
	struct tacho__map contexts;	   /* of processes, that were named */
	struct tacho__buf scratch;
	int rc; /* NOMEM: of interning; also see packets.rc */
};

/* ---- packet.c ---- */

/* A packet of its own, in which anything can be put; time_ns 0: it has none. */
void tacho__perfetto_begin(struct tacho__perfetto *trace, uint64_t time_ns);
void tacho__perfetto_end(struct tacho__perfetto *trace);
/* Gives all that was ended to the stream, whose own errors stay in it. */
void tacho__perfetto_flush(struct tacho__perfetto *trace);

/* A packet with an event in it; a type of PF_SLICE_BEGIN ... End it with .._end_event(). */
void tacho__perfetto_begin_event(struct tacho__perfetto *trace, uint64_t time_ns, uint32_t type,
				 uint64_t track_uuid);
void tacho__perfetto_end_event(struct tacho__perfetto *trace);
void tacho__perfetto_name_event(struct tacho__perfetto *trace, const char *category,
				const char *name);

/* Annotations of the open event. The key is NULL in arrays. Empty texts are left out. */
void tacho__perfetto_note_unsigned(struct tacho__perfetto *trace, const char *key, uint64_t value);
void tacho__perfetto_note_signed(struct tacho__perfetto *trace, const char *key, int64_t value);
void tacho__perfetto_note_pointer(struct tacho__perfetto *trace, const char *key, uint64_t value);
void tacho__perfetto_note_real(struct tacho__perfetto *trace, const char *key, double value);
void tacho__perfetto_note_bool(struct tacho__perfetto *trace, const char *key, bool value);
void tacho__perfetto_note_text(struct tacho__perfetto *trace, const char *key, const char *text);
/* What session files print: numbers and addresses as such, the rest as text, also when empty. */
void tacho__perfetto_note_printed(struct tacho__perfetto *trace, const char *key, const char *text);
void tacho__perfetto_begin_notes(struct tacho__perfetto *trace, const char *key, bool is_array);
void tacho__perfetto_end_notes(struct tacho__perfetto *trace);

/* ---- tracks.c ---- */

int tacho__perfetto_tracks_init(struct tacho__perfetto *trace);
void tacho__perfetto_tracks_finish(struct tacho__perfetto *trace);
/* Names that threads got after their first call. */
void tacho__perfetto_tracks_complete(struct tacho__perfetto *trace);

int tacho__perfetto_get_thread(struct tacho__perfetto *trace, const struct tacho_process *process,
			       uint32_t thread, struct tacho__perfetto_track **out_track);
/* The one that a range is drawn on. */
int tacho__perfetto_get_ranges(struct tacho__perfetto *trace, const struct tacho_named_range *range,
			       struct tacho__perfetto_track **out_track);
uint64_t tacho__perfetto_get_marks(struct tacho__perfetto *trace,
				   const struct tacho_process *process, uint64_t time_ns);
int tacho__perfetto_get_queue(struct tacho__perfetto *trace, const struct tacho_call *call,
			      struct tacho__perfetto_track **out_track);
/* The track of a device, described when it is new; that of the process where it is NULL. */
int tacho__perfetto_get_device(struct tacho__perfetto *trace, const struct tacho_object *device,
			       const struct tacho_process *process, uint64_t *out_uuid);
/* The lane of a slice, described when it is new; NULL when there are too many. */
int tacho__perfetto_get_lane(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
			     uint64_t start_ns, uint64_t end_ns,
			     struct tacho__perfetto_lane **out_lane);
/* The same for one that has not ended; it is ended by tacho__lanes_close() with *out_number. */
int tacho__perfetto_open_lane(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
			      uint64_t start_ns, size_t *out_number,
			      struct tacho__perfetto_lane **out_lane);
/* Describes the counters of a lane when that was not done yet. */
void tacho__perfetto_describe_counters(struct tacho__perfetto *trace,
				       const struct tacho__perfetto_track *track,
				       struct tacho__perfetto_lane *lane);

/* Describes the track of a counter, with its unit. */
void tacho__perfetto_describe_counter(struct tacho__perfetto *trace, uint64_t uuid,
				      uint64_t parent_uuid, size_t rank,
				      const struct tacho_entry *counter, const char *name);
/* A track without a time; its descriptor is open until ..._end_event(). */
void tacho__perfetto_begin_track(struct tacho__perfetto *trace, uint64_t uuid, uint64_t parent_uuid,
				 const char *name);

/* ---- call_slices.c ---- */

int tacho__perfetto_put_call(struct tacho__perfetto *trace, const struct tacho_call *call);
/* A sample on a counter's track: the first value of the column; 0 without one. */
void tacho__perfetto_put_sample(struct tacho__perfetto *trace, uint64_t time_ns, uint64_t uuid,
				const struct tacho_column *column);

/* ---- range_slices.c ---- */

/* Begins those that the call lies in, in front of it. */
int tacho__perfetto_open_ranges(struct tacho__perfetto *trace, const struct tacho_call *call);
/* For tacho_cursor_on_range(), with the trace; a failure is in trace->rc. */
void tacho__perfetto_put_range(void *user, const struct tacho_named_range *range);

/* ---- stages.c ---- */

/* A command of the current call that has times, or a render pass that has. */
int tacho__perfetto_put_stage(struct tacho__perfetto *trace, const struct tacho_call *call);
int tacho__perfetto_put_pass(struct tacho__perfetto *trace, const struct tacho_named_range *range);
void tacho__perfetto_stages_finish(struct tacho__perfetto *trace);

/* ---- window_slices.c ---- */

int tacho__perfetto_windows_init(struct tacho__perfetto *trace);
/* For tacho_cursor_on_window(), as above. */
void tacho__perfetto_put_window(void *user, const struct tacho_window *window);
/* Behind the last one. */
void tacho__perfetto_end_windows(struct tacho__perfetto *trace);

/* ---- memory_tracks.c ---- */

/* For tacho_cursor_on_memory(), as above. */
void tacho__perfetto_put_memory(void *user, const struct tacho_object *device, uint64_t time_ns,
				const struct tacho_device_memory *memory);

#endif
