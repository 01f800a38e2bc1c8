/* SPDX-License-Identifier: MIT */
#include "inject/counting_threads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "inject/handles.h"
#include "intercept/intercept.h"

#define NS_PER_S UINT64_C(1000000000)
/*
 * The API's loader may load its drivers, and these start their workers, just before it loads us.
 * Threads that are this young then count as such, until they call the API.
 */
#define EARLY_NS NS_PER_S

enum kind {
	KIND_UNKNOWN = 0,
	KIND_OTHER,  /* the program's, or ours */
	KIND_WORKER, /* of the driver */
};

static struct {
	struct tacho__handles kinds; /* by thread id */
	pthread_mutex_t lock;	     /* of who says what a thread is */
	atomic_ulong seen;	     /* links of the folder of threads when it was walked last */
	atomic_uint worker_count;
	uint64_t first_tick, first_ns; /* boot time at a tick */
	uint64_t tick_ns;	       /* of the kernel's start times */
} threads = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local __attribute__((tls_model("initial-exec"))) bool is_known_caller;

static const void *key_of(int64_t thread)
{
	return (const void *)(uintptr_t)thread;
}

static uint64_t boot_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Boot time at a tick of the recent past. */
static uint64_t convert(uint64_t tick)
{
	uint64_t now_tick = tacho__tick(), now_ns = boot_ns();
	uint64_t ticks = now_tick - threads.first_tick, ns = now_ns - threads.first_ns;

	if (!ticks || tick >= now_tick)
		return now_ns;
	return now_ns - (uint64_t)((double)(now_tick - tick) * ((double)ns / (double)ticks));
}

/* When the kernel started it, the end of that tick; 0 when it is gone. proc(5), field 22. */
static uint64_t read_start(const char *thread, bool *out_is_own)
{
	char path[64], text[1024];
	unsigned long long ticks = 0;
	const char *at;
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%.20s/stat", thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	if (size <= 0)
		return 0;
	text[size] = '\0';
	*out_is_own = strstr(text, "(tacho)") != NULL;
	at = strrchr(text, ')');
	for (int field = 2; at && field < 22; field++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	if (at)
		ticks = strtoull(at, NULL, 10);
	return (ticks + 1) * threads.tick_ns;
}

/* Says of each new thread what it is: a worker when it started after `since`. */
static void walk(uint64_t since_ns)
{
	struct dirent *entry;
	DIR *folder = opendir("/proc/self/task");

	while (folder && (entry = readdir(folder))) {
		int64_t thread = strtol(entry->d_name, NULL, 10);
		bool is_own = false;
		uint64_t start_ns;

		if (thread <= 0 || tacho__handles_get(&threads.kinds, key_of(thread)))
			continue;
		start_ns = read_start(entry->d_name, &is_own);
		if (start_ns >= since_ns && !is_own && thread != getpid()) {
			tacho__handles_set(&threads.kinds, key_of(thread), KIND_WORKER);
			atomic_fetch_add(&threads.worker_count, 1);
		} else if (start_ns) {
			tacho__handles_set(&threads.kinds, key_of(thread), KIND_OTHER);
		}
	}
	if (folder)
		closedir(folder);
}

/* A thread that calls the API is no worker; what appeared during the call is one. */
static void on_call(struct tacho__call *call)
{
	struct stat status;
	int error = errno;

	if (!is_known_caller) {
		const void *own = key_of(gettid());

		is_known_caller = true;
		pthread_mutex_lock(&threads.lock); /* or a walk says afterwards that it is one */
		if (tacho__handles_get(&threads.kinds, own) == KIND_WORKER)
			atomic_fetch_sub(&threads.worker_count, 1);
		tacho__handles_set(&threads.kinds, own, KIND_OTHER);
		pthread_mutex_unlock(&threads.lock);
	}
	if (!stat("/proc/self/task", &status) && atomic_load(&threads.seen) != status.st_nlink) {
		pthread_mutex_lock(&threads.lock);
		atomic_store(&threads.seen, status.st_nlink);
		walk(convert(call->start));
		pthread_mutex_unlock(&threads.lock);
	}
	errno = error;
}

uint64_t tacho__counting_threads_since(uint64_t first_ns)
{
	return first_ns > EARLY_NS ? first_ns - EARLY_NS : 0;
}

void tacho__counting_threads_start(void)
{
	static const struct tacho__subscriber subscriber = {.call = on_call};
	long hertz = sysconf(_SC_CLK_TCK);

	threads.tick_ns = NS_PER_S / (uint64_t)(hertz > 0 ? hertz : 100);
	threads.first_tick = tacho__tick();
	threads.first_ns = boot_ns();
	tacho__handles_set(&threads.kinds, key_of(gettid()), KIND_OTHER);
	walk(tacho__counting_threads_since(threads.first_ns));
	tacho__intercept_subscribe(&subscriber);
}

int tacho__counting_wants_thread(void *unused, int64_t thread)
{
	(void)unused;
	if (!atomic_load(&threads.worker_count))
		return thread == gettid();
	return tacho__handles_get(&threads.kinds, key_of(thread)) == KIND_WORKER;
}
