/* SPDX-License-Identifier: MIT */
/*
 * The kernel's performance monitoring units as sysfs describes them, and how the text of an event
 * becomes the numbers that the kernel wants. Documentation/ABI/testing/
 * sysfs-bus-event_source-devices-format and -events of the kernel say what the files mean.
 */
#ifndef TACHO_BACKEND_PERF_PMU_H
#define TACHO_BACKEND_PERF_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum {
	TACHO__PERF_CONFIGS = 4, /* config, config1, config2, config3 of perf_event_attr */
	TACHO__PERF_RANGES_MAX = 8,
	TACHO__PERF_CPU_MAX = 65536,
};

struct tacho__perf_range {
	uint8_t low, high; /* bits, both included */
};

/* Where the value of a term goes: its lowest bits into the first range, and so on. */
struct tacho__perf_format {
	const char *name;
	uint8_t config; /* which of the TACHO__PERF_CONFIGS */
	uint8_t range_count;
	struct tacho__perf_range ranges[TACHO__PERF_RANGES_MAX];
};

struct tacho__perf_event {
	const char *name;
	const char *terms; /* "event=0x3c,umask=0x0" */
	const char *unit;  /* "Joules"; "" */
	double scale;	   /* of a count to the unit; 1 */
};

struct tacho__perf_pmu {
	const char *name;
	uint32_t type;
	const struct tacho__perf_format *formats;
	size_t format_count;
	const struct tacho__perf_event *events; /* sorted by name */
	size_t event_count;
	bool is_device_wide;  /* it counts for a device as a whole, not for processes */
	const uint32_t *cpus; /* where a device is asked, or which of the CPUs have the unit */
	size_t cpu_count;
};

/*
 * All that are below SYSROOT/sys/bus/event_source/devices, sorted by name. What is malformed there
 * is left out: a unit without a type, a format or an event that cannot be understood. None is no
 * failure. NOMEM. sysroot ends with a slash. Everything lives in the arena.
 */
int tacho__perf_list_pmus(struct tacho__arena *arena, const char *sysroot,
			  const struct tacho__perf_pmu **out_pmus, size_t *out_count);

/* A list of CPUs, "0,4-7". PARSE. */
int tacho__perf_parse_cpus(struct tacho__arena *arena, const char *text, const uint32_t **out_cpus,
			   size_t *out_count);

/* The text of a format file, "config1:0-7,32-35". PARSE. */
int tacho__perf_parse_format(const char *text, struct tacho__perf_format *out_format);

/* What is programmed. */
struct tacho__perf_code {
	uint32_t type;
	uint64_t config[TACHO__PERF_CONFIGS];
	bool is_user_only;		       /* what happens in the kernel may not be counted */
	const struct tacho__perf_event *event; /* the named event among the terms; NULL: none */
	char name[128];			       /* of a term "name=TEXT"; "" */
};

/*
 * The code of `size` bytes of terms with commas between: a named event, NAME=NUMBER by the formats,
 * "config=NUMBER" to "config3=NUMBER", "name=TEXT". PARSE, NOTFOUND with what the unit has, INVAL
 * for a number with more bits than its format.
 */
int tacho__perf_encode(const struct tacho__perf_pmu *pmu, const char *terms, size_t size,
		       struct tacho__perf_code *out_code);

#endif
