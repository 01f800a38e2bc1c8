/* SPDX-License-Identifier: MIT */
/*
 * Profiles of apitrace ("apitrace replay --pgpu --pcpu"): a line for each call that was replayed,
 * under titles that differ by version, and one where a frame ends. Times are nanoseconds since the
 * replay began, each of its own clock.
 */
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_csv.h"

static const char begin[] = "# call no gpu_start gpu_dura ";

enum column { NUMBER, GPU_START, GPU_TIME, CPU_START, CPU_TIME, PIXELS, PROGRAM, NAME, COLUMNS };

struct profile {
	struct tacho__foreign *foreign;
	struct tacho__foreign_csv lines;
	int places[COLUMNS];
	uint32_t process;
	uint64_t values; /* the last that was given to a piece of work */
	uint64_t calls, work, odd;
	int64_t frame_ns, last_ns; /* where the frame began; the last end of a call, or of work */
	bool has_frame;
};

static bool fits(const struct tacho__foreign_file *file)
{
	return strstr(file->head, begin) != NULL;
}

static void take_titles(struct profile *profile)
{
	static const char *const titles[] = {"no",	 "gpu_start", "gpu_dura", "cpu_start",
					     "cpu_dura", "pixels",    "program",  "name"};

	for (int i = 0; i < COLUMNS; i++) {
		int place = tacho__foreign_csv_find(profile->lines.cells, profile->lines.cell_count,
						    titles[i]);

		profile->places[i] = place > 0 ? place - 1 : -1; /* lines have no "#" */
	}
}

static int64_t get(const struct profile *profile, enum column column)
{
	int64_t value;

	return tacho__foreign_csv_integer(
		       tacho__foreign_csv_cell(&profile->lines, profile->places[column]), &value)
		       ? value
		       : 0;
}

static int64_t add(int64_t start, int64_t duration)
{
	int64_t end;

	return __builtin_add_overflow(start, duration, &end) ? start : end;
}

static const char *name_of(const struct profile *profile)
{
	return tacho__foreign_csv_cell(&profile->lines, profile->places[NAME]);
}

/* ---- frames ---- */

static void see(struct profile *profile, int64_t start, int64_t end)
{
	if (!profile->has_frame)
		profile->frame_ns = start;
	if (!profile->has_frame || end > profile->last_ns)
		profile->last_ns = end;
	profile->has_frame = true;
}

static int end_frame(struct profile *profile)
{
	struct tacho__foreign_range range = {.process = profile->process,
					     .thread = 1,
					     .kind = TACHO_RANGE_NESTED,
					     .start_ns = profile->frame_ns,
					     .end_ns = profile->last_ns,
					     .has_end = 1};
	int rc;

	if (!profile->has_frame)
		return 0;
	profile->has_frame = false;
	rc = tacho__foreign_text(profile->foreign, "frame", &range.name);
	if (!rc)
		rc = tacho__foreign_text(profile->foreign, "apitrace", &range.api);
	return rc ? rc : tacho__foreign_add_range(profile->foreign, &range);
}

/* ---- calls ---- */

/* Draws of one program belong together. */
static int find_kernel(struct profile *profile, const char *name, int64_t program,
		       struct tacho__foreign_command *command)
{
	struct tacho__buf text = {0};

	tacho__buf_printf(&text, "name=%s", name);
	if (program > 0)
		tacho__buf_printf(&text, " (program %" PRIi64 ")", program);
	tacho__buf_char(&text, '\n');
	return tacho__foreign_described(profile->foreign, profile->process, TACHO_OBJECT_KERNEL,
					&text, NULL, &command->kernel);
}

static int find_device(struct profile *profile, struct tacho__foreign_command *command)
{
	struct tacho__buf text = {0};
	int rc;

	tacho__buf_put(&text, "type=gpu\nname=GPU\n");
	rc = tacho__foreign_thing(profile->foreign, profile->process, TACHO_OBJECT_DEVICE, 1, &text,
				  &command->device);
	tacho__buf_finish(&text);
	return rc;
}

/* 0 where they were not counted, and -1 where a call draws nothing: only others are known. */
static int add_pixels(struct profile *profile, int64_t pixels,
		      struct tacho__foreign_command *command)
{
	struct tacho__foreign_value value = {.process = profile->process,
					     .state = TACHO_STATE_OK,
					     .number = {.u64 = (uint64_t)pixels}};
	int rc;

	if (pixels <= 0)
		return 0;
	command->values = value.values = ++profile->values;
	rc = tacho__foreign_counter(profile->foreign, "pixels", "", TACHO_TYPE_U64, &value.counter);
	return rc ? rc : tacho__foreign_add_value(profile->foreign, &value);
}

static int add_work(struct profile *profile, uint64_t link)
{
	int64_t start = get(profile, GPU_START);
	struct tacho__foreign_command command = {.process = profile->process,
						 .thread = 1,
						 .kind = TACHO_COMMAND_KERNEL,
						 .state = TACHO_STATE_OK,
						 .link = link,
						 .start_ns = start,
						 .end_ns = add(start, get(profile, GPU_TIME))};
	int rc = find_kernel(profile, name_of(profile), get(profile, PROGRAM), &command);

	if (!rc)
		rc = find_device(profile, &command);
	if (!rc)
		rc = add_pixels(profile, get(profile, PIXELS), &command);
	if (!rc)
		rc = tacho__foreign_text(profile->foreign, "draw", &command.name);
	profile->work++;
	if (!link)
		see(profile, command.start_ns, command.end_ns);
	return rc ? rc : tacho__foreign_add_command(profile->foreign, &command);
}

static int add_call(struct profile *profile, uint64_t link)
{
	int64_t start = get(profile, CPU_START);
	struct tacho__foreign_call call = {.process = profile->process,
					   .thread = 1,
					   .link = link,
					   .start_ns = start,
					   .end_ns = add(start, get(profile, CPU_TIME))};
	int rc = tacho__foreign_function(profile->foreign, "gl", name_of(profile), &call.function);

	profile->calls++;
	see(profile, call.start_ns, call.end_ns);
	return rc ? rc : tacho__foreign_add_call(profile->foreign, &call);
}

static int take_call(struct profile *profile)
{
	bool has_cpu = get(profile, CPU_START) || get(profile, CPU_TIME) > 0;
	bool has_gpu = get(profile, GPU_TIME) > 0;
	int64_t number = get(profile, NUMBER);
	uint64_t link = has_cpu && has_gpu && number >= 0 ? (uint64_t)number + 1 : 0;
	int rc = 0;

	if (!*name_of(profile)) {
		profile->odd++;
		return 0;
	}
	if (has_cpu)
		rc = add_call(profile, link);
	if (!rc && has_gpu)
		rc = add_work(profile, link);
	return rc;
}

/* ---- the file ---- */

static int read_lines(struct profile *profile)
{
	char **cells;
	size_t count;
	int rc = 0;

	profile->lines.separator = ' ';
	for (int i = 0; i < COLUMNS; i++)
		profile->places[i] = -1;
	while (!rc && !(rc = tacho__foreign_csv_next(&profile->lines, &cells, &count)) && count) {
		if (!strcmp(cells[0], "#") && count > 2 && !strcmp(cells[1], "call"))
			take_titles(profile);
		else if (!strcmp(cells[0], "call"))
			rc = take_call(profile);
		else if (!strcmp(cells[0], "frame_end"))
			rc = end_frame(profile);
		else
			profile->odd += *cells[0] && *cells[0] != '#';
	}
	return rc;
}

static void note_what_lacks(const struct profile *profile)
{
	struct tacho__foreign *foreign = profile->foreign;

	if (!profile->work)
		tacho__foreign_note(foreign, "The profile has no times of the GPU: apitrace replay "
					     "--pgpu measures them.");
	if (!profile->calls)
		tacho__foreign_note(foreign, "The profile has no times of calls: apitrace replay "
					     "--pcpu measures them.");
	if (profile->work && profile->calls)
		tacho__foreign_note(foreign,
				    "Times of calls and of the GPU are those of two clocks, "
				    "each from the beginning of the replay on: how they "
				    "lie to each other is known roughly.");
	tacho__foreign_note_count(foreign, profile->odd,
				  "line is none of a profile and is left out.",
				  "lines are none of a profile and are left out.");
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct profile profile = {.foreign = foreign};
	int rc = tacho__foreign_process(foreign, file->number, 0, &profile.process);

	if (!rc)
		rc = tacho__foreign_csv_open(&profile.lines, file->path);
	if (rc)
		return rc;
	rc = read_lines(&profile);
	tacho__foreign_note_end(foreign, file->path, profile.lines.is_open);
	tacho__foreign_csv_close(&profile.lines);
	if (!rc)
		note_what_lacks(&profile);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_apitrace = {
	.name = "apitrace-profile",
	.title = "apitrace, profile of a replay",
	.fits = fits,
	.read_file = read_file,
};
