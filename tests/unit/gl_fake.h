/* SPDX-License-Identifier: MIT */
/* A driver of OpenGL whose every value is known, behind the backend's table of entry points. */
#ifndef TACHO_TEST_GL_FAKE_H
#define TACHO_TEST_GL_FAKE_H

#include <stdbool.h>
#include <stdint.h>

enum { FAKE_NAMES = 512, FAKE_GROUPS = 512, FAKE_ACTIVE = 64 };

struct fake_group {
	const char *name;
	uint32_t counter_count, max_active;
};

struct fake_active {
	uint32_t target, stream, name; /* name 0: free */
};

struct fake {
	void *current;	/* context */
	void *own;	/* the driver's name for it; NULL: it does not tell */
	unsigned asked; /* how often which context is current */
	const char *version, *renderer;
	const char *extensions[16]; /* ends with NULL */
	bool is_without_functions;
	bool has_stub; /* results of 64 bits are of a function that does nothing */

	uint64_t work; /* done so far; every query counts (its target mod 1000 + stream) of it */
	uint64_t stamp_ns;    /* the clock; a unit of work takes 1000 ns */
	uint32_t delay;	      /* polls until a result is there */
	int32_t counter_bits; /* 0: queries count nothing */
	int32_t query_buffer;

	/* objects: queries have numbers from 1, monitors and perf queries of their own */
	bool exists[FAKE_NAMES], was_begun[FAKE_NAMES], is_counting[FAKE_NAMES];
	uint64_t base[FAKE_NAMES], result[FAKE_NAMES];
	uint32_t polls[FAKE_NAMES];
	struct fake_active active[FAKE_ACTIVE];

	struct fake_group groups[FAKE_GROUPS];
	uint32_t group_count;
	struct {
		bool exists, is_active, has_result;
		uint32_t count;
		struct {
			uint32_t group, counter;
		} selected[128];
	} monitors[64];

	struct {
		bool exists, is_active, has_result;
		uint32_t query;
	} perf[64];

	unsigned generated, deleted; /* of all kinds */
	unsigned errors;	     /* calls that OpenGL would answer with an error */
	unsigned finishes, flushes;
	unsigned reads;	    /* results that were read */
	uint64_t finish_ns; /* that pass until the thread that waited runs on */
	/*
	 * What the driver was asked to do, in order: w work, F wait, S time stamp, B and E begin
	 * and end of a query; later calls are left out when it is full.
	 */
	char trace[128];
};

extern struct fake fake;

/* A driver with OpenGL 4.6 and nothing else; a context is current. */
void fake_reset(void);
void fake_work(uint64_t amount);
/* What a query says after that much work. */
uint64_t fake_value(uint32_t target, uint32_t stream, uint64_t amount);
/* What a monitored counter says. */
uint64_t fake_monitored(uint32_t group, uint32_t counter);
/* The program itself begins and ends a query. */
void fake_program_begins(uint32_t target, uint32_t stream);
void fake_program_ends(uint32_t target, uint32_t stream);
/* The context goes away and another comes at the same address. */
void fake_replace_context(void);

#endif
