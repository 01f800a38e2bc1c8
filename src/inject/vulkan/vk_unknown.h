/* SPDX-License-Identifier: MIT */
/* Functions that are newer than tacho: they are passed through, and that is told. */
#ifndef TACHO_INJECT_VULKAN_VK_UNKNOWN_H
#define TACHO_INJECT_VULKAN_VK_UNKNOWN_H

/* A function of a device that tacho does not know was given out. Each name is told once. */
void tacho__vulkan_note_unknown(const char *name);

#endif
