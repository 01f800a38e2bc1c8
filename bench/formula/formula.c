/* SPDX-License-Identifier: MIT */
/*
 * Measures the evaluation of formulas on made columns; prints Markdown for RESULTS.md.
 *
 *	formula [ROWS [ROUNDS]]
 *
 * ROWS launches (default 10000), each figure the median of ROUNDS rounds (default 5). The sides of
 *a comparison take turns within a round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "catalog/catalog.h"
#include "formula/program.h"
#include "tacho/catalog.h"
#include "tacho/error.h"
#include "yardstick.h"

enum { ROUNDS_MAX = 99 };

static size_t all_rows = 10000, rounds = 5;

/* A program with columns for its inputs, `rows` rows of them. */
struct bench {
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;
	const struct tacho_model *model;
	struct tacho__arch_scope scope;
	struct tacho__program *program;
	const struct tacho_entry **metrics; /* one an output */
	size_t metric_count;
	struct tacho_column *columns;
	size_t column_count, row_values;
	struct tacho__target *targets;
	size_t rows;
};

static void die(const char *what)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	fprintf(stderr, "formula: %s: %s %s\n", what, detail->message, detail->cause);
	exit(1);
}

static void *get(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		die("no memory");
	return memory;
}

static double now_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *values)
{
	qsort(values, rounds, sizeof(*values), compare);
	return rounds % 2 ? values[rounds / 2] : (values[rounds / 2 - 1] + values[rounds / 2]) / 2;
}

static void open_arch(struct bench *bench, const char *arch, const char *model)
{
	struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = arch, .no_environment = 1};

	memset(bench, 0, sizeof(*bench));
	if (tacho_catalog_open(&options, &bench->catalog) ||
	    tacho_catalog_find_arch(bench->catalog, arch, NULL, &bench->arch))
		die(arch);
	bench->model = model ? tacho_arch_find_model(bench->arch, model)
			     : tacho_arch_get_model(bench->arch, 0);
	if (!bench->model)
		die("no such model");
	tacho__arch_scope_init(&bench->scope, bench->arch, bench->model);
}

static void add_metric(struct bench *bench, const struct tacho_entry *entry)
{
	struct tacho__expression expression = {entry->expression, strlen(entry->expression),
					       entry->notation, entry->inputs, entry->input_count};
	int type = strcmp(entry->notation, "oa") ? -1 : (int)entry->type;
	struct tacho_formula_problem problem;
	size_t output;

	if (tacho__program_add(bench->program, &expression, type, &bench->scope.scope, &output,
			       &problem))
		die(entry->name);
	bench->metrics[bench->metric_count++] = entry;
}

static void add_all_metrics(struct bench *bench)
{
	const struct tacho_entry *entry;
	size_t count = 0;

	while (tacho_arch_get_entry(bench->arch, count))
		count++;
	bench->metrics = get(count * sizeof(*bench->metrics));
	if (tacho__program_create(&bench->program))
		die("program");
	for (size_t i = 0; (entry = tacho_arch_get_entry(bench->arch, i)); i++)
		if (entry->kind == TACHO_ENTRY_METRIC)
			add_metric(bench, entry);
}

static void shape_column(struct bench *bench, const struct tacho__input *input, size_t instances,
			 struct tacho_column *column)
{
	const struct tacho_entry *entry = tacho_arch_find_entry(bench->arch, input->name);

	memset(column, 0, sizeof(*column));
	column->name = input->name;
	column->unit = column->note = "";
	column->type = TACHO_TYPE_U64;
	column->instance_count = 1;
	if (instances) { /* as many for each */
		column->dimensions[0] =
			(struct tacho_dimension){"DIMENSION_INSTANCE", (uint32_t)instances, NULL};
		column->dimension_count = 1;
	} else if (tacho_arch_get_dimensions(bench->arch, entry, bench->model, column->dimensions,
					     &column->dimension_count)) {
		die(input->name);
	}
	for (uint32_t i = 0; i < column->dimension_count; i++)
		column->instance_count *= column->dimensions[i].extent;
}

/* Columns of plausible numbers, and room for the results. instances 0: as the model has them. */
static void bind(struct bench *bench, size_t rows, size_t instances)
{
	const struct tacho__input *inputs;
	uint64_t random = 88172645463325252;

	bench->rows = rows;
	bench->column_count = tacho__program_get_inputs(bench->program, &inputs);
	bench->columns = get(bench->column_count * sizeof(*bench->columns));
	bench->row_values = 0;
	for (size_t i = 0; i < bench->column_count; i++) {
		struct tacho_column *column = &bench->columns[i];
		uint64_t *data;
		size_t count;

		shape_column(bench, &inputs[i], instances, column);
		bench->row_values += column->instance_count;
		count = rows * column->instance_count;
		column->data.u64 = data = get(count * sizeof(*data));
		for (size_t k = 0; k < count; k++) {
			random ^= random << 13; /* xorshift */
			random ^= random >> 7;
			random ^= random << 17;
			data[k] = random >> 40;
		}
	}
	if (tacho__program_bind(bench->program, bench->columns, NULL))
		die("bind");
	bench->targets = calloc(bench->metric_count, sizeof(*bench->targets));
	for (size_t i = 0; i < bench->metric_count; i++) {
		size_t count = rows * tacho__program_get_shape(bench->program, i)->instance_count;

		bench->targets[i].data = get(count * 8);
		bench->targets[i].states = get(count);
		memset(bench->targets[i].data, 0, count * 8);
		memset(bench->targets[i].states, 0, count);
	}
}

static void unbind(struct bench *bench)
{
	for (size_t i = 0; i < bench->column_count; i++)
		free((void *)(uintptr_t)bench->columns[i].data.u64);
	for (size_t i = 0; i < bench->metric_count; i++) {
		free(bench->targets[i].data);
		free(bench->targets[i].states);
	}
	free(bench->columns);
	free(bench->targets);
}

static void close_arch(struct bench *bench)
{
	tacho__program_destroy(bench->program);
	tacho_catalog_close(bench->catalog);
	free(bench->metrics);
}

static double run_program(struct bench *bench)
{
	double start = now_s();

	if (tacho__program_run(bench->program, 0, bench->rows, 0, bench->targets))
		die("run");
	return now_s() - start;
}

/* What memory delivers: the sum of all inputs, as a loop that the compiler vectorizes. */
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("O3")))
#endif
static uint64_t
stream(const uint64_t *restrict values, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum;
}

static double run_stream(const struct bench *bench, volatile uint64_t *out_sum)
{
	double start = now_s();

	for (size_t i = 0; i < bench->column_count; i++)
		*out_sum += stream(bench->columns[i].data.u64,
				   bench->rows * bench->columns[i].instance_count);
	return now_s() - start;
}

/* All derived metrics of one architecture with a real model's extents. */
static void measure_stream(void)
{
	size_t batch = all_rows < 1000 ? all_rows : 1000, batches = all_rows / batch;
	double work[ROUNDS_MAX], once[ROUNDS_MAX], ratio[ROUNDS_MAX], gib;
	volatile uint64_t sum = 0;
	struct bench bench;

	open_arch(&bench, "gfx942", "mi300x");
	add_all_metrics(&bench);
	bind(&bench, batch, 0);
	run_program(&bench);
	for (size_t r = 0; r < rounds; r++) {
		work[r] = once[r] = 0;
		for (size_t i = 0; i < batches; i++) {
			once[r] += run_stream(&bench, &sum);
			work[r] += run_program(&bench);
		}
		ratio[r] = work[r] / once[r];
	}
	gib = (double)(bench.row_values * 8 * batch * batches) / (1 << 30);
	printf("All %zu derived metrics of gfx942 from %zu counters with an MI300X's extents, %zu "
	       "values a launch, %zu launches in batches of %zu (%.2f GiB):\n\n",
	       bench.metric_count, bench.column_count, bench.row_values, batch * batches, batch,
	       gib);
	printf("| | s | GiB/s |\n|---|---|---|\n");
	printf("| inputs read once, a plain sum | %.3f | %.1f |\n", median(once),
	       gib / median(once));
	printf("| all metrics | %.3f | %.1f |\n", median(work), gib / median(work));
	printf("| ratio | %.2f | |\n\n", median(ratio));
	unbind(&bench);
	close_arch(&bench);
}

static void create_trees(struct bench *bench, struct tacho__arena *arena, struct yardstick **trees)
{
	const struct tacho__input *inputs;
	size_t count = tacho__program_get_inputs(bench->program, &inputs);

	for (size_t i = 0; i < bench->metric_count; i++) {
		const char *text = bench->metrics[i]->expression;
		struct tacho__expression expression = {text, strlen(text), "infix", NULL, 0};
		struct tacho__node *node;

		trees[i] = NULL;
		if (!tacho__expression_parse(arena, &expression, &node, NULL))
			trees[i] =
				yardstick_create(arena, node, &bench->scope.scope, inputs, count);
		if (!trees[i])
			die(bench->metrics[i]->name);
	}
}

/* Stops when the two sides do not agree: a fast wrong answer counts for nothing. */
static void check(const struct bench *bench, size_t metric, size_t row,
		  const struct yardstick_list *list)
{
	const struct tacho_column *shape = tacho__program_get_shape(bench->program, metric);

	for (size_t i = 0; i < shape->instance_count; i++) {
		size_t at = row * shape->instance_count + i;
		double made = shape->type == TACHO_TYPE_U64
				      ? (double)((uint64_t *)bench->targets[metric].data)[at]
				      : ((double *)bench->targets[metric].data)[at];
		double wanted = list->records[i].value, apart = made - wanted;

		if ((apart < 0 ? -apart : apart) > 1e-9 * (wanted < 0 ? -wanted : wanted))
			die(bench->metrics[metric]->name);
	}
}

static double run_yardstick(const struct bench *bench, struct yardstick *const *trees, size_t rows,
			    int is_check)
{
	double start = now_s();

	for (size_t row = 0; row < rows; row++)
		for (size_t i = 0; i < bench->metric_count; i++) {
			struct yardstick_list *list =
				yardstick_evaluate(trees[i], bench->columns, row);

			if (is_check)
				check(bench, i, row, list);
			yardstick_list_destroy(list);
		}
	return now_s() - start;
}

static void measure_yardstick(size_t instances, size_t rows)
{
	double work[ROUNDS_MAX], other[ROUNDS_MAX], ratio[ROUNDS_MAX];
	struct tacho__arena arena = {0};
	struct yardstick **trees;
	struct bench bench;

	open_arch(&bench, "gfx942", "mi300x");
	add_all_metrics(&bench);
	bind(&bench, rows, instances);
	trees = get(bench.metric_count * sizeof(*trees));
	create_trees(&bench, &arena, trees);
	run_program(&bench);
	run_yardstick(&bench, trees, rows < 10 ? rows : 10, 1);
	for (size_t r = 0; r < rounds; r++) {
		other[r] = run_yardstick(&bench, trees, rows, 0);
		work[r] = run_program(&bench);
		ratio[r] = other[r] / work[r];
	}
	printf("| %zu | %zu | %.1f | %.1f | %.1f |\n", instances, rows,
	       median(other) / (double)rows * 1e6, median(work) / (double)rows * 1e6,
	       median(ratio));
	free(trees);
	tacho__arena_finish(&arena);
	unbind(&bench);
	close_arch(&bench);
}

/* All counters of one set for deltas of reports. */
static void measure_reports(void)
{
	const struct tacho_set *set;
	double work[ROUNDS_MAX];
	struct bench bench;
	size_t rows = all_rows * 20;

	open_arch(&bench, "chv", NULL);
	set = tacho_arch_find_set(bench.arch, "RenderBasic");
	if (!set || tacho__program_create(&bench.program))
		die("RenderBasic");
	bench.metrics = get(set->entry_count * sizeof(*bench.metrics));
	for (size_t i = 0; i < set->entry_count; i++)
		if (set->entries[i]->kind == TACHO_ENTRY_METRIC)
			add_metric(&bench, set->entries[i]);
	bind(&bench, rows, 1);
	run_program(&bench);
	for (size_t r = 0; r < rounds; r++)
		work[r] = run_program(&bench);
	printf("All %zu counters of CHV's RenderBasic from %zu raw ones, %zu deltas of reports, "
	       "one "
	       "core: %.2f million deltas/s.\n",
	       bench.metric_count, bench.column_count, rows, (double)rows / median(work) * 1e-6);
	unbind(&bench);
	close_arch(&bench);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		all_rows = strtoul(argv[1], NULL, 10);
	if (argc > 2)
		rounds = strtoul(argv[2], NULL, 10);
	if (argc > 3 || !all_rows || all_rows > 1000000 || !rounds || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: formula [ROWS [ROUNDS]]\n");
		return 2;
	}
	measure_stream();
	printf("The same metrics with as many instances of every counter, against an evaluator "
	       "that makes a\nlist of records on the heap for each value "
	       "(`formula/yardstick.c`):\n\n");
	printf("| instances | launches | records on the heap, us a launch | tacho, us a launch | "
	       "times faster |\n|---|---|---|---|---|\n");
	measure_yardstick(1, all_rows);
	measure_yardstick(128, (all_rows + 19) / 20);
	printf("\n");
	measure_reports();
	return 0;
}
