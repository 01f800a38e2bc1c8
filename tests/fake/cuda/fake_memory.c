/* SPDX-License-Identifier: MIT */
/* Memory, which is the host's, with copies and sets. */
#include "fake_driver.h"

/* As CUPTI numbers what memory is. */
enum place { PAGEABLE = 1, PINNED = 2, DEVICE = 3, MANAGED = 5 };
/* ... and copies. */
enum { TO_DEVICE = 1, TO_HOST = 2, ON_DEVICE = 8, ON_HOST = 9 };

struct allocation {
	struct allocation *next;
	char *at;
	size_t bytes;
	CUcontext context;
	enum place place;
};

static struct {
	pthread_mutex_t lock;
	struct allocation *first;
	size_t used;
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

static CUresult allocate(CUcontext context, void **out, size_t bytes, enum place place)
{
	struct allocation *new;

	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!bytes)
		return CUDA_ERROR_INVALID_VALUE;
	if (bytes > FAKE_MEMORY_BYTES)
		return CUDA_ERROR_OUT_OF_MEMORY;
	new = malloc(sizeof(*new));
	*new = (struct allocation){NULL, NULL, bytes, context, place};
	if (posix_memalign((void **)&new->at, 256, bytes)) {
		free(new);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	pthread_mutex_lock(&memory.lock);
	new->next = memory.first;
	memory.first = new;
	memory.used += bytes;
	pthread_mutex_unlock(&memory.lock);
	*out = new->at;
	return CUDA_SUCCESS;
}

/* Takes it out of the list. False: no such, or of another place. */
static bool take(void *pointer, enum place place)
{
	struct allocation **at, *found;

	pthread_mutex_lock(&memory.lock);
	for (at = &memory.first; *at && (*at)->at != pointer;)
		at = &(*at)->next;
	found = *at && ((*at)->place == place || ((*at)->place == MANAGED && place == DEVICE))
			? *at
			: NULL;
	if (found) {
		*at = found->next;
		memory.used -= found->bytes;
	}
	pthread_mutex_unlock(&memory.lock);
	free(found);
	return found != NULL;
}

static enum place place_of(const void *pointer)
{
	enum place place = PAGEABLE;

	pthread_mutex_lock(&memory.lock);
	for (const struct allocation *known = memory.first; known; known = known->next)
		if ((const char *)pointer >= known->at &&
		    (const char *)pointer < known->at + known->bytes)
			place = known->place;
	pthread_mutex_unlock(&memory.lock);
	return place;
}

void fake_memory_release(void *pointer)
{
	free(pointer);
}

void fake_memory_lose(CUcontext context)
{
	pthread_mutex_lock(&memory.lock);
	for (struct allocation **at = &memory.first; *at;) {
		struct allocation *gone = *at;

		if (gone->context != context) {
			at = &gone->next;
			continue;
		}
		*at = gone->next;
		memory.used -= gone->bytes;
		free(gone->at);
		free(gone);
	}
	pthread_mutex_unlock(&memory.lock);
}

struct fake_cuda_memory {
	struct fake_cuda_memory *next;
	char *at;
	size_t bytes;
	char content[];
};

struct fake_cuda_memory *fake_memory_save(CUcontext context)
{
	struct fake_cuda_memory *kept = NULL;

	pthread_mutex_lock(&memory.lock);
	for (const struct allocation *known = memory.first; known; known = known->next) {
		struct fake_cuda_memory *copy;

		if (known->context != context || known->place == PINNED)
			continue;
		copy = malloc(sizeof(*copy) + known->bytes);
		*copy = (struct fake_cuda_memory){
			.next = kept, .at = known->at, .bytes = known->bytes};
		memcpy(copy->content, known->at, known->bytes);
		kept = copy;
	}
	pthread_mutex_unlock(&memory.lock);
	return kept;
}

void fake_memory_restore(const struct fake_cuda_memory *kept)
{
	for (; kept; kept = kept->next)
		if (place_of(kept->at) != PAGEABLE)
			memcpy(kept->at, kept->content, kept->bytes);
}

void fake_memory_free(struct fake_cuda_memory *kept)
{
	while (kept) {
		struct fake_cuda_memory *next = kept->next;

		free(kept);
		kept = next;
	}
}

CUresult fake_cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
	pthread_mutex_lock(&memory.lock);
	*free_bytes = FAKE_MEMORY_BYTES - memory.used;
	*total_bytes = FAKE_MEMORY_BYTES;
	pthread_mutex_unlock(&memory.lock);
	return CUDA_SUCCESS;
}

CUresult fake_cuMemAlloc_v2(CUdeviceptr *out, size_t bytes)
{
	void *pointer = NULL;
	CUresult status = allocate(fake_context(), &pointer, bytes, DEVICE);

	if (!status)
		*out = (CUdeviceptr)(uintptr_t)pointer;
	return status;
}

CUresult fake_cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned int flags)
{
	void *pointer = NULL;
	CUresult status = flags ? allocate(fake_context(), &pointer, bytes, MANAGED)
				: CUDA_ERROR_INVALID_VALUE;

	if (!status)
		*out = (CUdeviceptr)(uintptr_t)pointer;
	return status;
}

CUresult fake_cuMemFree_v2(CUdeviceptr pointer)
{
	if (!pointer)
		return CUDA_SUCCESS;
	if (!fake_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	fake_wait_context(fake_context(), UINT64_MAX);
	if (!take((void *)(uintptr_t)pointer, DEVICE))
		return CUDA_ERROR_INVALID_VALUE;
	free((void *)(uintptr_t)pointer);
	return CUDA_SUCCESS;
}

CUresult fake_cuMemHostAlloc(void **out, size_t bytes, unsigned int flags)
{
	(void)flags;
	return allocate(fake_context(), out, bytes, PINNED);
}

CUresult fake_cuMemAllocHost_v2(void **out, size_t bytes)
{
	return fake_cuMemHostAlloc(out, bytes, 0);
}

CUresult fake_cuMemFreeHost(void *pointer)
{
	if (!fake_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	fake_wait_context(fake_context(), UINT64_MAX);
	if (!take(pointer, PINNED))
		return CUDA_ERROR_INVALID_VALUE;
	free(pointer);
	return CUDA_SUCCESS;
}

CUresult fake_cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream)
{
	return fake_stream_find(stream) ? fake_cuMemAlloc_v2(out, bytes)
					: CUDA_ERROR_INVALID_HANDLE;
}

CUresult fake_cuMemFreeAsync(CUdeviceptr pointer, CUstream handle)
{
	CUstream stream = fake_stream_find(handle);
	struct fake_op *op;

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!take((void *)(uintptr_t)pointer, DEVICE))
		return CUDA_ERROR_INVALID_VALUE;
	op = fake_op_new(stream, FAKE_CUDA_NOTHING);
	op->freed = (void *)(uintptr_t)pointer;
	fake_enqueue(stream, op);
	return CUDA_SUCCESS;
}

static uint8_t copy_kind_of(enum place from, enum place to)
{
	bool from_host = from < DEVICE, to_host = to < DEVICE;

	if (from_host)
		return to_host ? ON_HOST : TO_DEVICE;
	return to_host ? TO_HOST : ON_DEVICE;
}

struct copy {
	char *to;
	const char *from;
	size_t width, rows, to_pitch, from_pitch;
};

static struct fake_op *make_copy(CUstream stream, const struct copy *copy, bool is_async)
{
	struct fake_op *op = fake_op_new(stream, FAKE_CUDA_COPY);

	op->to = copy->to;
	op->from = copy->from;
	op->width = copy->width;
	op->rows = copy->rows;
	op->to_pitch = copy->to_pitch;
	op->from_pitch = copy->from_pitch;
	op->work.bytes = copy->width * copy->rows;
	op->work.from_kind = (uint8_t)place_of(copy->from);
	op->work.to_kind = (uint8_t)place_of(copy->to);
	op->work.copy_kind = copy_kind_of(op->work.from_kind, op->work.to_kind);
	op->work.is_async = is_async;
	return op;
}

static CUresult submit(CUstream stream, struct fake_op *op, bool is_async)
{
	CUcontext context = stream->context;
	bool is_captured = stream->captured;
	CUresult status = fake_submit(stream, op);

	if (!status && !is_async && !is_captured)
		fake_wait_context(context, UINT64_MAX);
	return status;
}

static CUresult copy_rows(const struct copy *copy, CUstream handle, bool is_async)
{
	CUstream stream = fake_stream_find(handle);

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!copy->to || !copy->from)
		return CUDA_ERROR_INVALID_VALUE;
	return submit(stream, make_copy(stream, copy, is_async), is_async);
}

static CUresult copy_bytes(uint64_t to, uint64_t from, size_t bytes, CUstream stream, bool is_async)
{
	const struct copy copy = {
		(char *)(uintptr_t)to, (const char *)(uintptr_t)from, bytes, 1, bytes, bytes};

	return copy_rows(&copy, stream, is_async);
}

CUresult fake_cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	return copy_bytes(to, from, bytes, NULL, false);
}

CUresult fake_cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	return copy_bytes(to, from, bytes, stream, true);
}

CUresult fake_cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
	return copy_bytes(to, (uintptr_t)from, bytes, NULL, false);
}

CUresult fake_cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
	return copy_bytes((uintptr_t)to, from, bytes, NULL, false);
}

CUresult fake_cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	return copy_bytes(to, from, bytes, NULL, false);
}

CUresult fake_cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
	return copy_bytes(to, (uintptr_t)from, bytes, stream, true);
}

CUresult fake_cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	return copy_bytes((uintptr_t)to, from, bytes, stream, true);
}

CUresult fake_cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	return copy_bytes(to, from, bytes, stream, true);
}

static CUresult copy_2d(const CUDA_MEMCPY2D *params, CUstream stream, bool is_async)
{
	bool from_host = params->srcMemoryType == CU_MEMORYTYPE_HOST;
	bool to_host = params->dstMemoryType == CU_MEMORYTYPE_HOST;
	const char *from = from_host ? params->srcHost : (void *)(uintptr_t)params->srcDevice;
	char *to = to_host ? params->dstHost : (void *)(uintptr_t)params->dstDevice;
	struct copy copy = {.width = params->WidthInBytes,
			    .rows = params->Height,
			    .to_pitch = params->dstPitch ? params->dstPitch : params->WidthInBytes,
			    .from_pitch =
				    params->srcPitch ? params->srcPitch : params->WidthInBytes};

	if (params->srcMemoryType == CU_MEMORYTYPE_ARRAY ||
	    params->dstMemoryType == CU_MEMORYTYPE_ARRAY || !from || !to)
		return CUDA_ERROR_INVALID_VALUE;
	copy.from = from + params->srcY * copy.from_pitch + params->srcXInBytes;
	copy.to = to + params->dstY * copy.to_pitch + params->dstXInBytes;
	return copy_rows(&copy, stream, is_async);
}

CUresult fake_cuMemcpy2D_v2(const CUDA_MEMCPY2D *params)
{
	return copy_2d(params, NULL, false);
}

CUresult fake_cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *params, CUstream stream)
{
	return copy_2d(params, stream, true);
}

static CUresult set(CUdeviceptr to, uint32_t value, uint32_t element, size_t count, CUstream handle,
		    bool is_async)
{
	CUstream stream = fake_stream_find(handle);
	struct fake_op *op;

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!to)
		return CUDA_ERROR_INVALID_VALUE;
	op = fake_op_new(stream, FAKE_CUDA_SET);
	op->to = (char *)(uintptr_t)to;
	op->element = element;
	op->width = op->work.bytes = count * element;
	op->rows = 1;
	op->work.value = value;
	op->work.to_kind = (uint8_t)place_of(op->to);
	op->work.is_async = is_async;
	return submit(stream, op, is_async);
}

CUresult fake_cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count)
{
	return set(to, value, 1, count, NULL, false);
}

CUresult fake_cuMemsetD32_v2(CUdeviceptr to, unsigned int value, size_t count)
{
	return set(to, value, 4, count, NULL, false);
}

CUresult fake_cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream)
{
	return set(to, value, 1, count, stream, true);
}

CUresult fake_cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream)
{
	return set(to, value, 4, count, stream, true);
}
