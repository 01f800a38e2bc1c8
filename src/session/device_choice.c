/* SPDX-License-Identifier: MIT */
/* How people name devices. */
#include <string.h>
#include <strings.h>

#include "tacho/sys/devices.h"

/* How well a selector names a device, from best to not at all. */
enum fit { FIT_FULL, FIT_NAME, FIT_BACKEND, FIT_PART, FIT_PLATFORM, FIT_NONE };

/* "1b:00.0", "1b:00" and "0000:1b:00" are "0000:1b:00.0". */
static bool is_place(const char *pci, const char *text)
{
	const char *without_domain = strchr(pci, ':');
	size_t size = strlen(text);

	if (!*pci || size < 5)
		return false;
	if (!strcasecmp(pci, text) || (without_domain && !strcasecmp(without_domain + 1, text)))
		return true;
	return (!strncasecmp(pci, text, size) && pci[size] == '.') ||
	       (without_domain && !strncasecmp(without_domain + 1, text, size) &&
		without_domain[1 + size] == '.');
}

static enum fit find_fit(const struct tacho_device_info *info, const char *selector)
{
	size_t size = strlen(info->backend);
	const char *name = selector;
	bool has_backend = !strncasecmp(selector, info->backend, size) && selector[size] == ':';

	if (has_backend)
		name += size + 1;
	if (!*name)
		return has_backend ? FIT_BACKEND : FIT_NONE;
	if (!strcasecmp(info->name, name))
		return has_backend ? FIT_FULL : FIT_NAME;
	if (!strcasecmp(info->name, selector) || is_place(info->pci, name))
		return FIT_NAME;
	/* the beginning of its id will do, as it does for the driver's own tools */
	if (*info->id && !strncasecmp(info->id, name, strlen(name)))
		return !info->id[strlen(name)] ? FIT_NAME : FIT_PART;
	if (!strcasecmp(info->backend, selector))
		return FIT_BACKEND;
	if (strcasestr(info->name, name))
		return FIT_PART;
	return strcasestr(info->platform, name) ? FIT_PLATFORM : FIT_NONE;
}

size_t tacho_devices_match(const struct tacho_device_info *const *devices, size_t count,
			   const char *selector, bool *out_fits)
{
	enum fit best = FIT_NONE;
	size_t found = 0;
	bool has_usable = false;

	for (size_t i = 0; i < count; i++) {
		enum fit fit = find_fit(devices[i], selector);

		if (fit < best) {
			best = fit;
			has_usable = false;
		}
		if (fit == best)
			has_usable |= devices[i]->usable;
	}
	for (size_t i = 0; i < count; i++) {
		out_fits[i] = best != FIT_NONE && find_fit(devices[i], selector) == best &&
			      (devices[i]->usable || !has_usable);
		found += out_fits[i];
	}
	return found;
}

static const char *skip_prefix(const char *id)
{
	return strncasecmp(id, "GPU-", 4) == 0 ? id + 4 : id;
}

bool tacho_devices_are_same(const struct tacho_device_info *a, const struct tacho_device_info *b)
{
	const char *a_id = skip_prefix(a->id), *b_id = skip_prefix(b->id);

	if (*a_id && strlen(a_id) == strlen(b_id))
		return strcasecmp(a_id, b_id) == 0;
	return *a->pci && strcasecmp(a->pci, b->pci) == 0;
}
