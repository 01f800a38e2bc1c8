/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>

#include "cli.h"

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

int cli_device_open(const char *selector, const char *model, struct tacho_context **out_context,
		    const struct tacho_device **out_device)
{
	const char *name = selector ? selector : "perf:linux";
	char *backends = cli_device_format_backends(name, model);
	bool is_simulated = strncmp(backends, "sim:", 4) == 0;
	int rc = open_context(backends, out_context);

	free(backends);
	/* it is no backend, but a name or a part of one */
	if (rc == TACHO_E_NOTFOUND && !is_simulated)
		rc = open_context(NULL, out_context);
	if (rc)
		return rc;
	if (!is_simulated)
		return tacho_context_find_device(*out_context, name, out_device);
	*out_device = tacho_context_get_device(*out_context, 0);
	return 0;
}
