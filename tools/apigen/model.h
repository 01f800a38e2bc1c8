/* SPDX-License-Identifier: MIT */
/*
 * apigen: reads the description of an API (data/api) and writes the C that intercepts it. This is
 * the description in memory. Everything is kept until the program ends; errors end it.
 */
#ifndef APIGEN_MODEL_H
#define APIGEN_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* How a value is packed and read: src/record/calls.h, with the additions data/api explains. */
struct show {
	char kind;	    /* u h i x b f e m s l o p t v; '-' for a type that is no value */
	const char *name;   /* of e m p: an enum; t: a struct; v: an argument */
	struct show *inner; /* of l o */
	const char *room;   /* of l v: a number or an argument */
	const char *filled; /* of l v: an argument, NULL when the list is the caller's */
	unsigned limit;	    /* of l: elements at most */
	bool zero_ends;	    /* of p: a value of 0 ends the list too */
};

struct type {
	const char *name, *c;
	struct show show;
	int line;
};

/* An argument or a member of a structure. */
struct argument {
	const char *name, *base; /* base: the name of a type or a structure */
	const char *c;		 /* the whole C type */
	unsigned stars;
	bool is_const;
	struct show show;
	int line;
};

struct structure {
	const char *name;
	struct argument *members;
	size_t count;
	int line;
};

struct constant {
	const char *name, *show; /* show: "" or how the answer to this query reads */
	int64_t value;
	int line;
};

struct enumeration {
	const char *name;
	struct constant *constants;
	size_t count;
	int line;
};

enum role_name {
	ROLE_QUEUE,
	ROLE_KERNEL,
	ROLE_DIMS,
	ROLE_GLOBAL,
	ROLE_LOCAL,
	ROLE_BYTES,
	ROLE_SCALE,
	ROLE_TEMPLATE,
	ROLE_VERSION,
	ROLE_COMMAND
};
enum { ROLES = ROLE_COMMAND + 1 };

struct command {
	const char *kind, *constant;
	const char *roles[ROLES];
	bool event_required;
	int line;
};

enum { HOOK_ARGUMENTS_MAX = 8, LOOKUPS_MAX = 2 };

/* A function that is written by hand, and what it is given. */
struct hook {
	const char *name;			       /* NULL: there is none */
	const char *arguments[HOOK_ARGUMENTS_MAX + 1]; /* the rest is NULL */
};

/* Versions of an extension, as drivers number them: a function's signature is known in these. */
struct versions {
	const char *extension; /* NULL: in all */
	unsigned first, last;
};

enum { KEPT_MAX = 3 };

/* What a device does each time that the thing is run which the function puts a command into. */
struct run {
	const char *kind; /* draw dispatch trace copy fill write other; NULL: nothing */
	bool by_graphics; /* by what draws, though its kind does not say so */
	const char *word; /* what the counts are called; NULL: there are none */
	const char *counts[KEPT_MAX + 1]; /* arguments that are kept of it; the rest is NULL */
	const char *bytes;		  /* C: how many it moves; NULL: not known */
	int line;
};

struct function {
	const char *name;     /* in C: unique */
	const char *api_name; /* what the API calls it; several have one when signatures differ */
	bool placeholder, extension;
	struct versions versions;
	const char *since_argument; /* NULL: all versions have the same arguments */
	unsigned since;
	int number;	    /* in session files, -1: none */
	const char *result; /* C type, NULL: void */
	struct show result_show;
	struct argument *arguments;
	size_t count;
	struct hook lookups[LOOKUPS_MAX]; /* what the wrapper asks for, in this order */
	struct command *command;
	struct command *records; /* puts this command into a template */
	const char *instead;
	const char *nests;  /* NULL: calls of it may not be inside each other */
	const char *launch; /* NULL: the target is called when it is recorded */
	const char *watch;  /* who is told of the command's event; NULL: "watch" */
	struct hook after;  /* called when the call is recorded */
	bool is_poll, waits, submits, shows;
	const char *level, *alias; /* of a keyed API: who gives it out; NULL: it is no alias */
	struct run run;
	int line;
};

struct api {
	const char *file, *name;
	int id;
	bool keyed; /* a function is found by its first argument */
	struct type *types;
	size_t type_count;
	struct structure *structures;
	size_t structure_count;
	struct enumeration *enums;
	size_t enum_count;
	struct function *functions; /* dispatch, then extensions */
	size_t function_count, dispatch_count;
};

/* memory.c: zeroed, kept until exit. */
void *keep(size_t bytes);
const char *keep_text(const char *text, size_t size);
const char *keep_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints FILE:LINE: message and exits with 1. */
void die(const struct api *api, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4), noreturn));

/* read.c, show.c, check.c */
void read_api(struct api *api, const char *file);
void parse_show(const struct api *api, int line, const char *text, struct show *out_show);
void check_api(struct api *api);

const struct type *find_type(const struct api *api, const char *name);
const struct structure *find_structure(const struct api *api, const char *name);
const struct enumeration *find_enum(const struct api *api, const char *name);
const struct argument *find_argument(const struct function *function, const char *name);
/* NULL when it looks up nothing of that name. */
const struct hook *find_lookup(const struct function *function, const char *name);

extern const char *const role_names[ROLES];

/* Runs of the whole API: how many there are in front of this function's. */
size_t count_runs(const struct api *api, size_t end);

/* The most bytes that the packed arguments of a function take. */
size_t packed_bound(const struct api *api, const struct function *function);

/* write_*.c: one file each. */
void write_table(const struct api *api, FILE *out);
void write_header(const struct api *api, FILE *out);
void write_constants(const struct api *api, FILE *out);
void write_wrappers(const struct api *api, FILE *out);
void write_preload(const struct api *api, FILE *out);
void write_map(const struct api *api, FILE *out);

/* write_keyed.c: of keyed APIs, what their header, wrappers and table have more or instead. */
void write_keyed_header(const struct api *api, FILE *out);
void write_run_begin(const struct api *api, const struct function *function, FILE *out);
void write_run_end(const struct api *api, FILE *out);
void write_keyed_entries(const struct api *api, FILE *out);
void write_run_table(const struct api *api, FILE *out);

/* write_header.c: "int32_t clName(uint32_t a, void *b)" with another name, and "a, b". */
void write_prototype(const struct function *function, const char *name, FILE *out);
void write_parameters(const struct function *function, FILE *out);

#endif
