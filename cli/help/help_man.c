/* SPDX-License-Identifier: MIT */
/* The first half of man pages, in scdoc's language. */
#include "help/help.h"

#include <string.h>

#include <tacho/tacho.h>

/* Text in which scdoc's own marks mean nothing. */
static void put(FILE *stream, const char *text)
{
	for (; *text; text++) {
		if (strchr("_*\\#~`|[]", *text))
			fputc('\\', stream);
		fputc(*text, stream);
	}
}

static void put_header(FILE *stream, const char *title, const char *name, const char *summary)
{
	fprintf(stream, "%s(1) \"tacho %s\" \"User Commands\"\n\n# NAME\n\n%s - ", title,
		tacho_version(), name);
	put(stream, summary);
	fputs("\n\n# SYNOPSIS\n\n", stream);
}

static void put_option(FILE *stream, const struct cli_option *option)
{
	if (option->letter)
		fprintf(stream, "*-%c*, ", option->letter);
	fprintf(stream, "*--%s*", option->name);
	if (option->type == CLI_OPTIONAL)
		fprintf(stream, "\\[=_%s_\\]", option->metavar);
	else if (option->metavar)
		fprintf(stream, " _%s_", option->metavar);
	fputs("\n\t", stream);
	put(stream, option->help);
	fputs("\n\n", stream);
}

static void put_overview(const struct cli_command *const *commands, FILE *stream)
{
	put_header(stream, "tacho", "tacho",
		   "record what programs do with GPUs and show where the time goes");
	fputs("*tacho* _COMMAND_ \\[_OPTION_...\\] \\[_ARGUMENT_...\\]++\n*tacho* *--version*\n\n"
	      "# COMMANDS\n\n",
	      stream);
	for (size_t i = 0; commands[i]; i++) {
		const struct cli_command *command = commands[i];

		fprintf(stream, "*tacho-%s*(1)\n\t", command->name);
		put(stream, command->summary);
		fputs("\n\n", stream);
	}
}

void cli_man_print(const struct cli_command *const *commands, const struct cli_command *command,
		   FILE *stream)
{
	const struct cli_option *option;
	char title[64];

	if (!command) {
		put_overview(commands, stream);
		return;
	}
	snprintf(title, sizeof(title), "tacho-%s", command->name);
	put_header(stream, title, title, command->summary);
	fprintf(stream, "*tacho %s* \\[_OPTION_...\\] ", command->name);
	put(stream, command->operands);
	fputs("\n\n# DESCRIPTION\n\n", stream);
	put(stream, command->description);
	fputs("\n\n# OPTIONS\n\n", stream);
	for (size_t i = 0; (option = cli_command_get_option(command, i)); i++)
		if (!option->is_hidden)
			put_option(stream, option);
	fputs("*-h*, *--help*\n\tprint usage and options\n\n", stream);
}
