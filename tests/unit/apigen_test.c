/* SPDX-License-Identifier: MIT */
/* What the generator says about descriptions that are wrong: file, line and cause. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEAD                                                                \
	"api: toy\nid: 2\n"                                                 \
	"types:\n  int: int i\n  flags: uint64_t m:flags\n  void: void -\n" \
	"enums:\n  flags:\n    A: 1\n    B: 2 u4\n  command_type:\n    RUN: 7\n"

/* Lines of HEAD; what follows it begins on the next one. */
enum { HEAD_LINES = 12 };

struct outcome {
	int status;
	char text[1024];
};

static char folder[64];

static void write_description(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void run_apigen(const char *text, struct outcome *out)
{
	const char *apigen = getenv("TACHO_APIGEN");
	char path[96], command[1024];
	FILE *pipe;
	size_t size;

	assert_non_null(apigen);
	snprintf(path, sizeof(path), "%s/toy.yaml", folder);
	write_description(path, text);
	snprintf(command, sizeof(command), "cd '%s' && '%s' toy.yaml . 2>&1", folder, apigen);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	size = fread(out->text, 1, sizeof(out->text) - 1, pipe);
	out->text[size] = '\0';
	out->status = pclose(pipe);
}

/* `text` after HEAD is refused on its line `line` with `cause`. */
static void assert_refused(const char *text, int line, const char *cause)
{
	char whole[2048], expected[256];
	struct outcome outcome;

	snprintf(whole, sizeof(whole), "%s%s", HEAD, text);
	snprintf(expected, sizeof(expected), "toy.yaml:%d: %s\n", line + HEAD_LINES, cause);
	run_apigen(whole, &outcome);
	assert_string_equal(outcome.text, expected);
	assert_true(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 1);
}

static void writes_a_good_description(void **state)
{
	static const char *const outputs[] = {"toy_api.h",   "toy_constants.h", "toy_wrappers.c",
					      "toy_table.c", "toy_preload.c",	"toy.map"};
	struct outcome outcome;
	char path[128];

	run_apigen(HEAD "dispatch:\n  f:\n    returns: int\n    args:\n      - flags a\n"
			"      - void *event\n    command: other RUN\n  g: placeholder\n",
		   &outcome);
	assert_string_equal(outcome.text, "");
	assert_int_equal(outcome.status, 0);
	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, outputs[i]);
		assert_int_equal(access(path, R_OK), 0);
		assert_int_equal(unlink(path), 0);
	}
}

static void refuses_unknown_names(void **state)
{
	assert_refused("dispatch:\n  f:\n    args:\n      - bool_t a\n", 4,
		       "a has the unknown type \"bool_t\"");
	assert_refused("dispatch:\n  f:\n    args:\n      - int a: e:colors\n", 4,
		       "there is no enum \"colors\"");
	assert_refused("dispatch:\n  f:\n    args:\n      - int *a: l:i[n]\n", 4,
		       "f: a list names \"n\", which is no argument");
	assert_refused("dispatch:\n  f:\n    args:\n      - void *event\n"
		       "    command: read RUN bytes=size\n",
		       5, "f: bytes names \"size\", which is no argument");
	assert_refused("dispatch:\n  f:\n    args:\n      - void *event\n"
		       "    command: read WALK\n",
		       5, "WALK is not in the enum command_type");
	assert_refused("dispatch:\n  f:\n    args: []\n    colour: 1\n", 4,
		       "f: \"colour\" is no key of a function");
	assert_refused("dispatch:\n  f:\n    args: []\n    after: g size\n", 2,
		       "f: after names \"size\", which is no argument");
}

static void refuses_duplicates(void **state)
{
	assert_refused("dispatch:\n  f:\n    args: []\n  f:\n    args: []\n", 4,
		       "f is defined twice (line 14)");
	assert_refused("dispatch:\n  f:\n    args:\n      - int a\n      - int a\n", 5,
		       "f has two arguments \"a\"");
	assert_refused("  more:\n    C: 3\n    D: 3\n", 3, "D is a second \"C\" in more (line 14)");
}

static void refuses_what_cannot_be_packed(void **state)
{
	char text[1024] = "dispatch:\n  f:\n    args:\n";

	for (int i = 0; i < 6; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "      - int *a%d: l:i[32]\n", i);
	assert_refused(text, 2, "f: its arguments can take 1836 bytes, more than 1536");
	assert_refused("dispatch:\n  f:\n    args:\n      - int *a: l:i[33]\n", 4,
		       "\"i[33]\": a list is 1 to 32 long");
	assert_refused("dispatch:\n  f:\n    args:\n      - int a: q\n", 4,
		       "\"q\" is no way to show a value");
	assert_refused("dispatch:\n  f:\n    args:\n      - void a\n", 4,
		       "a: the type void cannot be shown");
	assert_refused("  more:\n    C: 3 u5\n", 2, "C: \"u5\" is no way to show a query's value");
}

static void refuses_broken_yaml(void **state)
{
	struct outcome outcome;

	run_apigen("api: [toy\n", &outcome);
	assert_true(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 1);
	assert_int_equal(strncmp(outcome.text, "toy.yaml:2: ", 12), 0);
	run_apigen("", &outcome);
	assert_string_equal(outcome.text, "toy.yaml:1: the file is empty\n");
}

static int make_folder(void **state)
{
	strcpy(folder, "/tmp/tacho-apigen-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/toy.yaml", folder);
	unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_a_good_description),
		cmocka_unit_test(refuses_unknown_names),
		cmocka_unit_test(refuses_duplicates),
		cmocka_unit_test(refuses_what_cannot_be_packed),
		cmocka_unit_test(refuses_broken_yaml),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
