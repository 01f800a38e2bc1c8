/* SPDX-License-Identifier: MIT */
#include "diff/turns.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include <tacho/error.h>

#include "diff/turns_program.h"
#include "name.h"
#include "record/launch.h"
#include "units.h"

enum {
	WARMUP_DEFAULT = 1,
	PAIRS_MAX = 10000,
	LOOK_FIRST = 6, /* pairs; of fewer an interval is narrow by chance too often */
	LOOK_PARTS = 8, /* of what was run, between two looks: reading all takes time */
	SEED_DIGITS = 1000000000,
};

/* ---- what was asked for ---- */

static bool parse_until(const char *text, double *out_until)
{
	char *end;
	double percent = strtod(text, &end);

	if (end == text || strcmp(end, "%") != 0 || !(percent > 0 && isfinite(percent))) {
		cli_complain("", "give what an interval may differ from its middle: --until 1%",
			     "--until is \"%s\", which is no percentage", text);
		return false;
	}
	*out_until = percent / 100;
	return true;
}

/* The program of a side is there, and can be recorded. */
static int check_program(struct cli_command_line *line)
{
	char *path = NULL;
	int status = CLI_OK;

	if (!cli_command_line_set_variables(line))
		status = CLI_FAILED;
	else if (tacho_launch_check(line->words[0], &path) != 0)
		status = (int)cli_complain_last();
	cli_command_line_reset_variables(line);
	free(path);
	return status;
}

static int split(struct cli_turns *turns, char *const *operands, size_t operand_count)
{
	int status = CLI_OK;

	turns->is_alone = operand_count == 1;
	for (unsigned side = 0; side < 2 && status == CLI_OK; side++) {
		const char *text = operands[turns->is_alone ? 0 : side];

		if (!cli_command_line_split(text, turns->settings->by_shell, &turns->lines[side]))
			status = CLI_USAGE;
		else
			status = check_program(&turns->lines[side]);
	}
	return status;
}

static int check_numbers(const struct cli_turns_settings *settings)
{
	if (settings->pairs > PAIRS_MAX ||
	    (settings->warmup != UINT64_MAX && settings->warmup > PAIRS_MAX))
		cli_complain("", cli_part("give at most %d", PAIRS_MAX), "diff: --%s is too large",
			     settings->pairs > PAIRS_MAX ? "run" : "warmup");
	else if (!settings->pairs)
		cli_complain("", "say how often: --run 10", "diff: --run 0 runs nothing");
	else if (settings->prepare.count > 2)
		cli_complain("one is for both programs, of two each has its own",
			     "leave the others out", "diff: there are more than two --prepare");
	else
		return CLI_OK;
	return CLI_USAGE;
}

/* Short, because somebody may type it again. */
static uint64_t choose_seed(void)
{
	struct timespec now;
	uint32_t seed;

	if (getrandom(&seed, sizeof(seed), 0) == (ssize_t)sizeof(seed))
		return seed % SEED_DIGITS;
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_nsec % SEED_DIGITS;
}

static int prepare(struct cli_turns *turns, char *const *operands, size_t operand_count)
{
	const struct cli_turns_settings *settings = turns->settings;
	int status = check_numbers(settings);

	turns->seed = settings->seed == UINT64_MAX ? choose_seed() : settings->seed;
	turns->warmup = settings->warmup == UINT64_MAX ? WARMUP_DEFAULT : settings->warmup;
	turns->half = -1;
	turns->next_look = LOOK_FIRST;
	if (status == CLI_OK && settings->until && !parse_until(settings->until, &turns->until))
		status = CLI_USAGE;
	if (status == CLI_OK)
		status = cli_bounds_check(turns->bounds);
	if (status == CLI_OK)
		status = split(turns, operands, operand_count);
	return status;
}

/* The folder comes first: what forks there has no threads of a driver yet. */
static int make_place(struct cli_turns *turns)
{
	const char *output = turns->settings->output;
	char *name = NULL;
	int status;

	if (output && !cli_name_expand(output, &name))
		return CLI_USAGE;
	status = cli_turns_place_create(name, turns->overwrite, &turns->place);
	free(name);
	if (status != CLI_OK)
		return status;
	turns->max_bytes = turns->bounds->max_bytes;
	if (!turns->max_bytes)
		turns->max_bytes =
			cli_turns_place_share(&turns->place, 2 * turns->settings->pairs + 1);
	return turns->max_bytes ? CLI_OK : CLI_FAILED;
}

/* The status tells the class of what fails from here on. */
static int prepare_counting(struct cli_turns *turns)
{
	int status = cli_count_is_asked(turns->counting)
			     ? cli_count_create(turns->counting, &turns->count)
			     : cli_count_check(turns->counting);

	cli_show_class(CLI_OK);
	return status;
}

static void announce(const struct cli_turns *turns)
{
	const struct cli_turns_settings *settings = turns->settings;
	struct cli_number bytes;

	if (turns->until > 0 && settings->pairs <= LOOK_FIRST)
		cli_warn("--until is looked at from %d pairs on, and --run is %" PRIu64, LOOK_FIRST,
			 settings->pairs);
	if (settings->is_quiet)
		return;
	fprintf(stderr, "tacho: %s%" PRIu64 " pair%s", turns->until > 0 ? "at most " : "",
		settings->pairs, settings->pairs == 1 ? "" : "s");
	if (turns->warmup)
		fprintf(stderr, " after %" PRIu64 " to warm up", turns->warmup);
	fprintf(stderr, ", drawn with --seed %" PRIu64 "; a recording takes at most %s\n",
		turns->seed, cli_units_bytes(&bytes, turns->max_bytes));
	if (turns->count)
		cli_count_announce(turns->count, stderr, cli_width(stderr));
}

/* ---- turns ---- */

/* SplitMix64: equal on all machines, whatever their C library has. */
unsigned cli_turns_get_first(uint64_t seed, uint64_t pair)
{
	uint64_t z = seed + pair * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ (z >> 31)) >> 63);
}

static int run_pair(struct cli_turns *turns, uint64_t pair, struct cli_diff_group groups[2])
{
	unsigned first = pair ? cli_turns_get_first(turns->seed, pair) : 0;
	int status = CLI_OK;

	for (unsigned turn = 0; turn < 2 && status == CLI_OK && !cli_launch_get_stop(); turn++) {
		unsigned side = first ^ turn;

		status = cli_turns_run_program(turns, side, pair, &groups[side]);
	}
	return status;
}

/* Where there is no line that is drawn again and again. */
static void tell_pair(const struct cli_turns *turns)
{
	const struct cli_turns_run *two = &turns->runs[turns->run_count - 2];
	struct cli_number times[2];

	if (turns->settings->is_quiet || turns->line.enabled)
		return;
	for (unsigned i = 0; i < 2; i++)
		cli_units_time(&times[two[i].side], two[i].wall_ns, 3);
	fprintf(stderr, "tacho: pair %" PRIu64 " of %" PRIu64 ": A %s, B %s\n", two->pair,
		turns->settings->pairs, times[0].text, times[1].text);
}

/* Whether the intervals of all pairs until now are narrow enough. */
static int look(struct cli_turns *turns, struct cli_diff_group groups[2])
{
	struct tacho_diff *diff = NULL;
	uint64_t step = turns->pair_count / LOOK_PARTS;

	if (turns->until <= 0 || turns->pair_count < turns->next_look ||
	    turns->pair_count == turns->settings->pairs)
		return CLI_OK;
	turns->next_look = turns->pair_count + (step ? step : 1);
	if (tacho_diff_create(groups[0].recordings, groups[0].count, groups[1].recordings,
			      groups[1].count, turns->comparing, &diff) != 0)
		return (int)cli_complain_last();
	turns->half = cli_turns_get_half(diff);
	tacho_diff_destroy(diff);
	if (turns->half >= 0 && turns->half <= turns->until)
		turns->end = CLI_TURNS_NARROW;
	return CLI_OK;
}

static uint64_t count_pairs(const struct cli_diff_group groups[2])
{
	return groups[0].count < groups[1].count ? groups[0].count : groups[1].count;
}

static int run_all(struct cli_turns *turns, struct cli_diff_group groups[2])
{
	int status = CLI_OK;

	for (uint64_t i = 0; i < turns->warmup && status == CLI_OK && !cli_launch_get_stop(); i++)
		status = run_pair(turns, 0, groups);
	while (status == CLI_OK && turns->pair_count < turns->settings->pairs &&
	       turns->end == CLI_TURNS_ALL) {
		status = run_pair(turns, turns->pair_count + 1, groups);
		turns->pair_count = count_pairs(groups);
		if (status != CLI_OK || cli_launch_get_stop())
			break;
		tell_pair(turns);
		status = look(turns, groups);
	}
	cli_progress_erase(&turns->line);
	return status;
}

/* What was completed can be compared; a run without the other of its pair is no part of it. */
static int end_stopped(struct cli_turns *turns, struct cli_diff_group groups[2])
{
	turns->signal = cli_launch_get_stop();
	if (!turns->signal)
		return CLI_OK;
	turns->end = CLI_TURNS_STOPPED;
	if (turns->pair_count) {
		cli_warn("stopped by signal %d (%s): %zu runs of A and %zu of B were completed; "
			 "%" PRIu64 " pair%s of them %s compared",
			 turns->signal, strsignal(turns->signal), groups[0].count, groups[1].count,
			 turns->pair_count, turns->pair_count == 1 ? "" : "s",
			 turns->pair_count == 1 ? "is" : "are");
		for (unsigned side = 0; side < 2; side++)
			cli_diff_group_cut(&groups[side], turns->pair_count);
		return CLI_OK;
	}
	cli_complain(cli_part("%zu runs of A and %zu of B were completed", groups[0].count,
			      groups[1].count),
		     "", "stopped by signal %d (%s): there is nothing to compare", turns->signal,
		     strsignal(turns->signal));
	return 128 + turns->signal;
}

int cli_turns_run(struct cli_turns *turns, char *const *operands, size_t operand_count,
		  struct cli_diff_group groups[2])
{
	int status = prepare(turns, operands, operand_count);

	if (status != CLI_OK)
		return status;
	cli_launch_catch_signals();
	status = make_place(turns);
	if (status == CLI_OK)
		status = prepare_counting(turns);
	if (status == CLI_OK) {
		cli_progress_init(&turns->line,
				  !turns->settings->is_quiet && !turns->settings->shows_output);
		announce(turns);
		status = run_all(turns, groups);
	}
	if (status == CLI_OK)
		status = end_stopped(turns, groups);
	cli_launch_release_signals();
	return status;
}

bool cli_turns_finish(struct cli_turns *turns)
{
	for (unsigned side = 0; side < 2; side++)
		cli_command_line_finish(&turns->lines[side]);
	cli_count_destroy(turns->count);
	free(turns->runs);
	return cli_turns_place_finish(&turns->place);
}
