/* SPDX-License-Identifier: MIT */
/* Intel's OA unit as a backend. */
#include "backend/intel/intel_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "oa/variables.h"

static bool is_foreign(const struct tacho_probe *probe, const struct tacho__intel_system *system)
{
	return system == &tacho__intel_kernel &&
	       strcmp(tacho__probe_get_options(probe)->sysroot, "/") != 0;
}

/* With the last error. */
static void explain(struct tacho_probe *probe, struct tacho_device_info *info)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	info->code = detail->code;
	info->cause = tacho__probe_text(probe, "%s%s%s", detail->message,
					*detail->cause ? ": " : "", detail->cause);
	info->cure = tacho__probe_text(probe, "%s", detail->cure);
}

/* Whether it can be counted on; fills what the driver tells. */
static int try_card(struct tacho_probe *probe, const struct tacho__intel_card *card,
		    const struct tacho__intel_system *system, struct tacho_device_info *info)
{
	const char *sysroot = tacho__probe_get_options(probe)->sysroot;
	struct tacho__arena arena = {0};
	struct tacho__intel_gpu gpu;
	int rc = tacho__intel_gpu_open(&arena, sysroot, card, system, &gpu);

	if (!rc) {
		info->compute_units = gpu.topology.eu_count;
		info->timer_resolution_ns = (1000000000 + gpu.device.timestamp_frequency_hz - 1) /
					    gpu.device.timestamp_frequency_hz;
		tacho__intel_gpu_close(&gpu);
		rc = tacho__intel_gpu_check_rights(&gpu);
	}
	tacho__arena_finish(&arena);
	return rc;
}

/* `zero`: what Level Zero calls it. */
static int add_card(struct tacho_probe *probe, const struct tacho__intel_card *card,
		    const struct tacho__intel_system *system, const char *zero)
{
	const struct tacho_oa_device device = {.device_id = card->device_id};
	const char *arch = tacho_oa_device_get_arch(&device);
	struct tacho_device_info *info = tacho__probe_add_device_info(probe);

	if (!info)
		return TACHO_E_NOMEM;
	info->name = tacho__probe_text(probe, "%s", card->name);
	info->pci = tacho__probe_text(probe, "%s", card->pci);
	info->vendor = "Intel";
	info->platform = tacho__probe_text(probe, "Intel OA, %s",
					   card->driver == TACHO_OA_XE ? "xe" : "i915");
	info->driver = tacho__probe_text(probe, "PCI 8086:%04x%s%s%s", card->device_id,
					 *arch ? ", " : "", arch, zero);
	info->kind = "gpu";
	info->arch = arch;
	info->api = "oa";
	/* a tree of another machine can be looked at, and nothing in it counted */
	info->usable = is_foreign(probe, system) || !try_card(probe, card, system, info);
	if (!info->usable)
		explain(probe, info);
	return 0;
}

int tacho__intel_probe(struct tacho_probe *probe, struct tacho_probe_backend *backend_info,
		       const struct tacho__intel_system *system)
{
	struct tacho__arena arena = {0};
	const struct tacho__intel_card *cards;
	const struct tacho_device_info *info;
	size_t count, own = 0;
	int rc = tacho__intel_list_cards(&arena, tacho__probe_get_options(probe)->sysroot, &cards,
					 &count);

	for (size_t i = 0; !rc && i < count; i++) {
		const char *zero = is_foreign(probe, system)
					   ? ""
					   : tacho__intel_describe_zero(&arena, cards, count, i);

		rc = zero ? add_card(probe, &cards[i], system, zero) : TACHO_E_NOMEM;
	}
	tacho__arena_finish(&arena);
	if (rc)
		return rc;
	/* Ours are the last ones that were added. */
	while (tacho_probe_get_device_info(probe, own))
		own++;
	for (size_t i = own - count; (info = tacho_probe_get_device_info(probe, i)); i++) {
		backend_info->usable |= info->usable;
		backend_info->cause = info->cause;
		backend_info->cure = info->cure;
	}
	if (backend_info->usable)
		backend_info->cause = backend_info->cure = "";
	if (!count) {
		backend_info->cause =
			"no Intel GPU with the driver i915 or xe is in /sys/class/drm";
		backend_info->cure =
			"look whether a driver has it: lspci -k; count on a simulated one "
			"meanwhile: --sim bsw";
	}
	return 0;
}

/* The card of the backend's index-th device; NULL when it is gone. */
static const struct tacho__intel_card *find_card(const struct tacho_probe *probe, size_t index,
						 const struct tacho__intel_card *cards,
						 size_t count)
{
	const struct tacho_device_info *info =
		tacho__probe_get_own_info(probe, tacho__backend_intel.name, index);

	for (size_t i = 0; info && i < count; i++)
		if (!strcmp(cards[i].name, info->name))
			return &cards[i];
	return NULL;
}

static void close_device(struct tacho_device *base)
{
	struct tacho__intel_device *device = TACHO__OWN(struct tacho__intel_device, base);
	tacho__intel_gpu_close(&device->gpu);
	tacho__arena_finish(&device->arena);
	free(device);
}

/* What formulas use, and what bounds the counters. */
static int make_model(struct tacho__intel_device *device)
{
	const struct tacho__intel_gpu *gpu = &device->gpu;
	int rc = tacho__oa_variables_make(&device->arena, &gpu->device,
					  gpu->topology.size ? &gpu->topology : NULL, device->arch,
					  gpu->gen, &device->model);

	device->model.name = gpu->card.name;
	device->model.title = device->arch->title;
	device->model.source = "driver";
	device->limits = (struct tacho_oa_limits){
		.timestamp_hz = gpu->device.timestamp_frequency_hz,
		.clock_max_hz = gpu->device.max_frequency_hz,
		.eu_count = gpu->topology.eu_count,
	};
	return rc;
}

static int find_arch(struct tacho__intel_device *device, const struct tacho_catalog *catalog)
{
	const struct tacho_oa_device info = {.device_id = device->gpu.card.device_id};
	const char *name = tacho_oa_device_get_arch(&info);

	if (*name && !tacho_catalog_find_arch(catalog, name, "oa", &device->arch))
		return 0;
	return tacho__fail(TACHO_E_UNSUPPORTED,
			   *name ? tacho__detail("no definitions of %s are known", name)
				 : tacho__detail("PCI device 0x%04x is not known", info.device_id),
			   *name ? tacho__detail("give Mesa's file: --definitions oa-%s.xml", name)
				 : "use a newer tacho",
			   "%s cannot be counted on", device->gpu.card.name);
}

/* A foreign tree has no driver that could be asked. */
static int open_gpu(struct tacho__intel_device *device, const struct tacho__intel_card *card,
		    const char *sysroot, const struct tacho__intel_system *system)
{
	if (!device->is_foreign)
		return tacho__intel_gpu_open(&device->arena, sysroot, card, system, &device->gpu);
	device->gpu = (struct tacho__intel_gpu){
		.system = system,
		.sysroot = sysroot,
		.card = *card,
		.device = {.driver = card->driver, .device_id = card->device_id},
		.fd = -1};
	return tacho_oa_gen_find(tacho_oa_device_get_arch(&device->gpu.device), &device->gpu.gen);
}

/* Of serialized and pipelined ranges. */
static const char no_mode[] =
	"the OA unit counts the whole GPU between two moments, and no work waits for it";

int tacho__intel_open(const struct tacho_probe *probe, size_t index,
		      const struct tacho_catalog *catalog, const struct tacho__intel_system *system,
		      struct tacho_device **out_device)
{
	const char *sysroot = tacho__probe_get_options(probe)->sysroot;
	struct tacho__intel_device *device = calloc(1, sizeof(*device));
	const struct tacho__intel_card *cards, *card = NULL;
	size_t count = 0;
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a device");
	device->gpu.fd = -1;
	device->gpu.system = system;
	device->is_foreign = is_foreign(probe, system);
	rc = tacho__intel_list_cards(&device->arena, sysroot, &cards, &count);
	if (!rc)
		card = find_card(probe, index, cards, count);
	if (!rc && !card)
		rc = tacho__fail(TACHO_E_NODEVICE, "its folder in /sys is gone",
				 "make a context again", "the GPU cannot be opened");
	if (!rc) {
		device->gpu.card = *card;
		rc = find_arch(device, catalog);
	}
	if (!rc)
		rc = open_gpu(device, card, sysroot, system);
	if (!rc)
		rc = make_model(device);
	device->base.traits = (struct tacho__device_traits){
		.arch = device->arch,
		.model = &device->model,
		.replays = TACHO__REPLAYS_RANGES | 1u << TACHO_REPLAY_ROTATE,
		.has_windows = 1,
		.modes = {[TACHO_MODE_SERIALIZED].cause = no_mode,
			  [TACHO_MODE_PIPELINED].cause = no_mode},
	};
	if (rc)
		close_device(&device->base);
	else
		*out_device = &device->base;
	return rc;
}

int tacho__intel_check_device(const struct tacho__intel_device *device)
{
	if (device->is_foreign)
		return tacho__fail(TACHO_E_UNSUPPORTED, "its tree is not that of /sys",
				   "make the context without a sysroot",
				   "GPUs of another machine cannot count");
	return tacho__intel_gpu_check_rights(&device->gpu);
}

static int probe_kernel(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	return tacho__intel_probe(probe, backend_info, &tacho__intel_kernel);
}

static int open_kernel(const struct tacho_probe *probe, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	return tacho__intel_open(probe, index, catalog, &tacho__intel_kernel, out_device);
}

const struct tacho__backend tacho__backend_intel = {
	.name = "intel",
	.summary = "counts with the OA unit of Intel's GPUs",
	.probe = probe_kernel,
	.open = open_kernel,
	.close = close_device,
	.check = tacho__intel_check,
	.begin = tacho__intel_begin,
	.begin_pass = tacho__intel_begin_pass,
	.end_pass = tacho__intel_end_pass,
	.begin_range = tacho__intel_begin_range,
	.end_range = tacho__intel_end_range,
	.drain = tacho__intel_drain,
	.end = tacho__intel_end,
};
