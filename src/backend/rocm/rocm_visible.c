/* SPDX-License-Identifier: MIT */
/* Which number a program's HIP gives a GPU in this environment. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/rocm/rocm_private.h"

enum { SHOWN_MAX = TACHO__KFD_NODES_MAX, ID_MAX = 32 };

/* GPUs in a program's order: their places among those of the kernel. */
struct shown {
	size_t at[SHOWN_MAX], count;
};

/* "GPU-1234567890abcdef"; "" where the kernel does not tell. */
static void format_id(const struct tacho__kfd_gpu *gpu, char out_id[ID_MAX])
{
	uint64_t id = 0;

	for (size_t i = 0; i < gpu->property_count; i++)
		if (!strcmp(gpu->properties[i].name, "unique_id"))
			id = (uint64_t)gpu->properties[i].value;
	out_id[0] = '\0';
	if (id)
		snprintf(out_id, ID_MAX, "GPU-%016" PRIx64, id);
}

/* The place in `from` that a word names; from->count: none. */
static size_t find(const struct tacho__kfd_gpu *gpus, const struct shown *from, const char *word,
		   size_t size)
{
	char id[ID_MAX], *end;
	size_t number = strtoul(word, &end, 10);

	if (size && *word >= '0' && *word <= '9')
		return (size_t)(end - word) == size && number < from->count ? number : from->count;
	for (size_t i = 0; i < from->count; i++) {
		format_id(&gpus[from->at[i]], id);
		if (*id && strlen(id) == size && !strncmp(id, word, size))
			return i;
	}
	return from->count;
}

/* Takes what the list names, in its order, up to the first word that names nothing new. */
static void mask(const struct tacho__kfd_gpu *gpus, const char *list, struct shown *shown)
{
	const struct shown from = *shown;
	bool taken[SHOWN_MAX] = {false};

	shown->count = 0;
	while (*list) {
		size_t size = strcspn(list, ","), found = find(gpus, &from, list, size);

		if (found == from.count || taken[found])
			return;
		taken[found] = true;
		shown->at[shown->count++] = from.at[found];
		list += size + (list[size] == ',');
	}
}

static int find_number(const struct shown *shown, size_t index)
{
	for (size_t i = 0; i < shown->count; i++)
		if (shown->at[i] == index)
			return (int)i;
	return -1;
}

int tacho__rocm_find_number(const struct tacho__kfd_gpu *gpus, size_t count, size_t index,
			    const char **out_hider)
{
	static const char *const variables[] = {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
						"CUDA_VISIBLE_DEVICES"};
	struct shown shown = {.count = 0};

	for (size_t i = 0; i < count && shown.count < SHOWN_MAX; i++)
		if (!gpus[i].is_forbidden)
			shown.at[shown.count++] = i;
	*out_hider = "";
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *list = getenv(variables[i]);

		if (!list || (i && !*list)) /* only the first hides all when it is empty */
			continue;
		mask(gpus, list, &shown);
		if (find_number(&shown, index) < 0) {
			*out_hider = variables[i];
			return -1;
		}
		if (i) /* the last is a second name of the one before */
			break;
	}
	return find_number(&shown, index);
}
