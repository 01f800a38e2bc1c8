/* SPDX-License-Identifier: MIT */
/* A context: the catalog and the devices of the backends that were asked for. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/options.h"
#include "catalog/catalog.h"
#include "session/session.h"
#include "tacho/sys/devices.h"

struct tacho_context {
	struct tacho_catalog *catalog;
	struct tacho_probe *probe;
};

static bool is_own_source(const struct tacho_probe *probe, const struct tacho_device_info *info)
{
	size_t index;

	return tacho__probe_find_backend(probe, info, &index)->is_own_source;
}

/* What all have in common; NULL when they differ, or when it is not known of one. */
static const char *get_common(const char *common, const char *of_device, size_t index)
{
	if (!*of_device || (index && (!common || strcmp(common, of_device) != 0)))
		return NULL;
	return of_device;
}

/*
 * What the devices are opened with, where nobody asked for other things. One without the other says
 * too little: a backend may look for an architecture under several APIs, and a vendor's library
 * that is asked for its API alone lists all the chips that it knows.
 */
static void narrow(const struct tacho_probe *probe, struct tacho_catalog_options *catalog)
{
	const struct tacho_device_info *info;
	const char *arch = NULL, *api = NULL;
	size_t count = 0;

	for (size_t i = 0; (info = tacho_probe_get_device_info(probe, i)); i++) {
		if (is_own_source(probe, info))
			continue;
		arch = get_common(arch, info->arch, count);
		api = get_common(api, info->api, count++);
	}
	if (!count && tacho_probe_get_device_info(probe, 0))
		arch = api = "none";
	if (catalog->arch || catalog->api || !arch || !api)
		return;
	catalog->arch = arch;
	catalog->api = api;
}

static int create(const struct tacho_context_options *options,
		  const struct tacho__backend *const *table, bool is_lean,
		  struct tacho_context **out_context)
{
	struct tacho_catalog_options catalog;
	struct tacho_context_options own;
	struct tacho_context *context;
	int rc = tacho__options_take(&own, sizeof(own), options, "tacho_context_options");

	if (!rc)
		rc = tacho__options_take(&catalog, sizeof(catalog), own.catalog,
					 "tacho_catalog_options");
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
	if (!rc && is_lean)
		narrow(context->probe, &catalog);
	if (!rc)
		rc = tacho__catalog_open(&catalog, is_lean, &context->catalog);
	if (rc)
		tacho_context_destroy(context);
	else
		*out_context = context;
	return rc;
}

int tacho__context_create(const struct tacho_context_options *options,
			  const struct tacho__backend *const *table,
			  struct tacho_context **out_context)
{
	return create(options, table, false, out_context);
}

int tacho_context_create(const struct tacho_context_options *options,
			 struct tacho_context **out_context)
{
	if (!out_context)
		return tacho__fail_null(__func__);
	return create(options, NULL, false, out_context);
}

int tacho_context_create_lean(const struct tacho_context_options *options,
			      struct tacho_context **out_context)
{
	if (!out_context)
		return tacho__fail_null(__func__);
	return create(options, NULL, true, out_context);
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

static int fail_selector(const struct tacho_context *context, const char *selector,
			 const bool *fits, size_t count)
{
	struct tacho__buf names = {0};
	const struct tacho_device_info *info;
	int rc;

	for (size_t i = 0; (info = tacho_context_get_device_info(context, i)); i++)
		if (!count || fits[i])
			tacho__buf_printf(&names, "%s%s:%s", names.size ? ", " : "choose of ",
					  info->backend, info->name);
	if (!count)
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

static int find_named(const struct tacho_context *context, const char *selector,
		      const struct tacho_device_info **out_info)
{
	const struct tacho_device_info **all;
	size_t count = 0, found;
	bool *fits;
	int rc = 0;

	while (tacho_context_get_device_info(context, count))
		count++;
	all = calloc(count + 1, sizeof(*all));
	fits = calloc(count + 1, sizeof(*fits));
	if (!all || !fits) {
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu devices", count);
		goto out;
	}
	for (size_t i = 0; i < count; i++)
		all[i] = tacho_context_get_device_info(context, i);
	found = tacho_devices_match(all, count, selector, fits);
	if (found != 1)
		rc = fail_selector(context, selector, fits, found);
	for (size_t i = 0; i < count && !rc; i++)
		if (fits[i])
			*out_info = all[i];
out:
	free(all);
	free(fits);
	return rc;
}

int tacho_context_find_device_info(const struct tacho_context *context, const char *selector,
				   const struct tacho_device_info **out_info)
{
	const struct tacho_device_info *info;

	if (!context || !selector || !out_info)
		return tacho__fail_null(__func__);
	info = get_numbered(context, selector);
	if (!info)
		return find_named(context, selector, out_info);
	*out_info = info;
	return 0;
}
