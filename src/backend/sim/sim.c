/* SPDX-License-Identifier: MIT */
/* Simulated devices as a backend. */
#include "backend/sim/sim.h"

#include <stdlib.h>
#include <string.h>

#include "backend/sim/sim_private.h"
#include "base/error.h"

static int add_device(struct tacho_probe *probe, const char *argument)
{
	struct tacho__arena arena = {0};
	struct tacho__sim_spec spec;
	struct tacho_device_info *info;
	int rc = tacho__sim_spec_read(&arena, argument, &spec);

	info = rc ? NULL : tacho__probe_add_device_info(probe);
	if (!rc && !info)
		rc = TACHO_E_NOMEM;
	if (info) {
		double memory_gib = tacho__sim_spec_get(&spec, "memory_gib");

		info->name = tacho__probe_text(probe, "%s [simulated]", spec.name);
		info->vendor = tacho__probe_text(probe, "%s", spec.vendor);
		info->platform = tacho__probe_text(probe, "simulated %s, API %s", spec.face.arch,
						   spec.face.api);
		info->kind = "gpu";
		info->is_simulated = 1;
		info->usable = 1;
		info->compute_units = (uint32_t)tacho__sim_spec_get(&spec, "compute_units");
		info->memory_bytes = (uint64_t)(memory_gib * 1073741824);
		info->timer_resolution_ns = 1;
	}
	tacho__arena_finish(&arena);
	return rc;
}

static int probe(struct tacho_probe *probe_, struct tacho_probe_backend *backend_info)
{
	const char *argument;
	int rc = 0;

	for (size_t i = 0; !rc && (argument = tacho__probe_get_argument(probe_, "sim", i)); i++)
		rc = add_device(probe_, argument);
	backend_info->usable = tacho__probe_get_argument(probe_, "sim", 0) != NULL;
	if (!backend_info->usable) {
		backend_info->cause = "no simulated device was named";
		backend_info->cure = "name one: \"sim:mi300x\"";
	}
	return rc;
}

static void close_device(struct tacho_device *base)
{
	struct tacho__sim_device *device = TACHO__OWN(struct tacho__sim_device, base);
	while (device->background) {
		struct tacho__sim_background *next = device->background->next;

		free(device->background);
		device->background = next;
	}
	tacho__sim_rules_finish(&device->rules);
	tacho__arena_finish(&device->arena);
	pthread_mutex_destroy(&device->lock);
	free(device);
}

/* The architecture's model, with what the device's file says in its place or in addition. */
static int make_model(struct tacho__sim_device *device)
{
	const struct tacho__sim_spec *spec = &device->spec;
	const struct tacho_model *model = NULL;
	struct tacho_property *list;
	size_t count = 0;

	if (*spec->face.model) {
		model = tacho_arch_find_model(device->arch, spec->face.model);
		if (!model)
			return tacho__fail(TACHO_E_NOTFOUND, "", "tacho list models shows them",
					   "%s has no model \"%s\"", device->arch->name,
					   spec->face.model);
	}
	count = spec->property_count + (model ? model->property_count : 0);
	list = tacho__arena_get(&device->arena, (count + 1) * sizeof(*list));
	if (!list)
		return TACHO_E_NOMEM;
	/* The first of a name is the one that is found. */
	if (spec->property_count)
		memcpy(list, spec->properties, spec->property_count * sizeof(*list));
	if (model && model->property_count)
		memcpy(list + spec->property_count, model->properties,
		       model->property_count * sizeof(*list));
	device->model = (struct tacho_model){.name = spec->name,
					     .title = spec->title,
					     .properties = list,
					     .property_count = count,
					     .source = "simulated"};
	return 0;
}

static int open_device(const struct tacho_probe *probe_, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	struct tacho__sim_device *device = calloc(1, sizeof(*device));
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a simulated device");
	pthread_mutex_init(&device->lock, NULL);
	rc = tacho__sim_spec_read(&device->arena, tacho__probe_get_argument(probe_, "sim", index),
				  &device->spec);
	if (!rc)
		rc = tacho_catalog_find_arch(catalog, device->spec.face.arch, device->spec.face.api,
					     &device->arch);
	if (!rc)
		rc = make_model(device);
	if (!rc)
		rc = tacho__sim_rules_read(device->spec.face.rules, &device->rules);
	if (!rc)
		rc = tacho__sim_oa_create(&device->arena, device, &device->oa);
	device->base.traits = (struct tacho__device_traits){
		.arch = device->arch,
		.model = &device->model,
		.replays = TACHO__REPLAYS_RANGES | 1u << TACHO_REPLAY_ROTATE,
		.has_windows = 1,
		/* a range that waits at its ends lets none in it wait at its own */
		.modes = {[TACHO_MODE_SERIALIZED] = {.levels = 1}},
	};
	if (rc)
		close_device(&device->base);
	else
		*out_device = &device->base;
	return rc;
}

const struct tacho__backend tacho__backend_sim = {
	.name = "sim",
	.summary = "simulated devices, to work with where there is no GPU",
	.is_named_only = 1,
	.probe = probe,
	.open = open_device,
	.close = close_device,
	.begin = tacho__sim_begin,
	.begin_pass = tacho__sim_pass_begin,
	.end_pass = tacho__sim_pass_end,
	.begin_range = tacho__sim_range_begin,
	.end_range = tacho__sim_range_end,
	.drain = tacho__sim_drain,
	.end = tacho__sim_end,
};
