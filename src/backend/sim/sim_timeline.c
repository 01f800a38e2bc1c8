/* SPDX-License-Identifier: MIT */
/* The device's clock, its queues, and what goes wrong on demand. */
#include "backend/sim/sim_presence.h"
#include "backend/sim/sim_private.h"
#include "base/error.h"

uint64_t tacho__sim_front(const struct tacho__sim_device *device)
{
	return device->busy_until_ns > device->now_ns ? device->busy_until_ns : device->now_ns;
}

void tacho__sim_idle(struct tacho__sim_device *device)
{
	device->now_ns = tacho__sim_front(device);
}

void tacho__sim_place(struct tacho__sim_device *device, struct tacho__sim_item *item,
		      uint32_t queue, int alone)
{
	uint64_t front = tacho__sim_front(device);
	uint64_t begin = device->now_ns;

	queue %= TACHO__SIM_QUEUES;
	if (device->queue_ends_ns[queue] > begin)
		begin = device->queue_ends_ns[queue];
	if (alone)
		begin = front;
	item->begin_ns = begin;
	item->end_ns = begin + item->work.duration_ns;
	item->added_ns = item->end_ns > front ? item->end_ns - front : 0;
	device->queue_ends_ns[queue] = item->end_ns;
	if (item->end_ns > device->busy_until_ns)
		device->busy_until_ns = item->end_ns;
	item->handle = ++device->handle;
	device->times[item->handle % TACHO__SIM_TIMES].begin_ns = item->begin_ns;
	device->times[item->handle % TACHO__SIM_TIMES].end_ns = item->end_ns;
}

void tacho__sim_delay(struct tacho__sim_device *device, uint64_t by_ns)
{
	uint64_t now_ns = device->now_ns;

	device->busy_until_ns = tacho__sim_delayed(device->busy_until_ns, now_ns, by_ns);
	for (size_t i = 0; i < TACHO__SIM_QUEUES; i++)
		device->queue_ends_ns[i] =
			tacho__sim_delayed(device->queue_ends_ns[i], now_ns, by_ns);
	for (size_t i = 0; i < TACHO__SIM_TIMES; i++) {
		device->times[i].begin_ns =
			tacho__sim_delayed(device->times[i].begin_ns, now_ns, by_ns);
		device->times[i].end_ns =
			tacho__sim_delayed(device->times[i].end_ns, now_ns, by_ns);
	}
}

int tacho__sim_check_gone(const struct tacho__sim_device *device)
{
	return device->is_gone ? tacho__fail(TACHO_E_LOST, "it vanished, as it was told to",
					     "open the device again",
					     "the simulated device %s is gone", device->spec.name)
			       : 0;
}

void tacho__sim_vanish(struct tacho__sim_device *device)
{
	device->is_gone = 1;
	if (device->collection)
		tacho__sim_collect_end(device->collection);
}
