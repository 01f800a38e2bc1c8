/* SPDX-License-Identifier: MIT */
/* Launching: names, what is written, what the program inherits, how its end is told. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/json.h"
#include "inject/own_library.h"
#include "sample_api.h"
#include "tacho/error.h"
#include "tacho/recording.h"
#include "tacho/sys/launch.h"

static char folder[] = "/tmp/tacho-test-XXXXXX", self[PATH_MAX];

static char *argv_of(const char *text)
{
	return (char *)(uintptr_t)text;
}

/* Makes, starts, waits for and finishes; the status, or the error of making or starting it. */
static int launch(const struct tacho_launch_options *options, char *const argv[],
		  struct tacho_progress *out_progress)
{
	struct tacho_launch *launch;
	struct tacho_progress progress = {0};
	int rc = tacho_launch_create(argv, options, &launch), status = -1000;

	if (rc)
		return rc;
	rc = tacho_launch_start(launch);
	while (!rc)
		rc = tacho_launch_wait(launch, 20, &status, &progress);
	assert_int_equal(tacho_launch_finish(launch), 0);
	if (out_progress)
		*out_progress = progress;
	return rc < 0 ? rc : status;
}

static int launch_shell(const struct tacho_launch_options *options, const char *script)
{
	char *argv[] = {argv_of("sh"), argv_of("-c"), argv_of(script), NULL};

	return launch(options, argv, NULL);
}

static struct tacho_launch_options named(const char *name)
{
	return (struct tacho_launch_options){.name = name};
}

static void read_text(const char *path, struct tacho__buf *out_text)
{
	tacho__buf_clear(out_text);
	assert_int_equal(tacho__fs_read(path, 1 << 20, out_text), 0);
}

static void read_json(const char *path, struct tacho__arena *arena, struct tacho__json **out_json)
{
	struct tacho__buf text = {0};

	read_text(path, &text);
	assert_int_equal(tacho__json_parse(arena, text.text, text.size, out_json), 0);
	tacho__buf_finish(&text);
}

static void test_status(void **state)
{
	struct tacho_launch_options options = named("status");

	options.overwrite = true;
	assert_int_equal(launch_shell(&options, "exit 0"), 0);
	assert_int_equal(launch_shell(&options, "exit 7"), 7);
	assert_int_equal(launch_shell(&options, "kill -9 $$"), 128 + 9);
	assert_int_equal(launch_shell(&options, "sleep 0.15; exit 3"), 3);
}

static void test_names(void **state)
{
	struct tacho_launch_options options = named(NULL);

	assert_int_equal(launch_shell(&options, "true"), 0);
	assert_int_equal(launch_shell(NULL, "true"), 0);
	assert_int_equal(access("sh-1.tacho/meta.json", F_OK), 0);
	assert_int_equal(access("sh-2.tacho/end.json", F_OK), 0);
	/* a number is taken as long as any file has it */
	close(open("sh-3.atp", O_CREAT | O_WRONLY, 0600));
	assert_int_equal(launch_shell(NULL, "true"), 0);
	assert_int_equal(access("sh-4.tacho", F_OK), 0);
	options = named("named.tacho/");
	assert_int_equal(launch_shell(&options, "true"), 0);
	assert_int_equal(access("named.tacho/meta.json", F_OK), 0);
	options = named("named");
	assert_int_equal(launch_shell(&options, "true"), TACHO_E_EXISTS);
	options = named("no/such/folder");
	assert_int_equal(launch_shell(&options, "true"), TACHO_E_NOTFOUND);
	options = named("/");
	assert_int_equal(launch_shell(&options, "true"), TACHO_E_INVAL);
}

static void test_modes(void **state)
{
	struct tacho_launch_options options = named("modes");
	struct stat status;
	mode_t mask = umask(0);

	assert_int_equal(launch_shell(&options, "true"), 0);
	umask(mask);
	assert_int_equal(stat("modes.tacho", &status), 0);
	assert_int_equal(status.st_mode & 07777, 0700);
	assert_int_equal(stat("modes.tacho/meta.json", &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
}

static void test_replacing(void **state)
{
	struct tacho_launch_options options = named("replaced");
	int fd;

	options.overwrite = true;
	assert_int_equal(launch_shell(&options, "true"), 0);
	assert_int_equal(mkdir("replaced.tacho/proc-1-0", 0700), 0);
	close(open("replaced.tacho/proc-1-0/control.bin", O_CREAT | O_WRONLY, 0600));
	assert_int_equal(launch_shell(&options, "true"), 0);
	assert_int_equal(access("replaced.tacho/proc-1-0", F_OK), -1);

	/* links are not followed: what they lead to stays */
	assert_int_equal(mkdir("precious", 0700), 0);
	close(open("precious/control.bin", O_CREAT | O_WRONLY, 0600));
	assert_int_equal(symlink("../precious", "replaced.tacho/proc-2-0"), 0);
	assert_int_equal(launch_shell(&options, "true"), TACHO_E_EXISTS);
	assert_int_equal(access("replaced.tacho/meta.json", F_OK), 0);
	assert_int_equal(access("precious/control.bin", F_OK), 0);
	assert_int_equal(symlink("precious", "linked.tacho"), 0);
	options.name = "linked";
	assert_int_equal(launch_shell(&options, "true"), TACHO_E_EXISTS);

	/* neither is what is no recording, holds more, or is being written */
	assert_int_equal(mkdir("other.tacho", 0700), 0);
	close(open("other.tacho/end.json", O_CREAT | O_WRONLY, 0600));
	options.name = "other";
	assert_int_equal(launch_shell(&options, "true"), TACHO_E_EXISTS);
	assert_int_equal(unlink("other.tacho/end.json"), 0);
	assert_int_equal(launch_shell(&options, "true"), 0);
	options.name = "mixed";
	assert_int_equal(launch_shell(&options, "true"), 0);
	close(open("mixed.tacho/notes.txt", O_CREAT | O_WRONLY, 0600));
	assert_int_equal(launch_shell(&options, "true"), TACHO_E_EXISTS);
	assert_non_null(strstr(tacho_error_last()->cause, "notes.txt"));
	assert_int_equal(unlink("mixed.tacho/notes.txt"), 0);
	assert_int_equal(mkdir("mixed.tacho/proc-1-0", 0700), 0);
	close(open("mixed.tacho/proc-1-0/notes.txt", O_CREAT | O_WRONLY, 0600));
	assert_int_equal(launch_shell(&options, "true"), TACHO_E_EXISTS);
	assert_int_equal(unlink("mixed.tacho/proc-1-0/notes.txt"), 0);
	fd = open("mixed.tacho", O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(launch_shell(&options, "true"), TACHO_E_BUSY);
	close(fd);
	assert_int_equal(launch_shell(&options, "true"), 0);
}

static void test_meta(void **state)
{
	char *argv[] = {argv_of("sh"), argv_of("-c"), argv_of("exit 5"), argv_of("a \"b\"\n\xff"),
			NULL};
	struct tacho_launch_options options = named("meta");
	const struct tacho__json *list, *start, *end;
	struct tacho__arena arena = {0};
	struct tacho__json *json;
	char *here = getcwd(NULL, 0);

	assert_int_equal(launch(&options, argv, NULL), 5);
	read_json("meta.tacho/meta.json", &arena, &json);
	assert_string_equal(tacho__json_string(json, "schema", ""), "tacho.meta/1");
	assert_string_equal(tacho__json_string(json, "generator", ""), "tacho " TACHO_VERSION);
	assert_int_equal(tacho__json_string(json, "application", "")[0], '/');
	assert_string_equal(tacho__json_string(json, "working_directory", ""), here);
	assert_int_equal(tacho__json_integer(json, "launcher_pid", 0), getpid());
	list = tacho__json_get(json, "arguments")->first;
	assert_string_equal(list->string, "-c");
	assert_string_equal(list->next->string, "exit 5");
	assert_string_equal(list->next->next->string, "a \"b\"\n\\xff");
	assert_null(list->next->next->next);
	start = tacho__json_get(json, "start");
	read_json("meta.tacho/end.json", &arena, &json);
	end = tacho__json_get(json, "end");
	assert_int_equal(tacho__json_integer(json, "exit_status", -1), 5);
	assert_true(tacho__json_integer(start, "monotonic_ns", 0) > 0);
	assert_true(tacho__json_integer(end, "monotonic_ns", 0) >
		    tacho__json_integer(start, "monotonic_ns", 0));
	assert_true(tacho__json_integer(end, "raw_ns", 0) >
		    tacho__json_integer(start, "raw_ns", 0));
	assert_string_not_equal(tacho__json_string(json, "why_empty", ""), "");
	tacho__arena_finish(&arena);
	free(here);
}

static void test_environment(void **state)
{
	struct tacho_launch_options options = named("inherited");
	struct tacho__buf text = {0};

	options.overwrite = options.no_follow = true;
	options.via = TACHO_VIA_LAYER;
	setenv("OPENCL_LAYERS", "/theirs", 1);
	assert_int_equal(launch_shell(&options, "env > env.txt"), 0);
	read_text("env.txt", &text);
	assert_non_null(strstr(text.text, "TACHO_POOL=/"));
	assert_non_null(strstr(text.text, "TACHO_RECORD_STAMP="));
	assert_non_null(strstr(text.text, "TACHO_VIA=layer\n"));
	assert_non_null(strstr(text.text, ":/theirs\n"));
	assert_null(strstr(text.text, "LD_PRELOAD"));
	assert_null(getenv("TACHO_POOL")); /* ours stays as it is */
	assert_string_equal(getenv("OPENCL_LAYERS"), "/theirs");
	unsetenv("OPENCL_LAYERS");
	options.no_follow = false;
	options.keep_programs = true;
	assert_int_equal(launch_shell(&options, "env > env.txt"), 0);
	read_text("env.txt", &text);
	assert_non_null(strstr(text.text, "TACHO_KEEP_PROGRAMS=1\n"));
	assert_null(strstr(text.text, "TACHO_TIME_DRAWS"));
	options.time_draws = true;
	assert_int_equal(launch_shell(&options, "env > env.txt"), 0);
	read_text("env.txt", &text);
	assert_non_null(strstr(text.text, "TACHO_TIME_DRAWS=1\n"));
	tacho__buf_finish(&text);
}

/* Whether a program that is started is told what is ignored. */
static bool hands_on(int ignored_signal)
{
	struct tacho__buf text = {0};
	unsigned long long ignored;

	assert_int_equal(system("exec grep ^SigIgn /proc/self/status > plain.txt"), 0);
	read_text("plain.txt", &text);
	assert_int_equal(sscanf(text.text, "SigIgn: %llx", &ignored), 1);
	tacho__buf_finish(&text);
	return ignored >> (ignored_signal - 1) & 1;
}

/* The program has the signals that we had at create, not those that we set since. */
static void test_signals(void **state)
{
	char *argv[] = {argv_of("sh"), argv_of("-c"),
			argv_of("exec grep -E '^Sig(Ign|Blk)' /proc/self/status > signals.txt"),
			NULL};
	struct tacho_launch_options options = named("signals");
	unsigned long long blocked, ignored;
	struct tacho_progress progress;
	struct tacho__buf text = {0};
	struct tacho_launch *one;
	sigset_t set;
	int status;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* whatever we inherited */
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_IGN);
	if (!hands_on(SIGHUP)) {
		signal(SIGHUP, SIG_DFL);
		print_message("no program is told what is ignored here (qemu-user): not run\n");
		skip();
	}
	assert_int_equal(tacho_launch_create(argv, &options, &one), 0);
	signal(SIGINT, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	assert_int_equal(tacho_launch_start(one), 0);
	while (!tacho_launch_wait(one, 100, &status, &progress))
		;
	tacho_launch_finish(one);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	assert_int_equal(status, 0);
	read_text("signals.txt", &text);
	assert_int_equal(sscanf(text.text, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2);
	assert_false(blocked & 1ULL << (SIGTERM - 1));
	assert_true(ignored & 1ULL << (SIGHUP - 1));
	assert_false(ignored & 1ULL << (SIGINT - 1));
	tacho__buf_finish(&text);
}

static void write_program(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	assert_int_equal(chmod(name, 0755), 0);
}

static void test_start(void **state)
{
	struct tacho_launch_options options = named("started");
	char *script[] = {argv_of("./script"), argv_of("6"), NULL};
	char *garbage[] = {argv_of("./garbage"), NULL};

	/* as execvp does with a script that names no interpreter */
	write_program("script", "exit $1\n");
	assert_int_equal(launch(&options, script, NULL), 6);
	/* a loop of scripts: found by the kernel alone */
	write_program("garbage", "#!./garbage\n");
	options.name = "failed";
	assert_int_equal(launch(&options, garbage, NULL), TACHO_E_IO);
	assert_int_equal(tacho_error_last()->vendor_code, ELOOP);
	assert_int_equal(access("failed.tacho", F_OK), -1);
}

static void test_signal_and_unstarted(void **state)
{
	struct tacho_launch_options options = named("signalled");
	char *argv[] = {argv_of("sleep"), argv_of("30"), NULL};
	struct tacho_progress progress;
	struct tacho_launch *one;
	int status = 0;

	assert_int_equal(tacho_launch_create(argv, &options, &one), 0);
	assert_int_equal(tacho_launch_wait(one, 0, &status, &progress), TACHO_E_INVAL);
	assert_int_equal(tacho_launch_finish(one), 0);
	assert_int_equal(access("signalled.tacho", F_OK), -1);
	assert_int_equal(tacho_launch_create(argv, &options, &one), 0);
	assert_int_equal(tacho_launch_start(one), 0);
	assert_int_equal(tacho_launch_wait(one, 30, &status, &progress), 0);
	assert_true(progress.elapsed_ns > 0);
	tacho_launch_signal(one, SIGTERM);
	while (!tacho_launch_wait(one, 1000, &status, &progress))
		;
	assert_int_equal(status, 128 + SIGTERM);
	assert_int_equal(tacho_launch_finish(one), 0);
	assert_int_equal(tacho_launch_finish(NULL), 0);
}

/* The why_empty of a run of `script`, into `out_text`. */
static void why(const char *script, struct tacho__buf *out_text)
{
	struct tacho_launch_options options = named("why");
	struct tacho__arena arena = {0};
	struct tacho__json *json;

	options.overwrite = true;
	options.via = TACHO_VIA_LAYER;
	assert_int_equal(launch_shell(&options, script), 0);
	read_json("why.tacho/end.json", &arena, &json);
	tacho__buf_clear(out_text);
	tacho__buf_put(out_text, tacho__json_string(json, "why_empty", "?"));
	tacho__arena_finish(&arena);
}

/* What this program does when a test launches it: so many calls and commands are recorded. */
static int record(char **argv)
{
	unsigned long calls = strtoul(argv[2], NULL, 10), commands = strtoul(argv[3], NULL, 10);

	tacho__record_add_table(SAMPLE_API, sample_table, sizeof(sample_table) - 1);
	if (!tacho__record_start())
		return 99;
	for (unsigned long i = 0; i < calls; i++)
		sample_poke(i, i, 0);
	for (unsigned long i = 0; i < commands; i++)
		sample_complete(sample_launch(), 1, 2, 3, 4);
	usleep((useconds_t)strtoul(argv[4], NULL, 10) * 1000);
	return 0;
}

static void test_why_empty(void **state)
{
	struct tacho__buf text = {0};
	char script[PATH_MAX + 64];

	why("sleep 0.2", &text);
	assert_non_null(strstr(text.text, "loader"));
	assert_non_null(strstr(text.text, "none was seen in its memory"));
	snprintf(script, sizeof(script), "exec %s --record 0 0 0", self);
	why(script, &text);
	assert_non_null(strstr(text.text, "in 1 process, but no call"));
	snprintf(script, sizeof(script), "exec %s --record 1 0 0", self);
	why(script, &text);
	assert_string_equal(text.text, "");
	tacho__buf_finish(&text);
}

/* A process that cannot take part says why, and the outcome says what helps. */
static void test_refused(void **state)
{
	struct tacho_launch_options options = named("refused");
	char script[PATH_MAX + 64];
	char *argv[] = {argv_of("sh"), argv_of("-c"), script, NULL};
	const struct tacho_launch_outcome *outcome;
	struct tacho_progress progress;
	struct tacho_launch *one;
	int status = 0;

	snprintf(script, sizeof(script), "TACHO_POOL=/no/such/pool exec %s --record 1 0 0", self);
	assert_int_equal(tacho_launch_create(argv, &options, &one), 0);
	assert_int_equal(tacho_launch_start(one), 0);
	while (tacho_launch_wait(one, 20, &status, &progress) == 0)
		;
	assert_int_equal(status, 99);
	assert_int_equal(tacho_launch_end(one, &outcome), 0);
	assert_int_equal(outcome->calls, 0);
	assert_non_null(strstr(outcome->loss, "1 process could not be recorded"));
	assert_non_null(strstr(outcome->loss, "No such file"));
	assert_non_null(strstr(outcome->cure, "XDG_RUNTIME_DIR"));
	assert_string_equal(outcome->why_empty, outcome->loss);
	assert_int_equal(tacho_launch_finish(one), 0);
}

static void test_progress(void **state)
{
	char *argv[] = {self,	       argv_of("--record"), argv_of("123"),
			argv_of("14"), argv_of("2500"),	    NULL};
	struct tacho_launch_options options = named("progress");
	struct tacho_progress progress = {0};

	assert_int_equal(launch(&options, argv, &progress), 0);
	assert_int_equal(progress.processes, 1);
	assert_int_equal(progress.calls, 123 + 14);
	assert_int_equal(progress.commands, 14);
}

/* How many calls a recording holds of which nothing is missing. */
static uint64_t count_calls(const char *name, struct tacho_run *out_run)
{
	struct tacho_recording *recording = NULL;
	struct tacho_cursor *cursor = NULL;
	const struct tacho_call *call;
	uint64_t calls = 0;

	assert_int_equal(tacho_recording_open(name, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	while (tacho_cursor_next(cursor, &call) == 1)
		calls += 1 + call->repeats;
	assert_null(tacho_recording_get_fault(recording, 0));
	out_run->is_unfinished = tacho_recording_get_run(recording)->is_unfinished;
	out_run->exit_status = tacho_recording_get_run(recording)->exit_status;
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	return calls;
}

/* A program is saved while it runs; what it does later, and its end, do not reach the copy. */
static void test_snapshot(void **state)
{
	struct tacho_launch_options options = named("live");
	char script[2 * PATH_MAX + 256];
	char *argv[] = {argv_of("sh"), argv_of("-c"), script, NULL};
	struct tacho_progress progress = {0};
	struct tacho_launch *one;
	struct tacho_run run;
	int status = 0;

	snprintf(script, sizeof(script),
		 "%s --record 123 14 0; touch first; until [ -e go ]; do sleep 0.02; done; "
		 "exec %s --record 1000 0 0",
		 self, self);
	assert_int_equal(tacho_launch_create(argv, &options, &one), 0);
	assert_int_equal(tacho_launch_start(one), 0);
	while (access("first", F_OK))
		assert_int_equal(tacho_launch_wait(one, 20, &status, &progress), 0);
	assert_int_equal(tacho_recording_snapshot("live", "saved"), 0);
	assert_int_equal(tacho_recording_snapshot("live", "saved.tacho/"), TACHO_E_EXISTS);
	assert_int_equal(tacho_recording_snapshot("live", "no/such/saved"), TACHO_E_NOTFOUND);
	assert_int_equal(tacho_recording_snapshot("nothing", "other"), TACHO_E_NOTFOUND);
	assert_int_equal(count_calls("saved", &run), 123 + 14);
	assert_int_equal(run.is_unfinished, 1);
	close(open("go", O_CREAT | O_WRONLY, 0600));
	while (tacho_launch_wait(one, 20, &status, &progress) == 0)
		;
	assert_int_equal(tacho_launch_finish(one), 0);
	assert_int_equal(count_calls("saved", &run), 123 + 14);
	assert_int_equal(run.exit_status, -1);
	assert_int_equal(count_calls("live", &run), 123 + 14 + 1000);
	assert_int_equal(run.is_unfinished, 0);
	/* of one that has ended it is a copy */
	assert_int_equal(tacho_recording_snapshot("live.tacho", "ended"), 0);
	assert_int_equal(count_calls("ended", &run), 123 + 14 + 1000);
	assert_int_equal(run.is_unfinished, 0);
	assert_int_equal(run.exit_status, status);
}

static void test_library_paths(void **state)
{
	const char *name = "a b:c/libx.so";
	struct tacho__library library;
	char exe[PATH_MAX], real[PATH_MAX], links[PATH_MAX + 32];
	char *given = strdup(getenv("TACHO_INJECT_LIBRARY"));

	assert_true(tacho__library_is_safe("/usr/lib/x.so"));
	assert_false(tacho__library_is_safe("/opt/a b/x.so"));
	assert_false(tacho__library_is_safe("/opt/a:b/x.so"));
	assert_int_equal(tacho__library_find(&library), 0);
	assert_string_equal(library.path, library.file);
	assert_string_equal(library.links, "");
	tacho__library_finish(&library);

	assert_non_null(realpath("/proc/self/exe", exe));
	assert_int_equal(mkdir("a b:c", 0700), 0);
	snprintf(links, sizeof(links), "cp '%s' 'a b:c/libx.so'", exe);
	assert_int_equal(system(links), 0);
	setenv("TACHO_INJECT_LIBRARY", name, 1);
	assert_int_equal(tacho__library_find(&library), 0);
	assert_true(tacho__library_is_safe(library.path));
	assert_non_null(realpath(library.path, real));
	assert_string_equal(real, library.file);
	strcpy(links, library.links);
	tacho__library_finish(&library);
	assert_int_equal(access(links, F_OK), -1);

	setenv("TACHO_INJECT_LIBRARY", "/etc/passwd", 1);
	assert_int_equal(tacho__library_find(&library), TACHO_E_UNSUPPORTED);
	setenv("TACHO_INJECT_LIBRARY", given, 1);
	free(given);
}

static int set_up(void **state)
{
	/* any library of this machine will do: the programs here load none */
	setenv("TACHO_INJECT_LIBRARY", "/proc/self/exe", 1);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return -1;
	return !mkdtemp(folder) || chdir(folder);
}

static int tear_down(void **state)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_replacing),
		cmocka_unit_test(test_meta),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_start),
		cmocka_unit_test(test_signal_and_unstarted),
		cmocka_unit_test(test_why_empty),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_snapshot),
		cmocka_unit_test(test_library_paths),
	};

	if (argc == 5 && !strcmp(argv[1], "--record"))
		return record(argv);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
