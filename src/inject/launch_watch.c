/* SPDX-License-Identifier: MIT */
/* Watching a program while it runs: its live counters, and what it has in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "inject/launch.h"

enum {
	FAMILY_MAX = 32, /* processes that one look visits */
	MAPS_MAX = 8 << 20,
};
#define LOOK_PAUSE_MIN_NS UINT64_C(1000000)
#define LOOK_PAUSE_MAX_NS UINT64_C(512000000)

void tacho__launch_read_progress(const struct tacho_launch *launch,
				 struct tacho_progress *out_progress)
{
	struct tacho__pool *pool = launch->keeper.pool;

	*out_progress = (struct tacho_progress){
		.calls = atomic_load(&pool->calls),
		.commands = atomic_load(&pool->commands),
		.processes = atomic_load(&pool->processes),
		.elapsed_ns = tacho__clock_monotonic_ns() - launch->start.monotonic_ns,
	};
}

/* Notes the GPU libraries of a process's memory map. */
static void look_at_maps(struct tacho__sightings *seen, char *text)
{
	for (char *line, *rest = text; (line = strsep(&rest, "\n"));) {
		const char *slash = strrchr(line, '/');
		int row = slash ? tacho__gpu_library_find(slash + 1) : -1;

		if (row < 0 || seen->mapped[row])
			continue;
		seen->mapped[row] = true;
		snprintf(seen->file[row], sizeof(seen->file[row]), "%s", slash + 1);
	}
}

static void look_at(struct tacho__sightings *seen, pid_t pid)
{
	struct tacho__buf maps = {0};
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	if (!tacho__fs_read(path, MAPS_MAX, &maps) && maps.size) {
		seen->looked = true;
		look_at_maps(seen, maps.text);
	}
	tacho__buf_finish(&maps);
}

/* Appends the children of `pid`, as far as the kernel tells. */
static size_t add_children(pid_t pid, pid_t *family, size_t count)
{
	struct tacho__buf children = {0};
	char path[96], *at, *end;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	if (!tacho__fs_read(path, MAPS_MAX, &children) && children.size) {
		for (at = children.text; count < FAMILY_MAX; at = end) {
			long child = strtol(at, &end, 10);

			if (end == at || child <= 0)
				break;
			family[count++] = (pid_t)child;
		}
	}
	tacho__buf_finish(&children);
	return count;
}

void tacho__launch_look(struct tacho_launch *launch)
{
	uint64_t now = tacho__clock_monotonic_ns(), pause;
	struct tacho_progress progress;
	pid_t family[FAMILY_MAX] = {launch->pid};
	size_t count = 1;

	if (launch->seen.processes || now < launch->next_look_ns)
		return;
	for (size_t i = 0; i < count; i++) {
		look_at(&launch->seen, family[i]);
		count = add_children(family[i], family, count);
	}
	/* once a recorder came up there is nothing left to explain */
	tacho__launch_read_progress(launch, &progress);
	launch->seen.processes = progress.processes;
	pause = (now - launch->start.monotonic_ns) / 8;
	if (pause < LOOK_PAUSE_MIN_NS)
		pause = LOOK_PAUSE_MIN_NS;
	if (pause > LOOK_PAUSE_MAX_NS)
		pause = LOOK_PAUSE_MAX_NS;
	launch->next_look_ns = tacho__clock_monotonic_ns() + pause;
}

int tacho__launch_get_pause_ms(const struct tacho_launch *launch, int timeout_ms)
{
	uint64_t now = tacho__clock_monotonic_ns();
	int look_ms;

	if (launch->seen.processes)
		return timeout_ms;
	look_ms =
		now < launch->next_look_ns ? (int)((launch->next_look_ns - now) / 1000000) + 1 : 0;
	return look_ms < timeout_ms ? look_ms : timeout_ms;
}
