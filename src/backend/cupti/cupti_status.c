/* SPDX-License-Identifier: MIT */
/* What libcupti says, and what can be done about it: one row for each status. */
#include "backend/cupti/cupti_status.h"

#include <stddef.h>

#include "backend/cupti/cupti_calls.h"
#include "base/array.h"
#include "base/error.h"

struct meaning {
	int status;
	const char *name;
	int code;
	const char *cause; /* a sentence's end behind the name; "": the name says it */
	const char *cure;
};

static const char whose[] =
	"end what else counts on the GPU: DCGM (dcgmi profile --pause), ncu, nsys, another tacho";
static const char version[] = "install the driver of the CUDA version that CUPTI is of, or newer";
static const char others[] =
	"take other profilers out of the program: nsys, ncu, PyTorch's profiler, compute-sanitizer";
static const char rights[] =
	"run as root or with CAP_PERFMON (docker: --cap-add=PERFMON or SYS_ADMIN), or let "
	"everybody "
	"count: options nvidia NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d";
static const char report[] = "this is a defect: report it, with the output of tacho doctor";
static const char elsewhere[] = "count on another GPU; timelines can be recorded on this one";

static const struct meaning meanings[] = {
	{0, "SUCCESS", 0, "", ""},
	{TACHO__CUPTI_INVALID_PARAMETER, "INVALID_PARAMETER", TACHO_E_UNSUPPORTED,
	 "the library does not take what it was given", report},
	{2, "INVALID_DEVICE", TACHO_E_UNSUPPORTED, "the GPU is none that it counts on", elsewhere},
	{3, "INVALID_CONTEXT", TACHO_E_LOST, "the program's context is gone",
	 "count before the program destroys it"},
	{TACHO__CUPTI_INVALID_OPERATION, "INVALID_OPERATION", TACHO_E_BUSY,
	 "it cannot be done now: something else may be profiling in the process", others},
	{8, "OUT_OF_MEMORY", TACHO_E_NOMEM, "there is no memory for it", "count fewer at a time"},
	{9, "HARDWARE", TACHO_E_LOST, "the GPU failed", "look into the kernel's log: dmesg"},
	{12, "MAX_LIMIT_REACHED", TACHO_E_UNSUPPORTED, "a limit of the library is reached",
	 "count fewer at a time"},
	{14, "NOT_COMPATIBLE", TACHO_E_VERSION, "library and driver do not fit", version},
	{15, "NOT_INITIALIZED", TACHO_E_VERSION,
	 "the driver may be older than CUPTI, or lacks what CUPTI needs", version},
	{TACHO__CUPTI_INVALID_METRIC, "INVALID_METRIC_NAME", TACHO_E_NOTFOUND,
	 "the chip has no such metric", "look at tacho list counters"},
	{TACHO__CUPTI_BUSY, "HARDWARE_BUSY", TACHO_E_BUSY,
	 "another process or tool holds the GPU's counters", whose},
	{TACHO__CUPTI_NOT_SUPPORTED, "NOT_SUPPORTED", TACHO_E_UNSUPPORTED,
	 "neither this GPU nor this version can do it", "install a newer CUPTI, or count others"},
	{31, "UM_PROFILING_NOT_SUPPORTED_WITH_MPS", TACHO_E_UNSUPPORTED, "MPS shares the GPU",
	 "count without MPS: echo quit | nvidia-cuda-mps-control"},
	{33, "VIRTUALIZED_DEVICE_NOT_SUPPORTED", TACHO_E_UNSUPPORTED,
	 "the GPU is a virtual one, whose host does not let it count",
	 "let the host's administrator allow profiling for this machine"},
	{TACHO__CUPTI_NO_RIGHTS, "INSUFFICIENT_PRIVILEGES", TACHO_E_PERM,
	 "the driver lets only administrators count", rights},
	{36, "OLD_PROFILER_API_INITIALIZED", TACHO_E_BUSY,
	 "the program uses CUPTI's old interface of events", others},
	{39, "MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED", TACHO_E_BUSY,
	 "another profiler has subscribed in the process", others},
	{40, "VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES", TACHO_E_PERM,
	 "profiling is not allowed for this virtual machine",
	 "let the host's administrator allow it (pciPassthru<n>.cfg.enable_profiling=1)"},
	{41, "CONFIDENTIAL_COMPUTING_NOT_SUPPORTED", TACHO_E_UNSUPPORTED,
	 "the GPU is in confidential mode",
	 "take the GPU out of it, or put it into its developers' mode"},
	{42, "CMP_DEVICE_NOT_SUPPORTED", TACHO_E_UNSUPPORTED, "it is a card for mining", elsewhere},
	{43, "MIG_DEVICE_NOT_SUPPORTED", TACHO_E_UNSUPPORTED,
	 "the GPU is divided (MIG), and its part does not count",
	 "give the program a compute instance that has the whole of its GPU instance, or switch "
	 "MIG off"},
	{44, "SLI_DEVICE_NOT_SUPPORTED", TACHO_E_UNSUPPORTED, "the GPU is one of several in SLI",
	 "switch SLI off"},
	{45, "WSL_DEVICE_NOT_SUPPORTED", TACHO_E_UNSUPPORTED, "this is Windows' Linux (WSL)",
	 "install a driver of version 525 or newer in Windows, and allow profiling for all there"},
	{TACHO__CUPTI_INVALID_CHIP, "INVALID_CHIP_NAME", TACHO_E_UNSUPPORTED,
	 "this version does not know the chip", "install a newer CUPTI"},
	{999, "UNKNOWN", TACHO_E_VENDOR, "it gives no reason",
	 "look at what NVLOG_CONFIG_FILE logs"},
};

static const struct meaning *find(int status)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(meanings); i++)
		if (meanings[i].status == status)
			return &meanings[i];
	return NULL;
}

const char *tacho__cupti_status_name(int status)
{
	const struct meaning *meaning = find(status);

	return meaning ? meaning->name : "";
}

int tacho__cupti_fail_status(const char *call, int status, const char *what)
{
	static const struct meaning unknown = {0, "", TACHO_E_VENDOR, "tacho does not know why",
					       "look up the number in CUPTI's documentation"};
	const struct meaning *meaning = find(status);

	if (!meaning)
		meaning = &unknown;
	return tacho__fail_vendor(tacho__fail(meaning->code,
					      tacho__detail("%s says %d%s%s: %s", call, status,
							    *meaning->name ? ", " : "",
							    meaning->name, meaning->cause),
					      meaning->cure, "%s", what),
				  status);
}
