/* SPDX-License-Identifier: MIT */
#include "oa/oa_variables.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/file.h>

#include "cli.h"

enum { FILE_BYTES_MAX = 1 << 20 };

/* `place` is where it stands, for messages. */
static int complain(const char *place, const char *text)
{
	cli_complain(cli_part("it is \"%s\"%s%s", text, *place ? ", " : "", place),
		     "write NAME=VALUE, as in EuCoresTotalCount=96 or SliceMask=0x3",
		     "a variable is wrong");
	return CLI_USAGE;
}

static int add(struct cli_oa_variables *variables, const char *text, const char *place)
{
	const char *equals = strchr(text, '=');
	size_t size = equals ? (size_t)(equals - text) : 0;
	char *end;
	uint64_t value;

	if (!size || !isdigit((unsigned char)equals[1]))
		return complain(place, text);
	errno = 0;
	value = strtoull(equals + 1, &end, strncmp(equals + 1, "0x", 2) == 0 ? 16 : 10);
	if (*end || errno || end == equals + 1)
		return complain(place, text);
	variables->properties =
		cli_grow(variables->properties, variables->count, sizeof(*variables->properties));
	variables->properties[variables->count++] = (struct tacho_property){
		.name = cli_format("%.*s", (int)size, text), .value = value};
	return CLI_OK;
}

/* Without the comment, and blanks at both ends. */
static char *strip(char *line)
{
	char *end;

	line[strcspn(line, "#")] = '\0';
	while (isspace((unsigned char)*line))
		line++;
	end = line + strlen(line);
	while (end > line && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return line;
}

static int add_file(struct cli_oa_variables *variables, const char *path)
{
	char *text, *rest, *line;
	int status = CLI_OK;
	size_t size, number = 0;

	if (tacho_file_read_text(path, FILE_BYTES_MAX, &text, &size) != 0)
		return (int)cli_complain_last();
	rest = text;
	while (!status && (line = strsep(&rest, "\n"))) {
		char *place = cli_format("line %zu of %s", ++number, path);

		line = strip(line);
		if (*line)
			status = add(variables, line, place);
		free(place);
	}
	free(text);
	return status;
}

int cli_oa_variables_parse(const struct cli_texts *texts, struct cli_oa_variables *variables)
{
	int status = CLI_OK;

	for (size_t i = 0; i < texts->count && !status; i++)
		status = *texts->texts[i] == '@' ? add_file(variables, texts->texts[i] + 1)
						 : add(variables, texts->texts[i], "");
	return status;
}

void cli_oa_variables_finish(struct cli_oa_variables *variables)
{
	for (size_t i = 0; i < variables->count; i++)
		free((void *)variables->properties[i].name);
	free(variables->properties);
	*variables = (struct cli_oa_variables){0};
}
