/* SPDX-License-Identifier: MIT */
/* Metrics from values: all columns of a call in one program. */
#include "catalog/derive.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "formula/program.h"

/* How a column of the result comes about. */
enum how {
	COMPUTED, /* an output of the program */
	COPIED,	  /* a column that the values have */
	ABSENT,	  /* no number, and a note why */
};

struct item {
	enum how how;
	const struct tacho_entry *entry; /* of the architecture, NULL: an expression */
	struct tacho__expression expression;
	int type;
	size_t output;
	const struct tacho_column *source;
	const char *unit, *description, *note;
};

struct derivation {
	const struct tacho_result *values;
	const struct tacho_formula *formulas;
	size_t count;
	struct tacho_derive_options options;
	struct tacho__values_scope scope;
	struct tacho__arena arena;
	struct item *items;	  /* one a formula */
	const char **input_names; /* of "gpa" expressions: the values' columns */
	struct tacho__program *program;
	struct tacho_column *inputs; /* one per input of the program */
	struct tacho_formula_problem *problem;
	struct tacho_result *result;
};

static int fail_name(struct derivation *d, const char *name)
{
	struct tacho__definition definition;
	/* The scope's words, which name what is near. */
	int rc = d->scope.scope.find(d->scope.scope.user, name, &definition);

	d->problem->stage = "resolve";
	d->problem->column = 0;
	d->problem->metric[0] = '\0';
	snprintf(d->problem->message, sizeof(d->problem->message), "%s",
		 tacho_error_last()->message);
	return rc ? rc : TACHO_E_NOTFOUND;
}

static void use_text(struct item *item, const char *text, const char *notation)
{
	item->how = COMPUTED;
	item->type = -1;
	item->expression = (struct tacho__expression){
		.text = text, .size = strlen(text), .notation = notation ? notation : "infix"};
}

/* The column of the values for an entry, under any of its names. */
static const struct tacho_column *find_column(const struct derivation *d,
					      const struct tacho_entry *entry)
{
	const struct tacho_column *column = tacho_result_find_column(d->values, entry->name);

	for (size_t i = 0; i < entry->alias_count && !column; i++)
		column = tacho_result_find_column(d->values, entry->aliases[i]);
	return column;
}

static int plan_entry(struct derivation *d, struct item *item, const struct tacho_entry *entry)
{
	bool is_false;

	item->entry = entry;
	item->unit = entry->unit;
	item->description = entry->description;
	item->source = find_column(d, entry);
	if (item->source) {
		item->how = COPIED;
		return 0;
	}
	item->how = ABSENT;
	item->note = tacho__values_describe_missing(&d->scope, entry, &d->arena);
	if (!item->note)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %s", entry->name);
	if (*item->note)
		return 0;
	if (tacho__condition_judge(entry->availability, entry->notation, &d->scope.scope,
				   &is_false))
		return TACHO_E_NOMEM;
	if (is_false) {
		item->note = "this device does not have it: the condition of its definition is 0";
		return 0;
	}
	item->how = COMPUTED;
	if (entry->kind == TACHO_ENTRY_METRIC) {
		item->expression = tacho__entry_expression(entry);
		item->type = tacho__entry_type(entry);
	} else { /* a constant of the model */
		use_text(item, entry->name, NULL);
	}
	return 0;
}

/* What a formula without an expression names: the values' own first. */
static int plan_name(struct derivation *d, struct item *item, const char *name)
{
	const struct tacho__named_expression *expression =
		tacho__values_get_expression(d->values, name);
	const struct tacho_entry *entry;

	if (expression) {
		use_text(item, expression->expression, NULL);
		return 0;
	}
	item->source = tacho_result_find_column(d->values, name);
	entry = d->options.arch ? tacho_arch_find_entry(d->options.arch, name) : NULL;
	if (item->source) {
		item->how = COPIED;
		item->unit = entry ? entry->unit : item->source->unit;
		item->description = entry ? entry->description : item->source->description;
		return 0;
	}
	for (size_t i = 0; i < d->values->constant_count; i++) {
		if (!strcmp(d->values->constants[i].name, name)) {
			use_text(item, name, NULL);
			return 0;
		}
	}
	return entry ? plan_entry(d, item, entry) : fail_name(d, name);
}

static int note_spans(struct derivation *d, struct item *item)
{
	item->note = tacho__values_describe_spans(&d->scope, &item->expression, &d->arena);
	return item->note ? 0
			  : tacho__fail(TACHO_E_NOMEM, "", "", "no memory to judge an expression");
}

static int plan_items(struct derivation *d)
{
	int rc = 0;

	d->items = tacho__arena_get(&d->arena, (d->count + 1) * sizeof(*d->items));
	d->input_names = tacho__arena_get(&d->arena,
					  (d->values->column_count + 1) * sizeof(*d->input_names));
	if (!d->items || !d->input_names)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < d->values->column_count; i++)
		d->input_names[i] = d->values->columns[i].name;
	for (size_t i = 0; i < d->count && !rc; i++) {
		const struct tacho_formula *formula = &d->formulas[i];
		struct item *item = &d->items[i];

		item->unit = "";
		item->note = "";
		if (!formula->expression) {
			rc = plan_name(d, item, formula->name);
		} else {
			use_text(item, formula->expression, formula->notation);
			item->expression.inputs = d->input_names;
			item->expression.input_count = d->values->column_count;
		}
		if (formula->unit)
			item->unit = formula->unit;
		if (!rc && item->how == COMPUTED)
			rc = note_spans(d, item);
	}
	return rc;
}

static void name_problem(struct derivation *d, size_t index)
{
	if (!d->problem->metric[0] && !d->formulas[index].expression)
		snprintf(d->problem->metric, sizeof(d->problem->metric), "%s",
			 d->formulas[index].name);
}

static int add_item(struct derivation *d, struct tacho__program *program, size_t index,
		    size_t *out_output)
{
	struct item *item = &d->items[index];
	int rc = tacho__program_add(program, &item->expression, item->type, &d->scope.scope,
				    out_output, d->problem);

	if (rc)
		name_problem(d, index);
	return rc;
}

/* The columns of the values that a program needs. */
static int get_inputs(struct derivation *d, const struct tacho__program *program,
		      struct tacho_column **out_columns)
{
	const struct tacho__input *inputs;
	size_t count = tacho__program_get_inputs(program, &inputs);
	struct tacho_column *columns = tacho__arena_get(&d->arena, (count + 1) * sizeof(*columns));

	if (!columns)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count; i++)
		columns[i] = *tacho_result_find_column(d->values, inputs[i].name);
	*out_columns = columns;
	return 0;
}

static int build_program(struct derivation *d)
{
	int rc;

	tacho__program_destroy(d->program);
	d->program = NULL;
	rc = tacho__program_create(&d->program);
	for (size_t i = 0; i < d->count && !rc; i++)
		if (d->items[i].how == COMPUTED)
			rc = add_item(d, d->program, i, &d->items[i].output);
	if (!rc)
		rc = get_inputs(d, d->program, &d->inputs);
	return rc ? rc : tacho__program_bind(d->program, d->inputs, d->problem);
}

/* Does a formula fit the shapes of the values when it is alone? */
static int try_alone(struct derivation *d, size_t index)
{
	struct tacho__program *program;
	struct tacho_column *columns;
	size_t output;
	int rc = tacho__program_create(&program);

	if (rc)
		return rc;
	rc = add_item(d, program, index, &output);
	if (!rc)
		rc = get_inputs(d, program, &columns);
	if (!rc)
		rc = tacho__program_bind(program, columns, d->problem);
	if (rc)
		name_problem(d, index);
	tacho__program_destroy(program);
	return rc;
}

/*
 * Builds the program. A metric of the architecture whose operands do not fit together here is left
 * out, absent, for the sake of the others; an expression is an error.
 */
static int build(struct derivation *d)
{
	int rc = build_program(d);

	if (rc != TACHO_E_INVAL)
		return rc;
	for (size_t i = 0; i < d->count; i++) {
		struct item *item = &d->items[i];

		if (item->how != COMPUTED)
			continue;
		rc = try_alone(d, i);
		if (rc && (rc != TACHO_E_INVAL || !item->entry))
			return rc;
		if (!rc)
			continue;
		item->how = ABSENT;
		item->note = tacho__arena_string(&d->arena, d->problem->message);
		if (!item->note)
			return TACHO_E_NOMEM;
	}
	memset(d->problem, 0, sizeof(*d->problem));
	return build_program(d); /* fails again when nothing was left out */
}

static int add_copy(struct derivation *d, const struct item *item, const char *name)
{
	const struct tacho_column *source = item->source;
	size_t count = source->instance_count * d->result->row_count;
	struct tacho_column column = *source;
	uint8_t *states;
	double *coverage;
	void *data;
	int rc;

	column.name = name;
	column.unit = item->unit;
	column.description = item->description;
	rc = tacho__result_add_column(d->result, &column, &data);
	if (rc)
		return rc;
	if (count)
		memcpy(data, source->data.u64, count * sizeof(uint64_t));
	if (source->states) {
		rc = tacho__result_add_states(d->result, &states);
		if (rc)
			return rc;
		memcpy(states, source->states, count);
	}
	if (source->coverage) {
		rc = tacho__result_add_coverage(d->result, &coverage);
		if (rc)
			return rc;
		memcpy(coverage, source->coverage, count * sizeof(*coverage));
	}
	return source->present ? tacho__result_set_present(d->result, source->present) : 0;
}

static int has_coverage(const struct derivation *d)
{
	for (size_t i = 0; i < d->values->column_count; i++)
		if (d->values->columns[i].coverage)
			return 1;
	return 0;
}

static int add_computed(struct derivation *d, const struct item *item, const char *name,
			struct tacho__target *target)
{
	struct tacho_column column = *tacho__program_get_shape(d->program, item->output);

	column.name = name;
	column.unit = item->unit;
	column.description = item->description;
	column.note = item->note;
	return tacho__result_add_counted(d->result, &column, has_coverage(d), &target->data,
					 &target->states, &target->coverage);
}

static int copy_rows(struct derivation *d)
{
	int rc = tacho__result_create(d->values->row_count, &d->result);

	for (size_t i = 0; i < d->values->row_count && !rc; i++)
		rc = tacho__result_set_row(d->result, i, &d->values->rows[i]);
	return rc;
}

static int add_columns(struct derivation *d, struct tacho__target *targets)
{
	int rc = copy_rows(d);

	for (size_t i = 0; i < d->count && !rc; i++) {
		const struct item *item = &d->items[i];
		const char *name = d->formulas[i].name;
		const struct tacho_column named = {
			.name = name, .unit = item->unit, .description = item->description};

		if (item->how == ABSENT)
			rc = tacho__result_add_absent(d->result, &named, item->note);
		else if (item->how == COPIED)
			rc = add_copy(d, item, name);
		else
			rc = add_computed(d, item, name, &targets[item->output]);
	}
	return rc;
}

static int run(struct derivation *d)
{
	struct tacho__target *targets =
		tacho__arena_get(&d->arena, (d->count + 1) * sizeof(*targets));
	int rc;

	if (!targets)
		return TACHO_E_NOMEM;
	rc = add_columns(d, targets);
	if (!rc)
		rc = tacho__program_run(d->program, 0, d->values->row_count, d->options.strict != 0,
					targets);
	for (size_t i = 0; i < d->count && !rc; i++)
		if (d->items[i].how == COMPUTED && !targets[d->items[i].output].has_states)
			d->result->columns[i].states = NULL;
	return rc;
}

int tacho_result_derive(const struct tacho_result *values, const struct tacho_formula *formulas,
			size_t count, const struct tacho_derive_options *options,
			struct tacho_result **out_result, struct tacho_formula_problem *out_problem)
{
	struct tacho_formula_problem unwanted;
	struct derivation d = {.values = values,
			       .formulas = formulas,
			       .count = count,
			       .problem = out_problem ? out_problem : &unwanted};
	int rc;

	if (!values || (!formulas && count) || !out_result)
		return tacho__fail_null(__func__);
	rc = tacho__options_take(&d.options, sizeof(d.options), options, "tacho_derive_options");
	if (rc)
		return rc;
	memset(d.problem, 0, sizeof(*d.problem));
	tacho__values_scope_init(&d.scope, values, d.options.arch, d.options.model);
	rc = plan_items(&d);
	if (!rc)
		rc = build(&d);
	if (!rc)
		rc = run(&d);
	tacho__program_destroy(d.program);
	tacho__arena_finish(&d.arena);
	if (rc)
		tacho_result_destroy(d.result);
	else
		*out_result = d.result;
	return rc;
}
