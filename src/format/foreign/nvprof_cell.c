/* SPDX-License-Identifier: MIT */
/*
 * Cells of nvprof's tables. Its KB has 1024 bytes, and its GB/s are 1024 * 1024 * 1024 bytes: a
 * copy of 1028 bytes in 1.568 us stands there as 1.003906 KB and 0.610586 GB/s.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "format/foreign/nvprof.h"

double tacho__nvprof_time_unit(const char *unit)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(units); i++)
		if (!strcmp(unit, units[i].name))
			return units[i].ns;
	return 0;
}

/* The bytes of a unit that begins a text; what is behind it. */
static double read_size_unit(const char *text, const char **out_rest)
{
	static const char prefixes[] = "KMGT";
	const char *prefix = *text ? strchr(prefixes, *text) : NULL;
	const char *letter = text + (prefix != NULL);

	*out_rest = letter + (*letter == 'B');
	if (*letter != 'B')
		return 0;
	return prefix ? ldexp(1, 10 * (int)(prefix - prefixes + 1)) : 1;
}

double tacho__nvprof_size_unit(const char *unit)
{
	const char *rest;
	double bytes = read_size_unit(unit, &rest);

	return *rest ? 0 : bytes;
}

/* The unit behind a number; false: it is not known. */
static bool take_unit(const char *text, struct tacho__nvprof_value *value)
{
	const char *rest;
	double bytes;

	if (!*text)
		return true;
	if (!strcmp(text, "%")) {
		value->unit = "percent";
		return true;
	}
	bytes = read_size_unit(text, &rest);
	value->unit = *rest ? "bytes/second" : "bytes";
	value->real *= bytes;
	return bytes > 0 && (!*rest || !strcmp(rest, "/s"));
}

/* Where the number begins in a cell: a level stands in brackets behind its word, "Low (1)". */
static const char *find_number(const char *cell)
{
	const char *open = strrchr(cell, '(');

	return open && cell[strlen(cell) - 1] == ')' ? open + 1 : cell;
}

struct tacho__nvprof_value tacho__nvprof_read_value(const char *cell)
{
	struct tacho__nvprof_value value = {.state = TACHO_STATE_ABSENT, .unit = ""};
	const char *number = find_number(cell);
	size_t size = strspn(number, "+-0123456789.");
	const char *behind = number + size;

	if ((*behind == 'e' || *behind == 'E') && size) {
		behind += 1 + (behind[1] == '+' || behind[1] == '-');
		behind += strspn(behind, "0123456789");
	}
	if (tacho__number_parse(number, (size_t)(behind - number), &value.real))
		return value;
	if (number != cell ? !strcmp(behind, ")") : take_unit(behind, &value))
		value.state = TACHO_STATE_OK;
	return value;
}

/* "vadd(int) [115]": cuts the number of the call that gave it, which is 0 when it is not there. */
uint64_t tacho__nvprof_cut_link(char *name)
{
	size_t size = strlen(name);
	char *open = strrchr(name, '['), *end;
	uint64_t link;

	if (!open || open == name || open[-1] != ' ' || name[size - 1] != ']')
		return 0;
	link = strtoull(open + 1, &end, 10);
	if (end == open + 1 || end[1] || !tacho__is_digit(open[1]))
		return 0;
	open[-1] = '\0';
	return link;
}

/* "cudaLaunch (vadd(int) [115])": the function, and the number. */
uint64_t tacho__nvprof_cut_call(char *name)
{
	char *open = strstr(name, " (");
	size_t size = strlen(name);
	uint64_t link;

	if (!open)
		return 0;
	if (name[size - 1] == ')')
		name[size - 1] = '\0';
	link = tacho__nvprof_cut_link(open + 2);
	*open = '\0';
	return link;
}
