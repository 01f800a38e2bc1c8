/* SPDX-License-Identifier: MIT */
/* tacho check: reads all of a recording and says what of it is there. */
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/json.h>
#include <tacho/tacho.h>

#include "files.h"
#include "gaps.h"
#include "options/options.h"
#include "text.h"
#include "units.h"

struct settings {
	const char *as;
	bool json;
};

/* A thread that made calls. */
struct thread {
	const struct tacho_process *process;
	uint32_t id;
};

struct check {
	struct tacho_recording *recording;
	struct tacho_extent extent;
	struct tacho_losses losses; /* over all processes */
	uint64_t calls, commands;
	size_t processes;
	struct thread *threads;
	size_t thread_count, last_thread;
	bool is_unread; /* reading ended with an error, which was told */
};

/* Losses in the order in which they are told; what is missing in files is told by its faults. */
static const struct {
	const char *name, *text;
	size_t offset;
} losses[] = {
	{"no_window", "calls: no memory was free in time",
	 offsetof(struct tacho_losses, no_window)},
	{"no_space", "calls: the recording could not grow",
	 offsetof(struct tacho_losses, no_space)},
	{"nested", "calls: made inside of others", offsetof(struct tacho_losses, nested)},
	{"too_big", "calls: larger than a record can be", offsetof(struct tacho_losses, too_big)},
	{"no_thread", "calls: of more threads than can be recorded",
	 offsetof(struct tacho_losses, no_thread)},
	{"unwritten", "calls: they could not be written", offsetof(struct tacho_losses, unwritten)},
	{"unreported", "calls: the vendor's library dropped them",
	 offsetof(struct tacho_losses, unreported)},
	{"headless_ranges", "beginnings of named ranges",
	 offsetof(struct tacho_losses, headless_ranges)},
	{"deep_ranges", "named ranges: too deep, or too many at a time",
	 offsetof(struct tacho_losses, deep_ranges)},
	{"windows", "windows of counters that were sampled",
	 offsetof(struct tacho_losses, windows)},
	{"untimed", "device times", offsetof(struct tacho_losses, untimed)},
	{"unreadable", "bytes that make no sense", offsetof(struct tacho_losses, unreadable)},
};

enum { LOSS_COUNT = sizeof(losses) / sizeof(losses[0]) };

static uint64_t get_loss(const struct tacho_losses *from, size_t index)
{
	uint64_t count;

	memcpy(&count, (const char *)from + losses[index].offset, sizeof(count));
	return count;
}

/* ---- reading ---- */

static void count_thread(struct check *check, const struct tacho_call *call)
{
	const struct thread thread = {call->process, call->thread};
	const struct thread *known = check->threads;

	for (size_t i = 0; i < check->thread_count; i++) {
		size_t at = (check->last_thread + i) % check->thread_count;

		if (known[at].process == thread.process && known[at].id == thread.id) {
			check->last_thread = at;
			return;
		}
	}
	check->threads = cli_grow(check->threads, check->thread_count, sizeof(thread));
	check->threads[check->thread_count++] = thread;
}

static void read_calls(struct check *check)
{
	struct tacho_cursor *cursor = NULL;
	const struct tacho_call *call;
	int rc = tacho_cursor_open(check->recording, &cursor);

	while (!rc && (rc = tacho_cursor_next(cursor, &call)) == 1) {
		rc = 0;
		check->commands += call->command != NULL;
		if (call->is_bare)
			continue;
		check->calls += 1 + call->repeats;
		count_thread(check, call);
	}
	check->is_unread = rc < 0;
	if (rc < 0)
		cli_complain_last();
	tacho_cursor_close(cursor);
}

/* All of it; what a cursor finds wrong is a fault from then on. */
static void read_all(struct check *check)
{
	const struct tacho_fault *fault;

	read_calls(check);
	check->processes = tacho_recording_get_process_count(check->recording);
	tacho_recording_get_extent(check->recording, &check->extent);
	tacho_recording_sum_losses(check->recording, &check->losses);
	if (tacho_recording_get_run(check->recording)->import_note)
		check->losses.headless_ranges = 0; /* the program ended what it had not begun */
	for (size_t i = 0; (fault = tacho_recording_get_fault(check->recording, i)); i++)
		check->losses.unreadable -= fault->bytes < check->losses.unreadable
						    ? fault->bytes
						    : check->losses.unreadable;
}

static bool has_losses(const struct check *check)
{
	for (size_t i = 0; i < LOSS_COUNT; i++)
		if (get_loss(&check->losses, i))
			return true;
	return false;
}

static bool is_whole(const struct check *check)
{
	return !check->is_unread && !has_losses(check) &&
	       !tacho_recording_get_fault(check->recording, 0);
}

/* Why some of it cannot be said to be whole; NULL past the last. */
static const char *get_unverified(const struct check *check, size_t index)
{
	const struct tacho_run *run = tacho_recording_get_run(check->recording);
	const char *reasons[4] = {0};
	size_t count = 0;

	if (run->import_note)
		reasons[count++] =
			"session files and those of other tools have no checksums, and may "
			"have left calls out";
	else if (!check->extent.parts)
		reasons[count++] = "calls have no checksums: an older tacho made it, or nothing is "
				   "written yet";
	if (run->is_unfinished)
		reasons[count++] = run->end_ns ? "it was saved or left before its end: what came "
						 "behind, and device times that came later"
					       : "it is still written: what comes from now on";
	return index < count ? reasons[index] : NULL;
}

/* ---- text ---- */

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_line(const char *text)
{
	cli_text_print(stdout, 2, 4, cli_width(stdout), "%s", text);
}

static void print_faults(const struct check *check)
{
	const struct tacho_fault *fault;

	puts("\nMissing or damaged");
	for (size_t i = 0; (fault = tacho_recording_get_fault(check->recording, i)); i++) {
		struct cli_number bytes, calls;
		char *number = fault->error ? cli_format(": %s (errno %d)", strerror(fault->error),
							 fault->error)
					    : cli_format("%s", "");

		cli_text_print(stdout, 2, 4, cli_width(stdout), "%s%s%s%s%s%s%s%s", fault->path,
			       *fault->path ? " " : "", fault->what, number,
			       fault->bytes ? ", " : "",
			       fault->bytes ? cli_units_bytes(&bytes, fault->bytes) : "",
			       fault->calls ? ", calls: " : "",
			       fault->calls ? cli_units_count(&calls, fault->calls) : "");
		free(number);
	}
	if (!tacho_recording_get_fault(check->recording, 0))
		print_line(check->is_unread ? "it could not be read to its end" : "nothing");
}

static void print_losses(const struct check *check)
{
	puts("\nLost while recording");
	for (size_t i = 0; i < LOSS_COUNT; i++) {
		uint64_t count = get_loss(&check->losses, i);
		struct cli_number number;

		if (count)
			cli_text_print(stdout, 2, 4, cli_width(stdout), "%s %s",
				       cli_units_count(&number, count), losses[i].text);
	}
	if (check->losses.io_error)
		cli_text_print(stdout, 2, 4, cli_width(stdout), "writing failed: %s (errno %d)",
			       strerror(check->losses.io_error), check->losses.io_error);
	if (!has_losses(check) && !check->losses.io_error)
		print_line("nothing");
}

static void print_bounds(const struct check *check)
{
	const struct tacho_run *run = tacho_recording_get_run(check->recording);
	const struct tacho_bound *bound;
	struct cli_number number;

	puts("\nLeft out as asked for or set");
	for (size_t i = 0; (bound = tacho_recording_get_bound(check->recording, i)); i++)
		cli_text_print(stdout, 2, 4, cli_width(stdout), "%s: %s calls",
			       *bound->function ? bound->function : "?",
			       cli_units_count(&number, bound->calls));
	if (run->ring_calls)
		cli_gaps_print_ring(run, stdout, cli_width(stdout));
	else if (!tacho_recording_get_bound(check->recording, 0))
		print_line("nothing");
}

static void print_unverified(const struct check *check)
{
	const char *reason;

	puts("\nNot verified");
	for (size_t i = 0; (reason = get_unverified(check, i)); i++)
		print_line(reason);
	if (!get_unverified(check, 0))
		print_line("nothing");
}

/* A line of the head: `text` is owned, and gone. */
static void print_head(const char *label, char *text)
{
	printf("%-13s", label);
	cli_text_wrap(stdout, text, 13, 13, cli_width(stdout));
	free(text);
}

static void print_text(const struct check *check)
{
	struct cli_number calls, commands, bytes, parts;

	print_head("recording", cli_format("%s", tacho_recording_get_path(check->recording)));
	print_head("read", cli_format("%zu process%s, %zu thread%s, %s call%s, %s command%s",
				      check->processes, check->processes == 1 ? "" : "es",
				      check->thread_count, plural(check->thread_count),
				      cli_units_count(&calls, check->calls), plural(check->calls),
				      cli_units_count(&commands, check->commands),
				      plural(check->commands)));
	if (check->extent.parts)
		print_head("checksums", cli_format("%s part%s of %llu file%s, %s",
						   cli_units_count(&parts, check->extent.parts),
						   plural(check->extent.parts),
						   (unsigned long long)check->extent.files,
						   plural(check->extent.files),
						   cli_units_bytes(&bytes, check->extent.bytes)));
	print_faults(check);
	print_losses(check);
	print_bounds(check);
	print_unverified(check);
	puts(is_whole(check) ? "\nIt is whole." : "\nSomething is missing.");
}

/* ---- JSON ---- */

static void add_faults(struct tacho_json *json, const struct check *check)
{
	const struct tacho_fault *fault;

	tacho_json_begin_array(json, "faults");
	for (size_t i = 0; (fault = tacho_recording_get_fault(check->recording, i)); i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "what", fault->what);
		tacho_json_add_string(json, "path", fault->path);
		tacho_json_add_integer(json, "errno", fault->error);
		tacho_json_add_string(json, "error", fault->error ? strerror(fault->error) : "");
		tacho_json_add_unsigned(json, "bytes", fault->bytes);
		tacho_json_add_unsigned(json, "calls", fault->calls);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

static void add_bounds(struct tacho_json *json, const struct check *check)
{
	const struct tacho_run *run = tacho_recording_get_run(check->recording);

	tacho_json_begin_object(json, "left_out");
	tacho_json_add_unsigned(json, "max_bytes", run->max_bytes);
	tacho_json_add_unsigned(json, "ring_bytes", run->ring_bytes);
	tacho_json_add_known(json, "max_calls", run->max_calls != 0, run->max_calls);
	tacho_json_add_known(json, "max_launches", run->max_launches != 0, run->max_launches);
	tacho_json_add_unsigned(json, "ring_calls", run->ring_calls);
	cli_gaps_add_functions(json, check->recording);
	tacho_json_end(json);
}

static void print_json(const struct check *check)
{
	struct tacho_json json;
	const char *reason;

	cli_json_begin(&json, stdout, "tacho.check/1");
	tacho_json_add_string(&json, "recording", tacho_recording_get_path(check->recording));
	tacho_json_add_bool(&json, "whole", is_whole(check));
	tacho_json_add_unsigned(&json, "processes", check->processes);
	tacho_json_add_unsigned(&json, "threads", check->thread_count);
	tacho_json_add_unsigned(&json, "calls", check->calls);
	tacho_json_add_unsigned(&json, "commands", check->commands);
	tacho_json_add_unsigned(&json, "files", check->extent.files);
	tacho_json_add_unsigned(&json, "bytes", check->extent.bytes);
	tacho_json_add_unsigned(&json, "parts", check->extent.parts);
	add_faults(&json, check);
	tacho_json_begin_object(&json, "lost");
	for (size_t i = 0; i < LOSS_COUNT; i++)
		tacho_json_add_unsigned(&json, losses[i].name, get_loss(&check->losses, i));
	tacho_json_add_integer(&json, "errno", check->losses.io_error);
	tacho_json_end(&json);
	add_bounds(&json, check);
	tacho_json_begin_array(&json, "not_verified");
	for (size_t i = 0; (reason = get_unverified(check, i)); i++)
		tacho_json_add_string(&json, NULL, reason);
	tacho_json_finish(&json);
}

static int refuse_sums(const struct tacho_recording *recording)
{
	cli_complain(tacho_recording_get_run(recording)->why_empty, "",
		     "%s has sums only: there are no calls and launches to check",
		     tacho_recording_get_path(recording));
	return CLI_FAILED;
}

static int check_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	struct check check = {0};
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		return status;
	status = cli_files_open(argv + operand, argc - operand, settings.as, &check.recording);
	if (status != CLI_OK)
		return status;
	if (tacho_recording_get_sums(check.recording, 0)) {
		status = refuse_sums(check.recording);
		goto out;
	}
	read_all(&check);
	if (settings.json)
		print_json(&check);
	else
		print_text(&check);
	status = is_whole(&check) ? CLI_OK : CLI_FAILED;
out:
	free(check.threads);
	tacho_recording_close(check.recording);
	return status;
}

static const struct cli_option options[] = {
	CLI_OPTION_AS(struct settings),
	CLI_OPTION_FLAG(struct settings, 0, "json", json, "print JSON"),
};

const struct cli_command cli_check = {
	.name = "check",
	.summary = "verify a recording: what is whole, and what is missing",
	.operands = "NAME...",
	.description =
		"Reads all of the recording NAME, compares checksums and what should be there with "
		"what is, and says what is missing or damaged, what was lost while recording, what "
		"was left out as asked for, and what cannot be verified. The exit status is 0 when "
		"nothing is missing but what was to be left out. Several files of another tool are "
		"one recording.",
	.examples = {"tacho check run", "tacho check run --json"},
	CLI_HAS_OPTIONS(options),
	.is_paged = true,
	.words = CLI_WORDS_RECORDING,
	.first_operand = "NAME",
	.operand_min = 1,
	.operand_max = CLI_FILES_MAX,
	.run = check_run,
};
