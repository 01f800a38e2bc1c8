/* SPDX-License-Identifier: MIT */
/*
 * Draws scenes whose counts are worked out by hand and counts them with tacho, on an OpenGL context
 * without a window: gl_scene DRIVER, where DRIVER is how the counts deviate: "llvmpipe", "zink",
 * "softpipe"; draw_deviations() adds what depends on the release of Mesa. Prints a line per scene
 * and counter; exits with 0 when all are as worked out, 77 without a context.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gl_draw.h"
#include "tacho/error.h"
#include "tacho/session.h"

enum { SCENES_MAX = 16, VALUES_MAX = 24 };

static int version; /* of OpenGL: 45 is 4.5 */

/* What a counter must be: by the specification, and where a driver is known to deviate. */
struct expected {
	const char *counter;
	uint64_t value;
	const char *driver; /* "": every driver; comes after the value for all others */
};

static const struct scene {
	const char *name;
	void (*draw)(void);
	int version;
	struct expected values[VALUES_MAX];
} scenes[] = {
	/* 100 points, one pixel each; "blocks": the block of 4x4 pixels around each is counted */
	{"points",
	 draw_points,
	 33,
	 {{"IAVertices", 100, ""},
	  {"IAPrimitives", 100, ""},
	  {"VSInvocations", 100, ""},
	  {"GSInvocations", 0, ""},
	  {"GSPrimitives", 0, ""},
	  {"HSInvocations", 0, ""},
	  {"DSInvocations", 0, ""},
	  {"CSInvocations", 0, ""},
	  {"CInvocations", 100, ""},
	  {"CPrimitives", 100, ""},
	  {"CPrimitives", 200, "softpipe"},
	  {"PSInvocations", 100, ""},
	  {"PSInvocations", 1600, "blocks"},
	  {"Occlusion", 100, ""},
	  {"OcclusionPredicate", 1, ""},
	  {"PrimsWritten", 0, ""},
	  {"OverflowPred", 0, ""}}},
	/* 9 x 9 vertices; a triangle of half a square touches 3 of its 4 blocks of 4x4 pixels;
	   "rectangles": no triangle is counted that is half of one */
	{"grid",
	 draw_grid,
	 33,
	 {{"IAVertices", 384, ""},
	  {"IAPrimitives", 128, ""},
	  {"IAPrimitives", 27, "softpipe"},
	  {"VSInvocations", 81, ""},
	  {"CInvocations", 128, ""},
	  {"CPrimitives", 128, ""},
	  {"CPrimitives", 0, "rectangles"},
	  {"PSInvocations", 4096, ""},
	  {"PSInvocations", 6144, "blocks"},
	  {"Occlusion", 4096, ""},
	  {"OcclusionPredicate", 1, ""},
	  {"PrimsStorageNeed_S0", 128, ""},
	  {"PrimsStorageNeed_S0", 0, "softpipe"},
	  {"PrimsWritten_S0", 0, ""},
	  {"PrimsNotStored", 0, ""},
	  {"PrimsNotStored_S0", 0, ""},
	  {"OverflowPred_S0", 0, ""}}},
	/* level 4: 5 x 5 vertices and 32 triangles for each patch, 8x8 pixels */
	{"tessellation",
	 draw_patches,
	 40,
	 {{"IAVertices", 40, ""},
	  {"IAPrimitives", 10, ""},
	  {"VSInvocations", 40, ""},
	  {"HSInvocations", 10, ""},
	  {"DSInvocations", 250, ""},
	  {"CInvocations", 320, ""},
	  {"CPrimitives", 320, ""},
	  {"Occlusion", 640, ""}}},
	/* every triangle twice, on the same pixels */
	{"geometry shader",
	 draw_twice,
	 33,
	 {{"IAVertices", 384, ""},
	  {"IAPrimitives", 128, ""},
	  {"VSInvocations", 384, ""},
	  {"GSInvocations", 128, ""},
	  {"GSPrimitives", 256, ""},
	  {"CInvocations", 256, ""},
	  {"CPrimitives", 256, ""},
	  {"Occlusion", 8192, ""}}},
	/* 128 triangles into room for 100, nothing rasterized */
	{"transform feedback",
	 draw_feedback,
	 33,
	 {{"PrimsWritten", 100, ""},
	  {"PrimsWritten_S0", 100, ""},
	  {"PrimsStorageNeed", 128, ""},
	  {"PrimsStorageNeed_S0", 128, ""},
	  {"PrimsNotStored", 28, ""},
	  {"PrimsNotStored_S0", 28, ""},
	  {"PrimsNotStored_S1", 0, ""},
	  {"OverflowPred", 1, ""},
	  {"OverflowPred_S0", 1, ""},
	  {"OverflowPred_S1", 0, ""},
	  {"CInvocations", 0, ""},
	  {"CInvocations", 128, "softpipe"},
	  {"PSInvocations", 0, ""},
	  {"Occlusion", 0, ""},
	  {"OcclusionPredicate", 0, ""}}},
	/* 10 points become 10, 20, 30 and 40 in the streams, with room for 20 in each */
	{"streams",
	 draw_streams,
	 40,
	 {{"PrimsStorageNeed", 100, ""},
	  {"PrimsStorageNeed_S0", 10, ""},
	  {"PrimsStorageNeed_S1", 20, ""},
	  {"PrimsStorageNeed_S2", 30, ""},
	  {"PrimsStorageNeed_S3", 40, ""},
	  {"PrimsWritten", 70, ""},
	  {"PrimsWritten_S0", 10, ""},
	  {"PrimsWritten_S1", 20, ""},
	  {"PrimsWritten_S2", 20, ""},
	  {"PrimsWritten_S3", 20, ""},
	  {"PrimsNotStored", 30, ""},
	  {"PrimsNotStored_S1", 0, ""},
	  {"PrimsNotStored_S2", 10, ""},
	  {"PrimsNotStored_S3", 20, ""},
	  {"OverflowPred", 1, ""},
	  {"OverflowPred_S0", 0, ""},
	  {"OverflowPred_S1", 0, ""},
	  {"OverflowPred_S2", 1, ""},
	  {"OverflowPred_S3", 1, ""}}},
	/* 4 x 3 x 2 groups of 8 x 8 */
	{"compute", run_compute, 43, {{"CSInvocations", 1536, ""}, {"VSInvocations", 0, ""}}},
	{"hidden",
	 draw_hidden,
	 33,
	 {{"Occlusion", 0, ""}, {"OcclusionPredicate", 0, ""}, {"VSInvocations", 81, ""}}},
};

enum { SCENE_COUNT = sizeof(scenes) / sizeof(scenes[0]) };

static int make_context(void)
{
	static const EGLint versions[][2] = {{4, 6}, {4, 5}, {3, 3}};
	EGLDisplay display =
		eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	EGLContext context = EGL_NO_CONTEXT;

	if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) ||
	    !eglBindAPI(EGL_OPENGL_API))
		return 0;
	for (size_t i = 0; context == EGL_NO_CONTEXT && i < 3; i++) {
		const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
					 versions[i][0],
					 EGL_CONTEXT_MINOR_VERSION,
					 versions[i][1],
					 EGL_CONTEXT_OPENGL_PROFILE_MASK,
					 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
					 EGL_NONE};

		context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
	}
	if (context == EGL_NO_CONTEXT ||
	    !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		return 0;
	return 1;
}

/* Without a context that is current there is no device, and the cause says so. */
static void check_nothing(void)
{
	struct tacho_context_options options = {.size = sizeof(options), .backends = "gl"};
	const struct tacho_probe_backend *backend_info;
	struct tacho_context *context;

	if (tacho_context_create(&options, &context))
		die("no context of tacho");
	backend_info = tacho_probe_get_backend(tacho_context_get_probe(context), 0);
	if (tacho_context_get_device_info(context, 0) || backend_info->usable ||
	    !strstr(backend_info->cause, "current")) {
		fprintf(stderr, "gl_scene: a device without a context: %s\n", backend_info->cause);
		exit(1);
	}
	tacho_context_destroy(context);
}

/* The counters of docs/gl.md, and the drivers of its table that lack them. */
static const struct {
	const char *name, *lacking; /* "": all drivers have it */
} counters[] = {
	{"IAVertices", ""},
	{"IAPrimitives", ""},
	{"VSInvocations", ""},
	{"HSInvocations", "softpipe"},
	{"DSInvocations", "softpipe"},
	{"GSInvocations", ""},
	{"GSPrimitives", ""},
	{"PSInvocations", ""},
	{"CSInvocations", ""},
	{"CInvocations", ""},
	{"CPrimitives", ""},
	{"Occlusion", ""},
	{"OcclusionPredicate", ""},
	{"OverflowPred", ""},
	{"OverflowPred_S0", ""},
	{"OverflowPred_S1", ""},
	{"OverflowPred_S2", ""},
	{"OverflowPred_S3", ""},
	{"PrimsStorageNeed", ""},
	{"PrimsStorageNeed_S0", ""},
	{"PrimsStorageNeed_S1", ""},
	{"PrimsStorageNeed_S2", ""},
	{"PrimsStorageNeed_S3", ""},
	{"PrimsWritten", ""},
	{"PrimsWritten_S0", ""},
	{"PrimsWritten_S1", ""},
	{"PrimsWritten_S2", ""},
	{"PrimsWritten_S3", ""},
	{"PrimsNotStored", ""},
	{"PrimsNotStored_S0", ""},
	{"PrimsNotStored_S1", ""},
	{"PrimsNotStored_S2", ""},
	{"PrimsNotStored_S3", ""},
	{"D3DGPUTime", ""},
	{"GPUTime", ""},
};

enum { COUNTER_COUNT = sizeof(counters) / sizeof(counters[0]) };

/* Whether the table has it for this driver; a counter that is not in the table is in none. */
static int is_expected(const char *name, const char *driver)
{
	for (size_t i = 0; i < COUNTER_COUNT; i++)
		if (!strcmp(counters[i].name, name))
			return !*counters[i].lacking || !strstr(driver, counters[i].lacking);
	return 0;
}

/* The values have a column for each counter that the driver must have, and no other. */
static int compare_counters(const struct tacho_result *result, const char *driver)
{
	const struct tacho_column *column;
	int bad = 0;

	for (size_t i = 0; i < COUNTER_COUNT; i++)
		if (is_expected(counters[i].name, driver) &&
		    !tacho_result_find_column(result, counters[i].name)) {
			printf("%s: this driver has it, and there are no values: WRONG\n",
			       counters[i].name);
			bad++;
		}
	for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++)
		if (!is_expected(column->name, driver)) {
			printf("%s: this driver does not have it, and there are values: WRONG\n",
			       column->name);
			bad++;
		}
	return bad;
}

/* All that this driver has of the query counters; what it lacks is printed with the reason. */
static struct tacho_config *make_config(struct tacho_device *device)
{
	const struct tacho_arch *arch = tacho_device_get_arch(device);
	struct tacho_config_entry entries[64] = {0};
	const struct tacho_entry *entry;
	struct tacho_config *config;
	size_t count = 0;

	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)) && count < 64; i++) {
		if (entry->kind != TACHO_ENTRY_METRIC || !strncmp(entry->name, "GL_", 3))
			continue;
		if (tacho_config_check_entry(arch, tacho_device_get_model(device), entry))
			printf("not here: %s: %s\n", entry->name, tacho_error_last()->cause);
		else
			entries[count++].name = entry->name;
	}
	if (tacho_config_create(arch, tacho_device_get_model(device), entries, count, &config))
		die("no config");
	return config;
}

static double now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static double run_scene(struct tacho_session *session, size_t index)
{
	const struct scene *scene = index < SCENE_COUNT ? &scenes[index] : NULL;
	tacho_range range;
	double begin_ms;

	glFinish();
	begin_ms = now_ms();
	if (tacho_session_begin_range(session, 0, index, scene ? scene->name : "busy", &range))
		die("no range");
	if (scene && version >= scene->version)
		scene->draw();
	else if (!scene)
		draw_busy();
	if (tacho_session_end_range(session, range))
		die("the range does not end");
	glFinish();
	return now_ms() - begin_ms;
}

/* How long the busy scene took, over all passes. */
struct wall {
	double shortest_ms, longest_ms;
};

static struct wall run_passes(struct tacho_session *session)
{
	struct wall wall = {INFINITY, 0};
	int more = 1;

	draw_busy(); /* drivers compile when something is first drawn */

	while (more) {
		if (tacho_session_begin_pass(session))
			die("no pass");
		for (size_t i = 0; i <= SCENE_COUNT; i++) {
			double time_ms = run_scene(session, i);

			if (i < SCENE_COUNT)
				continue;
			wall.shortest_ms = fmin(wall.shortest_ms, time_ms);
			wall.longest_ms = fmax(wall.longest_ms, time_ms);
		}
		if (tacho_session_end_pass(session, &more))
			die("the pass does not end");
	}
	return wall;
}

static double get_value(const struct tacho_column *column, size_t row)
{
	return column->type == TACHO_TYPE_U64 ? (double)column->data.u64[row]
					      : column->data.f64[row];
}

static int compare_scene(const struct tacho_result *result, size_t index, const char *driver)
{
	const struct scene *scene = &scenes[index];
	int bad = 0;

	for (size_t i = 0; i < VALUES_MAX && scene->values[i].counter; i++) {
		const struct expected *expected = &scene->values[i], *next = expected + 1;
		const struct tacho_column *column =
			tacho_result_find_column(result, expected->counter);
		const char *word = "ok";
		unsigned state;
		double value;

		if (*expected->driver)
			continue;
		for (; i + 1 < VALUES_MAX && next->counter && *next->driver; next++)
			if (strstr(driver, next->driver))
				expected = next;
		if (!column || version < scene->version)
			continue; /* compare_counters() has the former */
		value = get_value(column, index);
		state = column->states ? column->states[index] : TACHO_STATE_OK;
		if (state != TACHO_STATE_OK || value != (double)expected->value) {
			word = "WRONG";
			bad++;
		} else if (*expected->driver) {
			word = "quirk";
		}
		printf("%-18s %-20s %6.0f %s", scene->name, expected->counter, value, word);
		printf(strcmp(word, "WRONG") ? "\n" : ", %llu expected, state %u\n",
		       (unsigned long long)expected->value, state);
	}
	return bad;
}

/* The wall clock around the work is never shorter in the same pass, and not four times as long. */
static int compare_time(const struct tacho_result *result, struct wall wall)
{
	const struct tacho_column *column = tacho_result_find_column(result, "GPUTime");
	double time_ms = column ? column->data.f64[SCENE_COUNT] : NAN;

	printf("GPUTime of busy work: %.3f ms, wall clock %.3f to %.3f ms\n", time_ms,
	       wall.shortest_ms, wall.longest_ms);
	return !(time_ms > wall.shortest_ms / 4 && time_ms <= wall.longest_ms);
}

int main(int count, char **arguments)
{
	struct tacho_context_options options = {.size = sizeof(options), .backends = "gl"};
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
	struct tacho_result *result;
	struct tacho_plan_summary summary;
	struct wall wall;
	const char *driver;
	int bad = 0;

	check_nothing();
	if (count != 2 || !make_context()) {
		printf("SKIP: no OpenGL context without a window: 0x%04x\n", eglGetError());
		return 77;
	}
	version = draw_prepare();
	if (tacho_context_create(&options, &context) ||
	    tacho_device_open(context, tacho_context_get_device_info(context, 0), &device))
		die("no device");
	config = make_config(device);
	if (tacho_device_plan(device, config, NULL, &plan) ||
	    tacho_session_create(device, plan, NULL, &session))
		die("no session");
	tacho_plan_get_summary(plan, &summary);
	printf("%zu passes: %s\n", summary.pass_count, summary.binding);
	wall = run_passes(session);
	if (tacho_session_drain(session, UINT64_C(20000000000), NULL) ||
	    tacho_session_take(session, &result))
		die("no values");
	driver = draw_deviations(arguments[1]);
	bad += compare_counters(result, driver);
	for (size_t i = 0; i < SCENE_COUNT; i++)
		bad += compare_scene(result, i, driver);
	bad += compare_time(result, wall);
	if (glGetError()) {
		printf("an error of OpenGL is left\n");
		bad++;
	}
	tacho_result_destroy(result);
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	tacho_context_destroy(context);
	printf("%d wrong\n", bad);
	return bad != 0;
}
