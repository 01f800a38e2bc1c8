/* SPDX-License-Identifier: MIT */
#include "inject/opencl/cl_kernels.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "inject/handles.h"
#include "inject/opencl/driver_info.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum { ARGUMENTS_MAX = 4096, POINTERS_MAX = 65536 };
enum { MEMORY_NEW = 1, MEMORY_TRIED };

static struct {
	struct tacho__handles kernels; /* to struct tacho__opencl_kernel */
	struct tacho__handles memory;  /* to MEMORY_NEW or MEMORY_TRIED */
	atomic_bool has_other_memory;  /* that there was no room for */
	atomic_bool has_device_queue;
	atomic_uint user_events;
	pthread_mutex_t svm_lock; /* of what follows */
	struct tacho__svm *svms;
	size_t svm_count, svm_capacity;
} kernels = {.svm_lock = PTHREAD_MUTEX_INITIALIZER};

struct tacho__opencl_kernel *tacho__opencl_find_kernel(void *kernel)
{
	return (struct tacho__opencl_kernel *)(uintptr_t)tacho__handles_get(&kernels.kernels,
									    kernel);
}

static void get_name(void *kernel, struct tacho__opencl_kernel *known)
{
	if (!tacho__driver_get_text(tacho__opencl_target.clGetKernelInfo, kernel,
				    CL_KERNEL_FUNCTION_NAME, known->counted.name,
				    sizeof(known->counted.name)))
		known->counted.name[0] = '\0';
}

/* Kernels are kept for the life of the process; drivers hand their handles out again. */
static struct tacho__opencl_kernel *add_kernel(void *kernel)
{
	struct tacho__opencl_kernel *known = calloc(1, sizeof(*known));

	if (known && !tacho__handles_set(&kernels.kernels, kernel, (uintptr_t)known)) {
		free(known);
		known = NULL;
	}
	if (known)
		get_name(kernel, known);
	return known;
}

void tacho__opencl_new_kernel(void *kernel)
{
	struct tacho__opencl_kernel *known = tacho__opencl_find_kernel(kernel);

	if (!known) {
		if (tacho__counting_is_on())
			add_kernel(kernel);
		return;
	}
	free(known->arguments);
	free(known->pointers);
	memset(known, 0, sizeof(*known));
	get_name(kernel, known);
}

const struct tacho__opencl_kernel *tacho__opencl_know_kernel(void *kernel, void *device)
{
	struct tacho__opencl_kernel *known = tacho__opencl_find_kernel(kernel);

	if (!known)
		known = add_kernel(kernel);
	if (!known || known->was_asked)
		return known;
	known->program = tacho__driver_get_handle(tacho__opencl_target.clGetKernelInfo, kernel,
						  CL_KERNEL_PROGRAM);
	if (tacho__opencl_target.clGetKernelWorkGroupInfo(
		    kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof(known->private_bytes),
		    &known->private_bytes, NULL))
		known->private_bytes = 0;
	known->was_asked = true;
	return known;
}

/* The kernel when its arguments have to be known. */
static struct tacho__opencl_kernel *find_tracked(void *kernel)
{
	return tacho__counting_replays() ? tacho__opencl_find_kernel(kernel) : NULL;
}

static void set_argument(void *kernel, uint32_t index, uint32_t kind, uintptr_t value)
{
	struct tacho__opencl_kernel *known = find_tracked(kernel);
	struct tacho__argument *grown;

	if (!known || index >= ARGUMENTS_MAX)
		return;
	if (index >= known->argument_count) {
		grown = realloc(known->arguments, (index + 1) * sizeof(*grown));
		if (!grown)
			return;
		memset(grown + known->argument_count, 0,
		       (index + 1 - known->argument_count) * sizeof(*grown));
		known->arguments = grown;
		known->argument_count = index + 1;
	}
	known->arguments[index] = (struct tacho__argument){.kind = kind, .value = value};
}

void tacho__opencl_note_argument(void *kernel, uint32_t index, size_t size, const void *value)
{
	uintptr_t word = 0;
	bool is_word = value && size == sizeof(word);

	if (!tacho__counting_replays())
		return;
	if (is_word)
		memcpy(&word, value, sizeof(word));
	set_argument(kernel, index, is_word ? TACHO__ARGUMENT_WORD : TACHO__ARGUMENT_PLAIN, word);
}

void tacho__opencl_set_kernel_svm(int32_t result, void *kernel, uint32_t arg_index,
				  const void *arg_value)
{
	if (result == CL_SUCCESS)
		set_argument(kernel, arg_index, TACHO__ARGUMENT_SVM, (uintptr_t)arg_value);
}

void tacho__opencl_set_kernel_foreign(int32_t result, void *kernel, uint32_t arg_index)
{
	if (result == CL_SUCCESS)
		set_argument(kernel, arg_index, TACHO__ARGUMENT_FOREIGN, 0);
}

static void set_pointers(struct tacho__opencl_kernel *known, const void *list, size_t bytes)
{
	void **copy = bytes / sizeof(void *) <= POINTERS_MAX ? malloc(bytes + 1) : NULL;

	known->uses_any_svm |= !copy; /* what is not known cannot be kept */
	if (!copy)
		return;
	memcpy(copy, list, bytes);
	free(known->pointers);
	known->pointers = copy;
	known->pointer_count = bytes / sizeof(void *);
}

void tacho__opencl_set_kernel_info(int32_t result, void *kernel, uint32_t param_name,
				   size_t param_value_size, const void *param_value)
{
	struct tacho__opencl_kernel *known = find_tracked(kernel);
	uint32_t flag;

	if (!known || result != CL_SUCCESS || !param_value)
		return;
	switch (param_name) {
	case CL_KERNEL_EXEC_INFO_SVM_PTRS:
		set_pointers(known, param_value, param_value_size);
		break;
	case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
	case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
	case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
	case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
		if (param_value_size < sizeof(flag))
			break;
		memcpy(&flag, param_value, sizeof(flag));
		known->uses_any_svm |= flag != 0;
		break;
	default: break;
	}
}

void tacho__opencl_cloned_kernel(void *result, void *source_kernel)
{
	struct tacho__opencl_kernel *source, *copy;

	tacho__opencl_made_kernel(result);
	source = result ? find_tracked(source_kernel) : NULL;
	copy = result ? find_tracked(result) : NULL;
	if (!source || !copy || source == copy)
		return;
	for (size_t i = 0; i < source->argument_count; i++)
		set_argument(result, (uint32_t)i, source->arguments[i].kind,
			     source->arguments[i].value);
	if (source->pointers)
		set_pointers(copy, source->pointers, source->pointer_count * sizeof(void *));
	copy->uses_any_svm |= source->uses_any_svm;
}

void tacho__opencl_made_memory(void *result)
{
	if (result && tacho__counting_replays() &&
	    !tacho__handles_set(&kernels.memory, result, MEMORY_NEW))
		atomic_store(&kernels.has_other_memory, true);
}

bool tacho__opencl_is_memory(uintptr_t handle)
{
	return handle && tacho__handles_get(&kernels.memory, (const void *)handle);
}

bool tacho__opencl_has_other_memory(void)
{
	return atomic_load_explicit(&kernels.has_other_memory, memory_order_relaxed);
}

bool tacho__opencl_has_device_queue(void)
{
	return atomic_load_explicit(&kernels.has_device_queue, memory_order_relaxed);
}

void tacho__opencl_note_device_queue(void)
{
	atomic_store(&kernels.has_device_queue, true);
}

/* ---- shared virtual memory ---- */

static void remove_svm(uintptr_t base)
{
	for (size_t i = kernels.svm_count; i-- > 0;)
		if ((uintptr_t)kernels.svms[i].base == base)
			kernels.svms[i] = kernels.svms[--kernels.svm_count];
}

void tacho__opencl_made_svm(void *result, uint64_t flags, size_t size)
{
	struct tacho__svm *grown = kernels.svms;
	int error = errno;

	if (!result || !tacho__counting_replays())
		return;
	pthread_mutex_lock(&kernels.svm_lock);
	remove_svm((uintptr_t)result);
	if (kernels.svm_count == kernels.svm_capacity) {
		grown = realloc(kernels.svms, (kernels.svm_capacity * 2 + 16) * sizeof(*grown));
		if (grown)
			kernels.svm_capacity = kernels.svm_capacity * 2 + 16;
	}
	if (grown) {
		kernels.svms = grown;
		grown[kernels.svm_count++] =
			(struct tacho__svm){.base = result, .bytes = size, .flags = flags};
	}
	pthread_mutex_unlock(&kernels.svm_lock);
	errno = error;
}

void tacho__opencl_freed_svm(void *svm_pointer)
{
	if (!tacho__counting_replays())
		return;
	pthread_mutex_lock(&kernels.svm_lock);
	remove_svm((uintptr_t)svm_pointer);
	pthread_mutex_unlock(&kernels.svm_lock);
}

bool tacho__opencl_find_svm(uintptr_t pointer, struct tacho__svm *out_svm)
{
	bool found = false;

	pthread_mutex_lock(&kernels.svm_lock);
	for (size_t i = 0; i < kernels.svm_count && !found; i++) {
		uintptr_t base = (uintptr_t)kernels.svms[i].base;

		found = pointer >= base && pointer - base < kernels.svms[i].bytes;
		if (found)
			*out_svm = kernels.svms[i];
	}
	pthread_mutex_unlock(&kernels.svm_lock);
	return found;
}

/* ---- memory that was brought back once ---- */

bool tacho__opencl_was_tried(uintptr_t memory, bool is_svm)
{
	struct tacho__svm svm;

	if (is_svm)
		return tacho__opencl_find_svm(memory, &svm) && svm.was_tried;
	return tacho__handles_get(&kernels.memory, (const void *)memory) == MEMORY_TRIED;
}

void tacho__opencl_note_tried(uintptr_t memory, bool is_svm)
{
	if (!is_svm) {
		tacho__handles_set(&kernels.memory, (const void *)memory, MEMORY_TRIED);
		return;
	}
	pthread_mutex_lock(&kernels.svm_lock);
	for (size_t i = 0; i < kernels.svm_count; i++)
		kernels.svms[i].was_tried |= (uintptr_t)kernels.svms[i].base == memory;
	pthread_mutex_unlock(&kernels.svm_lock);
}

/* ---- events that the program sets ---- */

void tacho__opencl_made_user_event(void *result)
{
	if (result)
		atomic_fetch_add(&kernels.user_events, 1);
}

void tacho__opencl_set_user_event(int32_t result)
{
	unsigned count = atomic_load(&kernels.user_events);

	while (result == CL_SUCCESS && count &&
	       !atomic_compare_exchange_weak(&kernels.user_events, &count, count - 1))
		;
}

unsigned tacho__opencl_count_user_events(void)
{
	return atomic_load(&kernels.user_events);
}
