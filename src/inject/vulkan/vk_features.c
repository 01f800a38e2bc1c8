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

/* Our copy takes the place of the program's. */
static bool change_chained(struct vk_changed_info *changed, const struct vk_features2 *theirs,
			   const struct vk_chain *before, const struct vk_wishes *wishes)
{
	struct vk_chain *place = (struct vk_chain *)(uintptr_t)before;

	changed->features2 = *theirs;
	switch_on(&changed->features2.features, wishes);
	if (!before) {
		changed->info.next = &changed->features2;
		return true;
	}
	if (!put_pointer(&place->next, (const void *)&changed->features2))
		return false;
	changed->before = before;
	changed->skipped = (const void *)theirs;
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
	if (chained)
		return change_chained(changed, chained, before, wishes);
	if (info->features)
		changed->features = *(const struct vk_features *)info->features;
	switch_on(&changed->features, wishes);
	changed->info.features = &changed->features;
	return true;
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
	    change_performance(changed, wishes))
		return true;
	tacho__vulkan_restore_info(changed);
	return false;
}

void tacho__vulkan_restore_info(struct vk_changed_info *changed)
{
	struct vk_chain *before = (struct vk_chain *)(uintptr_t)changed->before;

	if (before)
		put_pointer(&before->next, changed->skipped);
	free(changed->names);
}
