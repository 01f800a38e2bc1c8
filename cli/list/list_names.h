/* SPDX-License-Identifier: MIT */
/* The names of the grammar in `tacho list metrics`, of architectures that were asked for. */
#ifndef TACHO_CLI_LIST_NAMES_H
#define TACHO_CLI_LIST_NAMES_H

#include <tacho/catalog.h>

#include "list/list.h"

/* Bases that have the listing's words, behind an empty line; false: there are none. */
bool cli_list_print_bases(const struct cli_listing *listing, const struct tacho_arch *arch,
			  bool is_first);
/* The same as elements of the open array. */
bool cli_list_write_bases(struct tacho_json *json, const struct cli_listing *listing,
			  const struct tacho_arch *arch);

#endif
