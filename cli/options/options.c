/* SPDX-License-Identifier: MIT */
/* Parsing with the option tables. */
#include "options/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "suggest.h"

enum { OPTIONS_MAX = 64, CODE_BASE = 256 };

int cli_usage_status(const struct cli_command *command)
{
	return command->is_launcher ? CLI_REFUSED : CLI_USAGE;
}

/* getopt's two descriptions of the options, made from the table. */
struct getopt_tables {
	char letters[2 * OPTIONS_MAX + 8];
	struct option names[OPTIONS_MAX + 2];
};

static void make_tables(const struct cli_command *command, struct getopt_tables *out_tables)
{
	char *letter = out_tables->letters;
	size_t count = command->option_count < OPTIONS_MAX ? command->option_count : OPTIONS_MAX;

	memset(out_tables, 0, sizeof(*out_tables));
	if (command->is_launcher)
		*letter++ = '+';
	*letter++ = ':';
	*letter++ = 'h';
	for (size_t i = 0; i < count; i++) {
		const struct cli_option *option = &command->options[i];
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

static const struct cli_option *find_option(const struct cli_command *command, int code)
{
	for (size_t i = 0; i < command->option_count; i++)
		if (code == (int)(CODE_BASE + i) ||
		    (command->options[i].letter && code == command->options[i].letter))
			return &command->options[i];
	return NULL;
}

static const char *help_line(const struct cli_command *command)
{
	return cli_part("see: tacho %s --help", command->name);
}

/* An unknown or ambiguous option, or a value for a flag. */
static void complain_unknown(const struct cli_command *command, const char *word, int code)
{
	const struct cli_option *known = find_option(command, code);
	const char *nearest = NULL;

	if (known) {
		cli_complain("", help_line(command), "%s: option --%s takes no value",
			     command->name, known->name);
		return;
	}
	if (code > 0 && code < CODE_BASE) {
		cli_complain("", help_line(command), "%s: there is no option -%c", command->name,
			     isprint(code) ? code : '?');
		return;
	}
	if (strncmp(word, "--", 2) == 0) {
		const char *names[OPTIONS_MAX + 1] = {0};
		size_t count = 0;

		for (size_t i = 0; i < command->option_count && i < OPTIONS_MAX; i++)
			if (!command->options[i].is_hidden)
				names[count++] = command->options[i].name;
		nearest = cli_suggest(word + 2, names);
	}
	cli_complain("",
		     nearest ? cli_part("did you mean --%s? See: tacho %s --help", nearest,
					command->name)
			     : help_line(command),
		     "%s: there is no option %s", command->name, word);
}

bool cli_parse_number(const char *text, uint64_t *out_number)
{
	char *end;
	unsigned long long number;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno || *end)
		return false;
	*out_number = number;
	return true;
}

bool cli_parse_size(const char *text, uint64_t *out_bytes)
{
	static const char suffixes[] = "KMGT";
	size_t length = strlen(text);
	const char *suffix = length ? strchr(suffixes, text[length - 1]) : NULL;
	char *digits = cli_format("%.*s", (int)(suffix ? length - 1 : length), text);
	uint64_t bytes = 0;
	bool good = cli_parse_number(digits, &bytes) && bytes;

	for (const char *at = suffixes; suffix && at <= suffix; at++)
		good = good && !__builtin_mul_overflow(bytes, UINT64_C(1000), &bytes);
	free(digits);
	if (good)
		*out_bytes = bytes;
	return good;
}

static bool store_number(const struct cli_command *command, const struct cli_option *option,
			 const char *value, uint64_t *out_number)
{
	bool is_size = option->type == CLI_SIZE;

	if (is_size ? cli_parse_size(value, out_number) : cli_parse_number(value, out_number))
		return true;
	cli_complain("",
		     is_size ? "give bytes, or a number with K, M, G or T behind it: 500M"
			     : "give a whole number, 0 or more",
		     "%s: --%s is \"%s\", which is no %s", command->name, option->name, value,
		     is_size ? "size" : "number");
	return false;
}

static bool store_choice(const struct cli_option *option, const char *value, int *out_word)
{
	char *what = cli_format("--%s", option->name);
	int word = cli_words_find(option->words, value, what);

	free(what);
	if (word < 0)
		return false;
	*out_word = word;
	return true;
}

static void add_text(struct cli_texts *list, const char *text)
{
	list->texts = cli_grow(list->texts, list->count, sizeof(*list->texts));
	list->texts[list->count++] = text;
}

char *cli_texts_join(const struct cli_texts *lists)
{
	char *text = cli_format("%s", lists->count ? lists->texts[0] : "");

	for (size_t i = 1; i < lists->count; i++)
		cli_append(&text, ",", "%s", lists->texts[i]);
	return text;
}

void cli_options_finish(const struct cli_command *command, void *settings)
{
	for (size_t i = 0; i < command->option_count; i++) {
		struct cli_texts *list = (void *)((char *)settings + command->options[i].offset);

		if (command->options[i].type != CLI_TEXTS)
			continue;
		free(list->texts);
		*list = (struct cli_texts){0};
	}
}

static bool store(const struct cli_command *command, const struct cli_option *option,
		  const char *value, void *settings)
{
	void *to = (char *)settings + option->offset;

	switch (option->type) {
	case CLI_FLAG: *(bool *)to = true; return true;
	case CLI_TEXT: *(const char **)to = value; return true;
	case CLI_OPTIONAL: *(const char **)to = value ? value : ""; return true;
	case CLI_NUMBER:
	case CLI_SIZE: return store_number(command, option, value, to);
	case CLI_CHOICE: return store_choice(option, value, to);
	case CLI_TEXTS: add_text(to, value); return true;
	}
	return false;
}

static bool check_operands(const struct cli_command *command, int count, char **operands)
{
	if (count < (int)command->operand_min)
		cli_complain("",
			     cli_part("usage: tacho %s [OPTION...] %s", command->name,
				      command->operands),
			     "%s: %s is missing", command->name, command->first_operand);
	else if (count > (int)command->operand_max)
		cli_complain("", help_line(command), "%s: \"%s\" is one argument too many",
			     command->name, operands[command->operand_max]);
	else
		return true;
	return false;
}

bool cli_options_parse(const struct cli_command *command, int argc, char **argv, void *settings,
		       int *out_operands, int *out_status)
{
	struct getopt_tables tables;
	int code;

	make_tables(command, &tables);
	opterr = 0;
	*out_status = cli_usage_status(command);
	if (command->is_launcher)
		cli_show_class(CLI_USAGE);
	while ((code = getopt_long(argc, argv, tables.letters, tables.names, NULL)) != -1) {
		const struct cli_option *option = find_option(command, code);

		if (code == 'h') {
			cli_usage_print(command, stdout, cli_width(stdout));
			*out_status = CLI_OK;
			return false;
		}
		if (code == ':') {
			option = find_option(command, optopt);
			cli_complain("", "", "%s: option --%s needs a value: %s", command->name,
				     option ? option->name : "?", option ? option->metavar : "?");
			return false;
		}
		if (!option) {
			complain_unknown(command, argv[optind - 1], optopt);
			return false;
		}
		if (!store(command, option, optarg, settings))
			return false;
	}
	if (!check_operands(command, argc - optind, argv + optind))
		return false;
	*out_operands = optind;
	return true;
}
