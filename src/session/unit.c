/* SPDX-License-Identifier: MIT */
/* Devices that are opened for counting. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "session/session.h"

static int check_usable(const struct tacho__backend *backend, const struct tacho_device *device)
{
	if (!backend)
		return tacho__fail(TACHO_E_INVAL, "it is of another context",
				   "take it from tacho_context_get_device()",
				   "the device %s cannot be opened", device->name);
	if (!backend->open)
		return tacho__fail(
			TACHO_E_UNSUPPORTED,
			tacho__detail("the backend %s finds devices but cannot count on them",
				      backend->name),
			"record the program instead, or choose a device of another backend",
			"%s:%s has no counters that tacho can read", backend->name, device->name);
	if (!device->usable)
		return tacho__fail(device->code ? device->code : TACHO_E_NODEVICE, device->cause,
				   device->cure, "%s:%s cannot be used", backend->name,
				   device->name);
	return 0;
}

int tacho_unit_open(struct tacho_context *context, const struct tacho_device *device,
		    struct tacho_unit **out_unit)
{
	const struct tacho__backend *backend;
	struct tacho_unit *unit;
	size_t index = 0;
	int rc;

	if (!context || !device || !out_unit)
		return tacho__fail_null(__func__);
	backend = tacho__probe_find_backend(tacho_context_get_probe(context), device, &index);
	rc = check_usable(backend, device);
	if (rc)
		return rc;
	unit = calloc(1, sizeof(*unit));
	if (!unit)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a device");
	unit->backend = backend;
	unit->device = device;
	unit->context = context;
	rc = backend->open(tacho_context_get_probe(context), index,
			   tacho_context_get_catalog(context), &unit->own);
	if (rc) {
		free(unit);
		return rc;
	}
	backend->describe(unit->own, &unit->about);
	*out_unit = unit;
	return 0;
}

void tacho_unit_close(struct tacho_unit *unit)
{
	if (!unit)
		return;
	unit->backend->close(unit->own);
	free(unit);
}

const struct tacho_arch *tacho_unit_get_arch(const struct tacho_unit *unit)
{
	return unit ? unit->about.arch : NULL;
}

const struct tacho_model *tacho_unit_get_model(const struct tacho_unit *unit)
{
	return unit ? unit->about.model : NULL;
}

const struct tacho_device *tacho_unit_get_device(const struct tacho_unit *unit)
{
	return unit ? unit->device : NULL;
}

int tacho_unit_define_entry(struct tacho_unit *unit, const char *text,
			    const struct tacho_entry **out_entry)
{
	if (!unit || !text || !out_entry)
		return tacho__fail_null(__func__);
	if (!unit->backend->define)
		return tacho__fail(TACHO_E_UNSUPPORTED, "its counters are all in its architecture",
				   "name one of them", "%s does not know what \"%s\" is",
				   unit->device->name, text);
	return unit->backend->define(unit->own, text, out_entry);
}

/* A vendor's plan knows nothing of the caller's limit. */
static int check_count(const struct tacho_plan *plan, const struct tacho_plan_options *options)
{
	struct tacho_plan_options own = {0};
	struct tacho_plan_summary summary;

	if (options)
		memcpy(&own, options, options->size < sizeof(own) ? options->size : sizeof(own));
	tacho_plan_get_summary(plan, &summary);
	if (!own.passes_max || summary.pass_count <= own.passes_max)
		return 0;
	return tacho__fail(
		TACHO_E_PASSES,
		tacho__detail("%u allowed; the device's own library made the plan", own.passes_max),
		"leave out entries, or allow more passes", "%zu passes are needed",
		summary.pass_count);
}

int tacho_unit_plan(struct tacho_unit *unit, const struct tacho_config *config,
		    const struct tacho_plan_options *options, struct tacho_plan **out_plan)
{
	const struct tacho__backend *backend;
	struct tacho_plan *plan = NULL;
	int rc;

	if (!unit || !config || !out_plan)
		return tacho__fail_null(__func__);
	backend = unit->backend;
	if (tacho_config_get_arch(config) != unit->about.arch)
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail("the config is for %s, the device is %s",
						 tacho_config_get_arch(config)->name,
						 unit->about.arch->name),
				   "make the config for tacho_unit_get_arch()",
				   "the config does not fit %s", unit->device->name);
	rc = backend->plan ? backend->plan(unit->own, config, options, &plan)
			   : tacho_plan_create(config, options, &plan);
	if (!rc && backend->plan)
		rc = check_count(plan, options);
	for (size_t i = 0; !rc && backend->check_pass && tacho_plan_get_pass(plan, i); i++)
		rc = backend->check_pass(unit->own, plan, i);
	if (rc)
		tacho_plan_destroy(plan);
	else
		*out_plan = plan;
	return rc;
}
