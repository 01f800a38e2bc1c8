/* SPDX-License-Identifier: MIT */
#include "analyze/diff/align.h"

#include <stdlib.h>

#include "base/error.h"

enum { ALONE_MAX = 2048 };

/*
 * A path goes right over an element of A alone, down over one of B alone, and diagonally over equal
 * ones. Diagonal k is a - b = k. For each number d of elements alone, how far a path gets on each
 * diagonal from -d to d is kept: (d + 1)^2 numbers up to d.
 */
struct search {
	const uint32_t *a, *b;
	long a_count, b_count;
	int32_t *reach;
	size_t capacity; /* of numbers */
	long best_d, best_k;
	long best_sum; /* of both places, of the path that got farthest */
};

static int32_t *row_of(const struct search *search, long d)
{
	return search->reach + d * d + d; /* its diagonal 0 */
}

/* Whether the path came down from the diagonal above, and not from the left. */
static bool came_down(const struct search *search, long d, long k)
{
	const int32_t *before = row_of(search, d - 1);

	return k == -d || (k != d && before[k - 1] < before[k + 1]);
}

static long begin_of(const struct search *search, long d, long k)
{
	const int32_t *before;

	if (!d)
		return 0;
	before = row_of(search, d - 1);
	return came_down(search, d, k) ? before[k + 1] : before[k - 1] + 1;
}

static void go_on(struct search *search, long d, long k)
{
	long x = begin_of(search, d, k), y = x - k;

	while (x < search->a_count && y < search->b_count && y >= 0 &&
	       search->a[x] == search->b[y]) {
		x++;
		y++;
	}
	row_of(search, d)[k] = (int32_t)x;
	if (x <= search->a_count && y <= search->b_count && y >= 0 && x + y > search->best_sum) {
		search->best_sum = x + y;
		search->best_d = d;
		search->best_k = k;
	}
}

static int make_room(struct search *search, long d)
{
	size_t needed = (size_t)(d + 1) * (size_t)(d + 1);
	int32_t *grown;

	if (needed <= search->capacity)
		return 0;
	grown = realloc(search->reach, 2 * needed * sizeof(*grown));
	if (!grown)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to compare two orders");
	search->reach = grown;
	search->capacity = 2 * needed;
	return 0;
}

static int find(struct search *search)
{
	int rc = 0;

	search->best_sum = -1;
	for (long d = 0; d <= ALONE_MAX && !rc; d++) {
		rc = make_room(search, d);
		for (long k = -d; k <= d && !rc; k += 2)
			go_on(search, d, k);
		if (search->best_sum == search->a_count + search->b_count)
			break;
	}
	return rc;
}

/* Back along the path that got farthest. */
static int tell(const struct search *search, tacho__align_fn fn, void *user)
{
	long k = search->best_k;
	int rc = 0;

	for (long d = search->best_d; d >= 0 && !rc; d--) {
		long begin = begin_of(search, d, k);

		for (long x = row_of(search, d)[k]; x > begin && !rc; x--)
			rc = fn(user, (size_t)(x - 1), (size_t)(x - 1 - k));
		if (d)
			k += came_down(search, d, k) ? 1 : -1;
	}
	return rc;
}

int tacho__align(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count,
		 tacho__align_fn fn, void *user, struct tacho__aligned *out_aligned)
{
	struct search search = {.a = a, .b = b, .a_count = (long)a_count, .b_count = (long)b_count};
	int rc = find(&search);

	if (!rc) {
		long x = row_of(&search, search.best_d)[search.best_k];

		*out_aligned = (struct tacho__aligned){(size_t)x, (size_t)(x - search.best_k)};
		rc = tell(&search, fn, user);
	}
	free(search.reach);
	return rc;
}
