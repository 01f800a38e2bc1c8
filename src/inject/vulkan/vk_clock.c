/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_clock.h"

#include <time.h>

#include "inject/vulkan/vk_devices.h"

enum {
	TRIES = 10,
	DOMAINS_MAX = 16,
	AGAIN_NS = 1000000000,
	SLACK = 4, /* how much worse a later reading may be than the first */
};

uint64_t tacho__vulkan_clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* How far the two may be from each other; UINT64_MAX: they could not be read. */
static uint64_t read_once(const struct vk_device *device, uint64_t *out_ticks, uint64_t *out_ns)
{
	static const struct vk_calibrated_info infos[] = {
		{.type = VK_TYPE_CALIBRATED_TIMESTAMP_INFO, .domain = VK_TIME_DOMAIN_DEVICE},
		{.type = VK_TYPE_CALIBRATED_TIMESTAMP_INFO, .domain = VK_TIME_DOMAIN_MONOTONIC},
	};
	uint64_t times[2], deviation = 0;

	if (device->table.vkGetCalibratedTimestampsEXT(device->handle, 2, infos, times, &deviation))
		return UINT64_MAX;
	*out_ticks = times[0];
	*out_ns = times[1];
	return deviation;
}

static uint64_t read_best(const struct vk_device *device, struct vk_clock *clock)
{
	uint64_t best = UINT64_MAX, ticks, ns;

	for (int i = 0; i < TRIES; i++) {
		uint64_t deviation = read_once(device, &ticks, &ns);

		if (deviation >= best)
			continue;
		best = deviation;
		clock->ticks = ticks;
		clock->ns = ns;
		clock->is_read = true;
	}
	return best;
}

static bool has_domains(const struct vk_device *device)
{
	const struct tacho__vulkan_dispatch *instance = &device->instance->table;
	int32_t domains[DOMAINS_MAX];
	uint32_t count = DOMAINS_MAX, found = 0;

	if (!device->table.vkGetCalibratedTimestampsEXT ||
	    !instance->vkGetPhysicalDeviceCalibrateableTimeDomainsEXT ||
	    instance->vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(device->physical, &count,
								     domains) < 0)
		return false;
	for (uint32_t i = 0; i < count && i < DOMAINS_MAX; i++)
		found += domains[i] == VK_TIME_DOMAIN_DEVICE ||
			 domains[i] == VK_TIME_DOMAIN_MONOTONIC;
	return found == 2;
}

void tacho__vulkan_clock_begin(struct vk_device *device)
{
	struct vk_clock clock = {0};
	uint64_t deviation;

	if (!device->is_calibrated)
		return;
	deviation = has_domains(device) ? read_best(device, &clock) : UINT64_MAX;
	device->is_calibrated = clock.is_read;
	device->uncertainty_ns = clock.is_read ? SLACK * deviation + 1 : 0;
}

void tacho__vulkan_clock_refresh(const struct vk_device *device, struct vk_clock *clock)
{
	uint64_t now = tacho__vulkan_clock_now_ns();
	struct vk_clock fresh = {0};

	if (!device->is_calibrated || (clock->is_read && now - clock->read_ns < AGAIN_NS))
		return;
	if (read_best(device, &fresh) > device->uncertainty_ns && clock->is_read)
		return;
	fresh.read_ns = now;
	*clock = fresh;
}

/* From one reading of a counter of so many bits to another, the shorter way round. */
static int64_t find_distance(uint64_t from, uint64_t to, uint32_t bits)
{
	uint64_t shift = 64 - bits;

	return (int64_t)((to - from) << shift) >> shift;
}

static uint64_t convert_own(const struct vk_device *device, struct vk_clock *clock, uint32_t bits,
			    uint64_t ticks)
{
	int64_t distance;
	uint64_t whole;

	if (!clock->is_read)
		*clock = (struct vk_clock){.is_read = true, .ticks = ticks, .whole = ticks};
	distance = find_distance(clock->ticks, ticks, bits);
	whole = clock->whole + (uint64_t)distance;
	if (distance > 0) {
		clock->ticks = ticks;
		clock->whole = whole;
	}
	return (uint64_t)((long double)whole * (long double)device->period_ns);
}

uint64_t tacho__vulkan_clock_convert(const struct vk_device *device, struct vk_clock *clock,
				     uint32_t bits, uint64_t ticks)
{
	int64_t distance;

	if (!device->is_calibrated)
		return convert_own(device, clock, bits, ticks);
	distance = find_distance(clock->ticks, ticks, bits);
	return clock->ns +
	       (uint64_t)(int64_t)((long double)distance * (long double)device->period_ns);
}
