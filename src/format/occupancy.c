/* SPDX-License-Identifier: MIT */
#include "format/occupancy.h"

#include "format/header.h"
#include "tacho/tacho.h"

static const char columns[] =
	"Thread ID,Kernel Name,Device Name,Number of compute units,"
	"Max. number of wavefronts per CU,Max. number of work-group per CU,Max. number of VGPR,"
	"Max. number of SGPR,Max. amount of LDS,Number of VGPR used,Number of SGPR used,"
	"Amount of LDS used,Size of wavefront,Work-group size,Wavefronts per work-group,"
	"Max work-group size,Max wavefronts per work-group,Global work size,"
	"Maximum global work size,Nbr VGPR-limited waves,Nbr SGPR-limited waves,"
	"Nbr LDS-limited waves,Nbr of WG-limited waves,Kernel occupancy,Graphics IP Version,"
	"Number of SIMDs per CU\n";

int tacho__occupancy_write(const struct tacho_run *run, FILE *stream)
{
	const struct tacho__header header = {
		.stream = stream, .prefix = "# ", .device_equals = "="};
	int rc;

	fprintf(stream, "# ProfilerVersion=%s\n# Generator=tacho %s\n", TACHO__PROFILER_VERSION,
		tacho_version());
	rc = tacho__header_put_run(&header, run);
	if (rc)
		return rc;
	fputs("# ListSeparator=,\n# KernelCount=0\n", stream);
	fputs(columns, stream);
	return 0;
}
