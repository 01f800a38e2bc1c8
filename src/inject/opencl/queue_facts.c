/* SPDX-License-Identifier: MIT */
#include "inject/opencl/queue_facts.h"

#include <stdint.h>
#include <stdlib.h>

#include "inject/handles.h"
#include "inject/opencl/cl_devices.h"
#include "inject/opencl/cl_identity.h"
#include "inject/opencl/driver_info.h"
#include "opencl_api.h"
#include "opencl_constants.h"

static struct {
	struct tacho__handles facts; /* queue to struct tacho__opencl_queue, kept for ever */
} queues;

static struct tacho__opencl_queue *find(void *queue)
{
	return (struct tacho__opencl_queue *)(uintptr_t)tacho__handles_get(&queues.facts, queue);
}

static bool ask(void *queue, struct tacho__opencl_queue *out_facts)
{
	const tacho__driver_info_fn of_queue = tacho__opencl_target.clGetCommandQueueInfo;
	struct tacho__opencl_queue facts = {
		.context = tacho__driver_get_handle(of_queue, queue, CL_QUEUE_CONTEXT),
		.device = tacho__driver_get_handle(of_queue, queue, CL_QUEUE_DEVICE),
	};
	uint64_t flags = 0;

	if (!facts.context || !facts.device ||
	    of_queue(queue, CL_QUEUE_PROPERTIES, sizeof(flags), &flags, NULL))
		return false;
	facts.root = tacho__opencl_root_device(facts.device);
	facts.is_elsewhere = !tacho__opencl_is_selected(facts.root);
	facts.is_in_order = !(flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	*out_facts = facts;
	return true;
}

const struct tacho__opencl_queue *tacho__opencl_find_queue(void *queue)
{
	struct tacho__opencl_queue *facts = find(queue);

	if (facts && facts->context)
		return facts;
	facts = queue ? calloc(1, sizeof(*facts)) : NULL;
	if (facts && ask(queue, facts) &&
	    tacho__handles_set(&queues.facts, queue, (uintptr_t)facts))
		return facts;
	free(facts);
	return NULL;
}

void tacho__opencl_new_queue(void *queue)
{
	struct tacho__opencl_queue *facts = find(queue);

	if (facts && !ask(queue, facts))
		facts->context = NULL;
}
