/* SPDX-License-Identifier: MIT */
/* Comparisons of recordings whose every value is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample_recording.h"
#include "tacho/diff.h"
#include "tacho/error.h"

enum { LAUNCHES_MAX = 3200, KERNELS_MAX = 4 };

/* A recording that is made launch by launch. */
struct world {
	struct fake_recording recording;
	struct tacho_process process;
	struct fake_object gpu, kernels[KERNELS_MAX];
	const struct fake_object *objects[1 + KERNELS_MAX];
	size_t kernel_count;
	struct tacho_command commands[LAUNCHES_MAX];
	struct fake_call calls[LAUNCHES_MAX];
	struct fake_row rows[LAUNCHES_MAX];
	struct fake_value values[LAUNCHES_MAX];
	uint64_t now_ns;
};

static struct world *make_world(const char *device)
{
	struct world *world = calloc(1, sizeof(*world));

	assert_non_null(world);
	world->recording = *sample_vadd();
	world->process = world->recording.processes[0];
	memset(&world->process.losses, 0, sizeof(world->process.losses));
	world->gpu = *world->recording.objects[0];
	world->gpu.object.name = device;
	world->gpu.object.process = &world->process;
	world->objects[0] = &world->gpu;
	world->recording.processes = &world->process;
	world->recording.objects = world->objects;
	world->recording.object_count = 1;
	world->recording.calls = world->calls;
	world->recording.call_count = 0;
	world->now_ns = 1000;
	return world;
}

static const struct tacho_object *get_kernel(struct world *world, const char *name)
{
	struct fake_object *kernel;

	for (size_t i = 0; i < world->kernel_count; i++)
		if (!strcmp(world->kernels[i].object.name, name))
			return &world->kernels[i].object;
	assert_true(world->kernel_count < KERNELS_MAX);
	kernel = &world->kernels[world->kernel_count++];
	*kernel = *sample_vadd()->objects[4];
	kernel->object.name = name;
	kernel->object.id = (uint32_t)world->kernel_count;
	kernel->object.process = &world->process;
	world->objects[world->kernel_count] = kernel;
	world->recording.object_count = 1 + world->kernel_count;
	return &kernel->object;
}

static struct tacho_command *launch(struct world *world, const char *name, uint64_t duration_ns)
{
	const struct fake_call *model = &sample_vadd()->calls[2];
	size_t index = world->recording.call_count++;
	struct tacho_command *command = &world->commands[index];

	assert_true(index < LAUNCHES_MAX);
	*command = *model->call.command;
	command->id = index + 1;
	command->queue = NULL;
	command->device = &world->gpu.object;
	command->kernel = get_kernel(world, name);
	command->first_launch = 0;
	command->start_ns = world->now_ns;
	command->end_ns = world->now_ns + duration_ns;
	world->calls[index] = *model;
	world->calls[index].objects = 0;
	world->calls[index].call.process = &world->process;
	world->calls[index].call.command = command;
	world->calls[index].call.index = index;
	world->calls[index].call.start_ns = world->now_ns;
	world->calls[index].call.end_ns = world->now_ns + 10;
	world->now_ns += duration_ns + 100;
	return command;
}

/* The counter's value of the last launch. */
static void set_value(struct world *world, double number, uint8_t state)
{
	static const struct tacho_entry counters[] = {
		{.name = "Waves", .unit = "items", .semantic = "event", .type = TACHO_TYPE_F64},
		{0}};
	static const struct tacho_recorded_counting counting = {"sim", 1, 1, TACHO_REPLAY_NONE};
	size_t index = world->recording.call_count - 1;

	world->recording.counters = counters;
	world->recording.counting = &counting;
	world->values[index].data.f64 = number;
	world->values[index].state = state;
	world->values[index].coverage = 1;
	world->values[index].note = state == TACHO_STATE_ABSENT ? "no slot was free" : "";
	world->rows[index].values = &world->values[index];
	world->rows[index].count = 1;
	world->rows[index].is_counted = 1;
	world->rows[index].note = "";
	world->calls[index].values = &world->rows[index];
}

static struct tacho_diff *compare_groups(struct world **a, size_t a_count, struct world **b,
					 size_t b_count, const struct tacho_diff_options *options)
{
	struct tacho_recording *recordings[16];
	struct tacho_diff *diff;

	for (size_t i = 0; i < a_count + b_count; i++)
		recordings[i] =
			fake_recording(i < a_count ? &a[i]->recording : &b[i - a_count]->recording);
	assert_int_equal(tacho_diff_create(recordings, a_count, recordings + a_count, b_count,
					   options, &diff),
			 0);
	return diff;
}

static struct tacho_diff *compare(struct world *a, struct world *b)
{
	return compare_groups(&a, 1, &b, 1, NULL);
}

static const struct tacho_diff_measure *get(const struct tacho_diff *diff, const char *name,
					    const char *measure)
{
	const struct tacho_diff_line *line;

	for (size_t i = 0; (line = tacho_diff_get_line(diff, i)); i++)
		for (size_t k = 0; !strcmp(line->name, name) && k < line->measure_count; k++)
			if (!strcmp(line->measures[k].name, measure))
				return &line->measures[k];
	fail_msg("no %s of %s", measure, name);
	return NULL;
}

static bool has_warning(const struct tacho_diff *diff, const char *part)
{
	const char *warning;

	for (size_t i = 0; (warning = tacho_diff_get_warning(diff, i)); i++)
		if (strstr(warning, part))
			return true;
	return false;
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * (1 + fabs(expected))))
		fail_msg("%.17g is not %.17g", value, expected);
}

/* One run a side: intervals with what runs are taken to differ by, and nothing is proved. */
static void test_launches(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_measure *time;
	struct tacho_diff *diff;
	/* two lines are tested: the normal distribution's 2.5 % in both tails */
	double reach = 2.241402727604947 * sqrt(2) * 0.03;

	for (uint64_t i = 0; i < 160; i++) {
		launch(a, "slower", 100000 + i * 5 % 7);
		launch(b, "slower", 120000 + i * 5 % 7);
		launch(a, "noisy", 500 + i * 37 % 101);
		launch(b, "noisy", 500 + i * 53 % 101);
		launch(a, "constant", 300);
		launch(b, "constant", 300);
	}
	diff = compare(a, b);
	time = get(diff, "slower", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_UNSURE);
	assert_near(time->sides[0].value, 100003);
	assert_near(time->sides[1].value, 120003);
	assert_int_equal(time->sides[0].kept, 160);
	assert_near(time->difference, 20000);
	assert_near(time->change, 20000.0 / 100003);
	assert_int_equal(time->together, 2);
	assert_near(time->adjusted_p, 2 * time->p);
	assert_true(time->has_interval && fabs(log1p(time->low) - log(1.2) + reach) < 1e-4 &&
		    fabs(log1p(time->high) - log(1.2) - reach) < 1e-4);
	time = get(diff, "noisy", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_NOISE);
	assert_true(time->has_p && time->p > 0.05 && time->low < 0 && time->high > 0);
	assert_false(time->is_in_drift);
	time = get(diff, "constant", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_SAME);
	assert_false(time->has_p);
	assert_int_equal(get(diff, "slower", "total")->verdict, TACHO_DIFF_FEW);
	assert_int_equal(get(diff, "slower", "count")->verdict, TACHO_DIFF_SAME);
	assert_string_equal(tacho_diff_get_line(diff, 0)->name, "slower"); /* largest difference */
	assert_null(tacho_diff_get_warning(diff, 0));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* What runs are taken to differ by is an option: of 30 % nothing here is beside 0. */
static void test_run_effect(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	struct tacho_diff_options options = {.size = sizeof(options), .run_effect = 0.3};
	struct tacho_diff *diff;

	for (uint64_t i = 0; i < 100; i++) {
		launch(a, "k", 100000 + i * 5 % 7);
		launch(b, "k", 120000 + i * 5 % 7);
	}
	diff = compare_groups(&a, 1, &b, 1, &options);
	assert_int_equal(get(diff, "k", "time")->verdict, TACHO_DIFF_NOISE);
	tacho_diff_destroy(diff);
	options.run_effect = 0.001;
	diff = compare_groups(&a, 1, &b, 1, &options);
	assert_int_equal(get(diff, "k", "time")->verdict, TACHO_DIFF_UNSURE);
	assert_true(get(diff, "k", "time")->low > 0.19);
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* What is slow for a while makes its run's interval wide, and is not launches that differ. */
static void test_phases(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_measure *time;
	struct tacho_diff *diff;

	for (int i = 0; i < 1600; i++) {
		launch(a, "k", 1000);
		launch(b, "k", i >= 300 && i < 600 ? 2000 : 1300);
	}
	diff = compare(a, b);
	time = get(diff, "k", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_NOISE);
	assert_true(time->low < -0.1 && time->high > 0.5);
	assert_false(time->is_in_drift);
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* A becomes slower all the time; what is slow at the start only is warming up. */
static void test_drift(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_measure *time;
	struct tacho_diff *diff;

	for (uint64_t i = 0; i < 1600; i++) {
		launch(a, "k", 1000 + i / 8 + i * 5 % 7);
		launch(b, "k", 3000 + i * 5 % 7);
		launch(a, "warm", i < 100 ? 2000 : 1000 + i * 5 % 7);
		launch(b, "warm", 1500 + i * 5 % 7);
	}
	diff = compare(a, b);
	time = get(diff, "k", "time");
	assert_true(time->has_p && time->adjusted_p < 0.05);
	assert_true(time->is_in_drift);
	assert_int_equal(time->verdict, TACHO_DIFF_DRIFT);
	time = get(diff, "warm", "time"); /* that it began slowly is no drift */
	assert_false(time->is_in_drift);
	assert_int_equal(time->verdict, TACHO_DIFF_UNSURE);
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* Of one launch nothing is known but its time; of two there is an interval. */
static void test_few(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_measure *time;
	struct tacho_diff *diff;

	launch(a, "one", 100);
	launch(b, "one", 200);
	for (uint64_t i = 0; i < 2; i++) {
		launch(a, "two", 100 + i);
		launch(b, "two", 200 + i);
	}
	diff = compare(a, b);
	time = get(diff, "one", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_FEW);
	assert_near(time->change, 1);
	assert_false(time->has_interval || time->has_p);
	time = get(diff, "two", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_UNSURE);
	assert_true(time->has_interval);
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

static void test_one_sided(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_line *line;
	const struct tacho_diff_measure *count;
	struct tacho_diff *diff;

	launch(a, "both", 100);
	launch(b, "both", 100);
	launch(a, "old", 100);
	launch(b, "new", 100);
	launch(b, "new", 120);
	diff = compare(a, b);
	assert_string_equal(tacho_diff_get_line(diff, 0)->name, "both");
	line = tacho_diff_get_line(diff, 1);
	assert_string_equal(line->name, "old");
	assert_true(line->is_in[0] && !line->is_in[1]);
	line = tacho_diff_get_line(diff, 2);
	assert_string_equal(line->name, "new");
	assert_true(!line->is_in[0] && line->is_in[1]);
	assert_null(tacho_diff_get_line(diff, 3));
	assert_int_equal(line->measures[0].verdict, TACHO_DIFF_UNKNOWN);
	assert_int_equal(line->measures[0].sides[0].state, TACHO_STATE_ABSENT);
	assert_false(line->measures[0].sides[0].has_value || line->measures[0].has_difference);
	/* that there were none of it is known */
	count = get(diff, "new", "count");
	assert_true(count->has_difference && !count->has_change);
	assert_near(count->difference, 2);
	assert_int_equal(count->verdict, TACHO_DIFF_UNSURE); /* of other runs it is not */
	tacho_diff_destroy(diff);

	a->process.losses.no_space = 5; /* now it is not */
	diff = compare(a, b);
	count = get(diff, "new", "count");
	assert_int_equal(count->verdict, TACHO_DIFF_UNKNOWN);
	assert_int_equal(count->sides[0].state, TACHO_STATE_LOST);
	assert_int_equal(get(diff, "both", "total")->verdict, TACHO_DIFF_UNKNOWN);
	assert_true(has_warning(diff, "5 calls not recorded: the recording could not grow"));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* Commands whose times are not known have no time of 0. */
static void test_absent(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_measure *time;
	struct tacho_command *command;
	struct tacho_diff *diff;

	for (uint64_t i = 0; i < 20; i++) {
		launch(a, "refused", 100 + i);
		command = launch(b, "refused", 100 + i);
		command->state = TACHO_STATE_ABSENT;
		command->reason = "the driver counts 0, 1, 2, 3";
		launch(a, "cut", 100 + i);
		command = launch(b, "cut", 200 + i);
		if (i == 19) {
			command->state = TACHO_STATE_LOST;
			command->reason = "the program ended";
		}
	}
	diff = compare(a, b);
	time = get(diff, "refused", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_UNKNOWN);
	assert_false(time->sides[1].has_value || time->has_difference || time->has_p);
	assert_int_equal(time->sides[1].state, TACHO_STATE_ABSENT);
	assert_string_equal(time->sides[1].reason, "the driver counts 0, 1, 2, 3");
	assert_int_equal(get(diff, "refused", "total")->verdict, TACHO_DIFF_UNKNOWN);
	time = get(diff, "cut", "time"); /* it rises from launch to launch */
	assert_int_equal(time->verdict, TACHO_DIFF_DRIFT);
	assert_int_equal(time->sides[1].state, TACHO_STATE_LOST);
	assert_int_equal(time->sides[1].measured, 19);
	assert_int_equal(time->sides[1].count, 20);
	/* a sum that lacks a part is shown, but not compared */
	assert_int_equal(get(diff, "cut", "total")->sides[1].state, TACHO_STATE_LOST);
	assert_int_equal(get(diff, "cut", "total")->verdict, TACHO_DIFF_UNKNOWN);
	assert_true(has_warning(diff, "1 commands whose end was not seen"));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/*
 * Student's t of the logarithms of 99, 100, 101 and 109, 110, 111, and a third each. With four
 * degrees of freedom its tails are 1 - sin(x) (1 + cos(x)^2 / 2), of x = atan(t / 2).
 */
static void test_runs(void **state)
{
	struct world *a[3], *b[3];
	const struct tacho_diff_measure *time;
	struct tacho_diff *diff;

	for (uint64_t i = 0; i < 3; i++) {
		a[i] = make_world("gpu");
		b[i] = make_world("gpu");
		for (uint64_t k = 0; k < 5; k++) { /* one first launch is slow: the median is not */
			launch(a[i], "k", k ? 98 + i + k % 3 : 5000);
			launch(b[i], "k", k ? 108 + i + k % 3 : 5000);
		}
	}
	diff = compare_groups(a, 3, b, 3, NULL);
	time = get(diff, "k", "time");
	/* middle means of 99 + i, 100 + i, 98 + i, 99 + i, 5000 */
	assert_near(time->sides[0].value, cbrt(298 / 3.0 * 301 / 3 * 304 / 3));
	assert_near(time->sides[1].value, cbrt(328 / 3.0 * 331 / 3 * 334 / 3));
	assert_int_equal(time->sides[0].runs, 3);
	assert_int_equal(time->sides[0].count, 15);
	assert_near(time->p, 0.0002578299707758358);
	assert_int_equal(time->verdict, TACHO_DIFF_DIFFERS);
	assert_near(time->change, cbrt(328.0 * 331 * 334 / (298.0 * 301 * 304)) - 1);
	assert_near(time->low, 0.07618077710459956);
	assert_near(time->high, 0.12368023956907502);
	assert_int_equal(get(diff, "k", "total")->verdict, TACHO_DIFF_DIFFERS);
	assert_int_equal(get(diff, "k", "count")->verdict, TACHO_DIFF_SAME);
	assert_int_equal(tacho_diff_get_totals(diff, TACHO_DIFF_B)->runs, 3);
	assert_near(tacho_diff_get_totals(diff, TACHO_DIFF_B)->launches, 5);
	tacho_diff_destroy(diff);

	diff = compare_groups(a, 1, b, 3, NULL); /* one run against the spread of three */
	assert_true(get(diff, "k", "time")->has_p);
	assert_int_equal(get(diff, "k", "time")->verdict, TACHO_DIFF_UNSURE);
	tacho_diff_destroy(diff);
	for (int i = 0; i < 3; i++) {
		free(a[i]);
		free(b[i]);
	}
}

static bool is_beside(const struct tacho_diff_measure *measure)
{
	return measure->low > 0 || measure->high < 0;
}

/* Whatever the recordings are, a verdict is whether the interval holds 0, and p says the same. */
static void check_agreement(const struct tacho_diff *diff)
{
	const struct tacho_diff_line *line;

	for (size_t i = 0; (line = tacho_diff_get_line(diff, i)); i++)
		for (size_t k = 0; k < line->measure_count; k++) {
			const struct tacho_diff_measure *measure = &line->measures[k];
			bool is_changed = measure->verdict == TACHO_DIFF_DIFFERS ||
					  measure->verdict == TACHO_DIFF_UNSURE ||
					  measure->verdict == TACHO_DIFF_DRIFT;

			if (measure->verdict == TACHO_DIFF_DIFFERS)
				assert_true(measure->sides[0].runs > 1 &&
					    measure->sides[1].runs > 1);
			if (measure->has_p)
				assert_int_equal(measure->adjusted_p < 0.05, is_changed);
			if (measure->has_interval)
				assert_int_equal(is_beside(measure), is_changed);
			if (measure->has_interval)
				assert_true(measure->low <= measure->change &&
					    measure->change <= measure->high);
		}
}

static void test_agreement(void **state)
{
	static const char *const names[KERNELS_MAX] = {"a", "b", "c", "d"};
	static const size_t sides[][2] = {{1, 1}, {1, 3}, {2, 2}, {3, 2}, {5, 5}, {4, 1}};
	struct world *worlds[10];
	size_t changed = 0;

	srand(4);
	for (size_t round = 0; round < 120; round++) {
		const size_t *side = sides[round % 6];
		struct tacho_diff *diff;

		for (size_t i = 0; i < side[0] + side[1]; i++) {
			worlds[i] = make_world("gpu");
			for (size_t k = 0; k < 40 + round; k++)
				launch(worlds[i], names[(size_t)rand() % 4],
				       1000 + (uint64_t)(rand() % 300) +
					       (i < side[0] ? 0 : 3 * round));
		}
		diff = compare_groups(worlds, side[0], worlds + side[0], side[1], NULL);
		check_agreement(diff);
		changed += is_beside(get(diff, "a", "time"));
		tacho_diff_destroy(diff);
		for (size_t i = 0; i < side[0] + side[1]; i++)
			free(worlds[i]);
	}
	assert_true(changed > 20 && changed < 100);
}

static void test_counters(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu"), *c = make_world("gpu");
	const struct tacho_diff_measure *waves;
	struct tacho_diff *diff;

	for (uint64_t i = 0; i < 20; i++) {
		launch(a, "k", 100);
		set_value(a, 0, TACHO_STATE_OK);
		launch(b, "k", 100);
		set_value(b, i < 2 ? 7000 : 7,
			  i < 1	  ? TACHO_STATE_ABSENT
			  : i < 2 ? TACHO_STATE_LOST
				  : TACHO_STATE_OK);
		launch(c, "k", 100);
	}
	diff = compare(a, b);
	assert_string_equal(tacho_diff_get_measure_name(diff, 3), "Waves");
	assert_null(tacho_diff_get_measure_name(diff, 4));
	waves = get(diff, "k", "Waves");
	assert_true(waves->is_counter);
	assert_string_equal(waves->unit, "items");
	assert_near(waves->sides[0].value, 0);
	assert_near(waves->sides[1].value, 7);
	assert_int_equal(waves->sides[1].kept, 18); /* without the absent and the lost one */
	assert_int_equal(waves->sides[1].measured, 19);
	assert_int_equal(waves->sides[1].state, TACHO_STATE_LOST);
	assert_string_equal(waves->sides[1].reason, "no slot was free");
	assert_int_equal(waves->verdict, TACHO_DIFF_UNSURE);
	assert_near(waves->difference, 7);
	assert_false(waves->has_change || waves->has_interval); /* of 0 there is no part */
	tacho_diff_destroy(diff);

	diff = compare(a, c);
	waves = get(diff, "k", "Waves");
	assert_int_equal(waves->verdict, TACHO_DIFF_UNKNOWN);
	assert_int_equal(waves->sides[1].state, TACHO_STATE_ABSENT);
	assert_false(waves->has_difference);
	assert_true(has_warning(diff, "Counters that only A has: Waves."));
	assert_true(has_warning(diff, "Ways of counting differ: A has \"sim, 1 pass, replay none\""
				      ", B \"nothing counted\"."));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
	free(c);
}

static void test_warnings(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("other gpu");
	struct tacho_diff_options options = {.size = sizeof(options), .by_name = 1};
	struct tacho_command *command;
	struct tacho_diff *diff;

	launch(a, "k", 100);
	launch(a, "k", 100);
	command = launch(b, "k", 100);
	command->global[0] = 4096;
	b->recording.run.arguments = "-n 4096";
	b->recording.run.exit_status = 1;
	diff = compare(a, b);
	assert_true(has_warning(diff, "Arguments differ: A has \"-n 1024\", B \"-n 4096\"."));
	assert_true(has_warning(diff, "Devices differ: A has \"gpu\", B \"other gpu\"."));
	assert_true(has_warning(diff, "Exit statuses differ: A has \"0\", B \"1\"."));
	assert_true(has_warning(diff, "A and B have these on different devices: k. To compare"));
	assert_false(has_warning(diff, "Programs differ"));
	assert_false(has_warning(diff, "Counts differ"));
	tacho_diff_destroy(diff);

	diff = compare_groups(&a, 1, &b, 1, &options);
	assert_null(tacho_diff_get_line(diff, 1));
	assert_string_equal(tacho_diff_get_line(diff, 0)->device, "");
	assert_true(has_warning(diff, "Counts differ, in A and B: k 2 and 1."));
	assert_true(
		has_warning(diff, "Work-items of a launch differ, in A and B: k 1024 and 4096"));
	assert_false(has_warning(diff, "different devices"));
	tacho_diff_destroy(diff);
	diff = compare_groups((struct world *[]){a, b}, 2, &a, 1, &options);
	assert_true(has_warning(diff, "Arguments differ within A: \"-n 1024\" and \"-n 4096\"."));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* A million launches: a limited number is kept, the same in every run. */
/* How long a device was busy is not compared where commands have no times. */
static void test_unknown_use(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	struct tacho_diff *diff;

	for (int i = 0; i < 20; i++) {
		launch(a, "k", 1000);
		if (i == 10) {
			struct tacho_command *command = launch(b, "k", 1000);

			command->state = TACHO_STATE_ABSENT;
			command->reason = "the driver tells nothing";
			command->not_before_ns = command->start_ns;
			command->not_after_ns = command->end_ns;
		} else {
			launch(b, "k", 1000);
		}
	}
	diff = compare(a, b);
	assert_int_equal(tacho_diff_get_totals(diff, TACHO_DIFF_A)->has_busy, 1);
	assert_near(tacho_diff_get_totals(diff, TACHO_DIFF_A)->busy_ns, 20000);
	assert_int_equal(tacho_diff_get_totals(diff, TACHO_DIFF_B)->has_busy, 0);
	assert_true(has_warning(diff, "commands of a device have no times, so it is not known how "
				      "long that device was busy."));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

static void test_limit(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	struct tacho_diff_options options = {.size = sizeof(options), .value_limit = 256};
	struct tacho_diff *diff, *again;
	const struct tacho_diff_measure *time;

	for (uint64_t i = 0; i < 1000; i++) {
		launch(a, "k", 10000 + i);
		launch(b, "k", 10000 + i * 7 % 1000);
	}
	a->recording.repeat = b->recording.repeat = 1000;
	a->recording.shift_ns = b->recording.shift_ns = a->now_ns;
	diff = compare_groups(&a, 1, &b, 1, &options);
	again = compare_groups(&a, 1, &b, 1, &options);
	time = get(diff, "k", "time");
	assert_int_equal(time->sides[0].measured, 1000000);
	assert_int_equal(time->sides[0].kept, 256);
	/* of 256 uniform values the median lies within 1000 * 4 / (2 * sqrt(256)) */
	assert_true(fabs(time->sides[0].value - 10500) < 125);
	assert_int_equal(time->verdict, TACHO_DIFF_NOISE);
	assert_true(time->p == get(again, "k", "time")->p);
	tacho_diff_destroy(again);
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

static void test_other_keys(void **state)
{
	struct tacho_recording *mixed = fake_recording(sample_mixed());
	struct tacho_diff_options options = {.size = sizeof(options), .key = TACHO_BY_TRANSFER};
	const struct tacho_diff_measure *bytes;
	struct tacho_diff *diff;

	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), 0);
	assert_string_equal(tacho_diff_get_measure_name(diff, 3), "bytes");
	bytes = &tacho_diff_get_line(diff, 0)->measures[3];
	assert_int_equal(bytes->sides[0].has_value, bytes->sides[1].has_value);
	tacho_diff_destroy(diff);
	options.key = TACHO_BY_API;
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), 0);
	assert_near(get(diff, "clEnqueueNDRangeKernel", "time")->sides[0].value, 1000);
	tacho_diff_destroy(diff);
	options.key = TACHO_BY_QUEUE;
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), 0);
	assert_near(get(diff, "queue 1", "time")->sides[1].value, 25000);
	tacho_diff_destroy(diff);
}

static void test_refusals(void **state)
{
	struct tacho_recording *mixed = fake_recording(sample_mixed());
	struct tacho_diff_options options = {.size = sizeof(options), .key = TACHO_BY_THREAD};
	struct tacho_diff *diff = (void *)&options;

	assert_int_equal(tacho_diff_create(&mixed, 0, &mixed, 1, NULL, &diff), TACHO_E_INVAL);
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 0, NULL, &diff), TACHO_E_INVAL);
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), TACHO_E_INVAL);
	options.key = TACHO_BY_KERNEL;
	options.level = 1;
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), TACHO_E_INVAL);
	options.level = 0;
	options.run_effect = -0.1;
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), TACHO_E_INVAL);
	options.run_effect = 0;
	options.size = 4;
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), TACHO_E_INVAL);
	assert_ptr_equal(diff, &options);
	tacho_diff_destroy(NULL);
	assert_string_equal(tacho_diff_verdict_to_string(TACHO_DIFF_DIFFERS), "differs");
	assert_string_equal(tacho_diff_verdict_to_string((enum tacho_diff_verdict)77), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_launches),  cmocka_unit_test(test_phases),
		cmocka_unit_test(test_drift),	  cmocka_unit_test(test_few),
		cmocka_unit_test(test_one_sided), cmocka_unit_test(test_absent),
		cmocka_unit_test(test_runs),	  cmocka_unit_test(test_counters),
		cmocka_unit_test(test_warnings),  cmocka_unit_test(test_unknown_use),
		cmocka_unit_test(test_limit),	  cmocka_unit_test(test_other_keys),
		cmocka_unit_test(test_refusals),  cmocka_unit_test(test_run_effect),
		cmocka_unit_test(test_agreement),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
