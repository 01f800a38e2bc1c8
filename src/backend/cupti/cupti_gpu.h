/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's GPUs as devices. What they are is found without touching them, and by children that ask
 * the driver (cupti_gpus.c, cupti_checks.c); ranges are counted in the program that has a CUDA
 * context (cupti_ranges.c), windows of time by whoever may (cupti_windows.c, gpm.c).
 */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_GPU_H
#define TACHO_BACKEND_CUPTI_CUPTI_GPU_H

#include <stdbool.h>

#include "backend/backend.h"

enum { TACHO__CUPTI_GPU_TEXT_MAX = 128 };

/* A GPU as the driver numbers it, whatever CUDA_VISIBLE_DEVICES says. */
struct tacho__cupti_gpu {
	uint32_t index;			      /* as nvidia-smi has it */
	char name[TACHO__CUPTI_GPU_TEXT_MAX]; /* "NVIDIA H100 80GB HBM3" */
	char uuid[48];			      /* "GPU-..."; by it a program's device is this one */
	char pci[32];			      /* "0000:1b:00.0" */
	char chip[16];			      /* "gh100"; "": not known */
	uint32_t major, minor;		      /* compute capability; 0.0: not known */
	uint32_t multiprocessors;	      /* 0: not known */
	uint64_t memory_bytes;
	uint64_t clock_hz; /* of the SMs at most */
	/* As CUDA numbers it in this process: after CUDA_VISIBLE_DEVICES; enum below. */
	int cuda_number;
};

enum { TACHO__CUPTI_HIDDEN = -1, TACHO__CUPTI_UNKNOWN = -2 };

/* What a program that has CUDA gives as the handle of its struct tacho_context_options. */
#define TACHO__CUPTI_LIVE_MAGIC UINT64_C(0x6975706375636174)

struct tacho__cupti_live {
	uint64_t magic;
	void *context; /* CUcontext that is counted in */
	int device;    /* CUdevice of it */
	char uuid[48]; /* of the device */
	char chip[16]; /* of the device, as libcupti names it, in small letters */
};

struct tacho__cupti_device {
	struct tacho_device base;
	struct tacho__cupti_gpu gpu;
	struct tacho__cupti_live *live;		/* NULL: not in a program with CUDA */
	struct tacho__cupti_profiler *profiler; /* of live->context; NULL: not needed so far */
	struct tacho_model model;
	struct tacho_property properties[8];
	struct tacho_catalog *definitions; /* where the context's lacks them; NULL */
};

/*
 * cupti_ranges.c: ranges by the range profiler, in a program with CUDA. UNSUPPORTED without
 * device->live. Passes are NVIDIA's own schedule of the plan's entries: pass n of the plan is pass
 * n of the library's config image.
 */
int tacho__cupti_begin(struct tacho_device *device, const struct tacho__collection_options *options,
		       struct tacho__collection **out_collection);
int tacho__cupti_begin_pass(struct tacho__collection *collection, uint32_t pass);
int tacho__cupti_end_pass(struct tacho__collection *collection);
int tacho__cupti_begin_range(struct tacho__collection *collection, uint64_t key, uint64_t parent);
int tacho__cupti_end_range(struct tacho__collection *collection, uint64_t key);
int tacho__cupti_drain(struct tacho__collection *collection, uint64_t timeout_ns);
void tacho__cupti_end(struct tacho__collection *collection);
/*
 * cupti_profiler.c: gives back what counting has in the program's context. A device is closed so;
 * while the context is there, and never when it is gone. Again: nothing.
 */
void tacho__cupti_close_profiler(struct tacho__cupti_device *device);

/* cupti_windows.c: windows of time by PM sampling, for a device without `live`. */
int tacho__cupti_begin_windows(struct tacho_device *device,
			       const struct tacho__collection_options *options,
			       struct tacho__collection **out_collection);
int tacho__cupti_begin_sampling(struct tacho__collection *collection, uint32_t pass);
int tacho__cupti_end_sampling(struct tacho__collection *collection);
void tacho__cupti_end_windows(struct tacho__collection *collection);

/* cupti_device.c: opening, as the backends have it. */
int tacho__cupti_open_ranges(const struct tacho_probe *probe, size_t index,
			     const struct tacho_catalog *catalog, struct tacho_device **out_device);
int tacho__cupti_open_samples(const struct tacho_probe *probe, size_t index,
			      const struct tacho_catalog *catalog,
			      struct tacho_device **out_device);
void tacho__cupti_close(struct tacho_device *device);

#endif
