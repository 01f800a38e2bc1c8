/* SPDX-License-Identifier: MIT */
#include "inject/counting_select.h"

#include "base/clock.h"
#include "inject/counting_kernels.h"
#include "intercept/intercept.h"
#include "intercept/marks.h"

enum selected { SELECTION_UNKNOWN = 0, SELECTION_YES, SELECTION_NO };

static bool is_selected(const struct tacho__selection *selection,
			struct tacho__counted_kernel *kernel)
{
	unsigned known = atomic_load_explicit(&kernel->selection, memory_order_relaxed);

	if (known == SELECTION_UNKNOWN) {
		known = tacho_counting_selects(selection->counting, kernel->name) ? SELECTION_YES
										  : SELECTION_NO;
		atomic_store_explicit(&kernel->selection, known, memory_order_relaxed);
	}
	return known == SELECTION_YES;
}

/* Launches are numbered whether anything else speaks against them or not. */
static bool is_iteration(const struct tacho_counting *counting,
			 struct tacho__counted_kernel *kernel)
{
	return !counting->select.iteration_count ||
	       tacho_counting_selects_iteration(counting, tacho__counting_kernels_next(kernel));
}

bool tacho__selection_wants(struct tacho__selection *selection,
			    struct tacho__counted_kernel *kernel, bool is_elsewhere)
{
	const struct tacho_counting_select *select = &selection->counting->select;
	uint64_t matched, since_ns;

	if (!is_selected(selection, kernel) || !is_iteration(selection->counting, kernel) ||
	    is_elsewhere || tacho_counting_is_paused(selection->counting, selection->control) ||
	    (select->range_count && !tacho__marks_have_chosen()))
		return false;
	since_ns = tacho__clock_raw_ns() - selection->start_ns;
	if (since_ns < select->delay_ns ||
	    (select->duration_ns && since_ns - select->delay_ns >= select->duration_ns))
		return false;
	matched = atomic_fetch_add(&selection->matched, 1);
	return matched >= select->skip &&
	       (!select->count || matched - select->skip < select->count);
}

void tacho__selection_record(struct tacho__selection *selection)
{
	if (!atomic_exchange(&selection->has_recorded, true))
		tacho__intercept_process("selects=1\n");
}
