/* SPDX-License-Identifier: MIT */
/* NVIDIA's GPUs that are opened for counting. */
#include <stdlib.h>
#include <string.h>

#include "backend/cupti/cupti_chip.h"
#include "backend/cupti/cupti_gpus.h"
#include "base/array.h"
#include "base/error.h"

void tacho__cupti_close(struct tacho_device *base)
{
	struct tacho__cupti_device *device = TACHO__OWN(struct tacho__cupti_device, base);

	tacho__cupti_close_profiler(device);
	tacho_catalog_close(device->definitions);
	free(device);
}

/* The chip is known to NVIDIA's library alone, which catalogs ask only when its API is named. */
static int find_arch(struct tacho__cupti_device *device, const struct tacho_catalog *catalog,
		     const char *api, const struct tacho_arch **out_arch)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = device->gpu.chip, .api = api, .no_environment = 1};
	int rc;

	if (!*device->gpu.chip)
		return tacho__fail(TACHO_E_UNSUPPORTED, "CUPTI did not say which chip it is",
				   "see why: tacho doctor cupti", "%s cannot be counted on",
				   device->gpu.name);
	if (!tacho_catalog_find_arch(catalog, device->gpu.chip, api, out_arch))
		return 0;
	rc = tacho_catalog_open(&options, &device->definitions);
	return rc ? rc
		  : tacho_catalog_find_arch(device->definitions, device->gpu.chip, api, out_arch);
}

static void make_model(struct tacho__cupti_device *device)
{
	const struct tacho__cupti_gpu *gpu = &device->gpu;
	const struct tacho_property known[] = {
		{"compute_major", gpu->major},
		{"compute_minor", gpu->minor},
		{"multiprocessors", gpu->multiprocessors},
		{"clock_hz", gpu->clock_hz},
		{"memory_bytes", gpu->memory_bytes},
	};

	device->model = (struct tacho_model){.name = gpu->name,
					     .title = gpu->name,
					     .properties = device->properties,
					     .source = "NVIDIA's driver"};
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(known); i++)
		if (known[i].value || (i == 1 && gpu->major))
			device->properties[device->model.property_count++] = known[i];
}

static int open_gpu(const struct tacho_probe *probe, size_t index,
		    const struct tacho_catalog *catalog, const char *api,
		    struct tacho__cupti_device **out_device)
{
	struct tacho__cupti_device *device = calloc(1, sizeof(*device));
	struct tacho__cupti_system *system = NULL;
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a device");
	rc = tacho__cupti_find_gpu(probe, index, &system);
	if (!rc) {
		device->gpu = system->gpus[index].gpu;
		device->live = system->live;
		rc = find_arch(device, catalog, api, &device->base.traits.arch);
	}
	free(system);
	if (rc) {
		tacho__cupti_close(&device->base);
		return rc;
	}
	make_model(device);
	device->base.traits.model = &device->model;
	*out_device = device;
	return 0;
}

static const char no_pipelined[] =
	"NVIDIA's library has given that up: it counts ranges serialized";

int tacho__cupti_open_ranges(const struct tacho_probe *probe, size_t index,
			     const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	struct tacho__cupti_device *device;
	int rc = open_gpu(probe, index, catalog, TACHO__CUPTI_API, &device);

	if (rc)
		return rc;
	device->base.traits.replays =
		TACHO__REPLAYS_RANGES | 1u << TACHO_REPLAY_ROTATE | 1u << TACHO_REPLAY_VENDOR;
	device->base.traits.modes[TACHO_MODE_DEFAULT].levels = 1;
	device->base.traits.modes[TACHO_MODE_SERIALIZED].levels = 1;
	device->base.traits.modes[TACHO_MODE_PIPELINED].cause = no_pipelined;
	*out_device = &device->base;
	return 0;
}

int tacho__cupti_open_samples(const struct tacho_probe *probe, size_t index,
			      const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	static const char no_ranges[] =
		"the GPU is sampled as a whole, whatever it runs; no work waits for it";
	struct tacho__cupti_device *device;
	int rc = open_gpu(probe, index, catalog, TACHO__CUPTI_SAMPLING_API, &device);

	if (rc)
		return rc;
	device->base.traits.replays = 1u << TACHO_REPLAY_NONE;
	device->base.traits.has_windows = 1;
	device->base.traits.modes[TACHO_MODE_DEFAULT].note = "of the whole GPU, whoever used it";
	device->base.traits.modes[TACHO_MODE_SERIALIZED].cause = no_ranges;
	device->base.traits.modes[TACHO_MODE_PIPELINED].cause = no_ranges;
	*out_device = &device->base;
	return 0;
}
