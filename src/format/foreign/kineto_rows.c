/* SPDX-License-Identifier: MIT */
/* Traces of PyTorch's profiler: events become calls, commands, ranges and values. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/kineto.h"

static const char *name_of(const struct tacho__kineto *kineto)
{
	return tacho__buf_text(&kineto->chrome.event.name);
}

static uint32_t thread_of(const struct tacho__kineto *kineto)
{
	uint64_t number = 0;

	tacho__foreign_chrome_number(tacho__buf_text(&kineto->chrome.event.tid), &number);
	return (uint32_t)number;
}

/* ---- calls ---- */

static const char *api_of(const char *name)
{
	return !strncmp(name, "hip", 3) ? "hip" : !strncmp(name, "cu", 2) ? "cuda" : "runtime";
}

/* The work of devices is that of the process which called first; others keep their calls. */
static int find_caller(struct tacho__kineto *kineto, uint32_t *out_process)
{
	uint64_t pid = 0;

	tacho__foreign_chrome_number(tacho__buf_text(&kineto->chrome.event.pid), &pid);
	if (!kineto->has_pid)
		kineto->pid = pid;
	kineto->has_pid = true;
	*out_process = kineto->process;
	if (pid == kineto->pid)
		return 0;
	kineto->strangers++;
	return tacho__foreign_process(kineto->foreign, kineto->file << 40 | (pid + 1),
				      (uint32_t)pid, out_process);
}

/* Its launches tell their size in work-items, all others in groups. */
static bool counts_items(const char *name)
{
	return !strcmp(name, "hipExtModuleLaunchKernel") ||
	       !strcmp(name, "hipHccModuleLaunchKernel");
}

static int take_call(struct tacho__kineto *kineto)
{
	const struct tacho__foreign_chrome_event *event = &kineto->chrome.event;
	const struct tacho__kineto_arguments *arguments = &kineto->arguments;
	const char *name = name_of(kineto);
	struct tacho__foreign_call call = {.thread = thread_of(kineto),
					   .start_ns = event->start_ns,
					   .end_ns = tacho__foreign_chrome_end_ns(event),
					   .counts_items = counts_items(name),
					   .has_bytes = arguments->has_bytes,
					   .bytes = arguments->bytes};
	int rc = find_caller(kineto, &call.process);

	if (arguments->has_correlation)
		call.link = arguments->correlation;
	kineto->calls++;
	if (!rc)
		rc = tacho__foreign_function(kineto->foreign, api_of(name), name, &call.function);
	return rc ? rc : tacho__foreign_add_call(kineto->foreign, &call);
}

/* ---- devices ---- */

static int get_device(struct tacho__kineto *kineto, uint64_t number, uint64_t *out_handle,
		      uint32_t *out_device)
{
	const struct tacho__buf *known =
		number < TACHO__KINETO_DEVICES ? &kineto->devices[number] : &(struct tacho__buf){0};
	struct tacho__buf text = {0};
	int rc;

	*out_handle = number + 1;
	/* Where a process sees only one, it is that one whatever its number elsewhere. */
	if (!known->size && kineto->devices[0].size && kineto->device_count == 1)
		known = &kineto->devices[0];
	tacho__buf_printf(&text, "type=gpu\nnumber=%" PRIu64 "\n", number);
	if (known->size)
		tacho__buf_put(&text, known->text);
	else
		tacho__buf_printf(&text, "name=GPU %" PRIu64 "\n", number);
	rc = tacho__foreign_thing(kineto->foreign, kineto->process, TACHO_OBJECT_DEVICE,
				  *out_handle, &text, out_device);
	tacho__buf_finish(&text);
	return rc;
}

static int get_context(struct tacho__kineto *kineto, uint64_t number, uint64_t *out_handle)
{
	struct tacho__buf text = {0};
	uint32_t context;
	int rc;

	*out_handle = number + 1;
	tacho__buf_printf(&text, "number=%" PRIu64 "\n", number);
	rc = tacho__foreign_thing(kineto->foreign, kineto->process, TACHO_OBJECT_CONTEXT,
				  *out_handle, &text, &context);
	tacho__buf_finish(&text);
	return rc;
}

/* Streams are numbered anew on each device and in each context: the handle is that of a text which
 * has all three. */
static int make_queue(struct tacho__kineto *kineto, bool has_context)
{
	struct tacho__buf text = {0};
	uint64_t device, context;
	int rc = get_device(kineto, kineto->queue_device, &device, &kineto->device);

	tacho__buf_printf(&text, "number=%" PRIu64 "\nname=stream %" PRIu64 "\ndevice=0x%" PRIX64,
			  kineto->queue_stream, kineto->queue_stream, device);
	if (!rc && has_context) {
		rc = get_context(kineto, kineto->queue_context, &context);
		tacho__buf_printf(&text, "\ncontext=0x%" PRIX64, context);
	}
	tacho__buf_char(&text, '\n');
	if (!rc)
		return tacho__foreign_described(kineto->foreign, kineto->process,
						TACHO_OBJECT_QUEUE, &text, NULL, &kineto->queue);
	tacho__buf_finish(&text);
	return rc;
}

static int find_queue(struct tacho__kineto *kineto, struct tacho__foreign_command *command)
{
	const struct tacho__kineto_arguments *arguments = &kineto->arguments;
	uint64_t device = arguments->device, stream = arguments->stream;
	int rc = 0;

	if (!arguments->has_device)
		tacho__foreign_chrome_number(tacho__buf_text(&kineto->chrome.event.pid), &device);
	if (!arguments->has_stream)
		tacho__foreign_chrome_number(tacho__buf_text(&kineto->chrome.event.tid), &stream);
	if (!kineto->has_queue || kineto->queue_device != device ||
	    kineto->queue_stream != stream || kineto->queue_context != arguments->context) {
		kineto->has_queue = true;
		kineto->queue_device = device;
		kineto->queue_stream = stream;
		kineto->queue_context = arguments->context;
		rc = make_queue(kineto, arguments->has_context);
	}
	command->queue = kineto->queue;
	command->device = kineto->device;
	return rc;
}

/* ---- work ---- */

static int begin_command(struct tacho__kineto *kineto, enum tacho_command_kind kind,
			 const char *name, struct tacho__foreign_command *command)
{
	const struct tacho__foreign_chrome_event *event = &kineto->chrome.event;
	int rc;

	*command = (struct tacho__foreign_command){.process = kineto->process,
						   .kind = kind,
						   .link = kineto->arguments.correlation,
						   .state = TACHO_STATE_OK,
						   .start_ns = event->start_ns,
						   .end_ns = tacho__foreign_chrome_end_ns(event)};
	kineto->commands++;
	kineto->unlinked += !command->link;
	rc = find_queue(kineto, command);
	if (!rc)
		rc = tacho__foreign_word(kineto->foreign, name, &command->name);
	if (!rc && !event->has_duration) {
		command->state = TACHO_STATE_ABSENT;
		rc = tacho__foreign_word(kineto->foreign, "the file has no duration of it",
					 &command->reason);
	}
	return rc;
}

static int find_kernel(struct tacho__kineto *kineto, struct tacho__foreign_command *command)
{
	const struct tacho__kineto_arguments *arguments = &kineto->arguments;
	struct tacho__foreign_kernel kernel = {
		.process = command->process,
		.registers = tacho__foreign_fact(arguments->has_registers, arguments->registers),
		.local_bytes = tacho__foreign_fact(arguments->has_shared, arguments->shared),
		.private_bytes = -1};
	int rc = tacho__foreign_text(kineto->foreign, name_of(kineto), &kernel.name);

	return rc ? rc : tacho__foreign_kernel(kineto->foreign, &kernel, &command->kernel);
}

/*
 * The grid is in groups, but on ROCm, whose launches name no context, in what the call takes. Of a
 * launch whose size the file does not have, or that cannot be, nothing is told.
 */
static void take_size(struct tacho__kineto *kineto, struct tacho__foreign_command *command)
{
	const struct tacho__kineto_arguments *arguments = &kineto->arguments;

	kineto->sizeless += !arguments->has_grid || !arguments->has_block;
	if (!arguments->has_grid || !arguments->has_block)
		return;
	if (tacho__foreign_set_groups(command, arguments->grid, arguments->block) &&
	    !arguments->has_context)
		command->sizes = TACHO__FOREIGN_AS_CALLED;
}

static int take_kernel(struct tacho__kineto *kineto)
{
	struct tacho__foreign_command command;
	int rc = begin_command(kineto, TACHO_COMMAND_KERNEL, "kernel", &command);

	kineto->own_copies += !strncmp(name_of(kineto), "__amd_rocclr_", 13);
	take_size(kineto, &command);
	if (!rc)
		rc = find_kernel(kineto, &command);
	return rc ? rc : tacho__foreign_add_command(kineto->foreign, &command);
}

/* What names of copies say, of CUDA and of the generations of ROCm. */
static const struct {
	const char *part, *name;
	enum tacho_command_kind kind;
} copies[] = {
	{"HtoD", "memcpy HtoD", TACHO_COMMAND_WRITE},
	{"HostToDevice", "memcpy HtoD", TACHO_COMMAND_WRITE},
	{"DtoH", "memcpy DtoH", TACHO_COMMAND_READ},
	{"DeviceToHost", "memcpy DtoH", TACHO_COMMAND_READ},
	{"DtoD", "memcpy DtoD", TACHO_COMMAND_COPY},
	{"DeviceToDevice", "memcpy DtoD", TACHO_COMMAND_COPY},
	{"HtoH", "memcpy HtoH", TACHO_COMMAND_COPY},
	{"HostToHost", "memcpy HtoH", TACHO_COMMAND_COPY},
	{"PtoP", "memcpy PtoP", TACHO_COMMAND_COPY},
	{"HtoA", "memcpy HtoA", TACHO_COMMAND_WRITE},
	{"AtoH", "memcpy AtoH", TACHO_COMMAND_READ},
	{"", "memcpy", TACHO_COMMAND_COPY},
};

static int take_transfer(struct tacho__kineto *kineto, enum tacho_command_kind kind,
			 const char *name)
{
	struct tacho__foreign_command command;
	int rc = begin_command(kineto, kind, name, &command);

	command.has_bytes = kineto->arguments.has_bytes;
	command.bytes = kineto->arguments.bytes;
	return rc ? rc : tacho__foreign_add_command(kineto->foreign, &command);
}

static int take_copy(struct tacho__kineto *kineto)
{
	const char *name = name_of(kineto);
	size_t i = 0;

	while (!strstr(name, copies[i].part))
		i++;
	return take_transfer(kineto, copies[i].kind, copies[i].name);
}

/* ---- counters ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t size = strlen(text), end_size = strlen(end);

	return size >= end_size && !strcmp(text + size - end_size, end);
}

static int add_value(struct tacho__kineto *kineto, const struct tacho__foreign_command *command,
		     const char *name, const char *text)
{
	struct tacho__foreign_value value = {
		.process = command->process, .values = command->values, .state = TACHO_STATE_OK};
	const char *unit = ends_with(name, ".pct")	    ? "percent"
			   : ends_with(name, "__bytes.sum") ? "bytes"
							    : "";
	int rc =
		tacho__foreign_counter(kineto->foreign, name, unit, TACHO_TYPE_F64, &value.counter);

	if (rc)
		return rc;
	if (!tacho__foreign_csv_real(text, &value.number.f64)) {
		value.state = TACHO_STATE_ABSENT;
		rc = tacho__foreign_text(kineto->foreign, "the file's value is no number",
					 &value.note);
	}
	return rc ? rc : tacho__foreign_add_value(kineto->foreign, &value);
}

/* The profiler spreads them evenly over the time that it took: their times are none. */
static int take_counted(struct tacho__kineto *kineto)
{
	const struct tacho__buf *numbers = &kineto->arguments.numbers;
	struct tacho__foreign_command command;
	int rc = begin_command(kineto, TACHO_COMMAND_KERNEL, "kernel", &command);

	kineto->unlinked -= !command.link;
	command.values = kineto->file << 40 | ++kineto->counted;
	command.state = TACHO_STATE_ABSENT;
	if (!rc)
		rc = tacho__foreign_text(kineto->foreign,
					 "the profiler of ranges does not measure when they ran",
					 &command.reason);
	if (!rc)
		rc = find_kernel(kineto, &command);
	for (size_t at = 0; !rc && at < numbers->size;) {
		const char *name = numbers->text + at, *text = name + strlen(name) + 1;

		rc = add_value(kineto, &command, name, text);
		at += strlen(name) + strlen(text) + 2;
	}
	return rc ? rc : tacho__foreign_add_command(kineto->foreign, &command);
}

/* ---- ranges ---- */

static int take_range(struct tacho__kineto *kineto, const char *domain)
{
	const struct tacho__foreign_chrome_event *event = &kineto->chrome.event;
	struct tacho__foreign_range range = {.process = kineto->process,
					     .thread = thread_of(kineto),
					     .kind = TACHO_RANGE_NESTED,
					     .start_ns = event->start_ns,
					     .end_ns = tacho__foreign_chrome_end_ns(event),
					     .has_end = event->has_duration};
	int rc = tacho__foreign_text(kineto->foreign, name_of(kineto), &range.name);

	if (!rc)
		rc = tacho__foreign_word(kineto->foreign, "pytorch", &range.api);
	if (!rc && domain)
		rc = tacho__foreign_word(kineto->foreign, domain, &range.domain);
	return rc ? rc : tacho__foreign_add_range(kineto->foreign, &range);
}

/* ---- the rest ---- */

static int take_name(struct tacho__kineto *kineto)
{
	if (kineto->name.size || strcmp(name_of(kineto), "process_name"))
		return 0;
	tacho__buf_put(&kineto->name, tacho__buf_text(&kineto->arguments.label));
	return kineto->name.failed ? TACHO_E_NOMEM : 0;
}

/* Counts of what is left out, by category. */
static void leave_out(struct tacho__kineto *kineto)
{
	const char *category = tacho__buf_text(&kineto->chrome.event.category);
	size_t i = 0;

	if (!*category)
		return;
	while (i < TACHO__KINETO_LEFT_OUT - 1 && *kineto->left_out[i].name &&
	       strncmp(kineto->left_out[i].name, category, sizeof(kineto->left_out[i].name) - 1))
		i++;
	if (i == TACHO__KINETO_LEFT_OUT - 1)
		category = "others";
	snprintf(kineto->left_out[i].name, sizeof(kineto->left_out[i].name), "%s", category);
	kineto->left_out[i].count++;
}

/* Before 2024 times count from 1970, which their size shows. */
static void find_epoch(struct tacho__kineto *kineto)
{
	const int64_t year_2001_ns = 1000000000 * INT64_C(1000000000);

	if (!kineto->has_epoch && kineto->chrome.event.start_ns > year_2001_ns)
		tacho__foreign_set_epoch(kineto->foreign, 0);
	kineto->has_epoch = true;
}

int tacho__kineto_take(struct tacho__kineto *kineto)
{
	const struct tacho__foreign_chrome_event *event = &kineto->chrome.event;
	enum tacho__kineto_sort sort = tacho__kineto_sort_of(tacho__buf_text(&event->category));

	if (event->phase == 'M')
		return take_name(kineto);
	if (event->phase != 'X' || sort == TACHO__KINETO_OTHER || !event->has_start) {
		kineto->timeless += event->phase == 'X' && sort != TACHO__KINETO_OTHER;
		if (sort != TACHO__KINETO_QUIET)
			leave_out(kineto);
		return 0;
	}
	find_epoch(kineto);
	switch (sort) {
	case TACHO__KINETO_CALL: return take_call(kineto);
	case TACHO__KINETO_KERNEL: return take_kernel(kineto);
	case TACHO__KINETO_COPY: return take_copy(kineto);
	case TACHO__KINETO_FILL: return take_transfer(kineto, TACHO_COMMAND_FILL, "memset");
	case TACHO__KINETO_COUNTED: return take_counted(kineto);
	case TACHO__KINETO_RANGE: return take_range(kineto, NULL);
	case TACHO__KINETO_OPERATOR: return take_range(kineto, "operator");
	default: return 0;
	}
}
