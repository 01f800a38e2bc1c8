/* SPDX-License-Identifier: MIT */
/* Text and tables as Markdown. */
#ifndef TACHO_CLI_MARKDOWN_H
#define TACHO_CLI_MARKDOWN_H

#include <stdio.h>

#include "table.h"

/* A clean copy; what would end a cell of a table or mark it up is escaped. */
void cli_markdown_put(FILE *stream, const char *text);
void cli_markdown_print(const struct cli_table *table, FILE *stream);

#endif
