/* SPDX-License-Identifier: MIT */
/*
 * Ranges that a program told of, as a cursor meets them: who is in which one by now. A range holds
 * its own texts and is used again when it has ended, so memory grows with what is open at a time,
 * and that has bounds: what is beyond them is counted, and so are ends of what never began here.
 */
#ifndef TACHO_RECORD_TOLD_RANGES_H
#define TACHO_RECORD_TOLD_RANGES_H

#include "base/map.h"
#include "base/pack.h"
#include "intercept/intercept.h"
#include "tacho/recording.h"

enum {
	TACHO__TOLD_DEPTH_MAX = 256, /* open ranges of a thread, of all its domains */
	TACHO__TOLD_OPEN_MAX = 1024, /* open ranges of a process */
};

struct tacho__told_range {
	struct tacho_named_range range;
	uint64_t key;	/* of its stack, or its own in the process */
	uint64_t level; /* on its stack, from 1; 0: not known */
	/* Of labels and passes: of the commands in it that have times; last_ns 0: none has. */
	uint64_t first_ns, last_ns;
	struct tacho__told_range *next_free;
	char name[TACHO__RANGE_NAME_MAX + 1];
	char domain[TACHO__RANGE_DOMAIN_MAX + 1], api[TACHO__RANGE_DOMAIN_MAX + 1];
};

/* In the order in which they began. */
struct tacho__told_list {
	struct tacho__told_range **ranges;
	size_t count, capacity;
};

/* A stack whose innermost ranges are too deep: so many pops are theirs. */
struct tacho__told_excess {
	uint64_t key, count;
};

/* {0} at first. */
struct tacho__told_thread {
	struct tacho__told_list open;
	struct tacho__told_excess *excess;
	size_t excess_count, excess_capacity;
};

struct tacho__told_process {
	struct tacho__told_list open;
	uint64_t excess;   /* that were too many and have not ended */
	uint64_t headless; /* ends whose beginning was not told */
	uint64_t beyond;   /* that were too deep, or too many at a time */
};

/* Of a cursor. {0} at first. */
struct tacho__told {
	struct tacho__told_range *free;
	uint64_t last_id;
	const struct tacho_named_range **around;
	size_t around_capacity;
};

/* Whose record it is, and when it was written. */
struct tacho__told_place {
	const struct tacho_process *process;
	const struct tacho__map *handles; /* of its objects; NULL: none is known */
	struct tacho__told_process *told_process;
	struct tacho__told_thread *told_thread;
	uint32_t thread;
	uint64_t at_ns;
};

/*
 * Takes a record. 1 and what has ended, borrowed until the next call; 0 when nothing has; PARSE
 * when it makes no sense; NOMEM.
 */
int tacho__told_take(struct tacho__told *told, const struct tacho__told_place *place,
		     struct tacho__unpack *unpack, const struct tacho_named_range **out_ended);

/* A command with times: it is in those ranges of its thread that are about its queue. */
void tacho__told_add_work(const struct tacho__told_thread *thread,
			  const struct tacho_command *command);

/* Ends the innermost that is open, or the newest of the process: NULL when none is. As above. */
const struct tacho_named_range *tacho__told_close(struct tacho__told *told,
						  struct tacho__told_list *open, uint64_t end_ns);

/* Those that had begun by then, the newest first, of the thread and then of the process: borrowed
 * until the next call. NOMEM. */
int tacho__told_find_around(struct tacho__told *told, const struct tacho__told_process *process,
			    const struct tacho__told_thread *thread, uint64_t start_ns,
			    const struct tacho_named_range *const **out_ranges, size_t *out_count);

void tacho__told_finish(struct tacho__told *told);
void tacho__told_finish_thread(struct tacho__told_thread *thread);
void tacho__told_finish_process(struct tacho__told_process *process);

#endif
