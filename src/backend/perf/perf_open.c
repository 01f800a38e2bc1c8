/* SPDX-License-Identifier: MIT */
/* Descriptors of events: opened for threads or CPUs, read, closed. */
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
	HIGH_FD = 512, /* where chosen threads are counted: out of the way of the program's own */
};

static int make_attr(const struct tacho__perf_counter *counter, bool per_process, bool from_exec,
		     struct perf_event_attr *out_attr)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};

	attr.type = counter->code.type;
	attr.config = counter->code.config[0];
	attr.config1 = counter->code.config[1];
	attr.config2 = counter->code.config[2];
#ifdef PERF_ATTR_SIZE_VER8
	attr.config3 = counter->code.config[3];
#else
	if (counter->code.config[3])
		return EOPNOTSUPP;
#endif
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr.disabled = 1;
	attr.inherit = per_process;
	attr.enable_on_exec = per_process && from_exec;
	attr.exclude_kernel = attr.exclude_hv = counter->code.is_user_only;
	*out_attr = attr;
	return 0;
}

/* A descriptor, or a negative errno. */
static int open_event(const struct tacho__perf_counter *counter, pid_t pid, int cpu, bool from_exec)
{
	struct perf_event_attr attr;
	int error = make_attr(counter, cpu < 0, from_exec, &attr);
	long fd;

	if (error)
		return -error;
	fd = syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

static int add_fd(struct tacho__perf_opened *opened, int fd)
{
	struct tacho__perf_fd own = {.fd = fd};

	ioctl(fd, PERF_EVENT_IOC_ID, &own.id);
	if (tacho__array_add(&opened->fds, &opened->capacity, &opened->count, &own, sizeof(own))) {
		close(fd);
		return TACHO_E_NOMEM;
	}
	return 0;
}

static bool is_ours(const struct tacho__perf_fd *fd)
{
	uint64_t id = 0;

	return !ioctl(fd->fd, PERF_EVENT_IOC_ID, &id) && id == fd->id;
}

static int open_cpus(const struct tacho__perf_counter *counter, const uint32_t *cpus, size_t count,
		     struct tacho__perf_opened *opened)
{
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++) {
		int fd = open_event(counter, -1, (int)cpus[i], false);

		if (fd >= 0)
			rc = add_fd(opened, fd);
		else if (fd != -ENODEV || count == 1) /* a CPU that went offline counts nothing */
			rc = tacho__perf_fail(-fd, counter->entry->name, TACHO__PERF_SYSTEM);
	}
	if (!rc && !opened->count)
		rc = tacho__perf_fail(ENODEV, counter->entry->name, TACHO__PERF_SYSTEM);
	return rc;
}

static int open_online(const struct tacho__perf_counter *counter, struct tacho__perf_opened *opened)
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
		rc = open_cpus(counter, cpus, count, opened);
	tacho__buf_finish(&text);
	tacho__arena_finish(&arena);
	return rc;
}

/* Opens it for a thread that was not seen before; one that is gone counts nothing. */
static int open_thread(const struct tacho__perf_counter *counter,
		       const struct tacho__perf_target *target, pid_t thread,
		       struct tacho__perf_opened *opened)
{
	int fd = open_event(counter, thread, -1, target->from_exec);

	if (fd == -ESRCH)
		return 0;
	return fd < 0 ? tacho__perf_fail(-fd, counter->entry->name, TACHO__PERF_PROCESS)
		      : add_fd(opened, fd);
}

int tacho__perf_open_thread(const struct tacho__perf_counter *counter, int64_t thread,
			    struct tacho__perf_opened *opened)
{
	struct perf_event_attr attr;
	int error = make_attr(counter, false, false, &attr), high, rc;
	long fd = -1;

	if (!error) {
		fd = syscall(SYS_perf_event_open, &attr, (pid_t)thread, -1, -1,
			     PERF_FLAG_FD_CLOEXEC);
		error = fd < 0 ? errno : 0;
	}
	if (error == ESRCH)
		return 0;
	if (error)
		return tacho__perf_fail(error, counter->entry->name, TACHO__PERF_PROCESS);
	high = fcntl((int)fd, F_DUPFD_CLOEXEC, HIGH_FD);
	if (high >= 0) {
		close((int)fd);
		fd = high;
	}
	rc = add_fd(opened, (int)fd);
	if (!rc)
		ioctl((int)fd, PERF_EVENT_IOC_ENABLE, 0);
	return rc;
}

/* Goes through the threads; those that are not in `seen` are opened when `opened` is not NULL. */
static int list_threads(const struct tacho__perf_counter *counter,
			const struct tacho__perf_target *target, struct tacho__map *seen,
			struct tacho__perf_opened *opened, size_t *out_new)
{
	char path[64];
	struct dirent *entry;
	DIR *folder;
	int rc = 0;

	*out_new = 0;
	snprintf(path, sizeof(path), "/proc/%lld/task",
		 (long long)(target->pid ? target->pid : getpid()));
	folder = opendir(path);
	if (!folder)
		return tacho__perf_fail(errno == ENOENT ? ESRCH : errno, counter->entry->name,
					TACHO__PERF_PROCESS);
	while (!rc && (entry = readdir(folder)) != NULL) {
		long thread = strtol(entry->d_name, NULL, 10);

		if (thread <= 0 || tacho__map_get(seen, (uint64_t)thread))
			continue;
		++*out_new;
		if (opened)
			rc = open_thread(counter, target, (pid_t)thread, opened);
		if (!rc)
			rc = tacho__map_set(seen, (uint64_t)thread, seen);
	}
	closedir(folder);
	return rc;
}

/*
 * A thread that appears meanwhile has inherited the event, or not, by whom it was started: all are
 * opened again then, within reason.
 */
static int open_threads(const struct tacho__perf_counter *counter,
			const struct tacho__perf_target *target, struct tacho__perf_opened *opened)
{
	size_t new = 1;
	int rc = 0;

	for (int round = 0; round < THREAD_ROUNDS && new && !rc; round++) {
		struct tacho__map seen = {0};

		tacho__perf_close(opened);
		rc = list_threads(counter, target, &seen, opened, &new);
		if (!rc)
			rc = list_threads(counter, target, &seen, NULL, &new);
		tacho__map_finish(&seen);
	}
	if (!rc && !opened->count)
		rc = tacho__perf_fail(ESRCH, counter->entry->name, TACHO__PERF_PROCESS);
	return rc;
}

int tacho__perf_open(const struct tacho__perf_counter *counter,
		     const struct tacho__perf_target *target, struct tacho__perf_opened *out_opened)
{
	const struct tacho__perf_pmu *pmu = counter->pmu;
	struct tacho__perf_opened opened = {0};
	int rc;

	if (pmu && (pmu->is_device_wide || (target->pid == -1 && pmu->cpu_count)))
		rc = open_cpus(counter, pmu->cpus, pmu->cpu_count, &opened);
	else if (target->pid == -1)
		rc = open_online(counter, &opened);
	else if (target->wants_thread)
		rc = 0; /* one by one, as they come up */
	else
		rc = open_threads(counter, target, &opened);
	if (rc)
		tacho__perf_close(&opened);
	else
		*out_opened = opened;
	return rc;
}

static int try_open(const struct tacho__perf_counter *counter)
{
	const struct tacho__perf_pmu *pmu = counter->pmu;
	bool is_wide = pmu && pmu->is_device_wide;
	int fd = open_event(counter, is_wide ? -1 : 0, is_wide ? (int)pmu->cpus[0] : -1, false);

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

void tacho__perf_close_from(struct tacho__perf_opened *opened, size_t first)
{
	for (size_t i = first; i < opened->count; i++)
		if (is_ours(&opened->fds[i]))
			close(opened->fds[i].fd);
	if (first < opened->count)
		opened->count = first;
}

void tacho__perf_close(struct tacho__perf_opened *opened)
{
	tacho__perf_close_from(opened, 0);
	free(opened->fds);
	*opened = (struct tacho__perf_opened){0};
}

void tacho__perf_enable(const struct tacho__perf_opened *opened, bool on)
{
	for (size_t i = 0; i < opened->count; i++)
		ioctl(opened->fds[i].fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

int tacho__perf_read(const struct tacho__perf_opened *opened,
		     struct tacho__perf_reading *out_reading)
{
	struct tacho__perf_reading sum = {0};

	for (size_t i = 0; i < opened->count; i++) {
		uint64_t raw[3]; /* count, enabled, running: PERF_FORMAT_TOTAL_TIME_* */
		ssize_t got;

		if (!is_ours(&opened->fds[i]))
			return tacho__fail(TACHO_E_LOST, "its descriptor was closed",
					   "count a program that leaves descriptors alone which it "
					   "does not know",
					   "an event cannot be read any more");
		do
			got = read(opened->fds[i].fd, raw, sizeof(raw));
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
