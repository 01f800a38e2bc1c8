/* SPDX-License-Identifier: MIT */
/*
 * gpa_scene DRIVER [glx]: the scenes of gl_scene, with the numbers that are worked out by hand
 * there, counted through GPUPerfAPI only, in a context of EGL or of GLX. Exits with 0 when all are
 * as worked out, 77 without a context.
 */
int native_main(int count, char **arguments);
#define main native_main
#include "../real/gl_scene.c"
#undef main

#include "gl_ways.h"
#include "gpa_api.h"

#include <dirent.h>

static struct gpa_api api;

/* What is left out and why, and every error. */
static void tell(GPA_Logging_Type type, const char *text)
{
	printf("%s: %s\n", type == GPA_LOGGING_ERROR ? "error" : "message", text);
}

static void check(GPA_Status status, const char *what)
{
	if (!status)
		return;
	printf("%s: %s\n", what, api.GetStatusAsStr(status));
	exit(1);
}

static gpa_uint32 sample_all(void)
{
	gpa_uint32 session, passes;

	check(api.GetPassCount(&passes), "GetPassCount");
	printf("%u passes\n", passes);
	check(api.BeginSession(&session), "BeginSession");
	draw_busy(); /* drivers compile when something is first drawn */
	for (gpa_uint32 pass = 0; pass < passes; pass++) {
		check(api.BeginPass(), "BeginPass");
		for (gpa_uint32 i = 0; i <= SCENE_COUNT; i++) {
			check(api.BeginSample(i), "BeginSample");
			if (i == SCENE_COUNT)
				draw_busy();
			else if (version >= scenes[i].version)
				scenes[i].draw();
			check(api.EndSample(), "EndSample");
		}
		check(api.EndPass(), "EndPass");
	}
	check(api.EndSession(), "EndSession");
	return session;
}

static int compare_value(gpa_uint32 session, gpa_uint32 sample, const struct expected *expected)
{
	gpa_uint32 index;
	gpa_uint64 value = 0;
	GPA_Status status;

	if (api.GetCounterIndex(expected->counter, &index))
		return 0; /* this driver has it not */
	status = api.GetSampleUInt64(session, sample, index, &value);
	printf("%-18s %-20s %6llu %s\n", scenes[sample].name, expected->counter, value,
	       status			   ? api.GetStatusAsStr(status)
	       : value != expected->value  ? "WRONG"
	       : *expected->driver != '\0' ? "quirk"
					   : "ok");
	return status || value != expected->value;
}

/* Values for drivers come behind the value for all. */
static int compare_all(gpa_uint32 session, gpa_uint32 sample, const char *driver)
{
	const struct expected *values = scenes[sample].values;
	int bad = 0;

	for (size_t i = 0; i < VALUES_MAX && values[i].counter; i++) {
		const struct expected *expected = &values[i];

		if (*expected->driver || version < scenes[sample].version)
			continue;
		for (size_t k = i + 1; k < VALUES_MAX && values[k].counter && *values[k].driver;
		     k++)
			if (strstr(driver, values[k].driver))
				expected = &values[k];
		bad += compare_value(session, sample, expected);
	}
	return bad;
}

static int compare_gpu_time(gpa_uint32 session)
{
	gpa_uint32 index;
	double value = 0;

	if (api.GetCounterIndex("GPUTime", &index))
		return 0;
	check(api.GetSampleFloat64(session, SCENE_COUNT, index, &value), "GPUTime");
	printf("GPUTime of busy work: %.3f ms\n", value);
	return !(value > 0);
}

/* The driver's deviations are in the descriptions. */
static int compare_description(const char *driver)
{
	const char *text;
	gpa_uint32 index;

	if (!strstr(driver, "llvmpipe"))
		return 0;
	check(api.GetCounterIndex("PSInvocations", &index), "GetCounterIndex");
	check(api.GetCounterDescription(index, &text), "GetCounterDescription");
	printf("PSInvocations: %s\n", text);
	return strncmp(text, "#D3D11#", 7) != 0 ||
	       !strstr(text, "4x4 pixels") != !strstr(driver, "blocks");
}

/* A sample needs the context that was opened; one that cannot be ended spoils no other. */
static int compare_current(void)
{
	gpa_uint32 session, index;
	gpa_uint64 value = 0;
	int bad = 0;

	check(api.DisableAllCounters(), "DisableAllCounters");
	check(api.EnableCounterStr("OcclusionPredicate"), "EnableCounterStr");
	check(api.GetCounterIndex("OcclusionPredicate", &index), "GetCounterIndex");
	check(api.BeginSession(&session), "BeginSession");
	check(api.BeginPass(), "BeginPass");
	for (gpa_uint32 i = 0; i < 3; i++) {
		bad += !gl_way_use(i % 2 ? GL_USE_OTHER : GL_USE_NONE);
		bad += api.BeginSample(i) != GPA_STATUS_ERROR_FAILED;
		bad += !gl_way_use(GL_USE_OWN);
		check(api.BeginSample(i), "BeginSample");
		draw_grid();
		bad += !gl_way_use(i % 2 ? GL_USE_OTHER : GL_USE_NONE);
		bad += api.EndSample() != GPA_STATUS_ERROR_FAILED;
		bad += !gl_way_use(GL_USE_OWN);
	}
	check(api.BeginSample(9), "BeginSample");
	draw_hidden();
	check(api.EndSample(), "EndSample");
	check(api.EndPass(), "EndPass");
	check(api.EndSession(), "EndSession");
	check(api.GetSampleUInt64(session, 9, index, &value), "GetSampleUInt64");
	bad += value != 0;
	bad += api.GetSampleUInt64(session, 1, index, &value) !=
	       GPA_STATUS_ERROR_READING_COUNTER_RESULT;
	printf("contexts that change: %d wrong\n", bad);
	return bad;
}

/* What the process holds that a context of ours could leave behind. */
struct held {
	unsigned queries, files;
};

static struct held count_held(void)
{
	DIR *folder = opendir("/proc/self/fd");
	struct held held = {0};

	for (GLuint name = 1; name < 65536; name++)
		held.queries += glIsQuery(name);
	while (folder && readdir(folder))
		held.files++;
	if (folder)
		closedir(folder);
	return held;
}

int main(int count, char **arguments)
{
	int is_glx = count == 3 && !strcmp(arguments[2], "glx");
	struct held before, after;
	const char *reason, *driver;
	void *context;
	gpa_uint32 session;
	int bad = 0;

	gpa_load(getenv("TACHO_GPA_GL"), &api);
	api.RegisterLoggingCallback(GPA_LOGGING_ERROR_AND_MESSAGE, tell);
	check(api.Initialize(), "Initialize");
	context = gl_way_open(is_glx ? GL_WAY_GLX : GL_WAY_EGL, &reason);
	if (!context || count < 2) {
		printf("SKIP: no OpenGL context without a window: %s\n", reason);
		return 77;
	}
	version = draw_prepare();
	before = count_held();
	bad += api.OpenContext(&bad) != GPA_STATUS_ERROR_HARDWARE_NOT_SUPPORTED; /* not current */
	check(api.OpenContext(context), "OpenContext");
	driver = draw_deviations(arguments[1]);
	bad += compare_description(driver);
	check(api.EnableAllCounters(), "EnableAllCounters");
	session = sample_all();
	bad += count_held().queries <= before.queries; /* of a session that nobody has read */
	for (gpa_uint32 i = 0; i < SCENE_COUNT; i++)
		bad += compare_all(session, i, driver);
	bad += compare_gpu_time(session);
	bad += compare_current();
	check(api.CloseContext(), "CloseContext");
	check(api.Destroy(), "Destroy");
	after = count_held();
	if (after.queries != before.queries || after.files != before.files) {
		printf("left behind: %u queries, %u files\n", after.queries - before.queries,
		       after.files - before.files);
		bad++;
	}
	bad += glGetError() != 0;
	printf("%d wrong\n", bad);
	return bad != 0;
}
