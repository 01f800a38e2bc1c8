/* SPDX-License-Identifier: MIT */
/* The recording that the operands of a command name: one, or files of other tools that are one. */
#ifndef TACHO_CLI_FILES_H
#define TACHO_CLI_FILES_H

struct tacho_recording;

enum { CLI_FILES_MAX = 4096 }; /* operands that are one recording */

#define CLI_OPTION_AS(settings)                                                                  \
	CLI_OPTION(settings, 0, "as", "KIND", CLI_TEXT, CLI_WORDS_KIND, as,                      \
		   "read files of another tool as this kind, whatever they look like; \"help\" " \
		   "lists the kinds")

/* What "help" stands for: a kind a line, behind `indent`. */
void cli_files_list_kinds(const char *indent);

/*
 * Opens them, as `kind` unless it is NULL; owned. OK, or the class of the failure, which was said.
 */
int cli_files_open(char *const *names, int count, const char *kind,
		   struct tacho_recording **out_recording);

#endif
