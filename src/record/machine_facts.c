/* SPDX-License-Identifier: MIT */
/* States of the machine, of the files that the launcher wrote at both ends of the run. */
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "record/reader.h"

enum { FACTS_MAX = 1000 };

static struct tacho_machine_fact *find(struct tacho_recording *recording, const char *name)
{
	for (size_t i = 0; i < recording->fact_count; i++)
		if (strcmp(recording->facts[i].name, name) == 0)
			return &recording->facts[i];
	return NULL;
}

int tacho__machine_facts_read(struct tacho_recording *recording, const struct tacho__json *file,
			      bool is_end)
{
	size_t count;
	const struct tacho__json *item = tacho__json_items(file, "machine", &count);

	for (; item && recording->fact_count < FACTS_MAX; item = item->next) {
		const char *value = tacho__json_string(item, "value", "");
		const struct tacho__json *setting = tacho__json_get(item, "setting");
		struct tacho_machine_fact fact = {
			.name = tacho__json_string(item, "name", ""),
			.start = is_end ? "" : value,
			.end = is_end ? value : "",
			.is_setting =
				setting && setting->type == TACHO__JSON_BOOL && setting->boolean,
		};
		struct tacho_machine_fact *known = find(recording, fact.name);
		int rc = 0;

		if (known && is_end)
			known->end = value;
		else if (!known && *fact.name && *value)
			rc = tacho__array_add(&recording->facts, &recording->fact_capacity,
					      &recording->fact_count, &fact, sizeof(fact));
		if (rc)
			return rc;
	}
	return 0;
}

const struct tacho_machine_fact *
tacho_recording_get_machine_fact(const struct tacho_recording *recording, size_t index)
{
	return recording && index < recording->fact_count ? &recording->facts[index] : NULL;
}
