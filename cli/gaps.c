/* SPDX-License-Identifier: MIT */
#include "gaps.h"

#include <stdlib.h>

#include <tacho/error.h>

#include "cli.h"
#include "terminal.h"
#include "text.h"
#include "units.h"

enum { FAULTS_SHOWN = 20 };

char *cli_gaps_format(const struct tacho_recording *recording)
{
	if (cli_succeeded(tacho_recording_check(recording)))
		return NULL;
	return cli_format("%s", tacho_error_last()->cause);
}

void cli_gaps_warn(const struct tacho_recording *recording)
{
	char *cause = cli_gaps_format(recording);

	if (!cause)
		return;
	cli_warn("%s is not whole: %s; see `tacho report`", tacho_recording_get_path(recording),
		 cause);
	free(cause);
}

static char *format_fault(const struct tacho_fault *fault)
{
	char *text = NULL;

	if (!cli_succeeded(tacho_fault_format(fault, &text)))
		return cli_format("- (%s)", tacho_error_last()->message);
	return text;
}

bool cli_gaps_print_faults(const struct tacho_recording *recording, FILE *stream, unsigned width)
{
	const struct tacho_fault *fault;
	size_t count = 0;
	char *text;

	for (; (fault = tacho_recording_get_fault(recording, count)); count++) {
		if (count >= FAULTS_SHOWN)
			continue;
		text = format_fault(fault);
		cli_text_print(stream, 2, 4, width, "%s", text);
		free(text);
	}
	if (count > FAULTS_SHOWN)
		cli_text_print(stream, 2, 4, width, "%zu more faults; --json has them all",
			       count - FAULTS_SHOWN);
	return count != 0;
}

void cli_gaps_print_ring(const struct tacho_run *run, FILE *stream, unsigned width)
{
	struct cli_number calls, bytes;

	cli_text_print(stream, 2, 4, width, "%s call%s from before the newest %s (a ring)",
		       cli_units_count(&calls, run->ring_calls), run->ring_calls == 1 ? "" : "s",
		       cli_units_bytes(&bytes, run->ring_bytes));
}

void cli_gaps_print_left_out(const struct tacho_recording *recording, FILE *stream, unsigned width)
{
	const struct tacho_run *run = tacho_recording_get_run(recording);
	const struct tacho_bound *bound = tacho_recording_get_bound(recording, 0);
	struct cli_number number;

	if (!bound && !run->ring_calls)
		return;
	cli_put_heading(stream, "Left out as asked");
	if (run->ring_calls) {
		cli_gaps_print_ring(run, stream, width);
	} else if (run->max_bytes) {
		cli_text_print(stream, 2, 4, width, "the recording was not to exceed %s",
			       cli_units_bytes(&number, run->max_bytes));
	}
	if (run->max_calls)
		cli_text_print(stream, 2, 4, width, "no more than %s calls were to be recorded",
			       cli_units_count(&number, run->max_calls));
	if (run->max_launches)
		cli_text_print(stream, 2, 4, width,
			       "nothing was to be recorded behind launch number %s",
			       cli_units_count(&number, run->max_launches));
	for (size_t i = 1; bound; i++) {
		cli_text_print(stream, 2, 4, width, "%s call%s of %s",
			       cli_units_count(&number, bound->calls), bound->calls == 1 ? "" : "s",
			       bound->function);
		bound = tacho_recording_get_bound(recording, i);
	}
}

/* ---- for programs ---- */

static void add_fault(struct tacho_json *json, const struct tacho_fault *fault)
{
	char *text = format_fault(fault);

	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "text", text);
	tacho_json_add_text(json, "path", fault->path);
	tacho_json_add_string(json, "what", fault->what);
	tacho_json_add_known(json, "error", fault->error != 0, (uint64_t)fault->error);
	tacho_json_add_known(json, "bytes", fault->bytes != 0, fault->bytes);
	tacho_json_add_known(json, "calls", fault->calls != 0, fault->calls);
	tacho_json_end(json);
	free(text);
}

void cli_gaps_add_functions(struct tacho_json *json, const struct tacho_recording *recording)
{
	const struct tacho_bound *bound;

	tacho_json_begin_array(json, "functions");
	for (size_t i = 0; (bound = tacho_recording_get_bound(recording, i)); i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", bound->function);
		tacho_json_add_unsigned(json, "calls", bound->calls);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

void cli_gaps_add(struct tacho_json *json, const struct tacho_recording *recording)
{
	const struct tacho_run *run = tacho_recording_get_run(recording);
	const struct tacho_fault *fault;

	tacho_json_add_bool(json, "whole", cli_succeeded(tacho_recording_check(recording)));
	tacho_json_begin_array(json, "faults");
	for (size_t i = 0; (fault = tacho_recording_get_fault(recording, i)); i++)
		add_fault(json, fault);
	tacho_json_end(json);
	tacho_json_begin_object(json, "left_out");
	tacho_json_add_known(json, "max_bytes", run->max_bytes != 0, run->max_bytes);
	tacho_json_add_known(json, "ring_bytes", run->ring_bytes != 0, run->ring_bytes);
	tacho_json_add_known(json, "max_calls", run->max_calls != 0, run->max_calls);
	tacho_json_add_known(json, "max_launches", run->max_launches != 0, run->max_launches);
	tacho_json_add_unsigned(json, "ring_calls", run->ring_calls);
	cli_gaps_add_functions(json, recording);
	tacho_json_end(json);
}
