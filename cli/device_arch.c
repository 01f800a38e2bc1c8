/* SPDX-License-Identifier: MIT */
#include "device_arch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>

#include "cli.h"
#include "device.h"

enum { NAME_BYTES = 128 };

/* They live as long as the command. */
static struct {
	char arch[NAME_BYTES], api[NAME_BYTES];
} chosen;

static int choose_arch(const struct tacho_device_info *info, struct cli_catalog_choice *choice)
{
	if (!*info->arch) {
		cli_complain(*info->cause ? info->cause : "the catalog has nothing of it",
			     *info->cure ? info->cure
					 : "see what it counts: tacho stat --list -d DEV",
			     "the architecture of %s:%s is not known", info->backend, info->name);
		return CLI_FAILED;
	}
	snprintf(chosen.arch, sizeof(chosen.arch), "%s", info->arch);
	snprintf(chosen.api, sizeof(chosen.api), "%s", info->api);
	choice->arch = chosen.arch;
	choice->api = *chosen.api ? chosen.api : NULL;
	return CLI_OK;
}

/* The catalog has of it what any device may have: the driver knows which of that, and more. */
static bool is_of_driver(const struct tacho_device_info *info)
{
	return strcmp(info->arch, "any") == 0 && !info->found_only;
}

static int open_device(const struct tacho_device_info *info,
		       const struct cli_catalog_choice *choice, struct cli_described *described)
{
	if (choice->model || choice->definitions.count) {
		cli_complain("they belong to architectures of the catalog", "leave them out",
			     "what %s:%s counts is said by its driver, not by --model or "
			     "--definitions",
			     info->backend, info->name);
		return CLI_USAGE;
	}
	if (tacho_device_open(described->context, info, &described->device) != 0)
		return (int)cli_complain_last();
	described->name = cli_format("%s:%s", info->backend, info->name);
	return CLI_OK;
}

int cli_device_describe(const char *device, struct cli_catalog_choice *choice,
			struct cli_described *out_described)
{
	const struct tacho_device_info *info = NULL;
	int status;

	*out_described = (struct cli_described){.context = NULL};
	if (!device)
		return CLI_OK;
	if (choice->arch) {
		cli_complain("", "leave one of them out", "--device and --arch exclude each other");
		return CLI_USAGE;
	}
	status =
		cli_device_open(device, NULL, CLI_DEVICE_DESCRIBES, &out_described->context, &info);
	if (status)
		return status;
	return is_of_driver(info) ? open_device(info, choice, out_described)
				  : choose_arch(info, choice);
}

void cli_described_finish(struct cli_described *described)
{
	tacho_device_close(described->device);
	tacho_context_destroy(described->context);
	free(described->name);
}

const char *cli_device_get_lack(const struct tacho_device *device)
{
	const struct tacho_arch *arch = tacho_device_get_arch(device);
	const struct tacho_block *block;

	for (size_t i = 0; (block = tacho_arch_get_block(arch, i)); i++)
		if (strcmp(block->attributes, "absent") == 0)
			return block->description;
	return "";
}
