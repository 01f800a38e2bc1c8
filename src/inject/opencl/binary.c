/* SPDX-License-Identifier: MIT */
#include "inject/opencl/binary.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "inject/opencl/bitcode.h"
#include "inject/opencl/spirv.h"

enum { EM_GPU_AMD = 224 };

static const char printf_name[] = "printf";

struct search {
	const char *kernel; /* NULL: any */
	bool prints;
	bool has_kernel;    /* in something that was read */
	bool is_unreadable; /* something was found that could not be read */
};

static bool has(const void *bytes, size_t size, const char *text)
{
	return memmem(bytes, size, text, strlen(text)) != NULL;
}

/* PoCL's own variables for printing are in all its programs; only functions tell. */
static void on_function(const char *name, size_t size, void *user)
{
	struct search *search = user;

	if (has(name, size, printf_name))
		search->prints = true;
	if (!search->kernel ||
	    (size == strlen(search->kernel) && !memcmp(name, search->kernel, size)))
		search->has_kernel = true;
}

/* Returns how many bytes were looked at, at least one. */
static size_t look_at(struct search *search, const uint8_t *bytes, size_t size)
{
	struct tacho__spirv spirv;
	size_t used = 0;

	if (tacho__bitcode_is(bytes, size)) {
		if (tacho__bitcode_functions(bytes, size, on_function, search, &used))
			return used;
		search->is_unreadable = true;
	} else if (tacho__spirv_is(bytes, size)) {
		if (!tacho__spirv_read(bytes, size, search->kernel, &spirv)) {
			search->is_unreadable = true;
			return 1;
		}
		search->prints |= spirv.prints;
		search->has_kernel |= spirv.has_kernel;
		return spirv.size;
	}
	return 1;
}

static bool is_name_end(char c)
{
	return c == '(' || c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

static bool has_entry(const char *text, size_t size, const char *kernel)
{
	static const char entry[] = ".entry ";
	const char *at = text, *end = text + size;
	size_t length = kernel ? strlen(kernel) : 0;

	while ((at = memmem(at, (size_t)(end - at), entry, strlen(entry)))) {
		at += strlen(entry);
		if (!kernel || ((size_t)(end - at) > length && !memcmp(at, kernel, length) &&
				is_name_end(at[length])))
			return true;
	}
	return false;
}

/* PTX is text, which may end with a NUL. */
static void look_at_ptx(struct search *search, const char *text, size_t size)
{
	size_t length = strnlen(text, size);

	if (length + 1 < size || !has(text, length, ".version ") || !has(text, length, ".target "))
		return;
	search->prints |= has(text, length, printf_name);
	search->has_kernel |= has_entry(text, length, search->kernel);
}

/* The descriptor of a kernel has the kernel's name with .kd behind it, as a whole symbol. */
static bool has_descriptor(const uint8_t *bytes, size_t size, const char *kernel)
{
	size_t length = kernel ? strlen(kernel) : 0;
	const uint8_t *at = bytes, *end = bytes + size;

	while ((at = memmem(at, (size_t)(end - at), ".kd", 3))) {
		const uint8_t *name = at - length;

		if (!kernel || ((size_t)(at - bytes) > length && !memcmp(name, kernel, length) &&
				(!name[-1] || name[-1] >= 0x80)))
			return true;
		at++;
	}
	return false;
}

/*
 * The metadata of AMD's code objects names kernels and their hidden arguments, the formats of
 * prints (amdhsa.printf), and is never compressed. A printing kernel has a buffer for that, or one
 * to call the host.
 */
static void look_at_amd(struct search *search, const uint8_t *bytes, size_t size)
{
	Elf64_Ehdr header;

	if (size < sizeof(header))
		return;
	memcpy(&header, bytes, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != EM_GPU_AMD ||
	    !has(bytes, size, "amdhsa.kernels"))
		return;
	search->prints |= has(bytes, size, printf_name) || has(bytes, size, "hostcall");
	search->has_kernel |= has_descriptor(bytes, size, search->kernel);
}

enum tacho__prints tacho__binary_prints(const void *bytes, size_t size, const char *kernel)
{
	struct search search = {.kernel = kernel};

	if (kernel && !kernel[0])
		return TACHO__PRINTS_PERHAPS;
	for (size_t at = 0; at < size && !search.is_unreadable;)
		at += look_at(&search, (const uint8_t *)bytes + at, size - at);
	look_at_ptx(&search, bytes, size);
	look_at_amd(&search, bytes, size);
	if (search.prints)
		return TACHO__PRINTS;
	return search.has_kernel && !search.is_unreadable ? TACHO__PRINTS_NEVER
							  : TACHO__PRINTS_PERHAPS;
}
