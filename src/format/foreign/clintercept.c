/* SPDX-License-Identifier: MIT */
/*
 * Chrome traces of the OpenCL intercept layer. Lanes of host threads are whole numbers; those of
 * queues have a point ("3.1"), and where each kernel has a lane of its own it is a name. Calls and
 * work have the number of the enqueue in common.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/unitrace.h"

enum { LANES_MAX = 4096 };

struct clintercept {
	struct tacho__unitrace_json trace;
	struct tacho__names lanes; /* of a queue -> a text's number, its name */
	size_t lane_count;
	/* Stages of work come one behind the other: when it was queued and submitted. */
	struct tacho__buf staged;
	int64_t queued_ns, submit_ns;
	bool has_queued, has_submit;
};

static bool fits(const struct tacho__foreign_file *file)
{
	return strstr(file->head, "\"clintercept_start_time\"") ||
	       strstr(file->head, "\"clintercept_eof\"");
}

static bool is_host(const char *tid)
{
	return !tid[strspn(tid, "0123456789")];
}

/* Numbers of enqueues from 0 on, as links have them; 0: there is none. */
static uint64_t link_of(const struct clintercept *layer)
{
	uint64_t number;

	return tacho__foreign_csv_unsigned(tacho__buf_text(&layer->trace.id), &number) &&
			       number < UINT64_MAX
		       ? number + 1
		       : 0;
}

static int take_metadata(struct clintercept *layer)
{
	const struct tacho__foreign_chrome_event *event = &layer->trace.chrome.event;
	const char *what = tacho__buf_text(&event->name), *tid = tacho__buf_text(&event->tid);
	const char *label = tacho__buf_text(&layer->trace.label), *kept;
	uint64_t pid = 0;
	uint32_t text;
	int rc;

	if (tacho__foreign_csv_unsigned(tacho__buf_text(&event->pid), &pid))
		layer->trace.pid = (uint32_t)pid;
	if (!strcmp(what, "process_name"))
		return tacho__foreign_name_process(layer->trace.foreign, layer->trace.process,
						   label);
	if (strcmp(what, "thread_name") || is_host(tid) || layer->lane_count++ >= LANES_MAX)
		return 0;
	rc = tacho__foreign_text(layer->trace.foreign, label, &text);
	kept = tacho__arena_string(&layer->trace.foreign->recording->arena, tid);
	if (rc || !kept)
		return TACHO_E_NOMEM;
	return tacho__names_set(&layer->lanes, kept, (void *)(uintptr_t)text);
}

/* "clEnqueueNDRangeKernel( GEMM )": the function. */
static int take_call(struct clintercept *layer)
{
	const struct tacho__foreign_chrome_event *event = &layer->trace.chrome.event;
	struct tacho__foreign_call call = {.process = layer->trace.process,
					   .start_ns = event->start_ns,
					   .end_ns = tacho__foreign_chrome_end_ns(event),
					   .link = link_of(layer)};
	const char *name = tacho__buf_text(&event->name), *tag = strstr(name, "( ");
	struct tacho__buf text = {0};
	uint64_t thread = 0;
	int rc;

	tacho__foreign_csv_unsigned(tacho__buf_text(&event->tid), &thread);
	call.thread = (uint32_t)thread;
	tacho__buf_put(&text, "");
	tacho__buf_add(&text, name, tag ? (size_t)(tag - name) : strlen(name));
	rc = text.failed ? TACHO_E_NOMEM
			 : tacho__foreign_function(layer->trace.foreign, "opencl",
						   tacho__buf_text(&text), &call.function);
	tacho__buf_finish(&text);
	layer->trace.calls++;
	return rc ? rc : tacho__foreign_add_call(layer->trace.foreign, &call);
}

/* "IOQ 0x55d0c8.0 Device Name (GPU) (F:0 I:0)": the device in it. */
static void put_device(const char *queue, struct tacho__buf *text)
{
	const char *at = strstr(queue, " 0x"), *end;

	at = at ? strchr(at + 1, ' ') : NULL;
	end = at ? strstr(at, " (") : NULL;
	if (end && end > at + 1)
		tacho__buf_add(text, at + 1, (size_t)(end - at - 1));
}

static int add_work(struct clintercept *layer, const char *name)
{
	const struct tacho__foreign_chrome_event *event = &layer->trace.chrome.event;
	const char *tid = tacho__buf_text(&event->tid);
	uintptr_t lane = (uintptr_t)tacho__names_get(&layer->lanes, tid);
	const char *queue = lane	       ? layer->trace.foreign->texts[lane - 1]
			    : strchr(tid, '.') ? tid
					       : "";
	struct tacho__foreign_command command = {.process = layer->trace.process,
						 .state = TACHO_STATE_OK,
						 .link = link_of(layer),
						 .start_ns = event->start_ns,
						 .end_ns = tacho__foreign_chrome_end_ns(event),
						 .has_queue_times =
							 layer->has_queued && layer->has_submit,
						 .queued_ns = layer->queued_ns,
						 .submit_ns = layer->submit_ns};
	struct tacho__buf device = {0};
	int rc = tacho__unitrace_take_name(layer->trace.foreign, name, &command);

	put_device(queue, &device);
	if (!rc)
		rc = device.failed ? TACHO_E_NOMEM
				   : tacho__unitrace_take_place(layer->trace.foreign, "",
								tacho__buf_text(&device), queue,
								&command);
	tacho__buf_finish(&device);
	layer->trace.commands++;
	return rc ? rc : tacho__foreign_add_command(layer->trace.foreign, &command);
}

/* Cuts a stage off the end of a name. */
static bool cut(struct tacho__buf *name, const char *stage)
{
	size_t size = strlen(stage);

	if (name->size <= size || strcmp(name->text + name->size - size, stage))
		return false;
	name->size -= size;
	name->text[name->size] = '\0';
	return true;
}

/* Each stage of a piece of work is an event; the last one is its execution. */
static int take_work(struct clintercept *layer)
{
	struct tacho__foreign_chrome_event *event = &layer->trace.chrome.event;
	int rc = 0;

	if (cut(&event->name, " (Queued)")) {
		tacho__buf_clear(&layer->staged);
		tacho__buf_put(&layer->staged, tacho__buf_text(&layer->trace.id));
		layer->has_queued = true;
		layer->has_submit = false;
		layer->queued_ns = event->start_ns;
		return layer->staged.failed ? TACHO_E_NOMEM : 0;
	}
	if (strcmp(tacho__buf_text(&layer->staged), tacho__buf_text(&layer->trace.id)))
		layer->has_queued = false;
	if (cut(&event->name, " (Submitted)")) {
		layer->has_submit = layer->has_queued;
		layer->submit_ns = event->start_ns;
		return 0;
	}
	cut(&event->name, " (Execution)");
	rc = add_work(layer, tacho__buf_text(&event->name));
	layer->has_queued = layer->has_submit = false;
	return rc;
}

/* ---- the file ---- */

static bool wants(void *user, const struct tacho__foreign_chrome_event *event)
{
	return true;
}

static int take_event(struct clintercept *layer)
{
	const struct tacho__foreign_chrome_event *event = &layer->trace.chrome.event;

	if (event->phase == 'M')
		return take_metadata(layer);
	if (event->phase != 'X' || !event->has_start || !event->has_duration)
		return 0;
	return is_host(tacho__buf_text(&event->tid)) ? take_call(layer) : take_work(layer);
}

static int read_events(struct clintercept *layer)
{
	enum tacho__foreign_json_piece piece;
	bool is_one = true;
	int rc = tacho__foreign_json_next(&layer->trace.json, &piece);

	while (!rc && is_one) {
		rc = tacho__unitrace_json_next(&layer->trace, &is_one);
		if (!rc && is_one)
			rc = take_event(layer);
	}
	return tacho__foreign_chrome_end(layer->trace.foreign, &layer->trace.json, rc,
					 layer->trace.commands + layer->trace.calls);
}

static void note_what_lacks(const struct clintercept *layer)
{
	struct tacho__foreign *foreign = layer->trace.foreign;

	if (!layer->trace.commands)
		tacho__foreign_note(foreign, "The file has no work of a device: "
					     "ChromePerformanceTiming keeps it.");
	if (layer->trace.commands && !layer->trace.calls)
		tacho__foreign_note(foreign,
				    "The file has no calls: ChromeCallLogging keeps them.");
	tacho__foreign_note(foreign,
			    "Sizes of launches, bytes of transfers and the time of day are "
			    "not in such files.");
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct clintercept layer = {0};
	int rc = tacho__unitrace_json_open(&layer.trace, foreign, file, wants);

	if (!rc)
		rc = read_events(&layer);
	if (!rc)
		rc = tacho__foreign_set_pid(foreign, layer.trace.process, layer.trace.pid);
	if (!rc)
		note_what_lacks(&layer);
	tacho__unitrace_json_finish(&layer.trace);
	tacho__buf_finish(&layer.staged);
	tacho__names_finish(&layer.lanes);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_clintercept = {
	.name = "clintercept",
	.title = "OpenCL intercept layer, Chrome trace",
	.fits = fits,
	.read_file = read_file,
};
