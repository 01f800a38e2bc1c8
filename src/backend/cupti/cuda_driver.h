/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's driver as a library, libcuda: which GPUs it has and in which order. In a process of its
 * own, or in one that counts: initializing it wakes GPUs and takes memory.
 */
#ifndef TACHO_BACKEND_CUPTI_CUDA_DRIVER_H
#define TACHO_BACKEND_CUPTI_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of what cuDeviceGetAttribute() tells. */
enum {
	TACHO__CUDA_CLOCK_KHZ = 13,
	TACHO__CUDA_MULTIPROCESSORS = 16,
	TACHO__CUDA_PCI_BUS = 33,
	TACHO__CUDA_PCI_DEVICE = 34,
	TACHO__CUDA_PCI_DOMAIN = 50,
	TACHO__CUDA_MAJOR = 75,
	TACHO__CUDA_MINOR = 76,
};

struct tacho__cuda_uuid {
	uint8_t bytes[16];
};

struct tacho__cuda_driver {
	int (*init)(unsigned flags);
	int (*get_version)(int *version); /* 13000: CUDA 13.0 */
	int (*get_count)(int *count);
	int (*get_device)(int *device, int ordinal);
	int (*get_name)(char *name, int size, int device);
	int (*get_uuid)(struct tacho__cuda_uuid *uuid, int device);
	int (*get_attribute)(int *value, int attribute, int device);
	int (*get_memory)(size_t *bytes, int device);
};

/* Loads it; it stays loaded. NOTFOUND, VERSION. */
int tacho__cuda_driver_load(struct tacho__cuda_driver *out_driver);
/* Whether the process has loaded and initialized it already, so that asking wakes nothing. */
bool tacho__cuda_driver_is_ready(void);

enum { TACHO__CUDA_UUID_MAX = 48 };

/* "GPU-1b2c...", as nvidia-smi writes it. */
void tacho__cuda_format_uuid(const struct tacho__cuda_uuid *uuid, char out[TACHO__CUDA_UUID_MAX]);

/* "NO_DEVICE" of the status codes that are met; "". Static. */
const char *tacho__cuda_status_name(int status);
/* What to do about a driver that does not start. Static. */
const char *tacho__cuda_status_cure(int status);

#endif
