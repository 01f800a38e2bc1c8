/* SPDX-License-Identifier: MIT */
/*
 * Files of other tools as recordings. A reader tells what its file says, in any order and in
 * numbers of its own; what belongs together is then joined and put into the order of time, on disk
 * where it does not fit into memory, and foreign_source.c reads it as a recording.
 *
 * Times are the file's nanoseconds, which may be negative. Texts, functions and things are told
 * once and named by a number from then on, of which 0 is none.
 */
#ifndef TACHO_FORMAT_FOREIGN_FOREIGN_H
#define TACHO_FORMAT_FOREIGN_FOREIGN_H

#include "base/buf.h"
#include "format/foreign/foreign_sums.h"
#include "format/foreign/sorter.h"
#include "model/row.h"
#include "record/kept_source.h"
#include "record/objects.h"
#include "record/reader.h"

/* A call of a thread. */
struct tacho__foreign_call {
	uint32_t process, thread, function, result;
	int64_t start_ns, end_ns;
	uint64_t link; /* with the commands of its process that it gave; 0: with none */
	uint8_t failed;
	/* What it says of a command that does not say it: */
	uint8_t counts_items; /* the sizes of its launch are work-items */
	uint8_t has_bytes;    /* it moves so many */
	uint64_t bytes;
};

/* What the global sizes of a command count. */
enum tacho__foreign_sizes {
	TACHO__FOREIGN_IN_ITEMS,
	TACHO__FOREIGN_IN_GROUPS,
	TACHO__FOREIGN_AS_CALLED, /* groups, but items when its call says so; lost without a call */
};

/* Work of a device. Small, for there may be millions. */
struct tacho__foreign_command {
	uint32_t process;
	uint32_t thread; /* that gave it, where no call is known; 0 */
	uint64_t link;
	uint8_t kind;  /* enum tacho_command_kind */
	uint8_t state; /* enum tacho_state */
	uint8_t sizes; /* enum tacho__foreign_sizes */
	uint8_t dimensions, has_local, has_bytes, has_extra_local, has_queue_times;
	uint8_t has_duration;  /* how long it ran is known though state is not ok: duration_ns */
	uint32_t name, reason; /* texts */
	uint32_t queue, device, kernel; /* things */
	uint64_t global[3], local[3];
	uint64_t bytes, extra_local_bytes;
	int64_t queued_ns, submit_ns, start_ns, end_ns; /* valid when state is ok */
	uint64_t duration_ns;
	uint64_t values; /* what names its values in its process; 0: it has none */
};

/* What a counter or metric counted in a command. */
struct tacho__foreign_value {
	uint32_t process;
	uint32_t counter;
	uint64_t values; /* of the command */
	uint32_t state;
	uint32_t note; /* a text: why it is absent, or what it rests on */
	union tacho__number number;
};

struct tacho__foreign_range {
	uint32_t process, thread, kind; /* enum tacho_range_kind */
	uint32_t name, domain, api;	/* texts */
	uint32_t color, has_color;
	int64_t start_ns, end_ns;
	uint64_t number;  /* from 1; set when it is added */
	uint32_t has_end; /* 0: it did not end in the file; of a mark: whatever */
};

/* A value where it is known whose it is. */
struct tacho__foreign_kept {
	uint32_t counter, state, note, zero;
	union tacho__number number;
};

/* A command has no more. */
enum { TACHO__FOREIGN_VALUES_MAX = 4000 };

/* The clock of the files that are read, and how that of the current one differs from it. */
struct tacho__foreign_clock {
	bool has_epoch;		 /* of the recording: of the first file that tells one */
	int64_t epoch_ns;	 /* its time 0 since 1970 */
	int64_t shift_ns;	 /* what is added to times of the current file */
	bool is_set;		 /* the current file tells its epoch */
	bool has_told;		 /* it told a time */
	uint64_t set, bare;	 /* files before it, with an epoch and without one */
	struct tacho__buf hosts; /* "a, b": whose start times count from */
	uint32_t host_count;
};

/* The things of a process by their handles, and their numbers, for each kind. */
struct tacho__foreign_things {
	struct tacho__map all;
	struct tacho__map numbers[TACHO__OBJECT_KINDS];
	uint32_t source;	/* that told it, from 1 */
	uint64_t launches, sum; /* of the process: what tells them from others */
};

/* What is read at once: a file, or all files of a reader that needs them together. */
struct tacho__foreign_told {
	size_t first_file, file_count;
	uint64_t told; /* calls, commands, ranges, values, bytes */
	uint32_t twin; /* that has all its launches, too, and stays, from 1; 0: none */
};

struct tacho__foreign {
	struct tacho_recording *recording;
	struct tacho__objects objects;
	struct tacho__foreign_things *handles; /* of each process: what it made */
	size_t handle_count, handle_capacity;
	struct tacho__map processes; /* the file's key -> number + 1 */
	struct tacho__foreign_told *sources;
	size_t source_count, source_capacity;
	const char **texts;
	size_t text_count, text_capacity;
	struct tacho__names by_text, by_function;
	struct tacho__map by_word; /* literals -> texts */
	struct tacho__map kernels; /* what is known of one -> foreign_things.c */
	struct tacho__buf scratch;
	struct tacho_function *functions;
	size_t function_count, function_capacity;
	struct tacho__names by_counter;
	struct tacho_entry *counters;
	size_t counter_count, counter_capacity;
	struct tacho__sorter values, counted; /* values, and commands that may have some */
	struct tacho__sorter calls, commands; /* that may belong together */
	struct tacho__sorter rows;
	uint64_t lonely_values, surplus_values; /* without a command; more than it may have */
	struct tacho__foreign_clock clock;
	uint64_t lost_sizes; /* launches whose call would tell what their sizes count */
	struct tacho__foreign_sums sums;
	struct tacho__buf note;
	uint64_t range_count;
	bool has_time;
	int64_t first_ns, last_ns;
	int64_t origin_ns; /* is 0 in the recording */
};

/* ---- what readers say ---- */

/* The process of that key, made when it is new, as a number. NOMEM. */
int tacho__foreign_process(struct tacho__foreign *foreign, uint64_t key, uint32_t pid,
			   uint32_t *out_process);
/* Its number, when it is known later. NOMEM. */
int tacho__foreign_set_pid(struct tacho__foreign *foreign, uint32_t process, uint32_t pid);
/* Its name; the first that is told stays. NOMEM. */
int tacho__foreign_name_process(struct tacho__foreign *foreign, uint32_t process, const char *name);
int tacho__foreign_text(struct tacho__foreign *foreign, const char *text, uint32_t *out_text);
/* The same of a literal, which is known by where it lies. */
int tacho__foreign_word(struct tacho__foreign *foreign, const char *literal, uint32_t *out_text);
int tacho__foreign_function(struct tacho__foreign *foreign, const char *api, const char *name,
			    uint32_t *out_function);
/* The thing with that handle, of a kind and process, or 0. */
uint32_t tacho__foreign_find(const struct tacho__foreign *foreign, uint32_t process,
			     enum tacho_object_kind kind, uint64_t handle);
/* The same, made when it is new from "key=value" lines, as tacho__objects_add() takes them. NOMEM.
 */
int tacho__foreign_thing(struct tacho__foreign *foreign, uint32_t process,
			 enum tacho_object_kind kind, uint64_t handle,
			 const struct tacho__buf *text, uint32_t *out_thing);
/*
 * The thing that these lines describe, where nothing else tells it from others of its kind; they
 * are finished. *out_handle, which may be NULL, is what it has then. NOMEM.
 */
int tacho__foreign_described(struct tacho__foreign *foreign, uint32_t process,
			     enum tacho_object_kind kind, struct tacho__buf *text,
			     uint64_t *out_handle, uint32_t *out_thing);
/* A kernel: those of one name that were compiled in several ways are several. */
struct tacho__foreign_kernel {
	uint32_t process, name;			       /* a text; 0: it has none */
	int64_t registers, local_bytes, private_bytes; /* below 0: not known */
};

/* A fact of a kernel. What is more than any can have is not known. */
static inline int64_t tacho__foreign_fact(bool is_known, uint64_t value)
{
	return is_known && value <= INT64_MAX ? (int64_t)value : -1;
}

/* NOMEM. */
int tacho__foreign_kernel(struct tacho__foreign *foreign,
			  const struct tacho__foreign_kernel *kernel, uint32_t *out_thing);
/*
 * A command is a launch of so many groups of this size, of three dimensions. Of one whose size
 * cannot be nothing is told, false.
 */
bool tacho__foreign_set_groups(struct tacho__foreign_command *command, const uint64_t groups[3],
			       const uint64_t local[3]);

/* All: IO, NOMEM. What ends before it starts has lost its times, and that is said. */
int tacho__foreign_add_call(struct tacho__foreign *foreign, const struct tacho__foreign_call *call);
int tacho__foreign_add_command(struct tacho__foreign *foreign,
			       const struct tacho__foreign_command *command);
int tacho__foreign_add_range(struct tacho__foreign *foreign,
			     const struct tacho__foreign_range *range);

/*
 * A counter or metric of the file, in its own words; `unit` is a name of tacho's where it has one
 * ("ns", "bytes", "percent", "cycles"). Of one name and two units the first stays.
 */
int tacho__foreign_counter(struct tacho__foreign *foreign, const char *name, const char *unit,
			   enum tacho_type type, uint32_t *out_counter);
/* Of two values of one counter and command the first stays. IO, NOMEM. */
int tacho__foreign_add_value(struct tacho__foreign *foreign,
			     const struct tacho__foreign_value *value);

/* A sentence about what the file lacks, or what is left out. What was said is not said again. */
void tacho__foreign_note(struct tacho__foreign *foreign, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same with a number in front: "1 ONE", "2 MORE"; of 0 nothing is said. */
void tacho__foreign_note_count(struct tacho__foreign *foreign, uint64_t count, const char *one,
			       const char *more);

/*
 * A file lacks some of what its tool wrote, for it was cut: a fault of the recording, so that
 * nothing made of it looks whole. `format` is what stands behind the path: "ends early, at byte
 * 12". Of a table whose end alone is missing, which an editor does, tacho__foreign_note_end().
 * NOMEM.
 */
int tacho__foreign_lose(struct tacho__foreign *foreign, const char *path, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * From here on what is told is of another file, with a clock of its own. Readers that have all
 * files at once call it in front of each, but not where all have one clock.
 */
void tacho__foreign_begin_file(struct tacho__foreign *foreign);
/*
 * The file's time 0 is `ns` since 1970. Before any of its times is told: all files of a recording
 * are put on the clock of the first that says so.
 */
void tacho__foreign_set_epoch(struct tacho__foreign *foreign, int64_t ns);
/* Times count from the start of this host, and tell no time of day. */
void tacho__foreign_set_host(struct tacho__foreign *foreign, const char *host);
/*
 * What wrote the file, with its version: "Nsight Systems 2024.5.1". What several files say is said
 * once each. NOMEM.
 */
int tacho__foreign_set_tool(struct tacho__foreign *foreign, const char *tool);

/* ---- kinds of files ---- */

struct tacho__foreign_db;

/*
 * foreign_tables.c: names in a note the tables of a database that have rows, and whose names begin
 * like none of these. PARSE, IO, NOMEM.
 */
int tacho__foreign_note_tables(struct tacho__foreign *foreign, struct tacho__foreign_db *db,
			       const char *const *known, size_t known_count);

enum { TACHO__FOREIGN_HEAD = 16 * 1024 };

struct tacho__foreign_reader;

/* A file that is looked at. */
struct tacho__foreign_file {
	const char *path;
	const struct tacho__foreign_reader *reader; /* that is to read it */
	uint64_t number; /* among those of its reader, from 1, in the order of their names */
	bool is_alone;	 /* its reader has no other */
	/* What it begins with: unpacked, in UTF-8, and ended by a zero. */
	char head[TACHO__FOREIGN_HEAD + 1];
	size_t head_size;
	struct tacho__foreign_db *db; /* NULL: it is no SQLite database */
	int *failure;		      /* what kept fits() from looking at more of it: IO, NOMEM */
};

struct tacho__foreign_reader {
	const char *name; /* "nsys-sqlite" */
	const char *title;
	/* By its content. */
	bool (*fits)(const struct tacho__foreign_file *file);
	/*
	 * Reads a file that fits; of several that are opened together one after the other. It may
	 * be given others, when the user says that they are of this kind: then nothing, or PARSE.
	 * Keys of processes are those of all files of a reader. PARSE: it is damaged. IO, NOMEM,
	 * VERSION.
	 */
	int (*read_file)(struct tacho__foreign *foreign, const struct tacho__foreign_file *file);
	/* The same of all files at once, where one alone does not say enough; else NULL. */
	int (*read)(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		    size_t count);
	/*
	 * Which of all files that are opened, of whatever reader, is a database beside this one
	 * that tells the same runs; `count`: none. NULL: never one. What tells the same launches
	 * of the same processes is found without it.
	 */
	size_t (*find_database)(const struct tacho__foreign_file *files, size_t count, size_t file);
};

extern const struct tacho__foreign_reader tacho__foreign_nsys;
extern const struct tacho__foreign_reader tacho__foreign_kineto;
extern const struct tacho__foreign_reader tacho__foreign_xla;
extern const struct tacho__foreign_reader tacho__foreign_kineto_table;
extern const struct tacho__foreign_reader tacho__foreign_unitrace;
extern const struct tacho__foreign_reader tacho__foreign_unitrace_chrome;
extern const struct tacho__foreign_reader tacho__foreign_clintercept;
extern const struct tacho__foreign_reader tacho__foreign_pftrace;
extern const struct tacho__foreign_reader tacho__foreign_apitrace;
extern const struct tacho__foreign_reader tacho__foreign_tool_sums;
extern const struct tacho__foreign_reader tacho__foreign_amd_summary;
extern const struct tacho__foreign_reader tacho__foreign_amd_csv;
extern const struct tacho__foreign_reader tacho__foreign_amd_json;
extern const struct tacho__foreign_reader tacho__foreign_amd_rocpd;
extern const struct tacho__foreign_reader tacho__foreign_likwid;
extern const struct tacho__foreign_reader tacho__foreign_rocprof_json;
extern const struct tacho__foreign_reader tacho__foreign_rocprof_db;

extern const struct tacho__foreign_reader tacho__foreign_ncu_rep;
extern const struct tacho__foreign_reader tacho__foreign_ncu_csv;
extern const struct tacho__foreign_reader tacho__foreign_nsys_stats;
extern const struct tacho__foreign_reader tacho__foreign_nvprof_csv;
extern const struct tacho__foreign_reader tacho__foreign_nvprof_db;

/* In the order in which they are asked; NULL past the last. */
const struct tacho__foreign_reader *tacho__foreign_get_reader(size_t index);
/*
 * foreign_kind.c: reads what the file begins with; of a damaged one what can be had. Its path is
 * set. IO, PERM, NOMEM, NOTFOUND, UNSUPPORTED.
 */
int tacho__foreign_read_head(struct tacho__foreign_file *file);
/* Whether one of these texts begins a line of the head. */
bool tacho__foreign_has_line(const struct tacho__foreign_file *file, const char *const *lines,
			     size_t count);
/*
 * foreign_open.c: opens files, and all in folders, as one recording; *out_recording is NULL when no
 * reader knows any. With `kind`, the name of a reader, they are read by that one; NULL: by what is
 * in them. IO, PERM, NOMEM; NOTFOUND: there is no such file, or kind; PARSE: of several names one
 * is no file that is read; UNSUPPORTED: it is a database, and there is no library for them; and
 * those of readers.
 */
int tacho__foreign_open(const char *const *paths, size_t count, const char *kind,
			struct tacho_recording **out_recording);

/* ---- between the parts ---- */

/* In the order of time: of calls and ranges that end, the end. */
enum tacho__foreign_row_kind {
	TACHO__FOREIGN_BEGIN, /* of a range, and marks */
	TACHO__FOREIGN_CALL,
	TACHO__FOREIGN_END,
};

struct tacho__foreign_row {
	int64_t key_ns;
	uint8_t kind; /* enum tacho__foreign_row_kind */
	uint8_t is_bare, has_command;
	union {
		struct tacho__foreign_call call;
		struct tacho__foreign_range told;
	};
	/* Only when has_command: else the row ends here. Behind it: struct tacho__foreign_kept. */
	struct tacho__foreign_command command;
};

/* foreign_values.c: the orders of both; commands with their values are added to the others. */
int tacho__foreign_compare_values(const void *left, const void *right);
int tacho__foreign_compare_counted(const void *left, const void *right);
int tacho__foreign_join_values(struct tacho__foreign *foreign);
void tacho__foreign_note_values(struct tacho__foreign *foreign);
/* foreign_join.c: `size` bytes: the command and its values. IO, NOMEM. */
int tacho__foreign_put_command(struct tacho__foreign *foreign,
			       const struct tacho__foreign_command *command, size_t size);

/* foreign_join.c: what belongs together becomes rows; then nothing is told any more. */
void tacho__foreign_begin_sorters(struct tacho__foreign *foreign);
int tacho__foreign_join(struct tacho__foreign *foreign);

/* foreign_clock.c: a time of the current file on the clock of the recording. */
int64_t tacho__foreign_shift(struct tacho__foreign *foreign, int64_t ns);
/* Behind all files: what their clocks leave open. */
void tacho__foreign_note_clocks(struct tacho__foreign *foreign);

/* foreign_twice.c: what comes is of these files. NOMEM. */
int tacho__foreign_begin_source(struct tacho__foreign *foreign, size_t first_file, size_t count);
/* Something was told. */
void tacho__foreign_tally(struct tacho__foreign *foreign);
void tacho__foreign_tally_command(struct tacho__foreign *foreign,
				  const struct tacho__foreign_command *command);
/* Sources whose launches are all in others have a twin from then on. 1: there are some; 0. NOMEM.
 */
int tacho__foreign_find_twice(struct tacho__foreign *foreign);

/*
 * Sources that have the launches of some processes both, and are read both: each pair, and of how
 * many processes. NOMEM.
 */
int tacho__foreign_each_shared(const struct tacho__foreign *foreign,
			       void (*take)(void *user, const struct tacho__foreign_told *left,
					    const struct tacho__foreign_told *right, size_t count),
			       void *user);

extern const struct tacho__source tacho__source_foreign;
void tacho__foreign_close(struct tacho_recording *recording);

#endif
