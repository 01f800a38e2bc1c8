/* SPDX-License-Identifier: MIT */
/* Contexts that read only what their devices need: all that a device says stays as it was. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tacho/config.h"
#include "tacho/error.h"
#include "tacho/session.h"
#include "tacho/sys/devices.h"

/* The first device of a list of backends, in a context that has the whole catalog and in a lean
 * one. */
struct pair {
	struct tacho_context *contexts[2];
	struct tacho_device *devices[2];
};

static void open_pair(struct pair *pair, const char *backends)
{
	const struct tacho_catalog_options catalog = {.size = sizeof(catalog), .no_environment = 1};
	const struct tacho_context_options options = {
		.size = sizeof(options), .backends = backends, .catalog = &catalog};

	assert_int_equal(tacho_context_create(&options, &pair->contexts[0]), 0);
	assert_int_equal(tacho_context_create_lean(&options, &pair->contexts[1]), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(
			tacho_device_open(pair->contexts[i],
					  tacho_context_get_device_info(pair->contexts[i], 0),
					  &pair->devices[i]),
			0);
}

static void close_pair(struct pair *pair)
{
	for (int i = 0; i < 2; i++) {
		tacho_device_close(pair->devices[i]);
		tacho_context_destroy(pair->contexts[i]);
	}
}

static size_t count_archs(const struct tacho_context *context)
{
	size_t count = 0;

	while (tacho_catalog_get_arch(tacho_context_get_catalog(context), count))
		count++;
	return count;
}

static void compare_entries(const struct tacho_arch *a, const struct tacho_arch *b)
{
	const struct tacho_entry *entry, *other;
	size_t i = 0;

	for (; (entry = tacho_arch_get_entry(a, i)); i++) {
		other = tacho_arch_get_entry(b, i);
		assert_non_null(other);
		assert_string_equal(entry->name, other->name);
		assert_string_equal(entry->description, other->description);
		assert_string_equal(entry->block, other->block);
		assert_string_equal(entry->expression, other->expression);
		assert_string_equal(entry->source, other->source);
		assert_true(entry->kind == other->kind && entry->event == other->event);
	}
	assert_true(i);
	assert_null(tacho_arch_get_entry(b, i));
}

static void compare_sets(const struct tacho_arch *a, const struct tacho_arch *b)
{
	const struct tacho_set *set, *other;
	size_t i = 0;

	for (; (set = tacho_arch_get_set(a, i)); i++) {
		other = tacho_arch_get_set(b, i);
		assert_non_null(other);
		assert_string_equal(set->name, other->name);
		assert_int_equal(set->entry_count, other->entry_count);
		for (size_t k = 0; k < set->entry_count; k++)
			assert_string_equal(set->entries[k]->name, other->entries[k]->name);
	}
	assert_null(tacho_arch_get_set(b, i));
}

static void compare_models(const struct tacho_model *a, const struct tacho_model *b)
{
	assert_int_equal(a->property_count, b->property_count);
	for (size_t i = 0; i < a->property_count; i++) {
		assert_string_equal(a->properties[i].name, b->properties[i].name);
		assert_true(a->properties[i].value == b->properties[i].value);
	}
}

/* What is said of a name that nobody has, with the nearest ones. */
static void compare_errors(const struct pair *pair)
{
	const struct tacho_entry *entry =
		tacho_arch_get_entry(tacho_device_get_arch(pair->devices[0]), 0);
	char name[256], said[2][2048];

	snprintf(name, sizeof(name), "%sx", entry->name);
	for (int i = 0; i < 2; i++) {
		struct tacho_config *config = NULL;
		const struct tacho_error_detail *detail;

		assert_int_not_equal(
			tacho_device_parse_config(pair->devices[i], name, NULL, &config, NULL), 0);
		detail = tacho_error_last();
		snprintf(said[i], sizeof(said[i]), "%s: %s; %s", detail->message, detail->cause,
			 detail->cure);
	}
	assert_string_equal(said[0], said[1]);
	assert_non_null(strstr(said[0], entry->name));
}

static void test_same(void **state)
{
	static const char *const backends[] = {"sim:mi300x", "sim:mi210",   "sim:vega64",
					       "sim:rx480",  "sim:h200",    "sim:bsw",
					       "sim:navi31", "sim:rx9070xt"};

	for (size_t i = 0; i < sizeof(backends) / sizeof(*backends); i++) {
		struct pair pair;
		const struct tacho_arch *archs[2];

		open_pair(&pair, backends[i]);
		for (int k = 0; k < 2; k++)
			archs[k] = tacho_device_get_arch(pair.devices[k]);
		assert_string_equal(archs[0]->name, archs[1]->name);
		assert_string_equal(archs[0]->api, archs[1]->api);
		assert_int_equal(archs[0]->pass_cap, archs[1]->pass_cap);
		compare_entries(archs[0], archs[1]);
		compare_sets(archs[0], archs[1]);
		compare_models(tacho_device_get_model(pair.devices[0]),
			       tacho_device_get_model(pair.devices[1]));
		compare_errors(&pair);
		assert_true(count_archs(pair.contexts[1]) * 10 < count_archs(pair.contexts[0]));
		close_pair(&pair);
	}
}

/* Devices that have less in common need more. */
static void test_several(void **state)
{
	static const struct {
		const char *backends;
		const char *lacks; /* an architecture that none of them needs; NULL: has all */
	} cases[] = {
		{"sim:mi300x,sim:mi300x", "gh100"},
		{"sim:mi300x,sim:mi210", NULL},
		{"sim:h200,sim:mi300x", NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct tacho_device_info *info;
		const struct tacho_arch *arch;
		struct pair pair;
		size_t k = 0;

		open_pair(&pair, cases[i].backends);
		for (; (info = tacho_context_get_device_info(pair.contexts[1], k)); k++) {
			struct tacho_device *device;

			assert_int_equal(tacho_device_open(pair.contexts[1], info, &device), 0);
			assert_string_equal(tacho_device_get_arch(device)->name, info->arch);
			tacho_device_close(device);
		}
		assert_int_equal(k, 2);
		if (cases[i].lacks)
			assert_int_equal(
				tacho_catalog_find_arch(tacho_context_get_catalog(pair.contexts[1]),
							cases[i].lacks, NULL, &arch),
				TACHO_E_NOTFOUND);
		else
			assert_int_equal(count_archs(pair.contexts[0]),
					 count_archs(pair.contexts[1]));
		close_pair(&pair);
	}
}

/* Linux tells what it counts: no definitions are read, and the device has all that it had. */
static void test_own_source(void **state)
{
	const struct tacho_catalog_options catalog = {.size = sizeof(catalog), .no_environment = 1};
	const struct tacho_context_options options = {
		.size = sizeof(options), .backends = "perf", .catalog = &catalog};
	const struct tacho_device_info *info;
	struct tacho_context *context;
	struct pair pair;

	assert_int_equal(tacho_context_create_lean(&options, &context), 0);
	info = tacho_context_get_device_info(context, 0);
	if (!info || !info->usable) {
		print_message("perf cannot be used here: %s\n", info ? info->cause : "no device");
		tacho_context_destroy(context);
		skip(); /* as where a container or qemu-user has no perf_event_open */
	}
	assert_int_equal(count_archs(context), 0);
	tacho_context_destroy(context);
	open_pair(&pair, "perf");
	assert_true(count_archs(pair.contexts[0]) > 0);
	compare_entries(tacho_device_get_arch(pair.devices[0]),
			tacho_device_get_arch(pair.devices[1]));
	close_pair(&pair);
}

/* What the caller names stays, and an empty call says so. */
static void test_named(void **state)
{
	const struct tacho_catalog_options catalog = {
		.size = sizeof(catalog), .api = "cl", .no_environment = 1};
	const struct tacho_context_options options = {
		.size = sizeof(options), .backends = "sim:mi300x", .catalog = &catalog};
	const struct tacho_arch *arch;
	struct tacho_context *context;

	assert_int_equal(tacho_context_create_lean(&options, &context), 0);
	assert_int_equal(
		tacho_catalog_find_arch(tacho_context_get_catalog(context), "gfx9", "cl", &arch),
		0);
	tacho_context_destroy(context);
	assert_int_equal(tacho_context_create_lean(&options, NULL), TACHO_E_INVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_own_source),
		cmocka_unit_test(test_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
