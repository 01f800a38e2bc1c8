/* SPDX-License-Identifier: MIT */
/*
 * The order of metrics decides how many passes a vendor's library makes of them: it fills passes
 * with what comes, and what comes late finds holes or not. Nobody outside knows its rules, so
 * orders are tried: by name and back, by block, what needs most first, then moves of what stood in
 * the last passes, from a generator with a fixed seed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/scheduled.h"

enum {
	TRIALS_MAX = 24,
	VAIN_MAX = 8,	 /* trials in a row that found nothing better */
	WORK_SURE = 600, /* entries in trials that are made even so: few entries make cheap ones */
	WORK_MAX = 4000, /* entries in all trials together: a trial of 200 takes 0.15 s */
};

typedef int (*compare_function)(const void *a, const void *b);

static const struct tacho_entry *get(const void *pointer)
{
	return *(const struct tacho_entry *const *)pointer;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(get(a)->name, get(b)->name);
}

static int by_name_back(const void *a, const void *b)
{
	return by_name(b, a);
}

static int by_block(const void *a, const void *b)
{
	int order = strcmp(get(a)->block, get(b)->block);

	return order ? order : by_name_back(a, b);
}

static int by_block_back(const void *a, const void *b)
{
	return by_block(b, a);
}

/* Ratios and throughputs need most, and are the ones with a group behind "counter". */
static int by_group(const void *a, const void *b)
{
	int order = strcmp(get(b)->group, get(a)->group);

	return order ? order : by_name_back(a, b);
}

/* xorshift64: the same numbers on every machine. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A run of entries goes to another place. */
static void move_run(const struct tacho_entry **entries, size_t count, uint64_t *state,
		     const struct tacho_entry **scratch)
{
	size_t size = 1 + (size_t)(next_random(state) % (count / 2 + 1));
	size_t from = (size_t)(next_random(state) % (count - size + 1));
	size_t to = (size_t)(next_random(state) % (count - size + 1));

	memcpy(scratch, entries + from, size * sizeof(*entries));
	memmove(entries + from, entries + from + size, (count - from - size) * sizeof(*entries));
	memmove(entries + to + size, entries + to, (count - size - to) * sizeof(*entries));
	memcpy(entries + to, scratch, size * sizeof(*entries));
}

/* Asks the library; takes the order when it is better. */
static int try_order(struct tacho__ordering *ordering, const struct tacho_entry **entries)
{
	size_t passes = 0;
	int rc = ordering->library->count_passes(ordering->user, entries, ordering->count, &passes);

	ordering->trial_count++;
	ordering->vain_count++;
	if (rc)
		return rc;
	if (passes < ordering->pass_count) {
		ordering->pass_count = passes;
		ordering->vain_count = 0;
		memcpy(ordering->entries, entries, ordering->count * sizeof(*entries));
	}
	return 0;
}

static int may_go_on(const struct tacho__ordering *ordering)
{
	return ordering->pass_count > 1 && ordering->trial_count < TRIALS_MAX &&
	       (ordering->vain_count < VAIN_MAX ||
		ordering->trial_count * ordering->count < WORK_SURE) &&
	       (ordering->trial_count + 1) * ordering->count <= WORK_MAX;
}

static int search(struct tacho__ordering *ordering, const struct tacho_entry **entries,
		  const struct tacho_entry **scratch)
{
	static const compare_function orders[] = {by_name_back, by_name, by_block, by_block_back,
						  by_group};
	size_t size = ordering->count * sizeof(*entries);
	uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
	int rc = 0;

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]) && !rc; i++) {
		if (!may_go_on(ordering))
			return 0;
		qsort(entries, ordering->count, sizeof(*entries), orders[i]);
		rc = try_order(ordering, entries);
	}
	while (!rc && may_go_on(ordering)) {
		memcpy(entries, ordering->entries, size);
		move_run(entries, ordering->count, &state, scratch);
		rc = try_order(ordering, entries);
	}
	return rc;
}

int tacho__ordering_search(struct tacho__ordering *ordering)
{
	size_t size = ordering->count * sizeof(*ordering->entries);
	const struct tacho_entry **entries = malloc(2 * size + 1);
	int rc;

	if (!entries)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	memcpy(entries, ordering->entries, size);
	ordering->trial_count = ordering->vain_count = 0;
	ordering->pass_count = SIZE_MAX;
	rc = try_order(ordering, entries);
	ordering->given_count = ordering->pass_count;
	if (!rc)
		rc = search(ordering, entries, entries + ordering->count);
	free(entries);
	return rc;
}
