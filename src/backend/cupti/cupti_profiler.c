/* SPDX-License-Identifier: MIT */
/*
 * Some of the library's calls crash where there is no driver or no GPU: nothing of it is called
 * here before CUDA itself has said that it counts devices.
 */
#include "backend/cupti/cupti_profiler.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cupti/cupti_chip.h"
#include "backend/cupti/cupti_live.h"
#include "backend/cupti/cupti_status.h"
#include "base/array.h"
#include "base/dl.h"
#include "base/error.h"
#include "plan/plan_order.h"

enum { AVAILABILITY_MAX = 64 << 20 };

int tacho__cupti_fail_on(const struct tacho__cupti_device *device, enum tacho__cupti_call call,
			 int status)
{
	char what[TACHO__CUPTI_GPU_TEXT_MAX + 64];

	snprintf(what, sizeof(what), "ranges are not counted on %s", device->gpu.name);
	return tacho__cupti_fail_status(tacho__cupti_call_name(call), status, what);
}

/* ---- whether it can be ---- */

struct driver {
	int (*init)(unsigned flags);
	int (*get_count)(int *count);
	int (*get_uuid)(uint8_t uuid[16], int device);
};

/* libcuda is the program's: what is not loaded has no context. */
static int check_driver(struct driver *out_driver)
{
	static const struct tacho__dl_symbol symbols[] = {
		{"cuInit", offsetof(struct driver, init), true},
		{"cuDeviceGetCount", offsetof(struct driver, get_count), true},
		{"cuDeviceGetUuid", offsetof(struct driver, get_uuid), true},
	};
	struct driver driver;
	struct tacho__dl dl;
	int count = 0, status;
	int rc = tacho__dl_open_loaded("libcuda.so.1", symbols, TACHO__ARRAY_SIZE(symbols), &dl,
				       &driver);

	if (rc)
		return rc;
	status = driver.init(0);
	if (!status)
		status = driver.get_count(&count);
	if (status)
		return tacho__fail_vendor(
			tacho__fail(TACHO_E_NODEVICE, tacho__detail("CUDA says %d", status),
				    "look at what nvidia-smi says", "CUDA has no device"),
			status);
	if (count < 1)
		return tacho__fail(TACHO_E_NODEVICE, "it counts 0 devices",
				   "look at what nvidia-smi says, and at CUDA_VISIBLE_DEVICES",
				   "CUDA has no device");
	*out_driver = driver;
	return 0;
}

static void format_uuid(const uint8_t uuid[16], char out[48])
{
	char *at = out + sprintf(out, "GPU");

	for (int i = 0; i < 16; i++)
		at += sprintf(at, "%s%02x",
			      i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

static void copy_chip(const char *chip, char out[16])
{
	size_t i = 0;

	for (; chip && chip[i] && i < 15; i++)
		out[i] = (char)tolower((unsigned char)chip[i]);
	out[i] = '\0';
}

int tacho__cupti_describe_live(struct tacho__cupti_live *live)
{
	struct tacho__cupti_chip_name name = {.device = (size_t)live->device};
	struct tacho__cupti_head none;
	const struct tacho__cupti *cupti;
	struct driver driver;
	uint8_t uuid[16] = {0};
	int status, rc = check_driver(&driver);

	if (!rc)
		rc = tacho__cupti_load(&cupti);
	if (rc)
		return rc;
	status = driver.get_uuid(uuid, live->device);
	if (status)
		return tacho__fail_vendor(tacho__fail(TACHO_E_NODEVICE,
						      tacho__detail("CUDA says %d", status), "",
						      "the program's GPU is not known"),
					  status);
	status = tacho__cupti_call(TACHO__CUPTI_INITIALIZE, &none);
	if (status)
		return tacho__cupti_fail_status("cuptiProfilerInitialize", status,
						"the program's GPU is not counted on");
	status = tacho__cupti_call(TACHO__CUPTI_GET_CHIP_NAME, &name);
	if (status)
		return tacho__cupti_fail_status("cuptiDeviceGetChipName", status,
						"the chip of the program's GPU is not known");
	live->magic = TACHO__CUPTI_LIVE_MAGIC;
	format_uuid(uuid, live->uuid);
	copy_chip(name.chip, live->chip);
	return 0;
}

void tacho__cupti_get_path(char *out_path, size_t size)
{
	const struct tacho__cupti *cupti = NULL;

	snprintf(out_path, size, "%s", tacho__cupti_load(&cupti) ? "" : cupti->path);
}

/* The status that says the same as a field of the answer, in the order in which they are looked at.
 */
static int judge_support(const struct tacho__cupti_supported *answer)
{
	const struct {
		int level, status;
	} fields[] = {
		{answer->architecture, 2},  {answer->vgpu, 33},	  {answer->sli, 44},
		{answer->confidential, 41}, {answer->mining, 42}, {answer->wsl, 45},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(fields); i++) {
		if (fields[i].level == TACHO__CUPTI_SUPPORT_DISABLED && fields[i].status == 33)
			return 40;
		if (fields[i].level == TACHO__CUPTI_SUPPORT_NONE ||
		    fields[i].level == TACHO__CUPTI_SUPPORT_DISABLED)
			return fields[i].status;
	}
	return answer->is_supported == TACHO__CUPTI_SUPPORT_NONE ? TACHO__CUPTI_NOT_SUPPORTED : 0;
}

/* What the library does not know hinders nobody. */
static int check_support(const struct tacho__cupti_device *device)
{
	struct tacho__cupti_supported answer = {.device = device->live->device};
	int status = tacho__cupti_call(TACHO__CUPTI_GET_SUPPORTED, &answer);

	if (status && status != TACHO__CUPTI_NOT_SUPPORTED)
		return tacho__cupti_fail_on(device, TACHO__CUPTI_GET_SUPPORTED, status);
	if (!status)
		status = judge_support(&answer);
	else
		status = 0;
	return status ? tacho__cupti_fail_on(device, TACHO__CUPTI_GET_SUPPORTED, status) : 0;
}

/* ---- the profiler ---- */

static int get_availability(const struct tacho__cupti_device *device,
			    struct tacho__cupti_profiler *profiler)
{
	struct tacho__cupti_availability params = {.context = device->live->context};
	int status = tacho__cupti_call(TACHO__CUPTI_GET_AVAILABILITY, &params);

	if (status)
		return tacho__cupti_fail_on(device, TACHO__CUPTI_GET_AVAILABILITY, status);
	if (!params.size || params.size > AVAILABILITY_MAX)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("%zu bytes of what can be counted", params.size),
				   "install another version of CUPTI",
				   "NVIDIA's library answers what cannot be");
	profiler->availability = calloc(1, params.size);
	if (!profiler->availability)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for counting");
	params.bytes = profiler->availability;
	status = tacho__cupti_call(TACHO__CUPTI_GET_AVAILABILITY, &params);
	return status ? tacho__cupti_fail_on(device, TACHO__CUPTI_GET_AVAILABILITY, status) : 0;
}

static int enable(const struct tacho__cupti_device *device, struct tacho__cupti_profiler *profiler)
{
	struct tacho__cupti_enable params = {.context = device->live->context};
	int status = tacho__cupti_call(TACHO__CUPTI_RANGE_ENABLE, &params);

	if (status)
		return tacho__cupti_fail_on(device, TACHO__CUPTI_RANGE_ENABLE, status);
	profiler->object = params.profiler;
	return 0;
}

static void close_program(struct tacho__cupti_program *program)
{
	if (program->host)
		tacho__cupti_host_close(program->host);
	free(program->config.bytes);
	tacho__arena_finish(&program->arena);
	*program = (struct tacho__cupti_program){.host = NULL};
}

static void close_profiler(struct tacho__cupti_profiler *profiler)
{
	struct tacho__cupti_profiler_only params = {.profiler = profiler->object};

	if (profiler->object)
		tacho__cupti_call(TACHO__CUPTI_RANGE_DISABLE, &params);
	for (size_t i = 0; i < TACHO_MODE_COUNT; i++)
		close_program(&profiler->programs[i]);
	free(profiler->availability);
	free(profiler);
}

void tacho__cupti_close_profiler(struct tacho__cupti_device *device)
{
	if (device->profiler)
		close_profiler(device->profiler);
	device->profiler = NULL;
}

static int open_profiler(const struct tacho__cupti_device *device,
			 struct tacho__cupti_profiler *profiler)
{
	struct tacho__cupti_head none;
	const struct tacho__cupti *cupti;
	struct driver driver;
	int status, rc = check_driver(&driver);

	if (!rc)
		rc = tacho__cupti_load(&cupti);
	if (rc)
		return rc;
	status = tacho__cupti_call(TACHO__CUPTI_INITIALIZE, &none);
	if (status)
		return tacho__cupti_fail_on(device, TACHO__CUPTI_INITIALIZE, status);
	rc = check_support(device);
	if (!rc)
		rc = get_availability(device, profiler);
	return rc ? rc : enable(device, profiler);
}

int tacho__cupti_open_profiler(struct tacho__cupti_device *device,
			       struct tacho__cupti_profiler **out_profiler)
{
	struct tacho__cupti_profiler *profiler = device->profiler;
	int rc;

	if (!profiler) {
		profiler = calloc(1, sizeof(*profiler));
		if (!profiler)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for counting");
		rc = open_profiler(device, profiler);
		if (rc) {
			close_profiler(profiler);
			return rc;
		}
		device->profiler = profiler;
	}
	*out_profiler = profiler;
	return 0;
}

/* ---- programs ---- */

static bool has_same(const struct tacho__cupti_program *program,
		     const struct tacho__plan_order *order)
{
	return program->host && program->count == order->count &&
	       !memcmp(program->entries, order->entries, order->count * sizeof(*order->entries));
}

/* Which passes of the plan are of the mode: they follow each other. */
static uint32_t find_passes(const struct tacho_plan *plan, uint32_t mode, uint32_t *out_count)
{
	const struct tacho_plan_pass *pass;
	uint32_t first = 0;

	*out_count = 0;
	for (uint32_t i = 0; (pass = tacho_plan_get_pass(plan, i)); i++) {
		if (pass->mode != mode)
			continue;
		if (!*out_count)
			first = i;
		++*out_count;
	}
	return first;
}

static int copy_names(struct tacho__cupti_program *program, const struct tacho__plan_order *order)
{
	size_t size = order->count * sizeof(*order->entries);

	program->count = order->count;
	program->entries = tacho__arena_get(&program->arena, size + 1);
	program->names = tacho__arena_get(&program->arena, size + 1);
	if (!program->entries || !program->names)
		return TACHO_E_NOMEM;
	memcpy(program->entries, order->entries, size);
	for (size_t i = 0; i < order->count; i++) {
		program->names[i] = tacho__cupti_name_whole(&program->arena, order->entries[i]);
		if (!program->names[i])
			return TACHO_E_NOMEM;
	}
	return 0;
}

static int fill_program(const struct tacho__cupti_device *device,
			const struct tacho__plan_order *order, struct tacho__cupti_program *program)
{
	const struct tacho__cupti_chip *chip;
	void *user = NULL;
	int rc = copy_names(program, order);

	if (!rc && !tacho__arch_get_library(device->base.traits.arch, &user))
		rc = tacho__fail(TACHO_E_UNSUPPORTED, "its architecture is not of CUPTI",
				 "report it", "ranges are not counted on %s", device->gpu.name);
	chip = user;
	if (!rc)
		rc = tacho__cupti_host_open(TACHO__CUPTI_RANGES, chip->name,
					    device->profiler->availability, &program->host);
	return rc ? rc
		  : tacho__cupti_configure(program->host, program->names, program->count,
					   &program->config);
}

static int fail_passes(const struct tacho__cupti_device *device,
		       const struct tacho__cupti_program *program, uint32_t planned)
{
	const struct tacho__cupti *cupti = NULL;
	int rc = tacho__cupti_load(&cupti);

	return rc ? rc
		  : tacho__fail(
			    TACHO_E_PASSES,
			    tacho__detail("CUPTI %s, %s, makes %zu passes of it on %s, and the "
					  "plan has %u",
					  cupti->version_text, cupti->path,
					  program->config.pass_count, device->gpu.name, planned),
			    "let the program use the CUPTI that planned (" TACHO__CUPTI_VARIABLE
			    "); where the GPU cannot count some of the counters, leave them out",
			    "the plan is not the one of NVIDIA's library here");
}

int tacho__cupti_make_program(struct tacho__cupti_device *device, const struct tacho_plan *plan,
			      uint32_t mode, struct tacho__cupti_program **out_program)
{
	const struct tacho__plan_order *order = tacho__plan_get_order(plan, mode);
	struct tacho__cupti_program *program = &device->profiler->programs[mode];
	uint32_t planned, first = find_passes(plan, mode, &planned);
	int rc = 0;

	if (!order->count)
		return tacho__fail(TACHO_E_UNSUPPORTED, "it says no order of the counters",
				   "plan with tacho_device_plan()", "the plan is not NVIDIA's");
	if (!has_same(program, order)) {
		close_program(program);
		rc = fill_program(device, order, program);
	}
	program->first = first;
	if (!rc && program->config.pass_count != planned)
		rc = fail_passes(device, program, planned);
	if (rc)
		close_program(program);
	else
		*out_program = program;
	return rc;
}
