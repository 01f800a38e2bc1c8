/* SPDX-License-Identifier: MIT */
/* A session on the toy device. */
#ifndef SESSION_BENCH_H
#define SESSION_BENCH_H

#include "toy_device.h"

enum { CALLER = 1u << TACHO_REPLAY_CALLER };

struct tacho_session *open_session(struct bench *bench,
				   const struct tacho_session_options *options);
void begin(struct bench *bench, const char *names);

/* A range with work in it. */
void run(struct tacho_session *session, tacho_range parent, uint64_t id, uint64_t work);

struct tacho_result *take(struct tacho_session *session, size_t rows);
void finish(struct bench *bench, struct tacho_session *session, struct tacho_result *result);

#endif
