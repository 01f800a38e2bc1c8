/* SPDX-License-Identifier: MIT */
/* rocprofv3's input in YAML or JSON: jobs, each a run of the program with counters and a selection.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/pattern.h"
#include "base/yaml.h"
#include "plan/counter_list_parts.h"
#include "plan/iterations.h"

enum { DEPTH_MAX = 3, KEY_MAX = 64 };

/* What becomes of a key. */
enum means {
	PMC,
	INCLUDE,
	EXCLUDE,
	ITERATIONS,
	RECORDED, /* every recording has it */
	REMARK,	  /* it is left undone, which is told */
	REFUSED,
};

static const char other_counters[] = "all counters of a file are counted in every launch that it "
				     "selects; --replay rotate gives launches a pass each";
static const char calls[] = "of the APIs that tacho knows, a recording has all calls, and of "
			    "others none: tacho doctor";
static const char no_such[] = "tacho has nothing of that kind";
static const char files[] = "name the recording with -o, and formats with --export";
static const char names[] = "kernels are called as the program calls them";
static const char report[] = "see tacho report";
static const char traces[] = "options of traces are those of --export perfetto";
static const char sampling[] = "tacho does not sample program counters";
static const char threads[] = "tacho does not trace threads of devices";
static const char streams[] = "tacho does not stream counters";
static const char selects[] = "which launches it is to keep, or to leave out, is defined nowhere";
static const char time[] = "say it with -D and --duration";

static const struct {
	const char *key;
	enum means means;
	const char *why;
} keys[] = {
	{"pmc", PMC, ""},
	{"pmc_groups", PMC, ""},
	{"pmc_group_interval", REMARK, other_counters},
	{"kernel_include_regex", INCLUDE, ""},
	{"kernel_exclude_regex", EXCLUDE, ""},
	{"kernel_iteration_range", ITERATIONS, ""},
	{"filter", REFUSED, selects},
	{"kernel_trace", RECORDED, ""},
	{"memory_copy_trace", RECORDED, ""},
	{"hip_trace", REMARK, calls},
	{"hip_runtime_trace", REMARK, calls},
	{"hip_compiler_trace", REMARK, calls},
	{"hip_graph_trace", REMARK, calls},
	{"hsa_trace", REMARK, calls},
	{"hsa_core_trace", REMARK, calls},
	{"hsa_amd_trace", REMARK, calls},
	{"hsa_image_trace", REMARK, calls},
	{"hsa_finalize_trace", REMARK, calls},
	{"hsa_finalizer_trace", REMARK, calls},
	{"rccl_trace", REMARK, calls},
	{"rocshmem_trace", REMARK, calls},
	{"rocdecode_trace", REMARK, calls},
	{"rocjpeg_trace", REMARK, calls},
	{"hipfile_trace", REMARK, calls},
	{"ompt_trace", REMARK, calls},
	{"kokkos_trace", REMARK, calls},
	{"kfd_trace", REMARK, calls},
	{"marker_trace", REMARK, calls},
	{"runtime_trace", REMARK, calls},
	{"sys_trace", REMARK, calls},
	{"memory_allocation_trace", REMARK, calls},
	{"scratch_memory_trace", REMARK, no_such},
	{"selected_regions", REMARK, "say it with --start-paused and tacho/profile.h"},
	{"stats", REMARK, report},
	{"summary", REMARK, report},
	{"summary_per_domain", REMARK, report},
	{"summary_groups", REMARK, report},
	{"summary_output_file", REMARK, report},
	{"summary_units", REMARK, report},
	{"mangled_kernels", REMARK, names},
	{"truncate_kernels", REMARK, names},
	{"kernel_rename", REMARK, names},
	{"output_file", REMARK, files},
	{"output_directory", REMARK, files},
	{"output_format", REMARK, files},
	{"output_config", REMARK, files},
	{"minimum_output_data", REMARK, "a recording is kept whatever it holds"},
	{"extra_counters", REFUSED, "definitions of counters are given to plan and eval only"},
	{"list_metrics", REMARK, "see tacho list counters"},
	{"list_avail", REMARK, "see tacho list counters"},
	{"log_level", REMARK, "see -q, and tacho doctor"},
	{"preload", REMARK, "see LD_PRELOAD"},
	{"disable_signal_handlers", RECORDED, ""}, /* tacho has none in the program */
	{"suppress_marker_preload", RECORDED, ""},
	{"agent_index", REMARK, "exports number devices in one way"},
	{"group_by_queue", REMARK, traces},
	{"perfetto_backend", REMARK, traces},
	{"perfetto_buffer_size", REMARK, traces},
	{"perfetto_buffer_fill_policy", REMARK, traces},
	{"perfetto_shmem_size_hint", REMARK, traces},
	{"rocm_root", REMARK, no_such},
	{"sdk_soversion", REMARK, no_such},
	{"sdk_version", REMARK, no_such},
	{"benchmark_mode", REMARK, no_such},
	{"echo", REMARK, no_such},
	{"readlink", REMARK, no_such},
	{"realpath", REMARK, no_such},
	{"version", REMARK, no_such},
	{"profile_mpi_ranks", REFUSED, "launch tacho for the ranks that are wanted"},
	{"collection_period", REFUSED, time},
	{"collection_period_unit", REFUSED, time},
	{"pid", REFUSED, "tacho attaches to no running program"},
	{"attach", REFUSED, "tacho attaches to no running program"},
	{"pc_sampling", REFUSED, sampling},
	{"pc_sampling_beta_enabled", REFUSED, sampling},
	{"pc_sampling_unit", REFUSED, sampling},
	{"pc_sampling_method", REFUSED, sampling},
	{"pc_sampling_interval", REFUSED, sampling},
	{"advanced_thread_trace", REFUSED, threads},
	{"spm", REFUSED, streams},
};

static struct tacho__list_place place_of(const struct tacho__yaml *node)
{
	return (struct tacho__list_place){node->line, node->column};
}

static int fail(const struct tacho__list_reader *reader, const struct tacho__yaml *node,
		const char *cause, const char *cure)
{
	return tacho__list_fail(reader, place_of(node), cause, cure);
}

/* ---- counters ---- */

/* A text with names, or a list of such; groups are lists in a list. */
static int add_counters(struct tacho__list_reader *reader, struct tacho__list_job *job,
			const struct tacho__yaml *node, unsigned depth)
{
	int rc = 0;

	if (node->type == TACHO__YAML_SCALAR)
		return tacho__list_add_names(reader, &job->names, node->text, node->size,
					     place_of(node));
	if (node->type == TACHO__YAML_MAPPING || depth == DEPTH_MAX)
		return fail(reader, node, "no counter and no list of counters stands there",
			    "write a list: [SQ_WAVES, GRBM_COUNT]");
	for (const struct tacho__yaml *each = node->first; each && !rc; each = each->next)
		rc = add_counters(reader, job, each, depth + 1);
	return rc;
}

/* ---- kernels ---- */

/* What the expressions of these files mean otherwise than those that tacho takes. NULL: the same.
 */
static const char *translate(const char *from, struct tacho__buf *to)
{
	bool is_inside = false; /* of brackets */

	for (const char *c = from; *c; c++) {
		if (is_inside && *c == '\\')
			return "a backslash in brackets means itself here";
		if (!is_inside && c[0] == '(' && c[1] == '?')
			return "groups that begin with \"(?\" are not known here";
		if (*c == '[' && !is_inside) {
			is_inside = true;
			tacho__buf_char(to, *c);
			for (int i = 0; i < 2 && c[1] && strchr(i ? "]" : "^]", c[1]); i++)
				tacho__buf_char(to, *++c);
			continue;
		}
		if (*c == ']')
			is_inside = false;
		if (*c != '\\') {
			tacho__buf_char(to, *c);
			continue;
		}
		c++;
		if (*c == 'd' || *c == 'D') {
			tacho__buf_put(to, *c == 'd' ? "[0-9]" : "[^0-9]");
			continue;
		}
		if (!*c || (isalnum((unsigned char)*c) && !strchr("wWsSbB", *c)))
			return "a backslash with what follows it is not known here";
		tacho__buf_char(to, '\\');
		tacho__buf_char(to, *c);
	}
	return NULL;
}

static int add_regex(struct tacho__list_reader *reader, struct tacho__list_words *words,
		     const struct tacho__yaml *node)
{
	struct tacho__buf pattern = {0};
	const char *trouble;
	int rc = 0;

	if (node->type != TACHO__YAML_SCALAR)
		return fail(reader, node, "a regular expression is one text", "write one");
	if (!node->size)
		return 0;
	tacho__buf_put(&pattern, TACHO__REGEX_PREFIX);
	trouble = translate(node->text, &pattern);
	if (trouble)
		rc = tacho__list_fail(reader, place_of(node), trouble,
				      "write the expression as grep -E takes it");
	else
		rc = pattern.failed ? TACHO_E_NOMEM
				    : tacho__list_add(reader, words, pattern.text, pattern.size,
						      place_of(node));
	tacho__buf_finish(&pattern);
	return rc;
}

/* ---- the n-th launches ---- */

static int add_iteration_text(struct tacho__list_reader *reader, struct tacho__list_job *job,
			      const struct tacho__yaml *node)
{
	struct tacho_iterations *list;
	size_t count;
	int rc = tacho_iterations_parse(node->text, &list, &count);

	if (rc == TACHO_E_NOMEM)
		return rc;
	if (rc)
		return fail(reader, node, tacho__detail("%s", tacho_error_last()->cause),
			    "write numbers and ranges: \"[1-2],[5]\"");
	if (job->iteration_count + count > TACHO__ITERATIONS_MAX)
		rc = fail(reader, node, "there are too many ranges", "give fewer");
	for (size_t i = 0; i < count && !rc; i++)
		rc = tacho__array_add(&job->iterations, &job->iteration_capacity,
				      &job->iteration_count, &list[i], sizeof(list[i]));
	free(list);
	return rc;
}

/* A text, or lists of texts: YAML takes [1-2] without quotes for a list. */
static int add_iterations(struct tacho__list_reader *reader, struct tacho__list_job *job,
			  const struct tacho__yaml *node, unsigned depth)
{
	int rc = 0;

	if (node->type == TACHO__YAML_SCALAR)
		return node->size ? add_iteration_text(reader, job, node) : 0;
	if (node->type == TACHO__YAML_MAPPING || depth == DEPTH_MAX)
		return fail(reader, node, "it is no range and no list of ranges",
			    "write \"[1-2],[5]\"");
	for (const struct tacho__yaml *each = node->first; each && !rc; each = each->next)
		rc = add_iterations(reader, job, each, depth + 1);
	return rc;
}

/* ---- a job ---- */

/* With one sort of dash. */
static bool is_key(const char *said, const char *key)
{
	for (; *said && *key; said++, key++)
		if ((*said == '-' ? '_' : *said) != *key)
			return false;
	return !*said && !*key;
}

/* Such a key asks for nothing. */
static bool is_off(const struct tacho__yaml *node)
{
	static const char *const words[] = {"", "~", "null", "false", "no", "off", "0"};

	if (node->type != TACHO__YAML_SCALAR)
		return !node->first;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(words); i++)
		if (!strcasecmp(node->text, words[i]))
			return true;
	return false;
}

static int refuse(const struct tacho__list_reader *reader, const struct tacho__yaml *node,
		  const char *cause)
{
	bool is_filter = !strcmp(node->key, "filter");

	return tacho__list_fail(
		reader, (struct tacho__list_place){node->key_line, node->key_column},
		tacho__detail("\"%.*s\" is not done: %s", KEY_MAX, node->key, cause),
		is_filter ? "write kernel_include_regex or kernel_exclude_regex" : "leave it out");
}

static int take(struct tacho__list_reader *reader, struct tacho__list_job *job,
		const struct tacho__yaml *node, enum means means, const char *why)
{
	switch (means) {
	case PMC: return add_counters(reader, job, node, 0);
	case INCLUDE: return add_regex(reader, &job->kernels, node);
	case EXCLUDE: return add_regex(reader, &job->excluded, node);
	case ITERATIONS: return add_iterations(reader, job, node, 0);
	case RECORDED: return 0;
	case REFUSED: return is_off(node) ? 0 : refuse(reader, node, why);
	case REMARK:
		return is_off(node)
			       ? 0
			       : tacho__list_remark(reader,
						    (struct tacho__list_place){node->key_line,
									       node->key_column},
						    "\"%s\" is left undone; %s", node->key, why);
	}
	return 0;
}

static int take_key(struct tacho__list_reader *reader, struct tacho__list_job *job,
		    const struct tacho__yaml *node)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(keys); i++)
		if (is_key(node->key, keys[i].key))
			return take(reader, job, node, keys[i].means, keys[i].why);
	if (!strncasecmp(node->key, "att", 3) && strchr("_-", node->key[3]))
		return take(reader, job, node, REFUSED, threads);
	if (!strncasecmp(node->key, "spm", 3) && strchr("_-", node->key[3]))
		return take(reader, job, node, REFUSED, streams);
	return refuse(reader, node, "no such key is known");
}

static int add_job(struct tacho__list_reader *reader, const struct tacho__yaml *node)
{
	struct tacho__list_job *job;
	int rc = tacho__list_add_job(reader, place_of(node), &job);

	if (!rc && node->type != TACHO__YAML_MAPPING)
		rc = fail(reader, node, "a job is a mapping", "write keys and values: pmc: [...]");
	for (const struct tacho__yaml *each = node->first; each && !rc; each = each->next)
		rc = take_key(reader, job, each);
	return rc;
}

int tacho__list_read_jobs(struct tacho__list_reader *reader, const char *text, size_t size)
{
	const struct tacho__yaml *jobs;
	const struct tacho__yaml *root;
	int rc = tacho__yaml_parse(&reader->arena, reader->path, text, size, &root);

	if (rc)
		return rc;
	jobs = tacho__yaml_get(root, "jobs");
	if (!jobs)
		return add_job(reader, root);
	if (jobs->type != TACHO__YAML_SEQUENCE)
		return fail(reader, jobs, "\"jobs\" is no list", "write jobs: [{pmc: [...]}]");
	for (const struct tacho__yaml *each = root->first; each && !rc; each = each->next)
		if (each != jobs)
			rc = refuse(reader, each, "it stands beside \"jobs\"");
	for (const struct tacho__yaml *job = jobs->first; job && !rc; job = job->next)
		rc = add_job(reader, job);
	return rc;
}
