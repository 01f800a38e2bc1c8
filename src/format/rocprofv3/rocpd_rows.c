/* SPDX-License-Identifier: MIT */
#include "format/rocprofv3/rocpd_rows.h"

void tacho__rocpd_row_begin(struct tacho__rocpd *rocpd, enum tacho__rocpd_table table, uint64_t id)
{
	tacho__sqlite_row_begin(&rocpd->file, table);
	tacho__sqlite_row_unsigned(&rocpd->file, true, id);
	if (tacho__rocpd_has_guid(table))
		tacho__sqlite_row_text(&rocpd->file, rocpd->guid);
}

uint64_t tacho__rocpd_row_begin_next(struct tacho__rocpd *rocpd, enum tacho__rocpd_table table)
{
	uint64_t id = ++rocpd->last_ids[table];

	tacho__rocpd_row_begin(rocpd, table, id);
	return id;
}

int tacho__rocpd_row_end(struct tacho__rocpd *rocpd)
{
	tacho__sqlite_row_text(&rocpd->file, "{}");
	return tacho__sqlite_row_end(&rocpd->file);
}

void tacho__rocpd_row_owner(struct tacho__rocpd *rocpd, const struct tacho_process *process)
{
	tacho__sqlite_row_integer(&rocpd->file, TACHO__ROCPD_NODE_ID);
	tacho__sqlite_row_unsigned(&rocpd->file, true, process ? process->index + 1u : 1u);
}

void tacho__rocpd_row_needed(struct tacho__rocpd *rocpd, bool is_known, uint64_t number)
{
	if (is_known)
		tacho__sqlite_row_unsigned(&rocpd->file, true, number);
	else
		tacho__sqlite_row_empty(&rocpd->file);
}

void tacho__rocpd_row_id(struct tacho__rocpd *rocpd, uint64_t id)
{
	tacho__sqlite_row_unsigned(&rocpd->file, true, id);
}
