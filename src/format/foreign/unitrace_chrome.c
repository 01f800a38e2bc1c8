/* SPDX-License-Identifier: MIT */
/*
 * Chrome traces of unitrace. The processes of work are devices, whose names and those of their
 * lanes are told before; a call is followed at once by an arrow for each piece of work that it
 * gave.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/foreign_chrome.h"
#include "format/foreign/unitrace.h"

enum { NAMES_MAX = 4096, LINKS_MAX = 1 << 20 };

struct unitrace {
	struct tacho__foreign *foreign;
	struct tacho__foreign_json json;
	struct tacho__foreign_chrome chrome;
	struct tacho__buf label;   /* "name" of a process or thread */
	struct tacho__buf id;	   /* of work */
	struct tacho__names names; /* "pid" or "pid tid" -> a text's number */
	size_t name_count;
	struct tacho__map links; /* work that is not the first of its call -> that first one */
	size_t link_count;
	uint32_t process, pid;
	bool has_call; /* that waits for its arrows */
	struct tacho__foreign_call call;
	bool has_metrics; /* beside it: its launches may have values */
	uint64_t file, commands, calls, unlinked, left_out;
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
	int rc = tacho__foreign_text(unitrace->foreign, tacho__buf_text(&unitrace->label), &text);
	const char *kept;

	put_place(&key, &unitrace->chrome.event, has_lane);
	kept = tacho__buf_keep(&key, &unitrace->foreign->recording->arena);
	if (!kept)
		return TACHO_E_NOMEM;
	if (rc || unitrace->name_count++ >= NAMES_MAX)
		return rc;
	return tacho__names_set(&unitrace->names, kept, (void *)(uintptr_t)text);
}

/* "HOST<node>", "RANK 3 HOST<node>"; those of devices are kept. */
static int take_metadata(struct unitrace *unitrace)
{
	const struct tacho__foreign_chrome_event *event = &unitrace->chrome.event;
	const char *what = tacho__buf_text(&event->name),
		   *label = tacho__buf_text(&unitrace->label);
	uint64_t pid = 0;

	if (!strcmp(what, "thread_name"))
		return keep_name(unitrace, true);
	if (strcmp(what, "process_name"))
		return 0;
	if (!strstr(label, "HOST<"))
		return keep_name(unitrace, false);
	if (tacho__foreign_chrome_number(tacho__buf_text(&event->pid), &pid))
		unitrace->pid = (uint32_t)pid;
	return tacho__foreign_name_process(unitrace->foreign, unitrace->process, label);
}

/* "" where the file has none. NOMEM. */
static int find_name(const struct unitrace *unitrace, bool has_lane, const char **out_name)
{
	struct tacho__buf key = {0};
	uintptr_t number = 0;
	int rc;

	put_place(&key, &unitrace->chrome.event, has_lane);
	rc = key.failed ? TACHO_E_NOMEM : 0;
	if (!rc)
		number = (uintptr_t)tacho__names_get(&unitrace->names, tacho__buf_text(&key));
	tacho__buf_finish(&key);
	*out_name = number ? unitrace->foreign->texts[number - 1] : "";
	return rc;
}

/* "DEVICE<node>[Intel(R) ...] 0:3:0:0 #0": the name in brackets, else all. */
static void put_device(const char *label, struct tacho__buf *text)
{
	const char *open = strchr(label, '['), *close = open ? strrchr(open, ']') : NULL;

	if (close > open + 1)
		tacho__buf_add(text, open + 1, (size_t)(close - open - 1));
	else
		tacho__buf_put(text, label);
	if (close > open + 1 && close[1])
		tacho__buf_put(text, close + 1);
}

/* ---- calls and work ---- */

static int end_call(struct unitrace *unitrace)
{
	if (!unitrace->has_call)
		return 0;
	unitrace->has_call = false;
	return tacho__foreign_add_call(unitrace->foreign, &unitrace->call);
}

static uint32_t thread_of(const struct unitrace *unitrace)
{
	uint64_t thread = 0;

	tacho__foreign_chrome_number(tacho__buf_text(&unitrace->chrome.event.tid), &thread);
	return (uint32_t)thread;
}

static int begin_call(struct unitrace *unitrace)
{
	const struct tacho__foreign_chrome_event *event = &unitrace->chrome.event;
	const char *name = tacho__buf_text(&event->name);
	const char *api = !strncmp(name, "ze", 2)   ? "level_zero"
			  : !strncmp(name, "cl", 2) ? "opencl"
						    : "host";
	int rc = end_call(unitrace);

	unitrace->call = (struct tacho__foreign_call){.process = unitrace->process,
						      .thread = thread_of(unitrace),
						      .start_ns = event->start_ns,
						      .end_ns = event->start_ns};
	if (event->has_duration &&
	    __builtin_add_overflow(event->start_ns, event->duration_ns, &unitrace->call.end_ns))
		unitrace->call.end_ns = event->start_ns;
	unitrace->has_call = !rc;
	unitrace->calls++;
	return rc ? rc
		  : tacho__foreign_function(unitrace->foreign, api, name, &unitrace->call.function);
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
	const struct tacho__foreign_chrome_event *event = &unitrace->chrome.event;
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

static int take_work(struct unitrace *unitrace)
{
	const struct tacho__foreign_chrome_event *event = &unitrace->chrome.event;
	struct tacho__foreign_command command = {
		.process = unitrace->process, .state = TACHO_STATE_OK, .start_ns = event->start_ns};
	uint64_t link = link_of(tacho__buf_text(&unitrace->id));
	uintptr_t first = (uintptr_t)tacho__map_get(&unitrace->links, link);
	const char *label = "", *lane = "";
	struct tacho__buf device = {0};
	int rc;

	if (__builtin_add_overflow(event->start_ns, event->duration_ns, &command.end_ns))
		command.end_ns = event->start_ns;
	command.link = first ? first : link;
	command.values = unitrace->has_metrics ? link : 0;
	unitrace->commands++;
	unitrace->unlinked += !command.link;
	rc = find_name(unitrace, false, &label);
	if (!rc)
		rc = find_name(unitrace, true, &lane);
	put_device(label, &device);
	if (!rc)
		rc = device.failed
			     ? TACHO_E_NOMEM
			     : tacho__unitrace_take_name(unitrace->foreign,
							 tacho__buf_text(&event->name), &command);
	if (!rc)
		rc = tacho__unitrace_take_place(unitrace->foreign, tacho__buf_text(&event->pid),
						tacho__buf_text(&device), lane, &command);
	tacho__buf_finish(&device);
	return rc ? rc : tacho__foreign_add_command(unitrace->foreign, &command);
}

static int take_event(struct unitrace *unitrace)
{
	const struct tacho__foreign_chrome_event *event = &unitrace->chrome.event;
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

static int take_argument(void *user, const struct tacho__foreign_chrome_event *event)
{
	struct unitrace *unitrace = user;
	struct tacho__buf *into = tacho__foreign_json_is(&unitrace->json, "name") ? &unitrace->label
				  : tacho__foreign_json_is(&unitrace->json, "id") ? &unitrace->id
										  : NULL;
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&unitrace->json, &piece);

	if (!rc && into && piece <= TACHO__FOREIGN_JSON_NUMBER && piece > TACHO__FOREIGN_JSON_KEY)
		tacho__buf_put(into, unitrace->json.text);
	if (!rc && into && into->failed)
		rc = TACHO_E_NOMEM;
	return rc ? rc : tacho__foreign_json_skip(&unitrace->json, piece);
}

static int read_events(struct unitrace *unitrace)
{
	bool is_one = true;
	int rc = 0;

	while (!rc && is_one) {
		tacho__buf_clear(&unitrace->label);
		tacho__buf_clear(&unitrace->id);
		rc = tacho__foreign_chrome_next(&unitrace->chrome, &is_one);
		if (!rc && is_one)
			rc = take_event(unitrace);
	}
	return rc;
}

static int read_top(struct unitrace *unitrace)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&unitrace->json, &piece);

	while (!rc && !(rc = tacho__foreign_json_next(&unitrace->json, &piece)) &&
	       piece == TACHO__FOREIGN_JSON_KEY) {
		bool has_events = tacho__foreign_json_is(&unitrace->json, "traceEvents");

		rc = tacho__foreign_json_next(&unitrace->json, &piece);
		if (!rc)
			rc = has_events && piece == TACHO__FOREIGN_JSON_ARRAY
				     ? read_events(unitrace)
				     : tacho__foreign_json_skip(&unitrace->json, piece);
	}
	return rc;
}

static int read_whole(struct unitrace *unitrace)
{
	int rc = read_top(unitrace);

	if (rc == TACHO_E_PARSE && unitrace->json.is_cut && unitrace->commands + unitrace->calls) {
		tacho__foreign_note(unitrace->foreign,
				    "The file ends early, at byte %" PRIu64
				    ": what is behind that is not known.",
				    tacho__foreign_json_offset(&unitrace->json));
		rc = 0;
	}
	return rc ? rc : end_call(unitrace);
}

static void note_what_lacks(const struct unitrace *unitrace)
{
	struct tacho__foreign *foreign = unitrace->foreign;

	if (!unitrace->commands)
		tacho__foreign_note(foreign, "The file has no work of a device: unitrace "
					     "--chrome-kernel-logging keeps it.");
	else
		tacho__foreign_note(foreign, "When work was queued and submitted is not in such "
					     "files (unitrace --device-timeline prints it).");
	if (unitrace->commands && !unitrace->calls)
		tacho__foreign_note(foreign, "The file has no calls: unitrace "
					     "--chrome-call-logging keeps them.");
	if (unitrace->unlinked)
		tacho__foreign_note(foreign, "%" PRIu64 " pieces of work name no call.",
				    unitrace->unlinked);
	if (unitrace->left_out)
		tacho__foreign_note(foreign, "%" PRIu64 " events of other sorts are left out.",
				    unitrace->left_out);
	if (unitrace->link_count > LINKS_MAX)
		tacho__foreign_note(foreign, "Of calls that gave very much work, not all of it is "
					     "shown as theirs.");
}

static void finish(struct unitrace *unitrace)
{
	tacho__foreign_json_close(&unitrace->json);
	tacho__foreign_chrome_finish(&unitrace->chrome);
	tacho__buf_finish(&unitrace->label);
	tacho__buf_finish(&unitrace->id);
	tacho__names_finish(&unitrace->names);
	tacho__map_finish(&unitrace->links);
}

/* A process is made before its number is known. */
static int set_pid(struct unitrace *unitrace)
{
	struct tacho_recording *recording = unitrace->foreign->recording;
	struct tacho_process *process = &recording->processes[unitrace->process]->process;
	struct tacho__buf text = {0};

	process->pid = unitrace->pid;
	tacho__buf_printf(&text, "proc-%" PRIu32 "-%" PRIu32, process->pid, unitrace->process);
	process->directory = tacho__buf_keep(&text, &recording->arena);
	return process->directory ? 0 : TACHO_E_NOMEM;
}

static int read_trace(struct tacho__foreign *foreign, const char *path, uint64_t number,
		      bool has_metrics, struct tacho__map *processes)
{
	struct unitrace unitrace = {.foreign = foreign, .file = number, .has_metrics = has_metrics};
	int rc = tacho__foreign_process(foreign, number, 0, &unitrace.process);

	tacho__foreign_begin_file(foreign);
	tacho__foreign_set_epoch(foreign, 0); /* its times count from 1970 */
	unitrace.chrome = (struct tacho__foreign_chrome){
		.json = &unitrace.json, .user = &unitrace, .wants = wants, .take = take_argument};
	if (!rc)
		rc = tacho__foreign_json_open(&unitrace.json, path);
	if (!rc)
		rc = read_whole(&unitrace);
	if (!rc)
		rc = set_pid(&unitrace);
	if (!rc && unitrace.pid)
		rc = tacho__map_set(processes, unitrace.pid,
				    (void *)((uintptr_t)unitrace.process + 1));
	if (!rc)
		note_what_lacks(&unitrace);
	finish(&unitrace);
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
	for (size_t i = 0; i < count && !rc; i++)
		if (!tacho__unitrace_is_metrics(&files[i]))
			rc = read_trace(foreign, files[i].path, i + 1, has_metrics, &processes);
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
