/* SPDX-License-Identifier: MIT */
#include "inject/opencl/cl_replay.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "inject/counting.h"
#include "inject/opencl/copies.h"
#include "inject/opencl/cl_kernels.h"
#include "inject/opencl/driver_info.h"
#include "inject/opencl/printing.h"
#include "inject/opencl/spares.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum {
	YIELDS = 20, /* for what takes microseconds: a sleep takes 60 of them */
	FIRST_PAUSE_NS = 5000,
	LAST_PAUSE_NS = 500000,
};

const char *tacho__opencl_await(void *event, uint64_t timeout_ns)
{
	uint64_t end_ns = tacho__clock_raw_ns() + timeout_ns;
	struct timespec pause = {.tv_nsec = FIRST_PAUSE_NS};
	unsigned turns = 0;
	int32_t status;

	for (;;) {
		if (tacho__opencl_target.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
							sizeof(status), &status, NULL))
			return "the driver does not tell when it ends";
		if (status <= CL_COMPLETE)
			return status < 0 ? "it ended with an error" : NULL;
		if (tacho__clock_raw_ns() >= end_ns)
			return tacho__count_timeout;
		if (turns++ < YIELDS) {
			sched_yield();
			continue;
		}
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < LAST_PAUSE_NS)
			pause.tv_nsec += pause.tv_nsec / 4;
	}
}

/* ---- what cannot run again ---- */

static bool has_global_variables(void *program, void *device)
{
	size_t bytes = 0;

	return !tacho__opencl_target.clGetProgramBuildInfo(
		       program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof(bytes),
		       &bytes, NULL) &&
	       bytes > 0;
}

static const char *find_reason(void *kernel, void *queue, const char *name)
{
	void *program = tacho__driver_get_handle(tacho__opencl_target.clGetKernelInfo, kernel,
						 CL_KERNEL_PROGRAM);
	void *device = tacho__driver_get_handle(tacho__opencl_target.clGetCommandQueueInfo, queue,
						CL_QUEUE_DEVICE);

	if (!program || !device)
		return "the driver does not tell its program, which may print";
	switch (tacho__printing_of(program, device, name)) {
	case TACHO__PRINTS: return "it may print, and would do so in each pass";
	case TACHO__PRINTS_PERHAPS:
		return "it may print in each pass: neither its program's source nor its binary "
		       "tells that it does not";
	default: break;
	}
	return has_global_variables(program, device)
		       ? "its program has global variables, which cannot be kept"
		       : NULL;
}

/* What holds whatever its arguments are; looked at once. */
static const char *find_never(void *kernel, void *queue, struct tacho__opencl_kernel *known)
{
	if (!known->was_checked)
		known->never = find_reason(kernel, queue, known->counted.name);
	known->was_checked = true;
	return known->never;
}

/* ---- what it may write ---- */

static bool get_argument_number(void *kernel, uint32_t index, uint32_t name, uint64_t *out_value)
{
	uint64_t value = 0;

	if (!tacho__opencl_target.clGetKernelArgInfo ||
	    tacho__opencl_target.clGetKernelArgInfo(kernel, index, name, sizeof(value), &value,
						    NULL))
		return false;
	*out_value = value;
	return true;
}

/* By what the kernel's source says of the argument, where the driver tells. */
static bool is_read_only(void *kernel, uint32_t index)
{
	uint64_t value;

	if (get_argument_number(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, &value) &&
	    value == CL_KERNEL_ARG_ACCESS_READ_ONLY)
		return true;
	if (!get_argument_number(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, &value))
		return false;
	if (value == CL_KERNEL_ARG_ADDRESS_CONSTANT || value == CL_KERNEL_ARG_ADDRESS_PRIVATE)
		return true;
	return get_argument_number(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, &value) &&
	       value & CL_KERNEL_ARG_TYPE_CONST;
}

static bool is_pipe(void *kernel, uint32_t index)
{
	uint64_t value;

	return get_argument_number(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, &value) &&
	       value & CL_KERNEL_ARG_TYPE_PIPE;
}

static const char *add(struct tacho__replay *replay, const struct tacho__kept *kept)
{
	struct tacho__kept *grown;

	for (size_t i = 0; i < replay->count; i++)
		if (replay->kept[i].memory == kept->memory)
			return NULL;
	if (replay->count == replay->capacity) {
		grown = realloc(replay->kept, (replay->capacity * 2 + 8) * sizeof(*grown));
		if (!grown)
			return "there is no memory for the list of its memory";
		replay->kept = grown;
		replay->capacity = replay->capacity * 2 + 8;
	}
	replay->kept[replay->count++] = *kept;
	return NULL;
}

static uint64_t get_image_number(void *image, uint32_t name)
{
	uint64_t value = 0;

	if (tacho__opencl_target.clGetImageInfo(image, name, sizeof(value), &value, NULL))
		return 0;
	return value;
}

static uint64_t at_least_one(uint64_t value)
{
	return value ? value : 1;
}

static const char *add_image(struct tacho__replay *replay, void *image, uint32_t type)
{
	struct tacho__kept kept = {.kind = TACHO__KEPT_IMAGE, .memory = image};
	uint64_t height = get_image_number(image, CL_IMAGE_HEIGHT);
	uint64_t depth = get_image_number(image, CL_IMAGE_DEPTH);
	uint64_t layers = get_image_number(image, CL_IMAGE_ARRAY_SIZE);

	if (get_image_number(image, CL_IMAGE_NUM_MIP_LEVELS) > 1 ||
	    get_image_number(image, CL_IMAGE_NUM_SAMPLES) > 1)
		return "it writes an image with mip levels or samples";
	if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
		height = layers;
	else if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
		depth = layers;
	kept.region[0] = at_least_one(get_image_number(image, CL_IMAGE_WIDTH));
	kept.region[1] = at_least_one(height);
	kept.region[2] = at_least_one(depth);
	kept.bytes = kept.region[0] * kept.region[1] * kept.region[2] *
		     get_image_number(image, CL_IMAGE_ELEMENT_SIZE);
	return kept.bytes ? add(replay, &kept) : "the driver does not tell an image's size";
}

static const char *add_memory(struct tacho__replay *replay, void *memory)
{
	struct tacho__kept kept = {.kind = TACHO__KEPT_BUFFER, .memory = memory};
	uint64_t flags = 0;
	uint32_t type = 0;

	if (tacho__opencl_target.clGetMemObjectInfo(memory, CL_MEM_FLAGS, sizeof(flags), &flags,
						    NULL) ||
	    tacho__opencl_target.clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof(type), &type,
						    NULL) ||
	    tacho__opencl_target.clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof(kept.bytes),
						    &kept.bytes, NULL))
		return "the driver does not tell what its memory is";
	if (type == CL_MEM_OBJECT_PIPE)
		return "it uses a pipe";
	if (flags & CL_MEM_READ_ONLY)
		return NULL;
	return type == CL_MEM_OBJECT_BUFFER ? add(replay, &kept) : add_image(replay, memory, type);
}

static const char *add_svm(struct tacho__replay *replay, uintptr_t pointer, bool is_written)
{
	struct tacho__kept kept = {.kind = TACHO__KEPT_SVM};
	struct tacho__svm svm;

	if (!pointer)
		return NULL;
	if (!tacho__opencl_find_svm(pointer, &svm))
		return "it uses memory of the system, or of an extension";
	if (svm.flags & (CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS))
		return "it uses fine-grained shared virtual memory";
	if (!is_written || svm.flags & CL_MEM_READ_ONLY)
		return NULL;
	kept.memory = svm.base;
	kept.bytes = svm.bytes;
	return add(replay, &kept);
}

static const char *add_argument(struct tacho__replay *replay, void *kernel, uint32_t index,
				const struct tacho__argument *argument)
{
	switch (argument->kind) {
	case TACHO__ARGUMENT_FOREIGN: return "it uses memory of an extension";
	case TACHO__ARGUMENT_SVM:
		return add_svm(replay, argument->value, !is_read_only(kernel, index));
	case TACHO__ARGUMENT_WORD:
		if (!tacho__opencl_is_memory(argument->value))
			return NULL;
		if (is_pipe(kernel, index))
			return "it uses a pipe";
		return is_read_only(kernel, index) ? NULL
						   : add_memory(replay, (void *)argument->value);
	default: return NULL;
	}
}

static const char *list_memory(struct tacho__replay *replay, void *kernel,
			       const struct tacho__opencl_kernel *known)
{
	const char *why = NULL;

	if (known->uses_any_svm)
		return "it may use all memory of the system";
	if (tacho__opencl_has_other_memory())
		return "the program has had more memory objects than tacho can tell apart";
	if (tacho__opencl_has_device_queue())
		return "the program has a queue on the device, so kernels can launch kernels";
	for (size_t i = 0; i < known->argument_count && !why; i++)
		why = add_argument(replay, kernel, (uint32_t)i, &known->arguments[i]);
	for (size_t i = 0; i < known->pointer_count && !why; i++)
		why = add_svm(replay, (uintptr_t)known->pointers[i], true);
	return why;
}

/* ---- copies ---- */

static bool make_copy(const struct tacho__replay *replay, struct tacho__kept *kept,
		      uint64_t limit_bytes)
{
	struct tacho__spare spare = {.context = replay->context,
				     .bytes = kept->bytes,
				     .is_svm = kept->kind == TACHO__KEPT_SVM};

	if (!tacho__spare_get(&spare, limit_bytes))
		return false;
	kept->copy = spare.memory;
	return true;
}

static const char *check_size(struct tacho__replay *replay, uint64_t limit_bytes)
{
	uint64_t total = 0;

	for (size_t i = 0; i < replay->count; i++)
		total += replay->kept[i].bytes;
	if (total <= limit_bytes)
		return NULL;
	snprintf(replay->text, sizeof(replay->text),
		 "it may write %" PRIu64 " bytes, more than the %" PRIu64 " of --replay-memory",
		 total, limit_bytes);
	return replay->text;
}

static const char *make_copies(struct tacho__replay *replay, uint64_t limit_bytes)
{
	uint64_t used = 0;

	for (size_t i = 0; i < replay->count; i++) {
		if (!make_copy(replay, &replay->kept[i], limit_bytes - used))
			return "the device has no memory for a copy of what it writes";
		used += replay->kept[i].bytes;
	}
	if (!tacho__copies_keep(replay))
		return "the device refused to copy what it writes";
	return tacho__copies_try(replay) ? NULL : "the device refused to bring back what it writes";
}

const char *tacho__replay_save(struct tacho__replay *replay, void *queue, void *kernel,
			       struct tacho__opencl_kernel *known, uint64_t limit_bytes)
{
	const char *why = find_never(kernel, queue, known);

	replay->queue = queue;
	if (why)
		return why;
	if (tacho__opencl_target.clGetCommandQueueInfo(
		    queue, CL_QUEUE_CONTEXT, sizeof(replay->context), &replay->context, NULL))
		return "the driver does not tell the queue's context";
	why = list_memory(replay, kernel, known);
	if (!why)
		why = check_size(replay, limit_bytes);
	if (!why)
		why = make_copies(replay, limit_bytes);
	return why;
}

void tacho__replay_finish(struct tacho__replay *replay)
{
	for (size_t i = 0; i < replay->count; i++) {
		const struct tacho__kept *kept = &replay->kept[i];
		const struct tacho__spare spare = {.context = replay->context,
						   .memory = kept->copy,
						   .bytes = kept->bytes,
						   .is_svm = kept->kind == TACHO__KEPT_SVM};

		if (kept->copy)
			tacho__spare_put(&spare);
	}
	free(replay->kept);
	replay->kept = NULL;
	replay->count = replay->capacity = 0;
}
