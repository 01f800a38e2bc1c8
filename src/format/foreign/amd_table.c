/* SPDX-License-Identifier: MIT */
#include "format/foreign/amd_table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* Of rocprofv3, rocprof and rocprofiler-compute, and as one converts what another wrote. */
static const struct {
	const char *title;
	enum tacho__amd_column column;
} titles[] = {
	{"Guid", TACHO__AMD_GUID},
	{"Kind", TACHO__AMD_OTHER_FACT},
	{"Domain", TACHO__AMD_DOMAIN},
	{"Function", TACHO__AMD_FUNCTION},
	{"Operation", TACHO__AMD_OPERATION},
	{"Allocation_Size", TACHO__AMD_ALLOCATED},
	{"Alloc_Flags", TACHO__AMD_FLAGS},
	{"Direction", TACHO__AMD_DIRECTION},
	{"Source_Agent_Id", TACHO__AMD_SOURCE},
	{"Destination_Agent_Id", TACHO__AMD_DESTINATION},
	{"Agent_Id", TACHO__AMD_AGENT},
	{"gpu-id", TACHO__AMD_AGENT},
	{"GPU_ID", TACHO__AMD_AGENT},
	{"Queue_Id", TACHO__AMD_QUEUE},
	{"queue-id", TACHO__AMD_QUEUE},
	{"queue-index", TACHO__AMD_OTHER_FACT},
	{"Stream_Id", TACHO__AMD_STREAM},
	{"Process_Id", TACHO__AMD_PROCESS},
	{"pid", TACHO__AMD_PROCESS},
	{"Thread_Id", TACHO__AMD_THREAD},
	{"tid", TACHO__AMD_THREAD},
	{"Dispatch_Id", TACHO__AMD_DISPATCH},
	{"Index", TACHO__AMD_INDEX},
	{"Kernel_Id", TACHO__AMD_OTHER_FACT},
	{"Kernel_Name", TACHO__AMD_KERNEL},
	{"KernelName", TACHO__AMD_KERNEL},
	{"Correlation_Id", TACHO__AMD_CORRELATION},
	{"Start_Timestamp", TACHO__AMD_START},
	{"BeginNs", TACHO__AMD_START},
	{"End_Timestamp", TACHO__AMD_END},
	{"EndNs", TACHO__AMD_END},
	{"Stop_Timestamp", TACHO__AMD_END},
	{"ROCTX_ID", TACHO__AMD_OTHER_FACT},
	{"Message", TACHO__AMD_MESSAGE},
	{"Timestamp", TACHO__AMD_TIME},
	{"DispatchNs", TACHO__AMD_QUEUED},
	{"CompleteNs", TACHO__AMD_OTHER_FACT},
	{"DurationNs", TACHO__AMD_OTHER_FACT},
	{"LDS_Block_Size", TACHO__AMD_LOCAL},
	{"Group_Segment_Size", TACHO__AMD_LOCAL},
	{"LDS_Per_Workgroup", TACHO__AMD_LOCAL},
	{"lds", TACHO__AMD_LOCAL},
	{"Scratch_Size", TACHO__AMD_PRIVATE},
	{"Private_Segment_Size", TACHO__AMD_PRIVATE},
	{"Scratch_Per_Workitem", TACHO__AMD_PRIVATE},
	{"scr", TACHO__AMD_PRIVATE},
	{"VGPR_Count", TACHO__AMD_VGPRS},
	{"Arch_VGPR_Count", TACHO__AMD_VGPRS},
	{"Arch_VGPR", TACHO__AMD_VGPRS},
	{"vgpr", TACHO__AMD_VGPRS},
	{"Accum_VGPR_Count", TACHO__AMD_ACCUM},
	{"Accum_VGPR", TACHO__AMD_ACCUM},
	{"SGPR_Count", TACHO__AMD_SGPRS},
	{"SGPR", TACHO__AMD_SGPRS},
	{"fbar", TACHO__AMD_OTHER_FACT},
	{"wave_size", TACHO__AMD_WAVE_SIZE},
	{"Wave_Front_Size", TACHO__AMD_WAVE_SIZE},
	{"sig", TACHO__AMD_OTHER_FACT},
	{"obj", TACHO__AMD_OTHER_FACT},
	{"XCC_Index", TACHO__AMD_XCC},
	{"Node", TACHO__AMD_OTHER_FACT},
	{"Workgroup_Size_X", TACHO__AMD_GROUP_X},
	{"Workgroup_Size_Y", TACHO__AMD_GROUP_Y},
	{"Workgroup_Size_Z", TACHO__AMD_GROUP_Z},
	{"Grid_Size_X", TACHO__AMD_GRID_X},
	{"Grid_Size_Y", TACHO__AMD_GRID_Y},
	{"Grid_Size_Z", TACHO__AMD_GRID_Z},
	{"Workgroup_Size", TACHO__AMD_GROUP},
	{"wgr", TACHO__AMD_GROUP},
	{"Grid_Size", TACHO__AMD_GRID},
	{"grd", TACHO__AMD_GRID},
	{"Counter_Name", TACHO__AMD_COUNTER},
	{"Counter_Value", TACHO__AMD_VALUE},
	{"Node_Id", TACHO__AMD_NODE_ID},
	{"Logical_Node_Id", TACHO__AMD_LOGICAL_ID},
	{"Logical_Node_Type_Id", TACHO__AMD_TYPE_ID},
	{"Agent_Type", TACHO__AMD_AGENT_TYPE},
	{"Name", TACHO__AMD_NAME},
	{"Calls", TACHO__AMD_CALLS},
	{"Total_Calls", TACHO__AMD_CALLS},
	{"TotalDurationNs", TACHO__AMD_TOTAL},
	{"Duration (nsec)", TACHO__AMD_TOTAL},
	{"Total_Duration", TACHO__AMD_TOTAL},
	{"Cu_Count", TACHO__AMD_COMPUTE_UNITS},
	{"cu_per_gpu", TACHO__AMD_COMPUTE_UNITS},
	{"Simd_Per_Cu", TACHO__AMD_SIMDS},
	{"Max_Waves_Per_Cu", TACHO__AMD_MAX_WAVES},
	{"Workgroup_Max_Size", TACHO__AMD_MAX_GROUP},
	{"Product_Name", TACHO__AMD_PRODUCT},
	{"Vendor_Name", TACHO__AMD_VENDOR},
	{"Location_Id", TACHO__AMD_LOCATION},
	{"hostname", TACHO__AMD_HOST},
	{"command", TACHO__AMD_COMMAND},
	{"gpu_model", TACHO__AMD_GPU_MODEL},
	{"gpu_arch", TACHO__AMD_GPU_ARCH},
};

static enum tacho__amd_column column_of(const char *title, size_t size)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(titles); i++)
		if (!strncasecmp(title, titles[i].title, size) && !titles[i].title[size])
			return titles[i].column;
	return TACHO__AMD_COLUMNS;
}

/* Tables that were joined have columns of both: "Wave_Size_1", "obj_12". */
static bool is_joined(const char *title)
{
	size_t size = strlen(title), cut = size;

	while (cut && isdigit((unsigned char)title[cut - 1]))
		cut--;
	return cut < size && cut > 1 && title[cut - 1] == '_' &&
	       column_of(title, cut - 1) != TACHO__AMD_COLUMNS;
}

/* ---- what sort of table ---- */

/* What a table of a sort has; more of them would say the same. */
static const struct {
	enum tacho__amd_sort sort;
	enum tacho__amd_column columns[3];
} sorts[] = {
	{TACHO__AMD_AGENT_INFO, {TACHO__AMD_NODE_ID, TACHO__AMD_AGENT_TYPE, TACHO__AMD_NAME}},
	{TACHO__AMD_SYSINFO, {TACHO__AMD_GPU_MODEL, TACHO__AMD_GPU_ARCH, TACHO__AMD_GPU_ARCH}},
	{TACHO__AMD_API_TRACE, {TACHO__AMD_DOMAIN, TACHO__AMD_FUNCTION, TACHO__AMD_START}},
	{TACHO__AMD_COUNTER_ROWS, {TACHO__AMD_KERNEL, TACHO__AMD_COUNTER, TACHO__AMD_VALUE}},
	{TACHO__AMD_KERNEL_TRACE, {TACHO__AMD_KERNEL, TACHO__AMD_GRID_X, TACHO__AMD_START}},
	{TACHO__AMD_COPY_TRACE, {TACHO__AMD_DIRECTION, TACHO__AMD_SOURCE, TACHO__AMD_START}},
	{TACHO__AMD_ALLOCATION_TRACE,
	 {TACHO__AMD_OPERATION, TACHO__AMD_ALLOCATED, TACHO__AMD_START}},
	{TACHO__AMD_SCRATCH_TRACE, {TACHO__AMD_OPERATION, TACHO__AMD_FLAGS, TACHO__AMD_START}},
	{TACHO__AMD_MARK_TRACE, {TACHO__AMD_DOMAIN, TACHO__AMD_MESSAGE, TACHO__AMD_TIME}},
	{TACHO__AMD_OPS_TRACE, {TACHO__AMD_DOMAIN, TACHO__AMD_OPERATION, TACHO__AMD_START}},
	{TACHO__AMD_SUMS, {TACHO__AMD_NAME, TACHO__AMD_CALLS, TACHO__AMD_TOTAL}},
	{TACHO__AMD_COUNTER_COLUMNS, {TACHO__AMD_KERNEL, TACHO__AMD_AGENT, TACHO__AMD_DISPATCH}},
	{TACHO__AMD_COUNTER_COLUMNS, {TACHO__AMD_KERNEL, TACHO__AMD_AGENT, TACHO__AMD_INDEX}},
};

/* Behind a title of the first line. */
static const char *skip_title(const char *at)
{
	bool is_quoted = *at == '"';

	if (is_quoted)
		at = strchrnul(at + 1, '"');
	return at + strcspn(at, ",\r\n");
}

enum tacho__amd_sort tacho__amd_sort_of(const char *head)
{
	bool has[TACHO__AMD_COLUMNS + 1] = {false};

	for (const char *at = head, *end;; at = end + 1) {
		bool is_quoted = *at == '"';

		end = skip_title(at);
		if (end - at > 2 * is_quoted)
			has[column_of(at + is_quoted, (size_t)(end - at) - 2 * is_quoted)] = true;
		if (*end != ',')
			break;
	}
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(sorts); i++)
		if (has[sorts[i].columns[0]] && has[sorts[i].columns[1]] &&
		    has[sorts[i].columns[2]])
			return sorts[i].sort;
	return TACHO__AMD_UNKNOWN;
}

/* ---- the table ---- */

/* What the level of a run was added up to goes by the run's name, as panels have it. */
static int add_counter(struct tacho__amd_table *table, struct tacho__amd *amd, size_t column,
		       const char *accumulated)
{
	const char *title = table->cells[column];

	if (*accumulated && !strcmp(title, "SQ_ACCUM_PREV_HIRES"))
		title = accumulated;
	return tacho__foreign_counter(amd->foreign, title, "", TACHO_TYPE_F64,
				      &table->counters[column]);
}

static int take_titles(struct tacho__amd_table *table, struct tacho__amd *amd,
		       const char *accumulated)
{
	int rc = 0;

	table->counters = calloc(table->title_count, sizeof(*table->counters));
	if (!table->counters)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the titles of %s",
				   table->path);
	for (size_t i = 0; i < table->title_count && !rc; i++) {
		const char *title = table->cells[i];
		enum tacho__amd_column column = column_of(title, strlen(title));

		if (column < TACHO__AMD_COLUMNS && table->places[column] < 0)
			table->places[column] = (int)i;
		else if (column == TACHO__AMD_COLUMNS && amd && *title && !is_joined(title))
			rc = add_counter(table, amd, i, accumulated);
	}
	return rc;
}

int tacho__amd_table_open(struct tacho__amd_table *table, const char *path, struct tacho__amd *amd,
			  const char *accumulated)
{
	int rc;

	*table = (struct tacho__amd_table){.path = path};
	for (size_t i = 0; i < TACHO__AMD_COLUMNS; i++)
		table->places[i] = -1;
	rc = tacho__foreign_csv_open(&table->csv, path);
	if (!rc)
		rc = tacho__foreign_csv_next(&table->csv, &table->cells, &table->title_count);
	return rc ? rc : take_titles(table, amd, accumulated);
}

void tacho__amd_table_close(struct tacho__amd_table *table)
{
	tacho__foreign_csv_close(&table->csv);
	free(table->counters);
}

/* Blank lines are none; a row that is too short is the last one, of a file that was cut. */
int tacho__amd_table_next(struct tacho__amd_table *table)
{
	uint64_t line;
	size_t count;
	int rc;

	do
		rc = tacho__foreign_csv_next(&table->csv, &table->cells, &table->count);
	while (!rc && table->count == 1 && !*table->cells[0]);
	if (rc || !table->count || table->count == table->title_count)
		return rc ? rc : table->count != 0;
	line = table->csv.line;
	count = table->count;
	rc = tacho__foreign_csv_next(&table->csv, &table->cells, &table->count);
	table->ends_early = !rc && !table->count && count < table->title_count;
	if (rc || table->ends_early)
		return rc;
	return tacho__fail(TACHO_E_PARSE,
			   tacho__detail("the line has %zu cells, the titles are %zu", count,
					 table->title_count),
			   "export it again", "line %llu of %s is damaged",
			   (unsigned long long)line, table->path);
}

const char *tacho__amd_cell(const struct tacho__amd_table *table, enum tacho__amd_column column)
{
	return tacho__foreign_csv_get(table->cells, table->count, table->places[column]);
}

struct tacho__amd_number tacho__amd_number_in(const struct tacho__amd_table *table,
					      enum tacho__amd_column column)
{
	struct tacho__amd_number number = {0};

	number.is_known =
		tacho__foreign_csv_unsigned(tacho__amd_cell(table, column), &number.value);
	return number;
}
