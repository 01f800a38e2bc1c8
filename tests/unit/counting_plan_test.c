/* SPDX-License-Identifier: MIT */
/* The plan in counting.json: what is read is what was written; what fits no device is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tacho/error.h"
#include "tacho/session.h"
#include "tacho/sys/counting.h"

struct world {
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
};

static void open_world(struct world *world, const char *backends)
{
	const struct tacho_context_options options = {.size = sizeof(options),
						      .backends = backends};
	const struct tacho_device_info *info;

	*world = (struct world){0};
	assert_int_equal(tacho_context_create(&options, &world->context), 0);
	info = tacho_context_get_device_info(world->context, 0);
	assert_int_equal(tacho_device_open(world->context, info, &world->device), 0);
}

static void drop_plan(struct world *world)
{
	tacho_plan_destroy(world->plan);
	tacho_config_destroy(world->config);
	world->plan = NULL;
	world->config = NULL;
}

static void close_world(struct world *world)
{
	drop_plan(world);
	tacho_device_close(world->device);
	tacho_context_destroy(world->context);
}

static void plan(struct world *world, const struct tacho_config_entry *entries, size_t count)
{
	assert_int_equal(tacho_config_create(tacho_device_get_arch(world->device),
					     tacho_device_get_model(world->device), entries, count,
					     &world->config),
			 0);
	assert_int_equal(tacho_device_plan(world->device, world->config, NULL, &world->plan), 0);
}

/* Without the line breaks, for replace(). */
static void join_lines(char *text)
{
	char *to = text;

	for (const char *at = text; *at; at += *at == '\n' ? 1 + strspn(at + 1, " ") : 1)
		if (*at != '\n')
			*to++ = *at;
	*to = '\0';
}

/* counting.json of the world's plan. */
static char *write_text(const struct world *world)
{
	struct tacho_counting counting = {
		.replay = TACHO_REPLAY_KERNEL, .only_pass = -1, .plan = world->plan};
	struct tacho_plan_summary summary;
	const struct tacho_config_entry *entry;
	struct tacho_counting_column *columns = NULL;
	char *text = NULL;
	size_t count = 0, size;
	FILE *stream = open_memstream(&text, &size);

	for (; (entry = tacho_config_get_entry(world->config, count)); count++) {
		columns = realloc(columns, (count + 1) * sizeof(*columns));
		assert_non_null(columns);
		columns[count] = (struct tacho_counting_column){
			entry->name, "", "", "", "", TACHO_TYPE_U64, TACHO_FROM_SESSION};
	}
	tacho_plan_get_summary(world->plan, &summary);
	counting.pass_count = (uint32_t)summary.pass_count;
	counting.columns = columns;
	counting.column_count = counting.entry_count = count;
	tacho_counting_write(&counting, stream);
	fclose(stream);
	free(columns);
	join_lines(text);
	return text;
}

/* Takes the plan of a text for the world's device. */
static int take(struct world *world, const char *text)
{
	struct tacho_counting *counting;
	int rc = tacho_counting_parse(text, strlen(text), &counting);

	assert_int_equal(rc, 0);
	rc = tacho_counting_make_plan(counting, world->device, &world->config, &world->plan);
	tacho_counting_destroy(counting); /* nothing is borrowed from it */
	return rc;
}

static void compare_passes(const struct tacho_plan_pass *a, const struct tacho_plan_pass *b)
{
	assert_int_equal(a->counter_count, b->counter_count);
	for (size_t i = 0; i < a->counter_count; i++) {
		assert_string_equal(a->counters[i].entry->name, b->counters[i].entry->name);
		assert_string_equal(a->counters[i].accumulate, b->counters[i].accumulate);
	}
	assert_int_equal(a->entry_count, b->entry_count);
	for (size_t i = 0; i < a->entry_count; i++)
		assert_string_equal(a->entries[i]->name, b->entries[i]->name);
	assert_int_equal(a->mode, b->mode);
	assert_int_equal(!a->set, !b->set);
	if (a->set)
		assert_string_equal(a->set->name, b->set->name);
}

static void compare(const struct world *a, const struct world *b)
{
	const struct tacho_config_entry *wanted, *same;
	const struct tacho_plan_pass *pass;
	size_t count = 0;

	for (; (pass = tacho_plan_get_pass(a->plan, count)); count++)
		compare_passes(pass, tacho_plan_get_pass(b->plan, count));
	assert_null(tacho_plan_get_pass(b->plan, count));
	for (count = 0; (wanted = tacho_config_get_entry(a->config, count)); count++) {
		const struct tacho_plan_entry *entry = tacho_plan_get_entry(a->plan, count),
					      *got = tacho_plan_get_entry(b->plan, count);

		same = tacho_config_get_entry(b->config, count);
		assert_string_equal(wanted->name, same->name);
		assert_int_equal(wanted->keeps_instances, same->keeps_instances);
		assert_int_equal(wanted->mode, same->mode);
		assert_string_equal(entry->entry->name, got->entry->name);
		assert_int_equal(entry->is_split, got->is_split);
		assert_int_equal(entry->pass_count, got->pass_count);
		assert_memory_equal(entry->passes, got->passes,
				    entry->pass_count * sizeof(*entry->passes));
	}
	assert_null(tacho_config_get_entry(b->config, count));
}

/* Every 7th entry of a device in all modes: blocks, sets, what is added up, what is split. */
static void check_device(const char *backends)
{
	struct tacho_config_entry *wanted = NULL;
	const struct tacho_entry *entry;
	const struct tacho_arch *arch;
	struct world launcher, process;
	size_t count = 0;
	char *text;

	open_world(&launcher, backends);
	open_world(&process, backends);
	arch = tacho_device_get_arch(launcher.device);
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i += 7) {
		if (tacho_config_check_entry(arch, tacho_device_get_model(launcher.device), entry))
			continue;
		wanted = realloc(wanted, (count + 1) * sizeof(*wanted));
		assert_non_null(wanted);
		wanted[count] = (struct tacho_config_entry){
			.name = entry->name, .keeps_instances = i % 2, .mode = (uint32_t)count % 3};
		count++;
	}
	assert_true(count > 5);
	plan(&launcher, wanted, count);
	text = write_text(&launcher);
	assert_int_equal(take(&process, text), 0);
	compare(&launcher, &process);
	free(text);
	free(wanted);
	close_world(&launcher);
	close_world(&process);
}

static void test_round_trip(void **state)
{
	check_device("sim:mi300x");
	check_device("sim:rx480");
	check_device("sim:bsw");
}

static char *replace(const char *text, const char *old, const char *new)
{
	const char *at = strstr(text, old);
	size_t size = strlen(text) + strlen(new) + 1;
	char *changed = malloc(size);

	assert_non_null(at);
	assert_non_null(changed);
	snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
	return changed;
}

static const struct tacho_config_entry two[] = {
	{.name = "MeanOccupancyPerCU"}, {.name = "SQ_WAVES", .mode = TACHO_MODE_SERIALIZED}};

static void test_misfits(void **state)
{
	static const struct {
		const char *old, *new, *cause;
	} changes[] = {
		{"\"plan\"", "\"plans\"", "it is for nothing, the device is gfx942"},
		{"\"plan\": {", "\"plan\": null, \"x\": {", "it is for nothing"},
		{"\"plan\": {", "\"plan\": [3], \"x\": {", "it is for nothing"},
		{"\"gfx942\"", "\"gfx90a\"", "it is for gfx90a, the device is gfx942"},
		{"\"passes\": 2", "\"passes\": 3", "it has 2 passes of 3"},
		{"\"MeanOccupancyPerCU\",\"instances\"", "\"Mean\", \"instances\"",
		 "there is no \"Mean\""},
		{"\"MeanOccupancyPerCU\",\"instances\"", "\"meanoccupancypercu\", \"instances\"",
		 "there is no \"meanocc"},
		{"\"name\": \"SQ_WAVES\",\"instances\"", "\"x\": \"SQ_WAVES\", \"instances\"",
		 "there is no \"\""},
		{"\"name\": \"SQ_WAVES\",\"instances\": false,\"mode\": \"serialized\"",
		 "\"name\": \"MeanOccupancyPerCU\",\"mode\":\"default\"", "it has an entry twice"},
		{"\"serialized\"", "\"both\"", "a mode is not known"},
		{"\"serialized\"", "1", "a mode is not known"},
		{"\"passes\": [0", "\"passes\": [2", "MeanOccupancyPerCU is not of its passes"},
		{"\"passes\": [0", "\"passes\": [-1", "is not of its passes"},
		{"\"passes\": [0", "\"passes\": [4294967296", "is not of its passes"},
		{"\"passes\": [0", "\"passes\": [\"0\"", "is not of its passes"},
		{"\"passes\": [0", "\"passes\": [0, 0", "is not of its passes"},
		{"\"set\": \"\"", "\"set\": \"TestOa\"", "there is no set \"TestOa\""},
		{"\"HIGH_RES\"", "\"HIGHEST\"", "accumulated in no known way"},
		{"\"counters\": [{", "\"counters\": [7, {", "there is no \"\""},
	};
	struct world world;
	char *text;

	open_world(&world, "sim:mi300x");
	plan(&world, two, 2);
	text = write_text(&world);
	drop_plan(&world);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		char *changed = replace(text, changes[i].old, changes[i].new);

		assert_int_equal(take(&world, changed), TACHO_E_INVAL);
		assert_string_equal(tacho_error_last()->message,
				    "the plan in counting.json does not fit mi300x [simulated]");
		if (!strstr(tacho_error_last()->cause, changes[i].cause))
			fail_msg("%zu: %s", i, tacho_error_last()->cause);
		assert_non_null(strstr(tacho_error_last()->cure, "libtacho"));
		assert_null(world.plan);
		free(changed);
	}
	assert_int_equal(take(&world, text), 0);
	free(text);
	close_world(&world);
}

/* What the command planned counts, not what the process would plan. */
/* A launch that is counted overlaps with none. */
static void test_modes(void **state)
{
	static const struct tacho_config_entry entries[] = {{.name = "SQ_WAVES",
							     .mode = TACHO_MODE_SERIALIZED},
							    {.name = "SQ_WAVES"}},
					       overlapping[] = {{.name = "SQ_WAVES"},
								{.name = "VALUBusy",
								 .mode = TACHO_MODE_PIPELINED}};
	struct world world;

	open_world(&world, "sim:mi300x");
	plan(&world, entries, 2);
	assert_int_equal(tacho_counting_check_modes(world.plan), 0);
	drop_plan(&world);
	plan(&world, overlapping, 2);
	assert_int_equal(tacho_counting_check_modes(world.plan), TACHO_E_UNSUPPORTED);
	assert_string_equal(tacho_error_last()->message,
			    "VALUBusy of launches cannot be counted pipelined");
	assert_non_null(strstr(tacho_error_last()->cause, "has the device for itself"));
	close_world(&world);
	assert_string_equal(tacho_mode_to_string(TACHO_MODE_PIPELINED), "pipelined");
	assert_string_equal(tacho_mode_to_string(TACHO_MODE_COUNT), "unknown");
}

static void test_is_not_planned_again(void **state)
{
	const struct tacho_config_entry both[] = {{.name = "SQ_WAVES"}, {.name = "SQ_ITEMS"}};
	struct world world;
	char *text, *changed;

	open_world(&world, "sim:mi300x");
	plan(&world, both, 2);
	text = write_text(&world);
	drop_plan(&world);
	/* a pass of its own for the second, where one would do */
	changed = replace(text, "\"passes\": 1", "\"passes\": 2");
	free(text);
	text = replace(changed, "\"passes\": [0]}],", "\"passes\": [1]}],");
	free(changed);
	changed = replace(text, ",{\"name\": \"SQ_ITEMS\",\"acc",
			  "]},{\"mode\": \"default\",\"counters\": [{\"name\": \"SQ_ITEMS\",\"acc");
	free(text);
	assert_int_equal(take(&world, changed), 0);
	assert_int_equal(tacho_plan_get_entry(world.plan, 1)->passes[0], 1);
	assert_int_equal(tacho_plan_get_pass(world.plan, 1)->counter_count, 1);
	free(changed);
	close_world(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_misfits),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_is_not_planned_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
