/* SPDX-License-Identifier: MIT */
/* Values of options, from wherever they come, into settings. */
#include "options/store.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct cli_common cli_common;

/* Where the value of each option of the command comes from; one command is run. */
static enum cli_source own_sources[CLI_OPTIONS_MAX], common_sources[CLI_OPTIONS_MAX];

static const struct cli_option common_options[] = {
	{0, "color", "WHEN", CLI_CHOICE, CLI_WORDS_WHEN, offsetof(struct cli_common, color), false,
	 "colour headings and messages: auto (default: on terminals, unless NO_COLOR is set), "
	 "always or never"},
	CLI_OPTION_FLAG(struct cli_common, 0, "no-pager", no_pager,
			"show long output as it is, without a pager"),
	{0, "log", "FILE", CLI_TEXT, CLI_WORDS_FILE, offsetof(struct cli_common, log), false,
	 "write tacho's messages into FILE, too, behind what is there"},
	{0, "status-fd", "N", CLI_TEXT, CLI_WORDS_NONE, offsetof(struct cli_common, status_fd),
	 false,
	 "tell what is done as lines of JSON on file descriptor N, which is open for writing"},
};

enum { COMMON_COUNT = sizeof(common_options) / sizeof(common_options[0]) };

const struct cli_option *cli_command_get_option(const struct cli_command *command, size_t index)
{
	if (index < command->option_count)
		return &command->options[index];
	index -= command->option_count;
	return index < COMMON_COUNT ? &common_options[index] : NULL;
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
	const char *suffix =
		length ? strchr(suffixes, toupper((unsigned char)text[length - 1])) : NULL;
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

static bool store_number(const char *place, const struct cli_option *option, const char *value,
			 uint64_t *out_number)
{
	bool is_size = option->type == CLI_SIZE, is_above = option->type == CLI_ABOVE_0;
	uint64_t number;

	if (is_size ? cli_parse_size(value, &number) : cli_parse_number(value, &number)) {
		if (is_above && !number) {
			cli_complain("", "give a whole number, 1 or more", "%s: --%s is 0", place,
				     option->name);
			return false;
		}
		*out_number = number;
		return true;
	}
	cli_complain("",
		     is_size	? "give bytes, or a number with K, M, G or T behind it: 500M"
		     : is_above ? "give a whole number, 1 or more"
				: "give a whole number, 0 or more",
		     "%s: --%s is \"%s\", which is no %s", place, option->name, value,
		     is_size ? "size" : "number");
	return false;
}

static bool store_choice(const char *place, const struct cli_option *option, const char *value,
			 int *out_word)
{
	char *what = place ? cli_format("%s: --%s", place, option->name)
			   : cli_format("--%s", option->name);
	int word = cli_words_find(option->words, value, what);

	free(what);
	if (word < 0)
		return false;
	*out_word = word;
	return true;
}

/* On the command's line a flag has no value, and is set. */
static bool store_flag(const char *place, const struct cli_option *option, const char *value,
		       bool *out_flag)
{
	static const char *const words[] = {"false", "no", "off", "0", "true", "yes", "on", "1"};

	if (!value) {
		*out_flag = true;
		return true;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(value, words[i]) == 0) {
			*out_flag = i >= 4;
			return true;
		}
	cli_complain("", "write true or false", "%s: %s is \"%s\", which is neither", place,
		     option->name, value);
	return false;
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

static bool store(const char *place, const char *name, const struct cli_option *option,
		  const char *value, void *to)
{
	switch (option->type) {
	case CLI_FLAG: return store_flag(place, option, value, to);
	case CLI_TEXT: *(const char **)to = value; return true;
	case CLI_OPTIONAL: *(const char **)to = value ? value : ""; return true;
	case CLI_NUMBER:
	case CLI_ABOVE_0:
	case CLI_SIZE: return store_number(place ? place : name, option, value, to);
	case CLI_CHOICE: return store_choice(place, option, value, to);
	case CLI_TEXTS: add_text(to, value); return true;
	}
	return false;
}

static void *get_value(const struct cli_command *command, size_t index, void *settings)
{
	char *base = index < command->option_count ? settings : (void *)&cli_common;

	return base + cli_command_get_option(command, index)->offset;
}

static enum cli_source *get_source(const struct cli_command *command, size_t index)
{
	return index < command->option_count ? &own_sources[index]
					     : &common_sources[index - command->option_count];
}

static bool excludes(const struct cli_option *one, const struct cli_option *other)
{
	return one->type == CLI_FLAG && other->type == CLI_FLAG &&
	       strncmp(one->name, "no-", 3) == 0 && strcmp(one->name + 3, other->name) == 0;
}

/* The flag that is the opposite: of --report --no-report; SIZE_MAX when there is none. */
static size_t find_opposite(const struct cli_command *command, size_t index)
{
	const struct cli_option *own = cli_command_get_option(command, index), *other;

	for (size_t i = 0; (other = cli_command_get_option(command, i)); i++)
		if (excludes(own, other) || excludes(other, own))
			return i;
	return SIZE_MAX;
}

bool cli_option_store(const struct cli_command *command, size_t index, const char *value,
		      const struct cli_origin *origin, void *settings)
{
	const struct cli_option *option = cli_command_get_option(command, index);
	enum cli_source *source = get_source(command, index);
	size_t opposite = find_opposite(command, index);
	void *to = get_value(command, index, settings);

	if (*source > origin->source ||
	    (opposite != SIZE_MAX && *get_source(command, opposite) > origin->source))
		return true;
	if (option->type == CLI_TEXTS && *source < origin->source)
		((struct cli_texts *)to)->count = 0;
	if (!store(origin->place, command->name, option, value, to))
		return false;
	*source = origin->source;
	if (opposite != SIZE_MAX && *get_source(command, opposite) < origin->source)
		*(bool *)get_value(command, opposite, settings) = false;
	return true;
}

bool cli_option_is_given(const struct cli_command *command, size_t index)
{
	return *get_source(command, index) == CLI_SOURCE_LINE;
}

size_t cli_command_find_option(const struct cli_command *command, const char *name)
{
	const struct cli_option *option;

	for (size_t i = 0; (option = cli_command_get_option(command, i)); i++)
		if (strcmp(option->name, name) == 0)
			return i;
	return SIZE_MAX;
}
