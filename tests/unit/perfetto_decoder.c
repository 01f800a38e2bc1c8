/* SPDX-License-Identifier: MIT */
/* Numbers of fields stand here as in Perfetto's .proto files, not as tacho's writer has them. */
#include <stdarg.h>
#include <setjmp.h>
#include "perfetto_decoder.h"
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct view {
	const uint8_t *at, *end;
};

struct field {
	uint32_t number;
	unsigned type;
	uint64_t value;	   /* of types 0 and 1 */
	struct view bytes; /* of type 2 */
};

enum {
	CATEGORIES = 1,
	NAMES = 2,
	KEYS = 3,
	CONTEXTS = 23,
	SPECIFICATIONS = 24,
	STRINGS = 29,
	TABLES = 30
};

struct state {
	struct decoded *trace;
	char *texts[TABLES][512];
	struct mark {
		uint64_t time_ns, uuid;
		size_t order;
		uint64_t type;
		struct decoded_event event;
	} * marks;
	size_t mark_count;
	bool is_cleared;
};

static uint64_t read_varint(struct view *view)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 70; shift += 7) {
		assert_true(view->at < view->end);
		value |= (uint64_t)(*view->at & 127) << shift;
		if (!(*view->at++ & 128))
			return value;
	}
	fail_msg("a number is too long");
	return 0;
}

static bool next(struct view *view, struct field *field)
{
	uint64_t tag;

	if (view->at == view->end)
		return false;
	tag = read_varint(view);
	*field = (struct field){.number = (uint32_t)(tag >> 3), .type = tag & 7};
	assert_true(field->number > 0);
	if (field->type == 0) {
		field->value = read_varint(view);
	} else if (field->type == 1) {
		assert_true(view->end - view->at >= 8);
		memcpy(&field->value, view->at, 8);
		view->at += 8;
	} else {
		uint64_t size = read_varint(view);

		assert_int_equal(field->type, 2);
		assert_true(size <= (uint64_t)(view->end - view->at));
		field->bytes = (struct view){view->at, view->at + size};
		view->at += size;
	}
	return true;
}

#define EACH(each, view) for (struct field each; next(&(view), &each);)

static void copy(char *to, size_t room, struct view text)
{
	size_t size = (size_t)(text.end - text.at);

	assert_true(size < room);
	memcpy(to, text.at, size);
	to[size] = '\0';
}

#define COPY(to, field) copy(to, sizeof(to), (field).bytes)

static const char *look_up(const struct state *state, int table, uint64_t iid)
{
	assert_true(iid > 0 && iid < 512);
	assert_non_null(state->texts[table][iid]);
	return state->texts[table][iid];
}

/* A context is a process and an API; a queue or a sort of work has a category besides. */
static uint64_t read_interned_one(uint32_t table, struct view view, char text[512])
{
	uint64_t iid = 0, pid = 0, api = 0;

	EACH(part, view)
	{
		if (part.number == 1)
			iid = part.value;
		else if (part.number == 2 && table == CONTEXTS)
			pid = part.value;
		else if (part.number == 3 && table == CONTEXTS)
			api = part.value;
		else if (part.number == 2)
			copy(text, 512, part.bytes);
		else if (part.number == 4 && table == SPECIFICATIONS)
			assert_in_range(part.value, 0, 2);
		else
			fail_msg("interned: field %u", part.number);
	}
	if (table == CONTEXTS)
		snprintf(text, 512, "pid %u, api %u", (unsigned)pid, (unsigned)api);
	return iid;
}

static void read_interned(struct state *state, struct view view)
{
	EACH(field, view)
	{
		char text[512] = "";
		uint64_t iid;

		assert_true(field.number < TABLES);
		iid = read_interned_one(field.number, field.bytes, text);
		assert_true(iid > 0 && iid < 512);
		assert_null(state->texts[field.number][iid]);
		state->texts[field.number][iid] = strdup(text);
		state->trace->interned_count++;
	}
}

/* ---- descriptors ---- */

static void read_process(struct decoded_track *track, struct view view)
{
	EACH(field, view)
	{
		if (field.number == 1)
			track->pid = (int64_t)field.value;
		else if (field.number == 2)
			COPY(track->command, field);
		else if (field.number == 6)
			COPY(track->process_name, field);
		else
			fail_msg("process: field %u", field.number);
	}
}

static void read_thread(struct decoded_track *track, struct view view)
{
	EACH(field, view)
	{
		if (field.number == 1)
			track->pid = (int64_t)field.value;
		else if (field.number == 2)
			track->tid = (int64_t)field.value;
		else if (field.number == 5)
			COPY(track->thread_name, field);
		else
			fail_msg("thread: field %u", field.number);
	}
}

static void read_counter(struct decoded_track *track, struct view view)
{
	track->is_counter = true;
	EACH(field, view)
	{
		if (field.number == 3)
			track->unit = field.value;
		else if (field.number == 6)
			COPY(track->unit_name, field);
		else
			fail_msg("counter: field %u", field.number);
	}
}

static struct decoded_track *find_track(struct decoded *trace, uint64_t uuid)
{
	for (size_t i = 0; i < trace->track_count; i++)
		if (trace->tracks[i].uuid == uuid)
			return &trace->tracks[i];
	return NULL;
}

static void read_descriptor(struct decoded *trace, struct view view)
{
	struct decoded_track track = {0}, *known;

	EACH(field, view)
	{
		switch (field.number) {
		case 1: track.uuid = field.value; break;
		case 2: COPY(track.name, field); break;
		case 3: read_process(&track, field.bytes); break;
		case 4: read_thread(&track, field.bytes); break;
		case 5: track.parent_uuid = field.value; break;
		case 8: read_counter(&track, field.bytes); break;
		case 11: assert_int_equal(field.value, 3); break;
		case 12: track.rank = field.value; break;
		case 14: COPY(track.description, field); break;
		default: fail_msg("descriptor: field %u", field.number);
		}
	}
	assert_true(track.uuid > 0);
	assert_true(!track.parent_uuid || find_track(trace, track.parent_uuid));
	known = find_track(trace, track.uuid);
	if (known && track.tid) { /* a thread whose name came late */
		assert_true(known->tid == track.tid && known->pid == track.pid);
	} else {
		assert_null(known);
		assert_true(trace->track_count < 256);
		known = &trace->tracks[trace->track_count++];
	}
	*known = track;
}

/* ---- events ---- */

static void append(struct decoded_event *event, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void append(struct decoded_event *event, const char *format, ...)
{
	size_t used = strlen(event->notes);
	va_list list;

	va_start(list, format);
	assert_true(vsnprintf(event->notes + used, sizeof(event->notes) - used, format, list) <
		    (int)(sizeof(event->notes) - used));
	va_end(list);
}

static void read_note(const struct state *state, struct decoded_event *event, const char *prefix,
		      size_t position, struct view view)
{
	char key[1024], text[512];
	size_t children = 0;
	double real;

	if (position)
		snprintf(key, sizeof(key), "%s[%zu]", prefix, position - 1);
	EACH(field, view)
	{
		switch (field.number) {
		case 1:
			assert_int_equal(position, 0);
			snprintf(key, sizeof(key), "%s%s%s", prefix, *prefix ? "." : "",
				 look_up(state, KEYS, field.value));
			break;
		case 2: append(event, "%s=%s|", key, field.value ? "true" : "false"); break;
		case 3: append(event, "%s=u%" PRIu64 "|", key, field.value); break;
		case 4: append(event, "%s=i%" PRId64 "|", key, (int64_t)field.value); break;
		case 5:
			assert_int_equal(field.type, 1);
			memcpy(&real, &field.value, sizeof(real));
			append(event, "%s=d%g|", key, real);
			break;
		case 6:
			COPY(text, field);
			append(event, "%s=%s|", key, text);
			break;
		case 7: append(event, "%s=p%" PRIx64 "|", key, field.value); break;
		case 10:
			COPY(text, field);
			snprintf(key, sizeof(key), "%s%s%s", prefix, *prefix ? "." : "", text);
			break;
		case 11: read_note(state, event, key, 0, field.bytes); break;
		case 12: read_note(state, event, key, ++children, field.bytes); break;
		case 17: append(event, "%s=%s|", key, look_up(state, STRINGS, field.value)); break;
		default: fail_msg("annotation: field %u", field.number);
		}
	}
}

static void read_value(struct decoded_event *event, const struct field *field)
{
	event->is_double = field->number == 44;
	assert_int_equal(field->type, event->is_double ? 1 : 0);
	if (event->is_double)
		memcpy(&event->value, &field->value, sizeof(event->value));
	else
		event->value = (double)(int64_t)field->value;
}

static void read_event(const struct state *state, struct mark *mark, struct view view)
{
	struct decoded_event *event = &mark->event;

	strcpy(event->notes, "|");
	EACH(field, view)
	{
		switch (field.number) {
		case 3: strcpy(event->category, look_up(state, CATEGORIES, field.value)); break;
		case 4: read_note(state, event, "", 0, field.bytes); break;
		case 9: mark->type = field.value; break;
		case 10: strcpy(event->name, look_up(state, NAMES, field.value)); break;
		case 11: mark->uuid = field.value; break;
		case 22: COPY(event->category, field); break;
		case 23: COPY(event->name, field); break;
		case 30:
		case 44: read_value(event, &field); break;
		case 47:
			assert_int_equal(field.type, 1);
			event->flow = field.value;
			break;
		case 48:
			assert_int_equal(field.type, 1);
			event->terminating_flow = field.value;
			break;
		default: fail_msg("event: field %u", field.number);
		}
	}
	assert_in_range(mark->type, 1, 4);
}

/* ---- packets ---- */

static void read_snapshot(struct decoded *trace, struct view view)
{
	EACH(field, view)
	{
		uint64_t id = 0, time_ns = 0;

		if (field.number == 2) {
			trace->primary_clock = field.value;
			continue;
		}
		assert_int_equal(field.number, 1);
		EACH(part, field.bytes)
		{
			if (part.number == 1)
				id = part.value;
			else
				time_ns = part.value;
		}
		assert_true(id == 1 || id == 3);
		*(id == 1 ? &trace->realtime_ns : &trace->monotonic_ns) = time_ns;
	}
}

static void read_system(struct decoded *trace, struct view view)
{
	EACH(field, view)
	{
		if (field.number == 17)
			COPY(trace->machine, field);
		else
			assert_int_equal(field.number, 1);
		if (field.number != 1)
			continue;
		EACH(part, field.bytes)
		if (part.number == 3)
			COPY(trace->release, part);
	}
}

static void read_defaults(struct decoded *trace, struct view view)
{
	EACH(field, view)
	{
		assert_int_equal(field.number, 58);
		trace->default_clock = field.value;
	}
}

/* What is interned in a packet holds for all of it, wherever it stands. */
static void read_stage(struct state *state, const uint64_t *time_ns, struct view view)
{
	struct decoded_stage *stage = &state->trace->stages[state->trace->stage_count++];

	assert_true(state->trace->stage_count <= 16);
	stage->start_ns = *time_ns; /* stands in front of it */
	EACH(field, view)
	{
		switch (field.number) {
		case 1: assert_true(field.value > 0); break;
		case 2: stage->duration_ns = field.value; break;
		case 5:
			snprintf(stage->context, sizeof(stage->context), "%s",
				 look_up(state, CONTEXTS, field.value));
			break;
		case 6: stage->extras++; break;
		case 10: stage->submission = field.value; break;
		case 11:
		case 12: break;
		case 13:
			snprintf(stage->queue, sizeof(stage->queue), "%s",
				 look_up(state, SPECIFICATIONS, field.value));
			break;
		case 14:
			snprintf(stage->sort, sizeof(stage->sort), "%s",
				 look_up(state, SPECIFICATIONS, field.value));
			break;
		case 17: COPY(stage->name, field); break;
		default: fail_msg("stage: field %u", field.number);
		}
	}
}

static void read_packet(struct state *state, struct view view)
{
	struct view again = view;
	struct mark mark = {.order = state->mark_count};
	uint64_t flags = 0, sequence = 0;

	EACH(field, view)
	{
		if (field.number == 12)
			read_interned(state, field.bytes);
		else if (field.number == 10)
			sequence = field.value;
		else if (field.number == 13)
			flags = field.value;
	}
	assert_int_equal(sequence, 1);
	assert_int_equal(flags, state->is_cleared ? 2 : 1);
	EACH(field, again)
	{
		switch (field.number) {
		case 6: read_snapshot(state->trace, field.bytes); break;
		case 8: mark.time_ns = field.value; break;
		case 10:
		case 12:
		case 13: break;
		case 11: read_event(state, &mark, field.bytes); break;
		case 53: read_stage(state, &mark.time_ns, field.bytes); break;
		case 45: read_system(state->trace, field.bytes); break;
		case 59: read_defaults(state->trace, field.bytes); break;
		case 60: read_descriptor(state->trace, field.bytes); break;
		case 87: assert_false(state->is_cleared); break;
		default: fail_msg("packet: field %u", field.number);
		}
	}
	state->is_cleared = true;
	state->trace->packet_count++;
	if (!mark.type)
		return;
	assert_true(mark.time_ns > 0);
	assert_true(state->mark_count < 2 * DECODED_MAX);
	mark.event.track = find_track(state->trace, mark.uuid);
	assert_non_null(mark.event.track);
	state->marks[state->mark_count++] = mark;
}

/* ---- slices ---- */

static int compare(const void *a, const void *b)
{
	const struct mark *one = a, *other = b;

	if (one->time_ns != other->time_ns)
		return one->time_ns < other->time_ns ? -1 : 1;
	return one->order < other->order ? -1 : 1;
}

static struct decoded_event *get_open(struct decoded *trace, const struct decoded_track *track)
{
	for (size_t i = trace->event_count; i-- > 0;)
		if (trace->events[i].track == track && trace->events[i].kind == DECODED_SLICE &&
		    !trace->events[i].end_ns)
			return &trace->events[i];
	return NULL;
}

static void take_mark(struct decoded *trace, const struct mark *mark)
{
	struct decoded_event *open = get_open(trace, mark->event.track), *event;

	if (mark->type == 2) {
		assert_non_null(open);
		assert_string_equal(mark->event.name, "");
		open->end_ns = mark->time_ns;
		return;
	}
	assert_int_equal(mark->type == 4, mark->event.track->is_counter);
	assert_true(trace->event_count < DECODED_MAX);
	event = &trace->events[trace->event_count++];
	*event = mark->event;
	event->kind = mark->type == 1	? DECODED_SLICE
		      : mark->type == 3 ? DECODED_INSTANT
					: DECODED_SAMPLE;
	event->start_ns = mark->time_ns;
	event->depth = open ? open->depth + 1 : 0;
}

static struct view read_file(const char *path, uint8_t *bytes, size_t room)
{
	FILE *file = fopen(path, "r");
	size_t size;

	assert_non_null(file);
	size = fread(bytes, 1, room, file);
	assert_true(size < room);
	fclose(file);
	return (struct view){bytes, bytes + size};
}

struct decoded *decode_trace(const char *path)
{
	enum { ROOM = 4 << 20 };
	struct state state = {.trace = calloc(1, sizeof(struct decoded))};
	uint8_t *bytes = malloc(ROOM);
	struct view view = read_file(path, bytes, ROOM);

	state.marks = calloc(2 * DECODED_MAX, sizeof(*state.marks));
	state.trace->size = (size_t)(view.end - view.at);
	EACH(field, view)
	{
		assert_int_equal(field.number, 1);
		assert_int_equal(field.type, 2);
		read_packet(&state, field.bytes);
	}
	qsort(state.marks, state.mark_count, sizeof(*state.marks), compare);
	for (size_t i = 0; i < state.mark_count; i++)
		take_mark(state.trace, &state.marks[i]);
	for (size_t table = 0; table < TABLES; table++)
		for (size_t i = 0; i < 512; i++)
			free(state.texts[table][i]);
	free(state.marks);
	free(bytes);
	return state.trace;
}

const struct decoded_event *decoded_get(const struct decoded *trace, const char *name, size_t index)
{
	for (size_t i = 0; i < trace->event_count; i++)
		if (!strcmp(trace->events[i].name, name) && !index--)
			return &trace->events[i];
	fail_msg("no such event named %s", name);
	return NULL;
}

size_t decoded_count(const struct decoded *trace, enum decoded_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < trace->event_count; i++)
		count += trace->events[i].kind == kind;
	return count;
}

const struct decoded_track *decoded_track(const struct decoded *trace, const char *name)
{
	for (size_t i = 0; i < trace->track_count; i++)
		if (!strcmp(trace->tracks[i].name, name))
			return &trace->tracks[i];
	fail_msg("no track is named %s", name);
	return NULL;
}

bool decoded_has(const struct decoded_event *event, const char *note)
{
	char pattern[512];

	snprintf(pattern, sizeof(pattern), "|%s|", note);
	return strstr(event->notes, pattern) != NULL;
}
