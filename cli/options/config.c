/* SPDX-License-Identifier: MIT */
#include "options/config.h"

#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sys/settings.h>

#include "options/variables.h"
#include "suggest.h"

enum { NAMES_MAX = 1024 };

static const struct cli_command *const *commands;
static struct tacho_settings *file; /* values of options are in it */
static char *file_path;

void cli_config_set_commands(const struct cli_command *const *list)
{
	commands = list;
}

char *cli_config_get_path(void)
{
	const char *own = getenv("TACHO_CONFIG"), *base = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (own)
		return *own ? cli_format("%s", own) : NULL;
	if (base && *base == '/')
		return cli_format("%s/tacho/config.yaml", base);
	return home && *home == '/' ? cli_format("%s/.config/tacho/config.yaml", home) : NULL;
}

/* ---- what is wrong with the file ---- */

static const struct cli_command *find_command(const char *name)
{
	for (size_t i = 0; commands && commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

/* In a section: the command's; else of any. */
static bool is_known(const struct tacho_setting *setting)
{
	for (size_t i = 0; commands && commands[i]; i++)
		if ((!*setting->section || strcmp(setting->section, commands[i]->name) == 0) &&
		    cli_command_find_option(commands[i], setting->key) != SIZE_MAX)
			return true;
	return !commands;
}

static void complain(const struct tacho_setting *setting)
{
	const char *names[NAMES_MAX + 1] = {0}, *nearest;
	const struct cli_option *option;
	bool is_command = !*setting->section || find_command(setting->section);
	size_t count = 0;

	for (size_t i = 0; commands && commands[i]; i++) {
		if (!is_command && count < NAMES_MAX)
			names[count++] = commands[i]->name;
		if (*setting->section && strcmp(setting->section, commands[i]->name) != 0)
			continue;
		for (size_t k = 0; (option = cli_command_get_option(commands[i], k)); k++)
			if (is_command && count < NAMES_MAX)
				names[count++] = option->name;
	}
	nearest = cli_suggest(is_command ? setting->key : setting->section, names);
	cli_complain(
		nearest ? cli_part("did you mean %s?", nearest) : "",
		"write the long name of an option, below its command or for all; see: tacho "
		"help config",
		"%s:%u: there is no %s \"%s\"%s%s", file_path, setting->line,
		is_command ? "option" : "command", is_command ? setting->key : setting->section,
		is_command && *setting->section ? " of " : "", is_command ? setting->section : "");
}

/* Of the failure to read it: what the file says wrong is usage, the rest is the system's. */
static enum cli_exit read_class = CLI_USAGE;

/* Once; true where there is no file. */
static bool read_file(void)
{
	const struct tacho_setting *setting;
	int rc;

	if (file || file_path)
		return true;
	file_path = cli_config_get_path();
	if (!file_path)
		return true;
	rc = tacho_settings_read(file_path, &file);
	if (rc == TACHO_E_NOTFOUND && !getenv("TACHO_CONFIG"))
		return true;
	/* HOME is another user's, as in containers: nobody asked for this file. */
	if (rc == TACHO_E_PERM && !getenv("TACHO_CONFIG")) {
		cli_warn("settings in %s are not used: %s", file_path, tacho_error_last()->cause);
		return true;
	}
	if (rc) {
		enum cli_exit class = cli_complain_last();

		read_class = rc == TACHO_E_PARSE || rc == TACHO_E_NOTFOUND ? CLI_USAGE : class;
		return false;
	}
	for (size_t i = 0; (setting = tacho_settings_get(file, i)); i++)
		if (!is_known(setting)) {
			complain(setting);
			return false;
		}
	return true;
}

/* ---- what is set ---- */

static void walk_variable(const struct cli_command *command, const struct cli_option *option,
			  const struct cli_command *named, cli_config_fn fn, void *user)
{
	char *name = cli_variable_format(named, option);
	const char *value = getenv(name);
	struct cli_origin origin = {CLI_SOURCE_ENVIRONMENT, name};

	if (value)
		fn(user, command, option, value, &origin);
	free(name);
}

bool cli_config_walk(const struct cli_command *command, cli_config_fn fn, void *user)
{
	const struct tacho_setting *setting;
	const struct cli_option *option;

	if (!read_file())
		return false;
	/* what stands below the command's name is said behind what is for all */
	for (int own = 0; own < 2; own++)
		for (size_t i = 0; (setting = tacho_settings_get(file, i)); i++) {
			size_t index = cli_command_find_option(command, setting->key);
			struct cli_origin origin = {own ? CLI_SOURCE_SECTION : CLI_SOURCE_FILE,
						    NULL};
			char *place;

			if (index == SIZE_MAX || (own ? strcmp(setting->section, command->name) != 0
						      : *setting->section))
				continue;
			origin.place = place = cli_format("%s:%u", file_path, setting->line);
			fn(user, command, cli_command_get_option(command, index), setting->value,
			   &origin);
			free(place);
		}
	for (size_t i = 0; (option = cli_command_get_option(command, i)); i++) {
		if (i >= command->option_count)
			walk_variable(command, option, NULL, fn, user);
		walk_variable(command, option, command, fn, user);
	}
	return true;
}

struct target {
	void *settings;
	bool good;
};

static void apply(void *user, const struct cli_command *command, const struct cli_option *option,
		  const char *value, const struct cli_origin *origin)
{
	struct target *target = user;

	target->good = target->good &&
		       cli_option_store(command, cli_command_find_option(command, option->name),
					value, origin, target->settings);
}

void cli_config_check_variables(void)
{
	cli_variables_check(commands);
}

enum cli_exit cli_config_get_class(void)
{
	return read_class;
}

bool cli_config_apply(const struct cli_command *command, void *settings)
{
	struct target target = {settings, true};

	return cli_config_walk(command, apply, &target) && target.good;
}
