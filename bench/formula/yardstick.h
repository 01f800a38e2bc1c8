/* SPDX-License-Identifier: MIT */
/*
 * The evaluator that the library is measured against: one row at a time it walks the tree of an
 * expression and makes a list on the heap for every node, with an array of records in it, an id and
 * a double, as ROCm's evaluator does (a vector of its own for each node). Metrics within metrics
 * are worked out at each use. It knows what ROCm's definitions need: + - * / and reductions over
 * everything.
 */
#ifndef TACHO_BENCH_YARDSTICK_H
#define TACHO_BENCH_YARDSTICK_H

#include "formula/node.h"
#include "formula/program.h"

struct yardstick_record {
	uint64_t id; /* counter above, instance below */
	double value;
};

struct yardstick_list {
	struct yardstick_record *records;
	size_t count;
};

struct yardstick;

/* A tree with its names resolved: counters are numbers of inputs. NULL: it cannot. */
struct yardstick *yardstick_create(struct tacho__arena *arena, const struct tacho__node *node,
				   const struct tacho__scope *scope,
				   const struct tacho__input *inputs, size_t input_count);

/* Values of one row; `columns` as the inputs. Owned. */
struct yardstick_list *yardstick_evaluate(const struct yardstick *tree,
					  const struct tacho_column *columns, size_t row);
void yardstick_list_destroy(struct yardstick_list *list);

#endif
