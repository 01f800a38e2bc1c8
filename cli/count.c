/* SPDX-License-Identifier: MIT */
#include "count.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <tacho/error.h>
#include <tacho/sim.h>

#include "cli.h"
#include "device.h"
#include "request.h"
#include "text.h"

static const uint64_t NS_PER_MS = 1000000, NS_PER_S = 1000000000, BYTES_PER_MB = 1000000;

enum {
	REPLAY_MEMORY_MB = 1024,
	TIMEOUT_S = 30,
	TIME_MAX = 1000000000, /* ms or s: about eleven days, or thirty years */
};

struct cli_count {
	const struct cli_count_choice *choice;
	struct cli_devices devices; /* that -d names */
	struct tacho_counting counting;

	struct tacho_context *context;
	const struct tacho_device_info *info;
	struct tacho_device *device;  /* NULL until it is needed */
	struct tacho_config *request; /* all that is asked for */
	struct tacho_config *config;  /* what the device counts of it */
	struct tacho_plan *plan;

	struct tacho_counting_column *columns;
	const char **kernels, **excluded;
	struct tacho_iterations *iterations;
	char *title, *backends, *selector, *kernels_file;
};

/* ---- the device ---- */

/* A simulated one is named as "sim:MODEL", too. */
static bool is_simulated_name(const char *device)
{
	return device && strncmp(device, "sim:", 4) == 0;
}

/* That counts what commands do not tell. */
static bool is_device_chosen(const struct cli_count *count)
{
	return count->choice->model || is_simulated_name(count->choice->device) ||
	       count->devices.counting || count->devices.alone;
}

static int choose_devices(struct cli_count *count)
{
	const struct cli_count_choice *choice = count->choice;
	int status;

	if (is_simulated_name(choice->device) && !choice->model)
		return CLI_OK;
	status = cli_devices_choose(choice->device, &count->devices);
	if (status || !choice->model || (!count->devices.counting && !count->devices.alone))
		return status;
	cli_change_class(CLI_USAGE);
	cli_complain("one device counts at a time",
		     "leave one of them out; devices on which "
		     "programs launch go with --sim",
		     "--device and --sim exclude each other");
	return CLI_USAGE;
}

static int open_counting_device(struct cli_count *count)
{
	const struct cli_count_choice *choice = count->choice;

	if (choice->model || is_simulated_name(choice->device))
		return cli_device_open(choice->device, choice->model, CLI_DEVICE_COUNTS,
				       &count->context, &count->info);
	return cli_device_open_chosen(&count->devices, CLI_DEVICE_COUNTS, &count->context,
				      &count->info);
}

static int open_device(struct cli_count *count)
{
	const struct cli_count_choice *choice = count->choice;
	const char *label = " [simulated]";
	bool is_simulated;
	int status;

	if (count->device)
		return CLI_OK;
	status = open_counting_device(count);
	if (status)
		return status;
	if (tacho_device_open(count->context, count->info, &count->device) != 0)
		return (int)cli_complain_last();
	is_simulated = count->info->is_simulated;
	count->counting.is_simulated = is_simulated;
	count->title = is_simulated ? cli_format("%s%s", count->info->name,
						 strstr(count->info->name, label) ? "" : label)
				    : cli_format("%s:%s", count->info->backend, count->info->name);
	count->backends = cli_device_format_backends(
		is_simulated && is_simulated_name(choice->device) ? choice->device
								  : count->info->backend,
		choice->model);
	if (!is_simulated && !count->devices.further_count)
		count->selector =
			cli_format("%s:%s", count->info->backend,
				   *count->info->id ? count->info->id : count->info->name);
	return CLI_OK;
}

/* ---- what is asked for ---- */

/* What commands tell by themselves needs no device. */
static int parse_lists(struct cli_count *count)
{
	const struct cli_texts *lists = &count->choice->metrics;
	struct cli_request request = {.lists = lists,
				      .files = &count->choice->files,
				      .job = count->choice->job,
				      .options = {.has_launches = 1}};
	int status = CLI_OK;

	if (!is_device_chosen(count)) {
		status = cli_request_parse_commands(&request, &count->request);
		cli_request_warn_of_files(count->request);
		request.hint = "name the device that counts it: -d DEV or --sim MODEL";
	}
	if (status || count->request)
		return status;
	status = open_device(count);
	if (status)
		return status;
	request.device = count->device;
	return cli_request_parse(&request, &count->request);
}

static void add_columns(struct cli_count *count)
{
	struct tacho_counting *counting = &count->counting;
	const struct tacho_entry *entry;
	size_t found = 0;

	while (tacho_config_get_entry(count->request, found))
		found++;
	count->columns = cli_alloc(found * sizeof(*count->columns));
	for (size_t i = 0; (entry = tacho_config_get_definition(count->request, i)); i++) {
		const char *semantic =
			entry->is_of_command
				? entry->semantic
				: tacho_arch_get_semantic(tacho_config_get_arch(count->request),
							  entry);

		if (!semantic)
			cli_out_of_memory();
		count->columns[i] = (struct tacho_counting_column){
			.name = tacho_config_get_column_name(count->request, i),
			.unit = entry->unit,
			.description = entry->description,
			.group = entry->group,
			.semantic = semantic,
			.type = entry->type,
			.from = entry->is_of_command ? TACHO_FROM_LAUNCH : TACHO_FROM_SESSION,
		};
	}
	counting->columns = count->columns;
	counting->column_count = found;
}

/* ---- which launches ---- */

bool cli_count_is_asked(const struct cli_count_choice *choice)
{
	return choice->metrics.count || choice->files.count;
}

static int check_numbers(const struct cli_count_choice *choice)
{
	if (choice->job && !choice->files.count)
		cli_complain("it chooses among the jobs of a file", "add -i FILE, or leave it out",
			     "--job needs -i");
	else if (choice->kernels_file && !choice->model)
		cli_complain("it describes kernels to a simulated device",
			     "add --sim MODEL, or leave it out", "--kernels needs --sim");
	else if (choice->delay_ms > TIME_MAX || choice->duration_ms > TIME_MAX ||
		 choice->timeout_s > TIME_MAX || choice->passes > UINT32_MAX ||
		 choice->replay_memory_mb > TIME_MAX)
		cli_complain("", "give a smaller one", "a number is too large");
	else
		return CLI_OK;
	return CLI_USAGE;
}

typedef const char *(*get_kernel_fn)(const struct tacho_config *config, size_t index);

/* What files of the lists say, and what options do. Otherwise it says what is wrong. */
static int join_kernels(const struct tacho_config *request, get_kernel_fn get,
			const struct cli_texts *own, const char ***kernels, size_t *count)
{
	size_t found = 0;

	while (get(request, found))
		found++;
	*count = found + own->count;
	*kernels = cli_alloc(*count * sizeof(**kernels));
	for (size_t i = 0; i < *count; i++) {
		(*kernels)[i] = i < found ? get(request, i) : own->texts[i - found];
		if (tacho_counting_check_pattern((*kernels)[i]) != 0) {
			cli_complain_last();
			return CLI_USAGE;
		}
	}
	return CLI_OK;
}

/* The same for the numbers of launches. */
static int join_iterations(struct cli_count *count, size_t *out_count)
{
	const char *text = count->choice->iterations;
	const struct tacho_iterations *range;
	struct tacho_iterations *own = NULL;
	size_t found = 0, own_count = 0;

	if (text && tacho_iterations_parse(text, &own, &own_count) != 0) {
		cli_complain_last();
		return CLI_USAGE;
	}
	while (tacho_config_get_iterations(count->request, found))
		found++;
	*out_count = found + own_count;
	count->iterations = cli_alloc(*out_count * sizeof(*count->iterations));
	for (size_t i = 0; (range = tacho_config_get_iterations(count->request, i)); i++)
		count->iterations[i] = *range;
	for (size_t i = 0; i < own_count; i++)
		count->iterations[found + i] = own[i];
	free(own);
	return CLI_OK;
}

static int check_ranges(const struct cli_texts *ranges)
{
	for (size_t i = 0; i < ranges->count; i++)
		if (tacho_counting_check_pattern(ranges->texts[i]) != 0) {
			cli_complain_last();
			return CLI_USAGE;
		}
	return CLI_OK;
}

static int set_selection(struct cli_count *count)
{
	const struct cli_count_choice *choice = count->choice;
	struct tacho_counting_select *select = &count->counting.select;
	size_t kernel_count, excluded_count = 0, iteration_count = 0;
	int status = join_kernels(count->request, tacho_config_get_kernel, &choice->kernels,
				  &count->kernels, &kernel_count);

	if (!status)
		status = join_kernels(count->request, tacho_config_get_excluded_kernel,
				      &choice->excluded, &count->excluded, &excluded_count);
	if (!status)
		status = join_iterations(count, &iteration_count);
	if (!status)
		status = check_ranges(&choice->ranges);
	*select = (struct tacho_counting_select){
		.kernels = count->kernels,
		.kernel_count = kernel_count,
		.excluded = count->excluded,
		.excluded_count = excluded_count,
		.ranges = choice->ranges.texts,
		.range_count = choice->ranges.count,
		.devices = count->devices.launched,
		.device_count = count->devices.launched_count,
		.iterations = count->iterations,
		.iteration_count = iteration_count,
		.skip = choice->skip,
		.count = choice->count,
		.delay_ns = choice->delay_ms * NS_PER_MS,
		.duration_ns = choice->duration_ms * NS_PER_MS,
		.is_paused = choice->is_paused,
	};
	return status;
}

/* ---- passes ---- */

/* What a session is to count. */
static struct tacho_config_entry *list_entries(const struct cli_count *count, size_t *out_count)
{
	const size_t size = count->counting.column_count;
	struct tacho_config_entry *wanted = cli_alloc(size * sizeof(*wanted));
	size_t found = 0;

	for (size_t i = 0; i < size; i++)
		if (count->columns[i].from == TACHO_FROM_SESSION)
			wanted[found++] = *tacho_config_get_entry(count->request, i);
	*out_count = found;
	return wanted;
}

static int make_plan(struct cli_count *count)
{
	struct tacho_plan_options options = {.size = sizeof(options),
					     .passes_max = (uint32_t)count->choice->passes};
	struct tacho_plan_summary summary;
	struct tacho_config_entry *wanted = list_entries(count, &count->counting.entry_count);
	int status = CLI_OK;

	count->counting.pass_count = 1;
	if (count->counting.entry_count &&
	    (tacho_config_create(tacho_config_get_arch(count->request),
				 tacho_config_get_model(count->request), wanted,
				 count->counting.entry_count, &count->config) != 0 ||
	     tacho_counting_check_launches(count->device) != 0 ||
	     tacho_device_plan(count->device, count->config, &options, &count->plan) != 0 ||
	     tacho_counting_check_modes(count->plan) != 0))
		status = (int)cli_complain_last();
	free(wanted);
	if (status || !count->plan)
		return status;
	tacho_plan_get_summary(count->plan, &summary);
	count->counting.pass_count = (uint32_t)summary.pass_count;
	return CLI_OK;
}

static int refuse_passes(const struct cli_count *count)
{
	struct tacho_plan_summary summary;

	tacho_plan_get_summary(count->plan, &summary);
	cli_show_class(CLI_DOES_NOT_FIT);
	cli_complain(summary.binding,
		     cli_part("take --replay kernel, process or rotate, or name fewer%s%s",
			      *summary.advice ? ": " : "", summary.advice),
		     "what is to be counted needs %u passes", (unsigned)count->counting.pass_count);
	return CLI_DOES_NOT_FIT;
}

static int choose_replay(struct cli_count *count)
{
	struct tacho_counting *counting = &count->counting;

	counting->run_count = 1;
	counting->replay = TACHO_REPLAY_NONE;
	if (counting->pass_count <= 1)
		return CLI_OK;
	counting->replay = count->choice->replay == TACHO_REPLAY_CALLER
				   ? TACHO_REPLAY_KERNEL
				   : (uint32_t)count->choice->replay;
	if (counting->replay == TACHO_REPLAY_NONE)
		return refuse_passes(count);
	if (tacho_counting_check_replay(count->device, counting->replay)) {
		cli_show_class(CLI_DOES_NOT_FIT);
		cli_complain_last();
		return CLI_DOES_NOT_FIT;
	}
	if (counting->replay == TACHO_REPLAY_PROCESS)
		counting->run_count = counting->pass_count;
	return CLI_OK;
}

static int set_kernels_file(struct cli_count *count)
{
	const char *file = count->choice->kernels_file;
	struct tacho_sim_kernels *kernels;

	if (!file)
		return CLI_OK;
	/* The program's process reads it again: what is wrong with it is better said now. */
	if (tacho_sim_kernels_read(file, &kernels))
		return cli_complain_last();
	tacho_sim_kernels_destroy(kernels);
	count->kernels_file = realpath(file, NULL);
	count->counting.kernels_file = count->kernels_file;
	if (count->kernels_file)
		return CLI_OK;
	cli_complain("", "give the name of a YAML file", "%s cannot be read: %m", file);
	return CLI_FAILED;
}

static void complete(struct cli_count *count)
{
	const struct cli_count_choice *choice = count->choice;
	struct tacho_counting *counting = &count->counting;

	counting->only_pass = -1;
	counting->is_strict = choice->is_strict;
	counting->timeout_ns = (choice->timeout_s ? choice->timeout_s : TIMEOUT_S) * NS_PER_S;
	counting->replay_memory_bytes =
		(choice->replay_memory_mb ? choice->replay_memory_mb : REPLAY_MEMORY_MB) *
		BYTES_PER_MB;
	if (!counting->entry_count)
		return;
	counting->plan = count->plan;
	counting->title = count->title;
	counting->backends = count->backends;
	counting->device = count->selector;
}

int cli_count_create(const struct cli_count_choice *choice, struct cli_count **out_count)
{
	struct cli_count *count = cli_alloc(sizeof(*count));
	int status;

	cli_show_class(CLI_USAGE);
	status = check_numbers(choice);
	cli_show_class(CLI_FAILED);
	memset(count, 0, sizeof(*count));
	count->choice = choice;
	if (!status)
		status = choose_devices(count);
	if (!status)
		status = parse_lists(count);
	if (!status)
		status = set_selection(count);
	if (!status)
		status = set_kernels_file(count);
	if (!status) {
		add_columns(count);
		status = make_plan(count);
	}
	if (!status)
		status = choose_replay(count);
	if (status) {
		cli_count_destroy(count);
		return status;
	}
	complete(count);
	*out_count = count;
	return CLI_OK;
}

const char *cli_count_find_chooser(const struct cli_count_choice *choice)
{
	const struct {
		const char *option;
		bool is_given;
	} choosers[] = {
		{"--kernel", choice->kernels.count},
		{"--exclude", choice->excluded.count},
		{"--range", choice->ranges.count},
		{"--iterations", choice->iterations},
		{"--skip", choice->skip},
		{"--count", choice->count},
		{"--delay", choice->delay_ms},
		{"--duration", choice->duration_ms},
		{"--start-paused", choice->is_paused},
	};

	for (size_t i = 0; i < sizeof(choosers) / sizeof(choosers[0]); i++)
		if (choosers[i].is_given)
			return choosers[i].option;
	return NULL;
}

static int check_choosers(const struct cli_count *count)
{
	const char *option =
		count->devices.has_found_only ? "--device" : cli_count_find_chooser(count->choice);

	if (!option)
		return CLI_OK;
	cli_complain("it chooses the launches that are counted, and nothing is to be counted",
		     "add -m LIST, or leave it out", "%s needs -m", option);
	return CLI_USAGE;
}

int cli_count_check(const struct cli_count_choice *choice)
{
	struct cli_count *count = cli_alloc(sizeof(*count));
	int status;

	cli_show_class(CLI_USAGE);
	status = check_numbers(choice);
	cli_show_class(CLI_FAILED);
	memset(count, 0, sizeof(*count));
	count->choice = choice;
	if (!status)
		status = choose_devices(count);
	if (!status && is_device_chosen(count))
		status = open_device(count);
	if (!status)
		status = set_selection(count);
	if (!status)
		status = set_kernels_file(count);
	if (!status)
		status = check_choosers(count);
	cli_count_destroy(count);
	return status;
}

void cli_count_destroy(struct cli_count *count)
{
	if (!count)
		return;
	tacho_plan_destroy(count->plan);
	tacho_config_destroy(count->config);
	tacho_config_destroy(count->request);
	tacho_device_close(count->device);
	tacho_context_destroy(count->context);
	cli_devices_finish(&count->devices);
	free(count->columns);
	free(count->kernels);
	free(count->excluded);
	free(count->iterations);
	free(count->title);
	free(count->backends);
	free(count->selector);
	free(count->kernels_file);
	free(count);
}

const struct tacho_counting *cli_count_get(struct cli_count *count, int only_pass)
{
	count->counting.only_pass = only_pass;
	return &count->counting;
}

/* ---- the announcement ---- */

static char *join_pass(const struct tacho_plan_pass *pass)
{
	char *text = cli_format("%s", "");

	for (size_t i = 0; i < pass->counter_count; i++)
		cli_append(&text, ", ", "%s", pass->counters[i].entry->name);
	return text;
}

static const char *explain_replay(uint32_t replay)
{
	switch (replay) {
	case TACHO_REPLAY_KERNEL: return "each counted launch runs once per pass";
	case TACHO_REPLAY_PROCESS: return "the program runs once per pass";
	case TACHO_REPLAY_ROTATE: return "launches of a kernel take turns, a pass each";
	case TACHO_REPLAY_VENDOR: return "the vendor's library runs each launch once for each pass";
	default: return "";
	}
}

void cli_count_announce(const struct cli_count *count, FILE *stream, unsigned width)
{
	const struct tacho_counting *counting = &count->counting;
	const struct tacho_plan_pass *pass;

	if (!counting->entry_count)
		return;
	if (counting->pass_count == 1)
		cli_text_print(stream, 0, 2, width, "tacho: counting on %s, 1 pass",
			       counting->title);
	else
		cli_text_print(
			stream, 0, 2, width, "tacho: counting on %s, %u passes; --replay %s: %s",
			counting->title, (unsigned)counting->pass_count,
			tacho_replay_to_string(counting->replay), explain_replay(counting->replay));
	for (size_t i = 0; (pass = tacho_plan_get_pass(count->plan, i)); i++) {
		char *names = join_pass(pass);

		cli_text_print(stream, 2, 4, width, "pass %zu%s%s: %s", i + 1,
			       pass->mode ? ", " : "",
			       pass->mode ? tacho_mode_to_string(pass->mode) : "", names);
		free(names);
	}
}
