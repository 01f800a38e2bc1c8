/* SPDX-License-Identifier: MIT */
/*
 * When ranges begin and end, and what of it each mode can tell: the counters of
 * data/khronos/stamps.yaml, over one pair of time stamps.
 */
#include "backend/gl/gl_private.h"
#include "backend/wishes.h"
#include "base/error.h"
#include "catalog/arch.h"

static const char *explain_stamps(const struct tacho__gl_device *device)
{
	if (device->has_stamps)
		return NULL;
	if (!device->gl.query_counter || !device->gl.get_object_64)
		return "the driver has no function glQueryCounter: it tells the time between two "
		       "points, and not when they were";
	return "the driver says that GL_TIMESTAMP has 0 bits: it tells the time between two "
	       "points, and not when they were";
}

/* Its counters share passes with those of GL_TIME, and no others. */
static int add_block(const struct tacho__gl_device *device, const char *name)
{
	const struct tacho_block block = {
		.name = name,
		.description = "time stamps; other queries would cost time",
		.slots = TACHO__GL_ACTIVE,
		.instances = 1,
		.attributes = "apart",
	};

	return tacho_arch_find_block(tacho__arch_public(device->own.arch), name)
		       ? 0
		       : tacho__arch_add_block(device->own.arch, &block);
}

int tacho__gl_add_time(struct tacho__gl_device *device, const struct tacho_entry *definition)
{
	struct tacho__gl_counter how = {.kind = TACHO__GL_TIME,
					.time = (enum tacho__gl_time)definition->event,
					.target = GL__TIME_ELAPSED};
	struct tacho_entry entry = *definition;
	int rc = 0;
	const char *reason = tacho__gl_explain_query(device, how.target, 0, &rc);

	if (!reason && (how.time == TACHO__GL_START || how.time == TACHO__GL_STOP))
		reason = explain_stamps(device);
	if (rc)
		return rc;
	if (reason)
		return tacho__known_refuse(device->own.arch, &entry, reason);
	rc = add_block(device, entry.block);
	if (!rc)
		entry.caveat = tacho__gl_make_caveat(device, definition, &rc);
	return rc ? rc : tacho__gl_add_counter(device, &entry, &how);
}

bool tacho__gl_has_time(const struct tacho__gl_counter *counter, uint32_t mode)
{
	return counter->time != TACHO__GL_ACTIVE || mode == TACHO_MODE_SERIALIZED;
}

const char *tacho__gl_explain(const struct tacho_device *base, const struct tacho_entry *entry,
			      uint32_t mode)
{
	const struct tacho__gl_device *device = TACHO__OWN(const struct tacho__gl_device, base);
	const struct tacho__gl_counter *counter =
		tacho__map_get(&device->own.counters, (uintptr_t)entry);

	return !counter || tacho__gl_has_time(counter, mode)
		       ? ""
		       : "time stamps tell when all work before a point was done, and not when "
			 "work begins while other work is under way";
}

static int refuse(const struct tacho_plan *plan, uint32_t mode, const struct tacho_entry *entry,
		  const char *cause)
{
	bool insists = true;
	int rc = tacho__plan_insists(plan, mode, entry, &insists);

	if (rc || !insists)
		return rc;
	return tacho__fail(TACHO_E_UNSUPPORTED, cause,
			   "count it serialized, or count gpu__time_duration",
			   "%s can be had serialized only", entry->name);
}

int tacho__gl_check_pass(struct tacho_device *base, const struct tacho_plan *plan, size_t pass)
{
	const struct tacho_plan_pass *info = tacho_plan_get_pass(plan, pass);
	int rc = 0;

	for (size_t i = 0; i < info->counter_count && !rc; i++) {
		const struct tacho_entry *entry = info->counters[i].entry;
		const char *cause = tacho__gl_explain(base, entry, info->mode);

		if (*cause)
			rc = refuse(plan, info->mode, entry, cause);
	}
	return rc;
}

void tacho__gl_set_modes(struct tacho__gl_device *device)
{
	struct tacho__mode_traits *modes = device->base.traits.modes;

	/* queries of one target do not nest, and nothing waits inside a serialized range */
	for (size_t i = 0; i < TACHO_MODE_COUNT; i++)
		modes[i].levels = 1;
	if (device->finishes && device->has_stamps)
		modes[TACHO_MODE_PIPELINED].note =
			"this driver takes time stamps rightly only when nothing is under way: "
			"tacho waits for all work before each, so that times are those of ranges "
			"that run by themselves; counts of queries are not waited for";
}
