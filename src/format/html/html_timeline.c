/* SPDX-License-Identifier: MIT */
/*
 * The timeline: a lane for each thread and queue, in bounded memory. Its data stand in the page as
 * JSON, columns of numbers with the differences of neighbours; the script draws them.
 */
#include "base/text.h"
#include "format/html/html.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "format/html/html_lanes.h"
#include "tacho/sys/units.h"

enum {
	LANES_MAX = 64,	   /* of threads, and of queues; the rest share one */
	MARKS_MAX = 60000, /* of all lanes */
	LANE_MARKS_MAX = 20000,
	LANE_MARKS_MIN = 256,
	NAMES_MAX = 2000,     /* names that are told apart */
	NAME_BYTES = 300,     /* of a name that are shown */
	ARGUMENT_BYTES = 160, /* of arguments that are shown */
	DETAIL_BYTES = 400,   /* of all that is told of a call */
	DETAIL_BYTES_MAX = 1500000,
};

enum kind { KIND_THREAD, KIND_QUEUE };

/* A lane, and whose it is. */
struct owner {
	struct tacho__html_lane lane;
	enum kind kind;
	bool is_rest; /* of all that found no lane of their own */
	const struct tacho_process *process;
	uint32_t thread;
	const struct tacho_object *queue;
	const struct tacho_object *device;
	size_t detail_bytes;
	uint64_t order;
};

struct tacho__timeline {
	struct tacho__arena arena;
	struct tacho__map by_thread, by_queue;
	struct owner **owners;
	size_t count, capacity;
	size_t lane_counts[2]; /* of each kind */
	size_t lane_limit;
	struct tacho__names by_name; /* one more than the position in names */
	const char **names;
	unsigned char *colors; /* of the names: a rank, + 64 for API functions */
	size_t name_count, name_capacity, color_capacity;
	struct tacho__names kernel_ranks, api_ranks; /* one more than the rank */
	const char **details;			     /* 0: none */
	size_t detail_count, detail_capacity;
	size_t detail_bytes;
	struct tacho__buf scratch;
	uint64_t calls, first_ns, last_ns;
	uint64_t undrawn; /* commands without times that can be drawn */
	bool has_any;
};

enum { COLOR_API = 64 };

static int no_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a timeline");
}

/* ---- names and details ---- */

static int get_name(struct tacho__timeline *timeline, const char *name, bool is_api,
		    size_t *out_index)
{
	uintptr_t known = (uintptr_t)tacho__names_get(&timeline->by_name, name), rank;
	const char *copy;

	if (!known && timeline->name_count == NAMES_MAX) {
		*out_index = NAMES_MAX; /* what all further ones are called */
		return 0;
	}
	if (known) {
		*out_index = (size_t)known - 1;
		return 0;
	}
	copy = tacho__arena_string(&timeline->arena, name);
	if (!copy ||
	    tacho__array_reserve(&timeline->names, &timeline->name_capacity, timeline->name_count,
				 sizeof(*timeline->names)) ||
	    tacho__array_reserve(&timeline->colors, &timeline->color_capacity, timeline->name_count,
				 sizeof(*timeline->colors)) ||
	    tacho__names_set(&timeline->by_name, copy, (void *)(timeline->name_count + 1)))
		return no_memory();
	rank = (uintptr_t)tacho__names_get(is_api ? &timeline->api_ranks : &timeline->kernel_ranks,
					   name);
	timeline->colors[timeline->name_count] =
		(unsigned char)((rank ? rank - 1 : TACHO__HTML_COLORS) + (is_api ? COLOR_API : 0));
	timeline->names[timeline->name_count] = copy;
	*out_index = timeline->name_count++;
	return 0;
}

/* Whether a mark's detail is worth to be made: a lane that merges its marks has none. */
static bool has_room(const struct tacho__timeline *timeline, const struct owner *owner)
{
	return !owner->lane.cell_ns && timeline->detail_bytes < DETAIL_BYTES_MAX;
}

/* The scratch text, for as long as a lane shows each of its marks and there is room. */
static int keep_detail(struct tacho__timeline *timeline, struct owner *owner, size_t *out_index)
{
	size_t size = timeline->scratch.size;
	const char *copy;

	*out_index = 0;
	if (timeline->scratch.failed)
		return TACHO_E_NOMEM;
	if (!size)
		return 0;
	if (timeline->detail_bytes + size > DETAIL_BYTES_MAX)
		return 0;
	if (!timeline->detail_count)
		timeline->detail_count = 1;
	copy = tacho__arena_string(&timeline->arena, tacho__buf_text(&timeline->scratch));
	if (!copy || tacho__array_reserve(&timeline->details, &timeline->detail_capacity,
					  timeline->detail_count, sizeof(copy)))
		return no_memory();
	timeline->detail_bytes += size;
	owner->detail_bytes += size;
	*out_index = timeline->detail_count;
	timeline->details[timeline->detail_count++] = copy;
	return 0;
}

/* ---- lanes ---- */

static struct owner *make_owner(struct tacho__timeline *timeline, enum kind kind)
{
	struct owner *owner = tacho__arena_get(&timeline->arena, sizeof(*owner));

	if (!owner || tacho__array_reserve(&timeline->owners, &timeline->capacity, timeline->count,
					   sizeof(owner)))
		return NULL;
	owner->kind = kind;
	owner->lane.limit = timeline->lane_limit;
	owner->order = timeline->count;
	owner->is_rest = timeline->lane_counts[kind]++ == LANES_MAX;
	timeline->owners[timeline->count++] = owner;
	return owner;
}

/* The lane of this key, a new one, or the one of the rest. NULL: no memory. */
static struct owner *get_owner(struct tacho__timeline *timeline, enum kind kind,
			       struct tacho__map *map, uint64_t key)
{
	struct owner *owner = tacho__map_get(map, key);

	if (owner)
		return owner;
	for (size_t i = 0; timeline->lane_counts[kind] > LANES_MAX && i < timeline->count; i++)
		if (timeline->owners[i]->kind == kind && timeline->owners[i]->is_rest)
			return timeline->owners[i];
	owner = make_owner(timeline, kind);
	if (owner && !owner->is_rest && tacho__map_set(map, key, owner))
		return NULL;
	return owner;
}

static int add_mark(struct tacho__timeline *timeline, struct owner *owner,
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
	rc = tacho__html_lane_add(&owner->lane, mark);
	if (owner->lane.cell_ns) {
		timeline->detail_bytes -= owner->detail_bytes;
		owner->detail_bytes = 0;
	}
	return rc;
}

static void format_arguments(struct tacho__buf *text, struct tacho_cursor *cursor,
			     const struct tacho_call *call)
{
	const char *arguments = tacho_cursor_format_arguments(cursor, ", ");
	size_t size = strlen(arguments);

	tacho__buf_clear(text);
	if (size > ARGUMENT_BYTES)
		tacho__buf_printf(text, "(%.*s...)", ARGUMENT_BYTES, arguments);
	else
		tacho__buf_printf(text, "(%s)", arguments);
	if (*call->result)
		tacho__buf_printf(text, " = %.80s", call->result);
	if (call->caller && *call->caller)
		tacho__buf_printf(text, ", called by %.80s", call->caller);
}

static int add_call(struct tacho__timeline *timeline, struct tacho_cursor *cursor,
		    const struct tacho_call *call)
{
	struct tacho__html_mark mark = {.start_ns = call->start_ns,
					.end_ns = call->end_ns,
					.count = 1 + call->repeats,
					.busy_ns = call->repeats ? call->busy_ns : 0,
					.failed = call->failed != 0};
	struct owner *owner = get_owner(timeline, KIND_THREAD, &timeline->by_thread,
					(uint64_t)call->process->index << 32 | call->thread);
	int rc;

	if (!owner)
		return TACHO_E_NOMEM;
	if (!owner->is_rest) {
		owner->process = call->process;
		owner->thread = call->thread;
	}
	rc = get_name(timeline, call->function->name, true, &mark.name);
	if (!rc && has_room(timeline, owner)) {
		format_arguments(&timeline->scratch, cursor, call);
		rc = keep_detail(timeline, owner, &mark.detail);
	}
	if (!rc && mark.end_ns >= mark.start_ns)
		rc = add_mark(timeline, owner, &mark);
	return rc;
}

static void format_sizes(struct tacho__buf *text, const char *label, const uint64_t *sizes,
			 uint32_t dimensions)
{
	tacho__buf_printf(text, "%s%s ", text->size ? ", " : "", label);
	for (uint32_t i = 0; i < dimensions && i < 3; i++)
		tacho__buf_printf(text, "%s%" PRIu64, i ? " x " : "", sizes[i]);
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

static int add_command(struct tacho__timeline *timeline, const struct tacho_command *command)
{
	struct tacho__html_mark mark = {
		.start_ns = command->start_ns,
		.count = 1,
		.end_ns = command->end_ns,
		.queued_ns = command->lacks_queue_times ? 0 : command->queued_ns};
	struct owner *owner;
	int rc;

	if (command->state != TACHO_STATE_OK || mark.end_ns < mark.start_ns) {
		timeline->undrawn++;
		return 0;
	}
	owner = get_owner(timeline, KIND_QUEUE, &timeline->by_queue, (uintptr_t)command->queue);
	if (!owner)
		return TACHO_E_NOMEM;
	if (!owner->is_rest) {
		owner->queue = command->queue;
		owner->device = command->device;
	}
	rc = get_name(timeline, get_command_name(command), false, &mark.name);
	if (!rc && has_room(timeline, owner)) {
		format_command(&timeline->scratch, command);
		rc = keep_detail(timeline, owner, &mark.detail);
	}
	return rc ? rc : add_mark(timeline, owner, &mark);
}

int tacho__timeline_add(struct tacho__timeline *timeline, struct tacho_cursor *cursor,
			const struct tacho_call *call)
{
	int rc = call->is_bare ? 0 : add_call(timeline, cursor, call);

	if (!rc && call->command)
		rc = add_command(timeline, call->command);
	timeline->calls++;
	return rc;
}

/* ---- making and unmaking ---- */

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

static size_t choose_limit(const struct tacho_summary *summary)
{
	size_t threads = tacho_summary_get_line_count(summary, TACHO_BY_THREAD);
	size_t queues = tacho_summary_get_line_count(summary, TACHO_BY_QUEUE), lanes, limit;

	lanes = (threads < LANES_MAX ? threads : LANES_MAX + 1) +
		(queues < LANES_MAX ? queues : LANES_MAX + 1);
	limit = MARKS_MAX / (lanes ? lanes : 1);
	return limit > LANE_MARKS_MAX	? LANE_MARKS_MAX
	       : limit < LANE_MARKS_MIN ? LANE_MARKS_MIN
					: limit;
}

/* Threads by process, then queues by device; each in the order in which they came. */
static int compare(const void *left, const void *right)
{
	const struct owner *a = *(struct owner *const *)left, *b = *(struct owner *const *)right;
	uint64_t a_group, b_group;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->is_rest != b->is_rest)
		return a->is_rest ? 1 : -1;
	a_group = a->kind == KIND_THREAD ? a->process->index : a->device ? a->device->id : 0;
	b_group = b->kind == KIND_THREAD ? b->process->index : b->device ? b->device->id : 0;
	if (a_group != b_group)
		return a_group < b_group ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

int tacho__timeline_create(const struct tacho_summary *summary,
			   struct tacho__timeline **out_timeline)
{
	struct tacho__timeline *timeline = calloc(1, sizeof(*timeline));
	int rc;

	if (!timeline)
		return no_memory();
	timeline->lane_limit = choose_limit(summary);
	rc = rank_names(&timeline->kernel_ranks, summary, TACHO_BY_KERNEL);
	if (!rc)
		rc = rank_names(&timeline->api_ranks, summary, TACHO_BY_API);
	if (rc)
		tacho__timeline_destroy(timeline);
	else
		*out_timeline = timeline;
	return rc;
}

void tacho__timeline_complete(struct tacho__timeline *timeline)
{
	for (size_t i = 0; i < timeline->count; i++)
		tacho__html_lane_complete(&timeline->owners[i]->lane);
	if (timeline->count)
		qsort(timeline->owners, timeline->count, sizeof(*timeline->owners), compare);
}

void tacho__timeline_destroy(struct tacho__timeline *timeline)
{
	if (!timeline)
		return;
	for (size_t i = 0; i < timeline->count; i++)
		tacho__html_lane_finish(&timeline->owners[i]->lane);
	free(timeline->owners);
	free(timeline->names);
	free(timeline->colors);
	free(timeline->details);
	tacho__map_finish(&timeline->by_thread);
	tacho__map_finish(&timeline->by_queue);
	tacho__names_finish(&timeline->by_name);
	tacho__names_finish(&timeline->kernel_ranks);
	tacho__names_finish(&timeline->api_ranks);
	tacho__buf_finish(&timeline->scratch);
	tacho__arena_finish(&timeline->arena);
	free(timeline);
}

/* ---- the section ---- */

/* Calls that are drawn one by one, but without their arguments. */
static bool lacks_details(const struct tacho__timeline *timeline)
{
	for (size_t i = 0; i < timeline->count; i++) {
		const struct tacho__html_lane *lane = &timeline->owners[i]->lane;

		if (timeline->owners[i]->kind == KIND_THREAD && !lane->cell_ns && lane->count &&
		    !lane->marks[lane->count - 1].detail)
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

static void put_names(FILE *stream, const struct tacho__timeline *timeline)
{
	fputs(",\n\"names\":[", stream);
	for (size_t i = 0; i < timeline->name_count; i++) {
		fputs(i ? "," : "", stream);
		tacho__html_put_json(stream, timeline->names[i], NAME_BYTES);
	}
	fputs(timeline->name_count == NAMES_MAX ? ",\"other\"],\n\"colors\":[" : "],\n\"colors\":[",
	      stream);
	for (size_t i = 0; i < timeline->name_count; i++)
		fprintf(stream, "%s%u", i ? "," : "", timeline->colors[i]);
	fputs("]", stream);
}

static void put_label(const struct tacho__html *page, const struct owner *owner)
{
	FILE *stream = page->stream;
	char group[NAME_BYTES], label[NAME_BYTES];
	const char *name;

	if (owner->is_rest) {
		snprintf(group, sizeof(group), "more");
		snprintf(label, sizeof(label), "all other %s",
			 owner->kind == KIND_THREAD ? "threads" : "queues");
	} else if (owner->kind == KIND_THREAD) {
		name = tacho_cursor_get_thread_name(page->cursor, owner->process, owner->thread);
		snprintf(group, sizeof(group), "%s %" PRIu32,
			 tacho__base_name(owner->process->executable), owner->process->pid);
		snprintf(label, sizeof(label), "%s %" PRIu32, *name ? name : "thread",
			 owner->thread);
	} else {
		name = owner->device ? owner->device->name : "";
		snprintf(group, sizeof(group), "%s", *name ? name : "unknown device");
		if (owner->queue)
			snprintf(label, sizeof(label), "queue %" PRIu32, owner->queue->id);
		else
			snprintf(label, sizeof(label), "unknown queue");
	}
	fprintf(stream,
		"{\"kind\":\"%s\",\"group\":", owner->kind == KIND_THREAD ? "thread" : "queue");
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

static void put_lane(const struct tacho__html *page, const struct owner *owner)
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
		put_column(stream, "call", timeline, lane, CALL);
		if (owner->kind == KIND_QUEUE)
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
