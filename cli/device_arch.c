/* SPDX-License-Identifier: MIT */
#include "device_arch.h"

#include <stdio.h>

#include <tacho/session.h>

#include "cli.h"
#include "device.h"

enum { NAME_BYTES = 128 };

/* They live as long as the command. */
static struct {
	char arch[NAME_BYTES], api[NAME_BYTES];
} chosen;

int cli_device_choose_arch(const char *device, struct cli_catalog_choice *choice)
{
	struct tacho_context *context = NULL;
	const struct tacho_device_info *info = NULL;
	int status;

	if (!device)
		return CLI_OK;
	if (choice->arch) {
		cli_complain("", "leave one of them out", "--device and --arch exclude each other");
		return CLI_USAGE;
	}
	status = cli_device_open(device, NULL, CLI_DEVICE_DESCRIBES, &context, &info);
	if (!status && !*info->arch) {
		cli_complain(*info->cause ? info->cause : "the catalog has nothing of it",
			     *info->cure ? info->cure
					 : "see what it counts: tacho stat --list -d DEV",
			     "the architecture of %s:%s is not known", info->backend, info->name);
		status = CLI_FAILED;
	}
	if (!status) {
		snprintf(chosen.arch, sizeof(chosen.arch), "%s", info->arch);
		snprintf(chosen.api, sizeof(chosen.api), "%s", info->api);
		choice->arch = chosen.arch;
		choice->api = *chosen.api ? chosen.api : NULL;
	}
	tacho_context_destroy(context);
	return status;
}
