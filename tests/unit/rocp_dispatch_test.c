/* SPDX-License-Identifier: MIT */
/*
 * Counting of launches as a tool of ROCprofiler-SDK sees it: launches of a made-up API, counted on
 * a simulated MI300X. Each case has a process of its own, for tools are configured once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "face/rocprofiler/rocprofiler.h"
#include "intercept/launch_devices.h"
#include "record/wire.h"
#include "rocp_source.h"
#include "rocp_tool.h"

#define OK(call)     assert_int_equal(call, ROCPROFILER_STATUS_SUCCESS)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum {
	PASSED = 42,
	SKIPPED = 43,
	WAVES = 16, /* of source_launch(): 16 groups of 64 */
	HEADERS_MAX = 64,
	VALUES_MAX = 4096,
	BUFFER_BYTES = 1 << 16,
};

/* ---- the tool ---- */

/* What a tool got: records in their order. */
struct got {
	pthread_mutex_t lock;
	size_t header_count, value_count;
	rocprofiler_dispatch_counting_service_record_t headers[HEADERS_MAX];
	rocprofiler_counter_record_t values[VALUES_MAX];
	size_t first_values[HEADERS_MAX]; /* of each header */
	size_t misplaced;		  /* values that are not as many as their header says */
	uint64_t dropped;
};

static struct {
	rocprofiler_context_id_t context;
	rocprofiler_buffer_id_t buffer;
	rocprofiler_agent_id_t gpus[2];
	size_t gpu_count;
	rocprofiler_counter_config_id_t config; /* 0: no profile */
	uint64_t user_value;
	size_t asked, found_dirty; /* dispatch callbacks; with user data that was not 0 */
	rocprofiler_dispatch_counting_service_data_t last;
	void (*configure)(void);
	void (*on_launch)(void);
	struct got got;
} tool = {.got = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static rocprofiler_counter_config_id_t make_config(rocprofiler_agent_id_t agent)
{
	rocprofiler_counter_config_id_t config =
		tool_make_config(agent, tool_counters, TOOL_COUNTERS);

	assert_int_not_equal(config.handle, 0);
	return config;
}

static void on_launch(rocprofiler_dispatch_counting_service_data_t data,
		      rocprofiler_counter_config_id_t *config, rocprofiler_user_data_t *user_data,
		      void *user)
{
	assert_ptr_equal(user, &tool);
	assert_int_equal(config->handle, 0);
	tool.asked++;
	tool.found_dirty += user_data->value != 0;
	tool.last = data;
	user_data->value = tool.user_value;
	if (tool.on_launch)
		tool.on_launch();
	*config = tool.config;
}

static void take_header(struct got *got,
			const rocprofiler_dispatch_counting_service_record_t *header)
{
	assert_true(got->header_count < HEADERS_MAX);
	got->first_values[got->header_count] = got->value_count;
	got->headers[got->header_count++] = *header;
}

static void on_records(rocprofiler_context_id_t context, rocprofiler_buffer_id_t buffer,
		       rocprofiler_record_header_t **headers, size_t count, void *user,
		       uint64_t dropped)
{
	struct got *got = user;
	uint64_t expected = 0;

	assert_int_equal(context.handle, tool.context.handle);
	assert_int_equal(buffer.handle, tool.buffer.handle);
	pthread_mutex_lock(&got->lock);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(headers[i]->category, ROCPROFILER_BUFFER_CATEGORY_COUNTERS);
		if (headers[i]->kind ==
		    ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER) {
			got->misplaced += expected != 0;
			take_header(got, headers[i]->payload);
			expected = got->headers[got->header_count - 1].num_records;
		} else {
			got->misplaced += !expected;
			expected -= expected != 0;
			assert_true(got->value_count < VALUES_MAX);
			got->values[got->value_count++] =
				*(rocprofiler_counter_record_t *)headers[i]->payload;
		}
	}
	got->misplaced += expected != 0;
	got->dropped += dropped;
	pthread_mutex_unlock(&got->lock);
}

static void on_values(rocprofiler_dispatch_counting_service_data_t data,
		      rocprofiler_counter_record_t *values, size_t count,
		      rocprofiler_user_data_t user_data, void *user)
{
	const rocprofiler_dispatch_counting_service_record_t header = {
		.size = sizeof(header),
		.num_records = count,
		.correlation_id = data.correlation_id,
		.start_timestamp = data.start_timestamp,
		.end_timestamp = data.end_timestamp,
		.dispatch_info = data.dispatch_info};
	struct got *got = user;

	assert_int_equal(data.size, sizeof(data));
	assert_int_equal(user_data.value, tool.user_value);
	assert_non_null(values);
	take_header(got, &header);
	assert_true(got->value_count + count <= VALUES_MAX);
	memcpy(got->values + got->value_count, values, count * sizeof(*values));
	got->value_count += count;
}

static void make_context(rocprofiler_buffer_policy_t policy)
{
	OK(rocprofiler_create_context(&tool.context));
	OK(rocprofiler_create_buffer(tool.context, BUFFER_BYTES, BUFFER_BYTES / 2, policy,
				     on_records, &tool.got, &tool.buffer));
}

static void configure_buffer(void)
{
	make_context(ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	OK(rocprofiler_configure_buffer_dispatch_counting_service(tool.context, tool.buffer,
								  on_launch, &tool));
}

static void configure_callback(void)
{
	OK(rocprofiler_create_context(&tool.context));
	OK(rocprofiler_configure_callback_dispatch_counting_service(tool.context, on_launch, &tool,
								    on_values, &tool.got));
}

static int initialize(rocprofiler_client_finalize_t finalize, void *unused)
{
	tool.gpu_count = tool_list_gpus(tool.gpus, COUNT(tool.gpus));
	assert_int_not_equal(tool.gpu_count, 0);
	tool.configure();
	return 0;
}

static void finalize(void *unused)
{
}

static rocprofiler_tool_configure_result_t *configure_tool(uint32_t version, const char *runtime,
							   uint32_t priority,
							   rocprofiler_client_id_t *id)
{
	static rocprofiler_tool_configure_result_t result = {sizeof(result), initialize, finalize,
							     NULL};

	id->name = "test";
	return &result;
}

/* The tool with what `configure` makes; its config is on the first GPU. */
static void begin_with(void (*configure)(void), const char *const *names, size_t count)
{
	tool.configure = configure;
	OK(rocprofiler_force_configure(configure_tool));
	tool.config = tool_make_config(tool.gpus[0], names, count);
	assert_int_not_equal(tool.config.handle, 0);
	OK(rocprofiler_start_context(tool.context));
}

static void begin(void (*configure)(void))
{
	begin_with(configure, tool_counters, TOOL_COUNTERS);
}

static void flush(void)
{
	OK(rocprofiler_flush_buffer(tool.buffer));
	assert_int_equal(tool.got.misplaced, 0);
}

static bool run(const struct source_end *end)
{
	struct tacho__launch launch = source_launch();

	return source_run(&launch, end);
}

/* The sum over the values of a counter of a dispatch; -1: there is none. */
static double sum_of(size_t dispatch, const char *name)
{
	double sum = 0;
	bool is_there = false;

	for (size_t i = 0; i < tool.got.headers[dispatch].num_records; i++) {
		const rocprofiler_counter_record_t *value =
			&tool.got.values[tool.got.first_values[dispatch] + i];

		if (!tool_is_of(value, name))
			continue;
		is_there = true;
		sum += value->counter_value;
	}
	return is_there ? sum : -1;
}

/* ---- cases ---- */

static void check_header(size_t index)
{
	const rocprofiler_dispatch_counting_service_record_t *header = &tool.got.headers[index];
	const rocprofiler_kernel_dispatch_info_t *info = &header->dispatch_info;

	assert_int_equal(header->size, sizeof(*header));
	assert_int_equal(info->size, sizeof(*info));
	assert_int_equal(info->dispatch_id, index + 1);
	assert_int_not_equal(header->correlation_id.internal, 0);
	assert_int_equal(info->agent_id.handle, tool.gpus[0].handle);
	assert_int_equal(info->queue_id.handle, 7);
	assert_int_not_equal(info->kernel_id, 0);
	assert_int_equal(info->grid_size.x, 1024);
	assert_int_equal(info->grid_size.y, 1);
	assert_int_equal(info->workgroup_size.x, 64);
	assert_int_equal(info->group_segment_size, 512);
	assert_int_equal(info->private_segment_size, 16);
}

static void check_two_dispatches(void)
{
	assert_int_equal(tool.asked, 2);
	assert_int_equal(tool.found_dirty, 0);
	assert_int_equal(tool.got.header_count, 2);
	for (size_t i = 0; i < 2; i++) {
		check_header(i);
		assert_float_equal(sum_of(i, "SQ_WAVES"), WAVES, 0);
		assert_true(sum_of(i, "GRBM_COUNT") > 0);
	}
	for (size_t i = 0; i < tool.got.value_count; i++) {
		const rocprofiler_counter_record_t *value = &tool.got.values[i];

		assert_int_equal(value->user_data.value, 77);
		assert_int_equal(value->agent_id.handle, tool.gpus[0].handle);
		assert_int_equal(value->dispatch_id, i < tool.got.first_values[1] ? 1 : 2);
	}
	assert_int_equal(tool.got.headers[0].num_records, TOOL_VALUES);
}

static void case_buffered(void)
{
	begin(configure_buffer);
	tool.user_value = 77;
	assert_true(run(NULL));
	assert_true(run(NULL));
	flush();
	check_two_dispatches();
}

static void case_callback(void)
{
	begin(configure_callback);
	tool.user_value = 77;
	assert_true(run(NULL));
	assert_true(run(NULL));
	check_two_dispatches();
}

static void case_without_profile(void)
{
	begin(configure_buffer);
	assert_true(tacho__launches_are_wanted());
	tool.config.handle = 0;
	assert_false(run(NULL));
	assert_int_equal(tool.asked, 1);
	assert_int_equal(tool.last.dispatch_info.dispatch_id, 1);
	tool.config.handle = 12345; /* there is none */
	assert_false(run(NULL));
	OK(rocprofiler_stop_context(tool.context));
	assert_false(tacho__launches_are_wanted());
	assert_false(run(NULL));
	assert_int_equal(tool.asked, 2);
	flush();
	assert_int_equal(tool.got.header_count, 0);
	OK(rocprofiler_start_context(tool.context));
	assert_true(tacho__launches_are_wanted());
}

/* The first device's launches count on the first GPU, those of another on the second. */
static void case_wrong_agent(void)
{
	struct tacho__launch other = source_launch();

	setenv("TACHO_SIM", "mi300x,mi210", 1);
	begin(configure_buffer);
	assert_int_equal(tool.gpu_count, 2);
	assert_true(run(NULL));
	other.device++;
	assert_false(source_run(&other, NULL)); /* with the first one's config */
	tool.config = make_config(tool.gpus[1]);
	assert_true(source_run(&other, NULL));
	assert_int_equal(tool.last.dispatch_info.agent_id.handle, tool.gpus[1].handle);
	flush();
	assert_int_equal(tool.got.header_count, 2);
	assert_int_equal(tool.got.headers[1].dispatch_info.dispatch_id, 3);
	assert_float_equal(sum_of(1, "SQ_WAVES"), WAVES, 0);
}

/* What was lost leaves a header without values; what the API refused leaves nothing. */
static void case_lost(void)
{
	static const uint32_t ends[] = {TACHO__LAUNCH_FAILED, TACHO__LAUNCH_UNSEEN,
					TACHO__LAUNCH_BESIDE};

	begin(configure_buffer);
	for (size_t i = 0; i < COUNT(ends); i++)
		assert_true(run(&(struct source_end){.end = ends[i]}));
	assert_true(run(&(struct source_end){.end = TACHO__LAUNCH_REFUSED}));
	assert_true(run(NULL));
	flush();
	assert_int_equal(tool.got.header_count, COUNT(ends) + 1);
	for (size_t i = 0; i < COUNT(ends); i++)
		assert_int_equal(tool.got.headers[i].num_records, 0);
	assert_int_equal(tool.got.headers[COUNT(ends)].dispatch_info.dispatch_id, COUNT(ends) + 2);
	assert_float_equal(sum_of(COUNT(ends), "SQ_WAVES"), WAVES, 0);
}

/* Times lie between two of our own; those of an unknown clock are not told. */
static void case_times(void)
{
	rocprofiler_timestamp_t before, after;
	struct source_end foreign = {.times = {TACHO__SLOT_TIMES, 0, 1, 2, 3, 4}};
	struct tacho__launch other = source_launch();

	begin(configure_buffer);
	OK(rocprofiler_get_timestamp(&before));
	assert_true(run(&(struct source_end){.has_times = true}));
	OK(rocprofiler_get_timestamp(&after));
	assert_true(run(NULL)); /* the driver tells none */
	other.device++;		/* its clock is another */
	assert_true(source_run(&other, &foreign));
	flush();
	assert_int_equal(tool.got.header_count, 3);
	assert_true(tool.got.headers[0].start_timestamp >= before);
	assert_true(tool.got.headers[0].start_timestamp <= tool.got.headers[0].end_timestamp);
	assert_true(tool.got.headers[0].end_timestamp <= after);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(tool.got.headers[i].start_timestamp, 0);
		assert_int_equal(tool.got.headers[i].end_timestamp, 0);
	}
}

static rocprofiler_counter_config_id_t made_inside;

static void make_inside(void)
{
	assert_false(run(NULL)); /* a tool's own launches are not counted */
	if (made_inside.handle)
		OK(rocprofiler_destroy_counter_config(made_inside));
	made_inside = make_config(tool.gpus[0]);
	tool.config = made_inside;
}

/* Configs live as long as dispatches use them. */
static void case_config_in_callback(void)
{
	begin(configure_buffer);
	tool.on_launch = make_inside;
	assert_true(run(NULL));
	assert_true(run(NULL));
	flush();
	assert_int_equal(tool.asked, 2);
	assert_int_equal(tool.got.header_count, 2);
	assert_float_equal(sum_of(1, "SQ_WAVES"), WAVES, 0);
}

static void configure_wrongly(void)
{
	rocprofiler_buffer_id_t none = {.handle = 99};
	rocprofiler_context_id_t nothing = {.handle = 99};

	configure_buffer();
	assert_int_equal(rocprofiler_configure_buffer_dispatch_counting_service(
				 nothing, tool.buffer, on_launch, NULL),
			 ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND);
	assert_int_equal(rocprofiler_configure_buffer_dispatch_counting_service(tool.context, none,
										on_launch, NULL),
			 ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
	assert_int_equal(rocprofiler_configure_buffer_dispatch_counting_service(
				 tool.context, tool.buffer, NULL, NULL),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(rocprofiler_configure_callback_dispatch_counting_service(
				 tool.context, on_launch, NULL, NULL, NULL),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
}

static void case_configuration(void)
{
	begin(configure_wrongly);
	assert_int_equal(rocprofiler_configure_buffer_dispatch_counting_service(
				 tool.context, tool.buffer, on_launch, NULL),
			 ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
	assert_int_equal(rocprofiler_configure_callback_dispatch_counting_service(
				 tool.context, on_launch, NULL, on_values, NULL),
			 ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
}

static void stop_before_it_runs(void)
{
	OK(rocprofiler_stop_context(tool.context));
}

/* A launch whose callback was called is counted, though the context is stopped by then. */
static void case_stopped_in_flight(void)
{
	begin(configure_buffer);
	tool.on_launch = stop_before_it_runs;
	assert_true(run(NULL));
	assert_false(run(NULL));
	flush();
	assert_int_equal(tool.asked, 1);
	assert_int_equal(tool.got.header_count, 1);
	assert_float_equal(sum_of(0, "SQ_WAVES"), WAVES, 0);
}

/* What launches tell of themselves needs no device that counts. */
static void case_commands(void)
{
	static const char *const names[] = {"device_time", "start_delay", "work_items",
					    "work_groups", "local_memory"};
	const struct source_end end = {.times = {TACHO__SLOT_TIMES, 0, 100, 200, 350, 1350}};

	unsetenv("TACHO_SIM");
	source_add_device(TACHO__LAUNCH_DEVICE_GPU);
	begin_with(configure_buffer, names, COUNT(names));
	assert_true(run(&end));
	assert_true(run(NULL)); /* no times: two values are missing */
	flush();
	assert_int_equal(tool.got.headers[0].num_records, COUNT(names));
	assert_float_equal(sum_of(0, "device_time"), 1000, 0);
	assert_float_equal(sum_of(0, "start_delay"), 250, 0);
	assert_float_equal(sum_of(0, "work_items"), 1024, 0);
	assert_float_equal(sum_of(0, "work_groups"), 16, 0);
	assert_float_equal(sum_of(0, "local_memory"), 512, 0);
	assert_int_equal(tool.got.headers[1].num_records, COUNT(names) - 2);
	assert_float_equal(sum_of(1, "work_items"), 1024, 0);
}

enum { PAGES = 300 };

static void touch_pages(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	madvise(memory, PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		memory[i * page] = 1;
	munmap(memory, PAGES * page);
}

/* A device of this machine's CPU: without workers of a driver the launching thread is counted. */
static void case_cpu(void)
{
	static const char *const names[] = {"page-faults", "work_items"};

#ifdef __SANITIZE_THREAD__
	print_message("ThreadSanitizer starts a thread of its own, which would count\n");
	_exit(SKIPPED);
#endif
	unsetenv("TACHO_SIM");
	source_add_device(TACHO__LAUNCH_DEVICE_CPU);
	tool.configure = configure_buffer;
	OK(rocprofiler_force_configure(configure_tool));
	tool.config = tool_make_config(tool.gpus[0], names, COUNT(names));
	if (!tool.config.handle) {
		print_message("SKIP: this machine lets nobody count page faults\n");
		_exit(SKIPPED);
	}
	OK(rocprofiler_start_context(tool.context));
	assert_true(run(&(struct source_end){.work = touch_pages}));
	assert_true(run(NULL));
	flush();
	assert_true(sum_of(0, "page-faults") >= PAGES);
	assert_true(sum_of(1, "page-faults") >= 0);
	assert_true(sum_of(1, "page-faults") < PAGES / 2);
	assert_float_equal(sum_of(1, "work_items"), 1024, 0);
}

/* More than a pass: launches of a kernel take turns, and each has the values of its pass. */
static void case_split(void)
{
	static const char *const names[] = {"SQ_WAVES",	       "SQ_INSTS_VALU",	 "SQ_INSTS_SALU",
					    "SQ_INSTS_SMEM",   "SQ_INSTS_LDS",	 "SQ_INSTS_GDS",
					    "SQ_INSTS_BRANCH", "SQ_BUSY_CYCLES", "SQ_WAVE_CYCLES",
					    "SQ_INSTS_VMEM_WR"};
	size_t seen = 0;

	setenv("TACHO_ROCPROFILER_SPLIT", "1", 1);
	begin_with(configure_buffer, names, COUNT(names));
	for (int i = 0; i < 4; i++)
		assert_true(run(NULL));
	flush();
	for (size_t i = 0; i < COUNT(names); i++) {
		double first = sum_of(0, names[i]), second = sum_of(1, names[i]);

		assert_true((first < 0) != (second < 0)); /* in one of them */
		assert_float_equal(sum_of(2, names[i]), first, 0);
		assert_float_equal(sum_of(3, names[i]), second, 0);
		seen += first >= 0;
	}
	assert_in_range(seen, 1, COUNT(names) - 1);
}

/* ---- the program ---- */

static void in_a_process(void (*body)(void))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		tacho__clock_init();
		setenv("TACHO_SIM", "mi300x", 1);
		body();
		_exit(PASSED);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == SKIPPED)
		skip();
	assert_int_equal(WEXITSTATUS(status), PASSED);
}

#define CASES(X)              \
	X(buffered)           \
	X(callback)           \
	X(without_profile)    \
	X(wrong_agent)        \
	X(lost)               \
	X(times)              \
	X(config_in_callback) \
	X(configuration)      \
	X(stopped_in_flight)  \
	X(commands)           \
	X(cpu)                \
	X(split)

#define X(name)                               \
	static void test_##name(void **state) \
	{                                     \
		in_a_process(case_##name);    \
	}
CASES(X)
#undef X

int main(void)
{
	const struct CMUnitTest tests[] = {
#define X(name) cmocka_unit_test(test_##name),
		CASES(X)
#undef X
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
