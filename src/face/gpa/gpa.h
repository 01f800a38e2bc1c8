/* SPDX-License-Identifier: MIT */
/*
 * What the drop-in libraries for GPUPerfAPI 2.x are made of. Each library has its own copy of all
 * of this; one lock guards it, held from enter() to leave() of every function, but not while a
 * thread waits for values of a device: nobody else touches that context then.
 */
#ifndef TACHO_FACE_GPA_GPA_H
#define TACHO_FACE_GPA_GPA_H

#include <stddef.h>
#include <stdint.h>

#include "GPUPerfAPI.h"
#include "base/arena.h"
#include "base/map.h"
#include "tacho/session.h"

enum {
	TACHO__GPA_KEPT = 4, /* sessions of a context, with the one that is open */
};

/* What is enabled and its passes; sessions share it. */
struct tacho__gpa_plan {
	unsigned references;
	struct tacho_config *config; /* its entries are `counters`, in this order */
	struct tacho_plan *plan;
	uint32_t pass_count;
	size_t count;
	uint32_t counters[];
};

struct tacho__gpa_counter {
	const struct tacho_entry *entry;
	char *description; /* "#Group#text" */
	GPA_Type type;
	GPA_Usage_Type usage;
	uint8_t is_enabled;
};

struct tacho__gpa_sample {
	uint32_t id;
	uint32_t last_pass; /* the latest it was begun in, from 1 */
	uint32_t passes;    /* it was ended in, of those that are needed */
	uint32_t row;	    /* of the result, plus 1; 0: there is none */
	uint8_t is_counted; /* it was begun in a pass that is needed */
};

struct tacho__gpa_session {
	uint32_t id; /* 0: the slot is free */
	struct tacho__gpa_plan *plan;
	struct tacho_session *core; /* NULL once its values were taken, or are not to be had */
	struct tacho_result *result;
	struct tacho__gpa_sample *samples; /* with numbers that rise by 1 from the first's */
	size_t sample_count, sample_capacity;
	struct tacho__map others; /* id plus 1 to struct tacho__gpa_sample, of the arena */
	struct tacho__arena arena;
	uint32_t pass;	      /* that is open or was ended last, from 1 */
	uint32_t passes_done; /* more than are needed perhaps */
	uint32_t first_count; /* samples of pass 1 */
	uint32_t pass_samples;
	uint8_t is_active, is_pass_open;
	struct tacho__gpa_sample *open_sample; /* NULL: none */
	tacho_range range;		       /* of the open sample; 0 in a pass too many */
};

struct tacho__gpa_context {
	struct tacho__gpa_context *next; /* in the order of opening */
	void *handle;
	struct tacho_context *core; /* NULL: the device is the program's own */
	struct tacho_device *device;
	char *label;
	uint8_t is_simulated;
	uint8_t is_awaited; /* a thread waits for its device, without the lock */
	struct tacho__gpa_counter *counters;
	uint32_t counter_count;
	uint32_t *enabled; /* in the order of enabling */
	uint32_t enabled_count;
	struct tacho__gpa_plan *plan; /* of what is enabled; NULL: not made as yet */
	struct tacho__gpa_session sessions[TACHO__GPA_KEPT];
	struct tacho__gpa_session *active;
	uint32_t last_session;
};

/* The one state of the library. */
struct tacho__gpa {
	GPA_Logging_Type logged;
	GPA_LoggingCallbackPtrType callback;
	const char *function; /* that is running */
	uint8_t is_in_callback;
	uint8_t is_initialized;
	struct tacho__gpa_context *contexts, *current;
};
extern struct tacho__gpa tacho__gpa;

/* log.c: a callback may call any function; those calls log nothing. */
void tacho__gpa_enter(const char *function);
GPA_Status tacho__gpa_leave(GPA_Status status);
/* Logs "GPA_X: TEXT" and returns `status`; the text ends with a full stop. */
GPA_Status tacho__gpa_fail(GPA_Status status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Logs the core's last error, with cause and cure; 26. */
GPA_Status tacho__gpa_fail_core(void);
/* The same for a context that cannot be opened: 27, 28 or 26, whichever fits. */
GPA_Status tacho__gpa_refuse(void);
void tacho__gpa_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* tacho_session_drain() of a session of the context, without the lock. */
int tacho__gpa_await_values(struct tacho__gpa_context *context, struct tacho_session *session,
			    uint64_t timeout_ns);
/* Waits, without the lock, until a context that was awaited is awaited no longer. */
void tacho__gpa_let_arrive(void);

/* The body of every function of the API. */
#define TACHO__GPA_CALL(name, call)            \
	do {                                   \
		tacho__gpa_enter(name);        \
		return tacho__gpa_leave(call); \
	} while (0)

/* contexts.c: the selected one in *out_context, when nobody waits for it any more; or 2. */
GPA_Status tacho__gpa_get_context(struct tacho__gpa_context **out_context);
/* 1 when `pointer` is NULL. */
GPA_Status tacho__gpa_check_pointer(const void *pointer, const char *name);
/* Both: the context before the pointer, through which an answer about it goes. */
GPA_Status tacho__gpa_get_asked(const void *pointer, const char *name,
				struct tacho__gpa_context **out_context);

/* open.c: opens what the handle is, and gives it back. Codes of tacho. */
int tacho__gpa_open_device(void *handle, struct tacho_context **out_core,
			   struct tacho_device **out_device);
void tacho__gpa_close_device(struct tacho_context *core, struct tacho_device *device);
/*
 * gpa_cl.c and its like: the backend that counts on a handle of this library, the catalog's API,
 * and the only platform of devices that will do. A backend of "" is none, a platform of "" any.
 */
extern const char tacho__gpa_backend[], tacho__gpa_api[], tacho__gpa_platform[];

/* counters.c */
GPA_Status tacho__gpa_list_counters(struct tacho__gpa_context *context);
void tacho__gpa_drop_counters(struct tacho__gpa_context *context);
/* 4 when there is no such counter. */
GPA_Status tacho__gpa_check_index(const struct tacho__gpa_context *context, const char *name,
				  uint32_t index);
/* Case is ignored; 5. */
GPA_Status tacho__gpa_find_counter(const struct tacho__gpa_context *context, const char *name,
				   uint32_t *out_index);

/* selection.c: the plan of what is enabled, made when it is not there. */
GPA_Status tacho__gpa_get_plan(struct tacho__gpa_context *context,
			       struct tacho__gpa_plan **out_plan);
void tacho__gpa_drop_plan(struct tacho__gpa_plan *plan);

/* samples.c: NULL when there is none of this number. Valid until another sample is begun. */
struct tacho__gpa_sample *tacho__gpa_find_sample(const struct tacho__gpa_session *session,
						 uint32_t id);

/* sessions.c */
GPA_Status tacho__gpa_find_session(struct tacho__gpa_context *context, uint32_t id,
				   struct tacho__gpa_session **out_session);
void tacho__gpa_drop_session(struct tacho__gpa_session *session);

/*
 * results.c: takes the values of a session that has ended, waiting for them `timeout_ns` at most.
 * False: they are not there.
 */
int tacho__gpa_take(struct tacho__gpa_context *context, struct tacho__gpa_session *session,
		    uint64_t timeout_ns);

#endif
