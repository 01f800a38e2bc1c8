/* SPDX-License-Identifier: MIT */
/* In place of AMD's library: the same soname, and calls of its own that are not to reach tacho's.
 */
#include <rocprofiler-sdk/rocprofiler.h>

#include <stdio.h>

ROCPROFILER_PUBLIC_API int rocprofiler_set_api_table(const char *name, uint64_t lib_version,
						     uint64_t lib_instance, void **tables,
						     uint64_t num_tables);

ROCPROFILER_PUBLIC_API rocprofiler_status_t rocprofiler_get_version(uint32_t *major,
								    uint32_t *minor,
								    uint32_t *patch)
{
	*major = 9;
	*minor = 8;
	*patch = 7;
	return ROCPROFILER_STATUS_SUCCESS;
}

int rocprofiler_set_api_table(const char *name, uint64_t lib_version, uint64_t lib_instance,
			      void **tables, uint64_t num_tables)
{
	uint32_t major, minor, patch;

	rocprofiler_get_version(&major, &minor, &patch);
	printf("real: %s %u %u, %u tables; it is %u.%u.%u\n", name, (unsigned)lib_version,
	       (unsigned)lib_instance, (unsigned)num_tables, major, minor, patch);
	fflush(stdout);
	return 42;
}
