/* SPDX-License-Identifier: MIT */
/* From a text in any notation to a tree. */
#include "formula/node.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

const char *const tacho__resolution_names[TACHO__RESOLUTIONS] = {"", "LOW_RES", "HIGH_RES"};

static const struct {
	const char *name;
	int (*parse)(struct tacho__arena *arena, const struct tacho__expression *expression,
		     struct tacho__node **out_node, struct tacho_formula_problem *out_problem);
	bool has_types;
} notations[] = {
	{"infix", tacho__infix_parse, false},
	{"gpa", tacho__gpa_parse, false},
	{"oa", tacho__oa_parse, true},
};

bool tacho__notation_has_types(const char *notation)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(notations); i++)
		if (!strcmp(notation, notations[i].name))
			return notations[i].has_types;
	return false;
}

int tacho__formula_fail(struct tacho_formula_problem *out_problem, int code, const char *stage,
			size_t column, const char *format, ...)
{
	char message[TACHO_FORMULA_MESSAGE_MAX];
	va_list list;

	va_start(list, format);
	vsnprintf(message, sizeof(message), format, list);
	va_end(list);
	if (out_problem) {
		out_problem->stage = stage;
		out_problem->column = column;
		out_problem->metric[0] = '\0';
		memcpy(out_problem->message, message, sizeof(message));
	}
	if (code == TACHO_E_NOMEM)
		return tacho__fail(code, "", "end other programs or work out fewer metrics", "%s",
				   message);
	return tacho__fail(code,
			   column ? tacho__detail("column %zu of the expression", column) : "",
			   "correct the expression", "%s", message);
}

int tacho__expression_parse(struct tacho__arena *arena, const struct tacho__expression *expression,
			    struct tacho__node **out_node,
			    struct tacho_formula_problem *out_problem)
{
	const char *notation = expression->notation ? expression->notation : "infix";

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(notations); i++)
		if (!strcmp(notation, notations[i].name))
			return notations[i].parse(arena, expression, out_node, out_problem);
	return tacho__formula_fail(out_problem, TACHO_E_INVAL, "parse", 0,
				   "\"%s\" is no notation; there are infix, gpa and oa", notation);
}
