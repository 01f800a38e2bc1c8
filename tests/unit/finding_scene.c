/* SPDX-License-Identifier: MIT */
#include "finding_scene.h"

#include <stdbool.h>
#include <string.h>

enum { FUNCTIONS_MAX = 64, SETTINGS_MAX = 8 };

static struct fake_call calls[SCENE_CALLS_MAX];
static struct tacho_command commands[SCENE_CALLS_MAX];
static struct tacho_function functions[FUNCTIONS_MAX];
static struct fake_recording recording;
static const struct fake_object *objects[8];
static uint64_t now;

struct tacho_run *scene_run = &recording.run;
struct tacho_process scene_processes[2];
struct fake_object scene_gpu, scene_queue, scene_second_queue, scene_kernel;

static void make_queue(struct fake_object *queue, uint64_t handle, uint32_t id)
{
	*queue = (struct fake_object){.object = {.kind = TACHO_OBJECT_QUEUE,
						 .handle = handle,
						 .id = id,
						 .name = "",
						 .device = &scene_gpu.object,
						 .process = &scene_processes[0]},
				      .attributes = {{"properties", "0x2"}}};
}

static void make_objects(void)
{
	scene_gpu = (struct fake_object){.object = {.kind = TACHO_OBJECT_DEVICE,
						    .handle = 0xd0,
						    .id = 1,
						    .name = "gpu",
						    .process = &scene_processes[0]},
					 .attributes = {{"type", "gpu"},
							{"compute_units", "4"},
							{"version", "OpenCL 3.0 test"}}};
	make_queue(&scene_queue, 0x90, 1);
	make_queue(&scene_second_queue, 0x91, 2);
	scene_kernel = (struct fake_object){.object = {.kind = TACHO_OBJECT_KERNEL,
						       .handle = 0x70,
						       .id = 1,
						       .name = "vadd",
						       .process = &scene_processes[0]},
					    .attributes = {{"preferred_multiple", "32"}}};
	objects[0] = &scene_gpu;
	objects[1] = &scene_queue;
	objects[2] = &scene_second_queue;
	objects[3] = &scene_kernel;
}

void scene_begin(void)
{
	memset(calls, 0, sizeof(calls));
	memset(commands, 0, sizeof(commands));
	memset(&recording, 0, sizeof(recording));
	for (uint32_t i = 0; i < 2; i++)
		scene_processes[i] = (struct tacho_process){.index = i,
							    .pid = 4711 + i,
							    .directory = "",
							    .executable = "/bin/x",
							    .command = "x",
							    .loader = "",
							    .uncounted = "",
							    .uncounted_cure = "",
							    .unwatched = ""};
	make_objects();
	now = 1000 * MS;
	recording.run = (struct tacho_run){.generator = "tacho test",
					   .application = "/bin/x",
					   .arguments = "",
					   .working_directory = "/",
					   .host = "",
					   .os_name = "",
					   .os_release = "",
					   .via = "layer",
					   .why_empty = "",
					   .why_uncounted = "",
					   .start_ns = now,
					   .end_ns = now + 100 * MS};
	recording.processes = scene_processes;
	recording.process_count = 2;
	recording.calls = calls;
	recording.objects = objects;
	recording.object_count = 4;
}

void scene_thread_times(const struct tacho_thread_time *times)
{
	recording.thread_times = times;
}

struct tacho_recording *scene_recording(void)
{
	return fake_recording(&recording);
}

static const struct tacho_function *get_function(const char *name)
{
	size_t i = 0;

	while (i < FUNCTIONS_MAX && functions[i].name && strcmp(functions[i].name, name) != 0)
		i++;
	assert_true(i < FUNCTIONS_MAX);
	functions[i] =
		(struct tacho_function){strncmp(name, "vk", 2) ? "opencl" : "vulkan", name, -1};
	return &functions[i];
}

struct fake_call *scene_call(const char *function, const char *result, ...)
{
	struct fake_call *call = &calls[recording.call_count];
	const char *argument;
	va_list list;

	assert_true(recording.call_count < SCENE_CALLS_MAX);
	call->call = (struct tacho_call){.process = &scene_processes[0],
					 .function = get_function(function),
					 .thread = 1,
					 .index = recording.call_count,
					 .start_ns = now,
					 .end_ns = now + 500,
					 .result = result};
	recording.call_count++;
	now += 1000;
	va_start(list, result);
	for (size_t i = 0; (argument = va_arg(list, const char *)); i++) {
		assert_true(i + 1 < FAKE_ARGUMENTS_MAX);
		call->names[i] = strncmp(argument, "[CL_INVALID", 11) ? "a" : "errcode_ret";
		call->arguments[i] = argument;
	}
	va_end(list);
	return call;
}

void scene_take(uint64_t ns)
{
	struct tacho_call *call = &calls[recording.call_count - 1].call;

	call->end_ns = call->start_ns + ns;
	now = call->end_ns + 500;
}

void scene_by(uint32_t thread)
{
	calls[recording.call_count - 1].call.thread = thread;
}

struct tacho_command *scene_command(enum tacho_command_kind kind, struct fake_object *on,
				    uint64_t after_ns, uint64_t ns)
{
	struct tacho_call *call = &calls[recording.call_count - 1].call;
	struct tacho_command *command = &commands[recording.call_count - 1];

	*command = (struct tacho_command){.kind = kind,
					  .name = "",
					  .id = recording.call_count,
					  .queue = &on->object,
					  .device = on->object.device,
					  .reason = "",
					  .clock = "",
					  .queued_ns = call->start_ns,
					  .submit_ns = call->start_ns,
					  .start_ns = call->start_ns + after_ns,
					  .end_ns = call->start_ns + after_ns + ns};
	call->command = command;
	return command;
}

struct tacho_command *scene_launch(uint64_t global, uint64_t local, uint64_t ns)
{
	struct tacho_command *command;

	scene_call("clEnqueueNDRangeKernel", "CL_SUCCESS", "0x90", "0x70", "1", "NULL", "[1]",
		   "NULL", "0", "NULL", "NULL", NULL);
	command = scene_command(TACHO_COMMAND_KERNEL, &scene_queue, 400, ns);
	command->kernel = &scene_kernel.object;
	command->dimensions = 1;
	command->has_local = local != 0;
	for (int i = 0; i < 3; i++)
		command->global[i] = command->local[i] = 1;
	command->global[0] = global;
	command->local[0] = local ? local : 1;
	return command;
}

void scene_finish(uint64_t ns)
{
	scene_call("clFinish", "CL_SUCCESS", "0x90", NULL);
	scene_take(ns);
}

static void move(const char *function, enum tacho_command_kind kind, const char *blocking,
		 uint64_t bytes, uint64_t ns)
{
	struct tacho_command *command;

	scene_call(function, "CL_SUCCESS", "0x90", "0x60", blocking, "0", "1", "0x1", "0", "NULL",
		   "NULL", NULL);
	command = scene_command(kind, &scene_queue, 400, ns);
	command->has_bytes = 1;
	command->bytes = bytes;
}

void scene_write(const char *blocking, uint64_t bytes, uint64_t ns)
{
	move("clEnqueueWriteBuffer", TACHO_COMMAND_WRITE, blocking, bytes, ns);
}

void scene_read(const char *blocking, uint64_t bytes, uint64_t ns)
{
	move("clEnqueueReadBuffer", TACHO_COMMAND_READ, blocking, bytes, ns);
}

static struct tacho_findings *look(const char *rule, va_list list)
{
	struct tacho_threshold_setting settings[SETTINGS_MAX] = {{"min-cost-ns", 0}};
	struct tacho_findings_options options = {.size = sizeof(options),
						 .rules = &rule,
						 .rule_count = rule != NULL,
						 .settings = settings,
						 .setting_count = 1};
	struct tacho_findings *findings;
	const char *name;

	while ((name = va_arg(list, const char *))) {
		settings[options.setting_count].name = name;
		settings[options.setting_count++].value = va_arg(list, uint64_t);
	}
	assert_int_equal(tacho_findings_create(fake_recording(&recording), &options, &findings), 0);
	return findings;
}

struct tacho_findings *scene_look(const char *rule, ...)
{
	struct tacho_findings *findings;
	va_list list;

	va_start(list, rule);
	findings = look(rule, list);
	va_end(list);
	return findings;
}

const struct tacho_finding *scene_find(const struct tacho_findings *findings, const char *rule)
{
	const struct tacho_finding *finding;

	for (size_t i = 0; (finding = tacho_findings_get(findings, i)); i++)
		if (!strcmp(finding->rule->name, rule))
			return finding;
	return NULL;
}

uint64_t scene_count(const char *rule, const char *only, ...)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;
	uint64_t count;
	va_list list;

	va_start(list, only);
	findings = look(only, list);
	va_end(list);
	finding = scene_find(findings, rule);
	count = finding ? finding->count : 0;
	tacho_findings_destroy(findings);
	return count;
}
