/* SPDX-License-Identifier: MIT */
/*
 * Loading, and calling by number. libcupti opens libnvperf_host by its bare name, which the dynamic
 * linker finds only when it was loaded before: that of the same folder is.
 */
#include "backend/cupti/cupti_library.h"

#include <errno.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/cupti/cupti_status.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/dl.h"
#include "base/error.h"
#include "base/fs.h"

enum { SIZES_MAX = 2, FOLDERS_MAX = 64 };

/* Bytes up to the end of a field: what the libraries call the size of a struct. */
#define SIZE_TO(type, field) (offsetof(struct type, field) + sizeof(((struct type *)0)->field))

/*
 * Sizes of each version, the newest first. libnvperf_host has each function, or none of what tells
 * of the counters is used.
 */
static const struct {
	const char *name;
	uint16_t sizes[SIZES_MAX];
} calls[] = {
	[TACHO__CUPTI_GET_CHIPS] = {"cuptiProfilerHostGetSupportedChips",
				    {SIZE_TO(tacho__cupti_chips, names)}},
	[TACHO__CUPTI_OPEN] = {"cuptiProfilerHostInitialize",
			       {SIZE_TO(tacho__cupti_open, single_pass_set), /* from 13.3 on */
				SIZE_TO(tacho__cupti_open, host)}},
	[TACHO__CUPTI_CLOSE] = {"cuptiProfilerHostDeinitialize",
				{SIZE_TO(tacho__cupti_close, host)}},
	[TACHO__CUPTI_GET_BASES] = {"cuptiProfilerHostGetBaseMetrics",
				    {SIZE_TO(tacho__cupti_bases, count)}},
	[TACHO__CUPTI_GET_ENDINGS] = {"cuptiProfilerHostGetSubMetrics",
				      {SIZE_TO(tacho__cupti_endings, endings)}},
	[TACHO__CUPTI_GET_PROPERTIES] = {"cuptiProfilerHostGetMetricProperties",
					 {SIZE_TO(tacho__cupti_properties, type)}},
	[TACHO__CUPTI_ADD_METRICS] = {"cuptiProfilerHostConfigAddMetrics",
				      {SIZE_TO(tacho__cupti_metrics, count)}},
	[TACHO__CUPTI_GET_IMAGE_SIZE] = {"cuptiProfilerHostGetConfigImageSize",
					 {SIZE_TO(tacho__cupti_image_size, size)}},
	[TACHO__CUPTI_GET_IMAGE] = {"cuptiProfilerHostGetConfigImage",
				    {SIZE_TO(tacho__cupti_image, bytes)}},
	[TACHO__CUPTI_GET_PASSES] = {"cuptiProfilerHostGetNumOfPasses",
				     {SIZE_TO(tacho__cupti_passes, count)}},
	[TACHO__CUPTI_EVALUATE] = {"cuptiProfilerHostEvaluateToGpuValues",
				   {SIZE_TO(tacho__cupti_evaluate, values)}},
	[TACHO__CUPTI_INITIALIZE] = {"cuptiProfilerInitialize", {sizeof(struct tacho__cupti_head)}},
	[TACHO__CUPTI_GET_SUPPORTED] = {"cuptiProfilerDeviceSupported",
					{SIZE_TO(tacho__cupti_supported, api)}},
	[TACHO__CUPTI_GET_CHIP_NAME] = {"cuptiDeviceGetChipName",
					{SIZE_TO(tacho__cupti_chip_name, chip)}},
	[TACHO__CUPTI_GET_AVAILABILITY] = {"cuptiProfilerGetCounterAvailability",
					   {SIZE_TO(tacho__cupti_availability, allows_device),
					    SIZE_TO(tacho__cupti_availability, bytes)}},
	[TACHO__CUPTI_RANGE_ENABLE] = {"cuptiRangeProfilerEnable",
				       {SIZE_TO(tacho__cupti_enable, cache_control),
					SIZE_TO(tacho__cupti_enable, profiler)}},
	[TACHO__CUPTI_RANGE_DISABLE] = {"cuptiRangeProfilerDisable",
					{SIZE_TO(tacho__cupti_profiler_only, profiler)}},
	[TACHO__CUPTI_RANGE_SET_CONFIG] = {"cuptiRangeProfilerSetConfig",
					   {SIZE_TO(tacho__cupti_set_config, level)}},
	[TACHO__CUPTI_RANGE_START] = {"cuptiRangeProfilerStart",
				      {SIZE_TO(tacho__cupti_profiler_only, profiler)}},
	[TACHO__CUPTI_RANGE_STOP] = {"cuptiRangeProfilerStop",
				     {SIZE_TO(tacho__cupti_stop, all_submitted)}},
	[TACHO__CUPTI_RANGE_PUSH] = {"cuptiRangeProfilerPushRange",
				     {SIZE_TO(tacho__cupti_push, name)}},
	[TACHO__CUPTI_RANGE_POP] = {"cuptiRangeProfilerPopRange",
				    {SIZE_TO(tacho__cupti_profiler_only, profiler)}},
	[TACHO__CUPTI_RANGE_DECODE] = {"cuptiRangeProfilerDecodeData",
				       {SIZE_TO(tacho__cupti_decode, dropped)}},
	[TACHO__CUPTI_RANGE_GET_SIZE] = {"cuptiRangeProfilerGetCounterDataSize",
					 {SIZE_TO(tacho__cupti_data_size, size)}},
	[TACHO__CUPTI_RANGE_MAKE_DATA] = {"cuptiRangeProfilerCounterDataImageInitialize",
					  {SIZE_TO(tacho__cupti_data, bytes)}},
	[TACHO__CUPTI_RANGE_GET_COUNT] = {"cuptiRangeProfilerGetCounterDataInfo",
					  {SIZE_TO(tacho__cupti_data_info, range_count)}},
	[TACHO__CUPTI_RANGE_GET_NAME] = {"cuptiRangeProfilerCounterDataGetRangeInfo",
					 {SIZE_TO(tacho__cupti_range_info, name)}},
	[TACHO__CUPTI_SAMPLES_GET_AVAILABILITY] = {"cuptiPmSamplingGetCounterAvailability",
						   {SIZE_TO(tacho__cupti_samples_availability,
							    bytes)}},
	[TACHO__CUPTI_SAMPLES_ENABLE] = {"cuptiPmSamplingEnable",
					 {SIZE_TO(tacho__cupti_samples_enable, sampler)}},
	[TACHO__CUPTI_SAMPLES_SET_CONFIG] = {"cuptiPmSamplingSetConfig",
					     {SIZE_TO(tacho__cupti_samples_config, append)}},
	[TACHO__CUPTI_SAMPLES_GET_SIZE] = {"cuptiPmSamplingGetCounterDataSize",
					   {SIZE_TO(tacho__cupti_samples_size, size)}},
	[TACHO__CUPTI_SAMPLES_MAKE_DATA] = {"cuptiPmSamplingCounterDataImageInitialize",
					    {SIZE_TO(tacho__cupti_data, bytes)}},
	[TACHO__CUPTI_SAMPLES_START] = {"cuptiPmSamplingStart",
					{SIZE_TO(tacho__cupti_profiler_only, profiler)}},
	[TACHO__CUPTI_SAMPLES_STOP] = {"cuptiPmSamplingStop",
				       {SIZE_TO(tacho__cupti_profiler_only, profiler)}},
	[TACHO__CUPTI_SAMPLES_DECODE] = {"cuptiPmSamplingDecodeData",
					 {SIZE_TO(tacho__cupti_samples_decode, overflow)}},
	[TACHO__CUPTI_SAMPLES_GET_COUNT] = {"cuptiPmSamplingGetCounterDataInfo",
					    {SIZE_TO(tacho__cupti_samples_count, completed)}},
	[TACHO__CUPTI_SAMPLES_GET_SAMPLE] = {"cuptiPmSamplingCounterDataGetSampleInfo",
					     {SIZE_TO(tacho__cupti_sample, end_ns)}},
	[TACHO__CUPTI_SAMPLES_DISABLE] = {"cuptiPmSamplingDisable",
					  {SIZE_TO(tacho__cupti_profiler_only, profiler)}},
	[TACHO__NVPW_INITIALIZE] = {"NVPW_InitializeHost", {sizeof(struct tacho__cupti_head)}},
	[TACHO__NVPW_GET_COUNTERS] = {"NVPW_Config_GetRawCounters",
				      {SIZE_TO(tacho__nvpw_counters, count)}},
	[TACHO__NVPW_GET_SCRATCH] = {"NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize",
				     {SIZE_TO(tacho__nvpw_scratch, size)}},
	[TACHO__NVPW_OPEN] = {"NVPW_CUDA_MetricsEvaluator_Initialize",
			      {SIZE_TO(tacho__nvpw_evaluator, evaluator)}},
	[TACHO__NVPW_CLOSE] = {"NVPW_MetricsEvaluator_Destroy",
			       {SIZE_TO(tacho__nvpw_close, evaluator)}},
	[TACHO__NVPW_CONVERT] = {"NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest",
				 {SIZE_TO(tacho__nvpw_convert, request_size)}},
	[TACHO__NVPW_GET_NEEDS] = {"NVPW_MetricsEvaluator_GetMetricRawDependencies",
				   {SIZE_TO(tacho__nvpw_needs, optional_count)}},
};

typedef int (*call_function)(void *params);

struct functions {
	call_function calls[TACHO__CUPTI_CALL_COUNT];
	int (*get_version)(uint32_t *version);
};

/* What the process has loaded. */
static struct process {
	pthread_mutex_t lock;
	bool is_tried;
	int code; /* of loading; the texts are for whoever asks again */
	char message[256], cause[768], cure[256];
	struct tacho__cupti cupti;
	struct functions functions;
	_Atomic uint8_t size_index[TACHO__CUPTI_CALL_COUNT]; /* that fits; all below do not */
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char cure[] = "install CUPTI (part of the CUDA toolkit, or the package cuda-cupti), "
			   "or set " TACHO__CUPTI_VARIABLE " to its file or folder";

/* ---- where it is ---- */

static bool is_file(const char *path)
{
	struct stat stat_;

	return !stat(path, &stat_) && S_ISREG(stat_.st_mode);
}

static bool try_folder(const char *folder, char out_path[PATH_MAX])
{
	static const char *const names[] = {"libcupti.so", "libcupti.so.13", "libcupti.so.12"};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(names); i++) {
		if (snprintf(out_path, PATH_MAX, "%s/%s", folder, names[i]) < PATH_MAX &&
		    is_file(out_path))
			return true;
	}
	return false;
}

static bool try_toolkit(const char *toolkit, char out_path[PATH_MAX])
{
	static const char *const below[] = {"extras/CUPTI/lib64", "lib64", "lib"};
	char folder[PATH_MAX];

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(below); i++)
		if (snprintf(folder, sizeof(folder), "%s/%s", toolkit, below[i]) < PATH_MAX &&
		    try_folder(folder, out_path))
			return true;
	return false;
}

/* CUDA's own folders below /usr/local, the newest version last in their natural order. */
static bool try_versions(char out_path[PATH_MAX])
{
	struct tacho__arena arena = {0};
	struct tacho__fs_names names = {0};
	char toolkit[PATH_MAX];
	bool found = false;

	if (!tacho__fs_list(&arena, "/usr/local", FOLDERS_MAX, &names))
		for (size_t i = names.count; i-- > 0 && !found;)
			if (!fnmatch("cuda-*", names.names[i], 0) &&
			    snprintf(toolkit, sizeof(toolkit), "/usr/local/%s", names.names[i]) <
				    PATH_MAX)
				found = try_toolkit(toolkit, out_path);
	free(names.names);
	tacho__arena_finish(&arena);
	return found;
}

/* What the environment names; not when the program has more rights than who started it. */
static const char *get_named(void)
{
	const char *named = secure_getenv(TACHO__CUPTI_VARIABLE);

	return named && *named ? named : NULL;
}

static bool locate_named(const char *named, char out_path[PATH_MAX])
{
	if (*named != '/')
		return false;
	if (is_file(named))
		return snprintf(out_path, PATH_MAX, "%s", named) < PATH_MAX;
	return try_folder(named, out_path) || try_toolkit(named, out_path);
}

void tacho__cupti_locate(char out_path[PATH_MAX])
{
	const char *named = get_named();
	bool found = named ? locate_named(named, out_path)
			   : try_toolkit("/usr/local/cuda", out_path) || try_versions(out_path);

	if (!found)
		out_path[0] = '\0';
}

/* ---- loading ---- */

/* The names by which the dynamic linker may know it, then the places that it may not know. */
static int open_cupti(const struct tacho__dl_symbol *symbols, size_t count, struct tacho__dl *dl)
{
	static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
	const char *named = get_named();
	char path[PATH_MAX];
	int rc = TACHO_E_NOTFOUND;

	/* that of the program, if it has one: two of them get in each other's way */
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(names) && rc == TACHO_E_NOTFOUND; i++)
		rc = tacho__dl_open_loaded(names[i], symbols, count, dl, &process.functions);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(names) && rc == TACHO_E_NOTFOUND && !named; i++)
		rc = tacho__dl_open(names[i], symbols, count, dl, &process.functions);
	if (rc != TACHO_E_NOTFOUND)
		return rc;
	tacho__cupti_locate(path);
	if (*path)
		return tacho__dl_open(path, symbols, count, dl, &process.functions);
	if (named)
		return tacho__fail(
			TACHO_E_NOTFOUND,
			tacho__detail(TACHO__CUPTI_VARIABLE " is \"%s\": %s", named,
				      *named == '/' ? "libcupti is not there" : "no whole path"),
			"correct it, or take it out of the environment", "CUPTI was not found");
	return tacho__fail(TACHO_E_NOTFOUND,
			   "neither the dynamic linker nor /usr/local/cuda has libcupti.so", cure,
			   "CUPTI was not found");
}

/* libnvperf_host of the folder in which libcupti is, else the one that the linker knows. */
static int open_host(const struct tacho__dl_symbol *symbols, size_t count, struct tacho__dl *dl)
{
	static const char name[] = "libnvperf_host.so";
	char path[PATH_MAX + sizeof(name)];
	char *slash;

	snprintf(path, sizeof(path), "%s", process.cupti.path);
	slash = strrchr(path, '/');
	if (slash) {
		strcpy(slash + 1, name);
		if (is_file(path))
			return tacho__dl_open(path, symbols, count, dl, &process.functions);
	}
	if (!tacho__dl_open(name, symbols, count, dl, &process.functions))
		return 0;
	return tacho__fail(TACHO_E_NOTFOUND,
			   tacho__detail("%s is not beside %s", name, process.cupti.path), cure,
			   "%s, which CUPTI needs, was not found", name);
}

static void follow(const struct tacho__dl *dl, char out_path[PATH_MAX])
{
	if (!realpath(dl->path, out_path))
		snprintf(out_path, PATH_MAX, "%s", dl->path);
}

/* Size and time of the files: what tells one build from another without reading 36 MB. */
static void describe_build(struct tacho__cupti *cupti)
{
	struct stat one = {0}, other = {0};

	stat(cupti->path, &one);
	stat(cupti->host_path, &other);
	snprintf(cupti->build, sizeof(cupti->build), "%u-%llx-%llx-%llx-%llx", cupti->version,
		 (unsigned long long)one.st_size, (unsigned long long)one.st_mtime,
		 (unsigned long long)other.st_size, (unsigned long long)other.st_mtime);
}

/* From 13.0 on it is MMmmpp of the toolkit; before, a number of the interface. */
static void describe_version(struct tacho__cupti *cupti)
{
	uint32_t version = cupti->version;

	if (version >= 10000)
		snprintf(cupti->version_text, sizeof(cupti->version_text), "%u.%u.%u",
			 version / 10000, version / 100 % 100, version % 100);
	else
		snprintf(cupti->version_text, sizeof(cupti->version_text), "interface %u", version);
}

static void fill_symbols(enum tacho__cupti_call first, enum tacho__cupti_call end, bool required,
			 struct tacho__dl_symbol *symbols)
{
	for (int i = (int)first; i < (int)end; i++)
		*symbols++ = (struct tacho__dl_symbol){calls[i].name,
						       offsetof(struct functions, calls) +
							       (size_t)i * sizeof(call_function),
						       required};
}

static int load(void)
{
	enum {
		CUPTI_COUNT = TACHO__NVPW_INITIALIZE,
	};
	enum { HOST_COUNT = TACHO__CUPTI_CALL_COUNT - CUPTI_COUNT };
	struct tacho__dl_symbol own[CUPTI_COUNT + 1] = {
		{"cuptiGetVersion", offsetof(struct functions, get_version), true}};
	struct tacho__dl_symbol host[HOST_COUNT];
	struct tacho__cupti *cupti = &process.cupti;
	struct tacho__cupti_head none = {sizeof(none), NULL};
	struct tacho__dl dl, host_dl;
	int rc;

	fill_symbols(TACHO__CUPTI_GET_CHIPS, TACHO__CUPTI_EVALUATE, true, own + 1);
	fill_symbols(TACHO__CUPTI_EVALUATE, TACHO__NVPW_INITIALIZE, false,
		     own + 1 + TACHO__CUPTI_EVALUATE);
	fill_symbols(TACHO__NVPW_INITIALIZE, TACHO__CUPTI_CALL_COUNT, false, host);
	rc = open_cupti(own, TACHO__ARRAY_SIZE(own), &dl);
	if (rc)
		return rc;
	follow(&dl, cupti->path);
	rc = open_host(host, TACHO__ARRAY_SIZE(host), &host_dl);
	if (rc)
		return rc;
	follow(&host_dl, cupti->host_path);
	process.functions.get_version(&cupti->version);
	describe_version(cupti);
	describe_build(cupti);
	cupti->tells_counters = !tacho__cupti_call(TACHO__NVPW_INITIALIZE, &none);
	for (int i = TACHO__NVPW_INITIALIZE; i < TACHO__CUPTI_CALL_COUNT; i++)
		cupti->tells_counters &= process.functions.calls[i] != NULL;
	return 0;
}

static void keep_failure(void)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	snprintf(process.message, sizeof(process.message), "%s", detail->message);
	snprintf(process.cause, sizeof(process.cause), "%s", detail->cause);
	snprintf(process.cure, sizeof(process.cure), "%s", *detail->cure ? detail->cure : cure);
}

int tacho__cupti_load(const struct tacho__cupti **out_cupti)
{
	int code;

	pthread_mutex_lock(&process.lock);
	if (!process.is_tried) {
		process.code = load();
		if (process.code)
			keep_failure();
		process.is_tried = true;
	}
	code = process.code;
	pthread_mutex_unlock(&process.lock);
	if (code)
		return tacho__fail(code, process.cause, process.cure, "%s", process.message);
	*out_cupti = &process.cupti;
	return 0;
}

/* ---- calling ---- */

int tacho__cupti_call(enum tacho__cupti_call call, void *params)
{
	call_function function = process.functions.calls[call];
	struct tacho__cupti_head *head = params;
	uint8_t index = atomic_load(&process.size_index[call]);
	int status;

	if (!function)
		return TACHO__CUPTI_NOT_SUPPORTED;
	for (;; index++) {
		*head = (struct tacho__cupti_head){.size = calls[call].sizes[index]};
		status = function(params);
		if (status != TACHO__CUPTI_INVALID_PARAMETER || index + 1 == SIZES_MAX ||
		    !calls[call].sizes[index + 1])
			break;
	}
	if (!status)
		atomic_store(&process.size_index[call], index);
	return status;
}

const char *tacho__cupti_call_name(enum tacho__cupti_call call)
{
	return calls[call].name;
}

int tacho__cupti_fail(enum tacho__cupti_call call, int status)
{
	const char *name = tacho__cupti_status_name(status);

	return tacho__fail_vendor(
		tacho__fail(TACHO_E_UNSUPPORTED,
			    tacho__detail("%s says %d%s%s", calls[call].name, status,
					  *name ? ", " : "", name),
			    tacho__detail("this is CUPTI %s, %s", process.cupti.version_text,
					  process.cupti.path),
			    "NVIDIA's library does not do it"),
		status);
}
