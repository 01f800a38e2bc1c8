/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/error.h"
#include "formula/program.h"

static int evaluate(struct tacho__program *program, const struct tacho__expression *condition,
		    const struct tacho__scope *scope, struct tacho__target *target)
{
	const struct tacho__input *inputs;
	size_t output;
	int rc = tacho__program_add(program, condition, TACHO_TYPE_F64, scope, &output, NULL);

	if (rc || tacho__program_get_inputs(program, &inputs))
		return rc ? rc : TACHO_E_NOTFOUND;
	rc = tacho__program_bind(program, NULL, NULL);
	return rc ? rc : tacho__program_run(program, 0, 1, 0, target);
}

int tacho__condition_judge(const char *text, const char *notation, const struct tacho__scope *scope,
			   bool *out_is_false)
{
	const struct tacho__expression condition = {
		.text = text, .size = strlen(text), .notation = notation};
	struct tacho__program *program;
	double value = 1;
	uint8_t state = TACHO_STATE_ABSENT;
	struct tacho__target target = {.data = &value, .states = &state};
	int rc;

	*out_is_false = false;
	if (!*text)
		return 0;
	rc = tacho__program_create(&program);
	if (rc)
		return rc;
	rc = evaluate(program, &condition, scope, &target);
	tacho__program_destroy(program);
	if (rc)
		return rc == TACHO_E_NOMEM ? rc : 0;
	*out_is_false = (state & TACHO_STATE_MASK) == TACHO_STATE_OK && value == 0;
	return 0;
}
