/* SPDX-License-Identifier: MIT */
/*
 * From ticks of a device to nanoseconds: of CLOCK_MONOTONIC where the driver reads both clocks
 * together, else of the device's own clock, whose place readers of the recording find by when
 * commands were submitted and were seen to have ended.
 */
#ifndef TACHO_INJECT_VULKAN_VK_CLOCK_H
#define TACHO_INJECT_VULKAN_VK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct vk_device;

#define VK_CALIBRATION_EXTENSION "VK_EXT_calibrated_timestamps"

/* Of one thread. {0} at first. */
struct vk_clock {
	bool is_read;
	uint64_t ticks; /* with calibration an instant, and what CLOCK_MONOTONIC was then */
	uint64_t ns;
	uint64_t read_ns; /* when it was read, CLOCK_MONOTONIC */
	uint64_t whole;	  /* without: the newest tick that was seen, with the bits it lacks */
};

/* Reads the clocks together for the first time, where that can be. */
void tacho__vulkan_clock_begin(struct vk_device *device);

/* Before a time is converted: reads the clocks again when that was long ago. */
void tacho__vulkan_clock_refresh(const struct vk_device *device, struct vk_clock *clock);

/* Ticks come in about the order of time. `bits`: of them that are valid, from 32 to 64. */
uint64_t tacho__vulkan_clock_convert(const struct vk_device *device, struct vk_clock *clock,
				     uint32_t bits, uint64_t ticks);

uint64_t tacho__vulkan_clock_now_ns(void);

#endif
