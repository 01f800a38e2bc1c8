/* SPDX-License-Identifier: MIT */
/* Calls and their arguments in the trace for Perfetto, and where they are drawn. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "perfetto_decoder.h"
#include "sample_recording.h"
#include "test_folder.h"
#include "perfetto_trace.h"

/* Every call is a slice of its own thread with its own times, and nothing is around it. */
static void test_all_calls(void **state)
{
	struct fake_recording *recordings[] = {sample_vadd(), sample_mixed()};

	for (size_t k = 0; k < 2; k++) {
		const struct fake_recording *recording = recordings[k];
		struct decoded *trace = export_trace(recordings[k]);

		for (size_t i = 0; i < recording->call_count; i++) {
			const struct tacho_call *call = &recording->calls[i].call;
			const struct decoded_event *slice = NULL;

			for (size_t j = 0; j < trace->event_count && !slice; j++)
				if (trace->events[j].start_ns == call->start_ns &&
				    !strcmp(trace->events[j].name, call->function->name))
					slice = &trace->events[j];
			assert_non_null(slice);
			check_time(slice, call->start_ns, call->end_ns);
			assert_int_equal(slice->depth, 0);
			assert_int_equal(slice->track->tid, call->thread);
			assert_int_equal(slice->track->pid, call->process->pid);
			assert_string_equal(slice->category, call->function->api);
		}
		free(trace);
	}
}

static void test_arguments(void **state)
{
	struct decoded *trace = export_trace(sample_vadd());
	const struct decoded_event *call = decoded_get(trace, "clEnqueueWriteBuffer", 0);

	HAS(call, "arguments.command_queue=p1c5f2a0");
	HAS(call, "arguments.blocking_write=CL_TRUE");
	HAS(call, "arguments.offset=u0");
	HAS(call, "arguments.size=u4096");
	HAS(call, "arguments.event_wait_list=NULL");
	HAS(call, "result=CL_SUCCESS");
	HAS(call, "index=u1");
	HAS(call, "command_id=u1");
	assert_null(strstr(call->notes, "failed"));
	HAS(decoded_get(trace, "clEnqueueNDRangeKernel", 0), "arguments.global_work_size=[1024]");
	HAS(decoded_get(trace, "clGetPlatformIDs", 0), "arguments.platforms=[0x7F1A2B3C4D50]");
	free(trace);
	trace = export_trace(sample_mixed());
	HAS(decoded_get(trace, "clCreateContext", 0), "failed=true");
	assert_null(strstr(decoded_get(trace, "clSVMFree", 0)->notes, "result"));
	free(trace);
}

/* What looks like a number is one only when nothing is lost by that. */
static void test_printed_numbers(void **state)
{
	static const struct {
		const char *printed, *note;
	} cases[] = {{"18446744073709551615", "a=u18446744073709551615"},
		     {"18446744073709551616", "a=18446744073709551616"},
		     {"-1", "a=i-1"},
		     {"-9223372036854775807", "a=i-9223372036854775807"},
		     {"-0", "a=-0"},
		     {"007", "a=007"},
		     {"", "a="},
		     {"-", "a=-"},
		     {"0x", "a=0x"},
		     {"0xFFFFFFFFFFFFFFFF", "a=pffffffffffffffff"},
		     {"0x10000000000000000", "a=0x10000000000000000"},
		     {"12a", "a=12a"},
		     {"1.5", "a=1.5"},
		     {"dead", "a=dead"},
		     {"0", "a=u0"}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fake_recording recording = *sample_vadd();
		struct fake_call call = recording.calls[3];
		struct decoded *trace;

		call.names[0] = "a";
		call.arguments[0] = cases[i].printed;
		recording.calls = &call;
		recording.call_count = 1;
		trace = export_trace(&recording);
		if (!strstr(decoded_get(trace, "clFinish", 0)->notes, cases[i].note))
			fail_msg("%s: %s", cases[i].printed,
				 decoded_get(trace, "clFinish", 0)->notes);
		free(trace);
	}
}

static void test_flows(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct decoded *trace = export_trace(&recording);
	struct tacho_command early = *recording.calls[2].call.command;
	struct fake_call call = recording.calls[2];

	assert_int_equal(decoded_get(trace, "clEnqueueWriteBuffer", 0)->flow, 1);
	assert_int_equal(decoded_get(trace, "CL_COMMAND_WRITE_BUFFER", 0)->terminating_flow, 1);
	assert_int_equal(decoded_get(trace, "clEnqueueNDRangeKernel", 0)->flow, 2);
	assert_int_equal(decoded_get(trace, "vadd", 1)->terminating_flow, 2);
	assert_int_equal(decoded_get(trace, "clFinish", 0)->flow, 0);
	free(trace);

	/* By the clocks it began before it was asked for: the arrow would lie. */
	early.start_ns = call.call.start_ns - 1;
	call.call.command = &early;
	recording.calls = &call;
	recording.call_count = 1;
	trace = export_trace(&recording);
	assert_int_equal(decoded_get(trace, "clEnqueueNDRangeKernel", 0)->flow, 0);
	assert_int_equal(decoded_get(trace, "vadd", 1)->terminating_flow, 0);
	HAS(decoded_get(trace, "clEnqueueNDRangeKernel", 0), "command_id=u2");
	free(trace);
}

/* Times that are not there are not drawn; the call says why. */
static void test_no_times(void **state)
{
	struct decoded *trace = export_trace(sample_mixed());
	const struct decoded_event *refused = NULL, *lost = NULL;

	for (size_t i = 0; i < trace->event_count; i++) {
		assert_string_not_equal(trace->events[i].name, "odd, name");
		if (trace->events[i].start_ns == 1000000110000)
			refused = &trace->events[i];
		if (trace->events[i].start_ns == 1000000120000 && trace->events[i].track->tid)
			lost = &trace->events[i];
	}
	assert_non_null(refused);
	HAS(refused, "command_not_drawn.state=absent");
	HAS(refused, "command_not_drawn.reason=the driver counts 0, 1, 2, 3");
	HAS(refused, "command_not_drawn.name=odd, name");
	HAS(refused, "command_not_drawn.global[2]=u3");
	assert_int_equal(refused->flow, 0);
	assert_non_null(lost);
	HAS(lost, "command_not_drawn.state=lost");
	HAS(lost, "command_not_drawn.bytes=u64");
	free(trace);
}

static void test_nested_calls(void **state)
{
	static const uint64_t times[][2] = {{20, 30}, {30, 40}, {10, 50}, {10, 60}, {55, 70}};
	struct fake_recording recording = *sample_vadd();
	struct fake_call calls[5];
	struct decoded *trace;
	const struct decoded_event *slices;

	for (size_t i = 0; i < 5; i++) {
		calls[i] = recording.calls[3];
		calls[i].call.start_ns = times[i][0];
		calls[i].call.end_ns = times[i][1];
	}
	recording.calls = calls;
	recording.call_count = 5;
	recording.run.start_ns = 1;
	trace = export_trace(&recording);
	slices = &trace->events[1]; /* behind the run */
	assert_int_equal(trace->event_count, 6 + 1);
	check_time(&slices[0], 10, 50);
	check_time(&slices[1], 10, 60); /* begins with the one that it contains: elsewhere */
	check_time(&slices[2], 20, 30);
	check_time(&slices[3], 30, 40);
	check_time(&slices[4], 55, 70); /* cuts the one before */
	assert_int_equal(slices[0].depth, 0);
	assert_int_equal(slices[1].depth, 0);
	assert_int_equal(slices[2].depth, 1);
	assert_int_equal(slices[3].depth, 1);
	assert_int_equal(slices[4].depth, 0);
	assert_ptr_equal(slices[0].track, slices[4].track);
	assert_int_equal(slices[1].track->parent_uuid, slices[0].track->uuid);
	assert_string_equal(slices[1].track->name, "overlapping calls");
	free(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_calls),	cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_printed_numbers), cmocka_unit_test(test_flows),
		cmocka_unit_test(test_no_times),	cmocka_unit_test(test_nested_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
