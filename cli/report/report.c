/* SPDX-License-Identifier: MIT */
/* tacho report: where the time of a recorded run went. */
#include "report/report.h"

#include <tacho/tacho.h>

#include "files.h"
#include "open.h"
#include "report/findings.h"
#include "report/report_kernels.h"
#include "report/report_sums.h"
#include "options/options.h"

enum { TOP_DEFAULT = 10, NOT_GIVEN = -1 };

struct settings {
	int by; /* position in CLI_WORDS_KEY, which is the order of enum tacho_summary_key */
	uint64_t top;
	bool json, csv, csv_safe, html, per_instance;
	const char *as;
	struct cli_findings_settings findings;
	struct cli_texts kernels, excluded;
};

int cli_report_show(struct tacho_recording *recording, FILE *stream)
{
	struct cli_report report = {.recording = recording, .top = TOP_DEFAULT};
	struct tacho_summary *summary = NULL;

	if (tacho_summary_create(recording, &summary) != 0)
		return cli_complain_last();
	report.summary = summary;
	cli_report_print(&report, stream, cli_width(stream));
	tacho_summary_destroy(summary);
	return CLI_OK;
}

static bool is_asked(const struct settings *settings)
{
	return settings->findings.list || settings->findings.file || settings->findings.rules.count;
}

/* Findings are looked for when something is said about them, else with a whole report. */
static int read_recording(struct tacho_recording *recording, const struct settings *settings,
			  struct tacho_summary **out_summary, struct tacho_findings **out_findings)
{
	bool has_gaps = settings->by == TACHO_BY_GAP;
	int rc;

	if (is_asked(settings) || (settings->by == NOT_GIVEN && !settings->per_instance))
		return cli_findings_create(recording, &settings->findings, has_gaps, out_summary,
					   out_findings);
	rc = has_gaps ? tacho_summary_create_with_gaps(recording, out_summary)
		      : tacho_summary_create(recording, out_summary);
	return rc ? (int)cli_complain_last() : CLI_OK;
}

/* Instances of counters are a report of their own, by kernel. */
static int check(const struct settings *settings)
{
	const char *other = settings->html	      ? "--html"
			    : settings->findings.list ? "--findings"
						      : NULL;

	if (settings->by != NOT_GIVEN && settings->by != TACHO_BY_KERNEL)
		other = "--by";
	if (settings->json && settings->csv) {
		cli_complain("", "leave one of them out", "--json and --csv exclude each other");
		return CLI_USAGE;
	}
	if (!settings->per_instance || !other)
		return CLI_OK;
	cli_complain("it is a report of its own, by kernel", "leave one of them out",
		     "--per-instance and %s exclude each other", other);
	return CLI_USAGE;
}

/* ---- files that have sums only ---- */

/* What needs calls and launches one by one; NULL: nothing of that is asked for. */
static const char *find_row_option(const struct settings *settings)
{
	return settings->findings.list		? "--findings"
	       : settings->findings.rules.count ? "--rule"
	       : settings->findings.file	? "--rules"
	       : settings->findings.examples	? "--examples"
	       : settings->per_instance		? "--per-instance"
	       : settings->html			? "--html"
						: NULL;
}

static int report_sums(const struct settings *settings, struct tacho_recording *recording,
		       const struct cli_report_kernels *kernels)
{
	struct cli_report_sums report = {.recording = recording,
					 .is_one = settings->by != NOT_GIVEN,
					 .top = settings->top != UINT64_MAX	  ? settings->top
						: settings->json || settings->csv ? 0
										  : TOP_DEFAULT,
					 .kernels = kernels};
	const char *option = find_row_option(settings);
	const char *why = tacho_recording_get_run(recording)->why_empty;

	if (report.is_one && !option &&
	    !cli_report_sums_find(cli_words_get(CLI_WORDS_KEY, (size_t)settings->by), &report.kind))
		option = cli_part("--by %s", cli_words_get(CLI_WORDS_KEY, (size_t)settings->by));
	if (option) {
		cli_complain(why, "leave it out", "%s needs calls and launches one by one", option);
		return CLI_FAILED;
	}
	if (settings->json)
		cli_report_sums_print_json(&report, stdout);
	else if (settings->csv)
		cli_report_sums_print_csv(&report, stdout);
	else
		cli_report_sums_print(&report, stdout, cli_width(stdout));
	return CLI_OK;
}

/* ---- the command ---- */

static int refuse_csv(void)
{
	cli_complain("it prints sums that a file states, and this recording has rows",
		     "give --json; or tacho export --to csv, which has a row for each launch",
		     "report --csv is for files of sums");
	return CLI_USAGE;
}

static int report_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {.by = NOT_GIVEN, .top = UINT64_MAX};
	struct tacho_recording *recording = NULL;
	struct tacho_summary *summary = NULL;
	struct tacho_findings *findings = NULL;
	struct cli_report report = {0};
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		goto out;
	cli_take_csv_safe(settings.csv_safe, &settings.csv);
	status = check(&settings);
	if (status == CLI_OK)
		status = cli_report_kernels_create(&settings.kernels, &settings.excluded,
						   &report.kernels);
	if (status == CLI_OK)
		status = cli_files_open(argv + operand, argc - operand, settings.as, &recording);
	if (status != CLI_OK)
		goto out;
	if (tacho_recording_get_sums(recording, 0)) {
		status = report_sums(&settings, recording, &report.kernels);
		goto out;
	}
	if (settings.csv) {
		status = refuse_csv();
		goto out;
	}
	if (settings.html) {
		status = cli_open_page(recording, argv[operand], &(struct cli_open_settings){0});
		goto out;
	}
	status = read_recording(recording, &settings, &summary, &findings);
	if (status != CLI_OK)
		goto out;
	report.recording = recording;
	report.summary = summary;
	report.per_instance = settings.per_instance;
	report.key_only = settings.by != NOT_GIVEN;
	report.key = report.key_only ? (enum tacho_summary_key)settings.by : TACHO_BY_KERNEL;
	report.top = settings.top != UINT64_MAX ? settings.top : settings.json ? 0 : TOP_DEFAULT;
	report.findings_only = settings.findings.list != NULL;
	if (is_asked(&settings) || tacho_summary_get_totals(summary)->calls)
		report.findings = findings;
	if (settings.json)
		cli_report_print_json(&report, stdout);
	else
		cli_report_print(&report, stdout, cli_width(stdout));
out:
	cli_options_finish(command, &settings);
	cli_report_kernels_finish(&report.kernels);
	tacho_findings_destroy(findings);
	tacho_summary_destroy(summary);
	tacho_recording_close(recording);
	return status;
}

static const struct cli_option options[] = {
	{0, "by", "KEY", CLI_CHOICE, CLI_WORDS_KEY, offsetof(struct settings, by), false,
	 "show one table only: by kernel, api, queue, thread, process, transfer, range, gap, "
	 "frame, "
	 "pass or command"},
	{0, "top", "N", CLI_NUMBER, CLI_WORDS_NONE, offsetof(struct settings, top), false,
	 "show at most N lines of a table, 0 for all (default: 10; with --json all)"},
	{'k', "kernel", "NAME", CLI_TEXTS, CLI_WORDS_NONE, offsetof(struct settings, kernels),
	 false, "show these kernels only: a name, a glob or regex:RE; may be repeated"},
	{0, "exclude", "NAME", CLI_TEXTS, CLI_WORDS_NONE, offsetof(struct settings, excluded),
	 false, "show no kernel of this name"},
	{0, "per-instance", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, per_instance),
	 false, "show which instance of its block each counter is highest in, by kernel"},
	{0, "findings", "RULE,...", CLI_OPTIONAL, CLI_WORDS_NONE,
	 offsetof(struct settings, findings.list), false,
	 "show all findings with their evidence, or those of some rules, and nothing else"},
	{0, "rule", "NAME=VALUE", CLI_TEXTS, CLI_WORDS_NONE,
	 offsetof(struct settings, findings.rules), false,
	 "set a threshold of the rules; may be given several times"},
	{0, "rules", "FILE", CLI_TEXT, CLI_WORDS_FILE, offsetof(struct settings, findings.file),
	 false, "read which rules to apply from a file of CodeXL's kind"},
	{0, "examples", "N", CLI_NUMBER, CLI_WORDS_NONE,
	 offsetof(struct settings, findings.examples), false,
	 "show at most N calls with each finding (default: 3, at most 16)"},
	CLI_OPTION_AS(struct settings),
	{0, "json", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, json), false,
	 "print JSON with base units: nanoseconds and bytes"},
	{0, "csv", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, csv), false,
	 "of files that have sums only: a row for each line, in base units"},
	CLI_OPTION_CSV_SAFE(struct settings),
	{0, "html", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, html), false,
	 "make the page of the recording and open it in the browser, as tacho open"},
};

const struct cli_command cli_report = {
	.name = "report",
	.summary = "show where the time of a recorded run went",
	.operands = "NAME...",
	.description =
		"Shows totals, devices, the kernels and transfers that took longest, idle time, "
		"what was lost, and findings: what rules found wrong or slow. A \"-\" is a value "
		"that is not known; the reason stands "
		"below the table. NAME may be a session file of CodeXL or rcprof, too: FILE.atp, "
		"FILE.csv or FILE.occupancy; or a file or folder of another tool. Several of such "
		"files are one recording.",
	.examples = {"tacho report run", "tacho report run --by api --top 20"},
	CLI_HAS_OPTIONS(options),
	.is_paged = true,
	.words = CLI_WORDS_RECORDING,
	.first_operand = "NAME",
	.operand_min = 1,
	.operand_max = CLI_FILES_MAX,
	.run = report_run,
};
