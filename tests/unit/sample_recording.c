/* SPDX-License-Identifier: MIT */
#include "sample_recording.h"

/* ---- what all are made of ---- */

static const struct tacho_process processes[] = {
	{.index = 0,
	 .pid = 4711,
	 .parent_pid = 1,
	 .directory = "proc-4711-0",
	 .executable = "/home/u/vadd",
	 .command = "/home/u/vadd -n 1024",
	 .loader = "",
	 .clock = "tsc",
	 .uncounted = "",
	 .uncounted_cure = "",
	 .unwatched = "",
	 .losses = {.no_window = 2, .waits = 5}},
	{.index = 1,
	 .pid = 9000,
	 .parent_pid = 4711,
	 .directory = "proc-9000-0",
	 .executable = "/usr/bin/python3",
	 .command = "python3 a.py",
	 .loader = "/usr/lib/libOpenCL.so.1",
	 .clock = "clock_gettime",
	 .uncounted = "",
	 .uncounted_cure = "",
	 .unwatched = ""},
};

static const struct fake_object gpu = {
	.object = {.kind = TACHO_OBJECT_DEVICE,
		   .handle = 0x1c10000,
		   .id = 1,
		   .name = "gfx803",
		   .process = &processes[0]},
	.attributes = {{"name", "gfx803"},
		       {"type", "gpu"},
		       {"platform_vendor", "Advanced Micro Devices, Inc."}}};
static const struct fake_object context = {.object = {.kind = TACHO_OBJECT_CONTEXT,
						      .handle = 0x1c50000,
						      .id = 1,
						      .name = "",
						      .process = &processes[0]}};
static const struct fake_object queue = {.object = {.kind = TACHO_OBJECT_QUEUE,
						    .handle = 0x1c5f2a0,
						    .id = 1,
						    .name = "",
						    .context = &context.object,
						    .device = &gpu.object,
						    .process = &processes[0]}};
static const struct fake_object program = {.object = {.kind = TACHO_OBJECT_PROGRAM,
						      .handle = 0x1c60000,
						      .id = 1,
						      .name = "",
						      .context = &context.object,
						      .process = &processes[0]}};
static const struct fake_object kernel = {.object = {.kind = TACHO_OBJECT_KERNEL,
						     .handle = 0x1c70010,
						     .id = 1,
						     .name = "vadd",
						     .context = &context.object,
						     .program = &program.object,
						     .process = &processes[0]},
					  .attributes = {{"name", "vadd"}, {"local_bytes", "0"}}};

static const struct tacho_function get_platforms = {"opencl", "clGetPlatformIDs", 0};
static const struct tacho_function create_context = {"opencl", "clCreateContext", 4};
static const struct tacho_function finish = {"opencl", "clFinish", 51};
static const struct tacho_function read_buffer = {"opencl", "clEnqueueReadBuffer", 52};
static const struct tacho_function write_buffer = {"opencl", "clEnqueueWriteBuffer", 54};
static const struct tacho_function unmap = {"opencl", "clEnqueueUnmapMemObject", 65};
static const struct tacho_function launch = {"opencl", "clEnqueueNDRangeKernel", 66};
static const struct tacho_function get_event = {"opencl", "clGetEventInfo", 44};
static const struct tacho_function svm_free = {"opencl", "clSVMFree", -1};
static const struct tacho_function other_api = {"sample", "sampleCall", 3};

static const struct tacho_command write_command = {
	.kind = TACHO_COMMAND_WRITE,
	.code = 4596,
	.name = "CL_COMMAND_WRITE_BUFFER",
	.id = 1,
	.queue = &queue.object,
	.device = &gpu.object,
	.bytes = 4096,
	.has_bytes = 1,
	.reason = "",
	.queued_ns = 1000000011000,
	.submit_ns = 1000000012000,
	.start_ns = 1000000030000,
	.end_ns = 1000000080000,
	.uncertainty_ns = 120,
	.clock = "CLOCK_MONOTONIC_RAW",
};

static const struct tacho_command launch_command = {
	.kind = TACHO_COMMAND_KERNEL,
	.code = 4592,
	.name = "CL_COMMAND_NDRANGE_KERNEL",
	.id = 2,
	.queue = &queue.object,
	.device = &gpu.object,
	.kernel = &kernel.object,
	.dimensions = 1,
	.has_local = 1,
	.global = {1024, 1, 1},
	.local = {64, 1, 1},
	.reason = "",
	.queued_ns = 1000000101000,
	.submit_ns = 1000000102000,
	.start_ns = 1000000120000,
	.end_ns = 1000000140000,
	.uncertainty_ns = 150,
	.clock = "CLOCK_MONOTONIC_RAW",
	.first_launch = 1,
};

/* ---- vadd ---- */

static const struct fake_call vadd_calls[] = {
	{.call = {.process = &processes[0],
		  .function = &get_platforms,
		  .thread = 4711,
		  .start_ns = 1000000000100,
		  .end_ns = 1000000002500,
		  .result = "CL_SUCCESS"},
	 .names = {"num_entries", "platforms", "num_platforms"},
	 .arguments = {"1", "[0x7F1A2B3C4D50]", "NULL"},
	 .objects = 1},
	{.call = {.process = &processes[0],
		  .function = &write_buffer,
		  .thread = 4711,
		  .index = 1,
		  .start_ns = 1000000010000,
		  .end_ns = 1000000090000,
		  .result = "CL_SUCCESS",
		  .command = &write_command},
	 .names = {"command_queue", "buffer", "blocking_write", "offset", "size", "ptr",
		   "num_events_in_wait_list", "event_wait_list", "event"},
	 .arguments = {"0x1C5F2A0", "0x1C60400", "CL_TRUE", "0", "4096", "0x7FFD11223340", "0",
		       "NULL", "NULL"},
	 .objects = 3},
	{.call = {.process = &processes[0],
		  .function = &launch,
		  .thread = 4711,
		  .index = 2,
		  .start_ns = 1000000100000,
		  .end_ns = 1000000104000,
		  .result = "CL_SUCCESS",
		  .command = &launch_command},
	 .names = {"command_queue", "kernel", "work_dim", "global_work_offset", "global_work_size",
		   "local_work_size", "num_events_in_wait_list", "event_wait_list", "event"},
	 .arguments = {"0x1C5F2A0", "0x1C70010", "1", "NULL", "[1024]", "[64]", "0", "NULL",
		       "[0x1C80020]"}},
	{.call = {.process = &processes[0],
		  .function = &finish,
		  .thread = 4711,
		  .index = 3,
		  .start_ns = 1000000105000,
		  .end_ns = 1000000150000,
		  .result = "CL_SUCCESS"},
	 .names = {"command_queue"},
	 .arguments = {"0x1C5F2A0"}},
};

static const struct fake_object *const vadd_objects[] = {&gpu, &context, &queue, &program, &kernel};

struct fake_recording *sample_vadd(void)
{
	static struct fake_recording recording = {
		.run = {.generator = "tacho 0",
			.application = "/home/u/vadd",
			.arguments = "-n 1024",
			.working_directory = "/home/u",
			.host = "h",
			.os_name = "Ubuntu 18.04",
			.os_release = "4.15.0",
			.via = "layer",
			.why_empty = "",
			.why_uncounted = "",
			.start_ns = 999999000000,
			.end_ns = 1000001000000,
			.exit_status = 0},
		.processes = processes,
		.process_count = 1,
		.calls = vadd_calls,
		.call_count = 4,
		.objects = vadd_objects,
		.object_count = 5,
	};

	return &recording;
}

/* ---- mixed ---- */

static const struct fake_object cpu = {
	.object = {.kind = TACHO_OBJECT_DEVICE,
		   .handle = 0x2c10000,
		   .id = 2,
		   .name = "Some CPU",
		   .process = &processes[1]},
	.attributes = {{"name", "Some CPU"}, {"type", "cpu"}, {"driver", "6.0"}}};
static const struct fake_object second_gpu = {.object = {.kind = TACHO_OBJECT_DEVICE,
							 .handle = 0x1c10800,
							 .id = 3,
							 .name = "gfx803",
							 .process = &processes[0]}};
static const struct fake_object cpu_queue = {.object = {.kind = TACHO_OBJECT_QUEUE,
							.handle = 0x2c5f2a0,
							.id = 2,
							.name = "",
							.device = &cpu.object,
							.process = &processes[1]}};
static const struct fake_object second_queue = {.object = {.kind = TACHO_OBJECT_QUEUE,
							   .handle = 0x1c5f800,
							   .id = 3,
							   .name = "",
							   .context = &context.object,
							   .device = &second_gpu.object,
							   .process = &processes[0]}};
static const struct fake_object odd_kernel = {.object = {.kind = TACHO_OBJECT_KERNEL,
							 .handle = 0x2c70010,
							 .id = 2,
							 .name = "odd, name",
							 .process = &processes[1]},
					      .attributes = {{"local_bytes", "x"}}};

/* 30,000 ns on the first GPU, overlapping the sample's launch by 10,000. */
static const struct tacho_command overlapping_command = {
	.kind = TACHO_COMMAND_KERNEL,
	.code = 4592,
	.name = "CL_COMMAND_NDRANGE_KERNEL",
	.id = 3,
	.queue = &queue.object,
	.device = &gpu.object,
	.kernel = &kernel.object,
	.dimensions = 2,
	.global = {16, 8, 1},
	.reason = "",
	.queued_ns = 1000000101500,
	.submit_ns = 1000000102500,
	.start_ns = 1000000130000,
	.end_ns = 1000000160000,
	.uncertainty_ns = 100,
	.clock = "CLOCK_MONOTONIC_RAW",
};

static const struct tacho_command refused_command = {
	.kind = TACHO_COMMAND_KERNEL,
	.code = 4592,
	.name = "CL_COMMAND_NDRANGE_KERNEL",
	.id = 4,
	.queue = &cpu_queue.object,
	.device = &cpu.object,
	.kernel = &odd_kernel.object,
	.dimensions = 3,
	.has_local = 1,
	.global = {1, 2, 3},
	.local = {1, 1, 1},
	.state = TACHO_STATE_ABSENT,
	.reason = "the driver counts 0, 1, 2, 3",
	.clock = "",
	.first_launch = 1,
};

static const struct tacho_command lost_command = {
	.kind = TACHO_COMMAND_READ,
	.code = 4595,
	.name = "CL_COMMAND_READ_BUFFER",
	.id = 5,
	.queue = &queue.object,
	.device = &gpu.object,
	.bytes = 64,
	.has_bytes = 1,
	.state = TACHO_STATE_LOST,
	.reason = "the program ended before the command did",
	.clock = "",
};

static const struct tacho_command read_command = {
	.kind = TACHO_COMMAND_READ,
	.code = 4595,
	.name = "CL_COMMAND_READ_BUFFER",
	.id = 6,
	.queue = &second_queue.object,
	.device = &second_gpu.object,
	.bytes = 1000,
	.has_bytes = 1,
	.reason = "",
	.queued_ns = 1000000201000,
	.submit_ns = 1000000202000,
	.start_ns = 1000000203000,
	.end_ns = 1000000204005,
	.clock = "CLOCK_MONOTONIC_RAW",
};

static const struct tacho_command unmap_command = {
	.kind = TACHO_COMMAND_UNMAP,
	.code = 4605,
	.name = "CL_COMMAND_UNMAP_MEM_OBJECT",
	.id = 7,
	.queue = &second_queue.object,
	.device = &second_gpu.object,
	.reason = "",
	.queued_ns = 1000000301000,
	.submit_ns = 1000000302000,
	.start_ns = 1000000303000,
	.end_ns = 1000000304000,
	.clock = "CLOCK_MONOTONIC_RAW",
};

#define ENQUEUE(command_pointer, function_pointer, process_index, tid, start, end) \
	{                                                                          \
		.call = {.process = &processes[process_index],                     \
			 .function = function_pointer,                             \
			 .thread = tid,                                            \
			 .start_ns = start,                                        \
			 .end_ns = end,                                            \
			 .result = "CL_SUCCESS",                                   \
			 .command = command_pointer},                              \
		.names = {"command_queue"}, .arguments = {                         \
			"0x1"                                                      \
		}                                                                  \
	}

#define POLL(value, start, end)                                   \
	{                                                         \
		.call = {.process = &processes[0],                \
			 .function = &get_event,                  \
			 .thread = 501,                           \
			 .start_ns = start,                       \
			 .end_ns = end,                           \
			 .result = "CL_SUCCESS"},                 \
		.names = {"event", "param_value"}, .arguments = { \
			"0x2",                                    \
			value                                     \
		}                                                 \
	}

static const struct fake_call mixed_calls[] = {
	{.call = {.process = &processes[1],
		  .function = &create_context,
		  .thread = 9000,
		  .start_ns = 1000000000000,
		  .end_ns = 1000000001000,
		  .result = "NULL",
		  .failed = 1},
	 .names = {"properties", "errcode_ret"},
	 .arguments = {"NULL", "[CL_INVALID_DEVICE]"}},
	{.call = {.process = &processes[1],
		  .function = &other_api,
		  .thread = 9000,
		  .start_ns = 1000000001000,
		  .end_ns = 1000000002000,
		  .result = "OK"}},
	ENQUEUE(&launch_command, &launch, 0, 4711, 1000000100000, 1000000104000),
	ENQUEUE(&overlapping_command, &launch, 0, 4711, 1000000104000, 1000000105000),
	POLL("[CL_RUNNING]", 1000000105000, 1000000105100),
	POLL("[CL_RUNNING]", 1000000105200, 1000000105400),
	POLL("[CL_RUNNING]", 1000000105500, 1000000105800),
	POLL("[CL_COMPLETE]", 1000000106000, 1000000106400),
	ENQUEUE(&refused_command, &launch, 1, 9000, 1000000110000, 1000000111000),
	ENQUEUE(&lost_command, &read_buffer, 0, 501, 1000000120000, 1000000121000),
	ENQUEUE(&read_command, &read_buffer, 0, 501, 1000000200000, 1000000206000),
	ENQUEUE(&unmap_command, &unmap, 0, 501, 1000000300000, 1000000306000),
	{.call = {.process = &processes[0],
		  .function = &svm_free,
		  .thread = 501,
		  .start_ns = 1000000400000,
		  .end_ns = 1000000400500,
		  .result = ""},
	 .names = {"context", "ptr"},
	 .arguments = {"0x1C50000", "NULL"}},
	POLL("[CL_COMPLETE]", 1000000401000, 1000000401400),
	POLL("[CL_COMPLETE]", 1000000402000, 1000000402400),
};

static const struct fake_object *const mixed_objects[] = {
	&gpu, &context,	   &queue,     &program,      &kernel,
	&cpu, &second_gpu, &cpu_queue, &second_queue, &odd_kernel};

static const struct fake_thread mixed_threads[] = {{4711, "main"}, {501, "poller"}, {0, NULL}};

struct fake_recording *sample_mixed(void)
{
	static struct fake_recording recording = {
		.run = {.generator = "tacho 0",
			.application = "/bin/sh",
			.arguments = "-c './vadd;\n./b'",
			.working_directory = "/home/u",
			.host = "h",
			.os_name = "Debian GNU/Linux 12 (bookworm)",
			.os_release = "6.1.0",
			.via = "layer",
			.why_empty = "",
			.why_uncounted = "",
			.start_ns = 1000000000000,
			.exit_status = -1},
		.processes = processes,
		.process_count = 2,
		.calls = mixed_calls,
		.call_count = sizeof(mixed_calls) / sizeof(mixed_calls[0]),
		.objects = mixed_objects,
		.object_count = sizeof(mixed_objects) / sizeof(mixed_objects[0]),
		.threads = mixed_threads,
	};

	return &recording;
}

/* ---- command buffers ---- */

static const struct tacho_function enqueue_buffer = {"opencl", "clEnqueueCommandBufferKHR", 146};
static const struct fake_object scale = {.object = {.kind = TACHO_OBJECT_KERNEL,
						    .handle = 0x1c70020,
						    .id = 3,
						    .name = "scale",
						    .context = &context.object,
						    .program = &program.object,
						    .process = &processes[0]}};

static const struct tacho_object *const buffer_devices[] = {&gpu.object};

#define RECORDED_KERNEL(kernel_pointer, size)                                                \
	{                                                                                    \
		.kind = TACHO_COMMAND_KERNEL, .name = "CL_COMMAND_NDRANGE_KERNEL",           \
		.device = &gpu.object, .kernel = &(kernel_pointer)->object, .dimensions = 1, \
		.has_local = 1, .global = {size, 1, 1}, .local = {                           \
			64,                                                                  \
			1,                                                                   \
			1                                                                    \
		}                                                                            \
	}
#define RECORDED_COPY                                                         \
	{                                                                     \
		.kind = TACHO_COMMAND_COPY, .name = "CL_COMMAND_COPY_BUFFER", \
		.device = &gpu.object, .bytes = 4096, .has_bytes = 1          \
	}

static const struct tacho_template_command recorded[] = {
	RECORDED_KERNEL(&kernel, 1024), RECORDED_COPY, RECORDED_KERNEL(&scale, 512),
	RECORDED_KERNEL(&kernel, 1024)};
static const struct tacho_template_command changed[] = {RECORDED_KERNEL(&kernel, 2048),
							RECORDED_COPY, RECORDED_KERNEL(&scale, 512),
							RECORDED_KERNEL(&kernel, 1024)};

#define CONTENTS(list, number)                                                      \
	{                                                                           \
		.name = "command buffer (3 kernels)", .id = 1, .handle = 0x1c90000, \
		.version = number, .is_known = 1, .reason = "", .commands = list,   \
		.command_count = 4, .kernel_count = 3, .devices = buffer_devices,   \
		.device_count = 1                                                   \
	}

static const struct tacho_template first_contents = CONTENTS(recorded, 1);
static const struct tacho_template changed_contents = CONTENTS(changed, 3);
static const struct tacho_template unknown_contents = {
	.name = "command buffer (contents not known)",
	.id = 2,
	.handle = 0x1c90040,
	.reason = "the recorder could not follow what it holds"};

#define EXECUTION(contents_pointer, number, start, end)                                        \
	{                                                                                      \
		.kind = TACHO_COMMAND_BUFFER, .code = 4776,                                    \
		.name = "CL_COMMAND_COMMAND_BUFFER_KHR", .id = number, .queue = &queue.object, \
		.device = &gpu.object, .reason = "", .queued_ns = (start)-2000,                \
		.submit_ns = (start)-1000, .start_ns = start, .end_ns = end,                   \
		.uncertainty_ns = 120, .clock = "CLOCK_MONOTONIC_RAW",                         \
		.not_before_ns = (start)-3000, .not_after_ns = (end) + 1000,                   \
		.contents = contents_pointer                                                   \
	}

static const struct tacho_command first_execution =
	EXECUTION(&first_contents, 1, 1000000020000, 1000000050000);
static const struct tacho_command second_execution =
	EXECUTION(&first_contents, 2, 1000000060000, 1000000080000);
static const struct tacho_command untimed_execution = {
	.kind = TACHO_COMMAND_BUFFER,
	.code = 4776,
	.name = "CL_COMMAND_COMMAND_BUFFER_KHR",
	.id = 3,
	.queue = &queue.object,
	.device = &gpu.object,
	.state = TACHO_STATE_ABSENT,
	.reason = "the driver tells when it ended, but not when it began",
	.clock = "",
	.not_before_ns = 1000000082000,
	.not_after_ns = 1000000098000,
	.contents = &unknown_contents,
};
static const struct tacho_command changed_execution = {
	.kind = TACHO_COMMAND_BUFFER,
	.code = 4776,
	.name = "CL_COMMAND_COMMAND_BUFFER_KHR",
	.id = 4,
	.queue = &queue.object,
	.device = &gpu.object,
	.reason = "",
	.queued_ns = 1000000098000,
	.submit_ns = 1000000099000,
	.start_ns = 1000000100000,
	.end_ns = 1000000140000,
	.uncertainty_ns = 120,
	.clock = "CLOCK_MONOTONIC_RAW",
	.not_before_ns = 1000000097000,
	.not_after_ns = 1000000141000,
	.has_marked_start = 1,
	.contents = &changed_contents,
};

static const struct fake_call buffer_calls[] = {
	ENQUEUE(&first_execution, &enqueue_buffer, 0, 4711, 1000000017000, 1000000018000),
	ENQUEUE(&second_execution, &enqueue_buffer, 0, 4711, 1000000057000, 1000000058000),
	ENQUEUE(&untimed_execution, &enqueue_buffer, 0, 4711, 1000000082000, 1000000083000),
	ENQUEUE(&changed_execution, &enqueue_buffer, 0, 4711, 1000000097000, 1000000098000),
};

static const struct fake_object *const buffer_objects[] = {&gpu,     &context, &queue,
							   &program, &kernel,  &scale};

struct fake_recording *sample_buffers(void)
{
	static struct fake_recording recording = {
		.run = {.generator = "tacho 0",
			.application = "/home/u/buffers",
			.arguments = "",
			.working_directory = "/home/u",
			.host = "h",
			.os_name = "Debian GNU/Linux 12 (bookworm)",
			.os_release = "6.1.0",
			.via = "layer",
			.why_empty = "",
			.why_uncounted = "",
			.start_ns = 1000000000000,
			.end_ns = 1000000200000,
			.exit_status = 0},
		.processes = processes,
		.process_count = 1,
		.calls = buffer_calls,
		.call_count = sizeof(buffer_calls) / sizeof(buffer_calls[0]),
		.objects = buffer_objects,
		.object_count = sizeof(buffer_objects) / sizeof(buffer_objects[0]),
	};

	return &recording;
}

/* ---- ranges ---- */

#define RANGE(number, kind_of, api_name, text, tid, start, end)                                 \
	.kind = kind_of, .name = text, .domain = "", .api = api_name, .process = &processes[0], \
	.thread = tid, .id = number, .start_ns = start, .end_ns = end

static const struct tacho_named_range frame = {
	RANGE(1, TACHO_RANGE_NESTED, "tacho", "frame 1", 4711, 1000000099000, 1000000151000)};
static const struct tacho_named_range step = {
	RANGE(2, TACHO_RANGE_NESTED, "tacho", "step <1>", 4711, 1000000099500, 1000000104500),
	.depth = 1, .parent = &frame, .color = 0xff336699, .has_color = 1};
static const struct tacho_named_range io = {
	.kind = TACHO_RANGE_NESTED,
	.name = "io, all",
	.domain = "disk",
	.api = "itt",
	.process = &processes[0],
	.thread = 4711,
	.id = 3,
	.start_ns = 1000000104200,
	.end_ns = 1000000152000,
};
static const struct tacho_named_range epoch = {
	RANGE(4, TACHO_RANGE_PROCESS, "roctx", "epoch", 4711, 1000000005000, 1000000149000)};
static const struct tacho_named_range mark = {
	RANGE(5, TACHO_RANGE_MARK, "nvtx", "here", 4711, 1000000104800, 1000000104800), .depth = 1};
static const struct tacho_named_range unended = {
	RANGE(6, TACHO_RANGE_NESTED, "tacho", "never ends", 501, 1000000160000, 1000000500000),
	.is_open = 1};

static const struct tacho_named_range *const of_write[] = {&epoch};
static const struct tacho_named_range *const of_launch[] = {&step, &frame, &epoch};
static const struct tacho_named_range *const of_finish[] = {&io, &frame, &epoch};

struct fake_recording *sample_ranges(void)
{
	static const struct fake_range ranges[] = {{&step, 3},	{&mark, 3}, {&epoch, 3},
						   {&frame, 4}, {&io, 4},   {&unended, 4}};
	static struct fake_call calls[4];
	static struct fake_recording recording;

	for (size_t i = 0; i < 4; i++)
		calls[i] = vadd_calls[i];
	calls[1].call.ranges = of_write;
	calls[1].call.range_count = 1;
	calls[2].call.ranges = of_launch;
	calls[2].call.range_count = 3;
	calls[3].call.ranges = of_finish;
	calls[3].call.range_count = 3;
	recording = *sample_vadd();
	recording.calls = calls;
	recording.ranges = ranges;
	recording.range_count = 6;
	return &recording;
}

/* ---- what is missing ---- */

struct fake_recording *sample_gaps(void)
{
	static const struct tacho_fault faults[] = {{.path = "s/calls-1.bin",
						     .what = "cannot be read",
						     .error = 5,
						     .bytes = 4096,
						     .calls = 12},
						    {.path = "s/calls-2.bin", .what = "is missing"},
						    {0}};
	static const struct tacho_bound bounds[] = {{"clGetEventInfo", 30}, {0}};
	static struct fake_recording recording;

	recording = *sample_vadd();
	recording.losses = (struct tacho_losses){.missing = 12, .unreadable = 4096, .untimed = 3};
	recording.faults = faults;
	recording.bounds = bounds;
	recording.run.is_unfinished = 1;
	recording.run.max_bytes = 1 << 30;
	return &recording;
}
