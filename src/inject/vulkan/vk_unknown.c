/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_unknown.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "inject/attribute_env.h"
#include "intercept/intercept.h"

enum { NAMES_MAX = 64, NAME_BYTES = 64 };

static _Atomic(uint64_t) names[NAMES_MAX]; /* hashes of those that were told; 0: free */

static bool is_name(const char *text)
{
	size_t length = strnlen(text, NAME_BYTES);

	return length && length < NAME_BYTES &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
		       length;
}

static void tell(const char *name)
{
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "unwatched", "%s (its arguments are not known)", name);
	if (!strncmp(name, "vkCmd", 5) || !strncmp(name, "vkQueue", 7))
		tacho__attributes_add(&attributes, "unseen_work", "1");
	tacho__intercept_process(attributes.text);
}

void tacho__vulkan_note_unknown(const char *name)
{
	uint64_t hash = 14695981039346656037u; /* FNV-1a */

	if (!is_name(name))
		return;
	for (const char *at = name; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 1099511628211u;
	for (int i = 0; i < NAMES_MAX; i++) {
		uint64_t before = 0;

		if (atomic_compare_exchange_strong(&names[i], &before, hash)) {
			tell(name);
			return;
		}
		if (before == hash)
			return;
	}
}
