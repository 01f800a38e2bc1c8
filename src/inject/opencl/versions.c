/* SPDX-License-Identifier: MIT */
#include "inject/opencl/versions.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "opencl_api.h"
#include "opencl_constants.h"

enum {
	PLATFORMS_MAX = 32,
	DEVICES_MAX = 64,
	EXTENSIONS_MAX = 160,
	TEXT_MAX = 8192, /* of the old list of names */
};

/* An answer of CL_DEVICE_EXTENSIONS_WITH_VERSION. */
struct name_version {
	uint32_t version;
	char name[64];
};

/* Whether the list of names, which every driver has, holds the extension. */
static bool has_extension(void *device, const char *extension)
{
	size_t length = strlen(extension), size = 0;
	char text[TEXT_MAX];
	const char *at = text;

	if (tacho__opencl_target.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(text), text,
						 &size) ||
	    !size || size > sizeof(text))
		return false;
	text[size - 1] = '\0';
	while ((at = strstr(at, extension))) {
		if ((at == text || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
		at += length;
	}
	return false;
}

/* 0 when the device does not say. */
static uint32_t get_version(void *device, const char *extension)
{
	struct name_version list[EXTENSIONS_MAX];
	size_t size = 0;

	if (tacho__opencl_target.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION,
						 sizeof(list), list, &size) ||
	    size > sizeof(list))
		return 0;
	for (size_t i = 0; i < size / sizeof(list[0]); i++)
		if (!strncmp(list[i].name, extension, sizeof(list[i].name)))
			return list[i].version;
	return 0;
}

/* False when a device has the extension and does not say which version. */
static bool add_device(void *device, const char *extension, struct tacho__version_range *range)
{
	uint32_t version = get_version(device, extension);

	if (!version)
		return !has_extension(device, extension);
	if (!range->is_known || version < range->least)
		range->least = version;
	if (!range->is_known || version > range->most)
		range->most = version;
	range->is_known = true;
	return true;
}

static bool add_platform(void *platform, const char *extension, struct tacho__version_range *range)
{
	void *devices[DEVICES_MAX];
	uint32_t count = 0;

	if (!tacho__opencl_target.clGetDeviceIDs ||
	    tacho__opencl_target.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES_MAX, devices,
						&count))
		return true;
	for (uint32_t i = 0; i < count && i < DEVICES_MAX; i++)
		if (!add_device(devices[i], extension, range))
			return false;
	return count <= DEVICES_MAX;
}

struct tacho__version_range tacho__opencl_find_versions(void *platform, const char *extension)
{
	const struct tacho__version_range unknown = {.is_known = false};
	struct tacho__version_range range = unknown;
	void *platforms[PLATFORMS_MAX] = {platform};
	uint32_t count = 1;

	if (!platform && tacho__opencl_target.clGetPlatformIDs(PLATFORMS_MAX, platforms, &count))
		return unknown;
	for (uint32_t i = 0; i < count && i < PLATFORMS_MAX; i++)
		if (!add_platform(platforms[i], extension, &range))
			return unknown;
	return count <= PLATFORMS_MAX ? range : unknown;
}

void tacho__version_range_format(const struct tacho__version_range *range, const char *extension,
				 char out_text[TACHO__VERSION_TEXT_MAX])
{
	uint32_t least = range->least, most = range->most;

	if (!range->is_known)
		snprintf(out_text, TACHO__VERSION_TEXT_MAX,
			 "the driver does not say which version of %s it has", extension);
	else if (least == most)
		snprintf(out_text, TACHO__VERSION_TEXT_MAX,
			 "its arguments in version %u.%u.%u of %s are not known", least >> 22,
			 least >> 12 & 1023, least & 4095, extension);
	else
		snprintf(out_text, TACHO__VERSION_TEXT_MAX,
			 "devices have versions %u.%u.%u to %u.%u.%u of %s", least >> 22,
			 least >> 12 & 1023, least & 4095, most >> 22, most >> 12 & 1023,
			 most & 4095, extension);
}
