/* SPDX-License-Identifier: MIT */
/*
 * Templates as the reader holds them: of each handle the state that was told last. Memory grows
 * with what the records hold, not with the executions.
 */
#ifndef TACHO_RECORD_TEMPLATES_H
#define TACHO_RECORD_TEMPLATES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/pack.h"
#include "tacho/recording.h"

/* Over all processes of a cursor. {0} is empty. */
struct tacho__templates {
	struct tacho__arena arena;
	struct tacho__names names;    /* of commands, each once */
	struct tacho__names contents; /* what templates hold -> struct content */
	struct tacho__map labels;     /* number of kernels -> how many contents have so many */
	uint32_t ids;		      /* the last one given */
	uint64_t copied;	      /* commands that are copies of another template's */
	struct tacho_template unknown;
	struct tacho__buf scratch;
};

void tacho__templates_finish(struct tacho__templates *templates);

/* Of a process: empties its map of templates. */
void tacho__templates_finish_process(struct tacho__map *states);

/*
 * Takes a record into account. `states` are the process's templates, `handles` its
 * objects. A record that makes no sense is left out. NOMEM.
 */
int tacho__templates_take(struct tacho__templates *templates, struct tacho__map *states,
			  const struct tacho__map *handles, struct tacho__unpack *unpack);

/*
 * What an execution runs. One that was never told of is an unknown one. NULL: NOMEM. Borrowed until
 * the next call of these functions.
 */
const struct tacho_template *tacho__templates_find(struct tacho__templates *templates,
						   const struct tacho__map *states, uint32_t api,
						   uint64_t handle, uint64_t version);

#endif
