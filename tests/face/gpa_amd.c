/* SPDX-License-Identifier: MIT */
/*
 * AMD's hardware counters through libGPUPerfAPICL.so, on a driver that is made here
 * (opencl_fake.c): blocks with as many registers as GPUPerfAPI's tables say, and values from which
 * every counter is worked out by hand.
 */
#include "gpa_api.h"

#include "opencl_fake.h"

enum { PROFILING = 2, OUT_OF_ORDER = 1, GPU = 4, AMD = 0x1002 };

/* Numbers of gfx8's blocks in AMD's runtime: roccounters.cpp of ROCclr has the list. */
enum { GRBM = 9, SQ = 14, TA = 23, TCC = 41, TCP = 73, GPIN = 97 };

static struct gpa_api api;
static struct opencl_fake fake;
static char log_text[64 * 1024];

static uint64_t sq_value(uint64_t event)
{
	switch (event) {
	case 4: return 200;	    /* WAVES */
	case 26: return 20000;	    /* INSTS_VALU */
	case 28: return 1600;	    /* INSTS_VMEM_RD */
	case 30: return 4000;	    /* INSTS_SALU */
	case 81: return 72000;	    /* INST_CYCLES_VALU */
	case 86: return 9000;	    /* INST_CYCLES_SALU */
	case 89: return 72000 * 48; /* THREAD_CYCLES_VALU */
	default: return 0;
	}
}

static uint64_t tcc_value(uint64_t channel, uint64_t event)
{
	switch (event) {
	case 18: return 300;			   /* HIT */
	case 19: return 100;			   /* MISS */
	case 26: return 32;			   /* MC_WRREQ */
	case 28: return channel == 6 ? 2500 : 100; /* MC_WRREQ_STALL */
	case 35: return 64 * (channel + 1);	   /* MC_RDREQ */
	default: return 0;
	}
}

static uint64_t get_value(uint64_t block, uint64_t event)
{
	if (block == GRBM)
		return event == 2 ? 10000 : 0; /* GUI_ACTIVE */
	if (block == SQ)
		return sq_value(event);
	if (block >= TA && block < TA + 16)
		return event == 15 ? 1000 * (block - TA + 1) : event == 101 ? 25 : 0;
	if (block >= TCC && block < TCC + 16)
		return tcc_value(block - TCC, event);
	if (block >= TCP && block < TCP + 16)
		return event == 3 ? (block == TCP + 7 ? 4000 : 500) : 0;
	return 0;
}

static uint32_t get_slots(uint64_t block)
{
	if (block == SQ)
		return 8;
	if (block == GRBM || (block >= TA && block < TA + 16))
		return 2;
	return block < GPIN ? 4 : 0;
}

static void on_message(GPA_Logging_Type type, const char *text)
{
	size_t used = strlen(log_text);

	gpa_on_message(type, text);
	snprintf(log_text + used, sizeof(log_text) - used, "%s\n", text);
}

static int reset(void **state)
{
	fake = (struct opencl_fake){.version = "OpenCL 2.0 AMD-APP (fake)",
				    .properties = PROFILING,
				    .type = GPU,
				    .vendor = AMD,
				    .name = "Ellesmere",
				    .board = "AMD Radeon RX 480",
				    .units = 36,
				    .has_counters = 1,
				    .get_slots = get_slots,
				    .get_value = get_value};
	log_text[0] = '\0';
	return 0;
}

static void check_nothing_remains(void)
{
	assert_int_equal(fake.counters, 0);
	assert_int_equal(fake.counting, 0);
	assert_int_equal(fake.events, 0);
	assert_int_equal(fake.queue_references, 0);
}

static gpa_uint32 index_of(const char *name)
{
	gpa_uint32 index = 0;

	expect(0, api.GetCounterIndex(name, &index));
	return index;
}

static void the_list_is_that_of_the_generation(void **state)
{
	static const char *const names[] = {"GPUTime",	    "Wavefronts",  "VALUInsts",
					    "FlatLDSInsts", "MemUnitBusy", "LDSBankConflict"};
	gpa_uint32 count, id;
	const char *text;

	expect(0, api.OpenContext(&fake));
	expect(0, api.GetNumCounters(&count));
	assert_int_equal(count, 1 + 20); /* GPUPerfAPI 2.23: 20 under OpenCL on gfx8 */
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		GPA_Type type;

		expect(0, api.GetCounterDataType(index_of(names[i]), &type));
		assert_int_equal(type, GPA_TYPE_FLOAT64);
	}
	expect(0, api.GetCounterDescription(index_of("Wavefronts"), &text));
	assert_memory_equal(text, "#General#", 9);
	expect(5, api.GetCounterIndex("SQ_SQ_PERF_SEL_WAVES", &id)); /* raw ones are not listed */
	expect(0, api.GetDeviceID(&id));
	assert_int_equal(id, 0x67df);
	expect(0, api.CloseContext());
	assert_true(fake.created > 0); /* every block was tried */
	check_nothing_remains();
}

/* Programs may know counters by their numbers in AMD's library: what it lacks comes behind. */
static void places_are_those_of_amds_library(void **state)
{
	/* of GPUPerfAPI 2.23, where gfx8 has the same as gfx7 */
	static const struct {
		const char *chip, *names;
	} lists[] = {
		{"Tahiti",
		 "Wavefronts VALUInsts SALUInsts VFetchInsts SFetchInsts VWriteInsts LDSInsts "
		 "GDSInsts VALUUtilization VALUBusy SALUBusy FetchSize WriteSize CacheHit "
		 "MemUnitBusy MemUnitStalled WriteUnitStalled LDSBankConflict"},
		{"Hawaii", "Wavefronts VALUInsts SALUInsts VFetchInsts SFetchInsts VWriteInsts "
			   "FlatVMemInsts LDSInsts FlatLDSInsts GDSInsts VALUUtilization VALUBusy "
			   "SALUBusy FetchSize WriteSize CacheHit MemUnitBusy MemUnitStalled "
			   "WriteUnitStalled LDSBankConflict"},
		{"Ellesmere",
		 "Wavefronts VALUInsts SALUInsts VFetchInsts SFetchInsts VWriteInsts "
		 "FlatVMemInsts LDSInsts FlatLDSInsts GDSInsts VALUUtilization VALUBusy "
		 "SALUBusy FetchSize WriteSize CacheHit MemUnitBusy MemUnitStalled "
		 "WriteUnitStalled LDSBankConflict"},
		{"gfx900", "Wavefronts VALUInsts SALUInsts VFetchInsts SFetchInsts VWriteInsts "
			   "FlatVMemInsts LDSInsts FlatLDSInsts GDSInsts VALUUtilization VALUBusy "
			   "SALUBusy FetchSize WriteSize L1CacheHit L2CacheHit MemUnitBusy "
			   "MemUnitStalled WriteUnitStalled LDSBankConflict"},
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		char names[1024], *rest = names, *wanted;
		const char *name;
		gpa_uint32 place = 0;

		strcpy(names, lists[i].names);
		fake.name = lists[i].chip;
		expect(0, api.OpenContext(&fake));
		for (; (wanted = strtok_r(rest, " ", &rest)); place++) {
			expect(0, api.GetCounterName(place, &name));
			assert_string_equal(name, wanted);
		}
		expect(0, api.GetCounterName(place, &name));
		assert_string_equal(name, "GPUTime");
		expect(0, api.CloseContext());
	}
}

/* AMD's library asks no queue to measure times. */
static void a_queue_without_times_counts_the_rest(void **state)
{
	gpa_uint32 count, index;
	const char *name;

	fake.properties = 0;
	expect(0, api.OpenContext(&fake));
	expect(0, api.GetNumCounters(&count));
	assert_int_equal(count, 20);
	expect(0, api.GetCounterName(0, &name));
	assert_string_equal(name, "Wavefronts");
	expect(5, api.GetCounterIndex("GPUTime", &index));
	assert_non_null(strstr(log_text, "GPUTime is left out"));
	assert_non_null(strstr(log_text, "0x0"));
	expect(0, api.EnableCounterStr("Wavefronts"));
	expect(0, api.CloseContext());
}

/* The same samples in as many passes as are asked for. */
static gpa_uint32 take_samples(gpa_uint32 count)
{
	gpa_uint32 session, passes;

	expect(0, api.GetPassCount(&passes));
	expect(0, api.BeginSession(&session));
	for (gpa_uint32 pass = 0; pass < passes; pass++) {
		expect(0, api.BeginPass());
		for (gpa_uint32 i = 1; i <= count; i++) {
			fake.now_ns += 1000;
			expect(0, api.BeginSample(i));
			fake.now_ns += 2000;
			expect(0, api.EndSample());
		}
		expect(0, api.EndPass());
	}
	expect(0, api.EndSession());
	return session;
}

static void check_values(gpa_uint32 session, gpa_uint32 sample)
{
	static const struct {
		const char *name;
		double value;
	} wanted[] = {
		{"GPUTime", 0.002},	  {"Wavefronts", 200}, {"VALUInsts", 100}, /* 20000 / 200 */
		{"SALUInsts", 20},						   /* 4000 / 200 */
		{"VFetchInsts", 6},	  /* (1600 - 16 * 25) / 200 */
		{"VALUUtilization", 75},  /* 48 of 64 lanes */
		{"VALUBusy", 20},	  /* 72000 * 4 / 144 / 10000 */
		{"SALUBusy", 10},	  /* 9000 * 4 / (144 / 4) / 10000 */
		{"FetchSize", 272},	  /* 64 * (1 + ... + 16) * 32 / 1024 */
		{"WriteSize", 16},	  /* 16 * 32 * 32 / 1024 */
		{"CacheHit", 75},	  /* 300 of 400 in each channel */
		{"MemUnitBusy", 40},	  /* 16000 / 10000 / 4 */
		{"MemUnitStalled", 10},	  /* 4000 / 10000 / 4 */
		{"WriteUnitStalled", 25}, /* 2500 / 10000: channel 6 is not left out */
		{"LDSBankConflict", 0},
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		double value = -1;

		expect(0, api.GetSampleFloat64(session, sample, index_of(wanted[i].name), &value));
		if (value < wanted[i].value - 1e-9 || value > wanted[i].value + 1e-9)
			fail_msg("%s is %g, not %g", wanted[i].name, value, wanted[i].value);
	}
}

/* Two passes for all on gfx8, as AMD's scheduler has it, and one for the time alone. */
static void values_are_worked_out_over_passes(void **state)
{
	gpa_uint32 passes, session;

	expect(0, api.OpenContext(&fake));
	expect(0, api.EnableAllCounters());
	expect(0, api.GetPassCount(&passes));
	assert_int_equal(passes, 1 + 2);
	session = take_samples(3);
	assert_int_equal(fake.begins, 2 * 3);
	assert_true(fake.most <= 120); /* the limit of a pass */
	assert_int_equal(fake.markers, 2 * 3);
	check_values(session, 1);
	check_values(session, 3);
	assert_int_equal(fake.counters, 0); /* what was read is given back */
	expect(0, api.CloseContext());
	check_nothing_remains();
}

static void few_counters_take_one_pass(void **state)
{
	gpa_uint32 passes;
	double value;

	expect(0, api.OpenContext(&fake));
	expect(0, api.EnableCounterStr("VALUInsts"));
	expect(0, api.EnableCounterStr("CacheHit"));
	expect(0, api.GetPassCount(&passes));
	assert_int_equal(passes, 1);
	expect(0, api.GetSampleFloat64(take_samples(1), 1, index_of("CacheHit"), &value));
	assert_true(value == 75);
	assert_int_equal(fake.begins, 1);
	assert_int_equal(fake.most, 2 + 2 * 16);
	assert_int_equal(fake.markers, 0); /* times were not asked for */
	expect(0, api.CloseContext());
}

/* Passes of all counters, as AMD's scheduler has them; gfx7 and gfx9 number blocks otherwise. */
static void generations(void **state)
{
	static const struct {
		const char *name;
		gpa_uint32 counters, passes;
	} chips[] = {
		{"Tahiti", 18, 2}, {"Hawaii", 20, 2},
		{"gfx803", 20, 2}, {"gfx906:sramecc+:xnack-", 21, 3},
		{"gfx90c", 21, 3},
	};

	for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
		gpa_uint32 count, passes;

		fake.name = chips[i].name;
		expect(0, api.OpenContext(&fake));
		expect(0, api.GetNumCounters(&count));
		assert_int_equal(count, 1 + chips[i].counters);
		expect(0, api.EnableAllCounters());
		expect(0, api.GetPassCount(&passes));
		assert_int_equal(passes, 1 + chips[i].passes);
		expect(0, api.CloseContext());
	}
	/* by the generation that the driver tells */
	fake.name = "Polaris";
	fake.gfxip = 8;
	expect(0, api.OpenContext(&fake));
	expect(0, api.GetCounterDescription(index_of("CacheHit"), &(const char *){NULL}));
	expect(0, api.CloseContext());
	check_nothing_remains();
}

/* GPUTime alone, and the log tells why. */
static void check_only_time(const char *reason)
{
	gpa_uint32 count;

	log_text[0] = '\0';
	expect(0, api.OpenContext(&fake));
	expect(0, api.GetNumCounters(&count));
	assert_int_equal(count, 1);
	if (!strstr(log_text, "Wavefronts is left out") || !strstr(log_text, reason))
		fail_msg("no \"%s\" in: %s", reason, log_text);
	expect(0, api.CloseContext());
	check_nothing_remains();
}

static void what_the_driver_lacks_is_left_out(void **state)
{
	fake.has_counters = 0;
	check_only_time("the driver \"3.14 (fake)\" does not have");
	reset(state);
	fake.name = "gfx90a:sramecc+";
	fake.gfxip = 9;
	check_only_time("the device is \"gfx90a:sramecc+\"");
	reset(state);
	fake.create_error = -5;
	check_only_time("CL_OUT_OF_RESOURCES (-5) for block SQ");
}

/* One channel of the cache is denied: what needs it is left out, never counted as 0. */
static void a_block_that_is_denied(void **state)
{
	gpa_uint32 count, index;

	fake.denied_block = TCC + 3 + 1;
	expect(0, api.OpenContext(&fake));
	expect(0, api.GetNumCounters(&count));
	assert_int_equal(count, 1 + 20 - 4);
	expect(5, api.GetCounterIndex("FetchSize", &index));
	expect(5, api.GetCounterIndex("WriteUnitStalled", &index));
	assert_non_null(strstr(log_text, "CacheHit is left out"));
	assert_non_null(strstr(log_text, "for block TCC3"));
	expect(0, api.GetCounterIndex("MemUnitBusy", &index));
	expect(0, api.CloseContext());
	check_nothing_remains();
}

/* Queues of others, of which the part knows nothing. */
static void other_devices_have_times(void **state)
{
	gpa_uint32 count;

	fake.vendor = 0x10de;
	expect(0, api.OpenContext(&fake));
	expect(0, api.GetNumCounters(&count));
	assert_int_equal(count, 1);
	assert_null(strstr(log_text, "is left out"));
	assert_int_equal(fake.created, 0);
	expect(0, api.CloseContext());
}

/* Another profiler takes the counters after the context was opened. */
static void samples_that_are_denied(void **state)
{
	gpa_uint32 session, index;
	double value;

	expect(0, api.OpenContext(&fake));
	index = index_of("Wavefronts");
	expect(0, api.EnableCounter(index));
	expect(0, api.BeginSession(&session));
	expect(0, api.BeginPass());
	fake.create_error = -5;
	expect(26, api.BeginSample(1));
	assert_non_null(strstr(gpa_seen.last, "clCreatePerfCounterAMD said CL_OUT_OF_RESOURCES"));
	assert_non_null(strstr(gpa_seen.last, "; the cure: "));
	fake.create_error = 0;
	fake.begin_error = -59;
	expect(26, api.BeginSample(1));
	assert_non_null(strstr(gpa_seen.last, "clEnqueueBeginPerfCounterAMD"));
	fake.begin_error = 0;
	assert_int_equal(fake.counters, 0);
	expect(0, api.BeginSample(1));
	fake.end_error = -59;
	expect(26, api.EndSample());
	expect(16, api.EndSample());
	assert_int_equal(fake.counters, 0);
	fake.end_error = 0;
	fake.counting = 0;
	expect(0, api.BeginSample(2));
	expect(0, api.EndSample());
	expect(0, api.EndPass());
	expect(0, api.EndSession());
	fake.data_error = -7; /* CL_PROFILING_INFO_NOT_AVAILABLE */
	expect(24, api.GetSampleFloat64(session, 2, index, &value));
	expect(24, api.GetSampleFloat64(session, 1, index, &value));
	expect(0, api.CloseContext());
	check_nothing_remains();
}

/* Sessions that nobody read, and one that is open when all is over. */
static void nothing_remains(void **state)
{
	gpa_uint32 session;

	fake.properties |= OUT_OF_ORDER;
	expect(0, api.OpenContext(&fake));
	expect(0, api.EnableCounterStr("CacheHit"));
	take_samples(10);
	assert_int_equal(fake.counters, 10 * 32);
	assert_int_equal(fake.events, 10);
	assert_int_equal(fake.barriers, 10 * 3);
	expect(0, api.BeginSession(&session));
	expect(0, api.BeginPass());
	expect(0, api.BeginSample(1));
	assert_int_equal(fake.counting, 32);
	expect(0, api.Destroy());
	check_nothing_remains();
}

static void values_come_late(void **state)
{
	gpa_uint32 session;
	gpa_bool ready = 7;
	double value;

	expect(0, api.OpenContext(&fake));
	expect(0, api.EnableCounterStr("VALUInsts"));
	fake.status = 1;
	session = take_samples(2);
	expect(0, api.IsSessionReady(&ready, session));
	assert_int_equal(ready, 0);
	assert_true(fake.flushes > 0);
	fake.status = 0;
	expect(0, api.IsSessionReady(&ready, session));
	assert_int_equal(ready, 1);
	expect(0, api.GetSampleFloat64(session, 2, index_of("VALUInsts"), &value));
	assert_true(value == 100);
	expect(0, api.CloseContext());
	check_nothing_remains();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_list_is_that_of_the_generation, reset),
		cmocka_unit_test_setup(places_are_those_of_amds_library, reset),
		cmocka_unit_test_setup(a_queue_without_times_counts_the_rest, reset),
		cmocka_unit_test_setup(values_are_worked_out_over_passes, reset),
		cmocka_unit_test_setup(few_counters_take_one_pass, reset),
		cmocka_unit_test_setup(generations, reset),
		cmocka_unit_test_setup(what_the_driver_lacks_is_left_out, reset),
		cmocka_unit_test_setup(a_block_that_is_denied, reset),
		cmocka_unit_test_setup(other_devices_have_times, reset),
		cmocka_unit_test_setup(samples_that_are_denied, reset),
		cmocka_unit_test_setup(nothing_remains, reset),
		cmocka_unit_test_setup(values_come_late, reset),
	};

	unsetenv("TACHO_SIM");
	gpa_load(getenv("TACHO_GPA_CL"), &api);
	api.RegisterLoggingCallback(GPA_LOGGING_ERROR_AND_MESSAGE, on_message);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
