/* SPDX-License-Identifier: MIT */
/* Occupancy for people and for programs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <tacho/sys/csv.h>
#include <tacho/sys/json.h>

#include "cli.h"
#include "occupancy/occupancy.h"
#include "table.h"
#include "text.h"

enum { BAR_COLUMNS = 32 };

/* What a person calls a resource on this architecture: "VGPR", "work-group". Static. */
static const char *get_name(const struct tacho_limits *limits,
			    enum tacho_occupancy_resource resource)
{
	switch (resource) {
	case TACHO_OCCUPANCY_GROUPS: return "work-group";
	case TACHO_OCCUPANCY_VECTOR: return limits->vector_name;
	case TACHO_OCCUPANCY_SCALAR: return limits->scalar_name;
	default: return limits->local_name;
	}
}

static uint64_t get_used(const struct tacho_use *use, enum tacho_occupancy_resource resource)
{
	switch (resource) {
	case TACHO_OCCUPANCY_GROUPS: return use->group_size;
	case TACHO_OCCUPANCY_VECTOR: return use->vector;
	case TACHO_OCCUPANCY_SCALAR: return use->scalar;
	default: return use->local_bytes;
	}
}

/* The most that a kernel can use; 0: this architecture has no such resource. */
static uint64_t get_max(const struct tacho_limits *limits, enum tacho_occupancy_resource resource)
{
	switch (resource) {
	case TACHO_OCCUPANCY_GROUPS: return limits->group_max;
	case TACHO_OCCUPANCY_VECTOR: return limits->vector_max;
	case TACHO_OCCUPANCY_SCALAR: return limits->scalar_max;
	default: return limits->local_group_max;
	}
}

/* A resource limits when it allows the waves that there are and the unit has room for more. */
static bool limits_waves(const struct cli_occupancy_row *row, unsigned resource)
{
	return row->occupancy.waves < row->occupancy.waves_max &&
	       row->occupancy.binding & 1u << resource;
}

static bool get_step(const struct cli_occupancy_row *row, unsigned resource,
		     struct tacho_occupancy_step *out_step)
{
	return limits_waves(row, resource) &&
	       !tacho_occupancy_get_step(&row->limits, &row->use,
					 (enum tacho_occupancy_resource)resource, out_step);
}

/* "VGPR, LDS"; "-" when nothing limits. Owned. */
static char *list_binding(const struct cli_occupancy_row *row)
{
	char *text = cli_format("%s", "");

	for (unsigned i = 0; i < TACHO_OCCUPANCY_RESOURCES; i++)
		if (limits_waves(row, i))
			cli_append(&text, ", ", "%s", get_name(&row->limits, i));
	if (!*text)
		cli_append(&text, "", "-");
	return text;
}

/* "64 VGPR: 16": how much of each limiting resource would allow how many waves. Owned. */
static char *list_steps(const struct cli_occupancy_row *row)
{
	struct tacho_occupancy_step step;
	char *text = cli_format("%s", "");

	for (unsigned i = 0; i < TACHO_OCCUPANCY_RESOURCES; i++)
		if (get_step(row, i, &step))
			cli_append(&text, ", ", "%" PRIu64 " %s: %" PRIu32, step.use,
				   get_name(&row->limits, i), step.limit);
	return text;
}

/* ---- one kernel ---- */

static void print_head(const struct cli_occupancy_row *row)
{
	const struct tacho_occupancy *occupancy = &row->occupancy;
	char *binding = list_binding(row);

	cli_text_print(stdout, 0, 2, cli_page_width(),
		       "%s%s%s: %" PRIu32 " of %" PRIu32 " waves on a %s, %.4g %%%s%s", row->kernel,
		       *row->kernel ? " on " : "", row->limits.arch, occupancy->waves,
		       occupancy->waves_max, row->limits.unit, occupancy->percent,
		       *binding != '-' ? ", limited by " : "", *binding != '-' ? binding : "");
	free(binding);
}

static void add_resource(const struct cli_occupancy_row *row, unsigned resource,
			 struct cli_table *table)
{
	uint64_t max = get_max(&row->limits, resource);
	struct tacho_occupancy_step step = {0};
	const char *cells[5] = {get_name(&row->limits, resource)};

	if (!max)
		return;
	cells[1] = cli_table_format(table, "%" PRIu64, get_used(&row->use, resource));
	cells[2] = cli_table_format(table, "%" PRIu64, max);
	cells[3] = cli_table_format(table, "%" PRIu32, row->occupancy.limits[resource]);
	if (get_step(row, resource, &step))
		cells[4] = cli_table_format(
			table, "%" PRIu64 "%s: %" PRIu32 " waves%s", step.use,
			resource == TACHO_OCCUPANCY_GROUPS ? "" : " or fewer", step.limit,
			step.waves < step.limit ? ", together with the others" : "");
	else
		cells[4] = limits_waves(row, resource) ? "limits" : "";
	cli_table_add(table, cells);
}

static void print_one(const struct cli_occupancy_row *row)
{
	static const struct cli_column columns[] = {{"RESOURCE", false},
						    {"USED", true},
						    {"AT MOST", true},
						    {"WAVES", true},
						    {"FOR MORE", false}};
	struct cli_table table;

	print_head(row);
	puts("");
	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned i = 0; i < TACHO_OCCUPANCY_RESOURCES; i++)
		add_resource(row, i, &table);
	cli_table_print(&table, stdout, cli_page_width());
	cli_table_finish(&table);
}

/* ---- several ---- */

static void add_row(const struct cli_occupancy_row *row, struct cli_table *table)
{
	const struct tacho_use *use = &row->use;
	const char *cells[10] = {row->kernel, row->arch};

	if (row->why) {
		for (size_t i = 2; i < 8; i++)
			cells[i] = "?";
		cells[8] = row->why;
	} else {
		cells[2] = cli_table_format(table, "%" PRIu32, use->vector);
		cells[3] = row->limits.scalar_max ? cli_table_format(table, "%" PRIu32, use->scalar)
						  : "-";
		cells[4] = cli_table_format(table, "%" PRIu64, use->local_bytes);
		cells[5] = cli_table_format(table, "%" PRIu32 "%s", use->group_size,
					    row->group_is_assumed ? "?" : "");
		cells[6] = cli_table_format(table, "%" PRIu32 "/%" PRIu32, row->occupancy.waves,
					    row->occupancy.waves_max);
		cells[7] = cli_table_format(table, "%.4g%%", row->occupancy.percent);
		cells[8] = cli_table_take(table, list_binding(row));
		cells[9] = cli_table_take(table, list_steps(row));
	}
	cli_table_add(table, cells);
}

static void print_many(const struct cli_occupancy *list)
{
	static const struct cli_column columns[] = {
		{"KERNEL", false}, {"ARCH", false},    {"REGS", true},	{"SCALAR", true},
		{"LOCAL", true},   {"GROUP", true},    {"WAVES", true}, {"OCCUPANCY", true},
		{"LIMIT", false},  {"FOR MORE", false}};
	struct cli_table table;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < list->count; i++)
		add_row(&list->rows[i], &table);
	cli_table_print(&table, stdout, cli_page_width());
	cli_table_finish(&table);
}

static void print_notes(const struct cli_occupancy *list)
{
	bool is_assumed = false;

	for (size_t i = 0; i < list->count; i++) {
		const struct cli_occupancy_row *row = &list->rows[i];
		char *kernel;

		is_assumed |= row->group_is_assumed && !row->why;
		if (!row->is_compiled || (!row->scratch_bytes && !row->spills))
			continue;
		kernel = cli_text_clean(row->kernel);
		printf("\n%s keeps %" PRIu64 " bytes per work-item in memory instead of registers",
		       kernel, row->scratch_bytes);
		if (row->spills)
			printf(" (%" PRIu64 " spills)", row->spills);
		puts(".");
		free(kernel);
	}
	if (is_assumed)
		puts("\nNo size of work-groups is stated where one has \"?\": give it with --wg.");
}

/* ---- plot ---- */

static void print_range(const struct cli_occupancy_row *row, unsigned resource,
			const struct tacho_occupancy_range *range)
{
	uint64_t used = get_used(&row->use, resource);
	char *span = range->first == range->last
			     ? cli_format("%" PRIu64, range->first)
			     : cli_format("%" PRIu64 "-%" PRIu64, range->first, range->last);
	unsigned bar = range->waves * BAR_COLUMNS / row->occupancy.waves_max;

	printf("  %15s  %3" PRIu32 "  ", span, range->waves);
	for (unsigned i = 0; i < bar; i++)
		putchar('#');
	if (used >= range->first && used <= range->last)
		printf("%s<- %" PRIu64, bar ? " " : "", used);
	putchar('\n');
	free(span);
}

static void print_plot(const struct cli_occupancy_row *row)
{
	for (unsigned i = 0; i < TACHO_OCCUPANCY_RESOURCES; i++) {
		struct tacho_occupancy_range *ranges;
		size_t count;

		if (tacho_occupancy_list(&row->limits, &row->use, i, &ranges, &count))
			continue;
		printf("\nWaves over %s:\n", get_name(&row->limits, i));
		for (size_t j = 0; j < count; j++)
			print_range(row, i, &ranges[j]);
		free(ranges);
	}
}

void cli_occupancy_print(const struct cli_occupancy *list, bool plot)
{
	if (list->count == 1 && !list->rows[0].why)
		print_one(&list->rows[0]);
	else
		print_many(list);
	print_notes(list);
	for (size_t i = 0; plot && i < list->count; i++) {
		if (list->rows[i].why)
			continue;
		if (list->count > 1) {
			puts("");
			print_head(&list->rows[i]);
		}
		print_plot(&list->rows[i]);
	}
}

/* ---- for programs ---- */

static const char *const resource_keys[TACHO_OCCUPANCY_RESOURCES] = {
	"work_group", "vector_registers", "scalar_registers", "local_bytes"};

static void write_ranges(struct tacho_json *json, const struct cli_occupancy_row *row,
			 unsigned resource)
{
	struct tacho_occupancy_range *ranges;
	size_t count;

	if (tacho_occupancy_list(&row->limits, &row->use, resource, &ranges, &count))
		return;
	tacho_json_begin_array(json, "ranges");
	for (size_t i = 0; i < count; i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_unsigned(json, "first", ranges[i].first);
		tacho_json_add_unsigned(json, "last", ranges[i].last);
		tacho_json_add_unsigned(json, "waves", ranges[i].waves);
		tacho_json_end(json);
	}
	tacho_json_end(json);
	free(ranges);
}

static void write_resource(struct tacho_json *json, const struct cli_occupancy_row *row,
			   unsigned resource, bool plot)
{
	uint64_t max = get_max(&row->limits, resource);
	struct tacho_occupancy_step step;

	if (!max) {
		tacho_json_add_null(json, resource_keys[resource]);
		return;
	}
	tacho_json_begin_object(json, resource_keys[resource]);
	tacho_json_add_unsigned(json, "used", get_used(&row->use, resource));
	tacho_json_add_unsigned(json, "max", max);
	tacho_json_add_unsigned(json, "waves", row->occupancy.limits[resource]);
	tacho_json_add_bool(json, "limits", limits_waves(row, resource));
	if (get_step(row, resource, &step)) {
		tacho_json_begin_object(json, "next");
		tacho_json_add_unsigned(json, "use", step.use);
		tacho_json_add_unsigned(json, "limit", step.limit);
		tacho_json_add_unsigned(json, "waves", step.waves);
		tacho_json_end(json);
	}
	if (plot)
		write_ranges(json, row, resource);
	tacho_json_end(json);
}

static void write_known(struct tacho_json *json, const struct cli_occupancy_row *row, bool plot)
{
	tacho_json_add_string(json, "unit", row->limits.unit);
	tacho_json_add_string(json, "source", row->limits.source);
	tacho_json_add_unsigned(json, "wave_size", row->limits.wave_size);
	tacho_json_add_unsigned(json, "waves_per_group", row->occupancy.waves_per_group);
	tacho_json_add_unsigned(json, "groups", row->occupancy.groups);
	tacho_json_add_unsigned(json, "waves", row->occupancy.waves);
	tacho_json_add_unsigned(json, "waves_max", row->occupancy.waves_max);
	tacho_json_add_real(json, "occupancy_percent", row->occupancy.percent);
	tacho_json_add_bool(json, "work_group_assumed", row->group_is_assumed);
	tacho_json_begin_object(json, "resources");
	for (unsigned i = 0; i < TACHO_OCCUPANCY_RESOURCES; i++)
		write_resource(json, row, i, plot);
	tacho_json_end(json);
}

void cli_occupancy_print_json(const struct cli_occupancy *list, bool plot)
{
	struct tacho_json json;

	tacho_json_init(&json, stdout, true);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_string(&json, "schema", "tacho.occupancy/1");
	if (list->gap)
		tacho_json_add_string(&json, "not_whole", list->gap);
	tacho_json_begin_array(&json, "kernels");
	for (size_t i = 0; i < list->count; i++) {
		const struct cli_occupancy_row *row = &list->rows[i];

		tacho_json_begin_object(&json, NULL);
		tacho_json_add_string(&json, "kernel", row->kernel);
		if (row->device)
			tacho_json_add_string(&json, "device", row->device);
		tacho_json_add_string(&json, "arch", row->arch);
		if (row->launches)
			tacho_json_add_unsigned(&json, "launches", row->launches);
		if (row->is_compiled) {
			tacho_json_add_unsigned(&json, "scratch_bytes", row->scratch_bytes);
			tacho_json_add_unsigned(&json, "spills", row->spills);
		}
		if (row->why)
			tacho_json_add_string(&json, "absent", row->why);
		else
			write_known(&json, row, plot);
		tacho_json_end(&json);
	}
	tacho_json_finish(&json);
}

void cli_occupancy_print_csv(const struct cli_occupancy *list)
{
	fputs("kernel,arch,unit,wave_size,vector_registers,scalar_registers,local_bytes,"
	      "work_group,work_group_assumed,scratch_bytes,waves,waves_max,occupancy_percent,"
	      "waves_by_work_group,waves_by_vector_registers,waves_by_scalar_registers,"
	      "waves_by_local_bytes,absent\r\n",
	      stdout);
	for (size_t i = 0; i < list->count; i++) {
		const struct cli_occupancy_row *row = &list->rows[i];
		const struct tacho_use *use = &row->use;

		tacho_csv_write_quoted(stdout, row->kernel);
		putchar(',');
		tacho_csv_write_text(stdout, row->arch);
		putchar(',');
		if (row->why) {
			fputs(",,,,,,,,,,,,,,,", stdout);
			tacho_csv_write_quoted(stdout, row->why);
			fputs("\r\n", stdout);
			continue;
		}
		printf("%s,%" PRIu32 ",%" PRIu32 ",", row->limits.unit, row->limits.wave_size,
		       use->vector);
		if (row->limits.scalar_max)
			printf("%" PRIu32, use->scalar);
		printf(",%" PRIu64 ",%" PRIu32 ",%d,", use->local_bytes, use->group_size,
		       row->group_is_assumed);
		if (row->is_compiled)
			printf("%" PRIu64, row->scratch_bytes);
		printf(",%" PRIu32 ",%" PRIu32 ",%.6g", row->occupancy.waves,
		       row->occupancy.waves_max, row->occupancy.percent);
		for (unsigned j = 0; j < TACHO_OCCUPANCY_RESOURCES; j++)
			printf(",%" PRIu32, row->occupancy.limits[j]);
		fputs(",\r\n", stdout);
	}
}
