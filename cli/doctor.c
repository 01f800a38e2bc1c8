/* SPDX-License-Identifier: MIT */
/* tacho doctor: can this machine measure, and if not, why not. */
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/doctor.h>
#include <tacho/sys/json.h>
#include <tacho/tacho.h>

#include "isolate.h"
#include "options/options.h"
#include "text.h"

struct settings {
	bool json;
};

/* The order of the fields of a message. */
enum { LEVEL, WHAT, DETAIL, CAUSE, CURE, FIELD_COUNT };

struct output {
	struct tacho_json json; /* stream is NULL for text */
	unsigned width;
	char *last; /* what was looked at last, for the case that it kills the child */
};

static const char *const levels[] = {"ok", "warn", "fail"};

static void send_check(void *user, const struct tacho_check *check)
{
	const char *fields[FIELD_COUNT];
	unsigned level = (unsigned)check->level;

	fields[LEVEL] = levels[level < 3 ? level : TACHO_CHECK_FAIL];
	fields[WHAT] = check->what;
	fields[DETAIL] = check->detail;
	fields[CAUSE] = check->cause;
	fields[CURE] = check->cure;
	cli_isolate_send(*(int *)user, fields, FIELD_COUNT);
}

/* The child's exit status: what went wrong, and the verdict's bits. */
enum { ASKED_RECORD = 8, CAN_RECORD = 16, ASKED_COUNT = 32, CAN_COUNT = 64, CLASS = 7 };

static const char *const *asked; /* the child sees what the command was told */

static int work(int channel)
{
	struct tacho_doctor_verdict verdict = {0};
	int rc = tacho_doctor_run(asked, send_check, &channel, &verdict);
	int status = rc == TACHO_E_NODEVICE ? CLI_NOTHING : rc ? (int)cli_complain_last() : CLI_OK;

	return status | (verdict.asked_record ? ASKED_RECORD : 0) |
	       (verdict.can_record ? CAN_RECORD : 0) | (verdict.asked_count ? ASKED_COUNT : 0) |
	       (verdict.can_count ? CAN_COUNT : 0);
}

static void print_text(const struct output *output, const char *const *fields)
{
	const char *mark = strcmp(fields[LEVEL], "ok") == 0	? "ok"
			   : strcmp(fields[LEVEL], "warn") == 0 ? "WARN"
								: "FAIL";
	char *line =
		cli_format("%s%s%s", fields[WHAT], *fields[DETAIL] ? " - " : "", fields[DETAIL]);

	printf("%-4s  ", mark);
	cli_text_wrap(stdout, line, 6, 6, output->width);
	free(line);
	cli_text_print_part(stdout, "      cause: ", fields[CAUSE], output->width);
	cli_text_print_part(stdout, "      cure:  ", fields[CURE], output->width);
	fflush(stdout);
}

static void print_check(void *user, const char *const *fields, size_t count)
{
	struct output *output = user;

	if (count != FIELD_COUNT)
		return;
	free(output->last);
	output->last = cli_format("%s", fields[WHAT]);
	if (!output->json.stream) {
		print_text(output, fields);
		return;
	}
	tacho_json_begin_object(&output->json, NULL);
	tacho_json_add_string(&output->json, "level", fields[LEVEL]);
	tacho_json_add_string(&output->json, "what", fields[WHAT]);
	tacho_json_add_string(&output->json, "detail", fields[DETAIL]);
	tacho_json_add_string(&output->json, "cause", fields[CAUSE]);
	tacho_json_add_string(&output->json, "cure", fields[CURE]);
	tacho_json_end(&output->json);
}

/* The child did not come to its end: that is a check that failed. */
static void print_death(struct output *output, const struct cli_isolate_result *result)
{
	const char *last = output->last ? output->last : "the start";
	const char *fields[FIELD_COUNT] = {
		"fail", "a driver ended the test", "", "",
		"look at the lines above: a missing /sys and a cache folder on a noexec file "
		"system "
		"do this; else update the driver, or take it out of use"};
	char *cause;

	switch (result->end) {
	case CLI_ISOLATE_HUNG:
		cause = cli_format("nothing happened for %d seconds after \"%s\"",
				   CLI_ISOLATE_TIMEOUT_MS / 1000, last);
		break;
	case CLI_ISOLATE_KILLED:
		cause = cli_format("signal %d (%s) after \"%s\"", result->number,
				   strsignal(result->number), last);
		break;
	case CLI_ISOLATE_NO_CHILD:
		cause = cli_format("no child process: %s", strerror(result->number));
		break;
	default: cause = cli_format("messages without sense after \"%s\"", last);
	}
	fields[CAUSE] = cause;
	print_check(output, fields, FIELD_COUNT);
	free(cause);
}

static const char *judge(int number)
{
	bool records = number & CAN_RECORD, counts = number & CAN_COUNT;

	if (!(number & (ASKED_RECORD | ASKED_COUNT | CLASS)))
		return "No device was asked about.";
	if (!records && !counts)
		return "This machine cannot measure yet: see what failed above.";
	if (!records && number & ASKED_RECORD)
		return "This machine can measure: tacho stat counts. It cannot record programs "
		       "yet: see what failed above.";
	if (!counts && number & ASKED_COUNT)
		return "This machine can measure: tacho record works. There are no counters yet: "
		       "see above.";
	return "This machine can measure.";
}

static void begin_json(struct tacho_json *json)
{
	cli_json_begin(json, stdout, "tacho.doctor/1");
	tacho_json_begin_array(json, "checks");
}

static void end_json(struct tacho_json *json, int number)
{
	tacho_json_end(json);
	tacho_json_add_bool(json, "can_measure", number & (CAN_RECORD | CAN_COUNT));
	tacho_json_add_bool(json, "can_record", number & CAN_RECORD);
	tacho_json_add_bool(json, "can_count", number & CAN_COUNT);
	tacho_json_finish(json);
}

static int doctor_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	struct output output = {.width = cli_width(stdout)};
	struct cli_isolate_result result;
	int operand, status, number;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		return status;
	asked = (const char *const *)(argv + operand);
	if (settings.json)
		begin_json(&output.json);
	result = cli_isolate_run(work, CLI_ISOLATE_TIMEOUT_MS, print_check, &output);
	number = result.end == CLI_ISOLATE_EXITED ? result.number : CLI_NOTHING;
	if (result.end != CLI_ISOLATE_EXITED)
		print_death(&output, &result);
	status = number & CLASS;
	free(output.last);
	if (settings.json) {
		end_json(&output.json, number);
	} else if (status == CLI_OK || status == CLI_NOTHING || status == CLI_PERMISSION) {
		fputc('\n', stdout);
		cli_text_wrap(stdout, judge(number), 0, 0, output.width);
	}
	return status;
}

static const struct cli_option options[] = {
	CLI_OPTION_FLAG(struct settings, 0, "json", json, "print JSON"),
};

const struct cli_command cli_doctor = {
	.name = "doctor",
	.summary = "check what this machine can measure, with causes and cures",
	.operands = "[WHAT...]",
	.description =
		"Looks at everything that measuring depends on: mounted file systems, permissions, "
		"loaders, drivers, devices, cache folders. Each device that programs can be "
		"recorded on runs a tiny kernel. What is not as it should be is shown with its "
		"cause and cure. WHAT limits it: opencl, perf, sim:MODEL ...; also what names "
		"ranges.",
	.examples = {"tacho doctor", "tacho doctor opencl"},
	CLI_HAS_OPTIONS(options),
	.is_paged = true,
	.operand_max = 64,
	.run = doctor_run,
};
