/* SPDX-License-Identifier: MIT */
#include "analyze/occupancy/elf_sections.h"

#include <string.h>

#include "base/error.h"

enum {
	NAME_BYTES_MAX = 16384, /* templates have long ones; garbage takes no time */
	LOADED_MAX = 1024,	/* sections that are looked at for an address */
};

uint16_t tacho__u16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] | bytes[1] << 8);
}

uint32_t tacho__u32(const uint8_t *bytes)
{
	return tacho__u16(bytes) | (uint32_t)tacho__u16(bytes + 2) << 16;
}

uint64_t tacho__u64(const uint8_t *bytes)
{
	return tacho__u32(bytes) | (uint64_t)tacho__u32(bytes + 4) << 32;
}

static const uint8_t *get_bytes(const struct tacho__image *image, uint64_t offset, uint64_t size)
{
	if (offset > image->size || size > image->size - offset)
		return NULL;
	return image->bytes + offset;
}

static void read_header(const uint8_t *bytes, Elf64_Ehdr *header)
{
	memcpy(header->e_ident, bytes, EI_NIDENT);
	header->e_type = tacho__u16(bytes + 16);
	header->e_machine = tacho__u16(bytes + 18);
	header->e_shoff = tacho__u64(bytes + 40);
	header->e_flags = tacho__u32(bytes + 48);
	header->e_shentsize = tacho__u16(bytes + 58);
	header->e_shnum = tacho__u16(bytes + 60);
	header->e_shstrndx = tacho__u16(bytes + 62);
}

static bool read_section(const struct tacho__image *image, size_t index, Elf64_Shdr *out_header)
{
	const uint8_t *at;

	if (index >= image->header.e_shnum ||
	    image->header.e_shoff > UINT64_MAX - index * sizeof(*out_header))
		return false;
	at = get_bytes(image, image->header.e_shoff + index * sizeof(*out_header),
		       sizeof(*out_header));
	if (!at)
		return false;
	out_header->sh_name = tacho__u32(at);
	out_header->sh_type = tacho__u32(at + 4);
	out_header->sh_flags = tacho__u64(at + 8);
	out_header->sh_addr = tacho__u64(at + 16);
	out_header->sh_offset = tacho__u64(at + 24);
	out_header->sh_size = tacho__u64(at + 32);
	out_header->sh_link = tacho__u32(at + 40);
	out_header->sh_info = tacho__u32(at + 44);
	out_header->sh_addralign = tacho__u64(at + 48);
	out_header->sh_entsize = tacho__u64(at + 56);
	return true;
}

int tacho__image_open(const void *bytes, size_t size, struct tacho__image *out_image)
{
	struct tacho__image image = {.bytes = bytes, .size = size};
	Elf64_Shdr names;

	if (size < sizeof(Elf64_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG))
		return tacho__fail(TACHO_E_PARSE, tacho__detail("it has %zu bytes", size), "",
				   "this is no ELF file");
	if (image.bytes[EI_CLASS] != ELFCLASS64 || image.bytes[EI_DATA] != ELFDATA2LSB)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("its class is %u, its byte order %u",
						 image.bytes[EI_CLASS], image.bytes[EI_DATA]),
				   "compile for a 64-bit target",
				   "only 64-bit little-endian ELF files can be read");
	read_header(image.bytes, &image.header);
	if (image.header.e_shnum && image.header.e_shentsize != sizeof(Elf64_Shdr))
		return tacho__fail(
			TACHO_E_PARSE,
			tacho__detail("a section header has %u bytes", image.header.e_shentsize),
			"", "the ELF file is malformed");
	if (read_section(&image, image.header.e_shstrndx, &names) && names.sh_type == SHT_STRTAB) {
		image.names = get_bytes(&image, names.sh_offset, names.sh_size);
		image.names_size = image.names ? names.sh_size : 0;
	}
	*out_image = image;
	return 0;
}

static const char *get_name(const uint8_t *names, size_t size, uint64_t offset)
{
	size_t left;

	if (!names || offset >= size)
		return "";
	left = size - offset < NAME_BYTES_MAX ? size - offset : NAME_BYTES_MAX;
	return memchr(names + offset, '\0', left) ? (const char *)names + offset : "";
}

bool tacho__image_get_section(const struct tacho__image *image, size_t index,
			      struct tacho__section *out_section)
{
	struct tacho__section section = {.name = ""};

	if (!read_section(image, index, &section.header))
		return false;
	section.name = get_name(image->names, image->names_size, section.header.sh_name);
	if (section.header.sh_type != SHT_NOBITS && section.header.sh_type != SHT_NULL) {
		section.bytes = get_bytes(image, section.header.sh_offset, section.header.sh_size);
		section.size = section.bytes ? section.header.sh_size : 0;
	}
	*out_section = section;
	return true;
}

bool tacho__image_find_section(const struct tacho__image *image, const char *name,
			       struct tacho__section *out_section)
{
	struct tacho__section section;

	for (size_t i = 0; tacho__image_get_section(image, i, &section); i++) {
		if (strcmp(section.name, name))
			continue;
		*out_section = section;
		return true;
	}
	return false;
}

bool tacho__image_get_symbol(const struct tacho__image *image, const struct tacho__section *table,
			     size_t index, struct tacho__symbol *out_symbol)
{
	struct tacho__section names = {.name = ""};
	const uint8_t *at;

	if (index >= table->size / sizeof(Elf64_Sym))
		return false;
	at = table->bytes + index * sizeof(Elf64_Sym);
	out_symbol->entry.st_name = tacho__u32(at);
	out_symbol->entry.st_info = at[4];
	out_symbol->entry.st_other = at[5];
	out_symbol->entry.st_shndx = tacho__u16(at + 6);
	out_symbol->entry.st_value = tacho__u64(at + 8);
	out_symbol->entry.st_size = tacho__u64(at + 16);
	if (table->header.sh_link)
		tacho__image_get_section(image, table->header.sh_link, &names);
	out_symbol->name = get_name(names.bytes, names.size, out_symbol->entry.st_name);
	return true;
}

const uint8_t *tacho__image_at(const struct tacho__image *image, uint64_t address, size_t size)
{
	struct tacho__section section;

	for (size_t i = 0; i < LOADED_MAX && tacho__image_get_section(image, i, &section); i++) {
		uint64_t start = section.header.sh_addr;

		if (!(section.header.sh_flags & SHF_ALLOC) || !section.bytes || address < start ||
		    address - start > section.size || size > section.size - (address - start))
			continue;
		return section.bytes + (address - start);
	}
	return NULL;
}

static size_t align4(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

bool tacho__note_next(const uint8_t *bytes, size_t size, size_t *position,
		      struct tacho__note *out_note)
{
	size_t at = *position, owner, content;

	if (!bytes || at > size || size - at < 12)
		return false;
	owner = tacho__u32(bytes + at);
	content = tacho__u32(bytes + at + 4);
	out_note->type = tacho__u32(bytes + at + 8);
	at += 12;
	if (owner > size - at || align4(owner) > size - at)
		return false;
	out_note->owner = (const char *)bytes + at;
	out_note->owner_size = owner;
	at += align4(owner);
	if (content > size - at)
		return false;
	out_note->bytes = bytes + at;
	out_note->size = content;
	at += content;
	*position = align4(at) < size ? align4(at) : size;
	return true;
}
