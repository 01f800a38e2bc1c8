/* SPDX-License-Identifier: MIT */
/* A call table (calls.h) as the reader holds it. */
#ifndef TACHO_RECORD_CALL_TABLE_H
#define TACHO_RECORD_CALL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "tacho/recording.h"

struct tacho__enum;

enum { TACHO__SHOW_HIDDEN = 'h' }; /* tells something to the reader, and is no text */

/* How a packed argument reads. */
struct tacho__show {
	char kind;			 /* the letter of calls.h */
	const struct tacho__enum *set;	 /* of e m p */
	const struct tacho__show *inner; /* of l o, and the first member of t */
	const struct tacho__show *next;	 /* the next member of t */
	uint32_t argument;		 /* of v: which one names the query */
};

/* How the value of a query reads. */
struct tacho__value_show {
	char kind; /* u x b s e m; 0: not known, show the pointer */
	bool list;
	uint8_t width; /* bytes of one value */
	const struct tacho__enum *set;
};

struct tacho__constant {
	int64_t value;
	const char *name;
	struct tacho__value_show show;
};

struct tacho__enum {
	const char *name;
	struct tacho__constant *constants; /* by value */
	size_t count, capacity;
	const int64_t *good; /* as results, these are no failure; NULL: none that is negative is */
	size_t good_count;
	const struct tacho__enum *next;
};

struct tacho__argument {
	const char *name;
	struct tacho__show show;
};

enum tacho__role {
	TACHO__ROLE_QUEUE,
	TACHO__ROLE_KERNEL,
	TACHO__ROLE_DIMS,
	TACHO__ROLE_GLOBAL,
	TACHO__ROLE_LOCAL,
	TACHO__ROLE_BYTES,
	TACHO__ROLE_SCALE,
	TACHO__ROLE_TEMPLATE,
	TACHO__ROLE_VERSION,
	TACHO__ROLE_EXTRA_LOCAL,
	TACHO__ROLES,
};

struct tacho__command_form {
	enum tacho_command_kind kind;
	uint32_t code;
	const char *name;
	int role[TACHO__ROLES]; /* index of an argument, -1: none */
};

struct tacho__function {
	struct tacho_function function;
	bool known;
	bool has_result;
	struct tacho__show result;
	struct tacho__argument *arguments;
	size_t count;
	uint8_t *shown; /* the indices of those that are shown */
	size_t shown_count;
	int errcode;				   /* index of the argument errcode_ret, -1: none */
	const struct tacho__command_form *command; /* NULL: it gives no work to a device */
	bool is_poll;				   /* equal ones in a row tell nothing new */
	bool waits;				   /* for work of a device */
	bool is_bare;				   /* no call: a name for how work came about */
	bool draws;				   /* its kernels are run for what is drawn */
};

enum { TACHO__FUNCTIONS_MAX = 1024, TACHO__ARGUMENTS_COUNT_MAX = 64 };

struct tacho__call_table {
	const char *api;
	struct tacho__function *functions; /* TACHO__FUNCTIONS_MAX of them */
	const struct tacho__enum *enums;
};

/* Owned by the arena. TACHO_E_PARSE with the line, TACHO_E_VERSION, TACHO_E_NOMEM. */
int tacho__call_table_parse(struct tacho__arena *arena, const char *text, size_t size,
			    struct tacho__call_table **out_table);

/* The constant of this value, NULL when the enum has none. */
const struct tacho__constant *tacho__enum_find(const struct tacho__enum *set, int64_t value);

/* Whether a result of this value says that the function failed. `set` may be NULL. */
bool tacho__enum_is_failure(const struct tacho__enum *set, int64_t value);

#endif
