/* SPDX-License-Identifier: MIT */
/*
 * gpa_scene DRIVER: the scenes of gl_scene, with the numbers that are worked out by hand there,
 * counted through GPUPerfAPI only. Exits with 0 when all are as worked out, 77 without a context.
 */
int native_main(int count, char **arguments);
#define main native_main
#include "../real/gl_scene.c"
#undef main

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
			else if (world.version >= scenes[i].version)
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

		if (*expected->driver || world.version < scenes[sample].version)
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

	if (strcmp(driver, "llvmpipe") != 0)
		return 0;
	check(api.GetCounterIndex("PSInvocations", &index), "GetCounterIndex");
	check(api.GetCounterDescription(index, &text), "GetCounterDescription");
	printf("PSInvocations: %s\n", text);
	return strncmp(text, "#D3D11#", 7) != 0 || !strstr(text, "4x4 pixels");
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
	struct held before, after;
	EGLContext context;
	gpa_uint32 session;
	int bad = 0;

	gpa_load(getenv("TACHO_GPA_GL"), &api);
	api.RegisterLoggingCallback(GPA_LOGGING_ERROR_AND_MESSAGE, tell);
	check(api.Initialize(), "Initialize");
	if (count != 2 || !make_context()) {
		printf("SKIP: no OpenGL context without a window: 0x%04x\n", eglGetError());
		return 77;
	}
	make_target();
	make_grid();
	make_others();
	make_programs();
	context = eglGetCurrentContext();
	before = count_held();
	bad += api.OpenContext(&bad) != GPA_STATUS_ERROR_HARDWARE_NOT_SUPPORTED; /* not current */
	check(api.OpenContext(context), "OpenContext");
	bad += compare_description(arguments[1]);
	check(api.EnableAllCounters(), "EnableAllCounters");
	session = sample_all();
	bad += count_held().queries <= before.queries; /* of a session that nobody has read */
	for (gpa_uint32 i = 0; i < SCENE_COUNT; i++)
		bad += compare_all(session, i, arguments[1]);
	bad += compare_gpu_time(session);
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
