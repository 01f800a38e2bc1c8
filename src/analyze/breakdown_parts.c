/* SPDX-License-Identifier: MIT */
/* The parts of the wall time: those of the thread that explains most of it. */
#include <stdlib.h>
#include <string.h>

#include "analyze/breakdown.h"
#include "base/array.h"
#include "base/error.h"

/* Where all threads end: what they did since their last calls. */
static int end_threads(struct tacho__breakdown *breakdown, uint64_t end_ns)
{
	int rc = 0;

	for (size_t i = 0; i < breakdown->thread_count && !rc; i++)
		rc = tacho__tile_add(breakdown, breakdown->threads[i], TACHO__DEED_END, end_ns,
				     UINT64_MAX);
	return rc ? rc : tacho__tiles_do(breakdown);
}

/* How long it was in the API while no device was known to be busy. */
static uint64_t explained_ns(const struct tacho__deeds_of_thread *thread)
{
	uint64_t sum_ns = 0;

	for (size_t i = TACHO__DEEDS; i < thread->capacity; i++)
		sum_ns += thread->sums[i].ns;
	return sum_ns;
}

static const struct tacho__deeds_of_thread *choose(const struct tacho__breakdown *breakdown)
{
	const struct tacho__deeds_of_thread *main_thread = NULL;
	uint64_t most_ns = 0;

	for (size_t i = 0; i < breakdown->thread_count; i++) {
		uint64_t ns = explained_ns(breakdown->threads[i]);

		if (main_thread && ns <= most_ns)
			continue;
		main_thread = breakdown->threads[i];
		most_ns = ns;
	}
	return main_thread;
}

static int add_part(struct tacho__breakdown *breakdown, struct tacho_spent_part part)
{
	if (!part.ns)
		return 0;
	return tacho__array_add(&breakdown->parts, &breakdown->part_capacity,
				&breakdown->part_count, &part, sizeof(part));
}

static int add_parts(struct tacho__breakdown *breakdown,
		     const struct tacho__deeds_of_thread *thread)
{
	static const enum tacho_spent spent[TACHO__DEEDS] = {
		[TACHO__DEED_OUTSIDE] = TACHO_SPENT_OUTSIDE,
		[TACHO__DEED_START] = TACHO_SPENT_START,
		[TACHO__DEED_END] = TACHO_SPENT_END,
		[TACHO__DEED_OTHERS] = TACHO_SPENT_OTHERS,
	};
	uint64_t work_ns = tacho__busy_sum_ns(&breakdown->work);
	struct tacho_spent_part part = {TACHO_SPENT_KERNELS, "", 0, 0};
	int rc;

	part.ns = work_ns < thread->busy_ns ? work_ns : thread->busy_ns;
	rc = add_part(breakdown, part);
	part.spent = TACHO_SPENT_TRANSFERS;
	part.ns = thread->busy_ns - part.ns;
	if (!rc)
		rc = add_part(breakdown, part);
	for (size_t i = 0; i < TACHO__DEEDS && i < thread->capacity && !rc; i++) {
		part.spent = thread->process ? spent[i] : TACHO_SPENT_UNKNOWN;
		part.ns = thread->sums[i].ns;
		rc = add_part(breakdown, part);
	}
	for (size_t i = TACHO__DEEDS; i < breakdown->deed_count && i < thread->capacity && !rc;
	     i++) {
		part = breakdown->deeds[i];
		part.ns = thread->sums[i].ns;
		part.calls = thread->sums[i].calls;
		rc = add_part(breakdown, part);
	}
	return rc;
}

static int compare(const void *left, const void *right)
{
	const struct tacho_spent_part *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->spent != b->spent ? (int)a->spent - (int)b->spent
				    : strcmp(a->function, b->function);
}

/* When no call is known: the devices, and the rest. */
static struct tacho__deeds_of_thread nobody(struct tacho__breakdown *breakdown, uint64_t end_ns,
					    struct tacho__deed_sum sums[TACHO__DEEDS])
{
	struct tacho__deeds_of_thread thread = {.sums = sums, .capacity = TACHO__DEEDS};

	thread.busy_ns = tacho__curve_at(&breakdown->busy, end_ns, &thread.doubt_ns);
	sums[TACHO__DEED_OUTSIDE].ns = end_ns - breakdown->busy.origin_ns - thread.busy_ns;
	return thread;
}

int tacho__breakdown_complete(struct tacho__breakdown *breakdown)
{
	bool is_wall = breakdown->end_ns != UINT64_MAX;
	uint64_t end_ns = is_wall ? breakdown->end_ns : breakdown->last_ns;
	struct tacho__deed_sum sums[TACHO__DEEDS] = {0};
	struct tacho__deeds_of_thread unknown;
	const struct tacho__deeds_of_thread *thread;
	int rc;

	if (!breakdown->is_begun || !breakdown->last_ns || end_ns <= breakdown->busy.origin_ns)
		return 0;
	rc = end_threads(breakdown, end_ns);
	if (rc)
		return rc;
	thread = choose(breakdown);
	if (!thread) {
		unknown = nobody(breakdown, end_ns, sums);
		thread = &unknown;
	}
	if (add_parts(breakdown, thread))
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for what the time went to");
	qsort(breakdown->parts, breakdown->part_count, sizeof(*breakdown->parts), compare);
	breakdown->info = (struct tacho_breakdown){
		.total_ns = end_ns - breakdown->busy.origin_ns,
		.is_wall = is_wall,
		.process = thread->process,
		.thread = thread->thread,
		.uncertain_ns = thread->doubt_ns + breakdown->busy.late_ns +
				breakdown->busy.joined_ns + breakdown->work.late_ns,
		.untimed = breakdown->untimed,
	};
	breakdown->info.headline = tacho__headline_make(breakdown);
	return breakdown->info.headline ? 0 : TACHO_E_NOMEM;
}

static const struct {
	const char *name, *title;
} kinds[] = {
	[TACHO_SPENT_KERNELS] = {"kernels", "kernels running"},
	[TACHO_SPENT_TRANSFERS] = {"transfers", "transfers alone"},
	[TACHO_SPENT_BUILD] = {"build", "host: building programs"},
	[TACHO_SPENT_WAIT] = {"wait", "host: waiting"},
	[TACHO_SPENT_API] = {"api", "host: other API calls"},
	[TACHO_SPENT_OTHERS] = {"others", "host: calls of other threads"},
	[TACHO_SPENT_START] = {"start", "host: before the first call"},
	[TACHO_SPENT_END] = {"end", "host: after the last call"},
	[TACHO_SPENT_OUTSIDE] = {"outside", "host: outside of the API"},
	[TACHO_SPENT_UNKNOWN] = {"unknown", "host: no call is recorded"},
};

static bool is_kind(enum tacho_spent spent)
{
	return spent >= TACHO_SPENT_KERNELS && spent <= TACHO_SPENT_UNKNOWN;
}

const char *tacho_spent_to_string(enum tacho_spent spent)
{
	return is_kind(spent) ? kinds[spent].name : "?";
}

const char *tacho_spent_get_title(enum tacho_spent spent)
{
	return is_kind(spent) ? kinds[spent].title : "?";
}
