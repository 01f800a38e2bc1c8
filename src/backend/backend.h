/* SPDX-License-Identifier: MIT */
/* A backend is a way of counting. registry.c lists them all. */
#ifndef TACHO_BACKEND_BACKEND_H
#define TACHO_BACKEND_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include "tacho/catalog.h"
#include "tacho/config.h"
#include "tacho/device.h"
#include "tacho/plan.h"
#include "tacho/result.h"
#include "tacho/session.h"
#include "tacho/sys/doctor.h"

struct tacho__backend;
struct tacho__collection; /* collection.h */
struct tacho_context;

/* How a device counts in one enum tacho_mode; {0}: as it likes, ranges in ranges too. */
struct tacho__mode_traits {
	/*
	 * Levels of nested ranges that can be counted in one pass; 0: any. With 1, ranges that lie
	 * in others need passes of their own: the session sees how deep they nest while it runs. In
	 * pipelined passes no range of the device lies in another: the session ends the outer one
	 * where an inner one begins, and begins it again behind it.
	 */
	uint32_t levels;
	const char *cause; /* why it cannot count so; NULL: it can */
	const char *note;  /* what all values of this mode rest on; NULL: nothing to say */
};

/* What a device is, once it is open. Borrowed from the device or the catalog. */
struct tacho__device_traits {
	const struct tacho_arch *arch;
	const struct tacho_model *model; /* NULL: nothing known beyond the architecture */
	uint32_t replays;		 /* bits 1 << enum tacho_replay: what it can do */
	uint32_t has_windows;		 /* rows can be windows of time */
	struct tacho__mode_traits modes[TACHO_MODE_COUNT]; /* by enum tacho_mode */
};

/* How work is repeated for those who count what lies between two points of it. */
#define TACHO__REPLAYS_RANGES \
	(1u << TACHO_REPLAY_CALLER | 1u << TACHO_REPLAY_PROCESS | 1u << TACHO_REPLAY_NONE)

/* A device that is open: every backend's own struct has it first, and calls it `base`. */
struct tacho_device {
	struct tacho__device_traits traits; /* filled by open() */
	/* Filled by who opens it. */
	const struct tacho__backend *backend;
	const struct tacho_device_info *info;
	struct tacho_context *context;
};

/* The struct of a backend around a device or a collection. */
#define TACHO__OWN(type, pointer) ((type *)((char *)(pointer)-offsetof(type, base)))

/*
 * Rows that a backend has counted in one pass. Columns are those of the pass's counters, in the
 * plan's order, each with row_count rows, in all batches of the same shape and type. Names, units
 * and notes of columns are not looked at.
 */
struct tacho__batch {
	uint32_t pass;
	size_t row_count;
	const uint64_t *keys; /* the session's keys of ranges; NULL: rows that the device began */
	const struct tacho_row *rows; /* ids and names of these; NULL with keys */
	const struct tacho_column *columns;
	/*
	 * Rows that the device began and lost before these. The first of these has the state lost
	 * then; with none, the last one before.
	 */
	uint64_t lost_rows;
};

/*
 * Where a collection delivers. Called from any thread, also from inside the collection's functions
 * but for begin() and end(); the backend holds no lock then that these functions need.
 */
struct tacho__sink {
	void *user;
	/* Copies the batch. INVAL for what cannot be: a key that nobody has, another shape. NOMEM.
	 */
	int (*deliver)(void *user, const struct tacho__batch *batch);
	/*
	 * The device is gone (LOST), or the collection cannot go on: a code and the text for
	 * people. What was delivered stays; nothing else is expected any more.
	 */
	void (*fail)(void *user, int code, const char *cause, const char *cure);
	/*
	 * The key that the backend knows for a range that the program names: its own, that of its
	 * present segment, or of the nearest range around it. 0: the device counts none of these
	 * now. NULL: ranges have the keys that the program names.
	 */
	uint64_t (*find_key)(void *user, uint64_t range);
};

struct tacho__collection_options {
	const struct tacho_plan *plan;
	/*
	 * One per counter of all passes, pass by pass: 1 when all instances are wanted; 0: the
	 * session adds them up, or takes the sum as a column without dimensions.
	 */
	const uint8_t *keeps;
	uint32_t replay;
	uint64_t window_ns;
	int64_t pid;
	const struct tacho__sink *sink;
	uint32_t from_exec; /* count the process from its next execve on, where that can be done */
	int (*wants_thread)(void *user, int64_t thread); /* as in struct tacho_session_options */
	void *user;
};

struct tacho__backend {
	const char *name;	/* "opencl"; [a-z0-9_]+, unique */
	const char *summary;	/* one line */
	uint32_t is_named_only; /* asked only when the list of backends names it */
	uint32_t is_own_source; /* what its devices count is asked of them: open() reads no catalog
				 */
	/*
	 * Required. Says what is there and, if not usable, why: fills library, usable, cause and
	 * cure of `about` and adds devices to `probe`. Fails with NOMEM, and with NOTFOUND for an
	 * argument that it does not know, with the known ones.
	 */
	int (*probe)(struct tacho_probe *probe, struct tacho_probe_backend *backend_info);

	/*
	 * The rest is for backends that count; all NULL in one that only finds devices.
	 *
	 * Required. Opens the device that probe() added as its `index`-th, with its traits. The
	 * catalog outlives it.
	 */
	int (*open)(const struct tacho_probe *probe, size_t index,
		    const struct tacho_catalog *catalog, struct tacho_device **out_device);
	/* Required. */
	void (*close)(struct tacho_device *device);
	/*
	 * Optional. The backend's own plan, instead of tacho's: a vendor's library decides. Bound
	 * and optimality are then unknown.
	 */
	int (*plan)(struct tacho_device *device, const struct tacho_config *config,
		    const struct tacho_plan_options *options, struct tacho_plan **out_plan);
	/*
	 * Optional. Refuses a pass that the device cannot do: UNSUPPORTED, PERM, BUSY. Asked for
	 * every pass after planning, and again before a collection.
	 */
	int (*check_pass)(struct tacho_device *device, const struct tacho_plan *plan, size_t pass);
	/*
	 * Optional. Why a counter never has values in a mode, "" when it has: the note of columns
	 * that check_pass() let through. Static.
	 */
	const char *(*explain)(const struct tacho_device *device, const struct tacho_entry *counter,
			       uint32_t mode);
	/*
	 * Required. Begins a collection, a struct with struct tacho__collection first: programs
	 * nothing yet. The options outlive it.
	 */
	int (*begin)(struct tacho_device *device, const struct tacho__collection_options *options,
		     struct tacho__collection **out_collection);
	/*
	 * Required. Programs a pass of the plan, and stops it. The caller serializes these two, and
	 * no range is begun, open or being ended meanwhile. The same pass may be begun again. When
	 * the backend replays by itself (TACHO_REPLAY_VENDOR) pass 0 is begun once, and batches of
	 * all passes come. Windows end with the pass. Values of ranges may come after it ended.
	 */
	int (*begin_pass)(struct tacho__collection *collection, uint32_t pass);
	int (*end_pass)(struct tacho__collection *collection);
	/*
	 * Optional, both or none (a backend with windows only has none). From any thread; key is
	 * not 0 and new for every range, parent the key of the range around it or 0. The values
	 * come through the sink, at once or later.
	 */
	int (*begin_range)(struct tacho__collection *collection, uint64_t key, uint64_t parent);
	int (*end_range)(struct tacho__collection *collection, uint64_t key);
	/*
	 * Optional: without it all is delivered when a range ends. Delivers what is ready and waits
	 * for more until all ranges that were ended have been delivered or the time is over
	 * (TIMEOUT). 0 does not wait. After a 0 is returned, ranges that were ended before the call
	 * and not delivered are lost.
	 */
	int (*drain)(struct tacho__collection *collection, uint64_t timeout_ns);
	/* Required. Ends it; nothing is delivered after. */
	void (*end)(struct tacho__collection *collection);
	/*
	 * Optional. Adds a counter to the device's architecture that `text` describes in the
	 * device's own notation; the entry of before when it was added already. PARSE, NOTFOUND,
	 * INVAL.
	 */
	int (*define)(struct tacho_device *device, const char *text,
		      const struct tacho_entry **out_entry);
	/*
	 * Optional. Tells of what helps or hinders counting here, other than the devices: settings
	 * of the system, permissions.
	 */
	void (*check)(tacho_check_fn fn, void *user);
};

/* All backends, in source order; NULL past the last. */
const struct tacho__backend *tacho__backend_get(size_t index);

/* What a probe is asked for. {0}: every backend, for the real machine, without arguments. */
struct tacho__probe_options {
	const struct tacho__backend *const *table; /* ends with NULL; NULL: the registry's */
	const char *backends; /* "perf,sim:mi300x"; NULL: all, or those that can count */
	uint32_t only_counting;
	const char *sysroot;		   /* NULL: "/" */
	const struct tacho_result *values; /* borrowed */
	void *handle;			   /* the program's own object to count on; borrowed */
};

/* As tacho_probe_create(). NOTFOUND for an unknown backend or argument, with the known ones. */
int tacho__probe_create(const struct tacho__probe_options *options, struct tacho_probe **out_probe);

/* The backend of a device of the probe, and which of the backend's devices it is. */
const struct tacho__backend *tacho__probe_find_backend(const struct tacho_probe *probe,
						       const struct tacho_device_info *info,
						       size_t *out_index);

/* The backend's index-th device; NULL: there is none. */
const struct tacho_device_info *tacho__probe_get_own_info(const struct tacho_probe *probe,
							  const char *backend, size_t index);

/* A device for the backend to fill: every string is "" and it is not usable. NULL: no memory. */
struct tacho_device_info *tacho__probe_add_device_info(struct tacho_probe *probe);

/* Text that lives as long as the probe. "" when memory ran out, which the probe remembers. */
const char *tacho__probe_text(struct tacho_probe *probe, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What the context was asked for. sysroot is "/" by default and ends with a slash. */
const struct tacho__probe_options *tacho__probe_get_options(const struct tacho_probe *probe);
/* The n-th word behind "NAME:" in the list of backends ("mi300x" of "sim:mi300x"); NULL past the
 * last: a simulated device exists only when it was named. */
const char *tacho__probe_get_argument(const struct tacho_probe *probe, const char *backend,
				      size_t index);

#endif
