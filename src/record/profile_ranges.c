/* SPDX-License-Identifier: MIT */
/* Ranges that a program names by itself: recording begins with the first one. */
#include "intercept/marks.h"
#include "record/writer.h"
#include "tacho/profile.h"

static void start(void)
{
	static atomic_bool is_started;

	if (atomic_load_explicit(&is_started, memory_order_acquire))
		return;
	tacho__record_start();
	atomic_store_explicit(&is_started, true, memory_order_release);
}

static uint64_t tell(uint32_t event, uint64_t id, const char *name)
{
	struct tacho__range_note note = {
		.event = event, .id = id, .api = "tacho", .domain = "", .name = name};

	start();
	tacho__marks_tell(&note);
	return note.id;
}

static const char *give_name(const char *name)
{
	return name ? name : "";
}

void tacho_profile_push(const char *name)
{
	tell(TACHO__RANGE_PUSH, 0, give_name(name));
}

void tacho_profile_pop(void)
{
	tell(TACHO__RANGE_POP, 0, NULL);
}

uint64_t tacho_profile_begin(const char *name)
{
	return tell(TACHO__RANGE_BEGIN, 0, give_name(name));
}

void tacho_profile_end(uint64_t range)
{
	if (range)
		tell(TACHO__RANGE_END, range, NULL);
}

void tacho_profile_mark(const char *name)
{
	tell(TACHO__RANGE_MARK, 0, give_name(name));
}
