/* SPDX-License-Identifier: MIT */
/*
 * Whether programs print, by what they were made of: text, options, headers, libraries, and the
 * binary of a driver where those do not tell.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "inject/counting.h"
#include "inject/opencl/printing.h"
#include "inject/opencl/cl_text.h"
#include "opencl_api.h"
#include "opencl_constants.h"

static const char mute_binary[] = ".version 7.8\n.target sm_90\n.visible .entry mute(\n";
static const char loud_binary[] = ".version 7.8\n.target sm_90\n.func vprintf\n.entry mute(\n";
static const char text[] = "kernel void mute(global int *x) { x[0]++; }";

/* A program of the driver; not all have all. */
struct program {
	const char *source;
	size_t source_size; /* 0: as its NUL says */
	const void *il;
	size_t il_size;
	const char *binary;
};

struct tacho__opencl_dispatch tacho__opencl_target;

static struct {
	bool replays;
	int devices[3];
	unsigned binaries_read;
} driver;

bool tacho__counting_replays(void)
{
	return driver.replays;
}

static int32_t answer(const void *value, size_t size, size_t room, void *out, size_t *out_size)
{
	if (out && room < size)
		return CL_INVALID_VALUE;
	if (out && size)
		memcpy(out, value, size);
	if (out_size)
		*out_size = size;
	return CL_SUCCESS;
}

static int32_t answer_binaries(const struct program *program, void **out)
{
	assert_null(out[0]);
	assert_non_null(out[1]);
	memcpy(out[1], program->binary, strlen(program->binary) + 1);
	driver.binaries_read++;
	return CL_SUCCESS;
}

static int32_t get_program_info(void *handle, uint32_t name, size_t room, void *out, size_t *size)
{
	const struct program *program = handle;
	void *devices[2] = {&driver.devices[0], &driver.devices[1]};
	size_t sizes[2] = {7, program->binary ? strlen(program->binary) + 1 : 0};

	switch (name) {
	case CL_PROGRAM_SOURCE:
		return answer(program->source,
			      program->source_size ? program->source_size
			      : program->source	   ? strlen(program->source) + 1
						   : 0,
			      room, out, size);
	case CL_PROGRAM_IL: return answer(program->il, program->il_size, room, out, size);
	case CL_PROGRAM_DEVICES: return answer(devices, sizeof(devices), room, out, size);
	case CL_PROGRAM_BINARY_SIZES: return answer(sizes, sizeof(sizes), room, out, size);
	case CL_PROGRAM_BINARIES: return answer_binaries(program, out);
	default: return CL_INVALID_VALUE;
	}
}

static int set_up(void **state)
{
	memset(&driver, 0, sizeof(driver));
	driver.replays = true;
	tacho__opencl_target.clGetProgramInfo = get_program_info;
	return 0;
}

static enum tacho__prints ask(struct program *program)
{
	return tacho__printing_of(program, &driver.devices[1], "mute");
}

static enum tacho__prints build(struct program *program, const char *options)
{
	tacho__printing_new(program, true);
	tacho__printing_built(program, options, 0, NULL, NULL);
	return ask(program);
}

/* ---- text ---- */

static bool is_silent(const char *source, const char *options, const char *header)
{
	const struct tacho__text_build build = {
		.options = options, .names = &header, .name_count = header != NULL};
	char *copy = strdup(source);
	bool silent;

	assert_non_null(copy);
	silent = tacho__text_is_silent(copy, &build);
	free(copy);
	return silent;
}

static void test_text(void **state)
{
	static const char *const silent[] = {
		"", "kernel void print() { }", "#define LONG(x) \\\n x + 1", "\\", "print \\ f",
	};
	static const char *const others[] = {
		"printf(\"\");",
		"pri\\\nntf(\"\");",
		"pri\\ \t\r\nntf(\"\");",
		"pri\\\rntf(\"\");",
		"p\\\nr\\\ni\\\r\nntf(\"\");",
		"#define GLUE(a, b) a##b",
		"%: include",
		"pri\?\?/\nntf(\"\");",
		"#include \"other.h\"",
		"# include <other.h>",
		"#import \"other.h\"",
		"#include NAME",
		"#include",
		"int f() __asm(\"pri\" \"ntf\");",
	};

	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
		assert_true(is_silent(silent[i], NULL, NULL));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(is_silent(others[i], NULL, NULL));
}

static void test_text_headers(void **state)
{
	assert_true(is_silent("#include \"a/b.h\"\n", NULL, "a/b.h"));
	assert_true(is_silent("#include  <a/b.h>\n", "-DX", "a/b.h"));
	assert_false(is_silent("#include \"a/b.h\"\n#include \"c.h\"", NULL, "a/b.h"));
	assert_false(is_silent("#include \"a/b.h>\n", NULL, "a/b.h"));
	assert_false(is_silent("#include \"a/b.h", NULL, "a/b.h"));
	assert_false(is_silent("#include \"a/b\"\n", NULL, "a/b.h"));
	/* a folder may have another of the name */
	assert_false(is_silent("#include \"a/b.h\"\n", "-I /tmp", "a/b.h"));
}

static void test_text_options(void **state)
{
	static const char *const silent[] = {
		"",
		"  ",
		"-DX",
		"-D X=1",
		"-D X -I folder -DY",
		"-cl-mad-enable -w",
		"-Wall",
		"-g",
		"-I. -O2",
		"-cl-std=CL1.2 ",
		"-nv-verbose",
	};
	static const char *const others[] = {
		"-DTELL=printf",      "-D TELL=printf",	 "-include f",
		"-imacros f",	      "-D X -include f", "@file",
		"-Xclang -include",   "-x spir",	 "file.cl",
		"-Wp,-include,f",     "-D X Y",		 "\"-D\" X",
		"-DX='1 -include f'",
	};

	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
		assert_true(is_silent(text, silent[i], NULL));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(is_silent(text, others[i], NULL));
}

/* ---- programs ---- */

/* Text that tells needs no binary; other text is what the binary is. */
static void test_source(void **state)
{
	struct program plain = {.source = text}, hidden = {.source = "#ifdef X\nprintf\n#endif"};

	assert_int_equal(build(&plain, "-DX"), TACHO__PRINTS_NEVER);
	assert_int_equal(driver.binaries_read, 0);
	assert_int_equal(build(&plain, "-include f"), TACHO__PRINTS_PERHAPS);
	plain.binary = loud_binary;
	assert_int_equal(build(&plain, "-include f"), TACHO__PRINTS);
	assert_int_equal(driver.binaries_read, 1);
	assert_int_equal(build(&plain, NULL), TACHO__PRINTS_NEVER);
	hidden.binary = mute_binary;
	assert_int_equal(build(&hidden, NULL), TACHO__PRINTS_NEVER);
	hidden.binary = "something else";
	assert_int_equal(build(&hidden, NULL), TACHO__PRINTS_PERHAPS);
	/* compilers read on behind a NUL */
	plain = (struct program){.source = "kernel\0printf", .source_size = 14};
	assert_int_equal(build(&plain, NULL), TACHO__PRINTS_PERHAPS);
}

/* The source that a driver kept with a binary says nothing of the options. */
static void test_binary(void **state)
{
	struct program program = {.source = text, .binary = "unknown"};

	assert_int_equal(build(&program, NULL), TACHO__PRINTS_NEVER);
	tacho__printing_new(&program, false); /* the handle is another one's now */
	assert_int_equal(ask(&program), TACHO__PRINTS_PERHAPS);
	tacho__printing_built(&program, NULL, 0, NULL, NULL);
	assert_int_equal(ask(&program), TACHO__PRINTS_PERHAPS);
	program.binary = mute_binary;
	assert_int_equal(ask(&program), TACHO__PRINTS_NEVER);
	program.binary = loud_binary;
	assert_int_equal(ask(&program), TACHO__PRINTS);
	/* of that device */
	assert_int_equal(tacho__printing_of(&program, &driver.devices[2], "mute"),
			 TACHO__PRINTS_PERHAPS);
	program.binary = NULL;
	assert_int_equal(ask(&program), TACHO__PRINTS_PERHAPS);
}

static void test_il(void **state)
{
	/* header, OpEntryPoint Kernel %3 "m", OpFunction, OpFunctionEnd */
	uint32_t words[] = {0x07230203,	  0x10000, 0, 9, 0, 4 << 16 | 15, 6, 3, 'm',
			    5 << 16 | 54, 1,	   3, 0, 2, 1 << 16 | 56};
	struct program program = {.il = words, .il_size = sizeof(words)};

	tacho__printing_new(&program, false);
	tacho__printing_built(&program, "-DX", 0, NULL, NULL);
	assert_int_equal(ask(&program), TACHO__PRINTS_NEVER);
	words[1] = 0x20000; /* what that will be nobody knows */
	tacho__printing_built(&program, "-DX", 0, NULL, NULL);
	assert_int_equal(ask(&program), TACHO__PRINTS_PERHAPS);
}

static void test_headers(void **state)
{
	static const char *const names[] = {"one.h", "two.h"};
	struct program program = {.source = "#include \"two.h\"\n"};
	struct program one = {.source = "#define ONE 1"}, two = {.source = "#include <one.h>"};
	void *const headers[] = {&one, &two};

	tacho__printing_new(&program, true);
	tacho__printing_built(&program, NULL, 2, headers, names);
	assert_int_equal(ask(&program), TACHO__PRINTS_NEVER);
	one.source = "#define ONE printf";
	tacho__printing_built(&program, NULL, 2, headers, names);
	assert_int_equal(ask(&program), TACHO__PRINTS_PERHAPS);
	one.source = NULL;
	tacho__printing_built(&program, NULL, 2, headers, names);
	assert_int_equal(ask(&program), TACHO__PRINTS_PERHAPS);
	tacho__printing_built(&program, NULL, 0, NULL, NULL);
	assert_int_equal(ask(&program), TACHO__PRINTS_PERHAPS);
}

static void test_linked(void **state)
{
	struct program one = {.source = text}, two = {.source = text}, linked = {NULL};
	void *const parts[] = {&one, &two};

	build(&one, NULL);
	build(&two, NULL);
	tacho__printing_linked(&linked, 2, parts);
	assert_int_equal(ask(&linked), TACHO__PRINTS_NEVER);
	tacho__printing_linked(&linked, 0, parts);
	assert_int_equal(ask(&linked), TACHO__PRINTS_PERHAPS);
	two.source = "printf";
	build(&two, NULL);
	/* what was linked before is as it was then */
	tacho__printing_linked(&linked, 1, parts);
	assert_int_equal(ask(&linked), TACHO__PRINTS_NEVER);
	tacho__printing_linked(&linked, 2, parts);
	assert_int_equal(ask(&linked), TACHO__PRINTS_PERHAPS);
	linked.binary = mute_binary;
	assert_int_equal(ask(&linked), TACHO__PRINTS_NEVER);
	/* a part from a binary */
	linked.binary = NULL;
	tacho__printing_new(&two, false);
	tacho__printing_linked(&linked, 2, parts);
	assert_int_equal(ask(&linked), TACHO__PRINTS_PERHAPS);
}

/* Nothing is kept while nothing is run again. */
static void test_off(void **state)
{
	/* none of the tests before had one there */
	static struct program program = {.source = text};

	driver.replays = false;
	build(&program, NULL);
	tacho__printing_linked(&program, 0, NULL);
	assert_int_equal(ask(&program), TACHO__PRINTS_PERHAPS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_text, set_up),
		cmocka_unit_test_setup(test_text_headers, set_up),
		cmocka_unit_test_setup(test_text_options, set_up),
		cmocka_unit_test_setup(test_source, set_up),
		cmocka_unit_test_setup(test_binary, set_up),
		cmocka_unit_test_setup(test_il, set_up),
		cmocka_unit_test_setup(test_headers, set_up),
		cmocka_unit_test_setup(test_linked, set_up),
		cmocka_unit_test_setup(test_off, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
