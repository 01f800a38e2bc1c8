/* SPDX-License-Identifier: MIT */
/* Memory of devices: what the program held at most and at the end, by heap and type. */
#include <inttypes.h>
#include <stdlib.h>

#include <tacho/sys/json.h>
#include <tacho/sys/report.h>

#include "cli.h"
#include "report/report.h"
#include "table.h"
#include "terminal.h"
#include "text.h"

static char *format_name(const struct tacho_device_memory *memory)
{
	if (memory->type < 0)
		return cli_format("  heap %" PRIu32, memory->heap);
	return cli_format("    type %" PRIi32, memory->type);
}

static void add_row(struct cli_table *table, const struct tacho_device_memory *memory)
{
	struct cli_number size, peak, used, allocations;
	bool is_heap = memory->type < 0;
	const char *cells[6] = {
		cli_table_take(table, format_name(memory)),
		cli_units_bytes(&peak, memory->peak_bytes),
		cli_units_bytes(&used, memory->used_bytes),
		cli_units_count(&allocations, memory->allocations),
		is_heap ? cli_units_bytes(&size, memory->size_bytes) : "",
		is_heap ? memory->is_local ? "the device's" : ""
			: (memory->is_host_visible ? "the host can map it" : ""),
	};

	cli_table_add(table, cells);
}

static void add_device(struct cli_table *table, const struct tacho_object *device)
{
	const char *heading[6] = {device && *device->name ? device->name : "unknown device"};
	struct tacho_device_memory memory;

	for (size_t i = 0; tacho_object_get_memory(device, i, &memory); i++) {
		if (!i)
			cli_table_add(table, heading);
		add_row(table, &memory);
	}
}

/* Allocations that found no place where they are counted. */
static void print_unknown(const struct tacho_object *device, FILE *stream, unsigned width)
{
	const char *count = device ? tacho_object_get(device, "memory_unknown") : NULL;

	if (count)
		cli_text_print(stream, 2, 4, width, "%s: %s further allocations were not followed",
			       device->name, count);
}

void cli_report_print_memory(const struct cli_report *report, FILE *stream, unsigned width)
{
	static const struct cli_column columns[6] = {{"memory", false},	   {"peak", true},
						     {"at the end", true}, {"allocations", true},
						     {"size", true},	   {"", false}};
	const struct tacho_object *device;
	struct cli_table table;

	cli_table_init(&table, columns, 6);
	for (size_t i = 0; (device = tacho_report_get_memory_device(report->summary, i)); i++)
		add_device(&table, device);
	if (table.row_count) {
		cli_put_heading(stream, "Memory that the program allocated");
		cli_table_print(&table, stream, width);
	}
	cli_table_finish(&table);
	for (size_t i = 0; (device = tacho_report_get_memory_device(report->summary, i)); i++)
		print_unknown(device, stream, width);
}

void cli_report_add_memory(struct tacho_json *json, const struct tacho_object *device)
{
	struct tacho_device_memory memory;
	const char *unknown = device ? tacho_object_get(device, "memory_unknown") : NULL;

	tacho_json_begin_array(json, "memory");
	for (size_t i = 0; tacho_object_get_memory(device, i, &memory); i++) {
		bool is_heap = memory.type < 0;

		tacho_json_begin_object(json, NULL);
		tacho_json_add_unsigned(json, "heap", memory.heap);
		tacho_json_add_known(json, "type", !is_heap, (uint64_t)memory.type);
		tacho_json_add_known(json, "size_bytes", is_heap, memory.size_bytes);
		tacho_json_add_unsigned(json, "peak_bytes", memory.peak_bytes);
		tacho_json_add_unsigned(json, "used_bytes", memory.used_bytes);
		tacho_json_add_unsigned(json, "allocations", memory.allocations);
		if (is_heap)
			tacho_json_add_bool(json, "local", memory.is_local != 0);
		else
			tacho_json_add_bool(json, "host_visible", memory.is_host_visible != 0);
		tacho_json_end(json);
	}
	tacho_json_end(json);
	if (unknown)
		tacho_json_add_string(json, "memory_unknown", unknown);
}
