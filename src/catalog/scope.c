/* SPDX-License-Identifier: MIT */
/* What names mean in the expressions of an architecture's own metrics. */
#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"

struct tacho__expression tacho__entry_expression(const struct tacho_entry *entry)
{
	return (struct tacho__expression){
		.text = entry->expression,
		.size = strlen(entry->expression),
		.notation = *entry->notation ? entry->notation : "infix",
		.inputs = entry->inputs,
		.input_count = entry->input_count,
	};
}

int tacho__entry_type(const struct tacho_entry *entry)
{
	return tacho__notation_has_types(entry->notation) ? (int)entry->type : -1;
}

int tacho__model_get(const struct tacho_model *model, const char *name, uint64_t *out_value)
{
	for (size_t i = 0; model && i < model->property_count; i++) {
		if (!strcmp(model->properties[i].name, name)) {
			*out_value = model->properties[i].value;
			return 1;
		}
	}
	return 0;
}

static int find_constant(const struct tacho__arch_scope *scope, const struct tacho_entry *entry,
			 struct tacho__definition *out_definition)
{
	if (!scope->model) {
		out_definition->meaning = TACHO__MEANS_COLUMN;
		return 0;
	}
	if (!tacho__model_get(scope->model, entry->name, &out_definition->whole))
		return tacho__fail(TACHO_E_NOTFOUND, "", "choose another model, or give the value",
				   "the model %s does not say what %s is", scope->model->name,
				   entry->name);
	out_definition->meaning = TACHO__MEANS_WHOLE;
	return 0;
}

static int find(void *user, const char *name, struct tacho__definition *out_definition)
{
	const struct tacho__arch_scope *scope = user;
	const struct tacho_entry *entry = tacho__arch_get_name(scope->arch, name);
	struct tacho__definition definition = {.type = -1};
	int rc = 0;

	if (!entry)
		return tacho__fail(TACHO_E_NOTFOUND, "", "", "%s has no counter or metric \"%s\"",
				   scope->arch->name, name);
	definition.name = entry->name;
	if (entry->kind == TACHO_ENTRY_CONSTANT) {
		rc = find_constant(scope, entry, &definition);
	} else if (entry->kind == TACHO_ENTRY_COUNTER) {
		definition.meaning = TACHO__MEANS_COLUMN;
	} else if (!*entry->expression) {
		rc = tacho__fail(TACHO_E_NOTFOUND, entry->caveat, "",
				 "no expression of %s is published", entry->name);
	} else {
		definition.meaning = TACHO__MEANS_EXPRESSION;
		definition.expression = tacho__entry_expression(entry);
		definition.type = tacho__entry_type(entry);
	}
	if (!rc)
		*out_definition = definition;
	return rc;
}

void tacho__arch_scope_init(struct tacho__arch_scope *scope, const struct tacho_arch *arch,
			    const struct tacho_model *model)
{
	*scope = (struct tacho__arch_scope){
		.scope = {.user = scope, .find = find}, .arch = arch, .model = model};
}
