/* SPDX-License-Identifier: MIT */
/* Names of kernels as their authors wrote them, and those that are made to explode. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/demangle.h"

typedef char *demangle_fn(const char *symbol, char *room, size_t *size, int *status);

static demangle_fn *library;

static int find_library(void **state)
{
	void *handle = dlopen("libstdc++.so.6", RTLD_LAZY);
	void *found = handle ? dlsym(handle, "__cxa_demangle") : NULL;

	(void)state;
	memcpy(&library, &found, sizeof(library));
	return 0;
}

static bool has_llvm(void)
{
	return dlopen("libc++abi.so.1", RTLD_LAZY) != NULL;
}

static void expect(const char *symbol, const char *written)
{
	struct tacho__demangler demangler = {0};
	char *got = tacho__demangle(&demangler, symbol);

	if (written)
		assert_string_equal(got ? got : "", written);
	else
		assert_null(got);
	free(got);
	tacho__demangler_finish(&demangler);
}

static void test_names(void **state)
{
	(void)state;
	expect("vadd", NULL);
	expect("", NULL);
	expect("_Z", NULL);
	expect("_Z4", NULL);
	expect("_Z99999999999999999999x", NULL);
	if (!library)
		skip();
	expect("_Z4vaddPfi", "vadd(float*, int)");
	expect("_Z4vaddPfi.kd", "vadd(float*, int)");
	expect("_ZL4copyPKfPf", "copy(float const*, float*)");
	expect("_Z3fooIiEv6Params", "void foo<int>(Params)");
	expect("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_"
	       "addIfEESt5arrayIPcL"
	       "m3EEEEviT0_T1_",
	       "void at::native::vectorized_elementwise_kernel<4, "
	       "at::native::CUDAFunctor_add<float>, "
	       "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, "
	       "std::array<char*, "
	       "3ul>)");
	expect("_ZN6clover19par_ranged2d_kernelIZ10PdV_kernelbiiiidRNS_8Buffer2DIdEES3_S3_S3_S3_S3_"
	       "EUliiE0_EEvNS_7Range2dET_",
	       "void clover::par_ranged2d_kernel<PdV_kernel(bool, int, int, int, int, double, "
	       "clover::Buffer2D<double>&, clover::Buffer2D<double>&, clover::Buffer2D<double>&, "
	       "clover::Buffer2D<double>&, clover::Buffer2D<double>&, clover::Buffer2D<double>&)::"
	       "{lambda(int, int)#2}>(clover::Range2d, PdV_kernel(bool, int, int, int, int, "
	       "double, "
	       "clover::Buffer2D<double>&, clover::Buffer2D<double>&, clover::Buffer2D<double>&, "
	       "clover::Buffer2D<double>&, clover::Buffer2D<double>&, clover::Buffer2D<double>&)::"
	       "{lambda(int, int)#2})");
}

/* "_Z1fIiiiEvv" with so many letters: void f<int, int, int>(). */
static void expect_types(char *symbol, size_t size)
{
	const size_t count = size - strlen("_Z1fIEvv");
	char *written = malloc(count * strlen("int, ") + 32);

	memset(symbol + 5, 'i', count);
	strcpy(symbol + 5 + count, "Evv");
	strcpy(written, "void f<int");
	for (size_t i = 1; i < count; i++)
		strcpy(written + strlen("void f<int") + (i - 1) * strlen(", int"), ", int");
	strcat(written, ">()");
	if (size <= 1024 ? library != NULL : has_llvm())
		expect(symbol, written);
	else
		expect(symbol, NULL);
	free(written);
}

/* What compilers make, and names that are very long. */
static void test_long(void **state)
{
	char symbol[20001] = "_Z1fI";

	(void)state;
	memset(symbol + 5, 'i', 800);
	strcpy(symbol + 805, "Evv");
	assert_true(tacho__demangled_fits(symbol, 64 * 1024));
	expect_types(symbol, 1024); /* GNU's library takes no longer ones */
	expect_types(symbol, 1025);
	expect_types(symbol, 3900);
	memset(symbol + 5, 'i', sizeof(symbol) - 10);
	strcpy(symbol + sizeof(symbol) - 5, "Evv");
	expect(symbol, NULL);
	memset(symbol + 2, 'P', sizeof(symbol) - 10);
	expect(symbol, NULL);
}

static void put_reference(char *text, unsigned number)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	if (number > 36)
		sprintf(text + strlen(text), "S%c%c_", digits[(number - 1) / 36],
			digits[(number - 1) % 36]);
	else
		sprintf(text + strlen(text), "S%.*s_", number ? 1 : 0,
			number ? digits + number - 1 : "");
}

/* B<A, A>, B<B<A, A>, B<A, A> > and so on: each is twice as long as the one before. */
static void make_bomb(char *symbol, unsigned steps)
{
	unsigned last = 2;

	strcpy(symbol, "_Z1f1A1BIS_S_E");
	for (unsigned i = 1; i < steps; i++) {
		strcat(symbol, "S0_I");
		put_reference(symbol, last);
		put_reference(symbol, last);
		strcat(symbol, "E");
		last = i + 2;
	}
}

static void test_bombs(void **state)
{
	uint64_t before = tacho__clock_monotonic_ns();
	char symbol[1024];

	(void)state;
	make_bomb(symbol, 5);
	assert_true(tacho__demangled_fits(symbol, 64 * 1024));
	for (unsigned steps = 20; steps < 60; steps += 5) {
		make_bomb(symbol, steps);
		assert_true(strlen(symbol) < 800);
		assert_false(tacho__demangled_fits(symbol, 1024 * 1024));
		expect(symbol, NULL);
	}
	assert_true(tacho__clock_monotonic_ns() - before < UINT64_C(2000000000));
}

/* ---- whatever the grammar allows ---- */

static uint64_t seed;

static unsigned draw(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % below;
}

static void put_type(char *text, unsigned depth);

static void put_types(char *text, unsigned depth, unsigned most)
{
	for (unsigned i = 0; i <= draw(most); i++)
		put_type(text, depth + 1);
}

static void put_list(char *text, const char *begin, unsigned depth)
{
	strcat(text, begin);
	put_types(text, depth, 3);
	strcat(text, "E");
}

static void put_type(char *text, unsigned depth)
{
	static const char *const words[] = {"i",    "y",       "d",  "Ss",
					    "3foo", "1AB3tag", "Dn", "St6vector"};
	static const char *const prefixes[] = {"P", "R", "PK", "O", "U3voi", "A10_", "Dv4_"};

	if (depth > 6 || strlen(text) > 300) {
		strcat(text, words[draw(8)]);
		return;
	}
	switch (draw(12)) {
	case 0:
	case 1: put_reference(text, draw(6)); break;
	case 2: strcat(text, prefixes[draw(7)]), put_type(text, depth + 1); break;
	case 3: put_list(text, "1AI", depth); break;
	case 4: put_reference(text, draw(4)), put_list(text, "I", depth); break;
	case 5: put_list(text, "FvP", depth); break;
	case 6: strcat(text, "M"), put_type(text, depth + 1), put_type(text, depth + 1); break;
	case 7: put_list(text, "N1a1bI", depth), strcat(text, "E"); break;
	case 8: strcat(text, "T_"); break;
	case 9: put_list(text, "1BILi5E", depth); break;
	case 10: put_list(text, "NSt1xI", depth), strcat(text, "3barE"); break;
	default: strcat(text, words[draw(8)]); break;
	}
}

/* What is taken for the size is never less than it is. */
static void test_sizes(void **state)
{
	char symbol[8192];
	unsigned known = 0;

	(void)state;
	if (!library)
		skip();
	for (seed = 1; known < 3000; seed++) {
		uint64_t most = 16;
		int status = 0;
		char *written;

		strcpy(symbol, draw(2) ? "_Z1fI" : "_ZN1a1bI");
		put_types(symbol, 0, 4);
		strcat(symbol, symbol[2] == 'N' ? "EEv" : "Ev");
		put_types(symbol, 0, 4);
		while (most <= 1024 * 1024 && !tacho__demangled_fits(symbol, most))
			most *= 2;
		if (most > 1024 * 1024)
			continue;
		written = library(symbol, NULL, NULL, &status);
		if (written && strlen(written) > most)
			fail_msg("%s: %zu bytes, taken for %llu", symbol, strlen(written),
				 (unsigned long long)most);
		known += written != NULL;
		free(written);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names), cmocka_unit_test(test_long),
		cmocka_unit_test(test_bombs), cmocka_unit_test(test_sizes)};

	return cmocka_run_group_tests(tests, find_library, NULL);
}
