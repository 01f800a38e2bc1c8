/* SPDX-License-Identifier: MIT */
/* JSON read piece by piece, against what it says; wherever the buffer ends, and when it is none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "format/foreign/foreign_json.h"
#include "tacho/error.h"

enum { CHUNK = 64 * 1024 };

static char path[] = "/tmp/tacho-foreign-json-XXXXXX";

static void write_file(const char *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* Pieces as text: { } [ ] as they are, k:KEY s:TEXT n:NUMBER T F N, each with a blank behind it. */
static void put_piece(struct tacho__buf *buf, const struct tacho__foreign_json *json,
		      enum tacho__foreign_json_piece piece)
{
	static const char *const shown[] = {
		"", "{", "}", "[", "]", "k:", "s:", "n:", "T", "F", "N"};

	tacho__buf_put(buf, shown[piece]);
	if (piece == TACHO__FOREIGN_JSON_KEY || piece == TACHO__FOREIGN_JSON_STRING ||
	    piece == TACHO__FOREIGN_JSON_NUMBER) {
		assert_int_equal(strlen(json->text), json->text_size);
		tacho__buf_put(buf, json->text);
	}
	tacho__buf_char(buf, ' ');
}

/* All pieces, until the end or an error; of keys `skipped` the value is skipped. */
static int read_all(struct tacho__foreign_json *json, struct tacho__buf *buf, const char *skipped)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_open(json, path);

	assert_int_equal(rc, 0);
	tacho__buf_clear(buf);
	tacho__buf_put(buf, "");
	while (!(rc = tacho__foreign_json_next(json, &piece)) && piece != TACHO__FOREIGN_JSON_END) {
		put_piece(buf, json, piece);
		if (piece == TACHO__FOREIGN_JSON_KEY && skipped &&
		    tacho__foreign_json_is(json, skipped))
			rc = tacho__foreign_json_skip(json, piece);
		if (rc)
			break;
	}
	return rc;
}

static void expect(const char *text, const char *pieces, uint64_t mended)
{
	struct tacho__foreign_json json;
	struct tacho__buf buf = {0};

	write_file(text, strlen(text));
	assert_int_equal(read_all(&json, &buf, "skipped"), 0);
	assert_string_equal(tacho__buf_text(&buf), pieces);
	assert_int_equal(json.mended, mended);
	tacho__foreign_json_close(&json);
	tacho__buf_finish(&buf);
}

static void test_pieces(void **unused)
{
	expect("", "", 0);
	expect(" \n", "", 0);
	expect("[]", "[ ] ", 0);
	expect("{\"a\":1, \"b\" : [true,false , null], \"c\":{}}",
	       "{ k:a n:1 k:b [ T F N ] k:c { } } ", 0);
	expect("18446744073709551616", "n:18446744073709551616 ", 0);
	expect("[-0.5e+3,2413669096090100.125]", "[ n:-0.5e+3 n:2413669096090100.125 ] ", 0);
	expect("\"\" \"x\"", "s: s:x ", 0);
}

static void test_texts(void **unused)
{
	expect("[\"a\\\"b\\\\c\\/\\n\\t\"]", "[ s:a\"b\\c/\n\t ] ", 0);
	expect("[\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"]",
	       "[ s:A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 ] ", 0);
	expect("[\"\xc3\xa9 k\xf0\x9f\x98\x80\"]", "[ s:\xc3\xa9 k\xf0\x9f\x98\x80 ] ", 0);
	/* halves, a zero, bytes that are no UTF-8, backslashes that say nothing */
	expect("[\"\\ud83dx\\ude00\"]", "[ s:\xef\xbf\xbdx\xef\xbf\xbd ] ", 2);
	expect("[\"\\ud83d\\u0041\"]",
	       "[ s:\xef\xbf\xbd"
	       "A ] ",
	       1);
	expect("[\"a\\u0000b\"]",
	       "[ s:a\xef\xbf\xbd"
	       "b ] ",
	       1);
	expect("[\"\xff\xc3(\xe2\x82\"]", "[ s:?\?(?? ] ", 4);
	expect("{\"C:\\Users\\u12\":1}", "{ k:C:\\Users\\u12 n:1 } ", 2);
	expect("[\"two\nlines\"]", "[ s:two\nlines ] ", 0);
}

static void test_what_no_grammar_has(void **unused)
{
	expect("[1,2,]", "[ n:1 n:2 ] ", 0);
	expect("{\"a\":1,}", "{ k:a n:1 } ", 0);
	expect("[NaN,-Infinity,nan,-inf]", "[ n:NaN n:-Infinity n:nan n:-inf ] ", 0);
	expect("{}\n{}\n", "{ } { } ", 0);
}

static void test_skipped(void **unused)
{
	expect("{\"skipped\":{\"a\":[1,{\"b\":\"}\\\"]\"}]},\"c\":2}", "{ k:skipped k:c n:2 } ", 0);
	expect("{\"skipped\":[[]],\"c\":2}", "{ k:skipped k:c n:2 } ", 0);
	expect("{\"skipped\":1,\"c\":2}", "{ k:skipped k:c n:2 } ", 0);
	expect("{\"skipped\":\"x\"}", "{ k:skipped } ", 0);
}

/* A text moved over where the buffer ends, byte by byte. */
static void test_boundary(void **unused)
{
	static const char text[] = "{\"key\" : \"a\\u00e9\\n\xc3\xa9\", \"n\":-12.5, "
				   "\"skipped\":{\"x\":[\"\\\\\\\"]\"]}, \"t\":[true,null]}";
	static const char pieces[] =
		"{ k:key s:a\xc3\xa9\n\xc3\xa9 k:n n:-12.5 k:skipped k:t [ T N ] } ";
	char *padded = malloc(CHUNK + sizeof(text));

	assert_non_null(padded);
	memset(padded, ' ', CHUNK + sizeof(text));
	for (size_t at = CHUNK - sizeof(text); at <= CHUNK; at++) {
		memcpy(padded + at, text, sizeof(text));
		memset(padded, '\n', at);
		expect(padded, pieces, 0);
	}
	free(padded);
}

static void test_long(void **unused)
{
	struct tacho__buf text = {0}, pieces = {0};

	tacho__buf_put(&text, "[\"");
	tacho__buf_put(&pieces, "[ s:");
	for (int i = 0; i < 100000; i++) {
		tacho__buf_put(&text, "name\\t");
		tacho__buf_put(&pieces, "name\t");
	}
	tacho__buf_put(&text, "\", 1]");
	tacho__buf_put(&pieces, " n:1 ] ");
	expect(text.text, pieces.text, 0);
	tacho__buf_finish(&text);
	tacho__buf_finish(&pieces);
}

/* The pieces before the damage, and a word of what is said of it. */
static void refuse(const char *text, size_t size, const char *pieces, bool is_cut, const char *said)
{
	struct tacho__foreign_json json;
	struct tacho__buf buf = {0};
	const struct tacho_error_detail *error;

	write_file(text, size);
	assert_int_equal(read_all(&json, &buf, "skipped"), TACHO_E_PARSE);
	assert_string_equal(tacho__buf_text(&buf), pieces);
	assert_int_equal(json.is_cut, is_cut);
	error = tacho_error_last();
	if (!strstr(error->message, said) && !strstr(error->cause, said))
		fail_msg("\"%s\" (%s) lacks \"%s\"", error->message, error->cause, said);
	tacho__foreign_json_close(&json);
	tacho__buf_finish(&buf);
}

static void refuse_text(const char *text, const char *pieces, const char *said)
{
	refuse(text, strlen(text), pieces, false, said);
}

static void test_damage(void **unused)
{
	refuse_text("[1 2]", "[ n:1 ", "byte 3");
	refuse_text("[1}", "[ n:1 ", "closes what it did not open");
	refuse_text("{1:2}", "{ ", "name of a member");
	refuse_text("{\"a\" 1}", "{ k:a ", "no colon");
	refuse_text("{\"a\"}", "{ k:a ", "no colon");
	refuse_text("[tru]", "[ ", "\"tru\"");
	refuse_text("[1,,2]", "[ n:1 ", "byte 3");
	refuse_text("]", "", "byte 0");
	refuse("[1\0,2]", 6, "[ n:1 ", false, "zero byte");
}

static void test_cut(void **unused)
{
	static const char *const cuts[][2] = {
		{"[", "[ "},	      {"[1,", "[ n:1 "},     {"[12", "[ "},
		{"[tr", "[ "},	      {"[\"ab", "[ "},	     {"[\"ab\\", "[ "},
		{"{\"a\"", "{ k:a "}, {"{\"a\":", "{ k:a "}, {"{\"skipped\":{\"a", "{ k:skipped "},
		{"\"x", ""},
	};

	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++)
		refuse(cuts[i][0], strlen(cuts[i][0]), cuts[i][1], true, "ends early");
}

static void test_bounds(void **unused)
{
	char deep[TACHO__FOREIGN_JSON_DEPTH_MAX + 2], shown[3 * sizeof(deep)] = "";
	size_t size = 2 * TACHO__FOREIGN_TOKEN_MAX;
	char *text = malloc(size + 1);

	assert_non_null(text);
	memset(deep, '[', sizeof(deep));
	for (unsigned i = 0; i < TACHO__FOREIGN_JSON_DEPTH_MAX; i++)
		strcat(shown, "[ ");
	refuse(deep, sizeof(deep), shown, false, "inside each other");
	memset(text, 'x', size);
	text[size] = '\0';
	text[0] = '"';
	refuse(text, size, "", false, "more than 1048576 bytes");
	memset(text, '1', size);
	refuse(text, size, "", false, "more than 1048576 bytes");
	/* what is skipped may be as long and deep as it likes */
	memset(text, '[', size);
	memset(text + size / 2, ']', size / 2);
	memcpy(text, "{\"skipped\":", 11);
	text[size / 2 + (size / 2 - 11)] = '}';
	text[size / 2 + (size / 2 - 11) + 1] = '\0';
	expect(text, "{ k:skipped } ", 0);
	free(text);
}

static void test_no_file(void **unused)
{
	struct tacho__foreign_json json;

	assert_int_equal(tacho__foreign_json_open(&json, "/nowhere/x.json"), TACHO_E_NOTFOUND);
}

static int make_file(void **unused)
{
	int fd = mkstemp(path);

	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **unused)
{
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),	cmocka_unit_test(test_texts),
		cmocka_unit_test(test_skipped), cmocka_unit_test(test_what_no_grammar_has),
		cmocka_unit_test(test_long),	cmocka_unit_test(test_boundary),
		cmocka_unit_test(test_damage),	cmocka_unit_test(test_cut),
		cmocka_unit_test(test_bounds),	cmocka_unit_test(test_no_file),
	};
	return cmocka_run_group_tests(tests, make_file, remove_file);
}
