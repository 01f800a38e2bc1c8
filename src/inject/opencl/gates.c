/* SPDX-License-Identifier: MIT */
#include "inject/opencl/gates.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "inject/opencl/events.h"
#include "inject/opencl/held.h"
#include "inject/opencl/queue_facts.h"
#include "inject/opencl/cl_settle.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum { FEW_WAITS = 32 }; /* events that are waited for without an allocation */

/* An event that we hold. */
struct own {
	void *event;
	size_t slot;	       /* of held.h */
	atomic_bool has_ended; /* the driver called back */
};

struct gate {
	struct tacho__held *held;
	void *bolt; /* the user event that keeps it shut */
	/* Once all of these have ended, nothing but the bolt is in the kernel's way. */
	struct own *waits;
	uint32_t wait_count;
	struct own marker; /* the one of `waits` in a queue with order */
	atomic_uint uses;  /* of `held`: by who sets it up, and by each callback */
	atomic_bool is_set_up, is_open;
	atomic_bool is_over; /* its end is told by somebody */
	struct own kernel;
	atomic_uint kernel_uses; /* of the kernel's event; it is let go behind the last */
};

static const char unseen[] = "the driver does not tell when it ends";

/* ---- what launches.h asks for ---- */

static void open_gate(void *user)
{
	struct gate *gate = user;

	if (gate->bolt && !atomic_exchange(&gate->is_open, true))
		tacho__opencl_target.clSetUserEventStatus(gate->bolt, CL_COMPLETE);
}

/* What failed is over, too: the kernel fails as well, or runs, and its own event tells. */
static bool is_ready(void *user)
{
	struct gate *gate = user;
	int32_t status;

	if (!atomic_load(&gate->is_set_up))
		return false;
	for (uint32_t i = 0; i < gate->wait_count; i++)
		if (!atomic_load(&gate->waits[i].has_ended) &&
		    !tacho__opencl_has_ended(gate->waits[i].event, &status))
			return false;
	return true;
}

/* What waits for a gate that is never opened would wait for ever. */
static void release(void *user)
{
	struct gate *gate = user;

	open_gate(gate);
	for (uint32_t i = 0; i < gate->wait_count; i++)
		tacho__opencl_let_go(gate->waits[i].event, gate->waits[i].slot);
	if (gate->waits != &gate->marker)
		free(gate->waits);
	if (gate->bolt)
		tacho__opencl_target.clReleaseEvent(gate->bolt);
	free(gate);
	tacho__opencl_land();
}

static void drop(struct gate *gate)
{
	if (atomic_fetch_sub(&gate->uses, 1) == 1)
		tacho__launch_drop(gate->held);
}

/* ---- the kernel's end ---- */

/* False: it was let go. */
static bool use_kernel(struct gate *gate)
{
	unsigned uses = atomic_load(&gate->kernel_uses);

	while (uses)
		if (atomic_compare_exchange_weak(&gate->kernel_uses, &uses, uses + 1))
			return true;
	return false;
}

static void drop_kernel(struct gate *gate)
{
	if (atomic_fetch_sub(&gate->kernel_uses, 1) == 1)
		tacho__opencl_let_go(gate->kernel.event, gate->kernel.slot);
}

static void end(struct gate *gate, uint32_t how, int32_t code, const char *why)
{
	struct tacho__launch_outcome outcome = {
		.end = how, .vendor_code = code, .tick = tacho__tick(), .why = why};

	if (atomic_exchange(&gate->is_over, true))
		return;
	if (how == TACHO__LAUNCH_ENDED)
		outcome.times = tacho__opencl_times_of(gate->kernel.event, CL_COMPLETE);
	if (gate->kernel.event)
		drop_kernel(gate);
	tacho__launch_end(gate->held, &outcome);
}

static void end_by_status(struct gate *gate, int32_t status)
{
	if (status < 0)
		end(gate, TACHO__LAUNCH_FAILED, status, "it ended with an error");
	else
		end(gate, TACHO__LAUNCH_ENDED, 0, "");
}

/* PoCL 3.1 never calls back for a command that failed because one that it waited for did. */
static void look(void *user)
{
	struct gate *gate = user;
	bool has_ended;
	int32_t status;

	if (!use_kernel(gate))
		return;
	has_ended = tacho__opencl_has_ended(gate->kernel.event, &status);
	if (has_ended)
		end_by_status(gate, status);
	drop_kernel(gate);
}

/*
 * These two run on a thread of the driver, or inside a call of the program. rusticl holds a lock of
 * the event meanwhile: its state must not be asked for, nor a lock taken under which others do.
 */
static void on_kernel(void *event, int32_t status, void *user)
{
	struct gate *gate = user;
	int error = errno;

	(void)event;
	end_by_status(gate, status);
	drop(gate);
	errno = error;
}

static void on_wait(void *event, int32_t status, void *user)
{
	struct gate *gate = user;
	int error = errno;

	(void)status;
	for (uint32_t i = 0; i < gate->wait_count; i++)
		if (gate->waits[i].event == event)
			atomic_store(&gate->waits[i].has_ended, true);
	if (is_ready(gate))
		tacho__launch_ready(gate->held);
	drop(gate);
	errno = error;
}

/* False: it is never called. */
static bool set_callback(struct gate *gate, void *event, void *callback)
{
	atomic_fetch_add(&gate->uses, 1);
	if (!tacho__opencl_target.clSetEventCallback(event, CL_COMPLETE, callback, gate))
		return true;
	atomic_fetch_sub(&gate->uses, 1);
	return false;
}

/* ---- setting it up ---- */

/*
 * In a queue with order; NULL: the driver has none, and the kernel counts as ready at once. It is
 * flushed, as rusticl tells no end before all that is flushed together has ended.
 */
static void *make_marker(const struct tacho__opencl_launch *launch)
{
	void *marker = NULL;
	int32_t rc = -1;

	if (tacho__opencl_target.clEnqueueMarkerWithWaitList)
		rc = tacho__opencl_target.clEnqueueMarkerWithWaitList(
			launch->queue, launch->wait_count, launch->wait_list, &marker);
	else if (!launch->wait_count)
		rc = tacho__opencl_target.clEnqueueMarker(launch->queue, &marker);
	if (rc)
		return NULL;
	tacho__opencl_target.clFlush(launch->queue);
	return marker;
}

/*
 * In a queue without order the events that the launch waits for are watched, and barriers in front
 * of it are not seen: PoCL 3.1 has markers wait for all that is in the queue, whatever their list,
 * and so for commands that the program lets go only when this one has ended.
 */
static void keep_waits(struct gate *gate, const struct tacho__opencl_launch *launch)
{
	gate->waits = launch->wait_count ? calloc(launch->wait_count, sizeof(*gate->waits)) : NULL;
	for (uint32_t i = 0; gate->waits && i < launch->wait_count; i++) {
		struct own *own = &gate->waits[gate->wait_count];

		if (tacho__opencl_target.clRetainEvent(launch->wait_list[i]))
			continue;
		own->event = launch->wait_list[i];
		own->slot = tacho__opencl_hold_plain(own->event);
		gate->wait_count++;
	}
}

static int32_t enqueue_behind(const struct tacho__opencl_launch *launch, void *bolt,
			      void **out_event)
{
	void *few[FEW_WAITS], **list = few;
	uint32_t count = launch->wait_count;
	int32_t rc;

	if (count >= FEW_WAITS)
		list = malloc(((size_t)count + 1) * sizeof(*list));
	if (!list)
		return CL_OUT_OF_HOST_MEMORY;
	if (count)
		memcpy(list, launch->wait_list, count * sizeof(*list));
	list[count] = bolt;
	rc = tacho__opencl_enqueue(launch, count + 1, list, out_event);
	if (list != few)
		free(list);
	return rc;
}

/* The kernel is in its queue, behind the gate; to flush it is up to the program, as ever. */
static void watch(struct gate *gate, void *event)
{
	int32_t status;

	if (tacho__opencl_target.clRetainEvent(event)) {
		end(gate, TACHO__LAUNCH_UNSEEN, 0, unseen);
		return;
	}
	gate->kernel.event = event;
	gate->kernel.slot = tacho__opencl_hold_plain(event);
	atomic_store(&gate->kernel_uses, 1);
	if (!set_callback(gate, event, (void *)on_kernel)) {
		end(gate, TACHO__LAUNCH_UNSEEN, 0, unseen);
		return;
	}
	atomic_store(&gate->is_set_up, true);
	/* Some drivers never call back for a command that has ended already. */
	for (uint32_t i = 0; i < gate->wait_count; i++)
		if (!tacho__opencl_has_ended(gate->waits[i].event, &status))
			set_callback(gate, gate->waits[i].event, (void *)on_wait);
	if (is_ready(gate))
		tacho__launch_ready(gate->held);
}

static int32_t enqueue(struct gate *gate, const struct tacho__opencl_launch *launch,
		       const struct tacho__opencl_queue *queue)
{
	void *event = NULL;
	int32_t rc = 0;

	gate->bolt = tacho__opencl_target.clCreateUserEvent(queue->context, &rc);
	if (!gate->bolt) {
		rc = tacho__opencl_enqueue(launch, launch->wait_count, launch->wait_list, &event);
	} else {
		if (queue->is_in_order)
			gate->marker.event = make_marker(launch);
		else
			keep_waits(gate, launch);
		if (gate->marker.event) {
			gate->waits = &gate->marker;
			gate->wait_count = 1;
		}
		rc = enqueue_behind(launch, gate->bolt, &event);
	}
	if (rc)
		end(gate, TACHO__LAUNCH_REFUSED, rc, "the API refused it");
	else if (!gate->bolt)
		end(gate, TACHO__LAUNCH_UNSEEN, 0, "the driver made no event to hold it back with");
	else
		watch(gate, event);
	if (!rc && launch->event_at)
		*launch->event_at = event;
	else if (!rc)
		tacho__opencl_target.clReleaseEvent(event);
	return rc;
}

/* Why it runs as it is; NULL: it can be held. */
static const char *find_obstacle(const struct tacho__opencl_launch *launch)
{
	if (!launch->wait_count != !launch->wait_list) /* the driver says so, or takes it */
		return "its list of events is no list";
	if (!tacho__opencl_target.clCreateUserEvent || !tacho__opencl_target.clSetEventCallback)
		return "the driver has no events that could hold it back";
	return NULL;
}

static int32_t run_unheld(const struct tacho__opencl_launch *launch,
			  const struct tacho__launch *told, const char *why)
{
	int32_t rc = tacho__opencl_enqueue(launch, launch->wait_count, launch->wait_list,
					   launch->event_at);

	if (!rc)
		tacho__launch_tell_unheld(told, why);
	return rc;
}

bool tacho__opencl_launch_gated(const struct tacho__opencl_launch *launch,
				const struct tacho__launch *told, int32_t *out_result)
{
	static const struct tacho__held_calls calls = {
		.let_go = open_gate, .is_ready = is_ready, .look = look, .release = release};
	const struct tacho__opencl_queue *queue = tacho__opencl_find_queue(launch->queue);
	const char *obstacle = find_obstacle(launch);
	int error = errno;
	struct gate *gate;

	if (!queue)
		return false; /* the driver says what is wrong */
	gate = obstacle ? NULL : calloc(1, sizeof(*gate));
	if (!gate) {
		*out_result = run_unheld(launch, told, obstacle ? obstacle : "there was no memory");
		return true;
	}
	atomic_init(&gate->uses, 1);
	gate->held = tacho__launch_hold(told, &calls, gate);
	if (!gate->held) {
		free(gate);
		return false;
	}
	tacho__opencl_take_off();
	*out_result = enqueue(gate, launch, queue);
	drop(gate);
	errno = error;
	return true;
}
