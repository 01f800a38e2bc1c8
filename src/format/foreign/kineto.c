/* SPDX-License-Identifier: MIT */
/* Traces of PyTorch's profiler (Kineto): what is told of the run, of devices, and what is left out.
 */
#include "format/foreign/kineto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/foreign_csv.h"

/* ---- is it one ---- */

enum { LOOK_MAX = 1024 * 1024, LOOK_EVENTS = 2000 };

/* A member that only such files have beside their events. */
static bool is_own_member(const struct tacho__foreign_json *json)
{
	static const char *const members[] = {"schemaVersion", "deviceProperties",
					      "distributedInfo", "baseTimeNanoseconds",
					      "record_shapes"};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(members); i++)
		if (tacho__foreign_json_is(json, members[i]))
			return true;
	return false;
}

static bool wants_none(void *user, const struct tacho__foreign_chrome_event *event)
{
	return false;
}

static int find_own_event(struct tacho__foreign_json *json, bool *out_is_own)
{
	struct tacho__foreign_chrome chrome = {.json = json, .wants = wants_none};
	bool is_one = true;
	int rc = 0;

	for (int i = 0; i < LOOK_EVENTS && is_one && !*out_is_own && !rc &&
			tacho__foreign_json_offset(json) <= LOOK_MAX;
	     i++) {
		rc = tacho__foreign_chrome_next(&chrome, &is_one);
		*out_is_own =
			!rc && chrome.event.category.size &&
			tacho__kineto_sort_of(chrome.event.category.text) != TACHO__KINETO_OTHER;
	}
	tacho__foreign_chrome_finish(&chrome);
	return rc;
}

/* At a key of the whole: *out_is_end when nothing behind it can say more. */
static int look_at_member(struct tacho__foreign_json *json, bool *out_is_end, bool *out_is_own)
{
	enum tacho__foreign_json_piece piece;
	int rc;

	*out_is_own = *out_is_end = is_own_member(json);
	if (*out_is_own)
		return 0;
	if (!tacho__foreign_json_is(json, "traceEvents"))
		return tacho__foreign_json_skip(json, TACHO__FOREIGN_JSON_KEY);
	*out_is_end = true;
	rc = tacho__foreign_json_next(json, &piece);
	return rc || piece != TACHO__FOREIGN_JSON_ARRAY ? rc : find_own_event(json, out_is_own);
}

/* The events may come behind much else. */
static int look(struct tacho__foreign_json *json, bool *out_is_own)
{
	enum tacho__foreign_json_piece piece;
	bool is_end = false;
	int rc = tacho__foreign_json_next(json, &piece);

	if (!rc && piece == TACHO__FOREIGN_JSON_ARRAY)
		return find_own_event(json, out_is_own);
	while (!rc && !is_end && tacho__foreign_json_offset(json) <= LOOK_MAX &&
	       !(rc = tacho__foreign_json_next(json, &piece)) && piece == TACHO__FOREIGN_JSON_KEY)
		rc = look_at_member(json, &is_end, out_is_own);
	return rc;
}

static bool fits(const struct tacho__foreign_file *file)
{
	const char *at = file->head + strspn(file->head, " \t\r\n");
	struct tacho__foreign_json json;
	bool is_one = false;
	int rc;

	if (*at != '{' && *at != '[')
		return false;
	rc = tacho__foreign_json_open(&json, file->path);
	if (!rc)
		rc = look(&json, &is_one);
	if (rc && rc != TACHO_E_PARSE)
		*file->failure = rc;
	tacho__foreign_json_close(&json);
	return is_one;
}

/* ---- beside the events ---- */

/* A text or number that is the value of a key; "" for others. Borrowed. */
static int take_text(struct tacho__foreign_json *json, const char **out_text)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(json, &piece);

	*out_text = piece == TACHO__FOREIGN_JSON_STRING || piece == TACHO__FOREIGN_JSON_NUMBER
			    ? json->text
			    : "";
	return rc ? rc : tacho__foreign_json_skip(json, piece);
}

/* A member of a device, as an attribute; its number and capability are put together later. */
struct device {
	uint64_t id, major, minor, units, memory;
	bool has_id;
	struct tacho__buf name;
};

static int take_device_member(struct tacho__foreign_json *json, struct device *device)
{
	static const char *const keys[] = {"id", "computeMajor", "computeMinor", "numSms",
					   "totalGlobalMem"};
	uint64_t *const into[] = {&device->id, &device->major, &device->minor, &device->units,
				  &device->memory};
	const char *text;
	size_t i = 0;

	if (tacho__foreign_json_is(json, "name")) {
		int rc = take_text(json, &text);

		for (; !rc && *text; text++)
			tacho__buf_char(&device->name, *text == '\n' ? ' ' : *text);
		return rc;
	}
	while (i < TACHO__ARRAY_SIZE(keys) && !tacho__foreign_json_is(json, keys[i]))
		i++;
	if (i == TACHO__ARRAY_SIZE(keys))
		return tacho__foreign_json_skip(json, TACHO__FOREIGN_JSON_KEY);
	int rc = take_text(json, &text);

	if (!rc && tacho__foreign_csv_unsigned(text, into[i]))
		device->has_id |= !i;
	return rc;
}

/* AMD's numbers of that name are no compute capability. */
static void put_device(const struct device *device, struct tacho__buf *text)
{
	bool is_amd = !strncmp(tacho__buf_text(&device->name), "AMD", 3);
	bool is_nvidia = !strncmp(tacho__buf_text(&device->name), "NVIDIA", 6);

	tacho__buf_clear(text);
	tacho__buf_printf(text, "name=%s\n", tacho__buf_text(&device->name));
	if (is_amd || is_nvidia)
		tacho__buf_printf(text, "vendor=%s\n", is_amd ? "AMD" : "NVIDIA");
	if (device->units)
		tacho__buf_printf(text, "compute_units=%" PRIu64 "\n", device->units);
	if (device->memory)
		tacho__buf_printf(text, "memory_bytes=%" PRIu64 "\n", device->memory);
	if (device->major && !is_amd)
		tacho__buf_printf(text, "compute_capability=%" PRIu64 ".%" PRIu64 "\n",
				  device->major, device->minor);
}

static int take_device(struct tacho__kineto *kineto, struct tacho__foreign_json *json)
{
	struct device device = {0};
	enum tacho__foreign_json_piece piece;
	int rc;

	while (!(rc = tacho__foreign_json_next(json, &piece)) && piece == TACHO__FOREIGN_JSON_KEY)
		if ((rc = take_device_member(json, &device)))
			break;
	kineto->device_count++;
	if (!rc && device.name.failed)
		rc = TACHO_E_NOMEM;
	if (!rc && device.has_id && device.name.size && device.id < TACHO__KINETO_DEVICES) {
		put_device(&device, &kineto->devices[device.id]);
		rc = kineto->devices[device.id].failed ? TACHO_E_NOMEM : 0;
	}
	tacho__buf_finish(&device.name);
	return rc;
}

static int take_devices(struct tacho__kineto *kineto, struct tacho__foreign_json *json)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(json, &piece);

	if (rc || piece != TACHO__FOREIGN_JSON_ARRAY)
		return rc ? rc : tacho__foreign_json_skip(json, piece);
	kineto->has_devices = true;
	kineto->device_count = 0;
	while (!(rc = tacho__foreign_json_next(json, &piece)) &&
	       piece != TACHO__FOREIGN_JSON_ARRAY_END) {
		rc = piece == TACHO__FOREIGN_JSON_OBJECT ? take_device(kineto, json)
							 : tacho__foreign_json_skip(json, piece);
		if (rc)
			break;
	}
	return rc;
}

static int take_rank(struct tacho__kineto *kineto, struct tacho__foreign_json *json)
{
	enum tacho__foreign_json_piece piece;
	const char *text;
	int rc = tacho__foreign_json_next(json, &piece);

	if (rc || piece != TACHO__FOREIGN_JSON_OBJECT)
		return rc ? rc : tacho__foreign_json_skip(json, piece);
	while (!(rc = tacho__foreign_json_next(json, &piece)) && piece == TACHO__FOREIGN_JSON_KEY) {
		bool is_rank = tacho__foreign_json_is(json, "rank") && !kineto->rank.size;

		rc = is_rank ? take_text(json, &text) : tacho__foreign_json_skip(json, piece);
		if (rc)
			break;
		if (is_rank)
			tacho__buf_put(&kineto->rank, text);
	}
	return !rc && kineto->rank.failed ? TACHO_E_NOMEM : rc;
}

/* Versions are numbers: 12040 is 12.4 for CUDA, 60443483 is 6.4.43483 for HIP. */
static void put_version(struct tacho__kineto *kineto, const char *key, const char *text)
{
	uint64_t version;

	if (!tacho__foreign_csv_unsigned(text, &version) || !version)
		return;
	if (!strcmp(key, "cuda_runtime_version"))
		tacho__buf_printf(&kineto->tool, ", CUDA %" PRIu64 ".%" PRIu64, version / 1000,
				  version % 1000 / 10);
	else
		tacho__buf_printf(&kineto->tool, ", HIP %" PRIu64 ".%" PRIu64 ".%" PRIu64,
				  version / 10000000, version / 100000 % 100, version % 100000);
}

static int take_version(struct tacho__kineto *kineto, struct tacho__foreign_json *json)
{
	const char *key = tacho__foreign_json_is(json, "cuda_runtime_version")
				  ? "cuda_runtime_version"
				  : "hip_runtime_version";
	const char *text;
	int rc = take_text(json, &text);

	if (!rc && !kineto->tool.size)
		put_version(kineto, key, text);
	return !rc && kineto->tool.failed ? TACHO_E_NOMEM : rc;
}

static int take_epoch(struct tacho__kineto *kineto, struct tacho__foreign_json *json)
{
	const char *text;
	int64_t ns;
	int rc = take_text(json, &text);

	if (rc || !tacho__foreign_csv_integer(text, &ns))
		return rc;
	kineto->has_epoch = true;
	tacho__foreign_set_epoch(kineto->foreign, ns);
	return 0;
}

/* A member beside the events; the last piece is its key. */
static int take_member(struct tacho__kineto *kineto, struct tacho__foreign_json *json)
{
	if (tacho__foreign_json_is(json, "deviceProperties"))
		return take_devices(kineto, json);
	if (tacho__foreign_json_is(json, "distributedInfo"))
		return take_rank(kineto, json);
	if (tacho__foreign_json_is(json, "baseTimeNanoseconds"))
		return take_epoch(kineto, json);
	if (tacho__foreign_json_is(json, "cuda_runtime_version") ||
	    tacho__foreign_json_is(json, "hip_runtime_version"))
		return take_version(kineto, json);
	return tacho__foreign_json_skip(json, TACHO__FOREIGN_JSON_KEY);
}

/*
 * Everything but the events, where these come first: the devices must be known before their work
 * is told, and the clock before any time is. What is behind damage is not known.
 */
static int read_ahead(struct tacho__kineto *kineto, const char *path)
{
	enum tacho__foreign_json_piece piece;
	struct tacho__foreign_json json;
	int rc = tacho__foreign_json_open(&json, path);

	kineto->is_read_ahead = true;
	if (rc)
		return rc;
	rc = tacho__foreign_json_next(&json, &piece);
	while (!rc && piece == TACHO__FOREIGN_JSON_OBJECT)
		if ((rc = tacho__foreign_json_next(&json, &piece)) ||
		    piece != TACHO__FOREIGN_JSON_KEY)
			break;
		else if (!(rc = take_member(kineto, &json)))
			piece = TACHO__FOREIGN_JSON_OBJECT;
	tacho__foreign_json_close(&json);
	return rc == TACHO_E_PARSE ? 0 : rc;
}

/* ---- the file ---- */

static int read_events(struct tacho__kineto *kineto)
{
	bool is_one;
	int rc;

	while (!(rc = tacho__kineto_next(kineto, &is_one)) && is_one)
		if ((rc = tacho__kineto_take(kineto)))
			break;
	return rc;
}

static int read_top(struct tacho__kineto *kineto, const char *path)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&kineto->json, &piece);

	if (rc || piece == TACHO__FOREIGN_JSON_ARRAY)
		return rc ? rc : read_events(kineto);
	while (!rc && !(rc = tacho__foreign_json_next(&kineto->json, &piece)) &&
	       piece == TACHO__FOREIGN_JSON_KEY) {
		if (!tacho__foreign_json_is(&kineto->json, "traceEvents")) {
			rc = kineto->is_read_ahead ? tacho__foreign_json_skip(&kineto->json, piece)
						   : take_member(kineto, &kineto->json);
			continue;
		}
		if (!kineto->has_devices && !kineto->is_read_ahead)
			rc = read_ahead(kineto, path);
		if (!rc)
			rc = tacho__foreign_json_next(&kineto->json, &piece);
		if (!rc)
			rc = piece == TACHO__FOREIGN_JSON_ARRAY
				     ? read_events(kineto)
				     : tacho__foreign_json_skip(&kineto->json, piece);
	}
	return rc;
}

/* ---- what is told at the end ---- */

static int name_process(struct tacho__kineto *kineto)
{
	struct tacho_recording *recording = kineto->foreign->recording;
	struct tacho_process *process = &recording->processes[kineto->process]->process;
	int rc;

	if (kineto->rank.size)
		tacho__buf_printf(&kineto->name, "%srank %s", kineto->name.size ? ", " : "",
				  kineto->rank.text);
	if (kineto->name.failed)
		return TACHO_E_NOMEM;
	rc = tacho__foreign_set_pid(kineto->foreign, kineto->process, (uint32_t)kineto->pid);
	if (!rc)
		rc = tacho__foreign_name_process(kineto->foreign, kineto->process,
						 tacho__buf_text(&kineto->name));
	if (!rc && !*recording->run.application)
		recording->run.application = process->executable;
	return rc;
}

static int name_tool(struct tacho__kineto *kineto)
{
	struct tacho__buf text = {0};
	int rc;

	tacho__buf_printf(&text, "%s%s", tacho__foreign_kineto.title,
			  tacho__buf_text(&kineto->tool));
	rc = text.failed ? TACHO_E_NOMEM
			 : tacho__foreign_set_tool(kineto->foreign, tacho__buf_text(&text));
	tacho__buf_finish(&text);
	return rc;
}

static int note_left_out(struct tacho__kineto *kineto)
{
	struct tacho__buf text = {0};
	bool failed;

	for (size_t i = 0; i < TACHO__KINETO_LEFT_OUT && kineto->left_out[i].count; i++)
		tacho__buf_printf(&text, "%s%" PRIu64 " %s", i ? ", " : "",
				  kineto->left_out[i].count, kineto->left_out[i].name);
	failed = text.failed;
	if (text.size && !failed)
		tacho__foreign_note(kineto->foreign, "Left out are events of other sorts: %s.",
				    text.text);
	tacho__buf_finish(&text);
	return failed ? TACHO_E_NOMEM : 0;
}

static void note_work(struct tacho__kineto *kineto)
{
	struct tacho__foreign *foreign = kineto->foreign;

	tacho__foreign_note(foreign,
			    "When work was queued and submitted, what calls were given and "
			    "what they returned is not in such files.");
	tacho__foreign_note_count(foreign, kineto->sizeless, "launch has no size in the file.",
				  "launches have no size in the file.");
	tacho__foreign_note_count(foreign, kineto->unlinked, "piece of work names no call.",
				  "pieces of work name no call.");
	tacho__foreign_note_count(foreign, kineto->own_copies,
				  "kernel is a copy or fill of the runtime itself "
				  "(__amd_rocclr_...): other versions tell it as a transfer.",
				  "kernels are copies and fills of the runtime itself "
				  "(__amd_rocclr_...): other versions tell them as transfers.");
	tacho__foreign_note_count(foreign, kineto->counted,
				  "kernel has counters and no times: the profiler of ranges does "
				  "not measure when it ran.",
				  "kernels have counters and no times: the profiler of ranges does "
				  "not measure when they ran.");
}

static int note_what_lacks(struct tacho__kineto *kineto)
{
	struct tacho__foreign *foreign = kineto->foreign;

	if (kineto->commands)
		note_work(kineto);
	else if (foreign->has_time)
		tacho__foreign_note(foreign, "The file has no kernel and no transfer: they were "
					     "not traced, or all dropped by the profiler.");
	else
		foreign->recording->run.why_empty = "The file holds no event with a time.";
	tacho__foreign_note_count(foreign, kineto->strangers,
				  "call is of another process than the first. Work names no "
				  "process: all is taken to be the first one's.",
				  "calls are of other processes than the first. Work names no "
				  "process: all is taken to be the first one's.");
	tacho__foreign_note_count(foreign, kineto->timeless, "event has no time and is left out.",
				  "events have no time and are left out.");
	tacho__foreign_note_count(foreign, kineto->json.mended, "character of texts was none.",
				  "characters of texts were none.");
	return note_left_out(kineto);
}

static void finish(struct tacho__kineto *kineto)
{
	tacho__foreign_json_close(&kineto->json);
	tacho__foreign_chrome_finish(&kineto->chrome);
	tacho__buf_finish(&kineto->arguments.label);
	tacho__buf_finish(&kineto->arguments.numbers);
	tacho__buf_finish(&kineto->name);
	tacho__buf_finish(&kineto->rank);
	tacho__buf_finish(&kineto->tool);
	for (size_t i = 0; i < TACHO__KINETO_DEVICES; i++)
		tacho__buf_finish(&kineto->devices[i]);
	free(kineto);
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct tacho__kineto *kineto = calloc(1, sizeof(*kineto));
	const char *path = file->path;
	int rc;

	if (!kineto)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
	kineto->foreign = foreign;
	kineto->file = file->number;
	tacho__kineto_begin_events(kineto);
	rc = tacho__foreign_process(foreign, file->number << 40, 0, &kineto->process);
	if (!rc && !file->is_alone)
		rc = read_ahead(kineto, path);
	if (!rc)
		rc = tacho__foreign_json_open(&kineto->json, path);
	if (!rc)
		rc = read_top(kineto, path);
	rc = tacho__foreign_chrome_end(foreign, &kineto->json, rc,
				       kineto->commands + kineto->calls);
	if (!rc)
		rc = name_process(kineto);
	if (!rc)
		rc = name_tool(kineto);
	if (!rc)
		rc = note_what_lacks(kineto);
	finish(kineto);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_kineto = {
	.name = "kineto",
	.title = "PyTorch profiler (Kineto)",
	.fits = fits,
	.read_file = read_file,
};
