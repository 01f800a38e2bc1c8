/* SPDX-License-Identifier: MIT */
#include "format/rocprofv3/rocprof_csv.h"

#include <inttypes.h>
#include <locale.h>
#include <string.h>

#include "base/array.h"
#include "format/csv.h"

enum { LDS_BLOCK_BYTES = 512 };

/* In the order of the lines. "#KEY" is a whole number that the driver states, "$KEY" a text; others
 * are known otherwise, or not at all. */
static const struct {
	const char *title, *source;
} agent_columns[] = {
	{"Node_Id", "id"},
	{"Logical_Node_Id", "id"},
	{"Agent_Type", "type"},
	{"Cpu_Cores_Count", ""},
	{"Simd_Count", ""},
	{"Cpu_Core_Id_Base", ""},
	{"Simd_Id_Base", ""},
	{"Max_Waves_Per_Simd", ""},
	{"Lds_Size_In_Kb", ""},
	{"Gds_Size_In_Kb", ""},
	{"Num_Gws", ""},
	{"Wave_Front_Size", "#wave_size"},
	{"Num_Xcc", ""},
	{"Cu_Count", "#compute_units"},
	{"Array_Count", ""},
	{"Num_Shader_Banks", ""},
	{"Simd_Arrays_Per_Engine", ""},
	{"Cu_Per_Simd_Array", ""},
	{"Simd_Per_Cu", "#simds_per_unit"},
	{"Max_Slots_Scratch_Cu", ""},
	{"Gfx_Target_Version", ""},
	{"Vendor_Id", ""},
	{"Device_Id", ""},
	{"Location_Id", ""},
	{"Domain", ""},
	{"Drm_Render_Minor", ""},
	{"Num_Sdma_Engines", ""},
	{"Num_Sdma_Xgmi_Engines", ""},
	{"Num_Sdma_Queues_Per_Engine", ""},
	{"Num_Cp_Queues", ""},
	{"Max_Engine_Clk_Ccompute", ""},
	{"Max_Engine_Clk_Fcompute", ""},
	{"Sdma_Fw_Version", ""},
	{"Fw_Version", ""},
	{"Capability", ""},
	{"Cu_Per_Engine", ""},
	{"Max_Waves_Per_Cu", "#max_waves_per_unit"},
	{"Family_Id", ""},
	{"Workgroup_Max_Size", "#max_group_size"},
	{"Grid_Max_Size", ""},
	{"Local_Mem_Size", ""},
	{"Hive_Id", ""},
	{"Gpu_Id", ""},
	{"Workgroup_Max_Dim_X", ""},
	{"Workgroup_Max_Dim_Y", ""},
	{"Workgroup_Max_Dim_Z", ""},
	{"Grid_Max_Dim_X", ""},
	{"Grid_Max_Dim_Y", ""},
	{"Grid_Max_Dim_Z", ""},
	{"Name", "name"},
	{"Vendor_Name", "$vendor"},
	{"Product_Name", "$board_name"},
	{"Model_Name", "$"},
};

static const char *const counter_titles[] = {
	"Correlation_Id", "Dispatch_Id",   "Agent_Id",	      "Queue_Id",	  "Process_Id",
	"Thread_Id",	  "Grid_Size",	   "Kernel_Id",	      "Kernel_Name",	  "Workgroup_Size",
	"LDS_Block_Size", "Scratch_Size",  "VGPR_Count",      "Accum_VGPR_Count", "SGPR_Count",
	"Counter_Name",	  "Counter_Value", "Start_Timestamp", "End_Timestamp",
};

static const char *const kernel_titles[] = {
	"Kind",
	"Agent_Id",
	"Queue_Id",
	"Stream_Id",
	"Thread_Id",
	"Dispatch_Id",
	"Kernel_Id",
	"Kernel_Name",
	"Correlation_Id",
	"Start_Timestamp",
	"End_Timestamp",
	"LDS_Block_Size",
	"Scratch_Size",
	"VGPR_Count",
	"Accum_VGPR_Count",
	"SGPR_Count",
	"Workgroup_Size_X",
	"Workgroup_Size_Y",
	"Workgroup_Size_Z",
	"Grid_Size_X",
	"Grid_Size_Y",
	"Grid_Size_Z",
};

static const char *const marker_titles[] = {"Domain",	    "Function",	      "Process_Id",
					    "Thread_Id",    "Correlation_Id", "Start_Timestamp",
					    "End_Timestamp"};

/* ---- cells: each ends with a comma or the line ---- */

static void put_text(FILE *stream, const char *text, char end)
{
	tacho_csv_write_quoted(stream, text);
	putc(end, stream);
}

/* Empty when it is not known. */
static void put_number(FILE *stream, bool is_known, uint64_t number, char end)
{
	if (is_known)
		fprintf(stream, "%" PRIu64, number);
	putc(end, stream);
}

static void put_id(FILE *stream, uint64_t id, char end)
{
	put_number(stream, id != TACHO__ROCPROF_UNKNOWN, id, end);
}

static void put_agent(FILE *stream, uint64_t agent, char end)
{
	char text[32] = "";

	if (agent != TACHO__ROCPROF_NO_AGENT)
		snprintf(text, sizeof(text), "Agent %" PRIu64, agent);
	put_text(stream, text, end);
}

static void put_titles(FILE *stream, const char *const *titles, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put_text(stream, titles[i], i + 1 < count ? ',' : '\n');
}

static uint64_t get_id(const struct tacho_object *object)
{
	return object ? object->id : TACHO__ROCPROF_UNKNOWN;
}

static const char *get_kernel_name(const struct tacho_command *command)
{
	return command->kernel ? command->kernel->name : "";
}

/* All work-items; not known where the number is too large. */
static void put_product(FILE *stream, bool is_known, const uint64_t sizes[3], char end)
{
	uint64_t product = 1;

	for (int i = 0; i < 3 && is_known; i++)
		is_known = !__builtin_mul_overflow(product, sizes[i], &product);
	put_number(stream, is_known, product, end);
}

static void put_times(FILE *stream, const struct tacho_command *command, char end)
{
	bool is_known = command->state == TACHO_STATE_OK;

	put_number(stream, is_known, command->start_ns, ',');
	put_number(stream, is_known, command->end_ns, end);
}

/* Local memory is given out in blocks. */
static void put_resources(FILE *stream, const struct tacho__rocprof_resources *resources)
{
	uint64_t bytes = resources->local_bytes.value;

	bytes = (bytes + LDS_BLOCK_BYTES - 1) / LDS_BLOCK_BYTES * LDS_BLOCK_BYTES;
	put_number(stream, resources->local_bytes.is_known, bytes, ',');
	put_number(stream, resources->scratch_bytes.is_known, resources->scratch_bytes.value, ',');
	put_number(stream, resources->vector.is_known, resources->vector.value, ',');
	put_number(stream, resources->accumulation.is_known, resources->accumulation.value, ',');
	put_number(stream, resources->scalar.is_known, resources->scalar.value, ',');
}

/* ---- values ---- */

static void put_point(char *text)
{
	const char *point = localeconv()->decimal_point;
	char *found = strstr(text, point);

	if (!*point || !strcmp(point, ".") || !found)
		return;
	*found = '.';
	memmove(found + 1, found + strlen(point), strlen(found + strlen(point)) + 1);
}

void tacho__rocprof_format_value(const struct tacho__rocprof_sum *sum,
				 char out_text[TACHO__ROCPROF_VALUE_MAX])
{
	if (sum->is_whole && sum->whole) {
		snprintf(out_text, TACHO__ROCPROF_VALUE_MAX, "%" PRIu64 ".000000", sum->whole);
		return;
	}
	snprintf(out_text, TACHO__ROCPROF_VALUE_MAX, sum->real >= 1 ? "%.6f" : "%.8e", sum->real);
	put_point(out_text);
}

static void put_value(FILE *stream, const struct tacho__rocprof_launch *launch, size_t counter,
		      const struct tacho__rocprof_sum *sum)
{
	const struct tacho_column *column = tacho_result_get_column(launch->values, counter);
	const struct tacho_command *command = launch->command;
	char value[TACHO__ROCPROF_VALUE_MAX];
	uint64_t grid[3], workgroup[3];
	bool has_grid = tacho__rocprof_get_grid(command, grid);
	bool has_workgroup = tacho__rocprof_get_workgroup(command, workgroup);

	put_number(stream, true, launch->call_number, ',');
	put_number(stream, true, launch->dispatch, ',');
	put_agent(stream, tacho__rocprof_get_counting_agent(launch, counter), ',');
	put_id(stream, get_id(command->queue), ',');
	put_number(stream, true, launch->call->process->pid, ',');
	put_number(stream, true, launch->call->thread, ',');
	put_product(stream, has_grid, grid, ',');
	put_id(stream, get_id(command->kernel), ',');
	put_text(stream, get_kernel_name(command), ',');
	put_product(stream, has_workgroup, workgroup, ',');
	put_resources(stream, &launch->resources);
	put_text(stream, column->name, ',');
	tacho__rocprof_format_value(sum, value);
	fprintf(stream, "%s,", value);
	put_times(stream, command, '\n');
}

static void put_kernel(FILE *stream, const struct tacho__rocprof_launch *launch)
{
	const struct tacho_command *command = launch->command;
	uint64_t grid[3], workgroup[3];
	bool has_grid = tacho__rocprof_get_grid(command, grid);
	bool has_workgroup = tacho__rocprof_get_workgroup(command, workgroup);

	put_text(stream, "KERNEL_DISPATCH", ',');
	put_agent(stream, launch->agent, ',');
	put_id(stream, get_id(command->queue), ',');
	put_id(stream, get_id(command->queue), ','); /* the stream: a queue is both */
	put_number(stream, true, launch->call->thread, ',');
	put_number(stream, true, launch->dispatch, ',');
	put_id(stream, get_id(command->kernel), ',');
	put_text(stream, get_kernel_name(command), ',');
	put_number(stream, true, launch->call_number, ',');
	put_times(stream, command, ',');
	put_resources(stream, &launch->resources);
	for (int i = 0; i < 3; i++)
		put_number(stream, has_workgroup, workgroup[i], ',');
	for (int i = 0; i < 3; i++)
		put_number(stream, has_grid, grid[i], i < 2 ? ',' : '\n');
}

void tacho__rocprof_csv_begin(const struct tacho__rocprof_csv *csv)
{
	const size_t count = TACHO__ARRAY_SIZE(agent_columns);

	for (size_t i = 0; i < count; i++)
		put_text(csv->agents, agent_columns[i].title, i + 1 < count ? ',' : '\n');
	put_titles(csv->counters, counter_titles, TACHO__ARRAY_SIZE(counter_titles));
	put_titles(csv->kernels, kernel_titles, TACHO__ARRAY_SIZE(kernel_titles));
	put_titles(csv->markers, marker_titles, TACHO__ARRAY_SIZE(marker_titles));
}

void tacho__rocprof_csv_add_range(const struct tacho__rocprof_csv *csv,
				  const struct tacho_named_range *range)
{
	bool is_mark = range->kind == TACHO_RANGE_MARK;

	put_text(csv->markers, is_mark ? TACHO__ROCPROF_MARK : TACHO__ROCPROF_RANGE, ',');
	put_text(csv->markers, range->name, ',');
	put_number(csv->markers, true, range->process->pid, ',');
	put_number(csv->markers, true, range->thread, ',');
	put_number(csv->markers, true, 0, ','); /* no call made it */
	put_number(csv->markers, true, range->start_ns, ',');
	put_number(csv->markers, !range->is_open, range->end_ns, '\n');
}

void tacho__rocprof_csv_add(const struct tacho__rocprof_csv *csv,
			    const struct tacho__rocprof_launch *launch)
{
	const struct tacho_column *column;
	struct tacho__rocprof_sum sum;

	put_kernel(csv->kernels, launch);
	if (!launch->values)
		return;
	for (size_t i = 0; (column = tacho_result_get_column(launch->values, i)); i++) {
		tacho__rocprof_add_up(column, &sum);
		if (tacho__rocprof_has_column(column) && sum.is_known)
			put_value(csv->counters, launch, i, &sum);
	}
}

/* ---- agents ---- */

/* A number that is not written with digits alone is none. */
static void put_stated(FILE *stream, const struct tacho_object *device, const char *key, char end)
{
	const char *text = device ? tacho_object_get(device, key) : NULL;

	if (text && strlen(text) == strspn(text, "0123456789"))
		fputs(text, stream);
	putc(end, stream);
}

/* `device` is NULL for those that the program does not see. */
static void put_agent_line(FILE *stream, uint64_t id, const char *name, const char *type,
			   const struct tacho_object *device)
{
	const size_t count = TACHO__ARRAY_SIZE(agent_columns);
	const char *text;

	for (size_t i = 0; i < count; i++) {
		const char *source = agent_columns[i].source;
		char end = i + 1 < count ? ',' : '\n';

		if (*source == '#') {
			put_stated(stream, device, source + 1, end);
		} else if (*source == '$') {
			text = device ? tacho_object_get(device, source + 1) : NULL;
			put_text(stream, text ? text : "", end);
		} else if (!strcmp(source, "name")) {
			put_text(stream, name, end);
		} else if (!strcmp(source, "type")) {
			put_text(stream, type, end);
		} else {
			put_number(stream, !strcmp(source, "id"), id, end);
		}
	}
}

void tacho__rocprof_csv_put_agents(const struct tacho__rocprof_csv *csv,
				   const struct tacho__rocprof_run *run,
				   const struct tacho_cursor *cursor)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(run->recording);
	const char *counting_device = tacho__rocprof_get_counting_device(run);
	const struct tacho_object *object;

	put_agent_line(csv->agents, TACHO__ROCPROF_HOST, "host", "CPU", NULL);
	if (counting_device)
		put_agent_line(csv->agents, TACHO__ROCPROF_COUNTS, counting_device,
			       counting->is_simulated ? "GPU" : "UNK", NULL);
	for (size_t i = 0; (object = tacho_cursor_get_object(cursor, i)); i++)
		if (object->kind == TACHO_OBJECT_DEVICE && object->id)
			put_agent_line(csv->agents, tacho__rocprof_get_agent(run, object),
				       object->name, tacho__rocprof_get_type(object), object);
}
