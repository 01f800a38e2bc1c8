/* SPDX-License-Identifier: MIT */
/*
 * Measures plans for everything of each architecture, and for random parts of it; prints Markdown
 * for RESULTS.md.
 *
 *	plan [ROUNDS [SELECTIONS [ARCH]]]
 *
 * Times are the CPU time of a config and its plan, the median of ROUNDS rounds (default 9);
 * selections are SELECTIONS (default 200) of metrics and counters by chance, each once. ARCH: this
 * architecture alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tacho/error.h"
#include "tacho/plan.h"

enum { ROUNDS_MAX = 99, ENTRIES_MAX = 4096 };

static size_t rounds = 9, selections = 200;
static uint64_t state;

struct world {
	const struct tacho_arch *arch;
	struct tacho_config_entry all[ENTRIES_MAX], some[ENTRIES_MAX];
	size_t count;
};

static void die(const char *what)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	fprintf(stderr, "plan: %s: %s %s\n", what, detail->message, detail->cause);
	exit(1);
}

static double now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static uint32_t draw(uint32_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % below;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Milliseconds for a config and its plan. */
static double measure(const struct world *world, const struct tacho_config_entry *entries,
		      size_t count, int no_cap, struct tacho_plan_summary *out_summary)
{
	struct tacho_plan_options options = {.size = sizeof(options), .no_cap = (uint32_t)no_cap};
	struct tacho_config *config;
	struct tacho_plan *plan;
	double begin = now_ms(), end;

	if (tacho_config_create(world->arch, NULL, entries, count, &config) ||
	    tacho_plan_create(config, &options, &plan))
		die(world->arch->name);
	end = now_ms();
	tacho_plan_get_summary(plan, out_summary);
	out_summary->binding = out_summary->advice = "";
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	return end - begin;
}

static void load(struct world *world, const struct tacho_arch *arch)
{
	const struct tacho_entry *entry;

	world->arch = arch;
	world->count = 0;
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++)
		if (entry->kind != TACHO_ENTRY_CONSTANT && world->count < ENTRIES_MAX &&
		    !tacho_config_check_entry(arch, NULL, entry))
			world->all[world->count++] =
				(struct tacho_config_entry){.name = entry->name};
}

static void print_everything(struct world *world, int no_cap)
{
	struct tacho_plan_summary summary;
	double times[ROUNDS_MAX];

	for (size_t i = 0; i < rounds; i++)
		times[i] = measure(world, world->all, world->count, no_cap, &summary);
	qsort(times, rounds, sizeof(*times), compare);
	printf(" %zu | %zu | %s | %.1f |", summary.pass_count, summary.lower_bound,
	       summary.is_optimal ? "yes" : "no", times[rounds / 2]);
}

static void print_selections(struct world *world)
{
	size_t proved = 0, tried = 0;
	double longest = 0, sum = 0;

	state = 1;
	for (size_t n = 0; n < selections; n++) {
		struct tacho_plan_summary summary;
		uint32_t percent = 1 + draw(100);
		size_t count = 0;
		double time;

		for (size_t i = 0; i < world->count; i++)
			if (draw(100) < percent)
				world->some[count++] = world->all[i];
		if (!count)
			continue;
		time = measure(world, world->some, count, 1, &summary);
		longest = time > longest ? time : longest;
		sum += time;
		proved += summary.is_optimal == 1;
		tried++;
	}
	printf(" %.1f | %.1f | %.1f |\n", tried ? 100.0 * (double)proved / (double)tried : 0,
	       tried ? sum / (double)tried : 0, longest);
}

int main(int argc, char **argv)
{
	static struct world world;
	struct tacho_catalog_options options = {.size = sizeof(options), .no_environment = 1};
	const struct tacho_arch *arch;
	struct tacho_catalog *catalog;

	if (argc > 1)
		rounds = strtoul(argv[1], NULL, 10);
	if (argc > 2)
		selections = strtoul(argv[2], NULL, 10);
	if (argc > 3)
		options.arch = argv[3];
	if (!rounds || rounds > ROUNDS_MAX || tacho_catalog_open(&options, &catalog) != 0)
		die("usage: plan [ROUNDS [SELECTIONS [ARCH]]]");
	printf("| everything of | API | entries | passes | bound | proved | ms "
	       "| without cap: passes | bound | proved | ms |\n"
	       "|---|---|---|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++) {
		load(&world, arch);
		if (!world.count)
			continue;
		printf("| %s | %s | %zu |", arch->name, arch->api, world.count);
		print_everything(&world, 0);
		if (arch->pass_cap)
			print_everything(&world, 1);
		else
			printf(" | | | |");
		putchar('\n');
	}
	printf("\n| random parts of | API | proved, %% | mean ms | longest ms |\n"
	       "|---|---|---|---|---|\n");
	for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++) {
		load(&world, arch);
		if (!world.count)
			continue;
		printf("| %s | %s |", arch->name, arch->api);
		print_selections(&world);
	}
	tacho_catalog_close(catalog);
	return 0;
}
