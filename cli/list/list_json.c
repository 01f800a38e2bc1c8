/* SPDX-License-Identifier: MIT */
/* What lists have in common as JSON. */
#include "list/list.h"

void cli_list_begin_json(struct tacho_json *json, const struct cli_listing *listing)
{
	bool devices = listing->what == CLI_LIST_DEVICES;

	cli_json_begin(json, stdout, devices ? "tacho.devices/1" : "tacho.list/1");
	tacho_json_add_string(json, "kind", cli_words_get(CLI_WORDS_WHAT, listing->what));
}
