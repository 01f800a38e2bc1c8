/* SPDX-License-Identifier: MIT */
/* What the readers of definitions share. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "catalog/catalog.h"

enum { MESSAGE_MAX = 1024 };

int tacho__mistake(const struct tacho__definitions *definitions, uint32_t line, const char *entry,
		   const char *format, ...)
{
	char message[MESSAGE_MAX];
	va_list list;

	if (definitions->only_descriptions)
		return 0;
	va_start(list, format);
	vsnprintf(message, sizeof(message), format, list);
	va_end(list);
	if (definitions->is_builtin)
		return tacho__fail(TACHO_E_PARSE, message, "report this: it is a defect of tacho",
				   "line %u of the built-in definitions of %.80s is wrong", line,
				   entry);
	return tacho__catalog_add_problem(definitions->catalog, definitions->file, line, entry,
					  "%s", message);
}

int tacho__definitions_add_entry(const struct tacho__definitions *definitions,
				 struct tacho__arch *arch, uint32_t line,
				 const struct tacho_entry *entry)
{
	int rc = tacho__arch_add_entry(
		arch, entry, definitions->is_builtin ? TACHO__ADD_NEW : TACHO__ADD_OR_REPLACE);

	if (rc == TACHO_E_EXISTS || rc == TACHO_E_INVAL)
		rc = tacho__mistake(definitions, line, entry->name, "%s",
				    tacho_error_last()->message);
	return rc;
}

uint32_t tacho__definitions_number(const struct tacho__yaml *scalar, int *out_bad)
{
	uint64_t number = 0;

	if (scalar && (tacho__yaml_number(scalar, &number) || number > UINT32_MAX)) {
		*out_bad = 1;
		return 0;
	}
	return (uint32_t)number;
}

static int is_among(const char *name, const char *const *names)
{
	while (names && *names && strcmp(name, *names) != 0)
		names++;
	return names && *names;
}

int tacho__definitions_properties(const struct tacho__definitions *definitions,
				  const struct tacho__yaml *first, const char *const *besides,
				  struct tacho_model *model)
{
	struct tacho_property *properties;
	size_t count = 0;
	int rc = 0;

	for (const struct tacho__yaml *at = first; at; at = at->next)
		count++;
	properties = tacho__arena_get(tacho__catalog_arena(definitions->catalog),
				      (count + 1) * sizeof(*properties));
	if (!properties)
		return TACHO_E_NOMEM;
	model->properties = properties;
	for (const struct tacho__yaml *at = first; at && !rc; at = at->next) {
		struct tacho_property property = {.name = at->key ? at->key : ""};

		if (is_among(property.name, besides))
			continue;
		if (*property.name && !tacho__yaml_number(at, &property.value))
			properties[model->property_count++] = property;
		else
			rc = tacho__mistake(definitions, at->line, model->name,
					    "the property \"%.40s\" is no number; write one",
					    property.name);
	}
	return rc;
}
