/* SPDX-License-Identifier: MIT */
/* Functions that a driver gives out by name: the program gets our wrapper of them. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "inject/attributes.h"
#include "inject/opencl/preload.h"
#include "inject/opencl/start.h"
#include "intercept/intercept.h"
#include "opencl_api.h"

static struct {
	atomic_bool told[TACHO__FUNCTION_COUNT]; /* by entry: that it is not watched */
} extensions;

static int compare_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct tacho__opencl_entry *)entry)->name);
}

static void tell_unwatched(const struct tacho__opencl_entry *entry)
{
	struct tacho__attributes attributes = {.size = 0};

	if (atomic_exchange(&extensions.told[entry - tacho__opencl_entries], true))
		return;
	tacho__attributes_add(&attributes, "unwatched", "%s", entry->name);
	tacho__intercept_process(attributes.text);
}

static bool is_of_dispatch(const struct tacho__opencl_entry *entry)
{
	void **first = (void **)&tacho__opencl_target;

	return entry->target >= first && entry->target < first + TACHO__DISPATCH_COUNT;
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
	tell_unwatched(entry);
	return function;
}

/* The loader's own functions come back to our layer by themselves, but not to our entry points. */
static void *give_out(const char *name, void *function)
{
	const struct tacho__opencl_entry *entry;
	int error = errno;

	if (!function || !name ||
	    !atomic_load_explicit(&tacho__intercept.active, memory_order_relaxed))
		return function;
	entry = bsearch(name, tacho__opencl_entries, tacho__opencl_entry_count, sizeof(*entry),
			compare_name);
	if (entry && (tacho__opencl_is_preloaded() || !tacho__opencl_is_loaders(function)))
		function = wrap(entry, function);
	errno = error;
	return function;
}

void *tacho__opencl_get_extension(const char *func_name)
{
	return give_out(func_name, tacho__opencl_target.clGetExtensionFunctionAddress(func_name));
}

void *tacho__opencl_get_platform_extension(void *platform, const char *func_name)
{
	return give_out(func_name, tacho__opencl_target.clGetExtensionFunctionAddressForPlatform(
					   platform, func_name));
}
