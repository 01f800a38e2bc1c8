/* SPDX-License-Identifier: MIT */
/*
 * The functions of GPUPerfAPI as a program gets them: dlopen() and dlsym(), as AMD's user guide
 * prescribes. Messages are looked at as they come.
 */
#ifndef TACHO_TESTS_GPA_API_H
#define TACHO_TESTS_GPA_API_H

#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "GPUPerfAPI.h"
#include "GPUPerfAPIFunctionTypes.h"

#include <stdint.h>
#include <cmocka.h>

#define GPA_FUNCTIONS(X)           \
	X(RegisterLoggingCallback) \
	X(Initialize)              \
	X(Destroy)                 \
	X(OpenContext)             \
	X(CloseContext)            \
	X(SelectContext)           \
	X(GetNumCounters)          \
	X(GetCounterName)          \
	X(GetCounterDescription)   \
	X(GetCounterDataType)      \
	X(GetCounterUsageType)     \
	X(GetDataTypeAsStr)        \
	X(GetUsageTypeAsStr)       \
	X(EnableCounter)           \
	X(DisableCounter)          \
	X(GetEnabledCount)         \
	X(GetEnabledIndex)         \
	X(IsCounterEnabled)        \
	X(EnableCounterStr)        \
	X(DisableCounterStr)       \
	X(EnableAllCounters)       \
	X(DisableAllCounters)      \
	X(GetCounterIndex)         \
	X(GetPassCount)            \
	X(BeginSession)            \
	X(EndSession)              \
	X(BeginPass)               \
	X(EndPass)                 \
	X(BeginSample)             \
	X(EndSample)               \
	X(GetSampleCount)          \
	X(IsSampleReady)           \
	X(IsSessionReady)          \
	X(GetSampleUInt64)         \
	X(GetSampleUInt32)         \
	X(GetSampleFloat64)        \
	X(GetSampleFloat32)        \
	X(GetDeviceID)             \
	X(GetDeviceDesc)           \
	X(GetStatusAsStr)

struct gpa_api {
	void *library;
#define X(name) GPA_##name##PtrType name;
	GPA_FUNCTIONS(X)
#undef X
};

static inline void gpa_load(const char *path, struct gpa_api *out_api)
{
	out_api->library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	if (!out_api->library)
		fail_msg("%s", dlerror());
#define X(name)                                                           \
	*(void **)&out_api->name = dlsym(out_api->library, "GPA_" #name); \
	assert_non_null(out_api->name);
	GPA_FUNCTIONS(X)
#undef X
}

/* Messages since the last look. */
struct gpa_seen {
	unsigned errors, messages, traces;
	char last[2048]; /* error or message */
};
static struct gpa_seen gpa_seen;

static inline void gpa_on_message(GPA_Logging_Type type, const char *text)
{
	size_t size = strlen(text);

	assert_true(size > 1);
	assert_int_equal(text[size - 1], '.');
	assert_null(strchr(text, '\n'));
	gpa_seen.errors += type == GPA_LOGGING_ERROR;
	gpa_seen.messages += type == GPA_LOGGING_MESSAGE;
	gpa_seen.traces += type == GPA_LOGGING_TRACE;
	if (type != GPA_LOGGING_TRACE)
		snprintf(gpa_seen.last, sizeof(gpa_seen.last), "%s", text);
}

/* The status of a call; each error logs just one message, success logs no error. */
#define expect(status, call)                                                                \
	do {                                                                                \
		GPA_Status got_;                                                            \
		gpa_seen = (struct gpa_seen){0};                                            \
		got_ = (call);                                                              \
		if (got_ != (GPA_Status)(status))                                           \
			fail_msg("%s:%d: %s is %d, not %d (%s)", __FILE__, __LINE__, #call, \
				 (int)got_, (int)(status), gpa_seen.last);                  \
		assert_int_equal(gpa_seen.errors, got_ != GPA_STATUS_OK);                   \
	} while (0)

#endif
