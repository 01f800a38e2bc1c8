/* SPDX-License-Identifier: MIT */
/*
 * How often must a program run to count these on such a GPU, and why? The answer follows from what
 * is known of the architecture: neither GPU nor driver is needed.
 *
 *	cc plan_passes.c $(pkg-config --cflags --libs tacho)
 *	./a.out gfx942 VALUBusy FETCH_SIZE WRITE_SIZE
 */
#include <stdio.h>
#include <stdlib.h>

#include <tacho/tacho.h>

enum { WANTED_MAX = 16 };

static void check(int rc)
{
	const struct tacho_error_detail *error = tacho_error_last();

	if (!rc)
		return;
	fprintf(stderr, "%s\n  cause: %s\n  cure:  %s\n", error->message, error->cause,
		error->cure);
	exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
	struct tacho_config_entry wanted[WANTED_MAX] = {{0}};
	size_t count = argc > 2 ? (size_t)argc - 2 : 0;
	struct tacho_plan_summary summary;
	const struct tacho_plan_pass *pass;
	const struct tacho_arch *arch;
	struct tacho_catalog *catalog;
	struct tacho_config *config;
	struct tacho_plan *plan;

	if (!count || count > WANTED_MAX) {
		fprintf(stderr, "usage: %s ARCH NAME... (%d at most)\n", argv[0], WANTED_MAX);
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < count; i++)
		wanted[i].name = argv[2 + i];
	check(tacho_catalog_open(NULL, &catalog));
	check(tacho_catalog_find_arch(catalog, argv[1], NULL, &arch));
	check(tacho_config_create(arch, NULL, wanted, count, &config));
	check(tacho_plan_create(config, NULL, &plan));

	tacho_plan_get_summary(plan, &summary);
	printf("%s: %zu pass%s, at least %zu %s needed (%s)\n", arch->name, summary.pass_count,
	       summary.pass_count == 1 ? "" : "es", summary.lower_bound,
	       summary.lower_bound == 1 ? "is" : "are", summary.binding);
	for (size_t i = 0; (pass = tacho_plan_get_pass(plan, i)); i++) {
		printf("pass %zu:", i + 1);
		for (size_t k = 0; k < pass->counter_count; k++)
			printf(" %s", pass->counters[k].entry->name);
		printf("\n");
	}

	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_catalog_close(catalog);
	return EXIT_SUCCESS;
}
