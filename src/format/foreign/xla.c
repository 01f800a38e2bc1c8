/* SPDX-License-Identifier: MIT */
/*
 * Traces of XLA's profiler, which jax.profiler and TensorFlow's write as NAME.trace.json.gz, and
 * JAX once more as perfetto_trace.json.gz: what is told of the run, and what is left out.
 */
#include "format/foreign/xla.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* XLA writes the first so many events, in the order of time, and no more. */
enum { EVENTS_MAX = 1000000 };

/* Names of planes, which come first. */
static bool fits(const struct tacho__foreign_file *file)
{
	return strstr(file->head, "\"traceEvents\"") && strstr(file->head, "\"process_name\"") &&
	       (strstr(file->head, "\"/host:CPU\"") || strstr(file->head, "\"/device:GPU:"));
}

static int read_events(struct tacho__xla *xla)
{
	bool is_one = true;
	int rc = 0;

	while (!rc && is_one) {
		rc = tacho__xla_next(xla, &is_one);
		if (!rc && is_one)
			rc = tacho__xla_take(xla);
	}
	return rc;
}

static int read_top(struct tacho__xla *xla)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&xla->json, &piece);

	while (!rc && !(rc = tacho__foreign_json_next(&xla->json, &piece)) &&
	       piece == TACHO__FOREIGN_JSON_KEY) {
		bool has_events = tacho__foreign_json_is(&xla->json, "traceEvents");

		rc = tacho__foreign_json_next(&xla->json, &piece);
		if (!rc)
			rc = has_events && piece == TACHO__FOREIGN_JSON_ARRAY
				     ? read_events(xla)
				     : tacho__foreign_json_skip(&xla->json, piece);
	}
	return rc;
}

/* ---- what is told at the end ---- */

static void note_work(const struct tacho__xla *xla)
{
	struct tacho__foreign *foreign = xla->foreign;

	tacho__foreign_note(foreign,
			    "When work was queued and submitted, what calls were given and "
			    "what they returned, the names of devices, the process's number "
			    "and the time of day are not in such files.");
	tacho__foreign_note_count(foreign, xla->unlinked, "piece of work names no call.",
				  "pieces of work name no call.");
	tacho__foreign_note_count(foreign, xla->sizeless, "launch has no size in the file.",
				  "launches have no size in the file.");
	tacho__foreign_note_count(foreign, xla->unfilled,
				  "launch has more registers in the file than any GPU has: the "
				  "profiler did not fill them in, nor its memory.",
				  "launches have more registers in the file than any GPU has: the "
				  "profiler did not fill them in, nor their memory.");
	tacho__foreign_note_count(
		foreign, xla->own_copies,
		"kernel is a copy or fill of the runtime itself (__amd_rocclr_...).",
		"kernels are copies and fills of the runtime itself (__amd_rocclr_...).");
}

static void note_left_out(const struct tacho__xla *xla)
{
	struct tacho__foreign *foreign = xla->foreign;

	tacho__foreign_note_count(foreign, xla->frames, "frame of Python is left out.",
				  "frames of Python are left out.");
	tacho__foreign_note_count(foreign, xla->memory,
				  "event about memory that was given or taken back is left out.",
				  "events about memory that was given or taken back are left out.");
	tacho__foreign_note_count(
		foreign, xla->derived,
		"event of a line that is no stream is left out: it tells again what streams have.",
		"events of lines that are no streams are left out: they tell again what streams "
		"have.");
	tacho__foreign_note_count(foreign, xla->strangers,
				  "event of a device that is no GPU is left out.",
				  "events of devices that are no GPUs are left out.");
	tacho__foreign_note_count(foreign, xla->timeless, "event has no time and is left out.",
				  "events have no time and are left out.");
	tacho__foreign_note_count(foreign, xla->json.mended, "character of texts was none.",
				  "characters of texts were none.");
}

static void note_what_lacks(const struct tacho__xla *xla)
{
	struct tacho__foreign *foreign = xla->foreign;

	if (xla->events >= EVENTS_MAX)
		tacho__foreign_note(foreign,
				    "The file has %" PRIu64 " events, and XLA writes %d at most: "
				    "what happened later is not in it. Trace a shorter time.",
				    xla->events, EVENTS_MAX);
	if (xla->commands)
		note_work(xla);
	else if (foreign->has_time)
		tacho__foreign_note(foreign, "The file has no work of a GPU.");
	else
		foreign->recording->run.why_empty = "The file holds no event with a time.";
	note_left_out(xla);
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct tacho__xla *xla = calloc(1, sizeof(*xla));
	int rc;

	if (!xla)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", file->path);
	xla->foreign = foreign;
	tacho__xla_begin_events(xla);
	rc = tacho__foreign_process(foreign, file->number << 40, 0, &xla->process);
	if (!rc)
		rc = tacho__foreign_json_open(&xla->json, file->path);
	if (!rc)
		rc = read_top(xla);
	rc = tacho__foreign_chrome_end(foreign, &xla->json, rc, xla->commands + xla->calls);
	if (!rc)
		note_what_lacks(xla);
	tacho__xla_finish_events(xla);
	tacho__map_finish(&xla->planes);
	tacho__map_finish(&xla->lines);
	free(xla);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_xla = {
	.name = "xla",
	.title = "JAX or TensorFlow (XLA), trace",
	.fits = fits,
	.read_file = read_file,
};
