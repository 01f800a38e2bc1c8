/* SPDX-License-Identifier: MIT */
#include "format/template_runs.h"

#include "tacho/error.h"

/* The state of a handle that was seen last. */
struct last {
	struct last *next; /* with the same key */
	uint32_t process, is_known;
	uint64_t handle, version, number;
};

void tacho__template_numbers_finish(struct tacho__template_numbers *numbers)
{
	tacho__map_finish(&numbers->by_handle);
	tacho__arena_finish(&numbers->arena);
}

int tacho__template_numbers_get(struct tacho__template_numbers *numbers,
				const struct tacho_process *process,
				const struct tacho_template *contents, uint64_t *out_number,
				bool *out_is_new)
{
	uint64_t key = (uint64_t)process->index << 48 ^ contents->handle;
	struct last *first = tacho__map_get(&numbers->by_handle, key), *last = first;

	while (last && (last->process != process->index || last->handle != contents->handle))
		last = last->next;
	if (!last) {
		last = tacho__arena_get(&numbers->arena, sizeof(*last));
		if (!last)
			return TACHO_E_NOMEM;
		last->next = first;
		last->process = process->index;
		last->handle = contents->handle;
		if (tacho__map_set(&numbers->by_handle, key, last))
			return TACHO_E_NOMEM;
	}
	*out_is_new = !last->number || last->version != contents->version ||
		      last->is_known != contents->is_known;
	if (*out_is_new) {
		last->number = ++numbers->count;
		last->version = contents->version;
		last->is_known = contents->is_known;
	}
	*out_number = last->number;
	return 0;
}
