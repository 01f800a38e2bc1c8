/* SPDX-License-Identifier: MIT */
/* Queries on an OpenGL context without a window. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpa.h"

/* EGL 1.5 with EGL_MESA_platform_surfaceless; OpenGL 4.6. Names without their first word. */
enum {
	PLATFORM_SURFACELESS_MESA = 0x31dd,
	OPENGL_API = 0x30a2,
	CONTEXT_MAJOR_VERSION = 0x3098,
	CONTEXT_MINOR_VERSION = 0x30fb,
	EGL_NONE = 0x3038,
	RENDERER = 0x1f01,
	VERSION = 0x1f02,
	SAMPLES_PASSED = 0x8914,
	ANY_SAMPLES_PASSED = 0x8c2f,
	ANY_SAMPLES_PASSED_CONSERVATIVE = 0x8d6a,
	CURRENT_QUERY = 0x8865,
	TIMESTAMP = 0x8e28,
	QUERIES_MAX = 16,
};

static struct {
	void *(*eglGetPlatformDisplay)(uint32_t, void *, const intptr_t *);
	uint32_t (*eglInitialize)(void *, int32_t *, int32_t *);
	uint32_t (*eglBindAPI)(uint32_t);
	void *(*eglCreateContext)(void *, void *, void *, const int32_t *);
	uint32_t (*eglMakeCurrent)(void *, void *, void *, void *);
	void *(*eglGetCurrentContext)(void);
	void *(*eglGetProcAddress)(const char *);
	const char *(*glGetString)(uint32_t);
	void (*glFinish)(void);
	void (*glGenQueries)(int32_t, uint32_t *);
	void (*glDeleteQueries)(int32_t, const uint32_t *);
	void (*glBeginQuery)(uint32_t, uint32_t);
	void (*glEndQuery)(uint32_t);
	void (*glQueryCounter)(uint32_t, uint32_t);
	void (*glGetQueryiv)(uint32_t, uint32_t, int32_t *);
} gl;

static uint32_t *names;
static void *context;

static int load(void)
{
	void *egl = dlopen("libEGL.so.1", RTLD_NOW);

	if (!egl)
		return 0;
#define F(name)                                 \
	*(void **)&gl.name = dlsym(egl, #name); \
	if (!gl.name)                           \
		return 0;
	F(eglGetPlatformDisplay)
	F(eglInitialize)
	F(eglBindAPI)
	F(eglCreateContext)
	F(eglMakeCurrent)
	F(eglGetCurrentContext)
	F(eglGetProcAddress)
#undef F
#define F(name) *(void **)&gl.name = gl.eglGetProcAddress(#name)
	F(glGetString);
	F(glFinish);
	F(glGenQueries);
	F(glDeleteQueries);
	F(glBeginQuery);
	F(glEndQuery);
	F(glQueryCounter);
	F(glGetQueryiv);
#undef F
	return 1;
}

void *gpa_open_gl(const char **out_driver)
{
	static const int32_t wanted[] = {CONTEXT_MAJOR_VERSION, 4, CONTEXT_MINOR_VERSION, 5,
					 EGL_NONE};
	static char name[256];
	void *display;

	*out_driver = "no OpenGL 4.5 without a window";
	if (!load())
		return NULL;
	display = gl.eglGetPlatformDisplay(PLATFORM_SURFACELESS_MESA, NULL, NULL);
	if (!display || !gl.eglInitialize(display, NULL, NULL) || !gl.eglBindAPI(OPENGL_API))
		return NULL;
	context = gl.eglCreateContext(display, NULL, NULL, wanted);
	if (!context || !gl.eglMakeCurrent(display, NULL, NULL, context) || !gl.glGetString)
		return NULL;
	snprintf(name, sizeof(name), "%s, OpenGL %s", gl.glGetString(RENDERER),
		 gl.glGetString(VERSION));
	*out_driver = name;
	return context;
}

static void make_names(unsigned samples)
{
	if (!names)
		names = calloc((size_t)samples * QUERIES_MAX, sizeof(*names));
	if (!names)
		gpa_die("no memory");
}

/*
 * By hand in a program that has all of OpenGL to itself: it knows how many samples will come, makes
 * all names at once, and knows that the context is current and that nobody has a query active.
 */
static void query(unsigned samples, const uint32_t *targets, int32_t count)
{
	uint32_t *own = names;

	gl.glGenQueries((int32_t)samples * count, own);
	for (unsigned i = 0; i < samples; i++, own += count) {
		for (int32_t k = 0; k < count; k++)
			gl.glBeginQuery(targets[k], own[k]);
		for (int32_t k = count; k > 0; k--)
			gl.glEndQuery(targets[k - 1]);
	}
}

/*
 * By hand in a part of a program that does not know the rest of it, as a profiler is: the context
 * is looked at once, and before each sample whether a query is active that excludes the own one. A
 * second one would leave an error to the program, and its end would end the program's.
 */
static void query_carefully(unsigned samples, const uint32_t *targets, int32_t count,
			    const uint32_t *excluding, int32_t excluding_count)
{
	uint32_t *own = names;

	if (gl.eglGetCurrentContext() != context)
		gpa_die("another context is current");
	gl.glGenQueries((int32_t)samples * count, own);
	for (unsigned i = 0; i < samples; i++, own += count) {
		for (int32_t k = 0; k < excluding_count; k++) {
			int32_t active = 0;

			gl.glGetQueryiv(excluding[k], CURRENT_QUERY, &active);
			if (active)
				gpa_die("a query is active");
		}
		for (int32_t k = 0; k < count; k++)
			gl.glBeginQuery(targets[k], own[k]);
		for (int32_t k = count; k > 0; k--)
			gl.glEndQuery(targets[k - 1]);
	}
}

static const uint32_t occlusion[] = {SAMPLES_PASSED};
/* One occlusion query excludes those of the other kinds: OpenGL 4.6 section 4.2.1. */
static const uint32_t occlusions[] = {SAMPLES_PASSED, ANY_SAMPLES_PASSED,
				      ANY_SAMPLES_PASSED_CONSERVATIVE};
/* All of ARB_pipeline_statistics_query. */
static const uint32_t statistics[] = {0x82ee, 0x82ef, 0x82f0, 0x82f1, 0x82f2, 0x887f,
				      0x82f3, 0x82f4, 0x82f5, 0x82f6, 0x82f7};

static void query_occlusion(unsigned samples)
{
	query(samples, occlusion, 1);
}

static void query_occlusion_carefully(unsigned samples)
{
	query_carefully(samples, occlusion, 1, occlusions, 3);
}

static void query_statistics(unsigned samples)
{
	query(samples, statistics, 11);
}

static void query_statistics_carefully(unsigned samples)
{
	query_carefully(samples, statistics, 11, statistics, 11);
}

/* Software drivers time the last tile only unless all work is done before. */
static void stamp(uint32_t name)
{
	gl.glFinish();
	gl.glQueryCounter(name, TIMESTAMP);
}

static void query_time(unsigned samples)
{
	uint32_t *own = names;

	gl.glGenQueries((int32_t)samples * 2, own);
	for (unsigned i = 0; i < samples; i++, own += 2) {
		stamp(own[0]);
		stamp(own[1]);
	}
}

static void finish(unsigned samples)
{
	gl.glFinish();
}

static void drop_time(unsigned samples)
{
	gl.glDeleteQueries((int32_t)samples * 2, names);
}

static void drop_occlusion(unsigned samples)
{
	gl.glDeleteQueries((int32_t)samples, names);
}

static void drop_statistics(unsigned samples)
{
	gl.glDeleteQueries((int32_t)samples * 11, names);
}

#define STATISTICS                                                                         \
	"IAVertices IAPrimitives VSInvocations HSInvocations DSInvocations GSInvocations " \
	"GSPrimitives PSInvocations CSInvocations CInvocations CPrimitives"

const struct gpa_case gpa_gl_cases[] = {
	{"GPUTime: two time stamps", "GPUTime", 2, make_names, query_time, finish, drop_time},
	{"one query", "Occlusion", 1, make_names, query_occlusion, finish, drop_occlusion},
	{"one query, looking for others first", "Occlusion", 1, make_names,
	 query_occlusion_carefully, finish, drop_occlusion},
	{"all pipeline statistics", STATISTICS, 11, make_names, query_statistics, finish,
	 drop_statistics},
	{"all pipeline statistics, looking for others first", STATISTICS, 11, make_names,
	 query_statistics_carefully, finish, drop_statistics},
	{0},
};
