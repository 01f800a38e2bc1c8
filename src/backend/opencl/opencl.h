/* SPDX-License-Identifier: MIT */
/*
 * OpenCL as a library of others: the functions that tacho itself calls, with prototypes of its own,
 * so that no vendor's header is needed.
 */
#ifndef TACHO_BACKEND_OPENCL_OPENCL_H
#define TACHO_BACKEND_OPENCL_OPENCL_H

#include <stddef.h>
#include <stdint.h>

#include "backend/backend.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/dl.h"
#include "tacho/sys/doctor.h"

#define TACHO__OPENCL_LOADER "libOpenCL.so.1"
#define TACHO__OPENCL_INSTALL                                                                 \
	"install an OpenCL driver: your GPU's, or pocl-opencl-icd (apt), pocl (dnf, pacman, " \
	"apk) for the CPU"

extern const struct tacho__backend tacho__backend_opencl;

/* Handles of OpenCL are pointers to structs that nobody sees. */
typedef void *cl_handle;

enum {
	CL__SUCCESS = 0,
	CL__INVALID_DEVICE = -33,

	CL__PLATFORM_NAME = 0x0902,

	CL__DEVICE_TYPE = 0x1000,
	CL__DEVICE_VENDOR_ID = 0x1001,
	CL__DEVICE_MAX_COMPUTE_UNITS = 0x1002,
	CL__DEVICE_GLOBAL_MEM_SIZE = 0x101F,
	CL__DEVICE_PROFILING_TIMER_RESOLUTION = 0x1025,
	CL__DEVICE_AVAILABLE = 0x1027,
	CL__DEVICE_NAME = 0x102B,
	CL__DEVICE_VENDOR = 0x102C,
	CL__DRIVER_VERSION = 0x102D,
	CL__DEVICE_VERSION = 0x102F,
	CL__DEVICE_PLATFORM = 0x1031,

	CL__DEVICE_TYPE_CPU = 1 << 1,
	CL__DEVICE_TYPE_GPU = 1 << 2,
	CL__DEVICE_TYPE_ACCELERATOR = 1 << 3,

	CL__QUEUE_DEVICE = 0x1091,
	CL__QUEUE_PROPERTIES = 0x1093,
	CL__QUEUE_OUT_OF_ORDER = 1 << 0,
	CL__QUEUE_PROFILING = 1 << 1,
	CL__EVENT_STATUS = 0x11D3,
	CL__COMPLETE = 0,
	CL__COMMAND_END = 0x1283,

	CL__MEM_READ_WRITE = 1 << 0,
	CL__MEM_COPY_HOST_PTR = 1 << 5,
	CL__PROGRAM_BUILD_LOG = 0x1183,
	CL__TRUE = 1,
};
#define CL__DEVICE_TYPE_ALL UINT64_C(0xFFFFFFFF)

struct tacho__opencl {
	struct tacho__dl dl;
	int32_t (*get_platforms)(uint32_t count, cl_handle *platforms, uint32_t *out_count);
	int32_t (*get_platform_info)(cl_handle platform, uint32_t name, size_t size, void *value,
				     size_t *out_size);
	int32_t (*get_devices)(cl_handle platform, uint64_t type, uint32_t count,
			       cl_handle *devices, uint32_t *out_count);
	int32_t (*get_device_info)(cl_handle device, uint32_t name, size_t size, void *value,
				   size_t *out_size);
	cl_handle (*create_context)(const intptr_t *properties, uint32_t count,
				    const cl_handle *devices,
				    void (*notify)(const char *, const void *, size_t, void *),
				    void *user, int32_t *out_error);
	cl_handle (*create_queue)(cl_handle context, cl_handle device, uint64_t properties,
				  int32_t *out_error);
	cl_handle (*create_buffer)(cl_handle context, uint64_t flags, size_t size, void *host,
				   int32_t *out_error);
	cl_handle (*create_program)(cl_handle context, uint32_t count, const char **strings,
				    const size_t *sizes, int32_t *out_error);
	int32_t (*build_program)(cl_handle program, uint32_t count, const cl_handle *devices,
				 const char *options, void (*notify)(cl_handle, void *),
				 void *user);
	int32_t (*get_build_info)(cl_handle program, cl_handle device, uint32_t name, size_t size,
				  void *value, size_t *out_size);
	cl_handle (*create_kernel)(cl_handle program, const char *name, int32_t *out_error);
	int32_t (*set_argument)(cl_handle kernel, uint32_t index, size_t size, const void *value);
	int32_t (*enqueue_kernel)(cl_handle queue, cl_handle kernel, uint32_t dimensions,
				  const size_t *offset, const size_t *global, const size_t *local,
				  uint32_t wait_count, const cl_handle *wait, cl_handle *out_event);
	int32_t (*enqueue_read)(cl_handle queue, cl_handle buffer, uint32_t blocking, size_t offset,
				size_t size, void *into, uint32_t wait_count, const cl_handle *wait,
				cl_handle *out_event);
	int32_t (*release_kernel)(cl_handle kernel);
	int32_t (*release_program)(cl_handle program);
	int32_t (*release_buffer)(cl_handle buffer);
	int32_t (*release_queue)(cl_handle queue);
	int32_t (*release_context)(cl_handle context);
};

/* Loads the loader and fills `table`. NOTFOUND, with the packages to install as cure; VERSION. */
int tacho__opencl_load(const struct tacho__dl_symbol *wanted, size_t count, struct tacho__dl *dl,
		       void *table);
/* The same for all that is called here. */
int tacho__opencl_open(struct tacho__opencl *out_cl);

/* "CL_INVALID_DEVICE (-33)", or the number alone. Text of tacho__detail(). */
const char *tacho__opencl_error(int32_t error);

enum { TACHO__OPENCL_HANDLES = 1024 }; /* more platforms or devices: a driver gone wrong */

/* How many there are; 0 with *out_error when the driver says one. */
uint32_t tacho__opencl_get_platforms(const struct tacho__opencl *cl,
				     cl_handle out_platforms[TACHO__OPENCL_HANDLES],
				     int32_t *out_error);
uint32_t tacho__opencl_get_devices(const struct tacho__opencl *cl, cl_handle platform,
				   cl_handle out_devices[TACHO__OPENCL_HANDLES],
				   int32_t *out_error);

/* As clGetDeviceInfo(), of any kind of object. */
typedef int32_t (*tacho__opencl_info)(cl_handle object, uint32_t name, size_t size, void *value,
				      size_t *out_size);

enum { TACHO__OPENCL_TEXT = 4096 };

/* A text without blanks around it; "" when the driver does not tell. */
void tacho__opencl_get_text(tacho__opencl_info info, cl_handle object, uint32_t name,
			    char out_text[TACHO__OPENCL_TEXT]);
/* A number of 4 or 8 bytes; 0 when the driver does not tell. */
uint64_t tacho__opencl_get_number(tacho__opencl_info info, cl_handle object, uint32_t name);

/* icds.c: where the loader looks for drivers, and what is there. */
struct tacho__opencl_icd {
	const char *file;    /* the .icd file; the library itself when the environment names one */
	const char *library; /* what it names; "" when it is empty or cannot be read */
};
struct tacho__opencl_icds {
	struct tacho__arena arena; /* of all that follows */
	const char *place;	   /* "the folder /etc/OpenCL/vendors", "OCL_ICD_VENDORS=..." */
	bool is_readable;	   /* the folder or file could be opened */
	struct tacho__opencl_icd *list;
	size_t count;
};
/* NOMEM. */
int tacho__opencl_icds_find(struct tacho__opencl_icds *out_icds);
void tacho__opencl_icds_finish(struct tacho__opencl_icds *icds);
/* Why there is no platform, as far as the places tell. Appended to `out_text`. */
void tacho__opencl_icds_explain(struct tacho__buf *out_text);

/* loader.c: the loader that programs will most likely use. */
struct tacho__opencl_loader {
	char path[PATH_MAX]; /* "" when there is none */
	bool has_layers;
	char error[512]; /* why there is none */
};
void tacho__opencl_loader_find(struct tacho__opencl_loader *out_loader);

/* cache.c: where PoCL, the OpenCL of CPUs, keeps compiled kernels. */
struct tacho__opencl_cache {
	char path[PATH_MAX];
	char from[32]; /* the environment variable that decides, "" when none is set */
	int error;     /* errno: it cannot be written to; 0 when it can */
};
void tacho__opencl_cache_find(struct tacho__opencl_cache *out_cache);
/* Why the cache cannot be used, "" when it can: appended. */
void tacho__opencl_cache_explain(const struct tacho__opencl_cache *cache,
				 struct tacho__buf *out_text);
extern const char tacho__opencl_cache_cure[];
/*
 * When `platform` is PoCL and its cache cannot be used, that is why it has no device or makes no
 * context: appends so and returns true.
 */
bool tacho__opencl_cache_blame(const char *platform, struct tacho__buf *out_text);

/* checks.c: tells of loader, drivers, cache and devices. Returns how many devices ran a kernel. */
size_t tacho__opencl_check(tacho_check_fn fn, void *user);

/* trial.c: builds and runs a small kernel. True when its result is right. */
bool tacho__opencl_trial(const struct tacho__opencl *cl, const char *platform, cl_handle device,
			 struct tacho__buf *out_cause, struct tacho__buf *out_cure);

#endif
