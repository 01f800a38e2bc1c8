/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL driver with command buffers, made for tests, below the layer that ships. It has the
 * version of the extension that the test sets, and tells what it was asked.
 */
#ifndef BUFFERS_FAKE_H
#define BUFFERS_FAKE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "intercept/intercept.h"
#include "opencl_api.h"
#include "opencl_constants.h"

#define HANDLE(n)		     ((void *)(uintptr_t)(n))
#define VERSION(major, minor, patch) ((uint32_t)(major) << 22 | (minor) << 12 | (patch))

enum { FAKE_EVENTS = 64 };

struct fake_event {
	uint32_t type;
	void *queue;
	int references;
	int32_t status;
	uint64_t times[4];
	bool has_times;
	void (*callback)(void *event, int32_t status, void *user);
	void *user;
};

extern struct fake {
	uint32_t versions[2]; /* of cl_khr_command_buffer, device by device; 0: it does not say */
	uint32_t mutable_version, multi_version;
	uint32_t device_count;
	bool hides_names; /* its old list of extensions lacks command buffers too */
	const char *platform_name, *platform_version;
	uintptr_t device; /* the first; what is known of a device is kept for good */
	uint64_t queue_flags;
	int32_t result; /* of all functions of the extension */
	int32_t marker_result;
	uintptr_t buffer, command; /* given out next */
	uint32_t event_type;	   /* of executions */
	struct fake_event events[FAKE_EVENTS];
	size_t event_count;
	char asked[1024]; /* one line a call: what was passed */
	bool is_threaded; /* templates are only counted */
} fake;

/* What was reported. */
extern struct told {
	char templates[4096]; /* one line each */
	char process[1024];
	struct tacho__call call;
	uint8_t packed[TACHO__ARGUMENTS_MAX];
	struct tacho__times times;
	unsigned completed;
	atomic_uint template_count;
} told;

/* A driver of version 0.9.8 as new, without any events. Opens the layer the first time. */
int fake_begin(void **state);
/* The function that the program gets. */
void *fake_get(const char *name);
/* The command behind an event ends. */
void fake_end(struct fake_event *event, uint64_t submit, uint64_t start, uint64_t end);
/* References that the program does not have. */
int fake_count_references(void);
/* The value of the role "version" of the last call, an execution. */
uint64_t told_version(void);

#endif
