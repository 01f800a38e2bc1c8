/* SPDX-License-Identifier: MIT */
/* tacho help, and the text of --help. */
#include "help/help.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { OPTION_COLUMN = 24 };

struct settings {
	const char *man;
	int completion;
};

/* "  -o, --output NAME", padded; then the text beside it, or below it when it is too long. */
static void print_entry(FILE *stream, const char *left, const char *text, unsigned column,
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
	print_entry(stream, left, option->help, width < 60 ? 8 : OPTION_COLUMN, width);
	free(left);
}

void cli_help_print(const struct cli_command *command, FILE *stream, unsigned width)
{
	static const struct cli_option help = {
		'h', "help", NULL, CLI_FLAG, CLI_WORDS_NONE, 0, false, "print this text"};
	char *usage = cli_format("tacho %s [OPTION...] %s", command->name, command->operands);

	fputs("Usage: ", stream);
	cli_text_wrap(stream, usage, 7, 7, width);
	free(usage);
	fputc('\n', stream);
	cli_text_wrap(stream, command->description, 0, 0, width);
	fputs("\nOptions:\n", stream);
	for (size_t i = 0; i < command->option_count; i++)
		if (!command->options[i].is_hidden)
			print_option(stream, &command->options[i], width);
	print_option(stream, &help, width);
	fprintf(stream, "\nManual: man tacho-%s\n", command->name);
}

/* Where the summaries of commands stand: beside the longest name. */
static unsigned summary_column(void)
{
	const struct cli_command *command;
	size_t longest = 0;

	for (size_t i = 0; (command = cli_command_get(i)); i++)
		if (strlen(command->name) > longest)
			longest = strlen(command->name);
	return 2 + (unsigned)longest + 2;
}

void cli_help_print_all(FILE *stream, unsigned width)
{
	unsigned column = summary_column();

	fputs("Usage: tacho COMMAND [OPTION...]\n\n", stream);
	cli_text_wrap(
		stream,
		"Records what programs do with GPUs, without changing the programs, and shows "
		"where the time goes.",
		0, 0, width);
	fputs("\nCommands:\n", stream);
	for (size_t i = 0; cli_command_get(i); i++) {
		const struct cli_command *command = cli_command_get(i);
		char *left = cli_format("  %s", command->name);

		print_entry(stream, left, command->summary, column, width);
		free(left);
	}
	fputs("\nStart with:\n  tacho doctor\n  tacho record PROGRAM\n\n"
	      "More:     tacho COMMAND --help\n"
	      "Version:  tacho --version\n",
	      stream);
}

static int print_completion(int shell)
{
	static void (*const printers[])(FILE *) = {
		cli_completion_print_bash, cli_completion_print_zsh, cli_completion_print_fish};

	printers[shell](stdout);
	return CLI_OK;
}

static int help_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {.completion = -1};
	const struct cli_command *info = NULL;
	const char *name;
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		return status;
	if (settings.completion >= 0)
		return print_completion(settings.completion);
	name = settings.man ? settings.man : argv[operand];
	if (name && strcmp(name, "tacho") != 0) {
		if (cli_words_find(CLI_WORDS_COMMAND, name, "command") < 0)
			return CLI_USAGE;
		info = cli_command_find(name);
	}
	if (settings.man)
		cli_man_print(info, stdout);
	else if (info)
		cli_help_print(info, stdout, cli_width(stdout));
	else
		cli_help_print_all(stdout, cli_width(stdout));
	return CLI_OK;
}

static const struct cli_option options[] = {
	{0, "completion", "SHELL", CLI_CHOICE, CLI_WORDS_SHELL,
	 offsetof(struct settings, completion), false,
	 "print the completion script for bash, zsh or fish"},
	{0, "man", "COMMAND", CLI_TEXT, CLI_WORDS_COMMAND, offsetof(struct settings, man), true,
	 "print the first half of a man page"},
};

const struct cli_command cli_help = {
	.name = "help",
	.summary = "explain a command",
	.operands = "[COMMAND]",
	.description = "Prints the list of commands, or the usage and options of one command.",
	.options = options,
	.option_count = sizeof(options) / sizeof(options[0]),
	.words = CLI_WORDS_COMMAND,
	.operand_max = 1,
	.run = help_run,
};
