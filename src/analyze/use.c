/* SPDX-License-Identifier: MIT */
#include "analyze/use.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/command.h"

void tacho__use_finish(struct tacho__use *use)
{
	tacho__busy_finish(&use->busy);
	tacho__busy_finish(&use->maybe);
}

/* From the first doubt on, what is busy for sure is counted in both. */
static int begin_doubt(struct tacho__use *use)
{
	struct tacho__busy copy;

	if (use->has_doubt)
		return 0;
	tacho__busy_settle(&use->busy);
	copy = use->busy;
	copy.intervals = calloc(copy.capacity + 1, sizeof(*copy.intervals));
	if (!copy.intervals)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the use of a device");
	if (copy.count)
		memcpy(copy.intervals, use->busy.intervals, copy.count * sizeof(*copy.intervals));
	use->maybe = copy;
	use->has_doubt = true;
	return 0;
}

static void open_at(struct tacho__use *use, uint64_t from_ns)
{
	if (!use->is_open || from_ns < use->open_ns)
		use->open_ns = from_ns;
	use->is_open = true;
}

int tacho__use_doubt(struct tacho__use *use, uint64_t from_ns, uint64_t until_ns)
{
	if (!from_ns || until_ns == UINT64_MAX) {
		open_at(use, from_ns);
		return 0;
	}
	if (begin_doubt(use))
		return TACHO_E_NOMEM;
	return tacho__busy_add(&use->maybe, from_ns, until_ns);
}

int tacho__use_add(struct tacho__use *use, const struct tacho_command *command)
{
	bool has_times = command->state == TACHO_STATE_OK && command->start_ns <= command->end_ns;
	int rc;

	if (!has_times)
		return tacho__use_doubt(use, command->not_before_ns, command->not_after_ns);
	if (!tacho__command_is_of_one_device(command))
		return tacho__use_doubt(use, command->start_ns, command->end_ns);
	rc = tacho__busy_add(&use->busy, command->start_ns, command->end_ns);
	return rc || !use->has_doubt
		       ? rc
		       : tacho__busy_add(&use->maybe, command->start_ns, command->end_ns);
}

/* What has no known end may have run until the last end that is known. */
static int close_open(struct tacho__use *use)
{
	uint64_t from_ns = use->open_ns;

	if (!use->is_open)
		return 0;
	if (begin_doubt(use))
		return TACHO_E_NOMEM;
	use->is_open = false;
	if (!use->maybe.has_any)
		return 0;
	if (from_ns < use->maybe.first_ns)
		from_ns = use->maybe.first_ns;
	return tacho__busy_add(&use->maybe, from_ns, use->maybe.last_ns);
}

int tacho__use_complete(struct tacho__use *use, struct tacho__use_times *out_times)
{
	struct tacho__busy *whole = &use->busy;
	struct tacho__use_times times = {.late_ns = use->busy.late_ns};
	uint64_t span_ns, maybe_ns;

	if (close_open(use))
		return TACHO_E_NOMEM;
	times.busy_ns = tacho__busy_sum_ns(&use->busy);
	if (use->has_doubt)
		whole = &use->maybe;
	span_ns = whole->has_any ? whole->last_ns - whole->first_ns : 0;
	maybe_ns = tacho__busy_sum_ns(whole) + (use->has_doubt ? whole->late_ns : 0);
	if (maybe_ns > span_ns)
		maybe_ns = span_ns;
	if (maybe_ns > times.busy_ns)
		times.unknown_ns = maybe_ns - times.busy_ns;
	if (span_ns > times.busy_ns + times.unknown_ns)
		times.idle_ns = span_ns - times.busy_ns - times.unknown_ns;
	*out_times = times;
	return 0;
}

int tacho__use_each_time(struct tacho__use *use,
			 int (*fn)(void *user, uint64_t from_ns, uint64_t until_ns), void *user)
{
	struct tacho__busy *busy = use->has_doubt ? &use->maybe : &use->busy;
	int rc = 0;

	tacho__busy_settle(busy);
	if (busy->horizon_ns) /* there it is not known any more */
		rc = fn(user, 0, busy->horizon_ns);
	for (size_t i = 0; i < busy->count && !rc; i++)
		rc = fn(user, busy->intervals[i].start_ns, busy->intervals[i].end_ns);
	return use->is_open && !rc ? fn(user, use->open_ns, UINT64_MAX) : rc;
}

int tacho__use_each_device(const struct tacho_command *command,
			   int (*fn)(void *user, const struct tacho_object *device), void *user)
{
	const struct tacho_template *contents =
		command->kind == TACHO_COMMAND_BUFFER ? command->contents : NULL;
	bool has_others = contents && contents->device_count;
	int rc = command->device || !has_others ? fn(user, command->device) : 0;

	for (size_t i = 0; !rc && contents && i < contents->device_count; i++)
		if (contents->devices[i] != command->device)
			rc = fn(user, contents->devices[i]);
	return rc;
}
