/* SPDX-License-Identifier: MIT */
/* Two sequences put beside each other so that as little as can be stands alone. */
#ifndef TACHO_ANALYZE_DIFF_ALIGN_H
#define TACHO_ANALYZE_DIFF_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far both were looked at: to their ends, unless they are too different. */
struct tacho__aligned {
	size_t a, b;
};

/* Elements a[i] and b[k] stand beside each other. Not 0 ends it and is returned. */
typedef int (*tacho__align_fn)(void *user, size_t i, size_t k);

/*
 * Tells all that stand beside each other and are equal, from the last to the first: the fewest
 * elements are left alone (E. Myers, An O(ND) difference algorithm, 1986). At most 2048 are: behind
 * that neither is looked at. NOMEM, and what `fn` ends with.
 */
int tacho__align(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count,
		 tacho__align_fn fn, void *user, struct tacho__aligned *out_aligned);

#endif
