/* SPDX-License-Identifier: MIT */
/* What was lost, in the order in which it is told. */
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "tacho/summary.h"

#define LOSS(name, text, member)                                          \
	{                                                                 \
		name, text, offsetof(struct tacho_summary_totals, member) \
	}

static const struct {
	const char *name, *text;
	size_t offset;
} losses[] = {
	LOSS("no_window", "calls not recorded: no window was free for a second", losses.no_window),
	LOSS("no_space", "calls not recorded: the recording could not grow", losses.no_space),
	LOSS("nested", "calls not recorded: made by a signal handler or driver during others",
	     losses.nested),
	LOSS("too_big", "calls not recorded: larger than a record can be", losses.too_big),
	LOSS("no_thread", "calls not recorded: their thread got no stream", losses.no_thread),
	LOSS("unwritten", "calls not recorded: the files took them no more", losses.unwritten),
	LOSS("missing", "calls in parts of files that are missing or damaged", losses.missing),
	LOSS("untimed", "commands whose device times were dropped", losses.untimed),
	LOSS("unreadable_bytes", "bytes that could not be read", losses.unreadable),
	LOSS("unfinished", "commands whose end was not seen", unfinished),
	LOSS("not_credible", "commands whose device times were refused", not_credible),
};

int tacho_summary_totals_get_loss(const struct tacho_summary_totals *totals, size_t index,
				  struct tacho_loss *out_loss)
{
	struct tacho_loss loss;

	if (!totals || !out_loss || index >= TACHO__ARRAY_SIZE(losses))
		return 0;
	loss = (struct tacho_loss){.name = losses[index].name, .text = losses[index].text};
	memcpy(&loss.count, (const char *)totals + losses[index].offset, sizeof(loss.count));
	*out_loss = loss;
	return 1;
}
