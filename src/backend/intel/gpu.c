/* SPDX-License-Identifier: MIT */
/* A GPU that is open: what its driver says about it. */
#include <errno.h>
#include <string.h>

#include "backend/intel/intel_private.h"
#include "base/clock.h"
#include "base/error.h"
#include "tacho/sys/oa_metrics.h"

enum { TRIES = 8 };

static int fail_open(const struct tacho__intel_card *card, int error)
{
	if (error == EACCES || error == EPERM)
		return tacho__fail_errno(
			TACHO_E_PERM, error,
			"add yourself to the node's group (render or video), or run as root",
			"%s may not be opened", card->node);
	return tacho__fail_errno(TACHO_E_NODEVICE, error,
				 "have /dev made available, with the GPU's nodes",
				 "%s cannot be opened", card->node);
}

/* Frequencies of the core, in Hz; 0 where sysfs does not tell. */
static void read_frequencies(struct tacho__intel_gpu *gpu)
{
	static const uint64_t mhz = 1000000, mhz_max = UINT32_MAX / 1000000;
	int is_xe = gpu->card.driver == TACHO_OA_XE;
	const char *low = is_xe ? "device/tile0/gt0/freq0/min_freq" : "gt_min_freq_mhz";
	const char *high = is_xe ? "device/tile0/gt0/freq0/max_freq" : "gt_max_freq_mhz";
	uint64_t number;

	if (!tacho__intel_read_number(gpu->card.folder, low, &number) && number <= mhz_max)
		gpu->device.min_frequency_hz = (uint32_t)(number * mhz);
	if (!tacho__intel_read_number(gpu->card.folder, high, &number) && number <= mhz_max)
		gpu->device.max_frequency_hz = (uint32_t)(number * mhz);
}

static int find_generation(struct tacho__intel_gpu *gpu)
{
	const char *arch = tacho_oa_device_get_arch(&gpu->device);

	if (!*arch || tacho_oa_gen_find(arch, &gpu->gen))
		return tacho__fail(
			TACHO_E_UNSUPPORTED,
			tacho__detail("PCI device 0x%04x is not known", gpu->device.device_id),
			"use a newer tacho", "%s cannot be counted on", gpu->card.name);
	gpu->format = tacho_oa_format_get_usual(gpu->gen);
	return 0;
}

int tacho__intel_gpu_open(struct tacho__arena *arena, const char *sysroot,
			  const struct tacho__intel_card *card,
			  const struct tacho__intel_system *system,
			  struct tacho__intel_gpu *out_gpu)
{
	struct tacho__intel_gpu gpu = {
		.system = system,
		.sysroot = sysroot,
		.card = *card,
		.device = {.driver = card->driver, .device_id = card->device_id},
	};
	int rc;

	gpu.fd = system->open(system->user, card->node);
	if (gpu.fd < 0)
		return fail_open(card, errno);
	read_frequencies(&gpu);
	rc = find_generation(&gpu);
	if (!rc)
		rc = card->driver == TACHO_OA_XE ? tacho__xe_ask(arena, &gpu)
						 : tacho__i915_ask(arena, &gpu);
	if (rc)
		tacho__intel_gpu_close(&gpu);
	else
		*out_gpu = gpu;
	return rc;
}

void tacho__intel_gpu_close(struct tacho__intel_gpu *gpu)
{
	if (gpu->fd >= 0)
		gpu->system->close(gpu->system->user, gpu->fd);
	gpu->fd = -1;
}

int tacho__intel_gpu_choose_format(struct tacho__intel_gpu *gpu,
				   const struct tacho_oa_format *format)
{
	int is_xe = gpu->card.driver == TACHO_OA_XE, rc;
	uint32_t number = tacho__oa_get_format_number(gpu->card.driver, format);

	if (!number)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   is_xe ? "xe has no type, select and size of counters for it"
					 : "i915 names formats by a number, and has none for it",
				   tacho__detail("choose another, %s for instance%s",
						 gpu->format->name,
						 is_xe ? "" : "; or use the driver xe"),
				   "%s has no reports %s of %s", is_xe ? "xe" : "i915",
				   format->name, gpu->card.name);
	rc = is_xe ? tacho__xe_choose_unit(gpu, format) : tacho__i915_choose_unit(gpu, format);
	if (rc)
		return rc;
	gpu->format = format;
	gpu->device.format = number;
	return 0;
}

int tacho__intel_gpu_get_clock(const struct tacho__intel_gpu *gpu, uint64_t *out_cpu_ns,
			       uint64_t *out_gpu_ticks)
{
	uint64_t best_ns = UINT64_MAX, cpu_ns = 0, gpu_ticks = 0;

	if (gpu->card.driver == TACHO_OA_XE)
		return tacho__xe_get_clock(gpu, out_cpu_ns, out_gpu_ticks);
	/* The narrowest of several tries: the process may be put aside between the two clocks. */
	for (int i = 0; i < TRIES; i++) {
		uint64_t before_ns = tacho__clock_monotonic_ns(), after_ns, ticks;
		int rc = tacho__i915_get_clock(gpu, &ticks);

		if (rc)
			return rc;
		after_ns = tacho__clock_monotonic_ns();
		if (after_ns - before_ns >= best_ns)
			continue;
		best_ns = after_ns - before_ns;
		cpu_ns = before_ns + best_ns / 2;
		gpu_ticks = ticks;
	}
	*out_cpu_ns = cpu_ns;
	*out_gpu_ticks = gpu_ticks;
	return 0;
}
