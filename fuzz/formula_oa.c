/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes Intel OA's notation. What is printed is read as infix text, where an operator that the
 * infix notation lacks is an error like any other.
 */
#include <stdlib.h>
#include <string.h>

#include "formula/node.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tacho__expression expression = {
		.text = (const char *)data, .size = size, .notation = "oa"};
	struct tacho_formula_problem problem = {0};
	struct tacho__arena arena = {0};
	struct tacho__node *node;
	char *text = NULL;

	if (tacho__expression_parse(&arena, &expression, &node, &problem)) {
		if (!problem.stage || problem.column > size + 1 || !problem.message[0])
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
