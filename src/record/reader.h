/* SPDX-License-Identifier: MIT */
/* A recording as the reader holds it, shared by its files: recording.c cursor.c device_clock.c. */
#ifndef TACHO_RECORD_READER_H
#define TACHO_RECORD_READER_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "record/call_table.h"
#include "record/clock_map.h"
#include "tacho/recording.h"
#include "tacho/sys/counting.h"

enum { TACHO__APIS_MAX = 64 };

/* What was found out about one device's clock; device_clock.c. */
struct tacho__device_clock {
	const char *refused;	 /* why none of its times can be believed; NULL when they can */
	const char *name;	 /* of the clock that it follows */
	enum tacho__clock clock; /* when it follows one of the host's */
	bool fitted;		 /* else: its times plus these offsets are CLOCK_MONOTONIC */
	struct tacho__clock_fit *fits; /* one per piece of time, in order */
	size_t fit_count;
	uint64_t uncertainty_ns;
	uint64_t tolerance_ns; /* a command further outside of its call than this is refused */
};

struct tacho__clock_fit {
	uint64_t from_ns; /* of the device's clock */
	int64_t offset_ns;
};

struct tacho__process {
	struct tacho_process about;
	struct tacho__clock_map clocks;
	struct tacho__call_table *tables[TACHO__APIS_MAX]; /* by API number */
	struct tacho__map device_clocks; /* device handle -> struct tacho__device_clock */
	char **streams;			 /* paths of its streams */
	size_t stream_count, stream_capacity;
	bool has_selected; /* a launch was left out in it: those without rows were, too */
};

struct tacho__source;

struct tacho_recording {
	const struct tacho__source *source; /* source.h */
	void *source_data;		    /* of sources that are no folder */
	struct tacho__arena arena;
	char *path;
	struct tacho_run run;
	struct tacho__process **processes;
	size_t process_count, process_capacity;
	bool clocks_known; /* device_clocks of all processes are filled */
	bool is_further;   /* of another run of the program, for the rows of the first */
	struct tacho_counting *counting; /* of folders; NULL: nothing was to be counted */
	bool is_counted;
	struct tacho_recorded_counting counted; /* when is_counted */
	struct tacho_recorded_counter *counters;
	size_t counter_count;
};

/* A command of the cursor with what its call and slot said, before its times are judged. */
struct tacho__evidence {
	struct tacho__process *process;
	const struct tacho_object *device;
	uint64_t call_start, call_end; /* ticks */
	const struct tacho__slot *slot;
};

/* cursor.c: a cursor that leaves times alone and hands the evidence of each command to `fn`. */
typedef int (*tacho__evidence_fn)(void *user, const struct tacho__evidence *evidence);
int tacho__cursor_survey(struct tacho_recording *recording, tacho__evidence_fn fn, void *user);

/* recording.c: what a folder keeps besides the parts that every recording has. */
void tacho__recording_close_folder(struct tacho_recording *recording);

/* device_clock.c: finds the clocks of all devices of the recording. Once per recording. */
int tacho__device_clocks_find(struct tacho_recording *recording);

/* device_clock.c: fills the command's times and state from the evidence. */
void tacho__device_clock_apply(const struct tacho__evidence *evidence,
			       struct tacho_command *command);

/* The value of "key" in "key=value" lines: copied into the arena, `otherwise` when there is none.
 */
const char *tacho__attribute(struct tacho__arena *arena, const char *text, const char *key,
			     const char *otherwise);

#endif
