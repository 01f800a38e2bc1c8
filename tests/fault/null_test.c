/* SPDX-License-Identifier: MIT */
/*
 * Every public function with NULL for each of its pointers: never a crash, INVAL or nothing comes
 * back, and outputs stay as they were. Options of other sizes than this library's too. Each call in
 * a process of its own.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "null_world.h"

enum { PLACES = 12, PLACE_BYTES = 1 << 15, UNTOUCHED = 0xa5, CALLS_LEAST = 280, SECONDS_MAX = 20 };

struct world world;
static unsigned char outputs[PLACES][PLACE_BYTES] __attribute__((aligned(16)));
static char session_file[4096], object_file[4096];

const char *world_text(const char *function, const char *argument)
{
	static const struct {
		const char *function, *argument, *text;
	} texts[] = {
		{"tacho_arch_find_", "name", "VALUBusy"},
		{"tacho_config_parse", "list", "device_time"},
		{"tacho_device_parse_config", "list", "device_time"},
		{"tacho_catalog_find_arch", "name", "gfx942"},
		{"tacho_catalog_find_arch", "api", "rocm"},
		{"tacho_compiled_read", "path", object_file},
		{"tacho_limits_find", "arch", "gfx906"},
		{"tacho_oa_gen_find", "name", "gen8"},
		{"tacho_recording_open", "path", session_file},
		{"tacho_recording_", "format", "jsonl"},
		{"tacho_recording_export", "base", "/nonexistent/out"},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!strncmp(function, texts[i].function, strlen(texts[i].function)) &&
		    !strcmp(argument, texts[i].argument))
			return texts[i].text;
	return "x";
}

void *world_output(unsigned place)
{
	return outputs[place];
}

void world_expect(int is_true)
{
	if (!is_true)
		_exit(1);
}

void world_expect_untouched(void)
{
	for (size_t i = 0; i < sizeof(outputs); i++)
		if (((unsigned char *)outputs)[i] != UNTOUCHED)
			_exit(2);
}

static unsigned char resized[2048] __attribute__((aligned(16)));
static char unknown[32];

void *world_resize(const void *options, size_t size, enum world_size how)
{
	const size_t sizes[] = {sizeof(size) - 1, sizeof(size), sizeof(resized), size + 40};

	memcpy(resized, options, size);
	memcpy(resized, &sizes[how], sizeof(size));
	if (how == WORLD_UNKNOWN)
		resized[size + 23] = 1;
	snprintf(unknown, sizeof(unknown), "byte %zu is not 0", size + 23);
	return resized;
}

void world_expect_size(int rc, enum world_size how)
{
	switch (how) {
	case WORLD_NO:
		world_expect(rc == TACHO_E_INVAL &&
			     strstr(tacho_error_last()->cause, "its size is "));
		break;
	case WORLD_UNKNOWN:
		world_expect(rc == TACHO_E_VERSION && strstr(tacho_error_last()->cause, unknown));
		break;
	default: world_expect(rc != TACHO_E_INVAL && rc != TACHO_E_VERSION); return;
	}
	world_expect_untouched();
}

void world_ignore_blob(void *user, const struct tacho_blob *blob)
{
}

static void must(int rc)
{
	if (rc) {
		fprintf(stderr, "null_test: %s: %s\n", tacho_error_last()->message,
			tacho_error_last()->cause);
		exit(1);
	}
}

static int take_nothing(void *user, const void *bytes, size_t size)
{
	return 0;
}

static void make_counting(void)
{
	static struct tacho_catalog_options catalog_options = {.size = sizeof(catalog_options),
							       .no_environment = 1};
	static struct tacho_config_entry config_entry = {.name = "SQ_WAVES"};
	static struct tacho_config_options config_options = {.size = sizeof(config_options)};
	static struct tacho_plan_options plan_options = {.size = sizeof(plan_options)};
	static struct tacho_context_options context_options = {.size = sizeof(context_options),
							       .backends = "sim:mi300x"};
	static struct tacho_session_options session_options = {.size = sizeof(session_options)};
	static struct tacho_sim_work sim_work = {
		.size = sizeof(sim_work), .grid = {64}, .workgroup = {64}, .duration_ns = 10};

	world.catalog_options = &catalog_options;
	world.config_entry = &config_entry;
	world.config_options = &config_options;
	world.plan_options = &plan_options;
	world.context_options = &context_options;
	world.session_options = &session_options;
	world.sim_work = &sim_work;
	must(tacho_context_create(&context_options, &world.context));
	world.probe = tacho_context_get_probe(world.context);
	world.device_info = tacho_context_get_device_info(world.context, 0);
	must(tacho_device_open(world.context, world.device_info, &world.device));
	must(tacho_catalog_open(&catalog_options, &world.catalog));
	world.arch = tacho_device_get_arch(world.device);
	world.model = tacho_device_get_model(world.device);
	world.entry = tacho_arch_find_entry(world.arch, "VALUBusy");
	must(tacho_config_create(world.arch, world.model, &config_entry, 1, &world.config));
	must(tacho_device_plan(world.device, world.config, NULL, &world.plan));
	must(tacho_session_create(world.device, world.plan, NULL, &world.session));
	must(tacho_sim_kernels_read(NULL, &world.sim_kernels));
}

/* A row of one counter. */
static void make_result(void)
{
	static struct tacho_formula formula = {.name = "SQ_WAVES"};
	static struct tacho_derive_options derive_options = {.size = sizeof(derive_options)};
	static const struct tacho_result *results[1];
	tacho_range range;

	must(tacho_session_begin_pass(world.session));
	must(tacho_session_begin_range(world.session, 0, 1, NULL, &range));
	must(tacho_sim_submit(world.device, world.sim_work, NULL));
	must(tacho_session_end_range(world.session, range));
	must(tacho_session_end_pass(world.session, NULL));
	must(tacho_session_drain(world.session, UINT64_C(1000000000), NULL));
	must(tacho_session_take(world.session, &world.result));
	world.column = tacho_result_get_column(world.result, 0);
	results[0] = world.result;
	world.results = results;
	world.formula = &formula;
	world.derive_options = &derive_options;
}

static struct tacho_diff *diff;

static void make_recording(void)
{
	static const struct tacho_fault fault = {.what = "is missing", .path = "calls-1.bin"};
	static struct tacho_findings_options findings_options = {.size = sizeof(findings_options)};
	static struct tacho_diff_options diff_options = {.size = sizeof(diff_options)};
	static struct tacho_export_options export_options = {.size = sizeof(export_options)};
	static struct tacho_sink sink = {.write = take_nothing};
	static struct tacho_blob blob = {.kind = "binary"};

	must(tacho_recording_open(session_file, &world.recording));
	world.recordings = &world.recording;
	must(tacho_cursor_open(world.recording, &world.cursor));
	must(tacho_columns_open(world.recording, &world.columns));
	world_expect(tacho_columns_next(world.columns, 1, &world.batch) == 1);
	world_expect(tacho_cursor_next(world.cursor, NULL) == 1);
	world.fault = &fault;
	world.process = tacho_recording_get_process(world.recording, 0);
	world.object = tacho_cursor_get_object(world.cursor, 0);
	must(tacho_summary_create(world.recording, &world.summary));
	world.summary_totals = tacho_summary_get_totals(world.summary);
	world.findings_options = &findings_options;
	world.diff_options = &diff_options;
	must(tacho_diff_create(world.recordings, 1, world.recordings, 1, NULL, &diff));
	world.diff = diff;
	world.export_options = &export_options;
	world.sink = &sink;
	world.blob = &blob;
}

static void make_rest(void)
{
	static struct tacho_oa_register oa_register;
	static struct tacho_oa_report oa_report;
	static struct tacho_oa_limits oa_limits;
	static struct tacho_oa_sums oa_sums;
	static struct tacho_oa_flex oa_flex;
	static struct tacho_limits limits;
	static unsigned char bytes[4096];
	static struct tacho_use use;

	world.bytes = bytes;
	world.bytes_size = sizeof(bytes);
	must(tacho_compiled_read(object_file, &world.compiled));
	world.compiled_kernel = tacho_compiled_get_kernel(world.compiled, 0);
	must(tacho_compiled_get_use(world.compiled_kernel, 64, &limits, &use));
	world.limits = &limits;
	world.use = &use;
	must(tacho_kept_create(&world.kept));
	world.oa_format = tacho_oa_format_get(0);
	world.oa_report = &oa_report;
	world.oa_limits = &oa_limits;
	world.oa_sums = &oa_sums;
	world.oa_flex = &oa_flex;
	must(tacho_oa_register_get(0, &oa_register));
	world.oa_field = oa_register.fields;
}

static void unmake(void)
{
	tacho_kept_destroy(world.kept);
	tacho_compiled_destroy(world.compiled);
	tacho_diff_destroy(diff);
	tacho_summary_destroy(world.summary);
	tacho_batch_destroy(world.batch);
	tacho_columns_close(world.columns);
	tacho_cursor_close(world.cursor);
	tacho_recording_close(world.recording);
	tacho_result_destroy(world.result);
	tacho_sim_kernels_destroy(world.sim_kernels);
	tacho_session_destroy(world.session);
	tacho_plan_destroy(world.plan);
	tacho_config_destroy(world.config);
	tacho_catalog_close(world.catalog);
	tacho_device_close(world.device);
	tacho_context_destroy(world.context);
}

static int try_case(const struct world_case *one)
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		alarm(SECONDS_MAX);
		memset(outputs, UNTOUCHED, sizeof(outputs));
		one->call();
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	if (!status)
		return 0;
	if (WIFSIGNALED(status))
		printf("%s: signal %d\n", one->name, WTERMSIG(status));
	else
		printf("%s: %s\n", one->name,
		       WEXITSTATUS(status) == 2 ? "an output was touched" : "it returns something");
	return 1;
}

int main(void)
{
	const char *root = getenv("TACHO_SOURCE_ROOT");
	size_t failed = 0, count = 0;

	snprintf(session_file, sizeof(session_file), "%s/tests/data/codexl/import/nbody.atp",
		 root ? root : ".");
	snprintf(object_file, sizeof(object_file), "%s/tests/data/occupancy/gfx900-v3.o",
		 root ? root : ".");
	make_counting();
	make_result();
	make_recording();
	make_rest();
	for (; world_cases[count].name; count++)
		failed += (size_t)try_case(&world_cases[count]);
	unmake();
	printf("%zu calls, %zu failed\n", count, failed);
	return failed || count < CALLS_LEAST;
}
