/* SPDX-License-Identifier: MIT */
/* The functions that tell a simulated device what to do. */
#include <stdlib.h>
#include <string.h>

#include "backend/sim/sim.h"
#include "backend/sim/sim_private.h"
#include "base/error.h"
#include "base/options.h"

enum { BITS_MAX = 63 };

/* The simulated part of a device, for `function`. INVAL, UNSUPPORTED. */
static int find_own(struct tacho_device *device, const char *function,
		    struct tacho__sim_device **out_own)
{
	if (!device)
		return tacho__fail_null(function);
	if (device->backend != &tacho__backend_sim)
		return tacho__fail(TACHO_E_UNSUPPORTED, "it is not simulated",
				   "open a device of the backend sim, such as \"sim:mi300x\"",
				   "%s:%s cannot be told what to do", device->backend->name,
				   device->info->name);
	*out_own = TACHO__OWN(struct tacho__sim_device, device);
	return 0;
}

static int place(struct tacho__sim_device *own, const struct tacho_sim_work *work,
		 struct tacho__sim_item *item)
{
	struct tacho__sim_collection *collection = own->collection;
	int alone = collection && !tacho__sim_is_pipelined(collection) &&
		    item->range != own->last_range;
	uint64_t *queue_end_ns = &own->queue_ends_ns[work->queue % TACHO__SIM_QUEUES];
	uint64_t old_queue_end_ns = *queue_end_ns, old_busy_until_ns = own->busy_until_ns;
	int rc;

	tacho__sim_place(own, item, work->queue, alone);
	rc = collection ? tacho__sim_collect(collection, item, work->is_row != 0) : 0;
	if (!rc) {
		own->last_range = item->range;
		return 0;
	}
	/* It never was: the call can be made again. */
	*queue_end_ns = old_queue_end_ns;
	own->busy_until_ns = old_busy_until_ns;
	own->handle--;
	return rc;
}

static int check_clock(const struct tacho__sim_device *own, uint64_t duration_ns)
{
	if (duration_ns <= tacho__sim_end_ns - tacho__sim_front(own))
		return 0;
	return tacho__fail(
		TACHO_E_INVAL,
		tacho__detail("%llu ns are too much for it", (unsigned long long)duration_ns),
		"open the device again, or let less time pass",
		"the clock of the simulated device %s is at its end", own->spec.name);
}

int tacho_sim_submit(struct tacho_device *device, const struct tacho_sim_work *work,
		     uint64_t *out_handle)
{
	struct tacho__sim_device *own = NULL;
	struct tacho__sim_item item = {0};
	struct tacho_sim_work info;
	int rc = work ? find_own(device, __func__, &own) : tacho__fail_null(__func__);

	if (!rc)
		rc = tacho__options_take(&info, sizeof(info), work, "tacho_sim_work");
	if (!rc)
		rc = tacho__sim_work_init(&item.work, &own->spec, &info);
	if (rc)
		return rc;
	item.range = info.range;
	pthread_mutex_lock(&own->lock);
	if (own->fault == TACHO_SIM_FAULT_GONE && !own->is_gone && !own->fault_number--)
		tacho__sim_vanish(own);
	rc = tacho__sim_check_gone(own);
	if (!rc)
		rc = check_clock(own, item.work.duration_ns);
	if (!rc)
		rc = place(own, &info, &item);
	pthread_mutex_unlock(&own->lock);
	if (!rc && out_handle)
		*out_handle = item.handle;
	return rc;
}

int tacho_sim_get_times(struct tacho_device *device, uint64_t handle, uint64_t *out_begin_ns,
			uint64_t *out_end_ns)
{
	struct tacho__sim_device *own = NULL;
	int rc = find_own(device, __func__, &own);

	if (rc)
		return rc;
	if (!out_begin_ns || !out_end_ns)
		return tacho__fail_null(__func__);
	pthread_mutex_lock(&own->lock);
	if (!handle || handle > own->handle || own->handle - handle >= TACHO__SIM_TIMES)
		rc = tacho__fail(TACHO_E_NOTFOUND, "",
				 tacho__detail("ask within the next %d works", TACHO__SIM_TIMES),
				 "nothing is known about work %llu", (unsigned long long)handle);
	if (!rc) {
		*out_begin_ns = own->times[handle % TACHO__SIM_TIMES].begin_ns;
		*out_end_ns = own->times[handle % TACHO__SIM_TIMES].end_ns;
	}
	pthread_mutex_unlock(&own->lock);
	return rc;
}

/* Moves the clock, and delivers what is over. */
static int move_clock(struct tacho__sim_device *own, uint64_t now_ns)
{
	int rc;

	own->now_ns = now_ns;
	if (!own->collection)
		return 0;
	rc = tacho__sim_collect_windows(own->collection);
	return rc ? rc : tacho__sim_collect_ranges(own->collection, now_ns);
}

int tacho_sim_advance(struct tacho_device *device, uint64_t duration_ns)
{
	struct tacho__sim_device *own = NULL;
	int rc = find_own(device, __func__, &own);

	if (rc)
		return rc;
	pthread_mutex_lock(&own->lock);
	rc = tacho__sim_check_gone(own);
	if (!rc)
		rc = check_clock(own, duration_ns);
	if (!rc)
		rc = move_clock(own, own->now_ns + duration_ns);
	pthread_mutex_unlock(&own->lock);
	return rc;
}

int tacho_sim_leave_context(struct tacho_device *device, uint64_t duration_ns)
{
	struct tacho__sim_device *own = NULL;
	int rc = find_own(device, __func__, &own);

	if (rc)
		return rc;
	pthread_mutex_lock(&own->lock);
	rc = tacho__sim_check_gone(own);
	if (!rc)
		rc = check_clock(own, duration_ns);
	if (!rc && own->collection)
		rc = tacho__sim_collect_delay(own->collection, duration_ns);
	if (!rc) {
		tacho__sim_delay(own, duration_ns);
		rc = move_clock(own, own->now_ns + duration_ns);
	}
	pthread_mutex_unlock(&own->lock);
	return rc;
}

int tacho_sim_wait(struct tacho_device *device, uint64_t *out_time_ns)
{
	struct tacho__sim_device *own = NULL;
	int rc = find_own(device, __func__, &own);

	if (rc)
		return rc;
	pthread_mutex_lock(&own->lock);
	rc = tacho__sim_check_gone(own);
	if (!rc)
		rc = move_clock(own, tacho__sim_front(own));
	if (!rc && out_time_ns)
		*out_time_ns = own->now_ns;
	pthread_mutex_unlock(&own->lock);
	return rc;
}

int tacho_sim_set_background(struct tacho_device *device, const struct tacho_sim_work *work)
{
	struct tacho__sim_device *own = NULL;
	struct tacho__sim_background *made = NULL;
	struct tacho_sim_work info;
	int rc = find_own(device, __func__, &own);

	if (!rc && work) {
		made = calloc(1, sizeof(*made));
		rc = made ? tacho__options_take(&info, sizeof(info), work, "tacho_sim_work")
			  : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for simulated work");
		if (!rc)
			rc = tacho__sim_work_init(&made->work, &own->spec, &info);
	}
	if (rc) {
		free(made);
		return rc;
	}
	pthread_mutex_lock(&own->lock);
	if (own->background && own->background->end_ns == UINT64_MAX)
		own->background->end_ns = own->now_ns;
	if (made) {
		made->begin_ns = own->now_ns;
		made->end_ns = UINT64_MAX;
		made->next = own->background;
		own->background = made;
	}
	pthread_mutex_unlock(&own->lock);
	return 0;
}

int tacho_sim_set_fault(struct tacho_device *device, uint32_t fault, uint64_t number)
{
	struct tacho__sim_device *own = NULL;
	int rc = find_own(device, __func__, &own);

	if (rc)
		return rc;
	if (fault > TACHO_SIM_FAULT_GONE)
		return tacho__fail(TACHO_E_INVAL, tacho__detail("it is %u", fault),
				   "use a value of enum tacho_sim_fault", "there is no such fault");
	if (fault == TACHO_SIM_FAULT_OVERFLOW && (!number || number > BITS_MAX))
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail("%llu bits", (unsigned long long)number),
				   "let counters have 1 to 63 bits", "counters cannot run over");
	pthread_mutex_lock(&own->lock);
	own->fault = fault;
	own->fault_number = number;
	if (fault == TACHO_SIM_FAULT_GONE && !number && !own->is_gone)
		tacho__sim_vanish(own);
	pthread_mutex_unlock(&own->lock);
	return 0;
}
