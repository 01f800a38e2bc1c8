/* SPDX-License-Identifier: MIT */
/*
 * What launches on an agent count, added up. Every launch is a range; ranges are one row that goes
 * on, so that metrics are worked out anew from sums of counters and are not summed themselves.
 */
#include "face/rocprofiler/device_window.h"

#include "intercept/workers.h"

#define DRAIN_NS UINT64_C(5000000000)

static int open_session(struct tacho__rocp_window *window)
{
	const struct tacho__rocp_config *config = window->config;
	const struct tacho_session_options options = {
		.size = sizeof(options),
		.replay = TACHO_REPLAY_ROTATE,
		.keeps_rows = 1,
		.wants_thread = config->agent->is_simulated ? NULL : tacho__workers_wants,
	};

	if (!config->plan)
		return 0;
	return tacho_session_create(window->device, config->plan, &options, &window->session);
}

/* Under the lock. */
static void close(struct tacho__rocp_window *window)
{
	if (!window->config)
		return;
	tacho_session_destroy(window->session);
	if (window->config->agent->is_simulated)
		tacho_device_close(window->device);
	tacho_result_destroy(window->result);
	tacho__rocp_config_release(window->config);
	window->config = NULL;
	window->session = NULL;
	window->device = NULL;
	window->result = NULL;
	window->range = 0;
	window->running = 0;
	window->lost = 0;
	window->numbers = (struct tacho__rocp_numbers){.launches = 0};
}

/* A result with nothing in it, so that all instances are 0 before the first launch. */
static int begin_with_nothing(struct tacho__rocp_window *window)
{
	tacho_range range;
	int rc;

	if (!window->session || !window->config->agent->is_simulated)
		return 0;
	rc = tacho_session_begin_range(window->session, 0, 0, "", &range);
	if (!rc)
		rc = tacho_session_end_range(window->session, range);
	if (!rc)
		rc = tacho_session_drain(window->session, DRAIN_NS, NULL);
	if (!rc)
		rc = tacho_session_take(window->session, &window->result);
	if (rc || !tacho_plan_get_pass(window->config->plan, 1))
		return rc;
	tacho_session_destroy(
		window->session); /* it would be one of the launches that take turns */
	window->session = NULL;
	return open_session(window);
}

int tacho__rocp_window_open(struct tacho__rocp_window *window, struct tacho__rocp_config *config)
{
	int rc = 0;

	pthread_mutex_lock(&window->lock);
	close(window);
	window->config = tacho__rocp_config_take(config->handle);
	window->serial++;
	window->device = config->unit->device;
	if (config->agent->is_simulated) {
		window->device = NULL;
		rc = tacho__rocp_edition_open(config->edition, config->agent, &window->device);
	}
	if (!rc)
		rc = open_session(window);
	if (!rc)
		rc = begin_with_nothing(window);
	if (rc)
		close(window);
	pthread_mutex_unlock(&window->lock);
	return rc;
}

void tacho__rocp_window_close(struct tacho__rocp_window *window)
{
	pthread_mutex_lock(&window->lock);
	if (window->lost)
		tacho__rocp_log_error("values of %llu launches are not in those of the agent",
				      (unsigned long long)window->lost);
	close(window);
	pthread_mutex_unlock(&window->lock);
}

/* ---- launches ---- */

static void begin_range(struct tacho__rocp_window *window)
{
	if (window->session && !window->range &&
	    tacho_session_begin_range(window->session, 0, 0, "", &window->range)) {
		window->range = 0;
		window->lost++;
		tacho__rocp_fail("a launch cannot be counted");
	}
}

bool tacho__rocp_window_begin(struct tacho__rocp_window *window, uint64_t serial)
{
	bool is_open;

	pthread_mutex_lock(&window->lock);
	is_open = window->config && window->serial == serial;
	if (is_open && window->running++ == 0 && !window->config->agent->is_simulated)
		begin_range(window);
	pthread_mutex_unlock(&window->lock);
	return is_open;
}

static int end_range(struct tacho__rocp_window *window)
{
	struct tacho_result *result;
	int rc = tacho_session_end_range(window->session, window->range);

	window->range = 0;
	if (!rc)
		rc = tacho_session_drain(window->session, DRAIN_NS, NULL);
	if (!rc)
		rc = tacho_session_take(window->session, &result);
	if (rc)
		return rc;
	tacho_result_destroy(window->result);
	window->result = result;
	return 0;
}

/* A simulated device does the work when the launch has ended, which takes it no time. */
static int simulate(struct tacho__rocp_window *window, const struct tacho__launch *launch)
{
	int rc = 0, rc_end;

	if (!window->session)
		return 0;
	begin_range(window);
	if (!window->range)
		return 0;
	rc = tacho__rocp_sim_submit(window->device, launch);
	rc_end = end_range(window);
	return rc ? rc : rc_end;
}

static void count(struct tacho__rocp_window *window, const struct tacho__launch *launch,
		  const struct tacho__launch_outcome *outcome)
{
	bool is_simulated = window->config->agent->is_simulated;
	int rc = 0;

	if (is_simulated && outcome)
		rc = simulate(window, launch);
	else if (!is_simulated && !window->running && window->range)
		rc = end_range(window);
	if (rc) {
		window->lost++;
		tacho__rocp_fail("the values of a launch are lost");
	}
	if (outcome)
		tacho__rocp_numbers_add(&window->numbers, launch, outcome);
}

void tacho__rocp_window_end(struct tacho__rocp_window *window, uint64_t serial,
			    const struct tacho__launch *launch,
			    const struct tacho__launch_outcome *outcome)
{
	pthread_mutex_lock(&window->lock);
	if (window->config && window->serial == serial) {
		window->running--;
		count(window, launch, outcome);
	}
	pthread_mutex_unlock(&window->lock);
}

rocprofiler_status_t tacho__rocp_window_read(struct tacho__rocp_window *window,
					     struct tacho__rocp_values *out_values)
{
	rocprofiler_status_t status = ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED;

	pthread_mutex_lock(&window->lock);
	if (window->config)
		status = tacho__rocp_values_make(window->config, window->result, 0,
						 &window->numbers, out_values);
	if (!status && out_values->missing)
		tacho__rocp_log_info("%zu values of agent %llu have no record: %s",
				     out_values->missing,
				     (unsigned long long)window->config->agent->info.id.handle,
				     out_values->note);
	pthread_mutex_unlock(&window->lock);
	return status;
}
