/* SPDX-License-Identifier: MIT */
/* Simulated devices as a backend. */
#include "backend/sim/sim.h"

#include <stdlib.h>
#include <string.h>

#include "backend/sim/unit.h"
#include "base/error.h"

static int add_device(struct tacho_probe *probe, const char *wish)
{
	struct tacho__arena arena = {0};
	struct tacho__sim_device about;
	struct tacho_device *device;
	int rc = tacho__sim_device_read(&arena, wish, &about);

	device = rc ? NULL : tacho__probe_add_device(probe);
	if (!rc && !device)
		rc = TACHO_E_NOMEM;
	if (device) {
		double memory_gib = tacho__sim_device_get(&about, "memory_gib");

		device->name = tacho__probe_text(probe, "%s [simulated]", about.name);
		device->vendor = tacho__probe_text(probe, "%s", about.vendor);
		device->platform = tacho__probe_text(probe, "simulated %s, API %s", about.face.arch,
						     about.face.api);
		device->kind = "gpu";
		device->usable = 1;
		device->compute_units = (uint32_t)tacho__sim_device_get(&about, "compute_units");
		device->memory_bytes = (uint64_t)(memory_gib * 1073741824);
		device->timer_resolution_ns = 1;
	}
	tacho__arena_finish(&arena);
	return rc;
}

static int probe(struct tacho_probe *probe_, struct tacho_probe_backend *about)
{
	const char *wish;
	int rc = 0;

	for (size_t i = 0; !rc && (wish = tacho__probe_get_wish(probe_, "sim", i)); i++)
		rc = add_device(probe_, wish);
	about->usable = tacho__probe_get_wish(probe_, "sim", 0) != NULL;
	if (!about->usable) {
		about->cause = "no simulated device was named";
		about->cure = "name one: \"sim:mi300x\"";
	}
	return rc;
}

static void close_unit(struct tacho__unit *unit)
{
	while (unit->background) {
		struct tacho__sim_background *next = unit->background->next;

		free(unit->background);
		unit->background = next;
	}
	tacho__sim_rules_finish(&unit->rules);
	tacho__arena_finish(&unit->arena);
	pthread_mutex_destroy(&unit->lock);
	free(unit);
}

/* The architecture's model, with what the device's file says in its place or in addition. */
static int make_model(struct tacho__unit *unit)
{
	const struct tacho__sim_device *device = &unit->device;
	const struct tacho_model *model = NULL;
	struct tacho_property *list;
	size_t count = 0;

	if (*device->face.model) {
		model = tacho_arch_find_model(unit->arch, device->face.model);
		if (!model)
			return tacho__fail(TACHO_E_NOTFOUND, "", "tacho list models shows them",
					   "%s has no model \"%s\"", unit->arch->name,
					   device->face.model);
	}
	count = device->property_count + (model ? model->property_count : 0);
	list = tacho__arena_get(&unit->arena, (count + 1) * sizeof(*list));
	if (!list)
		return TACHO_E_NOMEM;
	/* The first of a name is the one that is found. */
	if (device->property_count)
		memcpy(list, device->properties, device->property_count * sizeof(*list));
	if (model && model->property_count)
		memcpy(list + device->property_count, model->properties,
		       model->property_count * sizeof(*list));
	unit->model = (struct tacho_model){.name = device->name,
					   .title = device->title,
					   .properties = list,
					   .property_count = count,
					   .source = "simulated"};
	return 0;
}

static int open_unit(const struct tacho_probe *probe_, size_t index,
		     const struct tacho_catalog *catalog, struct tacho__unit **out_unit)
{
	struct tacho__unit *unit = calloc(1, sizeof(*unit));
	int rc;

	if (!unit)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a simulated device");
	pthread_mutex_init(&unit->lock, NULL);
	rc = tacho__sim_device_read(&unit->arena, tacho__probe_get_wish(probe_, "sim", index),
				    &unit->device);
	if (!rc)
		rc = tacho_catalog_find_arch(catalog, unit->device.face.arch, unit->device.face.api,
					     &unit->arch);
	if (!rc)
		rc = make_model(unit);
	if (!rc)
		rc = tacho__sim_rules_read(unit->device.face.rules, &unit->rules);
	if (!rc)
		rc = tacho__sim_oa_create(&unit->arena, unit, &unit->oa);
	if (rc)
		close_unit(unit);
	else
		*out_unit = unit;
	return rc;
}

static void describe(struct tacho__unit *unit, struct tacho__unit_about *out_about)
{
	*out_about = (struct tacho__unit_about){
		.arch = unit->arch,
		.model = &unit->model,
		.replays = 1u << TACHO_REPLAY_CALLER | 1u << TACHO_REPLAY_PROCESS |
			   1u << TACHO_REPLAY_ROTATE | 1u << TACHO_REPLAY_NONE,
		.has_windows = 1,
		.is_simulated = 1,
	};
}

const struct tacho__backend tacho__backend_sim = {
	.size = sizeof(struct tacho__backend),
	.name = "sim",
	.summary = "simulated devices, to work with where there is no GPU",
	.is_named_only = 1,
	.probe = probe,
	.open = open_unit,
	.close = close_unit,
	.describe = describe,
	.begin = tacho__sim_begin,
	.pass_begin = tacho__sim_pass_begin,
	.pass_end = tacho__sim_pass_end,
	.range_begin = tacho__sim_range_begin,
	.range_end = tacho__sim_range_end,
	.drain = tacho__sim_drain,
	.end = tacho__sim_end,
};
