/* SPDX-License-Identifier: MIT */
/*
 * How often tacho diff finds changes that are there, and changes that are not; prints Markdown for
 * RESULTS.md: rates in percent, and in brackets those of the exact test of the run means.
 *
 *	diff_power [TRIALS [LAUNCHES]]
 *
 * Two sides of five runs of 20 kernels, TRIALS times (default 2000), each of LAUNCHES launches
 * (default 300). The same numbers come out of each run.
 */
#include <stdio.h>
#include <stdlib.h>

#include "trial.h"

static const struct trial_noise noises[] = {
	{"independent, nothing", 0, 0, false, 0},
	{"AR(0.9), nothing", 0.9, 0, false, 0},
	{"AR(0.98), nothing", 0.98, 0, false, 0},
	{"independent, 1 %", 0, 0.01, false, 0},
	{"independent, 3 %", 0, 0.03, false, 0},
	{"independent, 1 % of all kernels alike", 0, 0.01, true, 0},
	{"independent, 3 % of all kernels alike", 0, 0.03, true, 0},
	{"AR(0.9), 1 %", 0.9, 0.01, false, 0},
};

enum { NOISES = sizeof(noises) / sizeof(noises[0]) };

/* Runs that were made in turns: what a pair has in common, as the machine is meanwhile. */
static const struct trial_noise turns[] = {
	{"nothing, 1 %", 0, 0.01, false, 0},
	{"3 %, 1 %", 0, 0.01, false, 0.03},
	{"10 %, 1 %", 0, 0.01, false, 0.1},
	{"10 %, 1 % of all kernels alike", 0, 0.01, true, 0.1},
	{"10 %, nothing, AR(0.9)", 0.9, 0, false, 0.1},
};

enum { TURNS = sizeof(turns) / sizeof(turns[0]) };

static void print_rates(const double *ours, const double *exact)
{
	printf(" %.1f (%.1f) |", 100 * ours[0], 100 * exact[0]);
	for (size_t i = 1; i <= TRIAL_CHANGES; i++)
		printf(" %.1f (%.1f) |", 100 * ours[i], 100 * exact[i]);
}

static void print_cells(const double *rates)
{
	for (size_t i = 0; i <= TRIAL_CHANGES; i++)
		printf(" %.1f |", 100 * rates[i]);
}

/* Both tests of the same runs. */
static void print_turns(size_t launches, size_t trials)
{
	printf("\n| what pairs share, and runs differ by | pairs, alone: none | 3 %% | 5 %% | of "
	       "20: "
	       "none | 3 %% | 5 %% | as runs, alone: none | 3 %% | 5 %% | of 20: none | 3 %% | 5 "
	       "%% "
	       "|\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
	for (size_t i = 0; i < TURNS; i++) {
		struct trial_rates rates = trial_run(&turns[i], launches, trials, 100 + i);

		printf("| %s |", turns[i].name);
		print_cells(rates.paired);
		print_cells(rates.paired_together);
		print_cells(rates.alone);
		print_cells(rates.together);
		printf("\n");
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	size_t trials = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
	size_t launches = argc > 2 ? strtoul(argv[2], NULL, 10) : 300;

	if (!trials || !launches) {
		fprintf(stderr, "usage: diff_power [TRIALS [LAUNCHES]]\n");
		return 2;
	}
	printf("- %zu trials of two sides of %d runs of %d kernels of %zu launches with a spread "
	       "of 10 "
	       "%%\n\n",
	       trials, TRIAL_SIDE, TRIAL_KERNELS, launches);
	printf("| launches, and what runs differ by | alone: none | 3 %% | 5 %% | of 20: none | 3 "
	       "%% "
	       "| 5 %% | drift | one run a side |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
	for (size_t i = 0; i < NOISES; i++) {
		struct trial_rates rates = trial_run(&noises[i], launches, trials, i + 1);

		printf("| %s |", noises[i].name);
		print_rates(rates.alone, rates.alone_exact);
		print_rates(rates.together, rates.together_exact);
		printf(" %.1f | %.1f |\n", 100 * rates.drift, 100 * rates.beside);
		fflush(stdout);
	}
	print_turns(launches, trials);
	return 0;
}
