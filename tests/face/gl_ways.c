/* SPDX-License-Identifier: MIT */
/*
 * EGL on Mesa's platform without a display; GLX with a pixel buffer on the X server that DISPLAY
 * names. GLX and X are found at run time, with prototypes of our own: nothing has to be installed
 * to build this.
 */
#include "gl_ways.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

/* GLX 1.4 and GLX_ARB_create_context_profile, without the first word of the names. */
enum {
	PBUFFER_WIDTH = 0x8041,
	PBUFFER_HEIGHT = 0x8040,
	DRAWABLE_TYPE = 0x8010,
	PBUFFER_BIT = 4,
	MAJOR_VERSION = 0x2091,
	MINOR_VERSION = 0x2092,
	PROFILE_MASK = 0x9126,
	CORE_PROFILE = 1,
};

static struct {
	void *(*XOpenDisplay)(const char *name);
	int (*XDefaultScreen)(void *display);
	int (*XSync)(void *display, int discard);
	void *(*XSetErrorHandler)(int (*handler)(void *display, void *error));
	void **(*glXChooseFBConfig)(void *display, int screen, const int *wanted, int *out_count);
	unsigned long (*glXCreatePbuffer)(void *display, void *config, const int *wanted);
	int (*glXMakeContextCurrent)(void *display, unsigned long draw, unsigned long read,
				     void *context);
	void *(*glXGetProcAddressARB)(const unsigned char *name);
	void *(*glXCreateContextAttribsARB)(void *display, void *config, void *shared, int direct,
					    const int *wanted);
} glx;

static struct {
	enum gl_way way;
	void *display;
	unsigned long buffer; /* GLX's */
	void *contexts[3];    /* by enum gl_use */
} own;

static const int versions[][2] = {{4, 6}, {4, 5}, {3, 3}, {3, 2}, {3, 1}, {3, 0}};
enum { VERSION_COUNT = sizeof(versions) / sizeof(*versions), ES_FIRST = 3, CORE_END = 3 };

/* ---- EGL ---- */

static void *make_egl(const int *version)
{
	const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION,
			       version[0],
			       EGL_CONTEXT_MINOR_VERSION,
			       version[1],
			       EGL_CONTEXT_OPENGL_PROFILE_MASK,
			       EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
			       EGL_NONE};
	const EGLint es[] = {EGL_CONTEXT_MAJOR_VERSION, version[0], EGL_CONTEXT_MINOR_VERSION,
			     version[1], EGL_NONE};

	return eglCreateContext(own.display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
				own.way == GL_WAY_EGL ? core : es);
}

static const char *open_egl(void)
{
	own.display =
		eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	if (own.display == EGL_NO_DISPLAY || !eglInitialize(own.display, NULL, NULL))
		return "EGL has no platform without a display";
	if (!eglBindAPI(own.way == GL_WAY_EGL ? EGL_OPENGL_API : EGL_OPENGL_ES_API))
		return "EGL has not this kind of OpenGL";
	return NULL;
}

/* ---- GLX ---- */

static void *config;

/* A version that the driver lacks is an error of X, which ends the process by default. */
static int ignore(void *display, void *error)
{
	return 0;
}

static void *make_glx(const int *version)
{
	const int wanted[] = {MAJOR_VERSION, version[0], MINOR_VERSION, version[1], PROFILE_MASK,
			      CORE_PROFILE,  0};
	void *context = glx.glXCreateContextAttribsARB(own.display, config, NULL, 1, wanted);

	glx.XSync(own.display, 0);
	return context;
}

static int load_glx(void)
{
	void *x = dlopen("libX11.so.6", RTLD_NOW), *gl = dlopen("libGLX.so.0", RTLD_NOW);

	if (!gl)
		gl = dlopen("libGL.so.1", RTLD_NOW);
	if (!x || !gl)
		return 0;
#define F(library, name)                             \
	*(void **)&glx.name = dlsym(library, #name); \
	if (!glx.name)                               \
		return 0;
	F(x, XOpenDisplay)
	F(x, XDefaultScreen)
	F(x, XSync)
	F(x, XSetErrorHandler)
	F(gl, glXChooseFBConfig)
	F(gl, glXCreatePbuffer)
	F(gl, glXMakeContextCurrent)
	F(gl, glXGetProcAddressARB)
#undef F
	*(void **)&glx.glXCreateContextAttribsARB =
		glx.glXGetProcAddressARB((const unsigned char *)"glXCreateContextAttribsARB");
	return glx.glXCreateContextAttribsARB != NULL;
}

static const char *open_glx(void)
{
	static const int any[] = {DRAWABLE_TYPE, PBUFFER_BIT, 0};
	static const int small[] = {PBUFFER_WIDTH, 16, PBUFFER_HEIGHT, 16, 0};
	void **configs;
	int count = 0;

	if (!load_glx())
		return "libX11 or libGLX is not installed";
	own.display = glx.XOpenDisplay(NULL);
	if (!own.display)
		return "no X server answers at DISPLAY";
	configs = glx.glXChooseFBConfig(own.display, glx.XDefaultScreen(own.display), any, &count);
	if (!configs || !count)
		return "the X server has no GLX with pixel buffers";
	glx.XSetErrorHandler(ignore);
	config = configs[0];
	own.buffer = glx.glXCreatePbuffer(own.display, config, small);
	return own.buffer ? NULL : "the X server makes no pixel buffer";
}

/* ---- either ---- */

void *gl_way_open(enum gl_way way, const char **out_reason)
{
	int first = way == GL_WAY_EGL_ES ? ES_FIRST : 0;
	int end = way == GL_WAY_EGL_ES ? VERSION_COUNT : CORE_END;

	own.way = way;
	*out_reason = way == GL_WAY_GLX ? open_glx() : open_egl();
	if (*out_reason)
		return NULL;
	for (int i = first; i < end && !own.contexts[GL_USE_OTHER]; i++)
		for (int k = GL_USE_OWN; k <= GL_USE_OTHER; k++)
			own.contexts[k] =
				way == GL_WAY_GLX ? make_glx(versions[i]) : make_egl(versions[i]);
	*out_reason = "the driver makes no context";
	return own.contexts[GL_USE_OTHER] && gl_way_use(GL_USE_OWN) ? own.contexts[GL_USE_OWN]
								    : NULL;
}

int gl_way_use(enum gl_use use)
{
	void *context = own.contexts[use];
	unsigned long buffer = context ? own.buffer : 0;

	if (own.way == GL_WAY_GLX)
		return glx.glXMakeContextCurrent(own.display, buffer, buffer, context);
	return (int)eglMakeCurrent(own.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}
