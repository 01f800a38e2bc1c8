/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes GPUPerfAPI's notation: the first byte is the number of inputs. What is printed is read as
 * infix text, where an operator that the infix notation lacks is an error like any other.
 */
#include <stdlib.h>
#include <string.h>

#include "formula/node.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *inputs[256];
	struct tacho__expression expression = {.notation = "gpa", .inputs = inputs};
	struct tacho_formula_problem problem = {0};
	struct tacho__arena arena = {0};
	struct tacho__node *node;
	char *text = NULL;

	if (!size)
		return 0;
	for (size_t i = 0; i < data[0]; i++)
		inputs[i] = "SQ_WAVES";
	expression.input_count = data[0];
	expression.text = (const char *)data + 1;
	expression.size = size - 1;
	if (tacho__expression_parse(&arena, &expression, &node, &problem)) {
		if (!problem.stage || problem.column > size || !problem.message[0])
			abort();
	} else if (!tacho__node_format(node, &text)) {
		expression.notation = "infix";
		expression.text = text;
		expression.size = strlen(text);
		tacho__expression_parse(&arena, &expression, &node, &problem);
	}
	free(text);
	tacho__arena_finish(&arena);
	return 0;
}
