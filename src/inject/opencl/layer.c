/* SPDX-License-Identifier: MIT */
/*
 * The way in through the loader: it finds us in OPENCL_LAYERS, gives us its dispatch table and
 * takes ours. A slot that we leave empty stays the loader's own.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "inject/opencl/preload.h"
#include "inject/opencl/cl_start.h"
#include "intercept/intercept.h"
#include "opencl_api.h"
#include "opencl_constants.h"
#include "tacho/export.h"

enum {
	LAYER_API_VERSION = 0x4240,
	LAYER_NAME = 0x4241,
	LAYER_API_VERSION_100 = 100,
};

_Static_assert(sizeof(struct tacho__opencl_dispatch) == TACHO__DISPATCH_COUNT * sizeof(void *),
	       "a dispatch table is an array of pointers");

static struct {
	atomic_flag taken; /* one loader per process is watched */
	struct tacho__opencl_dispatch table;
	struct tacho__opencl_dispatch empty;
} layer = {.taken = ATOMIC_FLAG_INIT};

TACHO_API int32_t clGetLayerInfo(uint32_t param_name, size_t param_value_size, void *param_value,
				 size_t *param_value_size_ret);
TACHO_API int32_t clInitLayer(uint32_t num_entries,
			      const struct tacho__opencl_dispatch *target_dispatch,
			      uint32_t *num_entries_ret,
			      const struct tacho__opencl_dispatch **layer_dispatch_ret);

int32_t clGetLayerInfo(uint32_t param_name, size_t param_value_size, void *param_value,
		       size_t *param_value_size_ret)
{
	static const uint32_t version = LAYER_API_VERSION_100;
	static const char name[] = "tacho";
	const void *value;
	size_t size;

	switch (param_name) {
	case LAYER_API_VERSION:
		value = &version;
		size = sizeof(version);
		break;
	case LAYER_NAME:
		value = name;
		size = sizeof(name);
		break;
	default: return CL_INVALID_VALUE;
	}
	if (param_value && param_value_size < size)
		return CL_INVALID_VALUE;
	if (param_value)
		memcpy(param_value, value, size);
	if (param_value_size_ret)
		*param_value_size_ret = size;
	return CL_SUCCESS;
}

/* Our wrappers for those functions that the target has. */
static void fill_table(void)
{
	void *const *target = (void *const *)&tacho__opencl_target;
	void *const *wrappers = (void *const *)&tacho__opencl_wrappers;
	void **table = (void **)&layer.table;

	for (size_t i = 0; i < TACHO__DISPATCH_COUNT; i++)
		table[i] = target[i] ? wrappers[i] : NULL;
}

/* Whether the loader that we watched was unloaded: then this one takes its place. */
static bool is_loaded_again(const struct tacho__opencl_dispatch *target)
{
	return tacho__opencl_is_loaders((void *)target->clGetPlatformIDs) ||
	       !tacho__opencl_is_loaders((void *)tacho__opencl_target.clGetPlatformIDs);
}

int32_t clInitLayer(uint32_t num_entries, const struct tacho__opencl_dispatch *target_dispatch,
		    uint32_t *num_entries_ret,
		    const struct tacho__opencl_dispatch **layer_dispatch_ret)
{
	size_t count = num_entries < TACHO__DISPATCH_COUNT ? num_entries : TACHO__DISPATCH_COUNT;

	if (!target_dispatch || !num_entries_ret || !layer_dispatch_ret)
		return CL_INVALID_VALUE;
	*num_entries_ret = (uint32_t)count;
	*layer_dispatch_ret = &layer.empty;
	if (tacho__opencl_is_preloaded())
		return CL_SUCCESS;
	if (atomic_flag_test_and_set(&layer.taken) && !is_loaded_again(target_dispatch)) {
		tacho__intercept_process("unwatched=a second OpenCL loader\n");
		return CL_SUCCESS;
	}
	memcpy(&tacho__opencl_target, target_dispatch, count * sizeof(void *));
	if (!tacho__opencl_start((void *)tacho__opencl_target.clGetPlatformIDs))
		return CL_SUCCESS;
	fill_table();
	*layer_dispatch_ret = &layer.table;
	return CL_SUCCESS;
}
