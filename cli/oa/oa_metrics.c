/* SPDX-License-Identifier: MIT */
/* tacho oa metrics: the metrics of a recording, interval by interval. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sys/oa_metrics.h>

#include "oa/oa.h"
#include "oa/oa_variables.h"
#include "request.h"

enum { BY_REPORT = 1 }; /* positions in CLI_WORDS_OA_BY */

struct job {
	const struct cli_oa_settings *settings;
	struct tacho_oa_recording *recording;
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;
	struct tacho_oa_metrics *metrics;
	int name_width; /* of text */
	struct cli_oa_variables variables;
};

/* The architecture: as told, else that of the device. */
static int find_arch(struct job *job)
{
	const struct tacho_oa_device *device = tacho_oa_recording_get_device(job->recording);
	struct cli_catalog_choice choice = job->settings->choice;
	int status;

	if (!choice.arch)
		choice.arch = tacho_oa_device_get_arch(device);
	if (!*choice.arch) {
		cli_complain("", "name its architecture: --arch A",
			     "the recorded device, PCI id 0x%04x, is not known", device->device_id);
		return CLI_FAILED;
	}
	status = cli_catalog_open(&choice, true, &job->catalog);
	if (status)
		return status;
	if (cli_succeeded(tacho_catalog_find_arch(job->catalog, choice.arch, "oa", &job->arch)))
		return CLI_OK;
	cli_complain("",
		     cli_part("give them: --definitions oa-%s.xml, from the sources of Mesa or IGT",
			      choice.arch),
		     "the metric sets of %s are not built in", choice.arch);
	return CLI_FAILED;
}

static int prepare(struct job *job, const char *path)
{
	const struct cli_oa_settings *settings = job->settings;
	struct tacho_oa_metrics_options options = {
		.set = settings->set,
		.cut = settings->by == BY_REPORT ? TACHO_OA_CUT_REPORT : TACHO_OA_CUT_CONTEXT,
	};
	char *names;
	int status;

	status = cli_oa_variables_parse(&settings->variables, &job->variables);
	if (status)
		return status;
	options.variables = job->variables.properties;
	options.variable_count = job->variables.count;
	if (tacho_oa_recording_open(path, &job->recording) != 0)
		return (int)cli_complain_last();
	status = find_arch(job);
	if (status)
		return status;
	options.arch = job->arch;
	names = cli_texts_join(&settings->metrics);
	options.names = settings->metrics.count ? names : NULL;
	if (tacho_oa_metrics_open(job->recording, &options, &job->metrics) != 0)
		status = (int)cli_complain_last();
	free(names);
	return status;
}

static void print_value(const struct job *job, const struct tacho_column *column, size_t row)
{
	uint8_t state = column->states ? column->states[row] : TACHO_STATE_OK;
	uint8_t known = state & TACHO_STATE_MASK;
	const char *note = tacho_column_get_note(column, row, 0);

	printf("  %-*s  ", job->name_width, column->name);
	if (known == TACHO_STATE_ABSENT)
		printf("-");
	else if (column->type == TACHO_TYPE_U64)
		printf("%" PRIu64, column->data.u64[row]);
	else
		printf("%.6g", column->data.f64[row]);
	if (known != TACHO_STATE_ABSENT && *column->unit)
		printf(" %s", column->unit);
	if (known == TACHO_STATE_ABSENT && (*column->note || *note))
		printf("  (%s)", *column->note ? column->note : note);
	else if (known != TACHO_STATE_OK)
		printf("  (%s)", tacho_state_to_string(state));
	printf("%s\n", state & TACHO_MARK_DIV0 ? " *" : "");
}

static void print_time(enum tacho_oa_time time, uint64_t cpu_ns)
{
	if (time == TACHO_OA_TIME_UNKNOWN)
		printf("-");
	else
		printf("%" PRIu64 ".%09" PRIu64, cpu_ns / 1000000000, cpu_ns % 1000000000);
}

static void print_batch(const struct job *job, const struct tacho_oa_batch *batch)
{
	for (size_t row = 0; row < batch->count; row++) {
		const struct tacho_oa_interval *interval = &batch->intervals[row];

		printf("CPU ");
		print_time(interval->start_time, interval->cpu_start_ns);
		printf(" to ");
		print_time(interval->end_time, interval->cpu_end_ns);
		printf(" s, GPU %" PRIu64 " to %" PRIu64, interval->gpu_start_ticks,
		       interval->gpu_end_ticks);
		if (interval->context != TACHO_OA_NO_CONTEXT)
			printf(", context 0x%" PRIx32, interval->context);
		printf("\n");
		for (size_t i = 0; i < batch->column_count; i++)
			print_value(job, &batch->columns[i], row);
	}
}

static void print_head(struct job *job, const struct tacho_oa_batch *batch)
{
	const struct tacho_oa_device *device = tacho_oa_recording_get_device(job->recording);
	const struct tacho_set *set = tacho_oa_metrics_get_set(job->metrics);

	for (size_t i = 0; i < batch->column_count; i++)
		if ((int)strlen(batch->columns[i].name) > job->name_width)
			job->name_width = (int)strlen(batch->columns[i].name);
	printf("%s (PCI id 0x%04x), set %s\n", job->arch->name, device->device_id, set->name);
}

static void write_batch(struct job *job, const struct tacho_oa_batch *batch, bool is_first)
{
	if (job->settings->json) {
		tacho_oa_batch_write_json(batch, stdout);
	} else if (job->settings->csv) {
		if (is_first)
			tacho_oa_batch_write_csv_header(batch, stdout);
		tacho_oa_batch_write_csv(batch, stdout);
	} else {
		if (is_first)
			print_head(job, batch);
		print_batch(job, batch);
	}
}

static void warn(const struct job *job)
{
	const struct tacho_oa_counts *counts = tacho_oa_recording_get_counts(job->recording);
	const struct tacho_oa_device *device = tacho_oa_recording_get_device(job->recording);
	const struct tacho_set *set = tacho_oa_metrics_get_set(job->metrics);

	if (*device->set_guid && *set->guid && strcasecmp(device->set_guid, set->guid) != 0)
		cli_warn("the recording was made with another version of the set: values may be "
			 "wrong");
	cli_oa_warn_count(counts->reports_lost,
			  "times reports were lost: the intervals have state lost");
	cli_oa_warn_count(counts->buffers_lost,
			  "times a whole buffer was lost: the intervals have state lost");
	cli_oa_warn_count(tacho_oa_metrics_get_skipped_count(job->metrics),
			  "reports were passed over: not whole, or older than the one before");
	cli_oa_warn_odd(counts);
}

static int run(struct job *job)
{
	struct tacho_oa_batch batch;
	bool is_first = true;
	int rc;

	while ((rc = tacho_oa_metrics_next(job->metrics, &batch)) > 0 && !ferror(stdout)) {
		write_batch(job, &batch, is_first);
		is_first = false;
	}
	fflush(stdout);
	if (rc < 0) /* before what follows can replace it */
		cli_complain_last();
	warn(job);
	if (rc < 0)
		return CLI_FAILED;
	if (!is_first || ferror(stdout))
		return CLI_OK;
	cli_complain("", "record for longer", "the recording has less than two reports");
	return CLI_NOTHING;
}

int cli_oa_metrics(const struct cli_oa_settings *settings, char **operands, size_t count)
{
	struct job job = {.settings = settings};
	int status = prepare(&job, operands[0]);

	if (!status)
		status = run(&job);
	tacho_oa_metrics_close(job.metrics);
	cli_oa_variables_finish(&job.variables);
	tacho_catalog_close(job.catalog);
	tacho_oa_recording_close(job.recording);
	return status;
}
