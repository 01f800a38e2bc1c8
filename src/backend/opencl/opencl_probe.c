/* SPDX-License-Identifier: MIT */
/* The OpenCL devices of this machine, and why others cannot be used. */
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/opencl.h"
#include "backend/opencl/opencl_place.h"
#include "base/array.h"
#include "base/error.h"

/* Drivers that answer without a device until they are told what to do. */
static const struct {
	const char *platform, *cure;
} shy_platforms[] = {
	{"rusticl", "name a Mesa driver in RUSTICL_ENABLE, for example RUSTICL_ENABLE=radeonsi"},
	{"Clover", "use rusticl instead: Clover drives few of today's GPUs"},
	{"Intel", "check that you may open /dev/dri/renderD* (group render)"},
	{"AMD", "check that you may open /dev/kfd and /dev/dri/renderD* (groups render, video)"},
	{"NVIDIA", "check that nvidia-smi runs: module and driver must be of one version"},
};

static const char *get_text(struct tacho_probe *probe, tacho__opencl_info info, cl_handle object,
			    uint32_t name)
{
	char text[TACHO__OPENCL_TEXT];

	tacho__opencl_get_text(info, object, name, text);
	return tacho__probe_text(probe, "%s", text);
}

static const char *kind_of(uint64_t type)
{
	if (type & CL__DEVICE_TYPE_GPU)
		return "gpu";
	if (type & CL__DEVICE_TYPE_CPU)
		return "cpu";
	return type & CL__DEVICE_TYPE_ACCELERATOR ? "accelerator" : "other";
}

static int add_device(struct tacho_probe *probe, const struct tacho__opencl *cl,
		      const char *platform, cl_handle handle)
{
	struct tacho_device_info *info = tacho__probe_add_device_info(probe);
	tacho__opencl_info get = cl->get_device_info;
	struct tacho__opencl_place place;

	if (!info)
		return TACHO_E_NOMEM;
	tacho__opencl_find_place(get, handle, &place);
	info->id = tacho__probe_text(probe, "%s", place.uuid);
	info->pci = tacho__probe_text(probe, "%s", place.pci);
	info->platform = platform;
	info->arch = "opencl";
	info->name = get_text(probe, get, handle, CL__DEVICE_NAME);
	info->vendor = get_text(probe, get, handle, CL__DEVICE_VENDOR);
	info->driver = get_text(probe, get, handle, CL__DRIVER_VERSION);
	info->kind = kind_of(tacho__opencl_get_number(get, handle, CL__DEVICE_TYPE));
	info->compute_units =
		(uint32_t)tacho__opencl_get_number(get, handle, CL__DEVICE_MAX_COMPUTE_UNITS);
	info->memory_bytes = tacho__opencl_get_number(get, handle, CL__DEVICE_GLOBAL_MEM_SIZE);
	info->timer_resolution_ns =
		tacho__opencl_get_number(get, handle, CL__DEVICE_PROFILING_TIMER_RESOLUTION);
	info->usable = tacho__opencl_get_number(get, handle, CL__DEVICE_AVAILABLE) == CL__TRUE;
	if (!info->usable) {
		info->cause = "the driver says that it is not available (CL_DEVICE_AVAILABLE)";
		info->cure = "end the program that holds it, or ask the administrator";
	}
	return 0;
}

/* A platform without devices is told as one that cannot be used. */
static int add_empty(struct tacho_probe *probe, const char *platform, int32_t error)
{
	struct tacho_device_info *info = tacho__probe_add_device_info(probe);
	struct tacho__buf cause = {0};

	if (!info)
		return TACHO_E_NOMEM;
	info->platform = platform;
	info->name = "(no device)";
	info->kind = "other";
	if (error)
		tacho__buf_printf(&cause, "clGetDeviceIDs said %s", tacho__opencl_error(error));
	else
		tacho__buf_put(&cause, "clGetDeviceIDs found 0 devices");
	info->cure = "remove this driver, or make its device known to it";
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(shy_platforms); i++)
		if (strstr(platform, shy_platforms[i].platform))
			info->cure = shy_platforms[i].cure;
	if (tacho__opencl_cache_blame(platform, &cause))
		info->cure = tacho__opencl_cache_cure;
	info->cause = tacho__probe_text(probe, "%s", tacho__buf_show(&cause));
	tacho__buf_finish(&cause);
	return 0;
}

static int add_platform(struct tacho_probe *probe, const struct tacho__opencl *cl,
			cl_handle platform, uint32_t *usable)
{
	const char *name = get_text(probe, cl->get_platform_info, platform, CL__PLATFORM_NAME);
	cl_handle devices[TACHO__OPENCL_HANDLES];
	int32_t error;
	uint32_t count = tacho__opencl_get_devices(cl, platform, devices, &error);
	int rc = count ? 0 : add_empty(probe, name, error);

	for (uint32_t i = 0; i < count && !rc; i++)
		rc = add_device(probe, cl, name, devices[i]);
	*usable += count;
	return rc;
}

static void tell_no_platform(struct tacho_probe *probe, struct tacho_probe_backend *backend_info,
			     int32_t error)
{
	struct tacho__buf text = {0};

	if (error)
		tacho__buf_printf(&text, "clGetPlatformIDs said %s; ", tacho__opencl_error(error));
	tacho__opencl_icds_explain(&text);
	backend_info->cause = tacho__probe_text(probe, "%s", tacho__buf_show(&text));
	backend_info->cure = TACHO__OPENCL_INSTALL;
	tacho__buf_finish(&text);
}

static int probe_opencl(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	struct tacho__opencl cl;
	uint32_t count;
	int32_t error;
	cl_handle platforms[TACHO__OPENCL_HANDLES];
	int rc = tacho__opencl_open(&cl);

	if (rc == TACHO_E_NOMEM)
		return rc;
	if (rc) {
		backend_info->cause = tacho__probe_text(probe, "%s", tacho_error_last()->cause);
		backend_info->cure = tacho__probe_text(probe, "%s", tacho_error_last()->cure);
		return 0;
	}
	backend_info->library = tacho__probe_text(probe, "%s", cl.dl.path);
	count = tacho__opencl_get_platforms(&cl, platforms, &error);
	for (uint32_t i = 0; i < count && !rc; i++)
		rc = add_platform(probe, &cl, platforms[i], &backend_info->usable);
	backend_info->usable = backend_info->usable > 0;
	if (!count)
		tell_no_platform(probe, backend_info, error);
	else if (!backend_info->usable)
		backend_info->cause = "no platform has a device";
	/* the loader stays loaded: drivers do not like to be unloaded */
	return rc;
}

const struct tacho__backend tacho__backend_opencl = {
	.name = "opencl",
	.summary = "devices of OpenCL drivers",
	.probe = probe_opencl,
};
