/* SPDX-License-Identifier: MIT */
/*
 * The processes of a recording: those in the pool, found by the ids that they know themselves by,
 * or, in another pid namespace, by what they have mapped; and those that may still come up.
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fs.h"
#include "record/keeper/keeper_private.h"
#include "record/place.h"

enum { PROC_BYTES_MAX = 16 * 1024 * 1024, SEARCHES_MAX = 4 };

/* A file of /proc/PID. False when it cannot be read: errno. */
static bool read_file(pid_t pid, const char *name, struct tacho__buf *out_text)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	errno = 0;
	return !tacho__fs_read(path, PROC_BYTES_MAX, out_text) && out_text->size;
}

/* Whether a link of /proc/PID leads anywhere. */
static bool has_file(pid_t pid, const char *name)
{
	char path[64], target[8];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return readlink(path, target, sizeof(target)) >= 0;
}

/* When the kernel started the process, in its own ticks: field 22 of /proc/PID/stat, 0: gone. */
static uint64_t read_start(pid_t pid)
{
	struct tacho__buf text = {0};
	const char *at = NULL;
	uint64_t start = 0;

	if (read_file(pid, "stat", &text))
		at = strrchr(text.text, ')');
	for (int field = 2; at && field < 22; field++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	if (at)
		start = strtoull(at, NULL, 10);
	tacho__buf_finish(&text);
	return start;
}

void tacho__keeper_note_birth(struct keeper *k)
{
	if (!k->pool->born)
		k->pool->born = read_start(getpid());
}

/* Whether it was started before the recording: then it is nobody of ours. */
static bool is_older(const struct keeper *k, pid_t pid)
{
	uint64_t start = read_start(pid);

	return start && start < k->pool->born;
}

enum answer { NO, YES, UNKNOWN };

/* Whether the process has mapped the pool. Nobody says no for want of descriptors or rights. */
static enum answer has_mapped(const struct keeper *k, pid_t pid)
{
	struct tacho__buf text = {0};
	enum answer answer = NO;

	if (read_file(pid, "maps", &text))
		answer = strstr(text.text, k->pool_path) ? YES : NO;
	else if (errno && errno != ENOENT && errno != ESRCH)
		answer = UNKNOWN;
	tacho__buf_finish(&text);
	return answer;
}

/* Whether it was started for this recording and may still map the pool. */
static bool has_variable(const struct keeper *k, pid_t pid)
{
	struct tacho__buf text = {0};
	char wanted[TACHO__POOL_TEXT_MAX + 64];
	bool found = false;

	snprintf(wanted, sizeof(wanted), TACHO__STAMP_VARIABLE "=%s", k->pool->stamp);
	if (read_file(pid, "environ", &text))
		found = memmem(text.text, text.size, wanted, strlen(wanted) + 1);
	tacho__buf_finish(&text);
	return found;
}

/* The last number of a line of /proc/PID/status; 0 when it is not there. */
static uint32_t last_number(const char *text, const char *key)
{
	const char *line = strstr(text, key);
	uint32_t last = 0;

	for (line = line ? line + strlen(key) : "\n"; *line && *line != '\n'; line++)
		if (line[-1] == '\t' || line[-1] == ' ')
			last = (uint32_t)strtoul(line, NULL, 10);
	return last;
}

/* What the process takes itself for; 0 when it is none but a thread, or gone. */
static uint32_t inner_pid(pid_t pid)
{
	struct tacho__buf text = {0};
	uint32_t inner = 0;

	if (read_file(pid, "status", &text) && last_number(text.text, "\nTgid:") == (uint32_t)pid)
		inner = last_number(text.text, "\nNSpid:");
	tacho__buf_finish(&text);
	return inner;
}

/* Whether it lives among other process ids than we do. */
static bool is_foreign(pid_t pid)
{
	char path[64], own[64] = "", other[64] = "";

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", (int)pid);
	return readlink(path, other, sizeof(other) - 1) > 0 &&
	       readlink("/proc/self/ns/pid", own, sizeof(own) - 1) > 0 && strcmp(own, other) != 0;
}

static bool is_taken(const struct keeper *k, pid_t pid)
{
	for (uint32_t i = 0; i < k->process_bound; i++)
		if (k->processes[i].is_live && k->processes[i].pid == pid)
			return true;
	return false;
}

typedef bool (*visit_fn)(struct keeper *k, pid_t pid, void *user);

/* The first process that `visit` wants; 0 when there is none. */
static pid_t find_process(struct keeper *k, visit_fn visit, void *user)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	pid_t found = 0;

	while (folder && !found && (entry = readdir(folder))) {
		long pid = strtol(entry->d_name, NULL, 10);

		if (pid > 0 && pid != getpid() && visit(k, (pid_t)pid, user))
			found = (pid_t)pid;
	}
	if (folder)
		closedir(folder);
	return found;
}

static bool is_the_one(struct keeper *k, pid_t pid, void *user)
{
	const uint32_t *inner = user;

	return is_foreign(pid) && inner_pid(pid) == *inner && !is_taken(k, pid) &&
	       has_mapped(k, pid) == YES;
}

static bool is_nobodys(struct keeper *k, pid_t pid, void *unused)
{
	return !is_taken(k, pid) && has_mapped(k, pid) == YES;
}

/*
 * The process as we see it; 0 when it is gone. One that has changed its user since its start is
 * known by its id alone, which in another pid namespace may be that of a stranger: of init, mostly.
 * A clone() past libc may say the id of its maker's thread.
 */
static pid_t identify(struct keeper *k, uint32_t pid)
{
	uint32_t inner = inner_pid((pid_t)pid);
	enum answer answer = NO;
	pid_t found;

	if (inner == pid && !is_older(k, (pid_t)pid))
		answer = has_mapped(k, (pid_t)pid);
	if (answer == YES)
		return (pid_t)pid;
	found = find_process(k, is_the_one, &pid);
	if (!found && answer == UNKNOWN)
		found = (pid_t)pid;
	if (!found && !inner && !kill((pid_t)pid, 0))
		found = find_process(k, is_nobodys, NULL);
	return found;
}

static void watch(struct keeper *k, uint32_t process)
{
	struct tacho__kept_process *kept = &k->processes[process];
	struct epoll_event event = {.events = EPOLLIN, .data.u32 = process};

	kept->pidfd = kept->pid ? (int)syscall(SYS_pidfd_open, kept->pid, 0) : -1;
	if (kept->pidfd >= 0 && epoll_ctl(k->epoll_fd, EPOLL_CTL_ADD, kept->pidfd, &event)) {
		close(kept->pidfd);
		kept->pidfd = -1;
	}
}

/* What the process has counted itself is noted, and its place is another's. */
static void close_process(struct keeper *k, uint32_t process)
{
	struct tacho__pool_process *shared = &k->pool->process[process];
	struct tacho__kept_process *kept = &k->processes[process];

	k->gone -= kept->is_gone;
	tacho__keeper_note_end(k, process);
	if (kept->pidfd >= 0)
		close(kept->pidfd);
	kept->is_live = false;
	kept->pidfd = -1;
	k->live--;
	memset((char *)shared + sizeof(shared->state), 0, sizeof(*shared) - sizeof(shared->state));
	atomic_store(&shared->state, TACHO__POOL_FREE);
}

/* What is left of it is taken first; where nothing can be written it waits for that. */
static void bury(struct keeper *k, uint32_t process)
{
	struct tacho__kept_process *kept = &k->processes[process];

	tacho__keeper_take_all(k);
	if (k->files.error) {
		k->gone += !kept->is_gone;
		kept->is_gone = true;
		return;
	}
	tacho__keeper_end_streams(k, process);
	close_process(k, process);
}

void tacho__keeper_close_processes(struct keeper *k)
{
	for (uint32_t i = 0; i < k->process_bound; i++)
		if (k->processes[i].is_live && k->processes[i].is_gone)
			close_process(k, i);
}

/* An image of a process that has executed another one since. */
static void bury_former(struct keeper *k, uint32_t process)
{
	pid_t pid = k->processes[process].pid;

	for (uint32_t i = 0; pid && i < k->process_bound; i++)
		if (i != process && k->processes[i].is_live && k->processes[i].pid == pid)
			bury(k, i);
}

static void greet(struct keeper *k, uint32_t process)
{
	struct tacho__pool_process *shared = &k->pool->process[process];
	struct tacho__kept_process *kept = &k->processes[process];

	if (!shared->id) {
		shared->id = ++k->pool->process_ids;
		atomic_fetch_add(&k->pool->processes, 1);
	}
	*kept = (struct tacho__kept_process){.is_live = true, .id = shared->id - 1, .pidfd = -1};
	if (process >= k->process_bound)
		k->process_bound = process + 1;
	kept->pid = identify(k, shared->pid);
	watch(k, process);
	k->live++;
	tacho__keeper_note_process(k, process);
	bury_former(k, process);
}

void tacho__keeper_greet(struct keeper *k)
{
	unsigned news = atomic_load(&k->pool->news);

	if (news == k->news_seen)
		return;
	k->news_seen = news;
	for (uint32_t i = 0; i < TACHO__POOL_PROCESSES_MAX; i++)
		if (atomic_load(&k->pool->process[i].state) == TACHO__POOL_LIVE &&
		    !k->processes[i].is_live)
			greet(k, i);
}

static bool is_gone(const struct keeper *k, const struct tacho__kept_process *kept)
{
	struct pollfd pollfd = {.fd = kept->pidfd, .events = POLLIN};

	if (kept->pidfd >= 0)
		return poll(&pollfd, 1, 0) == 1;
	return !kept->pid || (kill(kept->pid, 0) && errno == ESRCH) ||
	       has_mapped(k, kept->pid) == NO;
}

void tacho__keeper_look_at_processes(struct keeper *k)
{
	for (uint32_t i = 0; i < k->process_bound; i++) {
		struct tacho__kept_process *kept = &k->processes[i];

		if (kept->is_live && (kept->is_gone || is_gone(k, kept)))
			bury(k, i);
	}
}

struct search {
	bool lost_one; /* somebody ended while we looked, perhaps with a child that was not listed
			*/
};

/* Who started us has the pool, too. */
static bool may_come_up(struct keeper *k, pid_t pid, void *user)
{
	struct search *search = user;

	if (pid == getppid() || is_older(k, pid))
		return false;
	if (read_start(pid) && (has_variable(k, pid) || has_mapped(k, pid) == YES))
		return true;
	search->lost_one |= !has_file(pid, "exe"); /* gone, or a zombie */
	return false;
}

bool tacho__keeper_has_family(struct keeper *k)
{
	struct search search = {0};

	if (k->live || k->pool->only_pid)
		return k->live;
	for (int i = 0; i < SEARCHES_MAX; i++) {
		search.lost_one = false;
		if (find_process(k, may_come_up, &search))
			return true;
		if (!search.lost_one)
			break;
	}
	return false;
}
