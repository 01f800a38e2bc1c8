/* SPDX-License-Identifier: MIT */
#include "record/told_ranges.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/utf8.h"
#include "record/objects.h"
#include "record/reader.h"

enum { EXCESS_MAX = 64 }; /* stacks of a thread that may be too deep at a time */

/* What a record says. */
struct note {
	uint64_t event, key, color, level;
	const uint8_t *api, *domain, *name;
	uint64_t api_size, domain_size, name_size;
	uint64_t kind, queue_api, queue, number; /* 0 in most */
};

/* ---- records ---- */

static const uint8_t *take_text(struct tacho__unpack *unpack, uint64_t *out_size)
{
	*out_size = tacho__unpack_u64(unpack);
	return tacho__unpack_bytes(unpack, *out_size);
}

static bool has_name(uint64_t event)
{
	return event == TACHO__RANGE_PUSH || event == TACHO__RANGE_BEGIN ||
	       event == TACHO__RANGE_MARK;
}

static bool read_note(struct tacho__unpack *unpack, struct note *note)
{
	note->event = tacho__unpack_u64(unpack);
	note->key = tacho__unpack_u64(unpack);
	note->color = tacho__unpack_u64(unpack);
	note->api = take_text(unpack, &note->api_size);
	note->domain = take_text(unpack, &note->domain_size);
	if (has_name(note->event))
		note->name = take_text(unpack, &note->name_size);
	if (unpack->at < unpack->end)
		note->level = tacho__unpack_u64(unpack);
	if (unpack->at < unpack->end && *unpack->at) { /* records are filled up with zeros */
		note->kind = tacho__unpack_u64(unpack);
		note->queue_api = tacho__unpack_u64(unpack);
		note->queue = tacho__unpack_u64(unpack);
		note->number = tacho__unpack_u64(unpack);
	}
	return !unpack->bad && note->event && note->event <= TACHO__RANGE_MARK &&
	       note->color <= (uint64_t)UINT32_MAX + 1;
}

/* As the program wrote it, up to what fits; nothing behind a NUL. */
static void copy_text(char *to, size_t max, const uint8_t *bytes, uint64_t size)
{
	const char *text = (const char *)bytes;
	size_t length = size ? strnlen(text, size) : 0;

	length = tacho__utf8_fit(text, length, max);
	if (length)
		memcpy(to, text, length);
	to[length] = '\0';
}

/* ---- ranges ---- */

/* A kind of a later version is one of these two, too. */
static enum tacho_range_kind kind_of(const struct note *note)
{
	if (note->event == TACHO__RANGE_BEGIN)
		return note->kind == TACHO_RANGE_FRAME ? TACHO_RANGE_FRAME : TACHO_RANGE_PROCESS;
	return note->kind == TACHO_RANGE_LABEL || note->kind == TACHO_RANGE_PASS
		       ? (enum tacho_range_kind)note->kind
		       : TACHO_RANGE_NESTED;
}

static const struct tacho_object *find_queue(const struct tacho__told_place *place,
					     const struct note *note)
{
	if (!note->queue || !place->handles || note->queue_api >= TACHO__APIS_MAX)
		return NULL;
	return tacho__objects_find(place->handles, (uint32_t)note->queue_api, TACHO_OBJECT_QUEUE,
				   note->queue);
}

static struct tacho__told_range *
make_range(struct tacho__told *told, const struct tacho__told_place *place, const struct note *note)
{
	struct tacho__told_range *made = told->free;

	if (made)
		told->free = made->next_free;
	else
		made = malloc(sizeof(*made));
	if (!made)
		return NULL;
	copy_text(made->name, TACHO__RANGE_NAME_MAX, note->name, note->name_size);
	copy_text(made->domain, TACHO__RANGE_DOMAIN_MAX, note->domain, note->domain_size);
	copy_text(made->api, TACHO__RANGE_DOMAIN_MAX, note->api, note->api_size);
	made->key = note->key;
	made->level = note->level;
	made->first_ns = made->last_ns = 0;
	made->range = (struct tacho_named_range){
		.kind = kind_of(note),
		.number = note->number,
		.queue = find_queue(place, note),
		.name = made->name,
		.domain = made->domain,
		.api = made->api,
		.process = place->process,
		.thread = place->thread,
		.id = ++told->last_id,
		.start_ns = place->at_ns,
		.color = (uint32_t)(note->color - 1),
		.has_color = note->color != 0,
	};
	if (!note->color)
		made->range.color = 0;
	return made;
}

/* It stays as it is until the next one is made. */
static const struct tacho_named_range *let_go(struct tacho__told *told,
					      struct tacho__told_range *range)
{
	range->next_free = told->free;
	told->free = range;
	return &range->range;
}

/* The newest with this key; list->count when there is none. */
static size_t find_newest(const struct tacho__told_list *list, uint64_t key)
{
	for (size_t i = list->count; i-- > 0;)
		if (list->ranges[i]->key == key)
			return i;
	return list->count;
}

/* The newest that the note ends: where levels are known, the one of its own. */
static size_t find_ended(const struct tacho__told_list *list, const struct note *note)
{
	for (size_t i = list->count; i-- > 0;) {
		const struct tacho__told_range *range = list->ranges[i];

		if (range->key == note->key &&
		    (!note->level || !range->level || range->level == note->level))
			return i;
	}
	return list->count;
}

/* What surrounds commands lasts as long as they do; where nobody knows, it is a moment. */
static void finish_times(struct tacho__told_range *told_range, uint64_t end_ns)
{
	struct tacho_named_range *range = &told_range->range;

	if (range->kind == TACHO_RANGE_LABEL || range->kind == TACHO_RANGE_PASS) {
		range->has_device_times = told_range->last_ns != 0;
		if (range->has_device_times)
			range->start_ns = told_range->first_ns;
		end_ns = told_range->last_ns;
	}
	range->end_ns = end_ns > range->start_ns ? end_ns : range->start_ns;
}

static const struct tacho_named_range *
end_range(struct tacho__told *told, struct tacho__told_list *list, size_t index, uint64_t end_ns)
{
	struct tacho__told_range *range = list->ranges[index];

	memmove(&list->ranges[index], &list->ranges[index + 1],
		(--list->count - index) * sizeof(struct tacho__told_range *));
	/* Those inside, whose own end was lost: the range is used again. */
	for (size_t i = index; i < list->count; i++)
		if (list->ranges[i]->range.parent == &range->range)
			list->ranges[i]->range.parent = range->range.parent;
	finish_times(range, end_ns);
	return let_go(told, range);
}

/* Puts it inside of those of its stack. */
static void nest(const struct tacho__told_list *open, struct tacho__told_range *range)
{
	size_t around = find_newest(open, range->key);

	if (around == open->count)
		return;
	range->range.parent = &open->ranges[around]->range;
	range->range.depth = range->range.parent->depth + 1;
}

/* ---- events ---- */

static struct tacho__told_excess *find_excess(const struct tacho__told_thread *thread, uint64_t key)
{
	for (size_t i = 0; i < thread->excess_count; i++)
		if (thread->excess[i].key == key)
			return &thread->excess[i];
	return NULL;
}

static int add_excess(const struct tacho__told_place *place, uint64_t key)
{
	struct tacho__told_thread *thread = place->told_thread;
	struct tacho__told_excess *excess = find_excess(thread, key);
	const struct tacho__told_excess added = {.key = key, .count = 1};

	place->told_process->beyond++;
	if (excess)
		excess->count++;
	if (excess || thread->excess_count == EXCESS_MAX)
		return 0;
	return tacho__array_add(&thread->excess, &thread->excess_capacity, &thread->excess_count,
				&added, sizeof(added));
}

/* Whether the pop is of one that was too deep. */
static bool take_excess(struct tacho__told_thread *thread, uint64_t key)
{
	struct tacho__told_excess *excess = find_excess(thread, key);

	if (!excess)
		return false;
	if (!--excess->count)
		*excess = thread->excess[--thread->excess_count];
	return true;
}

static int add(struct tacho__told_list *list, struct tacho__told_range *range)
{
	return tacho__array_add(&list->ranges, &list->capacity, &list->count, &range,
				sizeof(struct tacho__told_range *));
}

static int take_push(struct tacho__told *told, const struct tacho__told_place *place,
		     const struct note *note)
{
	struct tacho__told_list *open = &place->told_thread->open;
	struct tacho__told_range *range;
	int rc;

	if (open->count == TACHO__TOLD_DEPTH_MAX || find_excess(place->told_thread, note->key))
		return add_excess(place, note->key);
	range = make_range(told, place, note);
	if (!range)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a range");
	nest(open, range);
	rc = add(open, range);
	if (rc)
		let_go(told, range);
	return rc;
}

static int take_begin(struct tacho__told *told, const struct tacho__told_place *place,
		      const struct note *note)
{
	struct tacho__told_process *process = place->told_process;
	struct tacho__told_range *range;
	int rc;

	if (process->open.count == TACHO__TOLD_OPEN_MAX) {
		process->beyond++;
		process->excess++;
		return 0;
	}
	range = make_range(told, place, note);
	if (!range)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a range");
	rc = add(&process->open, range);
	if (rc)
		let_go(told, range);
	return rc;
}

static int take_mark(struct tacho__told *told, const struct tacho__told_place *place,
		     const struct note *note, const struct tacho_named_range **out_ended)
{
	struct tacho__told_range *range = make_range(told, place, note);

	if (!range)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a range");
	nest(&place->told_thread->open, range);
	range->range.kind = TACHO_RANGE_MARK;
	range->range.end_ns = range->range.start_ns;
	*out_ended = let_go(told, range);
	return 1;
}

/* What ends was pushed, or begun: 1, or 0 when nobody knows it. */
static int take_end(struct tacho__told *told, const struct tacho__told_place *place,
		    const struct note *note, const struct tacho_named_range **out_ended)
{
	bool is_pop = note->event == TACHO__RANGE_POP;
	struct tacho__told_process *process = place->told_process;
	struct tacho__told_list *list = is_pop ? &place->told_thread->open : &process->open;
	size_t index;

	if (is_pop && take_excess(place->told_thread, note->key))
		return 0;
	index = find_ended(list, note);
	if (index < list->count) {
		*out_ended = end_range(told, list, index, place->at_ns);
		return 1;
	}
	if (!is_pop && process->excess)
		process->excess--;
	else
		process->headless++;
	return 0;
}

int tacho__told_take(struct tacho__told *told, const struct tacho__told_place *place,
		     struct tacho__unpack *unpack, const struct tacho_named_range **out_ended)
{
	struct note note = {0};

	if (!read_note(unpack, &note))
		return TACHO_E_PARSE;
	switch ((enum tacho__range_event)note.event) {
	case TACHO__RANGE_PUSH: return take_push(told, place, &note);
	case TACHO__RANGE_BEGIN: return take_begin(told, place, &note);
	case TACHO__RANGE_MARK: return take_mark(told, place, &note, out_ended);
	case TACHO__RANGE_POP:
	case TACHO__RANGE_END: return take_end(told, place, &note, out_ended);
	}
	return TACHO_E_PARSE;
}

const struct tacho_named_range *tacho__told_close(struct tacho__told *told,
						  struct tacho__told_list *open, uint64_t end_ns)
{
	if (!open->count)
		return NULL;
	open->ranges[open->count - 1]->range.is_open = 1;
	return end_range(told, open, open->count - 1, end_ns);
}

/* ---- around a call ---- */

void tacho__told_add_work(const struct tacho__told_thread *thread,
			  const struct tacho_command *command)
{
	if (command->state != TACHO_STATE_OK || !command->queue || !command->end_ns)
		return;
	for (size_t i = 0; i < thread->open.count; i++) {
		struct tacho__told_range *range = thread->open.ranges[i];

		if (range->range.queue != command->queue)
			continue;
		if (!range->last_ns || command->start_ns < range->first_ns)
			range->first_ns = command->start_ns;
		if (command->end_ns > range->last_ns)
			range->last_ns = command->end_ns;
	}
}

static size_t collect(struct tacho__told *told, const struct tacho__told_list *open,
		      uint64_t start_ns, size_t count)
{
	for (size_t i = open->count; i-- > 0;)
		if (open->ranges[i]->range.start_ns <= start_ns)
			told->around[count++] = &open->ranges[i]->range;
	return count;
}

int tacho__told_find_around(struct tacho__told *told, const struct tacho__told_process *process,
			    const struct tacho__told_thread *thread, uint64_t start_ns,
			    const struct tacho_named_range *const **out_ranges, size_t *out_count)
{
	size_t need = thread->open.count + process->open.count, count;

	*out_ranges = told->around;
	*out_count = 0;
	if (!need)
		return 0;
	if (tacho__array_reserve(&told->around, &told->around_capacity, need - 1,
				 sizeof(told->around[0])))
		return TACHO_E_NOMEM;
	count = collect(told, &thread->open, start_ns, 0);
	*out_count = collect(told, &process->open, start_ns, count);
	*out_ranges = told->around;
	return 0;
}

/* ---- the end ---- */

static void finish_list(struct tacho__told_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->ranges[i]);
	free(list->ranges);
}

void tacho__told_finish_thread(struct tacho__told_thread *thread)
{
	finish_list(&thread->open);
	free(thread->excess);
}

void tacho__told_finish_process(struct tacho__told_process *process)
{
	finish_list(&process->open);
}

void tacho__told_finish(struct tacho__told *told)
{
	while (told->free) {
		struct tacho__told_range *next = told->free->next_free;

		free(told->free);
		told->free = next;
	}
	free(told->around);
}
