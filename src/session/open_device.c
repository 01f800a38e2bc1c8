/* SPDX-License-Identifier: MIT */
/* Devices that are opened for counting. */
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "session/session.h"

static int check_usable(const struct tacho__backend *backend, const struct tacho_device_info *info)
{
	if (!backend)
		return tacho__fail(TACHO_E_INVAL, "it is of another context",
				   "take it from tacho_context_get_device_info()",
				   "the device %s cannot be opened", info->name);
	if (!backend->open)
		return tacho__fail(
			TACHO_E_UNSUPPORTED,
			tacho__detail("the backend %s finds devices but cannot count on them",
				      backend->name),
			"record the program instead, or choose a device of another backend",
			"%s:%s has no counters that tacho can read", backend->name, info->name);
	if (!info->usable)
		return tacho__fail(info->code ? info->code : TACHO_E_NODEVICE, info->cause,
				   info->cure, "%s:%s cannot be used", backend->name, info->name);
	return 0;
}

int tacho_device_open(struct tacho_context *context, const struct tacho_device_info *info,
		      struct tacho_device **out_device)
{
	const struct tacho__backend *backend;
	struct tacho_device *device;
	size_t index = 0;
	int rc;

	if (!context || !info || !out_device)
		return tacho__fail_null(__func__);
	backend = tacho__probe_find_backend(tacho_context_get_probe(context), info, &index);
	rc = check_usable(backend, info);
	if (rc)
		return rc;
	rc = backend->open(tacho_context_get_probe(context), index,
			   tacho_context_get_catalog(context), &device);
	if (rc)
		return rc;
	device->backend = backend;
	device->info = info;
	device->context = context;
	*out_device = device;
	return 0;
}

void tacho_device_close(struct tacho_device *device)
{
	if (device)
		device->backend->close(device);
}

const struct tacho_arch *tacho_device_get_arch(const struct tacho_device *device)
{
	return device ? device->traits.arch : NULL;
}

const struct tacho_model *tacho_device_get_model(const struct tacho_device *device)
{
	return device ? device->traits.model : NULL;
}

const struct tacho_device_info *tacho_device_get_info(const struct tacho_device *device)
{
	return device ? device->info : NULL;
}

int tacho_device_define_entry(struct tacho_device *device, const char *text,
			      const struct tacho_entry **out_entry)
{
	if (!device || !text || !out_entry)
		return tacho__fail_null(__func__);
	if (!device->backend->define)
		return tacho__fail(TACHO_E_UNSUPPORTED, "its counters are all in its architecture",
				   "name one of them", "%s does not know what \"%s\" is",
				   device->info->name, text);
	return device->backend->define(device, text, out_entry);
}

static int define_entry(void *device, const char *text, const struct tacho_entry **out_entry)
{
	return tacho_device_define_entry(device, text, out_entry);
}

int tacho_device_parse_config(struct tacho_device *device, const char *list,
			      const struct tacho_config_options *options,
			      struct tacho_config **out_config,
			      struct tacho_config_problem *out_problem)
{
	struct tacho_config_options own;
	int rc;

	if (!device || !list || !out_config)
		return tacho__fail_null(__func__);
	rc = tacho__options_take(&own, sizeof(own), options, "tacho_config_options");
	if (rc)
		return rc;
	own.arch = device->traits.arch;
	own.model = device->traits.model;
	own.define = device->backend->define ? define_entry : NULL;
	own.user = device;
	return tacho_config_parse(list, &own, out_config, out_problem);
}

/* A vendor's plan knows nothing of the caller's limit. */
static int check_count(const struct tacho_plan *plan, uint32_t passes_max)
{
	struct tacho_plan_summary summary;

	tacho_plan_get_summary(plan, &summary);
	if (!passes_max || summary.pass_count <= passes_max)
		return 0;
	return tacho__fail(
		TACHO_E_PASSES,
		tacho__detail("%u allowed; the device's own library made the plan", passes_max),
		"leave out entries, or allow more passes", "%zu passes are needed",
		summary.pass_count);
}

static int check_mode(const struct tacho_device *device, uint32_t mode)
{
	static const char *const names[TACHO_MODE_COUNT] = {
		[TACHO_MODE_DEFAULT] = "in its own way",
		[TACHO_MODE_SERIALIZED] = "serialized",
		[TACHO_MODE_PIPELINED] = "pipelined",
	};
	const char *cause = device->traits.modes[mode].cause;

	return cause ? tacho__fail(TACHO_E_UNSUPPORTED, cause, "ask for it in another mode",
				   "%s cannot count %s", device->info->name, names[mode])
		     : 0;
}

int tacho__device_check_plan(struct tacho_device *device, const struct tacho_plan *plan)
{
	const struct tacho__backend *backend = device->backend;
	const struct tacho_plan_pass *pass;
	int rc = 0;

	for (size_t i = 0; !rc && (pass = tacho_plan_get_pass(plan, i)); i++) {
		rc = check_mode(device, pass->mode);
		if (!rc && backend->check_pass)
			rc = backend->check_pass(device, plan, i);
	}
	return rc;
}

int tacho_device_plan(struct tacho_device *device, const struct tacho_config *config,
		      const struct tacho_plan_options *options, struct tacho_plan **out_plan)
{
	const struct tacho__backend *backend;
	struct tacho_plan_options own;
	struct tacho_plan *plan = NULL;
	int rc;

	if (!device || !config || !out_plan)
		return tacho__fail_null(__func__);
	rc = tacho__options_take(&own, sizeof(own), options, "tacho_plan_options");
	if (rc)
		return rc;
	backend = device->backend;
	if (tacho_config_get_arch(config) != device->traits.arch)
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail("the config is for %s, the device is %s",
						 tacho_config_get_arch(config)->name,
						 device->traits.arch->name),
				   "make the config for tacho_device_get_arch()",
				   "the config does not fit %s", device->info->name);
	rc = backend->plan ? backend->plan(device, config, &own, &plan)
			   : tacho_plan_create(config, &own, &plan);
	if (!rc && backend->plan)
		rc = check_count(plan, own.passes_max);
	if (!rc)
		rc = tacho__device_check_plan(device, plan);
	if (rc)
		tacho_plan_destroy(plan);
	else
		*out_plan = plan;
	return rc;
}
