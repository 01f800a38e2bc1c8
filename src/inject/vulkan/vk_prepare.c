/* SPDX-License-Identifier: MIT */
/* Bringing the recorder into programs that use Vulkan: as a layer of their loader. */
#include "inject/vulkan/vk_prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/vulkan/vulkan_checks.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/fs.h"
#include "inject/own_library.h"

#define LAYER	     "VK_LAYER_TACHO"
#define MANIFEST     "VkLayer_tacho.json"
#define MORE_FOLDERS "VK_ADD_LAYER_PATH" /* beside the system's */
#define ONLY_FOLDERS "VK_LAYER_PATH"	 /* in their place; then no others are looked at */
enum { DRIVERS_MAX = 256 };

#define BUILD_FOLDER "src/inject/library"

/* "" when it is not there, or its folder cannot stand in a list. */
static void find_folder(char out_folder[PATH_MAX])
{
	char *slash;

	tacho__library_find_other(MANIFEST, BUILD_FOLDER, out_folder);
	slash = strrchr(out_folder, '/');
	if (slash)
		*slash = '\0';
	if (!tacho__library_is_safe(out_folder))
		out_folder[0] = '\0';
}

/* The layer's loader is found by the program itself, and knows layers since Vulkan 1.0. */
static void find_loader(struct tacho__loader *out_loader)
{
	out_loader->path[0] = '\0';
	out_loader->has_layers = true;
}

/*
 * The user's own folders and layers stay, behind ours: the first layer is nearest the program. A
 * loader to which the user names all folders looks at no others.
 */
static int set_layer(struct tacho__environment *environment, const char *library)
{
	const char *only = tacho__environment_get(environment, ONLY_FOLDERS);
	char folder[PATH_MAX];
	int rc;

	(void)library;
	find_folder(folder);
	if (!*folder)
		return 0;
	rc = tacho__environment_prepend(environment, only && *only ? ONLY_FOLDERS : MORE_FOLDERS,
					folder, ':');
	return rc ? rc : tacho__environment_prepend(environment, "VK_INSTANCE_LAYERS", LAYER, ':');
}

static void warn(struct tacho__buf *out_lines)
{
	(void)out_lines;
}

static void explain(const struct tacho__sightings *seen, struct tacho__buf *out_text)
{
	char folder[PATH_MAX];

	(void)seen;
	find_folder(folder);
	if (!*folder)
		tacho__buf_put(out_text, MANIFEST " is not beside libtacho, or the folder's name "
						  "has blanks or colons: install tacho again");
	else
		tacho__buf_put(out_text,
			       "it made no instance, or its loader is older than 1.3.207 and does "
			       "not know " MORE_FOLDERS ", or it clears VK_INSTANCE_LAYERS, or has "
			       "more rights than who started it");
}

/* Of the user's own list of drivers' files, those that can be read. */
static size_t count_named(const char *list)
{
	char file[PATH_MAX];
	size_t count = 0;

	while (*list) {
		size_t size = strcspn(list, ":");

		snprintf(file, sizeof(file), "%.*s", (int)size, list);
		count += !access(file, R_OK);
		list += size + (list[size] == ':');
	}
	return count;
}

/* Files by which a loader finds drivers; the user's list stands in place of the system's. */
static size_t count_drivers(void)
{
	static const char *const folders[] = {"/etc/vulkan/icd.d", "/usr/share/vulkan/icd.d",
					      "/usr/local/etc/vulkan/icd.d",
					      "/usr/local/share/vulkan/icd.d"};
	const char *newer = getenv("VK_DRIVER_FILES"), *list = getenv("VK_ICD_FILENAMES");
	size_t count = 0;

	if (newer && *newer)
		list = newer;
	if (list && *list)
		return count_named(list);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(folders); i++) {
		struct tacho__arena arena = {0};
		struct tacho__fs_names names = {0};

		if (!tacho__fs_list(&arena, folders[i], DRIVERS_MAX, &names))
			count += names.count;
		free(names.names);
		tacho__arena_finish(&arena);
	}
	return count;
}

static size_t check(tacho_check_fn fn, void *user)
{
	char folder[PATH_MAX];
	struct tacho_check found = {TACHO_CHECK_OK, "layer for Vulkan", folder, "", ""};
	const struct tacho_check missing = {TACHO_CHECK_FAIL, "layer for Vulkan", "not found",
					    MANIFEST " is not beside libtacho",
					    "install tacho again"};
	size_t working;

	if (!count_drivers())
		return 0;
	find_folder(folder);
	fn(user, *folder ? &found : &missing);
	working = tacho__vulkan_check(fn, user);
	return *folder ? working : 0;
}

const struct tacho__injection tacho__injection_vulkan = {
	.api = "vulkan",
	.api_name = "Vulkan",
	.is_tool = true,
	.find_loader = find_loader,
	.set_layer = set_layer,
	.warn = warn,
	.explain = explain,
	.check = check,
	.lack = "no driver's file is in /usr/share/vulkan/icd.d or /etc/vulkan/icd.d",
	.lack_cure = "install a driver: Debian's package is mesa-vulkan-drivers",
};
