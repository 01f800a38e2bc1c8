/* SPDX-License-Identifier: MIT */
/*
 * Lines by gap: how long a device did nothing between two commands, told apart by what stood before
 * and after. Commands arrive in the order of their calls' ends; many wait until it is likely that
 * none comes that ran before them.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/summary.h"
#include "base/array.h"
#include "base/error.h"
#include "record/command.h"

enum {
	WAITING_MAX = 1 << 16, /* commands of a device; the earliest goes when there are more */
	NAME_BITS = 20,
	NAMES_MAX = (1 << NAME_BITS) - 1, /* those above have this number together */
	LINES_MAX = 4096,
};

static const char doubt_reason[] = "a command whose times are not known may have run then";
static const char late_reason[] = "commands came too late to be put in order";

struct tacho__ran {
	uint64_t start_ns, end_ns;
	const char *name;
	uint32_t number; /* of the name; 0: it is not known when it ran in between */
};

static const char *name_of(const struct tacho_command *command)
{
	if (command->kind == TACHO_COMMAND_BUFFER && command->contents)
		return command->contents->name;
	if (command->kernel)
		return *command->kernel->name ? command->kernel->name : "unknown";
	return tacho_command_kind_to_string(command->kind);
}

/* The same for all commands of that name. 0: no memory. */
static uint32_t number_of(struct tacho_summary *summary, struct tacho__between *between,
			  const char *name)
{
	struct tacho__names *names = &summary->gap_names;
	uintptr_t number;
	const char *kept;

	if (name == between->recent_name)
		return between->recent_number;
	number = (uintptr_t)tacho__names_get(names, name);
	if (!number) {
		number = names->count < NAMES_MAX ? names->count + 1 : NAMES_MAX;
		kept = tacho__arena_string(&summary->arena, name);
		if (!kept || (number < NAMES_MAX && tacho__names_set(names, kept, (void *)number)))
			return 0;
	}
	between->recent_name = name;
	between->recent_number = (uint32_t)number;
	return (uint32_t)number;
}

/* ---- gaps ---- */

static uint64_t make_key(const struct tacho__device_use *use, uint32_t before, uint32_t after)
{
	return (uint64_t)use->index << 2 * NAME_BITS | (uint64_t)before << NAME_BITS | after;
}

static int get_line(struct tacho_summary *summary, const struct tacho__device_use *use,
		    const struct tacho__ran *next, struct tacho__line **out_line)
{
	const struct tacho__between *between = &use->between;
	const struct tacho__lines *lines = &summary->lines[TACHO_BY_GAP];
	uint64_t key = make_key(use, between->number, next->number);
	struct tacho__buf name = {0};
	int rc;

	*out_line = tacho__map_get(&lines->by_key, key);
	if (*out_line)
		return 0;
	if (lines->count < LINES_MAX && between->number < NAMES_MAX && next->number < NAMES_MAX) {
		tacho__buf_printf(&name, "%s -> %s", between->name, next->name);
	} else {
		tacho__buf_put(&name, "others");
		key = make_key(use, NAMES_MAX, NAMES_MAX);
	}
	rc = name.failed ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a summary")
			 : tacho__lines_get(summary, TACHO_BY_GAP, key, tacho__buf_text(&name),
					    use->label, out_line);
	tacho__buf_finish(&name);
	return rc;
}

/* Why nobody knows how long the gap in front of the command was; NULL: it is known. */
static const char *why_not_known(const struct tacho_summary *summary,
				 const struct tacho__device_use *use, const struct tacho__ran *next)
{
	const struct tacho__between *between = &use->between;

	if (between->is_late && next->start_ns > between->late_ns)
		return late_reason;
	if (between->doubt_until_ns > between->end_ns ||
	    (between->is_open && next->start_ns > between->open_ns) ||
	    (summary->gaps_are_open && next->start_ns > summary->gaps_open_ns))
		return doubt_reason;
	return NULL;
}

static int put_next(struct tacho_summary *summary, struct tacho__device_use *use,
		    const struct tacho__ran *next)
{
	struct tacho__between *between = &use->between;
	struct tacho__line *line;
	int rc = 0;

	if (!next->number) {
		if (next->end_ns > between->doubt_until_ns)
			between->doubt_until_ns = next->end_ns;
		return 0;
	}
	if (between->number && next->start_ns > between->end_ns) {
		rc = get_line(summary, use, next, &line);
		if (!rc)
			rc = tacho__lines_count(summary, line, next->start_ns - between->end_ns,
						why_not_known(summary, use, next));
	}
	if (!between->number || next->end_ns >= between->end_ns) {
		between->end_ns = next->end_ns;
		between->number = next->number;
		between->name = next->name;
	}
	between->done_ns = next->start_ns;
	return rc;
}

/* ---- those that wait: a heap, the earliest first ---- */

static void sift_up(struct tacho__ran *heap, size_t at)
{
	struct tacho__ran ran = heap[at];

	for (; at && heap[(at - 1) / 2].start_ns > ran.start_ns; at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = ran;
}

/* Puts one where the first was. */
static void sift_down(struct tacho__ran *heap, size_t count, struct tacho__ran ran)
{
	size_t at = 0, child;

	for (; (child = 2 * at + 1) < count; at = child) {
		child += child + 1 < count && heap[child + 1].start_ns < heap[child].start_ns;
		if (heap[child].start_ns >= ran.start_ns)
			break;
		heap[at] = heap[child];
	}
	heap[at] = ran;
}

static int put_first(struct tacho_summary *summary, struct tacho__device_use *use)
{
	struct tacho__between *between = &use->between;
	struct tacho__ran first = between->waiting[0];

	between->count--;
	sift_down(between->waiting, between->count, between->waiting[between->count]);
	return put_next(summary, use, &first);
}

static int wait_for_turn(struct tacho_summary *summary, struct tacho__device_use *use,
			 const struct tacho__ran *ran)
{
	struct tacho__between *between = &use->between;

	if (ran->start_ns < between->done_ns &&
	    (!between->is_late || ran->start_ns < between->late_ns)) {
		between->is_late = true;
		between->late_ns = ran->start_ns;
	}
	if (tacho__array_add(&between->waiting, &between->capacity, &between->count, ran,
			     sizeof(*ran)))
		return TACHO_E_NOMEM;
	sift_up(between->waiting, between->count - 1);
	return between->count < WAITING_MAX ? 0 : put_first(summary, use);
}

/* ---- commands ---- */

static void open_from(bool *is_open, uint64_t *open_ns, uint64_t from_ns)
{
	if (!*is_open || from_ns < *open_ns)
		*open_ns = from_ns;
	*is_open = true;
}

int tacho__gap_lines_add(struct tacho_summary *summary, struct tacho__device_use *use,
			 const struct tacho_command *command)
{
	struct tacho__between *between = use ? &use->between : NULL;
	bool is_timed = command->state == TACHO_STATE_OK && command->end_ns >= command->start_ns;
	struct tacho__ran ran = {command->start_ns, command->end_ns, name_of(command), 0};

	if (!summary->has_gaps)
		return 0;
	if (!is_timed) {
		ran.start_ns = command->not_before_ns;
		ran.end_ns = command->not_after_ns;
	}
	if (!use) {
		open_from(&summary->gaps_are_open, &summary->gaps_open_ns, ran.start_ns);
		return 0;
	}
	if (use->device.device->process && use->device.device->process->has_unseen_work)
		open_from(&between->is_open, &between->open_ns, 0);
	if (!is_timed && (!ran.start_ns || ran.end_ns < ran.start_ns || ran.end_ns == UINT64_MAX)) {
		open_from(&between->is_open, &between->open_ns, ran.start_ns);
		return 0;
	}
	if (is_timed && tacho__command_is_of_one_device(command)) {
		ran.number = number_of(summary, between, ran.name);
		if (!ran.number)
			return TACHO_E_NOMEM;
	}
	return wait_for_turn(summary, use, &ran);
}

int tacho__gap_lines_complete(struct tacho_summary *summary)
{
	int rc = 0;

	for (size_t i = 0; i < summary->devices.count && !rc; i++)
		while (summary->devices.all[i]->between.count && !rc)
			rc = put_first(summary, summary->devices.all[i]);
	return rc;
}
