/* SPDX-License-Identifier: MIT */
/* The commands, and tacho help, which explains them. */
#include "help/help.h"

#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "files.h"
#include "text.h"

struct settings {
	const char *man;
	int completion;
};

static const struct cli_command *const commands[] = {
#define X(name) &cli_##name,
	CLI_COMMANDS(X)
#undef X
		NULL,
};

const struct cli_command *const *cli_command_get_all(void)
{
	return commands;
}

const struct cli_command *cli_command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

/* Where the summaries of commands stand: beside the longest name. */
static unsigned summary_column(void)
{
	size_t longest = 0;

	for (size_t i = 0; commands[i]; i++)
		if (strlen(commands[i]->name) > longest)
			longest = strlen(commands[i]->name);
	return 2 + (unsigned)longest + 2;
}

static void print_documents(FILE *stream)
{
	char *folder = cli_documents_find();

	if (folder)
		fprintf(stream, "Pages:    %s/docs\n", folder);
	free(folder);
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
	for (size_t i = 0; commands[i]; i++) {
		char *left = cli_format("  %s", commands[i]->name);

		cli_usage_print_entry(stream, left, commands[i]->summary, column, width);
		free(left);
	}
	fputs("\nStart with:\n  tacho doctor\n  tacho record PROGRAM\n\n"
	      "More:     tacho COMMAND --help\n"
	      "Version:  tacho --version\n",
	      stream);
	print_documents(stream);
}

static int print_completion(int shell)
{
	static cli_completion_print *const printers[] = {
		cli_completion_print_bash, cli_completion_print_zsh, cli_completion_print_fish};

	printers[shell](commands, stdout);
	return CLI_OK;
}

/* Which files of other tools are read. */
static int print_imports(unsigned width)
{
	cli_text_wrap(stdout,
		      "Files of other tools are recordings: tacho report, diff, export, check, "
		      "occupancy and open take them by name, several or a folder as one recording, "
		      "packed with gzip or zstd or not. What a file is, tacho sees from what is in "
		      "it; --as KIND says it instead.",
		      0, 0, width);
	fputs("\nKinds:\n", stdout);
	cli_files_list_kinds("  ");
	fputs("\nPage: docs/imports.md\n", stdout);
	return CLI_OK;
}

/* What is no command. False: it is none of these. */
static bool print_topic(const char *name, int *out_status)
{
	unsigned width = cli_width(stdout);

	if (strcmp(name, "config") == 0)
		*out_status = cli_help_print_config(commands, stdout, width);
	else if (strcmp(name, "errors") == 0)
		*out_status = cli_help_print_errors(stdout, width);
	else if (strcmp(name, "imports") == 0)
		*out_status = print_imports(width);
	else if (cli_help_is_error(name))
		*out_status = cli_help_print_error(name, stdout, width);
	else
		return false;
	return true;
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
	if (!settings.man && name && print_topic(name, &status))
		return status;
	if (name && strcmp(name, "tacho") != 0) {
		if (cli_words_find(CLI_WORDS_COMMAND, name, "command") < 0)
			return CLI_USAGE;
		info = cli_command_find(name);
	}
	if (settings.man)
		cli_man_print(commands, info, stdout);
	else if (info)
		cli_usage_print(info, stdout, cli_width(stdout));
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
	.summary = "explain a command or an error",
	.operands = "[COMMAND|config|errors|imports|ERROR]",
	.description = "Prints the list of commands, or the usage and options of one command; of "
		       "config: what the configuration file and environment variables set; of "
		       "imports: which files of other tools are read; of an error, such as E_PERM: "
		       "what it means, its exit status, what usually causes it and what to do "
		       "(errors: the list of them).",
	.examples = {"tacho help record", "tacho help E_PERM"},
	CLI_HAS_OPTIONS(options),
	.words = CLI_WORDS_TOPIC,
	.operand_max = 1,
	.ignores_config = true,
	.run = help_run,
};
