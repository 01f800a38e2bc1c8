/* SPDX-License-Identifier: MIT */
/*
 * Whether values of an entry add up over launches and windows. They do when twice the work gives
 * twice the value: when the metric's expression is of degree 1 in what is counted. A sum of
 * counters is, divided by a constant, too; the quotient of two counters is of degree 0, as
 * constants are.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"
#include "catalog/grammar.h"

/* A degree from -DEGREE_MAX on, or one of: */
enum {
	DEGREE_MAX = 16,
	ZERO,  /* the number 0 is of any degree */
	MIXED, /* none */
};

struct judge {
	const struct tacho_arch *arch;
	struct tacho__map degrees; /* entry to a mark */
	size_t depth;
	bool failed; /* memory ran out */
};

/* A node of a tree; those of its operands follow each other. */
struct place {
	const struct tacho__node *node;
	size_t first; /* index of the first operand's */
	int degree;
};

static int judge_entry(struct judge *judge, const struct tacho_entry *entry);

static int is_time(const char *unit)
{
	return !strcmp(unit, "nanoseconds") || !strcmp(unit, "ns") ||
	       !strcmp(unit, "microseconds") || !strcmp(unit, "milliseconds") ||
	       !strcmp(unit, "seconds");
}

/* Units of what is a quotient already. */
static int is_quotient(const char *unit)
{
	return !strcmp(unit, "percent") || !strcmp(unit, "ratio") || !strcmp(unit, "hz") ||
	       strchr(unit, '/') || strstr(unit, " per ");
}

static int check_range(int degree)
{
	return degree < -DEGREE_MAX || degree > DEGREE_MAX ? MIXED : degree;
}

/* Of a sum, and of a choice between two. */
static int add_degrees(int one, int other)
{
	if (one == ZERO || other == ZERO)
		return one == ZERO ? other : one;
	return one == other ? one : MIXED;
}

static int multiply_degrees(int one, int other)
{
	if (one == MIXED || other == MIXED)
		return MIXED;
	return one == ZERO || other == ZERO ? ZERO : check_range(one + other);
}

/* What is divided by 0 is 0. */
static int divide_degrees(int one, int other)
{
	if (one == MIXED || other == MIXED)
		return MIXED;
	return one == ZERO || other == ZERO ? ZERO : check_range(one - other);
}

static int fold(const struct place *places, size_t count)
{
	int degree = ZERO;

	for (size_t i = 0; i < count; i++)
		degree = add_degrees(degree, places[i].degree);
	return degree;
}

static int judge_leaf(struct judge *judge, const struct tacho__node *node)
{
	const struct tacho_entry *entry;
	struct tacho__ending ending;
	struct tacho__base base;

	if (node->op == TACHO__OP_WHOLE)
		return node->whole ? 0 : ZERO;
	if (node->op == TACHO__OP_REAL)
		return node->real != 0 ? 0 : ZERO;
	entry = tacho__arch_get_exact(judge->arch, node->name);
	if (entry)
		return judge_entry(judge, entry);
	/* by its words alone: an entry of it is made by asking what its base is */
	if (!tacho__grammar_parse(judge->arch, node->name, false, &base, &ending))
		return MIXED;
	return tacho__ending_adds_up(&ending) ? judge_entry(judge, base.entry) : 0;
}

/* Operands' degrees are known. */
static int judge_operation(const struct tacho__node *node, const struct place *operands)
{
	int common = fold(operands, node->operand_count);

	switch (node->op) {
	case TACHO__OP_MULTIPLY:
	case TACHO__OP_WHOLE_MULTIPLY:
	case TACHO__OP_NATURAL_MULTIPLY:
		return multiply_degrees(operands[0].degree, operands[1].degree);
	case TACHO__OP_DIVIDE:
	case TACHO__OP_WHOLE_DIVIDE: return divide_degrees(operands[0].degree, operands[1].degree);
	case TACHO__OP_SHIFT_LEFT:
	case TACHO__OP_SHIFT_RIGHT:
		return operands[1].degree == 0 || operands[1].degree == ZERO ? operands[0].degree
									     : MIXED;
	case TACHO__OP_LESS:
	case TACHO__OP_LESS_EQUAL:
	case TACHO__OP_GREATER:
	case TACHO__OP_GREATER_EQUAL:
	case TACHO__OP_EQUAL: return common == MIXED ? MIXED : 0;
	case TACHO__OP_LOGICAL_AND:
	case TACHO__OP_LOGICAL_OR: return 0;
	case TACHO__OP_BIT_AND:
	case TACHO__OP_BIT_OR:
	case TACHO__OP_BIT_XOR: return common == 0 || common == ZERO ? common : MIXED;
	/* The condition asks whether there was any work of a kind. */
	case TACHO__OP_IF_NOT_ZERO: return fold(operands + 1, 2);
	default: return common;
	}
}

/* All nodes, each behind its parent. NULL: no memory. Owned. */
static struct place *list_places(const struct tacho__node *tree, size_t *out_count)
{
	size_t count = 0, capacity = 0;
	struct place *places = NULL, place = {.node = tree};

	if (tacho__array_add(&places, &capacity, &count, &place, sizeof(place)))
		return NULL;
	for (size_t at = 0; at < count; at++) {
		const struct tacho__node *node = places[at].node;

		places[at].first = count;
		for (size_t i = 0; i < node->operand_count; i++) {
			place.node = node->operands[i];
			if (tacho__array_add(&places, &capacity, &count, &place, sizeof(place))) {
				free(places);
				return NULL;
			}
		}
	}
	*out_count = count;
	return places;
}

/* From the leaves to the root. */
static int judge_tree(struct judge *judge, const struct tacho__node *tree)
{
	size_t count = 0;
	struct place *places = list_places(tree, &count);
	int degree = MIXED;

	judge->failed |= !places;

	for (size_t i = places ? count : 0; i > 0; i--) {
		struct place *place = &places[i - 1];

		degree = place->node->operand_count
				 ? judge_operation(place->node, &places[place->first])
				 : judge_leaf(judge, place->node);
		place->degree = degree;
	}
	free(places);
	return degree;
}

static int judge_expression(struct judge *judge, const struct tacho_entry *metric)
{
	struct tacho__expression expression = tacho__entry_expression(metric);
	struct tacho_formula_problem problem = {0};
	struct tacho__arena arena = {0};
	struct tacho__node *tree;
	int degree = MIXED, rc;

	if (!*metric->expression || judge->depth == TACHO__DEPTH_MAX)
		return MIXED;
	judge->depth++;
	rc = tacho__expression_parse(&arena, &expression, &tree, &problem);
	if (!rc)
		degree = judge_tree(judge, tree);
	judge->failed |= rc == TACHO_E_NOMEM;
	judge->depth--;
	tacho__arena_finish(&arena);
	return degree;
}

/* What the definition says counts where the expression says nothing. */
static int judge_new(struct judge *judge, const struct tacho_entry *entry)
{
	int degree = MIXED;

	if (entry->kind == TACHO_ENTRY_CONSTANT || is_quotient(entry->unit))
		return 0;
	if (*entry->joins) /* a moment: twice the work has no other one */
		return 0;
	if (entry->kind == TACHO_ENTRY_METRIC)
		degree = judge_expression(judge, entry);
	if (degree != MIXED)
		return degree;
	if (*entry->semantic)
		return !strcmp(entry->semantic, "event") || !strcmp(entry->semantic, "duration");
	return entry->kind == TACHO_ENTRY_COUNTER ? 1 : MIXED;
}

static int judge_entry(struct judge *judge, const struct tacho_entry *entry)
{
	static char marks[DEGREE_MAX + MIXED + 1]; /* nothing but addresses */
	char *known = tacho__map_get(&judge->degrees, (uintptr_t)entry);
	int degree;

	if (known)
		return (int)(known - marks) - DEGREE_MAX;
	/* Until it is known, so that a circle ends. */
	if (tacho__map_set(&judge->degrees, (uintptr_t)entry, &marks[MIXED + DEGREE_MAX])) {
		judge->failed = true;
		return MIXED;
	}
	degree = judge_new(judge, entry);
	tacho__map_set(&judge->degrees, (uintptr_t)entry, &marks[degree + DEGREE_MAX]);
	return degree;
}

const char *tacho_arch_get_semantic(const struct tacho_arch *arch, const struct tacho_entry *entry)
{
	struct judge judge = {.arch = arch};
	int degree;

	if (!arch || !entry) {
		tacho__fail_null(__func__);
		return NULL;
	}
	degree = judge_entry(&judge, entry);
	tacho__map_finish(&judge.degrees);
	if (judge.failed) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory to judge %s", entry->name);
		return NULL;
	}
	if (degree == 1)
		return is_time(entry->unit) ? "duration" : "event";
	return strstr(entry->unit, "/second") ? "throughput" : "ratio";
}
