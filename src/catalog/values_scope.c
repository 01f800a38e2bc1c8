/* SPDX-License-Identifier: MIT */
/* What names mean when metrics are worked out from values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "catalog/derive.h"

const struct tacho__named_expression *
tacho__values_get_expression(const struct tacho_result *values, const char *name)
{
	for (size_t i = 0; i < values->expression_count; i++)
		if (!strcmp(values->expressions[i].name, name))
			return &values->expressions[i];
	return NULL;
}

static const struct tacho__constant *get_constant(const struct tacho_result *values,
						  const char *name)
{
	for (size_t i = 0; i < values->constant_count; i++)
		if (!strcmp(values->constants[i].name, name))
			return &values->constants[i];
	return NULL;
}

/* A whole number stays one: integer formulas know no other. */
static void mean_number(double value, struct tacho__definition *out_definition)
{
	if (value >= 0 && value < 0x1p64 && value == floor(value)) {
		out_definition->meaning = TACHO__MEANS_WHOLE;
		out_definition->whole = (uint64_t)value;
	} else {
		out_definition->meaning = TACHO__MEANS_REAL;
		out_definition->real = value;
	}
}

/* What came with the values. */
static int find_own(const struct tacho__values_scope *scope, const char *name,
		    struct tacho__definition *out_definition)
{
	const struct tacho__named_expression *expression =
		tacho__values_get_expression(scope->values, name);
	const struct tacho_column *column;
	const struct tacho__constant *constant;

	if (expression) {
		out_definition->meaning = TACHO__MEANS_EXPRESSION;
		out_definition->name = expression->name;
		out_definition->expression =
			(struct tacho__expression){.text = expression->expression,
						   .size = strlen(expression->expression),
						   .notation = "infix"};
		return 1;
	}
	column = tacho_result_find_column(scope->values, name);
	if (column) {
		out_definition->meaning = TACHO__MEANS_COLUMN;
		out_definition->name = column->name;
		return 1;
	}
	constant = get_constant(scope->values, name);
	if (constant) {
		out_definition->name = constant->name;
		mean_number(constant->value, out_definition);
	}
	return constant != NULL;
}

/* An entry of the architecture under any of its names. */
static int find_own_entry(const struct tacho__values_scope *scope, const struct tacho_entry *entry,
			  struct tacho__definition *out_definition)
{
	int found = find_own(scope, entry->name, out_definition);

	for (size_t i = 0; i < entry->alias_count && !found; i++)
		found = find_own(scope, entry->aliases[i], out_definition);
	return found;
}

static int fail_unknown(const struct tacho__values_scope *scope, const char *name)
{
	return tacho__fail(TACHO_E_NOTFOUND, "",
			   scope->arch ? tacho__arch_describe_nearest(scope->arch, name) : "",
			   "there is no \"%s\" among the values%s%s", name,
			   scope->arch ? ", and none in " : "",
			   scope->arch ? scope->arch->name : "");
}

static int find_entry(const struct tacho__values_scope *scope, const struct tacho_entry *entry,
		      struct tacho__definition *definition)
{
	definition->name = entry->name;
	if (entry->kind == TACHO_ENTRY_METRIC && *entry->expression) {
		definition->meaning = TACHO__MEANS_EXPRESSION;
		definition->expression = tacho__entry_expression(entry);
		definition->type = tacho__entry_type(entry);
		return 0;
	}
	if (entry->kind == TACHO_ENTRY_METRIC)
		return tacho__fail(TACHO_E_NOTFOUND, entry->caveat, "",
				   "no expression of %s is published", entry->name);
	if (entry->kind == TACHO_ENTRY_CONSTANT &&
	    tacho__model_get(scope->model, entry->name, &definition->whole)) {
		definition->meaning = TACHO__MEANS_WHOLE;
		return 0;
	}
	return tacho__fail(TACHO_E_NOTFOUND, "",
			   entry->kind == TACHO_ENTRY_CONSTANT ? "give its value, or a model"
							       : "measure it too",
			   "the values have no \"%s\"", entry->name);
}

/* The block of a column that is a counter of the architecture. */
static const struct tacho_block *find_block(const struct tacho_arch *arch, const char *name)
{
	const struct tacho_entry *entry = arch ? tacho__arch_get_exact(arch, name) : NULL;

	return entry && *entry->block ? tacho_arch_find_block(arch, entry->block) : NULL;
}

static int find(void *user, const char *name, struct tacho__definition *out_definition)
{
	const struct tacho__values_scope *scope = user;
	struct tacho__definition definition = {.type = -1};
	const struct tacho_entry *entry;
	int rc = 0;

	if (!find_own(scope, name, &definition)) {
		entry = scope->arch ? tacho__arch_get_name(scope->arch, name) : NULL;
		if (!entry)
			return fail_unknown(scope, name);
		if (!find_own_entry(scope, entry, &definition))
			rc = find_entry(scope, entry, &definition);
	}
	if (!rc && definition.meaning == TACHO__MEANS_COLUMN)
		definition.block = find_block(scope->arch, name);
	if (!rc)
		*out_definition = definition;
	return rc;
}

void tacho__values_scope_init(struct tacho__values_scope *scope, const struct tacho_result *values,
			      const struct tacho_arch *arch, const struct tacho_model *model)
{
	*scope = (struct tacho__values_scope){.scope = {.user = scope, .find = find},
					      .values = values,
					      .arch = arch,
					      .model = model};
}

struct missing {
	const struct tacho__values_scope *scope;
	struct tacho__buf names;
};

static int is_known(void *user, const char *name)
{
	const struct missing *missing = user;
	const struct tacho_entry *entry = tacho__arch_get_name(missing->scope->arch, name);
	struct tacho__definition definition;

	return find_own(missing->scope, name, &definition) ||
	       (entry && find_own_entry(missing->scope, entry, &definition));
}

static int on_leaf(void *user, const struct tacho_entry *entry)
{
	struct missing *missing = user;
	uint64_t value;

	if (entry->kind == TACHO_ENTRY_COUNTER ||
	    !tacho__model_get(missing->scope->model, entry->name, &value))
		tacho__buf_printf(&missing->names, "%s%s",
				  missing->names.size ? ", " : "the values lack ", entry->name);
	return 0;
}

const char *tacho__values_describe_missing(const struct tacho__values_scope *scope,
					   const struct tacho_entry *metric,
					   struct tacho__arena *arena)
{
	struct missing missing = {.scope = scope};
	struct tacho__walk walk = {
		.arch = scope->arch, .user = &missing, .is_known = is_known, .on_leaf = on_leaf};
	const char *note = NULL;
	int rc = 0;

	if (metric->kind == TACHO_ENTRY_METRIC)
		rc = tacho__arch_walk(&walk, metric);
	else
		on_leaf(&missing, metric);
	if (rc && rc != TACHO_E_NOMEM)
		note = tacho__arena_string(arena, tacho_error_last()->message);
	else if (!rc && !missing.names.failed)
		note = tacho__arena_string(arena, tacho__buf_text(&missing.names));
	tacho__buf_finish(&missing.names);
	return note;
}
