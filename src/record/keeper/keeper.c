/* SPDX-License-Identifier: MIT */
/* The keeper's work: looks at the pool often while much happens, seldom while nothing does. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/crc32c.h"
#include "base/room.h"
#include "record/keeper/keeper_private.h"

#define MS	      UINT64_C(1000000)
#define SWEEP_NS      (1000 * MS) /* how old may be what is only in the pool */
#define ALONE_LOOK_NS (2000 * MS) /* for processes that may still come up */
#define GIVE_UP_NS    (1000 * MS) /* to write what cannot be written, when all is over */

enum {
	BUSY_MS = 5,
	IDLE_MS = 20,
	ASLEEP_MS = 50,
	MANY_WINDOWS = 64, /* used between two looks: the sooner the next, the fewer are needed */
	RETRY_MS = 50,	   /* what could not be written */
	EVENTS_MAX = 64,
	BUDGET_PARTS = 10, /* of what is free where the recording goes it takes one */
	EVENT_WIRE = 1 << 30,
	EVENT_SOCKET,
};

/* ---- what comes in ---- */

static void take_refusals(struct keeper *k)
{
	struct tacho__refusal refusal;
	union {
		char bytes[CMSG_SPACE(sizeof(struct ucred))];
		struct cmsghdr align;
	} control;
	struct iovec part = {&refusal, sizeof(refusal)};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};

	while (recvmsg(k->socket_fd, &message, MSG_DONTWAIT) == (ssize_t)sizeof(refusal)) {
		const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
		unsigned count = atomic_load(&k->pool->refusal_count);
		struct tacho__pool_refusal *kept;
		struct ucred sender = {0};

		message.msg_controllen = sizeof(control);
		if (!header || header->cmsg_type != SCM_CREDENTIALS ||
		    refusal.magic != TACHO__REFUSAL_MAGIC)
			continue;
		memcpy(&sender, CMSG_DATA(header), sizeof(sender));
		if (count == TACHO__POOL_REFUSALS_MAX)
			continue;
		kept = &k->pool->refusals[count];
		kept->pid = (uint32_t)sender.pid;
		kept->uid = sender.uid;
		kept->error = refusal.error;
		refusal.stage[sizeof(refusal.stage) - 1] = '\0';
		snprintf(kept->stage, sizeof(kept->stage), "%s", refusal.stage);
		atomic_store(&k->pool->refusal_count, count + 1);
		tacho__keeper_note_refusal(k, kept);
	}
}

/* A byte of the starter's wakes; when it is gone itself, the wire ends. */
static void take_word(struct keeper *k)
{
	char byte;
	ssize_t got = read(k->wire_fd, &byte, 1);

	if (got == 0 || (got < 0 && errno != EAGAIN)) {
		atomic_store(&k->pool->program_ended, 1); /* or nobody will say when it does */
		epoll_ctl(k->epoll_fd, EPOLL_CTL_DEL, k->wire_fd, NULL);
	}
}

static void wait_for_something(struct keeper *k, int timeout_ms)
{
	struct epoll_event events[EVENTS_MAX];
	int count = epoll_wait(k->epoll_fd, events, EVENTS_MAX, timeout_ms);
	bool has_dead = false;

	for (int i = 0; i < count; i++) {
		if (events[i].data.u32 == EVENT_WIRE)
			take_word(k);
		else if (events[i].data.u32 == EVENT_SOCKET)
			take_refusals(k);
		else
			has_dead = true;
	}
	tacho__keeper_greet(k);
	if (has_dead)
		tacho__keeper_look_at_processes(k);
}

/* ---- how often ---- */

static int choose_timeout(const struct keeper *k, uint64_t now_ns)
{
	uint64_t idle_ns = now_ns - k->worked_ns;

	if (k->files.error)
		return RETRY_MS;
	if (atomic_load(&k->pool->pressure) || k->used_windows >= MANY_WINDOWS)
		return 1;
	if (idle_ns < 2000 * MS)
		return BUSY_MS;
	return idle_ns < 10000 * MS ? IDLE_MS : ASLEEP_MS;
}

/* Whether somebody has removed the recording under us. */
static void look_for_files(struct keeper *k)
{
	struct stat status;

	if (k->files.control.fd >= 0 && !fstat(k->files.control.fd, &status) && !status.st_nlink)
		atomic_store(&k->pool->write_error, ENOENT);
}

static uint64_t count_bytes(const struct keeper *k)
{
	return tacho__keeper_files_bytes(&k->files) + k->files.control.bytes +
	       k->files.control.used;
}

/* All that is there by now lies in files, and the manifest says so. */
void tacho__keeper_sweep(struct keeper *k)
{
	tacho__keeper_greet(k);
	tacho__keeper_look_at_processes(k);
	tacho__keeper_take_all(k);
	look_for_files(k);
	if (!k->files.error)
		tacho__keeper_flush_threads(k);
	if (k->files.error || count_bytes(k) == k->swept_bytes)
		return;
	tacho__keeper_note_anchor(k);
	tacho__keeper_note_state(k);
	tacho__keeper_commit(k);
	k->swept_bytes = count_bytes(k);
	if (k->files.is_synced) {
		fdatasync(k->files.control.fd);
		if (k->files.calls.fd >= 0)
			fdatasync(k->files.calls.fd);
	}
}

static void sweep_when_due(struct keeper *k, uint64_t now_ns)
{
	unsigned wanted = atomic_load(&k->pool->sync_wanted);

	if (wanted == atomic_load(&k->pool->sync_done) && now_ns - k->swept_ns < SWEEP_NS)
		return;
	k->swept_ns = now_ns;
	tacho__keeper_sweep(k);
	if (!k->files.error)
		atomic_store(&k->pool->sync_done, wanted);
}

/* ---- the end ---- */

static bool is_over(struct keeper *k, uint64_t now_ns)
{
	if (!atomic_load(&k->pool->program_ended))
		return false;
	tacho__keeper_greet(k); /* who came up before that is known from here on */
	if (!k->files.error)
		k->failed_ns = now_ns;
	if (k->live > k->gone || (k->gone && now_ns - k->failed_ns < GIVE_UP_NS))
		return false;
	if (k->gone || atomic_load(&k->pool->quit))
		return true;
	if (k->looked_ns && now_ns - k->looked_ns < ALONE_LOOK_NS)
		return false;
	k->looked_ns = now_ns;
	if (!tacho__keeper_has_family(k))
		return true;
	atomic_store(&k->pool->keeper_state, TACHO__KEEPER_WAITS);
	return false;
}

/* What cannot be written is lost, and counted. */
static void give_up_rest(struct keeper *k)
{
	uint64_t left = tacho__keeper_count_left(k);
	uint64_t salvaged = tacho__keeper_files_salvage(&k->files, &k->pool->committed);

	k->committed_calls += salvaged;
	k->pool->committed.segment_bytes = k->files.calls.bytes;
	atomic_fetch_add(&k->pool->unwritten, left > salvaged ? left - salvaged : 0);
	tacho__keeper_close_processes(k); /* what they lost themselves */
}

static uint64_t get_processor_ns(void)
{
	struct timespec time;

	return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
		       ? 0
		       : (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void tacho__keeper_finish(struct keeper *k)
{
	tacho__keeper_sweep(k);
	if (k->files.error)
		give_up_rest(k);
	tacho__keeper_note_finish(k);
	tacho__keeper_files_flush(&k->files);
	atomic_store(&k->pool->file_bytes,
		     tacho__keeper_files_bytes(&k->files) + k->files.control.bytes);
	if (k->files.is_synced)
		fsync(k->files.control.fd);
	atomic_store(&k->pool->keeper_ns, get_processor_ns());
	atomic_store(&k->pool->keeper_state, TACHO__KEEPER_ENDED);
	atomic_store(&k->pool->sync_done, atomic_load(&k->pool->sync_wanted));
}

/* ---- the beginning ---- */

static bool watch(struct keeper *k, int fd, uint32_t name)
{
	struct epoll_event event = {.events = EPOLLIN, .data.u32 = name};

	return fd < 0 || !epoll_ctl(k->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

struct keeper *tacho__keeper_make(const struct tacho__keeper *starter, int pool_fd)
{
	struct keeper *k = calloc(1, sizeof(*k));
	struct statvfs fs;

	if (!k)
		return NULL;
	k->pool = starter->pool;
	k->pool_path = starter->path;
	k->limits = starter->limits;
	k->pool_fd = pool_fd;
	k->wire_fd = k->socket_fd = k->epoll_fd = k->files.control.fd = k->files.calls.fd = -1;
	k->files.directory_fd = starter->directory_fd;
	k->window_limit = k->pool->window_count;
	if (k->limits.max_bytes || fstatvfs(starter->directory_fd, &fs))
		return k;
	k->limits.max_bytes = (uint64_t)fs.f_bavail * fs.f_frsize / BUDGET_PARTS;
	k->leaves_spare = fs.f_bavail >= fs.f_blocks / TACHO__KEEPER_SPARE_PARTS;
	return k;
}

static size_t listed_bytes(const struct keeper *k)
{
	return (size_t)k->pool->window_count * TACHO__POOL_SLOTS * sizeof(*k->listed);
}

void tacho__keeper_destroy(struct keeper *k)
{
	for (int api = 0; api < TACHO__POOL_APIS_MAX; api++) {
		tacho__buf_finish(&k->apis[api].text);
		free(k->apis[api].bounded);
	}
	for (uint32_t i = 0; i < k->process_bound; i++)
		if (k->processes[i].is_live && k->processes[i].pidfd >= 0)
			close(k->processes[i].pidfd);
	if (k->epoll_fd >= 0)
		close(k->epoll_fd);
	tacho__keeper_files_close(&k->files);
	tacho__arena_finish(&k->arena);
	tacho__room_put(k->calls_writer, sizeof(*k->calls_writer));
	tacho__room_put(k->kept_writer, sizeof(*k->kept_writer));
	tacho__room_put(k->notes_writer, sizeof(*k->notes_writer));
	tacho__room_put(k->listed, listed_bytes(k));
	free(k->late);
	free(k);
}

int tacho__keeper_begin(struct keeper *k)
{
	int error;

	k->worked_ns = k->swept_ns = k->needed_ns = k->failed_ns = tacho__clock_raw_ns();
	k->calls_writer = tacho__room_get(sizeof(*k->calls_writer));
	k->kept_writer = tacho__room_get(sizeof(*k->kept_writer));
	k->notes_writer = tacho__room_get(sizeof(*k->notes_writer));
	k->listed = tacho__room_get(listed_bytes(k));
	if (!k->calls_writer || !k->kept_writer || !k->notes_writer || !k->listed)
		return ENOMEM;
	k->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (k->epoll_fd < 0 || !watch(k, k->wire_fd, EVENT_WIRE) ||
	    !watch(k, k->socket_fd, EVENT_SOCKET))
		return errno;
	k->files.recording = tacho__crc32c(0, k->pool->stamp, strlen(k->pool->stamp));
	k->files.ring_bytes = k->limits.ring_bytes;
	k->files.is_synced = k->limits.is_synced;
	k->notes = k->pool->committed.notes;
	k->noted_bounded = UINT64_MAX; /* the first note says what was asked for */
	error = tacho__keeper_files_open(&k->files, &k->pool->committed);
	if (error)
		return error;
	tacho__keeper_note_anchor(k);
	tacho__keeper_note_state(k);
	tacho__keeper_ready_windows(k);
	return tacho__keeper_commit(k) ? 0 : k->files.error;
}

static void work_once(struct keeper *k)
{
	uint64_t now_ns = tacho__clock_raw_ns(), taken = k->taken;

	wait_for_something(k, choose_timeout(k, now_ns));
	tacho__keeper_take_switched(k);
	tacho__keeper_ready_windows(k);
	tacho__keeper_sample_threads(k);
	now_ns = tacho__clock_raw_ns();
	if (k->taken != taken)
		k->worked_ns = now_ns;
	sweep_when_due(k, now_ns);
	if (k->files.error)
		atomic_store(&k->pool->write_error, (unsigned)k->files.error);
}

void tacho__keeper_work(struct keeper *k)
{
	tacho__keeper_note_birth(k);
	atomic_store(&k->pool->keeper_pid, (unsigned)getpid());
	atomic_store(&k->pool->keeper_state, TACHO__KEEPER_WORKS);
	do
		work_once(k);
	while (!is_over(k, tacho__clock_raw_ns()));
}
