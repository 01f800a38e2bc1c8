/* SPDX-License-Identifier: MIT */
/* Valid arguments for every public function, for calls in which one of them is not (null.py). */
#ifndef TESTS_FAULT_NULL_WORLD_H
#define TESTS_FAULT_NULL_WORLD_H

#include <tacho/tacho.h>

struct world_case {
	const char *name; /* NULL ends the list */
	void (*call)(void);
};

extern const struct world_case world_cases[];

extern struct world {
	struct tacho_catalog_options *catalog_options;
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;
	const struct tacho_entry *entry;
	const struct tacho_model *model;
	struct tacho_config_entry *config_entry;
	struct tacho_config *config;
	struct tacho_config_options *config_options;
	struct tacho_plan_options *plan_options;
	struct tacho_plan *plan;
	struct tacho_context_options *context_options;
	struct tacho_context *context;
	const struct tacho_device_info *device_info;
	const struct tacho_probe *probe;
	struct tacho_device *device;
	struct tacho_session_options *session_options;
	struct tacho_session *session;
	struct tacho_sim_work *sim_work;
	struct tacho_sim_kernels *sim_kernels;
	struct tacho_result *result;
	const struct tacho_result **results;
	const struct tacho_column *column;
	struct tacho_formula *formula;
	struct tacho_derive_options *derive_options;
	struct tacho_recording *recording, **recordings;
	struct tacho_cursor *cursor;
	struct tacho_columns *columns;
	struct tacho_batch *batch;
	const struct tacho_process *process;
	const struct tacho_fault *fault;
	const struct tacho_object *object;
	struct tacho_blob *blob;
	struct tacho_summary *summary;
	const struct tacho_summary_totals *summary_totals;
	struct tacho_findings_options *findings_options;
	struct tacho_diff_options *diff_options;
	const struct tacho_diff *diff;
	struct tacho_export_options *export_options;
	struct tacho_sink *sink;
	struct tacho_limits *limits;
	struct tacho_use *use;
	struct tacho_compiled *compiled;
	const struct tacho_compiled_kernel *compiled_kernel;
	struct tacho_kept *kept;
	const struct tacho_oa_format *oa_format;
	struct tacho_oa_report *oa_report;
	struct tacho_oa_limits *oa_limits;
	struct tacho_oa_sums *oa_sums;
	struct tacho_oa_flex *oa_flex;
	const struct tacho_oa_field *oa_field;
	void *bytes;
	size_t bytes_size;
} world;

/* A text that the function takes for this argument. */
const char *world_text(const char *function, const char *argument);

/* Room for an output at this place among the arguments. */
void *world_output(unsigned place);
/* Nothing was written to any of them. */
void world_expect_untouched(void);

void world_expect(int is_true);

/* What the size of a struct of options may be. */
enum world_size {
	WORLD_NO,      /* less than the size itself has bytes */
	WORLD_LEAST,   /* an old program's: the size, and nothing of what is behind it */
	WORLD_LARGER,  /* a new program's, which asks for nothing new */
	WORLD_UNKNOWN, /* one that does */
};

/* A copy of `options` of another size. */
void *world_resize(const void *options, size_t size, enum world_size how);
/* Whether `rc` is what such options must give; the functions may have other reasons to fail. */
void world_expect_size(int rc, enum world_size how);

void world_ignore_blob(void *user, const struct tacho_blob *blob);

#endif
