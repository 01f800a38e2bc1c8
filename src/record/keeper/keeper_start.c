/* SPDX-License-Identifier: MIT */
/* Making a pool and a keeper, looking after it, leaving it: the side of who starts the program. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/fs.h"
#include "record/keeper/keeper_private.h"

#define MS UINT64_C(1000000)

enum {
	WINDOWS_MIN = 64, /* a pool of 1 MiB */
	MEMORY_PARTS = 8, /* of the machine's memory the pool takes at most one */
	FREE_PARTS = 2,	  /* of what is free on its file system */
	LEAVE_MS = 5000,  /* without progress, until the keeper is left alone */
	NICE = -10,	  /* where that is allowed: threads of programs wait for it */
};

/* ---- the pool ---- */

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How many windows a pool in this folder may have; 0: too few. */
static uint32_t count_windows(const char *folder, const struct tacho__keeper_limits *limits)
{
	uint64_t bytes = limits->pool_bytes ? limits->pool_bytes
					    : tacho__pool_bytes(TACHO__POOL_WINDOWS_MAX);
	struct sysinfo machine;
	struct rlimit limit;
	struct statvfs fs;

	if (statvfs(folder, &fs))
		return 0;
	bytes = least(bytes, (uint64_t)fs.f_bavail * fs.f_frsize / FREE_PARTS);
	if (!sysinfo(&machine))
		bytes = least(bytes, (uint64_t)machine.totalram * machine.mem_unit / MEMORY_PARTS);
	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY)
		bytes = least(bytes, limit.rlim_cur);
	if (bytes < tacho__pool_bytes(WINDOWS_MIN))
		return 0;
	return (uint32_t)least((bytes - tacho__pool_bytes(0)) / TACHO__POOL_WINDOW_BYTES,
			       TACHO__POOL_WINDOWS_MAX);
}

static bool is_in_memory(const char *folder)
{
	struct statfs fs;

	return !statfs(folder, &fs) &&
	       ((unsigned long)fs.f_type == TMPFS_MAGIC || (unsigned long)fs.f_type == RAMFS_MAGIC);
}

enum { LINK_MAX_BYTES = 64 };

/* The name of an open file that need not have one. */
static void name_descriptor(char *into, int fd)
{
	snprintf(into, LINK_MAX_BYTES, "/proc/self/fd/%d", fd);
}

/*
 * A new file in the folder. It has no name yet where that can be, so that nothing stays when its
 * maker is killed; the keeper, which removes it at the end, gives it its own, `path`.
 */
static int open_file(const char *folder, const char *path)
{
	int fd = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	char link[LINK_MAX_BYTES];

	if (fd >= 0) {
		name_descriptor(link, fd);
		if (!access(link, F_OK))
			return fd;
		close(fd);
	}
	return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* 0 or errno. A keeper that follows one that was killed finds a name there. */
static int give_name(int fd, const char *path)
{
	char link[LINK_MAX_BYTES];
	struct stat status;

	if (fstat(fd, &status))
		return errno;
	name_descriptor(link, fd);
	if (!status.st_nlink && linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW))
		return errno;
	return 0;
}

/* The file of a pool, new and of the right length: a descriptor, -1 with errno. */
static int make_file(const char *folder, const char *path, uint32_t window_count)
{
	int fd = open_file(folder, path), error;

	if (fd < 0)
		return -1;
	/* The head is all there from the start; windows come when they are needed. */
	if (!ftruncate(fd, (off_t)tacho__pool_bytes(window_count)) &&
	    !fallocate(fd, 0, 0, (off_t)tacho__pool_bytes(0)))
		return fd;
	error = errno;
	close(fd);
	unlink(path);
	errno = error;
	return -1;
}

/* In memory where there is such a file system, else on any: *out_windows, a descriptor or -1. */
static int place_pool(struct tacho__keeper *keeper, const char *stamp, uint32_t *out_windows)
{
	const char *folders[] = {getenv("XDG_RUNTIME_DIR"), "/dev/shm", "/tmp", keeper->directory};
	size_t count = sizeof(folders) / sizeof(folders[0]);
	int error = ENOSPC;

	for (size_t i = 0; i < 2 * count; i++) {
		const char *folder = folders[i % count];
		bool any = i >= count;
		int fd, length;

		if (!folder || *folder != '/' || (!any && !is_in_memory(folder)))
			continue;
		*out_windows = count_windows(folder, &keeper->limits);
		length = snprintf(keeper->path, sizeof(keeper->path), "%s/tacho-%s.pool", folder,
				  stamp);
		if (!*out_windows || length >= (int)sizeof(keeper->path))
			continue;
		fd = make_file(folder, keeper->path, *out_windows);
		if (fd >= 0)
			return fd;
		error = errno;
	}
	errno = error;
	return -1;
}

static void fill_pool(struct tacho__pool *pool, const char *stamp, uint32_t window_count)
{
	pool->bytes = sizeof(*pool);
	snprintf(pool->build, sizeof(pool->build), "%s", tacho__pool_build());
	snprintf(pool->stamp, sizeof(pool->stamp), "%s", stamp);
	pool->window_count = window_count;
	pool->window_offset = (uint32_t)tacho__pool_bytes(0);
	pool->tick_is_tsc = tacho__tick_is_tsc;
	pool->control.version = 1;
	pool->control.magic = TACHO_CONTROL_MAGIC;
	for (uint32_t i = 0; i < TACHO__POOL_PROCESSES_MAX; i++)
		atomic_store(&pool->process[i].state, TACHO__POOL_FREE);
	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++)
		atomic_store(&pool->stream[i].state, TACHO__POOL_FREE);
	__atomic_store_n(&pool->magic, TACHO__POOL_MAGIC, __ATOMIC_RELEASE);
}

static int fail_pool(int error)
{
	return tacho__fail_vendor(
		tacho__fail(error == ENOMEM ? TACHO_E_NOMEM : TACHO_E_IO,
			    tacho__detail("none of $XDG_RUNTIME_DIR, /dev/shm and /tmp takes one: "
					  "%s (errno %d)",
					  strerror(error), error),
			    error == ENOMEM ? "raise the limit on address space (ulimit -v)"
					    : "make room in /dev/shm, or raise the limit on the "
					      "size of files (ulimit -f)",
			    "no memory can be shared with the program"),
		error);
}

static int make_pool(struct tacho__keeper *keeper, const char *stamp, int *out_fd)
{
	uint32_t window_count = 0;
	int fd = place_pool(keeper, stamp, &window_count);
	void *mapped;

	if (fd < 0)
		return fail_pool(errno);
	mapped = mmap(NULL, tacho__pool_bytes(window_count), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (mapped == MAP_FAILED) {
		int error = errno;

		close(fd);
		unlink(keeper->path);
		return fail_pool(error);
	}
	keeper->pool = mapped;
	fill_pool(keeper->pool, stamp, window_count);
	*out_fd = fd;
	return 0;
}

/* ---- the keeper's process ---- */

/* Kernels have it since 5.9, headers since 5.9's; the number is the same on all architectures. */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

static void close_from_to(unsigned from, unsigned to)
{
	if (syscall(SYS_close_range, from, to, 0))
		for (unsigned fd = from; fd <= to && fd < 1024; fd++)
			close((int)fd);
}

/* Nothing of its starter's stays open in it: somebody may wait for the end of a pipe. */
static void close_others(const int *kept, size_t count)
{
	int from = 0;

	for (;;) {
		int next = -1;

		for (size_t i = 0; i < count; i++)
			if (kept[i] >= from && (next < 0 || kept[i] < next))
				next = kept[i];
		if (next < 0)
			break;
		if (next > from)
			close_from_to((unsigned)from, (unsigned)next - 1);
		from = next + 1;
	}
	close_from_to((unsigned)from, ~0U);
}

static void become_service(void)
{
	struct rlimit limit;
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGABRT);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	umask(077);
	prctl(PR_SET_NAME, "tacho-keeper");
	if (setpriority(PRIO_PROCESS, 0, NICE))
		errno = 0; /* as any other process, then */
	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	for (int fd = 0; fd < 3; fd++)
		if (open("/dev/null", O_RDWR) < 0)
			break;
	if (chdir("/"))
		errno = 0; /* it names all by descriptors or absolute paths */
}

static int make_socket(const char *stamp)
{
	struct sockaddr_un address;
	socklen_t size = tacho__refusal_address(stamp, &address);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;

	if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) ||
			bind(fd, (struct sockaddr *)&address, size))) {
		close(fd);
		return -1;
	}
	return fd;
}

static _Noreturn void run(const struct tacho__keeper *starter, int pool_fd, int wire_fd,
			  int socket_fd)
{
	const int kept[] = {starter->directory_fd, pool_fd, wire_fd, socket_fd};
	struct keeper *k;
	int error;

	close_others(kept, sizeof(kept) / sizeof(kept[0]));
	become_service();
	k = tacho__keeper_make(starter, pool_fd);
	if (k) {
		k->wire_fd = wire_fd;
		k->socket_fd = socket_fd;
		tacho__keeper_resume(k);
	}
	error = k ? give_name(pool_fd, starter->path) : ENOMEM;
	if (!error)
		error = tacho__keeper_begin(k);
	if (error) {
		atomic_store(&starter->pool->write_error, (unsigned)error);
		_exit(1);
	}
	tacho__keeper_work(k);
	tacho__keeper_finish(k);
	unlink(starter->path);
	_exit(0);
}

/* 0 or errno. */
static int spawn(struct tacho__keeper *keeper, int pool_fd)
{
	int socket_fd = make_socket(keeper->pool->stamp), ends[2] = {-1, -1}, error = 0;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends)) {
		error = errno;
		goto out;
	}
	pid = fork();
	if (!pid) {
		close(ends[1]);
		run(keeper, pool_fd, ends[0], socket_fd);
	}
	if (pid < 0) {
		error = errno;
		close(ends[1]);
		goto out;
	}
	keeper->pid = pid;
	keeper->wire = ends[1];
out:
	if (ends[0] >= 0)
		close(ends[0]);
	if (socket_fd >= 0)
		close(socket_fd);
	return error;
}

/* One that goes on where another was killed. 0 or errno. */
static int spawn_again(struct tacho__keeper *keeper)
{
	int pool_fd = open(keeper->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC), error;

	if (pool_fd < 0)
		return errno;
	error = spawn(keeper, pool_fd);
	close(pool_fd);
	return error;
}

/* ---- the starter's side ---- */

static void wait_ms(unsigned ms)
{
	struct timespec pause = {.tv_nsec = (long)ms * 1000000};

	nanosleep(&pause, NULL);
}

/* Until it works, or is no more. */
static bool await_start(struct tacho__keeper *keeper)
{
	while (atomic_load(&keeper->pool->keeper_state) == TACHO__KEEPER_NONE) {
		if (waitpid(keeper->pid, NULL, WNOHANG) == keeper->pid) {
			keeper->pid = 0;
			return false;
		}
		wait_ms(1);
	}
	return true;
}

static int copy_limits(struct tacho__keeper *keeper, const struct tacho__keeper_limits *limits)
{
	if (limits)
		keeper->limits = *limits;
	keeper->calls = calloc(keeper->limits.call_count + 1, sizeof(*keeper->calls));
	for (uint32_t i = 0; keeper->calls && i < keeper->limits.call_count; i++) {
		keeper->calls[i] = strdup(limits->calls[i]);
		if (!keeper->calls[i])
			return TACHO_E_NOMEM;
	}
	keeper->limits.calls = (const char *const *)keeper->calls;
	return keeper->calls ? 0 : TACHO_E_NOMEM;
}

void tacho__keeper_release(struct tacho__keeper *keeper)
{
	if (keeper->pool)
		munmap(keeper->pool, tacho__pool_bytes(keeper->pool->window_count));
	if (keeper->wire >= 0)
		close(keeper->wire);
	if (keeper->directory_fd >= 0)
		close(keeper->directory_fd);
	for (char **call = keeper->calls; call && *call; call++)
		free(*call);
	free(keeper->calls);
	free(keeper->directory);
	memset(keeper, 0, sizeof(*keeper));
	keeper->wire = keeper->directory_fd = -1;
}

/* The first keeper: it must be able to write. */
static int bring_up(struct tacho__keeper *keeper, int pool_fd)
{
	int error = spawn(keeper, pool_fd);
	const char *cure = error == EAGAIN ? "raise the limit on processes (ulimit -u)" : "";

	if (!error && await_start(keeper))
		return 0;
	if (!error) {
		error = (int)atomic_load(&keeper->pool->write_error);
		unlink(keeper->path);
		error = error ? error : EIO;
		return tacho__fail_vendor(tacho__fs_fail(error, "write", keeper->directory), error);
	}
	unlink(keeper->path);
	return tacho__fail_errno(TACHO_E_IO, error, cure,
				 "cannot start the process that writes the recording");
}

int tacho__keeper_start(int directory_fd, const char *directory, const char *stamp,
			const struct tacho__keeper_limits *limits, struct tacho__keeper *out_keeper)
{
	struct tacho__keeper keeper = {.wire = -1};
	int pool_fd = -1, rc;

	tacho__clock_init();
	keeper.directory_fd = fcntl(directory_fd, F_DUPFD_CLOEXEC, 0);
	keeper.directory = strdup(directory);
	rc = keeper.directory ? copy_limits(&keeper, limits) : TACHO_E_NOMEM;
	if (rc)
		rc = tacho__fail(rc, "", "", "no memory for the recording's keeper");
	else if (keeper.directory_fd < 0)
		rc = tacho__fs_fail(errno, "open", directory);
	else
		rc = make_pool(&keeper, stamp, &pool_fd);
	if (!rc) {
		rc = bring_up(&keeper, pool_fd);
		close(pool_fd);
	}
	if (rc)
		tacho__keeper_release(&keeper);
	else
		*out_keeper = keeper;
	return rc;
}

bool tacho__keeper_look_after(struct tacho__keeper *keeper)
{
	pid_t ended;

	if (!keeper->pid)
		return false;
	ended = waitpid(keeper->pid, NULL, WNOHANG);
	if (!ended || (ended < 0 && errno != ECHILD))
		return true;
	keeper->pid = 0;
	if (atomic_load(&keeper->pool->keeper_state) == TACHO__KEEPER_ENDED)
		return false;
	atomic_store(&keeper->pool->keeper_state, TACHO__KEEPER_NONE);
	close(keeper->wire);
	keeper->wire = -1;
	return !spawn_again(keeper) && await_start(keeper);
}

bool tacho__keeper_sync(struct tacho__pool *pool, uint64_t timeout_ns)
{
	unsigned wanted = atomic_fetch_add(&pool->sync_wanted, 1) + 1;
	uint64_t until_ns = tacho__clock_raw_ns() + timeout_ns;

	while ((int)(atomic_load(&pool->sync_done) - wanted) < 0) {
		if (tacho__clock_raw_ns() > until_ns)
			return false;
		wait_ms(1);
	}
	return true;
}

/* Whether a process of the recording lives. */
static bool has_living(const struct tacho__pool *pool)
{
	for (uint32_t i = 0; i < TACHO__POOL_PROCESSES_MAX; i++)
		if (atomic_load(&pool->process[i].state) == TACHO__POOL_LIVE)
			return true;
	return false;
}

/* Until the keeper is done, or waits for others, or gets nowhere. */
static void await_end(struct tacho__keeper *keeper, unsigned wanted)
{
	uint64_t bytes = 0, since_ns = tacho__clock_raw_ns();

	while (tacho__keeper_look_after(keeper)) {
		uint64_t now =
			atomic_load(&keeper->pool->file_bytes) + atomic_load(&keeper->pool->freed);
		bool is_synced = (int)(atomic_load(&keeper->pool->sync_done) - wanted) >= 0;

		if (now != bytes) {
			bytes = now;
			since_ns = tacho__clock_raw_ns();
		}
		if (is_synced && atomic_load(&keeper->pool->keeper_state) == TACHO__KEEPER_WAITS)
			return;
		if (is_synced && has_living(keeper->pool))
			return;
		if (tacho__clock_raw_ns() - since_ns > LEAVE_MS * MS)
			return;
		wait_ms(1);
	}
}

void tacho__keeper_end(struct tacho__keeper *keeper)
{
	unsigned wanted = atomic_fetch_add(&keeper->pool->sync_wanted, 1) + 1;

	atomic_store(&keeper->pool->program_ended, 1);
	if (keeper->wire >= 0 && send(keeper->wire, "e", 1, MSG_NOSIGNAL) != 1)
		errno = 0; /* it looks by itself soon */
	await_end(keeper, wanted);
}

bool tacho__keeper_dismiss(const char *pool_path, uint32_t *out_process)
{
	const char *stage;
	uint32_t windows;
	bool is_free;
	int error;
	struct tacho__pool *pool = tacho__pool_open(pool_path, &windows, &stage, &error);

	*out_process = 0;
	if (!pool)
		return error == ENOENT;
	for (uint32_t i = 0; i < TACHO__POOL_PROCESSES_MAX && !*out_process; i++)
		if (atomic_load(&pool->process[i].state) == TACHO__POOL_LIVE)
			*out_process = pool->process[i].pid;
	is_free = !*out_process && atomic_load(&pool->program_ended);
	if (is_free)
		atomic_store(&pool->quit, 1);
	munmap(pool, tacho__pool_bytes(windows));
	return is_free;
}

void tacho__keeper_discard(const char *pool_path, const char *stamp)
{
	const char *stage;
	uint32_t windows;
	int error;
	struct tacho__pool *pool = tacho__pool_open(pool_path, &windows, &stage, &error);

	if (!pool)
		return;
	if (!strncmp(pool->stamp, stamp, sizeof(pool->stamp)))
		unlink(pool_path);
	munmap(pool, tacho__pool_bytes(windows));
}
