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
#include "nearest.h"
#include "text.h"

static const uint64_t NS_PER_MS = 1000000, NS_PER_S = 1000000000, BYTES_PER_MB = 1000000;
static const char launch_arch_name[] = "opencl"; /* commands tell the same under every API */

enum {
	REPLAY_MEMORY_MB = 1024,
	TIMEOUT_S = 30,
	TIME_MAX = 1000000000, /* ms or s: about eleven days, or thirty years */
};

struct texts {
	const char **list;
	size_t count, capacity;
};

struct cli_count {
	const struct cli_count_choice *choice;
	struct tacho_counting counting;

	struct tacho_catalog *catalog; /* of what commands tell */
	const struct tacho_arch *launch_arch;

	struct tacho_context *context;
	const struct tacho_device_info *info;
	struct tacho_device *device; /* NULL until it is needed */
	struct tacho_config *config;
	struct tacho_plan *plan;

	struct tacho_counting_column *columns;
	size_t column_count, column_capacity;
	struct tacho_config_entry *wanted;
	size_t left_out;
	struct texts kernels, excluded;
	struct tacho_counter_list **files; /* names are borrowed from them */
	size_t file_count;
	char *title, *backends, *selector, *kernels_file;
};

static void *grow(void *list, size_t *capacity, size_t count, size_t size)
{
	void *grown;

	if (count < *capacity)
		return list;
	*capacity = *capacity ? 2 * *capacity : 16;
	grown = cli_alloc(*capacity * size);
	if (count)
		memcpy(grown, list, count * size);
	free(list);
	return grown;
}

static void add_text(struct texts *texts, const char *text)
{
	texts->list = grow(texts->list, &texts->capacity, texts->count, sizeof(*texts->list));
	texts->list[texts->count++] = text;
}

/* ---- the device ---- */

static bool is_device_chosen(const struct cli_count *count)
{
	return count->choice->device || count->choice->model;
}

static int open_device(struct cli_count *count)
{
	const struct cli_count_choice *choice = count->choice;
	const char *label = " [simulated]";
	bool is_simulated;
	int status;

	if (count->device)
		return CLI_OK;
	status = cli_device_open(choice->device, choice->model, &count->context, &count->info);
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
		is_simulated && choice->device ? choice->device : count->info->backend,
		choice->model);
	if (!is_simulated)
		count->selector = cli_format("%s:%s", count->info->backend, count->info->name);
	return CLI_OK;
}

/* ---- columns ---- */

static bool has_column(const struct cli_count *count, const char *name)
{
	for (size_t i = 0; i < count->column_count; i++)
		if (strcmp(count->columns[i].name, name) == 0)
			return true;
	return false;
}

static void add_column(struct cli_count *count, const struct tacho_entry *entry, uint32_t from)
{
	const struct tacho_arch *arch = from == TACHO_FROM_LAUNCH
						? count->launch_arch
						: tacho_device_get_arch(count->device);

	const char *semantic;

	if (has_column(count, entry->name))
		return;
	semantic = tacho_arch_get_semantic(arch, entry);
	if (!semantic)
		cli_out_of_memory();
	count->columns = grow(count->columns, &count->column_capacity, count->column_count,
			      sizeof(*count->columns));
	count->columns[count->column_count++] = (struct tacho_counting_column){
		.name = entry->name,
		.unit = entry->unit,
		.description = entry->description,
		.group = entry->group,
		.semantic = semantic,
		.type = entry->type,
		.from = from,
	};
}

static bool is_pattern(const char *word)
{
	return strncasecmp(word, "set:", 4) == 0 || strcasecmp(word, "all") == 0 ||
	       (strpbrk(word, "*?[") && !strchr(word, '/'));
}

/* How many a pattern brings; those that cannot be counted are left out. */
static size_t add_pattern(struct cli_count *count, const struct tacho_arch *arch,
			  const struct tacho_model *model, const char *word, uint32_t from)
{
	const struct tacho_entry **entries;
	size_t found, added = 0;

	if (!cli_succeeded(tacho_arch_list_entries(arch, word, &entries, &found)))
		return 0;
	for (size_t i = 0; i < found; i++) {
		if (from == TACHO_FROM_SESSION && entries[i]->is_of_command)
			continue;
		if (from == TACHO_FROM_SESSION &&
		    !cli_succeeded(tacho_config_check_entry(arch, model, entries[i]))) {
			count->left_out++;
			continue;
		}
		add_column(count, entries[i], from);
		added++;
	}
	free(entries);
	return added;
}

static int open_launch_arch(const char *name, struct tacho_catalog **out_catalog,
			    const struct tacho_arch **out_arch)
{
	struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = name, .api = name, .no_environment = 1};

	if (tacho_catalog_open(&options, out_catalog) != 0 ||
	    tacho_catalog_find_arch(*out_catalog, name, name, out_arch) != 0)
		return (int)cli_complain_last();
	return CLI_OK;
}

int cli_count_complain_unknown(const char *word, const struct tacho_arch *arch, bool is_chosen)
{
	struct tacho_catalog *catalog = NULL;
	const struct tacho_arch *archs[2] = {arch};
	struct cli_nearest nearest = {0};
	char *near, *cure;

	if (open_launch_arch(launch_arch_name, &catalog, &archs[1]) == CLI_OK)
		cli_nearest_find(archs, 2, word, &nearest);
	near = cli_nearest_format(&nearest);
	if (is_chosen)
		cure = cli_format("%s%sSee tacho list counters and tacho list metrics, --arch %s; "
				  "of commands: --arch %s",
				  near, *near ? " " : "", arch->name, launch_arch_name);
	else
		cure = cli_format("%s%sName the device that counts it, -d DEV or --sim MODEL; of "
				  "commands: tacho list counters --arch %s",
				  near, *near ? " " : "", launch_arch_name);
	cli_complain("", cure, "%s has no counter, metric or set \"%s\", nor have commands",
		     arch->name, word);
	tacho_catalog_close(catalog);
	free(near);
	free(cure);
	return CLI_FAILED;
}

static int complain_unknown(const struct cli_count *count, const char *word)
{
	return cli_count_complain_unknown(word, tacho_device_get_arch(count->device),
					  is_device_chosen(count));
}

static int add_patterns(struct cli_count *count, const char *word)
{
	size_t added = add_pattern(count, count->launch_arch, NULL, word, TACHO_FROM_LAUNCH);
	int status;

	if (added && !is_device_chosen(count))
		return CLI_OK;
	status = open_device(count);
	if (status)
		return status;
	added += add_pattern(count, tacho_device_get_arch(count->device),
			     tacho_device_get_model(count->device), word, TACHO_FROM_SESSION);
	return added || count->left_out ? CLI_OK : complain_unknown(count, word);
}

/* A name means the one that is spelled so; only then case is ignored. */
static int add_name(struct cli_count *count, const char *word)
{
	const struct tacho_entry *of_launch = tacho_arch_find_entry(count->launch_arch, word);
	const struct tacho_entry *entry = NULL;
	const struct tacho_arch *arch;
	int status;

	if (of_launch && (!is_device_chosen(count) || strcmp(of_launch->name, word) == 0)) {
		add_column(count, of_launch, TACHO_FROM_LAUNCH);
		return CLI_OK;
	}
	status = open_device(count);
	if (status)
		return status;
	arch = tacho_device_get_arch(count->device);
	entry = tacho_arch_find_entry(arch, word);
	if (of_launch && (!entry || entry->is_of_command)) {
		add_column(count, of_launch, TACHO_FROM_LAUNCH);
		return CLI_OK;
	}
	if (!entry && strchr(word, '/') &&
	    tacho_device_define_entry(count->device, word, &entry) != 0)
		return (int)cli_complain_last();
	if (!entry)
		return complain_unknown(count, word);
	if (tacho_config_check_entry(arch, tacho_device_get_model(count->device), entry) != 0)
		return (int)cli_complain_last();
	add_column(count, entry, TACHO_FROM_SESSION);
	return CLI_OK;
}

static int add_word(struct cli_count *count, const char *word)
{
	return is_pattern(word) ? add_patterns(count, word) : add_name(count, word);
}

/* Words with commas between, but for those between the slashes of an event. */
static int add_words(struct cli_count *count, const char *text)
{
	static const char blanks[] = " \t\r\n";
	int status = CLI_OK;

	while (*text && !status) {
		size_t size = 0, used;
		bool is_event = false;
		char *word;

		text += strspn(text, blanks);
		for (; text[size] && (is_event || text[size] != ','); size++)
			if (text[size] == '/')
				is_event = !is_event;
		for (used = size; used && strchr(blanks, text[used - 1]);)
			used--;
		word = cli_format("%.*s", (int)used, text);
		if (*word)
			status = add_word(count, word);
		free(word);
		text += size + (text[size] == ',');
	}
	return status;
}

static int add_file(struct cli_count *count, const char *path)
{
	struct tacho_counter_list **files = cli_alloc((count->file_count + 1) * sizeof(*files));
	struct tacho_counter_list *list;
	int status = CLI_OK;

	if (count->file_count)
		memcpy(files, count->files, count->file_count * sizeof(*files));
	free(count->files);
	count->files = files;
	if (tacho_counter_list_read(path, &list) != 0)
		return (int)cli_complain_last();
	files[count->file_count++] = list;
	for (size_t i = 0; i < list->name_count && !status; i++)
		status = add_word(count, list->names[i]);
	for (size_t i = 0; i < list->kernel_count; i++)
		add_text(&count->kernels, list->kernels[i]);
	for (size_t i = 0; i < list->excluded_count; i++)
		add_text(&count->excluded, list->excluded[i]);
	return status;
}

static int add_all(struct cli_count *count)
{
	const struct cli_texts *metrics = &count->choice->metrics;
	int status = CLI_OK;

	for (size_t i = 0; i < metrics->count && !status; i++)
		status = *metrics->texts[i] == '@' ? add_file(count, metrics->texts[i] + 1)
						   : add_words(count, metrics->texts[i]);
	if (!status && count->left_out) {
		char *text = cli_format("%zu of the list cannot be counted on %s and %s left out; "
					"named alone with -m, each says why",
					count->left_out, count->title,
					count->left_out == 1 ? "is" : "are");

		cli_warn(text);
		free(text);
	}
	if (status || count->column_count)
		return status;
	cli_show_class(CLI_NOTHING);
	cli_complain("", "name counters: -m LIST", "nothing of the list can be counted");
	return CLI_NOTHING;
}

/* ---- which launches ---- */

static int check_numbers(const struct cli_count_choice *choice)
{
	if (choice->device && choice->model)
		cli_complain("", "leave one of them out", "--device and --sim exclude each other");
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

static int set_selection(struct cli_count *count)
{
	const struct cli_count_choice *choice = count->choice;
	struct tacho_counting_select *select = &count->counting.select;

	for (size_t i = 0; i < choice->kernels.count; i++)
		add_text(&count->kernels, choice->kernels.texts[i]);
	for (size_t i = 0; i < choice->excluded.count; i++)
		add_text(&count->excluded, choice->excluded.texts[i]);
	for (size_t i = 0; i < count->kernels.count + count->excluded.count; i++) {
		const char *pattern = i < count->kernels.count
					      ? count->kernels.list[i]
					      : count->excluded.list[i - count->kernels.count];

		if (tacho_counting_check_pattern(pattern) != 0) {
			cli_complain_last();
			return CLI_USAGE;
		}
	}
	*select = (struct tacho_counting_select){
		.kernels = count->kernels.list,
		.kernel_count = count->kernels.count,
		.excluded = count->excluded.list,
		.excluded_count = count->excluded.count,
		.skip = choice->skip,
		.count = choice->count,
		.delay_ns = choice->delay_ms * NS_PER_MS,
		.duration_ns = choice->duration_ms * NS_PER_MS,
		.is_paused = choice->is_paused,
	};
	return CLI_OK;
}

/* ---- passes ---- */

static void list_entries(struct cli_count *count)
{
	size_t found = 0;

	count->wanted = cli_alloc((count->column_count + 1) * sizeof(*count->wanted));
	for (size_t i = 0; i < count->column_count; i++)
		if (count->columns[i].from == TACHO_FROM_SESSION)
			count->wanted[found++] =
				(struct tacho_config_entry){.name = count->columns[i].name};
	count->counting.entry_count = found;
}

static int make_plan(struct cli_count *count)
{
	struct tacho_plan_options options = {.size = sizeof(options),
					     .passes_max = (uint32_t)count->choice->passes};
	struct tacho_plan_summary summary;

	count->counting.pass_count = 1;
	if (!count->counting.entry_count)
		return CLI_OK;
	if (tacho_config_create(tacho_device_get_arch(count->device),
				tacho_device_get_model(count->device), count->wanted,
				count->counting.entry_count, &count->config) != 0 ||
	    tacho_device_plan(count->device, count->config, &options, &count->plan) != 0)
		return (int)cli_complain_last();
	tacho_plan_get_summary(count->plan, &summary);
	count->counting.pass_count = (uint32_t)summary.pass_count;
	return CLI_OK;
}

static int refuse_passes(const struct cli_count *count)
{
	struct tacho_plan_summary summary;
	char *cure;

	tacho_plan_get_summary(count->plan, &summary);
	cure = cli_format("take --replay kernel, process or rotate, or name fewer%s%s",
			  *summary.advice ? ": " : "", summary.advice);
	cli_show_class(CLI_DOES_NOT_FIT);
	cli_complain(summary.binding, cure, "what is to be counted needs %u passes",
		     (unsigned)count->counting.pass_count);
	free(cure);
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

	counting->columns = count->columns;
	counting->column_count = count->column_count;
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
		status = open_launch_arch(launch_arch_name, &count->catalog, &count->launch_arch);
	if (!status && is_device_chosen(count))
		status = open_device(count);
	if (!status)
		status = add_all(count);
	if (!status)
		status = set_selection(count);
	if (!status)
		status = set_kernels_file(count);
	if (!status) {
		list_entries(count);
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

void cli_count_destroy(struct cli_count *count)
{
	if (!count)
		return;
	for (size_t i = 0; i < count->file_count; i++)
		tacho_counter_list_destroy(count->files[i]);
	free(count->files);
	tacho_plan_destroy(count->plan);
	tacho_config_destroy(count->config);
	tacho_device_close(count->device);
	tacho_context_destroy(count->context);
	tacho_catalog_close(count->catalog);
	free(count->columns);
	free(count->wanted);
	free(count->kernels.list);
	free(count->excluded.list);
	free(count->title);
	free(count->backends);
	free(count->selector);
	free(count->kernels_file);
	free(count);
}

void cli_count_choice_finish(struct cli_count_choice *choice)
{
	cli_texts_finish(&choice->metrics);
	cli_texts_finish(&choice->kernels);
	cli_texts_finish(&choice->excluded);
}

const struct tacho_counting *cli_count_get(struct cli_count *count, int only_pass)
{
	count->counting.only_pass = only_pass;
	return &count->counting;
}

bool cli_count_has_launch_counter(const struct cli_texts *names)
{
	struct tacho_catalog *catalog = NULL;
	const struct tacho_arch *arch;
	bool found = false;

	if (open_launch_arch(launch_arch_name, &catalog, &arch) != CLI_OK) {
		tacho_catalog_close(catalog);
		return false;
	}
	for (size_t i = 0; i < names->count && !found; i++) {
		char *copy = cli_format("%s", names->texts[i]), *rest = copy, *word;

		while (!found && (word = strsep(&rest, ", ")) != NULL) {
			const struct tacho_entry *entry = tacho_arch_find_entry(arch, word);

			found = entry && strcmp(entry->name, word) == 0;
		}
		free(copy);
	}
	tacho_catalog_close(catalog);
	return found;
}

/* ---- the announcement ---- */

static char *join_pass(const struct tacho_plan_pass *pass)
{
	char *text = cli_format("%s", "");

	for (size_t i = 0; i < pass->counter_count; i++) {
		char *longer =
			cli_format("%s%s%s", text, i ? ", " : "", pass->counters[i].entry->name);

		free(text);
		text = longer;
	}
	return text;
}

static const char *explain_replay(uint32_t replay)
{
	switch (replay) {
	case TACHO_REPLAY_KERNEL: return "each counted launch runs once per pass";
	case TACHO_REPLAY_PROCESS: return "the program runs once per pass";
	case TACHO_REPLAY_ROTATE: return "launches of a kernel take turns, a pass each";
	default: return "";
	}
}

void cli_count_announce(const struct cli_count *count, FILE *stream, unsigned width)
{
	const struct tacho_counting *counting = &count->counting;
	const struct tacho_plan_pass *pass;
	char *text;

	if (!counting->entry_count)
		return;
	if (counting->pass_count == 1)
		text = cli_format("tacho: counting on %s, 1 pass", counting->title);
	else
		text = cli_format("tacho: counting on %s, %u passes; --replay %s: %s",
				  counting->title, (unsigned)counting->pass_count,
				  tacho_replay_to_string(counting->replay),
				  explain_replay(counting->replay));
	cli_text_wrap(stream, text, 0, 2, width);
	free(text);
	for (size_t i = 0; (pass = tacho_plan_get_pass(count->plan, i)); i++) {
		char *names = join_pass(pass);

		text = cli_format("pass %zu: %s", i + 1, names);
		fputs("  ", stream);
		cli_text_wrap(stream, text, 2, 4, width);
		free(text);
		free(names);
	}
}
