/* SPDX-License-Identifier: MIT */
/* AMD's GPUs as a backend: what the kernel shows, and what hinders. */
#include "backend/rocm/rocm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backend/rocm/rocm_library.h"
#include "backend/rocm/rocm_private.h"
#include "base/buf.h"
#include "base/error.h"

const char *tacho__rocm_find_root(const struct tacho_probe *probe, struct tacho__arena *arena,
				  bool *out_is_foreign)
{
	const char *root = probe ? tacho__probe_get_options(probe)->sysroot : "/";
	const char *named = getenv(TACHO__ROCM_ROOT_VARIABLE);
	struct tacho__buf text = {0};
	size_t size;

	*out_is_foreign = strcmp(root, "/") != 0;
	if (!*out_is_foreign && named && *named == '/')
		root = named;
	size = strlen(root);
	tacho__buf_printf(&text, "%s%s", root, root[size - 1] == '/' ? "" : "/");
	return tacho__buf_keep(&text, arena);
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

/* What is looked at for all GPUs. */
struct look {
	struct tacho_probe *probe;
	const char *root, *driver;
	bool is_foreign;
	const struct tacho__kfd_gpu *gpus;
	size_t count;
	struct tacho__rocm_library library;
};

/* Its number among those of the same name, which it is told apart by; 0: it is the only one. */
static size_t number_among(const struct look *look, size_t index)
{
	size_t same = 0, number = 0;

	for (size_t i = 0; i < look->count; i++) {
		same += !strcmp(look->gpus[i].name, look->gpus[index].name);
		if (i == index)
			number = same;
	}
	return same > 1 ? number : 0;
}

static const char *make_name(const struct look *look, size_t index)
{
	const struct tacho__kfd_gpu *gpu = &look->gpus[index];
	size_t number = number_among(look, index);

	if (gpu->is_forbidden)
		return tacho__probe_text(look->probe, "node %" PRIu32, gpu->node);
	return number ? tacho__probe_text(look->probe, "%s #%zu", gpu->name, number)
		      : tacho__probe_text(look->probe, "%s", gpu->name);
}

/* 0, or why nothing can be counted on it. */
static int check_gpu(const struct look *look, const struct tacho__kfd_gpu *gpu)
{
	int rc;

	if (look->is_foreign && !gpu->is_forbidden)
		return 0; /* can be looked at, and nothing in it counted */
	rc = tacho__rocm_check_rights(look->root, gpu);
	if (!rc && !look->library.path[0])
		rc = tacho__fail(TACHO_E_NODEVICE, look->library.cause, look->library.cure,
				 "AMD's profiling library does not load");
	return rc;
}

/* "" when the kernel does not tell. */
static const char *format_pci(const struct look *look, const struct tacho__kfd_gpu *gpu)
{
	uint64_t location = 0, domain = 0;
	bool is_known = false;

	for (size_t i = 0; i < gpu->property_count; i++) {
		if (!strcmp(gpu->properties[i].name, "location_id")) {
			location = (uint64_t)gpu->properties[i].value;
			is_known = true;
		} else if (!strcmp(gpu->properties[i].name, "domain")) {
			domain = (uint64_t)gpu->properties[i].value;
		}
	}
	if (!is_known || gpu->is_forbidden)
		return "";
	return tacho__probe_text(look->probe, "%04x:%02x:%02x.%u", (unsigned)domain & 0xffff,
				 (unsigned)(location >> 8) & 0xff, (unsigned)(location >> 3) & 0x1f,
				 (unsigned)location & 7);
}

/* ", HIP device 1": as programs started from here number it. */
static const char *format_number(const struct look *look, size_t index)
{
	const char *hider;
	int number = tacho__rocm_find_number(look->gpus, look->count, index, &hider);

	if (look->is_foreign)
		return "";
	if (number >= 0)
		return tacho__probe_text(look->probe, ", HIP device %d", number);
	return tacho__probe_text(look->probe, ", hidden by %s", hider);
}

static int add_gpu(const struct look *look, size_t index)
{
	const struct tacho__kfd_gpu *gpu = &look->gpus[index];
	struct tacho_device_info *info = tacho__probe_add_device_info(look->probe);

	if (!info)
		return TACHO_E_NOMEM;
	info->name = make_name(look, index);
	info->pci = format_pci(look, gpu);
	info->vendor = "AMD";
	info->platform = "ROCm";
	info->kind = "gpu";
	if (!gpu->is_forbidden)
		info->driver = tacho__probe_text(
			look->probe,
			"amdgpu%s%s, PCI %04" PRIx32 ":%04" PRIx32 ", %s, %" PRIu32 " die%s%s",
			*look->driver ? " " : "", look->driver, gpu->vendor_id, gpu->device_id,
			gpu->arch, gpu->dies, gpu->dies == 1 ? "" : "s",
			format_number(look, index));
	info->launches_only = 1;
	info->arch = tacho__probe_text(look->probe, "%s", gpu->is_forbidden ? "" : gpu->arch);
	info->api = "rocm";
	info->compute_units = gpu->compute_units;
	info->memory_bytes = gpu->memory_bytes;
	info->timer_resolution_ns = gpu->is_forbidden ? 0 : 10; /* 100 MHz */
	info->usable = !check_gpu(look, gpu);
	if (!info->usable)
		explain(look->probe, info);
	return 0;
}

static void judge(const struct look *look, struct tacho_probe_backend *backend_info)
{
	const struct tacho_device_info *info;

	for (size_t i = 0; i < look->count; i++) {
		info = tacho__probe_get_own_info(look->probe, tacho__backend_rocm.name, i);
		backend_info->usable |= info->usable;
		backend_info->cause = info->cause;
		backend_info->cure = info->cure;
	}
	if (backend_info->usable)
		backend_info->cause = backend_info->cure = "";
	if (look->library.path[0])
		backend_info->library = tacho__probe_text(
			look->probe, "%s%s%s", look->library.path,
			*look->library.version ? ", version " : "", look->library.version);
	if (look->count)
		return;
	backend_info->cause = tacho__probe_text(
		look->probe, "no AMD GPU with the driver amdgpu is in %ssys/class/kfd", look->root);
	backend_info->cure = "look whether a driver has it: lspci -k; count on a simulated one "
			     "meanwhile: --sim mi300x";
}

static int probe_gpus(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	struct tacho__arena arena = {0};
	struct look look = {.probe = probe};
	int rc = TACHO_E_NOMEM;

	look.root = tacho__rocm_find_root(probe, &arena, &look.is_foreign);
	if (look.root)
		rc = tacho__kfd_list(&arena, look.root, &look.gpus, &look.count);
	if (!rc)
		look.driver = tacho__kfd_read_driver(&arena, look.root);
	if (!rc && !look.driver)
		rc = TACHO_E_NOMEM;
	/* in the program that counts it is loaded already */
	if (!rc && look.count && !look.is_foreign && !tacho__probe_get_options(probe)->handle)
		tacho__rocm_library_find(look.root, &look.library);
	else if (!rc && tacho__probe_get_options(probe)->handle)
		strcpy(look.library.path, TACHO__ROCM_LIBRARY);
	for (size_t i = 0; !rc && i < look.count; i++)
		rc = add_gpu(&look, i);
	if (!rc)
		judge(&look, backend_info);
	tacho__arena_finish(&arena);
	return rc;
}

/* ---- a device ---- */

static void close_device(struct tacho_device *base)
{
	struct tacho__rocm_device *device = TACHO__OWN(struct tacho__rocm_device, base);

	tacho__arena_finish(&device->arena);
	free(device);
}

static int find_arch(const struct tacho__rocm_device *device, const struct tacho_catalog *catalog,
		     const struct tacho_arch **out_arch)
{
	if (device->gpu.is_forbidden)
		return tacho__rocm_check_rights("/", &device->gpu);
	if (!tacho_catalog_find_arch(catalog, device->gpu.arch, "rocm", out_arch))
		return 0;
	return tacho__fail(TACHO_E_UNSUPPORTED,
			   tacho__detail("no definitions of %s are known", device->gpu.arch),
			   "give AMD's file of its ROCm: --definitions counter_defs.yaml",
			   "%s cannot be counted on", device->gpu.name);
}

static int find_gpu(struct tacho__rocm_device *device, const struct tacho_probe *probe,
		    size_t index)
{
	const struct tacho__kfd_gpu *gpus;
	bool is_foreign;
	const char *root = tacho__rocm_find_root(probe, &device->arena, &is_foreign);
	size_t count = 0;
	int rc = root ? tacho__kfd_list(&device->arena, root, &gpus, &count) : TACHO_E_NOMEM;

	if (!rc && index >= count)
		rc = tacho__fail(TACHO_E_NODEVICE, "its folder in /sys is gone",
				 "make a context again", "the GPU cannot be opened");
	if (!rc)
		device->gpu = gpus[index];
	return rc;
}

static int open_gpu(const struct tacho_probe *probe, size_t index,
		    const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	struct tacho__rocm_live *live = tacho__probe_get_options(probe)->handle;
	struct tacho__rocm_device *device = calloc(1, sizeof(*device));
	const struct tacho_arch *arch = NULL;
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a device");
	rc = find_gpu(device, probe, index);
	if (!rc)
		rc = find_arch(device, catalog, &arch);
	if (rc) {
		close_device(&device->base);
		return rc;
	}
	device->live = live && live->magic == TACHO__ROCM_LIVE_MAGIC ? live : NULL;
	device->model = (struct tacho_model){.name = device->gpu.name,
					     .title = device->gpu.name,
					     .properties = device->gpu.properties,
					     .property_count = device->gpu.property_count,
					     .source = "the kernel's topology"};
	device->base.traits = (struct tacho__device_traits){
		.arch = arch,
		.model = &device->model,
		/* AMD's library cannot run a kernel again */
		.replays = 1u << TACHO_REPLAY_PROCESS | 1u << TACHO_REPLAY_NONE |
			   1u << TACHO_REPLAY_ROTATE,
		/* launches that are counted wait for each other */
		.modes = {{.levels = 1},
			  {.levels = 1},
			  {.levels = 1, .cause = "AMD's library counts launches one at a time"}},
	};
	*out_device = &device->base;
	return 0;
}

uint32_t tacho__rocm_get_node(const struct tacho_device *base)
{
	return TACHO__OWN(const struct tacho__rocm_device, base)->gpu.node;
}

const struct tacho__backend tacho__backend_rocm = {
	.name = "rocm",
	.summary = "counts kernels on AMD's GPUs, through AMD's library in the program",
	.probe = probe_gpus,
	.open = open_gpu,
	.close = close_device,
	.check = tacho__rocm_check,
	.begin = tacho__rocm_begin,
	.begin_pass = tacho__rocm_begin_pass,
	.end_pass = tacho__rocm_end_pass,
	.end = tacho__rocm_end,
};
