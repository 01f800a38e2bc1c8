/* SPDX-License-Identifier: MIT */
/* Variables of the environment with which drivers hide devices from programs and number the rest.
 */
#ifndef TACHO_CLI_LIST_MASKS_H
#define TACHO_CLI_LIST_MASKS_H

#include <stdio.h>

#include <tacho/sys/json.h>

/* A sentence on each that is set; nothing when none is. The same as "masks". */
void cli_list_print_masks(FILE *stream, unsigned width);
void cli_list_add_masks(struct tacho_json *json);

#endif
