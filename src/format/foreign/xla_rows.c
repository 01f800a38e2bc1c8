/* SPDX-License-Identifier: MIT */
/* Traces of XLA's profiler: events become calls, commands and ranges. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/amd.h"
#include "format/foreign/xla.h"

enum {
	NAMES_MAX = 1 << 16,
	REGISTERS_MAX = 1024, /* more than any GPU has for a work-item */
};

static const char *name_of(const struct tacho__xla *xla)
{
	return tacho__buf_text(&xla->chrome.event.name);
}

static uint64_t number_of(const struct tacho__buf *text)
{
	uint64_t number = 0;

	tacho__foreign_chrome_number(tacho__buf_text(text), &number);
	return number;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* ---- planes and lines ---- */

static uint64_t line_key(const struct tacho__foreign_chrome_event *event)
{
	return number_of(&event->pid) << 32 | (uint32_t)number_of(&event->tid);
}

static uintptr_t plane_of(const char *label)
{
	uint64_t number = 0;

	if (begins(label, "/host:"))
		return TACHO__XLA_HOST;
	if (!begins(label, "/device:GPU:"))
		return TACHO__XLA_STRANGER;
	tacho__foreign_chrome_number(label, &number);
	return TACHO__XLA_GPU | (uintptr_t)(number & 0xffff) << 8;
}

/* Lines of a device that are no streams draw again, in other words, what streams have. */
static int take_metadata(struct tacho__xla *xla)
{
	const struct tacho__foreign_chrome_event *event = &xla->chrome.event;
	const char *label = tacho__buf_text(&xla->arguments.label);
	uint64_t stream;

	if (xla->name_count++ >= NAMES_MAX)
		return 0;
	if (!strcmp(name_of(xla), "process_name"))
		return tacho__map_set(&xla->planes, number_of(&event->pid),
				      (void *)plane_of(label));
	if (strcmp(name_of(xla), "thread_name") || !begins(label, "Stream #") ||
	    !tacho__foreign_chrome_number(label, &stream))
		return 0;
	return tacho__map_set(&xla->lines, line_key(event),
			      (void *)((uintptr_t)(stream & UINT32_MAX) + 1));
}

/* ---- ranges ---- */

static int add_range(struct tacho__xla *xla, const struct tacho__foreign_range *times,
		     const char *name, const char *domain)
{
	struct tacho__foreign_range range = *times;
	int rc = tacho__foreign_text(xla->foreign, name, &range.name);

	range.process = xla->process;
	range.has_end = 1;
	range.kind = range.start_ns == range.end_ns ? TACHO_RANGE_MARK : TACHO_RANGE_NESTED;
	if (!rc)
		rc = tacho__foreign_word(xla->foreign, "xla", &range.api);
	if (!rc && domain)
		rc = tacho__foreign_word(xla->foreign, domain, &range.domain);
	return rc ? rc : tacho__foreign_add_range(xla->foreign, &range);
}

static struct tacho__foreign_range times_of(const struct tacho__xla *xla)
{
	const struct tacho__foreign_chrome_event *event = &xla->chrome.event;

	return (struct tacho__foreign_range){.thread = (uint32_t)number_of(&event->tid),
					     .start_ns = event->start_ns,
					     .end_ns = tacho__foreign_chrome_end_ns(event)};
}

/* What the host does: frames of Python begin with "$". */
static int take_activity(struct tacho__xla *xla)
{
	const struct tacho__foreign_range times = times_of(xla);
	const char *name = name_of(xla), *module = tacho__buf_text(&xla->arguments.runs);

	if (*name == '$') {
		xla->frames++;
		return 0;
	}
	if (begins(name, "MemoryAllocation") || begins(name, "MemoryDeallocation")) {
		xla->memory++;
		return 0;
	}
	return *module ? add_range(xla, &times, module, "module")
		       : add_range(xla, &times, name, NULL);
}

/* A call may say which module and operation it is for. */
static int take_purpose(struct tacho__xla *xla)
{
	const struct tacho__foreign_range times = times_of(xla);
	const struct tacho__xla_arguments *arguments = &xla->arguments;
	int rc = 0;

	if (arguments->module.size)
		rc = add_range(xla, &times, arguments->module.text, "module calls");
	if (!rc && arguments->operation.size)
		rc = add_range(xla, &times, arguments->operation.text, "operator");
	return rc;
}

/* ---- calls ---- */

/* "cuLaunchKernel", "hipMemcpyAsync"; NULL: it is no name of a function. */
static const char *api_of(const char *name)
{
	static const struct {
		const char *begin, *api;
	} apis[] = {{"hip", "hip"}, {"cuda", "cuda"}, {"cu", "cuda"}};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(apis); i++) {
		size_t size = strlen(apis[i].begin);
		char end = name[strcspn(name, " :<")];

		if (begins(name, apis[i].begin) && isupper((unsigned char)name[size]) &&
		    (!end || end == ' '))
			return apis[i].api;
	}
	return NULL;
}

/* "cuGraphLaunch (CudaGraph:2)" is a function; calls that are named like their kernel launch it. */
static int find_function(struct tacho__xla *xla, uint32_t *out_function)
{
	const char *name = name_of(xla), *api = api_of(name);
	struct tacho__buf text = {0};
	int rc;

	if (!api)
		return tacho__foreign_function(xla->foreign, "runtime", "(a launch)", out_function);
	tacho__buf_add(&text, name, strcspn(name, " "));
	rc = text.failed ? TACHO_E_NOMEM
			 : tacho__foreign_function(xla->foreign, api, text.text, out_function);
	tacho__buf_finish(&text);
	return rc;
}

static int take_call(struct tacho__xla *xla)
{
	const struct tacho__foreign_range times = times_of(xla);
	struct tacho__foreign_call call = {.process = xla->process,
					   .thread = times.thread,
					   .start_ns = times.start_ns,
					   .end_ns = times.end_ns,
					   .link = xla->arguments.correlation};
	int rc = find_function(xla, &call.function);

	xla->calls++;
	if (!rc)
		rc = tacho__foreign_add_call(xla->foreign, &call);
	return rc ? rc : take_purpose(xla);
}

/* ---- work ---- */

static int get_device(struct tacho__xla *xla, uint64_t number, uint32_t *out_device)
{
	struct tacho__buf text = {0};
	int rc;

	*out_device =
		tacho__foreign_find(xla->foreign, xla->process, TACHO_OBJECT_DEVICE, number + 1);
	if (*out_device)
		return 0;
	tacho__buf_printf(&text, "type=gpu\nnumber=%" PRIu64 "\nname=GPU %" PRIu64 "\n", number,
			  number);
	rc = tacho__foreign_thing(xla->foreign, xla->process, TACHO_OBJECT_DEVICE, number + 1,
				  &text, out_device);
	tacho__buf_finish(&text);
	return rc;
}

/* Streams are numbered anew on each device. */
static int get_queue(struct tacho__xla *xla, uint64_t device, uint64_t stream, uint32_t *out_queue)
{
	uint64_t handle = (device + 1) << 32 | stream;
	struct tacho__buf text = {0};
	int rc;

	*out_queue = tacho__foreign_find(xla->foreign, xla->process, TACHO_OBJECT_QUEUE, handle);
	if (*out_queue)
		return 0;
	tacho__buf_printf(&text,
			  "number=%" PRIu64 "\nname=stream %" PRIu64 "\ndevice=0x%" PRIX64 "\n",
			  stream, stream, device + 1);
	rc = tacho__foreign_thing(xla->foreign, xla->process, TACHO_OBJECT_QUEUE, handle, &text,
				  out_queue);
	tacho__buf_finish(&text);
	return rc;
}

/*
 * Older profilers of ROCm never filled in registers and memory: what stands there is of something
 * else, and more than any GPU has. No kernel has no register either.
 */
static void take_facts(struct tacho__xla *xla, struct tacho__foreign_kernel *kernel,
		       struct tacho__foreign_command *command)
{
	const char *details = tacho__buf_text(&xla->arguments.kernel);
	uint64_t registers = 0, own = 0, more = 0, items = 0;
	bool has_registers = tacho__xla_number(details, "regs:", &registers);
	bool is_filled = has_registers && registers <= REGISTERS_MAX;
	bool has_own = is_filled && tacho__xla_number(details, "static_shared:", &own);
	bool has_more = is_filled && tacho__xla_number(details, "dynamic_shared:", &more);
	bool has_items = tacho__xla_number(details, "private_mem:", &items);

	if (!has_own)
		has_own = tacho__xla_number(details, "group_mem:", &own);
	xla->unfilled += has_registers && !is_filled;
	kernel->registers = tacho__foreign_fact(is_filled && registers, registers);
	kernel->local_bytes = tacho__foreign_fact(has_own, own);
	kernel->private_bytes = tacho__foreign_fact(has_items, items);
	command->has_extra_local = has_more;
	command->extra_local_bytes = more;
}

static int take_kernel(struct tacho__xla *xla, struct tacho__foreign_command *command)
{
	struct tacho__foreign_kernel kernel = {.process = xla->process};
	const char *details = tacho__buf_text(&xla->arguments.kernel);
	struct tacho__buf name = {0};
	uint64_t grid[3], block[3];
	int rc;

	command->kind = TACHO_COMMAND_KERNEL;
	take_facts(xla, &kernel, command);
	xla->sizeless += !tacho__xla_sizes(details, "grid:", grid) ||
			 !tacho__xla_sizes(details, "block:", block) ||
			 !tacho__foreign_set_groups(command, grid, block);
	xla->own_copies += begins(name_of(xla), "__amd_rocclr_");
	tacho__buf_add(&name, name_of(xla), tacho__amd_name_size(name_of(xla)));
	rc = name.failed ? TACHO_E_NOMEM
			 : tacho__foreign_text(xla->foreign, tacho__buf_text(&name), &kernel.name);
	tacho__buf_finish(&name);
	if (!rc)
		rc = tacho__foreign_kernel(xla->foreign, &kernel, &command->kernel);
	return rc ? rc : tacho__foreign_word(xla->foreign, "kernel", &command->name);
}

/* A size of 0 was not filled in. */
static void take_bytes(const struct tacho__buf *details, const char *key,
		       struct tacho__foreign_command *command)
{
	command->has_bytes =
		tacho__xla_number(tacho__buf_text(details), key, &command->bytes) && command->bytes;
}

static const struct {
	const char *part, *name;
	enum tacho_command_kind kind;
} copies[] = {
	{"H2D", "memcpy HtoD", TACHO_COMMAND_WRITE},
	{"HostToDevice", "memcpy HtoD", TACHO_COMMAND_WRITE},
	{"HOST_TO_DEVICE", "memcpy HtoD", TACHO_COMMAND_WRITE},
	{"D2H", "memcpy DtoH", TACHO_COMMAND_READ},
	{"DeviceToHost", "memcpy DtoH", TACHO_COMMAND_READ},
	{"DEVICE_TO_HOST", "memcpy DtoH", TACHO_COMMAND_READ},
	{"D2D", "memcpy DtoD", TACHO_COMMAND_COPY},
	{"DeviceToDevice", "memcpy DtoD", TACHO_COMMAND_COPY},
	{"DEVICE_TO_DEVICE", "memcpy DtoD", TACHO_COMMAND_COPY},
	{"P2P", "memcpy PtoP", TACHO_COMMAND_COPY},
	{"", "memcpy", TACHO_COMMAND_COPY},
};

static int take_copy(struct tacho__xla *xla, struct tacho__foreign_command *command)
{
	size_t i = 0;

	while (!strstr(name_of(xla), copies[i].part))
		i++;
	command->kind = copies[i].kind;
	take_bytes(&xla->arguments.copy, "size:", command);
	return tacho__foreign_word(xla->foreign, copies[i].name, &command->name);
}

static bool is_copy(const struct tacho__xla *xla)
{
	const char *name = name_of(xla);

	return xla->arguments.copy.size ||
	       (!xla->arguments.kernel.size &&
		(begins(name, "Memcpy") || begins(name, "MEMORY_COPY") ||
		 begins(name, "CopyHost") || begins(name, "CopyDevice")));
}

static int fill_in(struct tacho__xla *xla, struct tacho__foreign_command *command)
{
	if (is_copy(xla))
		return take_copy(xla, command);
	if (xla->arguments.fill.size || begins(name_of(xla), "Memset")) {
		command->kind = TACHO_COMMAND_FILL;
		take_bytes(&xla->arguments.fill, "num_bytes:", command);
		return tacho__foreign_word(xla->foreign, "memset", &command->name);
	}
	if (!xla->arguments.is_graph)
		return take_kernel(xla, command);
	command->kind = TACHO_COMMAND_OTHER;
	return tacho__foreign_word(xla->foreign, "graph", &command->name);
}

static int take_work(struct tacho__xla *xla, uint64_t device)
{
	const struct tacho__foreign_chrome_event *event = &xla->chrome.event;
	uintptr_t stream = (uintptr_t)tacho__map_get(&xla->lines, line_key(event));
	struct tacho__foreign_command command = {.process = xla->process,
						 .state = TACHO_STATE_OK,
						 .link = xla->arguments.correlation,
						 .start_ns = event->start_ns,
						 .end_ns = tacho__foreign_chrome_end_ns(event)};
	int rc;

	if (!stream) {
		xla->derived++;
		return 0;
	}
	if (xla->arguments.is_memory) {
		xla->memory++;
		return 0;
	}
	xla->commands++;
	xla->unlinked += !command.link;
	rc = get_device(xla, device, &command.device);
	if (!rc)
		rc = get_queue(xla, device, stream - 1, &command.queue);
	if (!rc)
		rc = fill_in(xla, &command);
	if (!rc && !event->has_duration) {
		command.state = TACHO_STATE_ABSENT;
		rc = tacho__foreign_word(xla->foreign, "the file has no duration of it",
					 &command.reason);
	}
	return rc ? rc : tacho__foreign_add_command(xla->foreign, &command);
}

int tacho__xla_take(struct tacho__xla *xla)
{
	const struct tacho__foreign_chrome_event *event = &xla->chrome.event;
	uintptr_t plane = (uintptr_t)tacho__map_get(&xla->planes, number_of(&event->pid));

	if (event->phase == 'M')
		return take_metadata(xla);
	if (event->phase != 'X')
		return 0;
	xla->events++;
	if (!event->has_start) {
		xla->timeless++;
		return 0;
	}
	switch (plane & 0xff) {
	case TACHO__XLA_HOST:
		return xla->arguments.has_correlation ? take_call(xla) : take_activity(xla);
	case TACHO__XLA_GPU: return take_work(xla, plane >> 8);
	default: xla->strangers++; return 0;
	}
}
