/* SPDX-License-Identifier: MIT */
/* Lists of counters become configs: the grammar as a table, of an architecture made here. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "catalog/arch.h"
#include "model/result.h"
#include "tacho/error.h"
#include "tacho/plan.h"

static struct tacho_catalog *catalog;
static struct tacho__arch *own;
static struct tacho_config_options options = {.size = sizeof(options)};

static void add(const char *name, enum tacho_entry_kind kind, const char *block,
		const char *expression)
{
	struct tacho_entry entry = {.name = name,
				    .kind = kind,
				    .block = block,
				    .notation = "infix",
				    .expression = expression};

	assert_int_equal(tacho__arch_add_entry(own, &entry, TACHO__ADD_NEW), 0);
}

static int open_catalog(void **state)
{
	static const char *const two[] = {"TA1", "M"}, *const own_names[] = {"S.Busy", "TB1"};
	struct tacho_arch arch = {.name = "alpha", .api = "cl"};
	struct tacho_set first = {.name = "Two"}, second = {.name = "S"};

	assert_int_equal(tacho__catalog_create(&catalog), 0);
	assert_int_equal(tacho__catalog_add_arch(catalog, &arch, &own), 0);
	add("TA1", TACHO_ENTRY_COUNTER, "", "");
	add("TA2", TACHO_ENTRY_COUNTER, "", "");
	add("TA[1]", TACHO_ENTRY_COUNTER, "", "");
	add("TB1", TACHO_ENTRY_COUNTER, "", "");
	add("NOBLOCK", TACHO_ENTRY_COUNTER, "NONE", "");
	add("cpu/cycles/", TACHO_ENTRY_COUNTER, "", "");
	add("M", TACHO_ENTRY_METRIC, "", "TA1+1");
	add("S.Busy", TACHO_ENTRY_METRIC, "", "TB1");
	add("Other.Idle", TACHO_ENTRY_METRIC, "", "TB1");
	add("Secret", TACHO_ENTRY_METRIC, "", "");
	add("TACTS", TACHO_ENTRY_CONSTANT, "", "");
	assert_int_equal(tacho__arch_add_set(own, &first, two, 2), 0);
	assert_int_equal(tacho__arch_add_set(own, &second, own_names, 2), 0);
	assert_int_equal(tacho__catalog_complete(catalog), 0);
	return 0;
}

static int close_catalog(void **state)
{
	tacho_catalog_close(catalog);
	return 0;
}

static int reset_options(void **state)
{
	options = (struct tacho_config_options){.size = sizeof(options),
						.arch = tacho__arch_public(own)};
	return 0;
}

/* A device's own notation: it knows the unit "cpu" alone. */
static int define(void *user, const char *text, const struct tacho_entry **out_entry)
{
	static char names[8][64];
	static struct tacho_entry entries[8];
	size_t *count = user;

	if (strncmp(text, "cpu/", 4) != 0)
		return tacho__fail(TACHO_E_NOTFOUND, "", "", "no unit has \"%s\"", text);
	assert_true(*count < 8);
	snprintf(names[*count], sizeof(names[0]), "%s", text);
	entries[*count] = (struct tacho_entry){.name = names[*count],
					       .kind = TACHO_ENTRY_COUNTER,
					       .block = "",
					       .availability = ""};
	*out_entry = &entries[(*count)++];
	return 0;
}

/* "TA1:instances ~TA2": a tilde marks what a pattern brought, "+N" what was left out. */
static void format(const struct tacho_config *config, char *text, size_t size)
{
	static const char *const modes[] = {"", ":serialized", ":pipelined"};
	const struct tacho_config_entry *entry;
	FILE *stream = fmemopen(text, size, "w");

	assert_non_null(stream);
	for (size_t i = 0; (entry = tacho_config_get_entry(config, i)); i++)
		fprintf(stream, "%s%s%s%s%s", i ? " " : "", entry->is_from_pattern ? "~" : "",
			entry->name, entry->keeps_instances ? ":instances" : "",
			modes[entry->mode]);
	if (tacho_config_get_left_out_count(config))
		fprintf(stream, " +%zu", tacho_config_get_left_out_count(config));
	fclose(stream);
}

struct row {
	const char *list;
	const char *entries; /* or NULL and the error: */
	const char *said;    /* in its message, cause or cure */
	const char *name;    /* that the problem is */
};

static void check(const struct row *row)
{
	const struct tacho_error_detail *detail;
	struct tacho_config_problem problem = {"untouched"};
	struct tacho_config *config = NULL;
	char text[1024] = "";
	int rc = tacho_config_parse(row->list, &options, &config, &problem);

	detail = tacho_error_last();
	if (row->entries) {
		if (rc)
			fail_msg("%s: %s", row->list, detail->message);
		format(config, text, sizeof(text));
		if (strcmp(text, row->entries) != 0)
			fail_msg("\"%s\" is \"%s\"", row->list, text);
		assert_string_equal(problem.name, "untouched");
		tacho_config_destroy(config);
		return;
	}
	if (!rc || config)
		fail_msg("\"%s\" was taken", row->list);
	assert_int_equal(detail->code, rc);
	if (!strstr(detail->message, row->said) && !strstr(detail->cause, row->said) &&
	    !strstr(detail->cure, row->said))
		fail_msg("\"%s\": %s / %s / %s", row->list, detail->message, detail->cause,
			 detail->cure);
	assert_string_equal(problem.name, row->name ? row->name : "");
}

#define CHECK(rows)                                                      \
	for (size_t i_ = 0; i_ < sizeof(rows) / sizeof((rows)[0]); i_++) \
	check(&(rows)[i_])

static void test_names(void **state)
{
	static const struct row rows[] = {
		{"TB1", "TB1"},
		{" M , ta2,,M\n", "M TA2"},
		{",\t,TA1", "TA1"},
		{"TACTS", "TACTS"},
		{"Device_Time,TA1", "device_time TA1"},
		{"TA[1]", "TA[1]"}, /* spelled like a pattern, and a name */
		{"cpu/cycles/,TA1", "cpu/cycles/ TA1"},
		{"TA3", NULL, "alpha has no counter, metric or set \"TA3\"", "TA3"},
		{"TA1,TA3,TA4", NULL, "the nearest names are TA1, TA2, TB1", "TA3"},
		{"TA1 TA2", NULL, "names have commas between them", "TA1 TA2"},
		{"NOBLOCK", NULL, "block NONE, which alpha does not have", "NOBLOCK"},
		{"Secret", NULL, "Secret cannot be counted", "Secret"},
		{"", NULL, "nothing is named"},
		{" , ,", NULL, "nothing is named"},
		{"gpu/x/", NULL, "no counter, metric or set \"gpu/x/\"", "gpu/x/"},
	};

	CHECK(rows);
}

static void test_patterns(void **state)
{
	static const struct row rows[] = {
		{"TA*", "~TA1 ~TA2 ~TA[1]"}, /* no constant */
		{"t?[0-1]", "~TA1 ~TB1"},
		{"T[A,B]1", "~TA1 ~TB1"},
		{"TA?,TB1", "~TA1 ~TA2 TB1"},
		{"TA?,TA1", "TA1 ~TA2"}, /* its name counts */
		{"set:two,TA*", "~TA1 ~M ~TA2 ~TA[1]"},
		{"SET:S:pipelined", "~S.Busy:pipelined ~TB1:pipelined"},
		{"all", "~TA1 ~TA2 ~TA[1] ~TB1 ~cpu/cycles/ ~M ~S.Busy ~Other.Idle +1"},
		{"N*,M", "M +1"},
		{"regex:^T.[12]$", "~TA1 ~TA2 ~TB1"},
		{"regex:^T[A,B]1$,M", "~TA1 ~TB1 M"},
		{"regex:^TA{1,2}[12]", "~TA1 ~TA2"},
		{"regex:s/$:instances", "~cpu/cycles/:instances"},
		{"cpu/*,TA1", "~cpu/cycles/ TA1"}, /* one slash alone holds no comma */
		{"regex:(", NULL, "is no regular expression", "regex:("},
		{"regex:a{2000}", NULL, "it repeats more than 1000 times", "regex:a{2000}"},
		{"regex:((((((((((T+)+)+)+)+)+)+)+)+)+)+", NULL, "it repeats more than 1000 times",
		 "regex:((((((((((T+)+)+)+)+)+)+)+)+)+)+"},
		{"regex:^(T+)+B1+$", "~TB1"},
		{"regex:^Q", NULL, "the nearest names", "regex:^Q"},
		{"regex:^Q", NULL, "no counter, metric or set \"regex:^Q\"", "regex:^Q"},
		{"TA*,Q*", NULL, "no counter, metric or set \"Q*\"", "Q*"},
		{"set:tow", NULL, "the nearest names are Two", "set:tow"},
		{"N*", NULL, "nothing of the list can be counted on alpha"},
		{"device_*", NULL, "no counter, metric or set \"device_*\"", "device_*"},
	};

	CHECK(rows);
}

static void test_options(void **state)
{
	static const struct row rows[] = {
		{"TA1:instances", "TA1:instances"},
		{"TA1:Serialized,TA1:pipelined,TA1", "TA1:serialized TA1:pipelined TA1"},
		{"TA1:instances:serialized", "TA1:instances:serialized"},
		{"TA1:serialized:instances,M", "TA1:instances:serialized M"},
		{"TA1,TA1:instances", "TA1:instances"},
		{"TA*:instances,TA1", "TA1:instances ~TA2:instances ~TA[1]:instances"},
		{"cpu/cycles/:instances", "cpu/cycles/:instances"},
		{"TA1:serialized:serialized", "TA1:serialized"},
		{"TA1:parallel", NULL, "stand \"instances\", \"serialized\" or \"pipelined\"",
		 "TA1:parallel"},
		{"TA1:instances:", NULL, "no counter, metric or set \"TA1:instances:\"",
		 "TA1:instances:"},
		{"TA1:serialized:pipelined", NULL, "to be serialized and pipelined",
		 "TA1:serialized"},
		{":instances", NULL, "no counter, metric or set \":instances\"", ":instances"},
		{"device_time:serialized", NULL, "device_time is counted in no mode",
		 "device_time"},
	};

	CHECK(rows);
}

static void test_notation(void **state)
{
	static const struct row rows[] = {
		{"cpu/event=0x3c,umask=1/,TA1", "cpu/event=0x3c,umask=1/ TA1"},
		{"cpu/a,b/:instances , cpu/cycles/", "cpu/a,b/:instances cpu/cycles/"},
		{"gpu/a,b/,TA1", NULL, "no unit has \"gpu/a,b/\"", "gpu/a,b/"},
		{"cpu", NULL, "no counter, metric or set \"cpu\"", "cpu"},
	};
	size_t count = 0;

	options.define = define;
	options.user = &count;
	CHECK(rows);
	assert_int_equal(count, 2);
}

/* Counters of commands: alone without an architecture, by patterns where launches are counted. */
static void test_commands(void **state)
{
	static const struct row alone[] = {
		{"device_time,Work_Items", "device_time work_items"},
		{"transfer_*", "~transfer_bytes ~transfer_rate"},
		{"device_tim", NULL, "the nearest names are device_time", "device_tim"},
		{"set:default", NULL, "has no set \"default\"", "set:default"},
		{"TA1", NULL, "no counter, metric or set \"TA1\"", "TA1"},
	};
	static const struct row with_launches[] = {
		{"*_time", "~device_time"},
		{"TA1,transfer_r*", "TA1 ~transfer_rate"},
		{"?,*vate_memory", "~M ~private_memory"},
	};
	struct tacho_plan_summary summary;
	struct tacho_config *config;
	struct tacho_plan *plan;

	options.has_launches = 1;
	CHECK(with_launches);
	/* a plan has no pass for them */
	assert_int_equal(tacho_config_parse("device_time", &options, &config, NULL), 0);
	assert_true(tacho_config_get_definition(config, 0)->is_of_command);
	assert_int_equal(tacho_plan_create(config, NULL, &plan), 0);
	tacho_plan_get_summary(plan, &summary);
	assert_int_equal(summary.pass_count, 0);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	options.arch = NULL;
	CHECK(alone);
	assert_int_equal(tacho_config_parse("device_time", NULL, &config, NULL), 0);
	assert_null(tacho_config_get_arch(config));
	assert_int_equal(tacho_plan_create(config, NULL, &plan), TACHO_E_INVAL);
	tacho_config_destroy(config);
}

/* What was measured elsewhere can be asked for, whatever a device could count. */
static void test_values(void **state)
{
	static const struct row with_arch[] = {
		{"NOBLOCK,Secret", "NOBLOCK Secret"},
		{"X,ratio,K,TA1", "X ratio K TA1"},
		{"ta?", "~TA1 ~TA2"},
		{"Y", NULL, "alpha has no counter, metric or set \"Y\"", "Y"},
	};
	static const struct row alone[] = {
		{"X,K:instances", "X K:instances"},
		{"all", "~ratio ~X ~Z"},
		{"?", "~X ~Z"}, /* no constant */
		{"Y", NULL, "the file has no counter, metric or set \"Y\"", "Y"},
		{"device_time", "device_time"},
	};
	struct tacho_column x = {.name = "X", .unit = "", .instance_count = 1},
			    z = {.name = "Z", .unit = "", .instance_count = 1};
	struct tacho_result *values;
	void *data;

	assert_int_equal(tacho__result_create(1, &values), 0);
	assert_int_equal(tacho__result_add_column(values, &x, &data), 0);
	assert_int_equal(tacho__result_add_column(values, &z, &data), 0);
	assert_int_equal(tacho__result_add_expression(values, "ratio", "X/2"), 0);
	assert_int_equal(tacho__result_set_constant(values, "K", 2), 0);
	options.values = values;
	options.is_counted = 1;
	CHECK(with_arch);
	options.arch = NULL;
	CHECK(alone);
	tacho_result_destroy(values);
}

/* In a set: its own names, and counters of any. */
static void test_set(void **state)
{
	static const struct row rows[] = {
		{"busy", "S.Busy"},
		{"S.Busy", "S.Busy"},
		{"B*", "~S.Busy"},
		{"all", "~S.Busy ~TB1"},
		{"TA2", "TA2"},
		{"Other.Idle", NULL, "set S does not program what it counts", "Other.Idle"},
		{"TA*", NULL, "S has no counter, metric or set \"TA*\"", "TA*"},
		{"Bussy", NULL, "the nearest names are Busy", "Bussy"},
	};

	options.set = tacho_arch_find_set(options.arch, "S");
	CHECK(rows);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void test_files(void **state)
{
	char path[] = "/tmp/tacho-list-XXXXXX", list[128], jobs[64];
	struct tacho_config *config;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	write_file(path, "# mine\nTA1:instances, TB?\n\nM # why\n");
	snprintf(list, sizeof(list), "TA2, @%s ,TA1", path);
	check(&(struct row){list, "TA2 TA1:instances ~TB1 M"});
	snprintf(list, sizeof(list), "@%s:serialized", path);
	check(&(struct row){list, "TA1:instances:serialized ~TB1:serialized M:serialized"});
	write_file(path, "TA1\nTA3\n");
	check(&(struct row){list, NULL, "\"TA3\"", "TA3"});
	write_file(path, "TA1\n@other\n");
	check(&(struct row){list, NULL, "a list in a file names another file"});
	write_file(path, "# nothing\n");
	check(&(struct row){list, NULL, "names no counter"});
	snprintf(jobs, sizeof(jobs), "%s.yaml", path);
	write_file(jobs, "jobs:\n  - pmc: [TA1]\n    kernel_include_regex: add\n"
			 "    kernel_exclude_regex: slow\n");
	snprintf(list, sizeof(list), "@%s", jobs);
	assert_int_equal(tacho_config_parse(list, &options, &config, NULL), 0);
	assert_string_equal(tacho_config_get_kernel(config, 0), "regex:add");
	assert_null(tacho_config_get_kernel(config, 1));
	assert_string_equal(tacho_config_get_excluded_kernel(config, 0), "regex:slow");
	assert_null(tacho_config_get_excluded_kernel(config, 1));
	tacho_config_destroy(config);
	unlink(jobs);
	unlink(path);
	check(&(struct row){list, NULL, "cannot read"});
}

#define TEST(function) cmocka_unit_test_setup(function, reset_options)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_names),    TEST(test_patterns), TEST(test_options), TEST(test_notation),
		TEST(test_commands), TEST(test_values),	  TEST(test_set),     TEST(test_files),
	};

	return cmocka_run_group_tests(tests, open_catalog, close_catalog);
}
