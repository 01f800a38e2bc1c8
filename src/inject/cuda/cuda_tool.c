/* SPDX-License-Identifier: MIT */
/*
 * tacho's library for CUDA: NVIDIA's driver loads it in cuInit() because CUDA_INJECTION64_PATH
 * names it, and calls InitializeInjection(), before there is any context. Whatever goes wrong here,
 * the program goes on as it would without.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "inject/attribute_env.h"
#include "inject/cuda/cuda_activity.h"
#include "inject/cuda/cuda_callbacks.h"
#include "inject/cuda/cuda_counting.h"
#include "inject/cuda/cuda_functions.h"
#include "inject/cuda/cuda_records.h"
#include "inject/cuda/cuda_table.h"
#include "intercept/intercept.h"
#include "record/pool.h"
#include "record/writer.h"
#include "tacho/export.h"

TACHO_API int InitializeInjection(void);

static struct {
	void *subscriber;
	pid_t pid;
} tool;

/* ---- what is not recorded, and what can be done ---- */

static void tell(const char *what, bool has_unseen_work)
{
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "unwatched", "%s", what);
	if (has_unseen_work)
		tacho__attributes_add(&attributes, "unseen_work", "1");
	tacho__intercept_process(attributes.text);
}

static void tell_missing(const char *what)
{
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "unwatched", "CUDA (%s)", what);
	tacho__attributes_add(&attributes, "unseen_work", "1");
	tacho__intercept_process(attributes.text);
}

static void tell_status(const char *what, int status, const char *cure)
{
	struct tacho__attributes attributes = {.size = 0};
	const char *name = tacho__cupti_status(status);

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "unwatched", "%s (CUPTI says %d%s%s: %s)", what, status,
			      *name ? ", " : "", name, cure);
	tacho__attributes_add(&attributes, "unseen_work", "1");
	tacho__intercept_process(attributes.text);
}

static const char *get_cure(int status)
{
	switch (status) {
	case TACHO__CUPTI_MAX_LIMIT_REACHED:
	case TACHO__CUPTI_MULTIPLE_SUBSCRIBERS:
		return "another profiler has this process: run it without Nsight, "
		       "compute-sanitizer "
		       "or the program's own profiler";
	case TACHO__CUPTI_NOT_INITIALIZED:
		return "this libcupti is newer than the driver: set TACHO_CUPTI to the one of the "
		       "driver's CUDA version";
	default: return "see tacho doctor cuda";
	}
}

static void tell_libraries(void)
{
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "loader", "%s", tacho__cuda.cupti_path);
	tacho__attributes_add(&attributes, "cupti_version", "%u", tacho__cuda.cupti_version);
	tacho__attributes_add(&attributes, "cuda_driver_version", "%d", tacho__cuda.driver_version);
	tacho__intercept_process(attributes.text);
}

/* ---- the start and the end ---- */

static int subscribe(void)
{
	static const uint32_t domains[] = {TACHO__CUDA_DOMAIN_DRIVER, TACHO__CUDA_DOMAIN_RUNTIME,
					   TACHO__CUDA_DOMAIN_RESOURCE};
	int status = tacho__cuda.cuptiSubscribe(&tool.subscriber, tacho__cuda_on_callback, NULL);

	if (status)
		return status;
	for (size_t i = 0; i < sizeof(domains) / sizeof(domains[0]) && !status; i++)
		status = tacho__cuda.cuptiEnableDomain(1, tool.subscriber, domains[i]);
	if (status)
		tacho__cuda.cuptiUnsubscribe(tool.subscriber);
	return status;
}

/* A forked child has no driver, and none of libcupti's threads. */
static void finish(void)
{
	if (tool.pid != getpid())
		return;
	tacho__cuda_counting_finish();
	if (!tacho__cuda_activity_finish())
		tell("times of kernels and copies (they did not come: another profiler of this "
		     "process took them; run it without)",
		     false);
}

/* Where OpenCL is recorded its commands are that layer's: they are not recorded twice. */
static void look_for_other_layers(void)
{
	void *layer = dlopen("libtacho-inject.so", RTLD_LAZY | RTLD_NOLOAD);

	if (!layer)
		return;
	dlclose(layer);
	tacho__cuda_records_share();
}

static void start_activity(void)
{
	int status;
	const char *missing = tacho__cuda_activity_start(&status);

	if (missing && status)
		tell_status(missing, status, get_cure(status));
	else if (missing)
		tell(missing, true);
}

static void start(void)
{
	const char *missing = tacho__cuda_resolve();
	int status;

	if (missing) {
		tell_missing(missing);
		return;
	}
	tell_libraries();
	if (!tacho__cuda_table_make()) {
		tell_missing("there is no memory for its functions' names");
		return;
	}
	look_for_other_layers();
	status = subscribe();
	if (status) {
		tell_status("CUDA", status, get_cure(status));
		return;
	}
	tool.pid = getpid();
	start_activity();
	tacho__cuda_counting_start();
	atexit(finish);
	tacho__cuda_callbacks_start();
}

int InitializeInjection(void)
{
	int error = errno;

	if (getenv(TACHO__POOL_VARIABLE) && tacho__record_start())
		start();
	errno = error;
	return 1;
}
