/* SPDX-License-Identifier: MIT */
/* Texts made from the tables of commands: help, man page parts, shell completion. */
#ifndef TACHO_CLI_HELP_H
#define TACHO_CLI_HELP_H

#include <stdio.h>

#include "help/options.h"

/* The overview of all commands. */
void cli_help_print_all(FILE *stream, unsigned width);
/* The help of one command. */
void cli_help_print(const struct cli_command *command, FILE *stream, unsigned width);

/* The first half of a man page in scdoc's language; NULL is tacho(1). */
void cli_man_print(const struct cli_command *command, FILE *stream);

void cli_completion_print_bash(FILE *stream);
void cli_completion_print_zsh(FILE *stream);
void cli_completion_print_fish(FILE *stream);

#endif
