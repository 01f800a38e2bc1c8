/* SPDX-License-Identifier: MIT */
/* Occupancy of kernels whose registers are known, for each size of group in which they ran. */
#include "format/html/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/occupancy_file.h"
#include "tacho/sys/units.h"

enum { GROUPS_MAX = 200 }; /* lines; kernels in further sizes of group are left out */

/* Launches of one kernel on one device in groups of one size. */
struct group {
	const struct tacho_object *kernel, *device;
	uint64_t size;
	uint64_t extra_local_bytes; /* that the launches asked for */
	uint64_t launches;
	bool is_known; /* else the rest is not */
	struct tacho_limits limits;
	struct tacho_use use;
	struct tacho_occupancy occupancy;
};

struct tacho__groups {
	struct tacho_kept *kept;
	struct group *all;
	size_t count, capacity, known;
	uint64_t left_out;
};

int tacho__groups_create(struct tacho_cursor *cursor, struct tacho__groups **out_groups)
{
	struct tacho__groups *groups = calloc(1, sizeof(*groups));
	int rc;

	if (!groups)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for occupancy");
	rc = tacho_kept_create(&groups->kept);
	if (rc) {
		free(groups);
		return rc;
	}
	tacho_cursor_on_blob(cursor, tacho_kept_add, groups->kept);
	*out_groups = groups;
	return 0;
}

void tacho__groups_destroy(struct tacho__groups *groups)
{
	if (!groups)
		return;
	tacho_kept_destroy(groups->kept);
	free(groups->all);
	free(groups);
}

bool tacho__groups_are_known(const struct tacho__groups *groups)
{
	return groups->known != 0;
}

/* Sizes that differ in shape only share a line; 0 is one that the API chose. */
static uint64_t get_size(const struct tacho_command *command)
{
	uint64_t size = 1;

	if (!command->has_local || !command->dimensions)
		return 0;
	for (uint32_t i = 0; i < command->dimensions && i < 3; i++)
		if (__builtin_mul_overflow(size, command->local[i], &size))
			return 0;
	return size;
}

static int add_group(struct tacho__groups *groups, const struct tacho_command *command,
		     uint64_t size)
{
	struct tacho__launch launch = {.command = command};
	struct group *group;
	int rc;

	if (tacho__array_reserve(&groups->all, &groups->capacity, groups->count,
				 sizeof(*groups->all)))
		return TACHO_E_NOMEM;
	rc = tacho__occupancy_measure(groups->kept, &launch);
	if (rc < 0)
		return rc;
	group = &groups->all[groups->count++];
	*group = (struct group){.kernel = command->kernel,
				.device = command->device,
				.size = size,
				.extra_local_bytes = command->extra_local_bytes,
				.launches = 1,
				.is_known = rc == 0};
	if (rc)
		return 0;
	group->limits = launch.limits;
	group->use = launch.use;
	group->occupancy = launch.occupancy;
	groups->known++;
	return 0;
}

static int add_launch(struct tacho__groups *groups, const struct tacho_command *command)
{
	uint64_t size = get_size(command);

	/* From the last one back: launches often repeat. */
	for (size_t i = groups->count; i-- > 0;) {
		struct group *group = &groups->all[i];

		if (group->kernel == command->kernel && group->device == command->device &&
		    group->size == size && group->extra_local_bytes == command->extra_local_bytes) {
			group->launches++;
			return 0;
		}
	}
	if (groups->count < GROUPS_MAX)
		return add_group(groups, command, size);
	groups->left_out++;
	return 0;
}

/* Kernels that run as a whole: each is a launch of its own here. */
static int add_template(struct tacho__groups *groups, const struct tacho_command *command)
{
	int rc = 0;

	for (size_t i = 0; i < command->contents->command_count && !rc; i++) {
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
		if (launch.kind == TACHO_COMMAND_KERNEL && launch.kernel)
			rc = add_launch(groups, &launch);
	}
	return rc;
}

int tacho__groups_add(struct tacho__groups *groups, const struct tacho_command *command)
{
	if (command->contents)
		return add_template(groups, command);
	return command->kind == TACHO_COMMAND_KERNEL && command->kernel
		       ? add_launch(groups, command)
		       : 0;
}

static void put_limits(FILE *stream, const struct group *group)
{
	const char *const names[TACHO_OCCUPANCY_RESOURCES] = {
		[TACHO_OCCUPANCY_GROUPS] = "groups",
		[TACHO_OCCUPANCY_VECTOR] = group->limits.vector_name,
		[TACHO_OCCUPANCY_SCALAR] = group->limits.scalar_name,
		[TACHO_OCCUPANCY_LOCAL] = group->limits.local_name,
	};
	bool any = false;

	fputs("<td>", stream);
	for (unsigned i = 0; i < TACHO_OCCUPANCY_RESOURCES; i++) {
		if (!(group->occupancy.binding & 1U << i) || !names[i])
			continue;
		tacho__html_print(stream, "%s%s", any ? ", " : "", names[i]);
		any = true;
	}
	fputs("</td>", stream);
}

static void put_plain(FILE *stream, uint32_t number)
{
	tacho__html_print(stream, "<td class=\"num\" data-v=\"%u\">%u</td>", number, number);
}

static void put_row(const struct tacho__html *page, const struct group *group)
{
	FILE *stream = page->stream;
	char text[TACHO_UNITS_MAX];

	tacho__html_print(stream,
			  "<tr><th scope=\"row\"><span class=\"name\">%s</span></th><td>%s %s</td>",
			  *group->kernel->name ? group->kernel->name : "(no name)",
			  group->limits.arch, group->limits.unit);
	put_plain(stream, group->use.group_size);
	tacho__html_put_number(stream, group->launches, tacho_units_count(text, group->launches));
	snprintf(text, sizeof(text), "%.3g%%", group->occupancy.percent);
	tacho__html_put_share(stream, group->occupancy.percent, text);
	snprintf(text, sizeof(text), "%u of %u", group->occupancy.waves,
		 group->occupancy.waves_max);
	tacho__html_put_number(stream, group->occupancy.waves, text);
	put_limits(stream, group);
	put_plain(stream, group->use.vector);
	if (group->limits.scalar_max)
		put_plain(stream, group->use.scalar);
	else
		fputs("<td class=\"num\">-</td>", stream);
	tacho__html_put_number(stream, group->use.local_bytes,
			       tacho_units_bytes(text, group->use.local_bytes));
	fputs("</tr>\n", stream);
}

/* ---- curves: waves over all uses of a resource ---- */

enum { CURVES_MAX = 24, CURVE_WIDTH = 200, CURVE_HEIGHT = 40 };

static uint64_t get_use(const struct tacho_use *use, enum tacho_occupancy_resource resource)
{
	switch (resource) {
	case TACHO_OCCUPANCY_GROUPS: return use->group_size;
	case TACHO_OCCUPANCY_VECTOR: return use->vector;
	case TACHO_OCCUPANCY_SCALAR: return use->scalar;
	default: return use->local_bytes;
	}
}

static void put_steps(FILE *stream, const struct tacho_occupancy_range *ranges, size_t count,
		      uint64_t last, uint32_t most)
{
	fputs("<path d=\"", stream);
	for (size_t i = 0; i < count; i++) {
		double from = (double)ranges[i].first / (double)(last + 1) * CURVE_WIDTH;
		double to = (double)(ranges[i].last + 1) / (double)(last + 1) * CURVE_WIDTH;
		double high = (double)ranges[i].waves / most * CURVE_HEIGHT;

		if (to > from && ranges[i].waves)
			fprintf(stream, "M%.2f %dv-%.2fH%.2fv%.2fz", from, CURVE_HEIGHT, high, to,
				high);
	}
	fputs("\"/>", stream);
}

static void put_curve(const struct tacho__html *page, const struct group *group,
		      enum tacho_occupancy_resource resource)
{
	static const char *const names[] = {"work-items of a group", "vector registers",
					    "scalar registers", "bytes of local memory"};
	unsigned long long use = get_use(&group->use, resource), last;
	uint32_t most = group->occupancy.waves_max ? group->occupancy.waves_max : 1;
	struct tacho_occupancy_range *ranges;
	FILE *stream = page->stream;
	size_t count;

	if (tacho_occupancy_list(&group->limits, &group->use, resource, &ranges, &count))
		return;
	last = count && ranges[count - 1].last > use ? ranges[count - 1].last : use;
	for (size_t i = 0; i < count; i++)
		most = ranges[i].waves > most ? ranges[i].waves : most;
	tacho__html_print(stream,
			  "<figure class=\"k0\"><figcaption>%s: %llu, where %u of %u waves fit"
			  "</figcaption>",
			  names[resource], use, group->occupancy.waves, most);
	fprintf(stream,
		"<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" "
		"aria-label=\"waves over %s\">",
		CURVE_WIDTH, CURVE_HEIGHT, names[resource]);
	put_steps(stream, ranges, count, last, most);
	fprintf(stream, "<rect class=\"now\" x=\"%.2f\" width=\"1.5\" height=\"%d\"/></svg>",
		(double)use / (double)(last + 1) * (CURVE_WIDTH - 1.5), CURVE_HEIGHT);
	tacho__html_print(stream,
			  "<p class=\"axis\"><span>0</span><span>%llu</span></p></figure>\n", last);
	free(ranges);
}

/* How occupancy would change with each resource, of the kernels that were launched first. */
static void put_curves(const struct tacho__html *page)
{
	const struct tacho__groups *groups = page->groups;
	size_t shown = 0;

	for (size_t i = 0; i < groups->count && shown < CURVES_MAX; i++) {
		const struct group *group = &groups->all[i];

		if (!group->is_known)
			continue;
		tacho__html_print(
			page->stream,
			"<details class=\"curves\"><summary>%s in groups of %u: waves, if "
			"one need were another</summary>\n<div class=\"figures\">\n",
			*group->kernel->name ? group->kernel->name : "(no name)",
			group->use.group_size);
		for (int k = 0; k < TACHO_OCCUPANCY_RESOURCES; k++)
			put_curve(page, group, (enum tacho_occupancy_resource)k);
		fputs("</div></details>\n", page->stream);
		shown++;
	}
	if (shown < groups->known)
		tacho__html_print(page->stream,
				  "<p class=\"rest\">Curves of the first %d; <code>tacho "
				  "occupancy</code> has all.</p>\n",
				  CURVES_MAX);
}

void tacho__html_put_occupancy(const struct tacho__html *page)
{
	static const char *const names[] = {"kernel", "unit"}, *const limits[] = {"limited by"};
	static const char *const titles[] = {"group size", "launches", "occupancy", "waves"};
	static const char *const uses[] = {"vector registers", "scalar registers", "local memory"};
	const struct tacho__groups *groups = page->groups;
	FILE *stream = page->stream;

	if (!groups->known)
		return;
	tacho__html_begin_section(page, "occupancy", "Occupancy");
	fputs("<p>How many waves of a kernel a unit of the device can hold at once, worked out "
	      "from what the driver states of it, or from the compiled program that the "
	      "recording kept.</p>\n"
	      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
	      "aria-labelledby=\"occupancy-title\">\n<table class=\"data\">\n"
	      "<caption>for each kernel and size of its groups</caption>\n<thead><tr>",
	      stream);
	tacho__html_put_titles(stream, false, names, TACHO__ARRAY_SIZE(names));
	tacho__html_put_titles(stream, true, titles, TACHO__ARRAY_SIZE(titles));
	tacho__html_put_titles(stream, false, limits, TACHO__ARRAY_SIZE(limits));
	tacho__html_put_titles(stream, true, uses, TACHO__ARRAY_SIZE(uses));
	fputs("</tr></thead>\n<tbody>\n", stream);
	for (size_t i = 0; i < groups->count; i++)
		if (groups->all[i].is_known)
			put_row(page, &groups->all[i]);
	fputs("</tbody></table></div>\n", stream);
	put_curves(page);
	if (groups->known < groups->count || groups->left_out) {
		fputs("<p class=\"rest\">Of other kernels or sizes of groups it is not known: "
		      "neither does a driver state what they need nor were their programs kept, "
		      "or the limits of their device are not known.</p>\n",
		      stream);
	}
	fputs("</section>\n", stream);
}
