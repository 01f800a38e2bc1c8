/* SPDX-License-Identifier: MIT */
/*
 * What binaries of programs tell of their printing. Bitcode and SPIR-V are written here bit by bit,
 * as their specifications say; tests/real/binaries.sh does the same with what compilers write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "inject/opencl/binary.h"

enum { BYTES_MAX = 4096, BITS_OF_ID = 3 };

/* ---- bitcode ---- */

static struct {
	uint8_t bytes[BYTES_MAX];
	size_t bits;
	char names[256]; /* the string table */
	size_t names_size;
	size_t block; /* where the length of the open block lies, bytes */
} out;

static void put(uint64_t value, unsigned count)
{
	assert_true(out.bits + count <= BYTES_MAX * 8);
	for (unsigned i = 0; i < count; i++, out.bits++)
		if (value >> i & 1)
			out.bytes[out.bits / 8] |= (uint8_t)(1 << out.bits % 8);
}

static void put_vbr(uint64_t value, unsigned width)
{
	uint64_t more = UINT64_C(1) << (width - 1);

	for (; value >= more; value >>= width - 1)
		put((value & (more - 1)) | more, width);
	put(value, width);
}

static void put_align(void)
{
	out.bits = (out.bits + 31) / 32 * 32;
}

static void begin(unsigned width_outside, unsigned id, unsigned width)
{
	put(1, width_outside);
	put_vbr(id, 8);
	put_vbr(width, 4);
	put_align();
	out.block = out.bits / 8;
	put(0, 32);
}

static void end(unsigned width)
{
	uint32_t words;

	put(0, width);
	put_align();
	words = (uint32_t)((out.bits / 8 - out.block - 4) / 4);
	memcpy(out.bytes + out.block, &words, sizeof(words));
}

/* An unabbreviated record. */
static void record(unsigned code, size_t count, const uint64_t *values)
{
	put(3, BITS_OF_ID);
	put_vbr(code, 6);
	put_vbr(count, 6);
	for (size_t i = 0; i < count; i++)
		put_vbr(values[i], 6);
}

static void name(unsigned code, const char *text)
{
	const uint64_t values[] = {out.names_size, strlen(text), 77, 0, 1};

	memcpy(out.names + out.names_size, text, strlen(text));
	out.names_size += strlen(text);
	record(code, 5, values);
}

/* Abbreviations of every kind, and a record of each: what is read behind them must be right. */
static void put_abbreviated(void)
{
	put(2, BITS_OF_ID); /* literal 7, fixed 5, vbr 4, array of char6 */
	put_vbr(5, 5);
	put(1, 1), put_vbr(7, 8);
	put(0, 1), put(1, 3), put_vbr(5, 5);
	put(0, 1), put(2, 3), put_vbr(4, 5);
	put(0, 1), put(3, 3);
	put(0, 1), put(4, 3);
	put(4, BITS_OF_ID);
	put(21, 5);
	put_vbr(123456, 4);
	put_vbr(3, 6);
	put(1, 6), put(2, 6), put(3, 6);
	put(2, BITS_OF_ID); /* literal 16, blob */
	put_vbr(2, 5);
	put(1, 1), put_vbr(16, 8);
	put(0, 1), put(5, 3);
	put(5, BITS_OF_ID);
	put_vbr(5, 6);
	put_align();
	for (const char *at = "blobs"; *at; at++)
		put((uint8_t)*at, 8);
	put_align();
}

static void put_strtab(void)
{
	begin(2, 23, BITS_OF_ID);
	put(2, BITS_OF_ID); /* literal 1, blob */
	put_vbr(2, 5);
	put(1, 1), put_vbr(1, 8);
	put(0, 1), put(5, 3);
	put(4, BITS_OF_ID);
	put_vbr(out.names_size, 6);
	put_align();
	for (size_t i = 0; i < out.names_size; i++)
		put((uint8_t)out.names[i], 8);
	put_align();
	end(BITS_OF_ID);
}

static void put_module(uint64_t version, const char *const *functions)
{
	size_t block;

	begin(2, 8, BITS_OF_ID);
	block = out.block;
	record(1, 1, &version);
	put_abbreviated();
	begin(BITS_OF_ID, 17, 4); /* types: passed over */
	put(UINT64_MAX, 64);
	end(4);
	name(7, "_printf_buffer"); /* a variable, as all of PoCL's programs have it */
	for (; *functions; functions++)
		name(8, *functions);
	out.block = block;
	end(BITS_OF_ID);
}

/* A module of these functions behind `offset` other bytes; returns its size with them. */
static size_t write_bitcode(size_t offset, uint64_t version, const char *const *functions)
{
	memset(&out, 0, sizeof(out));
	put_vbr(0xdec04342, 33); /* "BC" C0 DE; the highest bit says that nothing follows */
	out.bits = 32;
	begin(2, 13, 5); /* who wrote it: passed over */
	put(UINT64_MAX, 64);
	end(5);
	put_module(version, functions);
	put_strtab();
	memmove(out.bytes + offset, out.bytes, out.bits / 8);
	memset(out.bytes, 0x55, offset);
	return out.bits / 8 + offset;
}

/* From memory of just this size, so that a sanitizer sees what is read behind it. */
static enum tacho__prints ask(const void *bytes, size_t size, const char *kernel)
{
	void *copy = calloc(size + !size, 1);
	enum tacho__prints prints;

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	prints = tacho__binary_prints(copy, size, kernel);
	free(copy);
	return prints;
}

/* No part of a printing program may be taken for one that does not. */
static void try_prefixes(size_t size)
{
	for (size_t i = 0; i < size; i++)
		assert_int_not_equal(ask(out.bytes, i, "mute"), TACHO__PRINTS_NEVER);
}

static void test_bitcode(void **state)
{
	static const char *const mute[] = {"mute", "llvm.fma.f32", "get_global_id", NULL};
	static const char *const loud[] = {"loud", "mute", "printf", NULL};
	static const char *const vendor[] = {"mute", "__opencl_printf_v2", NULL};
	static const char *const glued[] = {"mute", "spri", "ntf", NULL};
	size_t size = write_bitcode(0, 2, mute);

	assert_int_equal(ask(out.bytes, size, "mute"), TACHO__PRINTS_NEVER);
	assert_int_equal(ask(out.bytes, size, NULL), TACHO__PRINTS_NEVER);
	assert_int_equal(ask(out.bytes, size, "mut"), TACHO__PRINTS_PERHAPS);
	assert_int_equal(ask(out.bytes, size, ""), TACHO__PRINTS_PERHAPS);
	try_prefixes(size - 4);
	size = write_bitcode(0, 2, loud);
	assert_int_equal(ask(out.bytes, size, "mute"), TACHO__PRINTS);
	try_prefixes(size);
	assert_int_equal(ask(out.bytes, write_bitcode(0, 2, vendor), "mute"), TACHO__PRINTS);
	/* names lie side by side in the table */
	assert_int_equal(ask(out.bytes, write_bitcode(0, 2, glued), "mute"), TACHO__PRINTS_NEVER);
	/* older ones keep names elsewhere */
	assert_int_equal(ask(out.bytes, write_bitcode(0, 1, mute), "mute"), TACHO__PRINTS_PERHAPS);
}

static void test_bitcode_in_containers(void **state)
{
	static const char *const mute[] = {"mute", NULL}, *const loud[] = {"printf", NULL};
	uint8_t both[2 * BYTES_MAX];
	size_t size = write_bitcode(103, 2, mute), more;

	memset(out.bytes + size, 0x41, 100);
	assert_int_equal(ask(out.bytes, size + 100, "mute"), TACHO__PRINTS_NEVER);
	memcpy(both, out.bytes, size);
	more = write_bitcode(0, 2, loud);
	memcpy(both + size, out.bytes, more);
	assert_int_equal(ask(both, size + more, "mute"), TACHO__PRINTS);
	/* one that is cut off may have been anything */
	assert_int_equal(ask(both, size + more - 4, "mute"), TACHO__PRINTS_PERHAPS);
	/* without its magic: a module more, of the same file */
	memcpy(both + size, out.bytes + 4, more - 4);
	assert_int_equal(ask(both, size + more - 4, "mute"), TACHO__PRINTS_PERHAPS);
}

/* Any bit may be wrong: nothing is read outside, and what prints is not silenced by a length. */
static void test_bitcode_flipped(void **state)
{
	static const char *const loud[] = {"mute", "printf", NULL};
	size_t size = write_bitcode(0, 2, loud);

	for (size_t bit = 0; bit < size * 8; bit++) {
		out.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		ask(out.bytes, size, "mute");
		out.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	assert_int_equal(ask(out.bytes, size, "mute"), TACHO__PRINTS);
}

/* ---- SPIR-V ---- */

static void put_op(unsigned opcode, size_t count, const uint32_t *words, const char *text)
{
	size_t text_words = text ? strlen(text) / 4 + 1 : 0;

	put(opcode | (uint64_t)(1 + count + text_words) << 16, 32);
	for (size_t i = 0; i < count; i++)
		put(words[i], 32);
	for (size_t i = 0; i < text_words * 4; i++)
		put(i < strlen(text) ? (uint8_t)text[i] : 0, 8);
}

/* The id of the set that the extended instruction is of: 1 the one named, 2 another. */
static uint32_t set_id = 1;

/* One kernel, which has the extended instruction `number` of the set; 0: none. */
static size_t write_spirv(const char *kernel, const char *set, uint32_t number, const char *linked)
{
	static const uint32_t header[] = {0x07230203, 0x00010200, 0, 20, 0};
	const uint32_t extended[] = {5, 9, set_id, number, 8}, linkage[] = {7, 41};

	memset(&out, 0, sizeof(out));
	for (size_t i = 0; i < 5; i++)
		put(header[i], 32);
	put_op(17, 1, (const uint32_t[]){6}, NULL); /* Capability Kernel */
	put_op(11, 1, (const uint32_t[]){1}, set);
	put_op(11, 1, (const uint32_t[]){2}, "OpenCL.DebugInfo.100");
	put_op(14, 2, (const uint32_t[]){2, 2}, NULL); /* MemoryModel */
	put_op(15, 2, (const uint32_t[]){6, 3}, kernel);
	if (linked)
		put_op(71, 2, linkage, linked);
	put_op(54, 4, (const uint32_t[]){2, 3, 0, 4}, NULL); /* Function */
	put_op(248, 1, (const uint32_t[]){6}, NULL);	     /* Label */
	if (number)
		put_op(12, 5, extended, NULL);
	put_op(253, 0, NULL, NULL); /* Return */
	put_op(56, 0, NULL, NULL);  /* FunctionEnd */
	return out.bits / 8;
}

static enum tacho__prints ask_spirv(const char *kernel, const char *set, uint32_t number,
				    const char *linked)
{
	return ask(out.bytes, write_spirv(kernel, set, number, linked), "mute");
}

static void test_spirv(void **state)
{
	enum { FMA = 26, PRINTF = 184 };
	size_t size;

	assert_int_equal(ask_spirv("mute", "OpenCL.std", 0, NULL), TACHO__PRINTS_NEVER);
	assert_int_equal(ask_spirv("mute", "OpenCL.std", FMA, NULL), TACHO__PRINTS_NEVER);
	assert_int_equal(ask_spirv("mute", "OpenCL.std", PRINTF, NULL), TACHO__PRINTS);
	set_id = 2;
	assert_int_equal(ask_spirv("mute", "OpenCL.std", PRINTF, NULL), TACHO__PRINTS_NEVER);
	set_id = 1;
	assert_int_equal(ask_spirv("mute", "NonSemantic.DebugPrintf", 1, NULL), TACHO__PRINTS);
	assert_int_equal(ask_spirv("mute", "OpenCL.std", 0, "helper"), TACHO__PRINTS_NEVER);
	assert_int_equal(ask_spirv("mute", "OpenCL.std", 0, "_Z6printfPU3AS2Kcz"), TACHO__PRINTS);
	assert_int_equal(ask_spirv("other", "OpenCL.std", 0, NULL), TACHO__PRINTS_PERHAPS);
	size = write_spirv("mute", "OpenCL.std", PRINTF, NULL);
	try_prefixes(size);
}

/* Inside of something else, at any address, with other things behind. */
static void test_spirv_in_containers(void **state)
{
	uint8_t bytes[BYTES_MAX] = {0};
	size_t size = write_spirv("mute", "OpenCL.std", 26, NULL);

	for (size_t offset = 0; offset < 8; offset++) {
		memset(bytes, 'x', sizeof(bytes));
		memcpy(bytes + offset, out.bytes, size);
		assert_int_equal(ask(bytes, size + offset, "mute"), TACHO__PRINTS_NEVER);
		assert_int_equal(ask(bytes, size + 100, "mute"), TACHO__PRINTS_NEVER);
	}
}

/* ---- others ---- */

static void test_ptx(void **state)
{
	static const char mute[] =
		"//\n.version 7.8\n.target sm_90\n.visible .entry mute(\n)\n{\n}\n";
	static const char loud[] =
		".version 7.8\n.target sm_90\n.extern .func (.param .b32 r) vprintf\n"
		".entry mute (\n)";

	assert_int_equal(ask(mute, sizeof(mute), "mute"), TACHO__PRINTS_NEVER);
	assert_int_equal(ask(mute, sizeof(mute) - 1, "mute"), TACHO__PRINTS_NEVER);
	assert_int_equal(ask(mute, sizeof(mute), NULL), TACHO__PRINTS_NEVER);
	assert_int_equal(ask(mute, sizeof(mute), "mut"), TACHO__PRINTS_PERHAPS);
	assert_int_equal(ask(mute, sizeof(mute), "mute2"), TACHO__PRINTS_PERHAPS);
	assert_int_equal(ask(mute + 16, sizeof(mute) - 16, "mute"), TACHO__PRINTS_PERHAPS);
	assert_int_equal(ask(loud, sizeof(loud), "mute"), TACHO__PRINTS);
	/* text with something behind it is not only text */
	assert_int_equal(ask("a\0.version 7.8\n.target sm_90\n.entry mute(", 42, "mute"),
			 TACHO__PRINTS_PERHAPS);
}

static enum tacho__prints ask_amd(uint16_t machine, const char *metadata, size_t size)
{
	uint8_t bytes[512] = {0};
	const Elf64_Ehdr header = {.e_ident = ELFMAG, .e_machine = machine};

	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), metadata, size);
	return ask(bytes, sizeof(header) + size, "mute");
}

static void test_amd(void **state)
{
	static const char mute[] = "\x83\xaf"
				   "amdhsa.kernels\x91\xa7mute.kd\xab"
				   "hidden_none";
	static const char loud[] = "amdhsa.kernels\x91\xa7mute.kd\xb4hidden_printf_buffer";
	static const char calls[] = "amdhsa.kernels\x91\xa7mute.kd\xb6hidden_hostcall_buffer";
	static const char others[] = "amdhsa.kernels\x91\xa8"
				     "amute.kd\xa4mute\xa8mute2.kd";

	assert_int_equal(ask_amd(224, mute, sizeof(mute)), TACHO__PRINTS_NEVER);
	assert_int_equal(ask_amd(224, loud, sizeof(loud)), TACHO__PRINTS);
	assert_int_equal(ask_amd(224, calls, sizeof(calls)), TACHO__PRINTS);
	assert_int_equal(ask_amd(224, others, sizeof(others)), TACHO__PRINTS_PERHAPS);
	assert_int_equal(ask_amd(62, mute, sizeof(mute)), TACHO__PRINTS_PERHAPS);
	assert_int_equal(ask_amd(224, "mute.kd", 8), TACHO__PRINTS_PERHAPS);
}

static void test_unknown(void **state)
{
	static const char text[] = "a binary of mute in a format of which nothing is known";

	assert_int_equal(ask(text, 0, "mute"), TACHO__PRINTS_PERHAPS);
	assert_int_equal(ask(text, sizeof(text), "mute"), TACHO__PRINTS_PERHAPS);
	assert_int_equal(ask(text, sizeof(text), NULL), TACHO__PRINTS_PERHAPS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bitcode),
		cmocka_unit_test(test_bitcode_in_containers),
		cmocka_unit_test(test_bitcode_flipped),
		cmocka_unit_test(test_spirv),
		cmocka_unit_test(test_spirv_in_containers),
		cmocka_unit_test(test_ptx),
		cmocka_unit_test(test_amd),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
