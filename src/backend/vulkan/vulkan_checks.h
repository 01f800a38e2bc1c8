/* SPDX-License-Identifier: MIT */
/* What the doctor asks of Vulkan. */
#ifndef TACHO_BACKEND_VULKAN_VULKAN_CHECKS_H
#define TACHO_BACKEND_VULKAN_VULKAN_CHECKS_H

#include <stddef.h>

#include "tacho/sys/doctor.h"

/*
 * Tells of the loader, the layers that it finds and is told to use, and of each device: its driver,
 * its queues, and what it has that measuring uses. Tells nothing where no loader is installed. It
 * runs drivers' code. Returns how many devices have a queue.
 */
size_t tacho__vulkan_check(tacho_check_fn fn, void *user);

#endif
