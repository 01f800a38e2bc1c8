/* SPDX-License-Identifier: MIT */
/*
 * Device times. A slot is met when its command's record is taken; when its times were there by then
 * they go into the chunk, else later into the file. It is done with when it was on the done list,
 * too: until then its program may still write into it.
 */
#include <stdlib.h>

#include "base/array.h"
#include "record/keeper/keeper_private.h"

enum { RUN_MAX = 256 };

/* NULL when no such slot can be. */
static struct tacho__pool_slot *find_slot(const struct keeper *k, uint32_t number,
					  struct tacho__pool_window **out_window)
{
	uint32_t window = number / TACHO__POOL_SLOTS;

	if (window >= k->pool->window_count || !(number % TACHO__POOL_SLOTS) ||
	    atomic_load(&k->pool->windows[window]) < TACHO__POOL_OWNED)
		return NULL;
	*out_window = tacho__pool_window(k->pool, window);
	if ((*out_window)->kind != TACHO__POOL_SLOTS_OF_COMMANDS)
		return NULL;
	return tacho__pool_slot(k->pool, number);
}

/* Copies the times when they are there. */
static bool take(const struct tacho__pool_slot *slot, struct tacho__slot *out_times)
{
	uint64_t done = atomic_load_explicit(&slot->done, memory_order_acquire);

	*out_times = (struct tacho__slot){0};
	if (!done)
		return false;
	*out_times = (struct tacho__slot){
		.done = done,
		.queued = slot->queued,
		.submit = slot->submit,
		.start = slot->start,
		.end = slot->end,
		.seen = slot->seen,
	};
	return true;
}

void tacho__keeper_meet_slot(struct keeper *k, uint32_t stream, uint32_t number,
			     struct tacho__chunk_record *record)
{
	struct tacho__pool_window *window;
	struct tacho__pool_slot *slot = find_slot(k, number, &window);

	record->slot_number = 0;
	record->slot = (struct tacho__slot){0};
	if (!slot || atomic_load(&k->pool->windows[number / TACHO__POOL_SLOTS]) !=
			     TACHO__POOL_OWNED + stream)
		return;
	record->slot_number = number;
	if (!(slot->flags & TACHO__SLOT_MET))
		window->met++;
	slot->flags |= TACHO__SLOT_MET;
	if (!take(slot, &record->slot))
		return;
	if (!(slot->flags & TACHO__SLOT_FILED))
		window->gone += (slot->flags & TACHO__SLOT_LISTED) != 0;
	slot->flags |= TACHO__SLOT_FILED;
}

void tacho__keeper_drop_slot(struct keeper *k, uint32_t number)
{
	struct tacho__pool_window *window;
	struct tacho__pool_slot *slot = find_slot(k, number, &window);

	if (slot && !(slot->flags & TACHO__SLOT_FILED))
		slot->flags |= TACHO__SLOT_DROPPED;
}

void tacho__keeper_place_slots(struct keeper *k, const struct tacho__chunk_writer *writer,
			       uint32_t segment, uint64_t offset)
{
	for (uint32_t i = 0; i < writer->header.slots; i++) {
		struct tacho__pool_window *window;
		struct tacho__pool_slot *slot = find_slot(k, writer->slot_numbers[i], &window);

		if (!slot)
			continue;
		slot->segment = (uint16_t)segment;
		slot->offset = offset + i * sizeof(struct tacho__slot);
	}
}

/* ---- times that come later ---- */

static void add_late(struct keeper *k, uint32_t number)
{
	if (tacho__array_reserve(&k->late, &k->late_capacity, k->late_count, sizeof(*k->late))) {
		atomic_fetch_add(&k->pool->unwritten_times, 1);
		return;
	}
	k->late[k->late_count++] = number;
}

static int compare_places(const void *left, const void *right, void *pool)
{
	const struct tacho__pool_slot *a = tacho__pool_slot(pool, *(const uint32_t *)left);
	const struct tacho__pool_slot *b = tacho__pool_slot(pool, *(const uint32_t *)right);

	if (a->segment != b->segment)
		return a->segment < b->segment ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Writes times whose places lie side by side at once; returns how many. A keeper that is killed
 * before it notes them as filed leaves them to be written again. */
static size_t write_run(struct keeper *k, size_t first)
{
	static struct tacho__slot run[RUN_MAX];
	const struct tacho__pool_slot *head = tacho__pool_slot(k->pool, k->late[first]);
	size_t count = 0;

	while (first + count < k->late_count && count < RUN_MAX) {
		const struct tacho__pool_slot *slot =
			tacho__pool_slot(k->pool, k->late[first + count]);

		if (slot->segment != head->segment ||
		    slot->offset != head->offset + count * sizeof(run[0]) ||
		    !take(slot, &run[count]))
			break;
		tacho__slot_seal(&run[count++]);
	}
	if (count && !tacho__keeper_files_patch(&k->files, head->segment, head->offset, run,
						count * sizeof(run[0])))
		atomic_fetch_add(&k->pool->unwritten_times, count);
	for (size_t i = first; i < first + count; i++)
		tacho__pool_slot(k->pool, k->late[i])->flags |= TACHO__SLOT_FILED;
	return count ? count : 1;
}

static void write_late(struct keeper *k)
{
	if (k->late_count)
		qsort_r(k->late, k->late_count, sizeof(*k->late), compare_places, k->pool);
	for (size_t i = 0; i < k->late_count;)
		i += write_run(k, i);
	k->late_count = 0;
}

static void free_when_full(struct keeper *k, uint32_t number,
			   const struct tacho__pool_window *window)
{
	if (window->gone >= TACHO__POOL_SLOTS - 1)
		tacho__keeper_free_window(k, number / TACHO__POOL_SLOTS);
}

void tacho__keeper_take_times(struct keeper *k)
{
	uint64_t next = atomic_exchange_explicit(&k->pool->done_list, 0, memory_order_acquire);
	uint32_t bound = k->pool->window_count * TACHO__POOL_SLOTS, count = 0;
	uint32_t *listed = k->listed;

	/* a program may have made a circle of it: no slot is there twice */
	while (next && count < bound) {
		struct tacho__pool_window *window;
		struct tacho__pool_slot *slot = find_slot(k, (uint32_t)next - 1, &window);

		if (!slot || slot->flags & TACHO__SLOT_LISTED)
			break;
		slot->flags |= TACHO__SLOT_LISTED;
		listed[count++] = (uint32_t)next - 1;
		next = slot->next;
		if (slot->flags & TACHO__SLOT_MET &&
		    !(slot->flags & (TACHO__SLOT_FILED | TACHO__SLOT_DROPPED)))
			add_late(k, listed[count - 1]);
	}
	write_late(k);
	for (uint32_t i = 0; i < count; i++) {
		struct tacho__pool_window *window;
		struct tacho__pool_slot *slot = find_slot(k, listed[i], &window);

		if (!slot || !(slot->flags & TACHO__SLOT_MET))
			continue;
		window->gone++;
		free_when_full(k, listed[i], window);
	}
}

/* ---- after another keeper ---- */

/* Whether its record was to be in a commit that never was; its place is then another's. */
static bool is_undone(const struct tacho__pool_commit *committed,
		      const struct tacho__pool_slot *slot)
{
	return slot->flags & TACHO__SLOT_MET && !(slot->flags & TACHO__SLOT_DROPPED) &&
	       (!slot->segment || slot->segment > committed->segment ||
		(slot->segment == committed->segment && slot->offset >= committed->segment_bytes));
}

static void forget_undone(struct keeper *k, uint32_t window)
{
	struct tacho__pool_window *shared = tacho__pool_window(k->pool, window);

	for (uint32_t i = 1; i < TACHO__POOL_SLOTS; i++) {
		struct tacho__pool_slot *slot =
			tacho__pool_slot(k->pool, window * TACHO__POOL_SLOTS + i);

		if (!is_undone(&k->pool->committed, slot))
			continue;
		if (slot->flags & TACHO__SLOT_FILED && slot->flags & TACHO__SLOT_LISTED)
			shared->gone--;
		slot->flags &= (uint16_t) ~(TACHO__SLOT_MET | TACHO__SLOT_FILED);
		shared->met--;
	}
}

void tacho__keeper_forget_undone(struct keeper *k)
{
	uint32_t ready = atomic_load(&k->pool->ready);

	for (uint32_t i = 0; i < ready && i < k->pool->window_count; i++)
		if (atomic_load(&k->pool->windows[i]) >= TACHO__POOL_OWNED &&
		    tacho__pool_window(k->pool, i)->kind == TACHO__POOL_SLOTS_OF_COMMANDS)
			forget_undone(k, i);
}

/* ---- the end of a stream ---- */

/*
 * Times that are there, but were never listed, because their thread was killed in between; or a
 * keeper was that had taken the list.
 */
static void collect_unfiled(struct keeper *k, uint32_t window)
{
	for (uint32_t i = 1; i < TACHO__POOL_SLOTS; i++) {
		uint32_t number = window * TACHO__POOL_SLOTS + i;
		const struct tacho__pool_slot *slot = tacho__pool_slot(k->pool, number);

		if (slot->flags & TACHO__SLOT_MET &&
		    !(slot->flags & (TACHO__SLOT_FILED | TACHO__SLOT_DROPPED)) &&
		    atomic_load(&slot->done))
			add_late(k, number);
	}
}

bool tacho__keeper_free_slots(struct keeper *k, uint32_t stream, bool is_over)
{
	uint32_t ready = atomic_load(&k->pool->ready);
	bool is_empty = true;

	for (uint32_t i = 0; i < ready; i++) {
		const struct tacho__pool_window *window = tacho__pool_window(k->pool, i);

		if (atomic_load_explicit(&k->pool->windows[i], memory_order_relaxed) !=
			    TACHO__POOL_OWNED + stream ||
		    window->kind != TACHO__POOL_SLOTS_OF_COMMANDS)
			continue;
		if (is_over) {
			collect_unfiled(k, i);
			write_late(k);
		}
		if (is_over || window->gone >= window->met)
			tacho__keeper_free_window(k, i);
		else
			is_empty = false;
	}
	return is_empty;
}
