/* SPDX-License-Identifier: MIT */
/* The names of the catalog that were probably meant. */
#ifndef TACHO_CLI_NEAREST_H
#define TACHO_CLI_NEAREST_H

#include <tacho/catalog.h>

enum { CLI_NEAREST_MAX = 3 };

struct cli_nearest {
	const char *names[CLI_NEAREST_MAX]; /* best first, borrowed */
	unsigned distances[CLI_NEAREST_MAX];
	size_t count;
};

/* Offers a name; one that is there already, or farther than all when they are three, is not kept.
 */
void cli_nearest_offer(struct cli_nearest *nearest, const char *word, const char *name);

/* Offers counters, metrics, sets, blocks, models and names of these architectures. */
void cli_nearest_find(const struct tacho_arch *const *archs, size_t count, const char *word,
		      struct cli_nearest *out_nearest);

/* "did you mean A, B or C?"; "" when there is none. Owned. */
char *cli_nearest_format(const struct cli_nearest *nearest);

#endif
