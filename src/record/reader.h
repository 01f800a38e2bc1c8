/* SPDX-License-Identifier: MIT */
/*
 * A recording as the reader holds it, shared by its files: recording.c read_v1.c read_v2.c cursor.c
 * stream_reader.c device_clock.c faults.c whole.c.
 */
#ifndef TACHO_RECORD_READER_H
#define TACHO_RECORD_READER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/pack.h"
#include "record/call_table.h"
#include "record/clock_map.h"
#include "record/wire.h"
#include "tacho/recording.h"
#include "tacho/sums.h"
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

/* A chunk of a recording of version 2. */
struct tacho__chunk_place {
	uint64_t offset;
	uint64_t first_tick, first_call;
	uint32_t file; /* its number; 0: control.bin */
	uint32_t bytes, calls;
};

/* What the reader reads record by record: a file of version 1, or chunks of version 2. */
struct tacho__reader_stream {
	char *path; /* of version 1, else NULL */
	struct tacho__chunk_place *chunks;
	size_t chunk_count, chunk_capacity;
	uint32_t serial;
	bool has_thread; /* it is of one thread only */
	uint32_t thread;
	const char *thread_name;
};

struct tacho__process {
	struct tacho_process process;
	struct tacho__clock_map
		*clocks; /* its own, or the recording's; through the functions below */
	struct tacho__clock_map own_clocks;
	struct tacho__anchor start;	   /* as it saw its clocks itself; of version 2 */
	uint64_t shifts[TACHO__CLOCKS];	   /* of its own clocks against the keeper's */
	uint64_t cost_ticks;		   /* that recording its process.cost_calls took */
	struct tacho__call_table **tables; /* by API number; its own, or the recording's */
	struct tacho__call_table *own_tables[TACHO__APIS_MAX];
	struct tacho__map device_clocks; /* device handle -> struct tacho__device_clock */
	struct tacho__reader_stream *streams;
	size_t stream_count, stream_capacity;
	bool has_selected; /* a launch was left out in it: those without rows were, too */
};

/* The clocks of a process as one reader asks them; all but `process` begin as 0. */
struct tacho__time_lines {
	const struct tacho__process *process;
	struct tacho__clock_line lines[TACHO__CLOCKS][TACHO__CLOCKS]; /* from, to: last used */
};

struct tacho__source;
struct tacho__json;

/* Found once, though several readers pass it. */
struct tacho__fault {
	struct tacho_fault fault;
	uint64_t offset;
};

struct tacho__bounded {
	uint32_t api, function;
	uint64_t calls;
};

struct tacho_recording {
	const struct tacho__source *source; /* source.h */
	void *source_data;		    /* of sources that are no folder */
	struct tacho__arena arena;
	char *path;
	struct tacho_run run;
	struct tacho_machine_fact *facts;
	size_t fact_count, fact_capacity;
	struct tacho__process **processes;
	size_t process_count, process_capacity;
	struct tacho_losses losses; /* of no process */
	struct tacho__fault *faults;
	size_t fault_count, fault_capacity;
	struct tacho__bounded *bounded;
	size_t bounded_count, bounded_capacity;
	struct tacho_bound *bounds; /* the same with names */
	size_t bound_count, bound_capacity;
	struct tacho_extent extent;
	const char *stamp;		/* from meta.json */
	const char *pool;		/* path of its pool, "" if it has none */
	bool is_live;			/* it is still written */
	bool is_snapshot;		/* it was saved while it was written */
	uint32_t first_piece;		/* of a snapshot: what came before went with a ring */
	struct tacho__clock_map clocks; /* of version 2 */
	struct tacho__call_table *tables[TACHO__APIS_MAX];
	bool clocks_known; /* device_clocks of all processes are filled */
	bool is_further;   /* of another run of the program, for the rows of the first */
	struct tacho_counting *counting; /* of folders; NULL: nothing was to be counted */
	bool is_counted;
	struct tacho_recorded_counting counted; /* when is_counted */
	struct tacho_entry *counters;
	size_t counter_count;
	struct tacho_thread_time *thread_times; /* by process, thread and time */
	size_t thread_time_count;
	struct tacho_sums *sums; /* owned, with their lines; with some there are no rows */
	size_t sum_count;
	const char *why_sums, *sums_cure;  /* what they are of, and what keeps the rows */
	struct tacho__sampling *samplings; /* window_reader.h */
	size_t sampling_count, sampling_capacity;
	struct tacho__reader_stream windows; /* of all samplings */
	/* Cursors are of several threads: one opens at a time, and one says what is wrong. */
	pthread_mutex_t opening, noting;
	atomic_uint_fast64_t read_bytes; /* by the newest cursor */
	atomic_uint_fast32_t readings;	 /* that were begun */
};

/* A command of the cursor with what its call and slot said, before its times are judged. */
struct tacho__evidence {
	struct tacho__process *process;
	struct tacho__time_lines *times; /* of the process */
	const struct tacho_object *device;
	uint64_t call_start; /* a tick */
	const struct tacho__slot *slot;
};

/* cursor.c: a cursor that leaves times alone and hands the evidence of each command to `fn`. */
typedef int (*tacho__evidence_fn)(void *user, const struct tacho__evidence *evidence);
int tacho__cursor_survey(struct tacho_recording *recording, tacho__evidence_fn fn, void *user);

/* recording.c: its locks, when all else of it is 0. tacho_recording_close() undoes it. */
void tacho__recording_init(struct tacho_recording *recording);

/* recording.c: what a folder keeps besides the parts that every recording has. */
void tacho__recording_close_folder(struct tacho_recording *recording);
/* sums.c: why there is nothing for a cursor; UNSUPPORTED. */
int tacho__recording_refuse_rows(const struct tacho_recording *recording);
void tacho__recording_finish_sums(struct tacho_recording *recording);

/* device_clock.c: finds the clocks of all devices of the recording. Once per recording. */
int tacho__device_clocks_find(struct tacho_recording *recording);

/* device_clock.c: fills the command's times and state from the evidence. */
void tacho__device_clock_apply(const struct tacho__evidence *evidence,
			       struct tacho_command *command);

/*
 * faults.c: notes what is wrong at a place of a file, once, and what is lost by it. `what` is
 * copied. TACHO_E_NOMEM.
 */
int tacho__fault_add(struct tacho_recording *recording, const struct tacho_fault *fault,
		     uint64_t offset);
/* Of a file of version 2: 0 control.bin, else a piece with calls. */
int tacho__fault_add_of_file(struct tacho_recording *recording, uint32_t file, const char *what,
			     int error, uint64_t bytes, uint64_t calls, uint64_t offset);

/*
 * recording.c: what is known of a folder without reading calls. Owned; tacho_recording_close(). As
 * tacho_recording_open().
 */
int tacho__recording_find(const char *path, struct tacho_recording **out_recording);

/* recording.c: the folder of a recording that is called so: with its suffix, owned; NULL: no
 * memory. */
char *tacho__recording_name_folder(const char *name);

/* counted_names.c: whether a pattern of tacho_recorded_counting fits a name. */
bool tacho__recording_fits(const struct tacho_recording *recording, const char *pattern,
			   const char *name);

/* settle.c: brings what is only in memory into the files, as far as that can be. */
int tacho__recording_settle(struct tacho_recording *recording);

/* machine_facts.c: those of meta.json or, behind it, of end.json, which live as long. NOMEM. */
int tacho__machine_facts_read(struct tacho_recording *recording, const struct tacho__json *file,
			      bool is_end);

/* read_v1.c, read_v2.c: the processes of a folder and their streams. */
int tacho__recording_read_v1(struct tacho_recording *recording);
int tacho__recording_read_v2(struct tacho_recording *recording);
/* Whether the folder is of version 2. */
bool tacho__recording_is_v2(const struct tacho_recording *recording);

/* The path of a file of version 2: 0 control.bin, else a piece with calls. */
void tacho__recording_name_file(const struct tacho_recording *recording, uint32_t number,
				char *path, size_t size);

/* process_clocks.c: a tick of the process on the host's CLOCK_MONOTONIC. */
uint64_t tacho__process_host_ns(const struct tacho__process *process, uint64_t tick);
/* One time after the other, of which most are close together. */
static inline uint64_t tacho__time_lines_convert(struct tacho__time_lines *times,
						 enum tacho__clock from, enum tacho__clock to,
						 uint64_t time)
{
	struct tacho__clock_line *line = &times->lines[from][to];

	if (time < line->first || time >= line->until)
		*line = tacho__clock_map_find_line(times->process->clocks, from, to, time);
	return tacho__clock_line_convert(line, time);
}
/* As tacho__process_host_ns(). */
static inline uint64_t tacho__time_lines_host_ns(struct tacho__time_lines *times, uint64_t tick)
{
	return tacho__time_lines_convert(times, TACHO__CLOCK_TICK, TACHO__CLOCK_MONOTONIC,
					 tick - times->process->shifts[TACHO__CLOCK_TICK]);
}
/* A tick on one of the process's own clocks. */
static inline uint64_t tacho__time_lines_own(struct tacho__time_lines *times,
					     enum tacho__clock clock, uint64_t tick)
{
	const uint64_t *shifts = times->process->shifts;

	return tacho__time_lines_convert(times, TACHO__CLOCK_TICK, clock,
					 tick - shifts[TACHO__CLOCK_TICK]) +
	       shifts[clock];
}
/* A time on one of its own clocks on the host's CLOCK_MONOTONIC. */
static inline uint64_t tacho__time_lines_own_to_host_ns(struct tacho__time_lines *times,
							enum tacho__clock clock, uint64_t time)
{
	return tacho__time_lines_convert(times, clock, TACHO__CLOCK_MONOTONIC,
					 time - times->process->shifts[clock]);
}

/* recording.c: another process, at the end of the list. NULL: no memory. */
struct tacho__process *tacho__recording_add_process(struct tacho_recording *recording,
						    const char *name);
/* Another stream of a process. NULL: no memory. */
struct tacho__reader_stream *tacho__process_add_stream(struct tacho__process *process);
/* What a process says of itself, in "key=value" lines. */
void tacho__process_describe(struct tacho_recording *recording, struct tacho__process *process,
			     const char *text);

/* A call table in pieces, which follow one another; a missing one leaves the table unusable. */
void tacho__tables_take(struct tacho__buf *texts, struct tacho__unpack *unpack);
int tacho__tables_parse(struct tacho__arena *arena, struct tacho__buf *texts,
			struct tacho__call_table **tables);

/* The value of "key" in "key=value" lines: copied into the arena, `otherwise` when there is none.
 */
const char *tacho__attribute(struct tacho__arena *arena, const char *text, const char *key,
			     const char *otherwise);

#endif
