/* SPDX-License-Identifier: MIT */
/* What `tacho info` knows of a name, as text and as JSON. */
#ifndef TACHO_CLI_INFO_H
#define TACHO_CLI_INFO_H

#include <tacho/sys/json.h>

#include "items.h"

/* One definition of an entry: of all architectures that define it alike. */
struct cli_definition {
	struct cli_item item;		 /* its members' things are entries */
	const struct tacho_entry *entry; /* of the first member */
	const struct tacho_arch *arch;
	char *expanded; /* NULL: there is none, and why_not says why */
	char *why_not;
	const struct tacho_entry **inputs; /* what it comes down to */
	size_t input_count;
};

/* How a definition is shown. */
struct cli_info {
	const char *model;  /* NULL: none was chosen */
	const char *device; /* "BACKEND:NAME" that says what it has; NULL: the catalog does */
	FILE *stream;
	unsigned width;
};

/* Definition of an item whose things are entries, with what is worked out for it. */
void cli_definition_init(struct cli_definition *definition, const struct cli_item *item);
void cli_definition_finish(struct cli_definition *definition);

/* Text that is equal for definitions that are one. Owned. */
char *cli_definition_make_key(const struct tacho_arch *arch, const struct tacho_entry *entry);

/* The documents, and the file of an entry that is not built in, each once. Owned. */
char *cli_definition_format_sources(const struct cli_definition *definition);

/* The input of this name on the architecture of another member; NULL when it has none. */
const struct tacho_entry *cli_definition_get_input(const struct cli_member *member,
						   const struct tacho_entry *input);

/*
 * Where the counters from `first` to `last` are selected, a run or only one: "TA[0-15] 23" or,
 * where it differs, "TCC 23 on gfx906-908, TCC 25 on gfx90a". Owned.
 */
char *cli_definition_format_event(const struct cli_definition *definition,
				  const struct tacho_entry *first, const struct tacho_entry *last);

/* "DIMENSION_XCC 8 x DIMENSION_INSTANCE 16", or why they are not known. Owned. */
char *cli_info_format_dimensions(const struct tacho_arch *arch, const struct tacho_entry *counter,
				 const struct tacho_model *model);

/* Pages of text; each gets all that a name stands for. */
void cli_info_print_definitions(const struct cli_info *info,
				const struct cli_definition *definitions, size_t count);
void cli_info_print_sets(const struct cli_info *info, const struct cli_item *items, size_t count);
void cli_info_print_blocks(const struct cli_info *info, const struct cli_item *items, size_t count);
void cli_info_print_archs(const struct cli_info *info, const struct cli_item *items, size_t count);
void cli_info_print_models(const struct cli_info *info, const struct cli_item *items, size_t count);

/* One object of the array "entries" each. */
void cli_info_write_definition(struct tacho_json *json, const struct cli_info *info,
			       const struct cli_definition *definition);
void cli_info_write_set(struct tacho_json *json, const struct cli_item *item);
void cli_info_write_block(struct tacho_json *json, const struct cli_item *item);
void cli_info_write_arch(struct tacho_json *json, const struct cli_item *item);
void cli_info_write_model(struct tacho_json *json, const struct cli_item *item);

/* Parts of pages: "label   text", wrapped; nothing when the text is "". */
void cli_info_put(const struct cli_info *info, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The line that begins a page: "NAME - kind". */
void cli_info_put_title(const struct cli_info *info, const char *name, const char *kind);

/* "gfx6-9 (cl, gl)". Owned. */
char *cli_info_format_where(const struct cli_item *item);

/* "0 to 100", "up to 5"; "" when there is no range. Owned. */
char *cli_info_format_range(const struct tacho_entry *entry);

#endif
