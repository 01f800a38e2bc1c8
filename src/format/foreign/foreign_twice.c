/* SPDX-License-Identifier: MIT */
/*
 * Files that tell the same launches: a run that its tool wrote in several formats, or a copy. That
 * all launches of a process begin and end at the same nanoseconds is no chance.
 */
#include <inttypes.h>

#include "base/array.h"
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

/* The files do not always tell the process. */
static bool is_same(const struct tacho__foreign *foreign, size_t left, size_t right)
{
	const struct tacho__foreign_things *a = &foreign->handles[left];
	const struct tacho__foreign_things *b = &foreign->handles[right];
	uint32_t pid = foreign->recording->processes[left]->process.pid;
	uint32_t other = foreign->recording->processes[right]->process.pid;

	return a->launches == b->launches && a->sum == b->sum && (pid == other || !pid || !other);
}

/* Whether all launches of a source are in another one. */
static bool is_within(const struct tacho__foreign *foreign, uint32_t source, uint32_t other)
{
	bool has_launches = false;

	for (size_t i = 0; i < foreign->handle_count; i++) {
		bool is_found = !foreign->handles[i].launches;

		if (foreign->handles[i].source != source)
			continue;
		has_launches |= !is_found;
		for (size_t k = 0; k < foreign->handle_count && !is_found; k++)
			is_found = foreign->handles[k].source == other && is_same(foreign, i, k);
		if (!is_found)
			return false;
	}
	return has_launches;
}

/* What told less goes; of two that told as much, the later one. */
bool tacho__foreign_find_twice(const struct tacho__foreign *foreign,
			       const struct tacho__foreign_told **out_left,
			       const struct tacho__foreign_told **out_kept)
{
	const struct tacho__foreign_told *sources = foreign->sources;

	for (uint32_t i = 0; i < foreign->source_count; i++)
		for (uint32_t k = 0; k < foreign->source_count; k++)
			if (i != k &&
			    (sources[i].told < sources[k].told ||
			     (sources[i].told == sources[k].told && i > k)) &&
			    is_within(foreign, i + 1, k + 1)) {
				*out_left = &sources[i];
				*out_kept = &sources[k];
				return true;
			}
	return false;
}
