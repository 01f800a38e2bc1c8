/* SPDX-License-Identifier: MIT */
/*
 * What libnvperfapi.so is made of. What is made for one context, activity or config is used by one
 * thread at a time, as the API says; what all share (the contexts, the devices, the handles) has a
 * lock each, which is held for moments and never while a device is asked.
 */
#ifndef TACHO_FACE_PERFWORKS_PERFWORKS_H
#define TACHO_FACE_PERFWORKS_PERFWORKS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "tacho/session.h"

#pragma GCC visibility push(default)
#include "nvperfapi.h"
#pragma GCC visibility pop

/* pw_status.c: each makes the thread's text, "WHAT: CAUSE; CURE", and returns the status. */
NVPA_Status tacho__pw_fail(NVPA_Status status, const char *cause, const char *cure,
			   const char *format, ...) __attribute__((format(printf, 4, 5)));
NVPA_Status tacho__pw_fail_null(const char *what);
NVPA_Status tacho__pw_fail_memory(void);
/* What the core's last function that failed on this thread said, with the status of its code. */
NVPA_Status tacho__pw_fail_core(void);
/* The same text with a status that says more. */
NVPA_Status tacho__pw_fail_as(NVPA_Status status);

/* live.c: handles of objects, none of which ever comes again: what was destroyed is known. */
enum tacho__pw_kind {
	TACHO__PW_ACTIVITY_OPTIONS,
	TACHO__PW_ACTIVITY,
	TACHO__PW_METRIC_OPTIONS,
	TACHO__PW_CONFIG,
	TACHO__PW_RESULTS,
	TACHO__PW_KIND_COUNT,
};
NVPA_Status tacho__pw_live_add(enum tacho__pw_kind kind, void *object, void **out_handle);
/*
 * NULL, with the thread's text made, for what is no handle of this kind, NULL too; the status is
 * INVALID_ARGUMENT then.
 */
void *tacho__pw_live_get(enum tacho__pw_kind kind, const void *handle);
/* The handle is none from now on. */
void *tacho__pw_live_remove(enum tacho__pw_kind kind, const void *handle);

/* Of a device; it stays. */
struct tacho__pw_metric {
	NVPA_MetricId id;
	const char *name;
	const char *unit, *description; /* NULL: nobody has looked it up as yet */
};

/*
 * pw_devices.c: what contexts count on. Contexts whose devices are the same in name, driver and
 * all that they can count have the same one. It is never forgotten, nor are its metrics.
 */
struct tacho__pw_device {
	size_t index;
	uint64_t print; /* of what makes it another device than others */
	const char *name;
	pthread_mutex_t lock;	     /* of all that follows */
	struct tacho__arena arena;   /* of the metrics */
	struct tacho__names by_name; /* to struct tacho__pw_metric */
	struct tacho__pw_metric **metrics;
	size_t count, capacity;
	const struct tacho__pw_metric **listed; /* NULL: nobody has asked as yet; else it stays */
	size_t listed_count;
};
NVPA_Status tacho__pw_device_note(struct tacho_device *unit, struct tacho__pw_device **out_device);
NVPA_Status tacho__pw_device_get(size_t index, struct tacho__pw_device **out_device);

/* pw_metrics.c: the metric of an entry of its architecture, with a number from now on. */
NVPA_Status tacho__pw_metric_number(struct tacho__pw_device *device,
				    const struct tacho_entry *entry,
				    const struct tacho__pw_metric **out_metric);
/* INVALID_METRIC_ID for one of another device. */
NVPA_Status tacho__pw_metric_find(struct tacho__pw_device *device, NVPA_MetricId id,
				  const struct tacho__pw_metric **out_metric);
bool tacho__pw_metric_has_texts(struct tacho__pw_device *device,
				const struct tacho__pw_metric *metric);
/* All there are, those of the grammar too, in an order that stays. */
NVPA_Status tacho__pw_metric_list(struct tacho__pw_device *device,
				  const struct tacho__pw_metric *const **out_list,
				  size_t *out_count);

/* A metric in one mode. */
struct tacho__pw_choice {
	const struct tacho__pw_metric *metric;
	bool is_serialized;
};

struct tacho__pw_config {
	_Atomic unsigned references; /* the handle, sessions and results */
	_Atomic unsigned sessions;
	struct tacho__pw_device *device;
	size_t pipelined, serialized; /* passes */
	struct tacho__map positions;  /* of a metric in a mode: in `choices`, from 1 */
	size_t count;
	struct tacho__pw_choice choices[];
};
/* pw_config.c */
void tacho__pw_config_drop(struct tacho__pw_config *config);
/* Where a metric is in its choices; INVALID_METRIC_ID. */
NVPA_Status tacho__pw_config_find(const struct tacho__pw_config *config, NVPA_MetricId id,
				  bool is_serialized, size_t *out_index);
/* The plan of choices on a device, and its config, which goes after it. Codes of tacho. */
int tacho__pw_plan(struct tacho_device *unit, const struct tacho__pw_choice *choices, size_t count,
		   struct tacho_config **out_config, struct tacho_plan **out_plan);

/* activity.c: what was chosen so far. */
struct tacho__pw_activity {
	struct tacho__pw_device *device;
	struct tacho__pw_choice *choices;
	size_t count, capacity;
};

/* pw_options.c */
struct tacho__pw_activity_options {
	NVPA_ActivityKind kind;
};
struct tacho__pw_metric_options {
	bool is_pipelined;
};

enum tacho__pw_origin {
	TACHO__PW_GRAPHICS,  /* an EGLContext or GLXContext */
	TACHO__PW_QUEUE,     /* a cl_command_queue */
	TACHO__PW_UNIT,	     /* a struct tacho_device of the program */
	TACHO__PW_SIMULATED, /* one that was made here */
};

struct tacho__pw_context {
	void *handle;
	enum tacho__pw_origin origin;
	bool has_own_work; /* a simulated device in its place: ranges get something to count */
	struct tacho_context *core; /* NULL: the device is the program's */
	struct tacho_device *unit;
	struct tacho__pw_device *device;
	unsigned borrowers; /* threads that plan on it; under the lock of the contexts */
	struct tacho__pw_session *session; /* NULL: none is open */
};
/* pw_open.c: opens what the handle of a context is. */
NVPA_Status tacho__pw_open(struct tacho__pw_context *context, const char *model);
void tacho__pw_close(struct tacho__pw_context *context);
/* current.c: the context that is current on this thread, of EGL or else GLX; NULL: none is. */
void *tacho__pw_current(void);
/* Whether the process has loaded either. */
bool tacho__pw_has_graphics(void);
/* pw_contexts.c */
NVPA_Status tacho__pw_context_find(void *handle, struct tacho__pw_context **out_context);
/* One that counts on the device, which stays until it is given back; OBJECT_NOT_REGISTERED. */
NVPA_Status tacho__pw_context_borrow(const struct tacho__pw_device *device,
				     struct tacho__pw_context **out_context);
void tacho__pw_context_give_back(struct tacho__pw_context *context);
/* tacho__pw_fail_core() after a call for a context, which may not be current on this thread. */
NVPA_Status tacho__pw_context_fail(const struct tacho__pw_context *context);

/* pw_session.c */
struct tacho__pw_session {
	struct tacho__pw_config *config;
	struct tacho_config *entries;
	struct tacho_plan *plan;
	struct tacho_session *core;
	tacho_range *stack; /* that are open, the outermost first */
	size_t depth, capacity;
	size_t passes; /* that were ended */
	bool is_pass_open;
	bool has_auto_ranges;
	bool has_failed;		 /* something did; the device may be gone */
	struct tacho_result *result;	 /* that was taken, and is in no values as yet; or NULL */
	struct tacho__pw_values *values; /* NULL: not read as yet */
};
void tacho__pw_session_end(struct tacho__pw_context *context);
/* The one that is open; INVALID_CONTEXT_STATE. */
NVPA_Status tacho__pw_session_find(void *handle, struct tacho__pw_context **out_context);
/* pw_ranges.c: ends the innermost range, which is over in any case. Codes of tacho. */
int tacho__pw_range_pop(struct tacho__pw_context *context);

/* pw_values.c: a unique stack of ranges. */
struct tacho__pw_range {
	size_t row;    /* of the result */
	size_t parent; /* index plus 1; 0: none */
	uint64_t id;   /* the last of `ids` */
	size_t next;   /* of the same hash: index plus 1 */
	const uint64_t *ids;
	size_t depth;
	const char *name;
};
/* All that was measured; what was read of one session shares it. */
struct tacho__pw_values {
	_Atomic unsigned references;
	struct tacho__pw_config *config;
	struct tacho_result *result;
	uint64_t lost;
	struct tacho__pw_range *ranges;
	size_t count;
	uint64_t *ids;		/* of all ranges */
	struct tacho__map hash; /* of parent and id: index plus 1 of the first */
};
/* Of a session whose values have come; it can be tried again. Codes of tacho. */
int tacho__pw_values_take(struct tacho__pw_session *session, struct tacho__pw_values **out_values);
void tacho__pw_values_drop(struct tacho__pw_values *values);
/* INVALID_ARGUMENT when there is no such range. */
NVPA_Status tacho__pw_values_check(const struct tacho__pw_values *values, size_t index);

#endif
