/* SPDX-License-Identifier: MIT */
/* rocpd databases of rocprofv3, what the parts of their reader share: amd_rocpd*.c. */
#ifndef TACHO_FORMAT_FOREIGN_AMD_ROCPD_H
#define TACHO_FORMAT_FOREIGN_AMD_ROCPD_H

#include "format/foreign/amd.h"
#include "format/foreign/foreign_db.h"

/* A set of tables: of a process, or of all that one tool recorded. */
struct tacho__rocpd_set {
	struct tacho__amd amd;
	struct tacho__foreign_db *db;
	struct tacho__buf suffix;  /* what the names of its tables end with */
	uint64_t number;	   /* of the set, over all files */
	uint32_t run;		   /* a text: whose agents they are */
	bool has_tracks;	   /* schema 4: rows name a track, and that whose they are */
	bool has_stamps;	   /* schema 4.0: rows name their times, which a table has */
	struct tacho__amd *passes; /* has its launches, which several runs tell of; or NULL */
	bool is_again;		   /* another run has told its launches, of this process: */
	uint32_t process;
	const char *level; /* what the counter of levels counted, when a run had but one; or NULL */
	/* One row by its id. */
	struct tacho__foreign_query strings, events, processes, threads, agents, queues, kernels,
		counters, tracks, categories, stamps;
	struct tacho__map texts; /* ids of strings -> texts */
	struct tacho__map category_texts;
	struct tacho__map process_map; /* ids -> processes + 1 */
	struct tacho__map thread_map;  /* ids -> threads + 1 */
	struct tacho__map kernel_map;  /* process << 32 | id -> things */
	struct tacho__map counter_map; /* ids -> counters */
	uint64_t launches, summed, lonely, samples, allocations, copies, calls;
};

/* Whose a row is, and where it ran, all by their ids. */
struct tacho__rocpd_place {
	int64_t process, thread, queue, agent;
	bool has_queue;
};

/* Columns that all queries for what happened begin with; tables lack some of them. */
#define TACHO__ROCPD_PLACE                                                                      \
	"pid", "tid", "queue_id", "agent_id", "track_id", "start", "end", "start_id", "end_id", \
		"event_id"

enum tacho__rocpd_place_column {
	TACHO__ROCPD_PROCESS,
	TACHO__ROCPD_THREAD,
	TACHO__ROCPD_QUEUE,
	TACHO__ROCPD_AGENT,
	TACHO__ROCPD_TRACK,
	TACHO__ROCPD_START,
	TACHO__ROCPD_END,
	TACHO__ROCPD_START_STAMP,
	TACHO__ROCPD_END_STAMP,
	TACHO__ROCPD_EVENT,
	TACHO__ROCPD_PLACE_COUNT
};

/* The table's name in this set, borrowed until `buf` changes; NULL: no memory. */
const char *tacho__rocpd_table(const struct tacho__rocpd_set *set, const char *table,
			       struct tacho__buf *buf);
/* All: PARSE, IO, NOMEM. */
int tacho__rocpd_text(struct tacho__rocpd_set *set, int64_t id, uint32_t *out_text);
int tacho__rocpd_place(struct tacho__rocpd_set *set, const struct tacho__foreign_query *query,
		       struct tacho__rocpd_place *out_place);
/* Its time in that column, START or END, wherever the schema keeps it. */
int tacho__rocpd_time(struct tacho__rocpd_set *set, const struct tacho__foreign_query *query,
		      enum tacho__rocpd_place_column column, struct tacho__amd_number *out_time);
int tacho__rocpd_process(struct tacho__rocpd_set *set, int64_t id, uint32_t *out_process);
int tacho__rocpd_thread(struct tacho__rocpd_set *set, int64_t id, uint32_t *out_thread);
int tacho__rocpd_device(struct tacho__rocpd_set *set, uint32_t process, int64_t id,
			uint32_t *out_device);
int tacho__rocpd_queue(struct tacho__rocpd_set *set, int64_t id,
		       struct tacho__foreign_command *command);
int tacho__rocpd_kernel(struct tacho__rocpd_set *set, int64_t id,
			struct tacho__foreign_command *command);
int tacho__rocpd_counter(struct tacho__rocpd_set *set, int64_t id, uint32_t *out_counter);
/* What joins the rows of an event, and the text of its category. */
int tacho__rocpd_event(struct tacho__rocpd_set *set, int64_t id, uint64_t *out_link,
		       uint32_t *out_category);

/* amd_rocpd_left.c: notes of tables with rows that are not read. PARSE, IO, NOMEM. */
int tacho__rocpd_note_left(struct tacho__rocpd_set *set);
/* Sets has_tracks and has_stamps. PARSE, IO, NOMEM. */
int tacho__rocpd_check_schema(struct tacho__rocpd_set *set);

/*
 * amd_rocpd_passes.c: rocprofiler-compute runs a program once for each few counters, and keeps a
 * database of each run and process. Which file has the launches that this one has again: itself,
 * where it is of the first run, or of none.
 */
size_t tacho__rocpd_first_run(const struct tacho__foreign_file *files, size_t count, size_t file);
/* Whether it is of such a run; "SQ_LEVEL_WAVES" when that counted one level, else "". */
bool tacho__rocpd_is_run(const char *path, char out_level[64]);
/* The first database of such runs in the folder of that file; `count`: it has none. */
size_t tacho__rocpd_beside(const struct tacho__foreign_file *files, size_t count, size_t file);

/* amd_rocpd_rows.c: what happened. */
int tacho__rocpd_read_rows(struct tacho__rocpd_set *set);

#endif
