/* SPDX-License-Identifier: MIT */
/*
 * The dispatch table that is generated from data/api/opencl.yaml has the layout of the loader's own
 * header, where that is installed; else this test is skipped.
 */
#include <stddef.h>
#include <stdio.h>

#include "opencl_api.h"

#if __has_include(<CL/cl_icd.h>)
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>

static const struct {
	const char *name;
	size_t ours, theirs;
} slots[] = {
#define X(name) \
	{#name, offsetof(struct tacho__opencl_dispatch, name), offsetof(cl_icd_dispatch, name)},
	TACHO__DISPATCH_MAP(X)
#undef X
};

int main(void)
{
	int failures = 0;

	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
		if (slots[i].ours == slots[i].theirs)
			continue;
		fprintf(stderr, "%s is at %zu, in CL/cl_icd.h at %zu\n", slots[i].name,
			slots[i].ours, slots[i].theirs);
		failures++;
	}
	if (sizeof(struct tacho__opencl_dispatch) != sizeof(cl_icd_dispatch)) {
		fprintf(stderr, "the table has %zu bytes, in CL/cl_icd.h %zu\n",
			sizeof(struct tacho__opencl_dispatch), sizeof(cl_icd_dispatch));
		failures++;
	}
	return failures != 0;
}
#else
int main(void)
{
	puts("skipped: CL/cl_icd.h is not installed");
	return 77;
}
#endif
