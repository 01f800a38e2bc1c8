/* SPDX-License-Identifier: MIT */
/*
 * Simulated devices are opened anew for each config, so that their sessions do not meet. On a CPU
 * they do: events that are open take registers from each other, so who opens a session closes those
 * of other configs that are in no range.
 */
#include <pthread.h>
#include <stdlib.h>

#include "face/rocprofiler/rocprofiler.h"
#include "intercept/workers.h"
#include "tacho/error.h"
#include "tacho/plan.h"

#define DRAIN_NS UINT64_C(5000000000)

struct tacho__rocp_counting {
	const struct tacho__rocp_config *config;
	pthread_mutex_t *lock; /* of what follows: `own_lock`, or the one of all on this CPU */
	pthread_mutex_t own_lock;
	struct tacho_device *device; /* of a simulated agent: its own */
	struct tacho_session *session;
	struct tacho__rocp_counting *next; /* of those that have a session on this CPU */
	tacho_range range;		   /* 0: none */
	atomic_bool is_ready;		   /* a session could be made */
};

static struct {
	pthread_mutex_t lock; /* of who makes one */
	pthread_mutex_t cpu_lock;
	struct tacho__rocp_counting *open; /* on this CPU */
} countings = {.lock = PTHREAD_MUTEX_INITIALIZER, .cpu_lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

/* ---- made once for a config ---- */

/* Under the lock of making. */
static int make(struct tacho__rocp_config *config, struct tacho__rocp_counting **out_counting)
{
	struct tacho__rocp_counting *counting = calloc(1, sizeof(*counting));
	int rc = 0;

	if (!counting)
		return TACHO_E_NOMEM;
	pthread_mutex_init(&counting->own_lock, NULL);
	counting->config = config;
	counting->lock = config->agent->is_simulated ? &counting->own_lock : &countings.cpu_lock;
	if (config->agent->is_simulated && config->plan)
		rc = tacho__rocp_edition_open(config->edition, config->agent, &counting->device);
	if (rc)
		tacho__rocp_counting_destroy(counting);
	else
		*out_counting = counting;
	return rc;
}

static struct tacho__rocp_counting *find(struct tacho__rocp_config *config)
{
	struct tacho__rocp_counting *counting = atomic_load(&config->counting);
	int rc = 0;

	if (counting)
		return counting;
	pthread_mutex_lock(&countings.lock);
	counting = atomic_load(&config->counting);
	if (!counting)
		rc = make(config, &counting);
	if (!rc)
		atomic_store(&config->counting, counting);
	pthread_mutex_unlock(&countings.lock);
	if (rc)
		tacho__rocp_fail("a config cannot be counted");
	return counting;
}

/* ---- sessions; under the counting's lock ---- */

static void close_session(struct tacho__rocp_counting *counting)
{
	struct tacho__rocp_counting **link = &countings.open;

	if (!counting->device) { /* on this CPU */
		while (*link && *link != counting)
			link = &(*link)->next;
		if (*link)
			*link = counting->next;
	}
	tacho_session_destroy(counting->session);
	counting->session = NULL;
	counting->range = 0;
}

static void close_idle(void)
{
	struct tacho__rocp_counting *next;

	for (struct tacho__rocp_counting *other = countings.open; other; other = next) {
		next = other->next;
		if (!other->range)
			close_session(other);
	}
}

static int open_session(struct tacho__rocp_counting *counting)
{
	const struct tacho__rocp_config *config = counting->config;
	struct tacho_device *device = counting->device ? counting->device : config->unit->device;
	bool rotates = tacho_plan_get_pass(config->plan, 1) != NULL;
	const struct tacho_session_options options = {
		.size = sizeof(options),
		.replay = rotates ? TACHO_REPLAY_ROTATE : TACHO_REPLAY_NONE,
		.wants_thread = counting->device ? NULL : tacho__workers_wants,
	};
	int rc;

	if (counting->session)
		return 0;
	if (!counting->device)
		close_idle();
	rc = tacho_session_create(device, config->plan, &options, &counting->session);
	if (rc)
		return rc;
	if (!counting->device) {
		counting->next = countings.open;
		countings.open = counting;
	}
	if (!rotates)
		rc = tacho_session_begin_pass(counting->session);
	if (rc)
		close_session(counting);
	return rc;
}

void tacho__rocp_counting_destroy(struct tacho__rocp_counting *counting)
{
	if (!counting)
		return;
	pthread_mutex_lock(counting->lock);
	close_session(counting);
	pthread_mutex_unlock(counting->lock);
	tacho_device_close(counting->device);
	pthread_mutex_destroy(&counting->own_lock);
	free(counting);
}

rocprofiler_status_t tacho__rocp_counting_prepare(struct tacho__rocp_config *config)
{
	struct tacho__rocp_counting *counting = find(config);
	int rc = 0;

	if (!counting)
		return ROCPROFILER_STATUS_ERROR;
	if (!config->plan || atomic_load(&counting->is_ready))
		return ROCPROFILER_STATUS_SUCCESS;
	pthread_mutex_lock(counting->lock);
	rc = open_session(counting);
	pthread_mutex_unlock(counting->lock);
	atomic_store(&counting->is_ready, !rc);
	return rc ? tacho__rocp_fail("a config cannot be counted") : ROCPROFILER_STATUS_SUCCESS;
}

/* ---- ranges; under the counting's lock ---- */

static int begin(struct tacho__rocp_counting *counting, const struct tacho__launch *launch)
{
	int rc = open_session(counting);

	if (rc)
		return rc;
	return tacho_session_begin_range(counting->session, 0, hash_name(launch->name),
					 launch->name, &counting->range);
}

static int end(struct tacho__rocp_counting *counting, struct tacho_result **out_result)
{
	int rc = tacho_session_end_range(counting->session, counting->range);

	counting->range = 0;
	if (!rc)
		rc = tacho_session_drain(counting->session, DRAIN_NS, NULL);
	if (!rc)
		rc = tacho_session_take(counting->session, out_result);
	if (rc) /* perhaps another one can count */
		close_session(counting);
	return rc;
}

/* A simulated device does its work when the launch has ended. */
static int simulate(struct tacho__rocp_counting *counting, const struct tacho__launch *launch,
		    struct tacho_result **out_result)
{
	int rc = begin(counting, launch), rc_end;

	if (rc)
		return rc;
	rc = tacho__rocp_sim_submit(counting->device, launch);
	rc_end = end(counting, out_result);
	return rc ? rc : rc_end;
}

bool tacho__rocp_counting_begin(struct tacho__rocp_config *config,
				const struct tacho__launch *launch)
{
	struct tacho__rocp_counting *counting = find(config);
	int rc;

	if (!counting || !config->plan || counting->device)
		return counting != NULL;
	pthread_mutex_lock(counting->lock);
	rc = begin(counting, launch);
	pthread_mutex_unlock(counting->lock);
	if (rc)
		tacho__rocp_fail("a launch cannot be counted");
	return !rc;
}

/* Of a simulated device only with a launch. */
static int take_result(struct tacho__rocp_counting *counting, const struct tacho__launch *launch,
		       struct tacho_result **out_result)
{
	int rc = 0;

	pthread_mutex_lock(counting->lock);
	if (counting->range)
		rc = end(counting, out_result);
	else if (counting->device && launch)
		rc = simulate(counting, launch, out_result);
	pthread_mutex_unlock(counting->lock);
	return rc;
}

static rocprofiler_status_t make_values(const struct tacho__rocp_config *config,
					const struct tacho_result *result,
					const struct tacho__launch *launch,
					const struct tacho__launch_outcome *outcome,
					struct tacho__rocp_values *out_values)
{
	struct tacho__rocp_numbers numbers = {0};
	size_t rows = result ? tacho_result_get_row_count(result) : 0;

	if (config->plan && !rows) {
		tacho__rocp_log_error("the device lost the values of a launch of %s", launch->name);
		return ROCPROFILER_STATUS_ERROR;
	}
	tacho__rocp_numbers_add(&numbers, launch, outcome);
	return tacho__rocp_values_make(config, result, rows ? rows - 1 : 0, &numbers, out_values);
}

rocprofiler_status_t tacho__rocp_counting_end(struct tacho__rocp_config *config,
					      const struct tacho__launch *launch,
					      const struct tacho__launch_outcome *outcome,
					      struct tacho__rocp_values *out_values)
{
	struct tacho__rocp_counting *counting = atomic_load(&config->counting);
	struct tacho_result *result = NULL;
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;
	int rc = 0;

	if (config->plan)
		rc = take_result(counting, out_values ? launch : NULL, &result);
	if (rc)
		status = tacho__rocp_fail("the values of a launch are lost");
	else if (out_values)
		status = make_values(config, result, launch, outcome, out_values);
	tacho_result_destroy(result);
	return status;
}
