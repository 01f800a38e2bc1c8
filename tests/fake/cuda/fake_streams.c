/* SPDX-License-Identifier: MIT */
/* Streams and events, and capturing. */
#include "fake_driver.h"

CUstream fake_stream_new(CUcontext context, bool is_blocking, int priority, uint64_t owner)
{
	CUstream stream = calloc(1, sizeof(*stream));

	stream->context = context;
	stream->is_blocking = is_blocking;
	stream->priority = priority;
	stream->owner = owner;
	pthread_mutex_lock(&fake_driver.lock);
	stream->id = 7 + fake_driver.stream_count++; /* 7 is stream 0 in a first context */
	stream->next = fake_driver.streams;
	fake_driver.streams = stream;
	pthread_mutex_unlock(&fake_driver.lock);
	fake_start_stream(stream);
	return stream;
}

static CUstream find_own(CUcontext context)
{
	uint64_t owner = fake_thread_get()->number;
	CUstream own = NULL;

	pthread_mutex_lock(&fake_driver.lock);
	for (CUstream stream = fake_driver.streams; stream && !own; stream = stream->next)
		if (stream->context == context && stream->owner == owner && !stream->is_dead)
			own = stream;
	pthread_mutex_unlock(&fake_driver.lock);
	return own ? own : fake_stream_new(context, true, 0, owner);
}

CUstream fake_stream_find(CUstream handle)
{
	CUcontext context = fake_context();
	bool is = false;

	if (handle == CU_STREAM_PER_THREAD || (!handle && fake_thread_get()->per_thread))
		return context ? find_own(context) : NULL;
	if (!handle || handle == CU_STREAM_LEGACY)
		return context ? context->null_stream : NULL;
	pthread_mutex_lock(&fake_driver.lock);
	for (CUstream stream = fake_driver.streams; stream && !is; stream = stream->next)
		is = stream == handle && !stream->is_dead;
	pthread_mutex_unlock(&fake_driver.lock);
	return is ? handle : NULL;
}

CUresult fake_cuStreamCreateWithPriority(CUstream *out_stream, unsigned int flags, int priority)
{
	CUcontext context = fake_context();

	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (flags > CU_STREAM_NON_BLOCKING)
		return CUDA_ERROR_INVALID_VALUE;
	*out_stream = fake_stream_new(context, !flags, priority, 0);
	fake_tell((struct fake_cuda_object){
		.event = FAKE_CUDA_STREAM_CREATED, .context = context, .stream = *out_stream});
	return CUDA_SUCCESS;
}

CUresult fake_cuStreamCreate(CUstream *out_stream, unsigned int flags)
{
	return fake_cuStreamCreateWithPriority(out_stream, flags, 0);
}

/* Returns at once; the work goes on. */
CUresult fake_cuStreamDestroy_v2(CUstream stream)
{
	if (!stream || fake_stream_find(stream) != stream)
		return CUDA_ERROR_INVALID_HANDLE;
	fake_tell((struct fake_cuda_object){.event = FAKE_CUDA_STREAM_DESTROYING,
					    .context = stream->context,
					    .stream = stream});
	pthread_mutex_lock(&fake_driver.lock);
	stream->is_dead = true;
	pthread_cond_broadcast(&fake_driver.changed);
	pthread_mutex_unlock(&fake_driver.lock);
	return CUDA_SUCCESS;
}

static struct fake_point point_of(CUstream stream)
{
	struct fake_point point = {stream, 0};

	pthread_mutex_lock(&fake_driver.lock);
	point.number = stream->submitted;
	pthread_mutex_unlock(&fake_driver.lock);
	return point;
}

CUresult fake_cuStreamSynchronize(CUstream handle)
{
	CUstream stream = fake_stream_find(handle);

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	if (stream->captured)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	fake_wait_point(point_of(stream), UINT64_MAX);
	fake_tell_synchronized(stream->context, handle);
	return CUDA_SUCCESS;
}

CUresult fake_cuStreamQuery(CUstream handle)
{
	CUstream stream = fake_stream_find(handle);

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	return fake_wait_point(point_of(stream), 0) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult fake_cuStreamGetPriority(CUstream handle, int *priority)
{
	CUstream stream = fake_stream_find(handle);

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	*priority = stream->priority;
	return CUDA_SUCCESS;
}

CUresult fake_cuStreamGetFlags(CUstream handle, unsigned int *flags)
{
	CUstream stream = fake_stream_find(handle);

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	*flags = stream->is_blocking ? 0 : CU_STREAM_NON_BLOCKING;
	return CUDA_SUCCESS;
}

CUresult fake_cuStreamGetCtx(CUstream handle, CUcontext *out_context)
{
	CUstream stream = fake_stream_find(handle);

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	*out_context = stream->context;
	return CUDA_SUCCESS;
}

CUresult fake_cuStreamGetId(CUstream handle, unsigned long long *id)
{
	CUstream stream = fake_stream_find(handle);

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	*id = stream->id;
	return CUDA_SUCCESS;
}

CUresult fake_cuStreamBeginCapture_v2(CUstream handle, CUstreamCaptureMode mode)
{
	CUstream stream = fake_stream_find(handle);

	(void)mode;
	if (!stream || stream->captured)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!handle)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	stream->captured = fake_graph_new();
	return CUDA_SUCCESS;
}

CUresult fake_cuStreamEndCapture(CUstream handle, CUgraph *out_graph)
{
	CUstream stream = fake_stream_find(handle);

	if (!stream || !stream->captured)
		return CUDA_ERROR_INVALID_HANDLE;
	*out_graph = stream->captured;
	stream->captured = NULL;
	return CUDA_SUCCESS;
}

CUresult fake_cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus *status)
{
	CUstream stream = fake_stream_find(handle);

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	*status =
		stream->captured ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
	return CUDA_SUCCESS;
}

CUresult fake_cuStreamGetCaptureInfo_v2(CUstream handle, CUstreamCaptureStatus *status,
					cuuint64_t *id, CUgraph *graph,
					const CUgraphNode **dependencies, size_t *count)
{
	CUstream stream = fake_stream_find(handle);
	CUresult result = fake_cuStreamIsCapturing(handle, status);

	if (result)
		return result;
	if (id)
		*id = stream->captured ? stream->captured->id : 0;
	if (graph)
		*graph = stream->captured;
	if (dependencies)
		*dependencies = NULL;
	if (count)
		*count = 0;
	return CUDA_SUCCESS;
}

CUresult fake_cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
	static _Thread_local CUstreamCaptureMode current;
	CUstreamCaptureMode before = current;

	current = *mode;
	*mode = before;
	return CUDA_SUCCESS;
}

static bool is_event(CUevent event)
{
	bool is = false;

	pthread_mutex_lock(&fake_driver.lock);
	for (CUevent known = fake_driver.events; known && !is; known = known->next)
		is = known == event && !known->is_dead;
	pthread_mutex_unlock(&fake_driver.lock);
	return is;
}

CUresult fake_cuEventCreate(CUevent *out_event, unsigned int flags)
{
	CUevent event;

	if (!fake_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	event = calloc(1, sizeof(*event));
	event->context = fake_context();
	event->has_time = !(flags & CU_EVENT_DISABLE_TIMING);
	pthread_mutex_lock(&fake_driver.lock);
	event->next = fake_driver.events;
	fake_driver.events = event;
	pthread_mutex_unlock(&fake_driver.lock);
	*out_event = event;
	return CUDA_SUCCESS;
}

CUresult fake_cuEventRecord(CUevent event, CUstream handle)
{
	CUstream stream = fake_stream_find(handle);
	struct fake_op *op;

	if (!stream || !is_event(event))
		return CUDA_ERROR_INVALID_HANDLE;
	if (stream->captured)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	op = fake_op_new(stream, FAKE_CUDA_NOTHING);
	op->event = event;
	fake_enqueue(stream, op);
	return CUDA_SUCCESS;
}

static CUresult wait_event(CUevent event, uint64_t limit_ns)
{
	struct fake_point point;

	if (!is_event(event))
		return CUDA_ERROR_INVALID_HANDLE;
	pthread_mutex_lock(&fake_driver.lock);
	point = event->point;
	pthread_mutex_unlock(&fake_driver.lock);
	return !point.stream || fake_wait_point(point, limit_ns) ? CUDA_SUCCESS
								 : CUDA_ERROR_NOT_READY;
}

CUresult fake_cuEventQuery(CUevent event)
{
	return wait_event(event, 0);
}

CUresult fake_cuEventSynchronize(CUevent event)
{
	return wait_event(event, UINT64_MAX);
}

CUresult fake_cuEventDestroy_v2(CUevent event)
{
	if (!is_event(event))
		return CUDA_ERROR_INVALID_HANDLE;
	pthread_mutex_lock(&fake_driver.lock);
	event->is_dead = true;
	pthread_mutex_unlock(&fake_driver.lock);
	return CUDA_SUCCESS;
}

CUresult fake_cuStreamWaitEvent(CUstream handle, CUevent event, unsigned int flags)
{
	CUstream stream = fake_stream_find(handle);
	struct fake_op *op;

	if (!stream || !is_event(event) || flags)
		return CUDA_ERROR_INVALID_HANDLE;
	if (stream->captured)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	op = fake_op_new(stream, FAKE_CUDA_NOTHING);
	pthread_mutex_lock(&fake_driver.lock);
	if (event->point.stream)
		fake_op_wait_for(op, event->point);
	pthread_mutex_unlock(&fake_driver.lock);
	fake_enqueue(stream, op);
	return CUDA_SUCCESS;
}

CUresult fake_cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end)
{
	CUresult status = wait_event(start, 0);

	if (!status)
		status = wait_event(end, 0);
	if (status)
		return status;
	if (!start->point.stream || !end->point.stream || !start->has_time || !end->has_time)
		return CUDA_ERROR_INVALID_HANDLE;
	pthread_mutex_lock(&fake_driver.lock);
	*milliseconds = (float)((double)(int64_t)(end->time_ns - start->time_ns) / 1e6);
	pthread_mutex_unlock(&fake_driver.lock);
	return CUDA_SUCCESS;
}

CUresult fake_cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
	return fake_cuEventElapsedTime_v2(milliseconds, start, end);
}
