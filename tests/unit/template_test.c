/* SPDX-License-Identifier: MIT */
/* Records of templates: what was packed is read again, and what they add up to for executions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "record/objects.h"
#include "record/template.h"
#include "record/templates.h"

enum { API = 1, BUFFER = 0x1c90000, OTHER = 0x1c90040 };
#define NDRANGE "CL_COMMAND_NDRANGE_KERNEL"

/* ---- what a reader has: some objects, and no templates yet ---- */

struct world {
	struct tacho__templates templates;
	struct tacho__map states, handles;
	struct tacho__objects objects;
	struct tacho_process process;
};

static void add_object(struct world *world, uint32_t kind, uint64_t handle, const char *text)
{
	assert_int_equal(tacho__objects_add(&world->objects, &world->handles, &world->process, API,
					    kind, handle, (const uint8_t *)text, strlen(text)),
			 0);
}

static int set_up(void **state)
{
	struct world *world = calloc(1, sizeof(*world));

	add_object(world, TACHO_OBJECT_DEVICE, 0xd1, "name=one\n");
	add_object(world, TACHO_OBJECT_DEVICE, 0xd2, "name=two\n");
	add_object(world, TACHO_OBJECT_QUEUE, 0xe1, "device=209\n");
	add_object(world, TACHO_OBJECT_QUEUE, 0xe2, "device=210\n");
	add_object(world, TACHO_OBJECT_KERNEL, 0xa1, "name=add\n");
	add_object(world, TACHO_OBJECT_KERNEL, 0xa2, "name=scale\n");
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	tacho__templates_finish_process(&world->states);
	tacho__templates_finish(&world->templates);
	tacho__objects_finish(&world->objects);
	tacho__map_finish(&world->handles);
	free(world);
	return 0;
}

static void take_bytes(struct world *world, const uint8_t *packed, size_t size)
{
	struct tacho__unpack unpack;

	tacho__unpack_begin(&unpack, packed, size);
	assert_int_equal(
		tacho__templates_take(&world->templates, &world->states, &world->handles, &unpack),
		0);
}

static void tell(struct world *world, const struct tacho__template *template)
{
	uint8_t packed[TACHO__TEMPLATE_BYTES];

	for (uint32_t i = 0; i < tacho__template_record_count(template); i++)
		take_bytes(world, packed, tacho__template_pack(template, i, packed));
}

static struct tacho__template_command launch(uint64_t index, uint64_t kernel, uint64_t size)
{
	return (struct tacho__template_command){.index = index,
						.kind = TACHO_COMMAND_KERNEL,
						.name = NDRANGE,
						.kernel = kernel,
						.dimensions = 1,
						.has_global = true,
						.global = {size}};
}

/* A whole template of one device that launches these kernels. */
static void tell_whole(struct world *world, uint64_t handle, uint64_t version,
		       const uint64_t *kernels, size_t count)
{
	static const uint64_t queues[] = {0xe1};
	struct tacho__template_command commands[64];
	struct tacho__template template = {.api = API,
					   .handle = handle,
					   .version = version,
					   .queues = queues,
					   .queue_count = 1,
					   .commands = commands,
					   .count = count,
					   .is_complete = true,
					   .total = count};

	for (size_t i = 0; i < count; i++)
		commands[i] = launch(i, kernels[i], 100 + i);
	tell(world, &template);
}

static const struct tacho_template *find(struct world *world, uint64_t handle, uint64_t version)
{
	const struct tacho_template *found =
		tacho__templates_find(&world->templates, &world->states, API, handle, version);

	assert_non_null(found);
	return found;
}

static void assert_unknown(struct world *world, uint64_t handle, uint64_t version,
			   const char *reason)
{
	const struct tacho_template *found = find(world, handle, version);

	assert_int_equal(found->is_known, 0);
	assert_string_equal(found->name, "command buffer (contents not known)");
	assert_string_equal(found->reason, reason);
}

/* ---- records ---- */

static const struct tacho__template_command two_commands[] = {
	{.index = 7,
	 .kind = TACHO_COMMAND_KERNEL,
	 .name = NDRANGE,
	 .queue = 0xe1,
	 .kernel = UINT64_MAX,
	 .dimensions = 3,
	 .has_global = true,
	 .has_local = true,
	 .global = {1, UINT64_MAX, 3},
	 .local = {4, 5, 6},
	 .has_extra_local = true,
	 .extra_local_bytes = 1 << 20},
	{.index = 8, .kind = TACHO_COMMAND_COPY, .name = "", .has_bytes = true, .bytes = 9}};

static void record_comes_back(void **state)
{
	static const uint64_t queues[] = {0xe1, UINT64_MAX};
	const struct tacho__template template = {.api = 5,
						 .handle = UINT64_MAX - 1,
						 .version = 3,
						 .base_handle = 11,
						 .base_version = 2,
						 .queues = queues,
						 .queue_count = 2,
						 .commands = two_commands,
						 .count = 2,
						 .is_complete = true,
						 .total = 12};
	uint8_t packed[TACHO__TEMPLATE_BYTES];
	struct tacho__template_head head;
	struct tacho__template_item item;
	struct tacho__unpack unpack;

	assert_int_equal(tacho__template_record_count(&template), 1);
	tacho__unpack_begin(&unpack, packed, tacho__template_pack(&template, 0, packed));
	assert_true(tacho__template_unpack_head(&unpack, &head));
	assert_true(head.api == 5 && head.handle == UINT64_MAX - 1 && head.version == 3);
	assert_true(head.base_handle == 11 && head.base_version == 2);
	assert_true(head.is_complete && head.total == 12);
	assert_true(head.has_queues && head.queue_count == 2);
	assert_memory_equal(head.queues, queues, sizeof(queues));
	assert_int_equal(head.count, 2);
	assert_true(tacho__template_unpack(&unpack, &item));
	assert_int_equal(item.command.index, 7);
	assert_int_equal(item.command.kind, TACHO_COMMAND_KERNEL);
	assert_int_equal(item.name_size, strlen(NDRANGE));
	assert_memory_equal(item.name, NDRANGE, item.name_size);
	assert_true(item.command.kernel == UINT64_MAX);
	assert_int_equal(item.command.dimensions, 3);
	assert_memory_equal(item.command.global, two_commands[0].global,
			    sizeof(item.command.global));
	assert_memory_equal(item.command.local, two_commands[0].local, sizeof(item.command.local));
	assert_false(item.command.has_bytes);
	assert_true(item.command.has_extra_local);
	assert_int_equal(item.command.extra_local_bytes, 1 << 20);
	assert_true(tacho__template_unpack(&unpack, &item));
	assert_true(item.command.has_bytes && item.command.bytes == 9);
	assert_false(item.command.has_global || item.command.has_local ||
		     item.command.has_extra_local);
	assert_int_equal(item.name_size, 0);
	assert_true(unpack.at == unpack.end && !unpack.bad);
}

/* The largest record there can be fits into its room; what is left over goes into a second one. */
static void largest_record_fits(void **state)
{
	enum { COUNT = TACHO__TEMPLATE_PER_RECORD + 1 };
	static struct tacho__template_command commands[COUNT];
	static uint64_t queues[2 * TACHO__TEMPLATE_QUEUES_MAX];
	static char name[4 * TACHO__TEMPLATE_NAME_MAX];
	struct tacho__template template = {.api = UINT16_MAX,
					   .handle = UINT64_MAX,
					   .version = UINT64_MAX,
					   .base_handle = UINT64_MAX,
					   .base_version = UINT64_MAX,
					   .queues = queues,
					   .queue_count = 2 * TACHO__TEMPLATE_QUEUES_MAX,
					   .commands = commands,
					   .count = COUNT,
					   .is_complete = true,
					   .total = UINT64_MAX};
	uint8_t packed[TACHO__TEMPLATE_BYTES];
	struct tacho__template_head head;
	struct tacho__unpack unpack;

	memset(name, 'n', sizeof(name) - 1);
	memset(queues, 0xff, sizeof(queues));
	memset(commands, 0xff, sizeof(commands));
	for (size_t i = 0; i < COUNT; i++) {
		commands[i].name = name;
		commands[i].has_global = commands[i].has_local = commands[i].has_bytes =
			commands[i].has_extra_local = true;
	}
	assert_int_equal(tacho__template_record_count(&template), 2);
	assert_in_range(tacho__template_pack(&template, 0, packed), 2000, TACHO__TEMPLATE_BYTES);
	tacho__unpack_begin(&unpack, packed, tacho__template_pack(&template, 1, packed));
	assert_true(tacho__template_unpack_head(&unpack, &head));
	assert_int_equal(head.count, 1);
	assert_true(head.is_complete && !head.base_version && !head.has_queues);
}

/* ---- what they add up to ---- */

static void names_tell_kernels_apart(void **state)
{
	static const uint64_t same[] = {0xa1, 0xa2, 0xa1}, others[] = {0xa2, 0xa2, 0xa1};
	struct world *world = *state;
	const struct tacho_template *found;

	tell_whole(world, BUFFER, 1, same, 3);
	found = find(world, BUFFER, 1);
	assert_string_equal(found->name, "command buffer (3 kernels)");
	assert_int_equal(found->id, 1);
	assert_int_equal(found->is_known, 1);
	assert_string_equal(found->reason, "");
	assert_int_equal(found->command_count, 3);
	assert_int_equal(found->kernel_count, 3);
	assert_int_equal(found->device_count, 1);
	assert_string_equal(found->devices[0]->name, "one");
	assert_string_equal(found->commands[1].kernel->name, "scale");
	assert_string_equal(found->commands[1].name, NDRANGE);
	assert_int_equal(found->commands[1].global[0], 101);
	assert_int_equal(found->commands[1].global[2], 1);
	assert_ptr_equal(found->commands[1].device, found->devices[0]);
	tell_whole(world, OTHER, 2, others, 3);
	assert_string_equal(find(world, OTHER, 2)->name, "command buffer (3 kernels) #2");
	tell_whole(world, OTHER + 1, 3, same, 3);
	assert_int_equal(find(world, OTHER + 1, 3)->id, 1);
	tell_whole(world, OTHER + 2, 4, same, 1);
	assert_string_equal(find(world, OTHER + 2, 4)->name, "command buffer (1 kernel)");
	tell_whole(world, OTHER + 3, 5, same, 0);
	assert_string_equal(find(world, OTHER + 3, 5)->name, "command buffer (no kernels)");
}

/* A handle that was given out again is another one's; executions name versions. */
static void versions_do_not_mix(void **state)
{
	static const uint64_t first[] = {0xa1, 0xa1}, second[] = {0xa2};
	struct world *world = *state;

	assert_unknown(world, BUFFER, 0, "the recorder could not follow what it holds");
	assert_unknown(world, BUFFER, 9, "what it holds was not recorded in this process");
	tell_whole(world, BUFFER, 1, first, 2);
	assert_int_equal(find(world, BUFFER, 1)->kernel_count, 2);
	assert_unknown(world, BUFFER, 2, "what it holds was not recorded in this process");
	tell_whole(world, BUFFER, 2, second, 1);
	assert_int_equal(find(world, BUFFER, 2)->kernel_count, 1);
	assert_int_equal(find(world, BUFFER, 2)->command_count, 1);
	assert_unknown(world, BUFFER, 1, "what it holds was not recorded in this process");
	assert_unknown(world, OTHER, 2, "what it holds was not recorded in this process");
}

/* A change keeps what it does not tell; a copy does so under another handle. */
static void changes_and_copies(void **state)
{
	static const uint64_t kernels[] = {0xa1, 0xa2};
	static const uint64_t queues[] = {0xe2};
	struct world *world = *state;
	struct tacho__template_command command = {
		.index = 1, .name = "", .dimensions = 1, .has_global = true, .global = {7}};
	struct tacho__template template = {.api = API,
					   .handle = BUFFER,
					   .version = 2,
					   .base_handle = BUFFER,
					   .base_version = 1,
					   .commands = &command,
					   .count = 1,
					   .is_complete = true,
					   .total = 2};
	const struct tacho_template *found;

	tell_whole(world, BUFFER, 1, kernels, 2);
	tell(world, &template);
	found = find(world, BUFFER, 2);
	assert_int_equal(found->is_known, 1);
	assert_string_equal(found->name, "command buffer (2 kernels)");
	assert_int_equal(found->commands[0].global[0], 100);
	assert_int_equal(found->commands[1].global[0], 7);
	assert_int_equal(found->commands[1].kind, TACHO_COMMAND_KERNEL);
	assert_string_equal(found->commands[1].name, NDRANGE);
	assert_string_equal(found->commands[1].kernel->name, "scale");

	template = (struct tacho__template){.api = API,
					    .handle = OTHER,
					    .version = 3,
					    .base_handle = BUFFER,
					    .base_version = 2,
					    .queues = queues,
					    .queue_count = 1,
					    .is_complete = true,
					    .total = 2};
	tell(world, &template);
	found = find(world, OTHER, 3);
	assert_int_equal(found->is_known, 1);
	assert_int_equal(found->commands[1].global[0], 7);
	assert_int_equal(found->device_count, 1);
	assert_string_equal(found->devices[0]->name, "two");
	assert_string_equal(found->commands[0].device->name, "two");
	assert_string_equal(find(world, BUFFER, 2)->devices[0]->name, "one");

	template.handle = OTHER + 1;
	template.version = 4;
	template.base_version = 1; /* no longer there */
	tell(world, &template);
	assert_unknown(world, OTHER + 1, 4, "what it was a copy of is not in the recording");
}

static void gaps_are_told(void **state)
{
	struct world *world = *state;
	struct tacho__template_command command = launch(1, 0xa1, 5);
	struct tacho__template template = {
		.api = API, .handle = BUFFER, .version = 1, .commands = &command, .count = 1};

	tell(world, &template); /* the second one, without the first */
	assert_unknown(world, BUFFER, 1, "it was not seen to be completed");
	template.count = 0;
	template.is_complete = true;
	template.total = 2;
	tell(world, &template);
	assert_unknown(world, BUFFER, 1, "some of its commands are not in the recording");
	command.index = 0;
	template.version = 2;
	template.count = 1;
	tell(world, &template); /* the last one is lost */
	assert_unknown(world, BUFFER, 2, "some of its commands are not in the recording");
	assert_int_equal(find(world, BUFFER, 2)->command_count, 1);
}

/* Several devices, each once; a command without a queue is of none of them for sure. */
static void devices_of_queues(void **state)
{
	static const uint64_t queues[] = {0xe1, 0xe2, 0xe1, 0xbad};
	struct world *world = *state;
	struct tacho__template_command commands[] = {launch(0, 0xa1, 5), launch(1, 0xa1, 5)};
	struct tacho__template template = {.api = API,
					   .handle = BUFFER,
					   .version = 1,
					   .queues = queues,
					   .queue_count = 4,
					   .commands = commands,
					   .count = 2,
					   .is_complete = true,
					   .total = 2};
	const struct tacho_template *found;

	commands[1].queue = 0xe2;
	tell(world, &template);
	found = find(world, BUFFER, 1);
	assert_int_equal(found->device_count, 2);
	assert_string_equal(found->devices[1]->name, "two");
	assert_null(found->commands[0].device);
	assert_string_equal(found->commands[1].device->name, "two");
}

/* ---- what no recorder writes ---- */

static void shorter_records_are_left_out(void **state)
{
	static const uint64_t queues[] = {0xe1};
	struct world *world = *state;
	struct tacho__template_command commands[] = {launch(0, 0xa1, 5), launch(1, 0xa2, 5)};
	struct tacho__template template = {.api = API,
					   .handle = BUFFER,
					   .version = 1,
					   .queues = queues,
					   .queue_count = 1,
					   .commands = commands,
					   .count = 2,
					   .is_complete = true,
					   .total = 2};
	uint8_t packed[TACHO__TEMPLATE_BYTES];
	uint32_t size = tacho__template_pack(&template, 0, packed);

	for (uint32_t i = 0; i < size; i++) {
		uint8_t *shorter = malloc(i + 1);

		memcpy(shorter, packed, i);
		take_bytes(world, shorter, i);
		assert_int_equal(find(world, BUFFER, 1)->is_known, 0);
		free(shorter);
	}
	take_bytes(world, packed, size);
	/* the gap of one that was cut stays: its rest may have said more */
	assert_int_equal(find(world, BUFFER, 1)->is_known, 0);
}

static void damage_does_no_harm(void **state)
{
	struct world *world = *state;
	struct tacho__template_command commands[] = {launch(0, 0xa1, 5), launch(1, 0xa2, 5)};
	struct tacho__template template = {.api = API,
					   .handle = BUFFER,
					   .base_handle = BUFFER,
					   .commands = commands,
					   .count = 2,
					   .is_complete = true,
					   .total = 2};
	uint8_t packed[TACHO__TEMPLATE_BYTES];

	srand(1);
	for (int round = 0; round < 20000; round++) {
		uint32_t size;

		template.version = 1 + (uint64_t)rand() % 4;
		template.base_version = (uint64_t)rand() % 4;
		size = tacho__template_pack(&template, 0, packed);
		for (int i = rand() % 4; i > 0; i--)
			packed[(uint32_t)rand() % size] = (uint8_t)rand();
		take_bytes(world, packed, size);
		find(world, BUFFER, template.version);
	}
}

/* What copies may make us hold is bounded; a handle that is used again takes no more. */
static void copies_are_bounded(void **state)
{
	struct world *world = *state;
	struct tacho__template_command commands[TACHO__TEMPLATE_PER_RECORD];
	struct tacho__template template = {
		.api = API, .handle = 1, .version = 1, .commands = commands};
	bool is_bounded = false;

	for (uint64_t i = 0; i < 4096; i += template.count) {
		template.count = TACHO__TEMPLATE_PER_RECORD;
		for (uint64_t j = 0; j < template.count; j++)
			commands[j] = launch(i + j, 0xa1, 5);
		tell(world, &template);
	}
	template.base_handle = template.base_version = 1;
	template.count = 0;
	template.is_complete = true;
	template.total = 4096;
	for (uint64_t i = 2; i < 1000; i++) {
		template.handle = 2;
		template.version = i;
		tell(world, &template);
		assert_int_equal(find(world, 2, i)->command_count, 4096);
	}
	for (uint64_t i = 3; i < 1000 && !is_bounded; i++) {
		template.handle = template.version = i;
		tell(world, &template);
		is_bounded = !find(world, i, i)->is_known;
	}
	assert_true(is_bounded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(record_comes_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(largest_record_fits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names_tell_kernels_apart, set_up, tear_down),
		cmocka_unit_test_setup_teardown(versions_do_not_mix, set_up, tear_down),
		cmocka_unit_test_setup_teardown(changes_and_copies, set_up, tear_down),
		cmocka_unit_test_setup_teardown(gaps_are_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(devices_of_queues, set_up, tear_down),
		cmocka_unit_test_setup_teardown(shorter_records_are_left_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage_does_no_harm, set_up, tear_down),
		cmocka_unit_test_setup_teardown(copies_are_bounded, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
