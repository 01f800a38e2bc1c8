/* SPDX-License-Identifier: MIT */
/* A context: the catalog and the devices of the backends that were asked for. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/options.h"
#include "session/session.h"

struct tacho_context {
	struct tacho_catalog *catalog;
	struct tacho_probe *probe;
};

int tacho__context_create(const struct tacho_context_options *options,
			  const struct tacho__backend *const *table,
			  struct tacho_context **out_context)
{
	struct tacho_context_options own;
	struct tacho_context *context;
	int rc = tacho__options_take(&own, sizeof(own), options, "tacho_context_options");

	if (rc)
		return rc;
	context = calloc(1, sizeof(*context));
	if (!context)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a context");
	rc = tacho__probe_create(&(struct tacho__probe_options){.table = table,
								.backends = own.backends,
								.only_counting = 1,
								.sysroot = own.sysroot,
								.values = own.values,
								.handle = own.handle},
				 &context->probe);
	if (!rc)
		rc = tacho_catalog_open(own.catalog, &context->catalog);
	if (rc)
		tacho_context_destroy(context);
	else
		*out_context = context;
	return rc;
}

int tacho_context_create(const struct tacho_context_options *options,
			 struct tacho_context **out_context)
{
	if (!out_context)
		return tacho__fail_null(__func__);
	return tacho__context_create(options, NULL, out_context);
}

void tacho_context_destroy(struct tacho_context *context)
{
	if (!context)
		return;
	tacho_probe_destroy(context->probe);
	tacho_catalog_close(context->catalog);
	free(context);
}

const struct tacho_catalog *tacho_context_get_catalog(const struct tacho_context *context)
{
	return context ? context->catalog : NULL;
}

const struct tacho_probe *tacho_context_get_probe(const struct tacho_context *context)
{
	return context ? context->probe : NULL;
}

const struct tacho_device_info *tacho_context_get_device_info(const struct tacho_context *context,
							      size_t index)
{
	return context ? tacho_probe_get_device_info(context->probe, index) : NULL;
}

/* How well a selector names a device, from best to not at all. */
enum fit { FIT_FULL, FIT_NAME, FIT_PART, FIT_NONE };

static enum fit fit_of(const struct tacho_device_info *info, const char *selector)
{
	size_t size = strlen(info->backend);
	const char *name = selector;
	int has_backend = !strncasecmp(selector, info->backend, size) && selector[size] == ':';

	if (has_backend)
		name += size + 1;
	if (!strcasecmp(info->name, name))
		return has_backend ? FIT_FULL : FIT_NAME;
	if (!strcasecmp(info->name, selector))
		return FIT_NAME;
	/* the beginning of its id will do, as it does for the driver's own tools */
	if (*info->id && *name && !strncasecmp(info->id, name, strlen(name)))
		return !info->id[strlen(name)] ? FIT_NAME : FIT_PART;
	return *name && strcasestr(info->name, name) ? FIT_PART : FIT_NONE;
}

static int fail_selector(const struct tacho_context *context, const char *selector, enum fit fit)
{
	struct tacho__buf names = {0};
	const struct tacho_device_info *info;
	int rc;

	for (size_t i = 0; (info = tacho_context_get_device_info(context, i)); i++)
		if (fit == FIT_NONE || fit_of(info, selector) == fit)
			tacho__buf_printf(&names, "%s%s:%s", names.size ? ", " : "choose of ",
					  info->backend, info->name);
	if (fit == FIT_NONE)
		rc = tacho__fail(TACHO_E_NOTFOUND, names.size ? "" : "no device was found",
				 tacho__buf_text(&names), "there is no device \"%s\"", selector);
	else
		rc = tacho__fail(TACHO_E_AMBIGUOUS, "", tacho__buf_text(&names),
				 "several devices fit \"%s\"", selector);
	tacho__buf_finish(&names);
	return rc;
}

static const struct tacho_device_info *get_numbered(const struct tacho_context *context,
						    const char *selector)
{
	char *end;
	unsigned long index;

	if (!isdigit((unsigned char)*selector))
		return NULL;
	index = strtoul(selector, &end, 10);
	return *end ? NULL : tacho_context_get_device_info(context, index);
}

int tacho_context_find_device_info(const struct tacho_context *context, const char *selector,
				   const struct tacho_device_info **out_info)
{
	const struct tacho_device_info *info, *found = NULL;
	enum fit best = FIT_NONE;
	size_t count = 0;

	if (!context || !selector || !out_info)
		return tacho__fail_null(__func__);
	info = get_numbered(context, selector);
	if (info) {
		*out_info = info;
		return 0;
	}
	for (size_t i = 0; (info = tacho_context_get_device_info(context, i)); i++) {
		enum fit fit = fit_of(info, selector);

		if (fit < best) {
			best = fit;
			count = 0;
		}
		if (fit == best && fit != FIT_NONE && count++ == 0)
			found = info;
	}
	if (count != 1)
		return fail_selector(context, selector, best);
	*out_info = found;
	return 0;
}
