/* SPDX-License-Identifier: MIT */
/*
 * Features stand in a structure of their own or in one that is chained: then it is put into the
 * chain in a copy. What is in front of it in the chain is the program's, which may have it in
 * memory that cannot be written: that is asked of the kernel, which refuses where we would crash.
 */
#include "inject/vulkan/vk_features.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* False: the place cannot be written. */
static bool put_pointer(const struct vk_chain **place, const struct vk_chain *value)
{
	int ends[2];
	bool is_put = false;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	if (write(ends[1], &value, sizeof(value)) == sizeof(value))
		is_put = read(ends[0], place, sizeof(value)) == sizeof(value);
	close(ends[0]);
	close(ends[1]);
	return is_put;
}

static const struct vk_chain *find(const void *next, int32_t type, const struct vk_chain **before)
{
	*before = NULL;
	for (const struct vk_chain *at = next; at; at = at->next) {
		if (at->type == type)
			return at;
		*before = at;
	}
	return NULL;
}

static void switch_on(struct vk_features *features, const struct vk_wishes *wishes)
{
	features->has_statistics |= wishes->statistics;
	features->has_precise_occlusion |= wishes->precise_occlusion;
}

/* Our copy takes the place of the program's; `before`: what is in front of that, or NULL. */
static bool replace(struct vk_changed_info *changed, const struct vk_chain *before,
		    const void *theirs, const void *own)
{
	struct vk_chain *place = (struct vk_chain *)(uintptr_t)before;

	if (!before) {
		changed->info.next = own;
		return true;
	}
	if (!put_pointer(&place->next, own))
		return false;
	changed->detours[changed->detour_count++] = (struct vk_detour){before, theirs};
	return true;
}

static bool change_features(struct vk_changed_info *changed, const struct vk_device_info *info,
			    const struct vk_wishes *wishes)
{
	const struct vk_chain *before;
	const struct vk_features2 *chained =
		(const void *)find(info->next, VK_TYPE_FEATURES_2, &before);

	if (!wishes->statistics && !wishes->precise_occlusion)
		return true;
	if (chained) {
		changed->features2 = *chained;
		switch_on(&changed->features2.features, wishes);
		return replace(changed, before, chained, &changed->features2);
	}
	if (info->features)
		changed->features = *(const struct vk_features *)info->features;
	switch_on(&changed->features, wishes);
	changed->info.features = &changed->features;
	return true;
}

/* A feature stands in one structure of the chain, that of its version or its own. */
static bool change_host_reset(struct vk_changed_info *changed, const struct vk_wishes *wishes)
{
	const struct vk_chain *before;
	const void *theirs = find(changed->info.next, VK_TYPE_VULKAN_1_2_FEATURES, &before);

	if (!wishes->host_reset)
		return true;
	if (theirs) {
		changed->features_1_2 = *(const struct vk_features_1_2 *)theirs;
		changed->features_1_2.has_host_reset = 1;
		return replace(changed, before, theirs, &changed->features_1_2);
	}
	changed->host_reset = (struct vk_host_reset_features){
		.type = VK_TYPE_HOST_QUERY_RESET_FEATURES, .next = changed->info.next};
	theirs = find(changed->info.next, VK_TYPE_HOST_QUERY_RESET_FEATURES, &before);
	if (theirs)
		changed->host_reset = *(const struct vk_host_reset_features *)theirs;
	changed->host_reset.has_host_reset = 1;
	return replace(changed, theirs ? before : NULL, theirs, &changed->host_reset);
}

/* A program that has the structure decides itself. */
static bool change_performance(struct vk_changed_info *changed, const struct vk_wishes *wishes)
{
	const struct vk_chain *before;
	const struct vk_performance_features *theirs =
		(const void *)find(changed->info.next, VK_TYPE_PERFORMANCE_QUERY_FEATURES, &before);

	if (!wishes->performance)
		return true;
	if (theirs)
		return theirs->has_pools;
	changed->performance = (struct vk_performance_features){
		.type = VK_TYPE_PERFORMANCE_QUERY_FEATURES,
		.next = changed->info.next,
		.has_pools = 1,
		.has_multiple_pools = wishes->performance_pools,
	};
	changed->info.next = &changed->performance;
	return true;
}

static bool add_names(struct vk_changed_info *changed, const struct vk_device_info *info,
		      const struct vk_wishes *wishes)
{
	uint32_t count = info->extension_count;

	if (!wishes->extension_count)
		return true;
	changed->names = malloc((count + wishes->extension_count) * sizeof(*changed->names));
	if (!changed->names)
		return false;
	if (count)
		memcpy(changed->names, info->extensions, count * sizeof(*changed->names));
	memcpy(changed->names + count, wishes->extensions,
	       wishes->extension_count * sizeof(*changed->names));
	changed->info.extensions = changed->names;
	changed->info.extension_count = count + wishes->extension_count;
	return true;
}

bool tacho__vulkan_change_info(struct vk_changed_info *changed, const struct vk_device_info *info,
			       const struct vk_wishes *wishes)
{
	memset(changed, 0, sizeof(*changed));
	changed->info = *info;
	if (add_names(changed, info, wishes) && change_features(changed, info, wishes) &&
	    change_host_reset(changed, wishes) && change_performance(changed, wishes))
		return true;
	tacho__vulkan_restore_info(changed);
	return false;
}

void tacho__vulkan_restore_info(struct vk_changed_info *changed)
{
	while (changed->detour_count) {
		const struct vk_detour *detour = &changed->detours[--changed->detour_count];
		struct vk_chain *before = (struct vk_chain *)(uintptr_t)detour->before;

		put_pointer(&before->next, detour->skipped);
	}
	free(changed->names);
}
