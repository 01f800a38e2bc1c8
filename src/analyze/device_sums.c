/* SPDX-License-Identifier: MIT */
#include "analyze/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "record/command.h"
#include "tacho/sys/units.h"

/* Which of its process's devices of that name it is, from 1: that joins it over processes. */
static unsigned number_of(const struct tacho_cursor *cursor, const struct tacho_object *device)
{
	const struct tacho_object *other;
	unsigned number = 1;

	for (size_t i = 0; (other = tacho_cursor_get_object(cursor, i)) && other != device; i++)
		number += other->kind == TACHO_OBJECT_DEVICE && other->process == device->process &&
			  !strcmp(other->name, device->name);
	return number;
}

static const char *make_label(struct tacho_summary *summary, const struct tacho_object *device)
{
	unsigned number = number_of(summary->cursor, device);
	struct tacho__buf *text = &summary->scratch;

	tacho__buf_clear(text);
	tacho__buf_put(text, *device->name ? device->name : "unknown");
	if (number > 1)
		tacho__buf_printf(text, " #%u", number);
	if (text->failed) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a summary");
		return NULL;
	}
	return tacho__summary_text(summary, tacho__buf_text(text));
}

static struct tacho__device_use *make_use(struct tacho_summary *summary, const char *label,
					  const struct tacho_object *device)
{
	struct tacho__devices *devices = &summary->devices;
	struct tacho__device_use *use = tacho__arena_get(&summary->arena, sizeof(*use));

	if (!use || tacho__names_set(&devices->by_label, label, use) ||
	    tacho__array_add(&devices->all, &devices->capacity, &devices->count, &use, sizeof(use)))
		return NULL;
	use->label = label;
	use->index = devices->count - 1;
	use->device.device = device;
	use->device.reason = use->device.clock = "";
	return use;
}

static int get_use(struct tacho_summary *summary, const struct tacho_object *device,
		   struct tacho__device_use **out_use)
{
	struct tacho__devices *devices = &summary->devices;
	struct tacho__device_use *use = tacho__map_get(&devices->by_object, (uintptr_t)device);
	const char *label;
	int rc;

	if (use) {
		*out_use = use;
		return 0;
	}
	label = make_label(summary, device);
	if (!label)
		return TACHO_E_NOMEM;
	use = tacho__names_get(&devices->by_label, label);
	if (!use)
		use = make_use(summary, label, device);
	if (!use)
		return TACHO_E_NOMEM;
	rc = tacho__map_set(&devices->by_object, (uintptr_t)device, use);
	if (!rc)
		*out_use = use;
	return rc;
}

/* What the command says of its times. */
static int take_times(struct tacho_summary *summary, struct tacho__device_use *use,
		      const struct tacho_command *command)
{
	struct tacho_summary_device *device = &use->device;

	if (command->state != TACHO_STATE_OK) {
		if (!*device->reason)
			device->reason = tacho__summary_text(summary, command->reason);
		return device->reason ? 0 : TACHO_E_NOMEM;
	}
	device->measured++;
	if (command->uncertainty_ns > device->uncertainty_ns)
		device->uncertainty_ns = command->uncertainty_ns;
	if (!*device->clock && command->clock)
		device->clock = tacho__summary_text(summary, command->clock);
	return device->clock ? 0 : TACHO_E_NOMEM;
}

/* A command, and the device that it worked on, or partly on. */
struct place {
	struct tacho_summary *summary;
	const struct tacho_command *command;
};

static int add(void *user, const struct tacho_object *device)
{
	const struct place *place = user;
	const struct tacho_command *command = place->command;
	struct tacho__device_use *use;
	int rc;

	if (!device)
		return tacho__gap_lines_add(place->summary, NULL, command)
			       ? TACHO_E_NOMEM
			       : tacho__use_add(&place->summary->devices.elsewhere, command);
	rc = get_use(place->summary, device, &use);
	if (rc)
		return rc;
	use->device.commands++;
	if (tacho__command_is_of_one_device(command))
		rc = take_times(place->summary, use, command);
	else if (!*use->device.reason)
		use->device.reason =
			"it ran a part of what ran on several devices at once: when it "
			"worked is not known";
	if (!rc && device->process && device->process->has_unseen_work)
		rc = tacho__use_doubt(&use->use, 0, UINT64_MAX);
	if (!rc)
		rc = tacho__gap_lines_add(place->summary, use, command);
	return rc ? rc : tacho__use_add(&use->use, command);
}

int tacho__devices_add(struct tacho_summary *summary, const struct tacho_command *command,
		       const struct tacho__device_use **out_device)
{
	struct place place = {summary, command};
	struct tacho__device_use *use;
	int rc;

	*out_device = NULL;
	rc = tacho__use_each_device(command, add, &place);
	if (rc || !command->device)
		return rc;
	rc = get_use(summary, command->device, &use);
	if (!rc)
		*out_device = use;
	return rc;
}

/* The busy time is a little too small when commands came later than the bounded memory can tell. */
static int tell_late(struct tacho_summary *summary, struct tacho__device_use *use, uint64_t late_ns)
{
	struct tacho__buf *text = &summary->scratch;
	char late[TACHO_UNITS_MAX];

	if (!late_ns)
		return 0;
	tacho__buf_clear(text);
	tacho__buf_printf(text,
			  "up to %s of busy time are missing: commands ended more than %d others "
			  "later than they ran",
			  tacho_units_time(late, late_ns, 3), TACHO__BUSY_INTERVALS_MAX / 2);
	use->device.state = TACHO_STATE_SCALED;
	use->device.reason = tacho__summary_text(summary, tacho__buf_text(text));
	return use->device.reason ? 0 : TACHO_E_NOMEM;
}

/* Why there are doubts though all commands of the device have times. */
static const char *find_reason(const struct tacho__device_use *use)
{
	const struct tacho_process *process = use->device.device->process;

	return process && process->has_unseen_work
		       ? "work that was given to it by functions that are not recorded"
		       : "commands ran on a device that is not known";
}

static int doubt(void *user, uint64_t from_ns, uint64_t until_ns)
{
	return tacho__use_doubt(user, from_ns, until_ns);
}

static int complete(struct tacho_summary *summary, struct tacho__device_use *use)
{
	struct tacho_summary_device *device = &use->device;
	struct tacho__use_times times;
	int rc;

	if (!use->use.busy.has_any) {
		device->state = TACHO_STATE_ABSENT;
		return 0;
	}
	rc = tacho__use_each_time(&summary->devices.elsewhere, doubt, &use->use);
	if (!rc)
		rc = tacho__use_complete(&use->use, &times);
	if (rc)
		return rc;
	device->busy_ns = times.busy_ns;
	device->idle_ns = times.idle_ns;
	device->unknown_ns = times.unknown_ns;
	rc = tell_late(summary, use, times.late_ns);
	if (device->unknown_ns)
		device->state = TACHO_STATE_LOST;
	if (device->unknown_ns && !rc && !*device->reason)
		device->reason = find_reason(use);
	return rc;
}

static int compare(const void *left, const void *right)
{
	const struct tacho__device_use *const *a = left, *const *b = right;
	uint32_t a_id = (*a)->device.device->id, b_id = (*b)->device.device->id;

	return (a_id > b_id) - (a_id < b_id);
}

int tacho__devices_complete(struct tacho_summary *summary)
{
	struct tacho__devices *devices = &summary->devices;
	int rc = 0;

	for (size_t i = 0; i < devices->count && !rc; i++)
		rc = complete(summary, devices->all[i]);
	if (devices->count)
		qsort(devices->all, devices->count, sizeof(*devices->all), compare);
	return rc;
}

void tacho__devices_finish(struct tacho__devices *devices)
{
	for (size_t i = 0; i < devices->count; i++) {
		tacho__use_finish(&devices->all[i]->use);
		free(devices->all[i]->between.waiting);
	}
	tacho__use_finish(&devices->elsewhere);
	free(devices->all);
	free(devices->holding);
	tacho__map_finish(&devices->by_object);
	tacho__names_finish(&devices->by_label);
}
