/* SPDX-License-Identifier: MIT */
/* Session files, compared byte by byte with texts worked out by hand and read back as tokens. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>

#include "sample_recording.h"
#include "tacho/tacho.h"
#include "test_folder.h"

static char *read_source(const char *path)
{
	char full[PATH_MAX];

	assert_true(snprintf(full, sizeof(full), "%s/%s", getenv("TACHO_SOURCE_ROOT"), path) <
		    (int)sizeof(full));
	return read_text(full);
}

/* The golden text with the version of this build in it. */
static char *read_golden(const char *name)
{
	static const char mark[] = "@VERSION@";
	char path[PATH_MAX], *text, *at, *full;

	snprintf(path, sizeof(path), "tests/data/codexl/%s", name);
	text = read_source(path);
	assert_non_null(text);
	at = strstr(text, mark);
	assert_non_null(at);
	assert_true(asprintf(&full, "%.*s%s%s", (int)(at - text), text, tacho_version(),
			     at + strlen(mark)) > 0);
	free(text);
	return full;
}

static void export_codexl(struct folder *folder, struct fake_recording *recording, const char *name)
{
	assert_int_equal(tacho_recording_export(fake_recording(recording), "codexl",
						folder_name(folder, name), NULL),
			 0);
}

static void compare_file(struct folder *folder, const char *name)
{
	char *written = read_text(folder_name(folder, name)), *expected = read_golden(name);

	assert_non_null(written);
	assert_string_equal(written, expected);
	free(written);
	free(expected);
}

static void test_golden(void **state)
{
	static const char *const files[] = {"vadd.atp",	   "vadd.csv",	      "mixed.atp",
					    "mixed.csv",   "mixed.occupancy", "buffers.atp",
					    "buffers.csv", "ranges.atp"};
	struct folder folder;
	struct stat status;

	folder_make(&folder);
	export_codexl(&folder, sample_vadd(), "vadd");
	export_codexl(&folder, sample_mixed(), "mixed");
	export_codexl(&folder, sample_buffers(), "buffers");
	export_codexl(&folder, sample_ranges(), "ranges");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		compare_file(&folder, files[i]);
	assert_int_equal(folder_count(&folder), 12);
	assert_int_equal(stat(folder_name(&folder, "vadd.atp"), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	folder_remove(&folder);
}

/* Takes a line out that no other file has. */
static void drop_line(char *text, const char *key)
{
	char *line = strstr(text, key), *end;

	assert_non_null(line);
	if (line > text && line[-1] == '#')
		line--;
	end = strchr(line, '\n');
	memmove(line, end + 1, strlen(end + 1) + 1);
}

/* The example that other writers' widths were taken from, when it is at hand. */
static void test_reference_example(void **state)
{
	char *atp = read_source("../shared/data/codexl/ocl.atp");
	char *csv = read_source("../shared/data/codexl/ocl.csv"), *written;
	struct folder folder;

	if (!atp || !csv) {
		print_message("skipped: ../shared/data/codexl is not here\n");
		skip();
	}
	folder_make(&folder);
	export_codexl(&folder, sample_vadd(), "demo");
	written = read_text(folder_name(&folder, "demo.atp"));
	drop_line(written, "Generator=");
	drop_line(written, "Lost=");
	assert_string_equal(written, atp);
	free(written);
	written = read_text(folder_name(&folder, "demo.csv"));
	drop_line(written, "Generator=");
	drop_line(written, "Lost=");
	/* its columns go on with counters, and its row is another run's */
	assert_memory_equal(written, csv, (size_t)(strstr(csv, ", Wavefronts") - csv));
	free(written);
	free(atp);
	free(csv);
	folder_remove(&folder);
}

/* ---- reading back, as readers of the format do: token by token ---- */

struct sums {
	uint64_t blocks, calls, api_ns, tails;
	uint64_t kernel_ns, launches, transfer_ns, transfer_bytes, transfers;
};

static void read_tail(const char *at, struct sums *sums)
{
	unsigned code;
	uint64_t queued, submitted, running, complete, bytes;
	char name[41], queue[26], context[26], device[31], handle[26], kernel[64];
	int queue_id, context_id, used;

	if (sscanf(at,
		   "%u %40s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %d %25s %d %25s %30s%n",
		   &code, name, &queued, &submitted, &running, &complete, &queue_id, queue,
		   &context_id, context, device, &used) != 11)
		return;
	sums->tails++;
	assert_true(queued <= submitted && submitted <= running && running <= complete);
	if (code == 0x11f0) {
		assert_int_equal(sscanf(at + used, "%25s %63s", handle, kernel), 2);
		sums->launches++;
		sums->kernel_ns += complete - running;
	} else if (sscanf(at + used, "%" SCNu64, &bytes) == 1) {
		sums->transfers++;
		sums->transfer_ns += complete - running;
		sums->transfer_bytes += bytes;
	}
}

static struct sums read_atp(const char *path)
{
	char *text = read_text(path), *line, *rest;
	struct sums sums = {0};

	assert_non_null(text);
	rest = strstr(text, "=====ocl Timestamp Output=====\n");
	assert_non_null(rest);
	strsep(&rest, "\n");
	while ((line = strsep(&rest, "\n")) && *line) {
		uint64_t count = strtoull(strsep(&rest, "\n"), NULL, 10);

		sums.blocks++;
		for (uint64_t i = 0; i < count; i++) {
			uint64_t start, end;
			char name[64];
			int number, used;

			line = strsep(&rest, "\n");
			assert_non_null(line);
			assert_int_equal(sscanf(line, "%d %63s %" SCNu64 " %" SCNu64 "%n", &number,
						name, &start, &end, &used),
					 4);
			sums.calls++;
			sums.api_ns += end - start;
			read_tail(line + used, &sums);
		}
	}
	free(text);
	return sums;
}

/* Every block of the first section has as many lines as it says. */
static uint64_t count_api_lines(const char *path)
{
	char *text = read_text(path), *rest = strstr(text, "=====ocl API Trace Output=====\n"),
	     *line;
	uint64_t total = 0;

	strsep(&rest, "\n");
	while ((line = strsep(&rest, "\n")) && *line != '=') {
		uint64_t count = strtoull(strsep(&rest, "\n"), NULL, 10);

		total += count;
		while (count--) {
			line = strsep(&rest, "\n");
			assert_non_null(strstr(line, " = "));
			assert_non_null(strstr(line, " ( "));
		}
	}
	free(text);
	return total;
}

static void sum_lines(const struct tacho_summary *summary, enum tacho_summary_key key,
		      uint64_t *out_total, uint64_t *out_measured, uint64_t *out_bytes)
{
	const struct tacho_summary_line *line;

	*out_total = *out_measured = *out_bytes = 0;
	for (size_t i = 0; (line = tacho_summary_get_line(summary, key, i)); i++) {
		*out_total += line->total_ns;
		*out_measured += line->measured;
		*out_bytes += line->measured ? line->bytes : 0;
	}
}

/* Long enough that each thread's text goes through the temporary file many times. */
static void test_sums_agree_with_the_summary(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct tacho_summary *summary;
	uint64_t total, measured, bytes;
	struct folder folder;
	struct sums sums;

	recording.repeat = 5000;
	recording.shift_ns = 1000000;
	folder_make(&folder);
	export_codexl(&folder, &recording, "many");
	sums = read_atp(folder_name(&folder, "many.atp"));
	assert_int_equal(count_api_lines(folder_name(&folder, "many.atp")), 4 * 5000);
	assert_int_equal(tacho_summary_create(fake_recording(&recording), &summary), 0);
	assert_int_equal(sums.calls, tacho_summary_get_totals(summary)->calls);
	assert_int_equal(sums.api_ns, tacho_summary_get_totals(summary)->api_ns);
	/* by hand: 2,400 + 80,000 + 4,000 + 45,000 each time */
	assert_int_equal(sums.api_ns, UINT64_C(131400) * 5000);
	sum_lines(summary, TACHO_BY_KERNEL, &total, &measured, &bytes);
	assert_int_equal(sums.kernel_ns, total);
	assert_int_equal(sums.kernel_ns, UINT64_C(20000) * 5000);
	assert_int_equal(sums.launches, measured);
	sum_lines(summary, TACHO_BY_TRANSFER, &total, &measured, &bytes);
	assert_int_equal(sums.transfer_ns, total);
	assert_int_equal(sums.transfer_bytes, bytes);
	assert_int_equal(sums.transfer_bytes, UINT64_C(4096) * 5000);
	assert_int_equal(sums.transfers, measured);
	tacho_summary_destroy(summary);
	assert_int_equal(folder_count(&folder), 3); /* no temporary file is left */
	folder_remove(&folder);
}

/* Exported once more, under the same name, it is the same byte by byte. */
static void compare_again(struct fake_recording *recording, const char *text)
{
	struct folder folder;
	char *again;

	folder_make(&folder);
	export_codexl(&folder, recording, "threads");
	again = read_text(folder_name(&folder, "threads.atp"));
	assert_string_equal(text, again);
	free(again);
	folder_remove(&folder);
}

/* Many threads: each block keeps its own calls, and blocks stand in the order of their ids' text.
 */
static void test_many_threads(void **state)
{
	enum { THREADS = 300, CALLS = 100 };
	static struct fake_call calls[THREADS * CALLS];
	struct fake_recording recording = *sample_vadd();
	struct folder folder;
	struct sums sums;
	char *text, *at, *rest, last[32] = "";

	for (uint32_t i = 0; i < THREADS * CALLS; i++) {
		calls[i] = recording.calls[3];
		calls[i].call.thread = 90 + i % THREADS;
	}
	recording.calls = calls;
	recording.call_count = THREADS * CALLS;
	folder_make(&folder);
	export_codexl(&folder, &recording, "threads");
	sums = read_atp(folder_name(&folder, "threads.atp"));
	assert_int_equal(sums.blocks, THREADS);
	assert_int_equal(sums.calls, THREADS * CALLS);
	text = read_text(folder_name(&folder, "threads.atp"));
	compare_again(&recording, text);
	rest = strstr(text, "=====ocl Timestamp");
	strsep(&rest, "\n");
	for (int i = 0; i < THREADS; i++) {
		at = strsep(&rest, "\n");
		assert_true(strcmp(last, at) < 0);
		snprintf(last, sizeof(last), "%s", at);
		assert_int_equal(atoi(strsep(&rest, "\n")), CALLS);
		for (int k = 0; k < CALLS; k++)
			assert_int_equal(strncmp(strsep(&rest, "\n"), "51   clFinish ", 14), 0);
	}
	free(text);
	folder_remove(&folder);
}

/* Readers of .csv take 2,047 bytes per line. */
static void test_lines_of_csv_are_short(void **state)
{
	static char name[5000], arguments[5000];
	struct fake_recording recording = *sample_vadd();
	struct fake_object kernel = *recording.objects[4];
	struct tacho_command command = *recording.calls[2].call.command;
	struct fake_call call = recording.calls[2];
	struct folder folder;
	char *text, *rest, *line;

	memset(name, 'k', sizeof(name) - 1);
	memcpy(name, "first", 5);
	memcpy(name + sizeof(name) - 5, "last", 4);
	memset(arguments, 'a', sizeof(arguments) - 1);
	kernel.object.name = name;
	command.kernel = &kernel.object;
	call.call.command = &command;
	recording.calls = &call;
	recording.call_count = 1;
	recording.run.arguments = arguments;
	folder_make(&folder);
	export_codexl(&folder, &recording, "long");
	text = rest = read_text(folder_name(&folder, "long.csv"));
	while ((line = strsep(&rest, "\n")))
		assert_true(strlen(line) < 2047);
	free(text);
	text = read_text(folder_name(&folder, "long.csv"));
	assert_non_null(strstr(text, "\nfirstk"));
	assert_non_null(strstr(text, "klast__k1_gfx8031, 1, "));
	assert_non_null(strstr(text, "aaa...\n#WorkingDirectory"));
	free(text);
	text = read_text(folder_name(&folder, "long.atp"));
	assert_non_null(strstr(text, name)); /* whole where there is no such limit */
	free(text);
	folder_remove(&folder);
}

/* Devices of one name are numbered in each process; half of the last decimal is rounded up. */
static void test_cells_of_csv(void **state)
{
	struct fake_recording recording = *sample_mixed();
	struct fake_object elsewhere = *recording.objects[0]; /* the first of another process */
	const struct fake_object *objects[] = {recording.objects[0], recording.objects[6],
					       &elsewhere};
	struct fake_call calls[] = {recording.calls[2], recording.calls[2]};
	struct tacho_command commands[] = {*calls[0].call.command, *calls[0].call.command};
	struct folder folder;
	char *text;

	elsewhere.object.process = &recording.processes[1];
	for (size_t i = 0; i < 2; i++) {
		commands[i].device = &objects[1 + i]->object;
		commands[i].end_ns = commands[i].start_ns + 123456789012345;
		calls[i].call.command = &commands[i];
	}
	recording.objects = objects;
	recording.object_count = 3;
	recording.calls = calls;
	recording.call_count = 2;
	folder_make(&folder);
	export_codexl(&folder, &recording, "cells");
	text = read_text(folder_name(&folder, "cells.csv"));
	assert_non_null(strstr(text, "\nvadd__k1_gfx8032, 1, 4711, 0, "));
	assert_non_null(strstr(text, "\nvadd__k1_gfx8031, 2, 4711, 1, "));
	assert_non_null(strstr(text, "}, 123456789.01235, 0, NA, NA, NA\n"));
	free(text);
	folder_remove(&folder);
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* A file that exists is kept, and nothing else appears beside it. */
static void test_existing_files(void **state)
{
	const struct tacho_export_options overwrite = {.size = sizeof(overwrite), .overwrite = 1};
	struct fake_recording *recording = sample_vadd();
	struct folder folder;
	char base[PATH_MAX], *text;

	folder_make(&folder);
	snprintf(base, sizeof(base), "%s", folder_name(&folder, "vadd"));
	write_text(folder_name(&folder, "vadd.csv"), "mine");
	assert_int_equal(tacho_recording_export(fake_recording(recording), "codexl", base, NULL),
			 TACHO_E_EXISTS);
	assert_non_null(strstr(tacho_error_last()->message, "vadd.csv"));
	assert_int_equal(folder_count(&folder), 1);
	text = read_text(folder_name(&folder, "vadd.csv"));
	assert_string_equal(text, "mine");
	free(text);
	assert_int_equal(
		tacho_recording_export(fake_recording(recording), "codexl", base, &overwrite), 0);
	compare_file(&folder, "vadd.csv");
	assert_int_equal(folder_count(&folder), 3);
	folder_remove(&folder);
}

/* What a planted link points to stays as it was. */
static void test_links_are_not_followed(void **state)
{
	const struct tacho_export_options overwrite = {.size = sizeof(overwrite), .overwrite = 1};
	struct folder folder;
	char target[PATH_MAX], *text;

	folder_make(&folder);
	snprintf(target, sizeof(target), "%s", folder_name(&folder, "precious"));
	write_text(target, "precious");
	assert_int_equal(symlink(target, folder_name(&folder, "vadd.atp")), 0);
	assert_int_equal(tacho_recording_export(fake_recording(sample_vadd()), "codexl",
						folder_name(&folder, "vadd"), NULL),
			 TACHO_E_EXISTS);
	assert_int_equal(tacho_recording_export(fake_recording(sample_vadd()), "codexl",
						folder_name(&folder, "vadd"), &overwrite),
			 0);
	text = read_text(target);
	assert_string_equal(text, "precious");
	free(text);
	compare_file(&folder, "vadd.atp");
	folder_remove(&folder);
}

static uint64_t size_of(struct folder *folder, const char *name)
{
	struct stat status;

	assert_int_equal(stat(folder_name(folder, name), &status), 0);
	return (uint64_t)status.st_size;
}

static void check_estimate(struct fake_recording *recording)
{
	struct folder folder;
	uint64_t estimate, size;

	folder_make(&folder);
	export_codexl(&folder, recording, "x");
	size = size_of(&folder, "x.atp") + size_of(&folder, "x.csv") +
	       size_of(&folder, "x.occupancy");
	assert_int_equal(tacho_recording_estimate(fake_recording(recording), "codexl", &estimate),
			 0);
	assert_in_range(estimate, size / 2, size * 2);
	folder_remove(&folder);
}

static void test_estimate(void **state)
{
	struct fake_recording recording = *sample_vadd();

	check_estimate(&recording);
	recording.repeat = 3000;
	check_estimate(&recording);
	recording = *sample_mixed();
	check_estimate(&recording);
	recording.repeat = 3000;
	check_estimate(&recording);
	/* nothing but polling: a hundred thousand calls become one line */
	recording.calls += 4;
	recording.call_count = 1;
	recording.repeat = 100000;
	check_estimate(&recording);
}

static void test_empty_recording(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct folder folder;
	struct sums sums;

	recording.call_count = 0;
	recording.object_count = 0;
	folder_make(&folder);
	export_codexl(&folder, &recording, "empty");
	sums = read_atp(folder_name(&folder, "empty.atp"));
	assert_int_equal(sums.calls, 0);
	assert_int_equal(folder_count(&folder), 3);
	folder_remove(&folder);
}

static void test_unknown_format(void **state)
{
	const struct tacho_format *format;
	size_t count = 0;

	assert_int_equal(
		tacho_recording_export(fake_recording(sample_vadd()), "xml", "/tmp/x", NULL),
		TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->cause, "codexl, csv, html, jsonl, "));
	while ((format = tacho_format_get(count))) {
		assert_true(*format->name && *format->summary && *format->suffixes);
		count++;
	}
	assert_in_range(count, 7, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_reference_example),
		cmocka_unit_test(test_sums_agree_with_the_summary),
		cmocka_unit_test(test_many_threads),
		cmocka_unit_test(test_lines_of_csv_are_short),
		cmocka_unit_test(test_cells_of_csv),
		cmocka_unit_test(test_existing_files),
		cmocka_unit_test(test_links_are_not_followed),
		cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_empty_recording),
		cmocka_unit_test(test_unknown_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
