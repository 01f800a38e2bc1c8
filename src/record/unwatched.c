/* SPDX-License-Identifier: MIT */
#include "record/unwatched.h"

#include <string.h>

#include "base/buf.h"
#include "record/reader.h"

/* A process that tells of very many is cut short. */
enum { BYTES_MAX = 2000 };

void tacho__unwatched_take(struct tacho__arena *arena, const char *text,
			   struct tacho_process *process)
{
	const char *name = tacho__attribute(arena, text, "unwatched", "");
	struct tacho__buf joined = {0};
	char *kept;

	if (*tacho__attribute(arena, text, "unseen_work", ""))
		process->has_unseen_work = 1;
	if (!*name || strlen(process->unwatched) + strlen(name) > BYTES_MAX)
		return;
	tacho__buf_printf(&joined, "%s%s%s", process->unwatched, *process->unwatched ? ", " : "",
			  name);
	kept = joined.failed ? NULL : tacho__arena_string(arena, tacho__buf_text(&joined));
	if (kept)
		process->unwatched = kept;
	tacho__buf_finish(&joined);
}
