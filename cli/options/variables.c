/* SPDX-License-Identifier: MIT */
#include "options/variables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "suggest.h"

extern char **environ;

static const char prefix[] = "TACHO_";

enum { PREFIX_BYTES = sizeof(prefix) - 1, TOLD_MAX = 8 };

/* Of no option, for users. */
static const char *const others[] = {
	"TACHO_CONFIG",
	"TACHO_CUPTI",
	"TACHO_FACE",
	"TACHO_INJECT_LIBRARY",
	"TACHO_LAUNCH_PATIENCE_MS",
	"TACHO_LIBRARY",
	"TACHO_NVIDIA_ROOT",
	"TACHO_PAGER",
	"TACHO_ROCM_ROOT",
	"TACHO_ROCPROFILER_REAL",
	"TACHO_ROCPROFILER_KERNELS",
	"TACHO_ROCPROFILER_SPLIT",
	"TACHO_SIM",
};

/* Of recorded programs, which have them from the command, and of tacho's own scripts and tests. */
static const char *const inner[] = {
	"TACHO_COUNT",	      "TACHO_KEEP_PROGRAMS", "TACHO_LONG",	   "TACHO_MACHINE_ROOT",
	"TACHO_OFFLINE",      "TACHO_POOL",	     "TACHO_RECORD_STAMP", "TACHO_ROCM_OVER_FACE",
	"TACHO_ROOTS",	      "TACHO_SETUP_TIMEOUT", "TACHO_SOURCE_ROOT",  "TACHO_TEST_RECORDINGS",
	"TACHO_TEST_VENDORS", "TACHO_TIME_DRAWS",    "TACHO_VIA",
};

char *cli_variable_format(const struct cli_command *command, const struct cli_option *option)
{
	char *name = command ? cli_format("%s%s_%s", prefix, command->name, option->name)
			     : cli_format("%s%s", prefix, option->name);

	for (char *at = name; *at; at++)
		*at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
	return name;
}

struct names {
	char **names; /* without the prefix; NULL behind the last. Owned, with its strings */
	size_t count;
};

static void add(struct names *list, char *name)
{
	list->names = cli_grow(list->names, list->count, sizeof(*list->names));
	list->names[list->count++] = name;
}

static void add_option(struct names *list, const struct cli_command *command,
		       const struct cli_option *option)
{
	char *name = cli_variable_format(command, option);

	add(list, cli_format("%s", name + PREFIX_BYTES));
	free(name);
}

/* All that users may set. */
static struct names list_names(const struct cli_command *const *commands)
{
	const struct cli_option *option;
	struct names list = {0};

	for (size_t i = 0; commands[i]; i++)
		for (size_t k = 0; (option = cli_command_get_option(commands[i], k)); k++) {
			add_option(&list, commands[i], option);
			if (k >= commands[i]->option_count)
				add_option(&list, NULL, option); /* all commands have it */
		}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		add(&list, cli_format("%s", others[i] + PREFIX_BYTES));
	add(&list, NULL);
	return list;
}

static bool is_inner(const char *name)
{
	for (size_t i = 0; i < sizeof(inner) / sizeof(inner[0]); i++)
		if (strcmp(name, inner[i] + PREFIX_BYTES) == 0)
			return true;
	return false;
}

static bool is_known(const struct names *list, const char *name)
{
	for (size_t i = 0; list->names[i]; i++)
		if (strcmp(name, list->names[i]) == 0)
			return true;
	return is_inner(name);
}

static void warn(const struct names *list, const char *name)
{
	const char *nearest = cli_suggest(name, (const char *const *)list->names);

	if (nearest)
		cli_warn("the environment variable %s%s has no meaning: did you mean %s%s?", prefix,
			 name, prefix, nearest);
	else
		cli_warn("the environment variable %s%s has no meaning; those that have one: "
			 "docs/config.md",
			 prefix, name);
}

void cli_variables_check(const struct cli_command *const *commands)
{
	struct names list = {0};
	unsigned told = 0;

	for (char **at = environ; commands && at && *at && told < TOLD_MAX; at++) {
		char *name;

		if (strncmp(*at, prefix, PREFIX_BYTES) != 0)
			continue;
		if (!list.names)
			list = list_names(commands);
		name = cli_format("%.*s", (int)strcspn(*at + PREFIX_BYTES, "="),
				  *at + PREFIX_BYTES);
		if (!is_known(&list, name)) {
			warn(&list, name);
			told++;
		}
		free(name);
	}
	for (size_t i = 0; i < list.count; i++)
		free(list.names[i]);
	free(list.names);
}
