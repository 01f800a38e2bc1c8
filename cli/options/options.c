/* SPDX-License-Identifier: MIT */
/* Parsing with the option tables. */
#include "options/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "files.h"
#include "log.h"
#include "options/config.h"
#include "options/habits.h"
#include "options/store.h"
#include "suggest.h"
#include "terminal.h"

enum { CODE_BASE = 256 };

int cli_usage_status(const struct cli_command *command)
{
	return command->is_launcher ? CLI_REFUSED : CLI_USAGE;
}

/* getopt's two descriptions of the options, made from the table. */
struct getopt_tables {
	char letters[2 * CLI_OPTIONS_MAX + 8];
	struct option names[CLI_OPTIONS_MAX + 2];
};

static void make_tables(const struct cli_command *command, struct getopt_tables *out_tables)
{
	char *letter = out_tables->letters;
	const struct cli_option *option;
	size_t count = 0;

	memset(out_tables, 0, sizeof(*out_tables));
	if (command->is_launcher)
		*letter++ = '+';
	*letter++ = ':';
	*letter++ = 'h';
	for (size_t i = 0; i < CLI_OPTIONS_MAX && (option = cli_command_get_option(command, i));
	     i++, count++) {
		bool has_argument = cli_option_takes_word(option);

		if (option->letter) {
			*letter++ = option->letter;
			if (has_argument)
				*letter++ = ':';
		}
		out_tables->names[i].name = option->name;
		out_tables->names[i].has_arg = option->type == CLI_OPTIONAL ? optional_argument
					       : has_argument		    ? required_argument
									    : no_argument;
		out_tables->names[i].val = (int)(CODE_BASE + i);
	}
	out_tables->names[count].name = "help";
	out_tables->names[count].val = 'h';
}

/* NULL: getopt found none; else its position is *out_index. */
static const struct cli_option *find_option(const struct cli_command *command, int code,
					    size_t *out_index)
{
	const struct cli_option *option;

	for (size_t i = 0; (option = cli_command_get_option(command, i)); i++)
		if (code == (int)(CODE_BASE + i) || (option->letter && code == option->letter)) {
			*out_index = i;
			return option;
		}
	return NULL;
}

static const char *help_line(const struct cli_command *command)
{
	return cli_part("see: tacho %s --help", command->name);
}

/* The cure for an option that other tools have; "" where none of those that are known has it. */
static const char *habit_line(const struct cli_command *command, const char *word)
{
	const char *habit = cli_habit_of_option(command->name, word);

	return habit ? cli_part("%s (docs/coming-from.md)", habit) : "";
}

/* An unknown or ambiguous option, or a value for a flag. */
static void complain_unknown(const struct cli_command *command, const char *word, int code)
{
	size_t index;
	const struct cli_option *known = find_option(command, code, &index), *option;
	const char *nearest = NULL, *cure;
	char letter[] = {'-', '?', '\0'};

	if (known) {
		cli_complain("", help_line(command), "%s: option --%s takes no value",
			     command->name, known->name);
		return;
	}
	if (code > 0 && code < CODE_BASE) {
		letter[1] = isprint(code) ? (char)code : '?';
		cure = habit_line(command, letter);
		cli_complain("", *cure ? cure : help_line(command), "%s: there is no option %s",
			     command->name, letter);
		return;
	}
	if (strncmp(word, "--", 2) == 0) {
		const char *names[CLI_OPTIONS_MAX + 1] = {0};
		size_t count = 0;

		for (size_t i = 0;
		     i < CLI_OPTIONS_MAX && (option = cli_command_get_option(command, i)); i++)
			if (!option->is_hidden)
				names[count++] = option->name;
		nearest = cli_suggest(word + 2, names);
	}
	cure = habit_line(command, word);
	if (!*cure)
		cure = nearest ? cli_part("did you mean --%s? See: tacho %s --help", nearest,
					  command->name)
			       : help_line(command);
	cli_complain("", cure, "%s: there is no option %s", command->name, word);
}

/* An option whose value only stands behind "=", perhaps meant to have this word; NULL: none. */
static const struct cli_option *find_optional(const struct cli_command *command)
{
	for (size_t i = 0; i < command->option_count; i++)
		if (command->options[i].type == CLI_OPTIONAL && cli_option_is_given(command, i))
			return &command->options[i];
	return NULL;
}

static bool check_operands(const struct cli_command *command, int count, char **operands)
{
	const struct cli_option *optional = find_optional(command);

	if (count < (int)command->operand_min)
		cli_complain("",
			     cli_part("usage: tacho %s [OPTION...] %s", command->name,
				      command->operands),
			     "%s: %s is missing", command->name, command->first_operand);
	else if (count > (int)command->operand_max)
		cli_complain("",
			     optional ? cli_part("a value of --%s is written --%s=%s",
						 optional->name, optional->name, optional->metavar)
				      : help_line(command),
			     "%s: \"%s\" is one argument too many", command->name,
			     operands[command->operand_max]);
	else
		return true;
	return false;
}

/*
 * Whether the word is a beginning of this option's name, which getopt takes for it, and the name of
 * another one elsewhere.
 */
static bool is_habit(const struct cli_command *command, const struct cli_option *option,
		     const char *word)
{
	return !cli_option_takes_word(option) && strncmp(word, "--", 2) == 0 &&
	       strcmp(word + 2, option->name) != 0 &&
	       cli_habit_of_option(command->name, word) != NULL;
}

/* Reads the command's own line. */
static bool read_line(const struct cli_command *command, int argc, char **argv, void *settings,
		      int *out_status)
{
	static const struct cli_origin line = {CLI_SOURCE_LINE, NULL};
	struct getopt_tables tables;
	size_t index = 0;
	int code;

	make_tables(command, &tables);
	opterr = 0;
	while ((code = getopt_long(argc, argv, tables.letters, tables.names, NULL)) != -1) {
		const struct cli_option *option = find_option(command, code, &index);

		if (code == 'h') {
			cli_usage_print(command, stdout, cli_width(stdout));
			*out_status = CLI_OK;
			return false;
		}
		if (code == ':') {
			option = find_option(command, optopt, &index);
			cli_complain("", "", "%s: option --%s needs a value: %s", command->name,
				     option ? option->name : "?", option ? option->metavar : "?");
			return false;
		}
		if (option && option->words == CLI_WORDS_KIND && strcmp(optarg, "help") == 0) {
			cli_files_list_kinds("");
			*out_status = CLI_OK;
			return false;
		}
		if (!option || is_habit(command, option, argv[optind - 1])) {
			complain_unknown(command, argv[optind - 1], optopt);
			return false;
		}
		if (!cli_option_store(command, index, optarg, &line, settings))
			return false;
	}
	return check_operands(command, argc - optind, argv + optind);
}

static bool open_events(const char *number)
{
	const char *why = "it is no number of a file descriptor";
	uint64_t fd;

	if (!number)
		return true;
	if (cli_parse_number(number, &fd) && fd <= INT_MAX)
		why = cli_events_open((int)fd);
	if (why)
		cli_complain(why, "open one for it: tacho --status-fd 3 ... 3>FILE",
			     "--status-fd %s cannot be written to", number);
	return !why;
}

/* How messages look, and where they go. */
static bool apply_messages(void)
{
	cli_color_choose((enum cli_color_when)cli_common.color);
	return open_events(cli_common.status_fd) &&
	       (!cli_common.log || cli_log_open(cli_common.log));
}

void cli_options_start_pager(void)
{
	const char *why;

	if (cli_common.no_pager)
		return;
	cli_pager_start(&why);
	if (*why)
		cli_warn("there is no pager: %s (TACHO_PAGER, PAGER)", why);
}

/* What all commands are told. */
static bool apply_common(const struct cli_command *command)
{
	if (!apply_messages())
		return false;
	cli_events_start(command->name);
	if (command->is_paged && !command->pages_late)
		cli_options_start_pager();
	return true;
}

bool cli_options_parse(const struct cli_command *command, int argc, char **argv, void *settings,
		       int *out_operands, int *out_status)
{
	*out_status = cli_usage_status(command);
	if (command->is_launcher)
		cli_show_class(CLI_USAGE);
	if (!read_line(command, argc, argv, settings, out_status))
		return false;
	if (!command->ignores_config && !cli_config_apply(command, settings)) {
		if (!command->is_launcher)
			*out_status = cli_config_get_class();
		return false;
	}
	if (!apply_common(command))
		return false;
	if (!command->ignores_config)
		cli_config_check_variables();
	*out_operands = optind;
	return true;
}

/* "--NAME=VALUE", "--NAME VALUE" or "--NAME": words that it takes; 0: it is none, -1: said so. */
static int take_common(int argc, char **argv)
{
	static const struct cli_command none = {.name = "tacho"};
	static const struct cli_origin line = {CLI_SOURCE_LINE, NULL};
	const struct cli_option *option;

	for (size_t i = 0; (option = cli_command_get_option(&none, i)); i++) {
		size_t size = strlen(option->name);
		const char *rest = strncmp(argv[0], "--", 2) == 0 &&
						   strncmp(argv[0] + 2, option->name, size) == 0
					   ? argv[0] + 2 + size
					   : "?";
		bool takes_word = cli_option_takes_word(option) && !*rest;
		const char *value = *rest == '=' ? rest + 1 : takes_word ? argv[1] : NULL;

		if (*rest && (*rest != '=' || option->type == CLI_FLAG))
			continue;
		if (takes_word && argc < 2) {
			cli_complain("", "", "option --%s needs a value: %s", option->name,
				     option->metavar);
			return -1;
		}
		return cli_option_store(&none, i, value, &line, NULL) ? 1 + takes_word : -1;
	}
	return 0;
}

int cli_options_take_common(int argc, char **argv)
{
	int count = 0, taken = 1;

	while (count < argc && taken > 0) {
		taken = take_common(argc - count, argv + count);
		count += taken > 0 ? taken : 0;
	}
	if (taken < 0 || !apply_messages())
		return -1;
	return count;
}
