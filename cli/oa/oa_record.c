/* SPDX-License-Identifier: MIT */
/* tacho oa record: the reports of an OA unit, into a recording. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tacho/error.h>
#include <tacho/session.h>
#include <tacho/sys/devices.h>
#include <tacho/sys/oa_stream.h>

#include "child.h"
#include "devices.h"
#include "name.h"
#include "oa/oa.h"
#include "output.h"

enum { WAIT_MS = 10, STANDARD_MS = 1, INTERVAL_MAX_MS = 60000 };

static const uint64_t NS_PER_S = 1000000000, NS_PER_MS = 1000000;
static const uint64_t DURATION_MAX_MS = UINT64_C(366) * 86400000;

struct recorder {
	const struct cli_oa_settings *settings;
	char *const *program; /* NULL: none */
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_oa_stream *stream;
	enum tacho_oa_driver driver;
	bool is_simulated, has_clock;
	struct cli_child child;
	bool has_ended; /* the program */
	char *path;
	struct cli_output output;
	uint64_t begin_ns, correlation_ns;
	uint64_t report_count, lost_count;
};

static volatile sig_atomic_t is_interrupted;

static void interrupt(int number)
{
	(void)number;
	is_interrupted = 1;
}

static int open_context(const struct cli_oa_settings *settings, struct recorder *recorder)
{
	const struct tacho_catalog_options catalog = {
		.size = sizeof(catalog),
		.definitions = settings->choice.definitions.texts,
		.definition_count = settings->choice.definitions.count,
	};
	char *backends =
		settings->model ? cli_format("sim:%s", settings->model) : cli_format("intel");
	struct tacho_context_options options = {
		.size = sizeof(options), .backends = backends, .catalog = &catalog};
	int rc = tacho_context_create_lean(&options, &recorder->context);

	free(backends);
	return rc ? (int)cli_complain_last() : CLI_OK;
}

/* As `tacho list devices` has it, where that is asked for a number. */
static int find_named(const struct cli_oa_settings *settings, const struct recorder *recorder,
		      const struct tacho_device_info **out_info)
{
	const char *selector = settings->device;
	struct cli_devices devices = {0};
	int status = settings->model ? CLI_OK : cli_devices_choose(selector, &devices);

	if (!status && devices.counting)
		selector = devices.counting->info.name;
	if (!status && tacho_context_find_device_info(recorder->context, selector, out_info) != 0)
		status = (int)cli_complain_last();
	cli_devices_finish(&devices);
	return status;
}

/* Without one that is named: the first, if it can be used. */
static int find_device(const struct cli_oa_settings *settings, struct recorder *recorder,
		       const struct tacho_device_info **out_info)
{
	const struct tacho_device_info *info = tacho_context_get_device_info(recorder->context, 0);

	if (!info) {
		const struct tacho_probe *probe = tacho_context_get_probe(recorder->context);
		const struct tacho_probe_backend *backend = tacho_probe_get_backend(probe, 0);

		if (recorder->program)
			cli_show_class(CLI_NOTHING);
		cli_complain(backend ? backend->cause : "", backend ? backend->cure : "",
			     "there is no Intel GPU to record");
		return CLI_NOTHING;
	}
	*out_info = info;
	return settings->device ? find_named(settings, recorder, out_info) : CLI_OK;
}

static int open_stream(struct recorder *recorder)
{
	const struct cli_oa_settings *settings = recorder->settings;
	const struct tacho_oa_stream_options options = {
		.set = settings->set,
		.period_ns = settings->interval_ms * NS_PER_MS,
		.format = settings->format,
	};
	const struct tacho_device_info *info = NULL;
	int status = open_context(settings, recorder);

	if (!status)
		status = find_device(settings, recorder, &info);
	if (status)
		return status;
	recorder->is_simulated = info->is_simulated;
	if (tacho_device_open(recorder->context, info, &recorder->device) != 0 ||
	    tacho_oa_stream_open(recorder->device, &options, &recorder->stream) != 0)
		return (int)cli_complain_last();
	recorder->driver = tacho_oa_stream_get_device(recorder->stream)->driver;
	return CLI_OK;
}

static int open_file(struct recorder *recorder)
{
	const struct cli_oa_settings *settings = recorder->settings;

	if (!cli_name_expand(settings->output ? settings->output : "oa.record", &recorder->path))
		return CLI_USAGE;
	return cli_output_open(&recorder->output, recorder->path, settings->overwrite);
}

static uint64_t get_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* A pair of clock readings. Without them times are unknown; that is said once. */
static int write_correlation(struct recorder *recorder)
{
	uint64_t cpu_ns, ticks;

	recorder->correlation_ns = get_now_ns();
	if (!recorder->has_clock)
		return 0;
	if (tacho_oa_stream_get_clock(recorder->stream, &cpu_ns, &ticks) == 0)
		return tacho_oa_recording_write_correlation(recorder->output.stream,
							    recorder->driver, cpu_ns, ticks);
	recorder->has_clock = false;
	cli_warn("the GPU's clock cannot be read: the recording does not say when reports were "
		 "written");
	return 0;
}

static int write_head(struct recorder *recorder)
{
	const struct tacho_oa_topology *topology = tacho_oa_stream_get_topology(recorder->stream);

	recorder->has_clock = true;
	if (tacho_oa_recording_write_head(recorder->output.stream,
					  tacho_oa_stream_get_device(recorder->stream),
					  topology->bytes, topology->size) != 0)
		return -1;
	return write_correlation(recorder);
}

/* With the first report the recording takes the place of an old one. */
static int write_report(struct recorder *recorder, const struct tacho_oa_record *report)
{
	int rc = tacho_oa_recording_write_report(recorder->output.stream, report->bytes,
						 report->size);

	if (!rc && !recorder->report_count++)
		cli_output_place(&recorder->output);
	return rc;
}

static int write_record(struct recorder *recorder, const struct tacho_oa_record *record)
{
	if (record->kind == TACHO_OA_REPORT)
		return write_report(recorder, record);
	recorder->lost_count++;
	return tacho_oa_recording_write_lost(recorder->output.stream, record->kind);
}

static bool is_over(struct recorder *recorder)
{
	const struct cli_oa_settings *settings = recorder->settings;

	if (is_interrupted)
		return true;
	if (recorder->program && cli_child_wait(&recorder->child, 0)) {
		recorder->has_ended = true;
		return true;
	}
	return settings->duration_ms &&
	       get_now_ns() - recorder->begin_ns >= settings->duration_ms * NS_PER_MS;
}

/* What was written stays, whatever happens. */
static int record(struct recorder *recorder)
{
	struct tacho_oa_record next;
	int rc = 0;

	recorder->begin_ns = get_now_ns();
	while (!rc && !is_over(recorder)) {
		rc = tacho_oa_stream_next(recorder->stream, WAIT_MS, &next);
		if (rc > 0)
			rc = write_record(recorder, &next);
		if (!rc && get_now_ns() - recorder->correlation_ns >= NS_PER_S)
			rc = write_correlation(recorder);
	}
	if (!rc)
		rc = write_correlation(recorder);
	if (rc)
		return (int)cli_complain_last();
	return CLI_OK;
}

static void print_end(const struct recorder *recorder)
{
	const char *note = tacho_oa_stream_get_note(recorder->stream);

	fprintf(stderr, "%s: %" PRIu64 " reports of the set %s, every %" PRIu64 " ns%s\n",
		recorder->path, recorder->report_count,
		tacho_oa_stream_get_device(recorder->stream)->set_name,
		tacho_oa_stream_get_period_ns(recorder->stream),
		recorder->is_simulated ? " [simulated]" : "");
	if (recorder->lost_count)
		cli_warn("reports were lost; the recording says where");
	if (*note)
		cli_warn("%s", note);
}

/*
 * A recording of nothing goes when something failed, and never replaces an old one. What was there
 * before, as /dev/null, is not ours to take.
 */
static int close_file(struct recorder *recorder, int status)
{
	bool keeps_old = !recorder->report_count && recorder->output.temporary;

	if (!recorder->output.stream)
		return status;
	if (!recorder->report_count && (status || keeps_old))
		cli_output_discard(&recorder->output);
	else if (!cli_output_close(&recorder->output))
		return CLI_FAILED;
	if (recorder->report_count || !status)
		print_end(recorder);
	if (keeps_old && !status)
		cli_warn("no report came: the recording that was there stays");
	return status;
}

static int check(const struct cli_oa_settings *settings)
{
	if (settings->device && settings->model)
		cli_complain("", "leave one of them out",
			     "oa record: --device and --sim exclude each other");
	else if (settings->interval_ms > INTERVAL_MAX_MS || settings->duration_ms > DURATION_MAX_MS)
		cli_complain("", "give a smaller one", "oa record: a number is too large");
	else
		return CLI_OK;
	return CLI_USAGE;
}

static int prepare(struct recorder *recorder)
{
	struct sigaction action = {.sa_handler = interrupt};
	int status = open_stream(recorder);

	if (!status)
		status = open_file(recorder);
	if (status)
		return status;
	if (!recorder->program) {
		sigaction(SIGINT, &action, NULL);
		sigaction(SIGTERM, &action, NULL);
		return CLI_OK;
	}
	return cli_child_prepare(&recorder->child, recorder->program);
}

int cli_oa_record(const struct cli_oa_settings *settings, char **operands, size_t count)
{
	struct cli_oa_settings own = *settings;
	struct recorder recorder = {.settings = &own, .program = count ? operands : NULL};
	int status = check(settings), after;

	if (!own.interval_ms)
		own.interval_ms = STANDARD_MS;
	if (!status) {
		/* The status is then the program's: messages tell the class. */
		if (count)
			cli_show_class(CLI_FAILED);
		status = prepare(&recorder);
	}
	/* A command that launches has its program's status: before the start, 125. */
	if (status && status != CLI_USAGE && count)
		status = CLI_REFUSED;
	if (!status && write_head(&recorder) != 0)
		status = (int)cli_complain_last();
	cli_show_class(CLI_OK);
	if (!status && count)
		status = cli_child_start(&recorder.child);
	if (!status) {
		after = record(&recorder);
		while (count && !recorder.has_ended)
			recorder.has_ended = cli_child_wait(&recorder.child, 100 * WAIT_MS);
		status = count ? recorder.child.status : after;
	}
	status = close_file(&recorder, status);
	cli_child_finish(&recorder.child);
	tacho_oa_stream_close(recorder.stream);
	tacho_device_close(recorder.device);
	tacho_context_destroy(recorder.context);
	free(recorder.path);
	return status;
}
