/* SPDX-License-Identifier: MIT */
#include "rocp_source.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "intercept/launch_devices.h"
#include "record/wire.h"

struct run {
	const struct source_end *end;
	struct tacho__held *held;
	uint64_t start_ns;
	atomic_bool is_let_go, is_released;
};

static uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

struct tacho__launch source_launch(void)
{
	return (struct tacho__launch){.start = tacho__tick(),
				      .device = SOURCE_DEVICE,
				      .queue = 7,
				      .kernel = SOURCE_KERNEL,
				      .program = SOURCE_PROGRAM,
				      .name = "add",
				      .grid = {1024, 1, 1},
				      .workgroup = {64, 1, 1},
				      .local_bytes = 512,
				      .private_bytes = 16,
				      .api = SOURCE_API};
}

static uint32_t device_kind;

static size_t list_devices(struct tacho__launch_device *devices, size_t room)
{
	if (room)
		devices[0] = (struct tacho__launch_device){.handle = SOURCE_DEVICE,
							   .name = "made up",
							   .kind = device_kind,
							   .api = SOURCE_API};
	return 1;
}

void source_add_device(uint32_t kind)
{
	device_kind = kind;
	tacho__launch_devices_add(list_devices);
}

static void let_go(void *user)
{
	struct run *run = user;

	run->start_ns = monotonic_ns();
	if (run->end->work)
		run->end->work();
	atomic_store(&run->is_let_go, true);
}

static void release(void *user)
{
	struct run *run = user;

	atomic_store(&run->is_released, true);
}

static void end(struct run *run)
{
	struct tacho__launch_outcome outcome = {
		.end = run->end->end, .times = run->end->times, .why = "it was made so"};

	if (run->end->has_times)
		outcome.times = (struct tacho__times){.code = TACHO__SLOT_TIMES,
						      .queued = run->start_ns,
						      .submit = run->start_ns,
						      .start = run->start_ns,
						      .end = monotonic_ns()};
	outcome.tick = tacho__tick();
	tacho__launch_end(run->held, &outcome);
}

bool source_run(const struct tacho__launch *launch, const struct source_end *wanted)
{
	static const struct tacho__held_calls calls = {.let_go = let_go, .release = release};
	static const struct source_end plain;
	struct run run = {.end = wanted ? wanted : &plain};

	if (!tacho__launches_are_wanted())
		return false;
	run.held = tacho__launch_hold(launch, &calls, &run);
	if (!run.held)
		return false;
	tacho__launch_ready(run.held);
	while (!atomic_load(&run.is_let_go))
		sched_yield();
	end(&run);
	tacho__launch_drop(run.held);
	while (!atomic_load(&run.is_released))
		sched_yield();
	return true;
}
