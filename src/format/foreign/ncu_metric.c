/* SPDX-License-Identifier: MIT */
/* What the name of a metric says about its unit: docs/grammar.md. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "format/foreign/ncu.h"

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Whether a word stands in the name of a counter: "bytes" in "t_bytes_equiv". */
static bool has_word(const char *name, size_t size, const char *word)
{
	size_t length = strlen(word);

	for (size_t at = 0; at + length <= size; at++)
		if (!strncmp(name + at, word, length) && (!at || name[at - 1] == '_') &&
		    (at + length == size || name[at + length] == '_'))
			return true;
	return false;
}

/* Of a counter, without the ending of its metric. */
static const char *base_unit(const char *name, size_t size)
{
	if (begins(name, "time_duration"))
		return "ns";
	if (begins(name, "cycles_"))
		return "cycles";
	return begins(name, "shared_mem_per_block") || has_word(name, size, "bytes") ? "bytes" : "";
}

void tacho__ncu_unit(const char *name, char *out_unit)
{
	const char *base = strstr(name, "__"), *ending;
	const char *unit, *per = "";

	base = base ? base + 2 : name;
	ending = strchr(base, '.');
	ending = ending ? ending : base + strlen(base);
	unit = base_unit(base, (size_t)(ending - base));
	if (strstr(ending, ".pct") || tacho__ends_with(name, "_pct"))
		unit = "percent";
	else if (tacho__ends_with(ending, ".per_second"))
		per = "/second";
	else if (strstr(ending, ".per_cycle") || tacho__ends_with(ending, ".peak_sustained"))
		per = "/cycle";
	else if (!strcmp(ending, ".ratio") || !strcmp(ending, ".max_rate"))
		unit = "";
	snprintf(out_unit, TACHO__NCU_UNIT_MAX, "%s%s", unit, *unit ? per : "");
}
