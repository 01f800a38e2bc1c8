/* SPDX-License-Identifier: MIT */
#include "inject/opencl/cl_text.h"

#include <string.h>

static const char blanks[] = " \t\r\n\v\f";

/* The bytes of a backslash and the end of its line, between which blanks may stand; 0: of none. */
static size_t line_join(const char *at)
{
	size_t size = 1;

	if (*at != '\\')
		return 0;
	size += strspn(at + 1, " \t\v\f");
	if (at[size] == '\r')
		return size + (at[size + 1] == '\n' ? 2 : 1);
	return at[size] == '\n' ? size + 1 : 0;
}

/* Joins lines: what is left can be searched for names. */
static void splice(char *text)
{
	char *to = text;

	for (const char *at = text; *at;) {
		size_t size = line_join(at);

		if (!size)
			*to++ = *at++;
		at += size;
	}
	*to = '\0';
}

/* Tokens can be glued, signs can be spelled in other ways, and an assembler knows no printf. */
static bool can_make_names(const char *text)
{
	static const char *const ways[] = {"##", "%:", "??", "asm"};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strstr(text, ways[i]))
			return true;
	return false;
}

/* `at`: behind the word include. */
static bool includes_given(const char *at, const struct tacho__text_build *build)
{
	char end;
	size_t size;

	at += strspn(at, " \t");
	if (*at != '"' && *at != '<')
		return false;
	end = *at++ == '<' ? '>' : '"';
	size = strcspn(at, "\">\n");
	if (at[size] != end)
		return false;
	for (size_t i = 0; i < build->name_count; i++)
		if (strlen(build->names[i]) == size && !strncmp(at, build->names[i], size))
			return true;
	return false;
}

/* The words may stand in a comment: then too much is found, never too little. */
static bool includes_others(const char *text, const struct tacho__text_build *build)
{
	static const char *const words[] = {"include", "import", "embed"};
	const char *folder = build->options ? strstr(build->options, "-I") : NULL;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		for (const char *at = text; (at = strstr(at, words[i]));) {
			at += strlen(words[i]);
			if (folder || !includes_given(at, build))
				return true;
		}
	return false;
}

/* Options that bring no text of their own into the program, by how they begin. */
static bool is_harmless(const char *word, size_t size)
{
	static const char *const begins[] = {"-cl-", "-D", "-I", "-w", "-W", "-O", "-g", "-nv-"};

	if (memchr(word, ',', size)) /* -Wp,-include,FILE */
		return false;
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (size >= strlen(begins[i]) && !strncmp(word, begins[i], strlen(begins[i])))
			return true;
	return false;
}

static bool takes_next(const char *word, size_t size)
{
	return size == 2 && (!strncmp(word, "-D", 2) || !strncmp(word, "-I", 2));
}

static bool are_harmless(const char *options)
{
	bool is_value = false;

	for (const char *at = options + strspn(options, blanks); *at;) {
		size_t size = strcspn(at, blanks);

		if (!is_value && !is_harmless(at, size))
			return false;
		is_value = !is_value && takes_next(at, size);
		at += size;
		at += strspn(at, blanks);
	}
	return true;
}

bool tacho__text_is_silent(char *text, const struct tacho__text_build *build)
{
	if (build->options && (strstr(build->options, "printf") || !are_harmless(build->options)))
		return false;
	splice(text);
	return !strstr(text, "printf") && !can_make_names(text) && !includes_others(text, build);
}
