/* SPDX-License-Identifier: MIT */
/* A file that gets what tacho says on stderr, too. */
#ifndef TACHO_CLI_LOG_H
#define TACHO_CLI_LOG_H

#include <stdbool.h>

/*
 * From now on what is written to stderr goes behind what is in the file, too, without colours. The
 * file is made with mode 0600, and is no link. False: it cannot be written, and that was said.
 */
bool cli_log_open(const char *path);

#endif
