/* SPDX-License-Identifier: MIT */
/* The tables of tacho's own databases; docs/sqlite.md tells the schema. */
#include "catalog/catalog.h"
#include "format/sqlite/sqlite_file.h"

extern const struct tacho__builtin tacho__sqlite_scripts[]; /* tables.sql, views.sql */

static const struct tacho__sqlite_rows tables[TACHO__SQLITE_TABLES] = {
	[TACHO__SQLITE_TEXT] = {"text", 2},
	[TACHO__SQLITE_HOST] = {"host", 4},
	[TACHO__SQLITE_RUN] = {"run", 21},
	[TACHO__SQLITE_PROCESS] = {"process", 15},
	[TACHO__SQLITE_LOSS] = {"loss", 16},
	[TACHO__SQLITE_FAULT] = {"fault", 7},
	[TACHO__SQLITE_LEFT_OUT] = {"left_out", 3},
	[TACHO__SQLITE_THREAD] = {"thread", 4},
	[TACHO__SQLITE_THREAD_TIME] = {"thread_time", 5},
	[TACHO__SQLITE_DEVICE] = {"device", 5},
	[TACHO__SQLITE_CONTEXT] = {"context", 3},
	[TACHO__SQLITE_QUEUE] = {"queue", 5},
	[TACHO__SQLITE_PROGRAM] = {"program", 4},
	[TACHO__SQLITE_KERNEL] = {"kernel", 6},
	[TACHO__SQLITE_ATTRIBUTE] = {"attribute", 4},
	[TACHO__SQLITE_FUNCTION] = {"function", 4},
	[TACHO__SQLITE_CALL] = {"call", 13},
	[TACHO__SQLITE_CALL_SUM] = {"call_sum", 7},
	[TACHO__SQLITE_RANGE] = {"named_range", 16},
	[TACHO__SQLITE_CALL_RANGE] = {"call_range", 3},
	[TACHO__SQLITE_COMMAND_TYPE] = {"command_type", 3},
	[TACHO__SQLITE_TEMPLATE] = {"template", 8},
	[TACHO__SQLITE_TEMPLATE_COMMAND] = {"template_command", 14},
	[TACHO__SQLITE_COMMAND] = {"command", 29},
	[TACHO__SQLITE_COUNTING] = {"counting", 10},
	[TACHO__SQLITE_COUNTER] = {"counter", 10},
	[TACHO__SQLITE_INSTANCE] = {"instance", 3},
	[TACHO__SQLITE_VALUE] = {"value", 10},
	[TACHO__SQLITE_SAMPLING] = {"sampling", 9},
	[TACHO__SQLITE_SAMPLED_COUNTER] = {"sampled_counter", 7},
	[TACHO__SQLITE_WINDOW] = {"sampled_window", 6},
	[TACHO__SQLITE_WINDOW_VALUE] = {"sampled_value", 7},
	[TACHO__SQLITE_NOTE] = {"note", 3},
};

void tacho__sqlite_get_own(struct tacho__sqlite_schema *out_schema)
{
	*out_schema = (struct tacho__sqlite_schema){
		.marks = "PRAGMA application_id = 1952539496; PRAGMA user_version = 1007;",
		.begin = (const char *)tacho__sqlite_scripts[0].text,
		.end = (const char *)tacho__sqlite_scripts[1].text,
		.tables = tables,
		.table_count = TACHO__SQLITE_TABLES,
	};
}
