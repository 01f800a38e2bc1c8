/* SPDX-License-Identifier: MIT */
/* On simulated devices: all counters of GPUPerfAPI, OpenGL's and OpenCL's, of two generations. */
#include "nvpa_cross.h"

#include <stddef.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "nvperfapi.h"
#include "tacho/sim.h"

static const struct tacho_sim_work draw = {
	.size = sizeof(draw),
	.kind = TACHO_SIM_DRAW,
	.draw = {.vertices = 300,
		 .primitives = 100,
		 .culled_back = 30,
		 .pixels = 5000,
		 .targets = 2,
		 .texture_pixels = 777,
		 .vs = {.valu = 40},
		 .ps = {.valu = 60}},
};
static const struct tacho_sim_work kernel = {
	.size = sizeof(kernel),
	.kind = TACHO_SIM_KERNEL,
	.grid = {6400, 1, 1},
	.workgroup = {64, 1, 1},
	.per_wave = {.valu = 50, .salu = 7, .vmem_read = 3},
	.bytes_read = 1 << 20,
};

enum { SIDES = 3, SAMPLES = 4 };

static struct {
	struct tacho_context *context;
	struct tacho_device *device;
} sides[SIDES];
static const struct tacho_sim_work *work;

/* Sample n has n works: sample 0 has none. */
static void submit(enum cross_side side, int sample)
{
	for (int i = 0; i < sample; i++)
		assert_int_equal(tacho_sim_submit(sides[side].device, work, NULL), 0);
}

static bool is_compared(const char *counter)
{
	(void)counter;
	return true;
}

static void compare(const char *model, const char *library, int wanted)
{
	struct tacho_context_options options = {.size = sizeof(options), .backends = model};
	struct cross_world world = {.samples = SAMPLES, .work = submit, .is_compared = is_compared};

	for (int i = 0; i < SIDES; i++) {
		assert_int_equal(tacho_context_create(&options, &sides[i].context), 0);
		assert_int_equal(
			tacho_device_open(sides[i].context,
					  tacho_context_get_device_info(sides[i].context, 0),
					  &sides[i].device),
			0);
	}
	world.gpa = sides[CROSS_GPA].device;
	world.nvpa = sides[CROSS_NVPA].device;
	world.unit = sides[CROSS_OWN].device;
	assert_int_equal(NVPA_Tacho_RegisterDevice(world.nvpa), NVPA_STATUS_SUCCESS);
	assert_true(cross_compare(library, &world) >= wanted);
	for (int i = 0; i < SIDES; i++) {
		tacho_device_close(sides[i].device);
		tacho_context_destroy(sides[i].context);
	}
}

static void opengl(void **state)
{
	work = &draw;
	compare("sim:rx480:gl", getenv("TACHO_GPA_GL"), 300);
	compare("sim:vega64:gl", getenv("TACHO_GPA_GL"), 300);
}

static void opencl(void **state)
{
	work = &kernel;
	compare("sim:rx480:cl", getenv("TACHO_GPA_CL"), 60);
	compare("sim:vega64:cl", getenv("TACHO_GPA_CL"), 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opengl),
		cmocka_unit_test(opencl),
	};

	setenv("TACHO_SIM", "unit", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
