/* SPDX-License-Identifier: MIT */
/* Why an expression could not be worked out, and where in it. */
#include "eval/eval.h"

#include <stdlib.h>
#include <string.h>

#include <tacho/sys/json.h>

#include "cli.h"
#include "text.h"

enum { INDENT = 10, SHOWN = 64, BEFORE = 40 };

/* The line of the text with the place in it, cut around the place, and a caret below. */
static void print_caret(const char *expression, size_t column)
{
	size_t length = strlen(expression), at = column - 1 < length ? column - 1 : length;
	size_t start = at, end = at, shown;
	char *line, *clean, *head;

	while (start > 0 && at - start < BEFORE && expression[start - 1] != '\n')
		start--;
	while (start > 0 && start < at && (expression[start] & 0xc0) == 0x80)
		start++;
	while (expression[end] && expression[end] != '\n' && end - start < SHOWN)
		end++;
	while (end > at && (expression[end] & 0xc0) == 0x80)
		end--;
	shown = end - start;
	line = cli_format("%.*s", (int)shown, expression + start);
	head = cli_format("%.*s", (int)(at - start), expression + start);
	for (char *c = line; *c; c++)
		*c = *c == '\t' ? ' ' : *c;
	clean = cli_text_clean(line);
	fprintf(stderr, "%*s%s\n", INDENT, "", clean);
	free(clean);
	for (char *c = head; *c; c++)
		*c = *c == '\t' ? ' ' : *c;
	clean = cli_text_clean(head);
	fprintf(stderr, "%*s^\n", INDENT + (int)cli_text_width(clean), "");
	free(clean);
	free(head);
	free(line);
}

void cli_eval_complain(const struct tacho_formula_problem *problem, const char *expression,
		       const char *cure)
{
	char *place = problem->column ? cli_format(" (column %zu)", problem->column) : NULL;

	cli_complain("", cure, "%s%s%s%s", problem->metric, problem->metric[0] ? ": " : "",
		     problem->message, place ? place : "");
	if (expression && problem->column)
		print_caret(expression, problem->column);
	free(place);
}

void cli_eval_write_error(const char *stage, const char *message, size_t column, const char *metric)
{
	struct tacho_json json;

	tacho_json_init(&json, stdout, false);
	tacho_json_begin_object(&json, NULL);
	tacho_json_begin_object(&json, "error");
	tacho_json_add_string(&json, "stage", stage);
	tacho_json_add_string(&json, "message", message);
	tacho_json_add_unsigned(&json, "column", column);
	if (metric && *metric)
		tacho_json_add_string(&json, "metric", metric);
	tacho_json_finish(&json);
}
