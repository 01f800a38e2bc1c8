/* SPDX-License-Identifier: MIT */
/* tacho plan: the passes that counters and metrics need, and why. */
#include "plan/plan.h"

#include <stdlib.h>

#include "device_arch.h"
#include "options/options.h"
#include "request.h"
#include "text.h"

struct settings {
	struct cli_catalog_choice choice;
	const char *device;
	struct cli_texts metrics, files;
	int policy; /* position in CLI_WORDS_POLICY, which is enum tacho_policy */
	uint64_t depth, passes, job;
	bool no_cap, json;
};

static int check_numbers(const struct cli_command *command, const struct settings *settings)
{
	if (!settings->metrics.count && !settings->files.count)
		cli_complain("", "name them: -m LIST, -i FILE, or -m all",
			     "%s: nothing is to be counted", command->name);
	else if (settings->depth > UINT32_MAX || settings->passes > UINT32_MAX)
		cli_complain("", "give a smaller one", "%s: a number is too large", command->name);
	else
		return CLI_OK;
	return CLI_USAGE;
}

static int show(const struct settings *settings, const struct tacho_config *config,
		const struct cli_described *described)
{
	struct tacho_plan_options options = {
		.size = sizeof(options),
		.policy = (uint32_t)settings->policy,
		.no_cap = settings->no_cap,
		.nesting_depth = (uint32_t)settings->depth,
		.passes_max = (uint32_t)settings->passes,
	};
	struct tacho_plan *plan;
	int rc = described->device ? tacho_device_plan(described->device, config, &options, &plan)
				   : tacho_plan_create(config, &options, &plan);

	if (rc != 0)
		return (int)cli_complain_last();
	if (settings->json)
		cli_plan_write(plan, &options, described->name, stdout);
	else
		cli_plan_print(plan, described->name, stdout, cli_page_width());
	tacho_plan_destroy(plan);
	return CLI_OK;
}

/* What -d, --arch and --model say: a device that is open, or an architecture of the catalog. */
static int choose(struct settings *settings, struct cli_described *described,
		  struct tacho_catalog **out_catalog, struct cli_request *request)
{
	int status = cli_device_describe(settings->device, &settings->choice, described);

	request->device = described->device;
	if (status || request->device)
		return status;
	status = cli_catalog_open(&settings->choice, true, out_catalog);
	if (!status)
		status = cli_catalog_find_arch(*out_catalog, &settings->choice,
					       &request->options.arch);
	if (!status)
		status = cli_catalog_find_model(request->options.arch, &settings->choice,
						&request->options.model);
	return status;
}

static int plan_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	struct cli_described described = {0};
	struct tacho_catalog *catalog = NULL;
	struct tacho_config *config = NULL;
	struct cli_request request = {.lists = &settings.metrics,
				      .files = &settings.files,
				      .definitions = &settings.choice.definitions};
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		goto out;
	status = check_numbers(command, &settings);
	request.job = settings.job;
	if (!status)
		status = choose(&settings, &described, &catalog, &request);
	if (!status)
		status = cli_request_parse(&request, &config);
	if (!status)
		status = show(&settings, config, &described);
out:
	tacho_config_destroy(config);
	tacho_catalog_close(catalog);
	cli_described_finish(&described);
	cli_options_finish(command, &settings);
	return status;
}

static const struct cli_option options[] = {
	{'m', "metrics", "LIST", CLI_TEXTS, CLI_WORDS_ENTRIES, offsetof(struct settings, metrics),
	 false, "plan for these: " CLI_LIST_HELP},
	{'i', "input", "FILE", CLI_TEXTS, CLI_WORDS_FILE, offsetof(struct settings, files), false,
	 "plan for what FILE lists: pmc lines or jobs of rocprofv3, or names by line; may be "
	 "repeated"},
	{0, "job", "N", CLI_NUMBER, CLI_WORDS_NONE, offsetof(struct settings, job), false,
	 "of FILE take the N-th job or pmc line only (default: all, in one plan)"},
	{0, "policy", "P", CLI_CHOICE, CLI_WORDS_POLICY, offsetof(struct settings, policy), false,
	 "coherent (default): the inputs of a metric come from one pass where they fit in one; "
	 "fewest: from any passes"},
	{0, "no-cap", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, no_cap), false,
	 "drop the vendor's limit of counters per pass"},
	{0, "depth", "N", CLI_NUMBER, CLI_WORDS_NONE, offsetof(struct settings, depth), false,
	 "count N levels of nested ranges, each apart: all but pipelined passes run N times"},
	{0, "passes", "N", CLI_NUMBER, CLI_WORDS_NONE, offsetof(struct settings, passes), false,
	 "fail when more than N passes are needed"},
	CLI_OPTION_OF_DEVICE(struct settings),
	CLI_OPTION_ARCH(struct settings),
	CLI_OPTION_API(struct settings),
	CLI_OPTION_MODEL(struct settings),
	CLI_OPTION_DEFINITIONS(struct settings),
	CLI_OPTION_FLAG(struct settings, 0, "json", json, "print JSON"),
};

const struct cli_command cli_plan = {
	.name = "plan",
	.summary = "find the passes that counters and metrics need",
	.operands = "",
	.description =
		"Finds how often the same work has to run until everything that is wanted was "
		"counted, and why: hardware has few counter registers, and some counters exclude "
		"each other. No GPU is needed.",
	.examples = {"tacho plan --model mi300x -m VALUBusy",
		     "tacho plan --model mi210 -m VALUBusy --json"},
	CLI_HAS_OPTIONS(options),
	.is_paged = true,
	.run = plan_run,
};
