/* SPDX-License-Identifier: MIT */
/* Nothing runs for this: each pass gives the simulated device the same work again. */
#include "inject/cuda/cuda_simulated.h"

#include "inject/counting_engine.h"

static struct tacho__count_engine *const engine = &tacho__count_engine;

void tacho__cuda_simulated_start(void)
{
	tacho__count_engine_start();
}

static int count_pass(struct tacho_session *session, const struct tacho__cuda_launch *launch)
{
	uint64_t grid[3];
	tacho_range range = 0;
	int rc = tacho__count_engine_begin_range(session, launch->kernel->name, &range);

	for (int i = 0; i < 3; i++)
		grid[i] = (uint64_t)launch->grid[i] * launch->block[i];
	if (!rc)
		rc = tacho__count_engine_simulate(launch->kernel->name, grid, launch->block);
	return rc ? rc : tacho_session_end_range(session, range);
}

static int count_passes(struct tacho_session *session, const struct tacho__cuda_launch *launch)
{
	int more = 1, rc = 0;

	while (!rc && more) {
		rc = tacho_session_begin_pass(session);
		if (!rc)
			rc = count_pass(session, launch);
		if (!rc)
			rc = tacho_session_end_pass(session, &more);
	}
	return rc;
}

/* Under the lock. */
static int count(const struct tacho__cuda_launch *launch)
{
	const struct tacho__row_info info = {.start = launch->start, .note = ""};
	struct tacho_session *own = NULL;
	int rc;

	if (tacho__count_engine_replays()) {
		rc = tacho__count_engine_create_session(TACHO_REPLAY_CALLER, &own);
		if (!rc)
			rc = count_passes(own, launch);
	} else {
		rc = tacho__count_engine_open_session();
		if (!rc)
			rc = count_pass(engine->session, launch);
	}
	if (!rc)
		rc = tacho__count_engine_take_row(own ? own : engine->session, &info);
	tacho_session_destroy(own);
	return rc;
}

void tacho__cuda_simulated_count(const struct tacho__cuda_launch *launch)
{
	pthread_mutex_lock(&engine->lock);
	if (atomic_load(&engine->is_on) && count(launch))
		tacho__count_engine_give_up_by_error();
	pthread_mutex_unlock(&engine->lock);
}
