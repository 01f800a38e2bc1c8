/* SPDX-License-Identifier: MIT */
/* Counting with Linux' own performance events, through the system call perf_event_open(2). */
#ifndef TACHO_BACKEND_PERF_PERF_H
#define TACHO_BACKEND_PERF_PERF_H

#include "backend/collection.h"
#include "backend/perf/pmu.h"
#include "base/map.h"
#include "catalog/catalog.h"

extern const struct tacho__backend tacho__backend_perf;

/* The device that has the events of all units; the others have those of one. */
#define TACHO__PERF_ALL "linux"

/* An event that the kernel names itself, on every machine or where the CPU has it. */
struct tacho__perf_generic {
	const char *name, *alias, *unit, *description;
	uint32_t type;
	uint64_t config;
	bool is_kernel_only; /* it happens inside the kernel: user space alone has none */
	bool is_default;     /* in the set "default" */
};

/* Ends with name NULL. */
extern const struct tacho__perf_generic tacho__perf_generics[];

/* What this process may do, read from /proc. */
struct tacho__perf_rights {
	bool has_paranoid;
	long paranoid;	  /* kernel.perf_event_paranoid */
	bool is_perfmon;  /* CAP_PERFMON or CAP_SYS_ADMIN is effective */
	bool is_filtered; /* a seccomp filter stands between */
};

void tacho__perf_get_rights(struct tacho__perf_rights *out_rights);

enum tacho__perf_scope {
	TACHO__PERF_PROCESS, /* needs kernel.perf_event_paranoid of at most 1, or 2 in user space */
	TACHO__PERF_SYSTEM,  /* needs at most 0 */
};

/*
 * Why the kernel refused with `error`, with what was read; sets the thread's error and returns its
 * code. `what` names the event.
 */
int tacho__perf_fail(int error, const char *what, enum tacho__perf_scope scope);

/* How a counter of the architecture is programmed. */
struct tacho__perf_counter {
	const struct tacho_entry *entry;
	const struct tacho__perf_pmu *pmu; /* NULL: one of the kernel's own */
	struct tacho__perf_code code;
	double scale;
};

/* Where and how it is counted. */
struct tacho__perf_target {
	int64_t pid;					 /* 0: this process, -1: everything */
	bool from_exec;					 /* from the process' next execve on */
	int (*wants_thread)(void *user, int64_t thread); /* NULL: all, and their children */
	void *user;
};

/*
 * A descriptor in a process that may be a profiled program: it is looked whether it still is the
 * event's before it is used, because a program may close what it does not know.
 */
struct tacho__perf_fd {
	int fd;
	uint64_t id; /* the kernel's, of the event */
};

/*
 * A counter of a pass, with a descriptor per thread or CPU. Events that lie in one list are a
 * group: the kernel lets all of them count at a time, or none. Their descriptors are those of the
 * same threads and CPUs.
 */
struct tacho__perf_opened {
	const struct tacho__perf_counter *counter;
	struct tacho__perf_fd *fds;
	size_t count, capacity;
	bool is_leader;			 /* the first of its group, and perhaps the only one */
	struct tacho__perf_opened *next; /* of the group */
};

/* The events of a pass, in the plan's order. */
struct tacho__perf_pass {
	struct tacho__perf_opened *events;
	size_t count;
};

struct tacho__perf_device;

/*
 * Inputs of one metric become a group where a unit can count them at a time: that is tried. INVAL
 * for counters of another device, NOMEM.
 */
int tacho__perf_make_pass(const struct tacho__perf_device *device, const struct tacho_plan *plan,
			  uint32_t index, struct tacho__arena *arena,
			  struct tacho__perf_pass *out_pass);

/*
 * Opens a group, not counting yet. PERM, UNSUPPORTED, BUSY, NODEVICE, IO; closed when it fails.
 */
int tacho__perf_open(struct tacho__perf_opened *leader, const struct tacho__perf_target *target);
/* Adds a thread to it, counting from now on. One that is gone counts nothing. */
int tacho__perf_open_thread(struct tacho__perf_opened *leader, int64_t thread);
/* Closes what was added last to a group; `first` descriptors of each event stay. */
void tacho__perf_close_from(struct tacho__perf_opened *leader, size_t first);
void tacho__perf_close(struct tacho__perf_opened *leader);
void tacho__perf_enable(const struct tacho__perf_opened *leader);
/*
 * Calls `fn` for each thread of the process (0: this one) until it fails, and says what it said.
 * `what` names what is to be counted.
 */
int tacho__perf_each_thread(int64_t pid, const char *what, int (*fn)(void *user, int64_t thread),
			    void *user);
/* Whether these count together now, for this thread or on the first CPU of their unit. */
bool tacho__perf_try_group(const struct tacho__perf_opened *leader);

/*
 * Whether the kernel counts it for this thread, or device: 0 or an errno. Where only user space may
 * be counted, and that makes sense of it, it becomes a counter of user space.
 */
int tacho__perf_try(struct tacho__perf_counter *counter, bool can_be_user_only);
/* The same for a unit, by its first plain event. ENODATA: it has none. */
int tacho__perf_try_pmu(const struct tacho__perf_pmu *pmu, bool *out_is_user_only);

/* A count with the times in which it should have counted, and did. */
struct tacho__perf_reading {
	uint64_t count, enabled_ns, running_ns;
};

/* The sum over the descriptors. LOST when one cannot be read any more. */
int tacho__perf_read(const struct tacho__perf_opened *event,
		     struct tacho__perf_reading *out_reading);

/* A value between two readings. */
struct tacho__perf_value {
	double real;	/* in the counter's unit */
	uint64_t whole; /* the same without a scale */
	double coverage;
	uint8_t state;
};

/*
 * What was counted between two readings. Counted for a part of the time only: extrapolated, SCALED.
 * Not at all, although it should have been: ABSENT. When no time passed for the counter after the
 * first reading, because the process slept, it is 0.
 */
void tacho__perf_difference(const struct tacho__perf_reading *begin,
			    const struct tacho__perf_reading *end, double scale,
			    struct tacho__perf_value *out_value);

struct tacho__perf_device {
	struct tacho_device base;
	struct tacho__arena arena;
	const struct tacho__perf_pmu *pmus;
	size_t pmu_count;
	const struct tacho__perf_pmu *only; /* NULL: all */
	struct tacho_catalog *catalog;	    /* its own: what is there is known at run time */
	struct tacho__arch *arch;
	struct tacho__names counters; /* by name: struct tacho__perf_counter */
	bool is_foreign;	      /* the tree of another machine: nothing can be counted */
};

/* Adds all that the unit can count to its catalog. NOMEM. */
int tacho__perf_fill_catalog(struct tacho__perf_device *device);
/* The counter of "PMU/TERMS/", made an entry when it is new. PARSE, NOTFOUND, INVAL, NOMEM. */
int tacho__perf_define(struct tacho_device *device, const char *text,
		       const struct tacho_entry **out_entry);
const struct tacho__perf_counter *tacho__perf_find_counter(const struct tacho__perf_device *device,
							   const struct tacho_entry *entry);

void tacho__perf_check(tacho_check_fn fn, void *user);
int tacho__perf_begin(struct tacho_device *device, const struct tacho__collection_options *options,
		      struct tacho__collection **out_collection);
int tacho__perf_begin_pass(struct tacho__collection *collection, uint32_t pass);
int tacho__perf_end_pass(struct tacho__collection *collection);
int tacho__perf_begin_range(struct tacho__collection *collection, uint64_t key, uint64_t parent);
int tacho__perf_end_range(struct tacho__collection *collection, uint64_t key);
void tacho__perf_end(struct tacho__collection *collection);

#endif
