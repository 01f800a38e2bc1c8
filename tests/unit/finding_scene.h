/* SPDX-License-Identifier: MIT */
/* Recordings for rules, made call by call: every time and size is the test's own. */
#ifndef FINDING_SCENE_H
#define FINDING_SCENE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_recording.h"
#include "tacho/finding.h"

enum { SCENE_CALLS_MAX = 2048 };

#define MS UINT64_C(1000000)
#define US UINT64_C(1000)

/* Begins anew: a GPU of 4 compute units, an ordered queue on it, kernels that prefer 32. */
void scene_begin(void);

extern struct tacho_run *scene_run;
extern struct tacho_process scene_processes[2];
extern struct fake_object scene_gpu, scene_queue, scene_second_queue, scene_kernel;

struct tacho_recording *scene_recording(void);

/* A call of 500 ns, 1000 ns after the one before, with arguments up to NULL. */
struct fake_call *scene_call(const char *function, const char *result, ...);
/* The last call took that long; later ones come after it. */
void scene_take(uint64_t ns);
/* It was made by that thread. */
void scene_by(uint32_t thread);
/* The last call gave work to a queue: it began `after_ns` behind the call's start. */
struct tacho_command *scene_command(enum tacho_command_kind kind, struct fake_object *on,
				    uint64_t after_ns, uint64_t ns);

/* Readings of processor time, up to one without a process, which outlive the scene. */
void scene_thread_times(const struct tacho_thread_time *times);

/* Short forms: each is a call of OpenCL's on the queue or the one given. */
struct tacho_command *scene_launch(uint64_t global, uint64_t local, uint64_t ns);
void scene_finish(uint64_t ns);
void scene_write(const char *blocking, uint64_t bytes, uint64_t ns);
void scene_read(const char *blocking, uint64_t bytes, uint64_t ns);

/* All rules, or one; thresholds up to a NULL name: "min-cost-ns", (uint64_t)0, NULL. */
struct tacho_findings *scene_look(const char *rule, ...);
/* The first finding of a rule, NULL when there is none. */
const struct tacho_finding *scene_find(const struct tacho_findings *findings, const char *rule);
/* Looks and tells how often the rule found something; 0: it found nothing. */
#define COUNT(rule, ...) scene_count(rule, (const char *)rule, ##__VA_ARGS__, NULL)
uint64_t scene_count(const char *rule, const char *only, ...);

#endif
