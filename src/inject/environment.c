/* SPDX-License-Identifier: MIT */
#include "inject/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"

static int add(struct tacho__environment *environment, char *owned)
{
	if (!owned || tacho__array_reserve(&environment->list, &environment->capacity,
					   environment->count + 1, sizeof(owned))) {
		free(owned);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the environment");
	}
	environment->list[environment->count++] = owned;
	environment->list[environment->count] = NULL;
	return 0;
}

int tacho__environment_copy(struct tacho__environment *out_environment)
{
	struct tacho__environment copy = {0};
	int rc = 0;

	for (char **at = environ; at && *at && !rc; at++)
		rc = add(&copy, strdup(*at));
	if (rc)
		tacho__environment_finish(&copy);
	else
		*out_environment = copy;
	return rc;
}

void tacho__environment_finish(struct tacho__environment *environment)
{
	for (size_t i = 0; i < environment->count; i++)
		free(environment->list[i]);
	free(environment->list);
	memset(environment, 0, sizeof(*environment));
}

static char **find(const struct tacho__environment *environment, const char *name)
{
	size_t size = strlen(name);

	for (size_t i = 0; i < environment->count; i++)
		if (!strncmp(environment->list[i], name, size) && environment->list[i][size] == '=')
			return &environment->list[i];
	return NULL;
}

const char *tacho__environment_get(const struct tacho__environment *environment, const char *name)
{
	char **place = find(environment, name);

	return place ? *place + strlen(name) + 1 : NULL;
}

int tacho__environment_set(struct tacho__environment *environment, const char *name,
			   const char *value)
{
	char **place = find(environment, name), *text;

	if (asprintf(&text, "%s=%s", name, value) < 0)
		text = NULL;
	if (!place || !text)
		return add(environment, text);
	free(*place);
	*place = text;
	return 0;
}

int tacho__environment_unset(struct tacho__environment *environment, const char *name)
{
	for (char **place; (place = find(environment, name));) {
		free(*place);
		*place = environment->list[--environment->count];
		environment->list[environment->count] = NULL;
	}
	return 0;
}

int tacho__environment_prepend(struct tacho__environment *environment, const char *name,
			       const char *value, char separator)
{
	const char *before = tacho__environment_get(environment, name);
	size_t size = strlen(value);
	char *text;
	int rc;

	if (before && !strncmp(before, value, size) && (!before[size] || before[size] == separator))
		return 0;
	if (!before || !*before)
		return tacho__environment_set(environment, name, value);
	if (asprintf(&text, "%s%c%s", value, separator, before) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the environment");
	rc = tacho__environment_set(environment, name, text);
	free(text);
	return rc;
}
