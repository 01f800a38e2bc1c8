/* SPDX-License-Identifier: MIT */
/* What tests of the GPUPerfAPI face have in common: the library, and two devices behind it. */
#ifndef TACHO_TESTS_GPA_FACE_H
#define TACHO_TESTS_GPA_FACE_H

#include "gpa_api.h"
#include "gpa_fake.h"

static struct gpa_api api;
static struct gpa_fake fake, other;

static inline int gpa_setup(void **state)
{
	fake = other = (struct gpa_fake){.arch = "gfx8", .api = "cl"};
	api.RegisterLoggingCallback(GPA_LOGGING_ALL, gpa_on_message);
	expect(0, api.Initialize());
	return 0;
}

/* Nothing of ours remains. */
static inline int gpa_teardown(void **state)
{
	expect(0, api.Destroy());
	assert_int_equal(fake.units + fake.collections + fake.ranges, 0);
	assert_int_equal(other.units + other.collections + other.ranges, 0);
	expect(0, api.RegisterLoggingCallback(GPA_LOGGING_NONE, NULL));
	return 0;
}

static inline void open_fake(void)
{
	expect(0, api.OpenContext(&fake));
}

/* A counter that is alone in one pass, and as many more as make two passes (LDSInsts is the 8th
 * counter and asks for a ninth event of SQ). */
static inline void enable_two_passes(void)
{
	expect(0, api.EnableAllCounters());
}

/* Passes of samples with these numbers, in one session. */
static inline gpa_uint32 run(const char *const *passes, size_t count)
{
	gpa_uint32 session;

	assert_int_equal(api.BeginSession(&session), 0);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(api.BeginPass(), 0);
		for (const char *id = passes[i]; *id; id++) {
			assert_int_equal(api.BeginSample((gpa_uint32)(*id - '0')), 0);
			assert_int_equal(api.EndSample(), 0);
		}
		api.EndPass();
	}
	api.EndSession();
	return session;
}

static inline gpa_uint32 index_of(const char *name)
{
	gpa_uint32 index;

	expect(0, api.GetCounterIndex(name, &index));
	return index;
}

#endif
