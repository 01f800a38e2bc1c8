/* SPDX-License-Identifier: MIT */
/*
 * The records of commands that run many times (TACHO__RECORD_TEMPLATE).
 *
 * A record tells commands of one state of a template: of the handle and the version. The first one
 * of a version says what it began as a copy of, if it did not begin empty; a version with many
 * commands has several records. A command with an index that is there already changes that one. The
 * state is whole when the record that says so was read, and has as many commands as it says.
 * Packed, each as tacho__pack_u64() does:
 *
 *   api, handle, version, flags, base handle and base version if `flags` says so,
 *   the number of all commands if `flags` says so, the number of queues and their handles if
 *   `flags` says so, count, then count times
 *   index, flags, queue, kernel, size of the name, name, and what `flags` says of: three global
 *   sizes, three local sizes, bytes, extra local bytes
 *
 * about of a record: bit 0 there is a base, bit 1 it is whole, bit 2 there are queues. about of a
 * command: bits 0-7 its kind, bits 8-9 dimensions, bits 10 to 13: global sizes, local sizes, bytes,
 * extra local bytes follow.
 */
#ifndef TACHO_RECORD_TEMPLATE_H
#define TACHO_RECORD_TEMPLATE_H

#include "base/pack.h"
#include "intercept/intercept.h"

enum {
	TACHO__TEMPLATE_PER_RECORD = 16,
	TACHO__TEMPLATE_NAME_MAX = 64,
	TACHO__TEMPLATE_QUEUES_MAX = 32,  /* further ones are not told */
	TACHO__TEMPLATE_BYTES = 4 * 1024, /* of a record with all of this, and slack */
};

/* What precedes the commands in a record. */
struct tacho__template_head {
	uint64_t api, handle, version, base_handle, base_version;
	bool is_complete;
	uint64_t total; /* when it is complete */
	bool has_queues;
	uint64_t queues[TACHO__TEMPLATE_QUEUES_MAX];
	uint32_t queue_count;
	uint32_t count;
};

/* A command; its name is not terminated. */
struct tacho__template_item {
	struct tacho__template_command command; /* without the name */
	const char *name;
	uint32_t name_size;
};

/* How many records the commands take: at least one. */
uint32_t tacho__template_record_count(const struct tacho__template *template);

/* Packs record `index` into TACHO__TEMPLATE_BYTES; returns the size. */
uint32_t tacho__template_pack(const struct tacho__template *template, uint32_t index,
			      uint8_t *buffer);

/* Then tacho__template_unpack() `count` times. False when the record cannot be. */
bool tacho__template_unpack_head(struct tacho__unpack *unpack,
				 struct tacho__template_head *out_head);
bool tacho__template_unpack(struct tacho__unpack *unpack, struct tacho__template_item *out_item);

#endif
