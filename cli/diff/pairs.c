/* SPDX-License-Identifier: MIT */
#include "diff/pairs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "options/options.h"
#include "suggest.h"

enum { TEXT_MAX = 1 << 20 };

/* A file that is not there was perhaps meant to be a word. */
static int fail_open(const char *path, int error)
{
	static const char *const words[] = {"device", "name", "place", NULL};
	const char *nearest = cli_suggest(path, words);

	cli_complain(strerror(error),
		     nearest ? cli_part("did you mean %s? Known: device, name, place, or a file",
					nearest)
			     : "give device, name, place, or a file with a pair of names a line",
		     "diff: --match %s cannot be read", path);
	return error == EACCES ? CLI_PERMISSION : CLI_USAGE;
}

static int read_file(struct cli_diff_matching *matching)
{
	FILE *file = fopen(matching->how, "re");
	size_t size;
	int error;

	if (!file)
		return fail_open(matching->how, errno);
	matching->text = cli_alloc(TEXT_MAX + 1);
	size = fread(matching->text, 1, TEXT_MAX, file);
	error = ferror(file) ? errno : size == TEXT_MAX ? EFBIG : 0;
	fclose(file);
	matching->text[size] = '\0';
	if (error)
		return fail_open(matching->how, error);
	if (strlen(matching->text) == size)
		return CLI_OK;
	cli_complain("it has bytes that no text has", "", "diff: %s has no names", matching->how);
	return CLI_USAGE;
}

static bool add_pair(struct cli_diff_matching *matching, char *line, size_t number)
{
	char *tab = strchr(line, '\t'), *b = tab ? tab + strspn(tab, "\t") : NULL;

	line[strcspn(line, "\r")] = '\0';
	if (!*line || *line == '#')
		return true;
	if (!tab || tab == line || !*b || strchr(b, '\t')) {
		cli_complain(cli_part("it is \"%s\"", line),
			     "write the name in A, a tab, and the name in B",
			     "%s:%zu is no pair of names", matching->how, number);
		return false;
	}
	*tab = '\0';
	matching->pairs = cli_grow(matching->pairs, matching->pair_count, sizeof(*matching->pairs));
	matching->pairs[matching->pair_count++] = (struct tacho_diff_pair){line, b};
	return true;
}

int cli_diff_matching_read(struct cli_diff_matching *matching)
{
	const char *how = matching->how ? matching->how : "";
	char *rest, *line;
	size_t number = 1;
	int status;

	matching->by_name = strcmp(how, "name") == 0;
	matching->places = !*how		       ? TACHO_DIFF_PLACES_OTHER_DEVICES
			   : strcmp(how, "place") == 0 ? TACHO_DIFF_PLACES_ALWAYS
						       : TACHO_DIFF_PLACES_NEVER;
	if (!*how || matching->by_name || matching->places || strcmp(how, "device") == 0)
		return CLI_OK;
	status = read_file(matching);
	matching->places = TACHO_DIFF_PLACES_OTHER_DEVICES;
	for (rest = matching->text; status == CLI_OK && (line = strsep(&rest, "\n")); number++)
		if (!add_pair(matching, line, number))
			status = CLI_USAGE;
	return status;
}

void cli_diff_matching_finish(struct cli_diff_matching *matching)
{
	free(matching->pairs);
	free(matching->text);
}
