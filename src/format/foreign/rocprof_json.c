/* SPDX-License-Identifier: MIT */
/*
 * Chrome traces of rocprof (results.json) and rocprofv2 (PID_output.json). "Processes" there are
 * sections: copies, APIs, GPUs. rocprof's numbers are texts, and the exact times are among the
 * arguments; which call gave which work is only drawn, not said. rocprofv2 has whole microseconds,
 * and says it ("cid").
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign_chrome.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/rocprof.h"

/* Arguments that mean something; others of a launch are counters. */
enum argument {
	BEGIN,
	END,
	QUEUED,
	PROCESS,
	THREAD,
	DEVICE,
	GPU,
	QUEUE,
	STREAM,
	ARGUMENTS,
	KERNEL,
	GRID,
	GROUP,
	LOCAL,
	PRIVATE,
	VGPRS,
	OLD_VGPRS,
	ACCUM,
	SGPRS,
	LINK,
	ARGUMENTS_KNOWN
};

static const char *const keys[ARGUMENTS_KNOWN] = {
	[BEGIN] = "BeginNs",   [END] = "EndNs",		[QUEUED] = "DispatchNs",
	[PROCESS] = "pid",     [THREAD] = "tid",	[DEVICE] = "dev-id",
	[GPU] = "gpu-id",      [QUEUE] = "queue-id",	[STREAM] = "stream-id",
	[ARGUMENTS] = "args",  [KERNEL] = "KernelName", [GRID] = "grd",
	[GROUP] = "wgr",       [LOCAL] = "lds",		[PRIVATE] = "scr",
	[VGPRS] = "arch_vgpr", [OLD_VGPRS] = "vgpr",	[ACCUM] = "accum_vgpr",
	[SGPRS] = "sgpr",      [LINK] = "cid",
};

enum section { MARKERS, COPIES, HIP_CALLS, HSA_CALLS, FIRST_GPU = 6 };
enum { CPU = 1, GPUS = 2 }; /* of rocprofv2; above them copies and what the runtime does */

struct trace {
	struct tacho__rocprof rocprof;
	struct tacho__foreign_json json;
	struct tacho__foreign_chrome chrome;
	struct tacho__buf arguments[ARGUMENTS_KNOWN];
	bool is_second; /* of rocprofv2 */
	uint32_t pid;	/* in the file's name; 0 */
	uint64_t launches, again, values;
	uint64_t counted; /* the last launch with counters */
	bool has_queue_times;
};

static bool is_second(const char *head)
{
	return strstr(head, "\"HIPBLITKERNELS\"") != NULL;
}

static bool fits(const struct tacho__foreign_file *file)
{
	return strstr(file->head, "\"traceEvents\":[{}") ||
	       (is_second(file->head) && strstr(file->head, "\"traceEvents\""));
}

static const char *get(const struct trace *trace, enum argument argument)
{
	return tacho__buf_text(&trace->arguments[argument]);
}

static struct tacho__amd_number number(const struct trace *trace, enum argument argument)
{
	struct tacho__amd_number number = {0};

	number.is_known = tacho__foreign_csv_unsigned(get(trace, argument), &number.value);
	return number;
}

/* ---- arguments ---- */

/* A column of the launches' table that is none of its facts; told before its launch is known. */
static int take_counter(struct trace *trace, const char *key, const char *text)
{
	struct tacho__foreign_value value = {.values = trace->counted + 1, .state = TACHO_STATE_OK};
	struct tacho__foreign *foreign = trace->rocprof.amd.foreign;
	struct tacho__amd_number pid = number(trace, PROCESS);
	int rc;

	if (tacho__rocprof_is_fact(key) || !tacho__foreign_csv_real(text, &value.number.f64))
		return 0;
	rc = tacho__rocprof_process(&trace->rocprof, (uint32_t)pid.value, &value.process);
	if (!rc)
		rc = tacho__foreign_counter(foreign, key, "", TACHO_TYPE_F64, &value.counter);
	trace->values++;
	return rc ? rc : tacho__foreign_add_value(foreign, &value);
}

static enum argument find_argument(const char *key)
{
	int i = 0;

	while (i < ARGUMENTS_KNOWN && strcmp(key, keys[i]) != 0)
		i++;
	return (enum argument)i;
}

static int take_scalar(struct trace *trace, const char *key)
{
	enum argument argument = find_argument(key);

	if (argument == ARGUMENTS_KNOWN)
		return *get(trace, KERNEL) ? take_counter(trace, key, trace->json.text) : 0;
	tacho__buf_clear(&trace->arguments[argument]);
	tacho__buf_put(&trace->arguments[argument], trace->json.text);
	return trace->arguments[argument].failed ? TACHO_E_NOMEM : 0;
}

static int take_argument(void *user, const struct tacho__foreign_chrome_event *event)
{
	struct trace *trace = user;
	enum tacho__foreign_json_piece piece;
	char key[64];
	int rc;

	(void)event;
	snprintf(key, sizeof(key), "%.63s", trace->json.text);
	rc = tacho__foreign_json_next(&trace->json, &piece);
	if (!rc && (piece == TACHO__FOREIGN_JSON_STRING || piece == TACHO__FOREIGN_JSON_NUMBER))
		return take_scalar(trace, key);
	return rc ? rc : tacho__foreign_json_skip(&trace->json, piece);
}

static bool wants(void *user, const struct tacho__foreign_chrome_event *event)
{
	(void)user;
	(void)event;
	return true;
}

/* ---- events of rocprof ---- */

/* False: it has no time. */
static bool fill_row(const struct trace *trace, struct tacho__rocprof_row *row)
{
	const struct tacho__foreign_chrome_event *event = &trace->chrome.event;

	*row = (struct tacho__rocprof_row){.pid = (uint32_t)number(trace, PROCESS).value,
					   .tid = (uint32_t)number(trace, THREAD).value,
					   .name = tacho__buf_text(&event->name),
					   .arguments = get(trace, ARGUMENTS),
					   .device = "",
					   .queue = ""};
	return tacho__foreign_csv_integer(get(trace, BEGIN), &row->start_ns) &&
	       tacho__foreign_csv_integer(get(trace, END), &row->end_ns);
}

static void take_queued(struct trace *trace, const struct tacho__rocprof_row *row,
			struct tacho__foreign_command *launch)
{
	int64_t queued;

	if (!tacho__foreign_csv_integer(get(trace, QUEUED), &queued) || queued <= 0 ||
	    queued > row->start_ns)
		return;
	launch->has_queue_times = trace->has_queue_times = true;
	launch->queued_ns = launch->submit_ns = queued;
}

/* Of the table of launches, which knows most of them. */
static int take_launch(struct trace *trace, const struct tacho__rocprof_row *row)
{
	const struct tacho__amd_number one = {true, 1};
	const struct tacho__amd_number grid[3] = {number(trace, GRID), one, one};
	const struct tacho__amd_number group[3] = {number(trace, GROUP), one, one};
	const struct tacho__amd_kernel kernel = {
		.name = get(trace, KERNEL),
		.local_bytes = number(trace, LOCAL),
		.private_bytes = number(trace, PRIVATE),
		.vgprs = number(trace, *get(trace, VGPRS) ? VGPRS : OLD_VGPRS),
		.accum_vgprs = number(trace, ACCUM),
		.sgprs = number(trace, SGPRS)};
	struct tacho__foreign_command launch = {.values = ++trace->counted};
	int rc = tacho__rocprof_process(&trace->rocprof, row->pid, &launch.process);

	trace->launches++;
	tacho__amd_take_sizes(grid, group, &launch);
	take_queued(trace, row, &launch);
	return rc ? rc : tacho__rocprof_add_launch(&trace->rocprof, row, &kernel, &launch);
}

/* Kernels of the runtime's trace are those of the table of launches, when there is one. */
static int take_gpu(struct trace *trace, struct tacho__rocprof_row *row)
{
	char device[40], queue[80];

	snprintf(device, sizeof(device), "GPU %.30s", get(trace, *get(trace, GPU) ? GPU : DEVICE));
	snprintf(queue, sizeof(queue), "queue %.30s%s%.30s", get(trace, QUEUE),
		 *get(trace, STREAM) ? ", stream " : "", get(trace, STREAM));
	row->device = device;
	row->queue = queue;
	if (*get(trace, KERNEL))
		return take_launch(trace, row);
	if (trace->launches && tacho__rocprof_is_kernel(row->name)) {
		trace->again++;
		return 0;
	}
	return tacho__rocprof_add_work(&trace->rocprof, row);
}

static int take_first(struct trace *trace)
{
	struct tacho__rocprof_row row;
	uint64_t section;

	if (!tacho__foreign_chrome_number(tacho__buf_text(&trace->chrome.event.pid), &section) ||
	    !fill_row(trace, &row)) {
		trace->counted++; /* its values are no other launch's */
		return 0;
	}
	switch (section) {
	case MARKERS: return tacho__rocprof_add_marker(&trace->rocprof, &row);
	case COPIES: return tacho__rocprof_add_work(&trace->rocprof, &row);
	case HIP_CALLS: return tacho__rocprof_add_call(&trace->rocprof, &row, "hip");
	case HSA_CALLS: return tacho__rocprof_add_call(&trace->rocprof, &row, "hsa");
	default: return section >= FIRST_GPU ? take_gpu(trace, &row) : 0;
	}
}

/* ---- events of rocprofv2 ---- */

static const char *api_of(const char *name)
{
	return !strncmp(name, "hip", 3) || !strncmp(name, "__hip", 5) ? "hip"
	       : !strncmp(name, "hsa", 3)			      ? "hsa"
								      : NULL;
}

static int take_second(struct trace *trace)
{
	const struct tacho__foreign_chrome_event *event = &trace->chrome.event;
	struct tacho__rocprof_row row = {.pid = trace->pid,
					 .name = tacho__buf_text(&event->name),
					 .arguments = "",
					 .start_ns = event->start_ns,
					 .device = "",
					 .queue = ""};
	const char *api = api_of(row.name);
	uint64_t section = 0, lane = 0;
	char device[32];

	if (!event->has_start || !event->has_duration ||
	    __builtin_add_overflow(event->start_ns, event->duration_ns, &row.end_ns))
		return 0;
	tacho__foreign_chrome_number(tacho__buf_text(&event->pid), &section);
	tacho__foreign_chrome_number(tacho__buf_text(&event->tid), &lane);
	row.link = number(trace, LINK).value;
	if (section == CPU) {
		row.tid = (uint32_t)lane;
		return api ? tacho__rocprof_add_call(&trace->rocprof, &row, api)
			   : tacho__rocprof_add_marker(&trace->rocprof, &row);
	}
	snprintf(device, sizeof(device), "GPU %" PRIu64, lane ? lane - 1 : 0);
	if (section == GPUS)
		row.device = device;
	return tacho__rocprof_add_work(&trace->rocprof, &row);
}

/* ---- the file ---- */

static int take_event(struct trace *trace)
{
	if (trace->chrome.event.phase != 'X')
		return 0;
	return trace->is_second ? take_second(trace) : take_first(trace);
}

static int read_events(struct trace *trace)
{
	enum tacho__foreign_json_piece piece;
	bool is_one = true;
	int rc;

	while (!(rc = tacho__foreign_json_next(&trace->json, &piece)) &&
	       piece != TACHO__FOREIGN_JSON_END && piece != TACHO__FOREIGN_JSON_ARRAY)
		if (piece == TACHO__FOREIGN_JSON_KEY &&
		    !tacho__foreign_json_is(&trace->json, "traceEvents"))
			if ((rc = tacho__foreign_json_skip(&trace->json, piece)))
				return rc;
	while (!rc && is_one && piece == TACHO__FOREIGN_JSON_ARRAY) {
		for (int i = 0; i < ARGUMENTS_KNOWN; i++)
			tacho__buf_clear(&trace->arguments[i]);
		rc = tacho__foreign_chrome_next(&trace->chrome, &is_one);
		if (!rc && is_one)
			rc = take_event(trace);
	}
	return rc;
}

/* "12_output.json", "NAME_12_output.json" are of process 12. */
static uint32_t pid_of(const char *path)
{
	const char *base = tacho__base_name(path), *at = strstr(base, "_output.json"), *digits = at;
	uint64_t pid = 0;

	while (digits && digits > base && tacho__is_digit(digits[-1]))
		digits--;
	return digits && digits < at && tacho__foreign_chrome_number(digits, &pid) ? (uint32_t)pid
										   : 0;
}

static void note_what_lacks(const struct trace *trace)
{
	struct tacho__foreign *foreign = trace->rocprof.amd.foreign;

	if (trace->is_second)
		tacho__foreign_note(foreign,
				    "Times are whole microseconds there, and sizes of launches, "
				    "registers and bytes are not in such files.");
	else if (trace->rocprof.calls && trace->rocprof.work)
		tacho__foreign_note(foreign,
				    "Which call gave which work is not said there: results.db, "
				    "which rocprof writes beside it, says it.");
	if (!trace->has_queue_times)
		tacho__foreign_note(foreign,
				    "When work was queued and submitted is not in this file.");
	tacho__foreign_note_count(foreign, trace->again,
				  "kernel is told twice, as a launch and as work of the runtime: "
				  "the latter is left out.",
				  "kernels are told twice, as launches and as work of the runtime: "
				  "the latter are left out.");
	if (!trace->rocprof.calls && !trace->rocprof.work && !trace->rocprof.markers)
		foreign->recording->run.why_empty = "The file holds no call and no work.";
}

static int end_file(struct trace *trace, int rc)
{
	struct tacho__foreign *foreign = trace->rocprof.amd.foreign;

	rc = tacho__foreign_chrome_end(foreign, &trace->json, rc,
				       trace->rocprof.calls + trace->rocprof.work +
					       trace->rocprof.markers);
	if (!rc)
		rc = tacho__foreign_set_tool(foreign, trace->is_second ? "rocprofv2, JSON"
								       : "rocprof, JSON");
	if (!rc)
		note_what_lacks(trace);
	return rc;
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file,
		     uint64_t count)
{
	struct trace *trace = calloc(1, sizeof(*trace));
	int rc;

	if (!trace)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", file->path);
	tacho__foreign_begin_file(foreign);
	tacho__amd_begin(&trace->rocprof.amd, foreign);
	trace->rocprof.file = count;
	trace->is_second = is_second(file->head);
	trace->pid = pid_of(file->path);
	trace->chrome = (struct tacho__foreign_chrome){
		.json = &trace->json, .user = trace, .wants = wants, .take = take_argument};
	rc = tacho__foreign_json_open(&trace->json, file->path);
	if (!rc)
		rc = end_file(trace, read_events(trace));
	tacho__foreign_json_close(&trace->json);
	tacho__foreign_chrome_finish(&trace->chrome);
	for (int i = 0; i < ARGUMENTS_KNOWN; i++)
		tacho__buf_finish(&trace->arguments[i]);
	tacho__amd_finish(&trace->rocprof.amd);
	free(trace);
	return rc;
}

static int read_files(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		      size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++)
		rc = read_file(foreign, &files[i], i + 1);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_rocprof_json = {
	.name = "rocprof-json",
	.title = "rocprof, Chrome trace",
	.fits = fits,
	.read = read_files,
};
