/* SPDX-License-Identifier: MIT */
#include "record/sampling.h"

#include <stdlib.h>

#include <tacho/error.h>

#include "cli.h"
#include "device.h"
#include "request.h"

static const uint64_t NS_PER_MS = 1000000, INTERVAL_MAX_MS = 86400000;

struct cli_sampling {
	struct tacho_context *context;
	const struct tacho_device_info *info;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	char *title;
	size_t counter_count;
	struct tacho_launch_sampling launch;
};

/* Options that are about launches, and what chooses among them. */
static int check_choice(const struct cli_count_choice *choice, uint64_t interval_ms)
{
	const char *option = cli_count_find_chooser(choice);

	if (choice->replay != TACHO_REPLAY_CALLER && choice->replay != TACHO_REPLAY_NONE)
		option = "--replay";
	if (choice->files.count)
		option = "--input";
	if (interval_ms > INTERVAL_MAX_MS)
		cli_complain("", "give a smaller one", "the interval is too large");
	else if (choice->model)
		cli_complain("a simulated device is given the launches of the program, in it",
			     "leave -I out, or name a device with -d",
			     "--interval and --sim exclude each other");
	else if (option)
		cli_complain("it is about launches, and windows of time have none",
			     "leave one of them out", "--interval and %s exclude each other",
			     option);
	else
		return CLI_OK;
	return CLI_USAGE;
}

static int open_device(const struct cli_count_choice *choice, struct cli_sampling *sampling)
{
	bool is_other;
	int status = cli_device_open_windows(choice->device, &sampling->context, &sampling->info,
					     &is_other);

	if (status)
		return status;
	if (tacho_device_open(sampling->context, sampling->info, &sampling->device) != 0)
		return (int)cli_complain_last();
	sampling->title = cli_format("%s:%s", sampling->info->backend, sampling->info->name);
	return CLI_OK;
}

/* Without a list: the device's own choice. */
static int parse_lists(const struct cli_count_choice *choice, struct cli_sampling *sampling)
{
	static const char *default_text = "set:default";
	struct cli_texts standard = {.texts = (const char **)&default_text, .count = 1};
	const struct cli_request request = {
		.lists = choice->metrics.count ? &choice->metrics : &standard,
		.device = sampling->device,
		.hint = "name the device that counts it: -d DEV",
	};
	const struct tacho_arch *arch = tacho_device_get_arch(sampling->device);

	if (choice->metrics.count || tacho_arch_find_set(arch, "default"))
		return cli_request_parse(&request, &sampling->config);
	cli_complain("", "name them: -m LIST (tacho stat --list -d DEV shows what there is)",
		     "%s has no default; nothing is to be sampled", sampling->info->name);
	return CLI_USAGE;
}

static int refuse_launch_counters(const struct cli_sampling *sampling)
{
	const struct tacho_config_entry *entry;

	for (size_t i = 0; (entry = tacho_config_get_entry(sampling->config, i)); i++) {
		if (entry->is_from_pattern ||
		    !tacho_config_get_definition(sampling->config, i)->is_of_command)
			continue;
		cli_show_class(CLI_USAGE);
		cli_complain("only launches have it, and windows of time have none",
			     "leave it out, or leave -I out", "%s cannot be sampled",
			     tacho_config_get_column_name(sampling->config, i));
		return CLI_USAGE;
	}
	return CLI_OK;
}

static int make_plan(const struct cli_count_choice *choice, struct cli_sampling *sampling)
{
	struct tacho_plan_options options = {.size = sizeof(options),
					     .passes_max = (uint32_t)choice->passes};
	struct tacho_plan_summary summary;

	if (tacho_device_plan(sampling->device, sampling->config, &options, &sampling->plan) != 0)
		return (int)cli_complain_last();
	tacho_plan_get_summary(sampling->plan, &summary);
	if (summary.run_count <= 1)
		return CLI_OK;
	cli_show_class(CLI_DOES_NOT_FIT);
	cli_complain(summary.binding,
		     cli_part("name fewer%s%s: a window does not come again",
			      *summary.advice ? ": " : "", summary.advice),
		     "what is to be sampled needs %zu passes", summary.run_count);
	return CLI_DOES_NOT_FIT;
}

static void complete(const struct cli_count_choice *choice, uint64_t interval_ms,
		     struct cli_sampling *sampling)
{
	while (tacho_config_get_entry(sampling->config, sampling->counter_count))
		sampling->counter_count++;
	sampling->launch = (struct tacho_launch_sampling){
		.device = sampling->device,
		.config = sampling->config,
		.plan = sampling->plan,
		.title = sampling->title,
		.window_ns = interval_ms * NS_PER_MS,
		.is_strict = choice->is_strict,
	};
}

int cli_sampling_create(const struct cli_count_choice *choice, uint64_t interval_ms,
			struct cli_sampling **out_sampling)
{
	struct cli_sampling *sampling = cli_alloc(sizeof(*sampling));
	int status;

	*sampling = (struct cli_sampling){0};
	cli_show_class(CLI_USAGE);
	status = check_choice(choice, interval_ms);
	cli_show_class(CLI_FAILED);
	if (!status)
		status = open_device(choice, sampling);
	if (!status)
		status = parse_lists(choice, sampling);
	if (!status)
		status = refuse_launch_counters(sampling);
	if (!status)
		status = make_plan(choice, sampling);
	if (status) {
		cli_sampling_destroy(sampling);
		return status;
	}
	complete(choice, interval_ms, sampling);
	*out_sampling = sampling;
	return CLI_OK;
}

void cli_sampling_destroy(struct cli_sampling *sampling)
{
	if (!sampling)
		return;
	tacho_plan_destroy(sampling->plan);
	tacho_config_destroy(sampling->config);
	tacho_device_close(sampling->device);
	tacho_context_destroy(sampling->context);
	free(sampling->title);
	free(sampling);
}

const struct tacho_launch_sampling *cli_sampling_get(const struct cli_sampling *sampling)
{
	return sampling ? &sampling->launch : NULL;
}

void cli_sampling_announce(const struct cli_sampling *sampling, FILE *stream)
{
	fprintf(stream, "tacho: sampling %zu counter%s on %s every %llu ms\n",
		sampling->counter_count, sampling->counter_count == 1 ? "" : "s", sampling->title,
		(unsigned long long)(sampling->launch.window_ns / NS_PER_MS));
}
