/* SPDX-License-Identifier: MIT */
/* How long the devices of a run were in use, all together. */
#include "report/report.h"

struct cli_use cli_report_get_use(const struct tacho_summary *summary)
{
	const struct tacho_summary_device *device;
	struct cli_use use = {0};

	for (; (device = tacho_summary_get_device(summary, use.devices)); use.devices++) {
		if (device->state > use.state)
			use.state = device->state;
		use.busy_ns += device->busy_ns;
		use.idle_ns += device->idle_ns;
		use.unknown_ns += device->unknown_ns;
	}
	if (!use.devices)
		use.state = TACHO_STATE_ABSENT;
	return use;
}
