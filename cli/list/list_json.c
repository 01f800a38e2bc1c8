/* SPDX-License-Identifier: MIT */
/* What lists have in common as JSON and as CSV. */
#include "list/list.h"

#include <stdlib.h>

void cli_list_begin(struct cli_list_document *out_document, const struct cli_listing *listing)
{
	bool devices = listing->what == CLI_LIST_DEVICES;
	FILE *stream = stdout;

	out_document->text = NULL;
	if (listing->csv)
		stream = open_memstream(&out_document->text, &out_document->size);
	if (!stream)
		cli_out_of_memory();
	cli_json_begin(&out_document->json, stream, devices ? "tacho.devices/1" : "tacho.list/1");
	tacho_json_add_string(&out_document->json, "kind",
			      cli_words_get(CLI_WORDS_WHAT, listing->what));
}

void cli_list_end(struct cli_list_document *document, const struct cli_listing *listing)
{
	tacho_json_finish(&document->json);
	if (!listing->csv)
		return;
	if (fclose(document->json.stream) != 0 || !document->text)
		cli_out_of_memory();
	if (tacho_json_write_csv(document->text, document->size, "entries", stdout) != 0)
		cli_out_of_memory();
	free(document->text);
}
