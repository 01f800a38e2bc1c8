/* SPDX-License-Identifier: MIT */
/* Ranges that the program names. */
#include "intercept/marks.h"

#include "tacho/profile.h"

static atomic_ullong last_range;

void tacho__marks_tell(struct tacho__range_note *note)
{
	if (note->event == TACHO__RANGE_BEGIN)
		note->id = atomic_fetch_add_explicit(&last_range, 1, memory_order_relaxed) + 1;
	if (atomic_load_explicit(&tacho__intercept.active, memory_order_relaxed))
		tacho__intercept_range(note);
}

static uint64_t tell(uint32_t event, uint64_t id, const char *name)
{
	struct tacho__range_note note = {
		.event = event, .id = id, .api = "tacho", .domain = "", .name = name ? name : ""};

	tacho__marks_tell(&note);
	return note.id;
}

void tacho_profile_push(const char *name)
{
	tell(TACHO__RANGE_PUSH, 0, name);
}

void tacho_profile_pop(void)
{
	tell(TACHO__RANGE_POP, 0, NULL);
}

uint64_t tacho_profile_begin(const char *name)
{
	return tell(TACHO__RANGE_BEGIN, 0, name);
}

void tacho_profile_end(uint64_t range)
{
	if (range)
		tell(TACHO__RANGE_END, range, NULL);
}

void tacho_profile_mark(const char *name)
{
	tell(TACHO__RANGE_MARK, 0, name);
}
