/* SPDX-License-Identifier: MIT */
#include "files.h"

#include <tacho/recording.h>

#include "options/options.h"

void cli_files_list_kinds(const char *indent)
{
	const char *name;

	for (size_t i = 0; (name = tacho_file_kind_get_name(i)); i++)
		printf("%s%-18s %s\n", indent, name, tacho_file_kind_get_title(i));
}

int cli_files_open(char *const *names, int count, const char *kind,
		   struct tacho_recording **out_recording)
{
	if (kind && cli_words_find(CLI_WORDS_KIND, kind, "kind of files") < 0)
		return CLI_USAGE;
	if (tacho_recording_open_files((const char *const *)names, (size_t)count, kind,
				       out_recording) != 0)
		return cli_complain_last();
	return CLI_OK;
}
