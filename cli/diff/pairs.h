/* SPDX-License-Identifier: MIT */
/* What makes lines of A and B the same: --match of tacho diff. */
#ifndef TACHO_CLI_PAIRS_H
#define TACHO_CLI_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include <tacho/diff.h>

struct cli_diff_matching {
	const char *how; /* a word of CLI_WORDS_DIFF_MATCH, or the file; NULL: by the devices */
	bool by_name;
	enum tacho_diff_places places;
	struct tacho_diff_pair *pairs; /* owned, with their names in `text` */
	size_t pair_count;
	char *text;
};

/* Reads what `how` says. OK, or the class of the failure, which was said. */
int cli_diff_matching_read(struct cli_diff_matching *matching);
void cli_diff_matching_finish(struct cli_diff_matching *matching);

#endif
