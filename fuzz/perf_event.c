/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the files of a unit of the kernel and the text of an event. Lines: "NAME FORMAT" is a
 * format, "@NAME TERMS" an event, "-LIST" a list of CPUs, "?TERMS" is programmed with what came
 * before.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/perf/pmu.h"
#include "tacho/error.h"

enum { ITEMS_MAX = 64 };

struct unit {
	struct tacho__arena arena;
	struct tacho__perf_format formats[ITEMS_MAX];
	struct tacho__perf_event events[ITEMS_MAX];
	struct tacho__perf_pmu pmu;
};

/* An error says what is wrong; other results hold what their headers promise. */
static void expect(bool holds)
{
	if (!holds)
		abort();
}

static void add_format(struct unit *unit, char *line)
{
	char *text = strchr(line, ' ');
	struct tacho__perf_format *format = &unit->formats[unit->pmu.format_count];

	if (!text || unit->pmu.format_count == ITEMS_MAX)
		return;
	*text++ = '\0';
	if (tacho__perf_parse_format(text, format)) {
		expect(tacho_error_last()->message[0]);
		return;
	}
	format->name = line;
	expect(format->range_count > 0 && format->range_count <= TACHO__PERF_RANGES_MAX);
	for (unsigned i = 0; i < format->range_count; i++)
		expect(format->ranges[i].low <= format->ranges[i].high &&
		       format->ranges[i].high < 64);
	unit->pmu.format_count++;
}

static void add_event(struct unit *unit, char *line)
{
	char *text = strchr(line, ' ');

	if (!text || unit->pmu.event_count == ITEMS_MAX)
		return;
	*text++ = '\0';
	unit->events[unit->pmu.event_count++] =
		(struct tacho__perf_event){.name = line, .terms = text, .unit = "", .scale = 1};
}

static void read_cpus(struct unit *unit, const char *line)
{
	const uint32_t *cpus;
	size_t count;

	if (tacho__perf_parse_cpus(&unit->arena, line, &cpus, &count))
		return;
	expect(count > 0 && count <= TACHO__PERF_CPU_MAX);
	for (size_t i = 0; i < count; i++)
		expect(cpus[i] < TACHO__PERF_CPU_MAX);
}

static void encode(struct unit *unit, const char *line)
{
	struct tacho__perf_code code;

	if (tacho__perf_encode(&unit->pmu, line, strlen(line), &code))
		expect(tacho_error_last()->message[0]);
	else
		expect(code.type == 7 && memchr(code.name, '\0', sizeof(code.name)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unit *unit = calloc(1, sizeof(*unit));
	char *text = malloc(size + 1), *rest = text, *line;

	expect(unit && text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	unit->pmu.name = "unit";
	unit->pmu.type = 7;
	unit->pmu.formats = unit->formats;
	unit->pmu.events = unit->events;
	while ((line = strsep(&rest, "\n")) != NULL) {
		switch (*line) {
		case '@': add_event(unit, line + 1); break;
		case '-': read_cpus(unit, line + 1); break;
		case '?': encode(unit, line + 1); break;
		default: add_format(unit, line);
		}
	}
	tacho__arena_finish(&unit->arena);
	free(text);
	free(unit);
	return 0;
}
