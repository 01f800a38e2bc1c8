/* SPDX-License-Identifier: MIT */
/* Descriptors of groups of events: opened for threads or CPUs, read, closed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/perf/perf.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"

enum {
	ONLINE_MAX = 64 * 1024,
	THREAD_ROUNDS = 4,
	GROUP_MAX = 32, /* no unit has more counters */
	TRIES = 100,
	HIGH_FD = 512,
};

/* How an event is opened beside what it counts. */
struct manner {
	bool inherits, from_exec;
	bool is_high; /* descriptors out of the way of the program's own */
};

/* A descriptor, or a negative errno. What follows a leader, of group_fd, counts when that does. */
static int open_event(const struct tacho__perf_counter *counter, pid_t pid, int cpu, int group_fd,
		      struct manner manner)
{
	const struct tacho__perf_code *code = &counter->code;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = code->type,
		.config = code->config[0],
		.config1 = code->config[1],
		.config2 = code->config[2],
#ifdef PERF_ATTR_SIZE_VER8
		.config3 = code->config[3],
#endif
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = group_fd < 0,
		.inherit = manner.inherits,
		.enable_on_exec = group_fd < 0 && manner.from_exec,
		.exclude_kernel = code->is_user_only,
		.exclude_hv = code->is_user_only,
	};
	int fd, high;

#ifndef PERF_ATTR_SIZE_VER8
	if (code->config[3])
		return -EOPNOTSUPP;
#endif
	fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	high = manner.is_high ? fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD) : -1;
	if (high < 0)
		return fd;
	close(fd);
	return high;
}

static int add_fd(struct tacho__perf_opened *event, int fd)
{
	struct tacho__perf_fd own = {.fd = fd};

	ioctl(fd, PERF_EVENT_IOC_ID, &own.id);
	if (tacho__array_add(&event->fds, &event->capacity, &event->count, &own, sizeof(own))) {
		close(fd);
		return -ENOMEM;
	}
	return fd;
}

static bool is_ours(const struct tacho__perf_fd *fd)
{
	uint64_t id = 0;

	return !ioctl(fd->fd, PERF_EVENT_IOC_ID, &id) && id == fd->id;
}

/* The whole group for a thread or a CPU, or nothing: 0 or an errno. */
static int open_group(struct tacho__perf_opened *leader, pid_t pid, int cpu, struct manner manner)
{
	size_t before = leader->count;
	int group_fd = -1, fd = 0;

	for (struct tacho__perf_opened *event = leader; event && fd >= 0; event = event->next) {
		fd = open_event(event->counter, pid, cpu, group_fd, manner);
		if (fd >= 0)
			fd = add_fd(event, fd);
		if (event == leader)
			group_fd = fd;
	}
	if (fd >= 0)
		return 0;
	tacho__perf_close_from(leader, before);
	return -fd;
}

static int open_cpus(struct tacho__perf_opened *leader, const uint32_t *cpus, size_t count)
{
	const char *name = leader->counter->entry->name;

	for (size_t i = 0; i < count; i++) {
		int error = open_group(leader, -1, (int)cpus[i], (struct manner){0});

		/* a CPU that went offline counts nothing */
		if (error && (error != ENODEV || count == 1))
			return tacho__perf_fail(error, name, TACHO__PERF_SYSTEM);
	}
	return leader->count ? 0 : tacho__perf_fail(ENODEV, name, TACHO__PERF_SYSTEM);
}

static int open_online(struct tacho__perf_opened *leader)
{
	struct tacho__arena arena = {0};
	struct tacho__buf text = {0};
	const uint32_t *cpus;
	size_t count;
	int rc = tacho__fs_read("/sys/devices/system/cpu/online", ONLINE_MAX, &text);

	if (!rc && text.size)
		text.text[strcspn(text.text, "\n")] = '\0';
	if (!rc)
		rc = tacho__perf_parse_cpus(&arena, tacho__buf_text(&text), &cpus, &count);
	if (!rc)
		rc = open_cpus(leader, cpus, count);
	tacho__buf_finish(&text);
	tacho__arena_finish(&arena);
	return rc;
}

int tacho__perf_open_thread(struct tacho__perf_opened *leader, int64_t thread)
{
	size_t before = leader->count;
	int error = open_group(leader, (pid_t)thread, -1, (struct manner){.is_high = true});

	if (error && error != ESRCH)
		return tacho__perf_fail(error, leader->counter->entry->name, TACHO__PERF_PROCESS);
	if (leader->count > before)
		ioctl(leader->fds[before].fd, PERF_EVENT_IOC_ENABLE, 0);
	return 0;
}

int tacho__perf_each_thread(int64_t pid, const char *what, int (*fn)(void *user, int64_t thread),
			    void *user)
{
	char path[64];
	struct dirent *entry;
	DIR *folder;
	int rc = 0;

	snprintf(path, sizeof(path), "/proc/%lld/task", (long long)(pid ? pid : getpid()));
	folder = opendir(path);
	if (!folder && access("/proc/self", F_OK))
		return tacho__fail(TACHO_E_IO, "/proc is not mounted, which has its threads",
				   "mount it: mount -t proc proc /proc", "%s cannot be counted",
				   what);
	if (!folder)
		return tacho__perf_fail(errno == ENOENT ? ESRCH : errno, what, TACHO__PERF_PROCESS);
	while (!rc && (entry = readdir(folder)) != NULL) {
		long thread = strtol(entry->d_name, NULL, 10);

		if (thread > 0)
			rc = fn(user, thread);
	}
	closedir(folder);
	return rc;
}

/* A group that is being opened for all threads. */
struct round {
	struct tacho__perf_opened *leader;
	struct manner manner;
	struct tacho__map seen;
	bool opens; /* those that were not seen; else they are only looked for */
	bool has_new;
};

static int see_thread(void *user, int64_t thread)
{
	struct round *round = user;
	int error = 0;

	if (tacho__map_get(&round->seen, (uint64_t)thread))
		return 0;
	round->has_new = true;
	if (round->opens)
		error = open_group(round->leader, (pid_t)thread, -1, round->manner);
	if (error && error != ESRCH) /* one that is gone counts nothing */
		return tacho__perf_fail(error, round->leader->counter->entry->name,
					TACHO__PERF_PROCESS);
	return tacho__map_set(&round->seen, (uint64_t)thread, round);
}

/*
 * A thread that appears meanwhile has inherited the event, or not, by whom it was started: all are
 * opened again then, within reason.
 */
static int open_threads(struct tacho__perf_opened *leader, const struct tacho__perf_target *target)
{
	const char *name = leader->counter->entry->name;
	struct round round = {.leader = leader,
			      .manner = {.inherits = true, .from_exec = target->from_exec},
			      .has_new = true};
	int rc = 0;

	for (int i = 0; i < THREAD_ROUNDS && round.has_new && !rc; i++) {
		tacho__perf_close(leader);
		round.opens = true;
		rc = tacho__perf_each_thread(target->pid, name, see_thread, &round);
		round.opens = round.has_new = false;
		if (!rc)
			rc = tacho__perf_each_thread(target->pid, name, see_thread, &round);
		tacho__map_finish(&round.seen);
	}
	if (!rc && !leader->count)
		rc = tacho__perf_fail(ESRCH, name, TACHO__PERF_PROCESS);
	return rc;
}

int tacho__perf_open(struct tacho__perf_opened *leader, const struct tacho__perf_target *target)
{
	const struct tacho__perf_pmu *pmu = leader->counter->pmu;
	int rc = 0;

	if (pmu && (pmu->is_device_wide || (target->pid == -1 && pmu->cpu_count)))
		rc = open_cpus(leader, pmu->cpus, pmu->cpu_count);
	else if (target->pid == -1)
		rc = open_online(leader);
	else if (!target->wants_thread) /* else one by one, as they come up */
		rc = open_threads(leader, target);
	if (rc)
		tacho__perf_close(leader);
	return rc;
}

bool tacho__perf_try_group(const struct tacho__perf_opened *leader)
{
	const struct tacho__perf_pmu *pmu = leader->counter->pmu;
	bool is_wide = pmu && pmu->is_device_wide;
	struct tacho__perf_reading reading = {0};
	struct tacho__perf_opened copies[GROUP_MAX];
	size_t count = 0;
	int error;

	for (; leader && count < GROUP_MAX; leader = leader->next, count++) {
		copies[count] = (struct tacho__perf_opened){.counter = leader->counter};
		if (count)
			copies[count - 1].next = &copies[count];
	}
	if (leader)
		return false;
	error = open_group(copies, is_wide ? -1 : 0, is_wide ? (int)pmu->cpus[0] : -1,
			   (struct manner){0});
	if (!error)
		tacho__perf_enable(copies);
	/* The kernel takes a group in at once or not at all; other tools may hold counters. */
	for (int i = 0; i < TRIES && !error && !reading.enabled_ns; i++)
		error = tacho__perf_read(copies, &reading);
	tacho__perf_close(copies);
	return reading.running_ns > 0;
}

static int try_open(const struct tacho__perf_counter *counter)
{
	const struct tacho__perf_pmu *pmu = counter->pmu;
	bool is_wide = pmu && pmu->is_device_wide;
	int fd = open_event(counter, is_wide ? -1 : 0, is_wide ? (int)pmu->cpus[0] : -1, -1,
			    (struct manner){0});

	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

int tacho__perf_try(struct tacho__perf_counter *counter, bool can_be_user_only)
{
	int error = try_open(counter), user_error;

	if ((error != EACCES && error != EPERM) || !can_be_user_only)
		return error;
	counter->code.is_user_only = true;
	user_error = try_open(counter);
	if (!user_error)
		return 0;
	counter->code.is_user_only = false;
	/* permissions are looked at first: it may not be there at all */
	return user_error == ENOENT ? ENOENT : error;
}

int tacho__perf_try_pmu(const struct tacho__perf_pmu *pmu, bool *out_is_user_only)
{
	struct tacho_entry entry = {.name = pmu->name};
	struct tacho__perf_counter counter = {.entry = &entry, .pmu = pmu, .scale = 1};
	int error;

	*out_is_user_only = false;
	for (size_t i = 0; i < pmu->event_count; i++) {
		const char *name = pmu->events[i].name;

		if (tacho__perf_encode(pmu, name, strlen(name), &counter.code))
			continue;
		error = tacho__perf_try(&counter, !pmu->is_device_wide);
		*out_is_user_only = counter.code.is_user_only;
		return error;
	}
	return ENODATA; /* no errno of perf_event_open(2) */
}

void tacho__perf_close_from(struct tacho__perf_opened *leader, size_t first)
{
	for (struct tacho__perf_opened *event = leader; event; event = event->next) {
		for (size_t i = first; i < event->count; i++)
			if (is_ours(&event->fds[i]))
				close(event->fds[i].fd);
		if (first < event->count)
			event->count = first;
	}
}

void tacho__perf_close(struct tacho__perf_opened *leader)
{
	tacho__perf_close_from(leader, 0);
	for (struct tacho__perf_opened *event = leader; event; event = event->next) {
		free(event->fds);
		event->fds = NULL;
		event->capacity = 0;
	}
}

void tacho__perf_enable(const struct tacho__perf_opened *leader)
{
	for (size_t i = 0; i < leader->count; i++)
		ioctl(leader->fds[i].fd, PERF_EVENT_IOC_ENABLE, 0);
}

int tacho__perf_read(const struct tacho__perf_opened *event,
		     struct tacho__perf_reading *out_reading)
{
	struct tacho__perf_reading sum = {0};

	for (size_t i = 0; i < event->count; i++) {
		uint64_t raw[3]; /* count, enabled, running: PERF_FORMAT_TOTAL_TIME_* */
		ssize_t got;

		if (!is_ours(&event->fds[i]))
			return tacho__fail(TACHO_E_LOST, "its descriptor was closed",
					   "count a program that leaves descriptors alone which it "
					   "does not know",
					   "an event cannot be read any more");
		do
			got = read(event->fds[i].fd, raw, sizeof(raw));
		while (got < 0 && errno == EINTR);
		/* 0: the event is in an error state, its device is gone */
		if (got != (ssize_t)sizeof(raw))
			return tacho__fail(
				TACHO_E_LOST,
				got < 0 ? tacho__detail("%s (errno %d)", strerror(errno), errno)
					: "the kernel ended the event",
				"count again", "an event cannot be read any more");
		sum.count += raw[0];
		sum.enabled_ns += raw[1];
		sum.running_ns += raw[2];
	}
	*out_reading = sum;
	return 0;
}
