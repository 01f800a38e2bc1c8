/* SPDX-License-Identifier: MIT */
#include "intercept/launches.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/thread.h"
#include "intercept/serial.h"

enum {
	TURNS = 8, /* looks that the guard takes in the time of patience */
	SHORTEST_TURN_NS = 1000000,
	LONGEST_TURN_NS = 100000000,
};

struct device {
	struct device *next;
	uint64_t handle;
	uint16_t api;
	struct tacho__serial serial;
};

struct tacho__held {
	struct tacho__ticket ticket; /* first */
	struct device *device;
	struct tacho__held_calls calls;
	void *user;
	void *attached[TACHO__SUBSCRIBERS_MAX];
	struct tacho__launch_outcome outcome; /* once it has ended */
	atomic_uint references;		      /* its end, the layer's, each use without the lock */
	struct tacho__held *next_start;	      /* of this thread's */
};

struct tacho__launches tacho__launches;

static struct {
	pthread_mutex_t lock;
	struct device *devices; /* never freed: a process has few */
	size_t count;		/* of what is held */
	uint64_t patience_ns;
	atomic_uint news;	      /* what the guard sleeps on */
	uint64_t joined, seen_joined; /* launches; those that the guard knew in its last turn */
	bool is_asleep;		      /* the guard, until it is called */
	bool has_no_guard;
	/* Not 0 in the process whose launches are held, 0 in its forks; NULL: no guard as yet. */
	_Atomic(atomic_uint *) mark;
} launches = {.lock = PTHREAD_MUTEX_INITIALIZER, .patience_ns = TACHO__LAUNCH_PATIENCE_NS};

/* What this thread still has to start: a driver that runs launches at once would recurse. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
	struct tacho__held *first, *last;
	bool is_busy;
} mine;

bool tacho__launches_subscribe(const struct tacho__launch_subscriber *subscriber)
{
	unsigned count = atomic_load(&tacho__launches.subscriber_count);

	if (count == TACHO__SUBSCRIBERS_MAX)
		return false;
	tacho__launches.subscribers[count] = subscriber;
	atomic_store(&tacho__launches.subscriber_count, count + 1);
	tacho__launches_resume();
	return true;
}

void tacho__launches_pause(void)
{
	atomic_fetch_sub(&tacho__launches.wanting, 1);
}

void tacho__launches_resume(void)
{
	atomic_fetch_add(&tacho__launches.wanting, 1);
}

void tacho__launch_unload(uint16_t api, uint64_t program)
{
	unsigned count = atomic_load(&tacho__launches.subscriber_count);
	int error = errno;

	for (unsigned i = 0; i < count; i++)
		if (tacho__launches.subscribers[i]->unload)
			tacho__launches.subscribers[i]->unload(api, program);
	errno = error;
}

void tacho__launches_set_patience(uint64_t patience_ns)
{
	pthread_mutex_lock(&launches.lock);
	launches.patience_ns = patience_ns;
	pthread_mutex_unlock(&launches.lock);
	tacho__futex_raise(&launches.news);
}

static void release(struct tacho__held *held)
{
	if (atomic_fetch_sub(&held->references, 1) != 1)
		return;
	held->calls.release(held->user);
	free(held);
}

/* ---- starting and ending ---- */

static void plan_start(struct tacho__ticket *ticket)
{
	struct tacho__held *held = (struct tacho__held *)ticket;

	held->next_start = NULL;
	*(mine.last ? &mine.last->next_start : &mine.first) = held;
	mine.last = held;
}

/* Tells its end, and plans who comes next. */
static void finish(struct tacho__held *held)
{
	unsigned count = atomic_load(&tacho__launches.subscriber_count);
	struct tacho__ticket *next;

	if (held->ticket.is_beside && held->outcome.end == TACHO__LAUNCH_ENDED) {
		held->outcome.end = TACHO__LAUNCH_BESIDE;
		held->outcome.why = "kernels waited for it that had to run beside it, or it for "
				    "them: they were let run together, and not counted";
	}
	for (unsigned i = 0; i < count; i++)
		if (held->attached[i])
			tacho__launches.subscribers[i]->end(held->attached[i], &held->outcome);
	pthread_mutex_lock(&launches.lock);
	next = tacho__serial_retire(&held->device->serial, &held->ticket, tacho__clock_raw_ns());
	launches.count--;
	pthread_mutex_unlock(&launches.lock);
	if (next)
		plan_start(next);
	release(held);
}

static void start(struct tacho__held *held)
{
	unsigned count = atomic_load(&tacho__launches.subscriber_count);
	bool is_alone, has_ended;

	pthread_mutex_lock(&launches.lock);
	is_alone = !held->ticket.is_beside;
	pthread_mutex_unlock(&launches.lock);
	for (unsigned i = 0; is_alone && i < count; i++)
		if (held->attached[i])
			tacho__launches.subscribers[i]->begin(held->attached[i]);
	held->calls.let_go(held->user);
	pthread_mutex_lock(&launches.lock);
	has_ended = tacho__serial_started(&held->device->serial, &held->ticket);
	pthread_mutex_unlock(&launches.lock);
	if (has_ended)
		finish(held);
}

/* Starts all that was planned, also by what is started. */
static void start_planned(void)
{
	struct tacho__held *held;

	if (mine.is_busy)
		return;
	mine.is_busy = true;
	while ((held = mine.first)) {
		mine.first = held->next_start;
		if (!mine.first)
			mine.last = NULL;
		start(held);
	}
	mine.is_busy = false;
}

/* ---- the guard ---- */

/* The first from here on in its list that can be asked, with a reference. */
static struct tacho__held *take_next(struct tacho__ticket *ticket)
{
	struct tacho__held *held;

	for (; ticket; ticket = ticket->next) {
		held = (struct tacho__held *)ticket;
		if (!(ticket->has_device ? held->calls.look != NULL : held->calls.is_ready != NULL))
			continue;
		atomic_fetch_add(&held->references, 1);
		return held;
	}
	return NULL;
}

/* Those that the driver did not tell about, in the list of pending or active ones. */
static void ask(const struct tacho__ticket_list *list, bool has_device)
{
	struct tacho__held *held, *next;
	bool is_there;

	pthread_mutex_lock(&launches.lock);
	held = take_next(list->first);
	pthread_mutex_unlock(&launches.lock);
	while (held) {
		if (has_device)
			held->calls.look(held->user);
		else if (held->calls.is_ready(held->user))
			tacho__launch_ready(held);
		pthread_mutex_lock(&launches.lock);
		is_there = has_device ? held->ticket.has_device
				      : held->ticket.phase == TACHO__TICKET_PENDING;
		next = is_there ? take_next(held->ticket.next) : NULL; /* the rest next time */
		pthread_mutex_unlock(&launches.lock);
		release(held);
		held = next;
	}
}

static void lift(struct device *device)
{
	struct tacho__ticket *ticket;

	pthread_mutex_lock(&launches.lock);
	ticket = tacho__serial_lift(&device->serial, tacho__clock_raw_ns(), launches.patience_ns);
	pthread_mutex_unlock(&launches.lock);
	for (; ticket; ticket = ticket->next_start)
		plan_start(ticket);
	start_planned();
}

/*
 * How long to sleep; 0: until it is called. It goes on in turns for as long as launches come, so
 * that these need not call it.
 */
static uint64_t get_turn_ns(struct device **out_devices)
{
	uint64_t turn_ns;

	pthread_mutex_lock(&launches.lock);
	launches.is_asleep = !launches.count && launches.joined == launches.seen_joined;
	launches.seen_joined = launches.joined;
	turn_ns = launches.patience_ns / TURNS;
	if (turn_ns < SHORTEST_TURN_NS)
		turn_ns = SHORTEST_TURN_NS;
	if (launches.is_asleep)
		turn_ns = 0;
	*out_devices = launches.devices;
	pthread_mutex_unlock(&launches.lock);
	return turn_ns < LONGEST_TURN_NS ? turn_ns : LONGEST_TURN_NS;
}

static void *guard(void *unused)
{
	struct device *devices;

	(void)unused;
	for (;;) {
		unsigned news = atomic_load(&launches.news);
		uint64_t turn_ns = get_turn_ns(&devices);

		tacho__futex_wait(&launches.news, news, turn_ns ? turn_ns : UINT64_MAX / 4);
		for (; devices; devices = devices->next) {
			ask(&devices->serial.pending, false);
			ask(&devices->serial.active, true);
			lift(devices);
		}
	}
	return NULL;
}

static void forget_in_child(void)
{
	atomic_store(atomic_load(&launches.mark), 0);
}

/* A word that the kernel clears in forks. */
static bool make_mark(void)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	atomic_uint *mark =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mark == MAP_FAILED)
		return false;
	atomic_store(mark, 1);
	atomic_store(&launches.mark, mark);
	madvise(mark, bytes, MADV_WIPEONFORK);
	/* Linux before 4.14 cannot wipe, and qemu-user only says that it does; libc's handler sees
	 * fork(), but not clone(). */
	pthread_atfork(NULL, NULL, forget_in_child);
	return true;
}

/* Under the lock. Without a guard nothing is held: it could wait for ever. */
static bool start_guard(void)
{
	pthread_t thread;

	launches.has_no_guard = !make_mark();
	if (launches.has_no_guard)
		return false;
	launches.has_no_guard = tacho__thread_start(&thread, guard, NULL) != 0;
	if (!launches.has_no_guard)
		pthread_detach(thread);
	return !launches.has_no_guard;
}

/* ---- launches ---- */

/* Under the lock. */
static struct device *find_device(const struct tacho__launch *launch)
{
	struct device *device = launches.devices;

	while (device && (device->handle != launch->device || device->api != launch->api))
		device = device->next;
	if (device)
		return device;
	device = calloc(1, sizeof(*device));
	if (!device)
		return NULL;
	device->handle = launch->device;
	device->api = launch->api;
	device->next = launches.devices;
	launches.devices = device;
	return device;
}

static bool join(struct tacho__held *held, const struct tacho__launch *launch)
{
	bool has_joined = false, must_call = false;

	pthread_mutex_lock(&launches.lock);
	held->device = !launches.has_no_guard && (atomic_load(&launches.mark) || start_guard())
			       ? find_device(launch)
			       : NULL;
	if (held->device) {
		tacho__serial_join(&held->device->serial, &held->ticket);
		launches.count++;
		launches.joined++;
		must_call = launches.is_asleep;
		launches.is_asleep = false;
		has_joined = true;
	}
	pthread_mutex_unlock(&launches.lock);
	if (must_call)
		tacho__futex_raise(&launches.news);
	return has_joined;
}

/* In a fork nobody guards, and the lock may be taken for ever. */
static bool is_fork(void)
{
	const atomic_uint *mark = atomic_load_explicit(&launches.mark, memory_order_acquire);

	return mark && !atomic_load_explicit(mark, memory_order_relaxed);
}

/* Whether somebody attached. */
static bool attach(const struct tacho__launch *launch, unsigned count, void **out_attached)
{
	bool is_attached = false;

	for (unsigned i = 0; i < count; i++) {
		out_attached[i] = tacho__launches.subscribers[i]->attach(launch);
		is_attached = is_attached || out_attached[i];
	}
	return is_attached;
}

static void tell_unheld(void *const *attached, unsigned count, const char *why)
{
	const struct tacho__launch_outcome outcome = {.end = TACHO__LAUNCH_UNSEEN, .why = why};

	for (unsigned i = 0; i < count; i++)
		if (attached[i])
			tacho__launches.subscribers[i]->end(attached[i], &outcome);
}

void tacho__launch_tell_unheld(const struct tacho__launch *launch, const char *why)
{
	unsigned count =
		atomic_load_explicit(&tacho__launches.subscriber_count, memory_order_acquire);
	void *attached[TACHO__SUBSCRIBERS_MAX] = {NULL};
	int error = errno;

	if (!is_fork() && attach(launch, count, attached))
		tell_unheld(attached, count, why);
	errno = error;
}

struct tacho__held *tacho__launch_hold(const struct tacho__launch *launch,
				       const struct tacho__held_calls *calls, void *user)
{
	unsigned count =
		atomic_load_explicit(&tacho__launches.subscriber_count, memory_order_acquire);
	void *attached[TACHO__SUBSCRIBERS_MAX] = {NULL};
	struct tacho__held *held;
	int error = errno;

	if (is_fork() || !attach(launch, count, attached)) {
		errno = error;
		return NULL;
	}
	held = calloc(1, sizeof(*held));
	if (held) {
		held->calls = *calls;
		held->user = user;
		for (unsigned i = 0; i < count; i++)
			held->attached[i] = attached[i];
		atomic_init(&held->references, 2);
	}
	if (held && !join(held, launch)) {
		free(held);
		held = NULL;
	}
	if (!held)
		tell_unheld(attached, count, "there was no memory or thread to hold it");
	errno = error;
	return held;
}

void tacho__launch_ready(struct tacho__held *held)
{
	struct tacho__ticket *next;
	int error = errno;

	pthread_mutex_lock(&launches.lock);
	next = tacho__serial_ready(&held->device->serial, &held->ticket, tacho__clock_raw_ns());
	pthread_mutex_unlock(&launches.lock);
	if (next)
		plan_start(next);
	start_planned();
	errno = error;
}

void tacho__launch_end(struct tacho__held *held, const struct tacho__launch_outcome *outcome)
{
	int error = errno;
	bool is_ours;

	held->outcome = *outcome;
	if (!held->outcome.why)
		held->outcome.why = "";
	pthread_mutex_lock(&launches.lock);
	is_ours = tacho__serial_ended(&held->device->serial, &held->ticket);
	pthread_mutex_unlock(&launches.lock);
	if (is_ours)
		finish(held);
	start_planned();
	errno = error;
}

void tacho__launch_drop(struct tacho__held *held)
{
	int error = errno;

	release(held);
	errno = error;
}
