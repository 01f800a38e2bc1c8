/* SPDX-License-Identifier: MIT */
#include "inject/opencl/copies.h"

#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "inject/opencl/cl_kernels.h"
#include "inject/opencl/spares.h"
#include "opencl_api.h"
#include "opencl_constants.h"

#define MS_NS UINT64_C(1000000)

enum { PATIENCE_S = 10, FIRST_PAUSE_NS = 1000000, LAST_PAUSE_NS = 100000000 };

static const uint64_t copy_timeout_ns = 60000 * MS_NS;

static int32_t copy_image(const struct tacho__replay *replay, const struct tacho__kept *kept,
			  bool back, void **out_event)
{
	static const size_t origin[3];

	if (back)
		return tacho__opencl_target.clEnqueueCopyBufferToImage(
			replay->queue, kept->copy, kept->memory, 0, origin, kept->region, 0, NULL,
			out_event);
	return tacho__opencl_target.clEnqueueCopyImageToBuffer(replay->queue, kept->memory,
							       kept->copy, origin, kept->region, 0,
							       0, NULL, out_event);
}

static int32_t copy(const struct tacho__replay *replay, const struct tacho__kept *kept, bool back,
		    void **out_event)
{
	void *from = back ? kept->copy : kept->memory, *to = back ? kept->memory : kept->copy;

	switch (kept->kind) {
	case TACHO__KEPT_IMAGE: return copy_image(replay, kept, back, out_event);
	case TACHO__KEPT_SVM:
		return tacho__opencl_target.clEnqueueSVMMemcpy(replay->queue, CL_FALSE, to, from,
							       kept->bytes, 0, NULL, out_event);
	default:
		return tacho__opencl_target.clEnqueueCopyBuffer(replay->queue, from, to, 0, 0,
								kept->bytes, 0, NULL, out_event);
	}
}

/* Waits for an event of ours and gives it back. */
static const char *end_copy(const struct tacho__replay *replay, void *event)
{
	const char *why;

	tacho__opencl_target.clFlush(replay->queue);
	why = tacho__opencl_await(event, copy_timeout_ns);
	tacho__opencl_target.clReleaseEvent(event);
	return why;
}

bool tacho__copies_keep(struct tacho__replay *replay)
{
	bool worked = true;

	replay->patience_ns = PATIENCE_S * 1000 * MS_NS;
	for (size_t i = 0; i < replay->count && worked; i++) {
		void *event = NULL;

		worked = !copy(replay, &replay->kept[i], false, &event) && !end_copy(replay, event);
	}
	return worked;
}

/* How far one piece of memory was brought back. */
enum piece {
	PIECE_BACK,
	PIECE_REFUSED, /* it was not touched */
	PIECE_BROKEN,  /* the device failed while it wrote */
	PIECE_LATE,    /* the device may still write */
};

static enum piece end_piece(const struct tacho__replay *replay, void *event)
{
	const char *why = end_copy(replay, event);

	if (!why)
		return PIECE_BACK;
	return why == tacho__count_timeout ? PIECE_LATE : PIECE_BROKEN;
}

static enum piece bring_back(const struct tacho__replay *replay, const struct tacho__kept *kept)
{
	void *event = NULL;

	return copy(replay, kept, true, &event) ? PIECE_REFUSED : end_piece(replay, event);
}

static int32_t write_host(const struct tacho__replay *replay, const struct tacho__kept *kept,
			  const void *host, void **out_event)
{
	static const size_t origin[3];

	if (kept->kind == TACHO__KEPT_IMAGE)
		return tacho__opencl_target.clEnqueueWriteImage(replay->queue, kept->memory,
								CL_FALSE, origin, kept->region, 0,
								0, host, 0, NULL, out_event);
	return tacho__opencl_target.clEnqueueWriteBuffer(replay->queue, kept->memory, CL_FALSE, 0,
							 kept->bytes, host, 0, NULL, out_event);
}

/* Another way, which needs other resources of the device. */
static enum piece bring_back_by_host(const struct tacho__replay *replay,
				     const struct tacho__kept *kept)
{
	void *host = kept->kind == TACHO__KEPT_SVM ? NULL : malloc(kept->bytes), *event = NULL;
	enum piece piece = PIECE_REFUSED, read;

	if (!host ||
	    tacho__opencl_target.clEnqueueReadBuffer(replay->queue, kept->copy, CL_FALSE, 0,
						     kept->bytes, host, 0, NULL, &event))
		goto out;
	read = end_piece(replay, event);
	if (read == PIECE_LATE)
		return PIECE_REFUSED; /* the device may still write there: it is never freed */
	if (read == PIECE_BACK && !write_host(replay, kept, host, &event))
		piece = end_piece(replay, event);
	if (piece == PIECE_LATE)
		return piece;
out:
	free(host);
	return piece;
}

/* Whatever it takes, but for waiting much longer than once. */
static enum piece insist(const struct tacho__replay *replay, const struct tacho__kept *kept)
{
	enum piece piece = bring_back(replay, kept), again = piece;

	if (again == PIECE_REFUSED || again == PIECE_BROKEN)
		again = bring_back(replay, kept);
	if (again == PIECE_REFUSED || again == PIECE_BROKEN) {
		piece = again == PIECE_BROKEN ? again : piece;
		again = bring_back_by_host(replay, kept);
	}
	/* What was broken before is not untouched after a refusal. */
	return again == PIECE_REFUSED ? piece : again;
}

/*
 * When a part of the launch's memory is back, the rest must be, too. Devices mostly refuse for want
 * of memory, which passes, and of which some is ours.
 */
static enum piece persist(const struct tacho__replay *replay, const struct tacho__kept *kept)
{
	uint64_t end_ns = tacho__clock_raw_ns() + replay->patience_ns;
	struct timespec pause = {.tv_nsec = FIRST_PAUSE_NS};
	enum piece piece;

	do {
		tacho__spares_drop(NULL);
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < LAST_PAUSE_NS)
			pause.tv_nsec *= 2;
		piece = insist(replay, kept);
	} while (piece != PIECE_BACK && piece != PIECE_LATE && tacho__clock_raw_ns() < end_ns);
	return piece;
}

bool tacho__copies_try(const struct tacho__replay *replay)
{
	for (size_t i = 0; i < replay->count; i++) {
		const struct tacho__kept *kept = &replay->kept[i];
		bool is_svm = kept->kind == TACHO__KEPT_SVM;

		if (tacho__opencl_was_tried((uintptr_t)kept->memory, is_svm))
			continue;
		if (insist(replay, kept) != PIECE_BACK)
			return false;
		tacho__opencl_note_tried((uintptr_t)kept->memory, is_svm);
	}
	return true;
}

enum tacho__restored tacho__copies_bring_back(const struct tacho__replay *replay)
{
	for (size_t i = 0; i < replay->count; i++) {
		enum piece piece = insist(replay, &replay->kept[i]);
		bool is_touched = i || piece != PIECE_REFUSED;

		if (is_touched && (piece == PIECE_REFUSED || piece == PIECE_BROKEN))
			piece = persist(replay, &replay->kept[i]);
		if (piece != PIECE_BACK)
			return is_touched ? TACHO__RESTORED_PART : TACHO__RESTORED_NOTHING;
	}
	return TACHO__RESTORED;
}
