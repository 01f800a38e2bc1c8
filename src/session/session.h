/* SPDX-License-Identifier: MIT */
/* What a session is made of. */
#ifndef TACHO_SESSION_SESSION_H
#define TACHO_SESSION_SESSION_H

#include <pthread.h>
#include <stdbool.h>

#include "backend/backend.h"
#include "base/arena.h"
#include "base/map.h"
#include "formula/program.h"
#include "session/sequence.h"
#include "tacho/session.h"

/* The context over backends of a test. `table` ends with NULL and outlives the context. */
int tacho__context_create(const struct tacho_context_options *options,
			  const struct tacho__backend *const *table,
			  struct tacho_context **out_context);

/* Whether the device can do each pass of a plan: 0, or why not. */
int tacho__device_check_plan(struct tacho_device *device, const struct tacho_plan *plan);

/* Ranges of one id under the same parent. */
struct tacho__series {
	const struct tacho__series *parent; /* NULL: none */
	uint64_t id;
	const char *name;
	struct tacho__series *next; /* of the same hash */
	uint32_t run;		    /* that `begun` counts in */
	size_t begun;
	size_t turn;		  /* ROTATE: the next pass for a range that is in no other */
	struct tacho__row **rows; /* by repetition, where several runs meet the same rows */
	size_t row_count, row_capacity;
	struct tacho__row *own_rows[1]; /* most have one, which needs no array on the heap */
};

/* Where the values of a row in one pass lie. */
struct tacho__place {
	uint32_t slot;	      /* in the pass's store, plus 1; 0: there are none */
	uint32_t count;	      /* how often values were added up in it */
	uint32_t ranges : 31; /* that these are of: a pipelined one has several times values */
	uint32_t is_lost : 1; /* something that it should contain */
};

struct tacho__row {
	struct tacho__row *next;
	struct tacho__series *node; /* NULL: a row that the device began */
	uint64_t serial;	    /* rising */
	uint64_t parent;	    /* serial of the row around it; 0: none */
	uint64_t id, repetition;
	uint64_t start_ns, end_ns, uncertainty_ns; /* of windows; else 0 */
	const char *name;
	char *own_name;		/* NULL: the name is the series' */
	uint32_t open, pending; /* of its ranges: not ended; ended and without values as yet */
	uint32_t runs;		/* ranges that were begun for it */
	uint64_t seen;		/* bit per pass */
	uint8_t is_device;	/* the device began it */
	uint8_t is_taken;	/* it gets nothing any more */
	struct tacho__place places[]; /* per pass */
};

/* A value of either type. */
union tacho__number {
	uint64_t whole;
	double real;
};

/* A range that is open, or whose values are waited for. */
struct tacho__range {
	uint32_t generation; /* the high half of its key; the low half is its index plus 1 */
	uint32_t level;
	struct tacho__row *row; /* NULL: free */
	uint64_t parent;
	uint64_t end_serial; /* 0: not ended */
	uint64_t segment;    /* PIPELINED: key of what the backend knows; 0: nothing now */
	uint64_t id;	     /* where the sequence of ranges is kept, */
	uint32_t number;     /* and the place that it has there */
	uint32_t pass;	     /* in which it ended */
	uint32_t children;   /* that are open */
	uint32_t awaited;    /* batches that are still to come */
	uint32_t next_free;  /* index plus 1 */
	uint8_t is_counted;  /* the backend knows it, or its segments */
	uint8_t is_ending;
	uint8_t is_beyond;   /* the limits, as all ranges in it are */
	uint8_t has_segment; /* one of it was begun */
	uint8_t is_turning;  /* one of it is being begun or ended */
	uint8_t is_segment;  /* of another range, and nobody else's */
	uint8_t is_further;  /* and not the first one */
};

/* Values of one counter in one pass: `capacity` rows of them. */
struct tacho__raw {
	struct tacho_column column; /* shape and type; name, data and states are not set */
	union {
		uint64_t *u64;
		double *f64;
	} data;
	uint8_t *states;
	double *coverage;	   /* NULL: all are 1 */
	uint8_t reduces;	   /* instances are added up when they come */
	uint8_t is_rate;	   /* a mean instead of a sum */
	uint8_t is_first, is_last; /* the smallest or the largest instead */
};

/* All counters of one pass. */
struct tacho__store {
	struct tacho__raw *raws; /* one per counter of the pass */
	size_t raw_count;
	uint8_t has_shape; /* a batch has come */
	uint32_t capacity, used;
	uint32_t *free_slots;
	size_t free_count, free_capacity;
	struct tacho__row *last_row; /* that the device began, if it was not taken */
	uint8_t loses_next;
};

/* Entries of the config whose inputs come from the same passes: one program for all of them. */
struct tacho__source {
	uint32_t pass, counter;
};

struct tacho__group {
	const uint32_t *passes; /* of the plan */
	size_t pass_count;
	struct tacho__program *program;
	struct tacho__source *sources; /* one per input of the program */
	size_t source_count;
};

enum tacho__how {
	TACHO__FROM_COUNTER, /* a counter, or what the device worked out itself: source */
	TACHO__FROM_GROUP,   /* an output of the group's program */
	TACHO__NOT_THERE,    /* absent, with a note why */
};

struct tacho__outcome {
	enum tacho__how how;
	struct tacho__source source;
	size_t group, output;
	const char *note; /* why there are no values; "" */
};

/* How a pass of the plan runs. */
struct tacho__pass {
	uint32_t levels; /* of nested ranges that one run counts; 0: any */
	uint32_t runs;	 /* that are over; the next one counts the group of levels of that number */
	uint8_t is_pipelined;
};

struct tacho__stack {
	tacho_range *ranges;
	size_t count, capacity;
};

struct tacho_session {
	struct tacho_device *device;
	const struct tacho_plan *plan;
	const struct tacho_config *config;
	struct tacho_session_options options;
	size_t pass_count;
	struct tacho__sink sink;
	struct tacho__collection_options collection_options;
	struct tacho__collection *collection;

	/* What is worked out; fixed once the session is made. */
	struct tacho__arena arena; /* names too: those under the lock */
	struct tacho__group *groups;
	size_t group_count;
	struct tacho__outcome *outcomes; /* one per entry of the config */
	size_t outcome_count;

	pthread_mutex_t lock; /* of all below; never held while the backend is called */
	pthread_cond_t switched;
	uint8_t is_switching; /* a pass is being begun or ended */
	uint8_t is_open;      /* a pass is */
	uint8_t is_automatic; /* one pass for the caller: the session began it */
	uint8_t is_single;    /* one run for sure: rows are complete as they come */
	uint8_t is_rotating;
	uint8_t is_compared; /* with the ranges of the first run */
	uint8_t is_done;
	uint8_t is_pipelined; /* the pass that is open: ranges are counted in segments */
	uint32_t pass;	      /* that is open */
	uint32_t run;	      /* number of the one that is open or comes next */
	uint32_t depth;	      /* of the deepest range that was seen, at least what the plan says */
	struct tacho__pass *passes;
	int failed; /* code; nothing more comes */
	char cause[512], cure[512];

	struct tacho__series **series; /* without a parent, ids that rise by 1 from the first's */
	size_t series_count, series_capacity;
	struct tacho__map nodes; /* the others: hash of parent and id, to the first node */
	struct tacho__range *ranges;
	size_t range_count, range_capacity;
	uint32_t free_range; /* index plus 1 */
	uint32_t open_count, pending_count;
	uint64_t row_serial, end_serial, row_count;
	struct tacho__row *no_row;    /* of all ranges that are beyond the limits */
	uint64_t beyond, beyond_most; /* these, in this run and in the one with most */
	struct tacho__row *first_row, **last_link;
	struct tacho__row *free_rows; /* to use again; rows are in the arena */
	struct tacho__store *stores;  /* one per pass */
	uint64_t lost_rows;
	struct tacho__sequence sequence;
	char difference[256];	  /* of a pass from the first: no value can be told; "": none */
	struct tacho__map stacks; /* thread to struct tacho__stack */
	uint64_t *seen;		  /* of the rows of the last result */
	size_t seen_count;
};

/* session_rows.c: under the lock. */
/* Whether another row may be. */
static inline bool tacho__session_has_room(const struct tacho_session *session)
{
	return !session->options.row_max || session->row_count < session->options.row_max;
}
/* NULL when there is none and none may be added. */
int tacho__session_find_series(struct tacho_session *session, const struct tacho__series *parent,
			       uint64_t id, const char *name, bool may_add,
			       struct tacho__series **out_node);
/*
 * The row for one more range of a node in this run, or where ranges add up the one that there is.
 * NULL: there is no room for it.
 */
int tacho__session_add_row(struct tacho_session *session, struct tacho__series *node,
			   const char *name, struct tacho__row **out_row);
int tacho__session_add_device_row(struct tacho_session *session, const struct tacho_row *info,
				  uint32_t pass, struct tacho__row **out_row);
/* One that is in no list. NULL: NOMEM. */
struct tacho__row *tacho__session_make_row(struct tacho_session *session);
void tacho__series_finish(struct tacho__series *node);
int tacho__row_is_complete(const struct tacho_session *session, const struct tacho__row *row);
/* Nothing finds it any more but the list. */
void tacho__row_detach(struct tacho_session *session, struct tacho__row *row);
/* Gives its slots back, and it to be used again; it is detached and in no list any more. */
void tacho__row_free(struct tacho_session *session, struct tacho__row *row);
/* The range that a row was found for does not begin after all. */
void tacho__row_forget(struct tacho_session *session, struct tacho__row *row);

/* store.c */
/* Whether rows of a pass may have values several times. */
bool tacho__session_adds_up(const struct tacho_session *session, uint32_t pass);
int tacho__store_init(struct tacho_session *session, uint32_t pass);
void tacho__store_finish(struct tacho__store *store);
/* Fixes the shapes with the first batch, compares them with every other. */
int tacho__store_check(struct tacho_session *session, const struct tacho__batch *batch);
/* Copies row `index` of a batch to the row's place, or adds it to what is there. */
int tacho__store_put(struct tacho_session *session, const struct tacho__batch *batch, size_t index,
		     struct tacho__row *row);

/* ranges.c: under the lock. NULL for a key that is none. */
struct tacho__range *tacho__session_get_range(struct tacho_session *session, uint64_t key);
int tacho__session_new_range(struct tacho_session *session, uint64_t *out_key);
void tacho__session_free_range(struct tacho_session *session, struct tacho__range *range);
/* The device is about to be told that a range ends: its values may come. */
void tacho__session_expect(const struct tacho_session *session, struct tacho__range *range);
/* It was told, or could not be. Batches may have come before this. */
void tacho__session_close(struct tacho_session *session, struct tacho__range *range, int is_failed);
/* Values that a row should contain in a pass never come. */
void tacho__session_lose(struct tacho_session *session, struct tacho__row *row, uint32_t pass);
/* For backends, any time: the key of the innermost range that they know around one, or its own. */
uint64_t tacho__session_find_key(void *user, uint64_t range);
/* The values of a range have come, or never will: `batches` of those awaited. */
void tacho__session_settle(struct tacho_session *session, struct tacho__range *range,
			   uint32_t batches);
/* Frees a range that is ended and settled. */
void tacho__session_forget(struct tacho_session *session, struct tacho__range *range);
/* The device has no more for the ranges that were ended so far: their values are lost. */
void tacho__session_give_up(struct tacho_session *session, uint64_t end_serial);
/* Ends what is open, inner ranges first. Without the lock. */
void tacho__session_end_ranges(struct tacho_session *session);
/* Error of a session whose device failed. */
int tacho__session_fail_again(const struct tacho_session *session, const char *what);

/* segments.c: under the lock, which is released while the device is told. */
/* Ends the segment of the range around it, and begins its own. */
int tacho__segments_begin_range(struct tacho_session *session, uint64_t key, uint64_t parent);
int tacho__segments_end_range(struct tacho_session *session, uint64_t key);
/* A range in another has ended, or did not begin: after the last one the outer one goes on. */
void tacho__segments_resume(struct tacho_session *session, uint64_t parent);
/* The range, when no thread begins or ends a segment of it. NULL: there is none. */
struct tacho__range *tacho__segments_await(struct tacho_session *session, uint64_t key);

/* deliver.c */
/* Nothing more comes. Under the lock; the first one stays. */
void tacho__session_set_failed(struct tacho_session *session, int code, const char *cause,
			       const char *cure);
int tacho__session_deliver(void *user, const struct tacho__batch *batch);
void tacho__session_on_fail(void *user, int code, const char *cause, const char *cure);

/* pass.c */
/* Ends the pass that is open and begins this one, without the lock held meanwhile. */
int tacho__session_switch(struct tacho_session *session, uint32_t pass);
void tacho__session_await_switch(struct tacho_session *session);
/* Which pass is open from now on. */
void tacho__session_set_pass(struct tacho_session *session, uint32_t pass);
/* The pass that the next run is of: the first that has run least. False: none is needed. */
bool tacho__session_choose_pass(const struct tacho_session *session, uint32_t *out_pass);
/* What is known before the first run: which passes count levels of ranges apart. NOMEM. */
int tacho__session_make_passes(struct tacho_session *session, uint32_t depth);

/* formulas.c: what the config asks for, from which passes. */
int tacho__session_compile(struct tacho_session *session);
/* Adds an entry to a program. */
int tacho__session_add_output(const struct tacho_session *session, struct tacho__program *program,
			      const struct tacho_entry *entry, size_t *out_output);
/* Where the inputs of a program come from, in the arena. */
int tacho__session_find_sources(const struct tacho_session *session, struct tacho__arena *arena,
				struct tacho__group *group);
void tacho__session_drop_formulas(struct tacho_session *session);

#endif
