/* SPDX-License-Identifier: MIT */
#include "format/import/import_ranges.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "base/pack.h"
#include "base/utf8.h"
#include "format/import/import_cursor.h"

/* Key of what has ended where it began: its end tells nothing more. */
enum { NO_EVENT = 0 };

/* A thread's ranges that have begun: what their end is to say. */
struct tacho__import_stack {
	struct tacho__told_thread told;
	struct entry {
		uint64_t key, name_hash;
		uint32_t event; /* enum tacho__range_event that ends it; NO_EVENT */
	} * entries;
	size_t count, capacity;
};

void tacho__import_ranges_finish(struct tacho__import_ranges *ranges)
{
	for (size_t i = 0; i < ranges->threads.capacity; i++) {
		struct tacho__import_stack *stack = ranges->threads.entries[i].value;

		if (!stack)
			continue;
		tacho__told_finish_thread(&stack->told);
		free(stack->entries);
		free(stack);
	}
	tacho__map_finish(&ranges->threads);
	tacho__told_finish_process(&ranges->process);
	tacho__told_finish(&ranges->told);
	tacho__buf_finish(&ranges->name);
	tacho__buf_finish(&ranges->group);
}

static int get_stack(struct tacho__import_ranges *ranges, uint32_t thread,
		     struct tacho__import_stack **out_stack)
{
	struct tacho__import_stack *stack = tacho__map_get(&ranges->threads, thread);
	int rc;

	if (!stack) {
		stack = calloc(1, sizeof(*stack));
		if (!stack)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for ranges");
		rc = tacho__map_set(&ranges->threads, thread, stack);
		if (rc) {
			free(stack);
			return rc;
		}
	}
	*out_stack = stack;
	return 0;
}

/* ---- lines ---- */

static uint64_t hash(const char *text)
{
	return tacho__crc32c(0, text, strlen(text)) | UINT64_C(1) << 32;
}

static const char *decode(struct tacho__buf *text, struct tacho__span span)
{
	tacho__buf_clear(text);
	if (!tacho__span_is(span, "&nbsp;")) /* an empty name has to be a word, too */
		tacho__import_put_plain(text, span);
	return tacho__buf_text(text);
}

static bool drop(const char **text, const char *prefix)
{
	size_t size = strlen(prefix);

	if (strncmp(*text, prefix, size) != 0)
		return false;
	*text += size;
	return true;
}

static void pack_text(struct tacho__pack *pack, const char *text, size_t max)
{
	size_t size = tacho__utf8_fit(text, strnlen(text, max + 1), max);

	tacho__pack_u64(pack, size);
	tacho__pack_bytes(pack, text, size);
}

/* What a program would have told. */
struct event {
	uint32_t event;
	uint64_t key;
	const char *domain, *name; /* no name: NULL */
};

static int tell(struct tacho__import_ranges *ranges, struct tacho__import_stack *stack,
		uint32_t thread, uint64_t at_ns, const struct event *event,
		const struct tacho_named_range **out_ended)
{
	uint8_t packed[TACHO__RANGE_NAME_MAX + 2 * TACHO__RANGE_DOMAIN_MAX + 128];
	const struct tacho__told_place place = {.process = ranges->recorded_process,
						.told_process = &ranges->process,
						.told_thread = &stack->told,
						.thread = thread,
						.at_ns = at_ns};
	struct tacho__unpack unpack;
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, event->event);
	tacho__pack_u64(&pack, event->key);
	tacho__pack_u64(&pack, 0);
	pack_text(&pack, TACHO__IMPORT_API_MARKER, TACHO__RANGE_DOMAIN_MAX);
	pack_text(&pack, event->domain, TACHO__RANGE_DOMAIN_MAX);
	if (event->name)
		pack_text(&pack, event->name, TACHO__RANGE_NAME_MAX);
	tacho__unpack_begin(&unpack, packed, (size_t)(pack.at - packed));
	return tacho__told_take(&ranges->told, &place, &unpack, out_ended);
}

/* The group tells what sort of range it is, as far as tacho wrote it, and then the domain. */
static struct event begin_event(struct tacho__import_ranges *ranges, const char *name,
				const char *group)
{
	struct event event = {.event = TACHO__RANGE_PUSH, .domain = group, .name = name};

	if (drop(&event.domain, "[process]") || drop(&event.domain, "[frame]") ||
	    drop(&event.domain, "[label]") || drop(&event.domain, "[pass]")) {
		event.event = TACHO__RANGE_BEGIN;
		event.key = ++ranges->last_key;
	} else if (drop(&event.domain, "[mark]")) {
		event.event = TACHO__RANGE_MARK;
	} else if (!strcasecmp(group, "Default")) {
		event.domain = "";
	}
	if (event.event != TACHO__RANGE_BEGIN && *event.domain)
		event.key = hash(event.domain);
	return event;
}

static int take_begin(struct tacho__import_ranges *ranges, struct tacho__import_stack *stack,
		      uint32_t thread, const struct tacho__atp_marker *marker,
		      const struct tacho_named_range **out_ended)
{
	const char *name = decode(&ranges->name, marker->name),
		   *group = decode(&ranges->group, marker->group);
	const struct event event = begin_event(ranges, name, group);
	const struct entry entry = {.key = event.key,
				    .name_hash = hash(name),
				    .event = event.event == TACHO__RANGE_PUSH	 ? TACHO__RANGE_POP
					     : event.event == TACHO__RANGE_BEGIN ? TACHO__RANGE_END
										 : NO_EVENT};
	int rc;

	if (ranges->name.failed || ranges->group.failed)
		return TACHO_E_NOMEM;
	rc = tacho__array_add(&stack->entries, &stack->capacity, &stack->count, &entry,
			      sizeof(entry));
	return rc ? rc : tell(ranges, stack, thread, marker->at_ns, &event, out_ended);
}

/* The one that has this name, else the innermost; stack->count when nothing has begun. */
static size_t find_ended(const struct tacho__import_stack *stack, const char *name)
{
	uint64_t wanted = hash(name);
	size_t found = stack->count;

	while (found && *name && stack->entries[found - 1].name_hash != wanted)
		found--;
	return found ? found - 1 : stack->count ? stack->count - 1 : 0;
}

static int take_end(struct tacho__import_ranges *ranges, struct tacho__import_stack *stack,
		    uint32_t thread, const struct tacho__atp_marker *marker,
		    const struct tacho_named_range **out_ended)
{
	struct event event = {.event = TACHO__RANGE_POP, .domain = ""};
	size_t found = find_ended(stack, decode(&ranges->name, marker->name)), last = stack->count;

	if (ranges->name.failed)
		return TACHO_E_NOMEM;
	if (found == stack->count) /* nothing has begun: the end of a range that is not there */
		return tell(ranges, stack, thread, marker->at_ns, &event, out_ended);
	event.event = stack->entries[found].event;
	event.key = stack->entries[found].key;
	while (stack->entries[last - 1].key != event.key ||
	       stack->entries[last - 1].event != event.event)
		last--; /* of its stack only the innermost can end */
	memmove(&stack->entries[last - 1], &stack->entries[last],
		(stack->count-- - last) * sizeof(stack->entries[0]));
	return event.event == NO_EVENT
		       ? 0
		       : tell(ranges, stack, thread, marker->at_ns, &event, out_ended);
}

int tacho__import_ranges_take(struct tacho__import_ranges *ranges, uint32_t thread,
			      const struct tacho__atp_marker *marker,
			      const struct tacho_named_range **out_ended)
{
	struct tacho__import_stack *stack = NULL;
	int rc = get_stack(ranges, thread, &stack);

	if (rc)
		return rc;
	return tacho__span_is(marker->function, "clBeginPerfMarker")
		       ? take_begin(ranges, stack, thread, marker, out_ended)
		       : take_end(ranges, stack, thread, marker, out_ended);
}

/* ---- around calls, and the end ---- */

int tacho__import_ranges_find(struct tacho__import_ranges *ranges, uint32_t thread,
			      uint64_t start_ns, const struct tacho_named_range *const **out_ranges,
			      size_t *out_count)
{
	static const struct tacho__told_thread none;
	const struct tacho__import_stack *stack = tacho__map_get(&ranges->threads, thread);

	return tacho__told_find_around(&ranges->told, &ranges->process,
				       stack ? &stack->told : &none, start_ns, out_ranges,
				       out_count);
}

const struct tacho_named_range *tacho__import_ranges_close(struct tacho__import_ranges *ranges)
{
	const struct tacho_named_range *range = NULL;

	for (size_t i = 0; i < ranges->threads.capacity && !range; i++) {
		struct tacho__import_stack *stack = ranges->threads.entries[i].value;

		if (stack)
			range = tacho__told_close(&ranges->told, &stack->told.open,
						  ranges->last_ns);
	}
	return range ? range
		     : tacho__told_close(&ranges->told, &ranges->process.open, ranges->last_ns);
}
