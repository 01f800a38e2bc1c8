/* SPDX-License-Identifier: MIT */
/*
 * Lines that are tested together: how small a p must be to show a change anywhere among equal
 * programs with a given chance at most. Knows nothing of recordings.
 *
 * Equal programs differ from run to run by chance alone, so any other way to set the runs against
 * each other would do as well as A against B: all lines are compared by random weights of the runs,
 * the same for each line, and the smallest p of all lines is kept. What lines have in common, as a
 * clock that was slower in one run, makes this a milder correction than one by their number. Of
 * pairs the differences are weighed in the same way, around 0 instead of their mean.
 */
#ifndef TACHO_ANALYZE_DIFF_TOGETHER_H
#define TACHO_ANALYZE_DIFF_TOGETHER_H

#include <stddef.h>

/* What the numbers of lines are: of runs of both sides, or differences of pairs of them. */
enum tacho__family_kind { TACHO__FAMILY_OF_RUNS, TACHO__FAMILY_OF_PAIRS };

struct tacho__family {
	double level; /* p of a line must be below; that of all at most */
	size_t lines, draws;
	double *smallest; /* p of each draw, rising */
};

/*
 * `values` holds `count` numbers for each of `lines`, NAN where there is none, and is changed.
 * `level` is that of all together. The same values give the same family. NOMEM.
 */
int tacho__family_make(enum tacho__family_kind kind, double *values, size_t lines, size_t count,
		       double level, struct tacho__family *out_family);
/* The correction by number, for lines of which nothing more is known. Nothing to finish. */
struct tacho__family tacho__family_plain(size_t lines, double level);
void tacho__family_finish(struct tacho__family *family);

/* What p of a line is among all of them; below the level of all just when p is below
 * family->level. */
double tacho__family_adjust(const struct tacho__family *family, double p);

#endif
