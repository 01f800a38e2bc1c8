/* SPDX-License-Identifier: MIT */
#include "plan/iterations.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

static int compare(const void *a, const void *b)
{
	const struct tacho_iterations *left = a, *right = b;

	return (left->first > right->first) - (left->first < right->first);
}

size_t tacho__iterations_join(struct tacho_iterations *list, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(list, count, sizeof(*list), compare);
	for (size_t i = 0; i < count; i++) {
		struct tacho_iterations *last = kept ? &list[kept - 1] : NULL;

		if (!last || (last->last != UINT64_MAX && list[i].first > last->last + 1))
			list[kept++] = list[i];
		else if (list[i].last > last->last)
			last->last = list[i].last;
	}
	return kept;
}

bool tacho__iterations_has(const struct tacho_iterations *list, size_t count, uint64_t n)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle].last < n)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && list[low].first <= n;
}

static int fail(const char *text, const char *at, const char *cause)
{
	return tacho__fail(TACHO_E_PARSE, cause, "write numbers and ranges: [1-2],[5]",
			   "\"%.200s\" selects no launches, column %zu", text,
			   (size_t)(at - text) + 1);
}

static bool is_between(char c)
{
	return tacho__is_blank(c) || (c && strchr("[],", c));
}

/* Digits at *at, which moves behind them. */
static int read_number(const char *text, const char **at, uint64_t *out_number)
{
	const char *begin = *at;
	uint64_t number = 0;

	for (; tacho__is_digit(**at); ++*at) {
		unsigned digit = (unsigned)(**at - '0');

		if (number > (UINT64_MAX - digit) / 10)
			return fail(text, begin, "the number is too large");
		number = number * 10 + digit;
	}
	if (*at == begin)
		return fail(text, begin, "a number is missing");
	if (!number)
		return fail(text, begin, "the first launch of a kernel is 1");
	*out_number = number;
	return 0;
}

static int read_range(const char *text, const char **at, struct tacho_iterations *out_range)
{
	const char *begin = *at;
	struct tacho_iterations range;
	int rc = read_number(text, at, &range.first);

	range.last = range.first;
	if (!rc && **at == '-') {
		++*at;
		rc = read_number(text, at, &range.last);
	}
	if (!rc && **at && !is_between(**at))
		return fail(text, *at, "neither a number nor a range stands here");
	if (!rc && range.last < range.first)
		return fail(text, begin, "the range ends before it begins");
	if (!rc)
		*out_range = range;
	return rc;
}

int tacho_iterations_parse(const char *text, struct tacho_iterations **out_list, size_t *out_count)
{
	struct tacho_iterations *list = NULL, range;
	size_t count = 0, capacity = 0;
	int rc = 0;

	if (!text || !out_list || !out_count)
		return tacho__fail_null(__func__);
	for (const char *at = text; !rc;) {
		while (is_between(*at))
			at++;
		if (!*at)
			break;
		if (count == TACHO__ITERATIONS_MAX)
			rc = fail(text, at, "there are too many ranges");
		else
			rc = read_range(text, &at, &range);
		if (!rc)
			rc = tacho__array_add(&list, &capacity, &count, &range, sizeof(range));
	}
	if (!rc && !count)
		rc = fail(text, text, "no number is in it");
	if (rc) {
		free(list);
		return rc;
	}
	*out_count = tacho__iterations_join(list, count);
	*out_list = list;
	return 0;
}
