/* SPDX-License-Identifier: MIT */
/*
 * gpa_names LIBRARY [CHIP]: the counters in their order, one a line, of the device that TACHO_SIM
 * names, or of a chip that AMD's OpenCL driver made here has (opencl_fake.c).
 */
#include "gpa_api.h"

#include "opencl_fake.h"

/* As many registers as the largest block has, where AMD's runtime knows blocks. */
static uint32_t get_slots(uint64_t block)
{
	return block < 97 ? 8 : 0;
}

static uint64_t get_value(uint64_t block, uint64_t event)
{
	return 0;
}

int main(int count, char **arguments)
{
	struct opencl_fake fake = {.version = "OpenCL 2.0 AMD-APP (fake)",
				   .type = 4, /* a GPU */
				   .vendor = 0x1002,
				   .name = arguments[count > 2 ? 2 : 0],
				   .units = 36,
				   .has_counters = 1,
				   .get_slots = get_slots,
				   .get_value = get_value};
	struct gpa_api api;
	const char *name;
	gpa_uint32 counters = 0;

	if (count < 2)
		return 2;
	gpa_load(arguments[1], &api);
	if (api.OpenContext(&fake) || api.GetNumCounters(&counters))
		return 1;
	for (gpa_uint32 i = 0; i < counters; i++) {
		if (api.GetCounterName(i, &name))
			return 1;
		printf("%s\n", name);
	}
	return api.CloseContext() != GPA_STATUS_OK;
}
