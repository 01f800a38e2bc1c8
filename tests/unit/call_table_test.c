/* SPDX-License-Identifier: MIT */
/* Call tables and what they make of packed arguments, one example per way to show. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/error.h"
#include "record/call_format.h"

static const char table_text[] =
	"calls 1 demo\n"
	"enum bool 0=D_FALSE 1=D_TRUE\n"
	"enum error 0=D_OK -3=D_BAD\n"
	"enum flags 1=D_A 2=D_B 3=D_AB 8=D_C\n"
	"enum query 10=Q_NAME:s 11=Q_UNITS:u4 12=Q_SIZES:lu8 13=Q_TYPE:m8:flags 14=Q_ERR:e4:error "
	"15=Q_RAW 16=Q_BOOL:b4\n"
	"enum key 100=K_PLATFORM\n"
	"func 0 1 all e:error u=u i=i x=x b=b f=f e=e:error m=m:flags s=s l=l:x o=o:e:error "
	"p=p:key "
	"t=t:e:error,u,x hidden=h\n"
	"func 1 2 ask e:error what=e:query value=v:what\n";

static struct tacho__arena arena;
static struct tacho__call_table *table;

static int set_up(void **state)
{
	return tacho__call_table_parse(&arena, table_text, sizeof(table_text) - 1, &table);
}

static int tear_down(void **state)
{
	tacho__arena_finish(&arena);
	return 0;
}

/* Decodes argument `index` of `all` from what was packed. */
static void expect(size_t index, const uint8_t *bytes, const struct tacho__pack *pack,
		   const char *expected)
{
	const struct tacho__function *all = &table->functions[0];
	struct tacho__value values[TACHO__ARGUMENTS_COUNT_MAX] = {0}, again;
	struct tacho__unpack unpack;
	struct tacho__buf text = {0};

	tacho__unpack_begin(&unpack, bytes, (size_t)(pack->at - bytes));
	tacho__call_decode(&all->arguments[index].show, &unpack, all, values, &text,
			   &values[index]);
	assert_string_equal(tacho__buf_text(&text), expected);
	assert_false(unpack.bad);
	assert_ptr_equal(unpack.at, unpack.end);
	/* the same without text */
	tacho__unpack_begin(&unpack, bytes, (size_t)(pack->at - bytes));
	tacho__call_decode(&all->arguments[index].show, &unpack, all, values, NULL, &again);
	assert_memory_equal(&again, &values[index], sizeof(again));
	tacho__buf_finish(&text);
}

#define EXPECT(index, expected, ...)                \
	do {                                        \
		uint8_t bytes[512];                 \
		struct tacho__pack p;               \
		tacho__pack_begin(&p, bytes);       \
		__VA_ARGS__;                        \
		expect(index, bytes, &p, expected); \
	} while (0)

#define U(value) tacho__pack_u64(&p, value)
#define I(value) tacho__pack_i64(&p, value)

static void test_scalars(void **state)
{
	EXPECT(0, "18446744073709551615", U(UINT64_MAX));
	EXPECT(1, "-7", I(-7));
	EXPECT(2, "0x1C5F2A0", U(0x1c5f2a0));
	EXPECT(2, "NULL", U(0));
	EXPECT(3, "D_TRUE", U(1));
	EXPECT(4, "1.500", I(1500));
	EXPECT(5, "D_BAD", I(-3));
	EXPECT(5, "-99", I(-99));
	EXPECT(6, "D_A|D_B|0x10", U(0x13));
	EXPECT(6, "0", U(0));
	EXPECT(12, "", U(77));
}

static void test_strings_and_lists(void **state)
{
	EXPECT(7, "NULL", U(0));
	EXPECT(7, "\"a\\tb\\\"\"", (U(5), tacho__pack_bytes(&p, "a\tb\"", 4)));
	EXPECT(8, "NULL", U(0));
	EXPECT(8, "[]", (U(1), U(0)));
	EXPECT(8, "[0x1,NULL]", (U(3), U(2), U(1), U(0)));
	EXPECT(8, "[0x1,...]", (U(100), U(1), U(1)));
	EXPECT(9, "[D_OK]", (U(1), I(0)));
	EXPECT(9, "NULL", U(0));
	EXPECT(9, "0xAB", (U(2), U(0xab)));
	EXPECT(10, "[K_PLATFORM,0x55,0]", (U(2), U(1), I(100), U(0x55)));
	EXPECT(10, "[0]", (U(1), U(0)));
	EXPECT(11, "{D_BAD,5,NULL}", (U(1), I(-3), U(5), U(0)));
}

static void expect_query(int64_t query, const void *value, uint64_t size, const char *expected)
{
	const struct tacho__function *ask = &table->functions[1];
	struct tacho__value values[TACHO__ARGUMENTS_COUNT_MAX];
	uint64_t kept = size < 64 ? size : 64;
	uint8_t bytes[256];
	struct tacho__unpack unpack;
	struct tacho__buf text = {0};
	struct tacho__pack p;

	tacho__pack_begin(&p, bytes);
	I(query);
	U(1);
	U(size);
	tacho__pack_bytes(&p, value, kept);
	tacho__unpack_begin(&unpack, bytes, (size_t)(p.at - bytes));
	for (int i = 0; i < 2; i++) {
		tacho__buf_clear(&text);
		tacho__call_decode(&ask->arguments[i].show, &unpack, ask, values, &text,
				   &values[i]);
	}
	assert_string_equal(tacho__buf_text(&text), expected);
	tacho__buf_finish(&text);
}

static void test_query_values(void **state)
{
	uint64_t sizes[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, type = 9;
	uint32_t units = 80, yes = 1;
	int32_t error = -3;

	expect_query(10, "Sample", 7, "[\"Sample\"]");
	expect_query(11, &units, 4, "[80]");
	expect_query(12, sizes, 24, "[1,2,3]");
	expect_query(12, sizes, 72, "[1,2,3,4,5,6,7,8,...]");
	expect_query(13, &type, 8, "[D_A|D_C]");
	expect_query(14, &error, 4, "[D_BAD]");
	expect_query(16, &yes, 4, "[D_TRUE]");
	expect_query(15, &units, 4, "[4 bytes]");
	expect_query(999, &units, 4, "[4 bytes]");
	expect_query(11, &units, 2, "[]"); /* shorter than its type */
}

static void test_malformed_tables(void **state)
{
	static const struct {
		const char *text;
		int code;
	} bad[] = {
		{"", TACHO_E_PARSE},
		{"func 0 1 f u\n", TACHO_E_PARSE},
		{"calls 2 x\n", TACHO_E_VERSION},
		{"calls 1\n", TACHO_E_PARSE},
		{"calls 1 x\nfunc 9999 1 f u\n", TACHO_E_PARSE},
		{"calls 1 x\nfunc 0 1 f s\n", TACHO_E_PARSE},
		{"calls 1 x\nfunc 0 1 f u a=z\n", TACHO_E_PARSE},
		{"calls 1 x\nfunc 0 1 f u a=l:s\n", TACHO_E_PARSE},
		{"calls 1 x\nfunc 0 1 f u a=l:l:u\n", TACHO_E_PARSE},
		{"calls 1 x\nfunc 0 1 f u a=v:b\n", TACHO_E_PARSE},
		{"calls 1 x\nfunc 0 1 f u a=e\n", TACHO_E_PARSE},
		{"calls 1 x\nfunc 0 1 f u\nfunc 0 1 f u\n", TACHO_E_PARSE},
		{"calls 1 x\nenum e 1x=A\n", TACHO_E_PARSE},
		{"calls 1 x\ngood\n", TACHO_E_PARSE},
		{"calls 1 x\ngood e 1x\n", TACHO_E_PARSE},
		{"calls 1 x\ngood e 1  2\n", TACHO_E_PARSE},
		{"calls 1 x\nenum e 1=A:q\n", TACHO_E_PARSE},
		{"calls 1 x\ncmd 0 kernel 1 K queue=q\n", TACHO_E_PARSE},
		{"calls 1 x\nfunc 0 1 f u a=x\ncmd 0 kernel 1 K queue=b\n", TACHO_E_PARSE},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct tacho__arena scratch = {0};
		struct tacho__call_table *unused;

		assert_int_equal(tacho__call_table_parse(&scratch, bad[i].text, strlen(bad[i].text),
							 &unused),
				 bad[i].code);
		tacho__arena_finish(&scratch);
	}
}

static void test_failures_of_results(void **state)
{
	static const char text[] = "calls 1 x\ngood late 0 600\nenum late 0=OK 2=BAD 600=SOON\n"
				   "enum plain 0=FINE -1=WORSE\nfunc 0 1 f e:late\n"
				   "func 1 1 g e:plain\n";
	struct tacho__arena scratch = {0};
	struct tacho__call_table *parsed;
	const struct tacho__enum *late, *plain;

	assert_int_equal(tacho__call_table_parse(&scratch, text, sizeof(text) - 1, &parsed), 0);
	late = parsed->functions[0].result.set;
	plain = parsed->functions[1].result.set;
	assert_false(tacho__enum_is_failure(late, 0));
	assert_false(tacho__enum_is_failure(late, 600));
	assert_true(tacho__enum_is_failure(late, 2));
	assert_true(tacho__enum_is_failure(late, -1));
	assert_true(tacho__enum_is_failure(late, 12345));
	assert_false(tacho__enum_is_failure(plain, 0));
	assert_false(tacho__enum_is_failure(plain, 2));
	assert_true(tacho__enum_is_failure(plain, -1));
	assert_true(tacho__enum_is_failure(NULL, -1));
	tacho__arena_finish(&scratch);
}

/* Older readers leave such lines out, and so do these with what they do not know. */
static void test_marks(void **state)
{
	static const char text[] =
		"calls 1 x\nfunc 0 -1 f u\nfunc 1 -1 g u\nfunc 2 -1 node - size=u\n"
		"bare 2\nsubmit 0\nshow 1\ndraw 2\nsubmarine 1\n";
	struct tacho__arena scratch = {0};
	struct tacho__call_table *parsed;

	assert_int_equal(tacho__call_table_parse(&scratch, text, sizeof(text) - 1, &parsed), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(parsed->functions[i].function.submits, i == 0);
		assert_int_equal(parsed->functions[i].function.shows, i == 1);
		assert_int_equal(parsed->functions[i].draws, i == 2);
		assert_int_equal(parsed->functions[i].is_bare, i == 2);
	}
	tacho__arena_finish(&scratch);
}

static void test_bare(void **state)
{
	static const char text[] = "calls 1 x\nfunc 0 1 f u\nfunc 1 -1 node - size=u\nbare 1\n";
	struct tacho__arena scratch = {0};
	struct tacho__call_table *parsed;

	assert_int_equal(tacho__call_table_parse(&scratch, text, sizeof(text) - 1, &parsed), 0);
	assert_false(parsed->functions[0].is_bare);
	assert_true(parsed->functions[1].is_bare);
	assert_false(parsed->functions[1].waits || parsed->functions[1].is_poll);
	tacho__arena_finish(&scratch);
}

static void test_later_versions_may_add_lines_and_roles(void **state)
{
	static const char text[] = "calls 1 x\nnews 1 2 3\nfunc 0 1 f u a=x\n"
				   "cmd 0 kernel 1 K queue=a shader=a\n";
	struct tacho__arena scratch = {0};
	struct tacho__call_table *parsed;

	assert_int_equal(tacho__call_table_parse(&scratch, text, sizeof(text) - 1, &parsed), 0);
	assert_int_equal(parsed->functions[0].command->role[TACHO__ROLE_QUEUE], 0);
	tacho__arena_finish(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scalars),
		cmocka_unit_test(test_strings_and_lists),
		cmocka_unit_test(test_query_values),
		cmocka_unit_test(test_malformed_tables),
		cmocka_unit_test(test_failures_of_results),
		cmocka_unit_test(test_bare),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_later_versions_may_add_lines_and_roles),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
