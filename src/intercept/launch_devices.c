/* SPDX-License-Identifier: MIT */
#include "intercept/launch_devices.h"

#include <pthread.h>

enum { APIS_MAX = 4 };

static struct {
	pthread_mutex_t lock;
	tacho__launch_devices_fn *apis[APIS_MAX];
	size_t count;
} devices = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool tacho__launch_devices_add(tacho__launch_devices_fn *list)
{
	bool is_known = false;

	pthread_mutex_lock(&devices.lock);
	for (size_t i = 0; i < devices.count; i++)
		is_known = is_known || devices.apis[i] == list;
	if (!is_known && devices.count < APIS_MAX) {
		devices.apis[devices.count++] = list;
		is_known = true;
	}
	pthread_mutex_unlock(&devices.lock);
	return is_known;
}

size_t tacho__launch_devices_list(struct tacho__launch_device *out_devices, size_t room)
{
	tacho__launch_devices_fn *apis[APIS_MAX];
	size_t count, total = 0;

	pthread_mutex_lock(&devices.lock);
	count = devices.count;
	for (size_t i = 0; i < count; i++)
		apis[i] = devices.apis[i];
	pthread_mutex_unlock(&devices.lock);
	for (size_t i = 0; i < count; i++)
		total += apis[i](total < room ? out_devices + total : NULL,
				 total < room ? room - total : 0);
	return total;
}
