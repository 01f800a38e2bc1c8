/* SPDX-License-Identifier: MIT */
/* Nearest names over several architectures. */
#include "nearest.h"

#include <limits.h>
#include <string.h>

#include <tacho/sys/nearest.h>

#include "cli.h"

void cli_nearest_offer(struct cli_nearest *nearest, const char *word, const char *name)
{
	unsigned below = nearest->count < CLI_NEAREST_MAX ? UINT_MAX
							  : nearest->distances[CLI_NEAREST_MAX - 1],
		 distance;
	size_t at;

	for (size_t i = 0; i < nearest->count; i++)
		if (strcmp(nearest->names[i], name) == 0)
			return;
	distance = tacho_nearest_score_below(word, name, below);
	for (at = nearest->count; at > 0 && nearest->distances[at - 1] > distance; at--)
		if (at < CLI_NEAREST_MAX) {
			nearest->names[at] = nearest->names[at - 1];
			nearest->distances[at] = nearest->distances[at - 1];
		}
	if (at >= CLI_NEAREST_MAX)
		return;
	nearest->names[at] = name;
	nearest->distances[at] = distance;
	if (nearest->count < CLI_NEAREST_MAX)
		nearest->count++;
}

void cli_nearest_find(const struct tacho_arch *const *archs, size_t count, const char *word,
		      struct cli_nearest *out_nearest)
{
	struct cli_nearest nearest = {0};

	for (size_t i = 0; i < count; i++) {
		const struct tacho_entry *entries[2 * CLI_NEAREST_MAX];
		const struct tacho_set *set;
		const struct tacho_block *block;
		const struct tacho_model *model;
		size_t found =
			tacho_arch_find_nearest(archs[i], word, entries, 2 * CLI_NEAREST_MAX);

		for (size_t k = 0; k < found; k++)
			if (entries[k]->kind != TACHO_ENTRY_CONSTANT)
				cli_nearest_offer(&nearest, word, entries[k]->name);
		for (size_t k = 0; (set = tacho_arch_get_set(archs[i], k)); k++)
			cli_nearest_offer(&nearest, word, set->name);
		for (size_t k = 0; (block = tacho_arch_get_block(archs[i], k)); k++)
			cli_nearest_offer(&nearest, word, block->name);
		for (size_t k = 0; (model = tacho_arch_get_model(archs[i], k)); k++)
			cli_nearest_offer(&nearest, word, model->name);
		cli_nearest_offer(&nearest, word, archs[i]->name);
	}
	*out_nearest = nearest;
}

char *cli_nearest_format(const struct cli_nearest *nearest)
{
	const char *const *names = nearest->names;

	switch (nearest->count) {
	case 0: return cli_format("%s", "");
	case 1: return cli_format("did you mean %s?", names[0]);
	case 2: return cli_format("did you mean %s or %s?", names[0], names[1]);
	default: return cli_format("did you mean %s, %s or %s?", names[0], names[1], names[2]);
	}
}
