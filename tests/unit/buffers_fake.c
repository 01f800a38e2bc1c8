/* SPDX-License-Identifier: MIT */
#include "buffers_fake.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "inject/opencl/cl_start.h"
#include "record/call_format.h"
#include "record/call_table.h"
#include "record/wire.h"
#include "record/writer.h"

int32_t clInitLayer(uint32_t num_entries, const struct tacho__opencl_dispatch *target_dispatch,
		    uint32_t *num_entries_ret,
		    const struct tacho__opencl_dispatch **layer_dispatch_ret);

struct fake fake;
struct told told;

static const struct tacho__opencl_dispatch *cl;

/* ---- what is reported ---- */

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t room,
							 const char *format, ...)
{
	size_t used = strlen(text);
	va_list list;

	va_start(list, format);
	vsnprintf(text + used, room - used, format, list);
	va_end(list);
}

#define TELL(...)  append(told.templates, sizeof(told.templates), __VA_ARGS__)
#define ASKED(...) append(fake.asked, sizeof(fake.asked), __VA_ARGS__)

static void on_call(struct tacho__call *call)
{
	told.call = *call;
	memcpy(told.packed, call->arguments, call->size);
	call->token = call->has_slot ? &told : NULL;
}

static void on_complete(void *token, const struct tacho__times *times)
{
	assert_ptr_equal(token, &told);
	told.times = *times;
	told.completed++;
}

static void on_process(const char *attributes)
{
	append(told.process, sizeof(told.process), "%s", attributes);
}

static void tell_command(const struct tacho__template_command *command)
{
	TELL(" [%" PRIu64 " %s %s", command->index, tacho_command_kind_to_string(command->kind),
	     command->name);
	if (command->queue)
		TELL(" queue=%" PRIx64, command->queue);
	if (command->kernel)
		TELL(" kernel=%" PRIx64, command->kernel);
	if (command->has_global)
		TELL(" global=%" PRIu64 "x%" PRIu64 "x%" PRIu64, command->global[0],
		     command->global[1], command->global[2]);
	if (command->has_local)
		TELL(" local=%" PRIu64, command->local[0]);
	if (command->has_bytes)
		TELL(" bytes=%" PRIu64, command->bytes);
	TELL("]");
}

/* Versions are told as distances from the first one of the test. */
static uint64_t first_version;

static void on_template(const struct tacho__template *template)
{
	atomic_fetch_add(&told.template_count, 1);
	if (fake.is_threaded)
		return;
	if (!first_version)
		first_version = template->version - 1;
	assert_int_equal(template->api, TACHO__API_ID);
	TELL("%" PRIx64 " v%" PRIu64, template->handle, template->version - first_version);
	if (template->base_version)
		TELL(" from %" PRIx64 " v%" PRIu64, template->base_handle,
		     template->base_version - first_version);
	for (size_t i = 0; template->queues && i < template->queue_count; i++)
		TELL(" on %" PRIx64, template->queues[i]);
	for (size_t i = 0; i < template->count; i++)
		tell_command(&template->commands[i]);
	if (template->is_complete)
		TELL(" all %" PRIu64, template->total);
	TELL("\n");
}

uint64_t told_version(void)
{
	static struct tacho__arena arena;
	static struct tacho__call_table *table;
	const struct tacho__function *function;
	struct tacho__value values[TACHO__ARGUMENTS_COUNT_MAX], result;
	struct tacho__buf text = {0};
	struct tacho__unpack unpack;
	uint64_t version;

	if (!table)
		assert_int_equal(tacho__call_table_parse(&arena, tacho__opencl_table,
							 tacho__opencl_table_size, &table),
				 0);
	function = &table->functions[TACHO__KIND_FUNCTION(told.call.kind)];
	tacho__unpack_begin(&unpack, told.packed, told.call.size);
	tacho__call_decode(&function->result, &unpack, function, values, &text, &result);
	for (size_t i = 0; i < function->count; i++)
		tacho__call_decode(&function->arguments[i].show, &unpack, function, values, &text,
				   &values[i]);
	assert_false(unpack.bad);
	version = values[function->command->role[TACHO__ROLE_VERSION]].scalar;
	tacho__buf_finish(&text);
	return version ? version - first_version : 0;
}

/* In place of the recorder. */
void tacho__record_add_table(uint16_t api, const char *text, size_t size)
{
}

bool tacho__record_start(void)
{
	static const struct tacho__subscriber subscriber = {.call = on_call,
							    .complete = on_complete,
							    .process = on_process,
							    .template = on_template};

	tacho__clock_init();
	return tacho__intercept_subscribe(&subscriber);
}

/* The driver is in this program, as the loader seems to be; but it is a driver. */
bool tacho__opencl_is_loaders(const void *function)
{
	return false;
}

/* ---- platforms, devices, queues ---- */

static int32_t answer(const void *value, size_t size, size_t room, void *out, size_t *out_size)
{
	if (out && room < size)
		return CL_INVALID_VALUE;
	if (out)
		memcpy(out, value, size);
	if (out_size)
		*out_size = size;
	return CL_SUCCESS;
}

static int32_t get_platforms(uint32_t room, void **platforms, uint32_t *count)
{
	if (platforms && room)
		platforms[0] = HANDLE(0xA);
	if (count)
		*count = 1;
	return CL_SUCCESS;
}

static int32_t get_devices(void *platform, uint64_t type, uint32_t room, void **devices,
			   uint32_t *count)
{
	for (uint32_t i = 0; devices && i < fake.device_count && i < room; i++)
		devices[i] = HANDLE(fake.device + i);
	if (count)
		*count = fake.device_count;
	return CL_SUCCESS;
}

static int32_t get_versions(size_t device, size_t room, void *value, size_t *size)
{
	struct {
		uint32_t version;
		char name[64];
	} list[] = {{VERSION(1, 0, 0), "cl_khr_fp64"},
		    {fake.versions[device], "cl_khr_command_buffer"},
		    {fake.mutable_version, "cl_khr_command_buffer_mutable_dispatch"},
		    {fake.multi_version, "cl_khr_command_buffer_multi_device"}};

	if (!fake.versions[device])
		return CL_INVALID_VALUE;
	return answer(list, sizeof(list), room, value, size);
}

static int32_t get_device_info(void *device, uint32_t name, size_t room, void *value, size_t *size)
{
	static const char names[] = "cl_khr_fp64 cl_khr_command_buffer_other cl_khr_command_buffer";
	void *platform = HANDLE(0xA);
	uint64_t number = 1;

	if (name == CL_DEVICE_EXTENSIONS_WITH_VERSION)
		return get_versions((uintptr_t)device - fake.device, room, value, size);
	if (name == CL_DEVICE_EXTENSIONS)
		return answer(names, fake.hides_names ? 12 : sizeof(names), room, value, size);
	if (name == CL_DEVICE_PLATFORM)
		return answer(&platform, sizeof(platform), room, value, size);
	return answer(&number, sizeof(number), room, value, size);
}

static int32_t get_platform_info(void *platform, uint32_t name, size_t room, void *value,
				 size_t *size)
{
	const char *text = name == CL_PLATFORM_NAME ? fake.platform_name : fake.platform_version;

	return answer(text, strlen(text) + 1, room, value, size);
}

static int32_t get_queue_info(void *queue, uint32_t name, size_t room, void *value, size_t *size)
{
	void *device = HANDLE(fake.device);

	return name == CL_QUEUE_PROPERTIES
		       ? answer(&fake.queue_flags, sizeof(fake.queue_flags), room, value, size)
		       : answer(&device, sizeof(device), room, value, size);
}

/* ---- events ---- */

static struct fake_event *make_event(uint32_t type, void *queue)
{
	struct fake_event *event = &fake.events[fake.event_count++];

	assert_true(fake.event_count <= FAKE_EVENTS);
	*event = (struct fake_event){.type = type, .queue = queue, .references = 1, .status = 3};
	return event;
}

static int number_of(const void *event)
{
	return (int)((const struct fake_event *)event - fake.events);
}

static void ask_waits(uint32_t waits, void *const *list)
{
	for (uint32_t i = 0; i < waits; i++)
		ASKED(" after e%d", number_of(list[i]));
	ASKED("\n");
}

static int32_t enqueue_marker(void *queue, uint32_t waits, void *const *list, void **event)
{
	if (fake.marker_result)
		return fake.marker_result;
	*event = make_event(CL_COMMAND_MARKER, queue);
	ASKED("marker e%d", number_of(*event));
	ask_waits(waits, list);
	return CL_SUCCESS;
}

static void *create_user_event(void *context, int32_t *errcode_ret)
{
	*errcode_ret = CL_SUCCESS;
	return make_event(CL_COMMAND_USER, NULL);
}

static int32_t set_user_event_status(void *event, int32_t status)
{
	((struct fake_event *)event)->status = status;
	return CL_SUCCESS;
}

static int32_t retain_event(void *event)
{
	((struct fake_event *)event)->references++;
	return CL_SUCCESS;
}

static int32_t release_event(void *event)
{
	assert_true(((struct fake_event *)event)->references-- > 0);
	return CL_SUCCESS;
}

static int32_t set_callback(void *event, int32_t status, void *callback, void *user)
{
	((struct fake_event *)event)->callback = (void (*)(void *, int32_t, void *))callback;
	((struct fake_event *)event)->user = user;
	return CL_SUCCESS;
}

static int32_t get_event_info(void *handle, uint32_t name, size_t room, void *value, size_t *size)
{
	const struct fake_event *event = handle;

	switch (name) {
	case CL_EVENT_COMMAND_TYPE:
		return answer(&event->type, sizeof(event->type), room, value, size);
	case CL_EVENT_COMMAND_QUEUE:
		return answer(&event->queue, sizeof(event->queue), room, value, size);
	default: return answer(&event->status, sizeof(event->status), room, value, size);
	}
}

static int32_t get_profiling(void *handle, uint32_t name, size_t room, void *value, size_t *size)
{
	const struct fake_event *event = handle;

	if (!event->has_times)
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	return answer(&event->times[name - CL_PROFILING_COMMAND_QUEUED], sizeof(uint64_t), room,
		      value, size);
}

void fake_end(struct fake_event *event, uint64_t submit, uint64_t start, uint64_t end)
{
	const uint64_t times[] = {submit - 1, submit, start, end};

	memcpy(event->times, times, sizeof(times));
	event->has_times = true;
	event->status = CL_COMPLETE;
	if (event->callback)
		event->callback(event, CL_COMPLETE, event->user);
}

int fake_count_references(void)
{
	int count = 0;

	for (size_t i = 0; i < fake.event_count; i++)
		count += fake.events[i].references;
	return count;
}

/* ---- the extension ---- */

static void *create_buffer(uint32_t num_queues, void *const *queues, const uint64_t *properties,
			   int32_t *errcode_ret)
{
	if (errcode_ret)
		*errcode_ret = fake.result;
	return fake.result ? NULL : HANDLE(fake.buffer);
}

static int32_t just(void *command_buffer)
{
	return fake.result;
}

static int32_t record(void **command)
{
	if (command && !fake.result)
		*command = HANDLE(fake.command++);
	return fake.result;
}

static int32_t command_kernel(void *buffer, void *queue, const uint64_t *properties, void *kernel,
			      uint32_t dimensions, const size_t *offset, const size_t *global,
			      const size_t *local, uint32_t points, const uint32_t *list,
			      uint32_t *point, void **command)
{
	return record(command);
}

static int32_t old_barrier(void *buffer, void *queue, uint32_t points, const uint32_t *list,
			   uint32_t *point, void **command)
{
	ASKED("old barrier %u\n", points);
	return record(command);
}

static int32_t new_barrier(void *buffer, void *queue, const uint64_t *properties, uint32_t points,
			   const uint32_t *list, uint32_t *point, void **command)
{
	ASKED("new barrier %d %u\n", properties != NULL, points);
	return record(command);
}

static int32_t copy(void *buffer, void *queue, const uint64_t *properties, void *from, void *to,
		    size_t from_offset, size_t to_offset, size_t bytes, uint32_t points,
		    const uint32_t *list, uint32_t *point, void **command)
{
	return record(command);
}

static int32_t copy_rect(void *buffer, void *queue, const uint64_t *properties, void *from,
			 void *to, const size_t *from_origin, const size_t *to_origin,
			 const size_t *region, size_t from_row, size_t from_slice, size_t to_row,
			 size_t to_slice, uint32_t points, const uint32_t *list, uint32_t *point,
			 void **command)
{
	return record(command);
}

static int32_t enqueue_buffer(uint32_t num_queues, void **queues, void *buffer, uint32_t waits,
			      void *const *list, void **event)
{
	if (fake.result)
		return fake.result;
	if (event)
		*event = make_event(fake.event_type, num_queues ? queues[0] : HANDLE(0x100));
	ASKED("run%s", event ? "" : " without event");
	ask_waits(waits, list);
	return CL_SUCCESS;
}

static int32_t update_by_list(void *buffer, const void *config)
{
	ASKED("update by list\n");
	return fake.result;
}

static int32_t update(void *buffer, uint32_t count, const uint32_t *types, const void **configs)
{
	ASKED("update %u\n", count);
	return fake.result;
}

static void *remap(void *buffer, uint32_t automatic, uint32_t num_queues, void *const *queues,
		   uint32_t num_handles, void *const *handles, void **handles_ret,
		   int32_t *errcode_ret)
{
	for (uint32_t i = 0; i < num_handles; i++)
		handles_ret[i] = HANDLE(fake.command++);
	return create_buffer(num_queues, queues, NULL, errcode_ret);
}

static void *get_extension(void *platform, const char *name)
{
	bool is_old = fake.versions[0] < VERSION(0, 9, 5);
	const struct {
		const char *name;
		void *function;
	} functions[] = {
		{"clEnqueueStrangeTHING", (void *)just}, /* in no list */
		{"clGetStrangeTHING", (void *)just},
		{"not a name\n", (void *)just},
		{"clCreateCommandBufferKHR", (void *)create_buffer},
		{"clFinalizeCommandBufferKHR", (void *)just},
		{"clRetainCommandBufferKHR", (void *)just},
		{"clReleaseCommandBufferKHR", (void *)just},
		{"clCommandNDRangeKernelKHR", (void *)command_kernel},
		{"clCommandBarrierWithWaitListKHR",
		 is_old ? (void *)old_barrier : (void *)new_barrier},
		{"clCommandCopyBufferKHR", (void *)copy},
		{"clCommandCopyBufferRectKHR", (void *)copy_rect},
		{"clCommandFillBufferKHR", (void *)just},
		{"clCommandCopyImageKHR", (void *)just},
		{"clEnqueueCommandBufferKHR", (void *)enqueue_buffer},
		{"clUpdateMutableCommandsKHR",
		 fake.mutable_version < VERSION(0, 9, 2) ? (void *)update_by_list : (void *)update},
		{"clRemapCommandBufferKHR", (void *)remap},
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(functions[i].name, name))
			return functions[i].function;
	return NULL;
}

void *fake_get(const char *name)
{
	return cl->clGetExtensionFunctionAddressForPlatform(HANDLE(0xA), name);
}

/* ---- a test ---- */

static void open_layer(void)
{
	static struct tacho__opencl_dispatch target = {
		.clGetPlatformIDs = get_platforms,
		.clGetDeviceIDs = get_devices,
		.clGetDeviceInfo = get_device_info,
		.clGetPlatformInfo = get_platform_info,
		.clGetCommandQueueInfo = get_queue_info,
		.clEnqueueMarkerWithWaitList = enqueue_marker,
		.clCreateUserEvent = create_user_event,
		.clSetUserEventStatus = set_user_event_status,
		.clSetEventCallback = set_callback,
		.clRetainEvent = retain_event,
		.clReleaseEvent = release_event,
		.clGetEventInfo = get_event_info,
		.clGetEventProfilingInfo = get_profiling,
		.clGetExtensionFunctionAddressForPlatform = get_extension,
	};
	uint32_t count = 0;

	assert_int_equal(clInitLayer(TACHO__DISPATCH_COUNT, &target, &count, &cl), CL_SUCCESS);
}

int fake_begin(void **state)
{
	static uintptr_t device = 0xD000;

	fake = (struct fake){
		.versions = {VERSION(0, 9, 8), VERSION(0, 9, 8)},
		.mutable_version = VERSION(0, 9, 5),
		.multi_version = VERSION(0, 9, 2),
		.device_count = 1,
		.platform_name = "Toys",
		.platform_version = "OpenCL 3.0 toys",
		.device = device += 16,
		.buffer = 0x5000,
		.command = 0x6000,
		.event_type = CL_COMMAND_COMMAND_BUFFER_KHR,
	};
	told = (struct told){.completed = 0};
	first_version = 0;
	if (!cl)
		open_layer();
	return 0;
}
