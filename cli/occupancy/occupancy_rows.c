/* SPDX-License-Identifier: MIT */
/* Kernels with what they need: out of compiled programs, recordings and parameter files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>

#include "cli.h"
#include "gaps.h"
#include "occupancy/occupancy.h"

enum { ASSUMED_GROUP = 256 };

static void drop_last(struct cli_occupancy *list)
{
	struct cli_occupancy_row *row = &list->rows[--list->count];

	free(row->kernel);
	free(row->device);
	free(row->arch);
	free(row->why);
}

void cli_occupancy_finish(struct cli_occupancy *list)
{
	while (list->count)
		drop_last(list);
	free(list->rows);
	free(list->gap);
	memset(list, 0, sizeof(*list));
}

struct cli_occupancy_row *cli_occupancy_add(struct cli_occupancy *list, const char *kernel)
{
	struct cli_occupancy_row *row;

	list->rows = cli_grow(list->rows, list->count, sizeof(*row));
	row = &list->rows[list->count++];
	memset(row, 0, sizeof(*row));
	row->kernel = cli_format("%s", kernel);
	return row;
}

bool cli_occupancy_find_limits(const struct cli_occupancy_settings *settings, const char *arch,
			       struct tacho_limits *out_limits)
{
	enum tacho_unit_mode mode = TACHO_UNIT_USUAL;
	uint32_t wave = settings->wave != CLI_OCCUPANCY_UNSET ? (uint32_t)settings->wave : 0;

	if (settings->unit)
		mode = strcmp(settings->unit, "wgp") ? TACHO_UNIT_SINGLE : TACHO_UNIT_PAIR;
	if (!tacho_limits_find(arch, wave, mode, out_limits))
		return true;
	cli_complain_last();
	return false;
}

/* "cause" of the last error, or what failed when there is none. */
static char *copy_why(void)
{
	const struct tacho_error_detail *error = tacho_error_last();

	return cli_format("%s", *error->cause ? error->cause : error->message);
}

void cli_occupancy_replace(const struct cli_occupancy_settings *settings,
			   struct cli_occupancy_row *row)
{
	if (settings->vector != CLI_OCCUPANCY_UNSET) {
		uint64_t more =
			settings->accumulation != CLI_OCCUPANCY_UNSET ? settings->accumulation : 0;

		row->use.vector = tacho_limits_add_registers(
			&row->limits, (uint32_t)settings->vector, (uint32_t)more);
	}
	if (settings->scalar != CLI_OCCUPANCY_UNSET) {
		row->use.scalar = (uint32_t)settings->scalar;
		row->use.all_scalar = 0;
	}
	if (settings->local != CLI_OCCUPANCY_UNSET)
		row->use.local_bytes = settings->local;
}

/* The size of the groups: asked for, launched, demanded by the source, or assumed. */
static uint32_t choose_group(const struct cli_occupancy_settings *settings,
			     const struct tacho_compiled_kernel *kernel, uint64_t launched,
			     bool *out_assumed)
{
	uint32_t group = ASSUMED_GROUP;

	*out_assumed = false;
	if (settings->group != CLI_OCCUPANCY_UNSET)
		return (uint32_t)settings->group;
	if (launched && launched <= UINT32_MAX)
		return (uint32_t)launched;
	if (kernel->group_size)
		return kernel->group_size;
	*out_assumed = true;
	return kernel->group_size_max && kernel->group_size_max < group ? kernel->group_size_max
									: group;
}

static void fill(const struct cli_occupancy_settings *settings,
		 const struct tacho_compiled_kernel *kernel, uint64_t launched,
		 struct cli_occupancy_row *row)
{
	struct tacho_compiled_kernel changed = *kernel;
	uint32_t group = choose_group(settings, kernel, launched, &row->group_is_assumed);

	row->arch = cli_format("%s", kernel->arch);
	row->is_compiled = true;
	row->scratch_bytes = kernel->scratch_bytes;
	row->spills = (uint64_t)kernel->vector_spills + kernel->scalar_spills;
	if (settings->wave != CLI_OCCUPANCY_UNSET)
		changed.wave_size = (uint32_t)settings->wave;
	if (settings->unit)
		changed.mode = strcmp(settings->unit, "wgp") ? TACHO_UNIT_SINGLE : TACHO_UNIT_PAIR;
	if (tacho_compiled_get_use(&changed, group, &row->limits, &row->use)) {
		row->why = copy_why();
		return;
	}
	cli_occupancy_replace(settings, row);
	if (tacho_occupancy_get(&row->limits, &row->use, &row->occupancy))
		row->why = copy_why();
}

/* "sm_90a" asks for the code of sm_90; other words are compared as they are. */
static bool is_wanted(const struct cli_occupancy_settings *settings, const char *arch)
{
	struct tacho_limits limits;

	if (!settings->arch)
		return true;
	if (tacho_limits_find(settings->arch, 0, TACHO_UNIT_USUAL, &limits))
		return !strcasecmp(settings->arch, arch);
	return !strcmp(limits.arch, arch);
}

static bool nothing(const struct cli_occupancy_settings *settings, const char *path,
		    int *out_status)
{
	if (settings->arch)
		cli_complain("", "leave --arch out to see all", "%s has no kernel for %s", path,
			     settings->arch);
	else
		cli_complain("", "", "%s has no launch of a kernel", path);
	*out_status = CLI_NOTHING;
	return false;
}

/* What is found in bytes does not know where they came from. */
static int complain_of(const char *path)
{
	const struct tacho_error_detail *detail = tacho_error_last();
	enum cli_exit class = cli_exit_of(detail->code);

	if (strstr(detail->message, path))
		return cli_complain_last();
	cli_complain(detail->cause, detail->cure, "%s: %s", path, detail->message);
	return class;
}

bool cli_occupancy_from_file(const struct cli_occupancy_settings *settings, const char *path,
			     struct cli_occupancy *list, int *out_status)
{
	const struct tacho_compiled_kernel *kernel;
	struct tacho_compiled *compiled;

	if (tacho_compiled_read(path, &compiled)) {
		*out_status = complain_of(path);
		return false;
	}
	if (*tacho_compiled_get_note(compiled))
		cli_warn("%s", tacho_compiled_get_note(compiled));
	for (size_t i = 0; (kernel = tacho_compiled_get_kernel(compiled, i)); i++)
		if (is_wanted(settings, kernel->arch))
			fill(settings, kernel, 0, cli_occupancy_add(list, kernel->name));
	tacho_compiled_destroy(compiled);
	return list->count || nothing(settings, path, out_status);
}

static uint64_t multiply(const uint64_t *sizes, uint32_t dimensions)
{
	uint64_t product = 1;

	for (uint32_t i = 0; i < dimensions && i < 3; i++)
		if (__builtin_mul_overflow(product, sizes[i], &product))
			return 0;
	return dimensions ? product : 0;
}

/* Whether the row is for such launches. */
static bool is_same(const struct cli_occupancy_row *row, const struct cli_occupancy_row *other)
{
	return !strcmp(row->kernel, other->kernel) && !strcmp(row->device, other->device) &&
	       !strcmp(row->arch, other->arch) && !row->why == !other->why &&
	       row->group_is_assumed == other->group_is_assumed &&
	       (row->why ? !strcmp(row->why, other->why)
			 : row->use.group_size == other->use.group_size &&
				   row->use.vector == other->use.vector &&
				   row->use.local_bytes == other->use.local_bytes);
}

/* With what was asked for at run time. */
static void add_local(const struct tacho_command *command, struct cli_occupancy_row *row)
{
	uint64_t bytes = tacho_command_get_local_bytes(command, row->use.local_bytes);

	if (bytes == row->use.local_bytes)
		return;
	row->use.local_bytes = bytes;
	if (tacho_occupancy_get(&row->limits, &row->use, &row->occupancy))
		row->why = copy_why();
}

static void add_launch(const struct cli_occupancy_settings *settings, const struct tacho_kept *kept,
		       const struct tacho_command *command, struct cli_occupancy *list)
{
	struct tacho_compiled_kernel kernel;
	struct cli_occupancy_row *row;

	row = cli_occupancy_add(list, command->kernel ? command->kernel->name : "");
	row->device = cli_format("%s", command->device ? command->device->name : "");
	row->launches = 1;
	if (!cli_succeeded(tacho_kept_find(kept, command->kernel, command->device, &kernel))) {
		row->why = list->is_import
				   ? cli_format("the file does not state its registers and local "
						"memory, or which GPU it ran on")
				   : copy_why();
		row->arch = cli_format("%s", "");
	} else {
		fill(settings, &kernel,
		     command->has_local ? multiply(command->local, command->dimensions) : 0, row);
		if (!row->why && settings->local == CLI_OCCUPANCY_UNSET)
			add_local(command, row);
	}
	if (!row->why && !is_wanted(settings, row->arch)) {
		drop_last(list);
		return;
	}
	for (size_t i = 0; i + 1 < list->count; i++) {
		if (!is_same(&list->rows[i], row))
			continue;
		list->rows[i].launches++;
		drop_last(list);
		return;
	}
}

/* Kernels that run as a whole: each is a launch of its own here. */
static void add_template(const struct cli_occupancy_settings *settings,
			 const struct tacho_kept *kept, const struct tacho_command *command,
			 struct cli_occupancy *list)
{
	for (size_t i = 0; i < command->contents->command_count; i++) {
		const struct tacho_template_command *recorded = &command->contents->commands[i];
		struct tacho_command launch = {
			.kind = recorded->kind,
			.device = recorded->device ? recorded->device : command->device,
			.kernel = recorded->kernel,
			.dimensions = recorded->dimensions,
			.has_local = recorded->has_local,
			.extra_local_bytes = recorded->extra_local_bytes,
			.has_extra_local = recorded->has_extra_local,
		};

		memcpy(launch.local, recorded->local, sizeof(launch.local));
		if (launch.kind == TACHO_COMMAND_KERNEL)
			add_launch(settings, kept, &launch, list);
	}
}

static int walk(const struct cli_occupancy_settings *settings, struct tacho_recording *recording,
		struct tacho_kept *kept, struct cli_occupancy *list)
{
	const struct tacho_call *call;
	struct tacho_cursor *cursor;
	int rc = tacho_cursor_open(recording, &cursor);

	if (rc)
		return rc;
	tacho_cursor_on_blob(cursor, tacho_kept_add, kept);
	while ((rc = tacho_cursor_next(cursor, &call)) == 1)
		if (call->command && call->command->kind == TACHO_COMMAND_KERNEL)
			add_launch(settings, kept, call->command, list);
		else if (call->command && call->command->contents)
			add_template(settings, kept, call->command, list);
	tacho_cursor_close(cursor);
	return rc;
}

bool cli_occupancy_from_recording(const struct cli_occupancy_settings *settings,
				  struct tacho_recording *recording, const char *path,
				  struct cli_occupancy *list, int *out_status)
{
	struct tacho_kept *kept = NULL;
	size_t known = 0;
	int rc = tacho_kept_create(&kept);

	list->is_import = tacho_recording_get_run(recording)->import_note != NULL;
	if (!rc)
		rc = walk(settings, recording, kept, list);
	if (rc) {
		*out_status = cli_complain_last();
	} else {
		cli_gaps_warn(recording);
		list->gap = cli_gaps_format(recording);
	}
	tacho_kept_destroy(kept);
	if (rc)
		return false;
	for (size_t i = 0; i < list->count; i++)
		known += !list->rows[i].why;
	if (list->count && !known) {
		cli_complain(
			list->rows[0].why,
			list->is_import
				? ""
				: "record again with --keep-programs, on a device whose driver "
				  "gives out its programs, or states what kernels need",
			"the registers of no kernel of %s are known", path);
		*out_status = list->gap ? CLI_FAILED : CLI_NOTHING;
		return false;
	}
	if (list->count)
		return true;
	nothing(settings, path, out_status);
	if (list->gap)
		*out_status = CLI_FAILED; /* it is not known that there is nothing */
	return false;
}
