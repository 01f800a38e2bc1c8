/* SPDX-License-Identifier: MIT */
/* The catalog as commands use it: opened by options, its problems told, its parts found by name. */
#ifndef TACHO_CLI_CATALOG_H
#define TACHO_CLI_CATALOG_H

#include <stdbool.h>
#include <stddef.h>

#include <tacho/catalog.h>

#include "options/options.h"

/* What the options say; {0} asks for everything. */
struct cli_catalog_choice {
	const char *arch, *api, *model;
	struct cli_texts definitions;
};

/* The rows for an option table; `settings` has a struct cli_catalog_choice called `choice`. */
#define CLI_CATALOG_OPTION(settings, name, metavar, type, words, help) \
	CLI_OPTION(settings, 0, #name, metavar, type, words, choice.name, help)
#define CLI_OPTION_ARCH(settings)                                         \
	CLI_CATALOG_OPTION(settings, arch, "A", CLI_TEXT, CLI_WORDS_ARCH, \
			   "of this architecture: gfx942, chv ... (tacho list archs)")
#define CLI_OPTION_API(settings)                               \
	CLI_CATALOG_OPTION(                                    \
		settings, api, "API", CLI_TEXT, CLI_WORDS_API, \
		"of this API: cl, gl, hsa, dx11, rocm, oa, cuda, cuda_sampling, nvml or vulkan")
#define CLI_OPTION_MODEL(settings)                                          \
	CLI_CATALOG_OPTION(settings, model, "M", CLI_TEXT, CLI_WORDS_MODEL, \
			   "on this device, whose numbers of units are known: mi300x ...")
#define CLI_OPTION_DEFINITIONS(settings)                                             \
	CLI_CATALOG_OPTION(settings, definitions, "FILE", CLI_TEXTS, CLI_WORDS_FILE, \
			   "read this file of definitions too, YAML or XML; may be repeated")

/*
 * Opens the catalog and warns about each problem of its files. Otherwise it says why not and
 * returns the exit status. `only_arch`: leave out what cannot define choice->arch, which is
 * quicker; names that are not found there then stay unknown.
 */
int cli_catalog_open(const struct cli_catalog_choice *choice, bool only_arch,
		     struct tacho_catalog **out_catalog);

/*
 * The architecture that was chosen, by name or by a model's name. Otherwise it says what to do and
 * returns the exit status.
 */
int cli_catalog_find_arch(const struct tacho_catalog *catalog,
			  const struct cli_catalog_choice *choice,
			  const struct tacho_arch **out_arch);

/* The model that was chosen, NULL when none was; an unknown one is complained about. */
int cli_catalog_find_model(const struct tacho_arch *arch, const struct cli_catalog_choice *choice,
			   const struct tacho_model **out_model);

/*
 * Opens the catalog for the architectures that fit the choice and lists these in its order; the
 * array is owned and ends with NULL. When there is none, that was said.
 */
int cli_catalog_open_archs(const struct cli_catalog_choice *choice,
			   struct tacho_catalog **out_catalog, const struct tacho_arch ***out_archs,
			   size_t *out_count);

/* Equal for architectures whose APIs share definitions. Static. */
const char *cli_catalog_get_family(const struct tacho_arch *arch);

/* Its slots are known; else the vendor's library alone knows what has room in it. */
bool cli_catalog_states_slots(const struct tacho_block *block);

/* How JSON and people call a kind: "counter", "metric", "constant". Static. */
const char *cli_catalog_kind(enum tacho_entry_kind kind);
/* "u64", "f64". Static. */
const char *cli_catalog_type(enum tacho_type type);

#endif
