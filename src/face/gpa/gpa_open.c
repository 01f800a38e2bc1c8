/* SPDX-License-Identifier: MIT */
/*
 * What is behind a handle: the program's queue or graphics context, or by choice of the environment
 * a simulated device. TACHO_SIM=MODEL takes any handle; with TACHO_SIM=unit the handle is a
 * struct tacho_device that the program has opened itself, to submit work to it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "face/gpa/gpa.h"

static int fail_empty(const struct tacho_context *core, const char *backends)
{
	const struct tacho_probe_backend *backend_info =
		tacho_probe_get_backend(tacho_context_get_probe(core), 0);

	return tacho__fail(TACHO_E_NODEVICE, backend_info ? backend_info->cause : "",
			   backend_info ? backend_info->cure : "",
			   "%s has no device for this context", backends);
}

static int check_platform(const struct tacho_device_info *info)
{
	if (info->is_simulated || !*tacho__gpa_platform ||
	    (info->platform && !strcmp(info->platform, tacho__gpa_platform)))
		return 0;
	return tacho__fail(TACHO_E_NODEVICE,
			   tacho__detail("it is one of %s: %s",
					 info->platform ? info->platform : "an unknown kind",
					 info->driver ? info->driver : ""),
			   tacho__detail("make a context of %s, or use the library for what it is",
					 tacho__gpa_platform),
			   "the current context is none of %s", tacho__gpa_platform);
}

static int open_first(const char *backends, const char *api, void *handle,
		      struct tacho_context **out_core, struct tacho_device **out_device)
{
	struct tacho_catalog_options catalog = {.size = sizeof(catalog), .api = api};
	struct tacho_context_options options = {
		.size = sizeof(options),
		.backends = backends,
		.catalog = &catalog,
		.handle = handle,
	};
	const struct tacho_device_info *info;
	struct tacho_context *core = NULL;
	int rc = tacho_context_create(&options, &core);

	if (rc)
		return rc;
	info = tacho_context_get_device_info(core, 0);
	rc = info ? check_platform(info) : fail_empty(core, backends);
	if (!rc)
		rc = tacho_device_open(core, info, out_device);
	if (rc)
		tacho_context_destroy(core);
	else
		*out_core = core;
	return rc;
}

/* "rx480" is the model under this library's API; "rx480:hsa" says itself what it is. */
static int open_simulated(const char *model, void *handle, struct tacho_context **out_core,
			  struct tacho_device **out_device)
{
	int is_whole = strchr(model, ':') != NULL || strstr(model, ".yaml") != NULL;
	char backends[512];
	int size = snprintf(backends, sizeof(backends), is_whole ? "sim:%s" : "sim:%s:%s", model,
			    tacho__gpa_api);

	if (size < 0 || (size_t)size >= sizeof(backends) || strchr(model, ','))
		return tacho__fail(TACHO_E_INVAL, tacho__detail("TACHO_SIM is \"%.80s\"", model),
				   "set it to one model, such as rx480",
				   "no simulated device can be opened");
	return open_first(backends, is_whole ? NULL : tacho__gpa_api, handle, out_core, out_device);
}

static int open_live(void *handle, struct tacho_context **out_core,
		     struct tacho_device **out_device)
{
	if (*tacho__gpa_backend)
		return open_first(tacho__gpa_backend, tacho__gpa_api, handle, out_core, out_device);
	return tacho__fail(TACHO_E_NODEVICE, "TACHO_SIM is not set",
			   "set TACHO_SIM to a model, such as rx480, or count on real devices "
			   "with tacho's own functions",
			   "this library counts on simulated devices only");
}

int tacho__gpa_open_device(void *handle, struct tacho_context **out_core,
			   struct tacho_device **out_device)
{
	const char *model = getenv("TACHO_SIM");

	if (!model || !*model)
		return open_live(handle, out_core, out_device);
	if (strcmp(model, "unit") != 0)
		return open_simulated(model, handle, out_core, out_device);
	*out_core = NULL;
	*out_device = handle;
	return 0;
}

void tacho__gpa_close_device(struct tacho_context *core, struct tacho_device *device)
{
	if (!core)
		return; /* the program's own, or none */
	tacho_device_close(device);
	tacho_context_destroy(core);
}
