/* SPDX-License-Identifier: MIT */
/* tacho stat: runs a program and prints what a device counted meanwhile. */
#include "stat/stat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sys/launch.h>

#include "count.h"
#include "device.h"
#include "name.h"
#include "output.h"
#include "request.h"

static const uint64_t NS_PER_MS = 1000000, INTERVAL_MAX_MS = 86400000;

struct settings {
	struct cli_count_choice counting;
	const char *output;
	uint64_t interval_ms, pid;
	bool all, overwrite, per_launch, json, csv, csv_safe, list;
};

/* What a run needs, from the options to the plan. */
struct world {
	struct tacho_context *context;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct cli_stat stat;
	struct cli_output file; /* of -o */
	bool has_windows_only;	/* the device counts so through a backend of its own */
	char *subject;
};

static enum cli_stat_format get_format(const struct settings *settings)
{
	return settings->json ? CLI_STAT_JSON : settings->csv ? CLI_STAT_CSV : CLI_STAT_TEXT;
}

/* What runs is counted: a process or everything, until it ends, for a time, or until Ctrl-C. */
static bool is_attached(const struct settings *settings, char *const *program)
{
	return settings->pid || (settings->all && !*program);
}

static bool check_call(const struct settings *settings, char *const *program)
{
	if (!settings->list && !*program && !is_attached(settings, program))
		cli_complain("", "usage: tacho stat [OPTION...] [--] PROGRAM [ARGUMENT...]",
			     "stat: PROGRAM is missing");
	else if (settings->json && settings->csv)
		cli_complain("", "leave one of them out",
			     "stat: --json and --csv exclude each other");
	else
		return true;
	return false;
}

static int check_settings(const struct settings *settings, char *const *program)
{
	if (!check_call(settings, program))
		return CLI_USAGE;
	if (settings->pid && settings->all)
		cli_complain("", "leave one of them out", "stat: -p and -a exclude each other");
	else if (settings->pid > INT32_MAX)
		cli_complain("", "give the number of a process: ps -e",
			     "stat: there is no process %" PRIu64, settings->pid);
	else if (settings->interval_ms > INTERVAL_MAX_MS || settings->counting.passes > UINT32_MAX)
		cli_complain("", "give a smaller one", "stat: a number is too large");
	else
		return CLI_OK;
	return CLI_USAGE;
}

/* Devices that programs launch on were named: which launches are counted. */
static int check_device(const struct settings *settings, bool *out_names_launched)
{
	struct cli_devices devices = {0};
	int status = CLI_OK;

	*out_names_launched = false;
	if (settings->list)
		return CLI_OK;
	cli_show_class(CLI_FAILED);
	status = cli_devices_choose(settings->counting.device, &devices);
	if (!status)
		cli_show_class(CLI_USAGE);
	*out_names_launched = devices.has_found_only;
	cli_devices_finish(&devices);
	return status;
}

/* Values of launches need the library inside the program; all else is seen from outside. */
static bool is_per_launch(const struct settings *settings, char *const *program)
{
	const struct cli_count_choice *choice = &settings->counting;

	return settings->per_launch || choice->files.count || choice->model ||
	       choice->kernels.count || choice->excluded.count || choice->ranges.count ||
	       choice->iterations || choice->skip || choice->count || choice->delay_ms ||
	       (choice->duration_ms && !is_attached(settings, program)) || choice->is_paused;
}

/* A counter that only launches have was named, or a file selects launches. */
static bool names_command(const struct tacho_config *config)
{
	const struct tacho_config_entry *entry;

	if (tacho_config_get_kernel(config, 0) || tacho_config_get_excluded_kernel(config, 0) ||
	    tacho_config_get_iterations(config, 0))
		return true;

	for (size_t i = 0; (entry = tacho_config_get_entry(config, i)); i++)
		if (!entry->is_from_pattern &&
		    tacho_config_get_definition(config, i)->is_of_command)
			return true;
	return false;
}

/* Whether all that is named is of launches, so that no device is needed to know it. */
static int check_commands(const struct settings *settings, bool *out_names_command)
{
	struct tacho_config *config = NULL;
	const struct cli_request request = {.lists = &settings->counting.metrics};
	int status = CLI_OK;

	if (settings->counting.metrics.count)
		status = cli_request_parse_commands(&request, &config);
	*out_names_command = names_command(config);
	tacho_config_destroy(config);
	return status;
}

static int count_launches(const struct settings *settings, char **program)
{
	const struct cli_stat_launches launches = {
		.choice = &settings->counting,
		.program = program,
		.output = settings->output,
		.overwrite = settings->overwrite,
		.format = get_format(settings),
		.csv_safe = settings->csv_safe,
	};

	cli_show_class(CLI_USAGE);
	if (settings->pid)
		cli_complain(
			"a program's launches are seen from inside, and what sees them is "
			"loaded when it begins",
			"start it with tacho stat, or count what the device counts of a process",
			"stat: launches of a process that runs already cannot be counted");
	else if (settings->interval_ms || settings->all)
		cli_complain("a launch lies in no interval, and in one program",
			     "leave -I and -a out", "stat: values of launches have no intervals");
	else if (!check_call(settings, program))
		return CLI_USAGE;
	else if (!cli_count_is_asked(&settings->counting))
		cli_complain("", "name them: -m LIST", "stat: nothing is to be counted");
	else {
		cli_show_class(CLI_FAILED);
		return cli_stat_run_launches(&launches);
	}
	return CLI_USAGE;
}

static int open_device(const struct settings *settings, struct world *world)
{
	const struct tacho_device_info *info = NULL;
	int status = settings->interval_ms
			     ? cli_device_open_windows(settings->counting.device, &world->context,
						       &info, &world->has_windows_only)
			     : cli_device_open(settings->counting.device, settings->counting.model,
					       CLI_DEVICE_COUNTS, &world->context, &info);

	if (status)
		return status;
	if (tacho_device_open(world->context, info, &world->stat.device) != 0)
		return (int)cli_complain_last();
	world->stat.output.info = info;
	return CLI_OK;
}

/* Without a list: the device's own choice. */
static int parse_lists(const struct settings *settings, struct world *world)
{
	static const char *default_text = "set:default";
	struct cli_texts standard = {.texts = (const char **)&default_text, .count = 1};
	const struct cli_request request = {
		.lists = settings->counting.metrics.count ? &settings->counting.metrics : &standard,
		.device = world->stat.device,
		.hint = "name the device that counts it: -d DEV or --sim MODEL",
	};
	const struct tacho_arch *arch = tacho_device_get_arch(world->stat.device);

	if (settings->counting.metrics.count || tacho_arch_find_set(arch, "default"))
		return cli_request_parse(&request, &world->config);
	cli_complain("", "name them: -m LIST (tacho stat --list shows what there is)",
		     "stat: %s has no default; nothing is to be counted",
		     world->stat.output.info->name);
	return CLI_USAGE;
}

/* The same work once per pass: only when that was allowed. */
static int check_passes(const struct settings *settings, const struct world *world)
{
	struct tacho_plan_summary summary;
	size_t count = world->stat.run_count;
	const char *cure;

	tacho_plan_get_summary(world->plan, &summary);
	if (count <= 1 ||
	    (*world->stat.output.program && settings->counting.replay == TACHO_REPLAY_PROCESS &&
	     !settings->interval_ms))
		return CLI_OK;
	if (settings->interval_ms)
		cure = cli_part(
			"%sname fewer%s%s",
			world->has_windows_only ? "" : "leave -I out and add --replay process, or ",
			*summary.advice ? ": " : "", summary.advice);
	else if (!*world->stat.output.program)
		cure = cli_part("name fewer%s%s", *summary.advice ? ": " : "", summary.advice);
	else
		cure = cli_part("let the program run %zu times: --replay process; or name "
				"fewer%s%s",
				count, *summary.advice ? ": " : "", summary.advice);
	cli_show_class(CLI_DOES_NOT_FIT);
	cli_complain(summary.binding, cure, "what is to be counted needs %zu passes", count);
	return CLI_DOES_NOT_FIT;
}

static int make_plan(const struct settings *settings, struct world *world)
{
	struct tacho_device *device = world->stat.device;
	struct tacho_plan_options options = {.size = sizeof(options),
					     .passes_max = (uint32_t)settings->counting.passes};
	struct tacho_plan_summary summary;

	if (tacho_device_plan(device, world->config, &options, &world->plan) != 0)
		return (int)cli_complain_last();
	tacho_plan_get_summary(world->plan, &summary);
	world->stat.plan = world->plan;
	world->stat.run_count = summary.run_count;
	world->stat.output.config = world->config;
	return check_passes(settings, world);
}

static int open_output(const struct settings *settings, struct world *world)
{
	struct cli_stat_output *output = &world->stat.output;
	int status = CLI_OK;
	char *path;

	output->stream = stderr;
	output->format = get_format(settings);
	output->interval_ns = settings->interval_ms * NS_PER_MS;
	if (!settings->output && settings->csv_safe)
		cli_make_csv_safe(&output->stream);
	if (!settings->output)
		return CLI_OK;
	cli_change_class(CLI_USAGE);
	if (!cli_name_expand(settings->output, &path))
		return CLI_USAGE;
	cli_change_class(CLI_FAILED);
	status = cli_output_open(&world->file, path, settings->overwrite);
	if (!status && settings->csv_safe)
		cli_make_csv_safe(&world->file.stream);
	if (!status) {
		output->stream = world->file.stream;
		output->file = &world->file;
	}
	free(path);
	return status;
}

static int prepare(const struct settings *settings, struct world *world, char *const *program)
{
	int status;

	if (settings->counting.replay == TACHO_REPLAY_KERNEL ||
	    settings->counting.replay == TACHO_REPLAY_ROTATE ||
	    settings->counting.replay == TACHO_REPLAY_VENDOR) {
		cli_change_class(CLI_USAGE);
		cli_complain("", "add --per-launch, or take --replay process",
			     "stat: --replay kernel, vendor and rotate are for launches");
		return CLI_USAGE;
	}
	if (*program && !settings->all && strcmp(world->stat.output.info->backend, "perf") == 0 &&
	    tacho_launch_check_counted(*program) != 0)
		return (int)cli_complain_last();
	status = make_plan(settings, world);
	return status ? status : open_output(settings, world);
}

/* What was counted has to be where it was to go: else a program that succeeded is not enough. */
static int finish(struct world *world, bool is_strict, int status)
{
	if (!status)
		cli_show_class(CLI_FAILED);
	if (!cli_output_close(&world->file) && (!status || is_strict))
		status = CLI_REFUSED;
	tacho_plan_destroy(world->plan);
	tacho_config_destroy(world->config);
	tacho_device_close(world->stat.device);
	tacho_context_destroy(world->context);
	free(world->subject);
	return status;
}

/* Owned. */
static char *format_subject(const struct settings *settings, char *const *program)
{
	char path[64], name[64] = "";
	FILE *file;

	if (!settings->pid)
		return cli_format("%s", *program ? *program : "the whole machine");
	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/comm", settings->pid);
	file = fopen(path, "re");
	if (file && fgets(name, sizeof(name), file))
		name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
	return cli_format("process %" PRIu64 "%s%s%s", settings->pid, *name ? " (" : "", name,
			  *name ? ")" : "");
}

/* Unless the list has names that only launches have: nothing is done then. */
static int count_program(const struct settings *settings, struct world *world, char **program,
			 bool *out_names_command)
{
	int status = check_settings(settings, program);

	world->subject = format_subject(settings, program);
	world->stat.output.program = program;
	world->stat.output.subject = world->subject;
	world->stat.output.pid = world->stat.pid = settings->pid;
	world->stat.duration_ns = *program ? 0 : settings->counting.duration_ms * NS_PER_MS;
	world->stat.is_system_wide = settings->all;
	world->stat.is_strict = settings->counting.is_strict;
	cli_show_class(CLI_FAILED);
	if (!status)
		status = open_device(settings, world);
	if (!status && settings->list) {
		cli_stat_list(tacho_device_get_arch(world->stat.device), get_format(settings),
			      stdout);
		return CLI_OK;
	}
	if (!status)
		status = parse_lists(settings, world);
	if (!status && (names_command(world->config) || world->stat.output.info->launches_only)) {
		*out_names_command = true;
		return CLI_OK;
	}
	if (!status)
		status = prepare(settings, world, program);
	return status ? CLI_REFUSED : cli_stat_run(&world->stat);
}

static int stat_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	struct world world = {0};
	bool of_launches = false;
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		goto out;
	settings.csv |= settings.csv_safe;
	status = CLI_OK;
	if (!settings.list && is_per_launch(&settings, argv + operand))
		of_launches = true;
	else if (check_device(&settings, &of_launches) != CLI_OK)
		status = CLI_REFUSED;
	else if (!settings.list && !of_launches &&
		 check_commands(&settings, &of_launches) != CLI_OK)
		status = CLI_REFUSED;
	if (!status && !of_launches)
		status = count_program(&settings, &world, argv + operand, &of_launches);
	status = finish(&world, settings.counting.is_strict, status);
	if (status || !of_launches)
		goto out;
	status = count_launches(&settings, argv + operand);
	status = status == CLI_USAGE ? CLI_REFUSED : status;
out:
	cli_options_finish(command, &settings);
	return status;
}

static const struct cli_option options[] = {
	CLI_OPTION_METRICS(struct settings,
			   "count these: " CLI_LIST_HELP " (default: a set that works anywhere)"),
	CLI_OPTIONS_INPUT(struct settings),
	CLI_OPTION_DEVICE(
		struct settings,
		"count on this device: its number or name in tacho list devices, its id or "
		"PCI place, or a part of these (default: perf:linux); of devices that "
		"programs launch on, count launches on these only; several with commas, or "
		"all"),
	CLI_OPTION_SIM(struct settings,
		       "count on a simulated device, which is given the launches of the program"),
	{0, "per-launch", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, per_launch),
	 false,
	 "count each kernel launch of the program, not the program as a whole; so it is too with "
	 "--sim, -i, with counters that launches have, and with options that select launches"},
	CLI_OPTIONS_SELECT(struct settings),
	{'a', "all", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, all), false,
	 "count everything that the machine does while the program runs; without PROGRAM until "
	 "Ctrl-C, or for --duration"},
	{'p', "pid", "PID", CLI_NUMBER, CLI_WORDS_NONE, offsetof(struct settings, pid), false,
	 "count this process, which runs already, until it ends, PROGRAM does, --duration is over, "
	 "or Ctrl-C"},
	{'I', "interval", "MS", CLI_ABOVE_0, CLI_WORDS_NONE, offsetof(struct settings, interval_ms),
	 false, "print the counts of every MS milliseconds"},
	CLI_OPTION_REPLAY(
		struct settings,
		"when several passes are needed: process runs the program once for each; "
		"of launches, kernel runs each once for each pass, and rotate gives "
		"launches of a kernel a pass each; with vendor the GPU's own library does "
		"what kernel does; none refuses; auto (default): kernel "
		"for launches, else none"),
	CLI_OPTION_PASSES(struct settings),
	CLI_OPTION_STRICT(struct settings,
			  "a division by zero gives no value; of launches, the exit status is 125 "
			  "when something of the recording was lost"),
	{'o', "output", "FILE", CLI_TEXT, CLI_WORDS_FILE, offsetof(struct settings, output), false,
	 "print into this file, not to stderr, - for standard output; %h host, %p process id of "
	 "tacho, %r rank, %q{NAME} environment variable, %% percent sign; of launches: keep the "
	 "recording under this name"},
	CLI_OPTION_FORCE(struct settings, overwrite, "replace the file"),
	CLI_OPTION_FLAG(struct settings, 0, "json", json, "print JSON"),
	CLI_OPTION_FLAG(struct settings, 0, "csv", csv, "print comma-separated values"),
	CLI_OPTION_CSV_SAFE(struct settings),
	{0, "list", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, list), false,
	 "print what the device can count here, and why not the rest, and run nothing"},
};

const struct cli_command cli_stat = {
	.name = "stat",
	.summary = "run a program and show what was counted meanwhile",
	.operands = "[--] [PROGRAM [ARGUMENT...]]",
	.description =
		"Runs PROGRAM unchanged and counts from its first instruction to its end, in it "
		"and "
		"in all that it starts. The counts are printed to stderr. The exit status is the "
		"program's. With -p or -a, and without PROGRAM, it counts what runs already, until "
		"that ends, for --duration, or until Ctrl-C.",
	.examples = {"tacho stat ./app", "tacho stat -m device_time -k 'regex:gemm' ./app"},
	CLI_HAS_OPTIONS(options),
	.words = CLI_WORDS_PROGRAM,
	.first_operand = "PROGRAM",
	.operand_max = 1u << 30,
	.is_launcher = true,
	.run = stat_run,
};
