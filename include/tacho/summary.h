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
	TACHO_BY_KERNEL = 0,   /* kernel name on a device; times are device times */
	TACHO_BY_API = 1,      /* API function; times are host times */
	TACHO_BY_QUEUE = 2,    /* queue; times are device times of its commands */
	TACHO_BY_THREAD = 3,   /* thread; times are host times in the API */
	TACHO_BY_PROCESS = 4,  /* process; times are host times in the API */
	TACHO_BY_TRANSFER = 5, /* kind of transfer on a device; times are device times */
	/* Range that the program named, with those around it: "train/forward"; times are host times
	 * from its begin to its end. Marks, which have none, are there too; and last of all, where
	 * there are ranges, what was launched in none. */
	TACHO_BY_RANGE = 6,
	/* What a device ran before it did nothing for some time, and what came then: "add -> read".
	 * Times are those between; where a command without times may have run, none is measured.
	 * Only tacho_summary_create_with_gaps() looks for them. */
	TACHO_BY_GAP = 7,
	/* Frame: there are no such lines, tacho_summary_get_frame() has them. */
	TACHO_BY_FRAME = 8,
	/* Render pass, with the labels around it: those of the lines by range that are passes. */
	TACHO_BY_PASS = 9,
	/* What the API calls a command, on a device; times are device times. */
	TACHO_BY_COMMAND = 10
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
	/* By range: what was given to devices in it, at whatever depth. `bytes` and `launches` are
	 * of these, too. */
	enum tacho_range_kind range_kind;   /* 0 in other lines, and outside of ranges */
	const char *domain;		    /* that named it; "" */
	uint64_t own_ns;		    /* of total_ns, what lies in no range within it */
	uint64_t commands, device_measured; /* those with times */
	uint64_t device_ns;		    /* of these, added up */
	uint32_t is_outside;		    /* what was launched in no range: no times of a host */
	/* By transfer: why bytes over total_ns is no rate, such as that a map copied nothing; ""
	 * when it is one. "" in other lines. */
	const char *why_no_rate;
};

/* What is worked out of a counter's values over the launches, or transfers, of a line. */
enum tacho_statistic {
	/* In the counter's type and exact; OVERFLOW when it does not fit. Its state is the worst of
	 * the values, its coverage their mean, its note the first on one that is not plainly there.
	 * Where launches took turns it is extrapolated, and scaled. */
	TACHO_STATISTIC_TOTAL = 0,
	TACHO_STATISTIC_MEAN = 1,
	TACHO_STATISTIC_MIN = 2,
	TACHO_STATISTIC_MAX = 3,
	TACHO_STATISTIC_COUNT = 4,    /* values that were selected and that there can be */
	TACHO_STATISTIC_MEASURED = 5, /* of these, those that are there */
	TACHO_STATISTICS = 6
};

/* Why values of some lines are not plainly there. */
struct tacho_summary_reason {
	const char *text;
	const uint8_t *is_of;  /* a byte for each counter: whether values of it lack for this */
	uint32_t is_of_launch; /* it is one for all of a launch: a note of the run has it */
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
	uint64_t not_credible; /* commands whose times were refused; untimed ones are not */
	uint64_t processes, threads;
	struct tacho_losses losses; /* over all processes, and what belongs to none */
	/* What recording took of the program's threads: estimated from the calls that were timed, a
	 * sample of each process's; valid when cost_calls, which says how many these are. */
	uint64_t cost_ns, cost_calls;
	/* cost_ns is what was timed, of each call its end; all of it took at most so much wherever
	 * both were measured (bench/RESULTS.md). */
	uint64_t cost_most_ns;
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
/* The same with lines by gap, for which commands are put in the order that they ran in. */
TACHO_API int tacho_summary_create_with_gaps(struct tacho_recording *recording,
					     struct tacho_summary **out_summary);
/* The recording stays as it is. NULL does nothing. */
TACHO_API void tacho_summary_destroy(struct tacho_summary *summary);

/* Sums over the whole run. Borrowed. */
TACHO_API const struct tacho_summary_totals *
tacho_summary_get_totals(const struct tacho_summary *summary);

/* Lines of one kind, longest total first; ties by name. Borrowed. */
TACHO_API size_t tacho_summary_get_line_count(const struct tacho_summary *summary,
					      enum tacho_summary_key key);
/* The same by number, from 0; NULL past the last. Borrowed. */
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
 * What was counted, for lines by kernel, by transfer, by range and by pass (of what ran in it), and
 * by command (of what was counted as a whole, for the commands that it stands for): a row for each
 * line, and for each counter of the recording the columns "NAME", "NAME:mean", ":min", ":max",
 * ":count" and ":measured". Where instances were kept the columns have the counter's dimensions,
 * and the statistics are of each instance. FOREIGN is what none of a line can have. NULL for other
 * lines, and when nothing was counted. Borrowed.
 */
TACHO_API const struct tacho_result *tacho_summary_get_values(const struct tacho_summary *summary,
							      enum tacho_summary_key key);
/* Those of one counter: TACHO_STATISTICS columns, by enum tacho_statistic; NULL past the last. */
TACHO_API const struct tacho_column *tacho_summary_get_columns(const struct tacho_summary *summary,
							       enum tacho_summary_key key,
							       size_t counter);
/* Each reason once, in the order of counters and lines; NULL past the last. Borrowed. */
TACHO_API const struct tacho_summary_reason *
tacho_summary_get_reason(const struct tacho_summary *summary, enum tacho_summary_key key,
			 size_t index);

/*
 * How the durations of a line are spread, for lines by kernel, by API function and by transfer:
 * TACHO_DURATION_BINS counts that add up to `measured`. Bin `i` holds durations from
 * tacho_duration_bin_start_ns(i) up to the start of the next; there are four for each power of two.
 * NULL for other lines, past the last, and when nothing was measured. Borrowed.
 */
enum { TACHO_DURATION_BINS = 252 };
/* Counts of TACHO_DURATION_BINS bins, as told above. Borrowed. */
TACHO_API const uint64_t *tacho_summary_get_durations(const struct tacho_summary *summary,
						      enum tacho_summary_key key, size_t index);
/* UINT64_MAX past the last. */
TACHO_API uint64_t tacho_duration_bin_start_ns(size_t bin);

/* Devices that got commands, in the order of the recording. NULL past the last. Borrowed. */
TACHO_API const struct tacho_summary_device *
tacho_summary_get_device(const struct tacho_summary *summary, size_t index);

/* A counter that was sampled beside the program, over its windows. */
struct tacho_summary_sampled {
	const struct tacho_sampling *sampling;
	const struct tacho_entry *counter;
	uint64_t windows; /* with a value that is not wrong: those of the three below */
	double min, mean, max;
	uint64_t scaled, lost;	   /* of `windows`, those with this state */
	uint64_t overflow, absent; /* these are not in `windows` */
};

/* All counters of all samplings, in their order; NULL past the last. Borrowed. */
TACHO_API const struct tacho_summary_sampled *
tacho_summary_get_sampled(const struct tacho_summary *summary, size_t index);

/* From when a picture was handed over to be shown to when the next one was. */
struct tacho_frame {
	const struct tacho_process *process;
	const char
		*series; /* "" of the first thing of its process that shows pictures, and others */
	uint64_t number; /* in its series, from 1 */
	uint64_t start_ns, end_ns;
	/* The first of its series: it begins when there was something to show pictures on. Neither
	 * is it a stutter nor does it count for how frames are spread. */
	uint32_t is_first;
	uint32_t is_stutter;
	uint64_t submits; /* calls that gave work to queues while it lasted, and what they gave: */
	uint64_t draws, dispatches, transfers; /* kernels that are run for what is drawn, others */
	uint64_t commands, measured;	       /* all, and those with times */
	uint64_t device_ns;		       /* of these, added up */
	uint64_t shown_ns; /* in the calls that handed pictures over: they wait until that can be */
};

/* All frames. Percentiles are of durations, the nearest rank. */
struct tacho_frames {
	uint64_t count, series;
	uint64_t unkept;   /* of count, those that there are no more of: only the first are kept */
	uint64_t measured; /* kept, and not the first of their series: what follows is of these */
	uint64_t total_ns, min_ns, max_ns;
	uint64_t p50_ns, p95_ns, p99_ns;
	uint64_t stutters, stutter_ns; /* those that took longer, twice as long as p50_ns */
};

/* NULL: the program showed nothing. Borrowed. */
TACHO_API const struct tacho_frames *tacho_summary_get_frames(const struct tacho_summary *summary);
/* In the order in which they ended; NULL past the last. Borrowed. */
TACHO_API const struct tacho_frame *tacho_summary_get_frame(const struct tacho_summary *summary,
							    size_t index);

/* What the wall time of a run went to. Each moment is of one kind: the first here that fits. */
enum tacho_spent {
	TACHO_SPENT_KERNELS = 1,   /* some device ran kernels, or else but transfers */
	TACHO_SPENT_TRANSFERS = 2, /* devices did nothing but transfers */
	/* No device was known to be busy, and the main thread was in the API: */
	TACHO_SPENT_BUILD = 3, /* compiling, linking, loading programs, or getting their binaries */
	TACHO_SPENT_WAIT = 4,  /* waiting for devices, and in transfers that block */
	TACHO_SPENT_API = 5,   /* for something else */
	/* It was not, */
	TACHO_SPENT_OTHERS = 6,	 /* but another thread was, at the least */
	TACHO_SPENT_START = 7,	 /* nor any other, and it was before the main thread's first call */
	TACHO_SPENT_END = 8,	 /* or after its last one */
	TACHO_SPENT_OUTSIDE = 9, /* or in between: the program's own work */
	/* No device was known to be busy, and of no thread a call is recorded: */
	TACHO_SPENT_UNKNOWN = 10, /* what the program did is not known */
};

/* "kernels", "transfers", "build", "wait", "api", "others", ... Static. */
TACHO_API const char *tacho_spent_to_string(enum tacho_spent spent);

/* For people: "kernels running", "host: waiting", ... Static. */
TACHO_API const char *tacho_spent_get_title(enum tacho_spent spent);

/* A part of the wall time. */
struct tacho_spent_part {
	enum tacho_spent spent;
	const char *function; /* of BUILD, WAIT and API; "" */
	uint64_t ns;
	uint64_t calls; /* of the function by the main thread */
};

/* How the wall time is divided. The main thread is the one that was in the API longest while no
 * device was known to be busy, of equal ones the first. */
struct tacho_breakdown {
	uint64_t total_ns; /* the sum of all parts, exactly */
	/* It is the wall time of the run; 0: the run's end is not known, and it is the time from
	 * its start, or its first call, to the last moment that is known. */
	uint32_t is_wall;
	const struct tacho_process *process; /* of the main thread; NULL: there was no call */
	uint32_t thread;
	/* At most so much stands in a wrong part: device times that came much later than calls of
	 * the same time, or in pieces that are too many to keep apart. */
	uint64_t uncertain_ns;
	uint64_t untimed;     /* commands without times: devices were busy for longer */
	const char *headline; /* what dominates, in a sentence */
};

/* NULL when there was neither a call nor a command. Borrowed. */
TACHO_API const struct tacho_breakdown *
tacho_summary_get_breakdown(const struct tacho_summary *summary);
/* Longest first, none of them 0 ns; NULL past the last. Borrowed. */
TACHO_API const struct tacho_spent_part *
tacho_summary_get_spent(const struct tacho_summary *summary, size_t index);

/*
 * Remarks about the run for a person, one sentence or two each: what failed, cause and cure. NULL
 * past the last. Borrowed.
 */
TACHO_API const char *tacho_summary_get_note(const struct tacho_summary *summary, size_t index);

#ifdef __cplusplus
}
#endif

#endif
