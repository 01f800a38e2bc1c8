/* SPDX-License-Identifier: MIT */
#include "base/machine.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fs.h"

enum { CPUS_MAX = 1024, CARDS_MAX = 64, VALUE_MAX = 64 };

struct reader {
	tacho__machine_fn fn;
	void *user;
	const char *root;
};

/* The first line of a file; false: it is not there, or empty. */
static bool read_line(const struct reader *reader, const char *path, char value[VALUE_MAX])
{
	char full[PATH_MAX];

	if (snprintf(full, sizeof(full), "%s%s", reader->root, path) >= (int)sizeof(full))
		return false;
	tacho__fs_read_start(full, value, VALUE_MAX);
	value[strcspn(value, "\n")] = '\0';
	return *value != '\0';
}

/* A number of a file, in units of `divisor`: "1500 MHz". */
static bool read_number(const struct reader *reader, const char *path, double divisor,
			const char *unit, char value[VALUE_MAX])
{
	double number;
	char *end;

	if (!read_line(reader, path, value))
		return false;
	number = strtod(value, &end);
	if (end == value || *end)
		return false;
	snprintf(value, VALUE_MAX, "%.0f%s%s", number / divisor, *unit ? " " : "", unit);
	return true;
}

/* ---- processors ---- */

/* What all processors say of themselves; "several" when they differ. */
static void read_all_cpus(const struct reader *reader, const char *file, const char *name)
{
	char common[VALUE_MAX] = "";

	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
		char path[128], value[VALUE_MAX];

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpufreq/%s", cpu, file);
		if (!read_line(reader, path, value))
			break;
		if (cpu && strcmp(common, value) != 0)
			snprintf(common, sizeof(common), "several");
		else
			memcpy(common, value, sizeof(common));
	}
	if (*common)
		reader->fn(reader->user, name, common, true);
}

static void read_boost(const struct reader *reader)
{
	char value[VALUE_MAX];
	bool is_on;

	if (read_line(reader, "/sys/devices/system/cpu/cpufreq/boost", value))
		is_on = strcmp(value, "0") != 0;
	else if (read_line(reader, "/sys/devices/system/cpu/intel_pstate/no_turbo", value))
		is_on = strcmp(value, "0") == 0;
	else
		return;
	reader->fn(reader->user, "cpu boost", is_on ? "on" : "off", true);
}

/* How often processors were slowed down because they were too hot, since the machine came up. */
static void read_throttles(const struct reader *reader)
{
	unsigned long long sum = 0;
	char text[VALUE_MAX];
	bool known = false;

	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
		char path[128], value[VALUE_MAX];

		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%u/thermal_throttle/core_throttle_count", cpu);
		if (!read_line(reader, path, value))
			break;
		sum += strtoull(value, NULL, 10);
		known = true;
	}
	snprintf(text, sizeof(text), "%llu", sum);
	if (known)
		reader->fn(reader->user, "cpu throttled", text, false);
}

/* ---- cards ---- */

static void tell_card(const struct reader *reader, const char *card, const char *what,
		      const char *value, bool is_setting)
{
	char name[VALUE_MAX];

	snprintf(name, sizeof(name), "%.24s %s", card, what);
	reader->fn(reader->user, name, value, is_setting);
}

/* The first of several files that can be read. */
static void read_card_number(const struct reader *reader, const char *folder, const char *card,
			     const char *const *files, double divisor, const char *unit,
			     const char *what)
{
	char path[PATH_MAX], value[VALUE_MAX];

	for (; *files; files++) {
		snprintf(path, sizeof(path), "%s/%s", folder, *files);
		if (!read_number(reader, path, divisor, unit, value))
			continue;
		tell_card(reader, card, what, value, false);
		return;
	}
}

static int is_sensor(const struct dirent *entry)
{
	return strncmp(entry->d_name, "hwmon", 5) == 0;
}

static void read_sensors(const struct reader *reader, const char *card)
{
	static const char *const clocks[] = {"freq1_input", NULL};
	static const char *const powers[] = {"power1_average", "power1_input", NULL};
	static const char *const temperatures[] = {"temp1_input", NULL};
	char folder[256], path[PATH_MAX];
	struct dirent **entries;
	int count;

	snprintf(folder, sizeof(folder), "/sys/class/drm/%.24s/device/hwmon", card);
	snprintf(path, sizeof(path), "%s%s", reader->root, folder);
	count = scandir(path, &entries, is_sensor, alphasort);
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%.32s", folder, entries[i]->d_name);
		if (!i) {
			read_card_number(reader, path, card, clocks, 1e6, "MHz", "clock");
			read_card_number(reader, path, card, powers, 1e6, "W", "power");
			read_card_number(reader, path, card, temperatures, 1e3, "C", "temperature");
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static void read_card(const struct reader *reader, const char *card)
{
	static const char *const clocks[] = {"gt_act_freq_mhz", NULL};
	static const struct {
		const char *file, *what;
	} settings[] = {
		{"device/power_dpm_force_performance_level", "performance level"},
		{"gt_max_freq_mhz", "clock limit in MHz"},
	};
	char folder[64], path[128], value[VALUE_MAX];

	snprintf(folder, sizeof(folder), "/sys/class/drm/%.24s", card);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(settings); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, settings[i].file);
		if (read_line(reader, path, value))
			tell_card(reader, card, settings[i].what, value, true);
	}
	read_card_number(reader, folder, card, clocks, 1, "MHz", "clock");
	read_sensors(reader, card);
}

/* "card0", and not "card0-HDMI-A-1". */
static int is_card(const struct dirent *entry)
{
	return strncmp(entry->d_name, "card", 4) == 0 && !strchr(entry->d_name, '-');
}

void tacho__machine_read(tacho__machine_fn fn, void *user)
{
	const char *root = getenv(TACHO__MACHINE_ROOT_VARIABLE);
	struct reader reader = {fn, user, root ? root : ""};
	char path[PATH_MAX];
	struct dirent **cards;
	int count;

	read_all_cpus(&reader, "scaling_governor", "cpu governor");
	read_all_cpus(&reader, "energy_performance_preference", "cpu energy preference");
	read_boost(&reader);
	read_throttles(&reader);
	snprintf(path, sizeof(path), "%s/sys/class/drm", reader.root);
	count = scandir(path, &cards, is_card, versionsort);
	for (int i = 0; i < count; i++) {
		if (i < CARDS_MAX)
			read_card(&reader, cards[i]->d_name);
		free(cards[i]);
	}
	if (count >= 0)
		free(cards);
}
