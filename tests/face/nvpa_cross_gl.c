/* SPDX-License-Identifier: MIT */
/*
 * nvpa_cross_gl LIBRARY: on an OpenGL context without a window: all counters but times of scenes.
 * Exits with 77 without a context.
 */
#include "nvpa_cross.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../real/gl_draw.h"
#include "gl_ways.h"

static int version; /* of OpenGL: 45 is 4.5 */
static const char *library;

static const struct {
	void (*draw)(void);
	int version;
} scenes[] = {
	{draw_points, 33},   {draw_grid, 33},	 {draw_hidden, 33}, {draw_twice, 33},
	{draw_feedback, 33}, {draw_patches, 40}, {run_compute, 43},
};
enum { SCENES = sizeof(scenes) / sizeof(scenes[0]) };

static void draw(enum cross_side side, int sample)
{
	(void)side;
	if (version >= scenes[sample].version)
		scenes[sample].draw();
}

static bool is_compared(const char *counter)
{
	return !strstr(counter, "Time") && !strstr(counter, "time");
}

static void compare(void **state)
{
	struct tacho_context_options options = {.size = sizeof(options), .backends = "gl"};
	struct cross_world world = {.samples = SCENES, .work = draw, .is_compared = is_compared};
	struct tacho_context *context;

	world.gpa = world.nvpa = *state;
	options.handle = *state;
	assert_int_equal(tacho_context_create(&options, &context), 0);
	assert_int_equal(
		tacho_device_open(context, tacho_context_get_device_info(context, 0), &world.unit),
		0);
	for (int i = 0; i < SCENES; i++) /* drivers compile when something is first drawn */
		draw(CROSS_OWN, i);
	assert_true(cross_compare(library, &world) >= 20 * 5);
	tacho_device_close(world.unit);
	tacho_context_destroy(context);
}

int main(int count, char **arguments)
{
	const char *reason = "";
	struct CMUnitTest tests[] = {cmocka_unit_test(compare)};

	if (count != 2)
		return 2;
	library = arguments[1];
	tests[0].initial_state = gl_way_open(GL_WAY_EGL, &reason);
	if (!tests[0].initial_state) {
		printf("SKIP: %s\n", reason);
		return 77;
	}
	version = draw_prepare();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
