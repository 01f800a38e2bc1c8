/* SPDX-License-Identifier: MIT */
/*
 * Programs and kernels as tools hear of them: before the first launch, when the program goes, and
 * at the end. Each case has a process of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "face/rocprofiler/rocprofiler.h"
#include "rocp_source.h"
#include "rocp_tool.h"

#define OK(call) assert_int_equal(call, ROCPROFILER_STATUS_SUCCESS)

enum { PASSED = 42 };

/* What was told, in order: "+o1" a code object came, "-k2" kernel 2 goes, "d2" it is launched. */
static char told[1024];
static rocprofiler_context_id_t contexts[2];
static rocprofiler_client_finalize_t finalize_tool;
static rocprofiler_client_id_t client;
static char last_name[64];

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...)
{
	size_t size = strlen(told);
	va_list list;

	va_start(list, format);
	vsnprintf(told + size, sizeof(told) - size, format, list);
	va_end(list);
}

static void expect(const char *expected)
{
	assert_string_equal(told, expected);
	told[0] = '\0';
}

static void on_event(rocprofiler_callback_tracing_record_t record,
		     rocprofiler_user_data_t *user_data, void *user)
{
	const char *mark = record.phase == ROCPROFILER_CALLBACK_PHASE_LOAD ? "+" : "-";
	const char *prefix = user;

	assert_int_equal(record.kind, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT);
	assert_int_equal(record.thread_id, gettid());
	if (record.operation == ROCPROFILER_CODE_OBJECT_LOAD) {
		rocprofiler_callback_tracing_code_object_load_data_t *data = record.payload;

		assert_int_equal(data->size, sizeof(*data));
		assert_non_null(data->uri);
		assert_int_not_equal(data->agent_id.handle, 0);
		note("%s%so%d ", prefix, mark, (int)data->code_object_id);
	} else {
		rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t *data =
			record.payload;

		assert_int_equal(record.operation,
				 ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER);
		assert_int_equal(data->size, sizeof(*data));
		assert_int_equal(data->group_segment_size, 512);
		assert_int_equal(data->private_segment_size, 16);
		snprintf(last_name, sizeof(last_name), "%s", data->kernel_name);
		note("%s%sk%d.%d ", prefix, mark, (int)data->code_object_id, (int)data->kernel_id);
	}
	/* What a tool keeps at the load comes back at the unload. */
	assert_int_equal(user_data->value,
			 record.phase == ROCPROFILER_CALLBACK_PHASE_LOAD ? 0 : 99);
	user_data->value = 99;
}

static void on_launch(rocprofiler_dispatch_counting_service_data_t data,
		      rocprofiler_counter_config_id_t *config, rocprofiler_user_data_t *user_data,
		      void *unused)
{
	note("d%d ", (int)data.dispatch_info.kernel_id);
}

static void on_values(rocprofiler_dispatch_counting_service_data_t data,
		      rocprofiler_counter_record_t *values, size_t count,
		      rocprofiler_user_data_t user_data, void *unused)
{
}

static rocprofiler_status_t trace(rocprofiler_context_id_t context,
				  rocprofiler_callback_tracing_kind_t kind,
				  const rocprofiler_tracing_operation_t *operations, size_t count,
				  const char *prefix)
{
	return rocprofiler_configure_callback_tracing_service(context, kind, operations, count,
							      on_event, (void *)prefix);
}

static int initialize(rocprofiler_client_finalize_t finalize, void *unused)
{
	const rocprofiler_tracing_operation_t kernels[] = {
		ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER};
	const rocprofiler_tracing_operation_t wrong[] = {ROCPROFILER_CODE_OBJECT_LAST};
	const rocprofiler_callback_tracing_kind_t code = ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT;

	finalize_tool = finalize;
	OK(rocprofiler_create_context(&contexts[0]));
	OK(rocprofiler_create_context(&contexts[1]));
	OK(trace(contexts[0], code, NULL, 0, ""));
	OK(rocprofiler_configure_callback_dispatch_counting_service(contexts[0], on_launch, NULL,
								    on_values, NULL));
	assert_int_equal(trace(contexts[0], code, NULL, 0, ""),
			 ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED);
	assert_int_equal(trace(contexts[1], code, wrong, 1, ""),
			 ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND);
	assert_int_equal(
		trace(contexts[1], ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, NULL, 0, ""),
		ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED);
	assert_int_equal(trace(contexts[1], ROCPROFILER_CALLBACK_TRACING_LAST, NULL, 0, ""),
			 ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND);
	assert_int_equal(trace((rocprofiler_context_id_t){55}, code, NULL, 0, ""),
			 ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND);
	OK(trace(contexts[1], code, kernels, 1, "2:"));
	return 0;
}

static void finalize(void *unused)
{
	note("finalize ");
}

static rocprofiler_tool_configure_result_t *configure_tool(uint32_t version, const char *runtime,
							   uint32_t priority,
							   rocprofiler_client_id_t *id)
{
	static rocprofiler_tool_configure_result_t result = {sizeof(result), initialize, finalize,
							     NULL};

	memcpy(&client, id, sizeof(client));
	return &result;
}

static void run(uint64_t program, uint64_t kernel, const char *name)
{
	struct tacho__launch launch = source_launch();

	launch.program = program;
	launch.kernel = kernel;
	launch.name = name;
	source_run(&launch, NULL);
}

static void case_order(void)
{
	OK(rocprofiler_force_configure(configure_tool));
	assert_int_equal(trace(contexts[1], ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, NULL, 0, ""),
			 ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
	OK(rocprofiler_start_context(contexts[0]));
	run(1, 10, "add");
	expect("+o1 +k1.1 d1 ");
	assert_string_equal(last_name, "add");
	run(1, 10, "add");
	run(1, 11, "add"); /* another handle of the same kernel */
	expect("d1 d1 ");
	run(1, 12, "scale");
	run(2, 10, "add"); /* of another program, with a handle that was used before */
	expect("+k1.2 d2 +o2 +k2.3 d3 ");
	/* The object first, so that a tool can still name what its buffers hold. */
	tacho__launch_unload(SOURCE_API, 1);
	expect("-o1 -k1.2 -k1.1 ");
	run(1, 10, "add");
	expect("+o3 +k3.4 d4 ");
	tacho__launch_unload(SOURCE_API, 1);
	run(1, 10, "add"); /* a new program that looks just like the last one */
	expect("-o3 -k3.4 +o4 +k4.5 d5 ");
	tacho__launch_unload(SOURCE_API + 1, 1);
	expect("");
	finalize_tool(client);
	expect("-o4 -k4.5 -o2 -k2.3 finalize ");
}

/* A context that starts later hears of what is there; one that is stopped, that it goes. */
static void case_late(void)
{
	OK(rocprofiler_force_configure(configure_tool));
	OK(rocprofiler_start_context(contexts[0]));
	run(1, 10, "add");
	expect("+o1 +k1.1 d1 ");
	OK(rocprofiler_start_context(contexts[1]));
	expect("2:+k1.1 ");
	run(1, 11, "scale");
	assert_non_null(strstr(told, "2:+k1.2 "));
	assert_non_null(strstr(told, " d2 "));
	told[0] = '\0';
	OK(rocprofiler_stop_context(contexts[1]));
	OK(rocprofiler_stop_context(contexts[0]));
	assert_false(tacho__launches_are_wanted());
	run(1, 12, "last"); /* nobody hears of it */
	expect("");
	OK(rocprofiler_start_context(contexts[1]));
	expect("");
	tacho__launch_unload(SOURCE_API, 1);
	expect("-o1 -k1.2 2:-k1.2 -k1.1 2:-k1.1 ");
}

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
	assert_int_equal(WEXITSTATUS(status), PASSED);
}

static void test_order(void **state)
{
	in_a_process(case_order);
}

static void test_late(void **state)
{
	in_a_process(case_late);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
