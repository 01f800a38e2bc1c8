/* SPDX-License-Identifier: MIT */
/*
 * Hardware counters of AMD's GPUs under OpenCL. AMD's runtime (ROCclr, and the drivers before it)
 * has functions for them that no extension names: a counter is a block, a register in it and an
 * event. GPUPerfAPI counts through the same functions; block numbers are the places of its groups.
 */
#ifndef TACHO_BACKEND_OPENCL_OPENCL_AMD_H
#define TACHO_BACKEND_OPENCL_OPENCL_AMD_H

#include "backend/known.h"
#include "backend/opencl/parts.h"

enum {
	/* cl_amd_device_attribute_query */
	CL__DEVICE_PCIE_ID_AMD = 0x4034,
	CL__DEVICE_BOARD_NAME_AMD = 0x4038,
	CL__DEVICE_SIMD_PER_COMPUTE_UNIT_AMD = 0x4040,
	CL__DEVICE_GFXIP_MAJOR_AMD = 0x404A,

	/* what is asked of a counter, and the properties that it is made with */
	CL__PERFCOUNTER_NONE = 0,
	CL__PERFCOUNTER_DATA = 2,
	CL__PERFCOUNTER_BLOCK = 3,
	CL__PERFCOUNTER_REGISTER = 4,
	CL__PERFCOUNTER_EVENT = 5,
};

struct tacho__opencl_amd {
	struct tacho__opencl_queue queue;

	/* AMD's; each NULL when the driver lacks it */
	cl_handle (*create_counter)(cl_handle device, uint64_t *properties, int32_t *out_error);
	int32_t (*release_counter)(cl_handle counter);
	int32_t (*enqueue_begin)(cl_handle queue, uint32_t count, cl_handle *counters,
				 uint32_t wait_count, const cl_handle *wait, cl_handle *out_event);
	int32_t (*enqueue_end)(cl_handle queue, uint32_t count, cl_handle *counters,
			       uint32_t wait_count, const cl_handle *wait, cl_handle *out_event);
	int32_t (*get_counter_info)(cl_handle counter, uint32_t name, size_t size, void *value,
				    size_t *out_size);
};

/* How a counter of the architecture is made. */
struct tacho__opencl_amd_counter {
	uint64_t block, event;
};

/* What is known of a GPU by the name that AMD's runtime gives it. */
struct tacho__opencl_amd_chip {
	const char *name; /* "Ellesmere"; "gfx906" */
	const char *arch;
	uint32_t shader_engines; /* 0: cards of this name differ */
};

struct tacho__opencl_amd_device {
	struct tacho_device base;
	struct tacho__opencl_amd cl;
	cl_handle queue, device; /* the queue is held by the part for times */
	int is_out_of_order;
	/* "": the driver does not tell */
	char name[TACHO__OPENCL_TEXT], board[TACHO__OPENCL_TEXT], driver[TACHO__OPENCL_TEXT];
	struct tacho__known own; /* struct tacho__opencl_amd_counter */
};

/* amd_chips.c: the chip of this name, "gfx906:sramecc+:xnack-" too; NULL: it is not known. */
const struct tacho__opencl_amd_chip *tacho__opencl_amd_find_chip(const char *name);

/* amd_catalog.c: fills the device's catalog with what this driver counts. NOMEM. */
int tacho__opencl_amd_fill(struct tacho__opencl_amd_device *device,
			   const struct tacho_catalog *catalog);
/* Makes the counter that counts in this register of its block. *out_error: the driver's. NULL: the
 * driver denies it. */
cl_handle tacho__opencl_amd_create(const struct tacho__opencl_amd_device *device,
				   const struct tacho__opencl_amd_counter *counter,
				   uint64_t register_, int32_t *out_error);

/* amd_collect.c */
int tacho__opencl_amd_begin(struct tacho_device *device,
			    const struct tacho__collection_options *options,
			    struct tacho__collection **out_collection);
int tacho__opencl_amd_begin_range(struct tacho__collection *collection, uint64_t key,
				  uint64_t parent);
int tacho__opencl_amd_end_range(struct tacho__collection *collection, uint64_t key);
int tacho__opencl_amd_drain(struct tacho__collection *collection, uint64_t timeout_ns);
void tacho__opencl_amd_end(struct tacho__collection *collection);

#endif
