/* SPDX-License-Identifier: MIT */
#include "format/html/html_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/estimate.h"
#include "record/argument.h"
#include "tacho/sys/units.h"

enum {
	ARGUMENT_BYTES = 160, /* of arguments that are shown */
	NAME_BYTES = 80,      /* of what a call returned, and of who made it */
	DETAIL_PARTS = 3,     /* of the store texts may fill one in any case */
	MARK_CHARACTERS = 6,  /* about what a mark takes */
};

static int no_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a timeline");
}

/* ---- names and details ---- */

int tacho__timeline_get_name(struct tacho__timeline *timeline, enum tacho__timeline_kind kind,
			     const char *name, uint32_t *out_index)
{
	struct tacho__names *by_name =
		kind == TACHO__TIMELINE_RANGES ? &timeline->by_range : &timeline->by_name;
	uintptr_t known = (uintptr_t)tacho__names_get(by_name, name);
	size_t count = timeline->name_count;
	const char *copy;

	if (!known && count == TACHO__TIMELINE_NAMES_MAX) {
		*out_index = (uint32_t)count; /* what all further ones are called */
		return 0;
	}
	if (known) {
		*out_index = (uint32_t)(known - 1);
		return 0;
	}
	copy = tacho__arena_string(&timeline->arena, name);
	if (!copy ||
	    tacho__array_reserve(&timeline->names, &timeline->name_capacity, count,
				 sizeof(*timeline->names)) ||
	    tacho__array_reserve(&timeline->kinds, &timeline->kind_capacity, count,
				 sizeof(*timeline->kinds)) ||
	    tacho__array_reserve(&timeline->tints, &timeline->tint_capacity, count,
				 sizeof(*timeline->tints)) ||
	    tacho__names_set(by_name, copy, (void *)(count + 1)))
		return no_memory();
	timeline->kinds[count] = (unsigned char)kind;
	timeline->tints[count] = 0;
	timeline->names[count] = copy;
	*out_index = (uint32_t)timeline->name_count++;
	return 0;
}

bool tacho__timeline_may_tell(struct tacho__timeline *timeline, uint64_t time_ns)
{
	if (time_ns < timeline->detail_least_ns)
		timeline->untold++;
	return time_ns >= timeline->detail_least_ns;
}

static bool has_room(struct tacho__timeline *timeline)
{
	if (tacho__html_details_have_room(&timeline->details))
		return true;
	timeline->untold++;
	return false;
}

static int tell(struct tacho__timeline *timeline, const struct tacho__html_key *key,
		uint32_t *out_number)
{
	if (timeline->scratch.failed)
		return no_memory();
	return tacho__html_details_add(&timeline->details, key, tacho__buf_text(&timeline->scratch),
				       out_number);
}

int tacho__timeline_tell(struct tacho__timeline *timeline, uint32_t *out_number)
{
	const struct tacho__html_key key = {.bytes = tacho__buf_text(&timeline->scratch),
					    .size = timeline->scratch.size};

	if (timeline->scratch.failed)
		return no_memory();
	if (tacho__html_details_find(&timeline->details, &key, out_number))
		return 0;
	return key.size && !has_room(timeline) ? 0 : tell(timeline, &key, out_number);
}

/* ---- lanes ---- */

static struct tacho__timeline_owner *make_owner(struct tacho__timeline *timeline,
						enum tacho__timeline_kind kind)
{
	struct tacho__timeline_owner *owner = tacho__arena_get(&timeline->arena, sizeof(*owner));

	if (!owner || tacho__array_reserve(&timeline->owners, &timeline->capacity, timeline->count,
					   sizeof(owner)))
		return NULL;
	owner->kind = kind;
	owner->lane.limit = TACHO__TIMELINE_MARKS_MAX;
	owner->order = timeline->count;
	owner->is_rest = timeline->lane_counts[kind]++ == TACHO__TIMELINE_LANES_MAX;
	timeline->owners[timeline->count++] = owner;
	return owner;
}

struct tacho__timeline_owner *tacho__timeline_get_owner(struct tacho__timeline *timeline,
							enum tacho__timeline_kind kind,
							struct tacho__map *map, uint64_t key)
{
	struct tacho__timeline_owner *owner = tacho__map_get(map, key);

	if (owner)
		return owner;
	for (size_t i = 0;
	     timeline->lane_counts[kind] > TACHO__TIMELINE_LANES_MAX && i < timeline->count; i++)
		if (timeline->owners[i]->kind == kind && timeline->owners[i]->is_rest)
			return timeline->owners[i];
	owner = make_owner(timeline, kind);
	if (owner && !owner->is_rest && tacho__map_set(map, key, owner))
		return NULL;
	return owner;
}

int tacho__timeline_give_order(struct tacho__timeline *timeline,
			       struct tacho__timeline_owner *owner)
{
	uint64_t key = (uint64_t)owner->process->index << 32 | owner->thread;
	uintptr_t known = (uintptr_t)tacho__map_get(&timeline->thread_orders, key);
	int rc = 0;

	if (!known) {
		known = timeline->thread_orders.count + 1;
		rc = tacho__map_set(&timeline->thread_orders, key, (void *)known);
	}
	owner->order = known;
	return rc;
}

int tacho__timeline_add_mark(struct tacho__timeline *timeline, struct tacho__timeline_owner *owner,
			     struct tacho__html_mark *mark)
{
	int rc;

	mark->longest_ns = mark->end_ns - mark->start_ns;
	if (!mark->busy_ns)
		mark->busy_ns = mark->longest_ns;
	mark->call = timeline->calls;
	if (!timeline->has_any || mark->start_ns < timeline->first_ns)
		timeline->first_ns = mark->start_ns;
	if (!timeline->has_any || mark->end_ns > timeline->last_ns)
		timeline->last_ns = mark->end_ns;
	timeline->has_any = true;
	if (mark->count > 1)
		mark->flags |= TACHO__MARK_MANY;
	rc = tacho__html_lane_add(&owner->lane, mark);
	if (!rc && ++timeline->mark_count > TACHO__TIMELINE_MARKS_MAX * 5 / 4)
		tacho__timeline_reduce(timeline, TACHO__TIMELINE_MARKS_MAX);
	return rc;
}

/* What is before, and the first bytes of the text. */
static void put_cut(struct tacho__buf *text, const char *before, const char *more, size_t bytes_max)
{
	tacho__buf_put(text, before);
	tacho__buf_add(text, more, strnlen(more, bytes_max));
}

static void format_arguments(struct tacho__buf *text, struct tacho_cursor *cursor,
			     const struct tacho_call *call)
{
	const char *arguments = tacho_cursor_format_arguments(cursor, ", ");

	tacho__buf_clear(text);
	put_cut(text, "(", arguments, ARGUMENT_BYTES);
	if (text->size > ARGUMENT_BYTES && arguments[ARGUMENT_BYTES])
		tacho__buf_put(text, "...");
	tacho__buf_char(text, ')');
	if (*call->result)
		put_cut(text, " = ", call->result, NAME_BYTES);
	if (call->caller && *call->caller)
		put_cut(text, ", called by ", call->caller, NAME_BYTES);
}

/* Where it can be known that the same was told before, it is not even made text. */
static int tell_call(struct tacho__timeline *timeline, struct tacho_cursor *cursor,
		     const struct tacho_call *call, const struct tacho__html_key *key,
		     uint32_t *out_number)
{
	if (!key->of) {
		format_arguments(&timeline->scratch, cursor, call);
		return tacho__timeline_tell(timeline, out_number);
	}
	if (tacho__html_details_find(&timeline->details, key, out_number) || !has_room(timeline))
		return 0;
	format_arguments(&timeline->scratch, cursor, call);
	return tell(timeline, key, out_number);
}

/*
 * There are few functions, and many calls: most names are found by the function, which has a number
 * of its own that its name's follows from. The key is of none where only the texts tell.
 */
static int know_call(struct tacho__timeline *timeline, struct tacho_cursor *cursor,
		     const struct tacho_call *call, uint32_t *out_name,
		     struct tacho__html_key *out_key)
{
	enum { NAMES = TACHO__TIMELINE_NAMES_MAX + 1 };
	uint64_t function = (uintptr_t)call->function;
	uintptr_t known = 0;
	int rc;

	*out_key = (struct tacho__html_key){0};
	if (tacho__cursor_read_recorded(cursor, &out_key->bytes, &out_key->size))
		known = (uintptr_t)tacho__map_get(&timeline->by_function, function);
	else
		function = 0;
	if (known) {
		out_key->of = known;
		*out_name = (uint32_t)(known % NAMES);
		return 0;
	}
	rc = tacho__timeline_get_name(timeline, TACHO__TIMELINE_THREAD, call->function->name,
				      out_name);
	if (rc || !function)
		return rc;
	known = (timeline->by_function.count + 1) * NAMES + *out_name;
	out_key->of = known;
	return tacho__map_set(&timeline->by_function, function, (void *)known);
}

static bool can_be_drawn(const struct tacho_command *command)
{
	return command->state == TACHO_STATE_OK && command->end_ns >= command->start_ns;
}

static uint8_t get_call_flags(const struct tacho_call *call)
{
	return (uint8_t)((call->failed ? TACHO__MARK_FAILED : 0) |
			 (call->command && can_be_drawn(call->command) ? TACHO__MARK_JOINED : 0));
}

static int add_call(struct tacho__timeline *timeline, struct tacho_cursor *cursor,
		    const struct tacho_call *call)
{
	struct tacho__html_mark mark = {.start_ns = call->start_ns,
					.end_ns = call->end_ns,
					.count = 1 + call->repeats,
					.busy_ns = call->repeats ? call->busy_ns : 0,
					.failed = call->failed != 0,
					.flags = get_call_flags(call)};
	struct tacho__timeline_owner *owner =
		tacho__timeline_get_owner(timeline, TACHO__TIMELINE_THREAD, &timeline->by_thread,
					  (uint64_t)call->process->index << 32 | call->thread);
	struct tacho__html_key key;
	int rc = 0;

	if (!owner)
		return TACHO_E_NOMEM;
	if (!owner->is_rest && !owner->process) {
		owner->process = call->process;
		owner->thread = call->thread;
		rc = tacho__timeline_give_order(timeline, owner);
	}
	if (!rc)
		rc = know_call(timeline, cursor, call, &mark.name, &key);
	if (rc || mark.end_ns < mark.start_ns)
		return rc;
	if (tacho__timeline_may_tell(timeline, mark.end_ns - mark.start_ns))
		rc = tell_call(timeline, cursor, call, &key, &mark.detail);
	if (!rc)
		rc = tacho__timeline_add_mark(timeline, owner, &mark);
	return rc;
}

static void format_sizes(struct tacho__buf *text, const char *label, const uint64_t *sizes,
			 uint32_t dimensions)
{
	tacho__buf_put(text, text->size ? ", " : "");
	tacho__buf_put(text, label);
	for (uint32_t i = 0; i < dimensions && i < 3; i++) {
		tacho__buf_put(text, i ? " x " : " ");
		tacho__buf_unsigned(text, sizes[i]);
	}
}

/* The first kernels that ran in it. */
static void format_kernels(struct tacho__buf *text, const struct tacho_template *contents)
{
	enum { KERNELS_SHOWN = 8 };
	size_t shown = 0;

	tacho__buf_put(text, contents->reason);
	for (size_t i = 0; i < contents->command_count && shown < KERNELS_SHOWN; i++) {
		const struct tacho_object *kernel = contents->commands[i].kernel;

		if (contents->commands[i].kind == TACHO_COMMAND_KERNEL)
			tacho__buf_printf(text, "%s%.80s", shown++ ? ", " : "",
					  kernel && *kernel->name ? kernel->name : "unknown");
	}
	if (shown < contents->kernel_count)
		tacho__buf_printf(text, " and %zu more", contents->kernel_count - shown);
}

static void format_command(struct tacho__buf *text, const struct tacho_command *command)
{
	char bytes[TACHO_UNITS_MAX];

	tacho__buf_clear(text);
	if (command->kind == TACHO_COMMAND_KERNEL && command->dimensions) {
		format_sizes(text, "global", command->global, command->dimensions);
		if (command->has_local)
			format_sizes(text, "local", command->local, command->dimensions);
		if (command->first_launch)
			tacho__buf_put(text, ", first launch");
	} else if (command->contents) {
		format_kernels(text, command->contents);
	} else if (command->has_bytes) {
		tacho__buf_printf(text, "%s", tacho_units_bytes(bytes, command->bytes));
	}
}

static const char *get_command_name(const struct tacho_command *command)
{
	if (command->contents)
		return command->contents->name;
	if (command->kind != TACHO_COMMAND_KERNEL)
		return command->kind == TACHO_COMMAND_OTHER && *command->name
			       ? command->name
			       : tacho_command_kind_to_string(command->kind);
	return command->kernel && *command->kernel->name ? command->kernel->name : "unknown";
}

static bool is_transfer(const struct tacho_command *command)
{
	return command->kind != TACHO_COMMAND_KERNEL && command->has_bytes;
}

static int add_command(struct tacho__timeline *timeline, struct tacho_cursor *cursor,
		       const struct tacho_command *command, bool is_bare)
{
	struct tacho__html_mark mark = {
		.start_ns = command->start_ns,
		.count = 1,
		.end_ns = command->end_ns,
		.queued_ns = command->lacks_queue_times ? 0 : command->queued_ns,
		.bytes = is_transfer(command) ? command->bytes + 1 : 0,
		.flags =
			(uint8_t)((is_bare ? 0 : TACHO__MARK_JOINED) |
				  (command->kind == TACHO_COMMAND_KERNEL ? TACHO__MARK_KERNEL : 0) |
				  (is_transfer(command) ? TACHO__MARK_TRANSFER : 0))};
	struct tacho__timeline_owner *owner;
	int rc;

	if (!can_be_drawn(command)) {
		timeline->undrawn++;
		return 0;
	}
	owner = tacho__timeline_get_owner(timeline, TACHO__TIMELINE_QUEUE, &timeline->by_queue,
					  (uintptr_t)command->queue);
	if (!owner)
		return TACHO_E_NOMEM;
	if (!owner->is_rest) {
		owner->queue = command->queue;
		owner->device = command->device;
	}
	rc = tacho__timeline_get_name(timeline, owner->kind, get_command_name(command), &mark.name);
	if (!rc && tacho__timeline_may_tell(timeline, mark.end_ns - mark.start_ns)) {
		format_command(&timeline->scratch, command);
		rc = tacho__timeline_tell(timeline, &mark.detail);
	}
	if (!rc)
		rc = tacho__timeline_add_mark(timeline, owner, &mark);
	return rc ? rc : tacho__timeline_add_values(timeline, cursor, command, mark.name);
}

int tacho__timeline_add(struct tacho__timeline *timeline, struct tacho_cursor *cursor,
			const struct tacho_call *call)
{
	int rc = call->is_bare ? 0 : add_call(timeline, cursor, call);

	timeline->met += (call->is_bare ? 0 : 1 + call->repeats) + (call->command != NULL);
	if (!rc && call->command)
		rc = add_command(timeline, cursor, call->command, call->is_bare);
	timeline->calls++;
	return rc;
}

/* ---- making and unmaking ---- */

/* ---- colors ---- */

/* Ranges keep their colors apart from kernels, too: by what they are called. */
static unsigned char choose_color(const struct tacho__names *kernel_ranks,
				  const struct tacho__names *api_ranks,
				  enum tacho__timeline_kind kind, const char *name)
{
	uintptr_t rank = (uintptr_t)tacho__names_get(
		kind == TACHO__TIMELINE_THREAD ? api_ranks : kernel_ranks, name);

	if (kind == TACHO__TIMELINE_RANGES)
		return (unsigned char)(tacho__hash_text(name) % TACHO__HTML_COLORS);
	return (unsigned char)((rank ? rank - 1 : TACHO__HTML_COLORS) +
			       (kind == TACHO__TIMELINE_THREAD ? TACHO__TIMELINE_COLOR_API : 0));
}

static int rank_names(struct tacho__names *ranks, const struct tacho_summary *summary,
		      enum tacho_summary_key key)
{
	const struct tacho_summary_line *line;
	int rc = 0;

	for (uintptr_t i = 0; i < TACHO__HTML_COLORS && !rc; i++) {
		line = tacho_summary_get_line(summary, key, i);
		if (!line)
			break;
		if (!tacho__names_get(ranks, line->name))
			rc = tacho__names_set(ranks, line->name, (void *)(i + 1));
	}
	return rc;
}

int tacho__timeline_color(struct tacho__timeline *timeline, const struct tacho_summary *summary)
{
	struct tacho__names kernel_ranks = {0}, api_ranks = {0};
	int rc = rank_names(&kernel_ranks, summary, TACHO_BY_KERNEL);

	if (!rc)
		rc = rank_names(&api_ranks, summary, TACHO_BY_API);
	if (!rc)
		timeline->colors = calloc(timeline->name_count + 1, 1);
	if (!rc && !timeline->colors)
		rc = no_memory();
	for (size_t i = 0; i < timeline->name_count && !rc; i++)
		timeline->colors[i] = choose_color(&kernel_ranks, &api_ranks, timeline->kinds[i],
						   timeline->names[i]);
	tacho__names_finish(&kernel_ranks);
	tacho__names_finish(&api_ranks);
	return rc;
}

/* ---- limits ---- */

/* How much may be told of single calls, so that there is room for the calls themselves. */
static size_t choose_limit(const struct tacho__timeline *timeline, uint64_t marks)
{
	uint64_t room = timeline->store_max;

	if (marks <= TACHO__TIMELINE_MARKS_MAX &&
	    marks * MARK_CHARACTERS < room - room / DETAIL_PARTS)
		return room - marks * MARK_CHARACTERS;
	return room / DETAIL_PARTS;
}

/* Where there are more calls than marks, short ones will be merged: about those that are shorter
 * than the run has time for each mark are not told of. */
static uint64_t choose_least_ns(const struct tacho_recording *recording)
{
	const struct tacho_run *run = tacho_recording_get_run(recording);
	bool has_wall = run->end_ns && run->end_ns >= run->start_ns;

	return has_wall ? (run->end_ns - run->start_ns) / TACHO__TIMELINE_MARKS_MAX : 0;
}

bool tacho__timeline_is_crowded(const struct tacho__timeline *timeline)
{
	return !timeline->expects_many && timeline->met > TACHO__TIMELINE_MARKS_MAX;
}

/* There is room for so many texts only as it turned out that there are marks. */
static void cut_details(struct tacho__timeline *timeline)
{
	struct tacho__html_details *details = &timeline->details;
	uint32_t before = details->count;

	tacho__html_details_cut(details, choose_limit(timeline, timeline->met));
	for (size_t i = 0; i < timeline->count && details->count < before; i++) {
		struct tacho__html_lane *lane = &timeline->owners[i]->lane;

		for (size_t k = 0; k < lane->count; k++)
			if (lane->marks[k].detail > details->count) {
				lane->marks[k].detail = 0;
				timeline->untold++;
			}
	}
}

static bool is_of_queue(const struct tacho__timeline_owner *owner)
{
	return owner->kind == TACHO__TIMELINE_QUEUE || owner->queue;
}

static uint64_t group_of(const struct tacho__timeline_owner *owner)
{
	if (is_of_queue(owner))
		return owner->device ? owner->device->id : 0;
	return owner->process ? owner->process->index : 0;
}

/* Where a lane stands: what is before the first difference. */
static void put_place(const struct tacho__timeline_owner *owner, uint64_t place[5])
{
	place[0] = is_of_queue(owner);
	place[1] = owner->is_rest;
	place[2] = group_of(owner);
	place[3] = owner->order;
	place[4] = owner->kind == TACHO__TIMELINE_RANGES
			   ? (uint64_t)(owner->level - TACHO__TIMELINE_FRAMES)
			   : UINT64_MAX;
}

/* Threads by process, then queues by device; each in the order in which they came. Ranges stand
 * above the calls of their thread, and labels above the commands of their queue. */
static int compare(const void *left, const void *right)
{
	uint64_t a[5], b[5];

	put_place(*(struct tacho__timeline_owner *const *)left, a);
	put_place(*(struct tacho__timeline_owner *const *)right, b);
	for (int i = 0; i < 5; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

int tacho__timeline_create(struct tacho_recording *recording, uint64_t calls, size_t store_max,
			   struct tacho__timeline **out_timeline)
{
	struct tacho__timeline *timeline = calloc(1, sizeof(*timeline));

	if (!timeline)
		return no_memory();
	timeline->store_max = store_max;
	timeline->expects_many = calls > TACHO__TIMELINE_MARKS_MAX;
	timeline->details.store = &timeline->store;
	timeline->details.limit = choose_limit(timeline, calls);
	if (timeline->expects_many)
		timeline->detail_least_ns = choose_least_ns(recording);
	tacho__timeline_name_counters(timeline, recording);
	*out_timeline = timeline;
	return 0;
}

int tacho__timeline_complete(struct tacho__timeline *timeline)
{
	int rc = timeline->rc;

	if (timeline->count)
		qsort(timeline->owners, timeline->count, sizeof(*timeline->owners), compare);
	if (!rc)
		rc = tacho__html_details_complete(&timeline->details);
	if (!rc)
		cut_details(timeline);
	if (!rc)
		rc = tacho__timeline_write_counters(timeline);
	return rc ? rc : tacho__timeline_make_levels(timeline);
}

void tacho__timeline_destroy(struct tacho__timeline *timeline)
{
	if (!timeline)
		return;
	for (size_t i = 0; i < timeline->count; i++) {
		tacho__html_lane_finish(&timeline->owners[i]->lane);
		for (size_t k = 0; k < timeline->owners[i]->level_count; k++)
			tacho__html_level_finish(&timeline->owners[i]->levels[k]);
	}
	tacho__html_details_finish(&timeline->details);
	tacho__timeline_finish_counters(timeline);
	tacho__html_store_finish(&timeline->store);
	free(timeline->owners);
	free(timeline->names);
	free(timeline->kinds);
	free(timeline->colors);
	free(timeline->tints);
	tacho__map_finish(&timeline->by_thread);
	tacho__map_finish(&timeline->by_function);
	tacho__map_finish(&timeline->by_queue);
	tacho__map_finish(&timeline->by_level);
	tacho__map_finish(&timeline->heaps_left);
	tacho__map_finish(&timeline->thread_orders);
	tacho__names_finish(&timeline->by_name);
	tacho__names_finish(&timeline->by_range);
	tacho__buf_finish(&timeline->scratch);
	tacho__arena_finish(&timeline->arena);
	free(timeline);
}
