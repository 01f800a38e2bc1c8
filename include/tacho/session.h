/* SPDX-License-Identifier: MIT */
/*
 * Sessions: counting on a device, pass by pass, range by range. Ranges of a session are begun and
 * ended on any thread at any moment; everything else of one object is called by one thread at a
 * time. Different objects are independent of each other.
 */
#ifndef TACHO_SESSION_H
#define TACHO_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/catalog.h>
#include <tacho/device.h>
#include <tacho/export.h>
#include <tacho/plan.h>
#include <tacho/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All backends with their devices, and the catalog they use. */
struct tacho_context;

struct tacho_context_options {
	size_t size; /* sizeof(struct tacho_context_options) */
	/*
	 * Names of the backends to ask, comma between; NULL: all that count on real devices. A
	 * simulated device exists only when its model is named: "sim:mi300x,sim:rx480".
	 */
	const char *backends;
	/* Read instead of "/", for files of the system such as /sys; NULL: "/". */
	const char *sysroot;
	const struct tacho_catalog_options *catalog; /* NULL: what is built in */
	/*
	 * Values that the backend "replay" serves as if they were counted: every row is a launch.
	 * Their device exists when the list names "replay", or "replay:ARCH" or "replay:ARCH:MODEL"
	 * for the architecture whose metrics are to be worked out. Borrowed.
	 */
	const struct tacho_result *values;
	/*
	 * What the program itself has open and wants to count on: a cl_command_queue for the
	 * backend "opencl_queue", the current EGL or GLX context for "gl". Borrowed.
	 */
	void *handle;
};

/* Owned; free with tacho_context_destroy() after all sessions. NOTFOUND for an unknown backend or
 * model, with the known ones; NOMEM. A backend that finds no device is no failure. */
TACHO_API int tacho_context_create(const struct tacho_context_options *options,
				   struct tacho_context **out_context);
/* Devices, plans and sessions of it must be gone. NULL does nothing. */
TACHO_API void tacho_context_destroy(struct tacho_context *context);
/* Definitions that its devices are counted by. Borrowed. */
TACHO_API const struct tacho_catalog *
tacho_context_get_catalog(const struct tacho_context *context);

/* What the backends said as a whole, and their devices. Borrowed. */
TACHO_API const struct tacho_probe *tacho_context_get_probe(const struct tacho_context *context);

/* NULL past the last. Devices that cannot be used are there too, with cause and cure. */
TACHO_API const struct tacho_device_info *
tacho_context_get_device_info(const struct tacho_context *context, size_t index);
/*
 * By index, "BACKEND:NAME", name, or a part of either that only one has; case is ignored. NOTFOUND
 * with the devices there are, AMBIGUOUS with those that fit.
 */
TACHO_API int tacho_context_find_device_info(const struct tacho_context *context,
					     const char *selector,
					     const struct tacho_device_info **out_info);

/* How the same work comes to run once per pass. */
enum tacho_replay {
	TACHO_REPLAY_CALLER = 0, /* the caller repeats it between begin_pass and end_pass */
	TACHO_REPLAY_PROCESS,	 /* the program is run again, one pass each time */
	TACHO_REPLAY_NONE,	 /* one pass, or PASSES */
	TACHO_REPLAY_KERNEL, /* of recordings: each launch again, its memory restored; in a session
				of its own, where the recorder is the CALLER */
	TACHO_REPLAY_ROTATE, /* repetitions of a range take turns; values carry their coverage */
	TACHO_REPLAY_VENDOR, /* the backend's library does it by itself */
};

/* "caller", "process", "none", "kernel", "rotate", "vendor"; "unknown". Static. */
TACHO_API const char *tacho_replay_to_string(uint32_t replay);
/* The one of that name. NOTFOUND with the known ones. */
TACHO_API int tacho_replay_parse(const char *text, uint32_t *out_replay);

/* A device opened for counting: what it can count follows from its architecture and model. */
struct tacho_device;

/*
 * Opens a device of the context. NODEVICE with cause and cure, UNSUPPORTED for one that tacho only
 * finds, PERM, BUSY. Owned.
 */
TACHO_API int tacho_device_open(struct tacho_context *context, const struct tacho_device_info *info,
				struct tacho_device **out_device);
/* Sessions on it must be destroyed before. */
TACHO_API void tacho_device_close(struct tacho_device *device);
/* The architecture whose counters it has. Borrowed. */
TACHO_API const struct tacho_arch *tacho_device_get_arch(const struct tacho_device *device);
/* Which device of the architecture it is; NULL when that is not known. Borrowed. */
TACHO_API const struct tacho_model *tacho_device_get_model(const struct tacho_device *device);
/* What the probe told of it. Borrowed. */
TACHO_API const struct tacho_device_info *tacho_device_get_info(const struct tacho_device *device);
/*
 * Makes a counter of a text in the device's own notation, such as perf's "cpu/event=0x3c,umask=1/";
 * its name is the text, or what the text says. Not while another thread uses the device.
 * UNSUPPORTED when the device has no notation; PARSE, NOTFOUND, INVAL.
 */
TACHO_API int tacho_device_define_entry(struct tacho_device *device, const char *text,
					const struct tacho_entry **out_entry);
/*
 * As tacho_config_parse(), of what the device counts: the options' arch, model and notation are the
 * device's.
 */
TACHO_API int tacho_device_parse_config(struct tacho_device *device, const char *list,
					const struct tacho_config_options *options,
					struct tacho_config **out_config,
					struct tacho_config_problem *out_problem);
/* As tacho_plan_create(), but the device may add constraints or supply the passes. */
TACHO_API int tacho_device_plan(struct tacho_device *device, const struct tacho_config *config,
				const struct tacho_plan_options *options,
				struct tacho_plan **out_plan);

struct tacho_session;

struct tacho_session_options {
	size_t size;	    /* sizeof(struct tacho_session_options) */
	uint32_t replay;    /* enum tacho_replay; not KERNEL */
	uint32_t only_pass; /* PROCESS: which run of the plan's run_count this is, from 0 */
	uint64_t window_ns; /* rows are windows of time of this length; 0: ranges and launches */
	int64_t pid;	    /* count this process and its children only; 0: the caller; -1: all */
	uint32_t strict;    /* a division by zero makes a value absent */
	/* Count `pid` from its next execve on, where the device can; else at once. */
	uint32_t from_exec;
	/*
	 * Which threads of `pid` are counted, where a device counts threads; NULL: all, and those
	 * that they start. Not 0: this one is. Asked when a range begins, on the thread that begins
	 * it, of threads that are not counted yet.
	 */
	int (*wants_thread)(void *user, int64_t thread);
	void *user; /* of wants_thread */
	/*
	 * ROTATE: rows that are taken stay, and go on: each result has all that came since the
	 * session began.
	 */
	uint32_t keeps_rows;
	/*
	 * Ranges of the same id under the same parent are one row, of repetition 0, as long as it
	 * is not taken: their values are added up, or joined as the entry says (struct
	 * tacho_entry), of rates the mean. INVAL with ROTATE, which does so in its own way.
	 */
	uint32_t accumulates;
	/*
	 * Every run must have the ranges of the first one, in the same order: that of one thread at
	 * a time. Where it has not, tacho_session_end_pass() is INVAL, with the pass, the position
	 * among its begins and ends and what was there in both, and the session goes on with all
	 * its values absent.
	 */
	uint32_t same_ranges;
	/*
	 * Ranges that would need more rows than this at a time, or that nest deeper than
	 * `depth_max`, begin and end as others do, and so do those in them, but have no row: they
	 * are only in tacho_session_get_lost_rows(). 0: as many as memory holds.
	 */
	uint64_t row_max;
	uint32_t depth_max;
};

/*
 * Begins a collection. The plan stays with the session and must outlive it. Everything that can be
 * known before work runs fails here: PERM, BUSY, PASSES, UNSUPPORTED. Owned.
 */
TACHO_API int tacho_session_create(struct tacho_device *device, const struct tacho_plan *plan,
				   const struct tacho_session_options *options,
				   struct tacho_session **out_session);
/* Ends what is open. Nothing that was drained or taken before is lost. */
TACHO_API void tacho_session_destroy(struct tacho_session *session);

/*
 * The next pass. INVAL when one is open or all are done; the session stays as it was. INVAL with
 * ROTATE, VENDOR and windows too, which are one pass for the caller: the session begins it.
 */
TACHO_API int tacho_session_begin_pass(struct tacho_session *session);
/*
 * Ends the pass; ranges still open are INVAL. *out_more says whether another pass is needed: the
 * plan's, those of modes in which the device counts levels of nested ranges apart once for each
 * level. It may be NULL. When the device fails, or with same_ranges when the ranges differ (INVAL),
 * the pass is over and the error is returned.
 */
TACHO_API int tacho_session_end_pass(struct tacho_session *session, int *out_more);

/*
 * How often the work has to run, as far as is known: the plan's passes, those of modes that count
 * levels apart once for each level that was seen, or that the plan was told.
 */
TACHO_API size_t tacho_session_get_run_count(struct tacho_session *session);

/* A range in a session, valid until it is ended. */
typedef uint64_t tacho_range;

/*
 * From any thread. Ranges nest (parent 0: none) and may be begun and ended on different threads.
 * `id` is the caller's: the n-th range of this id under the same parent is the same row in every
 * pass; with ROTATE or accumulates all of them are one row. INVAL without an open pass or with a
 * parent that is not open; UNSUPPORTED when rows are windows or launches. `name` may be NULL and is
 * copied.
 */
TACHO_API int tacho_session_begin_range(struct tacho_session *session, tacho_range parent,
					uint64_t id, const char *name, tacho_range *out_range);
/* INVAL for a range that is not open, or that others in it are open. */
TACHO_API int tacho_session_end_range(struct tacho_session *session, tacho_range range);
/* A stack of ranges of the calling thread over the same. Pop: INVAL when it is empty. */
TACHO_API int tacho_session_push_range(struct tacho_session *session, uint64_t id,
				       const char *name);
/* Ends the range that the calling thread pushed last. INVAL when there is none. */
TACHO_API int tacho_session_pop_range(struct tacho_session *session);

/*
 * Waits until the values of all ranges that were ended are there, `timeout_ns` at most; 0 does not
 * wait. *out_ready, which may be NULL and is written in any case, is the number of complete rows
 * that tacho_session_take() would give: when several passes are needed, none before the last one
 * was ended. TIMEOUT when the time ran out first; LOST, or the device's own error, when the device
 * is gone: all rows whose ranges were ended can be taken then.
 */
TACHO_API int tacho_session_drain(struct tacho_session *session, uint64_t timeout_ns,
				  size_t *out_ready);
/*
 * Takes the complete rows out of the session, in the order in which they were begun: one column per
 * entry of the config, metrics worked out. Owned. A row that was missing in a pass has absent
 * values there; tacho_session_get_seen() tells. With ROTATE a row holds what came since it was
 * taken last, or since the beginning with keeps_rows. An entry that the config has in several modes
 * has a column for each: "NAME", "NAME:serialized", "NAME:pipelined". A call that fails takes
 * nothing: try again.
 */
TACHO_API int tacho_session_take(struct tacho_session *session, struct tacho_result **out_result);

/* For row `row` of the last result taken: a bit per pass (the first 64) in which it was seen. */
TACHO_API uint64_t tacho_session_get_seen(const struct tacho_session *session, size_t row);

/*
 * Rows whose values the device lost so far, and the ranges of one run that have no row because of
 * row_max or depth_max. The row behind a gap has the state lost; a range whose values never came
 * has absent ones, or lost ones where others were added up in its row.
 */
TACHO_API uint64_t tacho_session_get_lost_rows(struct tacho_session *session);

/*
 * Joins results of sessions with the same plan, of several runs of the same program: rows are the
 * same by parent, id and repetition, and each value is taken from the first result that has one. A
 * metric whose inputs are of several runs stays absent: use one session for these. INVAL when
 * columns do not match. Owned.
 */
TACHO_API int tacho_session_merge(const struct tacho_result *const *results, size_t count,
				  struct tacho_result **out_result);

#ifdef __cplusplus
}
#endif

#endif
