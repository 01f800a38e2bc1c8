/* SPDX-License-Identifier: MIT */
/* The base room: packing, JSON both ways, maps, buffers, files, errors. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/character.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/text.h"
#include "tacho/sys/file.h"
#include "tacho/sys/json.h"

static void test_pack_widths(void **state)
{
	/* by hand: control byte with both widths, then the bytes, little end first */
	static const uint8_t expected[] = {0x21, 0x7f, 0x34, 0x12, 0x08, 0xff, 0xff, 0xff, 0xff,
					   0xff, 0xff, 0xff, 0xff, 'a',	 'b',  0x01, 0x05};
	uint8_t buffer[64 + TACHO__PACK_SLACK];
	struct tacho__pack pack;

	tacho__pack_begin(&pack, buffer);
	tacho__pack_u64(&pack, 0x7f);
	tacho__pack_u64(&pack, 0x1234);
	tacho__pack_u64(&pack, UINT64_MAX);
	tacho__pack_bytes(&pack, "ab", 2); /* closes the pair */
	tacho__pack_i64(&pack, -3);	   /* folded to 5 */
	assert_int_equal(pack.at - buffer, sizeof(expected));
	assert_memory_equal(buffer, expected, sizeof(expected));
}

static void test_pack_round_trip(void **state)
{
	uint8_t buffer[64 * 9 + TACHO__PACK_SLACK];
	struct tacho__unpack unpack;
	struct tacho__pack pack;

	tacho__pack_begin(&pack, buffer);
	for (int bit = 0; bit < 63; bit++)
		tacho__pack_i64(&pack, bit % 2 ? -(INT64_C(1) << bit) : INT64_C(1) << bit);
	tacho__unpack_begin(&unpack, buffer, (size_t)(pack.at - buffer));
	for (int bit = 0; bit < 63; bit++)
		assert_int_equal(tacho__unpack_i64(&unpack),
				 bit % 2 ? -(INT64_C(1) << bit) : INT64_C(1) << bit);
	assert_false(unpack.bad);
	assert_int_equal(tacho__unpack_u64(&unpack), 0); /* the open half of the last pair */
	assert_int_equal(tacho__unpack_u64(&unpack), 0);
	assert_true(unpack.bad);
}

static void test_unpack_of_garbage_is_bad(void **state)
{
	static const uint8_t too_wide[] = {0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	static const uint8_t cut[] = {0x88, 1, 2, 3};
	struct tacho__unpack unpack;

	tacho__unpack_begin(&unpack, too_wide, sizeof(too_wide));
	tacho__unpack_u64(&unpack);
	assert_true(unpack.bad);
	tacho__unpack_begin(&unpack, cut, sizeof(cut));
	tacho__unpack_u64(&unpack);
	assert_true(unpack.bad);
	tacho__unpack_begin(&unpack, cut, sizeof(cut));
	assert_null(tacho__unpack_bytes(&unpack, UINT64_MAX));
	assert_true(unpack.bad);
}

static void test_json_read(void **state)
{
	static const char text[] =
		"{\"a\": [1, -2.5e1, true, null], \"s\": \"x\\u00e9\\n\\ud83d\\ude00\", \"n\": 12}";
	struct tacho__arena arena = {0};
	struct tacho__json *json;
	const struct tacho__json *a;

	assert_int_equal(tacho__json_parse(&arena, text, sizeof(text) - 1, &json), 0);
	a = tacho__json_get(json, "a");
	assert_int_equal(a->first->integer, 1);
	assert_true(a->first->next->number == -25);
	assert_true(a->first->next->next->boolean);
	assert_int_equal(a->first->next->next->next->type, TACHO__JSON_NULL);
	assert_string_equal(tacho__json_string(json, "s", ""), "x\xc3\xa9\n\xf0\x9f\x98\x80");
	assert_int_equal(tacho__json_integer(json, "n", 0), 12);
	assert_int_equal(tacho__json_integer(json, "missing", 7), 7);
	assert_string_equal(tacho__json_string(json, "n", "no string"), "no string");
	tacho__arena_finish(&arena);
}

/* Halves of a pair that stand alone, or in the wrong order, are no characters. */
static void test_json_halves(void **state)
{
	static const char *const cases[][2] = {
		{"\"\\ud83d\"", "\xef\xbf\xbd"},
		{"\"\\ude00x\"", "\xef\xbf\xbdx"},
		{"\"\\ud83d\\u0041\"", "\xef\xbf\xbd"
				       "A"},
		{"\"\\ud83d\\n\"", "\xef\xbf\xbd\n"},
		{"\"\\ud83d\\ud83d\\ude00\"", "\xef\xbf\xbd\xf0\x9f\x98\x80"},
		{"\"\\u0000\"", "\xef\xbf\xbd"},
	};
	struct tacho__arena arena = {0};
	struct tacho__json *json;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(tacho__json_parse(&arena, cases[i][0], strlen(cases[i][0]), &json),
				 0);
		assert_string_equal(json->string, cases[i][1]);
	}
	tacho__arena_finish(&arena);
}

static void test_json_whole(void **state)
{
	static const char text[] = "[18446744073709551615, 18446744073709551616, -1, 1.0, 7]";
	struct tacho__arena arena = {0};
	struct tacho__json *json;
	const struct tacho__json *at;

	assert_int_equal(tacho__json_parse(&arena, text, sizeof(text) - 1, &json), 0);
	at = json->first;
	assert_true(at->is_whole && at->whole == UINT64_MAX);
	at = at->next;
	assert_true(!at->is_whole && at->number == 18446744073709551616.0);
	at = at->next;
	assert_true(!at->is_whole && at->integer == -1);
	at = at->next;
	assert_true(!at->is_whole && at->number == 1);
	at = at->next;
	assert_true(at->is_whole && at->whole == 7);
	tacho__arena_finish(&arena);
}

static void test_json_refuses(void **state)
{
	static const char *const bad[] = {
		"",
		"{",
		"[1,]",
		"{\"a\"}",
		"{\"a\":1,}",
		"\"open",
		"[1] x",
		"nul",
		"\"\\x\"",
		"\"\\u12",
		"{1:2}",
		"[1 2]",
		"\"a\nb\"",
		"--1",
		"\"\\",
		"tru",
		"\"\\ud83d\\u12\"",
		"\"\\ud83d\\ux\"",
	};
	struct tacho__arena arena = {0};
	struct tacho__json *json;
	char deep[400];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(tacho__json_parse(&arena, bad[i], strlen(bad[i]), &json),
				 TACHO_E_PARSE);
	memset(deep, '[', sizeof(deep));
	assert_int_equal(tacho__json_parse(&arena, deep, sizeof(deep), &json), TACHO_E_PARSE);
	assert_int_equal(tacho__json_parse(&arena, "{\n  \"a\" 1}", 10, &json), TACHO_E_PARSE);
	assert_string_equal(tacho_error_last()->message, "malformed JSON at line 2, column 7");
	tacho__arena_finish(&arena);
}

static void test_json_write(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	struct tacho_json json;

	tacho_json_init(&json, stream, false);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_string(&json, "s", "a\"\\\n\x01\xff\xc3\xa9");
	tacho_json_add_string(&json, "none", NULL);
	tacho_json_begin_array(&json, "list");
	tacho_json_add_unsigned(&json, NULL, UINT64_MAX);
	tacho_json_add_integer(&json, NULL, INT64_MIN);
	tacho_json_add_real(&json, NULL, 0.5);
	tacho_json_add_real(&json, NULL, 0.1);
	tacho_json_add_real(&json, NULL, 1.0 / 3);
	tacho_json_add_real(&json, NULL, (double)INFINITY);
	tacho_json_add_bool(&json, NULL, true);
	tacho_json_add_known(&json, NULL, true, 7);
	tacho_json_add_known(&json, NULL, false, 7);
	tacho_json_add_text(&json, NULL, "t");
	tacho_json_add_text(&json, NULL, "");
	tacho_json_finish(&json);
	fclose(stream);
	assert_string_equal(text,
			    "{\"s\": \"a\\\"\\\\\\n\\u0001\\\\xff\xc3\xa9\", \"none\": null, "
			    "\"list\": [18446744073709551615, -9223372036854775808, 0.5, 0.1, "
			    "0.3333333333333333, null, "
			    "true, 7, null, \"t\", null]}\n");
	free(text);
}

static void test_map(void **state)
{
	struct tacho__map map = {0};
	struct tacho__names names = {0};
	static int values[1000];
	static char keys[1000][16];

	assert_null(tacho__map_get(&map, 1));
	for (uint64_t i = 0; i < 1000; i++) {
		snprintf(keys[i], sizeof(keys[i]), "kernel%u", (unsigned)i);
		assert_int_equal(tacho__map_set(&map, 0x55550000 + 64 * i, &values[i]), 0);
		assert_int_equal(tacho__names_set(&names, keys[i], &values[i]), 0);
	}
	tacho__map_set(&map, 0x55550000, &values[5]);
	assert_int_equal(map.count, 1000);
	assert_ptr_equal(tacho__map_get(&map, 0x55550000), &values[5]);
	assert_ptr_equal(tacho__map_get(&map, 0x55550000 + 64 * 999), &values[999]);
	assert_null(tacho__map_get(&map, 0x55550001));
	assert_ptr_equal(tacho__names_get(&names, "kernel777"), &values[777]);
	assert_null(tacho__names_get(&names, "kernel1000"));
	tacho__map_finish(&map);
	tacho__names_finish(&names);
}

static void test_array(void **state)
{
	size_t count = 0, capacity = 0, full;
	uint32_t *numbers = NULL, *before;

	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(tacho__array_add(&numbers, &capacity, &count, &i, sizeof(i)), 0);
	assert_int_equal(count, 1000);
	assert_true(capacity >= count);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(numbers[i], i);
	before = numbers;
	full = capacity;
	assert_int_equal(tacho__array_reserve(&numbers, &capacity, capacity - 1, sizeof(*numbers)),
			 0);
	assert_ptr_equal(numbers, before);
	/* More bytes than there are numbers for: all stays as it was. */
	assert_int_equal(tacho__array_reserve(&numbers, &capacity, SIZE_MAX / 4, sizeof(*numbers)),
			 TACHO_E_NOMEM);
	assert_ptr_equal(numbers, before);
	assert_int_equal(capacity, full);
	free(numbers);
}

static void test_text(void **state)
{
	assert_string_equal(tacho__base_name("/a/b"), "b");
	assert_string_equal(tacho__base_name("b"), "b");
	assert_string_equal(tacho__base_name("a/"), "");
	assert_true(tacho__ends_with("a.icd", ".icd"));
	assert_false(tacho__ends_with(".icd", ".icd"));
	assert_false(tacho__ends_with("d", ".icd"));
	assert_true(tacho__is_blank('\r') && !tacho__is_blank('\0'));
	assert_string_equal(tacho__plural(1), "");
	assert_string_equal(tacho__plural(0), "s");
}

/* Every byte at every place, also behind eight that are looked at together. */
static void test_texts_from_outside(void **state)
{
	for (unsigned byte = 1; byte < 256; byte++)
		for (size_t at = 0; at < 20; at++) {
			char text[21] = "aaaaaaaaaaaaaaaaaaaa";
			struct tacho__buf put = {0};
			bool is_kept;

			text[at] = (char)byte;
			assert_int_equal(tacho__text_find_bad(text), byte < 0x80 ? 20 : at);
			tacho__text_put(&put, text);
			is_kept = !strcmp(tacho__buf_text(&put), text);
			assert_int_equal(is_kept, byte >= 0x20 && byte < 0x7f);
			tacho__buf_finish(&put);
		}
	assert_int_equal(tacho__text_find_bad(""), 0);
	assert_int_equal(tacho__text_find_bad("aaaaaaaa\xc3\xa9zzzzzzzz\xc3"), 18);
}

static void test_new_file_appears_whole(void **state)
{
	char folder[] = "/tmp/tacho-test-XXXXXX", path[64], link[64];
	struct tacho__fs_new file = {0};
	struct tacho__buf text = {0};
	struct stat status;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/out", folder);
	snprintf(link, sizeof(link), "%s/link", folder);
	assert_int_equal(tacho__fs_create(&file, path, false), 0);
	fputs("hello", file.stream);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(tacho__fs_commit(&file), 0);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(tacho__fs_read(path, 5, &text), 0);
	assert_string_equal(tacho__buf_text(&text), "hello");
	assert_int_equal(tacho__fs_create(&file, path, false), TACHO_E_EXISTS);
	assert_int_equal(tacho__fs_read(path, 4, &text), TACHO_E_PARSE);
	/* a link planted under the name is replaced, not followed */
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(tacho__fs_create(&file, link, false), TACHO_E_EXISTS);
	assert_int_equal(tacho__fs_create(&file, link, true), 0);
	fputs("new", file.stream);
	assert_int_equal(tacho__fs_commit(&file), 0);
	tacho__buf_clear(&text);
	assert_int_equal(tacho__fs_read(path, 100, &text), 0);
	assert_string_equal(tacho__buf_text(&text), "hello");
	assert_int_equal(tacho__fs_create(&file, path, true), 0);
	tacho__fs_discard(&file);
	tacho__fs_discard(&file);
	unlink(path);
	unlink(link);
	assert_int_equal(rmdir(folder), 0); /* nothing else was left */
	assert_int_equal(tacho__fs_read("/no/such/file", 10, &text), TACHO_E_NOTFOUND);
	assert_string_equal(tacho_error_last()->message, "cannot read /no/such/file");
	tacho__buf_finish(&text);
}

/* What a signal's handler takes away: files that are not whole, and no others. */
static void test_unfinished_files_go(void **state)
{
	char folder[] = "/tmp/tacho-test-XXXXXX", path[64], other[64];
	struct tacho__fs_new files[3] = {0};
	int status = -1;
	pid_t pid;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/out", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(tacho__fs_create(&files[i], i ? other : path, true), 0);
	assert_int_equal(tacho__fs_commit(&files[0]), 0);
	tacho__fs_discard(&files[1]);
	pid = fork();
	if (pid == 0) {
		tacho_unfinished_discard(); /* its parent's, not its own */
		_exit(access(files[2].temporary, F_OK) != 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(access(files[2].temporary, F_OK), 0);
	tacho_unfinished_discard();
	assert_int_equal(access(files[2].temporary, F_OK), -1);
	tacho__fs_discard(&files[2]);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void test_error_names(void **state)
{
	assert_string_equal(tacho_error_to_string(TACHO_E_PERM), "TACHO_E_PERM");
	assert_string_equal(tacho_error_to_string(TACHO_OK), "TACHO_OK");
	assert_string_equal(tacho_error_to_string(TACHO_E_VENDOR), "TACHO_E_VENDOR");
	assert_string_equal(tacho_error_to_string(TACHO_E_VENDOR - 1), "TACHO_E_UNKNOWN");
	assert_string_equal(tacho_error_to_string(1), "TACHO_E_UNKNOWN");
	assert_string_equal(tacho_error_to_string(INT_MIN), "TACHO_E_UNKNOWN");
	for (int code = TACHO_E_VENDOR; code; code++)
		assert_string_not_equal(tacho_error_to_string(code), "TACHO_E_UNKNOWN");
	assert_string_equal(tacho_error_to_string(-999), "TACHO_E_UNKNOWN");
	assert_int_equal(tacho__fail(TACHO_E_BUSY, "a", "b", "c %d", 1), TACHO_E_BUSY);
	assert_string_equal(tacho_error_last()->message, "c 1");
	assert_string_equal(tacho_error_last()->cause, "a");
	assert_string_equal(tacho_error_last()->cure, "b");
}

/* From one thread to the other. */
static void *fail_elsewhere(void *carried)
{
	tacho__error_take(carried, tacho__fail_vendor(tacho__fail(TACHO_E_PERM, "a", "b", "c"), 7));
	return NULL;
}

/* It returned a code, and what was said last is about something else. */
static void *fail_silently(void *carried)
{
	tacho__fail(TACHO_E_PERM, "a", "b", "c");
	tacho__error_take(carried, TACHO_E_NOMEM);
	return NULL;
}

static void test_error_carried(void **state)
{
	struct tacho__carried_error carried;
	pthread_t thread;

	tacho__fail(TACHO_E_BUSY, "", "", "something else");
	assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &carried), 0);
	pthread_join(thread, NULL);
	assert_string_equal(tacho_error_last()->message, "something else");
	assert_int_equal(tacho__error_give(&carried), TACHO_E_PERM);
	assert_int_equal(tacho_error_last()->code, TACHO_E_PERM);
	assert_int_equal(tacho_error_last()->vendor_code, 7);
	assert_string_equal(tacho_error_last()->message, "c");
	assert_string_equal(tacho_error_last()->cause, "a");
	assert_string_equal(tacho_error_last()->cure, "b");
	assert_int_equal(pthread_create(&thread, NULL, fail_silently, &carried), 0);
	pthread_join(thread, NULL);
	assert_int_equal(tacho__error_give(&carried), TACHO_E_NOMEM);
	assert_string_equal(tacho_error_last()->message, "out of memory");
	assert_string_equal(tacho_error_last()->cause, "");
}

static void test_fail_errno(void **state)
{
	const struct tacho_error_detail *detail;

	errno = ENOENT;
	assert_int_equal(tacho__fail_errno(TACHO_E_PERM, EACCES, "cure", "cannot open %s", "it"),
			 TACHO_E_PERM);
	assert_int_equal(errno, ENOENT);
	detail = tacho_error_last();
	assert_int_equal(detail->code, TACHO_E_PERM);
	assert_int_equal(detail->vendor_code, EACCES);
	assert_string_equal(detail->message, "cannot open it");
	assert_string_equal(detail->cause, "Permission denied (errno 13)");
	assert_string_equal(detail->cure, "cure");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fail_errno),
		cmocka_unit_test(test_pack_widths),
		cmocka_unit_test(test_pack_round_trip),
		cmocka_unit_test(test_unpack_of_garbage_is_bad),
		cmocka_unit_test(test_json_read),
		cmocka_unit_test(test_json_halves),
		cmocka_unit_test(test_json_whole),
		cmocka_unit_test(test_json_refuses),
		cmocka_unit_test(test_json_write),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_array),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_texts_from_outside),
		cmocka_unit_test(test_new_file_appears_whole),
		cmocka_unit_test(test_unfinished_files_go),
		cmocka_unit_test(test_error_names),
		cmocka_unit_test(test_error_carried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
