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
		info->arch = tacho__probe_text(probe, "%s", spec.face.arch);
		info->api = tacho__probe_text(probe, "%s", spec.face.api);
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
	tacho_catalog_close(device->own_catalog);
	tacho__arena_finish(&device->arena);
	pthread_mutex_destroy(&device->lock);
	free(device);
}

static int fail_arch(const struct tacho__sim_device *device)
{
	const struct tacho__sim_spec *spec = &device->spec;
	const struct tacho_problem *problem =
		device->own_catalog ? tacho_catalog_get_problem(device->own_catalog, 0) : NULL;

	if (problem)
		return tacho__fail(TACHO_E_NOTFOUND,
				   tacho__detail("%s:%u: %s%s%s", problem->file, problem->line,
						 problem->entry, *problem->entry ? ": " : "",
						 problem->message),
				   "correct the definitions", "%s is not defined for the API %s",
				   spec->face.arch, spec->face.api);
	return tacho__fail(
		TACHO_E_NOTFOUND, tacho__detail("no definitions declare it"),
		"declare it below \"architectures:\" of a file of definitions "
		"(docs/rocm-definitions.md), and write \"definitions: FILE\" into the device's",
		"%s is no architecture for the API %s", spec->face.arch, spec->face.api);
}

/* The architecture: of the context's catalog, or of the device's own definitions. */
static int find_arch(struct tacho__sim_device *device, const struct tacho_catalog *catalog)
{
	const struct tacho__sim_spec *spec = &device->spec;
	const struct tacho_catalog_options options = {.size = sizeof(options),
						      .arch = spec->face.arch,
						      .api = spec->face.api,
						      .definitions = spec->definitions,
						      .definition_count = spec->definition_count};
	int rc = spec->definition_count ? tacho_catalog_open(&options, &device->own_catalog) : 0;

	if (rc)
		return rc;
	catalog = device->own_catalog ? device->own_catalog : catalog;
	rc = tacho_catalog_find_arch(catalog, spec->face.arch, spec->face.api, &device->arch);
	return rc == TACHO_E_NOTFOUND ? fail_arch(device) : rc;
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
		rc = find_arch(device, catalog);
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
