/* SPDX-License-Identifier: MIT */
/* Files of Intel's tracers (unitrace, onetrace, cl_tracer, the OpenCL intercept layer), what their
 * readers share: unitrace.c unitrace_chrome.c clintercept.c unitrace_work.c unitrace_facts.c
 * unitrace_metrics.c. */
#ifndef TACHO_FORMAT_FOREIGN_UNITRACE_H
#define TACHO_FORMAT_FOREIGN_UNITRACE_H

#include "format/foreign/foreign.h"
#include "format/foreign/foreign_chrome.h"

/* ---- work: unitrace_work.c ---- */

/* What sort of work the tools call so. */
enum tacho_command_kind tacho__unitrace_kind_of(const char *name);

/*
 * What a piece of work is, by the name that these tools give it: kind, name and kernel of the
 * command, and what stands behind the name in brackets: the size of a launch, the bytes of a copy.
 * Its process is set already. NOMEM.
 */
int tacho__unitrace_take_name(struct tacho__foreign *foreign, const char *name,
			      struct tacho__foreign_command *command);
/* Behind "Tile #1: ", with the number, or the name itself: a launch that is spread over the tiles
 * of a device is told once for each. */
const char *tacho__unitrace_skip_tile(const char *name, bool *out_has_tile, uint64_t *out_tile);
/*
 * The device and the queue of work, by the texts that the file has for them; device_name "" is
 * "GPU" and what the file calls it. NOMEM.
 */
int tacho__unitrace_take_place(struct tacho__foreign *foreign, const char *device,
			       const char *device_name, const char *queue,
			       struct tacho__foreign_command *command);

/* ---- Chrome traces: unitrace_json.c ---- */

/* {0} at first. */
struct tacho__unitrace_json {
	struct tacho__foreign *foreign;
	struct tacho__foreign_json json;
	struct tacho__foreign_chrome chrome;
	struct tacho__buf label, id; /* arguments of the event: "name" and "id" */
	uint32_t process, pid;	     /* made at once; its number, when the file tells it */
	uint64_t commands, calls;
};

/* Errors are those of tacho__foreign_json_open(). */
int tacho__unitrace_json_open(struct tacho__unitrace_json *trace, struct tacho__foreign *foreign,
			      const struct tacho__foreign_file *file,
			      bool (*wants)(void *user,
					    const struct tacho__foreign_chrome_event *event));
/* The next event, as tacho__foreign_chrome_next(). */
int tacho__unitrace_json_next(struct tacho__unitrace_json *trace, bool *out_is_one);
void tacho__unitrace_json_finish(struct tacho__unitrace_json *trace);
/*
 * What is known of a kernel besides, "key=value" lines: of one that was met in this process by its
 * name, in the tools' form; else nothing happens. NOMEM.
 */
int tacho__unitrace_describe_kernel(struct tacho__foreign *foreign, uint32_t process,
				    const char *name, const struct tacho__buf *facts);

/* ---- unitrace_facts.c: the table of kernels' properties ---- */

enum { TACHO__UNITRACE_FACTS = 16 };

/* {0}: no such table is read. */
struct tacho__unitrace_facts {
	const char *keys[TACHO__UNITRACE_FACTS]; /* of its columns; NULL: it is not needed */
	size_t count;
};

/* Whether a line is its titles; it is changed then. */
bool tacho__unitrace_take_titles(struct tacho__unitrace_facts *table, char *line);
/* A line behind the titles; *out_is_one is false when it is none of the table. It is changed.
 * NOMEM. */
int tacho__unitrace_take_facts(struct tacho__foreign *foreign, uint32_t process,
			       struct tacho__unitrace_facts *table, char *line, bool *out_is_one);

/* ---- unitrace_metrics.c: metrics of launches ---- */

/* "NAME.metrics.PID.csv": values of each launch, by its number in the process. */
bool tacho__unitrace_is_metrics(const struct tacho__foreign_file *file);
/* Reads it. `processes` has those that have launches with such numbers: pid -> number + 1; those
 * of others are told by the file itself. `number` is the file's among all. PARSE, IO, NOMEM. */
int tacho__unitrace_read_metrics(struct tacho__foreign *foreign, const char *path, uint64_t number,
				 const struct tacho__map *processes);

#endif
