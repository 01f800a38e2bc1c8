/* SPDX-License-Identifier: MIT */
/* tacho report: where the time of a recorded run went. */
#include "report.h"

#include <string.h>

#include <tacho/tacho.h>

#include "options.h"

enum { TOP_DEFAULT = 10, NOT_GIVEN = -1 };

struct settings {
	int by; /* position in CLI_WORDS_KEY, which is the order of enum tacho_summary_key */
	uint64_t top;
	bool json;
};

bool cli_report_get_loss(const struct tacho_summary_totals *totals, size_t index,
			 struct cli_loss *out_loss)
{
	const struct tacho_losses *losses = &totals->losses;
	const struct cli_loss table[] = {
		{"no_window", "calls not recorded: no room was ready within 250 ms",
		 losses->no_window},
		{"no_space", "calls not recorded: the recording could not grow", losses->no_space},
		{"nested", "calls not recorded: made by a signal handler during another one",
		 losses->nested},
		{"too_big", "calls not recorded: larger than a window", losses->too_big},
		{"no_thread", "calls not recorded: their thread got no stream", losses->no_thread},
		{"unreadable_bytes", "bytes that could not be read", losses->unreadable},
		{"unfinished", "commands whose end was not seen", totals->unfinished},
		{"not_credible", "commands whose device times were refused", totals->not_credible},
	};

	if (index >= sizeof(table) / sizeof(table[0]))
		return false;
	*out_loss = table[index];
	return true;
}

struct cli_use cli_report_get_use(const struct tacho_summary *summary)
{
	const struct tacho_summary_device *device;
	struct cli_use use = {0};

	for (; (device = tacho_summary_get_device(summary, use.devices)); use.devices++) {
		if (device->state > use.state)
			use.state = device->state;
		use.busy_ns += device->busy_ns;
		use.idle_ns += device->idle_ns;
	}
	if (!use.devices)
		use.state = TACHO_STATE_ABSENT;
	return use;
}

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

static int report_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {.by = NOT_GIVEN, .top = UINT64_MAX};
	struct tacho_recording *recording = NULL;
	struct tacho_summary *summary = NULL;
	struct cli_report report = {0};
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		return status;
	if (tacho_recording_open(argv[operand], &recording) != 0)
		return cli_complain_last();
	if (tacho_summary_create(recording, &summary) != 0) {
		status = cli_complain_last();
		goto out;
	}
	report.recording = recording;
	report.summary = summary;
	report.key_only = settings.by != NOT_GIVEN;
	report.key = report.key_only ? (enum tacho_summary_key)settings.by : TACHO_BY_KERNEL;
	report.top = settings.top != UINT64_MAX ? settings.top : settings.json ? 0 : TOP_DEFAULT;
	if (settings.json)
		cli_report_print_json(&report, stdout);
	else
		cli_report_print(&report, stdout, cli_width(stdout));
	status = CLI_OK;
out:
	tacho_summary_destroy(summary);
	tacho_recording_close(recording);
	return status;
}

static const struct cli_option options[] = {
	{0, "by", "KEY", CLI_CHOICE, CLI_WORDS_KEY, offsetof(struct settings, by), false,
	 "show one table only: by kernel, api, queue, thread or process"},
	{0, "top", "N", CLI_NUMBER, CLI_WORDS_NONE, offsetof(struct settings, top), false,
	 "show at most N lines of a table, 0 for all (default: 10; with --json all)"},
	{0, "json", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, json), false,
	 "print JSON with base units: nanoseconds and bytes"},
};

const struct cli_command cli_report = {
	.name = "report",
	.summary = "show where the time of a recorded run went",
	.operands = "NAME",
	.description =
		"Shows totals, devices, the kernels and transfers that took longest, idle time, "
		"and what was lost. A \"-\" is a value that is not known; the reason stands "
		"below the table.",
	.options = options,
	.option_count = sizeof(options) / sizeof(options[0]),
	.words = CLI_WORDS_RECORDING,
	.first_operand = "NAME",
	.operand_min = 1,
	.operand_max = 1,
	.run = report_run,
};
