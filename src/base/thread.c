/* SPDX-License-Identifier: MIT */
#include "base/thread.h"

#include <sched.h>
#include <signal.h>

int tacho__thread_start(pthread_t *out_thread, void *(*run)(void *user), void *user)
{
	static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
	sigset_t blocked, before;
	int error;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		sigdelset(&blocked, own[i]);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	error = pthread_create(out_thread, NULL, run, user);
	if (!error)
		pthread_setname_np(*out_thread, "tacho");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

bool tacho__thread_may_help(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 && CPU_COUNT(&cpus) > 1;
}
