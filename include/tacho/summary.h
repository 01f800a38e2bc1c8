/* SPDX-License-Identifier: MIT */
/* Summaries of a recording: where the time went. */
#ifndef TACHO_SUMMARY_H
#define TACHO_SUMMARY_H

#include <tacho/recording.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_summary;

/* What the lines of a summary stand for. */
enum tacho_summary_key {
	TACHO_BY_KERNEL = 0,  /* kernel name on a device; times are device times */
	TACHO_BY_API = 1,     /* API function; times are host times */
	TACHO_BY_QUEUE = 2,   /* queue; times are device times of its commands */
	TACHO_BY_THREAD = 3,  /* thread; times are host times in the API */
	TACHO_BY_PROCESS = 4, /* process; times are host times in the API */
	TACHO_BY_TRANSFER = 5 /* kind of transfer on a device; times are device times */
};

/* One line. Sums are over the `measured` ones; the rest had no credible times. */
struct tacho_summary_line {
	const char *name;
	const char *device;		   /* "" where it has no meaning */
	uint32_t pid, thread;		   /* 0 where they have no meaning */
	uint64_t count;			   /* launches, calls or commands */
	uint64_t failed;		   /* calls that the API failed */
	uint64_t measured;		   /* of count, those with times */
	uint64_t total_ns, min_ns, max_ns; /* over measured; 0 when measured is 0 */
	uint64_t first_ns;		   /* duration of the first launch; valid when has_first */
	uint32_t has_first;
	uint64_t bytes; /* moved by transfers, of those whose size is known */
	/* Kernels that ran by the calls (thread, process, queue): launched, or by a template. */
	uint64_t launches;
	uint32_t is_template;	/* by kernel: a template; tacho_summary_get_part() tells more */
	enum tacho_state state; /* absent when measured is 0, lost when some commands never ended */
	const char *reason;	/* the first reason why times are missing; "" if none are */
};

/* Values of one counter over the launches, or transfers, of a line. */
struct tacho_summary_value {
	uint64_t count;		      /* that were selected and can have it */
	uint64_t measured;	      /* of these, those that have it */
	double total, mean, min, max; /* over measured */
	uint64_t whole;		      /* the total of a whole number, exact; 0 with OVERFLOW */
	uint8_t state;		      /* absent when measured is 0, else the worst of them */
	/* Of the values the mean, times the part of the launches that have one where they took
	 * turns: the total is then extrapolated, and scaled. */
	double coverage;
	const char *reason;    /* the first note on one that is not plainly there; "" */
	uint32_t is_of_launch; /* the reason is one for all of a launch: a note of the run has it */
};

/* A kernel that ran in the template of a line by kernel; when it ran is not known of it alone. */
struct tacho_summary_part {
	const char *name;
	uint64_t count; /* how often it ran */
};

/* One device's use. */
struct tacho_summary_device {
	const struct tacho_object *device;
	uint64_t busy_ns; /* union of the times in which some command ran */
	uint64_t idle_ns; /* between its first start and its last end, while none can have run */
	/* In between, while only commands without times can have run: with it busy_ns is the least
	 * that is true, and state is lost. */
	uint64_t unknown_ns;
	uint64_t commands, measured;
	uint64_t uncertainty_ns;
	enum tacho_state state; /* of busy_ns and idle_ns */
	const char *reason;	/* why some commands have no times, or why the state is not ok */
	const char *clock; /* the clock its times were found to follow, "CLOCK_MONOTONIC_RAW" */
};

struct tacho_summary_totals {
	uint64_t wall_ns; /* of the run; valid when has_wall */
	uint32_t has_wall;
	uint64_t api_ns; /* inside API calls, summed over threads */
	uint64_t calls, failed_calls;
	uint64_t launches;	    /* kernels that ran: launched, or by templates */
	uint64_t templates;	    /* executions of templates (command buffers) */
	uint64_t template_launches; /* of launches, those by templates whose contents are known */
	uint64_t transfers, commands;
	uint64_t unfinished;   /* commands whose end was not seen */
	uint64_t not_credible; /* commands whose times were refused */
	uint64_t processes, threads;
	struct tacho_losses losses; /* over all processes, and what belongs to none */
};

/* What was lost for one reason. Texts are static. */
struct tacho_loss {
	const char *name; /* for programs: "no_window" */
	const char *text; /* for people, to stand behind the count */
	uint64_t count;
};

/* The losses in a fixed order, those that count 0 too: 1 and *out_loss, or 0 past the last. */
TACHO_API int tacho_summary_totals_get_loss(const struct tacho_summary_totals *totals, size_t index,
					    struct tacho_loss *out_loss);

/* Reads the whole recording. Owned; free with tacho_summary_destroy(). IO, NOMEM. */
TACHO_API int tacho_summary_create(struct tacho_recording *recording,
				   struct tacho_summary **out_summary);
TACHO_API void tacho_summary_destroy(struct tacho_summary *summary);

TACHO_API const struct tacho_summary_totals *
tacho_summary_get_totals(const struct tacho_summary *summary);

/* Lines of one kind, longest total first; ties by name. Borrowed. */
TACHO_API size_t tacho_summary_get_line_count(const struct tacho_summary *summary,
					      enum tacho_summary_key key);
TACHO_API const struct tacho_summary_line *
tacho_summary_get_line(const struct tacho_summary *summary, enum tacho_summary_key key,
		       size_t index);

/*
 * The kernels that a line by kernel stands for when it is a template: most often run first; NULL
 * past the last, and for other lines. Borrowed.
 */
TACHO_API const struct tacho_summary_part *
tacho_summary_get_part(const struct tacho_summary *summary, enum tacho_summary_key key,
		       size_t index, size_t part);

/*
 * Of counter `counter` of the recording, for lines by kernel and by transfer; NULL for others, past
 * the last, and for a counter that none of the line can have. Borrowed.
 */
TACHO_API const struct tacho_summary_value *
tacho_summary_get_value(const struct tacho_summary *summary, enum tacho_summary_key key,
			size_t index, size_t counter);

/*
 * How the durations of a line are spread, for lines by kernel, by API function and by transfer:
 * TACHO_DURATION_BINS counts that add up to `measured`. Bin `i` holds durations from
 * tacho_duration_bin_start_ns(i) up to the start of the next; there are four for each power of two.
 * NULL for other lines, past the last, and when nothing was measured. Borrowed.
 */
enum { TACHO_DURATION_BINS = 252 };
TACHO_API const uint64_t *tacho_summary_get_durations(const struct tacho_summary *summary,
						      enum tacho_summary_key key, size_t index);
/* UINT64_MAX past the last. */
TACHO_API uint64_t tacho_duration_bin_start_ns(size_t bin);

/* Devices that got commands, in the order of the recording. NULL past the last. Borrowed. */
TACHO_API const struct tacho_summary_device *
tacho_summary_get_device(const struct tacho_summary *summary, size_t index);

/*
 * Remarks about the run for a person, one sentence or two each: what failed, cause and cure. NULL
 * past the last. Borrowed.
 */
TACHO_API const char *tacho_summary_get_note(const struct tacho_summary *summary, size_t index);

#ifdef __cplusplus
}
#endif

#endif
