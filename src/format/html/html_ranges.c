/* SPDX-License-Identifier: MIT */
/* Ranges that the program named, above the calls of their thread or the commands of their queue, a
 * lane for each level. */
#include <inttypes.h>
#include <string.h>

#include "format/html/html_timeline.h"
#include "format/range_text.h"
#include "tacho/error.h"

static int level_of(const struct tacho_named_range *range)
{
	if (range->kind == TACHO_RANGE_FRAME)
		return TACHO__TIMELINE_FRAMES;
	if (range->kind == TACHO_RANGE_MARK)
		return TACHO__TIMELINE_MARKS;
	if (range->kind == TACHO_RANGE_PROCESS)
		return TACHO__TIMELINE_OF_PROCESS;
	return range->depth < TACHO__TIMELINE_LEVELS_MAX ? (int)range->depth
							 : TACHO__TIMELINE_LEVELS_MAX - 1;
}

static bool is_between_commands(const struct tacho_named_range *range)
{
	return range->queue &&
	       (range->kind == TACHO_RANGE_LABEL || range->kind == TACHO_RANGE_PASS);
}

/* Beside the queue's own, when that has one. */
static void place_labels(const struct tacho__timeline *timeline, const struct tacho_object *queue,
			 struct tacho__timeline_owner *owner)
{
	const struct tacho__timeline_owner *commands =
		tacho__map_get(&timeline->by_queue, (uintptr_t)queue);

	owner->queue = queue;
	owner->device = queue->device;
	if (commands)
		owner->order = commands->order;
}

static int get_owner(struct tacho__timeline *timeline, const struct tacho_named_range *range,
		     struct tacho__timeline_owner **out_owner)
{
	int level = level_of(range);
	bool is_label = is_between_commands(range);
	uint64_t whose = level < 0 ? 0 : is_label ? range->queue->id : range->thread;
	uint64_t key = (uint64_t)is_label << 63 | (uint64_t)range->process->index << 40 |
		       whose << 8 | (uint64_t)(level - TACHO__TIMELINE_FRAMES);
	struct tacho__timeline_owner *owner = tacho__timeline_get_owner(
		timeline, TACHO__TIMELINE_RANGES, &timeline->by_level, key);

	if (!owner)
		return TACHO_E_NOMEM;
	*out_owner = owner;
	if (owner->is_rest || owner->process)
		return 0;
	owner->process = range->process;
	owner->thread = range->thread;
	owner->level = level;
	if (is_label) {
		place_labels(timeline, range->queue, owner);
		return 0;
	}
	owner->order = 0;
	return level < 0 ? 0 : tacho__timeline_give_order(timeline, owner);
}

static void format_detail(struct tacho__buf *text, const struct tacho_named_range *range)
{
	tacho__buf_clear(text);
	if (range->parent) {
		tacho__buf_put(text, "in ");
		tacho__range_put_path(text, range->parent);
	}
	if (*range->domain)
		tacho__buf_printf(text, "%sdomain %s", text->size ? ", " : "", range->domain);
	if (range->number)
		tacho__buf_printf(text, "%snumber %" PRIu64, text->size ? ", " : "", range->number);
	if (is_between_commands(range) && !range->has_device_times)
		tacho__buf_printf(text, "%sno command in it has times", text->size ? ", " : "");
	if (range->is_open)
		tacho__buf_printf(text, "%s%s", text->size ? ", " : "",
				  range->kind == TACHO_RANGE_FRAME ? "it was never shown"
								   : "its end is not known");
}

static int add(struct tacho__timeline *timeline, const struct tacho_named_range *range)
{
	struct tacho__html_mark mark = {
		.start_ns = range->start_ns, .end_ns = range->end_ns, .count = 1};
	struct tacho__timeline_owner *owner = NULL;
	int rc = get_owner(timeline, range, &owner);

	if (!rc)
		rc = tacho__timeline_get_name(timeline, TACHO__TIMELINE_RANGES,
					      *range->name ? range->name : "(no name)", &mark.name);
	if (rc)
		return rc;
	if (range->has_color && mark.name < timeline->name_count)
		timeline->tints[mark.name] = (range->color & 0xffffff) + 1;
	if (mark.end_ns < mark.start_ns)
		mark.end_ns = mark.start_ns;
	if (tacho__timeline_may_tell(timeline, mark.end_ns - mark.start_ns)) {
		format_detail(&timeline->scratch, range);
		rc = tacho__timeline_tell(timeline, &mark.detail);
	}
	return rc ? rc : tacho__timeline_add_mark(timeline, owner, &mark);
}

void tacho__timeline_add_range(void *user, const struct tacho_named_range *range)
{
	struct tacho__timeline *timeline = user;

	if (!timeline->rc)
		timeline->rc = add(timeline, range);
}
