/* SPDX-License-Identifier: MIT */
#include "base/regex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
	EXPRESSION_MAX = 1000, /* characters of a regular expression */
	COPIES_MAX = 1000,     /* that its repetitions come to */
};

/*
 * What libc would need too much memory or time for: it copies what is repeated, and tries all ways
 * for a back-reference, which POSIX does not have here.
 */
static const char *find_excess(const char *text)
{
	unsigned long copies = 1;
	char before = '\0';

	if (strlen(text) > EXPRESSION_MAX)
		return "it is longer than 1000 characters";
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

int tacho__regex_compile(const char *text, regex_t *out_regex)
{
	const char *excess = find_excess(text);
	char what[128];
	int error;

	if (excess)
		return tacho__fail(TACHO_E_INVAL, excess, "write a simpler one",
				   "the regular expression \"%.40s%s\" is not taken", text,
				   strlen(text) > 40 ? "..." : "");
	error = regcomp(out_regex, text, REG_EXTENDED | REG_NOSUB);
	if (!error)
		return 0;
	regerror(error, out_regex, what, sizeof(what));
	return tacho__fail(TACHO_E_INVAL, what,
			   "write a POSIX extended regular expression, as grep -E has them",
			   "\"%s\" is no regular expression", text);
}
