/* SPDX-License-Identifier: MIT */
/* Rows of AMD's CSV files, and what they become. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/amd_csv.h"

/* Two processes of one run. */
static char several;

static const char *cell(const struct tacho__amd_csv *csv, enum tacho__amd_column column)
{
	return tacho__amd_cell(csv->table, column);
}

static struct tacho__amd_number number(const struct tacho__amd_csv *csv,
				       enum tacho__amd_column column)
{
	return tacho__amd_number_in(csv->table, column);
}

/* ---- whose it is ---- */

/* Of files that were merged each row says of which. Those of a folder of counters are the runs that
 * its launches were counted in, and are no other launches. */
static int find_run(struct tacho__amd_csv *csv, uint32_t *out_run)
{
	const char *guid = cell(csv, TACHO__AMD_GUID);

	*out_run = csv->run;
	if (!*guid || tacho__map_get(&csv->wholes, csv->run))
		return 0;
	return tacho__foreign_text(csv->amd.foreign, guid, out_run);
}

int tacho__amd_learn_process(struct tacho__amd_csv *csv)
{
	struct tacho__amd_number pid = number(csv, TACHO__AMD_PROCESS);
	void *known, *now = (void *)(uintptr_t)(pid.value + 1);
	uint32_t run;
	int rc = find_run(csv, &run);

	if (rc || !pid.is_known || pid.value > UINT32_MAX)
		return rc;
	known = tacho__map_get(&csv->pids, run);
	if (known == now || known == &several)
		return 0;
	return tacho__map_set(&csv->pids, run, known ? &several : now);
}

/* That of the row, of the file's name, or of the other files of its run; else 0. */
static int find_process(struct tacho__amd_csv *csv, uint32_t *out_run, uint32_t *out_process)
{
	struct tacho__amd_number pid = number(csv, TACHO__AMD_PROCESS);
	int rc = find_run(csv, out_run);
	void *learned = tacho__map_get(&csv->pids, *out_run);

	if (tacho__map_get(&csv->wholes, *out_run))
		pid = (struct tacho__amd_number){true, 0}; /* its launches ran in several */
	if (!pid.is_known && csv->named.is_known && *out_run == csv->run)
		pid = csv->named;
	if (!pid.is_known && learned && learned != &several)
		pid.value = (uintptr_t)learned - 1;
	return rc ? rc
		  : tacho__foreign_process(csv->amd.foreign,
					   (uint64_t)*out_run << 32 | (uint32_t)pid.value,
					   (uint32_t)pid.value, out_process);
}

/* ---- launches ---- */

static int take_kernel(struct tacho__amd_csv *csv, struct tacho__foreign_command *command)
{
	const struct tacho__amd_kernel kernel = {.name = cell(csv, TACHO__AMD_KERNEL),
						 .local_bytes = number(csv, TACHO__AMD_LOCAL),
						 .private_bytes = number(csv, TACHO__AMD_PRIVATE),
						 .vgprs = number(csv, TACHO__AMD_VGPRS),
						 .accum_vgprs = number(csv, TACHO__AMD_ACCUM),
						 .sgprs = number(csv, TACHO__AMD_SGPRS)};

	return tacho__amd_take_kernel(&csv->amd, &kernel, command);
}

/* Some tables have only how many there are in all dimensions. */
static void take_sizes(struct tacho__amd_csv *csv, struct tacho__foreign_command *command)
{
	const struct tacho__amd_number one = {true, 1};
	struct tacho__amd_number grid[3] = {number(csv, TACHO__AMD_GRID), one, one};
	struct tacho__amd_number group[3] = {number(csv, TACHO__AMD_GROUP), one, one};
	bool is_product = csv->table->places[TACHO__AMD_GRID_X] < 0;

	for (int i = 0; i < 3 && !is_product; i++) {
		grid[i] = number(csv, TACHO__AMD_GRID_X + i);
		group[i] = number(csv, TACHO__AMD_GROUP_X + i);
	}
	csv->products += is_product;
	tacho__amd_take_sizes(grid, group, command);
}

/* A program for tables of numbers keeps six digits of a time: then it is not known. */
static int take_times(struct tacho__amd_csv *csv, struct tacho__foreign_command *command)
{
	struct tacho__amd_number start = number(csv, TACHO__AMD_START);
	struct tacho__amd_number end = number(csv, TACHO__AMD_END);
	struct tacho__amd_number queued = number(csv, TACHO__AMD_QUEUED);
	bool is_rounded = strpbrk(cell(csv, TACHO__AMD_START), ".eE") != NULL;
	int rc = tacho__amd_take_times(&csv->amd, &start, &end,
				       is_rounded ? "the file has rounded its times" : NULL,
				       command);

	csv->rounded += is_rounded;
	if (rc || command->state != TACHO_STATE_OK || !queued.is_known || !queued.value ||
	    queued.value > start.value || csv->table->places[TACHO__AMD_INDEX] < 0)
		return rc;
	command->has_queue_times = 1;
	command->queued_ns = command->submit_ns = (int64_t)queued.value;
	return 0;
}

static int take_place(struct tacho__amd_csv *csv, uint32_t run,
		      struct tacho__foreign_command *command)
{
	const char *queue = cell(csv, TACHO__AMD_QUEUE);
	char name[64] = "";
	int rc = tacho__amd_device(&csv->amd, command->process, run, cell(csv, TACHO__AMD_AGENT),
				   true, &command->device);

	if (*queue)
		snprintf(name, sizeof(name), "queue %.50s", queue);
	return rc ? rc : tacho__amd_queue(&csv->amd, name, command);
}

static int take_launch(struct tacho__amd_csv *csv, struct tacho__foreign_command *launch)
{
	bool is_indexed = csv->table->places[TACHO__AMD_INDEX] >= 0;
	struct tacho__amd_number id =
		number(csv, is_indexed ? TACHO__AMD_INDEX : TACHO__AMD_DISPATCH);
	uint32_t run;
	int rc = find_process(csv, &run, &launch->process);

	launch->thread = (uint32_t)number(csv, TACHO__AMD_THREAD).value;
	launch->link = number(csv, TACHO__AMD_CORRELATION).value;
	launch->values = id.is_known ? id.value + 1 : 0;
	if (!rc)
		rc = take_kernel(csv, launch);
	if (!rc)
		rc = take_place(csv, run, launch);
	if (!rc)
		rc = take_times(csv, launch);
	take_sizes(csv, launch);
	return rc;
}

static int take_trace_row(struct tacho__amd_csv *csv)
{
	struct tacho__foreign_command launch = {0};
	int rc = take_launch(csv, &launch);

	return rc ? rc : tacho__amd_add_launch(&csv->amd, &launch, TACHO__AMD_TRACE);
}

/* ---- values ---- */

static int add_value(struct tacho__amd_csv *csv, uint32_t process, uint64_t values,
		     uint32_t counter, const char *text)
{
	struct tacho__foreign_value value = {
		.process = process, .counter = counter, .values = values, .state = TACHO_STATE_OK};

	if (!tacho__foreign_csv_real(text, &value.number.f64)) {
		int rc = tacho__foreign_text(csv->amd.foreign, "the file has no number for it",
					     &value.note);

		value.state = TACHO_STATE_ABSENT;
		if (rc)
			return rc;
	}
	return tacho__foreign_add_value(csv->amd.foreign, &value);
}

/* A launch is told with the first of its rows that are behind one another. */
static int take_counter_row(struct tacho__amd_csv *csv)
{
	struct tacho__amd_number id = number(csv, TACHO__AMD_DISPATCH);
	struct tacho__foreign_command launch = {0};
	uint32_t run, counter;
	int rc = find_process(csv, &run, &launch.process);

	if (!rc && (!id.is_known || id.value + 1 != csv->last_values ||
		    launch.process + UINT64_C(1) != csv->last_process)) {
		rc = take_launch(csv, &launch);
		if (!rc)
			rc = tacho__amd_add_launch(&csv->amd, &launch, TACHO__AMD_COUNTERS);
		csv->last_values = launch.values;
		csv->last_process = launch.process + UINT64_C(1);
	}
	if (rc || !id.is_known || !*cell(csv, TACHO__AMD_COUNTER))
		return rc;
	rc = tacho__foreign_counter(csv->amd.foreign, cell(csv, TACHO__AMD_COUNTER), "",
				    TACHO_TYPE_F64, &counter);
	return rc ? rc
		  : add_value(csv, launch.process, id.value + 1, counter,
			      cell(csv, TACHO__AMD_VALUE));
}

/* Of each part of a device but the first a counter is one of its own: "SQ_WAVES[1]". */
static int find_counter(struct tacho__amd_csv *csv, uint32_t of_column, uint64_t part,
			uint32_t *out_counter)
{
	struct tacho__foreign *foreign = csv->amd.foreign;
	struct tacho__buf name = {0};
	int rc;

	*out_counter = of_column;
	if (!part)
		return 0;
	tacho__buf_printf(&name, "%s[%" PRIu64 "]", foreign->counters[of_column - 1].name, part);
	rc = name.failed
		     ? TACHO_E_NOMEM
		     : tacho__foreign_counter(foreign, name.text, "", TACHO_TYPE_F64, out_counter);
	tacho__buf_finish(&name);
	return rc;
}

/*
 * A folder's table of all counters has its launches; the others add what they counted, and so do
 * rows of one launch for each part of the device.
 */
static int take_wide_row(struct tacho__amd_csv *csv)
{
	bool is_part = !csv->is_whole && tacho__map_get(&csv->wholes, csv->run);
	uint64_t part = number(csv, TACHO__AMD_XCC).value;
	struct tacho__foreign_command launch = {0};
	uint32_t counter;
	int rc = take_launch(csv, &launch);

	if (!rc && !is_part && !part)
		rc = tacho__amd_add_launch(&csv->amd, &launch, TACHO__AMD_TRACE);
	for (size_t i = 0; i < csv->table->count && !rc && launch.values; i++) {
		if (!csv->table->counters[i] || !*csv->table->cells[i])
			continue;
		rc = find_counter(csv, csv->table->counters[i], part, &counter);
		if (!rc)
			rc = add_value(csv, launch.process, launch.values, counter,
				       csv->table->cells[i]);
	}
	return rc;
}

/* ---- copies, calls, memory ---- */

static int take_copy_row(struct tacho__amd_csv *csv)
{
	struct tacho__amd_number start = number(csv, TACHO__AMD_START);
	struct tacho__amd_number end = number(csv, TACHO__AMD_END);
	const char *stream = cell(csv, TACHO__AMD_STREAM);
	struct tacho__foreign_command copy = {.link = number(csv, TACHO__AMD_CORRELATION).value};
	char name[64] = "";
	uint32_t run;
	int rc = find_process(csv, &run, &copy.process);

	csv->copies++;
	if (!rc)
		rc = tacho__amd_take_direction(&csv->amd, cell(csv, TACHO__AMD_DIRECTION), &copy);
	if (!rc)
		rc = tacho__amd_device(&csv->amd, copy.process, run,
				       cell(csv, copy.kind == TACHO_COMMAND_WRITE
							 ? TACHO__AMD_DESTINATION
							 : TACHO__AMD_SOURCE),
				       true, &copy.device);
	if (*stream)
		snprintf(name, sizeof(name), "stream %.50s", stream);
	if (!rc)
		rc = tacho__amd_queue(&csv->amd, name, &copy);
	if (!rc)
		rc = tacho__amd_take_times(&csv->amd, &start, &end, NULL, &copy);
	return rc ? rc : tacho__foreign_add_command(csv->amd.foreign, &copy);
}

static int take_marker(struct tacho__amd_csv *csv, uint32_t process)
{
	struct tacho__foreign_range range = {
		.process = process, .thread = (uint32_t)number(csv, TACHO__AMD_THREAD).value};

	if (!tacho__foreign_csv_integer(cell(csv, TACHO__AMD_START), &range.start_ns))
		return 0;
	range.has_end = tacho__foreign_csv_integer(cell(csv, TACHO__AMD_END), &range.end_ns);
	return tacho__amd_add_marker(&csv->amd, cell(csv, TACHO__AMD_DOMAIN),
				     cell(csv, TACHO__AMD_FUNCTION), &range);
}

static int add_call(struct tacho__amd_csv *csv, uint32_t process, const char *domain,
		    const char *function, uint64_t link)
{
	struct tacho__foreign_call call = {.process = process,
					   .thread = (uint32_t)number(csv, TACHO__AMD_THREAD).value,
					   .link = link};
	int rc = tacho__amd_function(&csv->amd, domain, function, &call.function);

	csv->calls++;
	if (rc || !tacho__foreign_csv_integer(cell(csv, TACHO__AMD_START), &call.start_ns))
		return rc;
	if (!tacho__foreign_csv_integer(cell(csv, TACHO__AMD_END), &call.end_ns))
		call.end_ns = call.start_ns;
	return tacho__foreign_add_call(csv->amd.foreign, &call);
}

static int take_call_row(struct tacho__amd_csv *csv)
{
	const char *domain = cell(csv, TACHO__AMD_DOMAIN);
	uint32_t run, process;
	int rc = find_process(csv, &run, &process);

	if (rc)
		return rc;
	return tacho__amd_is_marker(domain)
		       ? take_marker(csv, process)
		       : add_call(csv, process, domain, cell(csv, TACHO__AMD_FUNCTION),
				  number(csv, TACHO__AMD_CORRELATION).value);
}

/* Its correlation id is that of the call around it, which has the work. */
static int take_memory_row(struct tacho__amd_csv *csv)
{
	const char *operation = cell(csv, TACHO__AMD_OPERATION);
	uint32_t run, process;
	int rc = find_process(csv, &run, &process);

	csv->allocations++;
	return rc ? rc : add_call(csv, process, "memory", operation, 0);
}

/* ---- rocprofv2 ---- */

/* One time, and no thread: what a marker begins is not known, nor what it ends. */
static int take_mark_row(struct tacho__amd_csv *csv)
{
	const char *message = cell(csv, TACHO__AMD_MESSAGE);
	struct tacho__foreign_range range = {.has_end = 1};
	uint32_t run;
	int rc;

	if (!*message) {
		csv->ends++;
		return 0;
	}
	if (!tacho__foreign_csv_integer(cell(csv, TACHO__AMD_TIME), &range.start_ns))
		return 0;
	range.end_ns = range.start_ns;
	rc = find_process(csv, &run, &range.process);
	return rc ? rc : tacho__amd_add_marker(&csv->amd, "MARKER_", message, &range);
}

static int take_operation(struct tacho__amd_csv *csv, struct tacho__foreign_command *command)
{
	const char *operation = cell(csv, TACHO__AMD_OPERATION);

	if (strcasestr(operation, "copy"))
		return tacho__amd_take_direction(&csv->amd, operation, command);
	command->kind = strcasestr(operation, "fill") ? TACHO_COMMAND_FILL : TACHO_COMMAND_OTHER;
	return tacho__foreign_text(csv->amd.foreign,
				   command->kind == TACHO_COMMAND_FILL ? "fill" : "barrier",
				   &command->name);
}

/* A kernel that the table of launches has as well is told there, with its sizes. */
static int take_ops_row(struct tacho__amd_csv *csv)
{
	struct tacho__amd_number start = number(csv, TACHO__AMD_START);
	struct tacho__amd_number end = number(csv, TACHO__AMD_END);
	bool is_kernel = *cell(csv, TACHO__AMD_KERNEL) != '\0';
	struct tacho__foreign_command command = {.link = number(csv, TACHO__AMD_CORRELATION).value};
	uint32_t run;
	int rc = find_process(csv, &run, &command.process);

	if (is_kernel && csv->has[TACHO__AMD_COUNTER_COLUMNS]) {
		csv->again++;
		return rc;
	}
	if (!rc)
		rc = is_kernel ? take_kernel(csv, &command) : take_operation(csv, &command);
	if (!rc)
		rc = tacho__amd_take_times(&csv->amd, &start, &end, NULL, &command);
	if (!is_kernel)
		csv->copies++;
	if (rc)
		return rc;
	return is_kernel ? tacho__amd_add_launch(&csv->amd, &command, TACHO__AMD_TRACE)
			 : tacho__foreign_add_command(csv->amd.foreign, &command);
}

/* ---- agents ---- */

static void put_text(struct tacho__buf *text, const char *key, const char *value)
{
	if (*value && !strpbrk(value, "\r\n"))
		tacho__buf_printf(text, "%s=%s\n", key, value);
}

static void put_numbers(const struct tacho__amd_csv *csv, struct tacho__buf *text)
{
	static const struct {
		const char *key;
		enum tacho__amd_column column;
	} facts[] = {{"compute_units", TACHO__AMD_COMPUTE_UNITS},
		     {"wave_size", TACHO__AMD_WAVE_SIZE},
		     {"simds_per_unit", TACHO__AMD_SIMDS},
		     {"max_group_size", TACHO__AMD_MAX_GROUP},
		     {"max_waves_per_unit", TACHO__AMD_MAX_WAVES}};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(facts); i++) {
		struct tacho__amd_number fact = number(csv, facts[i].column);

		if (fact.value)
			tacho__buf_printf(text, "%s=%" PRIu64 "\n", facts[i].key, fact.value);
	}
}

static void put_agent(const struct tacho__amd_csv *csv, bool is_gpu, struct tacho__buf *text)
{
	const char *product = cell(csv, TACHO__AMD_PRODUCT), *name = cell(csv, TACHO__AMD_NAME);
	struct tacho__amd_number at = number(csv, TACHO__AMD_LOCATION);
	struct tacho__amd_number domain = number(csv, TACHO__AMD_DOMAIN);

	put_text(text, "name", *product ? product : *name ? name : "(no name)");
	put_text(text, "type", is_gpu ? "gpu" : "cpu");
	put_text(text, "vendor", cell(csv, TACHO__AMD_VENDOR));
	if (!strncmp(name, "gfx", 3))
		put_text(text, "architecture", name);
	put_text(text, "number", cell(csv, TACHO__AMD_NODE_ID));
	put_numbers(csv, text);
	if (at.value && is_gpu)
		tacho__buf_printf(text, "pci=%04x:%02x:%02x.%x\n", (unsigned)domain.value & 0xffff,
				  (unsigned)(at.value >> 8) & 0xff,
				  (unsigned)(at.value >> 3) & 0x1f, (unsigned)at.value & 7);
}

static int take_agent_row(struct tacho__amd_csv *csv)
{
	struct tacho__amd_agent agent = {
		.is_gpu = !strcasecmp(cell(csv, TACHO__AMD_AGENT_TYPE), "GPU"),
		.numbers = {number(csv, TACHO__AMD_NODE_ID), number(csv, TACHO__AMD_LOGICAL_ID),
			    number(csv, TACHO__AMD_TYPE_ID)}};
	struct tacho__buf text = {0};
	int rc = find_run(csv, &agent.run);

	put_agent(csv, agent.is_gpu, &text);
	agent.text = tacho__buf_text(&text);
	if (!rc)
		rc = text.failed ? TACHO_E_NOMEM : tacho__amd_add_agent(&csv->amd, &agent);
	tacho__buf_finish(&text);
	return rc;
}

/* The machine of a workload: its GPUs are of one sort. */
static int take_sysinfo_row(struct tacho__amd_csv *csv)
{
	struct tacho__arena *arena = &csv->amd.foreign->recording->arena;
	struct tacho_run *run = &csv->amd.foreign->recording->run;
	struct tacho__buf text = {0};
	char *kept;

	put_text(&text, "name", cell(csv, TACHO__AMD_GPU_MODEL));
	put_text(&text, "type", "gpu");
	put_text(&text, "vendor", "AMD");
	put_text(&text, "architecture", cell(csv, TACHO__AMD_GPU_ARCH));
	put_numbers(csv, &text);
	kept = tacho__buf_keep(&text, arena);
	run->host = tacho__arena_string(arena, cell(csv, TACHO__AMD_HOST));
	run->application = tacho__arena_string(arena, cell(csv, TACHO__AMD_COMMAND));
	if (!kept || !run->host || !run->application)
		return TACHO_E_NOMEM;
	return tacho__map_set(&csv->amd.machines, csv->run, kept);
}

int tacho__amd_take_row(struct tacho__amd_csv *csv)
{
	switch (csv->sort) {
	case TACHO__AMD_AGENT_INFO: return take_agent_row(csv);
	case TACHO__AMD_SYSINFO: return take_sysinfo_row(csv);
	case TACHO__AMD_API_TRACE: return take_call_row(csv);
	case TACHO__AMD_COUNTER_ROWS: return take_counter_row(csv);
	case TACHO__AMD_COUNTER_COLUMNS: return take_wide_row(csv);
	case TACHO__AMD_KERNEL_TRACE: return take_trace_row(csv);
	case TACHO__AMD_COPY_TRACE: return take_copy_row(csv);
	case TACHO__AMD_ALLOCATION_TRACE:
	case TACHO__AMD_SCRATCH_TRACE: return take_memory_row(csv);
	case TACHO__AMD_MARK_TRACE: return take_mark_row(csv);
	case TACHO__AMD_OPS_TRACE: return take_ops_row(csv);
	default: return 0;
	}
}
