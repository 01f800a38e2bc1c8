/* SPDX-License-Identifier: MIT */
/* The tables of a rocpd database of version 3: names, columns, keys; and the views over them. */
#ifndef TACHO_FORMAT_ROCPROFV3_ROCPD_SCHEMA_H
#define TACHO_FORMAT_ROCPROFV3_ROCPD_SCHEMA_H

#include "base/buf.h"
#include "format/sqlite/sqlite_file.h"

enum tacho__rocpd_table {
	TACHO__ROCPD_METADATA,
	TACHO__ROCPD_STRING,
	TACHO__ROCPD_NODE,
	TACHO__ROCPD_PROCESS,
	TACHO__ROCPD_THREAD,
	TACHO__ROCPD_AGENT,
	TACHO__ROCPD_QUEUE,
	TACHO__ROCPD_STREAM,
	TACHO__ROCPD_PMC,
	TACHO__ROCPD_CODE_OBJECT,
	TACHO__ROCPD_KERNEL_SYMBOL,
	TACHO__ROCPD_TRACK,
	TACHO__ROCPD_EVENT,
	TACHO__ROCPD_ARG,
	TACHO__ROCPD_PMC_EVENT,
	TACHO__ROCPD_REGION,
	TACHO__ROCPD_SAMPLE,
	TACHO__ROCPD_KERNEL_DISPATCH,
	TACHO__ROCPD_MEMORY_COPY,
	TACHO__ROCPD_MEMORY_ALLOCATE,
	TACHO__ROCPD_TABLES
};

/* {0} at first. */
struct tacho__rocpd_schema {
	struct tacho__sqlite_schema schema;
	struct tacho__sqlite_rows rows[TACHO__ROCPD_TABLES];
	char names[TACHO__ROCPD_TABLES][80]; /* with the suffix, in quotes */
	struct tacho__buf begin, end;
};

/* `guid` is "xxxxxxxx-xxxx-...": tables end with it, so that databases can be joined. NOMEM. */
int tacho__rocpd_schema_make(struct tacho__rocpd_schema *schema, const char *guid);
void tacho__rocpd_schema_finish(struct tacho__rocpd_schema *schema);

/* What tables end with: "_xxxxxxxx_xxxx_..." */
void tacho__rocpd_format_suffix(const char *guid, char out_suffix[48]);

/* Whether rows of the table have a guid behind their id. */
bool tacho__rocpd_has_guid(enum tacho__rocpd_table table);

#endif
