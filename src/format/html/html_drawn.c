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
	NAME_BYTES = 300, /* of a name that are shown */
};

/* ---- the section ---- */

/* How many calls, ranges and commands are in marks with others, and in how many marks. */
static uint64_t count_merged(const struct tacho__timeline *timeline)
{
	uint64_t count = 0;

	for (size_t i = 0; i < timeline->count; i++) {
		const struct tacho__timeline_owner *owner = timeline->owners[i];

		if (owner->level_count && owner->levels[0].cell_ns)
			count += owner->merged;
	}
	return count;
}

void tacho__html_put_exactness(const struct tacho__html *page)
{
	const struct tacho__timeline *timeline = page->timeline;
	uint64_t merged = count_merged(timeline);
	char time[TACHO_UNITS_MAX];

	if (!merged) {
		fputs("Every call and every command with known times is here as it was: zoom in.",
		      page->stream);
	} else {
		tacho__html_put_count(page, merged, "call or command", "calls and commands");
		tacho__html_print(page->stream,
				  " are shown merged below %s: more of them than a page can hold. "
				  "Longer ones are here as they were, and totals elsewhere on the "
				  "page are exact.",
				  tacho_units_time(time, timeline->cell_ns, 3));
	}
	if (timeline->untold) {
		fputs(" Arguments and sizes are not told of ", page->stream);
		tacho__html_put_count(page, timeline->untold, "mark", "marks");
		fputs(".", page->stream);
	}
	if (timeline->undrawn) {
		fputs(" Not drawn: ", page->stream);
		tacho__html_put_count(page, timeline->undrawn, "command", "commands");
		fputs(" without credible times.", page->stream);
	}
	if (timeline->heaps_left.count) {
		fputs(" Not drawn: memory of ", page->stream);
		tacho__html_put_count(page, timeline->heaps_left.count, "more heap", "more heaps");
		fputs(".", page->stream);
	}
	if (timeline->counters_left) {
		fputs(" Not drawn: ", page->stream);
		tacho__html_put_count(page, timeline->counters_left, "more counter",
				      "more counters");
		fputs(", which are in the tables.", page->stream);
	}
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
	fputs("<p id=\"exactness\">", stream);
	tacho__html_put_exactness(page);
	fputs("</p>\n", stream);
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
static void format_label(const struct tacho__timeline_view *view,
			 const struct tacho__timeline_owner *owner, char *label, size_t size)
{
	const char *name;
	char queue[TACHO__QUEUE_TEXT_MAX];

	if (owner->kind == TACHO__TIMELINE_QUEUE && owner->queue)
		snprintf(label, size, "%s", tacho__queue_format(queue, owner->queue));
	else if (owner->kind == TACHO__TIMELINE_QUEUE)
		snprintf(label, size, "unknown queue");
	else if (owner->kind == TACHO__TIMELINE_THREAD) {
		name = tacho_cursor_get_thread_name(view->cursor, owner->process, owner->thread);
		snprintf(label, size, "%s %" PRIu32, *name ? name : "thread", owner->thread);
	} else if (owner->level == TACHO__TIMELINE_FRAMES)
		snprintf(label, size, "frames");
	else if (owner->queue && !owner->level)
		snprintf(label, size, "labels of queue %" PRIu32, owner->queue->id);
	else if (owner->level == TACHO__TIMELINE_OF_PROCESS)
		snprintf(label, size, "ranges");
	else if (owner->level == TACHO__TIMELINE_MARKS)
		snprintf(label, size, "marks");
	else if (!owner->level)
		snprintf(label, size, "ranges of %" PRIu32, owner->thread);
	else
		snprintf(label, size, "level %d", owner->level + 1);
}

static const char *const kind_names[] = {"thread", "range", "queue"};

static void put_label(const struct tacho__timeline_view *view,
		      const struct tacho__timeline_owner *owner)
{
	static const char *const many[] = {"threads", "ranges", "queues"};
	FILE *stream = view->stream;
	char group[NAME_BYTES], label[NAME_BYTES];
	const char *name;

	if (owner->is_rest) {
		snprintf(group, sizeof(group), "more");
		snprintf(label, sizeof(label), "all other %s", many[owner->kind]);
	} else if (owner->kind == TACHO__TIMELINE_QUEUE || owner->queue) {
		snprintf(group, sizeof(group), "%s",
			 owner->device && *owner->device->name ? owner->device->name
							       : "unknown device");
		format_label(view, owner, label, sizeof(label));
	} else {
		name = tacho__base_name(owner->process->executable);
		snprintf(group, sizeof(group), "%s %" PRIu32, *name ? name : "process",
			 owner->process->pid);
		format_label(view, owner, label, sizeof(label));
	}
	fprintf(stream, "{\"kind\":\"%s\",\"group\":", kind_names[owner->kind]);
	tacho__html_put_json(stream, group, NAME_BYTES);
	fputs(",\"label\":", stream);
	tacho__html_put_json(stream, label, NAME_BYTES);
}

static void put_level(FILE *stream, const struct tacho__html_level *level, uint64_t first_ns)
{
	fprintf(stream, "{\"cell\":%" PRIu64 ",\"packed\":%d,\"chunks\":[", level->cell_ns,
		level->is_packed);
	for (size_t i = 0; i < level->count; i++) {
		fputs(i ? "," : "", stream);
		tacho__html_chunk_put(stream, &level->chunks[i], first_ns);
	}
	fputs("]}", stream);
}

static void put_lane(const struct tacho__timeline_view *view,
		     const struct tacho__timeline_owner *owner)
{
	FILE *stream = view->stream;

	put_label(view, owner);
	fprintf(stream, ",\"total\":%" PRIu64 ",\"rows\":%u,\n\"levels\":[", owner->lane.total,
		owner->row_count);
	for (size_t i = 0; i < owner->level_count; i++) {
		fputs(i ? ",\n" : "", stream);
		put_level(stream, &owner->levels[i], view->timeline->first_ns);
	}
	fputs("]}", stream);
}

static void put_pieces(FILE *stream, const struct tacho__html_details *details)
{
	fprintf(stream, ",\n\"texts\":{\"count\":%" PRIu32 ",\"of\":%d,\"pieces\":[",
		details->count, TACHO__HTML_DETAILS_OF_PIECE);
	for (size_t i = 0; i < details->piece_count; i++)
		fprintf(stream, "%s[%zu,%zu]", i ? "," : "", details->pieces[i].at,
			details->pieces[i].size);
	fputs("]}", stream);
}

void tacho__timeline_put_data(const struct tacho__timeline_view *view)
{
	const struct tacho_run *run = tacho_recording_get_run(view->recording);
	const struct tacho__timeline *timeline = view->timeline;
	uint64_t zero_ns = run->start_ns ? run->start_ns : timeline->first_ns;
	FILE *stream = view->stream;

	if (!timeline->has_any)
		return;
	/* Times are from the first mark on; zero is where the run began. */
	fprintf(stream, "<script type=\"application/json\" id=\"timeline-data%s\">\n{\"run\":",
		view->suffix);
	tacho__html_put_json(stream, view->title, NAME_BYTES);
	fprintf(stream, ",\"zero\":%" PRId64 ",\"length\":%" PRIu64,
		(int64_t)(zero_ns - timeline->first_ns), timeline->last_ns - timeline->first_ns);
	put_names(stream, timeline);
	put_pieces(stream, &timeline->details);
	fputs(",\n\"lanes\":[", stream);
	for (size_t i = 0; i < timeline->count; i++) {
		fputs(i ? ",\n" : "", stream);
		put_lane(view, timeline->owners[i]);
	}
	fputs("],\n\"series\":[", stream);
	tacho__timeline_put_counters(stream, timeline);
	fprintf(stream, "]}\n</script>\n<script type=\"text/plain\" id=\"timeline-store%s\">",
		view->suffix);
	fwrite(tacho__buf_text(&timeline->store.text), 1, timeline->store.text.size, stream);
	fputs("</script>\n", stream);
}

void tacho__html_put_timeline_data(const struct tacho__html *page)
{
	const struct tacho__timeline_view view = {.stream = page->stream,
						  .timeline = page->timeline,
						  .recording = page->recording,
						  .cursor = page->cursor,
						  .suffix = "",
						  .title = ""};

	tacho__timeline_put_data(&view);
}
