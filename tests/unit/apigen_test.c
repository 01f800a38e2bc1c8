/* SPDX-License-Identifier: MIT */
/* What the generator says about descriptions that are wrong: file, line and cause. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <elf.h>
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

static const char *const outputs[] = {"toy_api.h",   "toy_constants.h", "toy_wrappers.c",
				      "toy_table.c", "toy_preload.c",	"toy.map"};

static void remove_outputs(void)
{
	char path[128];

	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, outputs[i]);
		assert_int_equal(access(path, R_OK), 0);
		assert_int_equal(unlink(path), 0);
	}
}

static void writes_a_good_description(void **state)
{
	struct outcome outcome;

	run_apigen(HEAD "dispatch:\n  f:\n    returns: int\n    args:\n      - flags a\n"
			"      - void *event\n    command: other RUN\n  g: placeholder\n",
		   &outcome);
	assert_string_equal(outcome.text, "");
	assert_int_equal(outcome.status, 0);
	remove_outputs();
}

static void assert_written(const char *name, const char *part)
{
	static char text[65536];
	char path[128];
	FILE *file;
	size_t size;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "r");
	assert_non_null(file);
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = '\0';
	fclose(file);
	if (!strstr(text, part))
		fail_msg("%s lacks: %s", name, part);
}

#define SIGNATURES                                                                            \
	"dispatch:\n  g: placeholder\nextensions:\n"                                          \
	"  f:\n    of: x_y 0.9.0 1.0.2\n    since: more 0.9.5\n    returns: int\n    args:\n" \
	"      - void *holder: u\n      - int more: i\n      - int size: i\n"                 \
	"      - void **made: o:x\n"                                                          \
	"    records: copy RUN bytes=size template=holder command=made\n"                     \
	"  f@1.1.0:\n    of: x_y 1.1.0 1.2.0\n    returns: int\n    args:\n"                  \
	"      - int other: i\n"

/* One function with three signatures is three entries, each with its versions. */
static void writes_signatures(void **state)
{
	struct outcome outcome;

	run_apigen(HEAD SIGNATURES, &outcome);
	assert_string_equal(outcome.text, "");
	assert_int_equal(outcome.status, 0);
	assert_written("toy_api.h", "int (*f)(void *holder, int size, void **made);");
	assert_written("toy_api.h", "int (*f_0_9_5)(void *holder, int more, int size, "
				    "void **made);");
	assert_written("toy_api.h", "int (*f_1_1_0)(int other);");
	assert_written("toy_wrappers.c", "{\"f\", (void *)wrap_f, (void **)&tacho__toy_"
					 "extension_target.f, \"x_y\", 36864, 36868},");
	assert_written("toy_wrappers.c", "wrap_f_0_9_5, (void **)&tacho__toy_extension_target."
					 "f_0_9_5, \"x_y\", 36869, 4194306},");
	assert_written("toy_wrappers.c", ".f_1_1_0, \"x_y\", 4198400, 4202496},");
	assert_written("toy_wrappers.c", ".kind = TACHO_COMMAND_COPY,");
	assert_written("toy_wrappers.c", ".bytes = size,");
	remove_outputs();
}

#define KEYED                                                                              \
	"keyed: yes\ndispatch:\n"                                                          \
	"  cut:\n    args:\n      - void *holder\n      - int x\n      - int y\n"          \
	"    level: device\n    queues: fast,slow\n"                                       \
	"    runs: dispatch; by=graphics; parts=x,y; bytes=size_of(x)\n"                   \
	"  cutAlso:\n    args:\n      - void *holder\n    level: device\n    alias: cut\n" \
	"  begin:\n    args:\n      - void *made\n    level: global\n    instead: begin_it\n"

/* A function is found by its first argument, and what it puts into that is marked. */
static void writes_keyed(void **state)
{
	static const char *const made[] = {"toy_api.h", "toy_constants.h", "toy_wrappers.c",
					   "toy_table.c"};
	struct outcome outcome;
	char path[128];

	run_apigen(HEAD KEYED, &outcome);
	assert_string_equal(outcome.text, "");
	assert_int_equal(outcome.status, 0);
	assert_written("toy_api.h", "TACHO__RUN_FIRST = TACHO__FUNCTION_COUNT,\n"
				    "\tTACHO__RUN_cut = 3,\n\tTACHO__RUN_COUNT = 1,");
	assert_written("toy_wrappers.c", "tacho__toy_begin_run(holder, &ran);");
	assert_written("toy_wrappers.c", "at.next->cut(holder, x, y);");
	assert_written("toy_wrappers.c", ".counts[1] = y,\n\t\t.bytes = tacho__toy_size_of(x),");
	assert_written("toy_wrappers.c", "\ttacho__toy_end_run(&at);\n");
	assert_written("toy_wrappers.c",
		       "{\"cutAlso\", (void *)wrap_cutAlso, TACHO__INDEX_cutAlso, "
		       "TACHO__INDEX_cut, TACHO__LEVEL_DEVICE},");
	assert_written("toy_wrappers.c", "\t{1, 1, 1, 2, 1},\n");
	assert_written("toy_table.c", "func 3 -1 cut - buffer=x submission=u index=u queue=h "
				      "kernel=h dims=h parts=l:u bytes=l:u\\n\"\n");
	assert_written("toy_table.c", "cmd 3 kernel 3 cut queue=queue kernel=kernel dims=dims "
				      "bytes=bytes\\n\"\n\t\"bare 3\\n\"");
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, made[i]);
		assert_int_equal(unlink(path), 0);
	}
}

static void refuses_keyed(void **state)
{
	assert_refused("keyed: yes\ndispatch:\n  f:\n    args:\n      - void *a\n", 3,
		       "f: level is global, instance or device");
	assert_refused("keyed: yes\ndispatch:\n  f:\n    args: []\n    level: global\n", 3,
		       "f has no handle to find it by");
	assert_refused("keyed: yes\ndispatch:\n  f:\n    args:\n      - void *a\n"
		       "    level: device\n    alias: g\n",
		       3, "f: there is no function g");
	assert_refused("keyed: yes\ndispatch:\n  f:\n    args:\n      - void *a\n"
		       "    level: device\n    runs: dance\n",
		       7, "\"dance\" is no kind of run");
	assert_refused("keyed: yes\ndispatch:\n  f:\n    args:\n      - void *a\n"
		       "    level: device\n    runs: draw; n=b\n",
		       7, "f: runs names \"b\", which is no argument");
	assert_refused("keyed: yes\ndispatch:\n  f:\n    args:\n      - void *a\n"
		       "    level: device\n    runs: draw; n=a,a,a,a\n",
		       7, "a run keeps at most 3 counts");
	assert_refused("keyed: yes\ndispatch:\n  f:\n    args:\n      - void *a\n"
		       "    level: device\n    runs: draw; much\n",
		       7, "\"much\" says nothing of a run");
	assert_refused("dispatch:\n  f:\n    args: []\n    runs: draw\n", 4,
		       "f: a run is of a keyed API, and its wrapper returns nothing");
}

static void refuses_versions(void **state)
{
	assert_refused("dispatch:\n  g: placeholder\nextensions:\n  f:\n    of: x 0.9.0\n", 5,
		       "of is EXTENSION FIRST LAST");
	assert_refused("dispatch:\n  g: placeholder\nextensions:\n  f:\n    of: x 0.9 1.0.0\n", 5,
		       "\"0.9 1.0.0\" is no version: MAJOR.MINOR.PATCH");
	assert_refused("dispatch:\n  g: placeholder\nextensions:\n  f:\n    of: x 1.0.0 0.9.0\n"
		       "    args: []\n",
		       4, "f: its versions run backwards");
	assert_refused("dispatch:\n  f:\n    of: x 0.9.0 1.0.0\n    args: []\n", 2,
		       "f is given out by the loader, in any version");
	assert_refused("dispatch:\n  g: placeholder\nextensions:\n  f@1.0.0:\n    args: []\n", 4,
		       "f_1_0_0: of which versions it is must stand in \"of\"");
	assert_refused("dispatch:\n  g: placeholder\nextensions:\n"
		       "  f:\n    of: x 0.9.0 0.9.5\n    args: []\n"
		       "  f@0.9.5:\n    of: x 0.9.5 1.0.0\n    args: []\n",
		       7, "f has two signatures in one version (line 16)");
	assert_refused("dispatch:\n  g: placeholder\nextensions:\n"
		       "  f:\n    of: x 0.9.0 0.9.5\n    since: a 0.9.0\n    args:\n"
		       "      - int a\n",
		       4, "f: since is ARGUMENT VERSION, a version of \"of\"");
}

static void refuses_hooks(void **state)
{
	assert_refused("dispatch:\n  f:\n    args:\n      - int a\n    lookup: g\n", 5,
		       "lookup is NAME ARGUMENT ...");
	assert_refused("dispatch:\n  f:\n    args:\n      - int a\n    lookup: g b\n", 2,
		       "f: lookup names \"b\", which is no argument");
	assert_refused("dispatch:\n  f:\n    args:\n      - int a\n    lookup:\n      - g a\n"
		       "      - h a\n      - i a\n",
		       6, "more than 2 lookups");
	assert_refused("dispatch:\n  f:\n    args:\n      - int a\n    records: copy RUN\n", 5,
		       "f: what it records needs template and command");
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

/* Which machine a program is for; EM_NONE: it cannot be read. */
static unsigned read_machine(const char *path)
{
	FILE *file = fopen(path, "r");
	Elf64_Ehdr header = {.e_machine = EM_NONE}; /* as long in 32 bits up to there */

	if (!file)
		return EM_NONE;
	if (fread(&header, sizeof(header), 1, file) != 1)
		header.e_machine = EM_NONE;
	fclose(file);
	return header.e_machine;
}

/* The generator is for the machine that builds, which another one, as under qemu, need not start.
 */
static int is_for_another_machine(void)
{
	const char *apigen = getenv("TACHO_APIGEN");
	unsigned machine = apigen ? read_machine(apigen) : EM_NONE;
	unsigned own = read_machine("/proc/self/exe");

	return machine != EM_NONE && own != EM_NONE && machine != own;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_a_good_description),
		cmocka_unit_test(writes_signatures),
		cmocka_unit_test(writes_keyed),
		cmocka_unit_test(refuses_keyed),
		cmocka_unit_test(refuses_versions),
		cmocka_unit_test(refuses_hooks),
		cmocka_unit_test(refuses_unknown_names),
		cmocka_unit_test(refuses_duplicates),
		cmocka_unit_test(refuses_what_cannot_be_packed),
		cmocka_unit_test(refuses_broken_yaml),
	};

	if (is_for_another_machine()) {
		puts("skip: apigen is a program of the machine that built it, not of this one");
		return 77;
	}
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
