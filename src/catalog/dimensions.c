/* SPDX-License-Identifier: MIT */
/* The dimensions of values: of a counter by its block, of a metric by what is made of them. */
#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"

static int get_counter(const struct tacho_arch *arch, const struct tacho_entry *entry,
		       const struct tacho_model *model, struct tacho_dimension *out_dimensions,
		       uint32_t *out_count)
{
	const struct tacho__arch *own = tacho__arch_of(arch);
	const struct tacho_block *block;

	if (!own->dimensions || entry->is_of_command || entry->kind == TACHO_ENTRY_CONSTANT) {
		*out_count = 0;
		return 0;
	}
	block = tacho_arch_find_block(arch, entry->block);
	if (!block)
		return tacho__fail(
			TACHO_E_UNSUPPORTED,
			tacho__detail("nothing is known about its block \"%s\"", entry->block), "",
			"the dimensions of %s on %s are not known", entry->name, arch->name);
	return own->dimensions(arch, block, model, out_dimensions, out_count);
}

/* Columns without rows, for the shapes alone. */
static int make_columns(const struct tacho__program *program, const struct tacho_arch *arch,
			const struct tacho_model *model, struct tacho__arena *arena,
			struct tacho_column **out_columns)
{
	const struct tacho__input *inputs;
	size_t count = tacho__program_get_inputs(program, &inputs);
	struct tacho_column *columns = tacho__arena_get(arena, (count + 1) * sizeof(*columns));
	int rc = columns ? 0 : TACHO_E_NOMEM;

	for (size_t i = 0; i < count && !rc; i++) {
		const struct tacho_entry *entry = tacho__arch_get_exact(arch, inputs[i].name);
		struct tacho_column *column = &columns[i];

		column->name = entry->name;
		column->type = entry->type;
		rc = get_counter(arch, entry, model, column->dimensions, &column->dimension_count);
		column->instance_count = 1;
		for (uint32_t k = 0; k < column->dimension_count && !rc; k++)
			column->instance_count *= column->dimensions[k].extent;
	}
	*out_columns = columns;
	return rc;
}

/* What a selection leaves of a dimension belongs to the program: it ends with it. */
static int copy_shape(const struct tacho_column *shape, const struct tacho_entry *entry,
		      struct tacho_dimension *out_dimensions, uint32_t *out_count)
{
	for (uint32_t i = 0; i < shape->dimension_count; i++)
		if (shape->dimensions[i].positions)
			return tacho__fail(TACHO_E_UNSUPPORTED,
					   tacho__detail("it selects %u positions of %s",
							 shape->dimensions[i].extent,
							 shape->dimensions[i].name),
					   "select one position, or all",
					   "the dimensions of %s cannot be told", entry->name);
	memcpy(out_dimensions, shape->dimensions, shape->dimension_count * sizeof(*out_dimensions));
	*out_count = shape->dimension_count;
	return 0;
}

static int get_metric(const struct tacho_arch *arch, const struct tacho_entry *entry,
		      const struct tacho_model *model, struct tacho_dimension *out_dimensions,
		      uint32_t *out_count)
{
	struct tacho__expression expression = tacho__entry_expression(entry);
	struct tacho__program *program = NULL;
	struct tacho__arena arena = {0};
	struct tacho__arch_scope scope;
	struct tacho_column *columns;
	size_t output;
	int rc = tacho__program_create(&program);

	tacho__arch_scope_init(&scope, arch, model);
	if (!rc)
		rc = tacho__program_add(program, &expression, tacho__entry_type(entry),
					&scope.scope, &output, NULL);
	if (!rc)
		rc = make_columns(program, arch, model, &arena, &columns);
	if (!rc)
		rc = tacho__program_bind(program, columns, NULL);
	if (!rc)
		rc = copy_shape(tacho__program_get_shape(program, output), entry, out_dimensions,
				out_count);
	tacho__program_destroy(program);
	tacho__arena_finish(&arena);
	return rc;
}

int tacho_arch_get_dimensions(const struct tacho_arch *arch, const struct tacho_entry *entry,
			      const struct tacho_model *model,
			      struct tacho_dimension *out_dimensions, uint32_t *out_count)
{
	if (!arch || !entry || !out_dimensions || !out_count)
		return tacho__fail_null(__func__);
	if (entry->kind != TACHO_ENTRY_METRIC)
		return get_counter(arch, entry, model, out_dimensions, out_count);
	if (!*entry->expression)
		return tacho__fail(TACHO_E_UNSUPPORTED, entry->caveat, "",
				   "%s has no published expression", entry->name);
	return get_metric(arch, entry, model, out_dimensions, out_count);
}
