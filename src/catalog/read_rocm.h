/* SPDX-License-Identifier: MIT */
/* What the readers of ROCm's definitions share. */
#ifndef TACHO_CATALOG_READ_ROCM_H
#define TACHO_CATALOG_READ_ROCM_H

#include "catalog/catalog.h"

/* A file that is being read. */
struct tacho__rocm_reader {
	struct tacho_catalog *catalog;
	const struct tacho__definitions *definitions;
	const char *source;	     /* of entries that name none themselves */
	struct tacho__names seen;    /* "ARCH NAME" of what the file defined so far */
	struct tacho__arena scratch; /* of expressions that are tried */
};

/*
 * The text of a member that should be a scalar, "" when it is not there or empty. A list or mapping
 * is a mistake, and "" too. Returns that of tacho__rocm_mistake().
 */
int tacho__rocm_text(const struct tacho__rocm_reader *reader, const char *entry,
		     const struct tacho__yaml *mapping, const char *key, const char **out_text);

/* The member, or NULL when it is not there or holds nothing ("event:", "event: ~"). */
const struct tacho__yaml *tacho__rocm_get(const struct tacho__yaml *mapping, const char *key);

/*
 * Adds one definition of the counter or metric `general->name`, whose description and the like hold
 * where the definition says nothing else, to its architectures: a list, or names with "/" between.
 * Mistakes cost the definition, or the architecture that is wrong. Fails like
 * tacho__rocm_mistake() and with NOMEM.
 */
int tacho__rocm_define(struct tacho__rocm_reader *reader, const struct tacho_entry *general,
		       const struct tacho__yaml *definition,
		       const struct tacho__yaml *architectures);
int tacho__rocm_define_for(struct tacho__rocm_reader *reader, const struct tacho_entry *general,
			   const struct tacho__yaml *definition, const char *architectures);

/* Fills description, unit, range, better, advice, caveat and source from the mapping's members. */
int tacho__rocm_describe(const struct tacho__rocm_reader *reader, const struct tacho__yaml *mapping,
			 struct tacho_entry *entry);

/* The dimensions of a block's counters on a model; see docs/rocm-definitions.md. */
int tacho__rocm_dimensions(const struct tacho_arch *arch, const struct tacho_block *block,
			   const struct tacho_model *model, struct tacho_dimension *out_dimensions,
			   uint32_t *out_count);

/* ROCm's examples in the manner of XML, "<metric name=...>", which are refused. */
int tacho__rocm_xml_is(const char *text, size_t size);
/* Always PARSE, with the first metric written as YAML in the cure. */
int tacho__rocm_xml_refuse(const char *file, const char *text, size_t size);

/* Both of ROCm's schemas of counters. */
int tacho__rocm_is(const struct tacho__yaml *root);
int tacho__rocm_read(const struct tacho__definitions *definitions);
/* Declares the architectures of a list "architectures", with their blocks and constants. */
int tacho__rocm_declare(struct tacho__rocm_reader *reader, const struct tacho__yaml *list);
/*
 * Fills a block from a mapping; `accumulate` may be NULL. *out_good: no mistake was found. NOMEM,
 * PARSE.
 */
int tacho__rocm_block(struct tacho__rocm_reader *reader, const struct tacho__yaml *node,
		      const struct tacho__yaml *accumulate, struct tacho_block *block,
		      int *out_good);
int tacho__rocm_blocks_is(const struct tacho__yaml *root);
int tacho__rocm_blocks_read(const struct tacho__definitions *definitions);
/*
 * The path of an installed ROCm's definitions that the environment names, in the catalog's arena;
 * NULL when it names none, or memory ran out.
 */
const char *tacho__rocm_environment_file(struct tacho_catalog *catalog);

#endif
