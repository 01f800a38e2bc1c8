/* SPDX-License-Identifier: MIT */
/* Values that follow from the device alone. */
#include "base/error.h"
#include "catalog/arch.h"

static int fail_counted(const struct tacho_entry *entry)
{
	return tacho__fail(TACHO_E_INVAL, "it is counted", "count it in a session",
			   "%s is no constant", entry->name);
}

/* The one row of a program without inputs. */
static int run(struct tacho__program *program, size_t output, double *out_value)
{
	union {
		uint64_t whole;
		double real;
	} value = {.whole = 0};
	uint8_t state = TACHO_STATE_OK;
	struct tacho__target target = {.data = &value, .states = &state};
	int rc = tacho__program_run(program, 0, 1, 0, &target);

	if (!rc)
		*out_value = tacho__program_get_shape(program, output)->type == TACHO_TYPE_U64
				     ? (double)value.whole
				     : value.real;
	return rc;
}

static int work_out(const struct tacho_arch *arch, const struct tacho_entry *entry,
		    const struct tacho_model *model, struct tacho__program *program,
		    double *out_value)
{
	struct tacho__expression expression = tacho__entry_expression(entry);
	const struct tacho_column none = {.instance_count = 1};
	const struct tacho__input *inputs;
	struct tacho__arch_scope scope;
	size_t output;
	int rc;

	tacho__arch_scope_init(&scope, arch, model);
	rc = tacho__program_add(program, &expression, tacho__entry_type(entry), &scope.scope,
				&output, NULL);
	if (!rc && tacho__program_get_inputs(program, &inputs))
		rc = fail_counted(entry);
	if (!rc)
		rc = tacho__program_bind(program, &none, NULL);
	return rc ? rc : run(program, output, out_value);
}

int tacho_arch_get_constant(const struct tacho_arch *arch, const struct tacho_entry *entry,
			    const struct tacho_model *model, double *out_value)
{
	struct tacho__program *program;
	uint64_t number;
	int rc;

	if (!arch || !entry || !model || !out_value)
		return tacho__fail_null(__func__);
	if (entry->kind == TACHO_ENTRY_COUNTER)
		return fail_counted(entry);
	if (entry->kind == TACHO_ENTRY_CONSTANT) {
		if (!tacho__model_get(model, entry->name, &number))
			return tacho__fail(TACHO_E_NOTFOUND, "", "choose another model",
					   "the model %s does not say what %s is", model->name,
					   entry->name);
		*out_value = (double)number;
		return 0;
	}
	if (!*entry->expression)
		return tacho__fail(TACHO_E_UNSUPPORTED, entry->caveat, "",
				   "%s has no published expression", entry->name);
	rc = tacho__program_create(&program);
	if (rc)
		return rc;
	rc = work_out(arch, entry, model, program, out_value);
	tacho__program_destroy(program);
	return rc;
}
