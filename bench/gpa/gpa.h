/* SPDX-License-Identifier: MIT */
/*
 * What an empty sample costs, against the same queries of the driver issued by hand. Both sides
 * take turns; see gpa.c. By hand is what a careful programmer writes for the same values: objects
 * of its own for each sample, made for all samples at once where the API can, calls that are
 * checked where they tell, and the objects kept until the values are there. It keeps no numbers of
 * samples, no passes and no locks.
 */
#ifndef TACHO_BENCH_GPA_H
#define TACHO_BENCH_GPA_H

#include <stdint.h>

#include "GPUPerfAPI.h"
#include "GPUPerfAPIFunctionTypes.h"

#define GPA_USED(X)           \
	X(Initialize)         \
	X(OpenContext)        \
	X(CloseContext)       \
	X(EnableCounterStr)   \
	X(DisableAllCounters) \
	X(GetCounterIndex)    \
	X(GetPassCount)       \
	X(BeginSession)       \
	X(EndSession)         \
	X(BeginPass)          \
	X(EndPass)            \
	X(BeginSample)        \
	X(EndSample)          \
	X(IsSessionReady)     \
	X(GetDeviceDesc)

struct gpa {
#define X(name) GPA_##name##PtrType name;
	GPA_USED(X)
#undef X
};

/* One row of the table. The functions do `samples` pairs. */
struct gpa_case {
	const char *name;
	const char *counters;		   /* blank between; one pass */
	unsigned queries;		   /* of the driver, in a pair */
	void (*prepare)(unsigned samples); /* before either side; NULL: nothing */
	void (*by_hand)(unsigned samples);
	void (*finish)(unsigned samples); /* after either side: until the driver is idle again */
	void (*drop)(unsigned samples);	  /* what by_hand() made */
	/* The same with waits for the driver at both ends, for PerfWorks; else NULL. */
	void (*by_hand_alone)(unsigned samples);
};

void gpa_die(const char *what) __attribute__((noreturn));

/* A command that is not measured; whether there is one before each pair of by_hand_alone(). */
void gpa_cl_work(void);
extern int gpa_cl_is_busy;

/* Opens the driver. The handle of a context for GPA_OpenContext, or NULL with the reason. */
void *gpa_open_cl(const char **out_driver);
void *gpa_open_gl(const char **out_driver);
extern const struct gpa_case gpa_cl_cases[], gpa_gl_cases[]; /* end with a name of NULL */

#endif
