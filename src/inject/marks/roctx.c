/* SPDX-License-Identifier: MIT */
/* ROCTX, as the library in front of it tells. */
#include "inject/marks/roctx.h"

#include <stddef.h>
#include <unistd.h>

#include "inject/marks/marks_open.h"
#include "inject/marks/marks_source.h"
#include "tacho/profile.h"

enum { ROCTX = 7 }; /* other than ITT's kinds of ranges */

static uint64_t tell(uint32_t event, uint64_t id, const char *name)
{
	struct tacho__range_note note = {
		.event = event, .id = id, .api = "roctx", .domain = "", .name = name};

	tacho__source_tell(&note);
	return note.id;
}

static void push(const char *name)
{
	tell(TACHO__RANGE_PUSH, 0, name ? name : "");
}

static void pop(void)
{
	tell(TACHO__RANGE_POP, 0, NULL);
}

static void begin(uint64_t range, const char *name)
{
	const struct tacho__open_key key = {{ROCTX, range}};
	int place = tacho__open_claim(&key);

	if (place >= 0)
		tacho__open_fill(place, &key, tell(TACHO__RANGE_BEGIN, 0, name ? name : ""));
}

static void end(uint64_t range)
{
	const struct tacho__open_key key = {{ROCTX, range}};
	uint64_t id = tacho__open_take(&key);

	if (id)
		tell(TACHO__RANGE_END, id, NULL);
}

static void mark(const char *name)
{
	tell(TACHO__RANGE_MARK, 0, name ? name : "");
}

static void name_thread(const char *name)
{
	tacho__source_name_thread((uint64_t)gettid(), name);
}

const struct tacho__roctx_source *tacho__roctx_get_source(void)
{
	static const struct tacho__roctx_source source = {
		.push = push,
		.pop = pop,
		.begin = begin,
		.end = end,
		.mark = mark,
		.pause = tacho_profile_pause,
		.resume = tacho_profile_resume,
		.name_thread = name_thread,
	};

	return tacho__source_is_wanted() ? &source : NULL;
}
