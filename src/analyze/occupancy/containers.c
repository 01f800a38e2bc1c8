/* SPDX-License-Identifier: MIT */
/*
 * Files with compiled programs inside: NVIDIA's fatbins (fatbinary of CUDA 11 to 13), bundles
 * ("Clang Offload Bundler", clang.llvm.org), and programs of the host that carry such things in a
 * section.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/occupancy/compiled.h"
#include "base/array.h"
#include "base/error.h"

enum {
	EM_GPU_AMD = 224,
	EM_GPU_NVIDIA = 190,
	DEPTH_MAX = 4,
	FATBIN_HEADER = 16,
	ENTRY_HEADER = 64,
	ENTRY_PTX = 1,
	ENTRY_ELF = 2,
	ENTRY_LZ4 = 0x2000, /* flags of an entry: how its payload is compressed */
	ENTRY_ZSTD = 0x8000,
	UNPACKED_MAX = 256 << 20,
	BUNDLE_ENTRIES_MAX = 1024,
};

static const uint8_t fatbin_magic[] = {0x50, 0xed, 0x55, 0xba};
static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__";

/* Whether such a thing begins there. */
static bool is_fatbin(const uint8_t *bytes, size_t size)
{
	return size >= FATBIN_HEADER && !memcmp(bytes, fatbin_magic, sizeof(fatbin_magic));
}

static bool is_bundle(const uint8_t *bytes, size_t size)
{
	return size >= strlen(bundle_magic) + 8 &&
	       !memcmp(bytes, bundle_magic, strlen(bundle_magic));
}

static int read_compressed(struct tacho_compiled *compiled, const uint8_t *payload, size_t size,
			   uint64_t unpacked)
{
	uint8_t *bytes;
	int rc;

	/* a block of LZ4 cannot grow more than 255 times */
	if (!unpacked || unpacked > UNPACKED_MAX || unpacked / 256 > size)
		return tacho__fail(TACHO_E_PARSE, "an entry states an impossible size", "",
				   "the fatbin is malformed");
	bytes = malloc((size_t)unpacked);
	if (!bytes)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to unpack a fatbin");
	if (tacho__lz4_decode(payload, size, bytes, (size_t)unpacked))
		rc = tacho__compiled_read_any(compiled, bytes, (size_t)unpacked);
	else
		rc = tacho__fail(TACHO_E_PARSE, "a compressed entry cannot be unpacked", "",
				 "the fatbin is malformed");
	free(bytes);
	return rc;
}

static int read_entry(struct tacho_compiled *compiled, const uint8_t *entry, size_t header,
		      size_t size)
{
	uint64_t flags = tacho__u64(entry + 40);
	uint32_t packed = tacho__u32(entry + 16);

	switch (tacho__u16(entry)) {
	case ENTRY_PTX: compiled->has_ptx = true; return 0;
	case ENTRY_ELF: break;
	default: return 0;
	}
	if (flags & ENTRY_ZSTD) {
		tacho__compiled_note(compiled, "a part is compressed with zstd and was left out: "
					       "compile with -Xfatbin --compress-mode=none");
		return 0;
	}
	if (flags & ENTRY_LZ4)
		return read_compressed(compiled, entry + header,
				       packed && packed < size ? packed : size,
				       tacho__u64(entry + 56));
	return tacho__compiled_read_any(compiled, entry + header, size);
}

/* `*out_used`: the bytes that the container takes. */
static int read_fatbin(struct tacho_compiled *compiled, const uint8_t *bytes, size_t size,
		       size_t *out_used)
{
	size_t at = tacho__u16(bytes + 6), end;
	uint64_t payload = tacho__u64(bytes + 8);
	int rc = 0;

	if (at < FATBIN_HEADER || at > size || payload > size - at)
		return tacho__fail(TACHO_E_PARSE,
				   tacho__detail("it states %llu bytes and has %zu",
						 (unsigned long long)payload, size),
				   "", "the fatbin is cut off");
	end = at + (size_t)payload;
	while (!rc && end - at >= ENTRY_HEADER) {
		size_t header = tacho__u32(bytes + at + 4);
		uint64_t length = tacho__u64(bytes + at + 8);

		if (header < ENTRY_HEADER || header > end - at || length > end - at - header)
			return tacho__fail(TACHO_E_PARSE, "an entry reaches over its end", "",
					   "the fatbin is malformed");
		rc = read_entry(compiled, bytes + at, header, (size_t)length);
		at += header + (size_t)length;
	}
	*out_used = end;
	return rc;
}

static int read_bundle(struct tacho_compiled *compiled, const uint8_t *bytes, size_t size,
		       size_t *out_used)
{
	size_t at = strlen(bundle_magic), used = 0;
	uint64_t count = tacho__u64(bytes + at);
	int rc = 0;

	at += 8;
	if (count > BUNDLE_ENTRIES_MAX)
		return tacho__fail(TACHO_E_PARSE, "it states too many entries", "",
				   "the bundle is malformed");
	for (uint64_t i = 0; i < count && !rc; i++) {
		uint64_t offset, length, name;

		if (size - at < 24)
			break;
		offset = tacho__u64(bytes + at);
		length = tacho__u64(bytes + at + 8);
		name = tacho__u64(bytes + at + 16);
		at += 24;
		if (name > size - at || offset > size || length > size - offset)
			return tacho__fail(TACHO_E_PARSE, "an entry reaches over its end", "",
					   "the bundle is malformed");
		if (length && (name < 4 || memcmp(bytes + at, "host", 4)))
			rc = tacho__compiled_read_any(compiled, bytes + offset, (size_t)length);
		at += (size_t)name;
		if (offset + length > used)
			used = (size_t)(offset + length);
	}
	*out_used = used > at ? used : at;
	return rc;
}

/* Containers one behind the other, with padding between them. */
static int read_row(struct tacho_compiled *compiled, const struct tacho__section *section)
{
	size_t at = 0, used = 0;
	int rc = 0;

	while (!rc && at < section->size) {
		const uint8_t *bytes = section->bytes + at;
		size_t left = section->size - at;

		if (is_fatbin(bytes, left))
			rc = read_fatbin(compiled, bytes, left, &used);
		else if (is_bundle(bytes, left))
			rc = read_bundle(compiled, bytes, left, &used);
		else
			used = 8;
		at += used < left ? (used + 7) & ~(size_t)7 : left;
	}
	return rc;
}

static int read_host(struct tacho_compiled *compiled, const struct tacho__image *image)
{
	static const char *const names[] = {".nv_fatbin", "__nv_relfatbin", ".hip_fatbin"};
	struct tacho__section section;
	size_t found = 0;
	int rc = 0;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(names) && !rc; i++) {
		if (!tacho__image_find_section(image, names[i], &section) || !section.bytes)
			continue;
		found++;
		rc = read_row(compiled, &section);
	}
	if (!rc && !found)
		rc = tacho__fail(TACHO_E_UNSUPPORTED,
				 tacho__detail("it is an ELF file for machine %u without kernels",
					       image->header.e_machine),
				 "give a code object, a cubin, or a program with one inside",
				 "this is no compiled GPU program");
	return rc;
}

static int read_elf(struct tacho_compiled *compiled, const uint8_t *bytes, size_t size)
{
	struct tacho__image image;
	int rc = tacho__image_open(bytes, size, &image);

	if (rc)
		return rc;
	switch (image.header.e_machine) {
	case EM_GPU_AMD: return tacho__code_object_read(compiled, &image);
	case EM_GPU_NVIDIA: return tacho__cubin_read(compiled, &image);
	default: return read_host(compiled, &image);
	}
}

static const char *guess(const uint8_t *bytes, size_t size)
{
	if (size >= 4 && !memcmp(bytes, "CCOB", 4))
		return "it is a compressed bundle";
	if (size >= 7 && !memcmp(bytes, "poclbin", 7))
		return "it is a program of PoCL, which states no registers";
	for (size_t i = 0; i + 8 < size && i < 4096; i++)
		if (!memcmp(bytes + i, ".version", 8))
			return "it looks like PTX, which gets its registers when a driver "
			       "compiles it";
	return "it begins like none of the kinds that are known";
}

int tacho__compiled_read_any(struct tacho_compiled *compiled, const uint8_t *bytes, size_t size)
{
	size_t used;
	int rc;

	if (compiled->depth >= DEPTH_MAX)
		return tacho__fail(TACHO_E_PARSE, "containers lie in containers too deeply", "",
				   "the file cannot be read");
	compiled->depth++;
	if (size >= SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG))
		rc = read_elf(compiled, bytes, size);
	else if (is_fatbin(bytes, size))
		rc = read_fatbin(compiled, bytes, size, &used);
	else if (is_bundle(bytes, size))
		rc = read_bundle(compiled, bytes, size, &used);
	else
		rc = tacho__fail(TACHO_E_UNSUPPORTED, guess(bytes, size),
				 "give a code object, a cubin, or a program with one inside",
				 "this is no compiled GPU program");
	compiled->depth--;
	return rc;
}
