/* SPDX-License-Identifier: MIT */
#include "base/pattern.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
	TEXT_MAX = 1000,   /* characters of a pattern */
	COPIES_MAX = 1000, /* that repetitions of an expression come to */
};

struct tacho_pattern {
	struct tacho__pattern pattern;
	char text[];
};

/*
 * What libc would need too much memory or time for: it copies what is repeated, and tries all ways
 * for a back-reference, which POSIX does not have here.
 */
static const char *find_excess(const char *text)
{
	unsigned long copies = 1;
	char before = '\0';

	for (; *text; before = *text++) {
		unsigned long most = 1;
		char *end;

		if (*text == '\\' && text[1]) {
			if (isdigit((unsigned char)*++text))
				return "it has a back-reference";
		} else if (*text == '{' && isdigit((unsigned char)text[1])) {
			unsigned long least = strtoul(text + 1, &end, 10);

			most = *end == ',' && isdigit((unsigned char)end[1])
				       ? strtoul(end + 1, NULL, 10)
				       : least + (*end == ',');
			most = most > least ? most : least;
		} else if (*text == '+' && before && strchr(")}*+?", before)) {
			most = 2; /* libc makes it once, and any number of times */
		}
		if (most > COPIES_MAX || (most > 1 && (copies *= most) > COPIES_MAX))
			return "it repeats more than 1000 times";
	}
	return NULL;
}

static int fail(const char *text, const char *cause, const char *what)
{
	return tacho__fail(TACHO_E_INVAL, cause, "write a simpler one",
			   "the %s \"%.40s%s\" is not taken", what, text,
			   strlen(text) > 40 ? "..." : "");
}

static int compile(struct tacho__pattern *pattern, const char *text)
{
	const char *excess =
		strlen(text) > TEXT_MAX ? "it is longer than 1000 characters" : find_excess(text);
	int flags = REG_EXTENDED | REG_NOSUB |
		    (pattern->flags & TACHO_PATTERN_IGNORE_CASE ? REG_ICASE : 0);
	char what[128];
	int error;

	if (excess)
		return fail(text, excess, "regular expression");
	error = regcomp(&pattern->regex, text, flags);
	if (!error)
		return 0;
	regerror(error, &pattern->regex, what, sizeof(what));
	return tacho__fail(error == REG_ESPACE ? TACHO_E_NOMEM : TACHO_E_INVAL, what,
			   "write a POSIX extended regular expression, as grep -E has them",
			   "\"%s\" is no regular expression", text);
}

static bool is_regex(const char *text)
{
	return strncasecmp(text, TACHO__REGEX_PREFIX, sizeof(TACHO__REGEX_PREFIX) - 1) == 0;
}

static bool is_glob(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

int tacho__pattern_init(struct tacho__pattern *out_pattern, const char *text, unsigned flags)
{
	struct tacho__pattern pattern = {TACHO__PATTERN_NAME, text, flags, {0}};
	int rc = 0;

	if (is_regex(text)) {
		pattern.kind = TACHO__PATTERN_REGEX;
		rc = compile(&pattern, text + sizeof(TACHO__REGEX_PREFIX) - 1);
	} else if (is_glob(text)) {
		pattern.kind = TACHO__PATTERN_GLOB;
		if (strlen(text) > TEXT_MAX)
			rc = fail(text, "it is longer than 1000 characters", "glob");
	}
	if (!rc)
		*out_pattern = pattern;
	return rc;
}

bool tacho__pattern_fits(const struct tacho__pattern *pattern, const char *name)
{
	bool ignores_case = pattern->flags & TACHO_PATTERN_IGNORE_CASE;

	switch (pattern->kind) {
	case TACHO__PATTERN_REGEX: return regexec(&pattern->regex, name, 0, NULL, 0) == 0;
	case TACHO__PATTERN_GLOB:
		return fnmatch(pattern->text, name, ignores_case ? FNM_CASEFOLD : 0) == 0 ||
		       strcmp(pattern->text, name) == 0;
	default: break;
	}
	if (pattern->flags & TACHO_PATTERN_PART)
		return (ignores_case ? strcasestr(name, pattern->text)
				     : strstr(name, pattern->text)) != NULL;
	return (ignores_case ? strcasecmp(name, pattern->text) : strcmp(name, pattern->text)) == 0;
}

void tacho__pattern_finish(struct tacho__pattern *pattern)
{
	if (pattern->kind == TACHO__PATTERN_REGEX)
		regfree(&pattern->regex);
	memset(pattern, 0, sizeof(*pattern));
}

int tacho_pattern_create(const char *text, unsigned flags, struct tacho_pattern **out_pattern)
{
	struct tacho_pattern *pattern;
	size_t size;
	int rc;

	if (!text || !out_pattern)
		return tacho__fail_null(__func__);
	size = strlen(text) + 1;
	pattern = malloc(sizeof(*pattern) + size);
	if (!pattern)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a pattern");
	memcpy(pattern->text, text, size);
	rc = tacho__pattern_init(&pattern->pattern, pattern->text, flags);
	if (rc)
		free(pattern);
	else
		*out_pattern = pattern;
	return rc;
}

int tacho_pattern_fits(const struct tacho_pattern *pattern, const char *name)
{
	return pattern && name && tacho__pattern_fits(&pattern->pattern, name);
}

void tacho_pattern_destroy(struct tacho_pattern *pattern)
{
	if (!pattern)
		return;
	tacho__pattern_finish(&pattern->pattern);
	free(pattern);
}

int tacho_pattern_is_one(const char *text)
{
	return text && (is_regex(text) || is_glob(text));
}
