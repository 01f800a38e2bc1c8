/* SPDX-License-Identifier: MIT */
/* Opening the catalog, choosing the architecture and the model. */
#include "catalog.h"

#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sys/nearest.h>

#include "suggest.h"

/* Of scores of tacho_nearest_score(): the name is begun; it is contained, or a letter away. */
enum { MODELS_SHOWN = 24, BEGUN = 10, NEAR = 20 };

static void warn_problems(const struct tacho_catalog *catalog)
{
	const struct tacho_problem *problem;

	for (size_t i = 0; (problem = tacho_catalog_get_problem(catalog, i)); i++) {
		char *line = problem->line ? cli_format("%u: ", problem->line) : NULL;
		cli_warn("%s%s%s%s%s%s", problem->file, *problem->file ? ":" : "",
			 line		  ? line
			 : *problem->file ? " "
					  : "",
			 problem->entry, *problem->entry ? ": " : "", problem->message);
		free(line);
	}
}

int cli_catalog_open(const struct cli_catalog_choice *choice, bool only_arch,
		     struct tacho_catalog **out_catalog)
{
	struct tacho_catalog_options options = {
		.size = sizeof(options),
		.arch = only_arch ? choice->arch : NULL,
		.api = choice->api,
		.definitions = choice->definitions.texts,
		.definition_count = choice->definitions.count,
	};

	if (choice->api && cli_words_find(CLI_WORDS_API, choice->api, "--api") < 0)
		return CLI_USAGE;
	if (tacho_catalog_open(&options, out_catalog) != 0)
		return (int)cli_complain_last();
	warn_problems(*out_catalog);
	return CLI_OK;
}

/* Adds models whose names are nearer than that to `near`, each once. */
static void find_near_models(const struct tacho_catalog *catalog, const char *name, unsigned limit,
			     char **near)
{
	const struct tacho_arch *arch;
	const struct tacho_model *model;
	char *seen = cli_format("%s", " ");

	for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++)
		for (size_t k = 0; (model = tacho_arch_get_model(arch, k)); k++) {
			char *word = cli_format(" %s ", model->name);

			if (tacho_nearest_score(name, model->name) < limit && !strstr(seen, word)) {
				cli_append(near, " or ", "%s", model->name);
				cli_append(&seen, "", "%s ", model->name);
			}
			free(word);
		}
	free(seen);
}

static void complain_no_model(const struct tacho_catalog *catalog, const char *name)
{
	char *near = cli_format("%s", "");

	find_near_models(catalog, name, BEGUN, &near);
	if (!*near)
		find_near_models(catalog, name, NEAR, &near);
	cli_complain("",
		     *near ? cli_part("did you mean %s? All of them: tacho list models", near)
			   : "name the architecture: --arch A (tacho list archs)",
		     "no architecture has a model \"%s\"", name);
	free(near);
}

static int find_by_model(const struct tacho_catalog *catalog,
			 const struct cli_catalog_choice *choice,
			 const struct tacho_arch **out_arch)
{
	const struct tacho_arch *arch;

	for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++) {
		if ((choice->api && strcmp(choice->api, arch->api) != 0) ||
		    !tacho_arch_find_model(arch, choice->model))
			continue;
		*out_arch = arch;
		return CLI_OK;
	}
	complain_no_model(catalog, choice->model);
	return CLI_FAILED;
}

int cli_catalog_find_arch(const struct tacho_catalog *catalog,
			  const struct cli_catalog_choice *choice,
			  const struct tacho_arch **out_arch)
{
	if (!choice->arch && choice->model)
		return find_by_model(catalog, choice, out_arch);
	if (!choice->arch) {
		cli_complain("", "name it: --arch A (tacho list archs shows all)",
			     "an architecture is needed");
		return CLI_USAGE;
	}
	if (tacho_catalog_find_arch(catalog, choice->arch, choice->api, out_arch) != 0)
		return (int)cli_complain_last();
	return CLI_OK;
}

static void complain_model(const struct tacho_arch *arch, const char *name)
{
	const char *known[MODELS_SHOWN + 1] = {0}, *nearest;
	const struct tacho_model *model;
	char *all = cli_format("%s", "");

	for (size_t i = 0; i < MODELS_SHOWN && (model = tacho_arch_get_model(arch, i)); i++) {
		known[i] = model->name;
		cli_append(&all, ", ", "%s", model->name);
	}
	nearest = cli_suggest(name, known);
	cli_complain("",
		     !known[0] ? cli_part("leave --model out: %s has no models", arch->name)
		     : nearest ? cli_part("did you mean %s? Known: %s", nearest, all)
			       : cli_part("known: %s", all),
		     "%s has no model \"%s\"", arch->name, name);
	free(all);
}

int cli_catalog_find_model(const struct tacho_arch *arch, const struct cli_catalog_choice *choice,
			   const struct tacho_model **out_model)
{
	const struct tacho_model *model = NULL;

	if (choice->model && !(model = tacho_arch_find_model(arch, choice->model))) {
		complain_model(arch, choice->model);
		return CLI_FAILED;
	}
	*out_model = model;
	return CLI_OK;
}

static bool is_chosen(const struct tacho_arch *arch, const struct cli_catalog_choice *choice)
{
	if (choice->arch && strcasecmp(choice->arch, arch->name) != 0)
		return false;
	if (choice->api && strcmp(choice->api, arch->api) != 0)
		return false;
	return !choice->model || tacho_arch_find_model(arch, choice->model);
}

/* A vendor's library that would have it may be missing: the cause is known where names are found.
 */
static void complain_api(const struct tacho_catalog *catalog,
			 const struct cli_catalog_choice *choice)
{
	const struct tacho_error_detail *detail = tacho_error_last();
	const struct tacho_arch *arch;
	bool is_missing = choice->api &&
			  tacho_catalog_find_arch(catalog, "", choice->api, &arch) != 0 &&
			  *detail->cause;

	cli_complain(is_missing ? detail->cause : "",
		     is_missing ? detail->cure : "see: tacho list archs",
		     "no architecture has the API %s",
		     choice->api ? choice->api : "that was asked for");
}

/*
 * All architectures that fit the choice, in the catalog's order; the array is owned and ends with
 * NULL. When there is none, that was said.
 */
static int list_archs(const struct tacho_catalog *catalog, const struct cli_catalog_choice *choice,
		      const struct tacho_arch ***out_archs, size_t *out_count)
{
	const struct tacho_arch *arch, **archs;
	size_t count = 0, total = 0;
	int status;

	while (tacho_catalog_get_arch(catalog, total))
		total++;
	archs = cli_alloc((total + 1) * sizeof(*archs));
	for (size_t i = 0; i < total; i++)
		if (is_chosen((arch = tacho_catalog_get_arch(catalog, i)), choice))
			archs[count++] = arch;
	if (count) {
		*out_archs = archs;
		*out_count = count;
		return CLI_OK;
	}
	free(archs);
	if (!choice->arch && !choice->model) {
		complain_api(catalog, choice);
		return CLI_FAILED;
	}
	status = cli_catalog_find_arch(catalog, choice, &arch);
	if (!status && choice->model)
		complain_model(arch, choice->model);
	return status ? status : CLI_FAILED;
}

const char *cli_catalog_get_family(const struct tacho_arch *arch)
{
	/* These name their architectures themselves; the others are APIs to the same devices. */
	static const char *const own[] = {"rocm", "oa", "cuda", "cuda_sampling", "nvml"};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(arch->api, own[i]) == 0)
			return own[i];
	return "";
}

bool cli_catalog_states_slots(const struct tacho_block *block)
{
	return block->slots || block->event_count;
}

const char *cli_catalog_kind(enum tacho_entry_kind kind)
{
	switch (kind) {
	case TACHO_ENTRY_METRIC: return "metric";
	case TACHO_ENTRY_CONSTANT: return "constant";
	default: return "counter";
	}
}

const char *cli_catalog_type(enum tacho_type type)
{
	return type == TACHO_TYPE_F64 ? "f64" : "u64";
}

int cli_catalog_open_archs(const struct cli_catalog_choice *choice,
			   struct tacho_catalog **out_catalog, const struct tacho_arch ***out_archs,
			   size_t *out_count)
{
	const struct tacho_arch *arch;
	struct tacho_catalog *catalog = NULL;
	int status = cli_catalog_open(choice, true, &catalog);

	/* The nearest names are only known when all were read; a cause is a better answer. */
	if (!status && choice->arch &&
	    tacho_catalog_find_arch(catalog, choice->arch, choice->api, &arch) ==
		    TACHO_E_NOTFOUND &&
	    !*tacho_error_last()->cause) {
		tacho_catalog_close(catalog);
		catalog = NULL;
		status = cli_catalog_open(choice, false, &catalog);
	}
	if (!status)
		status = list_archs(catalog, choice, out_archs, out_count);
	if (status)
		tacho_catalog_close(catalog);
	else
		*out_catalog = catalog;
	return status;
}
