/* SPDX-License-Identifier: MIT */
/* Beginning: injection, devices, and what the fake tells of itself to those that belong to it. */
#include <stdio.h>

#include "fake_driver.h"

/* As the driver does it: once in a process, before any context can be. */
static void inject(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	void *library = path && *path ? dlopen(path, RTLD_NOW) : NULL;
	int (*begin)(void) = library ? (int (*)(void))dlsym(library, "InitializeInjection") : NULL;

	if (begin)
		begin();
}

/* The GPU's threads are the parent's. */
static void after_fork(void)
{
	if (fake_driver.is_initialized)
		fake_driver.is_forked = true;
}

static void begin(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&fake_driver.changed, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_atfork(NULL, NULL, after_fork);
	fake_driver.device_count = (int)fake_get_word("devices", 1);
	if (fake_driver.device_count > FAKE_DEVICES_MAX)
		fake_driver.device_count = FAKE_DEVICES_MAX;
	inject();
	fake_driver.is_initialized = true;
	fake_tell((struct fake_cuda_object){.event = FAKE_CUDA_INITIALIZED});
}

CUresult fake_cuInit(unsigned int flags)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (fake_driver.is_forked)
		return CUDA_ERROR_NOT_INITIALIZED;
	if (fake_has_word("no_device"))
		return CUDA_ERROR_NO_DEVICE;
	pthread_once(&once, begin);
	return CUDA_SUCCESS;
}

CUresult fake_cuDriverGetVersion(int *version)
{
	*version = fake_has_word("old_driver") ? 12040 : FAKE_CUDA_VERSION;
	return CUDA_SUCCESS;
}

static const struct {
	CUresult code;
	const char *name, *text;
} errors[] = {
	{CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
	{CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	{CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	{CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	{CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no device"},
	{CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device"},
	{CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "invalid module"},
	{CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid context"},
	{CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid handle"},
	{CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "not found"},
	{CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "not ready"},
	{CUDA_ERROR_CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is gone"},
	{CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
	 "not while a stream is captured"},
};

static CUresult find_error(CUresult error, bool is_name, const char **text)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].code == error) {
			*text = is_name ? errors[i].name : errors[i].text;
			return CUDA_SUCCESS;
		}
	*text = NULL;
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult fake_cuGetErrorName(CUresult error, const char **text)
{
	return find_error(error, true, text);
}

CUresult fake_cuGetErrorString(CUresult error, const char **text)
{
	return find_error(error, false, text);
}

CUresult fake_cuGetProcAddress_v2(const char *symbol, void **function, int version,
				  cuuint64_t flags, CUdriverProcAddressQueryResult *result)
{
	bool own = flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

	(void)version;
	*function = fake_find_function(symbol, own);
	if (result)
		*result = *function ? CU_GET_PROC_ADDRESS_SUCCESS
				    : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

static bool is_device(CUdevice device)
{
	return device >= 0 && device < fake_driver.device_count;
}

CUresult fake_cuDeviceGet(CUdevice *device, int ordinal)
{
	if (!is_device(ordinal))
		return CUDA_ERROR_INVALID_DEVICE;
	*device = ordinal;
	return CUDA_SUCCESS;
}

CUresult fake_cuDeviceGetCount(int *count)
{
	*count = fake_driver.device_count;
	return CUDA_SUCCESS;
}

CUresult fake_cuDeviceGetName(char *name, int size, CUdevice device)
{
	if (!is_device(device) || size <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	snprintf(name, (size_t)size, "Fake GF100 80GB");
	return CUDA_SUCCESS;
}

CUresult fake_cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
	if (!is_device(device))
		return CUDA_ERROR_INVALID_DEVICE;
	for (int i = 0; i < 16; i++)
		uuid->bytes[i] = (char)(0x10 * device + i);
	return CUDA_SUCCESS;
}

CUresult fake_cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	return fake_cuDeviceGetUuid_v2(uuid, device);
}

CUresult fake_cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
	if (!is_device(device))
		return CUDA_ERROR_INVALID_DEVICE;
	*bytes = FAKE_MEMORY_BYTES;
	return CUDA_SUCCESS;
}

CUresult fake_cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	if (!is_device(device))
		return CUDA_ERROR_INVALID_DEVICE;
	switch (attribute) {
	case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = 1024; return CUDA_SUCCESS;
	case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; return CUDA_SUCCESS;
	case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
		*value = 1980000; /* kHz */
		return CUDA_SUCCESS;
	case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
		*value = FAKE_CUDA_MULTIPROCESSORS;
		return CUDA_SUCCESS;
	case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: *value = 0x1b + device; return CUDA_SUCCESS;
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 9; return CUDA_SUCCESS;
	default: /* 0 for all others: PCI device, domain, minor ... */
		*value = 0;
		return CUDA_SUCCESS;
	}
}

CUresult fake_cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
	*major = 9;
	*minor = 0;
	return is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult fake_cuDeviceGetPCIBusId(char *text, int size, CUdevice device)
{
	if (!is_device(device) || size <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	snprintf(text, (size_t)size, "0000:%02X:00.0", 0x1b + device);
	return CUDA_SUCCESS;
}
