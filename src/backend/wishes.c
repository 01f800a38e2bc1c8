/* SPDX-License-Identifier: MIT */
#include "backend/wishes.h"

#include <stdlib.h>

static int has_input(const struct tacho_arch *arch, const struct tacho_entry *metric,
		     const struct tacho_entry *counter, bool *out_has)
{
	const struct tacho_entry **inputs = NULL;
	size_t count = 0;
	int rc = tacho_arch_list_inputs(arch, metric, &inputs, &count);

	for (size_t i = 0; i < count && !*out_has; i++)
		*out_has = inputs[i] == counter;
	free(inputs);
	return rc;
}

int tacho__plan_insists(const struct tacho_plan *plan, uint32_t mode,
			const struct tacho_entry *counter, bool *out_insists)
{
	const struct tacho_config *config = tacho_plan_get_config(plan);
	const struct tacho_config_entry *entry;
	bool insists = false;
	int rc = 0;

	for (size_t i = 0; !rc && !insists && (entry = tacho_config_get_entry(config, i)); i++) {
		const struct tacho_entry *wanted = tacho_config_get_definition(config, i);

		if (entry->mode != mode || entry->is_from_pattern)
			continue;
		insists = wanted == counter;
		if (!insists && wanted->kind == TACHO_ENTRY_METRIC)
			rc = has_input(tacho_config_get_arch(config), wanted, counter, &insists);
	}
	if (!rc)
		*out_insists = insists;
	return rc;
}
