/* SPDX-License-Identifier: MIT */
#include "intercept/workers.h"

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
#include "base/map.h"
#include "intercept/intercept.h"

#define NS_PER_S UINT64_C(1000000000)
/*
 * The API's loader may load its drivers, and these start their workers, just before it loads us.
 * Threads that are this young then count as such, until they call the API.
 */
#define EARLY_NS NS_PER_S

/* No thread is started in so few ticks, be they of 0.2 or of 1 ns: then nobody need look. */
enum { SHORT_TICKS = 4096 };

/* What a thread is. */
static char other, /* the program's, or ours */
	worker;	   /* of the driver */

static struct {
	pthread_mutex_t lock;
	struct tacho__map kinds; /* by thread id: &other, &worker; under the lock */
	atomic_ulong seen;	 /* links of the folder of threads when it was walked last */
	atomic_uint worker_count;
	uint64_t first_tick, first_ns; /* boot time at a tick */
	uint64_t tick_ns;	       /* of the kernel's start times */
} threads = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local __attribute__((tls_model("initial-exec"))) bool is_known_caller;

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

/* Says of each new thread what it is: a worker when it started after `since`. Under the lock. */
static void walk(uint64_t since_ns)
{
	struct dirent *entry;
	DIR *folder = opendir("/proc/self/task");

	while (folder && (entry = readdir(folder))) {
		int64_t thread = strtol(entry->d_name, NULL, 10);
		bool is_own = false;
		uint64_t start_ns;

		if (thread <= 0 || tacho__map_get(&threads.kinds, (uint64_t)thread))
			continue;
		start_ns = read_start(entry->d_name, &is_own);
		if (start_ns >= since_ns && !is_own && thread != getpid()) {
			if (!tacho__map_set(&threads.kinds, (uint64_t)thread, &worker))
				atomic_fetch_add(&threads.worker_count, 1);
		} else if (start_ns) {
			tacho__map_set(&threads.kinds, (uint64_t)thread, &other);
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
		uint64_t own = (uint64_t)gettid();

		is_known_caller = true;
		pthread_mutex_lock(&threads.lock); /* or a walk says afterwards that it is one */
		if (tacho__map_get(&threads.kinds, own) == &worker)
			atomic_fetch_sub(&threads.worker_count, 1);
		tacho__map_set(&threads.kinds, own, &other);
		pthread_mutex_unlock(&threads.lock);
	}
	if (tacho__tick() - call->start > SHORT_TICKS && !stat("/proc/self/task", &status) &&
	    atomic_load(&threads.seen) != status.st_nlink) {
		pthread_mutex_lock(&threads.lock);
		atomic_store(&threads.seen, status.st_nlink);
		walk(convert(call->start));
		pthread_mutex_unlock(&threads.lock);
	}
	errno = error;
}

uint64_t tacho__workers_since(uint64_t first_ns)
{
	return first_ns > EARLY_NS ? first_ns - EARLY_NS : 0;
}

static void start_once(void)
{
	static const struct tacho__subscriber subscriber = {.keeps_nothing = true, .call = on_call};
	long hertz = sysconf(_SC_CLK_TCK);

	pthread_mutex_lock(&threads.lock);
	threads.tick_ns = NS_PER_S / (uint64_t)(hertz > 0 ? hertz : 100);
	threads.first_tick = tacho__tick();
	threads.first_ns = boot_ns();
	tacho__map_set(&threads.kinds, (uint64_t)gettid(), &other);
	walk(tacho__workers_since(threads.first_ns));
	pthread_mutex_unlock(&threads.lock);
	tacho__intercept_subscribe(&subscriber);
}

void tacho__workers_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int error = errno;

	pthread_once(&once, start_once);
	errno = error;
}

bool tacho__workers_are_known(void)
{
	return atomic_load(&threads.worker_count) != 0;
}

int tacho__workers_wants(void *unused, int64_t thread)
{
	bool is_worker;

	(void)unused;
	if (!atomic_load(&threads.worker_count))
		return thread == gettid();
	pthread_mutex_lock(&threads.lock);
	is_worker = tacho__map_get(&threads.kinds, (uint64_t)thread) == &worker;
	pthread_mutex_unlock(&threads.lock);
	return is_worker;
}
