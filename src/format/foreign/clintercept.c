/* SPDX-License-Identifier: MIT */
/*
 * Chrome traces of the OpenCL intercept layer. Lanes of host threads are whole numbers; those of
 * queues have a point ("3.1"), and where each kernel has a lane of its own it is a name. Calls and
 * work have the number of the enqueue in common.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "format/foreign/foreign_chrome.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/unitrace.h"

enum { LANES_MAX = 4096 };

struct clintercept {
	struct tacho__foreign *foreign;
	struct tacho__foreign_json json;
	struct tacho__foreign_chrome chrome;
	struct tacho__buf label, id;
	struct tacho__names lanes; /* of a queue -> a text's number, its name */
	size_t lane_count;
	uint32_t process, pid;
	/* Stages of work come one behind the other: when it was queued and submitted. */
	struct tacho__buf staged;
	int64_t queued_ns, submit_ns;
	bool has_queued, has_submit;
	uint64_t commands, calls;
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

static int64_t end_of(const struct tacho__foreign_chrome_event *event)
{
	int64_t end_ns;

	return __builtin_add_overflow(event->start_ns, event->duration_ns, &end_ns)
		       ? event->start_ns
		       : end_ns;
}

/* Numbers of enqueues from 0 on, as links have them; 0: there is none. */
static uint64_t link_of(const struct clintercept *trace)
{
	uint64_t number;

	return tacho__foreign_csv_unsigned(tacho__buf_text(&trace->id), &number) &&
			       number < UINT64_MAX
		       ? number + 1
		       : 0;
}

static int take_metadata(struct clintercept *trace)
{
	const struct tacho__foreign_chrome_event *event = &trace->chrome.event;
	const char *what = tacho__buf_text(&event->name), *tid = tacho__buf_text(&event->tid);
	const char *label = tacho__buf_text(&trace->label), *kept;
	uint64_t pid = 0;
	uint32_t text;
	int rc;

	if (tacho__foreign_csv_unsigned(tacho__buf_text(&event->pid), &pid))
		trace->pid = (uint32_t)pid;
	if (!strcmp(what, "process_name"))
		return tacho__foreign_name_process(trace->foreign, trace->process, label);
	if (strcmp(what, "thread_name") || is_host(tid) || trace->lane_count++ >= LANES_MAX)
		return 0;
	rc = tacho__foreign_text(trace->foreign, label, &text);
	kept = tacho__arena_string(&trace->foreign->recording->arena, tid);
	if (rc || !kept)
		return TACHO_E_NOMEM;
	return tacho__names_set(&trace->lanes, kept, (void *)(uintptr_t)text);
}

/* "clEnqueueNDRangeKernel( GEMM )": the function. */
static int take_call(struct clintercept *trace)
{
	const struct tacho__foreign_chrome_event *event = &trace->chrome.event;
	struct tacho__foreign_call call = {.process = trace->process,
					   .start_ns = event->start_ns,
					   .end_ns = end_of(event),
					   .link = link_of(trace)};
	const char *name = tacho__buf_text(&event->name), *tag = strstr(name, "( ");
	struct tacho__buf text = {0};
	uint64_t thread = 0;
	int rc;

	tacho__foreign_csv_unsigned(tacho__buf_text(&event->tid), &thread);
	call.thread = (uint32_t)thread;
	tacho__buf_put(&text, "");
	tacho__buf_add(&text, name, tag ? (size_t)(tag - name) : strlen(name));
	rc = text.failed ? TACHO_E_NOMEM
			 : tacho__foreign_function(trace->foreign, "opencl", tacho__buf_text(&text),
						   &call.function);
	tacho__buf_finish(&text);
	trace->calls++;
	return rc ? rc : tacho__foreign_add_call(trace->foreign, &call);
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

static int add_work(struct clintercept *trace, const char *name)
{
	const struct tacho__foreign_chrome_event *event = &trace->chrome.event;
	const char *tid = tacho__buf_text(&event->tid);
	uintptr_t lane = (uintptr_t)tacho__names_get(&trace->lanes, tid);
	const char *queue = lane ? trace->foreign->texts[lane - 1] : strchr(tid, '.') ? tid : "";
	struct tacho__foreign_command command = {.process = trace->process,
						 .state = TACHO_STATE_OK,
						 .link = link_of(trace),
						 .start_ns = event->start_ns,
						 .end_ns = end_of(event),
						 .has_queue_times =
							 trace->has_queued && trace->has_submit,
						 .queued_ns = trace->queued_ns,
						 .submit_ns = trace->submit_ns};
	struct tacho__buf device = {0};
	int rc = tacho__unitrace_take_name(trace->foreign, name, &command);

	put_device(queue, &device);
	if (!rc)
		rc = device.failed ? TACHO_E_NOMEM
				   : tacho__unitrace_take_place(trace->foreign, "",
								tacho__buf_text(&device), queue,
								&command);
	tacho__buf_finish(&device);
	trace->commands++;
	return rc ? rc : tacho__foreign_add_command(trace->foreign, &command);
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
static int take_work(struct clintercept *trace)
{
	struct tacho__foreign_chrome_event *event = &trace->chrome.event;
	int rc = 0;

	if (cut(&event->name, " (Queued)")) {
		tacho__buf_clear(&trace->staged);
		tacho__buf_put(&trace->staged, tacho__buf_text(&trace->id));
		trace->has_queued = true;
		trace->has_submit = false;
		trace->queued_ns = event->start_ns;
		return trace->staged.failed ? TACHO_E_NOMEM : 0;
	}
	if (strcmp(tacho__buf_text(&trace->staged), tacho__buf_text(&trace->id)))
		trace->has_queued = false;
	if (cut(&event->name, " (Submitted)")) {
		trace->has_submit = trace->has_queued;
		trace->submit_ns = event->start_ns;
		return 0;
	}
	cut(&event->name, " (Execution)");
	rc = add_work(trace, tacho__buf_text(&event->name));
	trace->has_queued = trace->has_submit = false;
	return rc;
}

/* ---- the file ---- */

static bool wants(void *user, const struct tacho__foreign_chrome_event *event)
{
	return true;
}

static int take_argument(void *user, const struct tacho__foreign_chrome_event *event)
{
	struct clintercept *trace = user;
	struct tacho__buf *into = tacho__foreign_json_is(&trace->json, "name") ? &trace->label
				  : tacho__foreign_json_is(&trace->json, "id") ? &trace->id
									       : NULL;
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&trace->json, &piece);

	if (!rc && into &&
	    (piece == TACHO__FOREIGN_JSON_STRING || piece == TACHO__FOREIGN_JSON_NUMBER))
		tacho__buf_put(into, trace->json.text);
	if (!rc && into && into->failed)
		rc = TACHO_E_NOMEM;
	return rc ? rc : tacho__foreign_json_skip(&trace->json, piece);
}

static int take_event(struct clintercept *trace)
{
	const struct tacho__foreign_chrome_event *event = &trace->chrome.event;

	if (event->phase == 'M')
		return take_metadata(trace);
	if (event->phase != 'X' || !event->has_start || !event->has_duration)
		return 0;
	return is_host(tacho__buf_text(&event->tid)) ? take_call(trace) : take_work(trace);
}

static int read_events(struct clintercept *trace)
{
	enum tacho__foreign_json_piece piece;
	bool is_one = true;
	int rc = tacho__foreign_json_next(&trace->json, &piece);

	while (!rc && is_one) {
		tacho__buf_clear(&trace->label);
		tacho__buf_clear(&trace->id);
		rc = tacho__foreign_chrome_next(&trace->chrome, &is_one);
		if (!rc && is_one)
			rc = take_event(trace);
	}
	if (rc == TACHO_E_PARSE && trace->json.is_cut && trace->commands + trace->calls) {
		tacho__foreign_note(trace->foreign,
				    "The file ends early, at byte %" PRIu64
				    ", as when the program is killed: what is behind that is not "
				    "known.",
				    tacho__foreign_json_offset(&trace->json));
		rc = 0;
	}
	return rc;
}

static int end_file(struct clintercept *trace)
{
	struct tacho__foreign *foreign = trace->foreign;
	struct tacho_recording *recording = foreign->recording;
	struct tacho_process *process = &recording->processes[trace->process]->process;
	struct tacho__buf text = {0};

	process->pid = trace->pid;
	tacho__buf_printf(&text, "proc-%" PRIu32 "-%" PRIu32, process->pid, trace->process);
	process->directory = tacho__buf_keep(&text, &recording->arena);
	if (!process->directory)
		return TACHO_E_NOMEM;
	if (!trace->commands)
		tacho__foreign_note(foreign, "The file has no work of a device: "
					     "ChromePerformanceTiming keeps it.");
	if (trace->commands && !trace->calls)
		tacho__foreign_note(foreign,
				    "The file has no calls: ChromeCallLogging keeps them.");
	tacho__foreign_note(foreign,
			    "Sizes of launches, bytes of transfers and the time of day are "
			    "not in such files.");
	return 0;
}

static int read_file(struct tacho__foreign *foreign, const char *path, uint64_t number)
{
	struct clintercept trace = {.foreign = foreign};
	int rc = tacho__foreign_process(foreign, number, 0, &trace.process);

	tacho__foreign_begin_file(foreign);
	trace.chrome = (struct tacho__foreign_chrome){
		.json = &trace.json, .user = &trace, .wants = wants, .take = take_argument};
	if (!rc)
		rc = tacho__foreign_json_open(&trace.json, path);
	if (!rc)
		rc = read_events(&trace);
	if (!rc)
		rc = end_file(&trace);
	tacho__foreign_json_close(&trace.json);
	tacho__foreign_chrome_finish(&trace.chrome);
	tacho__buf_finish(&trace.label);
	tacho__buf_finish(&trace.id);
	tacho__buf_finish(&trace.staged);
	tacho__names_finish(&trace.lanes);
	return rc;
}

static int read_files(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		      size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++)
		rc = read_file(foreign, files[i].path, i + 1);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_clintercept = {
	.name = "clintercept",
	.title = "OpenCL intercept layer, Chrome trace",
	.fits = fits,
	.read = read_files,
};
