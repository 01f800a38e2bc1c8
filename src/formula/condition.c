/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "formula/program.h"

bool tacho__condition_is_false(const char *text, const char *notation,
			       const struct tacho__scope *scope)
{
	const struct tacho__expression expression = {
		.text = text, .size = strlen(text), .notation = notation};
	struct tacho__program *program;
	double value = 1;
	uint8_t state = TACHO_STATE_ABSENT;
	struct tacho__target target = {.data = &value, .states = &state};
	const struct tacho__input *inputs;
	size_t output;

	if (!*text || tacho__program_create(&program))
		return false;
	if (tacho__program_add(program, &expression, TACHO_TYPE_F64, scope, &output, NULL) ||
	    tacho__program_get_inputs(program, &inputs) ||
	    tacho__program_bind(program, NULL, NULL) ||
	    tacho__program_run(program, 0, 1, 0, &target))
		state = TACHO_STATE_ABSENT;
	tacho__program_destroy(program);
	return (state & TACHO_STATE_MASK) == TACHO_STATE_OK && value == 0;
}
