/* SPDX-License-Identifier: MIT */
/* tacho diff: what changed between two recordings, or groups of them. */
#include "diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/launch.h>
#include <tacho/tacho.h>

#include "files.h"
#include "gaps.h"
#include "request.h"

enum { TOP_DEFAULT = 10, SIGNAL_STATUS = 128 };

/* Where the page goes that --html does not name. */
static const char page_name[] = "diff.html";

static const enum tacho_summary_key keys[] = {TACHO_BY_KERNEL, TACHO_BY_API,   TACHO_BY_TRANSFER,
					      TACHO_BY_QUEUE,  TACHO_BY_RANGE, TACHO_BY_GAP};

struct settings {
	int by, sort;
	uint64_t top;
	const char *level, *run_effect, *as, *match;
	struct cli_texts conditions;
	bool any, partial, paired, json, csv, csv_safe, markdown, overwrite;
	const char *html;
	/* Of --run. */
	struct cli_turns_settings turns;
	struct cli_count_choice counting;
	struct cli_bounds bounds;
};

/* ---- order ---- */

static const struct tacho_diff_measure *get_time(const struct tacho_diff_line *line)
{
	return &line->measures[0];
}

static int compare_numbers(double a, double b)
{
	return (a < b) - (a > b);
}

static double get_change(const struct tacho_diff_measure *time)
{
	return time->has_change ? fabs(time->change) : -1;
}

static int compare_change(const void *left, const void *right)
{
	const struct tacho_diff_line *a = *(const struct tacho_diff_line *const *)left;
	const struct tacho_diff_line *b = *(const struct tacho_diff_line *const *)right;
	int order = compare_numbers(get_change(get_time(a)), get_change(get_time(b)));

	return order ? order : strcmp(a->name, b->name);
}

static int compare_time(const void *left, const void *right)
{
	const struct tacho_diff_line *a = *(const struct tacho_diff_line *const *)left;
	const struct tacho_diff_line *b = *(const struct tacho_diff_line *const *)right;
	int order = compare_numbers(get_time(a)->sides[1].value, get_time(b)->sides[1].value);

	return order ? order : strcmp(a->name, b->name);
}

static int compare_p(const void *left, const void *right)
{
	const struct tacho_diff_line *a = *(const struct tacho_diff_line *const *)left;
	const struct tacho_diff_line *b = *(const struct tacho_diff_line *const *)right;
	double p_a = get_time(a)->has_p ? get_time(a)->adjusted_p : 2;
	double p_b = get_time(b)->has_p ? get_time(b)->adjusted_p : 2;

	return p_a != p_b ? compare_numbers(p_b, p_a) : compare_change(left, right);
}

static int compare_name(const void *left, const void *right)
{
	const struct tacho_diff_line *a = *(const struct tacho_diff_line *const *)left;
	const struct tacho_diff_line *b = *(const struct tacho_diff_line *const *)right;
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->device, b->device);
}

static void sort_lines(struct cli_diff *diff, enum cli_diff_sort sort)
{
	static int (*const orders[])(const void *left, const void *right) = {
		NULL, compare_change, compare_time, compare_p, compare_name};

	while (tacho_diff_get_line(diff->diff, diff->line_count))
		diff->line_count++;
	diff->lines = cli_alloc(diff->line_count * sizeof(*diff->lines));
	for (size_t i = 0; i < diff->line_count; i++) {
		diff->lines[i] = tacho_diff_get_line(diff->diff, i);
		diff->common_count += diff->lines[i]->is_in[0] && diff->lines[i]->is_in[1];
	}
	if (orders[sort])
		qsort(diff->lines, diff->common_count, sizeof(*diff->lines), orders[sort]);
}

/* ---- the command ---- */

static bool parse_level(const char *text, double *out_level)
{
	char *end;
	double level = strtod(text, &end);

	if (end == text || *end || !(level > 0 && level < 1)) {
		cli_complain("", "give a number between 0 and 1, such as 0.05",
			     "diff: --level is \"%s\"", text);
		return false;
	}
	*out_level = level;
	return true;
}

/* "3%": what runs are taken to differ by. */
static bool parse_run_effect(const char *text, double *out_effect)
{
	char *end;
	double percent = strtod(text, &end);

	if (end == text || strcmp(end, "%") != 0 || !(percent > 0 && percent < 100)) {
		cli_complain("", "give a percentage, such as 3%", "diff: --run-effect is \"%s\"",
			     text);
		return false;
	}
	*out_effect = percent / 100;
	return true;
}

static bool check(struct cli_diff *diff, const struct settings *settings)
{
	if (settings->json + settings->csv + settings->markdown > 1) {
		cli_complain("", "give one of --json, --csv and --markdown",
			     "diff: there is one output, and several forms of it were asked for");
		return false;
	}
	if (settings->level && !parse_level(settings->level, &diff->level))
		return false;
	if (settings->run_effect && !parse_run_effect(settings->run_effect, &diff->run_effect))
		return false;
	diff->conditions = cli_alloc(settings->conditions.count * sizeof(*diff->conditions));
	for (size_t i = 0; i < settings->conditions.count; i++) {
		if (!cli_condition_parse(settings->conditions.texts[i], &diff->conditions[i]))
			return false;
		diff->condition_count++;
	}
	return true;
}

/* What a file of sums lacks, or where it may be cut, no line of the comparison shows. */
static void warn_of_sums(const struct tacho_recording *recording)
{
	const char *note = tacho_recording_get_run(recording)->import_note;

	if (tacho_recording_get_sums(recording, 0) && note && *note)
		cli_warn("%s: %s", tacho_recording_get_path(recording), note);
}

/* What is compared is whole, unless it need not be; then a warning stands in its place. */
static int check_group(const struct cli_diff_group *group, bool is_partial)
{
	for (size_t i = 0; i < group->count; i++) {
		warn_of_sums(group->recordings[i]);
		if (is_partial)
			cli_gaps_warn(group->recordings[i]);
		else if (tacho_recording_check(group->recordings[i]) != 0)
			return cli_complain_last();
	}
	return CLI_OK;
}

static int compare_programs(struct cli_diff *diff)
{
	int status = cli_turns_compare_wall(diff->turns, diff->level, &diff->wall);

	if (status != CLI_OK)
		return status;
	diff->wall.name = "wall";
	diff->wall.unit = "nanoseconds";
	diff->whole = (struct tacho_diff_line){.name = "the program",
					       .name_b = "",
					       .device = "",
					       .is_in = {1, 1},
					       .measure_count = 1,
					       .measures = &diff->wall};
	return CLI_OK;
}

static int compare(struct cli_diff *diff, const struct settings *settings,
		   const struct tacho_diff_options *options)
{
	int status = CLI_OK;

	if (tacho_diff_create(diff->groups[0].recordings, diff->groups[0].count,
			      diff->groups[1].recordings, diff->groups[1].count, options,
			      &diff->diff) != 0)
		return cli_complain_last();
	for (int side = 0; side < 2 && status == CLI_OK; side++)
		status = check_group(&diff->groups[side], settings->partial);
	if (status != CLI_OK)
		return status;
	sort_lines(diff, (enum cli_diff_sort)settings->sort);
	if (diff->turns)
		status = compare_programs(diff);
	if (status != CLI_OK)
		return status;
	for (size_t i = 0; i < diff->condition_count; i++)
		if (!cli_condition_decide(&diff->conditions[i], diff))
			return CLI_USAGE;
	return CLI_OK;
}

static void print(const struct cli_diff *diff, const struct settings *settings)
{
	if (settings->json)
		cli_diff_print_json(diff, stdout);
	else if (settings->csv)
		cli_diff_print_csv(diff, stdout);
	else
		cli_diff_print(diff, stdout, cli_width(stdout), settings->markdown);
}

/* Conditions end the command with a status of their own; what they rest on goes to stderr. */
static int judge(const struct cli_diff *diff)
{
	int status = CLI_OK;

	if (diff->condition_count && !cli_condition_can_tell(diff)) {
		cli_complain(cli_part("%s is one recording, which cannot tell what differs from "
				      "run to run",
				      diff->groups[0].count > 1 ? "B" : "A"),
			     "record more and give a1,a2,a3 b1,b2,b3, or count every change with "
			     "--any",
			     "--fail-if needs two recordings or more a side");
		return CLI_NOTHING;
	}
	for (size_t i = 0; i < diff->condition_count; i++) {
		const struct cli_condition *condition = &diff->conditions[i];

		if (condition->line_count) {
			cli_complain("", "", "\"%s\" is true of %zu line%s, first of %s",
				     condition->text, condition->line_count,
				     condition->line_count == 1 ? "" : "s",
				     condition->lines[0]->name);
			status = CLI_FALSE;
		}
		if (condition->unsure)
			cli_warn("\"%s\": %zu line%s changed so, but with too few runs or values "
				 "to tell from noise; record more, or count them with --any",
				 condition->text, condition->unsure,
				 condition->unsure == 1 ? "" : "s");
	}
	return status;
}

/* ---- recordings ---- */

/* The first option that says how programs are run; NULL when none is given. */
static const char *find_run_option(const struct settings *settings)
{
	const struct cli_turns_settings *turns = &settings->turns;
	const struct {
		bool is_given;
		const char *name;
	} given[] = {
		{turns->warmup != UINT64_MAX, "warmup"},
		{turns->seed != UINT64_MAX, "seed"},
		{turns->until != NULL, "until"},
		{turns->output != NULL, "output"},
		{turns->prepare.count != 0, "prepare"},
		{turns->ignores_failures, "ignore-failure"},
		{turns->shows_output, "show-output"},
		{turns->by_shell, "shell"},
		{settings->counting.metrics.count != 0, "metrics"},
		{settings->counting.device != NULL, "device"},
		{settings->counting.model != NULL, "sim"},
		{settings->counting.kernels.count != 0, "kernel"},
		{settings->counting.ranges.count != 0, "range"},
		{settings->counting.replay != 0, "replay"},
		{settings->bounds.max_bytes != 0, "max-size"},
		{settings->bounds.calls.count != 0, "calls"},
		{settings->bounds.only_work, "no-calls"},
	};

	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++)
		if (given[i].is_given)
			return given[i].name;
	return NULL;
}

/* A command line where a recording should be, and none has that name. */
static bool is_program(const char *operand)
{
	char *word = cli_format("%.*s", (int)strcspn(operand, " "), operand), *path = NULL;
	bool is_program =
		!cli_diff_group_exists(operand) && *word && tacho_launch_check(word, &path) == 0;

	free(path);
	free(word);
	return is_program;
}

static int open_groups(struct cli_diff *diff, const struct settings *settings,
		       char *const *operands, int operand_count)
{
	const char *option = find_run_option(settings);
	int status = CLI_OK;

	diff->groups[0].kind = diff->groups[1].kind = settings->as;
	if (option)
		cli_complain("it says how programs are run, and recordings are there already",
			     strcmp(option, "output") == 0
				     ? "leave it out; --html=FILE names the page"
				     : "leave it out, or run two programs: --run N 'A' 'B'",
			     "diff: --%s is for --run", option);
	else if (operand_count < 2)
		cli_complain("",
			     "usage: tacho diff [OPTION...] A B, of recordings; of programs: tacho "
			     "diff --run 10 'A' 'B'",
			     "diff: A or B is missing");
	if (option || operand_count < 2)
		return CLI_USAGE;
	for (int side = 0; side < 2; side++)
		if (is_program(operands[side])) {
			cli_complain("it is a program, and there is no recording of that name",
				     "to run programs and compare them: tacho diff --run 10 'A' "
				     "'B'",
				     "diff: %s is no recording", operands[side]);
			return CLI_USAGE;
		}
	for (int side = 0; side < 2 && status == CLI_OK; side++)
		status = cli_diff_group_open(&diff->groups[side], operands[side]);
	return status;
}

/* ---- the whole ---- */

static int show(const struct cli_diff *diff, const struct settings *settings)
{
	const char *page = settings->html && !*settings->html ? page_name : settings->html;
	int status = CLI_OK;

	cli_options_start_pager();
	if (page)
		status = cli_diff_write_page(diff, page, settings->overwrite);
	if (status != CLI_OK)
		return status;
	if (!page || strcmp(page, "-") != 0)
		print(diff, settings);
	if (page && page != settings->html)
		fprintf(stderr, "tacho: the page is %s\n", page);
	return judge(diff);
}

/* Where the recordings of --run are, when they stay. */
static void tell_place(const struct cli_turns *turns)
{
	const char *folder = turns->place.folder;
	bool are_pairs = turns->run_count == 2 * turns->pair_count;

	if (turns->place.is_kept && !turns->settings->is_quiet)
		fprintf(stderr, "tacho: %zu recordings in %s; see: tacho diff %s%s/a %s/b\n",
			turns->run_count, folder, are_pairs ? "--paired " : "", folder, folder);
}

static int run(struct cli_diff *diff, const struct settings *settings, struct cli_turns *turns,
	       char *const *operands, int operand_count)
{
	const struct tacho_diff_options options = {
		.size = sizeof(options),
		.key = keys[settings->by],
		.by_name = diff->matching.by_name,
		.places = diff->matching.places,
		.pairs = diff->matching.pairs,
		.pair_count = diff->matching.pair_count,
		.level = diff->level,
		.run_effect = diff->run_effect,
		.paired = settings->paired || settings->turns.pairs != UINT64_MAX,
	};
	int status;

	turns->comparing = &options;
	if (settings->turns.pairs == 1 && diff->condition_count && !diff->any) {
		cli_complain("one run cannot tell what differs from run to run",
			     "give --run 2 or more, or count every change with --any",
			     "--fail-if needs two runs or more a side");
		return CLI_NOTHING;
	}
	if (settings->turns.pairs != UINT64_MAX) {
		diff->turns = turns;
		status = cli_turns_run(turns, operands, (size_t)operand_count, diff->groups);
	} else {
		status = open_groups(diff, settings, operands, operand_count);
	}
	if (status == CLI_OK)
		status = compare(diff, settings, &options);
	if (status == CLI_OK)
		status = show(diff, settings);
	if (diff->diff && diff->turns)
		tell_place(turns);
	return status == CLI_OK && turns->signal ? SIGNAL_STATUS + turns->signal : status;
}

static void finish(struct cli_diff *diff)
{
	for (size_t i = 0; i < diff->condition_count; i++)
		cli_condition_finish(&diff->conditions[i]);
	free(diff->conditions);
	free(diff->lines);
	tacho_diff_destroy(diff->diff);
	cli_diff_matching_finish(&diff->matching);
	cli_diff_group_close(&diff->groups[0]);
	cli_diff_group_close(&diff->groups[1]);
}

static int diff_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {
		.top = UINT64_MAX,
		.turns = {.pairs = UINT64_MAX, .warmup = UINT64_MAX, .seed = UINT64_MAX}};
	struct cli_turns turns = {
		.settings = &settings.turns,
		.counting = &settings.counting,
		.bounds = &settings.bounds,
	};
	struct cli_diff diff = {.level = 0.05, .run_effect = 0.03};
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		goto out;
	cli_take_csv_safe(settings.csv_safe, &settings.csv);
	status = CLI_USAGE;
	turns.overwrite = settings.overwrite;
	diff.key = settings.by;
	diff.matching.how = settings.match;
	diff.any = settings.any;
	diff.top = settings.top != UINT64_MAX ? settings.top : TOP_DEFAULT;
	if (settings.top == UINT64_MAX && (settings.json || settings.csv))
		diff.top = 0;
	if (check(&diff, &settings))
		status = cli_diff_matching_read(&diff.matching);
	if (status == CLI_OK)
		status = run(&diff, &settings, &turns, argv + operand, argc - operand);
out:
	finish(&diff);
	if (!cli_turns_finish(&turns) && status == CLI_OK)
		status = CLI_FAILED;
	cli_options_finish(command, &settings);
	cli_bounds_finish(&settings.bounds);
	return status;
}

#define RUN_OPTION(letter, name, metavar, type, words, field, help) \
	CLI_OPTION(struct settings, letter, name, metavar, type, words, turns.field, help)
#define RUN_FLAG(letter, name, field, help) \
	RUN_OPTION(letter, name, NULL, CLI_FLAG, CLI_WORDS_NONE, field, help)

static const struct cli_option options[] = {
	{0, "by", "KEY", CLI_CHOICE, CLI_WORDS_DIFF_KEY, offsetof(struct settings, by), false,
	 "compare kernel (default), api, transfer, queue, range or gap"},
	{0, "match", "HOW", CLI_TEXT, CLI_WORDS_DIFF_MATCH, offsetof(struct settings, match), false,
	 "what makes lines of A and B the same: device (name and device), name, place (a kernel "
	 "that the other side lacks is the one at its place in the order of launches), or a file "
	 "with pairs of names (default: place for recordings of other devices, else device)"},
	{0, "fail-if", "CONDITION", CLI_TEXTS, CLI_WORDS_NONE,
	 offsetof(struct settings, conditions), false,
	 "end with status 6 when a line changed so: 'time > +3%', 'total > +10ms', 'count != +0', "
	 "or a counter's name; only changes beyond noise count, which takes two recordings a side; "
	 "may be repeated"},
	{0, "any", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, any), false,
	 "let conditions count changes within noise, and of one recording a side, too"},
	{0, "partial", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, partial), false,
	 "compare recordings that are not whole, too, with a warning; else that ends with status "
	 "1"},
	{0, "paired", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, paired), false,
	 "the first recording of A was made in turns with the first of B, and so on: compare "
	 "pairs, "
	 "as --run does"},
	{0, "level", "P", CLI_TEXT, CLI_WORDS_NONE, offsetof(struct settings, level), false,
	 "chance to take noise for a change in a column of the table (default: 0.05)"},
	{0, "run-effect", "PERCENT", CLI_TEXT, CLI_WORDS_NONE,
	 offsetof(struct settings, run_effect), false,
	 "with one recording a side: what runs of a program are taken to differ by (default: 3%)"},
	{0, "sort", "COLUMN", CLI_CHOICE, CLI_WORDS_DIFF_SORT, offsetof(struct settings, sort),
	 false,
	 "order by impact (difference of totals, the default), change, time (of B), p or name"},
	{0, "top", "N", CLI_NUMBER, CLI_WORDS_NONE, offsetof(struct settings, top), false,
	 "show at most N lines of a table, 0 for all (default: 10; with --json and --csv all)"},
	CLI_OPTION_AS(struct settings),
	{0, "json", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, json), false,
	 "print JSON with base units: nanoseconds and bytes"},
	{0, "csv", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, csv), false,
	 "print a row for each line and measure, in base units"},
	CLI_OPTION_CSV_SAFE(struct settings),
	{0, "markdown", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, markdown), false,
	 "print Markdown, as for a pull request"},
	{0, "html", "FILE", CLI_OPTIONAL, CLI_WORDS_FILE, offsetof(struct settings, html), false,
	 "write a page for browsers, too (default: diff.html): both runs on one scale of time and "
	 "what changed; --html=- writes it to stdout instead of the text"},
	CLI_OPTION_FORCE(struct settings, overwrite,
			 "replace the page of --html, and the recordings in the folder of -o"),
	RUN_OPTION(0, "run", "N", CLI_NUMBER, CLI_WORDS_NONE, pairs,
		   "A and B are programs, each with its arguments in one word: run and record them "
		   "in turns, N times each, then compare; one alone is compared with itself"),
	RUN_OPTION(0, "warmup", "N", CLI_NUMBER, CLI_WORDS_NONE, warmup,
		   "run both N times before, and do not count these (default: 1)"),
	RUN_OPTION(0, "until", "P%", CLI_TEXT, CLI_WORDS_NONE, until,
		   "end before --run is reached when the intervals of what takes the most time are "
		   "no wider than P percent to either side"),
	RUN_OPTION(0, "seed", "N", CLI_NUMBER, CLI_WORDS_NONE, seed,
		   "who begins in each pair is drawn with this number (default: a new one, shown)"),
	RUN_OPTION(0, "prepare", "COMMAND", CLI_TEXTS, CLI_WORDS_NONE, prepare,
		   "sh runs this before each run; of two, the first is for A, the second for B"),
	RUN_OPTION('o', "output", "FOLDER", CLI_TEXT, CLI_WORDS_FILE, output,
		   "keep the recordings there, in FOLDER/a and FOLDER/b (default: they go)"),
	RUN_FLAG(0, "ignore-failure", ignores_failures,
		 "count runs that fail or make no call, too; else the first ends the command"),
	RUN_FLAG(0, "show-output", shows_output,
		 "show what the programs print, on stderr; else it is thrown away"),
	RUN_FLAG(0, "shell", by_shell, "let sh read the programs' lines: pipes, globs, $NAME"),
	RUN_FLAG('q', "quiet", is_quiet, "with --run: print no progress"),
	CLI_OPTION_METRICS(struct settings, "with --run: count these, too: " CLI_LIST_HELP),
	CLI_OPTION_DEVICE(struct settings, "with --run: count on this device, as tacho record"),
	CLI_OPTION_SIM(struct settings, "with --run: count on a simulated device"),
	CLI_COUNT_OPTION(struct settings, 'k', "kernel", kernels, "NAME", CLI_TEXTS, CLI_WORDS_NONE,
			 "with --run: count launches of this kernel only"),
	CLI_COUNT_OPTION(struct settings, 0, "range", ranges, "NAME", CLI_TEXTS, CLI_WORDS_NONE,
			 "with --run: count launches in this range only"),
	CLI_OPTION_REPLAY(struct settings, "with --run: how several passes come about"),
	CLI_BOUNDS_OPTION(struct settings, "max-size", max_bytes, "SIZE", CLI_SIZE,
			  "with --run: each recording takes at most SIZE bytes (default: all "
			  "together half of the free disk)"),
	CLI_BOUNDS_OPTION(struct settings, "calls", calls, "LIST", CLI_TEXTS,
			  "with --run: record only calls of these functions"),
	CLI_BOUNDS_OPTION(struct settings, "no-calls", only_work, NULL, CLI_FLAG,
			  "with --run: record only calls that give work or wait for it"),
};

const struct cli_command cli_diff = {
	.name = "diff",
	.summary = "compare recorded runs and tell changes from noise",
	.operands = "A B",
	.description =
		"Compares recording A with recording B, or two groups of recordings of the same "
		"program, A1,A2,... with B1,B2,..., line by line, and tests whether a change is "
		"more than what differs from run to run, which one run cannot tell. With --run it "
		"runs both programs in turns and records them first. A \"-\" is a value that is "
		"not "
		"known.",
	.examples = {"tacho diff a1,a2,a3 b1,b2,b3 --fail-if 'time > +3%'",
		     "tacho diff --run 10 './app' './app --new'"},
	CLI_HAS_OPTIONS(options),
	.is_paged = true,
	.pages_late = true,
	.words = CLI_WORDS_RECORDING,
	.first_operand = "A or B",
	.operand_min = 1,
	.operand_max = 2,
	.run = diff_run,
};
