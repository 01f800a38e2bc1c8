/* SPDX-License-Identifier: MIT */
/* What the files of the fake library share. */
#ifndef TESTS_FAKE_ROCM_FAKE_PRIVATE_H
#define TESTS_FAKE_ROCM_FAKE_PRIVATE_H

#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fake.h"

enum {
	TOOLS_MAX = 8,
	CONTEXTS_MAX = 16,
	BUFFERS_MAX = 16,
	KINDS_MAX = 40,
	HEADERS_MAX = 65536,
	VALUES_MAX = 8192,
};

struct tool {
	rocprofiler_client_id_t *id;
	rocprofiler_tool_configure_result_t *result;
};

struct context {
	bool is_active;
	uint32_t buffer_of[KINDS_MAX]; /* by kind of records, plus 1 */
	rocprofiler_callback_tracing_cb_t callback_of[KINDS_MAX];
	void *callback_data[KINDS_MAX];
	bool only_enqueue; /* of KERNEL_DISPATCH */
	rocprofiler_dispatch_counting_service_cb_t on_dispatch;
	rocprofiler_dispatch_counting_record_cb_t on_values;
	void *dispatch_data, *values_data;
	uint32_t values_buffer; /* without on_values: plus 1 */
};

struct buffer {
	size_t watermark, used;
	rocprofiler_buffer_tracing_cb_t callback;
	void *data;
	uint64_t context;
	rocprofiler_record_header_t *headers[HEADERS_MAX];
	size_t count, seen;
	uint64_t dropped;
};

struct fake_sdk {
	atomic_uint misuses, configuring;
	bool is_locked, is_finished;
	struct tool tools[TOOLS_MAX];
	uint32_t tool_count, context_count, buffer_count;
	struct context contexts[CONTEXTS_MAX];
	struct buffer buffers[BUFFERS_MAX];
	pthread_mutex_t lock; /* of buffers */
	char kernels[256][128];
	uint32_t kernel_count;
	uint32_t flushes; /* that tools asked for */
	atomic_ullong correlations, dispatches, counted;
};

extern struct fake_sdk fake_sdk;

#define FAKE_EACH_CONTEXT(context)                                            \
	for (struct context *context = fake_sdk.contexts;                     \
	     context < fake_sdk.contexts + fake_sdk.context_count; context++) \
		if (context->is_active)

/* 0 without the word "name=". */
uint64_t fake_get_number(const char *name);
/* Waits as long as "late=" says. */
void fake_sleep_late(void);
/* Puts the record into the buffers of all contexts that want its kind. */
void fake_put(uint32_t kind, const void *record, size_t size);
/* Puts a record that counting made into a buffer (its number plus 1). */
void fake_put_counted(uint32_t buffer, uint32_t kind, const void *record, size_t size);

#endif
