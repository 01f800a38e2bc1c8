/* SPDX-License-Identifier: MIT */
/*
 * AMD's code objects: LLVM's "User Guide for AMDGPU Backend", sections ELF Code Object, Code Object
 * Metadata and Kernel Descriptor. Versions 3 and later have MessagePack, version 2 has YAML.
 */
#include <stdio.h>
#include <string.h>

#include "analyze/occupancy/compiled.h"
#include "analyze/occupancy/msgpack.h"
#include "base/array.h"
#include "base/error.h"
#include "base/map.h"
#include "base/yaml.h"

enum {
	NOTE_ISA_VERSION = 3, /* NT_AMD_HSA_ISA_VERSION */
	NOTE_METADATA_2 = 10, /* NT_AMD_HSA_METADATA */
	NOTE_METADATA = 32,   /* NT_AMDGPU_METADATA */
	MACH_MASK = 0xff,     /* EF_AMDGPU_MACH */
	DESCRIPTOR_BYTES = 64,
	DESCRIPTOR_RSRC1 = 48,
	RSRC1_PAIR = 1u << 29, /* WGP_MODE, from GFX10 on */
	KERNELS_MAX = 1 << 16,
};

/* EF_AMDGPU_MACH_AMDGCN_*, from 0x20 on. */
static const char *const machines[] = {
	"gfx600",  "gfx601",  "gfx700",	 "gfx701",  "gfx702",  "gfx703",  "gfx704",  NULL,
	"gfx801",  "gfx802",  "gfx803",	 "gfx810",  "gfx900",  "gfx902",  "gfx904",  "gfx906",
	"gfx908",  "gfx909",  "gfx90c",	 "gfx1010", "gfx1011", "gfx1012", "gfx1030", "gfx1031",
	"gfx1032", "gfx1033", "gfx602",	 "gfx705",  "gfx805",  "gfx1035", "gfx1034", "gfx90a",
	"gfx940",  "gfx1100", "gfx1013", "gfx1150", "gfx1103", "gfx1036", "gfx1101", "gfx1102",
	"gfx1200", "gfx1250", "gfx1151", "gfx941",  "gfx942",  NULL,	  "gfx1201", "gfx950",
};

/* What stands in the metadata of one kernel. */
struct facts {
	const char *name, *symbol;
	size_t name_size, symbol_size;
	uint64_t vector, accumulation, scalar, vector_spills, scalar_spills;
	uint64_t local_bytes, scratch_bytes, wave_size, group_size, group_size_max;
	bool has_vector, has_scalar, has_pair;
	uint64_t is_pair;
};

/* A code object, and its symbols by name: address + 1. */
struct object {
	const struct tacho__image *image;
	struct tacho__names symbols;
	bool has_symbols;
};

static const char *get_machine(const struct tacho__image *image)
{
	uint32_t mach = image->header.e_flags & MACH_MASK;

	if (mach < 0x20 || mach - 0x20 >= TACHO__ARRAY_SIZE(machines) || !machines[mach - 0x20])
		return "";
	return machines[mach - 0x20];
}

static uint32_t narrow(uint64_t value)
{
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static int list_symbols(struct object *object)
{
	struct tacho__section table;
	struct tacho__symbol symbol;
	int rc = 0;

	object->has_symbols = true;
	if (!tacho__image_find_section(object->image, ".symtab", &table) &&
	    !tacho__image_find_section(object->image, ".dynsym", &table))
		return 0;
	for (size_t i = 0; !rc && tacho__image_get_symbol(object->image, &table, i, &symbol); i++)
		if (*symbol.name && symbol.entry.st_value < UINTPTR_MAX)
			rc = tacho__names_set(&object->symbols, symbol.name,
					      (void *)(uintptr_t)(symbol.entry.st_value + 1));
	return rc;
}

/* The kernel's descriptor, which a symbol names; NULL when it is not there. */
static int find_descriptor(struct tacho_compiled *compiled, struct object *object,
			   const struct facts *facts, const uint8_t **out_descriptor)
{
	uintptr_t address;
	char *name;
	int rc = object->has_symbols ? 0 : list_symbols(object);

	*out_descriptor = NULL;
	if (rc || !facts->symbol)
		return rc;
	name = tacho__arena_text(&compiled->arena, facts->symbol, facts->symbol_size);
	if (!name)
		return TACHO_E_NOMEM;
	address = (uintptr_t)tacho__names_get(&object->symbols, name);
	if (address)
		*out_descriptor = tacho__image_at(object->image, address - 1, DESCRIPTOR_BYTES);
	return 0;
}

static int get_mode(struct tacho_compiled *compiled, struct object *object,
		    const struct facts *facts, struct tacho_compiled_kernel *kernel)
{
	const uint8_t *descriptor;
	bool is_pair = facts->is_pair;
	int rc;

	if (strncmp(kernel->arch, "gfx1", 4))
		return 0;
	if (!facts->has_pair && object->image->header.e_type == ET_REL)
		return 0; /* its symbols have no addresses yet */
	if (!facts->has_pair) {
		rc = find_descriptor(compiled, object, facts, &descriptor);
		if (rc || !descriptor)
			return rc;
		is_pair = tacho__u32(descriptor + DESCRIPTOR_RSRC1) & RSRC1_PAIR;
	}
	kernel->mode = is_pair ? TACHO_UNIT_PAIR : TACHO_UNIT_SINGLE;
	return 0;
}

static int add_kernel(struct tacho_compiled *compiled, struct object *object, const char *arch,
		      const struct facts *facts)
{
	struct tacho_compiled_kernel *kernel;

	if (!facts->name)
		return 0;
	kernel = tacho__compiled_add(compiled, facts->name, facts->name_size);
	if (!kernel)
		return TACHO_E_NOMEM;
	kernel->arch = tacho__arena_string(&compiled->arena, arch);
	if (!kernel->arch)
		return TACHO_E_NOMEM;
	if (!facts->has_vector)
		kernel->why = "its metadata does not state the registers";
	kernel->vector = narrow(facts->vector);
	kernel->accumulation = narrow(facts->accumulation);
	kernel->scalar = narrow(facts->scalar);
	kernel->has_scalar = facts->has_scalar;
	kernel->all_scalar = 1; /* VCC and the like are in it */
	kernel->vector_spills = narrow(facts->vector_spills);
	kernel->scalar_spills = narrow(facts->scalar_spills);
	kernel->local_bytes = facts->local_bytes;
	kernel->scratch_bytes = facts->scratch_bytes;
	kernel->wave_size = narrow(facts->wave_size);
	kernel->group_size = narrow(facts->group_size);
	kernel->group_size_max = narrow(facts->group_size_max);
	return get_mode(compiled, object, facts, kernel);
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
	return a < UINT32_MAX && b < UINT32_MAX ? a * b : UINT64_MAX;
}

/* ".reqd_workgroup_size": three numbers, 0 when there are others. */
static bool read_product(struct tacho__msgpack *pack, uint64_t *out_product)
{
	uint64_t product = 1, number;
	uint32_t count;

	if (!tacho__msgpack_array(pack, &count))
		return tacho__msgpack_skip(pack);
	for (uint32_t i = 0; i < count; i++) {
		if (!tacho__msgpack_number(pack, &number))
			return false;
		product = multiply(product, number);
	}
	*out_product = count == 3 ? product : 0;
	return true;
}

static bool read_number(struct tacho__msgpack *pack, uint64_t *out_number, bool *out_has)
{
	bool has = tacho__msgpack_number(pack, out_number);

	if (out_has)
		*out_has = has;
	return has || tacho__msgpack_skip(pack);
}

static bool is(const char *key, size_t size, const char *name)
{
	return strlen(name) == size && !memcmp(key, name, size);
}

static bool read_member(struct tacho__msgpack *pack, struct facts *facts)
{
	const char *key;
	size_t size;

	if (!tacho__msgpack_text(pack, &key, &size))
		return tacho__msgpack_skip(pack) && tacho__msgpack_skip(pack);
	if (is(key, size, ".name"))
		return tacho__msgpack_text(pack, &facts->name, &facts->name_size) ||
		       tacho__msgpack_skip(pack);
	if (is(key, size, ".symbol"))
		return tacho__msgpack_text(pack, &facts->symbol, &facts->symbol_size) ||
		       tacho__msgpack_skip(pack);
	if (is(key, size, ".vgpr_count"))
		return read_number(pack, &facts->vector, &facts->has_vector);
	if (is(key, size, ".agpr_count"))
		return read_number(pack, &facts->accumulation, NULL);
	if (is(key, size, ".sgpr_count"))
		return read_number(pack, &facts->scalar, &facts->has_scalar);
	if (is(key, size, ".vgpr_spill_count"))
		return read_number(pack, &facts->vector_spills, NULL);
	if (is(key, size, ".sgpr_spill_count"))
		return read_number(pack, &facts->scalar_spills, NULL);
	if (is(key, size, ".group_segment_fixed_size"))
		return read_number(pack, &facts->local_bytes, NULL);
	if (is(key, size, ".private_segment_fixed_size"))
		return read_number(pack, &facts->scratch_bytes, NULL);
	if (is(key, size, ".wavefront_size"))
		return read_number(pack, &facts->wave_size, NULL);
	if (is(key, size, ".max_flat_workgroup_size"))
		return read_number(pack, &facts->group_size_max, NULL);
	if (is(key, size, ".workgroup_processor_mode"))
		return read_number(pack, &facts->is_pair, &facts->has_pair);
	if (is(key, size, ".reqd_workgroup_size"))
		return read_product(pack, &facts->group_size);
	return tacho__msgpack_skip(pack);
}

static int fail_metadata(void)
{
	return tacho__fail(TACHO_E_PARSE, "its metadata is cut off or malformed", "",
			   "the code object cannot be read");
}

static int read_kernels(struct tacho_compiled *compiled, struct object *object, const char *arch,
			struct tacho__msgpack *pack)
{
	uint32_t count, members;
	int rc = 0;

	if (!tacho__msgpack_array(pack, &count))
		return tacho__msgpack_skip(pack) ? 0 : fail_metadata();
	for (uint32_t i = 0; i < count && i < KERNELS_MAX && !rc; i++) {
		struct facts facts = {.name = NULL};

		if (!tacho__msgpack_map(pack, &members))
			return fail_metadata();
		for (uint32_t j = 0; j < members; j++)
			if (!read_member(pack, &facts))
				return fail_metadata();
		rc = add_kernel(compiled, object, arch, &facts);
	}
	return rc;
}

/* "amdgcn-amd-amdhsa--gfx906:sramecc+" ends in the architecture, which may have a "-" in it. */
static const char *get_target(struct tacho_compiled *compiled, const char *text, size_t size)
{
	const char *end = memchr(text, ':', size), *start = memmem(text, size, "--", 2);

	start = start ? start + 2 : text;
	if (!end || end < start)
		end = text + size;
	return tacho__arena_text(&compiled->arena, start, (size_t)(end - start));
}

static int read_metadata(struct tacho_compiled *compiled, struct object *object,
			 const struct tacho__note *note)
{
	struct tacho__msgpack pack = {note->bytes, note->bytes + note->size}, kernels = {0};
	const char *arch = get_machine(object->image), *key, *text;
	size_t size, text_size;
	uint32_t members;

	if (!tacho__msgpack_map(&pack, &members))
		return fail_metadata();
	for (uint32_t i = 0; i < members; i++) {
		if (!tacho__msgpack_text(&pack, &key, &size))
			return fail_metadata();
		if (is(key, size, "amdhsa.kernels"))
			kernels = pack;
		if (is(key, size, "amdhsa.target") && !*arch) {
			struct tacho__msgpack value = pack;

			if (tacho__msgpack_text(&value, &text, &text_size))
				arch = get_target(compiled, text, text_size);
			if (!arch)
				return TACHO_E_NOMEM;
		}
		if (!tacho__msgpack_skip(&pack))
			return fail_metadata();
	}
	return kernels.at ? read_kernels(compiled, object, arch, &kernels) : 0;
}

/* NT_AMD_HSA_ISA_VERSION: two sizes of names, then major, minor and stepping. Steppings that are
 * odd meant gfx900, gfx902 ... with XNACK. */
static const char *get_isa(struct tacho_compiled *compiled, const struct tacho__note *note)
{
	uint32_t major, minor, stepping;
	char name[32];

	if (note->size < 16)
		return "";
	major = tacho__u32(note->bytes + 4);
	minor = tacho__u32(note->bytes + 8);
	stepping = tacho__u32(note->bytes + 12);
	if (major > 99 || minor > 9 || stepping > 15)
		return "";
	if (major == 9 && minor == 0)
		stepping &= ~1u;
	snprintf(name, sizeof(name), "gfx%u%u%x", major, minor, stepping);
	return tacho__arena_string(&compiled->arena, name);
}

static uint64_t get_yaml(const struct tacho__yaml *mapping, const char *key, bool *out_has)
{
	const struct tacho__yaml *member = tacho__yaml_get(mapping, key);
	uint64_t number = 0;
	bool has = member && !tacho__yaml_number(member, &number);

	if (out_has)
		*out_has = has;
	return has ? number : 0;
}

static void read_old_kernel(const struct tacho__yaml *kernel, struct facts *facts)
{
	const struct tacho__yaml *code = tacho__yaml_get(kernel, "CodeProps");
	const struct tacho__yaml *attributes = tacho__yaml_get(kernel, "Attrs");
	const struct tacho__yaml *size = tacho__yaml_get(attributes, "ReqdWorkGroupSize");
	uint64_t number, product = 1;

	facts->name = tacho__yaml_string(kernel, "Name", NULL);
	facts->name_size = facts->name ? strlen(facts->name) : 0;
	facts->vector = get_yaml(code, "NumVGPRs", &facts->has_vector);
	facts->scalar = get_yaml(code, "NumSGPRs", &facts->has_scalar);
	facts->vector_spills = get_yaml(code, "NumSpilledVGPRs", NULL);
	facts->scalar_spills = get_yaml(code, "NumSpilledSGPRs", NULL);
	facts->local_bytes = get_yaml(code, "GroupSegmentFixedSize", NULL);
	facts->scratch_bytes = get_yaml(code, "PrivateSegmentFixedSize", NULL);
	facts->wave_size = get_yaml(code, "WavefrontSize", NULL);
	facts->group_size_max = get_yaml(code, "MaxFlatWorkGroupSize", NULL);
	if (!size || size->type != TACHO__YAML_SEQUENCE)
		return;
	for (size = size->first; size; size = size->next)
		product = tacho__yaml_number(size, &number) ? 0 : multiply(product, number);
	facts->group_size = product;
}

static int read_old_metadata(struct tacho_compiled *compiled, struct object *object,
			     const char *isa, const struct tacho__note *note)
{
	size_t size = strnlen((const char *)note->bytes, note->size);
	const struct tacho__yaml *kernels;
	const char *arch = get_machine(object->image);
	const struct tacho__yaml *root;
	int rc = tacho__yaml_parse(&compiled->arena, "metadata", (const char *)note->bytes, size,
				   &root);

	if (rc)
		return rc;
	if (!*arch)
		arch = isa;
	kernels = tacho__yaml_get(root, "Kernels");
	kernels = kernels && kernels->type == TACHO__YAML_SEQUENCE ? kernels->first : NULL;
	for (; kernels && !rc; kernels = kernels->next) {
		struct facts facts = {.name = NULL};

		read_old_kernel(kernels, &facts);
		rc = add_kernel(compiled, object, arch, &facts);
	}
	return rc;
}

static int read_notes(struct tacho_compiled *compiled, struct object *object,
		      const struct tacho__section *section, bool *out_found)
{
	const char *isa = "";
	struct tacho__note note;
	size_t position = 0;
	int rc = 0;

	while (!rc && tacho__note_next(section->bytes, section->size, &position, &note)) {
		if (note.owner_size == 4 && !memcmp(note.owner, "AMD", 4)) {
			if (note.type == NOTE_ISA_VERSION)
				isa = get_isa(compiled, &note);
			if (!isa)
				return TACHO_E_NOMEM;
			if (note.type != NOTE_METADATA_2)
				continue;
			*out_found = true;
			rc = read_old_metadata(compiled, object, isa, &note);
		} else if (note.owner_size == 7 && !memcmp(note.owner, "AMDGPU", 7) &&
			   note.type == NOTE_METADATA) {
			*out_found = true;
			rc = read_metadata(compiled, object, &note);
		}
	}
	return rc;
}

int tacho__code_object_read(struct tacho_compiled *compiled, const struct tacho__image *image)
{
	struct object object = {.image = image};
	struct tacho__section section;
	bool found = false;
	int rc = 0;

	for (size_t i = 0; !rc && tacho__image_get_section(image, i, &section); i++)
		if (section.header.sh_type == SHT_NOTE)
			rc = read_notes(compiled, &object, &section, &found);
	if (!rc && !found)
		tacho__compiled_note(compiled, "a code object has no metadata, so its kernels are "
					       "not known");
	tacho__names_finish(&object.symbols);
	return rc;
}
