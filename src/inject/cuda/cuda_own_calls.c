/* SPDX-License-Identifier: MIT */
/* Calls of CUDA that tacho makes itself: callbacks ignore them, and captures do not mind them. */
#include "inject/cuda/cuda_counting.h"
#include "inject/cuda/cuda_functions.h"

static _Thread_local struct {
	uint32_t depth;
	int mode; /* of captures, as the program has it */
	bool has_mode;
} own;

bool tacho__cuda_is_own_call(void)
{
	return own.depth != 0;
}

/* While a stream of the process is captured, calls that may wait would end the capture. */
void tacho__cuda_begin_own_calls(void)
{
	if (own.depth++)
		return;
	own.mode = TACHO__CUDA_CAPTURE_RELAXED;
	own.has_mode = tacho__cuda.cuThreadExchangeStreamCaptureMode &&
		       !tacho__cuda.cuThreadExchangeStreamCaptureMode(&own.mode);
}

void tacho__cuda_end_own_calls(void)
{
	if (own.depth == 1 && own.has_mode)
		tacho__cuda.cuThreadExchangeStreamCaptureMode(&own.mode);
	own.depth--;
}
