/* SPDX-License-Identifier: MIT */
#include "format/range_text.h"

const char *tacho__range_kind_to_string(enum tacho_range_kind kind)
{
	switch (kind) {
	case TACHO_RANGE_NESTED: return "nested";
	case TACHO_RANGE_PROCESS: return "process";
	case TACHO_RANGE_MARK: return "mark";
	case TACHO_RANGE_FRAME: return "frame";
	case TACHO_RANGE_LABEL: return "label";
	case TACHO_RANGE_PASS: return "pass";
	}
	return "unknown";
}

/* How many ranges around one are named; a program that pushes and never pops has no end of them. */
enum { DEPTH_MAX = 64 };

void tacho__range_put_path(struct tacho__buf *buf, const struct tacho_named_range *range)
{
	const struct tacho_named_range *path[DEPTH_MAX];
	size_t depth = 0;

	for (; range && depth < DEPTH_MAX; range = range->parent)
		path[depth++] = range;
	if (range)
		tacho__buf_put(buf, ".../");
	while (depth--)
		tacho__buf_printf(buf, "%s%s", path[depth]->name, depth ? "/" : "");
}
