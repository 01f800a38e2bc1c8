/* SPDX-License-Identifier: MIT */
/* Names that the user gives, and words that the user probably meant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "name.h"
#include "suggest.h"

static void assert_expands(const char *pattern, const char *expected)
{
	char *name = NULL;

	assert_true(cli_name_expand(pattern, &name));
	assert_string_equal(name, expected);
	free(name);
}

static void expands(void **state)
{
	char pid[32], host[256] = "";

	snprintf(pid, sizeof(pid), "x-%d", (int)getpid());
	gethostname(host, sizeof(host) - 1);
	setenv("CLI_NAME_TEST", "a%b", 1);
	assert_expands("plain", "plain");
	assert_expands("x-%p", pid);
	assert_expands("%h", host);
	assert_expands("100%%", "100%");
	assert_expands("%q{CLI_NAME_TEST}", "a%b");
}

static void expands_ranks(void **state)
{
	unsetenv("OMPI_COMM_WORLD_RANK");
	unsetenv("PMI_RANK");
	unsetenv("PMIX_RANK");
	unsetenv("SLURM_PROCID");
	assert_expands("r%r", "r0");
	setenv("SLURM_PROCID", "7", 1);
	assert_expands("r%r", "r7");
	setenv("OMPI_COMM_WORLD_RANK", "3", 1);
	assert_expands("r%r", "r3");
}

static void refuses_bad_patterns(void **state)
{
	static const char *const bad[] = {
		"", "a%", "%x", "%q", "%q{}", "%q{HOME", "%qHOME", "%q{CLI_NAME_TEST_IS_NOT_SET}"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *name = NULL;

		if (cli_name_expand(bad[i], &name))
			fail_msg("\"%s\" was taken as \"%s\"", bad[i], name);
		assert_null(name);
	}
}

static void assert_base(const char *recording, const char *expected)
{
	char *base = cli_name_get_base(recording);

	assert_string_equal(base, expected);
	free(base);
}

static void finds_the_base(void **state)
{
	assert_base("a", "a");
	assert_base("a.tacho", "a");
	assert_base("b/a.tacho//", "b/a");
	assert_base(".tacho", ".tacho");
	assert_base("b/.tacho", "b/.tacho");
	assert_base("b/a.atp", "b/a");
	assert_base("a.csv", "a");
	assert_base("a.occupancy", "a");
	assert_base("a.csv.tacho", "a.csv");
	assert_base(".atp", ".atp");
	assert_base("/", "/");
}

static void suggests(void **state)
{
	static const char *const known[] = {"record", "report", "export", "doctor", NULL};

	assert_string_equal(cli_suggest("recrod", known), "record");
	assert_string_equal(cli_suggest("raport", known), "report");
	assert_string_equal(cli_suggest("doc", known), "doctor");
	assert_null(cli_suggest("banana", known));
	assert_null(cli_suggest("", known));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expands),
		cmocka_unit_test(expands_ranks),
		cmocka_unit_test(refuses_bad_patterns),
		cmocka_unit_test(finds_the_base),
		cmocka_unit_test(suggests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
