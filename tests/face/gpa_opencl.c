/* SPDX-License-Identifier: MIT */
/*
 * GPUTime on a real OpenCL driver: at least what the driver's own event says of the same kernel,
 * and no more than markers that are put around it by hand. Skipped when there is no driver.
 */
#include "gpa_api.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef void *handle;
enum { LAUNCHES = 31, BARE = 5 };
enum { PROFILING = 2, OUT_OF_ORDER = 1, COMMAND_START = 0x1282, COMMAND_END = 0x1283 };

#define POCL "/etc/OpenCL/vendors/pocl.icd"

static struct {
	int (*clGetPlatformIDs)(unsigned, handle *, unsigned *);
	int (*clGetDeviceIDs)(handle, unsigned long long, unsigned, handle *, unsigned *);
	handle (*clCreateContext)(const void *, unsigned, const handle *, void *, void *, int *);
	handle (*clCreateCommandQueue)(handle, handle, unsigned long long, int *);
	handle (*clCreateBuffer)(handle, unsigned long long, size_t, void *, int *);
	handle (*clCreateProgramWithSource)(handle, unsigned, const char **, const size_t *, int *);
	int (*clBuildProgram)(handle, unsigned, const handle *, const char *, void *, void *);
	handle (*clCreateKernel)(handle, const char *, int *);
	int (*clSetKernelArg)(handle, unsigned, size_t, const void *);
	int (*clEnqueueNDRangeKernel)(handle, handle, unsigned, const size_t *, const size_t *,
				      const size_t *, unsigned, const handle *, handle *);
	int (*clGetEventProfilingInfo)(handle, unsigned, size_t, void *, size_t *);
	int (*clReleaseEvent)(handle);
	int (*clReleaseKernel)(handle);
	int (*clReleaseProgram)(handle);
	int (*clReleaseMemObject)(handle);
	int (*clReleaseCommandQueue)(handle);
	int (*clReleaseContext)(handle);
	int (*clGetCommandQueueInfo)(handle, unsigned, size_t, void *, size_t *);
	int (*clEnqueueMarkerWithWaitList)(handle, unsigned, const handle *, handle *);
	int (*clEnqueueBarrierWithWaitList)(handle, unsigned, const handle *, handle *);
	int (*clFinish)(handle);
} cl;

static struct gpa_api api;
static handle device, context, program, kernel, buffer, queue, bare_queue, loose_queue;

static int load(void)
{
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW);

	if (!library)
		return 0;
#define F(name)                                     \
	*(void **)&cl.name = dlsym(library, #name); \
	if (!cl.name)                               \
		return 0;
	F(clGetPlatformIDs)
	F(clGetDeviceIDs)
	F(clCreateContext)
	F(clCreateCommandQueue)
	F(clCreateBuffer)
	F(clCreateProgramWithSource)
	F(clBuildProgram)
	F(clCreateKernel)
	F(clSetKernelArg)
	F(clEnqueueNDRangeKernel)
	F(clGetEventProfilingInfo)
	F(clReleaseEvent)
	F(clReleaseKernel)
	F(clReleaseProgram)
	F(clReleaseMemObject)
	F(clReleaseCommandQueue)
	F(clReleaseContext)
	F(clGetCommandQueueInfo)
	F(clEnqueueMarkerWithWaitList)
	F(clEnqueueBarrierWithWaitList)
	F(clFinish)
	return 1;
}

static int find_device(void)
{
	handle platforms[16];
	unsigned count = 0;

	if (cl.clGetPlatformIDs(16, platforms, &count))
		return 0;
	for (unsigned i = 0; i < count && i < 16; i++)
		if (!cl.clGetDeviceIDs(platforms[i], 0xffffffffull, 1, &device, NULL))
			return 1;
	return 0;
}

static int prepare(void)
{
	static const char *source = "__kernel void work(__global float *x) {\n"
				    "	float y = x[get_global_id(0)];\n"
				    "	for (int i = 0; i < 100; i++) y = y * 0.5f + 1.0f;\n"
				    "	x[get_global_id(0)] = y; }\n";
	int error;

	if (!load() || !find_device())
		return 0;
	context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	if (!context)
		return 0;
	queue = cl.clCreateCommandQueue(context, device, PROFILING, &error);
	bare_queue = cl.clCreateCommandQueue(context, device, 0, &error);
	loose_queue = cl.clCreateCommandQueue(context, device, PROFILING | OUT_OF_ORDER, &error);
	program = cl.clCreateProgramWithSource(context, 1, &source, NULL, &error);
	if (!queue || !program || cl.clBuildProgram(program, 1, &device, "", NULL, NULL))
		return 0;
	kernel = cl.clCreateKernel(program, "work", &error);
	buffer = cl.clCreateBuffer(context, 1, 65536 * sizeof(float), NULL, &error);
	return kernel && buffer && !cl.clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
}

/* Puts the kernel on a queue; its own event is for the caller to release. */
static handle launch(handle on)
{
	size_t size = 65536;
	handle event = NULL;

	assert_int_equal(
		cl.clEnqueueNDRangeKernel(on, kernel, 1, NULL, &size, NULL, 0, NULL, &event), 0);
	return event;
}

static double duration_of(handle event)
{
	unsigned long long begin_ns, end_ns;

	assert_int_equal(cl.clGetEventProfilingInfo(event, COMMAND_START, 8, &begin_ns, NULL), 0);
	assert_int_equal(cl.clGetEventProfilingInfo(event, COMMAND_END, 8, &end_ns, NULL), 0);
	cl.clReleaseEvent(event);
	return (double)(end_ns - begin_ns) / 1e6;
}

static unsigned references_of(handle of)
{
	unsigned count = 0;

	assert_int_equal(cl.clGetCommandQueueInfo(of, 0x1092, sizeof(count), &count, NULL), 0);
	return count;
}

static void the_list_has_gpu_time(void **state)
{
	GPA_Usage_Type usage;
	gpa_uint32 count, index;
	const char *text;
	unsigned references = references_of(queue);

	expect(0, api.OpenContext(queue));
	expect(0, api.GetNumCounters(&count));
	expect(0, api.GetCounterIndex("gputime", &index));
	expect(0, api.GetCounterDescription(index, &text));
	assert_memory_equal(text, "#Timing#", 8);
	expect(0, api.GetCounterUsageType(index, &usage));
	assert_int_equal(usage, GPA_USAGE_TYPE_MILLISECONDS);
	expect(0, api.GetDeviceDesc(&text));
	assert_true(strlen(text) > 0);
	assert_int_equal(references_of(queue), references + 1);
	expect(0, api.CloseContext());
	assert_int_equal(references_of(queue), references);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* How much longer than a kernel is the time between two markers that were put around it by hand. */
static double measure_by_hand(handle on)
{
	unsigned long long begin_ns, end_ns;
	handle begin, end, event;

	assert_int_equal((on == loose_queue ? cl.clEnqueueBarrierWithWaitList
					    : cl.clEnqueueMarkerWithWaitList)(on, 0, NULL, &begin),
			 0);
	event = launch(on);
	assert_int_equal(cl.clEnqueueMarkerWithWaitList(on, 0, NULL, &end), 0);
	cl.clFinish(on);
	assert_int_equal(cl.clGetEventProfilingInfo(begin, COMMAND_END, 8, &begin_ns, NULL), 0);
	assert_int_equal(cl.clGetEventProfilingInfo(end, COMMAND_END, 8, &end_ns, NULL), 0);
	cl.clReleaseEvent(begin);
	cl.clReleaseEvent(end);
	return (double)(end_ns - begin_ns) / 1e6 - duration_of(event);
}

/* Samples of one kernel each, and by turns the same by hand; then samples of nothing. */
static gpa_uint32 sample_kernels(handle on, double *out_kernels, double *out_by_hand)
{
	gpa_uint32 session;

	expect(0, api.BeginSession(&session));
	expect(0, api.BeginPass());
	for (gpa_uint32 i = 0; i < LAUNCHES; i++) {
		handle event;

		expect(0, api.BeginSample(i));
		event = launch(on);
		expect(0, api.EndSample());
		cl.clFinish(on);
		out_kernels[i] = duration_of(event);
		out_by_hand[i] = measure_by_hand(on);
	}
	for (gpa_uint32 i = LAUNCHES; i < LAUNCHES + BARE; i++) {
		expect(0, api.BeginSample(i));
		expect(0, api.EndSample());
	}
	expect(0, api.EndPass());
	expect(0, api.EndSession());
	return session;
}

static void check_gpu_time(handle on)
{
	double kernels[LAUNCHES], by_hand[LAUNCHES], more[LAUNCHES], bare[BARE], value;
	gpa_uint32 session, index;
	gpa_bool ready;

	cl.clReleaseEvent(launch(on)); /* compiles */
	cl.clFinish(on);
	expect(0, api.OpenContext(on));
	expect(0, api.GetCounterIndex("GPUTime", &index));
	expect(0, api.EnableCounter(index));
	session = sample_kernels(on, kernels, by_hand);
	for (gpa_uint32 i = 0; i < LAUNCHES; i++) {
		expect(0, api.GetSampleFloat64(session, i, index, &value));
		assert_true(kernels[i] > 0);
		assert_true(value >= kernels[i]);
		more[i] = value - kernels[i];
	}
	for (gpa_uint32 i = 0; i < BARE; i++)
		expect(0, api.GetSampleFloat64(session, LAUNCHES + i, index, &bare[i]));
	expect(0, api.IsSessionReady(&ready, session));
	assert_int_equal(ready, 1);
	expect(0, api.CloseContext());
	qsort(more, LAUNCHES, sizeof(*more), compare);
	qsort(by_hand, LAUNCHES, sizeof(*by_hand), compare);
	qsort(bare, BARE, sizeof(*bare), compare);
	print_message("more than the kernel, us: %.1f at least, median %.1f; by hand %.1f, %.1f; "
		      "bare markers %.1f, %.1f\n",
		      more[0] * 1e3, more[LAUNCHES / 2] * 1e3, by_hand[0] * 1e3,
		      by_hand[LAUNCHES / 2] * 1e3, bare[0] * 1e3, bare[BARE / 2] * 1e3);
	/* single launches may be late on a busy machine, but not all of them */
	assert_true(more[0] <= by_hand[LAUNCHES / 2]);
}

static void gpu_time_is_that_of_the_kernel(void **state)
{
	check_gpu_time(queue);
	if (loose_queue)
		check_gpu_time(loose_queue);
}

static gpa_uint64 read_clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (gpa_uint64)time.tv_sec * 1000000000u + (gpa_uint64)time.tv_nsec;
}

/* A sample of LAUNCHES kernels and one of nothing; the first one's CPU time and elapsed time. */
static gpa_uint32 sample_cpu(gpa_uint64 *out_cpu_ns, gpa_uint64 *out_elapsed_ns)
{
	gpa_uint32 session;

	expect(0, api.BeginSession(&session));
	expect(0, api.BeginPass());
	*out_elapsed_ns = read_clock_ns(CLOCK_MONOTONIC);
	expect(0, api.BeginSample(1));
	*out_cpu_ns = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	for (int i = 0; i < LAUNCHES; i++)
		cl.clReleaseEvent(launch(queue));
	cl.clFinish(queue);
	*out_cpu_ns = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - *out_cpu_ns;
	expect(0, api.EndSample());
	*out_elapsed_ns = read_clock_ns(CLOCK_MONOTONIC) - *out_elapsed_ns;
	expect(0, api.BeginSample(2));
	expect(0, api.EndSample());
	expect(0, api.EndPass());
	expect(0, api.EndSession());
	return session;
}

/*
 * The kernel runs on threads of the driver: their time is in it. Time that a hypervisor took away
 * is in it too, and not in the process' CPU time.
 */
static void a_cpu_is_counted_while_the_kernel_runs(void **state)
{
	gpa_uint64 cpu_ns, elapsed_ns, value = 0, nothing = 0;
	gpa_uint32 index, session;

	expect(0, api.OpenContext(queue));
	if (api.GetCounterIndex("task-clock", &index)) {
		print_message("no CPU, or Linux counts nothing here: skipped\n");
		expect(0, api.CloseContext());
		return;
	}
	expect(0, api.EnableCounter(index));
	session = sample_cpu(&cpu_ns, &elapsed_ns);
	expect(0, api.GetSampleUInt64(session, 1, index, &value));
	expect(0, api.GetSampleUInt64(session, 2, index, &nothing));
	expect(0, api.CloseContext());
	print_message("task-clock, us: %.0f, and %.0f of nothing; %.0f of CPU time, %.0f elapsed\n",
		      (double)value / 1e3, (double)nothing / 1e3, (double)cpu_ns / 1e3,
		      (double)elapsed_ns / 1e3);
	assert_in_range(value, cpu_ns - cpu_ns / 20,
			elapsed_ns * (gpa_uint64)sysconf(_SC_NPROCESSORS_ONLN));
	assert_true(nothing < value / 4);
}

static void expect_no_times(GPA_Status status)
{
	assert_int_equal(status, 27);
	assert_non_null(strstr(gpa_seen.last, "CL_QUEUE_PROFILING_ENABLE"));
	assert_non_null(strstr(gpa_seen.last, "0x0"));
	expect(2, api.CloseContext());
}

/* Where Linux counts, that is what is left of a CPU's queue; where nothing is it is refused. */
static void a_queue_without_times(void **state)
{
	GPA_Status status = api.OpenContext(bare_queue);
	gpa_uint32 index;

	if (!status) {
		expect(5, api.GetCounterIndex("GPUTime", &index));
		expect(0, api.GetCounterIndex("task-clock", &index));
		expect(0, api.CloseContext());
		return;
	}
	expect_no_times(status);
}

/* The same where the kernel has no perf_event_open(), as in some containers: from here on in this
 * thread. */
static void a_queue_without_times_or_perf(void **state)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = {.len = sizeof(lines) / sizeof(*lines), .filter = lines};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
		print_message("no filter of system calls can be set here\n");
		skip();
	}
	expect_no_times(api.OpenContext(bare_queue));
}

/* The other library in the same process, for all to see: each has its own contexts. */
static void both_libraries_keep_apart(void **state)
{
	struct gpa_api gl;
	gpa_uint32 count;

	gpa_load(getenv("TACHO_GPA_GL"), &gl);
	assert_ptr_not_equal(gl.OpenContext, api.OpenContext);
	expect(0, api.OpenContext(queue));
	assert_int_equal(gl.GetNumCounters(&count), GPA_STATUS_ERROR_COUNTERS_NOT_OPEN);
	assert_int_equal(gl.Destroy(), 0);
	expect(0, api.GetNumCounters(&count));
	assert_true(count > 0);
	expect(0, api.CloseContext());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_has_gpu_time),
		cmocka_unit_test(gpu_time_is_that_of_the_kernel),
		cmocka_unit_test(a_cpu_is_counted_while_the_kernel_runs),
		cmocka_unit_test(a_queue_without_times),
		cmocka_unit_test(both_libraries_keep_apart),
		cmocka_unit_test(a_queue_without_times_or_perf), /* the last: the filter stays */
	};
	int failed;

	unsetenv("TACHO_SIM");
	/* PoCL alone where it is: other drivers leak as soon as the loader loads them. */
	if (access(POCL, R_OK) == 0)
		setenv("OCL_ICD_VENDORS", POCL, 0);
	if (!prepare()) {
		puts("no OpenCL driver that runs kernels: skipped");
		return 77;
	}
	gpa_load(getenv("TACHO_GPA_CL"), &api);
	api.RegisterLoggingCallback(GPA_LOGGING_ALL, gpa_on_message);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	api.Destroy();
	cl.clReleaseMemObject(buffer);
	cl.clReleaseKernel(kernel);
	cl.clReleaseProgram(program);
	cl.clReleaseCommandQueue(queue);
	cl.clReleaseCommandQueue(bare_queue);
	if (loose_queue)
		cl.clReleaseCommandQueue(loose_queue);
	cl.clReleaseContext(context);
	return failed;
}
