/* SPDX-License-Identifier: MIT */
/* The timeline in the page: its section, and its data for the script. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/html/html_timeline.h"
#include "record/command.h"
#include "tacho/sys/units.h"

enum {
	NAME_BYTES = 300,   /* of a name that are shown */
	DETAIL_BYTES = 400, /* of all that is told of a call */
};

/* ---- the section ---- */

/* Calls that are drawn one by one, but without their arguments. */
static bool lacks_details(const struct tacho__timeline *timeline)
{
	for (size_t i = 0; i < timeline->count; i++) {
		const struct tacho__html_lane *lane = &timeline->owners[i]->lane;

		if (timeline->owners[i]->kind == TACHO__TIMELINE_THREAD && !lane->cell_ns &&
		    lane->count && !lane->marks[lane->count - 1].detail)
			return true;
	}
	return false;
}

static void put_exactness(const struct tacho__html *page, const struct tacho__timeline *timeline)
{
	size_t merged = 0, lanes = timeline->count;
	uint64_t cell_ns = 0;
	char time[TACHO_UNITS_MAX];

	for (size_t i = 0; i < lanes; i++) {
		const struct tacho__html_lane *lane = &timeline->owners[i]->lane;

		merged += lane->cell_ns != 0;
		cell_ns = lane->cell_ns > cell_ns ? lane->cell_ns : cell_ns;
	}
	fputs("<p id=\"exactness\">", page->stream);
	if (!merged)
		fputs("Every call and every command with known times is drawn as it was.",
		      page->stream);
	else
		tacho__html_print(
			page->stream,
			"%zu of %zu lanes hold more than a page can: there, neighbours shorter "
			"than "
			"at most %s are merged into one mark, as dense as they were. Longer ones "
			"are drawn as they were. Merged lanes tell no arguments. Totals elsewhere "
			"on the page are exact.",
			merged, lanes, tacho_units_time(time, cell_ns, 3));
	if (lacks_details(timeline))
		fputs(" Arguments are told for the first calls only.", page->stream);
	if (timeline->undrawn) {
		fputs(" Not drawn: ", page->stream);
		tacho__html_put_count(page, timeline->undrawn, "command", "commands");
		fputs(" without credible times.", page->stream);
	}
	fputs("</p>\n", page->stream);
}

void tacho__html_put_timeline(const struct tacho__html *page)
{
	const struct tacho__timeline *timeline = page->timeline;
	FILE *stream = page->stream;

	tacho__html_begin_section(page, "timeline", "Timeline");
	if (!timeline->has_any) {
		fputs("<p class=\"none\">nothing to draw</p>\n</section>\n", stream);
		return;
	}
	put_exactness(page, timeline);
	fputs("<div id=\"chart\" hidden></div>\n"
	      "<noscript><p class=\"none\">The timeline is drawn by a script; all tables are "
	      "here without it.</p></noscript>\n</section>\n",
	      stream);
}

/* ---- the data ---- */

/* Colors that the program chose itself. */
static bool has_tints(const struct tacho__timeline *timeline)
{
	for (size_t i = 0; i < timeline->name_count; i++)
		if (timeline->tints[i])
			return true;
	return false;
}

static void put_names(FILE *stream, const struct tacho__timeline *timeline)
{
	fputs(",\n\"names\":[", stream);
	for (size_t i = 0; i < timeline->name_count; i++) {
		fputs(i ? "," : "", stream);
		tacho__html_put_json(stream, timeline->names[i], NAME_BYTES);
	}
	fputs(timeline->name_count == TACHO__TIMELINE_NAMES_MAX ? ",\"other\"],\n\"colors\":["
								: "],\n\"colors\":[",
	      stream);
	for (size_t i = 0; i < timeline->name_count; i++)
		fprintf(stream, "%s%u", i ? "," : "", timeline->colors[i]);
	fputs("]", stream);
	if (!has_tints(timeline))
		return;
	fputs(",\n\"tints\":[", stream);
	for (size_t i = 0; i < timeline->name_count; i++)
		fprintf(stream, "%s%" PRIu32, i ? "," : "", timeline->tints[i]);
	fputs("]", stream);
}

/* Whose the lane is, above its group. */
static void format_label(const struct tacho__html *page, const struct tacho__timeline_owner *owner,
			 char *label, size_t size)
{
	const char *name;

	char queue[TACHO__QUEUE_TEXT_MAX];

	if (owner->kind == TACHO__TIMELINE_QUEUE && owner->queue)
		snprintf(label, size, "%s", tacho__queue_format(queue, owner->queue));
	else if (owner->kind == TACHO__TIMELINE_QUEUE)
		snprintf(label, size, "unknown queue");
	else if (owner->kind == TACHO__TIMELINE_THREAD) {
		name = tacho_cursor_get_thread_name(page->cursor, owner->process, owner->thread);
		snprintf(label, size, "%s %" PRIu32, *name ? name : "thread", owner->thread);
	} else if (owner->level == TACHO__TIMELINE_OF_PROCESS)
		snprintf(label, size, "ranges");
	else if (owner->level == TACHO__TIMELINE_MARKS)
		snprintf(label, size, "marks");
	else if (!owner->level)
		snprintf(label, size, "ranges of %" PRIu32, owner->thread);
	else
		snprintf(label, size, "level %d", owner->level + 1);
}

static const char *const kind_names[] = {"thread", "range", "queue"};

static void put_label(const struct tacho__html *page, const struct tacho__timeline_owner *owner)
{
	static const char *const many[] = {"threads", "ranges", "queues"};
	FILE *stream = page->stream;
	char group[NAME_BYTES], label[NAME_BYTES];

	if (owner->is_rest) {
		snprintf(group, sizeof(group), "more");
		snprintf(label, sizeof(label), "all other %s", many[owner->kind]);
	} else if (owner->kind == TACHO__TIMELINE_QUEUE) {
		snprintf(group, sizeof(group), "%s",
			 owner->device && *owner->device->name ? owner->device->name
							       : "unknown device");
		format_label(page, owner, label, sizeof(label));
	} else {
		snprintf(group, sizeof(group), "%s %" PRIu32,
			 tacho__base_name(owner->process->executable), owner->process->pid);
		format_label(page, owner, label, sizeof(label));
	}
	fprintf(stream, "{\"kind\":\"%s\",\"group\":", kind_names[owner->kind]);
	tacho__html_put_json(stream, group, NAME_BYTES);
	fputs(",\"label\":", stream);
	tacho__html_put_json(stream, label, NAME_BYTES);
}

/* A number of each mark; of rising ones the difference to the one before. */
enum column { START, DURATION, NAME, COUNT, BUSY, CALL, WAIT, FAILED };

static uint64_t get_number(const struct tacho__html_mark *mark, enum column column,
			   uint64_t first_ns)
{
	switch (column) {
	case START: return mark->start_ns - first_ns;
	case DURATION: return mark->end_ns - mark->start_ns;
	case NAME: return mark->name;
	case COUNT: return mark->count;
	case BUSY: return mark->busy_ns;
	case CALL: return mark->call;
	case WAIT:
		return mark->queued_ns && mark->queued_ns < mark->start_ns
			       ? mark->start_ns - mark->queued_ns
			       : 0;
	case FAILED: return mark->failed;
	}
	return 0;
}

static void put_column(FILE *stream, const char *key, const struct tacho__timeline *timeline,
		       const struct tacho__html_lane *lane, enum column column)
{
	bool is_difference = column == START || column == CALL;
	uint64_t before = 0;

	fprintf(stream, ",\n\"%s\":[", key);
	for (size_t i = 0; i < lane->count; i++) {
		uint64_t number = get_number(&lane->marks[i], column, timeline->first_ns);

		fprintf(stream, "%s%" PRId64, i ? "," : "", (int64_t)(number - before));
		if (is_difference)
			before = number;
	}
	fputs("]", stream);
}

static bool has_any(const struct tacho__html_lane *lane, enum column column, uint64_t more_than)
{
	for (size_t i = 0; i < lane->count; i++)
		if (get_number(&lane->marks[i], column, 0) > more_than)
			return true;
	return false;
}

static void put_details(FILE *stream, const struct tacho__timeline *timeline,
			const struct tacho__html_lane *lane)
{
	fputs(",\n\"text\":[", stream);
	for (size_t i = 0; i < lane->count; i++) {
		size_t detail = lane->marks[i].detail;

		fputs(i ? "," : "", stream);
		if (detail)
			tacho__html_put_json(stream, timeline->details[detail], DETAIL_BYTES);
		else
			fputs("0", stream);
	}
	fputs("]", stream);
}

static void put_lane(const struct tacho__html *page, const struct tacho__timeline_owner *owner)
{
	const struct tacho__timeline *timeline = page->timeline;
	const struct tacho__html_lane *lane = &owner->lane;
	FILE *stream = page->stream;

	put_label(page, owner);
	fprintf(stream, ",\"total\":%" PRIu64 ",\"cell\":%" PRIu64, lane->total, lane->cell_ns);
	put_column(stream, "start", timeline, lane, START);
	put_column(stream, "time", timeline, lane, DURATION);
	put_column(stream, "name", timeline, lane, NAME);
	if (has_any(lane, FAILED, 0))
		put_column(stream, "failed", timeline, lane, FAILED);
	if (has_any(lane, COUNT, 1))
		put_column(stream, "count", timeline, lane, COUNT);
	if (lane->cell_ns) {
		put_column(stream, "busy", timeline, lane, BUSY);
	} else {
		if (owner->kind != TACHO__TIMELINE_RANGES)
			put_column(stream, "call", timeline, lane, CALL);
		if (owner->kind == TACHO__TIMELINE_QUEUE)
			put_column(stream, "wait", timeline, lane, WAIT);
		put_details(stream, timeline, lane);
	}
	fputs("}", stream);
}

void tacho__html_put_timeline_data(const struct tacho__html *page)
{
	const struct tacho_run *run = tacho_recording_get_run(page->recording);
	const struct tacho__timeline *timeline = page->timeline;
	uint64_t zero_ns = run->start_ns ? run->start_ns : timeline->first_ns;
	FILE *stream = page->stream;

	if (!timeline->has_any)
		return;
	/* Times are from the first mark on; zero is where the run began. */
	fprintf(stream,
		"<script type=\"application/json\" id=\"timeline-data\">\n{\"zero\":%" PRId64
		",\"length\":%" PRIu64,
		(int64_t)(zero_ns - timeline->first_ns), timeline->last_ns - timeline->first_ns);
	put_names(stream, timeline);
	fputs(",\n\"lanes\":[", stream);
	for (size_t i = 0; i < timeline->count; i++) {
		fputs(i ? ",\n" : "", stream);
		put_lane(page, timeline->owners[i]);
	}
	fputs("]}\n</script>\n", stream);
}
