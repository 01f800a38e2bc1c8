/* SPDX-License-Identifier: MIT */
/*
 * Chrome traces of unitrace. The processes of work are devices, whose names and those of their
 * lanes are told before; a call is followed at once by an arrow for each piece of work that it
 * gave.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/unitrace.h"

enum { NAMES_MAX = 4096, LINKS_MAX = 1 << 20 };

struct unitrace {
	struct tacho__unitrace_json trace;
	struct tacho__names names; /* "pid" or "pid tid" -> a text's number */
	size_t name_count;
	struct tacho__map links; /* work that is not the first of its call -> that first one */
	size_t link_count;
	bool has_call; /* that waits for its arrows */
	struct tacho__foreign_call call;
	bool has_metrics; /* beside it: its launches may have values */
	uint64_t unlinked, left_out, parts;
};

static bool fits(const struct tacho__foreign_file *file)
{
	if (tacho__unitrace_is_metrics(file))
		return true;
	return strstr(file->head, "\"traceEvents\"") &&
	       (strstr(file->head, "\"cat\": \"gpu_op\"") || strstr(file->head, "\"HOST<") ||
		strstr(file->head, " HOST<"));
}

/* ---- names ---- */

static void put_place(struct tacho__buf *text, const struct tacho__foreign_chrome_event *event,
		      bool has_lane)
{
	tacho__buf_put(text, tacho__buf_text(&event->pid));
	if (has_lane)
		tacho__buf_printf(text, " %s", tacho__buf_text(&event->tid));
}

static int keep_name(struct unitrace *unitrace, bool has_lane)
{
	struct tacho__buf key = {0};
	uint32_t text = 0;
	int rc = tacho__foreign_text(unitrace->trace.foreign,
				     tacho__buf_text(&unitrace->trace.label), &text);
	const char *kept;

	put_place(&key, &unitrace->trace.chrome.event, has_lane);
	kept = tacho__buf_keep(&key, &unitrace->trace.foreign->recording->arena);
	if (!kept)
		return TACHO_E_NOMEM;
	if (rc || unitrace->name_count++ >= NAMES_MAX)
		return rc;
	return tacho__names_set(&unitrace->names, kept, (void *)(uintptr_t)text);
}

/* "HOST<node>", "RANK 3 HOST<node>"; those of devices are kept. */
static int take_metadata(struct unitrace *unitrace)
{
	const struct tacho__foreign_chrome_event *event = &unitrace->trace.chrome.event;
	const char *what = tacho__buf_text(&event->name),
		   *label = tacho__buf_text(&unitrace->trace.label);
	uint64_t pid = 0;

	if (!strcmp(what, "thread_name"))
		return keep_name(unitrace, true);
	if (strcmp(what, "process_name"))
		return 0;
	if (!strstr(label, "HOST<"))
		return keep_name(unitrace, false);
	if (tacho__foreign_chrome_number(tacho__buf_text(&event->pid), &pid))
		unitrace->trace.pid = (uint32_t)pid;
	return tacho__foreign_name_process(unitrace->trace.foreign, unitrace->trace.process, label);
}

/* "" where the file has none. NOMEM. */
static int find_name(const struct unitrace *unitrace, bool has_lane, const char **out_name)
{
	struct tacho__buf key = {0};
	uintptr_t number = 0;
	int rc;

	put_place(&key, &unitrace->trace.chrome.event, has_lane);
	rc = key.failed ? TACHO_E_NOMEM : 0;
	if (!rc)
		number = (uintptr_t)tacho__names_get(&unitrace->names, tacho__buf_text(&key));
	tacho__buf_finish(&key);
	*out_name = number ? unitrace->trace.foreign->texts[number - 1] : "";
	return rc;
}

/* "DEVICE<node>[Intel(R) ...] 0:3:0:0 #0": the name in brackets, else all. */
static void put_device(const char *label, struct tacho__buf *text)
{
	const char *open = strchr(label, '['), *close = open ? strrchr(open, ']') : NULL;
	bool has_name = close && close > open + 1;

	if (has_name)
		tacho__buf_add(text, open + 1, (size_t)(close - open - 1));
	else
		tacho__buf_put(text, label);
	if (has_name && close[1])
		tacho__buf_put(text, close + 1);
}

/* ---- calls and work ---- */

static int end_call(struct unitrace *unitrace)
{
	if (!unitrace->has_call)
		return 0;
	unitrace->has_call = false;
	return tacho__foreign_add_call(unitrace->trace.foreign, &unitrace->call);
}

static uint32_t thread_of(const struct unitrace *unitrace)
{
	uint64_t thread = 0;

	tacho__foreign_chrome_number(tacho__buf_text(&unitrace->trace.chrome.event.tid), &thread);
	return (uint32_t)thread;
}

static int begin_call(struct unitrace *unitrace)
{
	const struct tacho__foreign_chrome_event *event = &unitrace->trace.chrome.event;
	const char *name = tacho__buf_text(&event->name);
	const char *api = !strncmp(name, "ze", 2)   ? "level_zero"
			  : !strncmp(name, "cl", 2) ? "opencl"
						    : "host";
	int rc = end_call(unitrace);

	unitrace->call =
		(struct tacho__foreign_call){.process = unitrace->trace.process,
					     .thread = thread_of(unitrace),
					     .start_ns = event->start_ns,
					     .end_ns = tacho__foreign_chrome_end_ns(event)};
	unitrace->has_call = !rc;
	unitrace->trace.calls++;
	return rc ? rc
		  : tacho__foreign_function(unitrace->trace.foreign, api, name,
					    &unitrace->call.function);
}

/* Ids of work from 1 on, as links have them. */
static uint64_t link_of(const char *id)
{
	uint64_t number;

	return tacho__foreign_chrome_number(id, &number) && number < UINT64_MAX ? number + 1 : 0;
}

/* An arrow from the call before it. */
static int take_arrow(struct unitrace *unitrace)
{
	const struct tacho__foreign_chrome_event *event = &unitrace->trace.chrome.event;
	uint64_t link = link_of(tacho__buf_text(&event->id));

	if (!unitrace->has_call || !link ||
	    !strstr(tacho__buf_text(&event->category), "Flow_H2D") ||
	    thread_of(unitrace) != unitrace->call.thread ||
	    event->start_ns != unitrace->call.start_ns)
		return 0;
	if (!unitrace->call.link) {
		unitrace->call.link = link;
		return 0;
	}
	if (unitrace->link_count++ >= LINKS_MAX)
		return 0;
	return tacho__map_set(&unitrace->links, link, (void *)(uintptr_t)unitrace->call.link);
}

/* The device and the queue; a tile of a device has one of its own. */
static int take_place(struct unitrace *unitrace, const char *tile,
		      struct tacho__foreign_command *command)
{
	const char *label = "", *lane = "";
	struct tacho__buf device = {0}, queue = {0};
	int rc = find_name(unitrace, false, &label);

	if (!rc)
		rc = find_name(unitrace, true, &lane);
	put_device(label, &device);
	tacho__buf_printf(&queue, "%s%s%s", lane, *lane && *tile ? ", " : "", tile);
	if (!rc)
		rc = device.failed || queue.failed
			     ? TACHO_E_NOMEM
			     : tacho__unitrace_take_place(
				       unitrace->trace.foreign,
				       tacho__buf_text(&unitrace->trace.chrome.event.pid),
				       tacho__buf_text(&device), queue.text, command);
	tacho__buf_finish(&device);
	tacho__buf_finish(&queue);
	return rc;
}

static int take_work(struct unitrace *unitrace)
{
	const struct tacho__foreign_chrome_event *event = &unitrace->trace.chrome.event;
	struct tacho__foreign_command command = {.process = unitrace->trace.process,
						 .state = TACHO_STATE_OK,
						 .start_ns = event->start_ns,
						 .end_ns = tacho__foreign_chrome_end_ns(event)};
	uint64_t link = link_of(tacho__buf_text(&unitrace->trace.id)), tile = 0;
	uintptr_t first = (uintptr_t)tacho__map_get(&unitrace->links, link);
	char place[40] = "";
	bool has_tile;
	const char *name =
		tacho__unitrace_skip_tile(tacho__buf_text(&event->name), &has_tile, &tile);
	int rc;

	if (has_tile)
		snprintf(place, sizeof(place), "tile %" PRIu64, tile);
	command.link = first ? first : link;
	command.values = unitrace->has_metrics && !tile ? link : 0;
	unitrace->trace.commands++;
	unitrace->unlinked += !command.link;
	unitrace->parts += has_tile;
	rc = tacho__unitrace_take_name(unitrace->trace.foreign, name, &command);
	if (!rc)
		rc = take_place(unitrace, place, &command);
	return rc ? rc : tacho__foreign_add_command(unitrace->trace.foreign, &command);
}

static int take_event(struct unitrace *unitrace)
{
	const struct tacho__foreign_chrome_event *event = &unitrace->trace.chrome.event;
	const char *category = tacho__buf_text(&event->category);
	bool is_timed = event->has_start && event->has_duration;

	if (event->phase == 's')
		return event->has_start ? take_arrow(unitrace) : 0;
	if (event->phase == 'X' && is_timed && !strcmp(category, "cpu_op"))
		return begin_call(unitrace);
	if (event->phase == 'X' && is_timed && !strcmp(category, "gpu_op"))
		return take_work(unitrace);
	if (event->phase == 'M')
		return take_metadata(unitrace);
	unitrace->left_out += event->phase != 't' && event->phase != 'f';
	return 0;
}

/* ---- the file ---- */

static bool wants(void *user, const struct tacho__foreign_chrome_event *event)
{
	return event->phase == 'M' ||
	       (event->phase == 'X' && strcmp(tacho__buf_text(&event->category), "cpu_op"));
}

static int read_events(struct unitrace *unitrace)
{
	bool is_one = true;
	int rc = 0;

	while (!rc && is_one) {
		rc = tacho__unitrace_json_next(&unitrace->trace, &is_one);
		if (!rc && is_one)
			rc = take_event(unitrace);
	}
	return rc;
}

static int read_top(struct unitrace *unitrace)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&unitrace->trace.json, &piece);

	while (!rc && !(rc = tacho__foreign_json_next(&unitrace->trace.json, &piece)) &&
	       piece == TACHO__FOREIGN_JSON_KEY) {
		bool has_events = tacho__foreign_json_is(&unitrace->trace.json, "traceEvents");

		rc = tacho__foreign_json_next(&unitrace->trace.json, &piece);
		if (!rc)
			rc = has_events && piece == TACHO__FOREIGN_JSON_ARRAY
				     ? read_events(unitrace)
				     : tacho__foreign_json_skip(&unitrace->trace.json, piece);
	}
	return rc;
}

static void note_what_lacks(const struct unitrace *unitrace)
{
	struct tacho__foreign *foreign = unitrace->trace.foreign;

	if (!unitrace->trace.commands)
		tacho__foreign_note(foreign, "The file has no work of a device: unitrace "
					     "--chrome-kernel-logging keeps it.");
	else
		tacho__foreign_note(foreign, "When work was queued and submitted is not in such "
					     "files (unitrace --device-timeline prints it).");
	if (unitrace->trace.commands && !unitrace->trace.calls)
		tacho__foreign_note(foreign, "The file has no calls: unitrace "
					     "--chrome-call-logging keeps them.");
	tacho__foreign_note_count(foreign, unitrace->unlinked, "piece of work names no call.",
				  "pieces of work name no call.");
	tacho__foreign_note_count(foreign, unitrace->parts,
				  "piece of work is a part of a launch that was spread over the "
				  "tiles of a device: each tile's is told.",
				  "pieces of work are parts of launches that were spread over the "
				  "tiles of a device: each tile's is told.");
	tacho__foreign_note_count(foreign, unitrace->left_out, "event of another sort is left out.",
				  "events of other sorts are left out.");
	if (unitrace->link_count > LINKS_MAX)
		tacho__foreign_note(foreign, "Of calls that gave very much work, not all of it is "
					     "shown as theirs.");
}

static int read_trace(struct tacho__foreign *foreign, const struct tacho__foreign_file *file,
		      bool has_metrics, struct tacho__map *processes)
{
	struct unitrace unitrace = {.has_metrics = has_metrics};
	struct tacho__unitrace_json *trace = &unitrace.trace;
	int rc = tacho__unitrace_json_open(trace, foreign, file, wants);

	tacho__foreign_set_epoch(foreign, 0); /* its times count from 1970 */
	if (!rc)
		rc = read_top(&unitrace);
	rc = tacho__foreign_chrome_end(foreign, &trace->json, rc, trace->commands + trace->calls);
	if (!rc)
		rc = end_call(&unitrace);
	if (!rc)
		rc = tacho__foreign_set_pid(foreign, trace->process, trace->pid);
	if (!rc && trace->pid)
		rc = tacho__map_set(processes, trace->pid, (void *)((uintptr_t)trace->process + 1));
	if (!rc)
		note_what_lacks(&unitrace);
	tacho__unitrace_json_finish(trace);
	tacho__names_finish(&unitrace.names);
	tacho__map_finish(&unitrace.links);
	return rc;
}

/* First the traces, whose launches metrics name. */
static int read_files(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		      size_t count)
{
	struct tacho__map processes = {0};
	bool has_metrics = false;
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		has_metrics |= tacho__unitrace_is_metrics(&files[i]);
	for (size_t i = 0; i < count && !rc; i++) {
		if (tacho__unitrace_is_metrics(&files[i]))
			continue;
		tacho__foreign_begin_file(foreign);
		rc = read_trace(foreign, &files[i], has_metrics, &processes);
	}
	for (size_t i = 0; i < count && !rc; i++)
		if (tacho__unitrace_is_metrics(&files[i]))
			rc = tacho__unitrace_read_metrics(foreign, files[i].path, i + 1,
							  &processes);
	tacho__map_finish(&processes);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_unitrace_chrome = {
	.name = "unitrace-chrome",
	.title = "unitrace, Chrome trace and metrics",
	.fits = fits,
	.read = read_files,
};
