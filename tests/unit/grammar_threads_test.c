/* SPDX-License-Identifier: MIT */
/* A catalog that threads share, while it makes entries of names that they ask for. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tacho/catalog.h"
#include "tacho/config.h"

enum { THREADS = 4, BASES = 40, ENDINGS = 20 };

static const struct tacho_arch *arch;
static struct tacho_metric_base *bases;
static pthread_barrier_t start;

struct worker {
	pthread_t thread;
	size_t number, failed;
	const struct tacho_entry *entries[BASES * ENDINGS];
	char *expanded; /* of one of them */
};

/* All ask for the same names, each in an order of its own. */
static void *work(void *user)
{
	struct worker *worker = user;
	struct tacho_metric_base *own = NULL;
	size_t count = 0;

	pthread_barrier_wait(&start);
	for (size_t k = 0; k < BASES * ENDINGS; k++) {
		size_t i = (k + worker->number * BASES * ENDINGS / THREADS) % (BASES * ENDINGS);
		char name[200];

		snprintf(name, sizeof(name), "%s%s", bases[i / ENDINGS].name,
			 tacho_metric_get_ending(i % ENDINGS));
		worker->entries[i] = tacho_arch_find_entry(arch, name);
		if (worker->entries[i] && !tacho_arch_get_semantic(arch, worker->entries[i]))
			worker->failed++;
	}
	worker->failed += tacho_arch_list_metric_bases(arch, &own, &count) != 0;
	free(own);
	worker->failed += !worker->entries[0] ||
			  tacho_arch_format_expanded(arch, worker->entries[0], &worker->expanded);
	return NULL;
}

static void test_shared(void **state)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = "gfx8", .no_environment = 1};
	static struct worker workers[THREADS];
	struct tacho_catalog *catalog;
	size_t count, made = 0;

	assert_int_equal(tacho_catalog_open(&options, &catalog), 0);
	assert_int_equal(tacho_catalog_find_arch(catalog, "gfx8", "gl", &arch), 0);
	assert_int_equal(tacho_arch_list_metric_bases(arch, &bases, &count), 0);
	/* the last are families: made of many counters */
	assert_true(count > BASES);
	memmove(bases, bases + count - BASES, BASES * sizeof(*bases));
	pthread_barrier_init(&start, NULL, THREADS);
	for (size_t i = 0; i < THREADS; i++) {
		workers[i].number = i;
		assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	for (size_t i = 0; i < THREADS; i++) {
		assert_int_equal(workers[i].failed, 0);
		assert_string_equal(workers[i].expanded, workers[0].expanded);
		/* one entry for all */
		assert_memory_equal(workers[i].entries, workers[0].entries,
				    sizeof(workers[0].entries));
	}
	for (size_t i = 0; i < BASES * ENDINGS; i++)
		made += workers[0].entries[i] != NULL;
	assert_true(made >= (size_t)5 * BASES); /* all old rollups, and .avg */
	for (size_t i = 0; i < THREADS; i++)
		free(workers[i].expanded);
	free(bases);
	pthread_barrier_destroy(&start);
	tacho_catalog_close(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
