/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's cubins. Their layout is not published; this is what nvdisasm, readelf and ptxas -v show
 * of files of CUDA 11 to 13: registers in .nv.info (EIATTR_REGCOUNT) or above sh_info's lower 24
 * bits in older files, static shared memory as the size of .nv.shared.KERNEL.
 */
#include <stdio.h>
#include <string.h>

#include "analyze/occupancy/compiled.h"
#include "base/error.h"
#include "base/map.h"

enum {
	ABI_NEW = 8,	 /* EI_ABIVERSION from CUDA 13 on: another place for the chip's number */
	ENTRY = 0x10,	 /* STO_CUDA_ENTRY in st_other: a kernel, no device function */
	FORMAT_BYTE = 2, /* EIFMT_*: how a value is written */
	FORMAT_HALF = 3,
	FORMAT_SIZED = 4,
	MAX_THREADS = 0x05, /* EIATTR_* */
	REQUIRED_THREADS = 0x10,
	FRAME_SIZE = 0x11,
	REGISTERS = 0x2f,
	BARRIERS = 0x4c,
	RESERVED_FROM = 90, /* sm_90: .nv.shared has the driver's own part in it */
	RESERVED_BYTES = 1024,
	KERNELS_MAX = 1 << 16,
};

/* A cubin, and where things are in it. */
struct cubin {
	const struct tacho__image *image;
	unsigned capability;
	bool has_reserved;
	bool failed;		      /* memory ran out for the name of a section */
	struct tacho__names sections; /* index + 1 */
	struct tacho__map registers;  /* of a symbol: number + 1 */
	struct tacho__map frames;     /* bytes + 1 */
};

struct attribute {
	uint8_t format, kind;
	uint32_t value; /* of those that are no blocks */
	const uint8_t *bytes;
	size_t size;
};

static bool next_attribute(const struct tacho__section *info, size_t *position,
			   struct attribute *out)
{
	size_t at = *position;

	if (!info->bytes || at > info->size || info->size - at < 4)
		return false;
	out->format = info->bytes[at];
	out->kind = info->bytes[at + 1];
	out->value = tacho__u16(info->bytes + at + 2);
	out->bytes = NULL;
	out->size = 0;
	at += 4;
	if (out->format == FORMAT_BYTE)
		out->value &= 0xff;
	if (out->format == FORMAT_SIZED) {
		if (out->value > info->size - at)
			return false;
		out->bytes = info->bytes + at;
		out->size = out->value;
		at += (out->size + 3) & ~(size_t)3;
		if (at > info->size)
			at = info->size;
	}
	*position = at;
	return true;
}

static unsigned get_capability(const struct tacho__image *image)
{
	uint32_t flags = image->header.e_flags;

	return image->header.e_ident[EI_ABIVERSION] >= ABI_NEW ? flags >> 8 & 0xff : flags & 0xff;
}

static int list_sections(struct cubin *cubin)
{
	struct tacho__section section;
	int rc = 0;

	for (size_t i = 0; !rc && tacho__image_get_section(cubin->image, i, &section); i++)
		if (*section.name)
			rc = tacho__names_set(&cubin->sections, section.name,
					      (void *)(uintptr_t)(i + 1));
	cubin->has_reserved = tacho__names_get(&cubin->sections, ".nv.shared.reserved.0") != NULL;
	return rc;
}

/* The section PREFIX.KERNEL. */
static bool find_of(struct cubin *cubin, const char *prefix, const char *kernel,
		    struct tacho__section *out_section)
{
	struct tacho__buf name = {0};
	uintptr_t index;

	tacho__buf_put(&name, prefix);
	tacho__buf_put(&name, kernel);
	index = (uintptr_t)tacho__names_get(&cubin->sections, tacho__buf_text(&name));
	cubin->failed |= name.failed;
	tacho__buf_finish(&name);
	return index && tacho__image_get_section(cubin->image, index - 1, out_section);
}

/* Three numbers of a block: threads in each direction. */
static uint32_t get_threads(const struct attribute *attribute)
{
	uint64_t threads = 1;

	if (attribute->size < 12)
		return 0;
	for (size_t i = 0; i < 3; i++) {
		uint32_t number = tacho__u32(attribute->bytes + 4 * i);

		if (number > UINT16_MAX)
			return 0;
		threads *= number;
	}
	return threads < UINT32_MAX ? (uint32_t)threads : 0;
}

/* What .nv.info says of all functions, by the number of their symbol. */
static int read_common(struct cubin *cubin)
{
	struct tacho__section info;
	struct attribute attribute;
	size_t position = 0;
	int rc = 0;

	if (!find_of(cubin, ".nv.info", "", &info))
		return 0;
	while (!rc && next_attribute(&info, &position, &attribute)) {
		struct tacho__map *map = attribute.kind == REGISTERS	? &cubin->registers
					 : attribute.kind == FRAME_SIZE ? &cubin->frames
									: NULL;

		if (map && attribute.size >= 8)
			rc = tacho__map_set(
				map, tacho__u32(attribute.bytes),
				(void *)((uintptr_t)tacho__u32(attribute.bytes + 4) + 1));
	}
	return rc;
}

static bool get_common(const struct tacho__map *map, size_t symbol, uint32_t *out_number)
{
	uintptr_t found = (uintptr_t)tacho__map_get(map, symbol);

	if (found)
		*out_number = (uint32_t)(found - 1);
	return found != 0;
}

static void read_own(struct cubin *cubin, struct tacho_compiled_kernel *kernel)
{
	struct tacho__section info;
	struct attribute attribute;
	size_t position = 0;

	if (!find_of(cubin, ".nv.info.", kernel->name, &info))
		return;
	while (next_attribute(&info, &position, &attribute)) {
		if (attribute.kind == MAX_THREADS)
			kernel->group_size_max = get_threads(&attribute);
		else if (attribute.kind == REQUIRED_THREADS)
			kernel->group_size = get_threads(&attribute);
		else if (attribute.kind == BARRIERS && attribute.format == FORMAT_BYTE)
			kernel->barriers = attribute.value;
	}
}

static void read_shared(struct cubin *cubin, struct tacho_compiled_kernel *kernel)
{
	struct tacho__section shared;
	uint64_t own =
		cubin->has_reserved && cubin->capability >= RESERVED_FROM ? RESERVED_BYTES : 0;

	if (find_of(cubin, ".nv.shared.", kernel->name, &shared))
		kernel->local_bytes = shared.header.sh_size > own ? shared.header.sh_size - own : 0;
}

static int add_kernel(struct tacho_compiled *compiled, struct cubin *cubin, size_t index,
		      const char *name)
{
	struct tacho_compiled_kernel *kernel = tacho__compiled_add(compiled, name, strlen(name));
	struct tacho__section text;
	uint32_t frame = 0;
	char arch[16];
	bool has;

	if (!kernel)
		return TACHO_E_NOMEM;
	snprintf(arch, sizeof(arch), "sm_%u", cubin->capability);
	kernel->arch = tacho__arena_string(&compiled->arena, arch);
	if (!kernel->arch)
		return TACHO_E_NOMEM;
	kernel->wave_size = 32;
	has = get_common(&cubin->registers, index, &kernel->vector);
	if (!has && find_of(cubin, ".text.", name, &text) && text.header.sh_info >> 24) {
		kernel->vector = text.header.sh_info >> 24;
		has = true;
	}
	if (!has)
		kernel->why = "the cubin does not state the registers";
	get_common(&cubin->frames, index, &frame);
	kernel->scratch_bytes = frame;
	read_own(cubin, kernel);
	read_shared(cubin, kernel);
	return 0;
}

static int read_symbols(struct tacho_compiled *compiled, struct cubin *cubin)
{
	struct tacho__section table;
	struct tacho__symbol symbol;
	size_t kernels = 0;
	int rc = 0;

	if (!find_of(cubin, ".symtab", "", &table))
		return tacho__fail(TACHO_E_PARSE, "it has no symbols", "",
				   "the cubin cannot be read");
	for (size_t i = 0; !rc && tacho__image_get_symbol(cubin->image, &table, i, &symbol); i++) {
		if (ELF64_ST_TYPE(symbol.entry.st_info) != STT_FUNC ||
		    !(symbol.entry.st_other & ENTRY) || !*symbol.name || kernels >= KERNELS_MAX)
			continue;
		kernels++;
		rc = add_kernel(compiled, cubin, i, symbol.name);
	}
	return rc;
}

int tacho__cubin_read(struct tacho_compiled *compiled, const struct tacho__image *image)
{
	struct cubin cubin = {.image = image, .capability = get_capability(image)};
	int rc = list_sections(&cubin);

	if (!rc)
		rc = read_common(&cubin);
	if (!rc)
		rc = read_symbols(compiled, &cubin);
	if (cubin.failed)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read a cubin");
	tacho__names_finish(&cubin.sections);
	tacho__map_finish(&cubin.registers);
	tacho__map_finish(&cubin.frames);
	return rc;
}
