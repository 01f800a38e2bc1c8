/* SPDX-License-Identifier: MIT */
/* Reading MessagePack from memory, value by value. Trusts no byte. */
#ifndef TACHO_ANALYZE_OCCUPANCY_MSGPACK_H
#define TACHO_ANALYZE_OCCUPANCY_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tacho__msgpack {
	const uint8_t *at, *end;
};

/* Each reads one value of its type; false, and nothing moved, when the next one has another. */
bool tacho__msgpack_map(struct tacho__msgpack *pack, uint32_t *out_count);
bool tacho__msgpack_array(struct tacho__msgpack *pack, uint32_t *out_count);
bool tacho__msgpack_text(struct tacho__msgpack *pack, const char **out_text, size_t *out_size);
/* True or false count as 1 and 0. */
bool tacho__msgpack_number(struct tacho__msgpack *pack, uint64_t *out_number);

/* Passes over a value with all that is in it; false when it is malformed or cut off. */
bool tacho__msgpack_skip(struct tacho__msgpack *pack);

#endif
