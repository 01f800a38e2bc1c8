/* SPDX-License-Identifier: MIT */
/*
 * Files of a recording that are cut, gone, of another one, spoilt or not to be read. Bound: the
 * program lives; the reader names each fault and its file; what it reads and what it says is
 * missing make up what was made, where the manifest or the chunks around know it.
 */
#include "fire.h"
#include "record/chunk.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* Reads of this file fail from this place on: the disk is damaged. In place of libc's. */
static const char *bad_file;
static off_t bad_from;

ssize_t pread(int fd, void *buffer, size_t size, off_t offset)
{
	char link[64], path[512] = "";

	if (bad_file) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		if (readlink(link, path, sizeof(path) - 1) > 0 && strstr(path, bad_file) &&
		    offset + (off_t)size > bad_from) {
			errno = EIO;
			return -1;
		}
	}
	return syscall(SYS_pread64, fd, buffer, size, offset);
}

enum { CALLS = 60000, CHUNKS_MIN = 4, NOBODY = 65534, PATIENCE_MS = 20000, WRITTEN_MIN = 400000 };

/* No two are alike, so that they fill chunks. */
static void make_calls(void *unused)
{
	for (uint64_t i = 0; i < CALLS; i++) {
		sample_poke(i * UINT64_C(0x9E3779B97F4A7C15), 0, 0);
		atomic_fetch_add_explicit(&fire_books->done[0], 1, memory_order_relaxed);
	}
	fire_launch(0);
	printf("done\n");
}

static const struct fire_program program = {.work = make_calls};

static char *record_whole(void)
{
	char *path = fire_recording("/tmp");
	struct fire_tally tally;

	assert_int_equal(fire_both(path, &program), 0);
	tally = fire_read_damaged(path);
	assert_int_equal(tally.calls, CALLS + 1);
	assert_int_equal(tally.faults, 0);
	return path;
}

static const char *name_of(const char *path, const char *file)
{
	static char name[512];

	snprintf(name, sizeof(name), "%s/%s", path, file);
	return name;
}

static off_t size_of(const char *path, const char *file)
{
	struct stat status;

	assert_int_equal(stat(name_of(path, file), &status), 0);
	return status.st_size;
}

static bool names_fault(const struct tacho_recording *recording, const char *file,
			const char *words, int error)
{
	const struct tacho_fault *fault;

	for (size_t i = 0; (fault = tacho_recording_get_fault(recording, i)); i++)
		if (strstr(fault->path, file) && strstr(fault->what, words) &&
		    fault->error == error)
			return true;
	return false;
}

/* Reads it all, and looks for the fault; then what is there and what is missing. */
static struct fire_tally check_fault(const char *path, const char *file, const char *words,
				     int error)
{
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_fault *fault;

	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	while (tacho_cursor_next(cursor, NULL) == 1)
		;
	tacho_cursor_close(cursor);
	if (!names_fault(recording, file, words, error)) {
		for (size_t i = 0; (fault = tacho_recording_get_fault(recording, i)); i++)
			print_message("fault: %s %s, errno %d\n", fault->path, fault->what,
				      fault->error);
		fail_msg("no fault says: %s %s, errno %d", file, words, error);
	}
	tacho_recording_close(recording);
	return fire_read_damaged(path);
}

static void check_counted(const struct fire_tally *tally)
{
	assert_true(tally->missing > 0);
	assert_int_equal(tally->calls + tally->lost, CALLS + 1);
}

static void test_calls_cut_to_nothing(void **state)
{
	char *path = record_whole();
	struct fire_tally tally;

	assert_int_equal(truncate(name_of(path, "calls-1.bin"), 0), 0);
	tally = check_fault(path, "calls-1.bin", "is cut", 0);
	check_counted(&tally);
	assert_int_equal(tally.calls, 0);
	fire_remove(path);
}

static void test_calls_cut_in_the_middle(void **state)
{
	char *path = record_whole();
	off_t size = size_of(path, "calls-1.bin");

	for (off_t part = 3; part > 0; part--) {
		struct fire_tally tally;

		assert_int_equal(truncate(name_of(path, "calls-1.bin"), size / 4 * part + 3), 0);
		tally = check_fault(path, "calls-1.bin", "is cut", 0);
		check_counted(&tally);
		assert_true(tally.calls > 0);
	}
	fire_remove(path);
}

static void test_calls_gone(void **state)
{
	char *path = record_whole();
	struct fire_tally tally;

	assert_int_equal(unlink(name_of(path, "calls-1.bin")), 0);
	tally = check_fault(path, "calls-1.bin", "is missing", 0);
	check_counted(&tally);
	fire_remove(path);
}

static void test_calls_of_another_recording(void **state)
{
	char *path = record_whole(), *other = record_whole(), from[512];
	struct fire_tally tally;

	snprintf(from, sizeof(from), "%s", name_of(other, "calls-1.bin"));
	assert_int_equal(rename(from, name_of(path, "calls-1.bin")), 0);
	tally = check_fault(path, "calls-1.bin", "of another recording", 0);
	check_counted(&tally);
	assert_int_equal(tally.calls, 0);
	fire_remove(path);
	fire_remove(other);
}

/* ---- one byte ---- */

static uint8_t *read_file(const char *path, const char *file, off_t *out_size)
{
	FILE *stream = fopen(name_of(path, file), "r");
	uint8_t *bytes;

	*out_size = size_of(path, file);
	bytes = malloc((size_t)*out_size);
	assert_non_null(stream);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, (size_t)*out_size, stream), *out_size);
	fclose(stream);
	return bytes;
}

static void flip(const char *path, const char *file, off_t at)
{
	FILE *stream = fopen(name_of(path, file), "r+");
	int byte;

	assert_non_null(stream);
	fseek(stream, at, SEEK_SET);
	byte = fgetc(stream);
	fseek(stream, at, SEEK_SET);
	fputc(byte ^ 0x10, stream);
	fclose(stream);
}

/* Where the second chunk of calls-1.bin begins. */
static off_t find_second(const char *path, struct tacho__chunk_header *out_header)
{
	off_t size, at;
	uint8_t *bytes = read_file(path, "calls-1.bin", &size);

	memcpy(out_header, bytes, sizeof(*out_header));
	at = out_header->bytes;
	assert_true(size > CHUNKS_MIN * at);
	memcpy(out_header, bytes + at, sizeof(*out_header));
	assert_int_equal(out_header->magic, TACHO__CHUNK_MAGIC);
	free(bytes);
	return at;
}

/* Every byte of a header is guarded, and costs its own chunk only. */
static void test_byte_of_header(void **state)
{
	char *path = record_whole();
	struct tacho__chunk_header header;
	off_t chunk = find_second(path, &header);

	for (off_t i = 0; i < (off_t)sizeof(header); i++) {
		struct fire_tally tally;

		flip(path, "calls-1.bin", chunk + i);
		tally = fire_read_damaged(path);
		if (tally.faults == 0 || tally.missing != header.calls)
			fail_msg("byte %ld of a header: %lu faults, %lu of %u calls missing",
				 (long)i, tally.faults, tally.missing, header.calls);
		check_counted(&tally);
		flip(path, "calls-1.bin", chunk + i);
	}
	assert_int_equal(fire_read_damaged(path).faults, 0);
	fire_remove(path);
}

static void test_byte_of_records(void **state)
{
	char *path = record_whole();
	struct tacho__chunk_header header;
	off_t chunk = find_second(path, &header);

	for (uint32_t i = 0; i < header.payload_bytes; i += header.payload_bytes / 16 + 1) {
		off_t at = chunk + (off_t)sizeof(header) + i;
		struct fire_tally tally;

		flip(path, "calls-1.bin", at);
		tally = check_fault(path, "calls-1.bin", "is damaged", 0);
		assert_int_equal(tally.missing, header.calls);
		check_counted(&tally);
		flip(path, "calls-1.bin", at);
	}
	fire_remove(path);
}

/* The last 48 bytes of the file are the device times of the launch. */
static void test_byte_of_slot(void **state)
{
	char *path = record_whole();
	off_t size = size_of(path, "calls-1.bin");

	for (off_t i = 1; i <= (off_t)sizeof(struct tacho__slot); i++) {
		struct fire_tally tally;

		flip(path, "calls-1.bin", size - i);
		tally = fire_read_damaged(path);
		assert_int_equal(tally.calls, CALLS + 1);
		assert_int_equal(tally.commands, 1);
		if (tally.timed)
			fail_msg("a time with byte %ld flipped is taken for true", (long)i);
		flip(path, "calls-1.bin", size - i);
	}
	assert_int_equal(fire_read_damaged(path).timed, 1);
	fire_remove(path);
}

/* ---- the file of what is known of the calls ---- */

static void test_control_gone(void **state)
{
	char *path = record_whole();
	struct tacho_recording *recording = NULL;
	int rc;

	assert_int_equal(unlink(name_of(path, "control.bin")), 0);
	rc = tacho_recording_open(path, &recording);
	if (!rc)
		assert_true(names_fault(recording, "control.bin", "is missing", 0));
	tacho_recording_close(recording);
	fire_remove(path);
}

static void test_control_cut(void **state)
{
	char *path = record_whole();
	off_t size = size_of(path, "control.bin");
	struct fire_tally tally;

	for (off_t left = size - 1; left > 0; left -= size / 8) {
		assert_int_equal(truncate(name_of(path, "control.bin"), left), 0);
		tally = check_fault(path, "control.bin", "has no end", 0);
		assert_int_equal(tally.calls + tally.lost, CALLS + 1);
	}
	assert_int_equal(truncate(name_of(path, "control.bin"), 0), 0);
	tally = check_fault(path, "control.bin", "has no end", 0);
	check_counted(&tally);
	fire_remove(path);
}

/* ---- files that cannot be read ---- */

static void check_as_nobody(const char *path, const char *file)
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (setgid(NOBODY) || setuid(NOBODY))
			_exit(2);
		check_fault(path, file, "cannot be opened", EACCES);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void test_no_rights(void **state)
{
	char *path = record_whole();

	if (getuid()) {
		print_message("SKIP: changing the user needs root\n");
		fire_remove(path);
		skip();
	}
	assert_int_equal(chmod(path, 0755), 0);
	assert_int_equal(chmod(name_of(path, "control.bin"), 0644), 0);
	check_as_nobody(path, "calls-1.bin");
	fire_remove(path);
}

/* In a chunk's header, in its records, and in the file that names all others. */
static void test_io_errors(void **state)
{
	char *path = record_whole();
	struct tacho__chunk_header header;
	off_t chunk = find_second(path, &header);
	struct fire_tally tally;

	bad_file = "calls-1.bin";
	bad_from = chunk;
	tally = check_fault(path, "calls-1.bin", "cannot be read", EIO);
	check_counted(&tally);
	bad_from = 0;
	tally = check_fault(path, "calls-1.bin", "cannot be read", EIO);
	check_counted(&tally);
	assert_int_equal(tally.calls, 0);
	bad_from = size_of(path, "calls-1.bin") - 8; /* the last slot: headers can be read */
	tally = check_fault(path, "calls-1.bin", "cannot be read", EIO);
	check_counted(&tally);
	assert_true(tally.calls > 0);
	bad_file = "control.bin";
	bad_from = 0;
	tally = check_fault(path, "control.bin", "cannot be read", EIO);
	check_counted(&tally);
	bad_file = NULL;
	fire_remove(path);
}

static void test_no_file_but_a_folder(void **state)
{
	char *path = record_whole();
	struct fire_tally tally;

	assert_int_equal(unlink(name_of(path, "calls-1.bin")), 0);
	assert_int_equal(mkdir(name_of(path, "calls-1.bin"), 0700), 0);
	tally = check_fault(path, "calls-1.bin", "cannot be opened", EINVAL);
	check_counted(&tally);
	fire_remove(path);
}

/* ---- while the program runs ---- */

struct deed {
	void (*act)(const char *path);
	const char *path;
};

static void cut(const char *path)
{
	(void)!truncate(name_of(path, "calls-1.bin"), 0);
}

static void cut_in_the_middle(const char *path)
{
	(void)!truncate(name_of(path, "calls-1.bin"), 100000);
}

static void take_away(const char *path)
{
	unlink(name_of(path, "calls-1.bin"));
}

static void cut_control(const char *path)
{
	(void)!truncate(name_of(path, "control.bin"), 0);
}

/* Until the keeper has written some of it. */
static void await_file(const char *path)
{
	struct stat status;

	for (int ms = 0; ms < PATIENCE_MS; ms++) {
		if (!stat(name_of(path, "calls-1.bin"), &status) && status.st_size > WRITTEN_MIN)
			return;
		usleep(1000);
	}
	_exit(1);
}

static void call_and_act(void *argument)
{
	const struct deed *deed = argument;

	make_calls(NULL);
	await_file(deed->path);
	deed->act(deed->path);
	make_calls(NULL);
}

static struct fire_tally act_while_it_runs(void (*act)(const char *))
{
	char *path = fire_recording("/tmp");
	struct deed deed = {act, path};
	const struct fire_program acting = {.work = call_and_act, .argument = &deed};
	struct fire_tally tally;

	assert_int_equal(fire_wait(fire_start(path, &acting, -1)), 0);
	tally = fire_read_damaged(path);
	print_message("%lu calls, %lu lost, %lu faults\n", tally.calls, tally.lost, tally.faults);
	assert_true(tally.faults > 0);
	fire_remove(path);
	return tally;
}

static void test_cut_while_it_runs(void **state)
{
	struct fire_tally tally = act_while_it_runs(cut);

	assert_int_equal(tally.calls + tally.lost, 2 * (CALLS + 1));
	tally = act_while_it_runs(cut_in_the_middle);
	assert_int_equal(tally.calls + tally.lost, 2 * (CALLS + 1));
	assert_true(tally.missing > 0);
}

static void test_taken_away_while_it_runs(void **state)
{
	struct fire_tally tally = act_while_it_runs(take_away);

	assert_int_equal(tally.calls + tally.lost, 2 * (CALLS + 1));
}

static void test_control_cut_while_it_runs(void **state)
{
	struct fire_tally tally = act_while_it_runs(cut_control);

	assert_int_equal(tally.calls + tally.lost, 2 * (CALLS + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls_cut_to_nothing),
		cmocka_unit_test(test_calls_cut_in_the_middle),
		cmocka_unit_test(test_calls_gone),
		cmocka_unit_test(test_calls_of_another_recording),
		cmocka_unit_test(test_byte_of_header),
		cmocka_unit_test(test_byte_of_records),
		cmocka_unit_test(test_byte_of_slot),
		cmocka_unit_test(test_control_gone),
		cmocka_unit_test(test_control_cut),
		cmocka_unit_test(test_no_rights),
		cmocka_unit_test(test_io_errors),
		cmocka_unit_test(test_no_file_but_a_folder),
		cmocka_unit_test(test_cut_while_it_runs),
		cmocka_unit_test(test_taken_away_while_it_runs),
		cmocka_unit_test(test_control_cut_while_it_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
