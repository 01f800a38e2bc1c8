/* SPDX-License-Identifier: MIT */
/* Fuzzes the infix notation: what is printed of a tree must be read as the same tree. */
#include <stdlib.h>
#include <string.h>

#include "formula/node.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int parse(struct tacho__arena *arena, const char *text, size_t size,
		 struct tacho__node **out_node)
{
	struct tacho__expression expression = {.text = text, .size = size, .notation = "infix"};
	struct tacho_formula_problem problem = {0};
	int rc = tacho__expression_parse(arena, &expression, out_node, &problem);

	if (rc && (!problem.stage || problem.column > size + 1 || !problem.message[0]))
		abort();
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tacho__arena arena = {0};
	struct tacho__node *node, *again;
	char *first = NULL, *second = NULL;

	if (!parse(&arena, (const char *)data, size, &node) && !tacho__node_format(node, &first)) {
		if (parse(&arena, first, strlen(first), &again) ||
		    tacho__node_format(again, &second) || strcmp(first, second) != 0)
			abort();
	}
	free(first);
	free(second);
	tacho__arena_finish(&arena);
	return 0;
}
