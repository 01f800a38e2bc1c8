/* SPDX-License-Identifier: MIT */
#include "diff/command_line.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* A word that is being read. */
struct word {
	char *text;
	size_t length;
	bool has_begun; /* '' is a word too */
};

static void put(struct word *word, char c)
{
	word->text = cli_grow(word->text, word->length + 1, 1);
	word->text[word->length++] = c;
	word->text[word->length] = '\0';
	word->has_begun = true;
}

static bool refuse(const char *text, const char *cause)
{
	cli_complain(cause,
		     "quote it when it is meant as it stands; or let a shell read the line: "
		     "--shell",
		     "'%s' is more than words", text);
	return false;
}

static bool refuse_end(const char *text, const char *what)
{
	cli_complain(cli_part("%s is not closed", what), "close it",
		     "'%s' ends in the middle of a word", text);
	return false;
}

/* What the shell does with it when it is not quoted; NULL: nothing. */
static const char *find_meaning(char c, bool begins_word)
{
	switch (c) {
	case '|': return "| joins programs, which is for a shell";
	case '&': return "& is for a shell";
	case ';': return "; is between commands, which is for a shell";
	case '<':
	case '>': return "< and > redirect, which is for a shell";
	case '(':
	case ')': return "( and ) are for a shell";
	case '*':
	case '?':
	case '[': return "* ? and [ stand for names of files, which a shell looks for";
	case '$':
	case '`': return "$ and ` stand for values, which a shell puts in";
	case '\n': return "it has several lines";
	case '~': return begins_word ? "~ stands for a folder, which a shell puts in" : NULL;
	case '#': return begins_word ? "# begins a remark of a shell's" : NULL;
	default: return NULL;
	}
}

/* Behind the first quote; the position behind the last, NULL when something was refused. */
static const char *read_quoted(const char *text, const char *at, char quote, struct word *word)
{
	word->has_begun = true;
	for (; *at && *at != quote; at++) {
		if (quote == '"' && (*at == '$' || *at == '`')) {
			refuse(text, find_meaning(*at, false));
			return NULL;
		}
		if (quote == '"' && *at == '\\' && at[1] && strchr("\\\"$`\n", at[1])) {
			at++;
			if (*at == '\n')
				continue;
		}
		put(word, *at);
	}
	if (!*at) {
		refuse_end(text, quote == '"' ? "a \"" : "a '");
		return NULL;
	}
	return at + 1;
}

/* A word that begins here; the position behind it, NULL when something was refused. */
static const char *read_word(const char *text, const char *at, struct word *word)
{
	if (!word->text)
		word->text = cli_format("%s", "");
	while (at && *at && !strchr(" \t", *at)) {
		const char *meaning = find_meaning(*at, !word->has_begun);

		if (meaning) {
			refuse(text, meaning);
			return NULL;
		}
		if (*at == '\'' || *at == '"') {
			at = read_quoted(text, at + 1, *at, word);
		} else if (*at == '\\') {
			if (!at[1]) {
				refuse_end(text, "a \\");
				return NULL;
			}
			put(word, at[1]);
			at += 2;
		} else {
			put(word, *at++);
		}
	}
	return at;
}

/* NAME=VALUE, by what stands in the text: in quotes it is none. */
static bool is_variable(const char *at)
{
	if (!isalpha((unsigned char)*at) && *at != '_')
		return false;
	while (isalnum((unsigned char)*at) || *at == '_')
		at++;
	return *at == '=';
}

static void add(char ***list, size_t *count, char *text)
{
	*list = cli_grow(*list, *count + 1, sizeof(**list));
	(*list)[(*count)++] = text;
	(*list)[*count] = NULL;
}

static bool split(const char *text, struct cli_command_line *line)
{
	const char *at = text + strspn(text, " \t");

	while (*at) {
		struct word word = {0};
		bool is_of_environment = !line->word_count && is_variable(at);

		at = read_word(text, at, &word);
		if (!at) {
			free(word.text);
			return false;
		}
		if (is_of_environment)
			add(&line->variables, &line->variable_count, word.text);
		else
			add(&line->words, &line->word_count, word.text);
		at += strspn(at, " \t");
	}
	if (line->word_count && *line->words[0])
		return true;
	cli_complain("", "give a program and its arguments in quotes: './app -n 5'",
		     "'%s' names no program", text);
	return false;
}

bool cli_command_line_split(const char *text, bool by_shell, struct cli_command_line *out_line)
{
	struct cli_command_line line = {.text = text};

	if (by_shell) {
		add(&line.words, &line.word_count, cli_format("sh"));
		add(&line.words, &line.word_count, cli_format("-c"));
		add(&line.words, &line.word_count, cli_format("%s", text));
	} else if (!split(text, &line)) {
		cli_command_line_finish(&line);
		return false;
	}
	*out_line = line;
	return true;
}

/* Exchanges a variable with what the environment has: its name alone when it has none. */
static bool exchange(char **variable)
{
	char *value = strchr(*variable, '='), *old;
	char *name = cli_format("%.*s", (int)strcspn(*variable, "="), *variable);
	const char *before = getenv(name);
	int rc;

	old = before ? cli_format("%s=%s", name, before) : cli_format("%s", name);
	rc = value ? setenv(name, value + 1, 1) : unsetenv(name);
	free(name);
	if (rc != 0) {
		cli_complain(strerror(errno), "", "%s cannot be set in the environment", *variable);
		free(old);
		return false;
	}
	free(*variable);
	*variable = old;
	return true;
}

bool cli_command_line_set_variables(struct cli_command_line *line)
{
	for (size_t i = 0; i < line->variable_count; i++)
		if (!exchange(&line->variables[i]))
			return false;
	return true;
}

/* Backwards: what is there twice had the first value in between. */
void cli_command_line_reset_variables(struct cli_command_line *line)
{
	for (size_t i = line->variable_count; i > 0; i--)
		exchange(&line->variables[i - 1]);
}

void cli_command_line_finish(struct cli_command_line *line)
{
	for (size_t i = 0; i < line->word_count; i++)
		free(line->words[i]);
	for (size_t i = 0; i < line->variable_count; i++)
		free(line->variables[i]);
	free(line->words);
	free(line->variables);
	*line = (struct cli_command_line){0};
}
