/* SPDX-License-Identifier: MIT */
/* Bringing the recorder into programs that use OpenCL: as a layer of their loader. */
#include "inject/opencl/prepare.h"

#include <string.h>

#include "backend/opencl/opencl.h"
#include "base/dl.h"

static void find_loader(struct tacho__loader *out_loader)
{
	struct tacho__opencl_loader loader;

	tacho__opencl_loader_find(&loader);
	strcpy(out_loader->path, loader.path);
	out_loader->has_layers = loader.has_layers;
}

static int set_layer(struct tacho__environment *environment, const char *library)
{
	return tacho__environment_prepend(environment, "OPENCL_LAYERS", library, ':');
}

static bool has_pocl(void)
{
	struct tacho__opencl_icds icds;
	bool found = false;

	if (tacho__opencl_icds_find(&icds))
		return false;
	for (size_t i = 0; i < icds.count; i++)
		found |= strstr(icds.list[i].library, "pocl") != NULL;
	tacho__opencl_icds_finish(&icds);
	return found;
}

static void warn(struct tacho__buf *out_lines)
{
	struct tacho__opencl_cache cache;

	tacho__opencl_cache_find(&cache);
	if (!cache.error || !has_pocl())
		return;
	tacho__opencl_cache_explain(&cache, out_lines);
	tacho__buf_printf(out_lines,
			  "; contexts on it will fail with CL_INVALID_DEVICE (-33): %s\n",
			  tacho__opencl_cache_cure);
}

/* Without a platform the loader asks nobody, and loads no layer. */
static bool lacks_drivers(void)
{
	struct tacho__opencl_icds icds;
	struct tacho__dl_answer answer;
	bool lacks = true;

	if (tacho__opencl_icds_find(&icds))
		return false;
	for (size_t i = 0; i < icds.count && lacks; i++) {
		tacho__dl_try(icds.list[i].library, &answer);
		lacks = !answer.loads;
	}
	tacho__opencl_icds_finish(&icds);
	return lacks;
}

static void explain(const struct tacho__sightings *seen, struct tacho__buf *out_text)
{
	struct tacho__opencl_loader loader;

	if (lacks_drivers()) {
		tacho__buf_put(out_text, "there is no OpenCL driver for it; ");
		tacho__opencl_icds_explain(out_text);
		tacho__buf_put(out_text, "; " TACHO__OPENCL_INSTALL " (see tacho doctor opencl)");
		return;
	}
	tacho__opencl_loader_find(&loader);
	if (seen->via == TACHO_VIA_LAYER && loader.path[0] && !loader.has_layers)
		tacho__buf_printf(out_text, "%s does not know layers: use --via preload",
				  loader.path);
	else if (seen->via == TACHO_VIA_LAYER)
		tacho__buf_put(out_text,
			       "it made no OpenCL call, or it brings a loader of its own that "
			       "knows no layers (try --via preload), or it clears OPENCL_LAYERS");
	else
		tacho__buf_put(out_text,
			       "it loads OpenCL by itself with dlopen, which preloading misses "
			       "(try --via layer), or it made no OpenCL call, or it clears "
			       "LD_PRELOAD");
}

const struct tacho__injection tacho__injection_opencl = {
	.api = "opencl",
	.api_name = "OpenCL",
	.find_loader = find_loader,
	.set_layer = set_layer,
	.warn = warn,
	.explain = explain,
	.check = tacho__opencl_check,
};
