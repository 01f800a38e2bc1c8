/* SPDX-License-Identifier: MIT */
/*
 * Tables with much text: cells are wrapped inside their columns, never cut. When the last column
 * would become too narrow it stands below the others; when these do not fit either, each row is a
 * record: its name, then the cells below it.
 */
#ifndef TACHO_CLI_COLUMNS_H
#define TACHO_CLI_COLUMNS_H

#include "table.h"

/*
 * Prints heading and rows, indented by two blanks. Columns without any text are left out. The last
 * column gets the room that is left. CLI_TEXT_UNLIMITED: one line a row.
 */
void cli_columns_print(const struct cli_table *table, FILE *stream, unsigned width);

#endif
