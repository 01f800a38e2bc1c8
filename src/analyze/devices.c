/* SPDX-License-Identifier: MIT */
#include "analyze/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

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
	struct tacho__device_use *use = tacho__arena_get(&summary->arena, sizeof(*use)), **all;

	all = tacho__array_grow(devices->all, &devices->capacity, devices->count, sizeof(*all));
	if (all)
		devices->all = all;
	if (!use || !all || tacho__names_set(&devices->by_label, label, use))
		return NULL;
	use->label = label;
	use->index = devices->count;
	use->about.device = device;
	use->about.reason = use->about.clock = "";
	all[devices->count++] = use;
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

int tacho__devices_add(struct tacho_summary *summary, const struct tacho_command *command,
		       const struct tacho__device_use **out_device)
{
	struct tacho__device_use *use;
	struct tacho_summary_device *about;
	int rc;

	*out_device = NULL;
	if (!command->device)
		return 0;
	rc = get_use(summary, command->device, &use);
	if (rc)
		return rc;
	*out_device = use;
	about = &use->about;
	about->commands++;
	if (command->state != TACHO_STATE_OK) {
		use->lost += command->state == TACHO_STATE_LOST;
		if (!*about->reason)
			about->reason = tacho__summary_text(summary, command->reason);
		return about->reason ? 0 : TACHO_E_NOMEM;
	}
	about->measured++;
	if (command->uncertainty_ns > about->uncertainty_ns)
		about->uncertainty_ns = command->uncertainty_ns;
	if (!*about->clock && command->clock)
		about->clock = tacho__summary_text(summary, command->clock);
	if (!about->clock)
		return TACHO_E_NOMEM;
	return tacho__busy_add(&use->busy, command->start_ns, command->end_ns);
}

/* The busy time is a little too small when commands came later than the bounded memory can tell. */
static int tell_late(struct tacho_summary *summary, struct tacho__device_use *use)
{
	struct tacho__buf *text = &summary->scratch;

	if (!use->busy.late_ns)
		return 0;
	tacho__buf_clear(text);
	tacho__buf_printf(text,
			  "up to %" PRIu64 " ns of busy time are missing: commands ended more than "
			  "%d others later than they ran",
			  use->busy.late_ns, TACHO__BUSY_INTERVALS_MAX / 2);
	use->about.state = TACHO_STATE_SCALED;
	use->about.reason = tacho__summary_text(summary, tacho__buf_text(text));
	return use->about.reason ? 0 : TACHO_E_NOMEM;
}

static int complete(struct tacho_summary *summary, struct tacho__device_use *use)
{
	struct tacho_summary_device *about = &use->about;

	if (!about->measured) {
		about->state = use->lost ? TACHO_STATE_LOST : TACHO_STATE_ABSENT;
		return 0;
	}
	about->busy_ns = tacho__busy_sum_ns(&use->busy);
	about->idle_ns = use->busy.last_ns - use->busy.first_ns - about->busy_ns;
	return tell_late(summary, use);
}

static int compare(const void *left, const void *right)
{
	const struct tacho__device_use *const *a = left, *const *b = right;
	uint32_t a_id = (*a)->about.device->id, b_id = (*b)->about.device->id;

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
	for (size_t i = 0; i < devices->count; i++)
		tacho__busy_finish(&devices->all[i]->busy);
	free(devices->all);
	tacho__map_finish(&devices->by_object);
	tacho__names_finish(&devices->by_label);
}
