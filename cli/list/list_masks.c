/* SPDX-License-Identifier: MIT */
/* Variables of the environment with which drivers hide devices from programs and number the rest.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "list/list_masks.h"
#include "text.h"

extern char **environ;

/* Vendors name them alike. Of containers' own ones "all" says that nothing is hidden. */
static bool is_mask(const char *variable)
{
	static const char *const ends[] = {"_VISIBLE_DEVICES=", "_AFFINITY_MASK="};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const char *found = strstr(variable, ends[i]);

		if (found && strchr(variable, '=') == found + strlen(ends[i]) - 1)
			return strcmp(found + strlen(ends[i]), "all") != 0;
	}
	return false;
}

void cli_list_print_masks(FILE *stream, unsigned width)
{
	for (char **at = environ; *at; at++)
		if (is_mask(*at))
			cli_text_print(
				stream, 0, 2, width,
				"%s is set: programs may see fewer devices, numbered from 0. "
				"The index here counts all; where the number that programs see "
				"is known, it is the end of \"driver\" in --json.",
				*at);
}

void cli_list_add_masks(struct tacho_json *json)
{
	tacho_json_begin_array(json, "masks");
	for (char **at = environ; *at; at++) {
		size_t size = strcspn(*at, "=");
		char *name;

		if (!is_mask(*at))
			continue;
		name = cli_format("%.*s", (int)size, *at);
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", name);
		tacho_json_add_string(json, "value", *at + size + 1);
		tacho_json_end(json);
		free(name);
	}
	tacho_json_end(json);
}
