/* SPDX-License-Identifier: MIT */
/* What is told of the end of a recording: each loss in one line, with its class. Sizes of options.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/ending.h"
#include "options/options.h"

/* What cli_ending_tell() writes to both of its streams; *out_status is what it returns. */
static char *tell(const struct cli_ending *ending, const struct cli_ending_style *style,
		  int *out_status)
{
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	char *text = calloc(1, 4096);

	assert_non_null(file);
	assert_non_null(text);
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	*out_status = cli_ending_tell(ending, style, stderr);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	assert_true(fread(text, 1, 4095, file) < 4095);
	fclose(file);
	return text;
}

static struct tacho_launch_outcome whole(void)
{
	return (struct tacho_launch_outcome){.calls = 1234,
					     .commands = 1,
					     .processes = 1,
					     .why_empty = "",
					     .loss = "",
					     .cure = ""};
}

static void begin(struct cli_ending *ending, const struct tacho_launch_outcome *outcome)
{
	*ending = (struct cli_ending){.path = strdup("runs/one.tacho"), .status = 3};
	cli_ending_add(ending, outcome);
}

static void tells_the_place(void **state)
{
	const struct cli_ending_style loud = {0}, quiet = {.is_quiet = true, .is_strict = true};
	struct tacho_launch_outcome outcome = whole();
	struct cli_ending ending;
	int status;
	char *text;

	begin(&ending, &outcome);
	text = tell(&ending, &loud, &status);
	assert_string_equal(text, "tacho: 1,234 calls and 1 command in runs/one.tacho; see: tacho "
				  "report runs/one\n");
	assert_int_equal(status, 3);
	free(text);
	text = tell(&ending, &quiet, &status);
	assert_string_equal(text, "");
	assert_int_equal(status, 3);
	free(text);
	cli_ending_finish(&ending);
}

/* The first run lost something, the second did not: it is told once, with its own cure. */
static void tells_losses(void **state)
{
	struct cli_ending_style style = {.is_quiet = true};
	struct tacho_launch_outcome outcome = whole(), other = whole();
	struct cli_ending ending;
	int status;
	char *text;

	outcome.lost_calls = 12;
	outcome.error = ENOSPC;
	outcome.loss = "12 calls were not recorded: the disk is full";
	outcome.cure = "make room";
	begin(&ending, &outcome);
	other.refused = 1;
	other.refusal_error = EACCES;
	other.loss = "another";
	other.cure = "other cure";
	cli_ending_add(&ending, &other);
	text = tell(&ending, &style, &status);
	assert_string_equal(text, "tacho: warning: lost: 12 calls were not recorded: the disk is "
				  "full; cure: make room\n");
	assert_int_equal(status, 3);
	free(text);
	style.is_strict = true;
	text = tell(&ending, &style, &status);
	assert_non_null(strstr(text, "cure: make room [class 1: failed]\n"));
	assert_int_equal(status, 125);
	assert_int_equal(ending.sum.lost_calls, 12);
	assert_int_equal(ending.sum.refused, 1);
	assert_int_equal(ending.sum.calls, 2 * 1234);
	free(text);
	cli_ending_finish(&ending);
}

static void classifies_refusals(void **state)
{
	const struct cli_ending_style style = {.is_quiet = true, .is_strict = true};
	struct tacho_launch_outcome outcome = whole();
	struct cli_ending ending;
	int status;
	char *text;

	outcome.refused = 1;
	outcome.refusal_error = EACCES;
	outcome.loss = "1 process could not be recorded";
	begin(&ending, &outcome);
	text = tell(&ending, &style, &status);
	assert_string_equal(text, "tacho: lost: 1 process could not be recorded "
				  "[class 4: permission]\n");
	assert_int_equal(status, 125);
	free(text);
	cli_ending_finish(&ending);
}

/* Left out as set: a line, and no failure. */
static void tells_bounds(void **state)
{
	struct cli_ending_style style = {.is_strict = true};
	struct tacho_launch_outcome outcome = whole();
	struct cli_ending ending;
	int status;
	char *text;

	outcome.bounded_calls = outcome.beyond_calls = 5000;
	begin(&ending, &outcome);
	text = tell(&ending, &style, &status);
	assert_non_null(strstr(text, "tacho: 5,000 calls were left out, since"));
	assert_int_equal(status, 3);
	free(text);
	style.is_quiet = true;
	text = tell(&ending, &style, &status);
	assert_string_equal(text, "");
	free(text);
	cli_ending_finish(&ending);
}

static void reads_sizes(void **state)
{
	static const char *const bad[] = {
		"",    "0",  "0K",  "K",  "1kk", "-1",	"1.5M",	     "1B",
		"1KM", " 1", "1 M", "M1", "+1",	 "1MM", "99999999T", "99999999999999999999"};
	uint64_t bytes = 7;

	assert_true(cli_parse_size("1", &bytes));
	assert_int_equal(bytes, 1);
	assert_true(cli_parse_size("500M", &bytes));
	assert_int_equal(bytes, 500000000);
	assert_true(cli_parse_size("3K", &bytes));
	assert_int_equal(bytes, 3000);
	assert_true(cli_parse_size("3k", &bytes));
	assert_int_equal(bytes, 3000);
	assert_true(cli_parse_size("2G", &bytes));
	assert_int_equal(bytes, 2000000000);
	assert_true(cli_parse_size("18446744T", &bytes));
	assert_true(bytes == UINT64_C(18446744000000000000));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		bytes = 7;
		assert_false(cli_parse_size(bad[i], &bytes));
		assert_int_equal(bytes, 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_the_place),     cmocka_unit_test(tells_losses),
		cmocka_unit_test(classifies_refusals), cmocka_unit_test(tells_bounds),
		cmocka_unit_test(reads_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
