/* SPDX-License-Identifier: MIT */
/* Expansion of -o, and names of files that belong together. */
#include "name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tacho/exporter.h>

#include "cli.h"

static const char *get_rank(void)
{
	static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
						"SLURM_PROCID"};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return value;
	}
	return "0";
}

/* What stands for the "{NAME}" at *at; moves *at behind it. NULL when that was wrong. */
static const char *get_variable(const char *pattern, const char **at)
{
	const char *close = **at == '{' ? strchr(*at, '}') : NULL, *value;
	char *name;

	if (!close || close == *at + 1) {
		cli_complain("", "write %q{NAME}, NAME being a variable of the environment",
			     "the name \"%s\" has %%q without {NAME}", pattern);
		return NULL;
	}
	name = cli_format("%.*s", (int)(close - *at - 1), *at + 1);
	value = getenv(name);
	if (!value)
		cli_complain("", "set the variable, or take another name",
			     "the name \"%s\" needs the variable %s, which is not set", pattern,
			     name);
	free(name);
	*at = close + 1;
	return value;
}

/* What stands for the letters behind a "%" at *at; moves *at behind them. Owned; NULL: wrong. */
static char *expand_one(const char *pattern, const char **at)
{
	char letter = **at, host[256] = "";
	const char *value;

	if (letter)
		(*at)++;
	switch (letter) {
	case '%': return cli_format("%%");
	case 'p': return cli_format("%ld", (long)getpid());
	case 'r': return cli_format("%s", get_rank());
	case 'h': gethostname(host, sizeof(host) - 1); return cli_format("%s", host);
	case 'q': value = get_variable(pattern, at); return value ? cli_format("%s", value) : NULL;
	default:
		cli_complain("", "use %h, %p, %r, %q{NAME}, or %% for a percent sign",
			     letter ? "the name \"%s\" has %%%c, which means nothing"
				    : "the name \"%s\" ends with a single %%",
			     pattern, letter);
		return NULL;
	}
}

bool cli_name_expand(const char *pattern, char **out_name)
{
	char *name = cli_format("%s", "");
	const char *at = pattern;

	while (*at) {
		size_t size = strcspn(at, "%");
		char *plain = cli_format("%s%.*s", name, (int)size, at), *more = NULL;

		free(name);
		name = plain;
		at += size;
		if (!*at)
			break;
		at++;
		more = expand_one(pattern, &at);
		if (!more) {
			free(name);
			return false;
		}
		name = cli_format("%s%s", plain, more);
		free(plain);
		free(more);
	}
	if (!*name) {
		cli_complain("", "give a name", "the name \"%s\" is empty", pattern);
		free(name);
		return false;
	}
	*out_name = name;
	return true;
}

char *cli_name_get_base(const char *recording)
{
	static const char *const suffixes[] = {".tacho", ".atp", ".csv", ".occupancy"};
	char *base = cli_format("%s", recording);
	size_t length = strlen(base);

	while (length > 1 && base[length - 1] == '/')
		base[--length] = '\0';
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		size_t size = strlen(suffixes[i]);

		if (length > size && strcmp(base + length - size, suffixes[i]) == 0 &&
		    base[length - size - 1] != '/') {
			base[length - size] = '\0';
			break;
		}
	}
	return base;
}

static const struct tacho_format *find_format(const char *name)
{
	const struct tacho_format *format;

	for (size_t i = 0; (format = tacho_format_get(i)); i++)
		if (strcmp(format->name, name) == 0)
			return format;
	return NULL;
}

char *cli_name_find_export(const char *base, const char *format_name)
{
	const struct tacho_format *format = find_format(format_name);
	char *suffixes, *rest, *suffix, *found = NULL;
	int error = 0;

	errno = 0;
	if (!format)
		return NULL;
	suffixes = rest = cli_format("%s", format->suffixes);
	while (!found && (suffix = strsep(&rest, " "))) {
		char *path = cli_format("%s%s", base, suffix);
		struct stat status;

		if (*suffix && lstat(path, &status) == 0) {
			found = path;
			continue;
		}
		if (*suffix && errno != ENOENT && errno != ENOTDIR)
			error = errno;
		free(path);
	}
	free(suffixes);
	errno = error;
	return found;
}
