/* SPDX-License-Identifier: MIT */
/* Kernels that are the same on both sides, though they are called otherwise. */
#include <stdlib.h>

#include "analyze/diff/diff.h"
#include "base/error.h"

static int take_pairs(struct tacho_diff *diff, const struct tacho_diff_options *options)
{
	struct tacho__diff_aliases *aliases = &diff->aliases;
	int rc = 0;

	if (!options->pair_count)
		return 0;
	for (int side = 0; side < 2; side++) {
		aliases->patterns[side] =
			calloc(options->pair_count, sizeof(*aliases->patterns[side]));
		if (!aliases->patterns[side])
			return tacho__diff_fail_memory();
	}
	aliases->pairs = options->pairs;
	aliases->pair_count = options->pair_count;
	for (size_t i = 0; i < options->pair_count && !rc; i++) {
		rc = tacho__pattern_init(&aliases->patterns[0][i], options->pairs[i].a, 0);
		if (!rc)
			rc = tacho__pattern_init(&aliases->patterns[1][i], options->pairs[i].b, 0);
	}
	diff->by_name = true;
	return rc;
}

int tacho__diff_find_aliases(struct tacho_diff *diff, const struct tacho_diff_options *options)
{
	bool by_place = options->places == TACHO_DIFF_PLACES_ALWAYS;
	int rc = diff->key == TACHO_BY_KERNEL ? take_pairs(diff, options) : 0;

	if (!rc && options->places == TACHO_DIFF_PLACES_OTHER_DEVICES && !diff->is_of_means)
		rc = tacho__diff_has_other_devices(diff, &by_place);
	if (rc || !by_place)
		return rc;
	diff->by_name = true;
	return diff->key == TACHO_BY_KERNEL ? tacho__diff_find_places(diff) : 0;
}

int tacho__diff_add_alias(struct tacho_diff *diff, enum tacho_diff_side side, const char *name,
			  const struct tacho__diff_alias *alias)
{
	struct tacho__diff_alias *copy = tacho__arena_get(&diff->arena, sizeof(*copy));
	const char *key = tacho__arena_string(&diff->arena, name);

	if (!copy || !key)
		return TACHO_E_NOMEM;
	*copy = *alias;
	return tacho__names_set(&diff->aliases.by_name[side], key, copy);
}

/* The first pair that fits; its own name is what it is looked up by from then on. */
const struct tacho__diff_alias *tacho__diff_get_alias(struct tacho_diff *diff,
						      enum tacho_diff_side side, const char *name,
						      int *out_rc)
{
	const struct tacho__diff_aliases *aliases = &diff->aliases;
	const struct tacho__diff_alias *known = tacho__names_get(&aliases->by_name[side], name);

	for (size_t i = 0; i < aliases->pair_count && !known && !*out_rc; i++) {
		const struct tacho_diff_pair *pair = &aliases->pairs[i];
		const struct tacho__diff_alias alias = {pair->a, pair->b, TACHO_DIFF_MATCH_PAIR};

		if (!tacho__pattern_fits(&aliases->patterns[side][i], name))
			continue;
		*out_rc = tacho__diff_add_alias(diff, side, name, &alias);
		known = tacho__names_get(&aliases->by_name[side], name);
	}
	return *out_rc ? NULL : known;
}

void tacho__diff_finish_aliases(struct tacho__diff_aliases *aliases)
{
	for (int side = 0; side < 2; side++) {
		tacho__names_finish(&aliases->by_name[side]);
		for (size_t i = 0; aliases->patterns[side] && i < aliases->pair_count; i++)
			tacho__pattern_finish(&aliases->patterns[side][i]);
		free(aliases->patterns[side]);
	}
}
