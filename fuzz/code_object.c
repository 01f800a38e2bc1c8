/* SPDX-License-Identifier: MIT */
/* Fuzzes compiled programs: whatever is read can be worked out, and is within its limits. */
#include <stdlib.h>
#include <string.h>

#include "tacho/error.h"
#include "tacho/occupancy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int holds)
{
	if (!holds)
		abort();
}

static void work_out(const struct tacho_compiled_kernel *kernel)
{
	struct tacho_occupancy occupancy;
	struct tacho_limits limits;
	struct tacho_use use;

	expect(kernel->name && kernel->arch && kernel->why);
	if (tacho_compiled_get_use(kernel, 0, &limits, &use) &&
	    tacho_compiled_get_use(kernel, 64, &limits, &use)) {
		expect(*tacho_error_last()->message);
		return;
	}
	if (tacho_occupancy_get(&limits, &use, &occupancy))
		return;
	expect(occupancy.waves <= occupancy.waves_max && occupancy.waves_max <= limits.waves_max);
	for (unsigned i = 0; i < TACHO_OCCUPANCY_RESOURCES; i++) {
		struct tacho_occupancy_step step;

		expect(occupancy.limits[i] >= occupancy.waves);
		if (!tacho_occupancy_get_step(&limits, &use, i, &step))
			expect(step.waves >= occupancy.waves);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct tacho_compiled_kernel *kernel;
	struct tacho_compiled *compiled;

	if (tacho_compiled_parse(data, size, &compiled)) {
		expect(*tacho_error_last()->message);
		return 0;
	}
	for (size_t i = 0; (kernel = tacho_compiled_get_kernel(compiled, i)); i++)
		work_out(kernel);
	expect(strlen(tacho_compiled_get_note(compiled)) < 1000);
	tacho_compiled_destroy(compiled);
	return 0;
}
