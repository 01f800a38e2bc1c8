/* SPDX-License-Identifier: MIT */
/* A small made-up API, intercepted as generated wrappers do it, and a folder to record it into. */
#ifndef TESTS_UNIT_SAMPLE_API_H
#define TESTS_UNIT_SAMPLE_API_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "intercept/intercept.h"
#include "record/calls.h"
#include "record/keeper.h"
#include "record/place.h"
#include "record/wire.h"
#include "record/writer.h"
#include "tacho/recording.h"

enum {
	SAMPLE_API = 5,
	SAMPLE_POKE = 0,
	SAMPLE_LAUNCH = 1,
	SAMPLE_NAME = 2,
	SAMPLE_MAKE = 3,
	SAMPLE_RUN = 4,
	SAMPLE_DISPATCH = 5
};

#define SAMPLE_QUEUE  UINT64_C(0x1000)
#define SAMPLE_KERNEL UINT64_C(0x2000)
#define SAMPLE_DEVICE UINT64_C(0x3000)

static const char sample_table[] =
	"calls 1 sample\n"
	"enum error 0=OK -5=OUT_OF_LUCK\n"
	"enum bool 0=NO 1=YES\n"
	"func 0 7 poke e:error object=x value=u\n"
	"func 1 66 launch e:error queue=x kernel=x dims=u offset=l:u global=l:u local=l:u\n"
	"func 2 -1 name - text=s\n"
	"func 3 9 make x flag=b errcode_ret=o:e:error\n"
	"func 4 70 run e:error queue=x buffer=x version=h\n"
	"func 5 -1 dispatch - buffer=x submission=u index=u queue=h kernel=h dims=h groups=l:u\n"
	"cmd 1 kernel 4592 COMMAND_LAUNCH queue=queue kernel=kernel dims=dims global=global "
	"local=local\n"
	"cmd 4 buffer 4776 COMMAND_RUN queue=queue template=buffer version=version\n"
	"cmd 5 kernel 5 dispatch queue=queue kernel=kernel dims=dims\n"
	"bare 5\n";

static inline void sample_poke(uint64_t object, uint64_t value, int result)
{
	struct tacho__call call;
	struct tacho__pack pack;

	if (!tacho__call_begin(&call, TACHO__KIND(SAMPLE_API, SAMPLE_POKE)))
		return;
	tacho__call_end(&call, &pack);
	tacho__pack_i64(&pack, result);
	tacho__pack_u64(&pack, object);
	tacho__pack_u64(&pack, value);
	tacho__call_commit(&call, &pack);
}

static inline void sample_name(const char *text)
{
	struct tacho__call call;
	struct tacho__pack pack;
	uint64_t length = strlen(text);
	uint64_t kept = length < TACHO__CALLS_STRING_MAX ? length : TACHO__CALLS_STRING_MAX;

	if (!tacho__call_begin(&call, TACHO__KIND(SAMPLE_API, SAMPLE_NAME)))
		return;
	tacho__call_end(&call, &pack);
	tacho__pack_u64(&pack, length + 1);
	tacho__pack_bytes(&pack, text, kept);
	tacho__call_commit(&call, &pack);
}

/* Returns the token for sample_complete(). */
static inline void *sample_launch_on(uint64_t queue)
{
	static const uint64_t global[2] = {1024, 8}, local[2] = {64, 1};
	struct tacho__call call;
	struct tacho__pack pack;

	if (!tacho__call_begin(&call, TACHO__KIND(SAMPLE_API, SAMPLE_LAUNCH)))
		return NULL;
	tacho__call_end(&call, &pack);
	call.has_slot = true;
	tacho__pack_i64(&pack, 0);
	tacho__pack_u64(&pack, queue);
	tacho__pack_u64(&pack, SAMPLE_KERNEL);
	tacho__pack_u64(&pack, 2);
	tacho__pack_u64(&pack, 0); /* offset: NULL */
	for (int list = 0; list < 2; list++) {
		tacho__pack_u64(&pack, 2 + 1);
		tacho__pack_u64(&pack, 2);
		tacho__pack_u64(&pack, (list ? local : global)[0]);
		tacho__pack_u64(&pack, (list ? local : global)[1]);
	}
	tacho__call_commit(&call, &pack);
	return call.token;
}

static inline void *sample_launch(void)
{
	return sample_launch_on(SAMPLE_QUEUE);
}

/* An execution of a template. Returns the token for sample_complete(). */
static inline void *sample_run_template(uint64_t handle, uint64_t version)
{
	struct tacho__call call;
	struct tacho__pack pack;

	if (!tacho__call_begin(&call, TACHO__KIND(SAMPLE_API, SAMPLE_RUN)))
		return NULL;
	tacho__call_end(&call, &pack);
	call.has_slot = true;
	tacho__pack_i64(&pack, 0);
	tacho__pack_u64(&pack, SAMPLE_QUEUE);
	tacho__pack_u64(&pack, handle);
	tacho__pack_u64(&pack, version);
	tacho__call_commit(&call, &pack);
	return call.token;
}

static inline void sample_complete(void *token, uint64_t queued, uint64_t submit, uint64_t start,
				   uint64_t end)
{
	struct tacho__times times = {.code = TACHO__SLOT_TIMES,
				     .queued = queued,
				     .submit = submit,
				     .start = start,
				     .end = end};

	if (token)
		tacho__intercept_complete(token, &times);
}

static inline void sample_make_objects(const char *resolution_ns)
{
	char device[128];

	snprintf(device, sizeof(device), "name=Sample Device\ntimer_resolution_ns=%s\n",
		 resolution_ns);
	tacho__intercept_made(
		&(struct tacho__made){SAMPLE_API, TACHO_OBJECT_DEVICE, SAMPLE_DEVICE, device});
	tacho__intercept_made(&(struct tacho__made){SAMPLE_API, TACHO_OBJECT_QUEUE, SAMPLE_QUEUE,
						    "device=0x3000\n"});
	tacho__intercept_made(&(struct tacho__made){SAMPLE_API, TACHO_OBJECT_KERNEL, SAMPLE_KERNEL,
						    "name=saxpy\nlocal_bytes=16\n"});
}

/* meta.json of a recording with this stamp and pool. */
static inline void sample_write_meta(const char *path, const char *stamp, const char *pool)
{
	char file[4096];
	FILE *meta;

	snprintf(file, sizeof(file), "%s/" TACHO__META_FILE, path);
	meta = fopen(file, "w");
	assert_non_null(meta);
	fprintf(meta,
		"{\"schema\":\"tacho.meta/1\",\"generator\":\"tacho test\","
		"\"stamp\":\"%s\",\"pool\":\"%s\",\"application\":\"/bin/x\","
		"\"arguments\":[\"-n\",\"3\"],"
		"\"start\":{\"monotonic_ns\":1000,\"realtime_ns\":5000}}",
		stamp, pool);
	assert_int_equal(fclose(meta), 0);
}

/* An empty recording in a new folder; the path is the caller's to free. */
static inline char *sample_recording(void)
{
	char path[] = "/tmp/tacho-test-XXXXXX";

	assert_non_null(mkdtemp(path));
	sample_write_meta(path, "", "");
	return strdup(path);
}

/* What tacho__keeper_start() returns, for a recording; its stamp is the folder's name. */
static inline int sample_keep(const char *path, const struct tacho__keeper_limits *limits,
			      struct tacho__keeper *out_keeper)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;
	const char *stamp = strrchr(path, '/') + 1;

	assert_true(fd >= 0);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	rc = tacho__keeper_start(fd, path, stamp, limits, out_keeper);
	if (!rc)
		sample_write_meta(path, stamp, out_keeper->path);
	close(fd);
	return rc;
}

/* For a process that is to be recorded. */
static inline void sample_set_variables(const struct tacho__keeper *keeper)
{
	setenv(TACHO__POOL_VARIABLE, keeper->path, 1);
	setenv(TACHO__STAMP_VARIABLE, keeper->pool->stamp, 1);
}

static inline void sample_remove(char *path)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf '%s'", path);
	assert_int_equal(system(command), 0);
	free(path);
}

/*
 * Runs `work` in a forked child that records into `path`, `before` (or NULL) before that begins;
 * returns its wait status.
 */
static inline int sample_run_after(const char *path, void (*before)(void *), void (*work)(void *),
				   void *argument)
{
	struct tacho__keeper keeper;
	int status;
	pid_t child;

	assert_int_equal(sample_keep(path, NULL, &keeper), 0);
	fflush(NULL);
	child = fork();
	if (!child) {
		sample_set_variables(&keeper);
		if (before)
			before(argument);
		tacho__record_add_table(SAMPLE_API, sample_table, sizeof(sample_table) - 1);
		if (!tacho__record_start())
			_exit(99);
		work(argument);
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	tacho__keeper_end(&keeper);
	tacho__keeper_release(&keeper);
	return status;
}

static inline int sample_run(const char *path, void (*work)(void *), void *argument)
{
	return sample_run_after(path, NULL, work, argument);
}

#endif
