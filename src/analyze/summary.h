/* SPDX-License-Identifier: MIT */
/* A summary while it is made, shared by its files: summary.c lines.c line_values.c line_columns.c
 * devices.c memory_devices.c durations.c notes.c uncounted.c. */
#ifndef TACHO_ANALYZE_SUMMARY_H
#define TACHO_ANALYZE_SUMMARY_H

#include "analyze/breakdown.h"
#include "analyze/sentences.h"
#include "analyze/counted.h"
#include "analyze/frames.h"
#include "analyze/use.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/row.h"
#include "tacho/summary.h"

enum {
	TACHO__SUMMARY_KEYS = TACHO_BY_COMMAND + 1,
	TACHO__INSTANCE_SUMS_MAX = 1 << 22, /* instances, over all lines of a kind */
	TACHO__TALLIES_MAX = 64,	    /* distinct failures or refusals that are told apart */
	TACHO__RECENT_RANGES = 64,
	TACHO__CHOSEN_RANGES_MAX = 64, /* that are looked for when they never began */
};

/* Whose values a line has: of launches that draw, of others, of commands that stand for several. */
enum tacho__row_sort {
	TACHO__ROW_DRAW,
	TACHO__ROW_LAUNCH,
	TACHO__ROW_WHOLE,
	TACHO__ROW_SORTS,
};

/* A counter, or an instance of it, over the launches or transfers of a line. */
struct tacho__sum {
	union tacho__number numbers[TACHO_STATISTICS];
	double total, coverage;
	uint8_t state;
	const char *reason;
	bool is_of_launch; /* the reason */
	bool is_foreign;   /* some can never have it */
	/* By enum tacho__row_sort: whether any has it, and how many lack it. */
	bool is_measured_of[TACHO__ROW_SORTS];
	uint64_t missing_of[TACHO__ROW_SORTS];
};

struct tacho__line {
	struct tacho_summary_line line;
	struct tacho__lines *of;
	const struct tacho_process *process; /* of threads */
	struct tacho__line *whole;	     /* of threads: the line of the process */
	const char *own_name;		     /* by range: without those around it */
	uint64_t last_call;		     /* by range: the last that counted for it */
	uint64_t lost;			     /* commands whose end was not seen */
	/* By transfer: what kind, and of the first one where. */
	enum tacho_command_kind kind;
	const struct tacho_object *device;
	/* By counter, for each of its instances; NULL: none counted, or too many to keep. */
	struct tacho__sum **sums;
	struct tacho__sampled *sampled; /* NULL: its values are not kept */
	struct tacho_summary_part
		*parts; /* kernels of its template, in one execution; NULL: none */
	size_t part_count;
	uint64_t *durations; /* NULL: of such lines none are kept, or none was measured */
};

/* The lines of one kind. */
struct tacho__lines {
	struct tacho__map by_key;    /* what makes a line is known by number */
	struct tacho__names by_name; /* and, where several things share a line, by name */
	struct tacho__line *recent;  /* the last that was asked for by key; NULL: none was */
	uint64_t recent_key;
	struct tacho__line **all;
	size_t count, capacity;
	struct tacho_result *values; /* NULL: nothing was counted */
	struct tacho_summary_reason *reasons;
	size_t reason_count, reason_capacity;
	size_t instance_sums; /* that they keep */
	bool has_unsummed;    /* there are more instances than can be kept */
};

/* What lines by range need besides. */
struct tacho__ranges {
	struct tacho__recent_range {
		uint64_t id; /* 0: none */
		struct tacho__line *line;
	} recent[TACHO__RECENT_RANGES]; /* by id */
	struct tacho__line *outside;	/* launches in none */
	struct tacho__line *others;	/* for names that found no place */
	size_t bytes;			/* of names */
	uint64_t calls;			/* with work for devices, so far */
	uint64_t open;			/* that had not ended */
	uint64_t begun;			/* a bit for each that launches are counted in */
	bool has_failed;		/* no memory where nothing can be returned */
};

/* Where a device stands while its gaps are looked for (line_gaps.c). */
struct tacho__between {
	struct tacho__ran *waiting; /* commands: a heap, the earliest first */
	size_t count, capacity;
	uint64_t done_ns; /* start of the last that was taken */
	uint64_t end_ns;  /* the last end of these, */
	uint32_t number;  /* and of which command; 0: there was none */
	const char *name;
	uint64_t doubt_until_ns; /* something may have run up to then */
	bool is_open, is_late;	 /* from open_ns on; from late_ns on they are out of order */
	uint64_t open_ns, late_ns;
	const char *recent_name; /* the last that was looked up */
	uint32_t recent_number;
};

/* A device over all processes that used it. */
struct tacho__device_use {
	struct tacho_summary_device device;
	const char *label; /* its name, and its number when its process had several of that name */
	size_t index;
	struct tacho__use use;
	struct tacho__between between;
};

struct tacho__devices {
	struct tacho__map by_object;
	struct tacho__names by_label;
	struct tacho__device_use **all;
	size_t count, capacity;
	struct tacho__use elsewhere; /* of commands whose device is not known: it may be any */
	const struct tacho_object **holding; /* memory of theirs is or was taken */
	size_t holding_count, holding_capacity;
};

/* How often something happened, told apart by a short text in two parts. */
struct tacho__tally {
	const char *api;
	const char *what, *why;
	uint64_t count;
};

struct tacho__tallies {
	struct tacho__names by_text;
	struct tacho__tally all[TACHO__TALLIES_MAX];
	size_t count;
	uint64_t others; /* that found no place */
};

struct tacho_summary {
	struct tacho_recording *recording; /* borrowed */
	struct tacho_cursor *cursor;	   /* its objects live as long as it does */
	struct tacho__samples *samples;	   /* borrowed; NULL: no values are kept */
	struct tacho__arena arena;
	struct tacho__buf scratch;
	struct tacho_summary_totals totals;
	struct tacho__lines lines[TACHO__SUMMARY_KEYS];
	struct tacho__devices devices;
	struct tacho__breakdown breakdown; /* of no samples: nobody asks */
	struct tacho__tallies failures;	   /* function and result */
	struct tacho__tallies refusals;	   /* device and reason */
	struct tacho__tallies marked;	   /* devices whose driver tells ends only */
	struct tacho__tallies sealed;	   /* templates that hold nobody knows what, and why */
	struct tacho__tallies uncounted;   /* kernel and reason, of launches without all values */
	uint64_t selected;		   /* launches that were to be counted */
	struct tacho__ranges ranges;
	struct tacho__frames frames;
	bool has_gaps;		       /* lines by gap are asked for */
	struct tacho__names gap_names; /* of commands -> their number, from 1 */
	bool gaps_are_open;	       /* from then on something may run on any device */
	uint64_t gaps_open_ns;
	const struct tacho_result *row; /* the cursor's rows: its columns; NULL: there was none */
	struct tacho__sentences notes;
	struct tacho_summary_sampled *sampled;
	size_t sampled_count;
};

/*
 * As tacho_summary_create_with_gaps(), while `samples` keeps values of the lines of its kind, and
 * gaps are looked for only when it is theirs.
 */
int tacho__summary_create_sampled(struct tacho_recording *recording, struct tacho__samples *samples,
				  struct tacho_summary **out_summary);

/*
 * summary.c: the parts of making one, for who reads more than it out of one cursor: begin, each
 * call of summary->cursor in its turn, and the end. NOMEM, and as tacho_cursor_open().
 */
int tacho__summary_begin(struct tacho_recording *recording, struct tacho__samples *samples,
			 bool has_gaps, struct tacho_summary **out_summary);
int tacho__summary_take(struct tacho_summary *summary, const struct tacho_call *call);
int tacho__summary_end(struct tacho_summary *summary);

/* A copy of the text that lives as long as the summary, in one printable line. NULL: no memory. */
const char *tacho__summary_text(struct tacho_summary *summary, const char *text);

/* lines.c: a new line, known by nothing yet. NULL: no memory. */
struct tacho__line *tacho__lines_make(struct tacho_summary *summary, struct tacho__lines *lines,
				      const char *name, const char *device);
/* Puts one more behind the others. NOMEM. */
int tacho__lines_add(struct tacho__lines *lines, struct tacho__line *line);
/*
 * The line of the thing that `key` stands for, made when there is none. Things of one name on one
 * device share it. NOMEM.
 */
int tacho__lines_get(struct tacho_summary *summary, enum tacho_summary_key kind, uint64_t key,
		     const char *name, const char *device, struct tacho__line **out_line);
/* One more of the line; `why_not_known` tells why its time is not known, NULL when it is. NOMEM. */
int tacho__lines_count(struct tacho_summary *summary, struct tacho__line *line, uint64_t time_ns,
		       const char *why_not_known);
/* lines.c: takes a call into account; `device` is the command's, NULL if there is none. NOMEM. */
int tacho__lines_add_call(struct tacho_summary *summary, const struct tacho_call *call,
			  const struct tacho__device_use *device);
/* Processes without calls, names, states and order. NOMEM. */
int tacho__lines_complete(struct tacho_summary *summary);
void tacho__lines_finish(struct tacho__lines *lines);

/* line_values.c: takes the row of the cursor's command into account. NOMEM. */
int tacho__line_values_add(struct tacho_summary *summary, struct tacho__line *line,
			   const struct tacho_command *command);
/* Means; and totals of launches that took turns in being counted. */
/* line_columns.c: makes the result of lines that are in their order. NOMEM. */
int tacho__line_values_complete(struct tacho_summary *summary, struct tacho__lines *lines);

/* line_parts.c: what a template's line stands for, the first time it is seen. NOMEM. */
int tacho__line_parts_add(struct tacho_summary *summary, struct tacho__line *line,
			  const struct tacho_template *contents);
/* Over all executions, in order. */
void tacho__line_parts_complete(struct tacho__line *line);

/* line_ranges.c: a range has ended, or a mark was met; `user` is the summary. */
void tacho__range_lines_end(void *user, const struct tacho_named_range *range);
/* What the call gave to a device, for the ranges that it lies in. NOMEM. */
int tacho__range_lines_add_call(struct tacho_summary *summary, const struct tacho_call *call);
/* Behind all calls. NOMEM. */
int tacho__range_lines_complete(struct tacho_summary *summary);
/* window_sums.c: a line for each counter that was sampled. NOMEM. */
int tacho__window_sums_init(struct tacho_summary *summary);
/* A window; `user` is the summary. */
void tacho__window_sums_add(void *user, const struct tacho_window *window);

/* line_gaps.c: a command that the device ran, at least partly; NULL: it is not known which. Nothing
 * when gaps are not asked for. NOMEM. */
int tacho__gap_lines_add(struct tacho_summary *summary, struct tacho__device_use *use,
			 const struct tacho_command *command);
/* Behind all commands. NOMEM. */
int tacho__gap_lines_complete(struct tacho_summary *summary);

/* Names that never came, and ranges without end. NOMEM. */
int tacho__notes_tell_ranges(struct tacho_summary *summary);

/* durations.c: one more duration of the line. NOMEM. */
int tacho__durations_add(struct tacho_summary *summary, struct tacho__line *line,
			 uint64_t duration_ns);

/* devices.c: takes a command into account; *out_device is NULL when its device is not known. NOMEM.
 */
int tacho__devices_add(struct tacho_summary *summary, const struct tacho_command *command,
		       const struct tacho__device_use **out_device);
/* Sums, states and order. NOMEM. */
int tacho__devices_complete(struct tacho_summary *summary);
/* memory_devices.c: behind that, whose memory was taken. NOMEM. */
int tacho__memory_devices_find(struct tacho_summary *summary);
void tacho__devices_finish(struct tacho__devices *devices);

/* One more of these. `api` tells apart what else is the same; "" if nothing does. NOMEM. */
int tacho__tally_add(struct tacho_summary *summary, struct tacho__tallies *tallies, const char *api,
		     const char *what, const char *why);
/* A note for people, as in printf(). NOMEM. */
int tacho__note_add(struct tacho_summary *summary, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* uncounted.c: a launch that was to be counted. NOMEM. */
int tacho__uncounted_add(struct tacho_summary *summary, const struct tacho_command *command,
			 const struct tacho_recorded_row *row);
/* Which launches lack values, and which processes stopped counting. NOMEM. */
int tacho__notes_tell_uncounted(struct tacho_summary *summary);

/* notes.c: what went wrong, counted while reading. NOMEM. */
int tacho__notes_add_failure(struct tacho_summary *summary, const struct tacho_call *call);
int tacho__notes_add_marked(struct tacho_summary *summary, const struct tacho_command *command,
			    const struct tacho__device_use *device);
int tacho__notes_add_sealed(struct tacho_summary *summary, const struct tacho_command *command);
int tacho__notes_add_refusal(struct tacho_summary *summary, const struct tacho_command *command,
			     const struct tacho__device_use *device);
/* Writes the notes out of all that is known at the end. NOMEM. */
int tacho__notes_complete(struct tacho_summary *summary);

#endif
