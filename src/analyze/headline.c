/* SPDX-License-Identifier: MIT */
/* What dominates the wall time, in a sentence. */
#include "analyze/breakdown.h"
#include "base/error.h"
#include "tacho/sys/units.h"

enum { TOLD_MAX = 3, TOLD_PERCENT = 10 };

static void put_part(struct tacho__buf *text, const struct tacho_spent_part *part)
{
	const char *function = part->function;

	switch (part->spent) {
	case TACHO_SPENT_KERNELS: tacho__buf_printf(text, "running kernels"); break;
	case TACHO_SPENT_TRANSFERS: tacho__buf_printf(text, "in transfers alone"); break;
	case TACHO_SPENT_BUILD:
		tacho__buf_printf(text, "in %s (building programs)", function);
		break;
	case TACHO_SPENT_WAIT:
		tacho__buf_printf(text, "in %s (waiting, no device busy)", function);
		break;
	case TACHO_SPENT_API: tacho__buf_printf(text, "in %s", function); break;
	case TACHO_SPENT_OTHERS: tacho__buf_printf(text, "in API calls of other threads"); break;
	case TACHO_SPENT_START: tacho__buf_printf(text, "before the first API call"); break;
	case TACHO_SPENT_END: tacho__buf_printf(text, "after the last API call"); break;
	case TACHO_SPENT_OUTSIDE:
		tacho__buf_printf(text, "outside of the API, with no device busy");
		break;
	case TACHO_SPENT_UNKNOWN: tacho__buf_printf(text, "with no device busy"); break;
	}
}

static bool is_device(const struct tacho_spent_part *part)
{
	return part->spent == TACHO_SPENT_KERNELS || part->spent == TACHO_SPENT_TRANSFERS;
}

/* The longest, and of the others those that matter, as far as they go into a sentence. */
static size_t count_told(const struct tacho__breakdown *breakdown)
{
	size_t told = 1;

	while (told < TOLD_MAX && told < breakdown->part_count &&
	       breakdown->parts[told].ns >= breakdown->info.total_ns / 100 * TOLD_PERCENT)
		told++;
	return told < breakdown->part_count ? told : breakdown->part_count;
}

const char *tacho__headline_make(const struct tacho__breakdown *breakdown)
{
	const struct tacho_breakdown *info = &breakdown->info;
	size_t told = count_told(breakdown);
	char time[TACHO_UNITS_MAX], share[TACHO_UNITS_MAX];
	uint64_t busy_ns = 0;
	bool is_told = false;
	struct tacho__buf text = {0};
	const char *copy;

	tacho__buf_printf(&text, "Of %s%s the run spent ",
			  tacho_units_time(time, info->total_ns, 3),
			  info->is_wall ? "" : " that are known");
	for (size_t i = 0; i < told; i++) {
		tacho__buf_printf(&text, "%s%s ",
				  !i		 ? ""
				  : i + 1 < told ? ", "
						 : " and ",
				  tacho_units_share(share, breakdown->parts[i].ns, info->total_ns));
		put_part(&text, &breakdown->parts[i]);
		is_told |= is_device(&breakdown->parts[i]);
	}
	for (size_t i = 0; i < breakdown->part_count; i++)
		busy_ns += is_device(&breakdown->parts[i]) ? breakdown->parts[i].ns : 0;
	if (!busy_ns && !info->untimed)
		tacho__buf_printf(&text, "; no work of a device is recorded");
	else if (!busy_ns)
		tacho__buf_printf(&text, "; how long devices were busy is not known");
	else if (!is_told)
		tacho__buf_printf(&text, "; devices were busy for %s%s",
				  info->untimed ? "at least " : "",
				  tacho_units_share(share, busy_ns, info->total_ns));
	tacho__buf_printf(&text, ".");
	copy = text.failed ? NULL : tacho__arena_string(breakdown->arena, tacho__buf_text(&text));
	tacho__buf_finish(&text);
	if (!copy)
		(void)tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a sentence");
	return copy;
}
