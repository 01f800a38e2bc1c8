/* SPDX-License-Identifier: MIT */
/* Lines of session files as calls and commands. */
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/character.h"
#include "base/error.h"
#include "format/import/import_cursor.h"

static const char no_times[] = "the session file has no times for it";
static const char no_place[] = "the session file tells how long it took, but not when";

/* ---- calls ---- */

/* With what is not seen spelled: functions of other recordings have plain names. */
static const char *keep_name(struct tacho__import_cursor *cursor, const char *name)
{
	tacho__buf_clear(&cursor->key);
	tacho__text_put(&cursor->key, name);
	if (cursor->key.failed)
		return NULL;
	return tacho__import_objects_text(&cursor->objects,
					  tacho__span_of(tacho__buf_text(&cursor->key)));
}

static int set_function(struct tacho__import_cursor *cursor, const char *api,
			struct tacho__span name, int number)
{
	struct tacho_function *function;
	const char *kept;
	size_t head;

	tacho__buf_clear(&cursor->key);
	tacho__buf_printf(&cursor->key, "%s %d ", api, number);
	head = cursor->key.size;
	tacho__buf_add(&cursor->key, name.at, tacho__span_size(name));
	if (cursor->key.failed)
		return TACHO_E_NOMEM;
	function = tacho__names_get(&cursor->functions, tacho__buf_text(&cursor->key));
	cursor->call.function = function;
	if (function)
		return 0;
	function = tacho__arena_get(&cursor->objects.arena, sizeof(*function));
	kept = tacho__arena_string(&cursor->objects.arena, tacho__buf_text(&cursor->key));
	if (!function || !kept)
		return TACHO_E_NOMEM;
	function->api = api;
	function->number = number;
	function->name = keep_name(cursor, kept + head);
	cursor->call.function = function;
	return function->name ? tacho__names_set(&cursor->functions, kept, function)
			      : TACHO_E_NOMEM;
}

static bool is_error(struct tacho__span text)
{
	return (tacho__span_starts(text, "CL_") && !tacho__span_is(text, "CL_SUCCESS")) ||
	       tacho__span_starts(text, "-");
}

/* Functions that return a handle tell an error through their last argument. */
static bool has_failed(enum tacho__atp_api api, struct tacho__span result,
		       struct tacho__span arguments)
{
	struct tacho__span last = {0};

	if (api == TACHO__ATP_HSA)
		return tacho__span_starts(result, "HSA_") &&
		       !tacho__span_is(result, "HSA_STATUS_SUCCESS") &&
		       !tacho__span_is(result, "HSA_STATUS_INFO_BREAK");
	if (tacho__span_starts(result, "CL_") || is_error(result))
		return is_error(result);
	while (tacho__atp_take_argument(&arguments, &last))
		;
	if (!tacho__span_starts(last, "[") || !tacho__span_ends(last, "]"))
		return false;
	last.at++;
	last.end--;
	return is_error(last);
}

/* What the API of a section is called. */
static const char *api_of(const struct tacho__import_cursor *cursor, enum tacho__atp_api api)
{
	switch (api) {
	case TACHO__ATP_OPENCL: return TACHO__IMPORT_API_OPENCL;
	case TACHO__ATP_HSA: return TACHO__IMPORT_API_HSA;
	default: return cursor->import->atp.others[api - TACHO__ATP_OTHERS];
	}
}

static void set_caller(struct tacho__import_cursor *cursor, const struct tacho__atp_caller *caller)
{
	struct tacho__buf *text = &cursor->caller;

	tacho__buf_clear(text);
	tacho__import_put_plain(text, caller->symbol);
	if (tacho__span_size(caller->file))
		tacho__buf_printf(text, " (%.*s:%.*s)", (int)tacho__span_size(caller->file),
				  caller->file.at, (int)tacho__span_size(caller->line),
				  caller->line.at);
	cursor->cursor.failed |= text->failed;
	cursor->call.caller = tacho__buf_text(text);
}

static int set_call(struct tacho__import_cursor *cursor, const struct tacho__import_stream *stream)
{
	enum { UNKNOWN_FUNCTION = 146 };
	const struct tacho__atp_times *at = &stream->at;
	bool is_hsa = stream->api == TACHO__ATP_HSA;
	struct tacho_call *call = &cursor->call;
	int number = !is_hsa && at->number == UNKNOWN_FUNCTION ? -1 : at->number;

	call->thread = stream->thread;
	call->index = stream->loaded_number;
	call->end_ns = at->end_ns;
	call->start_ns = at->start_ns < at->end_ns ? at->start_ns : at->end_ns;
	if (stream->has_call) {
		tacho__buf_add(&cursor->result, stream->call.result.at,
			       tacho__span_size(stream->call.result));
		cursor->cursor.failed |= cursor->result.failed;
		call->result = tacho__buf_text(&cursor->result);
		call->repeats = stream->call.repeats;
		cursor->arguments = stream->call.arguments;
		call->failed = stream->api < TACHO__ATP_OTHERS
				       ? has_failed(stream->api, stream->call.result,
						    stream->call.arguments)
				       : stream->call.has_failed;
		call->is_bare = stream->api >= TACHO__ATP_OTHERS && stream->call.is_bare;
	}
	call->busy_ns = call->end_ns - call->start_ns;
	if (stream->has_caller)
		set_caller(cursor, &stream->caller);
	return set_function(cursor, api_of(cursor, stream->api),
			    stream->has_call ? stream->call.name : at->name, number);
}

/* ---- commands ---- */

/* Sorts of work by the function that gives it, for calls whose line lacks the command. */
static bool find_command(struct tacho__span function, const char **out_name, uint32_t *out_code)
{
	/* numbers of the commands: CL/cl.h, CL/cl_ext.h */
	static const struct {
		const char *function, *command;
		uint32_t code;
	} commands[] = {
		{"clEnqueueNDRangeKernel", "CL_COMMAND_NDRANGE_KERNEL", 0x11f0},
		{"clEnqueueTask", "CL_COMMAND_TASK", 0x11f1},
		{"clEnqueueReadBuffer", "CL_COMMAND_READ_BUFFER", 0x11f3},
		{"clEnqueueWriteBuffer", "CL_COMMAND_WRITE_BUFFER", 0x11f4},
		{"clEnqueueCopyBuffer", "CL_COMMAND_COPY_BUFFER", 0x11f5},
		{"clEnqueueReadImage", "CL_COMMAND_READ_IMAGE", 0x11f6},
		{"clEnqueueWriteImage", "CL_COMMAND_WRITE_IMAGE", 0x11f7},
		{"clEnqueueCopyImage", "CL_COMMAND_COPY_IMAGE", 0x11f8},
		{"clEnqueueCopyImageToBuffer", "CL_COMMAND_COPY_IMAGE_TO_BUFFER", 0x11f9},
		{"clEnqueueCopyBufferToImage", "CL_COMMAND_COPY_BUFFER_TO_IMAGE", 0x11fa},
		{"clEnqueueMapBuffer", "CL_COMMAND_MAP_BUFFER", 0x11fb},
		{"clEnqueueMapImage", "CL_COMMAND_MAP_IMAGE", 0x11fc},
		{"clEnqueueUnmapMemObject", "CL_COMMAND_UNMAP_MEM_OBJECT", 0x11fd},
		{"clEnqueueReadBufferRect", "CL_COMMAND_READ_BUFFER_RECT", 0x1201},
		{"clEnqueueWriteBufferRect", "CL_COMMAND_WRITE_BUFFER_RECT", 0x1202},
		{"clEnqueueCopyBufferRect", "CL_COMMAND_COPY_BUFFER_RECT", 0x1203},
		{"clEnqueueMigrateMemObjects", "CL_COMMAND_MIGRATE_MEM_OBJECTS", 0x1206},
		{"clEnqueueFillBuffer", "CL_COMMAND_FILL_BUFFER", 0x1207},
		{"clEnqueueFillImage", "CL_COMMAND_FILL_IMAGE", 0x1208},
		{"clEnqueueSVMMemcpy", "CL_COMMAND_SVM_MEMCPY", 0x120a},
		{"clEnqueueSVMMemFill", "CL_COMMAND_SVM_MEMFILL", 0x120b},
		{"clEnqueueSVMMap", "CL_COMMAND_SVM_MAP", 0x120c},
		{"clEnqueueSVMUnmap", "CL_COMMAND_SVM_UNMAP", 0x120d},
		{"clEnqueueCommandBufferKHR", "CL_COMMAND_COMMAND_BUFFER_KHR", 0x12a8},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(commands); i++)
		if (tacho__span_is(function, commands[i].function)) {
			*out_name = commands[i].command;
			*out_code = commands[i].code;
			return true;
		}
	return false;
}

static const struct tacho_template unknown_contents = {
	.name = "command buffer (contents not known)",
	.id = 1,
	.reason = "session files do not tell what it holds",
};

static void begin_command(struct tacho__import_cursor *cursor,
			  const struct tacho__import_stream *stream, enum tacho_command_kind kind,
			  uint32_t code, const char *name)
{
	uint64_t line =
		stream->kind == TACHO__IMPORT_CALLS ? stream->loaded_line : stream->loaded_number;

	cursor->command = (struct tacho_command){
		.kind = kind,
		.code = code,
		.name = name,
		.id = (uint64_t)stream->order << 40 | (line + 1),
		.state = TACHO_STATE_ABSENT,
		.reason = no_times,
		.clock = "",
		.global = {1, 1, 1},
		.local = {1, 1, 1},
		.not_before_ns = cursor->call.start_ns,
		.not_after_ns = UINT64_MAX,
		.contents = kind == TACHO_COMMAND_BUFFER ? &unknown_contents : NULL,
	};
	cursor->call.command = &cursor->command;
}

static void set_times(struct tacho_command *command, uint64_t queued_ns, uint64_t submit_ns,
		      uint64_t start_ns, uint64_t end_ns)
{
	if (!end_ns) {
		command->reason = "the session file has zeros for its times";
	} else if (start_ns > end_ns) {
		command->reason = "its times in the session file run backwards";
	} else {
		command->state = TACHO_STATE_OK;
		command->reason = "";
		command->queued_ns = queued_ns;
		command->submit_ns = submit_ns;
		command->start_ns = start_ns;
		command->end_ns = end_ns;
	}
}

/* NULL for what the writers put in place of an unknown name. */
static int set_device(struct tacho__import_cursor *cursor, struct tacho__span label,
		      uint64_t handle, uint32_t number)
{
	struct tacho__object *device;
	int rc;

	if (!tacho__span_size(label) || tacho__span_is(label, "<UnknownDeviceName>"))
		return 0;
	rc = tacho__import_objects_device(&cursor->objects, label, handle, number, &device);
	if (!rc)
		cursor->command.device = &device->object;
	return rc;
}

static int set_kernel(struct tacho__import_cursor *cursor, struct tacho__span name, uint64_t handle,
		      uint32_t id)
{
	struct tacho_command *command = &cursor->command;
	struct tacho__object *kernel;
	int rc;

	if (tacho__span_is(name, "<UnknownKernelName>"))
		name.end = name.at;
	if (!tacho__span_size(name) && !handle && !id)
		return 0;
	rc = tacho__import_objects_kernel(&cursor->objects, name, handle, id, &kernel);
	if (rc)
		return rc;
	if (command->queue && !kernel->object.context)
		kernel->object.context = command->queue->context;
	command->kernel = &kernel->object;
	return tacho__import_objects_launch(&cursor->objects, kernel, command->device,
					    &command->first_launch);
}

static int set_queue(struct tacho__import_cursor *cursor, const struct tacho__atp_command *told)
{
	struct tacho__object *context = NULL, *queue = NULL;
	struct tacho__object *device = (struct tacho__object *)cursor->command.device;
	int rc = tacho__import_objects_context(&cursor->objects, told->context_number,
					       told->context, &context);

	if (!rc)
		rc = tacho__import_objects_queue(&cursor->objects, told->queue_number, told->queue,
						 context, device, &queue);
	if (!rc && queue)
		cursor->command.queue = &queue->object;
	return rc;
}

static void set_sizes(struct tacho_command *command, uint32_t dimensions, const uint64_t *global,
		      bool has_local, const uint64_t *local)
{
	command->dimensions = dimensions;
	command->has_local = has_local;
	for (uint32_t i = 0; i < 3; i++) {
		command->global[i] = i < dimensions ? global[i] : 1;
		command->local[i] = i < dimensions && has_local ? local[i] : 1;
	}
}

/* ---- rows ---- */

/* Names of more than 1,400 bytes lose their middle in a .csv. */
static bool fits(struct tacho__span row, struct tacho__span kernel)
{
	const char *cut = tacho__span_find(row, "...");
	size_t head = cut ? (size_t)(cut - row.at) : 0,
	       tail = cut ? (size_t)(row.end - cut - 3) : 0;

	if (tacho__span_size(row) == tacho__span_size(kernel))
		return !memcmp(row.at, kernel.at, tacho__span_size(row));
	return cut && head + tail <= tacho__span_size(kernel) && !memcmp(row.at, kernel.at, head) &&
	       !memcmp(cut + 3, kernel.end - tail, tail);
}

static void clear_values(struct tacho__import_cursor *cursor, bool is_foreign)
{
	tacho__row_miss_all(&cursor->row_values,
			    is_foreign ? "the command is no kernel"
				       : "the session file has no value",
			    is_foreign ? TACHO_MARK_FOREIGN : 0);
	cursor->has_row = cursor->row_values.count != 0;
}

static void set_value(struct tacho__row *values, const struct tacho__csv_file *file,
		      const struct tacho__csv_column *column, struct tacho__span cell)
{
	union tacho__number number;

	if (column->type == TACHO_TYPE_U64 ? tacho__span_to_u64(cell, &number.u64)
					   : tacho__span_to_f64(cell, file->decimal, &number.f64))
		tacho__row_put(values, column->counter, number);
	else
		tacho__row_miss(values, column->counter,
				"what the session file has for it is no number", 0);
}

/* What the cells of a row say of the launch: its counters, and facts on kernel and device. */
static int take_cells(struct tacho__import_cursor *cursor, const struct tacho__csv_file *file)
{
	const struct tacho_command *command = &cursor->command;
	int rc = 0;

	for (size_t i = 0; i < file->column_count && !rc; i++) {
		const struct tacho__csv_column *column = &file->columns[i];
		struct tacho__span cell = cursor->cells[i];

		if (!tacho__csv_is_known(cell))
			continue;
		if (column->role == TACHO__CSV_COUNTER)
			set_value(&cursor->row_values, file, column, cell);
		else if (column->role == TACHO__CSV_KERNEL_FACT && command->kernel)
			rc = tacho__import_objects_tell(&cursor->objects,
							(struct tacho__object *)command->kernel,
							column->key, cell);
		else if (column->role == TACHO__CSV_DEVICE_FACT && command->device)
			rc = tacho__import_objects_tell(&cursor->objects,
							(struct tacho__object *)command->device,
							column->key, cell);
	}
	return rc;
}

/* The row of the call, split, when it is about the same kernel. */
static const struct tacho__csv_row *find_row(struct tacho__import_cursor *cursor,
					     const struct tacho__import_stream *stream,
					     struct tacho__csv_method *out_method)
{
	const struct tacho__import *import = cursor->import;
	const struct tacho__csv_row *row = NULL;
	const char *name;
	uint32_t code;

	if (stream->api != TACHO__ATP_HSA)
		row = tacho__csv_find(&import->csv, stream->thread, stream->loaded_line);
	if (!row)
		return NULL;
	tacho__csv_split(&import->csv, row->line, cursor->cells);
	tacho__csv_parse_method(tacho__csv_get(&import->csv, cursor->cells, TACHO__CSV_METHOD),
				&import->header, out_method);
	if (stream->at.has_command)
		return stream->at.command.is_kernel &&
				       fits(out_method->kernel, stream->at.command.kernel_name)
			       ? row
			       : NULL;
	name = cursor->call.function->name;
	return find_command(tacho__span_of(name), &name, &code) &&
			       (code == 0x11f0 || code == 0x11f1)
		       ? row
		       : NULL;
}

/* The next row of the .occupancy that is about this kernel on this thread. */
static int add_occupancy(struct tacho__import_cursor *cursor)
{
	const struct tacho__import *import = cursor->import;
	const struct tacho_object *kernel = cursor->command.kernel;
	const struct tacho__csv_row *row;
	size_t first, *at;

	if (!import->occupancy.row_count || !kernel)
		return 0;
	tacho__import_put_launch(&cursor->key, cursor->call.thread, tacho__span_of(kernel->name));
	if (cursor->key.failed)
		return TACHO_E_NOMEM;
	first = (uintptr_t)tacho__names_get(&import->launches, tacho__buf_text(&cursor->key));
	at = first ? &cursor->occupancies[first - 1] : NULL;
	if (!at || !*at)
		return 0;
	row = &import->occupancy.rows[*at - 1];
	*at = row->next;
	cursor->tally.occupancies_matched++;
	tacho__csv_split(&import->occupancy, row->line, cursor->cells);
	return take_cells(cursor, &import->occupancy);
}

static void take_row_sizes(struct tacho__import_cursor *cursor, const struct tacho__csv_file *file)
{
	struct tacho__span global = tacho__csv_get(file, cursor->cells, TACHO__CSV_GLOBAL);
	struct tacho__span local = tacho__csv_get(file, cursor->cells, TACHO__CSV_LOCAL);
	uint64_t sizes[2][3] = {{1, 1, 1}, {1, 1, 1}};
	uint32_t dimensions = 0, count;
	bool has_local;

	tacho__span_to_sizes(global, sizes[0], &dimensions);
	has_local = tacho__span_to_sizes(local, sizes[1], &count);
	set_sizes(&cursor->command, dimensions, sizes[0], has_local, sizes[1]);
}

static void take_row_time(struct tacho__import_cursor *cursor, const struct tacho__csv_file *file)
{
	struct tacho__span cell = tacho__csv_get(file, cursor->cells, TACHO__CSV_TIME);
	struct tacho_command *command = &cursor->command;

	if (!tacho__span_to_ms(cell, file->decimal, &command->duration_ns))
		return;
	command->has_duration = 1;
	command->reason = no_place;
}

/* ---- lines that become calls ---- */

/* Kernel and sizes as the call was given them; the kernel only if an earlier line names it. */
static int take_arguments(struct tacho__import_cursor *cursor)
{
	enum { KERNEL = 1, GLOBAL = 4, LOCAL = 5 };
	struct tacho__span rest = cursor->arguments, argument;
	const struct tacho__object *kernel = NULL;
	uint64_t sizes[2][3], handle = 0;
	uint32_t dimensions = 0, count;
	bool has_local = false;

	for (int i = 0; tacho__atp_take_argument(&rest, &argument); i++) {
		if (i == KERNEL && tacho__span_to_handle(argument, &handle))
			kernel = tacho__map_get(&cursor->objects.kernels, handle);
		else if (i == GLOBAL && !tacho__span_to_sizes(argument, sizes[0], &dimensions))
			dimensions = 0;
		else if (i == LOCAL)
			has_local = tacho__span_to_sizes(argument, sizes[1], &count);
	}
	if (dimensions)
		set_sizes(&cursor->command, dimensions, sizes[0], has_local, sizes[1]);
	return kernel ? set_kernel(cursor, tacho__span_of(kernel->object.name), handle, 0) : 0;
}

static int take_launch(struct tacho__import_cursor *cursor,
		       const struct tacho__import_stream *stream)
{
	const struct tacho__atp_command *told = &stream->at.command;
	struct tacho__csv_method method = {0};
	const struct tacho__csv_row *row = find_row(cursor, stream, &method);
	bool has_line = stream->at.has_command;
	int rc = set_device(cursor, has_line ? told->device : method.device, 0,
			    row ? method.device_number : 0);

	clear_values(cursor, false);
	if (!rc && has_line)
		rc = set_queue(cursor, told);
	if (!rc)
		rc = set_kernel(cursor, has_line ? told->kernel_name : method.kernel,
				has_line ? told->kernel : 0, row ? method.number : 0);
	if (has_line)
		set_sizes(&cursor->command, told->dimensions, told->global, told->has_local,
			  told->local);
	if (!rc && !row && !has_line)
		rc = take_arguments(cursor);
	if (rc || !row)
		return rc ? rc : add_occupancy(cursor);
	cursor->tally.rows_matched++;
	if (!has_line) {
		take_row_sizes(cursor, &cursor->import->csv);
		take_row_time(cursor, &cursor->import->csv);
	}
	rc = take_cells(cursor, &cursor->import->csv);
	return rc ? rc : add_occupancy(cursor);
}

static int take_transfer(struct tacho__import_cursor *cursor, const struct tacho__atp_command *told)
{
	int rc = set_device(cursor, told->device, 0, 0);

	clear_values(cursor, true);
	if (!rc)
		rc = set_queue(cursor, told);
	cursor->command.has_bytes = told->has_bytes;
	cursor->command.bytes = told->bytes;
	return rc;
}

/* A copy of HSA's that the call started: only when it ran is told. */
static int take_copy(struct tacho__import_cursor *cursor, const struct tacho__import_stream *stream)
{
	begin_command(cursor, stream, TACHO_COMMAND_COPY, 0, "async copy");
	clear_values(cursor, true);
	set_times(&cursor->command, stream->at.copy_start_ns, stream->at.copy_start_ns,
		  stream->at.copy_start_ns, stream->at.copy_end_ns);
	cursor->command.lacks_queue_times = 1;
	return 0;
}

static int take_times(struct tacho__import_cursor *cursor,
		      const struct tacho__import_stream *stream)
{
	const struct tacho__atp_command *told = &stream->at.command;
	enum tacho_command_kind kind;
	const char *name;
	uint32_t code;
	int rc = set_call(cursor, stream);

	if (rc)
		return rc;
	if (stream->at.has_copy)
		return take_copy(cursor, stream);
	if (!stream->at.has_command) {
		if (stream->api != TACHO__ATP_OPENCL || cursor->call.failed ||
		    !find_command(tacho__span_of(cursor->call.function->name), &name, &code))
			return 0;
		kind = tacho__atp_command_kind(tacho__span_of(name));
		begin_command(cursor, stream, kind, code, name);
		if (kind == TACHO_COMMAND_KERNEL)
			return take_launch(cursor, stream);
		clear_values(cursor, true);
		return 0;
	}
	name = tacho__import_objects_text(&cursor->objects, told->name);
	if (!name)
		return TACHO_E_NOMEM;
	begin_command(cursor, stream, tacho__atp_command_kind(told->name), told->code, name);
	set_times(&cursor->command, told->queued_ns, told->submit_ns, told->start_ns, told->end_ns);
	return told->is_kernel ? take_launch(cursor, stream) : take_transfer(cursor, told);
}

static int take_packet(struct tacho__import_cursor *cursor,
		       const struct tacho__import_stream *stream)
{
	const struct tacho__atp_packet *packet = &stream->packet;
	const struct tacho__atp_command told = {
		.queue_number = packet->queue_number, .queue = packet->queue, .context_number = -1};
	struct tacho_command *command = &cursor->command;
	struct tacho__object *kernel;
	char bytes[24];
	int rc;

	cursor->call.is_bare = 1;
	cursor->call.index = stream->loaded_number;
	cursor->call.start_ns = cursor->call.end_ns = packet->start_ns;
	rc = set_function(cursor, TACHO__IMPORT_API_HSA, packet->type, -1);
	if (rc)
		return rc;
	begin_command(cursor, stream, TACHO_COMMAND_KERNEL, 0, cursor->call.function->name);
	set_times(command, packet->start_ns, packet->start_ns, packet->start_ns, packet->end_ns);
	command->lacks_queue_times = 1;
	clear_values(cursor, false);
	set_sizes(command, packet->dimensions, packet->global, packet->dimensions != 0,
		  packet->local);
	rc = set_device(cursor, packet->device, packet->agent, 0);
	if (!rc)
		rc = set_queue(cursor, &told);
	if (!rc)
		rc = set_kernel(cursor, packet->kernel, packet->object, 0);
	if (rc || !packet->has_memory || !command->kernel)
		return rc;
	kernel = (struct tacho__object *)command->kernel;
	snprintf(bytes, sizeof(bytes), "%" PRIu64, packet->group_bytes);
	rc = tacho__import_objects_tell(&cursor->objects, kernel, "local_bytes",
					tacho__span_of(bytes));
	snprintf(bytes, sizeof(bytes), "%" PRIu64, packet->private_bytes);
	return rc ? rc
		  : tacho__import_objects_tell(&cursor->objects, kernel, "private_bytes",
					       tacho__span_of(bytes));
}

/* The old profilers had rows for transfers, named by their direction. */
static enum tacho_command_kind kind_of_row(struct tacho__span method, bool has_sizes,
					   bool has_bytes)
{
	if (has_sizes || !has_bytes)
		return TACHO_COMMAND_KERNEL;
	if (tacho__span_find(method, "HostToDevice"))
		return TACHO_COMMAND_WRITE;
	return tacho__span_find(method, "DeviceToHost") ? TACHO_COMMAND_READ : TACHO_COMMAND_COPY;
}

static int take_row_command(struct tacho__import_cursor *cursor,
			    const struct tacho__import_stream *stream,
			    const struct tacho__csv_file *file)
{
	struct tacho__span text = tacho__csv_get(file, cursor->cells, TACHO__CSV_METHOD);
	struct tacho__csv_method method;
	struct tacho_command *command = &cursor->command;
	enum tacho_command_kind kind;
	uint64_t bytes = 0;
	bool has_bytes =
		tacho__span_to_u64(tacho__csv_get(file, cursor->cells, TACHO__CSV_BYTES), &bytes);
	const char *name;
	int rc;

	tacho__csv_parse_method(text, &cursor->import->header, &method);
	if (file->is_occupancy) {
		method.kernel = tacho__csv_get(file, cursor->cells, TACHO__CSV_KERNEL);
		method.device = tacho__csv_get(file, cursor->cells, TACHO__CSV_DEVICE);
	}
	kind = kind_of_row(text, tacho__csv_get(file, cursor->cells, TACHO__CSV_GLOBAL).at,
			   has_bytes);
	name = kind == TACHO_COMMAND_KERNEL ? "kernel launch"
					    : tacho__import_objects_text(&cursor->objects, text);
	if (!name)
		return TACHO_E_NOMEM;
	begin_command(cursor, stream, kind, 0, name);
	take_row_time(cursor, file);
	rc = set_function(cursor, cursor->call.function->api, tacho__span_of(name), -1);
	if (!rc)
		rc = set_device(cursor, method.device, 0, method.device_number);
	clear_values(cursor, kind != TACHO_COMMAND_KERNEL);
	if (rc || kind != TACHO_COMMAND_KERNEL) {
		command->has_bytes = has_bytes;
		command->bytes = bytes;
		return rc;
	}
	take_row_sizes(cursor, file);
	rc = set_kernel(cursor, method.kernel, 0, method.number);
	if (!rc)
		rc = take_cells(cursor, file);
	return rc || file->is_occupancy ? rc : add_occupancy(cursor);
}

/* A row without a call. */
static int take_row(struct tacho__import_cursor *cursor, const struct tacho__import_stream *stream)
{
	const struct tacho__import *import = cursor->import;
	const struct tacho__csv_file *file =
		import->csv.row_count ? &import->csv : &import->occupancy;
	const char *api = import->header.api;
	int rc;

	cursor->call.is_bare = 1;
	cursor->call.thread = stream->row->thread;
	cursor->call.index = stream->row->has_call ? stream->row->call : stream->loaded_number;
	tacho__csv_split(file, stream->row->line, cursor->cells);
	rc = set_function(cursor, api && strcmp(api, "OpenCL") ? api : TACHO__IMPORT_API_OPENCL,
			  tacho__span_of("kernel launch"), -1);
	return rc ? rc : take_row_command(cursor, stream, file);
}

int tacho__import_take(struct tacho__import_cursor *cursor,
		       const struct tacho__import_stream *stream)
{
	memset(&cursor->call, 0, sizeof(cursor->call));
	cursor->call.process = &cursor->recording->processes[0]->process;
	cursor->call.result = "";
	cursor->has_row = cursor->is_split = false;
	cursor->arguments = (struct tacho__span){0};
	tacho__buf_clear(&cursor->result);
	switch (stream->kind) {
	case TACHO__IMPORT_CALLS: return take_times(cursor, stream);
	case TACHO__IMPORT_PACKETS: return take_packet(cursor, stream);
	case TACHO__IMPORT_MARKERS: break; /* they are ranges */
	case TACHO__IMPORT_ROWS: return take_row(cursor, stream);
	}
	return 0;
}
