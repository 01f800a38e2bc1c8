/* SPDX-License-Identifier: MIT */
/* The jobs of a queue, and the thread that waits for their ends. */
#ifndef TACHO_INJECT_VULKAN_VK_WORKER_H
#define TACHO_INJECT_VULKAN_VK_WORKER_H

#include "inject/vulkan/vk_jobs.h"

/* A job's own objects. False: they cannot be made, and it has none. */
bool tacho__vulkan_job_make(struct vk_job *job);
void tacho__vulkan_job_free(struct vk_job *job);
/* Whether a list of it was submitted to another queue meanwhile: its times may be the other's. */
bool tacho__vulkan_job_is_mixed(const struct vk_job *job);
/* Lets go of all that it is about; others may take it. */
void tacho__vulkan_job_empty(struct vk_job *job);

#endif
