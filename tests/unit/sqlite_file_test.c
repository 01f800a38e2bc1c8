/* SPDX-License-Identifier: MIT */
/* The file of the SQLite export: what may stand in it, its size, what stands in its way. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/sqlite_library.h"
#include "sample_recording.h"
#include "tacho/tacho.h"
#include "test_folder.h"
#include "sqlite_database.h"

static void test_file(void **state)
{
	struct database database;
	struct stat status;

	export_to(&database, sample_mixed());
	EXPECT(&database, "PRAGMA application_id", "1952539496\n"); /* "tach" */
	EXPECT(&database, "PRAGMA user_version", "1007\n");
	EXPECT(&database, "PRAGMA integrity_check", "ok\n");
	EXPECT(&database, "PRAGMA foreign_key_check", "");
	EXPECT(&database, "PRAGMA journal_mode", "delete\n");
	if (library.calls.libversion_number() >= TACHO__SQLITE_STRICT_SINCE)
		EXPECT(&database,
		       "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' "
		       "AND type = 'table' AND NOT strict AND name NOT LIKE 'sqlite%'",
		       "0\n");
	assert_int_equal(stat(folder_name(&database.folder, "x.sqlite"), &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	expect_export(sample_vadd(), folder_name(&database.folder, "x"), TACHO_E_EXISTS);
	EXPECT(&database, "SELECT count(*) FROM process", "2\n");
	finish(&database);
}

static void test_hostile(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct fake_object kernel = *(const struct fake_object *)recording.objects[4];
	const struct fake_object *objects[5];
	struct tacho_command command;
	struct fake_call calls[4];
	struct database database;
	char long_text[2001];

	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	memcpy(objects, recording.objects, sizeof(objects));
	memcpy(calls, recording.calls, sizeof(calls));
	kernel.object.name = "'); DROP TABLE call; --\"\xff\xc3(\xf0\x9f\x98\x80\xed\xa0\x80";
	objects[4] = &kernel;
	command = *calls[2].call.command;
	command.kernel = &kernel.object;
	command.state = TACHO_STATE_ABSENT;
	command.reason = long_text;
	command.global[0] = UINT64_MAX;
	calls[2].call.command = &command;
	calls[2].call.end_ns = UINT64_C(1) << 63;
	calls[2].call.index = INT64_MAX;
	calls[2].arguments[0] = "\"\\\x01\xff";
	recording.calls = calls;
	recording.objects = objects;
	recording.repeat = 2;
	export_to(&database, &recording);
	EXPECT(&database, "SELECT kernel FROM v_kernel",
	       "'); DROP TABLE call; --\"\\xff\\xc3(\xf0\x9f\x98\x80\\xed\\xa0\\x80\n");
	EXPECT(&database, "SELECT thread_index, end_ns, duration_ns FROM v_call WHERE id = 3",
	       "9223372036854775807|NULL|NULL\n");
	EXPECT(&database, "SELECT global_x, length(reason) FROM v_launch WHERE id = 7",
	       "NULL|2000\n");
	EXPECT(&database, "SELECT * FROM v_note WHERE about = 'export'",
	       "export|4 numbers are larger than 9223372036854775807, the largest that a column "
	       "holds, and are NULL\n");
	EXPECT(&database,
	       "SELECT json_extract(arguments, '$.command_queue') = '\"\\' || char(1) || "
	       "'\\xff' FROM v_call WHERE id = 3",
	       "1\n");
	EXPECT(&database, "PRAGMA integrity_check", "ok\n");
	EXPECT(&database, "PRAGMA foreign_key_check", "");
	finish(&database);
}

/* More texts than are remembered: each command still has its own. */
static void test_many_texts(void **state)
{
	enum { COUNT = 9000 };
	struct fake_recording recording = *sample_vadd();
	struct tacho_command *commands = calloc(COUNT, sizeof(*commands));
	struct fake_call *calls = calloc(COUNT, sizeof(*calls));
	char(*reasons)[16] = calloc(COUNT, sizeof(*reasons));
	struct database database;

	for (size_t i = 0; i < COUNT; i++) {
		calls[i] = recording.calls[2];
		commands[i] = *calls[i].call.command;
		snprintf(reasons[i], sizeof(reasons[i]), "reason %zu", i % 8999);
		commands[i].state = TACHO_STATE_ABSENT;
		commands[i].reason = reasons[i];
		calls[i].call.command = &commands[i];
	}
	recording.calls = calls;
	recording.call_count = COUNT;
	export_to(&database, &recording);
	EXPECT(&database,
	       "SELECT count(*), count(DISTINCT reason), "
	       "sum(reason = 'reason ' || ((id - 1) % 8999)) FROM v_launch",
	       "9000|8999|9000\n");
	finish(&database);
	free(reasons);
	free(calls);
	free(commands);
}

static void test_estimate(void **state)
{
	struct fake_recording recordings[] = {*sample_vadd(), *sample_mixed(), *sample_vadd(),
					      *sample_buffers()};
	struct folder folder;
	struct stat status;
	uint64_t estimate;

	recordings[1].repeat = recordings[2].repeat = recordings[3].repeat = 3000;
	for (size_t i = 0; i < sizeof(recordings) / sizeof(recordings[0]); i++) {
		folder_make(&folder);
		expect_export(&recordings[i], folder_name(&folder, "x"), 0);
		assert_int_equal(stat(folder_name(&folder, "x.sqlite"), &status), 0);
		assert_int_equal(tacho_recording_estimate(fake_recording(&recordings[i]), "sqlite",
							  &estimate),
				 0);
		assert_in_range(estimate, (uint64_t)status.st_size / 2,
				(uint64_t)status.st_size * 2);
		folder_remove(&folder);
	}
}

/* Growth that fails is an error that names the file, and no half file stays. */
static void test_no_room(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct rlimit before, narrow;
	struct folder folder;
	int rc;

	recording.repeat = 30000;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	for (rlim_t room = 20000; room < 2000000; room *= 10) {
		folder_make(&folder);
		narrow = (struct rlimit){.rlim_cur = room, .rlim_max = before.rlim_max};
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &narrow), 0);
		rc = tacho_recording_export(fake_recording(&recording), "sqlite",
					    folder_name(&folder, "x"), NULL);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
		assert_int_equal(rc, TACHO_E_IO);
		assert_int_equal(tacho_error_last()->vendor_code, EFBIG);
		assert_non_null(strstr(tacho_error_last()->message, "x.sqlite"));
		assert_int_equal(folder_count(&folder), 0);
		folder_remove(&folder);
	}
	expect_export(&recording, "/nowhere/at/all", TACHO_E_NOTFOUND);
}

/* A name that SQLite would take for a URI is a name. */
static void test_uri(void **state)
{
	struct folder folder;
	char before[4096];

	folder_make(&folder);
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(folder.path), 0);
	expect_export(sample_vadd(), "file:x?mode=memory", 0);
	assert_int_equal(access("file:x?mode=memory.sqlite", F_OK), 0);
	assert_int_equal(chdir(before), 0);
	folder_remove(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file),	   cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_many_texts), cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_no_room),	   cmocka_unit_test(test_uri),
	};
	int rc;

	if (tacho__sqlite_library_open(&library)) {
		print_message("SKIP: %s\n", tacho_error_last()->message);
		return 77;
	}
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	tacho__dl_close(&library.dl);
	return rc;
}
