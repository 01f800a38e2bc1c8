/* SPDX-License-Identifier: MIT */
#include "plan/words.h"

#include <string.h>

#include "base/pattern.h"

enum { GROUP_MAX = 4096 }; /* bytes that are looked through for the end of one */

static bool begins(const char *text, const char *end, const char *with)
{
	size_t size = strlen(with);

	return (size_t)(end - text) >= size && memcmp(text, with, size) == 0;
}

/*
 * The last byte of what begins at `at` and keeps its commas: an event between slashes, the choices
 * of a pattern, a repetition. What nothing closes is an ordinary character.
 */
static const char *find_close(const char *at, const char *end, bool is_regex)
{
	const char *close = NULL;

	if (end - at > GROUP_MAX)
		end = at + GROUP_MAX;
	if (*at == '\\' && is_regex && end - at > 1)
		close = at + 1;
	else if (*at == '/' && !is_regex)
		close = memchr(at + 1, '/', (size_t)(end - at) - 1);
	else if (*at == '[' && end - at > 2) /* "[]]" has a bracket to choose */
		close = memchr(at + 2, ']', (size_t)(end - at) - 2);
	else if (*at == '{')
		close = memchr(at, '}', (size_t)(end - at));
	return close ? close : at;
}

static const char *find_comma(const char *text, const char *end)
{
	bool is_regex = begins(text, end, TACHO__REGEX_PREFIX), is_file = *text == '@';

	for (const char *at = text; at < end; at++) {
		if (*at == ',')
			return at;
		if (!is_file)
			at = find_close(at, end, is_regex);
	}
	return end;
}

bool tacho__words_next(const char **list, size_t *size, struct tacho__word *out_word)
{
	const char *text = *list, *end = text + *size, *last;

	while (text < end && (*text == ',' || strchr(TACHO__BLANKS, *text)))
		text++;
	if (text == end)
		return false;
	last = find_comma(text, end);
	*list = last;
	*size = (size_t)(end - last);
	while (strchr(TACHO__BLANKS, last[-1]))
		last--;
	*out_word = (struct tacho__word){text, (size_t)(last - text)};
	return true;
}
