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
	TACHO__ACT_CREATE,	 /* makes objects: one reference each */
	TACHO__ACT_RETAIN,	 /* one reference more */
	TACHO__ACT_RELEASE,	 /* one less */
	TACHO__ACT_ENQUEUE,	 /* gives work to a queue */
	TACHO__ACT_WAIT_QUEUE,	 /* waits until a queue is empty */
	TACHO__ACT_WAIT_EVENTS,	 /* waits for commands */
	TACHO__ACT_POLL,	 /* asks whether a command is over */
	TACHO__ACT_READ_TIMES,	 /* asks when a command ran */
	TACHO__ACT_BUILD,	 /* compiles or links a program */
	TACHO__ACT_RETRIEVE,	 /* asks about a program: when for its code, it may compile */
	TACHO__ACT_SHARED_MEMORY /* makes memory that host and device may touch at any time */
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
	TACHO__THING_EVENT
};

/* Positions of arguments as they are printed: the first is 1, 0 is none. */
enum { TACHO__ARGUMENT_RESULT = -1 };

struct tacho__function_role {
	const char *function;
	enum tacho__act act;
	enum tacho__thing thing; /* what is made, kept, released */
	int8_t handle;	 /* of the thing, one or a list; of a wait, of a build: queue, program */
	int8_t blocking; /* whether the call waits for the end of its command */
	int8_t events;	 /* a list that is waited for; of a poll: the one event */
	int8_t event;	 /* that the command makes */
	int8_t flags;	 /* how a thing is made or mapped */
	int8_t memory;	 /* what is mapped; of a kernel: its program; of a template: queues */
	int8_t query;	 /* what is asked for */
	int8_t value;	 /* the answer; of a kernel that is made: its name */
	bool is_answer;	 /* the host needs what the command leaves behind: it reads or maps */
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
	const char *query_prefix; /* of functions that only ask */
	const char *poll_query;	  /* what a poll asks for, and the answer when the work is done */
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
};

extern const struct tacho__api_roles tacho__opencl_roles;

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
