/* SPDX-License-Identifier: MIT */
/* What -m asks for: the one way from the words of an option to a config, for all commands. */
#ifndef TACHO_CLI_REQUEST_H
#define TACHO_CLI_REQUEST_H

#include <tacho/session.h>

#include "options/options.h"

/* What the help of -m says. */
#define CLI_LIST_HELP                                                                             \
	"names, globs, regex:RE, set:NAME, all, @FILE, UNIT/EVENT/, with commas between; behind " \
	"a "                                                                                      \
	"name :instances, :serialized or :pipelined"

struct cli_request {
	const struct cli_texts *lists;	     /* each -m */
	const struct cli_texts *files;	     /* each -i; NULL: none */
	uint64_t job;			     /* of files with several jobs this one; 0: all */
	struct tacho_device *device;	     /* that counts; NULL: what the options say */
	struct tacho_config_options options; /* size, files and job are filled in */
	const struct cli_texts *definitions; /* files that the catalog has too; NULL: none */
	const char *hint; /* what else to do about a name that is not known; NULL: nothing */
};

/*
 * Warns of what was left out, and of what files ask for in vain. Otherwise it says why not and
 * returns the class of the failure.
 */
int cli_request_parse(const struct cli_request *request, struct tacho_config **out_config);

/* Warns of what files ask for in vain. cli_request_parse() has done it. */
void cli_request_warn_of_files(const struct tacho_config *config);

/*
 * The same when lists and files name nothing but counters of commands, which need no device; else
 * *out_config stays NULL. It warns of nothing.
 */
int cli_request_parse_commands(const struct cli_request *request, struct tacho_config **out_config);

#endif
