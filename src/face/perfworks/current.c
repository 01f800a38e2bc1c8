/* SPDX-License-Identifier: MIT */
/* Which graphics context the calling thread has, as the libraries of the process tell. */
#include "base/array.h"
#include "base/dl.h"
#include "face/perfworks/perfworks.h"

typedef void *get_current(void);

/* A program that has a current context has loaded one of these. */
static struct {
	const char *library, *function;
	_Atomic(get_current *) found; /* NULL: the library was not there as yet; it stays */
} ways[] = {
	{.library = "libEGL.so.1", .function = "eglGetCurrentContext"},
	{.library = "libGLX.so.0", .function = "glXGetCurrentContext"},
	{.library = "libGL.so.1", .function = "glXGetCurrentContext"},
};

static get_current *find_way(size_t index)
{
	const struct tacho__dl_symbol symbol = {ways[index].function, 0, true};
	get_current *found = atomic_load(&ways[index].found);
	struct tacho__dl dl;

	if (found || tacho__dl_open_loaded(ways[index].library, &symbol, 1, &dl, &found))
		return found;
	atomic_store(&ways[index].found, found);
	return found;
}

void *tacho__pw_current(void)
{
	void *current = NULL;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(ways) && !current; i++) {
		get_current *function = find_way(i);

		current = function ? function() : NULL;
	}
	return current;
}

bool tacho__pw_has_graphics(void)
{
	size_t i = 0;

	while (i < TACHO__ARRAY_SIZE(ways) && !find_way(i))
		i++;
	return i < TACHO__ARRAY_SIZE(ways);
}
