/* SPDX-License-Identifier: MIT */
/* What the environment asks the fake for, its log and its clocks. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "fake_driver.h"

/* What follows the word, NULL without it. */
static const char *find_word(const char *word)
{
	const char *at = getenv("FAKE_CUDA");
	size_t length = strlen(word);

	while (at && *at) {
		if (!strncmp(at, word, length) && (!at[length] || strchr(",=", at[length])))
			return at + length;
		at = strchr(at, ',');
		if (at)
			at++;
	}
	return NULL;
}

bool fake_has_word(const char *word)
{
	return find_word(word) != NULL;
}

uint64_t fake_get_word(const char *word, uint64_t otherwise)
{
	const char *behind = find_word(word);

	return behind && *behind == '=' ? strtoull(behind + 1, NULL, 0) : otherwise;
}

/* One write for each line, so that lines of several threads and processes stay whole, and are there
 * when the process is killed. */
void fake_log(const char *format, ...)
{
	static atomic_int log_file = -2;
	const char *name = getenv("FAKE_CUDA_LOG");
	char line[640];
	va_list arguments;
	int size;

	if (!name)
		return;
	if (log_file == -2) {
		int none = -2, opened = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

		if (!atomic_compare_exchange_strong(&log_file, &none, opened))
			close(opened);
	}
	size = snprintf(line, sizeof(line), "%d ", (int)getpid());
	va_start(arguments, format);
	size += vsnprintf(line + size, sizeof(line) - (size_t)size - 1, format, arguments);
	va_end(arguments);
	if ((size_t)size > sizeof(line) - 1)
		size = sizeof(line) - 1;
	line[size++] = '\n';
	if (write(log_file, line, (size_t)size) != size)
		abort();
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t fake_monotonic_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t fake_now(void)
{
	uint64_t (*clock)(void) = fake_driver.clock;

	return clock ? clock() : read_clock(CLOCK_REALTIME);
}
