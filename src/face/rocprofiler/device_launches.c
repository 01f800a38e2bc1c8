/* SPDX-License-Identifier: MIT */
/*
 * Launches as device counting hears of them. They are held like those of dispatch counting: what
 * runs beside a launch would be counted with it.
 */
#include <stdlib.h>
#include <string.h>

#include "face/rocprofiler/device_window.h"

/* A launch and the windows that it belongs to. */
struct part {
	struct tacho__rocp_window *window;
	uint64_t serial;
	bool has_begun;
};

struct held {
	struct tacho__launch launch;
	size_t count;
	struct part parts[];
};

static _Atomic(struct tacho__rocp_device_service *) services;

static bool wants(const struct tacho__rocp_device_service *service,
		  const struct tacho__rocp_agent *agent)
{
	return service->agent == agent && atomic_load(&service->is_active);
}

static size_t count_wants(const struct tacho__rocp_agent *agent)
{
	size_t count = 0;

	for (const struct tacho__rocp_device_service *service = atomic_load(&services); service;
	     service = service->next_of_all)
		count += wants(service, agent);
	return count;
}

static uint64_t get_serial(struct tacho__rocp_window *window)
{
	uint64_t serial;

	pthread_mutex_lock(&window->lock);
	serial = window->config ? window->serial : 0;
	pthread_mutex_unlock(&window->lock);
	return serial;
}

static void *attach(const struct tacho__launch *launch)
{
	const struct tacho__rocp_agent *agent =
		tacho__rocp_agent_of_launch(launch->api, launch->device);
	size_t count = agent ? count_wants(agent) : 0, name_size = strlen(launch->name) + 1;
	struct held *held;
	char *name;

	if (!count || tacho__rocp_is_over())
		return NULL;
	held = calloc(1, sizeof(*held) + count * sizeof(held->parts[0]) + name_size);
	if (!held)
		return NULL;
	name = (char *)&held->parts[count];
	memcpy(name, launch->name, name_size);
	held->launch = *launch;
	held->launch.name = name;
	for (struct tacho__rocp_device_service *service = atomic_load(&services);
	     service && held->count < count; service = service->next_of_all)
		if (wants(service, agent))
			held->parts[held->count++] = (struct part){
				.window = &service->window, .serial = get_serial(&service->window)};
	return held;
}

static void begin(void *attached)
{
	struct held *held = attached;

	for (size_t i = 0; i < held->count; i++)
		held->parts[i].has_begun =
			tacho__rocp_window_begin(held->parts[i].window, held->parts[i].serial);
}

/* It counts when it ran to its end, whatever ran beside it. */
static bool has_run(const struct tacho__launch_outcome *outcome)
{
	return outcome->end == TACHO__LAUNCH_ENDED || outcome->end == TACHO__LAUNCH_BESIDE;
}

static void end(void *attached, const struct tacho__launch_outcome *outcome)
{
	struct held *held = attached;

	for (size_t i = 0; i < held->count; i++)
		if (held->parts[i].has_begun)
			tacho__rocp_window_end(held->parts[i].window, held->parts[i].serial,
					       &held->launch, has_run(outcome) ? outcome : NULL);
	free(held);
}

static const struct tacho__launch_subscriber subscriber = {
	.attach = attach, .begin = begin, .end = end};

static bool is_subscribed;

static void subscribe(void)
{
	is_subscribed = tacho__launches_subscribe(&subscriber);
	if (is_subscribed)
		tacho__launches_pause(); /* until a window opens */
}

rocprofiler_status_t tacho__rocp_device_watch(struct tacho__rocp_device_service *service)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, subscribe);
	if (!is_subscribed) {
		tacho__rocp_log_error("too many count launches in this process already");
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	service->next_of_all = atomic_load(&services);
	while (!atomic_compare_exchange_weak(&services, &service->next_of_all, service))
		continue;
	return ROCPROFILER_STATUS_SUCCESS;
}

void tacho__rocp_device_want(bool wants_launches)
{
	static atomic_uint open_count;

	if (wants_launches && atomic_fetch_add(&open_count, 1) == 0)
		tacho__launches_resume();
	else if (!wants_launches && atomic_fetch_sub(&open_count, 1) == 1)
		tacho__launches_pause();
}
