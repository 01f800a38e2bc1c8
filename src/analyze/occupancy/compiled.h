/* SPDX-License-Identifier: MIT */
/* Compiled programs while they are read: each reader adds the kernels that it finds. */
#ifndef TACHO_ANALYZE_OCCUPANCY_COMPILED_H
#define TACHO_ANALYZE_OCCUPANCY_COMPILED_H

#include "analyze/occupancy/elf_sections.h"
#include "base/arena.h"
#include "base/buf.h"
#include "tacho/occupancy.h"

struct tacho_compiled {
	struct tacho__arena arena;
	struct tacho_compiled_kernel **kernels;
	size_t count, capacity;
	struct tacho__buf note;
	unsigned depth; /* of containers in containers */
	bool has_ptx;	/* which says nothing of registers */
};

/* A kernel of this name, all else zero; NULL with the error set. */
struct tacho_compiled_kernel *tacho__compiled_add(struct tacho_compiled *compiled, const char *name,
						  size_t size);

/* Adds a sentence to the note, once. */
void tacho__compiled_note(struct tacho_compiled *compiled, const char *text);

/* A reader of one kind of file. PARSE, UNSUPPORTED, NOMEM; 0 with no kernel is fine. */
int tacho__compiled_read_any(struct tacho_compiled *compiled, const uint8_t *bytes, size_t size);
int tacho__code_object_read(struct tacho_compiled *compiled, const struct tacho__image *image);
int tacho__cubin_read(struct tacho_compiled *compiled, const struct tacho__image *image);

/* One block of LZ4 that must become exactly `out_size` bytes. False: it does not. */
bool tacho__lz4_decode(const uint8_t *bytes, size_t size, uint8_t *out_bytes, size_t out_size);

#endif
