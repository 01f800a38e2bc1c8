/* SPDX-License-Identifier: MIT */
/* Runs of programs that are made by chance, judged as tacho diff judges them and by exact tests. */
#ifndef TACHO_BENCH_DIFF_TRIAL_H
#define TACHO_BENCH_DIFF_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRIAL_SIDE = 5, TRIAL_RUNS = 2 * TRIAL_SIDE, TRIAL_KERNELS = 20, TRIAL_CHANGES = 2 };

#define TRIAL_LEVEL 0.05
extern const double trial_changes[TRIAL_CHANGES];

/* How launches vary. */
struct trial_noise {
	const char *name;
	double correlation; /* of a launch with the one before */
	double run_effect;  /* what all launches of a run share: a standard deviation */
	bool is_shared;	    /* by all kernels of the run, too */
	double pair_effect; /* what all of a pair of runs share, as the machine is meanwhile */
};

/* How often, of all trials. */
struct trial_rates {
	/* a kernel alone: no change, and each of trial_changes */
	double alone[1 + TRIAL_CHANGES], alone_exact[1 + TRIAL_CHANGES];
	/* of several kernels: any when none changed; the one that changed */
	double together[1 + TRIAL_CHANGES], together_exact[1 + TRIAL_CHANGES];
	/* the same, of pairs of runs that were made in turns */
	double paired[1 + TRIAL_CHANGES], paired_together[1 + TRIAL_CHANGES];
	double drift;  /* a run that does not drift is said to */
	double beside; /* one run a side, no change: the interval lies beside 0 */
};

/* `launches` of each kernel and run, each with a spread of 10 %. The same `seed` is the same
 * result. */
struct trial_rates trial_run(const struct trial_noise *noise, size_t launches, size_t trials,
			     uint64_t seed);

#endif
