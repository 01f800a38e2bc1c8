/* SPDX-License-Identifier: MIT */
#include "devices.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <tacho/sys/devices.h>

#include "cli.h"

/* The devices of the machine, and which of them are named. */
struct choosing {
	const struct cli_list_device *all;
	size_t count;
	char *numbers; /* "choose of 0 opencl:cpu, 1 perf:linux" */
	bool *chosen;
	bool is_all;
};

/* ---- one name ---- */

static bool is_number(const char *selector)
{
	return *selector && selector[strspn(selector, "0123456789")] == '\0';
}

static int choose_number(struct choosing *choosing, const char *selector)
{
	unsigned long number;

	errno = 0;
	number = strtoul(selector, NULL, 10);
	if (errno || number >= choosing->count) {
		cli_complain(choosing->count ? "" : "no device was found", choosing->numbers,
			     "there is no device %s", selector);
		return CLI_FAILED;
	}
	choosing->chosen[number] = true;
	return CLI_OK;
}

/*
 * Of a device that was found in two ways the way that counts; of two that do, that with counters of
 * its own before that with those of an API, which any device has.
 */
static int rank(const struct tacho_device_info *info)
{
	if (!info->launches_only)
		return !info->found_only;
	return strcmp(info->arch, "any") == 0 ? 2 : 3;
}

static size_t drop_same(const struct choosing *choosing, bool *fits)
{
	size_t left = 0;

	for (size_t i = 0; i < choosing->count; i++) {
		const struct tacho_device_info *info = &choosing->all[i].info;

		for (size_t k = 0; k < choosing->count && fits[i]; k++) {
			const struct tacho_device_info *other = &choosing->all[k].info;

			if (k != i && fits[k] && tacho_devices_are_same(info, other) &&
			    rank(other) > rank(info))
				fits[i] = false;
		}
		left += fits[i];
	}
	return left;
}

static void complain_ambiguous(const struct choosing *choosing, const char *selector,
			       const bool *fits)
{
	char *names = cli_format("%s", "");

	for (size_t i = 0; i < choosing->count; i++)
		if (fits[i])
			cli_append(&names, ", ", "%s%zu %s:%s", *names ? "" : "choose of ", i,
				   choosing->all[i].info.backend, choosing->all[i].info.name);
	cli_complain("", names, "several devices fit \"%s\"", selector);
	free(names);
}

/* How many devices it names: with more than one none is chosen yet. */
static size_t choose_name(struct choosing *choosing, const char *selector, bool *fits)
{
	const struct tacho_device_info **infos = cli_alloc((choosing->count + 1) * sizeof(*infos));
	size_t found;

	for (size_t i = 0; i < choosing->count; i++)
		infos[i] = &choosing->all[i].info;
	found = tacho_devices_match(infos, choosing->count, selector, fits);
	free(infos);
	if (found > 1)
		found = drop_same(choosing, fits);
	for (size_t i = 0; i < choosing->count && found == 1; i++)
		choosing->chosen[i] |= fits[i];
	return found;
}

static int choose_one(struct choosing *choosing, const char *selector, bool *fits)
{
	size_t found;

	if (strcmp(selector, "all") == 0) {
		choosing->is_all = true;
		return CLI_OK;
	}
	if (is_number(selector))
		return choose_number(choosing, selector);
	found = choose_name(choosing, selector, fits);
	if (found == 1)
		return CLI_OK;
	if (found)
		complain_ambiguous(choosing, selector, fits);
	else
		cli_complain(choosing->count ? "" : "no device was found", choosing->numbers,
			     "there is no device \"%s\"", selector);
	return CLI_FAILED;
}

/* ---- a list ---- */

static int choose_each(struct choosing *choosing, const char *list, bool *fits)
{
	char *text = cli_format("%s", list), *rest = text, *item;
	int status = CLI_OK;

	while (!status && (item = strsep(&rest, ",")) != NULL) {
		if (*item || !*list)
			status = choose_one(choosing, item, fits);
	}
	free(text);
	return status;
}

/* Names may have commas, too. */
static int choose(struct choosing *choosing, const char *list)
{
	bool *fits = cli_alloc((choosing->count + 1) * sizeof(*fits));
	bool has_comma = strchr(list, ',') != NULL;
	int status = CLI_OK;

	if (!has_comma || choose_name(choosing, list, fits) != 1)
		status = choose_each(choosing, list, fits);
	free(fits);
	return status;
}

/* ---- what it comes to ---- */

static bool can_count_together(const struct tacho_device_info *a, const struct tacho_device_info *b)
{
	return a->counts_together && b->counts_together && strcmp(a->backend, b->backend) == 0 &&
	       strcmp(a->arch, b->arch) == 0;
}

static int add_counting(struct cli_devices *devices, const struct cli_list_device *device)
{
	const struct tacho_device_info *info = &device->info;

	if (!devices->counting) {
		devices->counting = device;
		return CLI_OK;
	}
	if (can_count_together(&devices->counting->info, info)) {
		devices->further_count++;
		return CLI_OK;
	}
	cli_complain("one device counts at a time, or several GPUs of one architecture whose "
		     "library can do that",
		     "name one of them, and beside it devices whose launches are to be counted",
		     "%s:%s and %s:%s cannot count together", devices->counting->info.backend,
		     devices->counting->info.name, info->backend, info->name);
	return CLI_USAGE;
}

static void add_launched(struct cli_devices *devices, const struct choosing *choosing, size_t at)
{
	const struct tacho_device_info *info = &choosing->all[at].info;
	uint32_t number = 0;

	for (size_t i = 0; i < at; i++) {
		const struct tacho_device_info *other = &choosing->all[i].info;

		number += strcmp(other->backend, info->backend) == 0 &&
			  strcmp(other->name, info->name) == 0 &&
			  strcmp(other->platform, info->platform) == 0;
	}
	devices->launched =
		cli_grow(devices->launched, devices->launched_count, sizeof(*devices->launched));
	devices->launched[devices->launched_count++] = (struct tacho_counting_device){
		.name = info->name,
		.platform = info->platform,
		.id = info->id,
		.pci = info->pci,
		.number = number,
		.is_known_by_place = info->launches_only,
	};
}

/* A device that counts what was launched on it is known by more than its name, or not at all. */
static bool is_known_elsewhere(const struct tacho_device_info *info)
{
	return info->launches_only && (*info->id || *info->pci);
}

static int refuse_unusable(const struct tacho_device_info *info)
{
	cli_complain(info->cause, info->cure, "%s of %s cannot be used", info->name,
		     info->platform);
	return CLI_NOTHING;
}

static int take_chosen(const struct choosing *choosing, struct cli_devices *devices)
{
	int status = CLI_OK;

	for (size_t i = 0; i < choosing->count && !status; i++) {
		const struct cli_list_device *device = &choosing->all[i];

		if (!choosing->chosen[i])
			continue;
		if (!devices->first)
			devices->first = device;
		if (device->info.found_only && !device->info.usable)
			return refuse_unusable(&device->info);
		devices->has_found_only |= device->info.found_only;
		if (!device->info.found_only)
			status = add_counting(devices, device);
		if (device->info.found_only || is_known_elsewhere(&device->info))
			add_launched(devices, choosing, i);
	}
	return status;
}

static int find_best_rank(const struct choosing *choosing)
{
	int best = 0;

	for (size_t i = 0; i < choosing->count; i++)
		if (choosing->all[i].info.usable && rank(&choosing->all[i].info) > best)
			best = rank(&choosing->all[i].info);
	return best;
}

/* Whatever it runs on; counted by the GPUs where they are alike. */
static void take_all(const struct choosing *choosing, struct cli_devices *devices)
{
	int best = find_best_rank(choosing);

	for (size_t i = 0; i < choosing->count; i++) {
		const struct cli_list_device *device = &choosing->all[i];

		if (!device->info.usable || !device->info.launches_only ||
		    rank(&device->info) < best)
			continue;
		if (!devices->counting) {
			devices->counting = device;
		} else if (can_count_together(&devices->counting->info, &device->info)) {
			devices->further_count++;
		} else {
			devices->counting = NULL;
			devices->further_count = 0;
			return;
		}
	}
}

static bool is_of_backend(const char *list, const char *backend)
{
	size_t size = strlen(backend);

	return strncasecmp(list, backend, size) == 0 && list[size] == ':';
}

/* What has the form of a place on the PCI bus names no backend. */
static bool is_alone(const struct choosing *choosing, const char *list)
{
	if (strchr(list, ',') || !strchr(list, ':') || isdigit((unsigned char)*list))
		return false;
	for (size_t i = 0; i < choosing->count; i++)
		if (is_of_backend(list, choosing->all[i].info.backend))
			return false;
	return true;
}

static int choose_of_machine(struct choosing *choosing, const char *list,
			     struct cli_devices *devices)
{
	int status = cli_list_read(&choosing->all, &choosing->count, &choosing->numbers);

	if (status)
		return status;
	if (is_alone(choosing, list)) {
		devices->alone = list;
		return CLI_OK;
	}
	choosing->chosen = cli_alloc((choosing->count + 1) * sizeof(*choosing->chosen));
	memset(choosing->chosen, 0, choosing->count * sizeof(*choosing->chosen));
	return choose(choosing, list);
}

int cli_devices_choose(const char *list, struct cli_devices *out_devices)
{
	struct choosing choosing = {0};
	struct cli_devices devices = {0};
	int status = CLI_OK;

	if (list && is_of_backend(list, "perf") && !strchr(list, ','))
		devices.alone = list;
	else if (list)
		status = choose_of_machine(&choosing, list, &devices);
	if (!status && choosing.is_all)
		take_all(&choosing, &devices);
	else if (!status && choosing.chosen)
		status = take_chosen(&choosing, &devices);
	free(choosing.chosen);
	free(choosing.numbers);
	if (status)
		cli_devices_finish(&devices);
	else
		*out_devices = devices;
	return status;
}

void cli_devices_finish(struct cli_devices *devices)
{
	free(devices->launched);
	*devices = (struct cli_devices){0};
}
