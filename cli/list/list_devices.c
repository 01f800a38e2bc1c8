/* SPDX-License-Identifier: MIT */
/* The devices of this machine, and the ways of finding them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/device.h>
#include <tacho/sys/json.h>

#include "columns.h"
#include "fold.h"
#include "isolate.h"
#include "list/list.h"
#include "list/list_masks.h"
#include "table.h"
#include "text.h"

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
	ID,
	ARCH,
	API,
	PCI,
	LAUNCHES_ONLY,	 /* "1" */
	FOUND_ONLY,	 /* "1" */
	COUNTS_TOGETHER, /* "1" */
	FIELD_COUNT
};

struct found {
	char ***rows; /* FIELD_COUNT strings each */
	size_t count;
};

static char *number_text(uint64_t number)
{
	return number ? cli_format("%" PRIu64, number) : cli_format("%s", "");
}

static void send_device(int channel, const struct tacho_device_info *info)
{
	char *units = number_text(info->compute_units), *bytes = number_text(info->memory_bytes);
	char *resolution = number_text(info->timer_resolution_ns);
	const char *fields[FIELD_COUNT] = {"device",
					   info->backend,
					   info->name,
					   info->vendor,
					   info->platform,
					   info->driver,
					   info->kind,
					   info->usable ? "1" : "",
					   info->cause,
					   info->cure,
					   units,
					   bytes,
					   resolution,
					   info->id,
					   info->arch,
					   info->api,
					   info->pci,
					   info->launches_only ? "1" : "",
					   info->found_only ? "1" : "",
					   info->counts_together ? "1" : ""};

	cli_isolate_send(channel, fields, FIELD_COUNT);
	free(resolution);
	free(bytes);
	free(units);
}

/* The child's exit status when it has told what failed, which has the class below. */
enum { SAID = 64, CLASS = 7 };

static int work(int channel)
{
	const struct tacho_probe_backend *backend;
	const struct tacho_device_info *info;
	struct tacho_probe *probe = NULL;

	if (tacho_probe_create(&probe) != 0)
		return SAID | (int)cli_complain_last();
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
	for (size_t i = 0; (info = tacho_probe_get_device_info(probe, i)); i++)
		send_device(channel, info);
	tacho_probe_destroy(probe);
	return CLI_OK;
}

static void add_row(void *user, const char *const *fields, size_t count)
{
	struct found *found = user;
	char **row;

	if (count != FIELD_COUNT)
		return;
	row = cli_alloc(FIELD_COUNT * sizeof(*row));
	for (size_t i = 0; i < FIELD_COUNT; i++)
		row[i] = cli_format("%s", fields[i]);
	found->rows = cli_grow(found->rows, found->count, sizeof(*found->rows));
	found->rows[found->count++] = row;
}

static void free_found(struct found *found)
{
	for (size_t row = 0; row < found->count; row++) {
		for (size_t i = 0; i < FIELD_COUNT; i++)
			free(found->rows[row][i]);
		free(found->rows[row]);
	}
	free(found->rows);
}

static bool is_device(char *const *row)
{
	return strcmp(row[TYPE], "device") == 0;
}

/* Every word is in some field that a person would look for. */
static bool is_wanted(char *const *row, struct tacho_pattern *const *patterns)
{
	static const int looked_at[] = {BACKEND, NAME, VENDOR, PLATFORM, DRIVER, KIND, ID, PCI};

	for (; *patterns; patterns++) {
		bool found = false;

		for (size_t i = 0; i < sizeof(looked_at) / sizeof(looked_at[0]); i++)
			found = found || tacho_pattern_fits(*patterns, row[looked_at[i]]);
		if (!found)
			return false;
	}
	return true;
}

static void add_cause(struct tacho_json *json, char *const *row)
{
	tacho_json_add_bool(json, "usable", *row[USABLE]);
	tacho_json_add_string(json, "cause", row[CAUSE]);
	tacho_json_add_string(json, "cure", row[CURE]);
	tacho_json_end(json);
}

static void write_backends(struct tacho_json *json, const struct found *found, const char *key,
			   struct tacho_pattern *const *patterns)
{
	tacho_json_begin_array(json, key);
	for (size_t i = 0; i < found->count; i++) {
		char *const *row = found->rows[i];

		if (is_device(row) || !is_wanted(row, patterns))
			continue;
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", row[BACKEND]);
		tacho_json_add_string(json, "summary", row[NAME]);
		tacho_json_add_string(json, "library", row[PLATFORM]);
		add_cause(json, row);
	}
	tacho_json_end(json);
}

static void write_device(struct tacho_json *json, char *const *row, uint64_t index)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_unsigned(json, "index", index);
	tacho_json_add_string(json, "name", row[NAME]);
	tacho_json_add_string(json, "kind", row[KIND]);
	tacho_json_add_string(json, "vendor", row[VENDOR]);
	tacho_json_add_string(json, "platform", row[PLATFORM]);
	tacho_json_add_string(json, "driver", row[DRIVER]);
	tacho_json_add_string(json, "backend", row[BACKEND]);
	tacho_json_add_string(json, "id", row[ID]);
	tacho_json_add_string(json, "pci", row[PCI]);
	tacho_json_add_string(json, "arch", row[ARCH]);
	tacho_json_add_string(json, "api", row[API]);
	tacho_json_add_known(json, "compute_units", *row[UNITS], strtoull(row[UNITS], NULL, 10));
	tacho_json_add_known(json, "memory_bytes", *row[MEMORY_BYTES],
			     strtoull(row[MEMORY_BYTES], NULL, 10));
	tacho_json_add_known(json, "timer_resolution_ns", *row[RESOLUTION_NS],
			     strtoull(row[RESOLUTION_NS], NULL, 10));
	add_cause(json, row);
}

static void write_devices(struct tacho_json *json, const struct found *found, const char *key,
			  struct tacho_pattern *const *patterns)
{
	uint64_t index = 0;

	tacho_json_begin_array(json, key);
	for (size_t i = 0; i < found->count; i++) {
		if (!is_device(found->rows[i]))
			continue;
		if (is_wanted(found->rows[i], patterns))
			write_device(json, found->rows[i], index);
		index++;
	}
	tacho_json_end(json);
}

/* Devices keep the arrays of tacho.devices/1 beside the one that all lists have. */
static void print_json(const struct found *found, const struct cli_listing *listing)
{
	static struct tacho_pattern *const every[] = {NULL};
	struct cli_list_document document;
	struct tacho_json *json = &document.json;

	cli_list_begin(&document, listing);
	if (listing->what == CLI_LIST_BACKENDS) {
		write_backends(json, found, "entries", listing->patterns);
	} else {
		write_backends(json, found, "backends", every);
		cli_list_add_masks(json);
		write_devices(json, found, "devices", listing->patterns);
		write_devices(json, found, "entries", listing->patterns);
	}
	cli_list_end(&document, listing);
}

/* Causes and cures of what cannot be used, below the table. */
static void print_cause(const char *name, char *const *row, unsigned width)
{
	fputc('\n', stdout);
	cli_text_wrap(stdout, name, 0, 0, width);
	cli_text_print_part(stdout, "  cause: ", row[CAUSE], width);
	cli_text_print_part(stdout, "  cure:  ", row[CURE], width);
}

/* A line of the table: devices whose names count on, and of which the same is said. */
struct span {
	char *const *first_row, *const *last_row;
	size_t first, last; /* their indices */
};

static bool are_alike(char *const *a, char *const *b)
{
	static const int looked_at[] = {BACKEND, PLATFORM, KIND, USABLE, CAUSE};
	bool alike = true;

	for (size_t i = 0; i < sizeof(looked_at) / sizeof(looked_at[0]); i++)
		alike = alike && strcmp(a[looked_at[i]], b[looked_at[i]]) == 0;
	return alike;
}

static bool is_next(const struct span *span, size_t index, char *const *row)
{
	size_t number;
	char *joined;
	bool next = span->last + 1 == index && are_alike(span->last_row, row) &&
		    cli_fold_is_next(span->last_row[NAME], row[NAME], &number);

	if (!next)
		return false;
	/* the same number in the name as before */
	joined = cli_fold_format_run(span->first_row[NAME], row[NAME]);
	next = strcmp(joined, span->first_row[NAME]) != 0;
	free(joined);
	return next;
}

/* Makes the lines out of the devices that are wanted. Returns how many; *out_spans is owned. */
static size_t make_spans(const struct found *found, struct tacho_pattern *const *patterns,
			 struct span **out_spans)
{
	struct span *spans = cli_alloc((found->count + 1) * sizeof(*spans));
	size_t index = 0, count = 0;

	for (size_t i = 0; i < found->count; i++) {
		char *const *row = found->rows[i];

		if (!is_device(row))
			continue;
		if (is_wanted(row, patterns)) {
			if (!count || !is_next(&spans[count - 1], index, row))
				spans[count++] = (struct span){.first_row = row, .first = index};
			spans[count - 1].last_row = row;
			spans[count - 1].last = index;
		}
		index++;
	}
	*out_spans = spans;
	return count;
}

static void add_line(struct cli_table *table, const struct span *span)
{
	char *const *row = span->first_row;
	bool is_run = span->last > span->first;
	const char *cells[] = {
		is_run ? cli_table_take(table, cli_fold_format_run(row[NAME], span->last_row[NAME]))
		       : row[NAME],
		is_run ? cli_table_format(table, "%zu-%zu", span->first, span->last)
		       : cli_table_format(table, "%zu", span->first),
		row[KIND],
		row[PLATFORM],
		row[BACKEND],
		*row[USABLE] ? "yes" : "no"};

	cli_table_add(table, cells);
}

static size_t print_table(const struct found *found, struct tacho_pattern *const *patterns,
			  unsigned width)
{
	static const struct cli_column columns[] = {{"device", false},	{"index", true},
						    {"kind", false},	{"platform", false},
						    {"backend", false}, {"usable", false}};
	struct span *spans;
	size_t count = make_spans(found, patterns, &spans);
	struct cli_table table;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < count; i++)
		add_line(&table, &spans[i]);
	if (count)
		cli_table_print(&table, stdout, width);
	cli_table_finish(&table);
	free(spans);
	return count;
}

/* One explanation for all devices of a line. */
static void print_causes(const struct found *found, struct tacho_pattern *const *patterns,
			 unsigned width)
{
	struct span *spans;
	size_t count = make_spans(found, patterns, &spans);

	for (size_t i = 0; i < count; i++) {
		char *const *row = spans[i].first_row;
		char *name;

		if (*row[USABLE])
			continue;
		name = cli_fold_format_run(row[NAME], spans[i].last_row[NAME]);
		cli_append(&name, "", " of %s cannot be used", row[PLATFORM]);
		print_cause(name, row, width);
		free(name);
	}
	free(spans);
}

static void print_text(const struct found *found, struct tacho_pattern *const *patterns,
		       unsigned width)
{
	if (!print_table(found, patterns, width))
		cli_text_wrap(stdout,
			      *patterns ? "No device fits these words." : "There is no device.", 0,
			      0, width);
	cli_list_print_masks(stdout, width);
	for (size_t i = 0; i < found->count; i++) {
		char *const *row = found->rows[i];
		char *name;

		if (is_device(row) || *row[USABLE])
			continue;
		name = cli_format("backend %s cannot be used", row[BACKEND]);
		print_cause(name, row, width);
		free(name);
	}
	print_causes(found, patterns, width);
}

static bool is_listed(const struct cli_listing *listing, char *const *row)
{
	return is_device(row) == (listing->what == CLI_LIST_DEVICES) &&
	       is_wanted(row, listing->patterns);
}

static void print_backends(const struct found *found, const struct cli_listing *listing)
{
	static const struct cli_column columns[] = {{"backend", false},
						    {"usable", false},
						    {"library", false},
						    {"what it finds", false}};
	unsigned width = cli_width(stdout);
	struct cli_table table;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < found->count; i++) {
		char *const *row = found->rows[i];
		const char *cells[] = {row[BACKEND], *row[USABLE] ? "yes" : "no", row[PLATFORM],
				       row[NAME]};

		if (is_listed(listing, row))
			cli_table_add(&table, cells);
	}
	if (table.row_count)
		cli_columns_print(&table, stdout, width);
	else
		cli_text_wrap(stdout,
			      *listing->patterns ? "No backend fits these words."
						 : "There is no backend.",
			      0, 0, width);
	cli_table_finish(&table);
	for (size_t i = 0; i < found->count; i++)
		if (is_listed(listing, found->rows[i]) && !*found->rows[i][USABLE]) {
			char *name =
				cli_format("backend %s cannot be used", found->rows[i][BACKEND]);

			print_cause(name, found->rows[i], width);
			free(name);
		}
}

static int check_result(const struct cli_isolate_result *result)
{
	if (result->end == CLI_ISOLATE_EXITED && result->number == CLI_OK)
		return CLI_OK;
	if (result->end == CLI_ISOLATE_EXITED && (result->number & ~CLASS) == SAID)
		return result->number & CLASS;
	if (result->end == CLI_ISOLATE_HUNG)
		cli_complain("a driver hangs", "run: tacho doctor",
			     "asking for devices took longer than %d seconds",
			     CLI_ISOLATE_TIMEOUT_MS / 1000);
	else if (result->end == CLI_ISOLATE_KILLED)
		cli_complain("a driver crashed", "run: tacho doctor",
			     "asking for devices ended with signal %d (%s)", result->number,
			     strsignal(result->number));
	else if (result->end == CLI_ISOLATE_EXITED)
		cli_complain("", "run: tacho doctor", "asking for devices ended with status %d",
			     result->number);
	else
		cli_complain(result->end == CLI_ISOLATE_NO_CHILD ? strerror(result->number) : "",
			     "", "asking for devices failed");
	return CLI_FAILED;
}

static void print_names(const struct found *found, const struct cli_listing *listing)
{
	for (size_t i = 0; i < found->count; i++)
		if (is_listed(listing, found->rows[i])) {
			const char *name =
				found->rows[i][is_device(found->rows[i]) ? NAME : BACKEND];
			char *clean = cli_text_clean(name);

			printf("%s\n", clean);
			free(clean);
		}
}

/* "0 opencl:cpu, 1-4 perf:cha_[0-3]": what a number can be. Owned. */
static char *format_numbers(const struct found *found)
{
	static struct tacho_pattern *const every[] = {NULL};
	struct span *spans;
	size_t count = make_spans(found, every, &spans);
	char *text = cli_format("%s", "");

	for (size_t i = 0; i < count; i++) {
		const struct span *span = &spans[i];
		bool is_run = span->last > span->first;
		char *name =
			is_run ? cli_fold_format_run(span->first_row[NAME], span->last_row[NAME])
			       : cli_format("%s", span->first_row[NAME]);
		char *numbers = is_run ? cli_format("%zu-%zu", span->first, span->last)
				       : cli_format("%zu", span->first);

		cli_append(&text, ", ", "%s%s %s:%s", i ? "" : "choose of ", numbers,
			   span->first_row[BACKEND], name);
		free(numbers);
		free(name);
	}
	free(spans);
	return text;
}

static struct tacho_device_info make_info(char *const *row)
{
	return (struct tacho_device_info){
		.backend = row[BACKEND],
		.name = row[NAME],
		.vendor = row[VENDOR],
		.platform = row[PLATFORM],
		.driver = row[DRIVER],
		.kind = row[KIND],
		.cause = row[CAUSE],
		.cure = row[CURE],
		.id = row[ID],
		.arch = row[ARCH],
		.api = row[API],
		.pci = row[PCI],
		.windows_by = "",
		.usable = *row[USABLE] != '\0',
		.launches_only = *row[LAUNCHES_ONLY] != '\0',
		.found_only = *row[FOUND_ONLY] != '\0',
		.counts_together = *row[COUNTS_TOGETHER] != '\0',
	};
}

int cli_list_read(const struct cli_list_device **out_devices, size_t *out_count, char **out_numbers)
{
	static struct found found; /* the machine is asked once, and kept */
	static struct cli_list_device *devices;
	static size_t count;
	struct cli_isolate_result result;
	int status;

	if (!devices) {
		result = cli_isolate_run(work, CLI_ISOLATE_TIMEOUT_MS, add_row, &found);
		status = check_result(&result);
		if (status) {
			free_found(&found);
			found = (struct found){0};
			return status;
		}
		devices = cli_alloc((found.count + 1) * sizeof(*devices));
		for (size_t i = 0; i < found.count; i++) {
			if (!is_device(found.rows[i]))
				continue;
			devices[count] = (struct cli_list_device){.info = make_info(found.rows[i])};
			for (size_t k = 0; k < count; k++)
				devices[count].index += strcmp(devices[k].info.backend,
							       devices[count].info.backend) == 0;
			count++;
		}
	}
	*out_devices = devices;
	*out_count = count;
	*out_numbers = format_numbers(&found);
	return CLI_OK;
}

int cli_list_devices(const struct cli_listing *listing)
{
	struct cli_isolate_result result;
	struct found found = {0};
	bool any = false, has_list;
	int status;

	result = cli_isolate_run(work, CLI_ISOLATE_TIMEOUT_MS, add_row, &found);
	status = check_result(&result);
	has_list = status == CLI_OK || found.count;
	if (listing->json || listing->csv)
		print_json(&found, listing);
	else if (listing->names)
		print_names(&found, listing);
	else if (has_list && listing->what == CLI_LIST_BACKENDS)
		print_backends(&found, listing);
	else if (has_list)
		print_text(&found, listing->patterns, cli_width(stdout));
	for (size_t i = 0; i < found.count; i++)
		any = any || (*found.rows[i][USABLE] && is_listed(listing, found.rows[i]));
	free_found(&found);
	return status ? status : any ? CLI_OK : CLI_NOTHING;
}
