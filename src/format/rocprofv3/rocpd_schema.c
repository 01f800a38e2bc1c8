/* SPDX-License-Identifier: MIT */
#include "format/rocprofv3/rocpd_schema.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "catalog/catalog.h"

extern const struct tacho__builtin tacho__rocpd_scripts[]; /* rocpd_views.sql */

enum { COLUMNS_MAX = 22 };

struct column {
	const char *name, *type;
	const char *refers; /* to the id of this table; NULL: to none */
};

#define WHOLE	 "INTEGER"
#define NEEDED	 "INTEGER NOT NULL"
#define LONG	 "BIGINT"
#define TIME	 "BIGINT NOT NULL"
#define TEXT	 "TEXT"
#define TEXT_SET "TEXT NOT NULL"
#define JSON	 "JSONB DEFAULT '{}' NOT NULL"

/* What many tables have. */
#define OF_NODE                            \
	{                                  \
		"nid", NEEDED, "info_node" \
	}
#define OF_PROCESS                            \
	OF_NODE,                              \
	{                                     \
		"pid", NEEDED, "info_process" \
	}
#define IN_THREAD                           \
	OF_PROCESS,                         \
	{                                   \
		"tid", WHOLE, "info_thread" \
	}
#define OF_EVENT                           \
	{                                  \
		"event_id", WHOLE, "event" \
	}
#define ON_QUEUE                                  \
	{"queue_id", WHOLE, "info_queue"},        \
	{                                         \
		"stream_id", WHOLE, "info_stream" \
	}
#define INTERVAL                  \
	{"start", TIME, NULL},    \
	{                         \
		"end", TIME, NULL \
	}
#define KINDS(name) "TEXT CHECK (\"" name "\" IN ('CPU', 'GPU'))"

/* The id is in front of these columns, and mostly a guid; extdata is mostly behind them. */
static const struct table {
	const char *name;
	bool lacks_guid, lacks_extdata;
	struct column columns[COLUMNS_MAX];
} tables[TACHO__ROCPD_TABLES] = {
	[TACHO__ROCPD_METADATA] = {"metadata",
				   true,
				   true,
				   {{"tag", TEXT_SET, NULL}, {"value", TEXT_SET, NULL}}},
	[TACHO__ROCPD_STRING] = {"string",
				 false,
				 true,
				 {{"string", "TEXT NOT NULL UNIQUE ON CONFLICT ABORT", NULL}}},
	[TACHO__ROCPD_NODE] = {"info_node",
			       false,
			       true,
			       {{"hash", "BIGINT NOT NULL UNIQUE", NULL},
				{"machine_id", "TEXT NOT NULL UNIQUE", NULL},
				{"system_name", TEXT, NULL},
				{"hostname", TEXT, NULL},
				{"release", TEXT, NULL},
				{"version", TEXT, NULL},
				{"hardware_name", TEXT, NULL},
				{"domain_name", TEXT, NULL}}},
	[TACHO__ROCPD_PROCESS] = {"info_process",
				  false,
				  false,
				  {OF_NODE,
				   {"ppid", WHOLE, NULL},
				   {"pid", NEEDED, NULL},
				   {"init", LONG, NULL},
				   {"fini", LONG, NULL},
				   {"start", LONG, NULL},
				   {"end", LONG, NULL},
				   {"command", TEXT, NULL},
				   {"environment", JSON, NULL}}},
	[TACHO__ROCPD_THREAD] = {"info_thread",
				 false,
				 false,
				 {OF_NODE,
				  {"ppid", WHOLE, NULL},
				  {"pid", NEEDED, "info_process"},
				  {"tid", NEEDED, NULL},
				  {"name", TEXT, NULL},
				  {"start", LONG, NULL},
				  {"end", LONG, NULL}}},
	[TACHO__ROCPD_AGENT] = {"info_agent",
				false,
				false,
				{OF_PROCESS,
				 {"type", KINDS("type"), NULL},
				 {"absolute_index", WHOLE, NULL},
				 {"logical_index", WHOLE, NULL},
				 {"type_index", WHOLE, NULL},
				 {"uuid", WHOLE, NULL},
				 {"name", TEXT, NULL},
				 {"model_name", TEXT, NULL},
				 {"vendor_name", TEXT, NULL},
				 {"product_name", TEXT, NULL},
				 {"user_name", TEXT, NULL}}},
	[TACHO__ROCPD_QUEUE] = {"info_queue", false, false, {OF_PROCESS, {"name", TEXT, NULL}}},
	[TACHO__ROCPD_STREAM] = {"info_stream", false, false, {OF_PROCESS, {"name", TEXT, NULL}}},
	[TACHO__ROCPD_PMC] = {"info_pmc",
			      false,
			      false,
			      {OF_PROCESS,
			       {"agent_id", WHOLE, "info_agent"},
			       {"target_arch", KINDS("target_arch"), NULL},
			       {"event_code", "INT", NULL},
			       {"instance_id", WHOLE, NULL},
			       {"name", TEXT_SET, NULL},
			       {"symbol", TEXT_SET, NULL},
			       {"description", TEXT, NULL},
			       {"long_description", "TEXT DEFAULT ''", NULL},
			       {"component", TEXT, NULL},
			       {"units", "TEXT DEFAULT ''", NULL},
			       {"value_type",
				"TEXT CHECK (\"value_type\" IN ('ABS', 'ACCUM', 'RELATIVE'))",
				NULL},
			       {"block", TEXT, NULL},
			       {"expression", TEXT, NULL},
			       {"is_constant", WHOLE, NULL},
			       {"is_derived", WHOLE, NULL}}},
	[TACHO__ROCPD_CODE_OBJECT] =
		{"info_code_object",
		 false,
		 false,
		 {OF_PROCESS,
		  {"agent_id", WHOLE, "info_agent"},
		  {"uri", TEXT, NULL},
		  {"load_base", LONG, NULL},
		  {"load_size", LONG, NULL},
		  {"load_delta", LONG, NULL},
		  {"storage_type", "TEXT CHECK (\"storage_type\" IN ('FILE', 'MEMORY'))", NULL}}},
	[TACHO__ROCPD_KERNEL_SYMBOL] = {"info_kernel_symbol",
					false,
					false,
					{OF_PROCESS,
					 {"code_object_id", NEEDED, "info_code_object"},
					 {"kernel_name", TEXT, NULL},
					 {"display_name", TEXT, NULL},
					 {"kernel_object", WHOLE, NULL},
					 {"kernarg_segment_size", WHOLE, NULL},
					 {"kernarg_segment_alignment", WHOLE, NULL},
					 {"group_segment_size", WHOLE, NULL},
					 {"private_segment_size", WHOLE, NULL},
					 {"sgpr_count", WHOLE, NULL},
					 {"arch_vgpr_count", WHOLE, NULL},
					 {"accum_vgpr_count", WHOLE, NULL}}},
	[TACHO__ROCPD_TRACK] = {"track",
				false,
				false,
				{OF_NODE,
				 {"pid", WHOLE, "info_process"},
				 {"tid", WHOLE, "info_thread"},
				 {"name_id", WHOLE, "string"}}},
	[TACHO__ROCPD_EVENT] = {"event",
				false,
				false,
				{{"category_id", WHOLE, "string"},
				 {"stack_id", WHOLE, NULL},
				 {"parent_stack_id", WHOLE, NULL},
				 {"correlation_id", WHOLE, NULL},
				 {"call_stack", JSON, NULL},
				 {"line_info", JSON, NULL}}},
	[TACHO__ROCPD_ARG] = {"arg",
			      false,
			      false,
			      {{"event_id", NEEDED, "event"},
			       {"position", NEEDED, NULL},
			       {"type", TEXT_SET, NULL},
			       {"name", TEXT_SET, NULL},
			       {"value", TEXT, NULL}}},
	[TACHO__ROCPD_PMC_EVENT] = {"pmc_event",
				    false,
				    true,
				    {OF_EVENT,
				     {"pmc_id", NEEDED, "info_pmc"},
				     {"value", "REAL DEFAULT 0.0", NULL},
				     {"extdata", "JSONB DEFAULT '{}'", NULL}}},
	[TACHO__ROCPD_REGION] = {"region",
				 false,
				 false,
				 {OF_PROCESS,
				  {"tid", NEEDED, "info_thread"},
				  INTERVAL,
				  {"name_id", NEEDED, "string"},
				  OF_EVENT}},
	[TACHO__ROCPD_SAMPLE] = {"sample",
				 false,
				 false,
				 {{"track_id", NEEDED, "track"},
				  {"timestamp", TIME, NULL},
				  OF_EVENT}},
	[TACHO__ROCPD_KERNEL_DISPATCH] = {"kernel_dispatch",
					  false,
					  false,
					  {IN_THREAD,
					   {"agent_id", NEEDED, "info_agent"},
					   {"kernel_id", NEEDED, "info_kernel_symbol"},
					   {"dispatch_id", NEEDED, NULL},
					   {"queue_id", NEEDED, "info_queue"},
					   {"stream_id", NEEDED, "info_stream"},
					   INTERVAL,
					   {"private_segment_size", WHOLE, NULL},
					   {"group_segment_size", WHOLE, NULL},
					   {"workgroup_size_x", NEEDED, NULL},
					   {"workgroup_size_y", NEEDED, NULL},
					   {"workgroup_size_z", NEEDED, NULL},
					   {"grid_size_x", NEEDED, NULL},
					   {"grid_size_y", NEEDED, NULL},
					   {"grid_size_z", NEEDED, NULL},
					   {"region_name_id", WHOLE, "string"},
					   OF_EVENT}},
	[TACHO__ROCPD_MEMORY_COPY] = {"memory_copy",
				      false,
				      false,
				      {IN_THREAD,
				       INTERVAL,
				       {"name_id", NEEDED, "string"},
				       {"dst_agent_id", WHOLE, "info_agent"},
				       {"dst_address", WHOLE, NULL},
				       {"src_agent_id", WHOLE, "info_agent"},
				       {"src_address", WHOLE, NULL},
				       {"size", NEEDED, NULL},
				       ON_QUEUE,
				       {"region_name_id", WHOLE, "string"},
				       OF_EVENT}},
	[TACHO__ROCPD_MEMORY_ALLOCATE] =
		{"memory_allocate",
		 false,
		 false,
		 {IN_THREAD,
		  {"agent_id", WHOLE, "info_agent"},
		  {"type", "TEXT CHECK (\"type\" IN ('ALLOC', 'FREE', 'REALLOC', 'RECLAIM'))",
		   NULL},
		  {"level", "TEXT CHECK (\"level\" IN ('REAL', 'VIRTUAL', 'SCRATCH'))", NULL},
		  INTERVAL,
		  {"address", WHOLE, NULL},
		  {"size", NEEDED, NULL},
		  ON_QUEUE,
		  OF_EVENT}},
};

bool tacho__rocpd_has_guid(enum tacho__rocpd_table table)
{
	return !tables[table].lacks_guid;
}

void tacho__rocpd_format_suffix(const char *guid, char out_suffix[48])
{
	snprintf(out_suffix, 48, "_%s", guid);
	for (char *c = out_suffix; *c; c++)
		if (*c == '-')
			*c = '_';
}

/* The foreign keys stand with their columns. */
static void put_table(struct tacho__buf *sql, const struct table *table, const char *guid,
		      const char *suffix)
{
	const struct column *column = table->columns;

	tacho__buf_printf(sql,
			  "CREATE TABLE \"rocpd_%s%s\" (\"id\" INTEGER NOT NULL PRIMARY KEY "
			  "AUTOINCREMENT",
			  table->name, suffix);
	if (!table->lacks_guid)
		tacho__buf_printf(sql, ", \"guid\" TEXT DEFAULT '%s' NOT NULL", guid);
	for (; column < table->columns + COLUMNS_MAX && column->name; column++) {
		tacho__buf_printf(sql, ", \"%s\" %s", column->name, column->type);
		if (column->refers)
			tacho__buf_printf(sql, " REFERENCES \"rocpd_%s%s\" (id) ON UPDATE CASCADE",
					  column->refers, suffix);
	}
	if (!table->lacks_extdata)
		tacho__buf_put(sql, ", \"extdata\" " JSON);
	tacho__buf_put(sql, ");\n");
}

static unsigned count_columns(const struct table *table)
{
	unsigned count = 0;

	while (count < COLUMNS_MAX && table->columns[count].name)
		count++;
	return count + 1 + !table->lacks_guid + !table->lacks_extdata;
}

int tacho__rocpd_schema_make(struct tacho__rocpd_schema *schema, const char *guid)
{
	char suffix[48];

	tacho__rocpd_format_suffix(guid, suffix);
	for (size_t i = 0; i < TACHO__ROCPD_TABLES; i++) {
		const struct table *table = &tables[i];

		snprintf(schema->names[i], sizeof(schema->names[i]), "\"rocpd_%s%s\"", table->name,
			 suffix);
		schema->rows[i] =
			(struct tacho__sqlite_rows){schema->names[i], count_columns(table)};
		put_table(&schema->begin, table, guid, suffix);
		tacho__buf_printf(&schema->end, "CREATE VIEW \"rocpd_%s\" AS SELECT * FROM %s;\n",
				  table->name, schema->names[i]);
	}
	tacho__buf_put(&schema->end, (const char *)tacho__rocpd_scripts[0].text);
	if (schema->begin.failed || schema->end.failed)
		return TACHO_E_NOMEM;
	schema->schema = (struct tacho__sqlite_schema){
		.marks = "",
		.begin = schema->begin.text,
		.end = schema->end.text,
		.tables = schema->rows,
		.table_count = TACHO__ROCPD_TABLES,
	};
	return 0;
}

void tacho__rocpd_schema_finish(struct tacho__rocpd_schema *schema)
{
	tacho__buf_finish(&schema->begin);
	tacho__buf_finish(&schema->end);
}
