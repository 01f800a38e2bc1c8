/* SPDX-License-Identifier: MIT */
/* Reporting what the program made: devices, contexts, queues, programs, kernels. */
#include "inject/opencl/cl_objects.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "inject/attribute_env.h"
#include "inject/handles.h"
#include "inject/opencl/cl_devices.h"
#include "inject/opencl/cl_identity.h"
#include "inject/opencl/cl_kernels.h"
#include "inject/opencl/driver_info.h"
#include "inject/opencl/queue_facts.h"
#include "intercept/intercept.h"
#include "opencl_api.h"
#include "opencl_constants.h"
#include "record/writer.h"
#include "tacho/recording.h"

enum {
	DEVICES_MAX = 64, /* of a context or a program */
	NAME_MAX_BYTES = 2048,
};

static struct {
	struct tacho__handles devices;	   /* to the process image that reported it */
	struct tacho__handles local_bytes; /* kernel to the last reported local memory, plus 1 */
} objects;

static void report(enum tacho_object_kind kind, void *handle,
		   const struct tacho__attributes *attributes)
{
	const struct tacho__made made = {
		.api = TACHO__API_ID,
		.kind = kind,
		.handle = (uintptr_t)handle,
		.attributes = attributes->text,
	};

	tacho__intercept_made(&made);
}

static void add_handle(struct tacho__attributes *attributes, const char *key, const void *handle)
{
	if (handle)
		tacho__attributes_add(attributes, key, "0x%" PRIXPTR, (uintptr_t)handle);
}

static void add_text(struct tacho__attributes *attributes, const char *key,
		     tacho__driver_info_fn get_info, void *object, uint32_t name)
{
	char text[NAME_MAX_BYTES];

	if (tacho__driver_get_text(get_info, object, name, text, sizeof(text)))
		tacho__attributes_add(attributes, key, "%s", text);
}

/* For numbers of 32 and 64 bits: the upper half stays 0 where the driver writes the lower one. */
static void add_device_number(struct tacho__attributes *attributes, const char *key, void *device,
			      uint32_t name)
{
	uint64_t value = 0;

	if (!tacho__opencl_target.clGetDeviceInfo(device, name, sizeof(value), &value, NULL))
		tacho__attributes_add(attributes, key, "%" PRIu64, value);
}

static const char *type_name(uint64_t type)
{
	if (type & CL_DEVICE_TYPE_GPU)
		return "gpu";
	if (type & CL_DEVICE_TYPE_CPU)
		return "cpu";
	return type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "other";
}

/* Of the whole device, when it is a part of one. */
static void add_identity(struct tacho__attributes *attributes, void *device)
{
	struct tacho__opencl_identity identity;

	tacho__opencl_identify(tacho__opencl_root_device(device), &identity);
	if (*identity.place.uuid)
		tacho__attributes_add(attributes, "uuid", "%s", identity.place.uuid);
	if (*identity.place.pci)
		tacho__attributes_add(attributes, "pci", "%s", identity.place.pci);
	if (identity.device.number != TACHO_COUNTING_NUMBER_UNKNOWN)
		tacho__attributes_add(attributes, "number", "%" PRIu32, identity.device.number);
}

static void describe_device(struct tacho__attributes *attributes, void *device)
{
	const tacho__driver_info_fn of_device = tacho__opencl_target.clGetDeviceInfo;
	const tacho__driver_info_fn of_platform = tacho__opencl_target.clGetPlatformInfo;
	void *platform = tacho__driver_get_handle(of_device, device, CL_DEVICE_PLATFORM);
	uint64_t type = 0;

	add_text(attributes, "name", of_device, device, CL_DEVICE_NAME);
	add_text(attributes, "vendor", of_device, device, CL_DEVICE_VENDOR);
	add_text(attributes, "version", of_device, device, CL_DEVICE_VERSION);
	add_text(attributes, "driver", of_device, device, CL_DRIVER_VERSION);
	if (!tacho__opencl_target.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type,
						  NULL))
		tacho__attributes_add(attributes, "type", "%s", type_name(type));
	add_device_number(attributes, "address_bits", device, CL_DEVICE_ADDRESS_BITS);
	add_device_number(attributes, "timer_resolution_ns", device,
			  CL_DEVICE_PROFILING_TIMER_RESOLUTION);
	add_device_number(attributes, "compute_units", device, CL_DEVICE_MAX_COMPUTE_UNITS);
	add_handle(attributes, "parent",
		   tacho__driver_get_handle(of_device, device, CL_DEVICE_PARENT_DEVICE));
	add_identity(attributes, device);
	if (!platform)
		return;
	add_text(attributes, "platform_name", of_platform, platform, CL_PLATFORM_NAME);
	add_text(attributes, "platform_vendor", of_platform, platform, CL_PLATFORM_VENDOR);
	add_text(attributes, "platform_version", of_platform, platform, CL_PLATFORM_VERSION);
}

/*
 * Once per process, a forked child being another one. Two threads that meet a device at the same
 * time both report it, so that each has done so before it goes on.
 */
static void report_device(void *device)
{
	struct tacho__attributes attributes = {.size = 0};
	uint64_t image = (uint64_t)tacho__record_image() + 1;

	if (tacho__handles_get(&objects.devices, device) == image)
		return;
	attributes.text[0] = '\0';
	describe_device(&attributes, device);
	report(TACHO_OBJECT_DEVICE, device, &attributes);
	tacho__handles_set(&objects.devices, device, image);
}

void tacho__opencl_made_context(void *result)
{
	struct tacho__attributes attributes = {.size = 0};
	char list[DEVICES_MAX * 20];
	void *devices[DEVICES_MAX];
	size_t bytes = 0, used = 0;
	int error = errno;

	if (!result)
		return;
	if (tacho__opencl_target.clGetContextInfo(result, CL_CONTEXT_DEVICES, sizeof(devices),
						  devices, &bytes))
		bytes = 0;
	for (size_t i = 0; i < bytes / sizeof(void *); i++) {
		report_device(devices[i]);
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s0x%" PRIXPTR,
					 i ? "," : "", (uintptr_t)devices[i]);
	}
	attributes.text[0] = '\0';
	if (used)
		tacho__attributes_add(&attributes, "devices", "%s", list);
	report(TACHO_OBJECT_CONTEXT, result, &attributes);
	errno = error;
}

void tacho__opencl_made_queue(void *result, void *context, void *device)
{
	struct tacho__attributes attributes = {.size = 0};
	int error = errno;
	uint64_t flags = 0;

	if (!result)
		return;
	tacho__opencl_new_queue(result);
	report_device(device);
	add_handle(&attributes, "context", context);
	add_handle(&attributes, "device", device);
	if (!tacho__opencl_target.clGetCommandQueueInfo(result, CL_QUEUE_PROPERTIES, sizeof(flags),
							&flags, NULL))
		tacho__attributes_add(&attributes, "properties", "0x%" PRIX64, flags);
	if (flags & CL_QUEUE_ON_DEVICE)
		tacho__opencl_note_device_queue();
	tacho__attributes_add(&attributes, "forced_profiling", "%d",
			      tacho__opencl_queue_is_forced(result));
	report(TACHO_OBJECT_QUEUE, result, &attributes);
	errno = error;
}

void tacho__opencl_made_program(void *result, void *context)
{
	struct tacho__attributes attributes = {.size = 0};
	int error = errno;

	if (!result)
		return;
	tacho__opencl_new_program(result);
	add_handle(&attributes, "context", context);
	report(TACHO_OBJECT_PROGRAM, result, &attributes);
	errno = error;
}

/* The first device that the kernel's program was made for, NULL when the driver does not tell. */
static void *kernel_device(void *program)
{
	void *devices[DEVICES_MAX];
	size_t bytes = 0;

	if (!program || tacho__opencl_target.clGetProgramInfo(program, CL_PROGRAM_DEVICES,
							      sizeof(devices), devices, &bytes))
		return NULL;
	return bytes >= sizeof(void *) ? devices[0] : NULL;
}

static bool get_kernel_number(void *kernel, void *device, uint32_t name, uint64_t *out_value)
{
	uint64_t value = 0;

	if (!device || tacho__opencl_target.clGetKernelWorkGroupInfo(kernel, device, name,
								     sizeof(value), &value, NULL))
		return false;
	*out_value = value;
	return true;
}

static void report_kernel(void *kernel)
{
	static const struct {
		const char *key;
		uint32_t name;
	} numbers[] = {
		{"local_bytes", CL_KERNEL_LOCAL_MEM_SIZE},
		{"private_bytes", CL_KERNEL_PRIVATE_MEM_SIZE},
		{"preferred_multiple", CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE},
		{"work_group_size", CL_KERNEL_WORK_GROUP_SIZE},
	};
	struct tacho__attributes attributes = {.size = 0};
	void *program = tacho__driver_get_handle(tacho__opencl_target.clGetKernelInfo, kernel,
						 CL_KERNEL_PROGRAM);
	void *device = kernel_device(program);
	char name[NAME_MAX_BYTES];
	size_t size = 0;
	uint64_t value;

	if (!tacho__opencl_target.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name),
						  name, &size) &&
	    size) {
		name[size < sizeof(name) ? size : sizeof(name) - 1] = '\0';
		tacho__attributes_add(&attributes, "name", "%s", name);
	}
	add_handle(&attributes, "program", program);
	add_handle(&attributes, "context",
		   tacho__driver_get_handle(tacho__opencl_target.clGetKernelInfo, kernel,
					    CL_KERNEL_CONTEXT));
	add_handle(&attributes, "device", device);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!get_kernel_number(kernel, device, numbers[i].name, &value))
			continue;
		tacho__attributes_add(&attributes, numbers[i].key, "%" PRIu64, value);
		if (numbers[i].name == CL_KERNEL_LOCAL_MEM_SIZE)
			tacho__handles_set(&objects.local_bytes, kernel, value + 1);
	}
	report(TACHO_OBJECT_KERNEL, kernel, &attributes);
}

uint64_t tacho__opencl_local_bytes(void *kernel)
{
	uint64_t bytes = tacho__handles_get(&objects.local_bytes, kernel);

	return bytes ? bytes - 1 : 0;
}

void tacho__opencl_made_kernel(void *result)
{
	int error = errno;

	if (!result)
		return;
	tacho__opencl_keep_program_once(tacho__driver_get_handle(
		tacho__opencl_target.clGetKernelInfo, result, CL_KERNEL_PROGRAM));
	report_kernel(result);
	tacho__opencl_new_kernel(result);
	errno = error;
}

void tacho__opencl_made_kernels(int32_t result, uint32_t num_kernels, void **kernels,
				uint32_t *num_kernels_ret)
{
	if (result != CL_SUCCESS || !kernels)
		return;
	for (uint32_t i = 0; i < num_kernels && i < *num_kernels_ret; i++)
		tacho__opencl_made_kernel(kernels[i]);
}

/* An argument without a value may be local memory: the kernel needs more of it then. */
void tacho__opencl_set_kernel_arg(int32_t result, void *kernel, uint32_t arg_index, size_t arg_size,
				  const void *arg_value)
{
	uint64_t bytes, before;
	int error = errno;

	if (result == CL_SUCCESS)
		tacho__opencl_note_argument(kernel, arg_index, arg_size, arg_value);
	if (arg_value || result != CL_SUCCESS)
		return;
	before = tacho__handles_get(&objects.local_bytes, kernel);
	if (get_kernel_number(
		    kernel,
		    kernel_device(tacho__driver_get_handle(tacho__opencl_target.clGetKernelInfo,
							   kernel, CL_KERNEL_PROGRAM)),
		    CL_KERNEL_LOCAL_MEM_SIZE, &bytes) &&
	    bytes + 1 != before)
		report_kernel(kernel);
	errno = error;
}

uint64_t tacho__opencl_element_bytes(void *handle)
{
	int error = errno;
	size_t bytes = 0;

	if (tacho__opencl_target.clGetImageInfo(handle, CL_IMAGE_ELEMENT_SIZE, sizeof(bytes),
						&bytes, NULL))
		bytes = 0;
	errno = error;
	return bytes;
}
