/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>

#include "cli.h"
#include "list/list.h"

static int open_context(const char *backends, struct tacho_context **out_context)
{
	struct tacho_context_options options = {.size = sizeof(options), .backends = backends};

	return tacho_context_create(&options, out_context);
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

static bool is_number(const char *selector)
{
	return *selector && selector[strspn(selector, "0123456789")] == '\0';
}

/* By its number in the list of all backends' devices; only its own backend is asked again. */
static int open_numbered(const char *number, struct tacho_context **out_context,
			 const struct tacho_device_info **out_info)
{
	struct cli_list_device found = {0};
	const struct tacho_device_info *info;
	int status = cli_list_find_device(number, &found);

	if (status)
		return status;
	if (open_context(found.backend, out_context) != 0) {
		status = (int)cli_complain_last();
		goto out;
	}
	info = tacho_context_get_device_info(*out_context, found.index);
	if (info && strcmp(info->name, found.name) == 0) {
		*out_info = info;
		goto out;
	}
	cli_complain("the devices of its backend have changed meanwhile",
		     "look again: tacho list devices", "the device %s:%s is gone", found.backend,
		     found.name);
	status = CLI_NOTHING;
out:
	free(found.backend);
	free(found.name);
	return status;
}

static int open_named(const char *selector, const char *model, struct tacho_context **out_context,
		      const struct tacho_device_info **out_info)
{
	char *backends = cli_device_format_backends(selector, model);
	bool is_simulated = strncmp(backends, "sim:", 4) == 0;
	int rc = open_context(backends, out_context);

	free(backends);
	/* it is no backend, but a name or a part of one */
	if (rc == TACHO_E_NOTFOUND && !is_simulated)
		rc = open_context(NULL, out_context);
	if (!rc && is_simulated)
		*out_info = tacho_context_get_device_info(*out_context, 0);
	else if (!rc)
		rc = tacho_context_find_device_info(*out_context, selector, out_info);
	return rc ? (int)cli_complain_last() : CLI_OK;
}

int cli_device_open(const char *selector, const char *model, struct tacho_context **out_context,
		    const struct tacho_device_info **out_info)
{
	if (!model && selector && is_number(selector))
		return open_numbered(selector, out_context, out_info);
	return open_named(selector ? selector : "perf:linux", model, out_context, out_info);
}

int cli_device_open_windows(const char *selector, struct tacho_context **out_context,
			    const struct tacho_device_info **out_info, bool *out_is_other)
{
	int status = cli_device_open(selector, NULL, out_context, out_info);
	char *other;

	*out_is_other = false;
	if (status || !*(*out_info)->windows_by)
		return status;
	*out_is_other = true;
	other = cli_format("%s:%s", (*out_info)->windows_by, (*out_info)->name);
	tacho_context_destroy(*out_context);
	*out_context = NULL;
	status = cli_device_open(other, NULL, out_context, out_info);
	free(other);
	return status;
}
