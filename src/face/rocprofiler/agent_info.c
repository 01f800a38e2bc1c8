/* SPDX-License-Identifier: MIT */
/*
 * What tools see of an agent. A simulated GPU has the numbers of its model; what nobody states, of
 * any agent, is 0 as upstream has it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "face/rocprofiler/rocprofiler.h"
#include "intercept/launch_devices.h"

/* What AMD's runtimes allow on every GPU. */
enum { WORKGROUP_MAX = 1024, GRID_Y_MAX = UINT16_MAX };

static const char *keep(const char *text)
{
	const char *kept = strdup(text ? text : "");

	if (!kept)
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the text \"%.40s\"", text);
	return kept;
}

static int keep_texts(rocprofiler_agent_v0_t *info)
{
	info->name = keep(info->name);
	info->vendor_name = keep(info->vendor_name);
	info->product_name = keep(info->product_name);
	info->model_name = keep(info->model_name);
	return info->name && info->vendor_name && info->product_name && info->model_name
		       ? 0
		       : TACHO_E_NOMEM;
}

static int add_memory(rocprofiler_agent_v0_t *info, HSA_HEAPTYPE heap, uint64_t bytes)
{
	rocprofiler_agent_mem_bank_t *bank = calloc(1, sizeof(*bank));

	if (!bank)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for an agent");
	bank->heap_type = heap;
	bank->size_in_bytes = bytes;
	info->mem_banks = bank;
	info->mem_banks_count = 1;
	return 0;
}

static void allow_all_runtimes(rocprofiler_agent_v0_t *info)
{
	info->runtime_visibility.hsa = 1;
	info->runtime_visibility.hip = 1;
	info->runtime_visibility.rccl = 1;
	info->runtime_visibility.rocdecode = 1;
}

/* ---- the CPU ---- */

/* The first value of a key of /proc/cpuinfo; "" when it is not there. */
static void find_cpu_text(const char *text, const char *key, char *out, size_t room)
{
	const char *at = strstr(text, key), *end;

	out[0] = '\0';
	at = at ? strchr(at, ':') : NULL;
	if (!at)
		return;
	at += 1 + strspn(at + 1, " \t");
	end = at + strcspn(at, "\n");
	snprintf(out, room, "%.*s", (int)(end - at), at);
}

int tacho__rocp_info_of_cpu(rocprofiler_agent_v0_t *info)
{
	char text[4096], name[256], vendor[64], family[16];
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
	int rc;

	tacho__fs_read_start("/proc/cpuinfo", text, sizeof(text));
	find_cpu_text(text, "model name", name, sizeof(name));
	find_cpu_text(text, "vendor_id", vendor, sizeof(vendor));
	find_cpu_text(text, "cpu family", family, sizeof(family));
	info->type = ROCPROFILER_AGENT_TYPE_CPU;
	info->cpu_cores_count = count > 0 ? (uint32_t)count : 0;
	info->cu_count = info->cpu_cores_count;
	info->num_xcc = 1;
	info->family_id = (uint32_t)strtoul(family, NULL, 10);
	info->name = *name ? name : "CPU";
	info->product_name = info->name;
	info->vendor_name = *vendor ? vendor : "CPU";
	info->model_name = "";
	allow_all_runtimes(info);
	rc = keep_texts(info);
	if (!rc && pages > 0 && page_bytes > 0)
		rc = add_memory(info, HSA_HEAPTYPE_SYSTEM, (uint64_t)pages * (uint64_t)page_bytes);
	return rc;
}

/* ---- simulated GPUs ---- */

static void take_property(rocprofiler_agent_v0_t *info, const struct tacho_property *property)
{
	const struct {
		const char *name;
		uint32_t *number;
	} numbers[] = {
		{"simd_count", &info->simd_count},
		{"simd_per_cu", &info->simd_per_cu},
		{"array_count", &info->array_count},
		{"simd_arrays_per_engine", &info->simd_arrays_per_engine},
		{"cu_per_simd_array", &info->cu_per_simd_array},
		{"num_xcc", &info->num_xcc},
		{"wave_front_size", &info->wave_front_size},
		{"max_waves_per_simd", &info->max_waves_per_simd},
		{"lds_size_in_kb", &info->lds_size_in_kb},
		{"gfx_target_version", &info->gfx_target_version},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(numbers); i++)
		if (!strcmp(property->name, numbers[i].name))
			*numbers[i].number = (uint32_t)property->value;
	if (!strcmp(property->name, "vendor_id"))
		info->vendor_id = (uint16_t)property->value;
}

/* What follows from the model's numbers. */
static void work_out(rocprofiler_agent_v0_t *info)
{
	if (info->simd_per_cu)
		info->cu_count = info->simd_count / info->simd_per_cu;
	if (info->simd_arrays_per_engine)
		info->num_shader_banks = info->array_count / info->simd_arrays_per_engine;
	if (info->num_shader_banks)
		info->cu_per_engine = info->cu_count / info->num_shader_banks;
	info->max_waves_per_cu = info->simd_per_cu * info->max_waves_per_simd;
}

static void allow_launches(rocprofiler_agent_v0_t *info, uint32_t workgroup_max)
{
	info->workgroup_max_size = workgroup_max;
	info->workgroup_max_dim = (rocprofiler_dim3_t){workgroup_max, workgroup_max, workgroup_max};
	info->grid_max_size = UINT32_MAX;
	info->grid_max_dim = (rocprofiler_dim3_t){INT32_MAX, GRID_Y_MAX, GRID_Y_MAX};
}

int tacho__rocp_info_of_simulated(struct tacho_device *device, rocprofiler_agent_v0_t *info)
{
	const struct tacho_device_info *device_info = tacho_device_get_info(device);
	const struct tacho_arch *arch = tacho_device_get_arch(device);
	const struct tacho_model *model = tacho_device_get_model(device);
	char product[256];
	int rc;

	info->type = ROCPROFILER_AGENT_TYPE_GPU;
	info->cu_count = device_info->compute_units;
	info->num_xcc = 1;
	for (size_t i = 0; model && i < model->property_count; i++)
		take_property(info, &model->properties[i]);
	work_out(info);
	allow_launches(info, WORKGROUP_MAX);
	info->local_mem_size = device_info->memory_bytes;
	snprintf(product, sizeof(product), "%.200s [simulated]",
		 model && *model->title ? model->title : arch->title);
	info->name = arch->name;
	info->vendor_name = device_info->vendor;
	info->product_name = product;
	info->model_name = model ? model->name : "";
	allow_all_runtimes(info);
	rc = keep_texts(info);
	return rc ? rc : add_memory(info, HSA_HEAPTYPE_FRAME_BUFFER_PRIVATE, info->local_mem_size);
}

/* ---- devices of the process ---- */

int tacho__rocp_info_of_device(const struct tacho__launch_device *device,
			       rocprofiler_agent_v0_t *info)
{
	uint64_t workgroup_max = device->workgroup_max;
	int rc;

	info->type = ROCPROFILER_AGENT_TYPE_GPU; /* tools count on no other */
	info->cu_count = device->compute_units;
	info->num_xcc = 1;
	info->lds_size_in_kb = (uint32_t)(device->local_bytes / 1024);
	info->vendor_id = (uint16_t)device->vendor_id;
	info->max_engine_clk_fcompute = device->clock_mhz;
	info->local_mem_size = device->memory_bytes;
	allow_launches(info, workgroup_max < UINT32_MAX ? (uint32_t)workgroup_max : UINT32_MAX);
	info->name = device->name;
	info->vendor_name = device->vendor;
	info->product_name = device->name;
	info->model_name = device->driver;
	allow_all_runtimes(info);
	rc = keep_texts(info);
	return rc ? rc : add_memory(info, HSA_HEAPTYPE_FRAME_BUFFER_PRIVATE, info->local_mem_size);
}
