/* SPDX-License-Identifier: MIT */
/*
 * The three notations: trees, errors with their columns, and the way back to text, from
 * tests/data/formula/notations.json; limits; and every expression that vendors published.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "formula/node.h"

/* An operator's name in the trees of notations.json. */
static const char *const names[] = {
	[TACHO__OP_NEGATE] = "neg",
	[TACHO__OP_REDUCE] = "reduce",
	[TACHO__OP_SELECT] = "select",
	[TACHO__OP_ADD] = "+",
	[TACHO__OP_SUBTRACT] = "-",
	[TACHO__OP_MULTIPLY] = "*",
	[TACHO__OP_DIVIDE] = "/",
	[TACHO__OP_MIN] = "min",
	[TACHO__OP_MAX] = "max",
	[TACHO__OP_WHOLE_ADD] = "u+",
	[TACHO__OP_WHOLE_SUBTRACT] = "u-",
	[TACHO__OP_WHOLE_MULTIPLY] = "u*",
	[TACHO__OP_WHOLE_DIVIDE] = "u/",
	[TACHO__OP_WHOLE_MIN] = "umin",
	[TACHO__OP_WHOLE_MAX] = "umax",
	[TACHO__OP_BIT_AND] = "&",
	[TACHO__OP_BIT_OR] = "|",
	[TACHO__OP_BIT_XOR] = "^",
	[TACHO__OP_SHIFT_LEFT] = "<<",
	[TACHO__OP_SHIFT_RIGHT] = ">>",
	[TACHO__OP_LESS] = "<",
	[TACHO__OP_LESS_EQUAL] = "<=",
	[TACHO__OP_GREATER] = ">",
	[TACHO__OP_GREATER_EQUAL] = ">=",
	[TACHO__OP_EQUAL] = "==",
	[TACHO__OP_LOGICAL_AND] = "&&",
	[TACHO__OP_LOGICAL_OR] = "||",
	[TACHO__OP_NATURAL_ADD] = "n+",
	[TACHO__OP_NATURAL_SUBTRACT] = "n-",
	[TACHO__OP_NATURAL_MULTIPLY] = "n*",
	[TACHO__OP_SUM_OF] = "sum",
	[TACHO__OP_MAX_OF] = "max",
	[TACHO__OP_IF_NOT_ZERO] = "if",
};

static void dump_leaf(struct tacho__buf *buf, const struct tacho__node *node)
{
	if (node->op == TACHO__OP_WHOLE)
		tacho__buf_printf(buf, "%llu", (unsigned long long)node->whole);
	else if (node->op == TACHO__OP_REAL)
		tacho__buf_printf(buf, "real %.17g", node->real);
	else if (node->resolution == TACHO__PLAIN)
		tacho__buf_put(buf, node->name);
	else
		tacho__buf_printf(buf, "(%s %s)",
				  node->resolution == TACHO__LOW_RES ? "low" : "high", node->name);
}

/* "(+ A (* B 2))"; a selected dimension is D:0, or D!0,2 when it stays. */
static void dump(struct tacho__buf *buf, const struct tacho__node *node)
{
	static const char *const reductions[] = {"sum", "avr", "min", "max"};

	if (!node->operand_count) {
		dump_leaf(buf, node);
		return;
	}
	tacho__buf_printf(buf, "(%s", names[node->op]);
	if (node->op == TACHO__OP_REDUCE)
		tacho__buf_printf(buf, " %s", reductions[node->reduction]);
	for (size_t i = 0; i < node->operand_count; i++) {
		tacho__buf_char(buf, ' ');
		dump(buf, node->operands[i]);
		assert_true(node->operands[i]->height < node->height);
	}
	for (size_t i = 0; i < node->dimension_count; i++) {
		if (node->op == TACHO__OP_REDUCE) {
			tacho__buf_printf(buf, " %s", node->dimensions[i]);
			continue;
		}
		tacho__buf_printf(buf, " %s", node->selections[i].dimension);
		for (size_t j = 0; j < node->selections[i].count; j++)
			tacho__buf_printf(buf, "%s%u",
					  j			      ? ","
					  : node->selections[i].keeps ? "!"
								      : ":",
					  node->selections[i].positions[j]);
	}
	tacho__buf_char(buf, ')');
}

static int parse(struct tacho__arena *arena, const char *notation, const char *text, size_t size,
		 struct tacho__node **out_node, struct tacho_formula_problem *out_problem)
{
	struct tacho__expression expression = {.text = text, .size = size, .notation = notation};

	return tacho__expression_parse(arena, &expression, out_node, out_problem);
}

/* How well the infix notation can say it: 0 not at all, 1 with other leaves ("(4)" as 4), 2. */
static int is_infix(const struct tacho__node *node)
{
	int same = node->op <= TACHO__OP_DIVIDE ? 2 : 0;

	if (node->op == TACHO__OP_REAL && (node->real < 0 || node->real == floor(node->real)))
		same = 1;
	for (size_t i = 0; i < node->operand_count; i++) {
		int operand = is_infix(node->operands[i]);

		same = operand < same ? operand : same;
	}
	return same;
}

static void assert_round_trip(const struct tacho__node *node)
{
	struct tacho__arena arena = {0};
	struct tacho__buf before = {0}, after = {0};
	struct tacho__node *again;
	char *text, *second;

	assert_int_equal(tacho__node_format(node, &text), 0);
	if (is_infix(node) && node->height < TACHO__DEPTH_MAX) {
		if (parse(&arena, "infix", text, strlen(text), &again, NULL))
			fail_msg("%s: %s", text, tacho_error_last()->message);
		dump(&before, node);
		dump(&after, again);
		if (is_infix(node) == 2)
			assert_string_equal(tacho__buf_text(&before), tacho__buf_text(&after));
		assert_int_equal(tacho__node_format(again, &second), 0);
		assert_string_equal(text, second);
		free(second);
	}
	free(text);
	tacho__buf_finish(&before);
	tacho__buf_finish(&after);
	tacho__arena_finish(&arena);
}

static char *read_file(const char *path, size_t *out_size)
{
	FILE *file = fopen(path, "rb");
	char *text;
	long size;

	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	text = calloc(1, (size_t)size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, file), size);
	fclose(file);
	*out_size = (size_t)size;
	return text;
}

static const char *rooted(const char *path)
{
	static char full[512];
	const char *root = getenv("TACHO_SOURCE_ROOT");

	snprintf(full, sizeof(full), "%s/%s", root ? root : ".", path);
	return full;
}

enum { INPUTS_MAX = 1024 };

/* The strings of an array; those of a JSON vector or of a published counter. */
static size_t get_inputs(const struct tacho__json *array, const char *inputs[INPUTS_MAX])
{
	size_t count = 0;

	for (const struct tacho__json *j = array ? array->first : NULL; j; j = j->next) {
		assert_true(count < INPUTS_MAX);
		inputs[count++] = j->string;
	}
	return count;
}

static void check_failure(const struct tacho__json *vector, const char *text, int rc,
			  const struct tacho_formula_problem *problem)
{
	if (rc >= 0)
		fail_msg("%s: it was accepted", text);
	assert_string_equal(problem->message, tacho__json_string(vector, "message", ""));
	if (problem->column != (size_t)tacho__json_integer(vector, "column", -1))
		fail_msg("%s: column %zu", text, problem->column);
	assert_string_equal(problem->stage, tacho__json_string(vector, "stage", "parse"));
	assert_string_equal(problem->metric, "");
	assert_string_equal(tacho_error_last()->message, problem->message);
	assert_int_equal(tacho_error_last()->code, rc);
	assert_int_equal(rc, problem->column ? TACHO_E_PARSE : TACHO_E_INVAL);
}

static void check_vector(const struct tacho__json *vector)
{
	const char *text = tacho__json_string(vector, "text", NULL);
	const char *tree = tacho__json_string(vector, "tree", NULL);
	const char *infix = tacho__json_string(vector, "infix", NULL), *inputs[INPUTS_MAX];
	struct tacho__arena arena = {0};
	struct tacho__expression expression = {
		.text = text,
		.size = strlen(text),
		.notation = tacho__json_string(vector, "notation", NULL),
		.inputs = inputs,
		.input_count = get_inputs(tacho__json_get(vector, "inputs"), inputs),
	};
	struct tacho_formula_problem problem = {0};
	struct tacho__node *node = NULL;
	struct tacho__buf buf = {0};
	char *formatted;
	int rc = tacho__expression_parse(&arena, &expression, &node, &problem);

	if (!tree) {
		check_failure(vector, text, rc, &problem);
		assert_null(node);
	} else if (rc) {
		fail_msg("%s: %s", text, problem.message);
	} else {
		dump(&buf, node);
		assert_string_equal(tacho__buf_text(&buf), tree);
		assert_int_equal(tacho__node_format(node, &formatted), 0);
		if (infix)
			assert_string_equal(formatted, infix);
		free(formatted);
		assert_round_trip(node);
	}
	tacho__buf_finish(&buf);
	tacho__arena_finish(&arena);
}

static void test_vectors(void **state)
{
	struct tacho__arena arena = {0};
	struct tacho__json *json;
	size_t size, count = 0;
	char *text = read_file(rooted("tests/data/formula/notations.json"), &size);

	assert_non_null(text);
	assert_int_equal(tacho__json_parse(&arena, text, size, &json), 0);
	for (struct tacho__json *vector = json->first; vector; vector = vector->next, count++)
		check_vector(vector);
	assert_true(count >= 250);
	free(text);
	tacho__arena_finish(&arena);
}

static void test_columns_of_nodes(void **state)
{
	static const char text[] = "A + reduce(B*2, max)";
	struct tacho__arena arena = {0};
	struct tacho__node *node, *reduce;

	assert_int_equal(parse(&arena, "infix", text, strlen(text), &node, NULL), 0);
	assert_int_equal(node->column, 3);
	assert_int_equal(node->height, 4);
	assert_int_equal(node->operands[0]->column, 1);
	reduce = node->operands[1];
	assert_int_equal(reduce->column, 5);
	assert_int_equal(reduce->operands[0]->column, 13);
	assert_int_equal(reduce->operands[0]->operands[1]->column, 14);
	tacho__arena_finish(&arena);
}

/* No NUL ends the text, and a NUL inside it is a byte like others. */
static void test_text_has_a_size(void **state)
{
	struct tacho__arena arena = {0};
	struct tacho_formula_problem problem;
	struct tacho__node *node;

	assert_int_equal(parse(&arena, "infix", "A+B+C", 3, &node, NULL), 0);
	assert_int_equal(node->operands[1]->op, TACHO__OP_NAME);
	assert_string_equal(node->operands[1]->name, "B");
	assert_int_equal(parse(&arena, "infix", "12345", 2, &node, NULL), 0);
	assert_int_equal(node->whole, 12);
	assert_int_equal(parse(&arena, NULL, "A\0B", 3, &node, &problem), TACHO_E_PARSE);
	assert_int_equal(problem.column, 2);
	assert_non_null(strstr(problem.message, "found byte 0x00"));
	assert_int_equal(parse(&arena, "gpa", "NUM_SIMDS\0", 10, &node, &problem), TACHO_E_PARSE);
	assert_int_equal(parse(&arena, "oa", "1\0", 2, &node, &problem), TACHO_E_PARSE);
	assert_int_equal(parse(&arena, "oa", "0x11", 3, &node, &problem), 0);
	assert_int_equal(node->whole, 1);
	tacho__arena_finish(&arena);
}

/* `head` n times, `middle`, `tail` n times. */
static int parse_repeated(const char *notation, const char *head, const char *middle,
			  const char *tail, size_t n, struct tacho_formula_problem *out_problem)
{
	struct tacho__arena arena = {0};
	struct tacho__buf buf = {0};
	struct tacho__node *node;
	int rc;

	for (size_t i = 0; i < n; i++)
		tacho__buf_put(&buf, head);
	tacho__buf_put(&buf, middle);
	for (size_t i = 0; i < n; i++)
		tacho__buf_put(&buf, tail);
	rc = parse(&arena, notation, tacho__buf_text(&buf), buf.size, &node, out_problem);
	if (!rc)
		assert_round_trip(node);
	tacho__buf_finish(&buf);
	tacho__arena_finish(&arena);
	return rc;
}

static void test_limits(void **state)
{
	struct tacho_formula_problem problem;

	/* "A" itself is one level */
	assert_int_equal(parse_repeated("infix", "(", "A", ")", 199, NULL), 0);
	assert_int_equal(parse_repeated("infix", "(", "A", ")", 200, &problem), TACHO_E_PARSE);
	assert_int_equal(problem.column, 201);
	assert_non_null(strstr(problem.message, "more than 200 deep"));
	assert_int_equal(parse_repeated("infix", "(", "", "", 1000000, NULL), TACHO_E_PARSE);
	assert_int_equal(parse_repeated("infix", "-", "A", "", 199, NULL), 0);
	assert_int_equal(parse_repeated("infix", "-", "A", "", 1000000, NULL), TACHO_E_PARSE);
	assert_int_equal(parse_repeated("infix", "reduce(", "A", ",sum)", 199, NULL), 0);
	assert_int_equal(parse_repeated("infix", "reduce(", "A", ",sum)", 5000, NULL),
			 TACHO_E_PARSE);
	assert_int_equal(parse_repeated("infix", "", "A", "+A", 999, NULL), 0);
	assert_int_equal(parse_repeated("infix", "", "A", "+A", 1000, &problem), TACHO_E_PARSE);
	assert_int_equal(problem.column, 2 * 1000);
	assert_non_null(strstr(problem.message, "1000 operations"));
	assert_int_equal(parse_repeated("oa", "1 ", "1", " UADD", 999, NULL), 0);
	assert_int_equal(parse_repeated("oa", "1 ", "1", " UADD", 1000, &problem), TACHO_E_PARSE);
	assert_int_equal(parse_repeated("oa", "1 ", "", "", 65536, &problem), TACHO_E_PARSE);
	assert_non_null(strstr(problem.message, "values are left"));
	assert_int_equal(parse_repeated("oa", "1 ", "", "", 65537, &problem), TACHO_E_PARSE);
	assert_int_equal(problem.column, 2 * 65536 + 1);
	assert_non_null(strstr(problem.message, "more than 65536 parts"));
	assert_int_equal(parse_repeated("gpa", "(1),", "(1)", ",+", 999, NULL), 0);
	assert_int_equal(parse_repeated("gpa", "(1),", "(1)", ",+", 1000, NULL), TACHO_E_PARSE);
	assert_int_equal(parse_repeated("gpa", "(1),", "min9000", "", 9000, NULL), 0);
}

/* What cannot be printed in 1 MiB is an error and no text. */
static void test_format_is_bounded(void **state)
{
	struct tacho__arena arena = {0};
	struct tacho__buf buf = {0};
	struct tacho__node *node;
	char *text = NULL;

	for (size_t i = 0; i < 100; i++) {
		tacho__buf_put(&buf, i ? "+" : "");
		for (size_t j = 0; j < 11000; j++)
			tacho__buf_char(&buf, 'N');
	}
	assert_int_equal(parse(&arena, "infix", tacho__buf_text(&buf), buf.size, &node, NULL), 0);
	assert_int_equal(tacho__node_format(node, &text), TACHO_E_INVAL);
	assert_null(text);
	tacho__buf_finish(&buf);
	tacho__arena_finish(&arena);
}

/* Numbers mean the same whatever the program's locale writes for a point. */
static void test_locale(void **state)
{
	static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8"};
	struct tacho__arena arena = {0};
	struct tacho__node *node;
	char *text;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(locales); i++) {
		if (!setlocale(LC_ALL, locales[i]))
			continue;
		assert_int_equal(parse(&arena, "infix", "12.5e-1*A", 9, &node, NULL), 0);
		assert_true(node->operands[0]->real == 1.25);
		assert_int_equal(tacho__node_format(node, &text), 0);
		assert_string_equal(text, "1.25*A");
		free(text);
	}
	setlocale(LC_ALL, "C");
	tacho__arena_finish(&arena);
}

/* Published definitions. */

static int note_absent(const char *path)
{
	print_message("skipped: %s is absent\n", path);
	skip();
	return 0;
}

static void check_text(const struct tacho__expression *expression, const char *where)
{
	struct tacho__arena arena = {0};
	struct tacho__node *node;

	if (tacho__expression_parse(&arena, expression, &node, NULL))
		fail_msg("%s: %.*s: %s", where, (int)expression->size, expression->text,
			 tacho_error_last()->message);
	assert_round_trip(node);
	tacho__arena_finish(&arena);
}

/* YAML's plain and quoted scalars on one line are all that these files have. */
static void test_rocm_definitions(void **state)
{
	static const char path[] = "../shared/data/rocm/counter_defs-1.0.0-schema1-20250809.yaml";
	static const char key[] = "expression:";
	size_t size, count = 0;
	char *text = read_file(rooted(path), &size);

	if (!text) {
		note_absent(path);
		return;
	}
	for (char *at = strstr(text, key); at; at = strstr(at, key)) {
		struct tacho__expression expression;

		at += strlen(key);
		at += strspn(at, " '\"");
		expression = (struct tacho__expression){.text = at, .size = strcspn(at, "'\"\n")};
		check_text(&expression, path);
		count++;
	}
	assert_int_equal(count, 323);
	free(text);
}

static size_t check_published(const struct tacho__json *json, const char *path)
{
	const char *comp = tacho__json_string(json, "comp", NULL), *inputs[INPUTS_MAX];
	struct tacho__expression expression = {.notation = "gpa", .inputs = inputs};
	size_t count = 0;

	if (comp) {
		expression.text = comp;
		expression.size = strlen(comp);
		expression.input_count = get_inputs(tacho__json_get(json, "inputs"), inputs);
		check_text(&expression, path);
		count++;
	}
	if (json->type == TACHO__JSON_ARRAY || json->type == TACHO__JSON_OBJECT)
		for (const struct tacho__json *j = json->first; j; j = j->next)
			count += check_published(j, path);
	return count;
}

static void test_gpa_definitions(void **state)
{
	static const char *const files[] = {"cl-gfx6",	 "cl-gfx7",   "cl-gfx8",   "cl-gfx9",
					    "dx11-gfx6", "dx11-gfx7", "dx11-gfx8", "dx11-gfx9",
					    "gl-gfx6",	 "gl-gfx7",   "gl-gfx8",   "gl-gfx9",
					    "hsa-gfx7",	 "hsa-gfx8",  "hsa-gfx9"};
	size_t size, count = 0;
	char path[128];

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(files); i++) {
		struct tacho__arena arena = {0};
		struct tacho__json *json;
		char *text;

		snprintf(path, sizeof(path), "../shared/data/gpa/%s.json", files[i]);
		text = read_file(rooted(path), &size);
		if (!text) {
			note_absent(path);
			return;
		}
		assert_int_equal(tacho__json_parse(&arena, text, size, &json), 0);
		count += check_published(json, path);
		tacho__arena_finish(&arena);
		free(text);
	}
	assert_int_equal(count, 803);
}

/* The value of an attribute, with what XML escapes in these files put back. */
static size_t unescape(const char *value, size_t size, char *to)
{
	static const struct {
		const char *entity;
		char c;
	} entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}};
	size_t length = 0;

	for (size_t i = 0; i < size; i++) {
		size_t j = 0;

		while (j < 3 && strncmp(value + i, entities[j].entity, strlen(entities[j].entity)))
			j++;
		to[length++] = j < 3 ? entities[j].c : value[i];
		i += j < 3 ? strlen(entities[j].entity) - 1 : 0;
	}
	return length;
}

static size_t check_attributes(const char *text, const char *attribute, const char *path)
{
	struct tacho__expression expression = {.notation = "oa"};
	const size_t length = strlen(attribute);
	size_t count = 0;
	char value[4096];

	/* the address sanitizer's strstr() looks at all that follows each time */
	for (const char *at = strchr(text, ' '); at; at = strchr(at, ' ')) {
		size_t size;

		if (strncmp(at, attribute, length)) {
			at++;
			continue;
		}
		at += length;
		size = strcspn(at, "\"");
		assert_true(size < sizeof(value));
		expression.text = value;
		expression.size = unescape(at, size, value);
		if (!expression.size)
			continue;
		check_text(&expression, path);
		count++;
	}
	return count;
}

static void test_intel_definitions(void **state)
{
	static const char *const files[] = {"igt-xe-oa-lnl", "oa-acmgt1", "oa-bdw",
					    "oa-chv",	     "oa-hsw",	  "oa-icl",
					    "oa-lnl",	     "oa-sklgt2", "oa-tglgt2"};
	static const char *const attributes[] = {" equation=\"", " max_equation=\"",
						 " availability=\""};
	size_t counts[3] = {0}, size;
	char path[128];

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(files); i++) {
		char *text;

		snprintf(path, sizeof(path), "../shared/data/intel/%s.xml", files[i]);
		text = read_file(rooted(path), &size);
		if (!text) {
			note_absent(path);
			return;
		}
		for (size_t j = 0; j < TACHO__ARRAY_SIZE(attributes); j++)
			counts[j] += check_attributes(text, attributes[j], path);
		free(text);
	}
	assert_int_equal(counts[0], 7416);
	assert_int_equal(counts[1], 2931);
	assert_int_equal(counts[2], 1671);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors),		  cmocka_unit_test(test_columns_of_nodes),
		cmocka_unit_test(test_text_has_a_size),	  cmocka_unit_test(test_limits),
		cmocka_unit_test(test_format_is_bounded), cmocka_unit_test(test_locale),
		cmocka_unit_test(test_rocm_definitions),  cmocka_unit_test(test_gpa_definitions),
		cmocka_unit_test(test_intel_definitions),
	};

	return cmocka_run_group_tests_name("notation", tests, NULL, NULL);
}
