/* SPDX-License-Identifier: MIT */
#include "base/dl.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

#define TRY_LIMIT_NS UINT64_C(10000000000)

static const char *reason(void)
{
	const char *text = dlerror();

	return text ? text : "the dynamic linker gave no reason";
}

static void get_path(void *handle, char path[PATH_MAX])
{
	struct link_map *map;

	path[0] = '\0';
	if (!dlinfo(handle, RTLD_DI_LINKMAP, &map) && map->l_name)
		snprintf(path, PATH_MAX, "%s", map->l_name);
}

static int open_with(const char *name, int flags, const struct tacho__dl_symbol *symbols,
		     size_t count, struct tacho__dl *out_dl, void *table)
{
	void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL | flags);

	if (!handle)
		return tacho__fail(TACHO_E_NOTFOUND, reason(), "", "cannot load %s", name);
	for (size_t i = 0; i < count; i++) {
		void *function = dlsym(handle, symbols[i].name);

		if (!function && symbols[i].required) {
			int rc =
				tacho__fail(TACHO_E_VERSION,
					    tacho__detail("it has no function %s", symbols[i].name),
					    "install a newer version of it", "cannot use %s", name);
			dlclose(handle);
			return rc;
		}
		memcpy((char *)table + symbols[i].offset, &function, sizeof(function));
	}
	out_dl->handle = handle;
	get_path(handle, out_dl->path);
	return 0;
}

int tacho__dl_open(const char *name, const struct tacho__dl_symbol *symbols, size_t count,
		   struct tacho__dl *out_dl, void *table)
{
	return open_with(name, 0, symbols, count, out_dl, table);
}

int tacho__dl_open_loaded(const char *name, const struct tacho__dl_symbol *symbols, size_t count,
			  struct tacho__dl *out_dl, void *table)
{
	return open_with(name, RTLD_NOLOAD, symbols, count, out_dl, table);
}

void tacho__dl_close(struct tacho__dl *dl)
{
	if (dl->handle)
		dlclose(dl->handle);
	dl->handle = NULL;
}

/* In the child: the first byte says whether it loads, the rest is path or error. */
static void answer(int fd, const char *name)
{
	void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
	char text[PATH_MAX + 1];
	size_t size;

	if (handle) {
		text[0] = '+';
		get_path(handle, text + 1);
	} else {
		snprintf(text, sizeof(text), "-%s", reason());
	}
	size = strlen(text);
	while (size && write(fd, text, size) < 0 && errno == EINTR)
		;
	_exit(0);
}

static void be_quiet(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	dup2(fd, 0);
	dup2(fd, 1);
	dup2(fd, 2);
}

/* Reads until the child closes its end. False when the time was over. */
static bool listen_to(int fd, char *text, size_t room)
{
	uint64_t until = tacho__clock_monotonic_ns() + TRY_LIMIT_NS;
	size_t size = 0;

	for (;;) {
		struct pollfd pollfd = {.fd = fd, .events = POLLIN};
		uint64_t now = tacho__clock_monotonic_ns();
		ssize_t got;

		text[size] = '\0';
		if (now >= until)
			return false;
		if (poll(&pollfd, 1, (int)((until - now) / 1000000) + 1) <= 0)
			continue;
		got = read(fd, text + size, room - size - 1);
		if (got > 0)
			size += (size_t)got;
		else if (!got || errno != EINTR)
			return true;
	}
}

static void describe_end(const char *name, int status, bool in_time, char *out_error, size_t room)
{
	if (!in_time)
		snprintf(out_error, room, "%s: it was still loading after 10 s", name);
	else if (WIFSIGNALED(status))
		snprintf(out_error, room, "%s: the process that loaded it died of signal %d", name,
			 WTERMSIG(status));
	else
		snprintf(out_error, room, "%s: the process that loaded it ended by itself", name);
}

void tacho__dl_try(const char *name, struct tacho__dl_answer *out_answer)
{
	char text[PATH_MAX + 1] = "";
	int ends[2], status = 0;
	bool in_time;
	pid_t pid;

	memset(out_answer, 0, sizeof(*out_answer));
	if (pipe2(ends, O_CLOEXEC)) {
		snprintf(out_answer->error, sizeof(out_answer->error), "no pipe: %s",
			 strerror(errno));
		return;
	}
	pid = fork();
	if (pid == 0) {
		be_quiet();
		answer(ends[1], name);
	}
	close(ends[1]);
	if (pid < 0) {
		snprintf(out_answer->error, sizeof(out_answer->error), "no process: %s",
			 strerror(errno));
		close(ends[0]);
		return;
	}
	in_time = listen_to(ends[0], text, sizeof(text));
	close(ends[0]);
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	out_answer->loads = text[0] == '+';
	if (out_answer->loads)
		strcpy(out_answer->path, text + 1);
	else if (text[0] == '-')
		snprintf(out_answer->error, sizeof(out_answer->error), "%.500s", text + 1);
	else
		describe_end(name, status, in_time, out_answer->error, sizeof(out_answer->error));
}
