/* SPDX-License-Identifier: MIT */
/*
 * Findings while they are made. rules.c has the array of rules and thresholds, findings.c reads the
 * recording and keeps what was found, and each other file has the rules of one family: it takes
 * calls, adds evidence, and at the end judges what was gathered. No rule names a function of an
 * API: roles.h tells what functions do.
 */
#ifndef TACHO_ANALYZE_RULES_RULES_H
#define TACHO_ANALYZE_RULES_RULES_H

#include "analyze/busy.h"
#include "analyze/rules/gain_graph.h"
#include "analyze/rules/gain_replay.h"
#include "analyze/rules/gap_calls.h"
#include "analyze/rules/gaps.h"
#include "analyze/rules/late_frames.h"
#include "analyze/rules/roles.h"
#include "analyze/rules/tracked.h"
#include "analyze/sentences.h"
#include "analyze/use.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "tacho/finding.h"

enum tacho__rule_id {
	TACHO__RULE_FAILED_CALL,
	TACHO__RULE_LEAKED_OBJECT,
	TACHO__RULE_REDUNDANT_SYNC,
	TACHO__RULE_BUSY_WAIT,
	TACHO__RULE_PERSISTENT_MAP,
	TACHO__RULE_IDLE_UNITS,
	TACHO__RULE_SMALL_WORK_GROUP,
	TACHO__RULE_REPEATED_BUILD,
	TACHO__RULE_NEVER_UNMAPPED,
	TACHO__RULE_FAILED_QUERY,
	TACHO__RULE_DEPRECATED_FUNCTION,
	TACHO__RULE_BLOCKING_WRITE,
	TACHO__RULE_SMALL_TRANSFERS,
	TACHO__RULE_SERIAL_TRANSFERS,
	TACHO__RULE_ODD_WORK_GROUP,
	TACHO__RULE_TINY_LAUNCHES,
	TACHO__RULE_SLOW_FIRST_LAUNCH,
	TACHO__RULE_IDLE_DEVICE,
	TACHO__RULE_BUILD_TIME,
	TACHO__RULE_OBJECT_CHURN,
	TACHO__RULE_UNUSED_QUEUE,
	TACHO__RULE_MAP_ROUNDS,
	TACHO__RULE_BLOCKING_READ,
	TACHO__RULE_API_TIME,
	TACHO__RULE_DRAINED_QUEUE,
	TACHO__RULE_TINY_SUBMITS,
	TACHO__RULE_LATE_BUILD,
	TACHO__RULE_REDUNDANT_BIND,
	TACHO__RULE_DRAINING_BARRIER,
	TACHO__RULE_REPEATED_RECORDING,
	TACHO__RULES
};

enum tacho__threshold_id {
	TACHO__MIN_COST_NS,
	TACHO__REMARK_SHARE,
	TACHO__REMARK_NS,
	TACHO__CPU_DEVICES,
	TACHO__SYNC_AFTER_WRITE,
	TACHO__BUSY_WAIT_POLLS,
	TACHO__WAVE_SIZE,
	TACHO__GLOBAL_SIZE,
	TACHO__GROUPS_PER_UNIT,
	TACHO__LAUNCH_SHARE,
	TACHO__TINY_LAUNCH_COUNT,
	TACHO__FIRST_LAUNCH_NS,
	TACHO__FIRST_LAUNCH_TIMES,
	TACHO__REPEATED_BUILDS,
	TACHO__BUILD_SHARE,
	TACHO__CHURN_COUNT,
	TACHO__MAP_ROUND_COUNT,
	TACHO__READ_BYTES_A_US,
	TACHO__API_SHARE,
	TACHO__SMALL_TRANSFER_BYTES,
	TACHO__SMALL_TRANSFER_COUNT,
	TACHO__OVERLAP_SHARE,
	TACHO__OVERLAP_TRANSFERS,
	TACHO__GAP_NS,
	TACHO__IDLE_SHARE,
	TACHO__IDLE_NS,
	TACHO__DRAIN_NS,
	TACHO__TINY_SUBMIT_COUNT,
	TACHO__BIND_COUNT,
	TACHO__BARRIER_COUNT,
	TACHO__RECORDING_COUNT,
	TACHO__THRESHOLDS
};

enum {
	TACHO__SUBJECTS_MAX = 1024, /* of one rule; what comes then is one more, "others" */
	TACHO__EXAMPLES_MAX = 16,
	TACHO__LAUNCH_LINES_MAX = 4096,
	TACHO__FINDING_SUMS = 8,
	/* Of small-transfers: those that were commands of a submit; of these, those with times, and
	 * how long they ran; those that had a command before them, and what lay between. */
	TACHO__SUM_SUBMITTED = 1,
	TACHO__SUM_TIMED = 2,
	TACHO__SUM_RAN = 3,
	TACHO__SUM_BEHIND = 4,
	TACHO__SUM_BETWEEN = 5,
	TACHO__SUM_USUAL_RUN = 6, /* half of them take longer, about; and lie further apart */
	TACHO__SUM_USUAL_GAP = 7,
};

struct tacho__finding {
	struct tacho_finding finding;
	struct tacho_finding_example *examples;
	uint64_t sums[TACHO__FINDING_SUMS]; /* what they mean is the family's business */
	void *owner;			    /* its launch line or device */
	uint32_t number;
	uint64_t marked_ns; /* on the graph, all marks together */
	uint64_t over_ns;   /* that these are too much, as was seen later */
	uint64_t alone_ns;  /* that the run gains without this alone; of a class */
	const char *extra;  /* text of the family's, NULL if none */
	bool is_others;	    /* of all subjects that found no place */
};

/* A place where evidence was seen: outlives its call. */
struct tacho__place {
	const struct tacho_process *process;
	const char *function;
	uint32_t thread;
	uint64_t index, start_ns;
};

/* What is known of a function, once for all its calls. */
struct tacho__function_facts {
	const char *name;		    /* owned by the findings */
	const struct tacho__api_roles *api; /* NULL: of an API without roles */
	const struct tacho__function_role *role;
	const struct tacho__deprecated *deprecated;
	bool is_query, records;	       /* into something that is submitted later */
	uint64_t build_ns;	       /* that its calls took to make code */
	uint64_t released, made_again; /* objects that it made; of these, after another was gone */
	struct tacho__finding *churn, *time; /* NULL: none yet */
};

struct tacho__queue_facts {
	const struct tacho_object *object; /* as commands last had it; NULL before the first */
	bool is_known, is_ordered;	   /* whether commands run one after the other */
	/* Since the host last waited for all of it: */
	bool has_work, has_answer, has_write;
	uint64_t last_event;
	/* Made by this call, and nothing was given to it yet. */
	bool is_unused;
	struct tacho__place place;
	uint64_t last_node; /* of its last command that was submitted; 0: none */
	/* The host has waited for that, and no work came since. No function: it has not. */
	struct tacho__place drain;
	uint64_t drain_node, drained_ns;
};

/* Commands that a thread's submit brings about, which comes right behind them. */
struct tacho__batch {
	struct tacho__device_facts *device;
	uint64_t commands, untimed, device_ns;
	uint64_t end_ns; /* of the last one; 0: not known */
};

/* A read that the host waited for, until the next command shows whether it was looked at. */
struct tacho__read {
	uint64_t node, end_ns, bytes, host_ns, device_ns;
	struct tacho__place place; /* no function: there is none */
};

/* Memory is mapped, unmapped, and waited for. */
struct tacho__map_round {
	uint64_t memory; /* 0: none */
	unsigned steps;
	uint64_t nodes[3], ns[3];
	struct tacho__place place;
};

struct tacho__poll {
	uint64_t event, count, first_ns, last_ns;
	struct tacho__place place;
};

/* Stretches of a thread's time, up to where its readings of processor time part them. */
struct tacho__processor {
	bool is_found; /* where its readings are */
	size_t first;  /* of them, by index of the recording */
	size_t last;   /* the number of the last one before the newest stretch; 0: none */
	struct tacho__finding *finding; /* that they belong to; NULL: there are none */
	size_t from, to;		/* numbers of the readings around them */
	uint64_t covered_ns;		/* of the time between these */
};

struct tacho__thread_facts {
	const struct tacho_process *process;
	uint32_t thread;
	struct tacho__poll poll;
	struct tacho__batch batch;
	struct tacho__processor processor;
	struct tacho__graph_thread *graph; /* NULL: it has no time of its own yet */
};

struct tacho__process_facts {
	const struct tacho_process *process;
	struct tacho__map queues;     /* handle -> struct tacho__queue_facts */
	struct tacho__map recordings; /* handle -> struct tacho__recorded */
	uint64_t changes;	      /* of what recorded commands refer to */
	bool has_submitted;
	bool shares_memory;
	bool has_loss;
	uint64_t last_ran_ns, last_ran_node; /* the command that ended last, of those seen */
	/* The last wait for an ordered queue, while nothing shows that it was needed. */
	const struct tacho__queue_facts *waited; /* NULL: none */
	uint64_t wait_node;
	struct tacho__place wait_place;
	uint64_t wait_ns;
	struct tacho__read read;
	struct tacho__map_round round;
};

/* One kernel on one device. */
struct tacho__launch_line {
	const char *label; /* "vadd on gfx803" */
	struct tacho__device_facts *device;
	uint64_t count, device_ns, host_ns; /* of launches with times, without the first */
	uint64_t first_device_ns, first_host_ns;
	struct tacho__place first_place;
	bool has_first;
	struct tacho__place worst_place; /* of those that took the host longer than the device */
	uint64_t worst_ns;
	struct tacho__finding *idle_units, *small_group, *odd_group, *tiny, *slow_first;
	uint64_t first_node, first_lag_ns, lag_ns; /* the latter of the others, all together */
};

/* Submits of work whose times are all known. */
struct tacho__submits {
	struct tacho__finding *finding;
	uint64_t count, host_ns, device_ns, worst_ns;
	struct tacho__place worst_place; /* of those that took the host longer than the device */
};

struct tacho__device_facts {
	const struct tacho_object *object;
	const char *label;
	bool is_typed, is_judged; /* it says what it is; rules for GPUs apply */
	bool is_cpu;
	uint64_t units;	    /* compute units; 0: not known */
	uint64_t kernel_ns; /* sum over launches, and templates of kernels, with times */
	uint64_t launches, transfers;
	uint64_t first_ns, last_ns; /* valid when it has gaps */
	struct tacho__busy all, kernels, copies;
	bool is_mixed; /* something ran that is neither kernels alone nor a transfer */
	struct tacho__gaps gaps;
	bool is_open; /* something may have run from open_ns on without a known end */
	uint64_t open_ns;
	bool is_idle; /* what calls were made in its gaps is of interest */
	struct tacho__gap_calls calls;
	struct tacho__gap_end {
		uint64_t at_ns;
		struct tacho__place place;
	} * ends; /* commands that ended a gap, or may */
	size_t end_count, end_capacity;
	uint64_t api_ns;		 /* of calls during the gaps */
	struct tacho__names by_function; /* -> uint64_t: of that function */
	struct tacho__map sums;		 /* struct tacho_function -> the same */
	struct tacho__submits submits;
	const char *worst_function;
	uint64_t worst_ns;
};

/* What is gathered for idle-device while calls are read. */
struct tacho__idle {
	bool is_wanted;
	struct tacho__idle_call *calls; /* a ring: those that wait for commands before their ends */
	size_t first, count;
	uint64_t done_ns; /* up to then others may have been looked at */
};

enum { TACHO__CLASSES_MAX = 24, TACHO__NOW_MAX = 8 };

/* How findings come to what they gain. */
struct tacho__gains {
	struct tacho__graph graph;
	struct tacho__mark now[TACHO__NOW_MAX]; /* of the current call */
	size_t now_count;
	/* The current call ends a loop that asked for this event from then on; 0: it does not. */
	uint64_t polled_event, polled_ns;
	bool is_build;		      /* the current call is told of as a build */
	struct tacho__map queue_ends; /* queue -> uint64_t: the last end of a command, in ns */
	/* In order; behind them stands one for all other findings. */
	struct tacho__finding *classes[TACHO__CLASSES_MAX];
	size_t class_count;
	uint32_t *class_of; /* by number of finding */
	size_t numbered;
	struct tacho__replay *chain; /* worlds that lack ever more classes; NULL: not begun */
	size_t chain_count;
	bool has_more_windows, has_rest;
};

struct tacho_findings {
	struct tacho_recording *recording; /* borrowed */
	struct tacho_cursor *cursor;	   /* its objects live as long as it does */
	struct tacho__arena arena;
	struct tacho__buf scratch, message;
	uint64_t thresholds[TACHO__THRESHOLDS];
	bool applies[TACHO__RULES];
	size_t examples;

	struct tacho__names by_subject[TACHO__RULES];
	struct tacho__finding **all;
	size_t count, capacity;
	struct tacho__finding **kept;
	size_t kept_count;
	struct tacho__sentences notes;

	struct tacho__map functions; /* struct tacho_function -> struct tacho__function_facts */
	struct tacho__map processes; /* struct tacho_process -> struct tacho__process_facts */
	struct tacho__process_facts **process_list, *recent;
	size_t process_count, process_capacity;
	struct tacho__map threads; /* process and thread -> struct tacho__thread_facts */
	struct tacho__thread_facts *recent_thread;
	struct tacho__tracked_table tracked;
	struct tacho__names built; /* "process/context/kernel" -> struct tacho__finding */
	struct tacho__map lines;   /* by kernel and device -> struct tacho__launch_line */
	struct tacho__names line_names;
	size_t line_count;
	struct tacho__map devices;	  /* struct tacho_object -> struct tacho__device_facts */
	struct tacho__names device_names; /* that were told to be of no known type */
	struct tacho__device_facts **device_list;
	size_t device_count, device_capacity;
	struct tacho__idle idle;
	struct tacho__use elsewhere; /* of commands whose device is not known: it may be any */
	uint32_t api_version; /* the highest of a device, major * 100 + minor * 10; 0: not known */
	uint64_t waveless;    /* launches without a known wave size */
	struct tacho__gains gains;
	struct tacho__late_frames late_frames; /* of late-build */
};

/* A call with what is known about it. */
struct tacho__seen {
	const struct tacho_call *call;
	struct tacho__function_facts *function;
	struct tacho__process_facts *process;
	struct tacho__thread_facts *thread;
	uint64_t host_ns; /* that the call took; 0 for bare ones */
};

/* What a finding is worth. */
enum tacho__worth {
	TACHO__WORTH_GAIN,   /* the time that the run would end earlier by */
	TACHO__WORTH_COST,   /* what it took: a processor that could do other work */
	TACHO__WORTH_ITSELF, /* it is wrong, or holds what others may need */
	TACHO__WORTH_LITTLE  /* good to know: always a remark */
};

struct tacho__rule {
	struct tacho_rule rule;
	enum tacho__worth worth;
	/* At the end: writes the message and completes cost and count; false drops the finding. */
	bool (*judge)(struct tacho_findings *findings, struct tacho__finding *finding,
		      struct tacho__buf *message);
};

/* rules.c. */
extern const struct tacho__rule tacho__rules[TACHO__RULES];

/*
 * rule_findings.c: the parts of looking for them, for who reads more than them out of one cursor:
 * begin, findings->cursor, each of its calls in its turn, and the end. As tacho_findings_create().
 */
int tacho__findings_begin(struct tacho_recording *recording,
			  const struct tacho_findings_options *options,
			  struct tacho_findings **out_findings);
int tacho__findings_take(struct tacho_findings *findings, const struct tacho_call *call);
int tacho__findings_end(struct tacho_findings *findings);

/* findings.c: one more case of a rule; *out_finding may be NULL, and is when the rule is off. */
int tacho__finding_add(struct tacho_findings *findings, enum tacho__rule_id rule,
		       const char *subject, const struct tacho__place *place, uint64_t cost_ns,
		       const char *text, struct tacho__finding **out_finding);
/* The same for a finding that is known. */
int tacho__finding_count(struct tacho_findings *findings, struct tacho__finding *finding,
			 const struct tacho__place *place, uint64_t cost_ns, const char *text);
/* The same where it can be no example, as most. False: it may be one, and nothing was counted. */
static inline bool tacho__finding_count_only(const struct tacho_findings *findings,
					     struct tacho__finding *finding, uint64_t cost_ns)
{
	struct tacho_finding *info = &finding->finding;

	if (info->example_count < findings->examples ||
	    finding->examples[info->example_count - 1].cost_ns <= cost_ns)
		return false;
	info->count++;
	info->cost_ns += cost_ns;
	return true;
}
/* The finding of a subject, made with no case yet. NULL when the rule is off. */
int tacho__finding_get(struct tacho_findings *findings, enum tacho__rule_id rule,
		       const char *subject, struct tacho__finding **out_finding);
int tacho__findings_note(struct tacho_findings *findings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A printable copy, "" for NULL. NULL: no memory. */
const char *tacho__findings_text(struct tacho_findings *findings, const char *text);
/* 0 when all of a text found its memory. NOMEM. */
int tacho__findings_check(const struct tacho__buf *text);
struct tacho__place tacho__seen_place(const struct tacho__seen *seen);
/* An argument of the current call, or its result; NULL when there is none. */
const char *tacho__seen_argument(struct tacho_findings *findings, const struct tacho__seen *seen,
				 int position);
/* The handle that such an argument is, or that was written there; 0: none. */
uint64_t tacho__seen_handle(struct tacho_findings *findings, const struct tacho__seen *seen,
			    int position);
/* As tacho__argument_is_true(). */
bool tacho__seen_is_true(struct tacho_findings *findings, const struct tacho__seen *seen,
			 int position);
/* Whether it is a command of a submit, told of without a call of its own. */
static inline bool tacho__is_submitted(const struct tacho__seen *seen)
{
	return seen->call->is_bare && seen->call->command && seen->function->api &&
	       seen->function->api->is_submitted;
}
/* How long a command ran. False when that is not known. */
bool tacho__command_duration(const struct tacho_command *command, uint64_t *out_ns);
/* How long the run took; 0: not known. */
uint64_t tacho__findings_wall_ns(const struct tacho_findings *findings);
/* 0 when `whole` is. */
uint64_t tacho__percent(uint64_t part, uint64_t whole);

/*
 * gain_take.c: what hangs on what. A mark says what of a call would not be there without the fault;
 * nothing happens when `finding` is NULL.
 */
void tacho__gain_mark(struct tacho_findings *findings, struct tacho__finding *finding,
		      enum tacho__mark_what what, uint64_t ns);
/* The same for a call that was seen before; `weight` is the time that it may gain at most. NOMEM */
int tacho__gain_mark_node(struct tacho_findings *findings, uint64_t node,
			  struct tacho__finding *finding, enum tacho__mark_what what, uint64_t ns,
			  uint64_t weight);
/* Time that a thread spent before its next node, explained by either finding. NOMEM. */
int tacho__gain_spend(struct tacho_findings *findings, const struct tacho_process *process,
		      uint32_t thread, struct tacho__finding *finding, struct tacho__finding *other,
		      uint64_t ns);
/* The number that the current call has if it gives work to a device or waits. */
uint64_t tacho__gain_node(const struct tacho_findings *findings);
/* When the last command of a queue ended, of those seen before; 0: not known. */
uint64_t tacho__gain_queue_end_ns(const struct tacho_findings *findings,
				  const struct tacho_object *queue);
/* How long the current command took to begin, from its call or the end of its queue's last one. */
uint64_t tacho__gain_lag_ns(const struct tacho_findings *findings, const struct tacho__seen *seen);
/* Before rules see a call, and when all have seen it, or a command without one. NOMEM. */
int tacho__gain_begin(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__gain_take(struct tacho_findings *findings, const struct tacho__seen *seen);

/* gain.c. */
void tacho__gains_finish(struct tacho__gains *gains);
/* The window is full. NOMEM. */
int tacho__gains_advance(struct tacho_findings *findings);
/* What each finding that is kept gains, and which are remarks. NOMEM. */
int tacho__gains_complete(struct tacho_findings *findings);

/* The families. All: NOMEM. */
int tacho__errors_take(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__leaks_take(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__leaks_complete(struct tacho_findings *findings);
int tacho__sync_take(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__sync_complete(struct tacho_findings *findings);
int tacho__queue_get(struct tacho_findings *findings, struct tacho__process_facts *process,
		     uint64_t handle, struct tacho__queue_facts **out_queue);
/* processor_time.c: what was found in a stretch of a thread's time, which come in order, kept a
 * processor busy; all is added when it ends. */
void tacho__processor_add(struct tacho_findings *findings, struct tacho__thread_facts *thread,
			  struct tacho__finding *finding, uint64_t from_ns, uint64_t to_ns);
void tacho__processor_end(struct tacho_findings *findings, struct tacho__thread_facts *thread);
/* Work that was recorded before: the call that submits it, and each of its commands. */
int tacho__submits_take(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__submits_take_row(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__submits_complete(struct tacho_findings *findings);
/* The host knows now that the command of an event has ended, since a call at `place`. */
void tacho__submits_waited(struct tacho_findings *findings, const struct tacho__seen *seen,
			   uint64_t event, const struct tacho__place *place);
int tacho__recordings_take(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__builds_take(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__builds_complete(struct tacho_findings *findings);
/* Before a program is forgotten. */
int tacho__builds_forget(struct tacho_findings *findings, struct tacho__tracked *program);
int tacho__api_time_take(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__reads_take(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__maps_take(struct tacho_findings *findings, const struct tacho__seen *seen);
/* Memory is released, or the recording ends, while it is mapped. */
int tacho__maps_forget(struct tacho_findings *findings, const struct tacho__tracked *memory);
int tacho__maps_complete(struct tacho_findings *findings);
int tacho__transfers_take(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__launches_take(struct tacho_findings *findings, const struct tacho__seen *seen);
int tacho__launches_complete(struct tacho_findings *findings);

/* device.c. *out_device is NULL when the command's device is not known. */
int tacho__device_get(struct tacho_findings *findings, const struct tacho_object *object,
		      struct tacho__device_facts **out_device);
int tacho__device_take(struct tacho_findings *findings, const struct tacho__seen *seen);
/* Which devices were idle. */
int tacho__device_complete(struct tacho_findings *findings);
/* Between the first start and the last end of what is known. */
uint64_t tacho__device_span_ns(const struct tacho__device_facts *device);
/* Whether launches were counted: these wait for one another, and gaps are the counting's. */
bool tacho__device_was_counted(const struct tacho_findings *findings);

/* rule_idle.c. All: NOMEM. Something ran on the device, or may have: that is no gap. */
int tacho__idle_end(struct tacho__device_facts *device, uint64_t start_ns, uint64_t end_ns);
/* A call, when its command was taken. */
int tacho__idle_take(struct tacho_findings *findings, const struct tacho__seen *seen);
/* All gaps are known. True: what was gathered is not all, and every call wants a review. */
int tacho__idle_complete(struct tacho_findings *findings, bool *out_again);
int tacho__idle_review(struct tacho_findings *findings, const struct tacho_call *call);
/* Behind either. */
void tacho__idle_reviewed(struct tacho_findings *findings);
void tacho__idle_finish(struct tacho_findings *findings);

typedef bool tacho__judge_fn(struct tacho_findings *findings, struct tacho__finding *finding,
			     struct tacho__buf *message);
tacho__judge_fn tacho__judge_failed_call, tacho__judge_deprecated, tacho__judge_leak,
	tacho__judge_redundant_sync, tacho__judge_busy_wait, tacho__judge_blocking_write,
	tacho__judge_persistent_map, tacho__judge_small_transfers, tacho__judge_serial_transfers,
	tacho__judge_idle_units, tacho__judge_small_group, tacho__judge_odd_group,
	tacho__judge_never_unmapped, tacho__judge_unused_queue, tacho__judge_map_rounds,
	tacho__judge_blocking_read, tacho__judge_api_time, tacho__judge_tiny_launches,
	tacho__judge_first_launch, tacho__judge_repeated_build, tacho__judge_build_time,
	tacho__judge_churn, tacho__judge_idle_device, tacho__judge_drained_queue,
	tacho__judge_tiny_submits, tacho__judge_late_build, tacho__judge_redundant_bind,
	tacho__judge_barrier, tacho__judge_repeated_recording;

#endif
