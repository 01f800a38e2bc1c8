/* SPDX-License-Identifier: MIT */
/*
 * tacho's tool library for ROCprofiler-SDK: AMD's runtimes load AMD's library, which loads this one
 * because ROCP_TOOL_LIBRARIES names it. It is a library of its own: whatever exports
 * rocprofiler_configure is taken for a tool, so the layers of other APIs must not.
 */
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "inject/attribute_env.h"
#include "inject/rocm/rocm_counting.h"
#include "inject/rocm/rocm_functions.h"
#include "inject/rocm/rocm_notes.h"
#include "inject/rocm/rocm_objects.h"
#include "inject/rocm/rocm_records.h"
#include "inject/rocm/rocm_table.h"
#include "intercept/intercept.h"
#include "record/pool.h"
#include "record/writer.h"
#include "tacho/export.h"

enum {
	BUFFER_BYTES = 4 << 20,
	WATERMARK_BYTES = 256 << 10,
	LIBRARY_VERSION_MIN = 10000, /* 1.0.0 */
	FLUSHES_MAX = 2000,
};

/* Tests run over tacho's own library of that name; elsewhere it has a recorder of its own. */
#define FACE_VARIABLE "TACHO_ROCM_OVER_FACE"

TACHO_API rocprofiler_tool_configure_result_t *rocprofiler_configure(uint32_t version,
								     const char *runtime_version,
								     uint32_t priority,
								     rocprofiler_client_id_t *id);

static struct {
	rocprofiler_context_id_t tracing, counting;
	rocprofiler_buffer_id_t buffer;
	bool has_buffer;
	pid_t pid;
} tool;

/* What is not recorded, and why. */
static void tell_unwatched(const char *what, rocprofiler_status_t status)
{
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "unwatched", "%s (%s)", what,
			      tacho__rocm_get_status(status));
	tacho__attributes_add(&attributes, "unseen_work", "1");
	tacho__intercept_process(attributes.text);
}

static void tell_library(const void *caller)
{
	struct tacho__attributes attributes = {.size = 0};
	Dl_info info;

	attributes.text[0] = '\0';
	if (!dladdr(caller, &info) || !info.dli_fname)
		return;
	tacho__attributes_add(&attributes, "loader", "%s", info.dli_fname);
	tacho__intercept_process(attributes.text);
}

/* ---- services ---- */

/* The program gives a kernel to the device, or has just done so. */
static void on_enqueue(rocprofiler_callback_tracing_record_t record,
		       rocprofiler_user_data_t *user_data, void *callback_data)
{
	const rocprofiler_callback_tracing_kernel_dispatch_data_t *data = record.payload;
	int error = errno;

	(void)user_data;
	(void)callback_data;
	if (record.operation == ROCPROFILER_KERNEL_DISPATCH_ENQUEUE &&
	    record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER && data)
		tacho__rocm_counting_launch(&data->dispatch_info);
	errno = error;
}

/* False: the library refuses, which is told. */
static bool trace(const char *what, rocprofiler_buffer_tracing_kind_t kind)
{
	rocprofiler_status_t status = tacho__rocm.configure_buffer_tracing_service(
		tool.tracing, kind, NULL, 0, tool.buffer);

	if (status)
		tell_unwatched(what, status);
	return !status;
}

static void configure_callbacks(void)
{
	static const rocprofiler_tracing_operation_t enqueue[] = {
		ROCPROFILER_KERNEL_DISPATCH_ENQUEUE};
	rocprofiler_status_t status = tacho__rocm.configure_callback_tracing_service(
		tool.tracing, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, NULL, 0,
		tacho__rocm_on_code_object, NULL);

	if (status)
		tell_unwatched("names of kernels", status);
	/* without it launches are placed where their kernels began */
	tacho__rocm.configure_callback_tracing_service(tool.tracing,
						       ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH,
						       enqueue, 1, on_enqueue, NULL);
}

static void configure_tracing(void)
{
	rocprofiler_status_t status = tacho__rocm.create_context(&tool.tracing);

	if (!status)
		status = tacho__rocm.create_buffer(tool.tracing, BUFFER_BYTES, WATERMARK_BYTES,
						   ROCPROFILER_BUFFER_POLICY_LOSSLESS,
						   tacho__rocm_on_records, NULL, &tool.buffer);
	tool.has_buffer = !status;
	if (status) {
		tell_unwatched("HIP and HSA", status);
		return;
	}
	configure_callbacks();
	if (!trace("launches of kernels", ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH))
		tacho__rocm_counting_make_commands();
	trace("copies of memory", ROCPROFILER_BUFFER_TRACING_MEMORY_COPY);
	trace("functions of HIP", ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API);
	trace("functions of HSA", ROCPROFILER_BUFFER_TRACING_HSA_CORE_API);
	trace("AMD's functions of HSA", ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API);
	status = tacho__rocm.start_context(tool.tracing);
	if (status)
		tell_unwatched("HIP and HSA", status);
}

/* A context of its own: what hinders counting does not hinder recording. */
static void configure_counting(void)
{
	rocprofiler_status_t status = tacho__rocm.create_context(&tool.counting);

	if (!status)
		status = tacho__rocm.configure_callback_dispatch_counting_service(
			tool.counting, tacho__rocm_on_dispatch, NULL, tacho__rocm_on_values, NULL);
	if (!status)
		status = tacho__rocm.start_context(tool.counting);
	if (status)
		tacho__rocm_counting_give_up(
			status == ROCPROFILER_STATUS_ERROR_PERMISSION_DENIED
				? "run as root: sysctl kernel.perf_event_paranoid=2; or give the "
				  "program CAP_PERFMON"
				: "look whether another profiler counts on this GPU",
			"AMD's library refuses to count: %s", tacho__rocm_get_status(status));
}

/* ---- the tool ---- */

static int initialize(rocprofiler_client_finalize_t finalize, void *tool_data)
{
	(void)finalize;
	(void)tool_data;
	if (!tacho__rocm_table_make() || !tacho__record_start())
		return 1;
	tool.pid = getpid();
	tell_library((const void *)tacho__rocm.create_context);
	if (!tacho__rocm_records_start()) {
		tell_unwatched("HIP and HSA", ROCPROFILER_STATUS_ERROR);
		return 1;
	}
	tacho__rocm_report_agents();
	tacho__rocm_counting_start();
	configure_tracing();
	if (tacho__rocm_counting_counts())
		configure_counting();
	return 0;
}

/* Another thread of the library's may be delivering it. */
static void flush(void)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	for (int i = 0; i < FLUSHES_MAX && tacho__rocm.flush_buffer(tool.buffer) ==
						   ROCPROFILER_STATUS_ERROR_BUFFER_BUSY;
	     i++)
		nanosleep(&pause, NULL);
}

/* A forked child has none of the library's threads, which it would wait for. */
static void finalize(void *tool_data)
{
	(void)tool_data;
	if (tool.pid != getpid())
		return;
	if (tacho__rocm_counting_counts())
		tacho__rocm.stop_context(tool.counting);
	if (tool.has_buffer) {
		tacho__rocm.stop_context(tool.tracing);
		flush();
	}
	tacho__rocm_counting_finish();
}

/* Where OpenCL is recorded its commands are those of the GPU: they are not recorded twice. */
static bool is_recorded_already(void)
{
	void *layer = dlopen("libtacho-inject.so", RTLD_LAZY | RTLD_NOLOAD);

	if (!layer)
		return false;
	dlclose(layer);
	return atomic_load(&tacho__intercept.subscriber_count) && !getenv(TACHO_COUNTING_VARIABLE);
}

rocprofiler_tool_configure_result_t *rocprofiler_configure(uint32_t version,
							   const char *runtime_version,
							   uint32_t priority,
							   rocprofiler_client_id_t *id)
{
	static rocprofiler_tool_configure_result_t result = {
		.size = sizeof(result), .initialize = initialize, .finalize = finalize};
	const void *caller = __builtin_return_address(0);

	(void)runtime_version;
	(void)priority;
	if (version < LIBRARY_VERSION_MIN || !getenv(TACHO__POOL_VARIABLE) ||
	    is_recorded_already() || (tacho__rocm_is_ours(caller) && !getenv(FACE_VARIABLE)) ||
	    tacho__rocm_resolve(caller))
		return NULL;
	id->name = "tacho";
	return &result;
}
