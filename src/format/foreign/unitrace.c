/* SPDX-License-Identifier: MIT */
/*
 * Timelines of devices as Intel's tracers print them: a line for each piece of work, with all four
 * times.
 *
 *	Thread T Device D : NAME [ns] A (append) B (submit) C (start) D (end)
 *	Device Timeline (queue: Q): NAME [ns] = A (queued) B (submit) C (start) D (end)
 *
 * Behind them a table of kernels' properties may stand, when sums were asked for, too.
 */
#include "format/foreign/unitrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign_csv.h"

/* A line, cut into what it says; texts lie in the line. */
struct timeline {
	uint32_t thread;
	const char *device, *queue, *name;
	uint64_t ns[4]; /* appended, submitted, started, ended */
};

/* The last place where a text stands in another. */
static char *find_last(char *text, const char *wanted)
{
	char *found = NULL;

	for (char *at = strstr(text, wanted); at; at = strstr(at + 1, wanted))
		found = at;
	return found;
}

static bool take_times(const char *text, uint64_t ns[4])
{
	char word[16];
	int end = 0;

	text += !strncmp(text, "= ", 2) ? 2 : 0;
	return sscanf(text,
		      "%" SCNu64 " (%10[a-z]) %" SCNu64 " (submit) %" SCNu64 " (start) %" SCNu64
		      " (end)%n",
		      &ns[0], word, &ns[1], &ns[2], &ns[3], &end) == 5 &&
	       end && (!strcmp(word, "append") || !strcmp(word, "queued"));
}

static bool take_thread(char *line, struct timeline *out)
{
	char *device = strstr(line, " Device "), *name;
	uint64_t thread;

	if (strncmp(line, "Thread ", 7) || !device)
		return false;
	*device = '\0';
	device += 8;
	name = strstr(device, " : ");
	if (!name || !tacho__foreign_csv_unsigned(line + 7, &thread))
		return false;
	*name = '\0';
	out->thread = (uint32_t)thread;
	out->device = device;
	out->queue = "";
	out->name = name + 3;
	return true;
}

static bool take_queue(char *line, struct timeline *out)
{
	static const char begin[] = "Device Timeline (queue: ";
	char *queue = line + sizeof(begin) - 1, *end;

	if (strncmp(line, begin, sizeof(begin) - 1))
		return false;
	end = strstr(queue, "): ");
	if (!end)
		return false;
	*end = '\0';
	out->thread = 0;
	out->device = "";
	out->queue = queue;
	out->name = end + 3;
	return true;
}

/* Whether a line is of a timeline; it is cut into its parts then. */
static bool take_line(char *line, struct timeline *out)
{
	char *times = find_last(line, " [ns] ");

	if (!times || !take_times(times + 6, out->ns))
		return false;
	*times = '\0';
	return take_thread(line, out) || take_queue(line, out);
}

static bool fits(const struct tacho__foreign_file *file)
{
	char *head = strdup(file->head), *line, *next, *rest = NULL;
	struct timeline timeline;
	bool is_one = false;

	if (!head) {
		*file->failure =
			tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", file->path);
		return false;
	}
	for (line = strtok_r(head, "\n", &rest); line && !is_one; line = next) {
		next = strtok_r(NULL, "\n", &rest);
		is_one = take_line(line, &timeline);
	}
	free(head);
	return is_one;
}

static int add(struct tacho__foreign *foreign, uint32_t process, const struct timeline *timeline)
{
	struct tacho__foreign_command command = {.process = process,
						 .thread = timeline->thread,
						 .state = TACHO_STATE_OK,
						 .has_queue_times = 1};
	int64_t *const into[] = {&command.queued_ns, &command.submit_ns, &command.start_ns,
				 &command.end_ns};
	int rc = tacho__unitrace_take_name(foreign, timeline->name, &command);

	for (int i = 0; i < 4; i++)
		*into[i] = timeline->ns[i] > INT64_MAX ? INT64_MAX : (int64_t)timeline->ns[i];
	if (!rc)
		rc = tacho__unitrace_take_place(foreign, timeline->device, "", timeline->queue,
						&command);
	return rc ? rc : tacho__foreign_add_command(foreign, &command);
}

/* A line of the table of properties, or of a program, which is counted. */
static int take_other(struct tacho__foreign *foreign, uint32_t process,
		      struct tacho__unitrace_facts *facts, char *line, uint64_t *others)
{
	bool is_blank = !*line, is_fact = tacho__unitrace_take_titles(facts, line);
	int rc = is_fact ? 0 : tacho__unitrace_take_facts(foreign, process, facts, line, &is_fact);

	*others += !is_blank && !is_fact;
	return rc;
}

/* Lines of programs stand between those of the tool. */
static int read_lines(struct tacho__foreign *foreign, uint32_t process,
		      struct tacho__foreign_csv *lines)
{
	struct tacho__unitrace_facts facts = {0};
	struct timeline timeline;
	uint64_t others = 0;
	char **cells;
	size_t count;
	int rc;

	lines->separator = '\1';
	while (!(rc = tacho__foreign_csv_next(lines, &cells, &count)) && count) {
		rc = take_line(cells[0], &timeline)
			     ? add(foreign, process, &timeline)
			     : take_other(foreign, process, &facts, cells[0], &others);
		if (rc)
			return rc;
	}
	if (!rc && others)
		tacho__foreign_note_count(foreign, others,
					  "line is no work of a timeline and is left out.",
					  "lines are no work of a timeline and are left out.");
	return rc;
}

/*
 * In a folder of results ("--result-dir") a Chrome trace has the same launches, on another clock,
 * with their calls. It was read before, when this folder was.
 */
static bool is_told(const struct tacho__foreign *foreign, const char *path, bool *out_is_told)
{
	const char *base = tacho__base_name(path);
	struct tacho__buf trace = {0};
	uint64_t launches = 0;
	bool has_memory;

	for (size_t i = 0; i < foreign->handle_count; i++)
		launches += foreign->handles[i].launches;
	tacho__buf_add(&trace, path, (size_t)(base - path));
	tacho__buf_put(&trace, "chrome_trace.json");
	has_memory = !trace.failed;
	*out_is_told = has_memory && launches && !strcmp(base, "device_timeline.txt") &&
		       !access(trace.text, R_OK);
	tacho__buf_finish(&trace);
	return has_memory;
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct tacho__foreign_csv lines;
	uint32_t process;
	bool is_twice;
	int rc;

	if (!is_told(foreign, file->path, &is_twice))
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", file->path);
	if (is_twice) {
		tacho__foreign_note(foreign, "device_timeline.txt has the launches of the Chrome "
					     "trace beside it once more, and is left out; open it "
					     "alone for when they were queued and submitted.");
		return 0;
	}
	rc = tacho__foreign_process(foreign, file->number, 0, &process);
	if (!rc)
		rc = tacho__foreign_csv_open(&lines, file->path);
	if (rc)
		return rc;
	rc = read_lines(foreign, process, &lines);
	tacho__foreign_note_end(foreign, file->path, lines.is_open);
	tacho__foreign_csv_close(&lines);
	if (!rc)
		tacho__foreign_note(foreign,
				    "Such a timeline has no calls, no process and no time of day; "
				    "unitrace --chrome-call-logging --chrome-kernel-logging keeps "
				    "calls, too.");
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_unitrace = {
	.name = "unitrace-timeline",
	.title = "unitrace, timeline of devices",
	.fits = fits,
	.read_file = read_file,
};
