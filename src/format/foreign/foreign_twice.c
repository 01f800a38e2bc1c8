/* SPDX-License-Identifier: MIT */
/*
 * Files that tell the same launches: a run that its tool wrote in several formats, or a copy. That
 * all launches of a process begin and end at the same nanoseconds is no chance.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/foreign.h"

int tacho__foreign_begin_source(struct tacho__foreign *foreign, size_t first_file, size_t count)
{
	const struct tacho__foreign_told source = {.first_file = first_file, .file_count = count};

	return tacho__array_add(&foreign->sources, &foreign->source_capacity,
				&foreign->source_count, &source, sizeof(source));
}

void tacho__foreign_tally(struct tacho__foreign *foreign)
{
	if (foreign->source_count)
		foreign->sources[foreign->source_count - 1].told++;
}

/* The same sum in whatever order they are told. */
void tacho__foreign_tally_command(struct tacho__foreign *foreign,
				  const struct tacho__foreign_command *command)
{
	struct tacho__foreign_things *things = &foreign->handles[command->process];
	uint64_t key = (uint64_t)command->start_ns * UINT64_C(0x9e3779b97f4a7c15);

	tacho__foreign_tally(foreign);
	if (command->has_bytes)
		tacho__foreign_tally(foreign);
	if (command->kind != TACHO_COMMAND_KERNEL || command->state != TACHO_STATE_OK)
		return;
	key = (key ^ (key >> 29) ^ (uint64_t)command->end_ns) * UINT64_C(0xbf58476d1ce4e5b9);
	things->launches++;
	things->sum += key ^ (key >> 32);
}

/* ---- processes by their launches ---- */

/* One that launched something. */
struct told {
	uint32_t source; /* from 1 */
	uint32_t pid;	 /* 0: the file does not tell it */
	uint64_t launches, sum;
};

/* In order, so that those of a source lie together and each is found quickly. */
struct index {
	struct told *all;
	size_t count;
};

static int compare_told(const void *left, const void *right)
{
	const struct told *a = left, *b = right;

	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->sum != b->sum)
		return a->sum < b->sum ? -1 : 1;
	if (a->launches != b->launches)
		return a->launches < b->launches ? -1 : 1;
	return (a->pid > b->pid) - (a->pid < b->pid);
}

static int make_index(const struct tacho__foreign *foreign, struct index *index)
{
	*index = (struct index){.all = calloc(foreign->handle_count + 1, sizeof(*index->all))};
	if (!index->all)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to compare files");
	for (size_t i = 0; i < foreign->handle_count; i++) {
		const struct tacho__foreign_things *things = &foreign->handles[i];

		if (things->launches)
			index->all[index->count++] =
				(struct told){.source = things->source,
					      .pid = foreign->recording->processes[i]->process.pid,
					      .launches = things->launches,
					      .sum = things->sum};
	}
	qsort(index->all, index->count, sizeof(*index->all), compare_told);
	return 0;
}

/* The first that is not in front of it. */
static const struct told *find_from(const struct index *index, const struct told *told)
{
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_told(&index->all[middle], told) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return &index->all[low]; /* there is one more than are counted */
}

/* Whether the other source has these launches; the files do not always tell the process. */
static bool has_same(const struct index *index, const struct told *told, uint32_t other)
{
	struct told wanted = *told;
	const struct told *found;

	wanted.source = other;
	wanted.pid = 0;
	found = find_from(index, &wanted);
	if (found->source != other || found->launches != told->launches || found->sum != told->sum)
		return false;
	if (!told->pid || !found->pid)
		return true;
	wanted.pid = told->pid;
	return !compare_told(find_from(index, &wanted), &wanted);
}

/* How many processes of a source launched something, and of how many the other has it, too. */
static size_t count_shared(const struct index *index, uint32_t source, uint32_t other,
			   size_t *out_shared)
{
	const struct told first = {.source = source}, *end = index->all + index->count;
	size_t count = 0;

	*out_shared = 0;
	for (const struct told *at = find_from(index, &first); at < end && at->source == source;
	     at++) {
		*out_shared += has_same(index, at, other);
		count++;
	}
	return count;
}

/* ---- sources ---- */

static bool is_within(const struct index *index, uint32_t source, uint32_t other)
{
	size_t shared, count = count_shared(index, source, other, &shared);

	return count && shared == count;
}

/* What told less goes; of two that told as much, the later one. */
static bool goes(const struct tacho__foreign_told *sources, size_t left, size_t kept)
{
	return sources[left].told < sources[kept].told ||
	       (sources[left].told == sources[kept].told && left > kept);
}

/* Each at once: a folder may have many copies of a file. */
static void find_twin(struct tacho__foreign *foreign, const struct index *index, uint32_t source)
{
	struct tacho__foreign_told *sources = foreign->sources;

	for (uint32_t i = 0; i < foreign->source_count && !sources[source].twin; i++)
		if (i != source && goes(sources, source, i) && is_within(index, source + 1, i + 1))
			sources[source].twin = i + 1;
}

int tacho__foreign_find_twice(struct tacho__foreign *foreign)
{
	struct tacho__foreign_told *sources = foreign->sources;
	struct index index;
	int rc = make_index(foreign, &index);

	if (rc)
		return rc;
	for (uint32_t i = 0; i < foreign->source_count; i++) {
		find_twin(foreign, &index, i);
		rc |= sources[i].twin != 0;
	}
	/* the twin may go for another one, which told more: this ends */
	for (size_t i = 0; i < foreign->source_count; i++)
		while (sources[i].twin && sources[sources[i].twin - 1].twin)
			sources[i].twin = sources[sources[i].twin - 1].twin;
	free(index.all);
	return rc;
}

int tacho__foreign_each_shared(const struct tacho__foreign *foreign,
			       void (*take)(void *user, const struct tacho__foreign_told *left,
					    const struct tacho__foreign_told *right, size_t count),
			       void *user)
{
	const struct tacho__foreign_told *sources = foreign->sources;
	struct index index;
	size_t shared;
	int rc = make_index(foreign, &index);

	for (uint32_t i = 0; i < foreign->source_count && !rc; i++)
		for (uint32_t k = i + 1; k < foreign->source_count; k++) {
			count_shared(&index, i + 1, k + 1, &shared);
			if (shared)
				take(user, &sources[i], &sources[k], shared);
		}
	free(index.all);
	return rc;
}
