/* SPDX-License-Identifier: MIT */
/* The devices: one with everything, and one per unit of the kernel that has events. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "backend/perf/perf.h"
#include "base/error.h"
#include "catalog/arch.h"

static bool begins_with(const char *name, const char *start)
{
	return !strncmp(name, start, strlen(start));
}

static const char *kind_of(const char *name)
{
	static const char *const gpus[] = {"i915", "xe_", "amdgpu", "nvidia", "v3d"};

	for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++)
		if (begins_with(name, gpus[i]))
			return "gpu";
	return begins_with(name, "cpu") || begins_with(name, "armv") ? "cpu" : "other";
}

static const char *vendor_of(const char *name)
{
	if (begins_with(name, "i915") || begins_with(name, "xe_"))
		return "Intel";
	if (begins_with(name, "amdgpu"))
		return "AMD";
	return begins_with(name, "nvidia") ? "NVIDIA" : "";
}

/* With the last error. */
static void explain(struct tacho_probe *probe, struct tacho_device_info *info)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	info->code = detail->code;
	info->cause = tacho__probe_text(probe, "%s", detail->cause);
	info->cure = tacho__probe_text(probe, "%s", detail->cure);
}

static int try_pmu(const struct tacho__perf_pmu *pmu)
{
	bool is_user_only;
	int error = tacho__perf_try_pmu(pmu, &is_user_only);

	if (error == ENODATA)
		return tacho__fail(
			TACHO_E_UNSUPPORTED, "its events need numbers that are not stated",
			"name them: UNIT/EVENT,NAME=NUMBER/", "%s has no plain event", pmu->name);
	return error ? tacho__perf_fail(error, pmu->name,
					pmu->is_device_wide ? TACHO__PERF_SYSTEM
							    : TACHO__PERF_PROCESS)
		     : 0;
}

static int try_software(void)
{
	struct tacho_entry entry = {.name = "task-clock"};
	struct tacho__perf_counter counter = {.entry = &entry, .scale = 1};
	int error;

	counter.code.type = PERF_TYPE_SOFTWARE;
	counter.code.config[0] = PERF_COUNT_SW_TASK_CLOCK;
	error = tacho__perf_try(&counter, true);
	return error ? tacho__perf_fail(error, "task-clock", TACHO__PERF_PROCESS) : 0;
}

static bool is_foreign(const struct tacho_probe *probe)
{
	return strcmp(tacho__probe_get_options(probe)->sysroot, "/") != 0;
}

static struct tacho_device_info *add_device(struct tacho_probe *probe, const char *name)
{
	struct tacho_device_info *info = tacho__probe_add_device_info(probe);
	struct utsname kernel;

	if (!info)
		return NULL;
	info->name = tacho__probe_text(probe, "%s", name);
	info->platform = "Linux perf";
	if (!is_foreign(probe) && !uname(&kernel))
		info->driver = tacho__probe_text(probe, "%s", kernel.release);
	info->kind = kind_of(name);
	info->vendor = vendor_of(name);
	info->timer_resolution_ns = 1;
	return info;
}

static int add_pmu(struct tacho_probe *probe, const struct tacho__perf_pmu *pmu)
{
	struct tacho_device_info *info = add_device(probe, pmu->name);

	if (!info)
		return TACHO_E_NOMEM;
	/* a tree of another machine can be looked at, and nothing in it counted */
	info->usable = is_foreign(probe) || !try_pmu(pmu);
	if (!info->usable)
		explain(probe, info);
	return 0;
}

static int probe_perf(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	struct tacho__arena arena = {0};
	const struct tacho__perf_pmu *pmus;
	struct tacho_device_info *all;
	size_t count;
	int rc = tacho__perf_list_pmus(&arena, tacho__probe_get_options(probe)->sysroot, &pmus,
				       &count);

	if (rc)
		goto out;
	all = add_device(probe, TACHO__PERF_ALL);
	if (!all) {
		rc = TACHO_E_NOMEM;
		goto out;
	}
	all->kind = "cpu";
	backend_info->usable = all->usable = is_foreign(probe) || !try_software();
	if (!all->usable) {
		explain(probe, all);
		backend_info->cause = all->cause;
		backend_info->cure = all->cure;
	}
	for (size_t i = 0; i < count && !rc; i++)
		if (pmus[i].event_count)
			rc = add_pmu(probe, &pmus[i]);
out:
	tacho__arena_finish(&arena);
	return rc;
}

static void close_device(struct tacho_device *base)
{
	struct tacho__perf_device *device = TACHO__OWN(struct tacho__perf_device, base);
	tacho_catalog_close(device->catalog);
	tacho__names_finish(&device->counters);
	tacho__arena_finish(&device->arena);
	free(device);
}

static int choose(struct tacho__perf_device *device, const struct tacho_device_info *info)
{
	if (!info)
		return tacho__fail(TACHO_E_INVAL, "", "", "the backend perf has no such device");
	if (!strcmp(info->name, TACHO__PERF_ALL))
		return 0;
	for (size_t i = 0; i < device->pmu_count; i++)
		if (!strcmp(device->pmus[i].name, info->name))
			device->only = &device->pmus[i];
	if (device->only)
		return 0;
	return tacho__fail(TACHO_E_NODEVICE, "its folder in /sys is gone",
			   "load its driver, and make a context again",
			   "the unit %s cannot be opened", info->name);
}

/* Of serialized and pipelined ranges. */
static const char no_mode[] =
	"the kernel counts threads between two moments, and no thread waits for another";

static int open_device(const struct tacho_probe *probe, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	struct tacho__perf_device *device = calloc(1, sizeof(*device));
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a device");
	device->is_foreign = is_foreign(probe);
	rc = tacho__catalog_create(&device->catalog);
	if (!rc)
		rc = tacho__perf_list_pmus(&device->arena, tacho__probe_get_options(probe)->sysroot,
					   &device->pmus, &device->pmu_count);
	if (!rc)
		rc = choose(device,
			    tacho__probe_get_own_info(probe, tacho__backend_perf.name, index));
	if (!rc)
		rc = tacho__perf_fill_catalog(device);
	device->base.traits = (struct tacho__device_traits){
		.arch = device->arch ? tacho__arch_public(device->arch) : NULL,
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

const struct tacho__backend tacho__backend_perf = {
	.name = "perf",
	.summary = "counts what the Linux kernel and its drivers count",
	.is_own_source = 1,
	.probe = probe_perf,
	.open = open_device,
	.close = close_device,
	.define = tacho__perf_define,
	.check = tacho__perf_check,
	.begin = tacho__perf_begin,
	.begin_pass = tacho__perf_begin_pass,
	.end_pass = tacho__perf_end_pass,
	.begin_range = tacho__perf_begin_range,
	.end_range = tacho__perf_end_range,
	.end = tacho__perf_end,
};
