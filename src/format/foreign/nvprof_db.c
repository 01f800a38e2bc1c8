/* SPDX-License-Identifier: MIT */
/*
 * Databases of nvprof and the Visual Profiler (.nvprof): one process, times since 1970, calls as
 * the numbers that CUPTI gives functions, names of kernels as the compiler mangled them.
 */
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/cuda_work.h"

#define TABLE "CUPTI_ACTIVITY_KIND_"

struct nvprof_db {
	struct tacho__foreign *foreign;
	struct tacho__foreign_db *db;
	struct tacho__foreign_query strings; /* one of them, by its id */
	uint64_t file;			     /* its number, from 1 */
	uint32_t process;
	bool has_process;
	uint64_t rows, unnamed, mangled;
};

static bool fits(const struct tacho__foreign_file *file)
{
	static const char *const tables[] = {TABLE "CONCURRENT_KERNEL", TABLE "KERNEL",
					     TABLE "RUNTIME", TABLE "DRIVER", TABLE "MEMCPY"};

	if (!file->db || !tacho__foreign_db_has(file->db, "StringTable"))
		return false;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(tables); i++)
		if (tacho__foreign_db_has(file->db, tables[i]))
			return true;
	return false;
}

/* ---- calls ---- */

/* What CUPTI's headers call these numbers, as far as they launch, copy, make memory and wait. */
static const struct {
	int64_t number;
	const char *name;
} runtime[] = {{3, "cudaGetDeviceCount"},
	       {4, "cudaGetDeviceProperties"},
	       {8, "cudaConfigureCall"},
	       {9, "cudaSetupArgument"},
	       {10, "cudaGetLastError"},
	       {11, "cudaPeekAtLastError"},
	       {13, "cudaLaunch"},
	       {14, "cudaFuncSetCacheConfig"},
	       {15, "cudaFuncGetAttributes"},
	       {16, "cudaSetDevice"},
	       {17, "cudaGetDevice"},
	       {20, "cudaMalloc"},
	       {22, "cudaFree"},
	       {25, "cudaMallocHost"},
	       {26, "cudaFreeHost"},
	       {27, "cudaHostAlloc"},
	       {30, "cudaMemGetInfo"},
	       {31, "cudaMemcpy"},
	       {32, "cudaMemcpy2D"},
	       {39, "cudaMemcpyToSymbol"},
	       {40, "cudaMemcpyFromSymbol"},
	       {41, "cudaMemcpyAsync"},
	       {49, "cudaMemset"},
	       {51, "cudaMemsetAsync"},
	       {126, "cudaThreadSynchronize"},
	       {129, "cudaStreamCreate"},
	       {130, "cudaStreamDestroy"},
	       {131, "cudaStreamSynchronize"},
	       {132, "cudaStreamQuery"},
	       {133, "cudaEventCreate"},
	       {134, "cudaEventCreateWithFlags"},
	       {135, "cudaEventRecord"},
	       {137, "cudaEventSynchronize"},
	       {138, "cudaEventQuery"},
	       {139, "cudaEventElapsedTime"},
	       {147, "cudaStreamWaitEvent"},
	       {152, "cudaHostRegister"},
	       {161, "cudaMemcpyPeerAsync"},
	       {164, "cudaDeviceReset"},
	       {165, "cudaDeviceSynchronize"},
	       {198, "cudaStreamCreateWithFlags"},
	       {200, "cudaDeviceGetAttribute"},
	       {201, "cudaStreamDestroy"},
	       {206, "cudaMallocManaged"},
	       {211, "cudaLaunchKernel"},
	       {213, "cudaLaunch_ptsz"},
	       {214, "cudaLaunchKernel_ptsz"},
	       {225, "cudaMemcpyAsync_ptsz"},
	       {235, "cudaMemsetAsync_ptsz"},
	       {239, "cudaStreamSynchronize_ptsz"},
	       {240, "cudaStreamQuery_ptsz"},
	       {242, "cudaEventRecord_ptsz"},
	       {247, "cudaStreamWaitEvent_ptsz"},
	       {252, "cudaMemPrefetchAsync"},
	       {253, "cudaMemPrefetchAsync_ptsz"},
	       {269, "cudaLaunchCooperativeKernel"},
	       {270, "cudaLaunchCooperativeKernel_ptsz"},
	       {440, "cudaGetDeviceProperties"},
	       {449, "cudaMemPrefetchAsync"},
	       {450, "cudaMemPrefetchAsync_ptsz"},
	       {486, "cudaEventElapsedTime"}},
  driver[] = {{1, "cuInit"},
	      {3, "cuDeviceGet"},
	      {4, "cuDeviceGetCount"},
	      {5, "cuDeviceGetName"},
	      {9, "cuDeviceGetAttribute"},
	      {17, "cuCtxSynchronize"},
	      {18, "cuModuleLoad"},
	      {19, "cuModuleLoadData"},
	      {20, "cuModuleLoadDataEx"},
	      {23, "cuModuleGetFunction"},
	      {119, "cuEventRecord"},
	      {121, "cuEventSynchronize"},
	      {124, "cuStreamCreate"},
	      {126, "cuStreamSynchronize"},
	      {235, "cuCtxCreate_v2"},
	      {243, "cuMemAlloc_v2"},
	      {245, "cuMemFree_v2"},
	      {249, "cuMemsetD8_v2"},
	      {251, "cuMemsetD32_v2"},
	      {259, "cuDeviceTotalMem_v2"},
	      {276, "cuMemcpyHtoD_v2"},
	      {277, "cuMemcpyHtoDAsync_v2"},
	      {278, "cuMemcpyDtoH_v2"},
	      {279, "cuMemcpyDtoHAsync_v2"},
	      {280, "cuMemcpyDtoD_v2"},
	      {303, "cuCtxSetCurrent"},
	      {304, "cuCtxGetCurrent"},
	      {307, "cuLaunchKernel"},
	      {332, "cuDeviceGetPCIBusId"},
	      {442, "cuLaunchKernel_ptsz"},
	      {482, "cuDeviceGetUuid"}};

static int find_function(struct nvprof_db *nvprof, bool is_driver, int64_t number,
			 uint32_t *out_function)
{
	const char *name = NULL;
	char bare[48];

	for (size_t i = 0; !is_driver && i < TACHO__ARRAY_SIZE(runtime); i++)
		name = runtime[i].number == number ? runtime[i].name : name;
	for (size_t i = 0; is_driver && i < TACHO__ARRAY_SIZE(driver); i++)
		name = driver[i].number == number ? driver[i].name : name;
	if (!name) {
		snprintf(bare, sizeof(bare), "%scbid %" PRIi64, is_driver ? "driver " : "", number);
		nvprof->unnamed++;
	}
	return tacho__foreign_function(nvprof->foreign, "cuda", name ? name : bare, out_function);
}

static int find_process(struct nvprof_db *nvprof, int64_t pid)
{
	if (nvprof->has_process)
		return 0;
	nvprof->has_process = true;
	return tacho__foreign_process(nvprof->foreign, nvprof->file, (uint32_t)pid,
				      &nvprof->process);
}

static int take_call(struct nvprof_db *nvprof, const struct tacho__foreign_query *query,
		     bool is_driver)
{
	struct tacho__foreign_call call = {0};
	int64_t result;
	char text[32];
	int rc = find_process(nvprof, tacho__foreign_query_get(query, 2));

	if (rc || !tacho__foreign_query_int(query, 0, &call.start_ns) ||
	    !tacho__foreign_query_int(query, 1, &call.end_ns))
		return rc;
	nvprof->rows++;
	call.process = nvprof->process;
	call.thread = (uint32_t)tacho__foreign_query_get(query, 3); /* it is cut, with a sign */
	call.link = (uint64_t)tacho__foreign_query_get(query, 4);
	if (tacho__foreign_query_int(query, 6, &result)) {
		call.failed = tacho__cuda_is_failure(result);
		snprintf(text, sizeof(text), "%" PRIi64, result);
		rc = tacho__foreign_text(nvprof->foreign, text, &call.result);
	}
	if (!rc)
		rc = find_function(nvprof, is_driver, tacho__foreign_query_get(query, 5),
				   &call.function);
	return rc ? rc : tacho__foreign_add_call(nvprof->foreign, &call);
}

static int read_calls(struct nvprof_db *nvprof, const char *table, bool is_driver)
{
	static const char *const columns[] = {"start",	       "end",  "processId",  "threadId",
					      "correlationId", "cbid", "returnValue"};
	struct tacho__foreign_query query;
	int rc = tacho__foreign_query_open(nvprof->db, table, columns, TACHO__ARRAY_SIZE(columns),
					   "", &query);

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1)
		rc = take_call(nvprof, &query, is_driver);
	tacho__foreign_query_close(&query);
	return rc;
}

/* ---- work ---- */

/* Columns that all tables of work have, in front of each one's own. */
#define PLACE_COLUMNS "start", "end", "deviceId", "contextId", "streamId", "correlationId"

enum { OWN = 6 };

static int take_device(struct nvprof_db *nvprof, uint64_t id, uint32_t *out_device)
{
	struct tacho__buf text = {0};
	int rc;

	tacho__buf_printf(&text,
			  "type=gpu\nvendor=NVIDIA\nnumber=%" PRIu64 "\nname=GPU %" PRIu64 "\n", id,
			  id);
	rc = tacho__foreign_thing(nvprof->foreign, nvprof->process, TACHO_OBJECT_DEVICE, id + 1,
				  &text, out_device);
	tacho__buf_finish(&text);
	return rc;
}

static int take_place(struct nvprof_db *nvprof, const struct tacho__foreign_query *query,
		      struct tacho__foreign_command *command)
{
	uint64_t device = (uint64_t)tacho__foreign_query_get(query, 2) & UINT32_MAX;
	int rc = find_process(nvprof, 0);

	nvprof->rows++;
	command->process = nvprof->process;
	command->link = (uint64_t)tacho__foreign_query_get(query, 5);
	command->state = TACHO_STATE_OK;
	if (!rc)
		rc = take_device(nvprof, device, &command->device);
	if (!rc)
		rc = tacho__cuda_queue(nvprof->foreign, nvprof->process,
				       (uint64_t)tacho__foreign_query_get(query, 3) & UINT32_MAX,
				       (uint64_t)tacho__foreign_query_get(query, 4), device,
				       &command->queue);
	if (rc || (tacho__foreign_query_int(query, 0, &command->start_ns) &&
		   tacho__foreign_query_int(query, 1, &command->end_ns) && command->start_ns > 0))
		return rc;
	command->state = TACHO_STATE_LOST;
	return tacho__foreign_text(nvprof->foreign, "nvprof has no valid time for it",
				   &command->reason);
}

/* The kernel by its name and facts. */
static int find_kernel(struct nvprof_db *nvprof, const struct tacho__foreign_query *query,
		       struct tacho__foreign_command *command)
{
	struct tacho__foreign_kernel kernel = {.process = nvprof->process};
	int64_t *const facts[] = {&kernel.registers, &kernel.local_bytes, &kernel.private_bytes};
	const char *name;
	int rc = tacho__foreign_query_again(&nvprof->strings, tacho__foreign_query_get(query, OWN));

	if (!rc)
		rc = tacho__foreign_query_next(&nvprof->strings);
	if (rc < 0)
		return rc;
	name = rc ? tacho__foreign_query_text(&nvprof->strings, 0) : "(no name)";
	nvprof->mangled += !strncmp(name, "_Z", 2);
	for (int i = 0; i < 3; i++)
		if (!tacho__foreign_query_int(query, OWN + 7 + i, facts[i]))
			*facts[i] = -1;
	rc = tacho__foreign_text(nvprof->foreign, name, &kernel.name);
	return rc ? rc : tacho__foreign_kernel(nvprof->foreign, &kernel, &command->kernel);
}

static int take_kernel(struct nvprof_db *nvprof, const struct tacho__foreign_query *query)
{
	struct tacho__foreign_command command = {.kind = TACHO_COMMAND_KERNEL};
	int64_t extra = 0;
	int rc = take_place(nvprof, query, &command);

	if (!rc)
		rc = find_kernel(nvprof, query, &command);
	if (!rc)
		rc = tacho__foreign_text(nvprof->foreign, "kernel", &command.name);
	tacho__cuda_row_sizes(query, OWN + 1, OWN + 4, &command);
	if (tacho__foreign_query_int(query, OWN + 10, &extra) && extra > 0) {
		command.has_extra_local = 1;
		command.extra_local_bytes = (uint64_t)extra;
	}
	return rc ? rc : tacho__foreign_add_command(nvprof->foreign, &command);
}

static int take_transfer(struct nvprof_db *nvprof, const struct tacho__foreign_query *query)
{
	struct tacho__foreign_command command = {0};
	const char *name = "memset";
	int64_t bytes, kind;
	int rc = take_place(nvprof, query, &command);

	command.kind = TACHO_COMMAND_FILL;
	if (tacho__foreign_query_int(query, OWN + 1, &kind))
		command.kind = tacho__cuda_copy(kind, &name);
	if (tacho__foreign_query_int(query, OWN, &bytes) && bytes >= 0) {
		command.has_bytes = 1;
		command.bytes = (uint64_t)bytes;
	}
	if (!rc)
		rc = tacho__foreign_text(nvprof->foreign, name, &command.name);
	return rc ? rc : tacho__foreign_add_command(nvprof->foreign, &command);
}

static int
read_work(struct nvprof_db *nvprof, const char *table, const char *const *columns, size_t count,
	  int (*take)(struct nvprof_db *nvprof, const struct tacho__foreign_query *query))
{
	struct tacho__foreign_query query;
	int rc = tacho__foreign_query_open(nvprof->db, table, columns, count, "", &query);

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1)
		rc = take(nvprof, &query);
	tacho__foreign_query_close(&query);
	return rc;
}

static int read_all_work(struct nvprof_db *nvprof)
{
	static const char *const kernels[] = {PLACE_COLUMNS,
					      "name",
					      "gridX",
					      "gridY",
					      "gridZ",
					      "blockX",
					      "blockY",
					      "blockZ",
					      "registersPerThread",
					      "staticSharedMemory",
					      "localMemoryPerThread",
					      "dynamicSharedMemory"};
	static const char *const transfers[] = {PLACE_COLUMNS, "bytes", "copyKind"};
	int rc = read_work(nvprof, TABLE "CONCURRENT_KERNEL", kernels, TACHO__ARRAY_SIZE(kernels),
			   take_kernel);

	if (!rc)
		rc = read_work(nvprof, TABLE "KERNEL", kernels, TACHO__ARRAY_SIZE(kernels),
			       take_kernel);
	if (!rc)
		rc = read_work(nvprof, TABLE "MEMCPY", transfers, OWN + 2, take_transfer);
	return rc ? rc : read_work(nvprof, TABLE "MEMSET", transfers, OWN + 1, take_transfer);
}

/* ---- the file ---- */

static void note_what_lacks(struct nvprof_db *nvprof)
{
	struct tacho__foreign *foreign = nvprof->foreign;

	if (!nvprof->rows)
		foreign->recording->run.why_empty =
			"The file holds no CUDA call and no work of a device.";
	tacho__foreign_note(foreign, "Of such files markers, values of metrics, copies from device "
				     "to device by peers, names of devices, and when work was "
				     "queued are not read.");
	if (nvprof->mangled)
		tacho__foreign_note(foreign, "Names of kernels are mangled in such files (c++filt "
					     "reads them).");
	if (nvprof->unnamed)
		tacho__foreign_note(foreign,
				    "Such files have numbers for functions: %" PRIu64
				    " calls are of some whose name is not known, \"cbid\".",
				    nvprof->unnamed);
}

static int read_all(struct nvprof_db *nvprof)
{
	static const char *const columns[] = {"value"};
	int rc = tacho__foreign_query_open(nvprof->db, "StringTable", columns, 1,
					   " WHERE \"_id_\" = ?", &nvprof->strings);

	tacho__foreign_set_epoch(nvprof->foreign, 0); /* its times count from 1970 */
	if (!rc)
		rc = read_calls(nvprof, TABLE "RUNTIME", false);
	if (!rc)
		rc = read_calls(nvprof, TABLE "DRIVER", true);
	if (!rc)
		rc = read_all_work(nvprof);
	tacho__foreign_query_close(&nvprof->strings);
	note_what_lacks(nvprof);
	return rc ? rc : tacho__foreign_set_tool(nvprof->foreign, "nvprof");
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct nvprof_db nvprof = {.foreign = foreign, .db = file->db, .file = file->number};

	return file->db ? read_all(&nvprof) : 0;
}

const struct tacho__foreign_reader tacho__foreign_nvprof_db = {
	.name = "nvprof-sqlite",
	.title = "nvprof, databases",
	.fits = fits,
	.read_file = read_file,
};
