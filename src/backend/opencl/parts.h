/* SPDX-License-Identifier: MIT */
/*
 * What can be counted on a command queue of the program: three ways, each of which is a backend's
 * part of its own. They take the queue from the handle of the probe. Where a part has nothing to do
 * with the queue's device, open() gives 0 and no device.
 */
#ifndef TACHO_BACKEND_OPENCL_PARTS_H
#define TACHO_BACKEND_OPENCL_PARTS_H

#include "backend/collection.h"
#include "backend/opencl/opencl.h"

/* What is called of the program's loader, by all parts. */
struct tacho__opencl_queue {
	struct tacho__dl dl;
	int32_t (*get_queue_info)(cl_handle queue, uint32_t name, size_t size, void *value,
				  size_t *out_size);
	int32_t (*get_device_info)(cl_handle device, uint32_t name, size_t size, void *value,
				   size_t *out_size);
	int32_t (*get_event_info)(cl_handle event, uint32_t name, size_t size, void *value,
				  size_t *out_size);
	int32_t (*get_profiling)(cl_handle event, uint32_t name, size_t size, void *value,
				 size_t *out_size);
	int32_t (*set_callback)(cl_handle event, int32_t status,
				void (*function)(cl_handle event, int32_t status, void *user),
				void *user);
	int32_t (*retain_queue)(cl_handle queue);
	int32_t (*release_queue)(cl_handle queue);
	int32_t (*release_event)(cl_handle event);
	int32_t (*flush)(cl_handle queue);
	int32_t (*enqueue_marker)(cl_handle queue, uint32_t count, const cl_handle *wait,
				  cl_handle *out_event);
	int32_t (*enqueue_barrier)(cl_handle queue, uint32_t count, const cl_handle *wait,
				   cl_handle *out_event);
	void *(*get_function)(cl_handle platform, const char *name);
};

/* As tacho__opencl_load(). */
int tacho__opencl_queue_load(struct tacho__opencl_queue *out_queue);

/* NULL: the driver does not tell. */
cl_handle tacho__opencl_get_device(const struct tacho__opencl_queue *cl, cl_handle queue);
/* Whether it is waited for an event no longer: it is complete, failed, or cannot be asked. */
bool tacho__opencl_is_over(const struct tacho__opencl_queue *queue, cl_handle event);
/* VENDOR: what the function said. */
int tacho__opencl_fail(const char *function, int32_t error, const char *what, const char *cure);
/*
 * wait.c: tells the driver of the queue's work and waits for the event, the driver's callback, for
 * 10 s at most: TIMEOUT. A command that failed is over too.
 */
int tacho__opencl_await(const struct tacho__opencl_queue *cl, cl_handle queue, cl_handle event);
/* The same until all that is on the queue now is done. */
int tacho__opencl_settle(const struct tacho__opencl_queue *cl, cl_handle queue);
/* What drain() says. */
#define TACHO__OPENCL_TIMEOUT "the queue has not come to the range's end", "wait longer"

/* queue.c: whether a device of tacho__opencl_times measures times; UNSUPPORTED. */
int tacho__opencl_check_times(const struct tacho_device *device);

/* queue.c: times between markers, on every device; a queue that measures none has no values. */
extern const struct tacho__backend tacho__opencl_times;
/*
 * cpu.c: what Linux counts of this process while the queue works, on a CPU. A range begins and ends
 * when the queue has done all that was put on it.
 */
extern const struct tacho__backend tacho__opencl_cpu;
/* Whether a part is the above and the kernel lets this process count nothing. */
bool tacho__opencl_cpu_is_refused(const struct tacho_device *part);
/* amd.c: hardware counters of AMD's GPUs, through functions of AMD's own runtime. */
extern const struct tacho__backend tacho__opencl_amd;

#endif
