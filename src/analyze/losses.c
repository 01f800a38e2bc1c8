/* SPDX-License-Identifier: MIT */
/* What was lost, in the order in which it is told. */
#include "base/array.h"
#include "tacho/summary.h"

int tacho_summary_totals_get_loss(const struct tacho_summary_totals *totals, size_t index,
				  struct tacho_loss *out_loss)
{
	const struct tacho_losses *losses = &totals->losses;
	const struct tacho_loss table[] = {
		{"no_window", "calls not recorded: no room was ready within 250 ms",
		 losses->no_window},
		{"no_space", "calls not recorded: the recording could not grow", losses->no_space},
		{"nested", "calls not recorded: made by a signal handler or driver during others",
		 losses->nested},
		{"too_big", "calls not recorded: larger than a window", losses->too_big},
		{"no_thread", "calls not recorded: their thread got no stream", losses->no_thread},
		{"unreadable_bytes", "bytes that could not be read", losses->unreadable},
		{"unfinished", "commands whose end was not seen", totals->unfinished},
		{"not_credible", "commands whose device times were refused", totals->not_credible},
	};

	if (index >= TACHO__ARRAY_SIZE(table))
		return 0;
	*out_loss = table[index];
	return 1;
}
