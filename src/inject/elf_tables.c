/* SPDX-License-Identifier: MIT */
#include "inject/elf_tables.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"

enum {
	SEGMENTS_MAX = 1024,
	DYNAMIC_MAX = 1 << 20,
	NAME_MAX_BYTES = 256,
	NEEDED_MAX = 1024,
};

#if defined(__x86_64__)
enum { NATIVE_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { NATIVE_MACHINE = EM_AARCH64 };
#elif defined(__riscv)
enum { NATIVE_MACHINE = EM_RISCV };
#elif defined(__powerpc64__)
enum { NATIVE_MACHINE = EM_PPC64 };
#else
enum { NATIVE_MACHINE = EM_NONE };
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { NATIVE_ORDER = ELFDATA2LSB };
#else
enum { NATIVE_ORDER = ELFDATA2MSB };
#endif

static const struct {
	uint16_t machine;
	const char *name;
} machines[] = {
	{EM_386, "x86"},   {EM_X86_64, "x86-64"},   {EM_ARM, "arm"},	 {EM_AARCH64, "arm64"},
	{EM_PPC, "ppc"},   {EM_PPC64, "ppc64"},	    {EM_RISCV, "riscv"}, {EM_S390, "s390"},
	{EM_MIPS, "mips"}, {EM_SPARCV9, "sparc64"}, {EM_IA_64, "ia64"},
};

static bool read_at(int fd, void *into, size_t size, uint64_t offset)
{
	return offset <= INT64_MAX - size && pread(fd, into, size, (off_t)offset) == (ssize_t)size;
}

/* The segments of a native file, owned; NULL when there are none or too many. */
static Elf64_Phdr *read_segments(int fd, size_t *out_count)
{
	Elf64_Ehdr header;
	Elf64_Phdr *segments;

	if (!read_at(fd, &header, sizeof(header), 0) || !header.e_phnum ||
	    header.e_phnum > SEGMENTS_MAX || header.e_phentsize != sizeof(*segments))
		return NULL;
	segments = calloc(header.e_phnum, sizeof(*segments));
	if (segments &&
	    !read_at(fd, segments, header.e_phnum * sizeof(*segments), header.e_phoff)) {
		free(segments);
		return NULL;
	}
	*out_count = header.e_phnum;
	return segments;
}

static void read_interpreter(int fd, struct tacho__elf *elf)
{
	size_t count = 0;
	Elf64_Phdr *segments = read_segments(fd, &count);

	for (size_t i = 0; segments && i < count; i++) {
		size_t size = sizeof(elf->interpreter) - 1;

		if (segments[i].p_type != PT_INTERP)
			continue;
		if (segments[i].p_filesz < size)
			size = segments[i].p_filesz;
		if (!read_at(fd, elf->interpreter, size, segments[i].p_offset))
			size = 0;
		elf->interpreter[size] = '\0';
		break;
	}
	free(segments);
}

void tacho__elf_read(int fd, struct tacho__elf *out_elf)
{
	unsigned char bytes[sizeof(Elf64_Ehdr)] = {0};
	Elf32_Ehdr start; /* the first fields are the same in both classes */

	memset(out_elf, 0, sizeof(*out_elf));
	if (!read_at(fd, bytes, sizeof(start), 0) || memcmp(bytes, ELFMAG, SELFMAG))
		return;
	memcpy(&start, bytes, sizeof(start));
	out_elf->is_elf = true;
	out_elf->is_64 = bytes[EI_CLASS] == ELFCLASS64;
	out_elf->machine = start.e_machine;
	if (bytes[EI_DATA] != NATIVE_ORDER)
		out_elf->machine = (uint16_t)(start.e_machine << 8 | start.e_machine >> 8);
	out_elf->is_native = out_elf->is_64 && bytes[EI_DATA] == NATIVE_ORDER &&
			     (out_elf->machine == NATIVE_MACHINE || NATIVE_MACHINE == EM_NONE);
	if (out_elf->is_native)
		read_interpreter(fd, out_elf);
}

/* The place in the file of an address of the program; false when no segment holds it. */
static bool find_offset(const Elf64_Phdr *segments, size_t count, uint64_t address,
			uint64_t *out_offset)
{
	for (size_t i = 0; i < count; i++) {
		const Elf64_Phdr *segment = &segments[i];

		if (segment->p_type != PT_LOAD || address < segment->p_vaddr ||
		    address - segment->p_vaddr >= segment->p_filesz)
			continue;
		*out_offset = segment->p_offset + (address - segment->p_vaddr);
		return true;
	}
	return false;
}

static Elf64_Dyn *read_dynamic(int fd, const Elf64_Phdr *segments, size_t count, size_t *out_count)
{
	for (size_t i = 0; i < count; i++) {
		size_t size = segments[i].p_filesz;
		Elf64_Dyn *dynamic;

		if (segments[i].p_type != PT_DYNAMIC)
			continue;
		*out_count = size / sizeof(*dynamic);
		if (!*out_count || size > DYNAMIC_MAX)
			return NULL;
		dynamic = malloc(size);
		if (dynamic && read_at(fd, dynamic, size, segments[i].p_offset))
			return dynamic;
		free(dynamic);
		return NULL;
	}
	return NULL;
}

static void add_name(int fd, uint64_t offset, struct tacho__buf *names)
{
	char name[NAME_MAX_BYTES] = "";
	ssize_t got = offset <= INT64_MAX ? pread(fd, name, sizeof(name) - 1, (off_t)offset) : -1;

	if (got > 0 && name[0])
		tacho__buf_add(names, name, strlen(name) + 1);
}

void tacho__elf_list_needed(int fd, struct tacho__buf *out_names)
{
	size_t segment_count = 0, count = 0, needed = 0;
	uint64_t strings = 0, strings_address = 0;
	struct tacho__elf elf;
	Elf64_Phdr *segments = NULL;
	Elf64_Dyn *dynamic = NULL;

	tacho__elf_read(fd, &elf);
	if (!elf.is_native)
		return;
	segments = read_segments(fd, &segment_count);
	if (segments)
		dynamic = read_dynamic(fd, segments, segment_count, &count);
	if (!dynamic)
		goto out;
	for (size_t i = 0; i < count && dynamic[i].d_tag != DT_NULL; i++)
		if (dynamic[i].d_tag == DT_STRTAB)
			strings_address = dynamic[i].d_un.d_ptr;
	if (!find_offset(segments, segment_count, strings_address, &strings))
		goto out;
	for (size_t i = 0; i < count && dynamic[i].d_tag != DT_NULL && needed < NEEDED_MAX; i++) {
		if (dynamic[i].d_tag != DT_NEEDED || dynamic[i].d_un.d_val > UINT32_MAX)
			continue;
		add_name(fd, strings + dynamic[i].d_un.d_val, out_names);
		needed++;
	}
out:
	free(segments);
	free(dynamic);
}

const char *tacho__elf_machine_name(uint16_t machine)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(machines); i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return tacho__detail("machine %u", machine);
}
