/* SPDX-License-Identifier: MIT */
#include "backend/perf/pmu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/number.h"
#include "base/text.h"

enum {
	FILE_MAX = 4096, /* a page: the most that a file of sysfs has */
	PMUS_MAX = 4096,
	NAMES_MAX = 65536,
	NAME_SIZE_MAX = 200,
};

/* Names become parts of "PMU/EVENT/" and are printed. */
static bool is_name(const char *name)
{
	size_t size = strlen(name);

	if (!size || size > NAME_SIZE_MAX || *name == '.')
		return false;
	for (; *name; name++)
		if (*name <= ' ' || *name > '~' || strchr("/,=\"", *name))
			return false;
	return true;
}

/* A folder that is not there, or must not be read, has no names; nor have others. */
static int list_folder(struct tacho__arena *arena, const char *path, size_t max,
		       struct tacho__fs_names *out_names)
{
	struct tacho__fs_names names = {0};
	size_t kept = 0;
	int rc = tacho__fs_list(arena, path, max, &names);

	if (rc == TACHO_E_NOTFOUND || rc == TACHO_E_PERM)
		rc = 0;
	for (size_t i = 0; !rc && i < names.count; i++)
		if (is_name(names.names[i]))
			names.names[kept++] = names.names[i];
	names.count = kept;
	if (!rc)
		*out_names = names;
	return rc;
}

static int fail_path(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a path");
}

/* The first line of a text, without blanks around it. PARSE when there is nothing in it. */
static int take_line(const struct tacho__buf *text, char out_line[FILE_MAX])
{
	const char *start = tacho__buf_text(text);
	size_t size;
	bool good = !memchr(start, '\0', text->size);

	start += strspn(start, " \t");
	size = strcspn(start, "\r\n");
	while (size && strchr(" \t", start[size - 1]))
		size--;
	for (size_t i = 0; i < size; i++)
		good = good && (unsigned char)start[i] >= ' ';
	if (!good || !size)
		return TACHO_E_PARSE;
	memcpy(out_line, start, size);
	out_line[size] = '\0';
	return 0;
}

/* The first line of FOLDER/NAME with SUFFIX. NOTFOUND, PARSE, NOMEM, or why it cannot be read. */
static int read_line(const char *folder, const char *name, const char *suffix,
		     char out_line[FILE_MAX])
{
	struct tacho__buf path = {0}, text = {0};
	int rc;

	tacho__buf_printf(&path, "%s/%s%s", folder, name, suffix);
	rc = path.failed ? fail_path() : tacho__fs_read(path.text, FILE_MAX - 1, &text);
	if (!rc)
		rc = take_line(&text, out_line);
	tacho__buf_finish(&text);
	tacho__buf_finish(&path);
	return rc;
}

/* Digits up to `end`, which is set to what follows; false for none or too large a number. */
static bool parse_number(const char *text, uint64_t max, const char **out_end, uint64_t *out_number)
{
	uint64_t number = 0;
	const char *at = text;

	for (; *at >= '0' && *at <= '9'; at++) {
		number = number * 10 + (uint64_t)(*at - '0');
		if (number > max)
			return false;
	}
	if (at == text)
		return false;
	*out_end = at;
	*out_number = number;
	return true;
}

static bool parse_range(const char *text, uint64_t max, const char **out_end, uint64_t *out_low,
			uint64_t *out_high)
{
	if (!parse_number(text, max, out_end, out_low))
		return false;
	*out_high = *out_low;
	if (**out_end == '-' && !parse_number(*out_end + 1, max, out_end, out_high))
		return false;
	return *out_low <= *out_high;
}

int tacho__perf_parse_format(const char *text, struct tacho__perf_format *out_format)
{
	struct tacho__perf_format format = {0};
	const char *at = text + 6;
	bool good = !strncmp(text, "config", 6);

	if (good && *at >= '1' && *at < '0' + TACHO__PERF_CONFIGS)
		format.config = (uint8_t)(*at++ - '0');
	good = good && *at == ':';
	while (good && *at && (format.range_count == 0 || *at == ',')) {
		uint64_t low, high;

		good = format.range_count < TACHO__PERF_RANGES_MAX &&
		       parse_range(at + 1, 63, &at, &low, &high);
		if (good)
			format.ranges[format.range_count++] =
				(struct tacho__perf_range){(uint8_t)low, (uint8_t)high};
	}
	if (!good || *at || !format.range_count)
		return tacho__fail(TACHO_E_PARSE, "it is not like \"config1:0-7,32-35\"", "",
				   "the format \"%.100s\" is malformed", text);
	*out_format = format;
	return 0;
}

int tacho__perf_parse_cpus(struct tacho__arena *arena, const char *text, const uint32_t **out_cpus,
			   size_t *out_count)
{
	uint32_t *cpus = NULL, *kept;
	size_t count = 0, capacity = 0;
	const char *at = text;
	bool good = true;
	int rc = 0;

	while (good && !rc && *at) {
		uint64_t low = 0, high = 0;

		good = parse_range(at, TACHO__PERF_CPU_MAX - 1, &at, &low, &high) &&
		       (!*at || (*at == ',' && at[1])) && high - low + count < TACHO__PERF_CPU_MAX;
		for (; good && !rc && low <= high; low++) {
			uint32_t cpu = (uint32_t)low;

			rc = tacho__array_add(&cpus, &capacity, &count, &cpu, sizeof(cpu));
		}
		at += *at == ',';
	}
	if (!rc && (!good || !count))
		rc = tacho__fail(TACHO_E_PARSE, "it is not like \"0,4-7\"", "",
				 "the list of CPUs \"%.100s\" is malformed", text);
	kept = rc ? NULL : tacho__arena_get(arena, count * sizeof(*kept));
	if (kept) {
		memcpy(kept, cpus, count * sizeof(*kept));
		*out_cpus = kept;
		*out_count = count;
	} else if (!rc) {
		rc = TACHO_E_NOMEM;
	}
	free(cpus);
	return rc;
}

static int read_formats(struct tacho__arena *arena, const char *folder, struct tacho__perf_pmu *pmu)
{
	struct tacho__perf_format *formats;
	char line[FILE_MAX];
	struct tacho__fs_names names = {0};
	int rc = list_folder(arena, folder, NAMES_MAX, &names);

	formats = rc ? NULL : tacho__arena_get(arena, (names.count + 1) * sizeof(*formats));
	if (!rc && !formats)
		rc = TACHO_E_NOMEM;
	for (size_t i = 0; !rc && i < names.count; i++) {
		struct tacho__perf_format *format = &formats[pmu->format_count];

		rc = read_line(folder, names.names[i], "", line);
		if (!rc && !tacho__perf_parse_format(line, format)) {
			format->name = names.names[i];
			pmu->format_count++;
		}
		rc = rc == TACHO_E_NOMEM ? rc : 0;
	}
	pmu->formats = formats;
	free(names.names);
	return rc;
}

static bool parse_scale(const char *text, double *out_scale)
{
	double scale;

	if (tacho__number_parse(text, strlen(text), &scale) || !isfinite(scale) || scale <= 0)
		return false;
	*out_scale = scale;
	return true;
}

/* NAME.scale and NAME.unit belong to NAME. */
static bool is_side_file(const char *name)
{
	return tacho__ends_with(name, ".scale") || tacho__ends_with(name, ".unit") ||
	       tacho__ends_with(name, ".snapshot") || tacho__ends_with(name, ".per-pkg");
}

static int read_event(struct tacho__arena *arena, const char *folder, const char *name,
		      struct tacho__perf_pmu *pmu, struct tacho__perf_event *out_event)
{
	struct tacho__perf_event event = {.name = name, .unit = "", .scale = 1};
	char line[FILE_MAX];
	int rc;

	if (is_side_file(name))
		return 0;
	rc = read_line(folder, name, "", line);
	if (rc)
		return rc == TACHO_E_NOMEM ? rc : 0;
	event.terms = tacho__arena_string(arena, line);
	rc = read_line(folder, name, ".scale", line);
	if (!rc && !parse_scale(line, &event.scale))
		rc = TACHO_E_PARSE;
	if (rc && rc != TACHO_E_NOTFOUND) /* a number of unknown size is no measurement */
		return rc == TACHO_E_NOMEM ? rc : 0;
	rc = read_line(folder, name, ".unit", line);
	if (!rc)
		event.unit = tacho__arena_string(arena, line);
	if (!event.terms || !event.unit || rc == TACHO_E_NOMEM)
		return TACHO_E_NOMEM;
	*out_event = event;
	pmu->event_count++;
	return 0;
}

static int read_events(struct tacho__arena *arena, const char *folder, struct tacho__perf_pmu *pmu)
{
	struct tacho__perf_event *events;
	struct tacho__fs_names names = {0};
	int rc = list_folder(arena, folder, NAMES_MAX, &names);

	events = rc ? NULL : tacho__arena_get(arena, (names.count + 1) * sizeof(*events));
	if (!rc && !events)
		rc = TACHO_E_NOMEM;
	for (size_t i = 0; !rc && i < names.count; i++)
		rc = read_event(arena, folder, names.names[i], pmu, &events[pmu->event_count]);
	pmu->events = events;
	free(names.names);
	return rc;
}

/*
 * "cpumask" is one CPU per device, for units that count a device; "cpus" those that have the unit,
 * where CPUs differ. amdgpu has neither and refuses processes: drivers/gpu/drm/amd/amdgpu/
 * amdgpu_pmu.c of the kernel (perf_invalid_context).
 */
static int read_cpus(struct tacho__arena *arena, const char *folder, struct tacho__perf_pmu *pmu)
{
	static const uint32_t first = 0;
	char line[FILE_MAX];
	int rc = read_line(folder, "cpumask", "", line);

	pmu->is_device_wide = !rc;
	if (rc && rc != TACHO_E_NOMEM)
		rc = read_line(folder, "cpus", "", line);
	if (!rc)
		return tacho__perf_parse_cpus(arena, line, &pmu->cpus, &pmu->cpu_count);
	if (rc == TACHO_E_NOMEM)
		return rc;
	if (strncmp(pmu->name, "amdgpu", 6) != 0)
		return 0;
	pmu->is_device_wide = true;
	pmu->cpus = &first;
	pmu->cpu_count = 1;
	return 0;
}

/* Fills it; a type of 0 afterwards means that it is none (PERF_TYPE_HARDWARE is in no folder). */
static int read_pmu(struct tacho__arena *arena, const char *folder, struct tacho__perf_pmu *pmu)
{
	struct tacho__buf path = {0};
	char line[FILE_MAX];
	const char *end;
	uint64_t type;
	int rc = read_line(folder, "type", "", line);

	if (rc)
		return rc == TACHO_E_NOMEM ? rc : 0;
	if (!parse_number(line, INT32_MAX, &end, &type) || *end)
		return 0;
	tacho__buf_printf(&path, "%s/format", folder);
	rc = path.failed ? fail_path() : read_formats(arena, path.text, pmu);
	tacho__buf_clear(&path);
	tacho__buf_printf(&path, "%s/events", folder);
	if (!rc)
		rc = path.failed ? fail_path() : read_events(arena, path.text, pmu);
	tacho__buf_finish(&path);
	if (!rc)
		rc = read_cpus(arena, folder, pmu);
	if (rc == TACHO_E_PARSE)
		return 0;
	pmu->type = (uint32_t)type;
	return rc;
}

int tacho__perf_list_pmus(struct tacho__arena *arena, const char *sysroot,
			  const struct tacho__perf_pmu **out_pmus, size_t *out_count)
{
	struct tacho__buf folder = {0};
	struct tacho__perf_pmu *pmus;
	struct tacho__fs_names names = {0};
	size_t base, count = 0;
	int rc;

	tacho__buf_printf(&folder, "%ssys/bus/event_source/devices", sysroot);
	rc = folder.failed ? fail_path() : list_folder(arena, folder.text, PMUS_MAX, &names);
	base = folder.size;
	pmus = rc ? NULL : tacho__arena_get(arena, (names.count + 1) * sizeof(*pmus));
	if (!rc && !pmus)
		rc = TACHO_E_NOMEM;
	for (size_t i = 0; !rc && i < names.count; i++) {
		struct tacho__perf_pmu pmu = {.name = names.names[i]};

		folder.size = base;
		tacho__buf_printf(&folder, "/%s", names.names[i]);
		rc = folder.failed ? fail_path() : read_pmu(arena, folder.text, &pmu);
		if (!rc && pmu.type)
			pmus[count++] = pmu;
	}
	free(names.names);
	tacho__buf_finish(&folder);
	if (rc)
		return rc;
	*out_pmus = pmus;
	*out_count = count;
	return 0;
}
