/* SPDX-License-Identifier: MIT */
/*
 * Packing the arguments of a call as src/record/calls.h says. The generated wrappers use nothing
 * else; what is read here was passed by the profiled program and accepted or filled by its driver.
 */
#ifndef TACHO_INJECT_ARGUMENTS_H
#define TACHO_INJECT_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/pack.h"
#include "record/calls.h"

static inline void tacho__pack_string(struct tacho__pack *pack, const char *string)
{
	size_t size;

	if (!string) {
		tacho__pack_u64(pack, 0);
		return;
	}
	size = strlen(string);
	tacho__pack_u64(pack, (uint64_t)size + 1);
	tacho__pack_bytes(pack, string,
			  size < TACHO__CALLS_STRING_MAX ? size : TACHO__CALLS_STRING_MAX);
}

/* How long a list is that the target filled: never more than there was room for. */
static inline uint64_t tacho__filled(bool ok, uint64_t room, uint64_t filled)
{
	return ok && filled < room ? filled : room;
}

/*
 * A list to read after the call: a copy in `own` when the call will write into it at `output`, as
 * programs have it that use one variable for the event to wait for and the new one.
 */
static inline void *const *tacho__keep_list(void *const *list, uint64_t count, void **output,
					    void *own[TACHO__CALLS_LIST_MAX])
{
	uint64_t kept = count < TACHO__CALLS_LIST_MAX ? count : TACHO__CALLS_LIST_MAX;

	if (!list || !output || output < (void **)list || output >= (void **)list + kept)
		return list;
	memcpy(own, list, kept * sizeof(*own));
	return own;
}

/* `limit`: elements shown at most; none is when it was not `readable`. `width` is 1, 4 or 8. */
static inline void tacho__pack_list(struct tacho__pack *pack, const void *list, uint64_t count,
				    bool readable, unsigned limit, size_t width, bool is_signed)
{
	const uint8_t *at = list;
	uint64_t shown = !readable ? 0 : count < limit ? count : limit;

	if (!list) {
		tacho__pack_u64(pack, 0);
		return;
	}
	tacho__pack_u64(pack, count + 1);
	tacho__pack_u64(pack, shown);
	for (; shown; shown--, at += width) {
		uint64_t value = 0;

		memcpy(&value, at, width);
		if (!is_signed)
			tacho__pack_u64(pack, value);
		else
			tacho__pack_i64(pack, width == 4 ? (int32_t)value : (int64_t)value);
	}
}

/* Pairs of 64-bit words up to a key of 0; with zero_ends up to a value of 0, too. */
static inline void tacho__pack_properties(struct tacho__pack *pack, const void *list,
					  bool zero_ends)
{
	const int64_t *at = list;
	uint64_t count = 0, shown;

	if (!list) {
		tacho__pack_u64(pack, 0);
		return;
	}
	while (at[2 * count]) {
		count++;
		if (zero_ends && !at[2 * count - 1])
			break;
	}
	shown = count < TACHO__CALLS_PROPERTY_MAX ? count : TACHO__CALLS_PROPERTY_MAX;
	tacho__pack_u64(pack, count + 1);
	tacho__pack_u64(pack, shown);
	for (uint64_t i = 0; i < shown; i++) {
		tacho__pack_i64(pack, at[2 * i]);
		tacho__pack_u64(pack, (uint64_t)at[2 * i + 1]);
	}
}

/* Whether a value behind `pointer` was written: then the caller packs it. */
TACHO__PACK_INLINE bool tacho__pack_output(struct tacho__pack *pack, const void *pointer,
					   bool written)
{
	if (!pointer) {
		tacho__pack_u64(pack, 0);
		return false;
	}
	if (!written) {
		tacho__pack_u64(pack, 2);
		tacho__pack_u64(pack, (uintptr_t)pointer);
		return false;
	}
	tacho__pack_u64(pack, 1);
	return true;
}

/* The answer to a query. `filled` is not NULL when `value` is not. */
TACHO__PACK_INLINE void tacho__pack_answer(struct tacho__pack *pack, const void *value,
					   bool written, uint64_t room, const size_t *filled)
{
	uint64_t size;

	if (!tacho__pack_output(pack, value, written))
		return;
	size = *filled < room ? *filled : room;
	tacho__pack_u64(pack, size);
	if (size == 4) /* most answers are numbers */
		tacho__pack_bytes(pack, value, 4);
	else if (size == 8)
		tacho__pack_bytes(pack, value, 8);
	else
		tacho__pack_bytes(pack, value,
				  size < TACHO__CALLS_VALUE_MAX ? size : TACHO__CALLS_VALUE_MAX);
}

#endif
