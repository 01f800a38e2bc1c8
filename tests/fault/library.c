/* SPDX-License-Identifier: MIT */
/*
 * Calls of the library as a program makes them, to be run under faults: library WHAT [PATH...].
 * Prints what comes out. A call that fails must leave its outputs as they were (else the status is
 * 70) and say why; then that is printed and the status is 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tacho/sys/file.h>
#include <tacho/tacho.h>

enum { FAILED = 1, TOUCHED = 70, PASSES_MAX = 64 };

static void fail(const char *call)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	fprintf(stderr, "library: %s: %s: %s\n", call, detail->message, detail->cause);
	if (!*detail->message)
		exit(TOUCHED);
	exit(FAILED);
}

static void check_untouched(const void *output, const void *before, const char *call)
{
	if (output != before) {
		fprintf(stderr, "library: %s failed and touched its output\n", call);
		exit(TOUCHED);
	}
}

/* A call whose last argument is where a pointer goes. */
#define MAKE(pointer, call)                                          \
	do {                                                         \
		static char before_;                                 \
		int rc_;                                             \
		(pointer) = (void *)&before_;                        \
		rc_ = (call);                                        \
		if (rc_)                                             \
			check_untouched((pointer), &before_, #call); \
		if (rc_)                                             \
			fail(#call);                                 \
	} while (0)

#define DO(call)                     \
	do {                         \
		if (call)            \
			fail(#call); \
	} while (0)

static void print_result(const struct tacho_result *result)
{
	const struct tacho_column *column;

	for (size_t row = 0; row < tacho_result_get_row_count(result); row++) {
		const struct tacho_row *info = tacho_result_get_row(result, row);

		printf("%" PRIu64 " %s in %" PRIu64 ":", info->id, info->name, info->parent);
		for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++)
			for (size_t k = 0; k < column->instance_count; k++)
				printf(" %s %.17g %s", column->name,
				       tacho_column_get_value(column, row, k),
				       tacho_state_to_string(
					       tacho_column_get_state(column, row, k)));
		putchar('\n');
	}
}

/* ---- the catalog ---- */

static void run_catalog(char **paths)
{
	struct tacho_catalog_options options = {.size = sizeof(options),
						.arch = "gfx942",
						.definitions = (const char *const *)paths,
						.definition_count = paths[0] ? 1 : 0,
						.no_environment = 1};
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	const struct tacho_entry *metric, **entries;
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;
	struct tacho_config_options wish = {.size = sizeof(wish)};
	const struct tacho_config_entry *entry;
	struct tacho_config *config;
	const char *semantic;
	char *expanded;
	uint32_t dimension_count;
	size_t count;

	MAKE(catalog, tacho_catalog_open(&options, &catalog));
	MAKE(arch, tacho_catalog_find_arch(catalog, "gfx942", NULL, &arch));
	metric = tacho_arch_find_entry(arch, "VALUBusy");
	MAKE(entries, tacho_arch_list_inputs(arch, metric, &entries, &count));
	for (size_t i = 0; i < count; i++)
		printf("%s\n", entries[i]->name);
	free(entries);
	MAKE(expanded, tacho_arch_format_expanded(arch, metric, &expanded));
	printf("%s\n", expanded);
	free(expanded);
	semantic = tacho_arch_get_semantic(arch, metric);
	if (!semantic)
		fail("tacho_arch_get_semantic");
	printf("%s\n", semantic);
	wish.arch = arch;
	MAKE(config, tacho_config_parse("TCC_HIT*,VALUBusy,device_time", &wish, &config, NULL));
	for (size_t i = 0; (entry = tacho_config_get_entry(config, i)); i++)
		printf("%s\n", entry->name);
	tacho_config_destroy(config);
	DO(tacho_arch_get_dimensions(arch, tacho_arch_find_entry(arch, "TCC_HIT"),
				     tacho_arch_find_model(arch, "mi300x"), dimensions,
				     &dimension_count));
	for (uint32_t i = 0; i < dimension_count; i++)
		printf("%s %u\n", dimensions[i].name, dimensions[i].extent);
	tacho_catalog_close(catalog);
}

/* ---- plans and sessions ---- */

static const struct tacho_config_entry wanted[] = {
	{.name = "MeanOccupancyPerCU"}, {.name = "FETCH_SIZE"}, {.name = "WRITE_SIZE"},
	{.name = "VALUBusy"},		{.name = "L2CacheHit"}, {.name = "SQ_WAVES"},
};

enum { WANTED = sizeof(wanted) / sizeof(wanted[0]) };

static void print_plan(const struct tacho_plan *plan)
{
	const struct tacho_plan_entry *entry;
	const struct tacho_plan_pass *pass;
	struct tacho_plan_summary summary;

	tacho_plan_get_summary(plan, &summary);
	printf("%zu passes, %zu at least: %s %s\n", summary.pass_count, summary.lower_bound,
	       summary.binding, summary.advice);
	for (size_t i = 0; (pass = tacho_plan_get_pass(plan, i)); i++)
		for (size_t k = 0; k < pass->counter_count; k++)
			printf("%zu %s\n", i, pass->counters[k].entry->name);
	for (size_t i = 0; (entry = tacho_plan_get_entry(plan, i)); i++)
		printf("%s in %zu\n", entry->entry->name, entry->pass_count);
}

static void run_work(struct tacho_session *session, struct tacho_device *device)
{
	const struct tacho_sim_work work = {.size = sizeof(work),
					    .name = "gather",
					    .grid = {304 * 16 * 64},
					    .workgroup = {64},
					    .bytes_read = 1 << 20,
					    .bytes_written = 256 << 10,
					    .l1_hit = 0.5,
					    .l2_hit = 0.25,
					    .duration_ns = 10000};
	tacho_range frame, inner;

	DO(tacho_session_begin_range(session, 0, 1, "frame", &frame));
	DO(tacho_session_begin_range(session, frame, 2, "gather", &inner));
	DO(tacho_sim_submit(device, &work, NULL));
	DO(tacho_session_end_range(session, inner));
	DO(tacho_sim_submit(device, &work, NULL));
	DO(tacho_session_end_range(session, frame));
}

static void collect(struct tacho_session *session, struct tacho_device *device, uint32_t replay)
{
	int more = 1;

	for (int pass = 0; more && pass < PASSES_MAX; pass++) {
		if (replay == TACHO_REPLAY_CALLER)
			DO(tacho_session_begin_pass(session));
		run_work(session, device);
		if (replay == TACHO_REPLAY_CALLER)
			DO(tacho_session_end_pass(session, &more));
		else
			more = pass < 7;
	}
}

static void run_session(uint32_t replay)
{
	struct tacho_context_options options = {.size = sizeof(options), .backends = "sim:mi300x"};
	struct tacho_session_options how = {.size = sizeof(how), .replay = replay};
	struct tacho_context *context;
	struct tacho_session *session;
	struct tacho_config *config;
	struct tacho_result *result, *merged;
	struct tacho_plan *plan;
	struct tacho_device *device;

	MAKE(context, tacho_context_create(&options, &context));
	MAKE(device,
	     tacho_device_open(context, tacho_context_get_device_info(context, 0), &device));
	MAKE(config, tacho_config_create(tacho_device_get_arch(device),
					 tacho_device_get_model(device), wanted, WANTED, &config));
	MAKE(plan, tacho_device_plan(device, config, NULL, &plan));
	print_plan(plan);
	MAKE(session, tacho_session_create(device, plan, &how, &session));
	collect(session, device, replay);
	DO(tacho_session_drain(session, UINT64_C(5000000000), NULL));
	MAKE(result, tacho_session_take(session, &result));
	print_result(result);
	MAKE(merged, tacho_session_merge((const struct tacho_result *const *)&result, 1, &merged));
	print_result(merged);
	tacho_result_destroy(merged);
	tacho_result_destroy(result);
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	tacho_context_destroy(context);
}

static void run_ranges(char **paths)
{
	run_session(TACHO_REPLAY_CALLER);
}

static void run_rotation(char **paths)
{
	run_session(TACHO_REPLAY_ROTATE);
}

/* ---- recordings ---- */

static void take_blob(void *user, const struct tacho_blob *blob)
{
	printf("%s of %zu bytes\n", blob->kind, blob->size);
}

/* Who asks again, as a second reader does, finds nothing half done. */
static int open_cursor(struct tacho_recording *recording, struct tacho_cursor **out_cursor)
{
	int rc = tacho_cursor_open(recording, out_cursor);

	return rc ? tacho_cursor_open(recording, out_cursor) : 0;
}

static void read_calls(struct tacho_recording *recording)
{
	const struct tacho_object *object;
	const struct tacho_call *call;
	struct tacho_cursor *cursor;
	const char *name, *text;
	int rc;

	MAKE(cursor, open_cursor(recording, &cursor));
	tacho_cursor_on_blob(cursor, take_blob, NULL);
	while ((rc = tacho_cursor_next(cursor, &call)) == 1) {
		printf("%s %s", call->function->name, tacho_cursor_format_arguments(cursor, ", "));
		for (size_t i = 0; (text = tacho_cursor_get_argument(cursor, i, &name)); i++)
			printf(" %s=%s", name, text);
		printf(" -> %s%s\n", call->result, tacho_cursor_get_row(cursor) ? " counted" : "");
	}
	if (rc)
		fail("tacho_cursor_next");
	for (size_t i = 0; (object = tacho_cursor_get_object(cursor, i)); i++)
		printf("object %s\n", object->name);
	tacho_cursor_close(cursor);
}

static void run_recording(char **paths)
{
	struct tacho_recording *recording;
	struct tacho_findings *findings;
	struct tacho_summary *summary;
	struct tacho_diff *diff;
	const char *text;

	MAKE(recording, tacho_recording_open(paths[0], &recording));
	printf("%s\n", tacho_recording_get_run(recording)->application);
	read_calls(recording);
	MAKE(summary, tacho_summary_create_with_gaps(recording, &summary));
	for (size_t i = 0; (text = tacho_summary_get_note(summary, i)); i++)
		printf("%s\n", text);
	tacho_summary_destroy(summary);
	MAKE(findings, tacho_findings_create(recording, NULL, &findings));
	for (size_t i = 0; i < tacho_findings_get_count(findings); i++)
		printf("%s\n", tacho_findings_get(findings, i)->message);
	tacho_findings_destroy(findings);
	MAKE(diff, tacho_diff_create(&recording, 1, &recording, 1, NULL, &diff));
	for (size_t i = 0; tacho_diff_get_line(diff, i); i++)
		printf("%s\n", tacho_diff_get_line(diff, i)->name);
	tacho_diff_destroy(diff);
	DO(tacho_recording_check(recording));
	tacho_recording_close(recording);
}

static int print_bytes(void *user, const void *bytes, size_t size)
{
	fwrite(bytes, 1, size, stdout);
	return 0;
}

static void run_export(char **paths)
{
	const struct tacho_sink sink = {.write = print_bytes};
	const struct tacho_format *format;
	struct tacho_recording *recording;

	MAKE(recording, tacho_recording_open(paths[0], &recording));
	for (size_t i = 0; (format = tacho_format_get(i)); i++) {
		uint64_t bytes = 0;

		if (!strcmp(format->name, "programs"))
			continue;
		DO(tacho_recording_estimate(recording, format->name, &bytes));
		printf("%s %" PRIu64 "\n", format->name, bytes);
		if (format->is_stream)
			DO(tacho_recording_export_to(recording, format->name, &sink, NULL));
		else
			DO(tacho_recording_export(recording, format->name, "out", NULL));
	}
	tacho_recording_close(recording);
}

/* ---- occupancy ---- */

static void run_occupancy(char **paths)
{
	const struct tacho_compiled_kernel *kernel;
	struct tacho_occupancy_range *ranges;
	struct tacho_occupancy occupancy;
	struct tacho_compiled *compiled;
	struct tacho_limits limits;
	struct tacho_use use;
	size_t count;

	MAKE(compiled, tacho_compiled_read(paths[0], &compiled));
	for (size_t i = 0; (kernel = tacho_compiled_get_kernel(compiled, i)); i++) {
		DO(tacho_compiled_get_use(kernel, 64, &limits, &use));
		DO(tacho_occupancy_get(&limits, &use, &occupancy));
		printf("%s %s %.17g\n", kernel->name, kernel->arch, occupancy.percent);
		MAKE(ranges,
		     tacho_occupancy_list(&limits, &use, TACHO_OCCUPANCY_VECTOR, &ranges, &count));
		for (size_t k = 0; k < count; k++)
			printf("%" PRIu64 " %u\n", ranges[k].first, ranges[k].waves);
		free(ranges);
	}
	printf("%s\n", tacho_compiled_get_note(compiled));
	tacho_compiled_destroy(compiled);
}

static const struct {
	const char *name;
	void (*run)(char **paths);
} parts[] = {
	{"catalog", run_catalog},     {"ranges", run_ranges}, {"rotation", run_rotation},
	{"recording", run_recording}, {"export", run_export}, {"occupancy", run_occupancy},
};

int main(int argc, char **argv)
{
	FILE *out = tacho_stream_open(STDOUT_FILENO);

	if (!out)
		fail("tacho_stream_open");
	stdout = out;
	for (size_t i = 0; argc > 1 && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(argv[1], parts[i].name))
			parts[i].run(argv + 2);
	if (fclose(stdout)) {
		perror("library: the output");
		return FAILED;
	}
	return 0;
}
