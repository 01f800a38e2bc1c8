/* SPDX-License-Identifier: MIT */
#include "nvpa_plugin.h"
#include "nvperfapi_user_impl.h"

plugin_range_fn plugin_range;
plugin_make_fn plugin_make;
plugin_text_fn plugin_text;

NVPA_Status plugin_range(void *ctx, uint64_t id)
{
	NVPA_Status status = NVPA_Object_PushRange(ctx, id);

	return status ? status : NVPA_Object_PopRange(ctx);
}

NVPA_Status plugin_make(void **out_ctx, size_t *out_device)
{
	NVPA_Status status = NVPA_Sim_CreateContext("h200", out_ctx);

	return status ? status : NVPA_Context_GetDeviceIndex(*out_ctx, 0, out_device);
}

const char *plugin_text(void)
{
	return NVPA_GetErrorText();
}
