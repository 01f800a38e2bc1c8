/* SPDX-License-Identifier: MIT */
/* Functions that a driver gives out by name: the program gets our wrapper of them. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "inject/attribute_env.h"
#include "inject/opencl/preload.h"
#include "inject/opencl/cl_start.h"
#include "inject/opencl/versions.h"
#include "intercept/intercept.h"
#include "opencl_api.h"

enum { UNKNOWN_NAMES_MAX = 64, NAME_MAX_BYTES = 64 };

static struct {
	atomic_bool reported[TACHO__FUNCTION_COUNT]; /* by entry: that it is not watched */
	_Atomic(uint64_t)
		unknown_names[UNKNOWN_NAMES_MAX]; /* hashes of names that were told; 0: free */
} extensions;

static int compare_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct tacho__opencl_entry *)entry)->name);
}

/* The first entry of this name, NULL when there is none. */
static const struct tacho__opencl_entry *find(const char *name)
{
	const struct tacho__opencl_entry *entry =
		bsearch(name, tacho__opencl_entries, tacho__opencl_entry_count, sizeof(*entry),
			compare_name);

	while (entry && entry > tacho__opencl_entries && !strcmp(entry[-1].name, name))
		entry--;
	return entry;
}

/* Work that such a function gives to a device is not seen, which readers must know. */
static void report(const char *name, const char *why)
{
	struct tacho__attributes attributes = {.size = 0};

	tacho__attributes_add(&attributes, "unwatched", "%s (%s)", name, why);
	if (strstr(name, "Enqueue"))
		tacho__attributes_add(&attributes, "unseen_work", "1");
	tacho__intercept_process(attributes.text);
}

static void report_unwatched(const struct tacho__opencl_entry *entry, const char *why)
{
	if (!atomic_exchange(&extensions.reported[entry - tacho__opencl_entries], true))
		report(entry->name, why);
}

/* The name of a function; a driver that takes others must not spoil the attributes. */
static bool is_name(const char *text)
{
	size_t length = strnlen(text, NAME_MAX_BYTES);

	return length && length < NAME_MAX_BYTES &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
		       length;
}

/* A driver's function that tacho does not know: once for each name. */
static void report_unknown(const char *name)
{
	uint64_t hash = 14695981039346656037u; /* FNV-1a */

	if (!is_name(name))
		return;
	for (const char *at = name; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 1099511628211u;
	for (int i = 0; i < UNKNOWN_NAMES_MAX; i++) {
		uint64_t before = 0;

		if (atomic_compare_exchange_strong(&extensions.unknown_names[i], &before, hash)) {
			report(name, "its arguments are not known");
			return;
		}
		if (before == hash)
			return;
	}
}

static bool is_of_dispatch(const struct tacho__opencl_entry *entry)
{
	void **first = (void **)&tacho__opencl_target;

	return entry->target >= first && entry->target < first + TACHO__DISPATCH_COUNT;
}

/* The entry with the signature that the function has in this platform's drivers. */
static const struct tacho__opencl_entry *choose(const struct tacho__opencl_entry *first,
						void *platform)
{
	const struct tacho__opencl_entry *entry = first,
					 *end = tacho__opencl_entries + tacho__opencl_entry_count;
	struct tacho__version_range range;
	char why[TACHO__VERSION_TEXT_MAX];

	if (!entry->extension)
		return entry;
	range = tacho__opencl_find_versions(platform, entry->extension);
	for (; entry < end && !strcmp(entry->name, first->name); entry++)
		if (range.is_known && range.least >= entry->first && range.most <= entry->last)
			return entry;
	tacho__version_range_format(&range, first->extension, why);
	report_unwatched(first, why);
	return NULL;
}

/*
 * A wrapper knows one real function. For those in the loader's table that is the loader's, which
 * finds the driver by the object; for others it is that of the first driver that was asked.
 */
static void *wrap(const struct tacho__opencl_entry *entry, void *function)
{
	void *before = NULL;

	if (is_of_dispatch(entry))
		return *entry->target ? entry->wrapper : function;
	if (__atomic_compare_exchange_n(entry->target, &before, function, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE) ||
	    before == function)
		return entry->wrapper;
	report_unwatched(entry, "of a second driver");
	return function;
}

/* The loader's own functions come back to our layer by themselves, but not to our entry points. */
static void *give_out(void *platform, const char *name, void *function)
{
	const struct tacho__opencl_entry *entry;
	int error = errno;

	if (!function || !name ||
	    !atomic_load_explicit(&tacho__intercept.active, memory_order_relaxed))
		return function;
	entry = find(name);
	if (!entry && !tacho__opencl_is_loaders(function))
		report_unknown(name);
	if (entry && !tacho__opencl_is_preloaded() && tacho__opencl_is_loaders(function))
		entry = NULL;
	if (entry)
		entry = choose(entry, platform);
	if (entry)
		function = wrap(entry, function);
	errno = error;
	return function;
}

void *tacho__opencl_get_extension(const char *func_name)
{
	return give_out(NULL, func_name,
			tacho__opencl_target.clGetExtensionFunctionAddress(func_name));
}

void *tacho__opencl_get_platform_extension(void *platform, const char *func_name)
{
	return give_out(
		platform, func_name,
		tacho__opencl_target.clGetExtensionFunctionAddressForPlatform(platform, func_name));
}
