/* SPDX-License-Identifier: MIT */
/* A summary and findings of one reading. */
#include "finding_scene.h"

#include "tacho/error.h"
#include "tacho/sys/report.h"

/* Each call is read once for both; either may go first. */
static void test_with_summary(void **state)
{
	struct fake_recording empty = {0};
	const char *const wrong = "no-such-rule";
	struct tacho_findings_options options = {
		.size = sizeof(options), .rules = &wrong, .rule_count = 1};
	struct tacho_summary *summary = NULL;
	struct tacho_findings *findings = NULL;

	empty.run = *scene_run;
	empty.run.why_empty = empty.run.why_uncounted = "";
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
			tacho_report_create(fake_recording(&empty), NULL, i, &summary, &findings),
			0);
		assert_int_equal(tacho_findings_get_count(findings), 0);
		assert_int_equal(tacho_summary_get_totals(summary)->calls, 0);
		if (i)
			tacho_summary_destroy(summary);
		tacho_findings_destroy(findings);
		if (!i)
			tacho_summary_destroy(summary);
	}
	summary = NULL;
	findings = NULL;
	assert_int_equal(
		tacho_report_create(fake_recording(&empty), &options, 0, &summary, &findings),
		TACHO_E_NOTFOUND);
	assert_int_equal(tacho_report_create(NULL, NULL, 0, &summary, &findings), TACHO_E_INVAL);
	assert_null(summary);
	assert_null(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_with_summary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
