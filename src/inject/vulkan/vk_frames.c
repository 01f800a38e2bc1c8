/* SPDX-License-Identifier: MIT */
/*
 * Frames: of each surface from one picture that was handed over to be shown to the next; and of
 * programs that show nothing, where they say that a frame ends (VK_EXT_frame_boundary). They are
 * told behind the calls that end them, which so are within.
 */
#include <stdio.h>
#include <stdlib.h>

#include "inject/handles.h"
#include "inject/vulkan/vk_abi.h"
#include "inject/vulkan/vk_devices.h"
#include "intercept/marks.h"
#include "tacho/recording.h"

enum { SERIES_MAX = 32, NAME_BYTES = 16 };

/* Frames that follow one another. Whoever hands over pictures of it uses it, one at a time. */
struct series {
	_Atomic(uint64_t) surface; /* 0: of none */
	uint64_t number;	   /* of the frame that goes on, from 1; 0: none does */
	uint64_t range;
	char name[NAME_BYTES]; /* "" of the first one */
};

static struct {
	struct tacho__handles swapchains; /* to struct series */
	struct series series[SERIES_MAX];
	atomic_uint begun;
	struct series told;  /* by the program, as it shows nothing */
	uint64_t told_frame; /* that ended last */
	atomic_flag is_telling;
} frames = {.told_frame = UINT64_MAX, .is_telling = ATOMIC_FLAG_INIT};

/* ---- frames ---- */

static void begin(struct series *series)
{
	struct tacho__range_note note = {.event = TACHO__RANGE_BEGIN,
					 .api = "vulkan",
					 .domain = series->name,
					 .name = "frame",
					 .kind = TACHO_RANGE_FRAME,
					 .number = ++series->number};

	tacho__marks_tell(&note);
	series->range = note.id;
}

static void begin_first(struct series *series)
{
	unsigned before = atomic_fetch_add(&frames.begun, 1);

	if (before)
		snprintf(series->name, sizeof(series->name), "series %u", before + 1);
	begin(series);
}

static void end(struct series *series)
{
	struct tacho__range_note note = {.event = TACHO__RANGE_END,
					 .id = series->range,
					 .api = "vulkan",
					 .domain = series->name,
					 .kind = TACHO_RANGE_FRAME,
					 .number = series->number};

	tacho__marks_tell(&note);
	begin(series);
}

/* ---- pictures that are shown ---- */

/* NULL: there are too many. The program makes one swapchain of a surface at a time. */
static struct series *get_series(uint64_t surface)
{
	for (int i = 0; surface && i < SERIES_MAX; i++) {
		uint64_t known = 0;

		if (atomic_compare_exchange_strong(&frames.series[i].surface, &known, surface) ||
		    known == surface)
			return &frames.series[i];
	}
	return NULL;
}

void tacho__vulkan_made_swapchain(void *device, void const *pCreateInfo, uint64_t *pSwapchain,
				  int32_t result)
{
	const struct vk_swapchain_info *info = pCreateInfo;
	struct series *series = result < 0 ? NULL : get_series(info->surface);

	(void)device;
	if (!series)
		return;
	tacho__handles_set(&frames.swapchains, (const void *)(uintptr_t)*pSwapchain,
			   (uintptr_t)series);
	if (!series->number)
		begin_first(series);
}

static const struct vk_frame_boundary *find_boundary(const void *next)
{
	for (const struct vk_chain *at = next; at; at = at->next)
		if (at->type == VK_TYPE_FRAME_BOUNDARY)
			return (const void *)at;
	return NULL;
}

/* Unless the program says that the frame goes on. */
void tacho__vulkan_presented(void *queue, void const *pPresentInfo, int32_t result)
{
	const struct vk_present_info *info = pPresentInfo;
	const struct vk_frame_boundary *boundary = find_boundary(info->next);

	(void)queue;
	if (result < 0 || (boundary && !(boundary->flags & VK_FRAME_ENDS)))
		return;
	for (uint32_t i = 0; i < info->swapchain_count; i++) {
		struct series *series = (struct series *)(uintptr_t)tacho__handles_get(
			&frames.swapchains, (const void *)(uintptr_t)info->swapchains[i]);

		if (series)
			end(series);
	}
}

/* ---- what a program says that shows nothing ---- */

/* The first frame is counted from the first submit that tells of one. A frame may end on several
 * queues; a thread that comes while another one tells does not wait. */
static void take_batch(const void *batch)
{
	const struct vk_frame_boundary *boundary =
		find_boundary(((const struct vk_chain *)batch)->next);

	if (!boundary || atomic_flag_test_and_set(&frames.is_telling))
		return;
	if (!frames.told.number) {
		begin_first(&frames.told);
	} else if (boundary->flags & VK_FRAME_ENDS && frames.told_frame != boundary->frame) {
		frames.told_frame = boundary->frame;
		end(&frames.told);
	}
	atomic_flag_clear(&frames.is_telling);
}

void tacho__vulkan_submitted(uint32_t submitCount, void const *pSubmits, int32_t result)
{
	const struct vk_submit_info *batches = pSubmits;

	for (uint32_t i = 0; result >= 0 && i < submitCount; i++)
		take_batch(&batches[i]);
}

void tacho__vulkan_submitted2(uint32_t submitCount, void const *pSubmits, int32_t result)
{
	const struct vk_submit_info2 *batches = pSubmits;

	for (uint32_t i = 0; result >= 0 && i < submitCount; i++)
		take_batch(&batches[i]);
}
