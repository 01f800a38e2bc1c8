/* SPDX-License-Identifier: MIT */
/* 64-bit little-endian ELF files in memory. Trusts no byte; every access is checked. */
#ifndef TACHO_ANALYZE_OCCUPANCY_ELF_SECTIONS_H
#define TACHO_ANALYZE_OCCUPANCY_ELF_SECTIONS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tacho__image {
	const uint8_t *bytes; /* borrowed */
	size_t size;
	Elf64_Ehdr header;
	const uint8_t *names; /* of sections; NULL when there are none */
	size_t names_size;
};

struct tacho__section {
	Elf64_Shdr header;
	const char *name;     /* ends with NUL inside the file; "" */
	const uint8_t *bytes; /* NULL when it has none in the file */
	size_t size;	      /* of bytes */
};

struct tacho__symbol {
	Elf64_Sym entry;
	const char *name;
};

struct tacho__note {
	const char *owner;
	size_t owner_size; /* with its NUL */
	uint32_t type;
	const uint8_t *bytes;
	size_t size;
};

/* PARSE; UNSUPPORTED for other classes and byte orders. */
int tacho__image_open(const void *bytes, size_t size, struct tacho__image *out_image);

/* False past the last one, and for one that does not lie in the file. */
bool tacho__image_get_section(const struct tacho__image *image, size_t index,
			      struct tacho__section *out_section);
bool tacho__image_find_section(const struct tacho__image *image, const char *name,
			       struct tacho__section *out_section);

/* Symbol `index` of a symbol table; false past the last one. Names that are bad are "". */
bool tacho__image_get_symbol(const struct tacho__image *image, const struct tacho__section *table,
			     size_t index, struct tacho__symbol *out_symbol);

/* `size` bytes at an address of the program; NULL when the file does not hold them. */
const uint8_t *tacho__image_at(const struct tacho__image *image, uint64_t address, size_t size);

/* The next note at *position, which is moved; 0 at first. False: there are no more. */
bool tacho__note_next(const uint8_t *bytes, size_t size, size_t *position,
		      struct tacho__note *out_note);

/* Little-endian numbers at any address. */
uint16_t tacho__u16(const uint8_t *bytes);
uint32_t tacho__u32(const uint8_t *bytes);
uint64_t tacho__u64(const uint8_t *bytes);

#endif
