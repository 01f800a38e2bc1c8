/* SPDX-License-Identifier: MIT */
/* tacho list: what there is on this machine. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/device.h>
#include <tacho/sys/json.h>

#include "isolate.h"
#include "options.h"
#include "table.h"
#include "text.h"

struct settings {
	bool json;
};

/* The order of the fields of a message. Numbers are decimal, "" when not known. */
enum {
	TYPE, /* "backend" or "device" */
	BACKEND,
	NAME,
	VENDOR,
	PLATFORM,
	DRIVER,
	KIND,
	USABLE, /* "1" */
	CAUSE,
	CURE,
	UNITS,
	MEMORY_BYTES,
	RESOLUTION_NS,
	FIELD_COUNT
};

struct list {
	char ***rows; /* FIELD_COUNT strings each */
	size_t count;
};

static char *number_text(uint64_t number)
{
	return number ? cli_format("%" PRIu64, number) : cli_format("%s", "");
}

static void send_device(int channel, const struct tacho_device *device)
{
	char *units = number_text(device->compute_units),
	     *bytes = number_text(device->memory_bytes);
	char *resolution = number_text(device->timer_resolution_ns);
	const char *fields[FIELD_COUNT] = {
		"device",	  device->backend, device->name, device->vendor,
		device->platform, device->driver,  device->kind, device->usable ? "1" : "",
		device->cause,	  device->cure,	   units,	 bytes,
		resolution};

	cli_isolate_send(channel, fields, FIELD_COUNT);
	free(resolution);
	free(bytes);
	free(units);
}

static int work(int channel)
{
	const struct tacho_probe_backend *backend;
	const struct tacho_device *device;
	struct tacho_probe *probe = NULL;

	if (tacho_probe_create(&probe) != 0)
		return CLI_FAILED;
	for (size_t i = 0; (backend = tacho_probe_get_backend(probe, i)); i++) {
		const char *fields[FIELD_COUNT] = {"backend",
						   backend->name,
						   backend->summary,
						   "",
						   backend->library,
						   "",
						   "",
						   backend->usable ? "1" : "",
						   backend->cause,
						   backend->cure};

		cli_isolate_send(channel, fields, FIELD_COUNT);
	}
	for (size_t i = 0; (device = tacho_probe_get_device(probe, i)); i++)
		send_device(channel, device);
	tacho_probe_destroy(probe);
	return CLI_OK;
}

static void add_row(void *user, const char *const *fields, size_t count)
{
	struct list *list = user;
	char ***rows;

	if (count != FIELD_COUNT)
		return;
	rows = cli_alloc((list->count + 1) * sizeof(*rows));
	if (list->count)
		memcpy(rows, list->rows, list->count * sizeof(*rows));
	free(list->rows);
	list->rows = rows;
	rows[list->count] = cli_alloc(FIELD_COUNT * sizeof(char *));
	for (size_t i = 0; i < FIELD_COUNT; i++)
		rows[list->count][i] = cli_format("%s", fields[i]);
	list->count++;
}

static void free_list(struct list *list)
{
	for (size_t row = 0; row < list->count; row++) {
		for (size_t i = 0; i < FIELD_COUNT; i++)
			free(list->rows[row][i]);
		free(list->rows[row]);
	}
	free(list->rows);
}

static bool is_device(char *const *row)
{
	return strcmp(row[TYPE], "device") == 0;
}

/* Every word is in some field that a person would look for. */
static bool is_wanted(char *const *row, char *const *words)
{
	static const int looked_at[] = {BACKEND, NAME, VENDOR, PLATFORM, DRIVER, KIND};

	for (; *words; words++) {
		bool found = false;

		for (size_t i = 0; i < sizeof(looked_at) / sizeof(looked_at[0]); i++)
			found = found || strcasestr(row[looked_at[i]], *words);
		if (!found)
			return false;
	}
	return true;
}

static void add_number(struct tacho_json *json, const char *key, const char *text)
{
	if (*text)
		tacho_json_add_unsigned(json, key, strtoull(text, NULL, 10));
	else
		tacho_json_add_null(json, key);
}

static void add_cause(struct tacho_json *json, char *const *row)
{
	tacho_json_add_bool(json, "usable", *row[USABLE]);
	tacho_json_add_string(json, "cause", row[CAUSE]);
	tacho_json_add_string(json, "cure", row[CURE]);
	tacho_json_end(json);
}

static void print_json(const struct list *list, char *const *words)
{
	struct tacho_json json;
	uint64_t index = 0;

	tacho_json_init(&json, stdout, true);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_string(&json, "schema", "tacho.devices/1");
	tacho_json_add_string(&json, "generator", "tacho " TACHO_VERSION);
	tacho_json_begin_array(&json, "backends");
	for (size_t i = 0; i < list->count; i++) {
		char *const *row = list->rows[i];

		if (is_device(row))
			continue;
		tacho_json_begin_object(&json, NULL);
		tacho_json_add_string(&json, "name", row[BACKEND]);
		tacho_json_add_string(&json, "summary", row[NAME]);
		tacho_json_add_string(&json, "library", row[PLATFORM]);
		add_cause(&json, row);
	}
	tacho_json_end(&json);
	tacho_json_begin_array(&json, "devices");
	for (size_t i = 0; i < list->count; i++) {
		char *const *row = list->rows[i];

		if (!is_device(row))
			continue;
		if (is_wanted(row, words)) {
			tacho_json_begin_object(&json, NULL);
			tacho_json_add_unsigned(&json, "index", index);
			tacho_json_add_string(&json, "name", row[NAME]);
			tacho_json_add_string(&json, "kind", row[KIND]);
			tacho_json_add_string(&json, "vendor", row[VENDOR]);
			tacho_json_add_string(&json, "platform", row[PLATFORM]);
			tacho_json_add_string(&json, "driver", row[DRIVER]);
			tacho_json_add_string(&json, "backend", row[BACKEND]);
			add_number(&json, "compute_units", row[UNITS]);
			add_number(&json, "memory_bytes", row[MEMORY_BYTES]);
			add_number(&json, "timer_resolution_ns", row[RESOLUTION_NS]);
			add_cause(&json, row);
		}
		index++;
	}
	tacho_json_finish(&json);
}

/* Causes and cures of what cannot be used, below the table. */
static void print_cause(const char *name, char *const *row, unsigned width)
{
	fputc('\n', stdout);
	cli_text_wrap(stdout, name, 0, 0, width);
	if (*row[CAUSE]) {
		fputs("  cause: ", stdout);
		cli_text_wrap(stdout, row[CAUSE], 9, 9, width);
	}
	if (*row[CURE]) {
		fputs("  cure:  ", stdout);
		cli_text_wrap(stdout, row[CURE], 9, 9, width);
	}
}

static size_t print_table(const struct list *list, char *const *words, unsigned width)
{
	static const struct cli_column columns[] = {{"device", false},	{"index", true},
						    {"kind", false},	{"platform", false},
						    {"backend", false}, {"usable", false}};
	struct cli_table table;
	size_t index = 0;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < list->count; i++) {
		char *const *row = list->rows[i];

		if (!is_device(row))
			continue;
		if (is_wanted(row, words)) {
			char *number = cli_format("%zu", index);
			const char *cells[] = {row[NAME],    number,
					       row[KIND],    row[PLATFORM],
					       row[BACKEND], *row[USABLE] ? "yes" : "no"};

			cli_table_add(&table, cells);
			free(number);
		}
		index++;
	}
	index = table.row_count;
	if (index)
		cli_table_print(&table, stdout, width);
	cli_table_finish(&table);
	return index;
}

static void print_text(const struct list *list, char *const *words, unsigned width)
{
	if (!print_table(list, words, width))
		cli_text_wrap(stdout,
			      *words ? "No device fits these words." : "There is no device.", 0, 0,
			      width);
	for (size_t i = 0; i < list->count; i++) {
		char *const *row = list->rows[i];
		char *name;

		if (*row[USABLE] || (is_device(row) && !is_wanted(row, words)))
			continue;
		name = is_device(row)
			       ? cli_format("%s of %s cannot be used", row[NAME], row[PLATFORM])
			       : cli_format("backend %s cannot be used", row[BACKEND]);
		print_cause(name, row, width);
		free(name);
	}
}

static int check_result(const struct cli_isolate_result *result)
{
	if (result->end == CLI_ISOLATE_EXITED && result->number == CLI_OK)
		return CLI_OK;
	if (result->end == CLI_ISOLATE_HUNG)
		cli_complain("a driver hangs", "run: tacho doctor",
			     "asking for devices took longer than %d seconds",
			     CLI_ISOLATE_TIMEOUT_MS / 1000);
	else if (result->end == CLI_ISOLATE_KILLED)
		cli_complain("a driver crashed", "run: tacho doctor",
			     "asking for devices ended with signal %d (%s)", result->number,
			     strsignal(result->number));
	else
		cli_complain(result->end == CLI_ISOLATE_NO_CHILD ? strerror(result->number) : "",
			     "", "asking for devices failed");
	return CLI_FAILED;
}

static int list_run(const struct cli_command *command, int argc, char **argv)
{
	struct cli_isolate_result result;
	struct settings settings = {0};
	struct list list = {0};
	int operand, status;
	bool any = false;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		return status;
	if (cli_words_find(command->words, argv[operand], "list") < 0)
		return CLI_USAGE;
	result = cli_isolate_run(work, CLI_ISOLATE_TIMEOUT_MS, add_row, &list);
	status = check_result(&result);
	if (settings.json)
		print_json(&list, argv + operand + 1);
	else if (status == CLI_OK || list.count)
		print_text(&list, argv + operand + 1, cli_width(stdout));
	for (size_t i = 0; i < list.count; i++)
		any = any || (is_device(list.rows[i]) && *list.rows[i][USABLE] &&
			      is_wanted(list.rows[i], argv + operand + 1));
	free_list(&list);
	return status ? status : any ? CLI_OK : CLI_NOTHING;
}

static const struct cli_option options[] = {
	{0, "json", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, json), false,
	 "print JSON with base units"},
};

const struct cli_command cli_list = {
	.name = "list",
	.summary = "list the devices of this machine",
	.operands = "devices [WORD...]",
	.description =
		"Lists the devices that can be measured, and those that cannot with the reason. "
		"WORDs narrow the list to devices in which each of them occurs.",
	.options = options,
	.option_count = sizeof(options) / sizeof(options[0]),
	.words = CLI_WORDS_WHAT,
	.first_operand = "what to list",
	.operand_min = 1,
	.operand_max = 32,
	.run = list_run,
};
