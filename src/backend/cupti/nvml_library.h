/* SPDX-License-Identifier: MIT */
/*
 * NVML, libnvidia-ml of NVIDIA's driver: what nvidia-smi knows of GPUs, and on Hopper and later
 * their performance without profiling rights (GPM). Declared anew; what structs here end before is
 * not used.
 */
#ifndef TACHO_BACKEND_CUPTI_NVML_LIBRARY_H
#define TACHO_BACKEND_CUPTI_NVML_LIBRARY_H

#include <stdint.h>

#define TACHO__NVML_LIBRARY "libnvidia-ml.so.1"

enum {
	TACHO__NVML_NOT_SUPPORTED = 3,
	TACHO__NVML_NO_PERMISSION = 4,
	TACHO__NVML_DRIVER_NOT_LOADED = 9,
	TACHO__NVML_GPU_IS_LOST = 15,
	TACHO__NVML_CLOCK_SM = 1,
	TACHO__NVML_CLOCK_MEMORY = 2,
	TACHO__NVML_SENSOR_GPU = 0,
	TACHO__NVML_VGPU_GUEST = 2, /* of its virtualization modes */
	TACHO__NVML_GPM_VERSION = 1,
	TACHO__NVML_GPM_METRICS_MAX =
		98, /* of its first version; only those that are asked count */
	TACHO__NVML_TEXT_MAX = 96,
};

struct tacho__nvml_memory {
	unsigned long long total, free, used; /* bytes */
};

struct tacho__nvml_utilization {
	unsigned gpu, memory; /* percent of time */
};

struct tacho__nvml_pci {
	char legacy[16]; /* "0000:1B:00.0" */
	unsigned domain, bus, device, id, subsystem;
	char text[32]; /* "00000000:1B:00.0" */
};

struct tacho__nvml_confidential {
	unsigned environment, is_on, is_for_developers;
};

struct tacho__nvml_gpm_support {
	unsigned version;
	unsigned is_supported;
};

struct tacho__nvml_gpm_metric {
	unsigned id;
	int status;
	double value;
	const char *name, *title, *unit;
};

struct tacho__nvml_gpm {
	unsigned version;
	unsigned count;
	void *before, *after; /* samples */
	struct tacho__nvml_gpm_metric metrics[TACHO__NVML_GPM_METRICS_MAX];
};

/* NULL: this version lacks it. */
struct tacho__nvml {
	int (*init)(void);
	const char *(*get_error)(int status);
	int (*get_driver_version)(char *version, unsigned size);
	int (*get_cuda_version)(int *version);
	int (*get_confidential)(struct tacho__nvml_confidential *state);
	int (*get_count)(unsigned *count);
	int (*get_device)(unsigned index, void **device);
	int (*get_name)(void *device, char *name, unsigned size);
	int (*get_uuid)(void *device, char *uuid, unsigned size);
	int (*get_pci)(void *device, struct tacho__nvml_pci *pci);
	int (*get_capability)(void *device, int *major, int *minor);
	int (*get_memory)(void *device, struct tacho__nvml_memory *memory);
	int (*get_clock_max)(void *device, int clock, unsigned *mhz);
	int (*get_mig)(void *device, unsigned *now, unsigned *pending);
	int (*get_virtualization)(void *device, int *mode);
	int (*get_persistence)(void *device, int *is_on);
	int (*get_clock)(void *device, int clock, unsigned *mhz);
	int (*get_power)(void *device, unsigned *milliwatts);
	int (*get_utilization)(void *device, struct tacho__nvml_utilization *utilization);
	int (*get_temperature)(void *device, int sensor, unsigned *celsius);
	int (*gpm_ask)(void *device, struct tacho__nvml_gpm_support *support);
	int (*gpm_make)(void **sample);
	int (*gpm_drop)(void *sample);
	int (*gpm_take)(void *device, void *sample);
	int (*gpm_get)(struct tacho__nvml_gpm *metrics);
};

/*
 * Loads and initializes it on the first call; it stays so. From any thread. NOTFOUND, VERSION;
 * NODEVICE, PERM when it does not start, with its reason.
 */
int tacho__nvml_load(const struct tacho__nvml **out_nvml);

/* As tacho__fail(), with NVML's own text for `status`: PERM, LOST, UNSUPPORTED. */
int tacho__nvml_fail(const struct tacho__nvml *nvml, int status, const char *what);

#endif
