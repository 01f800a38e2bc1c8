/* SPDX-License-Identifier: MIT */
/* gpa_names LIBRARY: the counters of the device that TACHO_SIM names, in their order, one a line.
 */
#include "gpa_api.h"

int main(int count, char **arguments)
{
	struct gpa_api api;
	const char *name;
	gpa_uint32 counters = 0;
	int handle = 0;

	if (count != 2)
		return 2;
	gpa_load(arguments[1], &api);
	if (api.OpenContext(&handle) || api.GetNumCounters(&counters))
		return 1;
	for (gpa_uint32 i = 0; i < counters; i++) {
		if (api.GetCounterName(i, &name))
			return 1;
		printf("%s\n", name);
	}
	return api.CloseContext() != GPA_STATUS_OK;
}
