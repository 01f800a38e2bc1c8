/* SPDX-License-Identifier: MIT */
/*
 * What is behind the handle of a context: the program's queue or graphics context, a device that it
 * opened itself, or a simulated one. docs/perfworks.md
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "face/perfworks/perfworks.h"
#include "tacho/sys/devices.h"

static int fail_empty(const struct tacho_context *core, const char *backends)
{
	const struct tacho_probe_backend *backend_info =
		tacho_probe_get_backend(tacho_context_get_probe(core), 0);

	return tacho__fail(TACHO_E_NODEVICE, backend_info ? backend_info->cause : "",
			   backend_info ? backend_info->cure : "",
			   "%s has no device for this context", backends);
}

/* api: of the catalog; NULL: what the device itself says. */
static int open_first(struct tacho__pw_context *context, const char *backends, const char *api)
{
	const struct tacho_catalog_options catalog = {.size = sizeof(catalog), .api = api};
	struct tacho_context_options options = {
		.size = sizeof(options),
		.backends = backends,
		.catalog = &catalog,
		.handle = context->origin == TACHO__PW_SIMULATED ? NULL : context->handle,
	};
	const struct tacho_device_info *info;
	int rc = tacho_context_create_lean(&options, &context->core);

	if (rc)
		return rc;
	info = tacho_context_get_device_info(context->core, 0);
	return info ? tacho_device_open(context->core, info, &context->unit)
		    : fail_empty(context->core, backends);
}

static int open_simulated(struct tacho__pw_context *context, const char *model)
{
	char backends[512];
	int size = snprintf(backends, sizeof(backends), "sim:%s", model);

	if (size < 0 || (size_t)size >= sizeof(backends) || strchr(model, ','))
		return tacho__fail(TACHO_E_INVAL, tacho__detail("it is \"%.80s\"", model),
				   "name one model, such as h200",
				   "no simulated device can be opened");
	return open_first(context, backends, NULL);
}

/* What the driver says when there is nothing to open is a matter of the handle's API. */
static NVPA_Status refuse(const struct tacho__pw_context *context)
{
	switch (tacho_error_last()->code) {
	case TACHO_E_NODEVICE:
		if (context->origin == TACHO__PW_GRAPHICS)
			return tacho__pw_fail_as(NVPA_STATUS_INVALID_THREAD_STATE);
		break;
	case TACHO_E_NOTFOUND:
		if (context->origin == TACHO__PW_QUEUE)
			return tacho__pw_fail_as(NVPA_STATUS_DRIVER_NOT_LOADED);
		break;
	case TACHO_E_UNSUPPORTED:
		if (context->origin == TACHO__PW_GRAPHICS)
			return tacho__pw_fail_as(NVPA_STATUS_UNSUPPORTED_GPU);
		break;
	default: break;
	}
	return tacho__pw_fail_core();
}

NVPA_Status tacho__pw_open(struct tacho__pw_context *context, const char *model)
{
	static const struct {
		const char *backend, *api;
	} ways[] = {
		[TACHO__PW_GRAPHICS] = {"gl", "gl"},
		[TACHO__PW_QUEUE] = {"opencl_queue", "cl"},
	};
	int rc = 0;

	if (context->origin == TACHO__PW_UNIT)
		context->unit = context->handle;
	else if (model)
		rc = open_simulated(context, model);
	else
		rc = open_first(context, ways[context->origin].backend, ways[context->origin].api);
	if (rc)
		return model ? tacho__pw_fail_core() : refuse(context);
	context->has_own_work = model && context->origin != TACHO__PW_SIMULATED;
	if (context->origin == TACHO__PW_SIMULATED)
		context->handle = context->unit;
	return tacho__pw_device_note(context->unit, &context->device);
}

void tacho__pw_close(struct tacho__pw_context *context)
{
	if (!context->core)
		return; /* the program's own, or none */
	tacho_device_close(context->unit);
	tacho_context_destroy(context->core);
}
