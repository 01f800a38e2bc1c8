/* SPDX-License-Identifier: MIT */
/* The kernels that run when a template does: all executions of a line have the same. */
#include <stdlib.h>
#include <string.h>

#include "analyze/summary.h"
#include "base/error.h"

static int count_kernels(struct tacho_summary *summary, struct tacho__line *line,
			 const struct tacho_template *contents, struct tacho__names *by_name)
{
	for (size_t i = 0; i < contents->command_count; i++) {
		const struct tacho_template_command *command = &contents->commands[i];
		const char *name = command->kernel && *command->kernel->name ? command->kernel->name
									     : "unknown";
		struct tacho_summary_part *part = tacho__names_get(by_name, name);

		if (command->kind != TACHO_COMMAND_KERNEL)
			continue;
		if (!part) {
			part = &line->parts[line->part_count];
			part->name = tacho__summary_text(summary, name);
			if (!part->name || tacho__names_set(by_name, name, part))
				return TACHO_E_NOMEM;
			line->part_count++;
		}
		part->count++;
	}
	return 0;
}

int tacho__line_parts_add(struct tacho_summary *summary, struct tacho__line *line,
			  const struct tacho_template *contents)
{
	struct tacho__names by_name = {0};
	int rc;

	line->line.is_template = 1;
	if (line->parts || !contents->is_known || !contents->kernel_count)
		return 0;
	line->parts =
		tacho__arena_get(&summary->arena, contents->kernel_count * sizeof(*line->parts));
	if (!line->parts)
		return TACHO_E_NOMEM;
	rc = count_kernels(summary, line, contents, &by_name);
	tacho__names_finish(&by_name);
	return rc;
}

static int compare(const void *left, const void *right)
{
	const struct tacho_summary_part *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return strcmp(a->name, b->name);
}

void tacho__line_parts_complete(struct tacho__line *line)
{
	for (size_t i = 0; i < line->part_count; i++)
		line->parts[i].count *= line->line.count;
	if (line->part_count)
		qsort(line->parts, line->part_count, sizeof(*line->parts), compare);
}

const struct tacho_summary_part *tacho_summary_get_part(const struct tacho_summary *summary,
							enum tacho_summary_key key, size_t index,
							size_t part)
{
	const struct tacho__line *line =
		summary && key == TACHO_BY_KERNEL && index < summary->lines[key].count
			? summary->lines[key].all[index]
			: NULL;

	return line && part < line->part_count ? &line->parts[part] : NULL;
}
