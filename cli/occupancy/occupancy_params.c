/* SPDX-License-Identifier: MIT */
/* rcprof's file of occupancy parameters: Name=Value lines. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/file.h>

#include "cli.h"
#include "occupancy/occupancy.h"

enum {
	VERSION,
	WAVES_MAX,
	VECTOR_MAX,
	SCALAR_MAX,
	LOCAL_MAX,
	WAVE_SIZE,
	GROUP_MAX,
	SIMDS,
	GROUP,
	VECTOR,
	SCALAR,
	LOCAL,
	NUMBERS,
	FILE_BYTES_MAX = 1 << 20,
	SCALAR_FILE_MIN = 256, /* fewer are what one wave can have, not all */
};

static const char *const keys[NUMBERS] = {
	[VERSION] = "DeviceGfxIpVer",	  [WAVES_MAX] = "MaxWavesPerComputeUnit",
	[VECTOR_MAX] = "MaxVGPRs",	  [SCALAR_MAX] = "MaxSGPRs",
	[LOCAL_MAX] = "MaxLDS",		  [WAVE_SIZE] = "WavefrontSize",
	[GROUP_MAX] = "MaxWorkGroupSize", [SIMDS] = "SimdsPerCU",
	[GROUP] = "WorkGroupSize",	  [VECTOR] = "UsedVGPRs",
	[SCALAR] = "UsedSGPRs",		  [LOCAL] = "UsedLDS",
};

struct params {
	uint64_t numbers[NUMBERS];
	bool has[NUMBERS];
	char kernel[256], device[256], occupancy[32];
};

static void copy_text(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text);
}

static bool take_line(const char *path, unsigned number, char *line, struct params *params)
{
	char *value = strchr(line, '='), *end;

	line[strcspn(line, "\r")] = '\0';
	if (!value || *line == '#')
		return true;
	*value++ = '\0';
	if (!strcmp(line, "KernelName"))
		copy_text(params->kernel, sizeof(params->kernel), value);
	if (!strcmp(line, "DeviceName"))
		copy_text(params->device, sizeof(params->device), value);
	if (!strcmp(line, "Occupancy"))
		copy_text(params->occupancy, sizeof(params->occupancy), value);
	for (size_t i = 0; i < NUMBERS; i++) {
		if (strcmp(line, keys[i]))
			continue;
		errno = 0;
		params->numbers[i] = strtoull(value, &end, 10);
		if (*value < '0' || *value > '9' || *end || errno ||
		    params->numbers[i] > INT32_MAX) {
			cli_complain("", "give a whole number", "%s, line %u: %s is \"%s\"", path,
				     number, line, value);
			return false;
		}
		params->has[i] = true;
	}
	return true;
}

static bool read_params(const char *path, struct params *params, int *out_status)
{
	char *text, *rest, *line;
	unsigned number = 0;
	bool good = true;
	size_t size;

	if (tacho_file_read_text(path, FILE_BYTES_MAX, &text, &size) != 0) {
		*out_status = (int)cli_complain_last();
		return false;
	}
	rest = text;
	while (good && (line = strsep(&rest, "\n")))
		good = take_line(path, ++number, line, params);
	free(text);
	return good;
}

/* The generation of the file's chip, any of its chips: the file states the limits itself. */
static const char *get_arch(const struct params *params)
{
	switch (params->has[VERSION] ? params->numbers[VERSION] : 0) {
	case 6: return "gfx600";
	case 7: return "gfx700";
	case 8: return "gfx803";
	case 9: return "gfx900";
	default: return NULL;
	}
}

static void set_limits(const struct params *params, struct tacho_limits *limits)
{
	const struct {
		unsigned key;
		uint32_t *number;
	} targets[] = {
		{WAVES_MAX, &limits->waves_max}, {VECTOR_MAX, &limits->vector_max},
		{WAVE_SIZE, &limits->wave_size}, {GROUP_MAX, &limits->group_max},
		{SIMDS, &limits->simd_count},
	};

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (params->has[targets[i].key] && params->numbers[targets[i].key])
			*targets[i].number = (uint32_t)params->numbers[targets[i].key];
	if (params->has[VECTOR_MAX] && params->numbers[VECTOR_MAX])
		limits->vector_total = limits->vector_max;
	if (params->has[SCALAR_MAX] && params->numbers[SCALAR_MAX] >= SCALAR_FILE_MIN)
		limits->scalar_total = (uint32_t)params->numbers[SCALAR_MAX];
	if (params->has[LOCAL_MAX] && params->numbers[LOCAL_MAX])
		limits->local_total = limits->local_group_max = params->numbers[LOCAL_MAX];
}

static bool check_whole(const char *path, const struct params *params)
{
	static const unsigned needed[] = {GROUP, VECTOR, SCALAR, LOCAL};

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!params->has[needed[i]]) {
			cli_complain("", "add the line", "%s does not state %s", path,
				     keys[needed[i]]);
			return false;
		}
	return true;
}

static void compare(const struct params *params, double percent)
{

	if (!*params->occupancy || strtod(params->occupancy, NULL) == percent)
		return;
	cli_warn("the file says that occupancy is %s %%", params->occupancy);
}

bool cli_occupancy_from_params(const struct cli_occupancy_settings *settings,
			       struct cli_occupancy *list, int *out_status)
{
	struct params params = {.kernel = ""};
	struct cli_occupancy_row *row;
	struct tacho_limits limits;
	const char *arch;

	*out_status = CLI_FAILED;
	if (!read_params(settings->params, &params, out_status) ||
	    !check_whole(settings->params, &params))
		return false;
	arch = settings->arch ? settings->arch : get_arch(&params);
	if (!arch) {
		cli_complain("it states no DeviceGfxIpVer from 6 to 9", "add --arch A",
			     "the architecture of %s is not known", settings->params);
		return false;
	}
	if (!cli_occupancy_find_limits(settings, arch, &limits))
		return false;
	set_limits(&params, &limits);
	row = cli_occupancy_add(list, params.kernel);
	row->arch = cli_format("%s", limits.arch);
	if (*params.device)
		row->device = cli_format("%s", params.device);
	row->limits = limits;
	row->use = (struct tacho_use){
		.vector = (uint32_t)params.numbers[VECTOR],
		.scalar = (uint32_t)params.numbers[SCALAR],
		.local_bytes = params.numbers[LOCAL],
		.group_size =
			(uint32_t)(settings->group != CLI_OCCUPANCY_UNSET ? settings->group
									  : params.numbers[GROUP]),
	};
	cli_occupancy_replace(settings, row);
	if (tacho_occupancy_get(&row->limits, &row->use, &row->occupancy)) {
		cli_complain_last();
		return false;
	}
	if (settings->vector == CLI_OCCUPANCY_UNSET && settings->scalar == CLI_OCCUPANCY_UNSET &&
	    settings->local == CLI_OCCUPANCY_UNSET && settings->group == CLI_OCCUPANCY_UNSET)
		compare(&params, row->occupancy.percent);
	return true;
}
