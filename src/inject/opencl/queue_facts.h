/* SPDX-License-Identifier: MIT */
/* What does not change in the life of a queue, asked once. */
#ifndef TACHO_INJECT_OPENCL_QUEUE_FACTS_H
#define TACHO_INJECT_OPENCL_QUEUE_FACTS_H

#include <stdbool.h>

struct tacho__opencl_queue {
	void *context, *device;
	void *root; /* the device that `device` is a part of, or itself */
	bool is_in_order;
	bool is_elsewhere; /* its device was not chosen to be counted */
};

/* NULL: the driver does not tell, or there is no memory. */
const struct tacho__opencl_queue *tacho__opencl_find_queue(void *queue);

/* A queue came to be, or its properties changed; one of the same handle is gone. */
void tacho__opencl_new_queue(void *queue);

#endif
