/* SPDX-License-Identifier: MIT */
/* Folding of lists of names. */
#include "fold.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* "gfx941" follows "gfx940": one digit more at the end, all else the same. */
static bool follows(const char *name, const char *before)
{
	size_t length = strlen(name);

	if (length < 2 || strlen(before) != length || strncmp(name, before, length - 1) != 0)
		return false;
	return isdigit((unsigned char)name[length - 1]) &&
	       isdigit((unsigned char)before[length - 1]) &&
	       name[length - 1] == before[length - 1] + 1;
}

static bool is_among(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Adds "gfx940-942" for the run from `first` to `last`. */
static void add_run(char **text, const char *first, const char *last)
{
	const char *tail = last + strcspn(last, "0123456789");

	cli_append(text, " ", "%s%s%s", first, first == last ? "" : "-", first == last ? "" : tail);
}

char *cli_fold_names(const char *const *names, size_t count)
{
	const char **once = cli_alloc((count + 1) * sizeof(*once));
	char *text = cli_format("%s", "");
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		if (!is_among(once, total, names[i]))
			once[total++] = names[i];
	for (size_t i = 0, first = 0; i < total; i++) {
		if (i + 1 < total && follows(once[i + 1], once[i]))
			continue;
		add_run(&text, once[first], once[i]);
		first = i + 1;
	}
	free(once);
	return text;
}

/* Where two texts that differ in one whole number have it; SIZE_MAX when they differ otherwise. */
static size_t get_place(const char *first, const char *last)
{
	char *rest_first, *rest_last;
	size_t place = 0;

	while (first[place] && first[place] == last[place])
		place++;
	while (place && isdigit((unsigned char)first[place - 1]))
		place--;
	if (!isdigit((unsigned char)first[place]) || !isdigit((unsigned char)last[place]))
		return SIZE_MAX;
	strtoul(first + place, &rest_first, 10);
	strtoul(last + place, &rest_last, 10);
	return strcmp(rest_first, rest_last) == 0 ? place : SIZE_MAX;
}

bool cli_fold_is_next(const char *before, const char *name, size_t *out_number)
{
	size_t place = get_place(before, name), number;

	if (place == SIZE_MAX)
		return false;
	number = strtoul(name + place, NULL, 10);
	if (number != strtoul(before + place, NULL, 10) + 1)
		return false;
	*out_number = number;
	return true;
}

size_t cli_fold_get_run(const char *const *names, size_t count, size_t first)
{
	size_t length = 1, used = 0, number;

	while (first + length < count) {
		const char *before = names[first + length - 1], *name = names[first + length];
		size_t place = get_place(before, name);

		if (!cli_fold_is_next(before, name, &number) || (length > 1 && place != used))
			break;
		used = place;
		length++;
	}
	return length;
}

char *cli_fold_format_run(const char *first, const char *last)
{
	size_t place = strcmp(first, last) == 0 ? SIZE_MAX : get_place(first, last);
	unsigned long a, b;
	char *rest;

	if (place == SIZE_MAX)
		return cli_format("%s", first);
	a = strtoul(first + place, NULL, 10);
	b = strtoul(last + place, &rest, 10);
	return cli_format("%.*s[%lu-%lu]%s", (int)place, first, a, b, rest);
}
