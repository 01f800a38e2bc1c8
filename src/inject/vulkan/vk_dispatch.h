/* SPDX-License-Identifier: MIT */
/* Whose functions a handle's are, and which function a name means. */
#ifndef TACHO_INJECT_VULKAN_VK_DISPATCH_H
#define TACHO_INJECT_VULKAN_VK_DISPATCH_H

#include <stdbool.h>

#include "inject/vulkan/vk_abi.h"
#include "inject/vulkan/vulkan_wrapped.h"
#include "vulkan_api.h"

/* NULL: tacho does not know a function of this name. */
const struct tacho__vulkan_entry *tacho__vulkan_find(const char *name);

/*
 * Fills a table with the functions of a level that `get` gives for `handle`; where one has two
 * names, and is there under one of them, it is in both slots.
 */
void tacho__vulkan_fill(struct tacho__vulkan_dispatch *table, vk_get_function get, void *handle,
			int level);

/*
 * Names and labels for debuggers, where no driver knows them: what the instance gives out is the
 * loader's own. A program that asks the instance gets our wrappers for these, which need them.
 */
void tacho__vulkan_fill_debug(struct tacho__vulkan_dispatch *table, vk_get_function get,
			      void *instance);

/* Handles with this one's key are the table's from now on; NULL: nobody's. False: no room. */
bool tacho__vulkan_set_table(const void *handle, const struct tacho__vulkan_dispatch *table);

#endif
