/* SPDX-License-Identifier: MIT */
/* The text of --help. */
#include <stdlib.h>
#include <string.h>

#include "options/options.h"
#include "text.h"

enum { OPTION_COLUMN = 24 };

void cli_usage_print_entry(FILE *stream, const char *left, const char *text, unsigned column,
			   unsigned width)
{
	unsigned used = (unsigned)strlen(left);

	fputs(left, stream);
	if (used + 2 > column) {
		fprintf(stream, "\n%*s", (int)column, "");
		used = column;
	} else {
		fprintf(stream, "%*s", (int)(column - used), "");
	}
	cli_text_wrap(stream, text, column, column, width);
}

static void print_option(FILE *stream, const struct cli_option *option, unsigned width)
{
	char letter[8] = "    ";
	char *left;

	if (option->letter)
		snprintf(letter, sizeof(letter), "-%c, ", option->letter);
	left = cli_format("  %s--%s%s%s%s", letter, option->name,
			  option->type == CLI_OPTIONAL ? "[="
			  : option->metavar	       ? " "
						       : "",
			  option->metavar ? option->metavar : "",
			  option->type == CLI_OPTIONAL ? "]" : "");
	cli_usage_print_entry(stream, left, option->help, width < 60 ? 8 : OPTION_COLUMN, width);
	free(left);
}

void cli_usage_print(const struct cli_command *command, FILE *stream, unsigned width)
{
	static const struct cli_option help = {
		'h', "help", NULL, CLI_FLAG, CLI_WORDS_NONE, 0, false, "print this text"};
	const struct cli_option *option;
	char *usage = cli_format("tacho %s [OPTION...] %s", command->name, command->operands);

	fputs("Usage: ", stream);
	cli_text_wrap(stream, usage, 7, 7, width);
	free(usage);
	fputc('\n', stream);
	cli_text_wrap(stream, command->description, 0, 0, width);
	fputs("\nOptions:\n", stream);
	for (size_t i = 0; (option = cli_command_get_option(command, i)); i++)
		if (!option->is_hidden)
			print_option(stream, option, width);
	print_option(stream, &help, width);
	if (command->examples[0])
		fputs("\nExamples:\n", stream);
	for (size_t i = 0; command->examples[i]; i++)
		cli_text_print(stream, 2, 6, width, "%s", command->examples[i]);
	fprintf(stream, "\nManual: man tacho-%s\n", command->name);
}
