/* SPDX-License-Identifier: MIT */
/* Things that are told of again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/objects.h"

enum { API = 3, HANDLE = 0xd1, TIMES = 100000 };

struct world {
	struct tacho__map handles;
	struct tacho__objects objects;
	struct tacho_process process;
};

static const struct tacho_object *tell(struct world *world, const char *text)
{
	assert_int_equal(tacho__objects_add(&world->objects, &world->handles, &world->process, API,
					    TACHO_OBJECT_DEVICE, HANDLE, (const uint8_t *)text,
					    strlen(text)),
			 0);
	return tacho__objects_find(&world->handles, API, TACHO_OBJECT_DEVICE, HANDLE);
}

static void finish(struct world *world)
{
	tacho__objects_finish(&world->objects);
	tacho__map_finish(&world->handles);
}

/* Memory that is told of again and again takes no more room, and what else was said stays. */
static void test_memory(void **state)
{
	struct world world = {0};
	const struct tacho_object *device = tell(&world, "name=big\nvendor=any\n");
	const char *name = device->name;
	const char *kept = NULL;
	char text[256];

	(void)state;
	for (int i = 0; i < TIMES; i++) {
		snprintf(text, sizeof(text),
			 "name=big\nvendor=any\nmemory_heap_0=size=9 local=1 used=%d peak=%d "
			 "allocations=%d\n%s",
			 i % 7 * 1000, i, i, i & 1 ? "memory_unknown=1\n" : "");
		device = tell(&world, text);
		if (!i)
			kept = ((const struct tacho__object *)device)->text;
		assert_ptr_equal(((const struct tacho__object *)device)->text, kept);
	}
	assert_ptr_equal(device->name, name);
	assert_string_equal(tacho_object_get(device, "vendor"), "any");
	assert_string_equal(tacho_object_get(device, "memory_heap_0"),
			    "size=9 local=1 used=4000 peak=99999 allocations=99999");
	assert_string_equal(tacho_object_get(device, "memory_unknown"), "1");
	snprintf(text, sizeof(text), "name=big\nvendor=any\nmemory_heap_1=size=9\n");
	device = tell(&world, text);
	assert_null(tacho_object_get(device, "memory_heap_0"));
	assert_string_equal(tacho_object_get(device, "memory_heap_1"), "size=9");
	assert_int_equal(device->id, 1);
	assert_int_equal(world.objects.count, 1);
	finish(&world);
}

/* More lines than there is room for, and another name, are taken as well. */
static void test_longer(void **state)
{
	struct world world = {0};
	const struct tacho_object *device = tell(&world, "name=big\nmemory_heap_0=used=1\n");
	char text[8192] = "name=big\n", key[32];

	(void)state;
	for (int i = 0; i < 100; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "memory_type_%d=%d\n", i,
			 i);
	device = tell(&world, text);
	for (int i = 0; i < 100; i++) {
		snprintf(key, sizeof(key), "memory_type_%d", i);
		assert_int_equal(atoi(tacho_object_get(device, key)), i);
	}
	device = tell(&world, "name=bigger\nmemory_heap_0=used=2\n");
	assert_string_equal(device->name, "bigger");
	assert_string_equal(tacho_object_get(device, "memory_heap_0"), "used=2");
	assert_null(tacho_object_get(device, "memory_type_1"));
	finish(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory),
					   cmocka_unit_test(test_longer)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
