/* SPDX-License-Identifier: MIT */
#include "format/occupancy_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "format/header.h"
#include "format/label.h"
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

void tacho__occupancy_init(struct tacho__occupancy *occupancy, struct tacho__spill *spill)
{
	memset(occupancy, 0, sizeof(*occupancy));
	occupancy->spill = spill;
}

void tacho__occupancy_finish(struct tacho__occupancy *occupancy)
{
	tacho__spill_text_finish(&occupancy->rows);
	tacho__buf_finish(&occupancy->line);
	memset(occupancy, 0, sizeof(*occupancy));
}

/* The product of a launch's sizes; 0 when there is none that fits. */
static uint64_t multiply(const uint64_t *sizes, uint32_t dimensions)
{
	uint64_t product = 1;

	for (uint32_t i = 0; i < dimensions && i < 3; i++)
		if (__builtin_mul_overflow(product, sizes[i], &product))
			return 0;
	return dimensions ? product : 0;
}

int tacho__occupancy_measure(const struct tacho_kept *kept, struct tacho__launch *launch)
{
	const struct tacho_command *command = launch->command;
	uint64_t group = command->has_local ? multiply(command->local, command->dimensions) : 0;
	struct tacho_compiled_kernel kernel;
	int rc;

	if (!(kept || tacho_kernel_is_stated(command->kernel)) || !command->kernel ||
	    group > UINT32_MAX)
		return 1;
	rc = tacho_kept_find(kept, command->kernel, command->device, &kernel);
	if (!rc)
		rc = tacho_compiled_get_use(&kernel, (uint32_t)group, &launch->limits,
					    &launch->use);
	if (!rc) {
		launch->use.local_bytes =
			tacho_command_get_local_bytes(command, launch->use.local_bytes);
		launch->global_size = multiply(command->global, command->dimensions);
		rc = tacho_occupancy_get(&launch->limits, &launch->use, &launch->occupancy);
	}
	return rc == TACHO_E_NOMEM ? rc : rc != 0;
}

static void put_number(struct tacho__buf *line, uint64_t number)
{
	tacho__buf_printf(line, ",%" PRIu64, number);
}

/* A number that may be missing. */
static void put_fact(struct tacho__buf *line, const char *text)
{
	if (text && *text && strlen(text) <= 20 && strspn(text, "0123456789") == strlen(text))
		tacho__buf_printf(line, ",%s", text);
	else
		tacho__buf_put(line, ",NA");
}

/* Six digits, as other writers of the file have them, with a point whatever the locale. */
static void put_percent(struct tacho__buf *line, double percent)
{
	double scale = percent >= 100 ? 1e3 : percent >= 10 ? 1e4 : 1e5;
	char text[TACHO__NUMBER_MAX + 1];

	text[tacho__number_format(round(percent * scale) / scale, text)] = '\0';
	tacho__buf_printf(line, ",%s", text);
}

/* "gfx906" is IP version 9, "gfx1030" 10: the last two characters are its minor and stepping. */
static void put_version(struct tacho__buf *line, const char *arch)
{
	size_t size = strlen(arch);

	if (size > 5 && !strncmp(arch, "gfx", 3))
		tacho__buf_printf(line, ",%.*s", (int)size - 5, arch + 3);
	else
		tacho__buf_put(line, ",NA");
}

/* Not every architecture has scalar registers. */
static void put_scalar(struct tacho__buf *line, const struct tacho_limits *limits, uint64_t number)
{
	if (limits->scalar_max)
		put_number(line, number);
	else
		tacho__buf_put(line, ",NA");
}

static void put_device(struct tacho__buf *line, const struct tacho__launch *launch)
{
	const struct tacho_limits *limits = &launch->limits;
	const struct tacho_object *device = launch->command->device;

	tacho__buf_char(line, ',');
	tacho__label_put_device(line, device);
	put_fact(line, device ? tacho_object_get(device, "compute_units") : NULL);
	put_number(line, limits->waves_max);
	put_number(line, launch->occupancy.waves_per_group == 1 ? limits->groups_of_one
								: limits->groups_max);
	put_number(line, limits->vector_max);
	put_scalar(line, limits, limits->scalar_total ? limits->scalar_total : limits->scalar_max);
	put_number(line, limits->local_total);
}

static void put_row(struct tacho__buf *line, uint32_t thread, const struct tacho__launch *launch)
{
	const struct tacho_limits *limits = &launch->limits;
	const struct tacho_occupancy *occupancy = &launch->occupancy;

	tacho__buf_printf(line, "%" PRIu32 ",", thread);
	tacho__label_put_kernel(line, launch->command->kernel);
	put_device(line, launch);
	put_number(line, launch->use.vector);
	put_scalar(line, limits, launch->use.scalar);
	put_number(line, launch->use.local_bytes);
	put_number(line, limits->wave_size);
	put_number(line, launch->use.group_size);
	put_number(line, occupancy->waves_per_group);
	put_number(line, limits->group_max);
	put_number(line, (limits->group_max + limits->wave_size - 1) / limits->wave_size);
	if (launch->global_size)
		put_number(line, launch->global_size);
	else
		tacho__buf_put(line, ",NA");
	tacho__buf_put(line, ",NA"); /* nobody states a largest global size */
	put_number(line, occupancy->limits[TACHO_OCCUPANCY_VECTOR]);
	put_number(line, occupancy->limits[TACHO_OCCUPANCY_SCALAR]);
	put_number(line, occupancy->limits[TACHO_OCCUPANCY_LOCAL]);
	put_number(line, occupancy->limits[TACHO_OCCUPANCY_GROUPS]);
	put_percent(line, occupancy->percent);
	put_version(line, limits->arch);
	put_number(line, limits->simd_count);
	tacho__buf_char(line, '\n');
}

int tacho__occupancy_add(struct tacho__occupancy *occupancy, const struct tacho_call *call)
{
	struct tacho__launch launch = {.command = call->command};
	struct tacho__buf *line = &occupancy->line;
	int rc = tacho__occupancy_measure(occupancy->kept, &launch);

	if (rc)
		return rc < 0 ? rc : 0;
	tacho__buf_clear(line);
	put_row(line, call->thread, &launch);
	if (line->failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a row");
	rc = tacho__spill_add(occupancy->spill, &occupancy->rows, line->text, line->size);
	occupancy->count += !rc;
	return rc;
}

int tacho__occupancy_write(const struct tacho__occupancy *occupancy,
			   const struct tacho_recording *recording, FILE *stream)
{
	const struct tacho__header header = {
		.stream = stream, .prefix = "# ", .device_equals = "="};
	int rc;

	fprintf(stream, "# ProfilerVersion=%s\n# Generator=tacho %s\n", TACHO__PROFILER_VERSION,
		tacho_version());
	rc = tacho__header_put_run(&header, tacho_recording_get_run(recording));
	if (!rc)
		rc = tacho__header_put_gaps(&header, recording);
	if (rc)
		return rc;
	fprintf(stream, "# ListSeparator=,\n# KernelCount=%" PRIu64 "\n", occupancy->count);
	fputs(columns, stream);
	return tacho__spill_copy(occupancy->spill, &occupancy->rows, stream);
}
