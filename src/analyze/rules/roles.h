/* SPDX-License-Identifier: MIT */
/*
 * What the functions of an API do, in words that rules understand. One table for each API; rules
 * name no function.
 */
#ifndef TACHO_ANALYZE_RULES_ROLES_H
#define TACHO_ANALYZE_RULES_ROLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tacho__act {
	TACHO__ACT_CREATE,	  /* makes objects: one reference each */
	TACHO__ACT_RETAIN,	  /* one reference more */
	TACHO__ACT_RELEASE,	  /* one less */
	TACHO__ACT_ENQUEUE,	  /* gives work to a queue */
	TACHO__ACT_WAIT_QUEUE,	  /* waits until a queue is empty */
	TACHO__ACT_WAIT_EVENTS,	  /* waits for commands */
	TACHO__ACT_POLL,	  /* asks whether a command is over */
	TACHO__ACT_READ_TIMES,	  /* asks when a command ran */
	TACHO__ACT_BUILD,	  /* compiles or links a program */
	TACHO__ACT_RETRIEVE,	  /* asks about a program: when for its code, it may compile */
	TACHO__ACT_SHARED_MEMORY, /* makes memory that host and device may touch at any time */
	TACHO__ACT_SUBMIT,	  /* gives a queue what was recorded before */
	TACHO__ACT_WAIT_ALL,	  /* waits until all queues are empty */
	TACHO__ACT_WAIT_SOME,	  /* waits, and the recording does not say for what */
	/* Of commands that are recorded to be submitted; the first argument is what holds them. */
	TACHO__ACT_BEGIN,   /* begins to record */
	TACHO__ACT_END,	    /* has recorded all */
	TACHO__ACT_WORK,    /* a command that a device runs */
	TACHO__ACT_SET,	    /* something that the commands behind it use */
	TACHO__ACT_UNSET,   /* nothing is known of what was set before it */
	TACHO__ACT_BARRIER, /* what is behind it waits for what is before it */
	TACHO__ACT_UPDATE   /* changes what recorded commands refer to */
};

enum tacho__thing {
	TACHO__THING_NONE,
	TACHO__THING_CONTEXT,
	TACHO__THING_QUEUE,
	TACHO__THING_MEMORY,
	TACHO__THING_POINTER, /* memory that is known by its address */
	TACHO__THING_SAMPLER,
	TACHO__THING_PROGRAM,
	TACHO__THING_KERNEL,
	TACHO__THING_TEMPLATE,
	TACHO__THING_EVENT,
	TACHO__THING_OTHER, /* and all from it on: kinds of an API's own, which have a word */
	TACHO__THINGS = TACHO__THING_OTHER + 32
};

/* Positions of arguments as they are printed: the first is 1, 0 is none. */
enum { TACHO__ARGUMENT_RESULT = -1 };

struct tacho__function_role {
	const char *function;
	enum tacho__act act;
	enum tacho__thing thing; /* what is made, kept, released */
	int8_t handle;	  /* of the thing, one or a list; of a wait, of a build: queue, program */
	int8_t blocking;  /* whether the call waits for the end of its command */
	int8_t events;	  /* a list that is waited for; of a poll: the one event */
	int8_t event;	  /* that the command makes */
	int8_t flags;	  /* how a thing is made or mapped */
	int8_t memory;	  /* what is mapped; of a kernel: its program; of a template: queues */
	int8_t query;	  /* what is asked for */
	int8_t value;	  /* the answer; of a kernel that is made: its name */
	bool is_answer;	  /* the host needs what the command leaves behind: it reads or maps */
	const char *word; /* for the thing; NULL: what things of its kind are called */
	int8_t cache;	  /* of a build: what keeps its result for later runs */
	int8_t all;	  /* of a wait for events: whether it is for all of them, or for any */
	/* Of what is set: where, as one function may set several; in what frame, as those in
	 * another one fall; how many it sets at once; what has to be 0, or its arguments do not
	 * tell all of it. */
	int8_t place, second_place, frame, count, none;
	bool falls;	  /* of what is set: it is gone when another kernel is bound */
	bool is_whole;	  /* of a command: its arguments tell all of it */
	int8_t read;	  /* of a command: memory that it reads; `memory` is what it writes */
	int8_t to;	  /* of a barrier: which work waits; `flags` is what for */
	int8_t narrow[2]; /* of a barrier: how many parts of memory it names that way */
};

struct tacho__deprecated {
	const char *function;
	uint32_t since;	     /* major * 100 + minor * 10 of the API's version */
	const char *instead; /* what to call */
};

struct tacho__api_roles {
	const char *api; /* the name of its call table */
	const char *title;
	const struct tacho__function_role *roles; /* end with a NULL function */
	const struct tacho__deprecated *deprecated;
	const char *query_prefixes[3]; /* of functions that only ask; up to NULL */
	const char *poll_query; /* what a poll asks for, and the answer when the work is done */
	const char *poll_done;
	const char *version_key; /* attribute of devices, "OpenCL 3.0 ..." */
	const char *version_prefix;
	const char *order_key; /* attribute of queues, a number, with this bit when unordered */
	uint64_t order_bit;
	const char *order_flag;	       /* the same as a flag when it is made */
	const char *device_queue_flag; /* of queues that only kernels give work to */
	uint64_t device_queue_bit;
	const char *code_queries[3]; /* that a program is asked for its code with; up to NULL */
	const char *persistent;	  /* flag of memory that stays on the device while it is mapped */
	uint64_t persistent_bit;  /* where the call table has no name for it */
	const char *map_for_read; /* flag of a map */
	/* Commands are recorded, submitted, and told of one by one, without a call of their own,
	 * right before the thread's call that submits them. */
	bool is_submitted;
	const char *wait_done;	  /* what a wait returns that did not give up; NULL: nothing else */
	const char *after_all[3]; /* what a barrier waits for: all that is before it; up to NULL */
	const char *before_all[3];	/* which work waits: all that is behind it; up to NULL */
	const char *record_prefix;	/* of functions that record */
	const char *expected_errors[2]; /* that tell of something that is no fault; up to NULL */
};

extern const struct tacho__api_roles tacho__opencl_roles, tacho__vulkan_roles;

/* NULL when no table is of that API. Static. */
const struct tacho__api_roles *tacho__api_roles_find(const char *api);
/* The tables in a fixed order; NULL past the last. Static. */
const struct tacho__api_roles *tacho__api_roles_get(size_t index);

/* Of one function, NULL when it has none. Static. */
const struct tacho__function_role *tacho__function_role_find(const struct tacho__api_roles *roles,
							     const char *function);
const struct tacho__deprecated *tacho__deprecated_find(const struct tacho__api_roles *roles,
						       const char *function);

/*
 * Reading arguments as text. A handle is "0x1C5F2A0" or "[0x1C5F2A0]": 0 when it is NULL or none.
 */
uint64_t tacho__argument_handle(const char *text);
/* The handles of "[0x1,0x2,...]": how many there are, at most `room` of them are stored. */
size_t tacho__argument_handles(const char *text, uint64_t *handles, size_t room);
/* Whether "A|B|0x40" has the name or the bit; `name` may be "" and `bit` 0. */
bool tacho__argument_has_flag(const char *text, const char *name, uint64_t bit);
/* "CL_TRUE", "1": any but 0, NULL and *FALSE. */
bool tacho__argument_is_true(const char *text);

#endif
