/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sys/devices.h>

#include "cli.h"
#include "devices.h"

static const char standard[] = "perf:linux"; /* it is everywhere */

static int open_context(const char *backends, struct tacho_context **out_context)
{
	struct tacho_context_options options = {.size = sizeof(options), .backends = backends};

	return tacho_context_create_lean(&options, out_context);
}

/* A simulated device is there only when the list of backends names it. */
char *cli_device_format_backends(const char *selector, const char *model)
{
	if (model)
		return cli_format("sim:%s", model);
	if (strncmp(selector, "sim:", 4) == 0)
		return cli_format("%s", selector);
	return cli_format("%.*s", (int)strcspn(selector, ":"), selector);
}

/* The list was made in another process; only the device's own backend is asked again. */
static int open_listed(const struct cli_list_device *device, struct tacho_context **out_context,
		       const struct tacho_device_info **out_info)
{
	const struct tacho_device_info *info;

	if (open_context(device->info.backend, out_context) != 0)
		return (int)cli_complain_last();
	info = tacho_context_get_device_info(*out_context, device->index);
	if (!info || strcmp(info->name, device->info.name) != 0) {
		cli_complain("the devices of its backend have changed meanwhile",
			     "look again: tacho list devices", "the device %s:%s is gone",
			     device->info.backend, device->info.name);
		return CLI_NOTHING;
	}
	*out_info = info;
	return CLI_OK;
}

static int open_model(const char *selector, const char *model, struct tacho_context **out_context,
		      const struct tacho_device_info **out_info)
{
	char *backends = cli_device_format_backends(selector, model);
	int rc = open_context(backends, out_context);

	free(backends);
	if (rc)
		return (int)cli_complain_last();
	*out_info = tacho_context_get_device_info(*out_context, 0);
	return CLI_OK;
}

/* By a backend and a name: no other is asked. */
static int open_named(const char *selector, struct tacho_context **out_context,
		      const struct tacho_device_info **out_info)
{
	char *backend = cli_format("%.*s", (int)strcspn(selector, ":"), selector);
	int rc = open_context(backend, out_context);

	free(backend);
	if (!rc)
		rc = tacho_context_find_device_info(*out_context, selector, out_info);
	return rc ? (int)cli_complain_last() : CLI_OK;
}

int cli_device_open_chosen(const struct cli_devices *devices, enum cli_device_use use,
			   struct tacho_context **out_context,
			   const struct tacho_device_info **out_info)
{
	const struct cli_list_device *device = devices->counting;

	if (use == CLI_DEVICE_DESCRIBES && !device)
		device = devices->first;
	if (device)
		return open_listed(device, out_context, out_info);
	return open_named(devices->alone ? devices->alone : standard, out_context, out_info);
}

int cli_device_open(const char *selector, const char *model, enum cli_device_use use,
		    struct tacho_context **out_context, const struct tacho_device_info **out_info)
{
	struct cli_devices devices = {0};
	int status;

	if (model || (selector && strncmp(selector, "sim:", 4) == 0))
		return open_model(selector, model, out_context, out_info);
	status = cli_devices_choose(selector, &devices);
	if (!status)
		status = cli_device_open_chosen(&devices, use, out_context, out_info);
	cli_devices_finish(&devices);
	return status;
}

int cli_device_open_windows(const char *selector, struct tacho_context **out_context,
			    const struct tacho_device_info **out_info, bool *out_is_other)
{
	int status = cli_device_open(selector, NULL, CLI_DEVICE_COUNTS, out_context, out_info);
	char *other;

	*out_is_other = false;
	if (status || !*(*out_info)->windows_by)
		return status;
	*out_is_other = true;
	other = cli_format("%s:%s", (*out_info)->windows_by, (*out_info)->name);
	tacho_context_destroy(*out_context);
	*out_context = NULL;
	status = cli_device_open(other, NULL, CLI_DEVICE_COUNTS, out_context, out_info);
	free(other);
	return status;
}
