/* SPDX-License-Identifier: MIT */
#include "request.h"

#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sim.h>

#include "cli.h"
#include "device_arch.h"
#include "items.h"

/* Where a name is known, as something that can be counted and as what has no expression. */
struct places {
	char *counted, *uncounted; /* NULL: nowhere */
	char *caveat;		   /* why there is no expression */
};

static char *format_places(struct cli_items *items)
{
	char *archs, *apis, *text = NULL;

	cli_items_fold(items);
	if (items->count) {
		archs = cli_item_format_archs(&items->items[0]);
		apis = cli_item_format_apis(&items->items[0]);
		text = cli_format("%s (API %s)", archs, apis);
		free(archs);
		free(apis);
	}
	cli_items_finish(items);
	return text;
}

/* On all architectures of the vendor; NULL: of all vendors. */
static void find_places(const struct cli_request *request, const char *vendor, const char *name,
			struct places *out_places)
{
	struct tacho_catalog_options options = {
		.size = sizeof(options),
		.definitions = request->definitions ? request->definitions->texts : NULL,
		.definition_count = request->definitions ? request->definitions->count : 0,
	};
	struct cli_items counted = {0}, uncounted = {0};
	struct places places = {0};
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;

	if (cli_succeeded(tacho_catalog_open(&options, &catalog))) {
		for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++) {
			const struct tacho_entry *entry;
			bool counts;

			if (vendor && strcmp(arch->vendor, vendor))
				continue; /* what others define is not even read */
			entry = tacho_arch_find_entry(arch, name);
			if (!entry || strcasecmp(entry->name, name))
				continue;
			counts = entry->kind != TACHO_ENTRY_METRIC || *entry->expression;
			if (!counts && !places.caveat)
				places.caveat = cli_format("%s", entry->caveat);
			cli_items_add(counts ? &counted : &uncounted, arch, entry,
				      cli_format("%s", ""));
		}
		places.counted = format_places(&counted);
		places.uncounted = format_places(&uncounted);
		tacho_catalog_close(catalog);
	}
	*out_places = places;
}

static void complain_uncounted(const struct places *places, const char *name)
{
	cli_complain(places->caveat,
		     places->counted ? cli_part("count it on %s", places->counted)
				     : "choose what can be counted: tacho list metrics",
		     "%s has no equation on %s", name, places->uncounted);
}

/* "mi210, mi300x": devices that can be simulated and that have it. Owned. */
static char *format_simulated(const char *name)
{
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;
	char *text = cli_format("%s", "");
	char model[64];

	if (!cli_succeeded(tacho_catalog_open(NULL, &catalog)))
		return text;
	for (size_t k = 0; !tacho_sim_get_name(k, model, sizeof(model)); k++) {
		bool has_it = false;

		for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++)
			has_it |= tacho_arch_find_model(arch, model) &&
				  tacho_arch_find_entry(arch, name);
		if (has_it)
			cli_append(&text, ", ", "%s", model);
	}
	tacho_catalog_close(catalog);
	return text;
}

/* A name of other vendors' GPUs: what is near it here is of no use. */
static void complain_elsewhere(const char *name, const char *known_on)
{
	const struct tacho_error_detail *detail = tacho_error_last();
	char *models = format_simulated(name);
	char *message = cli_format("%s", detail->message);

	cli_complain(cli_part("it is known on %s", known_on),
		     cli_part("name a device of these with -d, or simulate one%s%s",
			      *models ? ": --sim " : " with --sim", models),
		     "%s", message);
	free(message);
	free(models);
}

/* What the library said, with where else the name is known and what else can be done. */
static void complain_name(const struct cli_request *request, const char *known_on)
{
	const struct tacho_error_detail *detail = tacho_error_last();
	const char *cause = known_on ? cli_part("it is known on %s", known_on) : detail->cause;

	if (!*cause && request->device)
		cause = cli_device_get_lack(request->device);
	cli_complain(cause,
		     cli_part("%s%s%s", detail->cure, *detail->cure && request->hint ? "; or " : "",
			      request->hint ? request->hint : ""),
		     "%s", detail->message);
}

/* `name` is the one that it is about; "": nothing of the list can be counted, or it is no name. */
static int complain(const struct cli_request *request, const struct tacho_arch *arch, int rc,
		    const char *name)
{
	const struct tacho_entry *entry = tacho_arch_find_entry(arch, name);
	struct places places = {0};
	bool is_elsewhere = false;
	int status = CLI_FAILED;

	if (rc != TACHO_E_UNSUPPORTED && (rc != TACHO_E_NOTFOUND || !*name))
		return (int)cli_complain_last();
	if (arch && *name)
		find_places(request, arch->vendor, name, &places);
	if (arch && *name && !entry && !places.counted && !places.uncounted) {
		find_places(request, NULL, name, &places);
		is_elsewhere = places.counted != NULL;
	}
	if (!*name || (places.uncounted && (entry ? !*entry->expression : !places.counted)))
		status = CLI_NOTHING;
	if (status == CLI_NOTHING)
		cli_change_class(CLI_NOTHING);
	if (status == CLI_NOTHING && *name)
		complain_uncounted(&places, name);
	else if (is_elsewhere)
		complain_elsewhere(name, places.counted);
	else
		complain_name(request, entry ? NULL : places.counted);
	free(places.counted);
	free(places.uncounted);
	free(places.caveat);
	return status;
}

static void warn_left_out(const struct tacho_config *config)
{
	size_t count = tacho_config_get_left_out_count(config);

	if (!count)
		return;
	cli_warn("%zu of the list cannot be counted on %s and %s left out; named alone "
		 "with -m, each says why",
		 count, tacho_config_get_arch(config)->name, count == 1 ? "is" : "are");
}

void cli_request_warn_of_files(const struct tacho_config *config)
{
	const char *remark;

	for (size_t i = 0; (remark = tacho_config_get_remark(config, i)); i++)
		cli_warn("%s", remark);
}

static struct tacho_config_options get_options(const struct cli_request *request)
{
	struct tacho_config_options options = request->options;

	options.size = sizeof(options);
	options.files = request->files ? request->files->texts : NULL;
	options.file_count = request->files ? request->files->count : 0;
	options.job = request->job < UINT32_MAX ? (uint32_t)request->job : UINT32_MAX;
	return options;
}

int cli_request_parse(const struct cli_request *request, struct tacho_config **out_config)
{
	struct tacho_config_options options = get_options(request);
	struct tacho_config_problem problem = {""};
	char *list = cli_texts_join(request->lists);
	int rc;

	if (request->device)
		options.arch = tacho_device_get_arch(request->device);
	rc = request->device ? tacho_device_parse_config(request->device, list, &options,
							 out_config, &problem)
			     : tacho_config_parse(list, &options, out_config, &problem);
	free(list);
	if (!cli_succeeded(rc))
		return complain(request, options.arch, rc, problem.name);
	warn_left_out(*out_config);
	cli_request_warn_of_files(*out_config);
	return CLI_OK;
}

int cli_request_parse_commands(const struct cli_request *request, struct tacho_config **out_config)
{
	struct tacho_config_options options = get_options(request);
	struct tacho_config_problem problem = {""};
	char *list = cli_texts_join(request->lists);
	int rc;

	options.arch = NULL;
	rc = tacho_config_parse(list, &options, out_config, &problem);
	free(list);
	if (rc == TACHO_E_NOTFOUND && *problem.name)
		return CLI_OK;
	if (cli_succeeded(rc))
		return CLI_OK;
	return (int)cli_complain_last();
}
