/* SPDX-License-Identifier: MIT */
/* Finding OpenGL: which library has the context of this thread, and its functions. */
#include <string.h>

#include "backend/gl/gl_private.h"
#include "base/array.h"
#include "base/error.h"

/* A program that has a current context has loaded one of these. */
static const struct way {
	const char *library, *get_current, *get_proc;
} ways[] = {
	{"libEGL.so.1", "eglGetCurrentContext", "eglGetProcAddress"},
	{"libGLX.so.0", "glXGetCurrentContext", "glXGetProcAddressARB"},
	{"libGL.so.1", "glXGetCurrentContext", "glXGetProcAddressARB"},
};

#define FUNCTION(field, name, es_name)                           \
	{                                                        \
		name, es_name, offsetof(struct tacho__gl, field) \
	}

/* es_name: what OpenGL ES calls it where it is an extension there; NULL: the same. */
static const struct function {
	const char *name, *es_name;
	size_t offset;
} functions[] = {
	FUNCTION(get_string_at, "glGetStringi", NULL),
	FUNCTION(get_integer, "glGetIntegerv", NULL),
	FUNCTION(finish, "glFinish", NULL),
	FUNCTION(flush, "glFlush", NULL),
	FUNCTION(bind_buffer, "glBindBuffer", NULL),
	FUNCTION(gen_queries, "glGenQueries", NULL),
	FUNCTION(delete_queries, "glDeleteQueries", NULL),
	FUNCTION(is_query, "glIsQuery", NULL),
	FUNCTION(begin_query, "glBeginQuery", NULL),
	FUNCTION(end_query, "glEndQuery", NULL),
	FUNCTION(begin_query_at, "glBeginQueryIndexed", NULL),
	FUNCTION(end_query_at, "glEndQueryIndexed", NULL),
	FUNCTION(query_counter, "glQueryCounter", "glQueryCounterEXT"),
	FUNCTION(get_query, "glGetQueryiv", NULL),
	FUNCTION(get_query_at, "glGetQueryIndexediv", NULL),
	FUNCTION(get_object, "glGetQueryObjectuiv", NULL),
	FUNCTION(get_object_64, "glGetQueryObjectui64v", "glGetQueryObjectui64vEXT"),
	FUNCTION(get_groups, "glGetPerfMonitorGroupsAMD", NULL),
	FUNCTION(get_counters, "glGetPerfMonitorCountersAMD", NULL),
	FUNCTION(get_group_string, "glGetPerfMonitorGroupStringAMD", NULL),
	FUNCTION(get_counter_string, "glGetPerfMonitorCounterStringAMD", NULL),
	FUNCTION(get_counter_info, "glGetPerfMonitorCounterInfoAMD", NULL),
	FUNCTION(gen_monitors, "glGenPerfMonitorsAMD", NULL),
	FUNCTION(delete_monitors, "glDeletePerfMonitorsAMD", NULL),
	FUNCTION(select_counters, "glSelectPerfMonitorCountersAMD", NULL),
	FUNCTION(begin_monitor, "glBeginPerfMonitorAMD", NULL),
	FUNCTION(end_monitor, "glEndPerfMonitorAMD", NULL),
	FUNCTION(get_monitor_data, "glGetPerfMonitorCounterDataAMD", NULL),
	FUNCTION(get_first_perf_query, "glGetFirstPerfQueryIdINTEL", NULL),
	FUNCTION(get_next_perf_query, "glGetNextPerfQueryIdINTEL", NULL),
	FUNCTION(get_perf_query_info, "glGetPerfQueryInfoINTEL", NULL),
	FUNCTION(get_perf_counter_info, "glGetPerfCounterInfoINTEL", NULL),
	FUNCTION(create_perf_query, "glCreatePerfQueryINTEL", NULL),
	FUNCTION(delete_perf_query, "glDeletePerfQueryINTEL", NULL),
	FUNCTION(begin_perf_query, "glBeginPerfQueryINTEL", NULL),
	FUNCTION(end_perf_query, "glEndPerfQueryINTEL", NULL),
	FUNCTION(get_perf_query_data, "glGetPerfQueryDataINTEL", NULL),
};

static void find_functions(struct tacho__gl *gl)
{
	struct tacho__gl_version version;

	tacho__gl_get_version(gl, &version);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(functions); i++) {
		const struct function *info = &functions[i];
		void (*function)(void) =
			gl->get_proc(version.is_es && info->es_name ? info->es_name : info->name);

		memcpy((char *)gl + info->offset, &function, sizeof(function));
	}
}

/*
 * Mesa's dispatcher keeps the driver's context for each thread. Other drivers have no such
 * function, and newer ones of Mesa hide it.
 */
static void find_own(struct tacho__gl *gl)
{
	static const struct tacho__dl_symbol symbols[] = {
		{"_glapi_get_context", offsetof(struct tacho__gl, get_own), true},
	};

	if (tacho__dl_open_loaded("libglapi.so.0", symbols, TACHO__ARRAY_SIZE(symbols), &gl->own_dl,
				  gl))
		gl->get_own = NULL;
}

void tacho__gl_close(struct tacho__gl *gl)
{
	tacho__dl_close(&gl->own_dl);
	tacho__dl_close(&gl->dl);
}

/* Whether it has a context for this thread. */
static bool try_way(const struct way *way, struct tacho__gl *gl)
{
	const struct tacho__dl_symbol symbols[] = {
		{way->get_current, offsetof(struct tacho__gl, get_current), true},
		{way->get_proc, offsetof(struct tacho__gl, get_proc), true},
	};
	void (*function)(void);

	if (tacho__dl_open_loaded(way->library, symbols, TACHO__ARRAY_SIZE(symbols), &gl->dl, gl))
		return false;
	function = gl->get_current() ? gl->get_proc("glGetString") : NULL;
	memcpy(&gl->get_string, &function, sizeof(function));
	if (!function)
		tacho__dl_close(&gl->dl);
	return function != NULL;
}

int tacho__gl_find(struct tacho__gl *out_gl)
{
	struct tacho__gl gl = {0};
	size_t i = 0;

	while (i < TACHO__ARRAY_SIZE(ways) && !try_way(&ways[i], &gl))
		i++;
	if (i == TACHO__ARRAY_SIZE(ways))
		return tacho__fail(TACHO_E_NODEVICE,
				   "neither eglGetCurrentContext nor glXGetCurrentContext has one, "
				   "in the libraries that this process has loaded",
				   "make the context current on this thread before tacho is asked",
				   "no OpenGL context is current on this thread");
	find_functions(&gl);
	if (!gl.get_integer || !gl.gen_queries || !gl.delete_queries || !gl.is_query ||
	    !gl.begin_query || !gl.end_query || !gl.get_query || !gl.get_object || !gl.flush ||
	    !gl.finish) {
		tacho__dl_close(&gl.dl);
		return tacho__fail(TACHO_E_VERSION,
				   tacho__detail("%s has no query objects", ways[i].library),
				   "install a driver with OpenGL 1.5 or OpenGL ES 3.0",
				   "this OpenGL cannot count");
	}
	find_own(&gl);
	*out_gl = gl;
	return 0;
}
