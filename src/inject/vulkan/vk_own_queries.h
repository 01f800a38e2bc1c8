/* SPDX-License-Identifier: MIT */
/*
 * The program's own queries, and its render passes of several views: while a query of the program
 * is active, none of ours of the same kind may be.
 */
#ifndef TACHO_INJECT_VULKAN_VK_OWN_QUERIES_H
#define TACHO_INJECT_VULKAN_VK_OWN_QUERIES_H

#include <stdbool.h>

/* Whether the pass that begins draws several views at once. */
bool tacho__vulkan_has_views(const void *render_pass_begin_info);

#endif
