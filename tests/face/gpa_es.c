/* SPDX-License-Identifier: MIT */
/*
 * gpa_es DRIVER [desktop]: what a context of OpenGL ES 3 counts, through GPUPerfAPI only. Exits
 * with 0 when all is as worked out, 77 without a context. With a second word the context is one of
 * OpenGL.
 *
 * The target is 64x64 pixels. A draw is three triangles; the first covers half of the target, the
 * others lie outside of it.
 */
#define GL_GLEXT_PROTOTYPES 1
#include <GL/glcorearb.h>

#include "gl_ways.h"
#include "gpa_api.h"

enum { SIDE = 64, TRIANGLES = 3, FEEDBACK_BYTES = TRIANGLES * 3 * 4 * sizeof(float) };

static struct gpa_api api;
static GLuint program;

#define VERTEX                                                           \
	"#version 300 es\nlayout(location=0) in vec2 at; out vec4 kept;" \
	"void main() { kept = gl_Position = vec4(at, 0.0, 1.0); }"
#define FRAGMENT                                                    \
	"#version 300 es\nprecision mediump float; out vec4 color;" \
	"void main() { color = vec4(1.0); }"

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

static void attach(GLenum kind, const char *text)
{
	GLuint shader = glCreateShader(kind);

	glShaderSource(shader, 1, &text, NULL);
	glCompileShader(shader);
	glAttachShader(program, shader);
}

static void make_scene(void)
{
	static const float corners[TRIANGLES * 3][2] = {{-1, -1}, {1, -1}, {-1, 1}, {2, 2}, {3, 2},
							{2, 3},	  {4, 4},  {5, 4},  {4, 5}};
	static const char *const kept[] = {"kept"};
	GLuint names[4];
	GLint ok = 0;

	program = glCreateProgram();
	attach(GL_VERTEX_SHADER, VERTEX);
	attach(GL_FRAGMENT_SHADER, FRAGMENT);
	glTransformFeedbackVaryings(program, 1, kept, GL_INTERLEAVED_ATTRIBS);
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	if (!ok) {
		printf("the program does not link\n");
		exit(1);
	}
	glUseProgram(program);
	glGenFramebuffers(1, &names[0]);
	glBindFramebuffer(GL_FRAMEBUFFER, names[0]);
	glGenRenderbuffers(1, &names[1]);
	glBindRenderbuffer(GL_RENDERBUFFER, names[1]);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIDE, SIDE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[1]);
	glViewport(0, 0, SIDE, SIDE);
	glGenVertexArrays(1, &names[0]);
	glBindVertexArray(names[0]);
	glGenBuffers(2, &names[2]);
	glBindBuffer(GL_ARRAY_BUFFER, names[2]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
	glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, names[3]);
	glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, FEEDBACK_BYTES, NULL, GL_STREAM_COPY);
}

static void draw(void)
{
	glDrawArrays(GL_TRIANGLES, 0, TRIANGLES * 3);
}

/* The scissor leaves no pixel. */
static void draw_hidden(void)
{
	glEnable(GL_SCISSOR_TEST);
	glScissor(0, 0, 0, 0);
	draw();
	glDisable(GL_SCISSOR_TEST);
}

static void draw_feedback(void)
{
	glEnable(GL_RASTERIZER_DISCARD);
	glBeginTransformFeedback(GL_TRIANGLES);
	draw();
	glEndTransformFeedback();
	glDisable(GL_RASTERIZER_DISCARD);
}

/* OpenGL ES 3.0 has the first two counters, 3.2 the third. */
static const struct scene {
	const char *name;
	void (*draw)(void);
	gpa_uint64 visible, written, generated;
} scenes[] = {
	{"drawn", draw, 1, 0, 3},
	{"hidden", draw_hidden, 0, 0, 3},
	{"transform feedback", draw_feedback, 0, 3, 3},
};
enum { SCENE_COUNT = sizeof(scenes) / sizeof(*scenes) };

static gpa_uint32 sample_all(void)
{
	gpa_uint32 session, passes;

	check(api.GetPassCount(&passes), "GetPassCount");
	printf("%u passes\n", passes);
	check(api.BeginSession(&session), "BeginSession");
	for (gpa_uint32 pass = 0; pass < passes; pass++) {
		check(api.BeginPass(), "BeginPass");
		for (gpa_uint32 i = 0; i < SCENE_COUNT; i++) {
			check(api.BeginSample(i), "BeginSample");
			scenes[i].draw();
			check(api.EndSample(), "EndSample");
		}
		check(api.EndPass(), "EndPass");
	}
	check(api.EndSession(), "EndSession");
	return session;
}

static int compare(gpa_uint32 session, gpa_uint32 sample, const char *counter, gpa_uint64 wanted)
{
	gpa_uint64 value = 0;
	gpa_uint32 index;

	check(api.GetCounterIndex(counter, &index), counter);
	check(api.GetSampleUInt64(session, sample, index, &value), counter);
	printf("%-18s %-20s %llu %s\n", scenes[sample].name, counter, value,
	       value == wanted ? "ok" : "WRONG");
	return value != wanted;
}

static int has_counter(const char *name)
{
	gpa_uint32 index;

	return !api.GetCounterIndex(name, &index);
}

/* softpipe, which leaves drawing to others than llvmpipe, counts no primitives without feedback. */
static int compare_all(gpa_uint32 session, const char *driver)
{
	int is_softpipe = !strcmp(driver, "softpipe"), bad = 0;
	double time = 0;
	gpa_uint32 index;

	for (gpa_uint32 i = 0; i < SCENE_COUNT; i++) {
		const struct scene *scene = &scenes[i];

		bad += compare(session, i, "OcclusionPredicate", scene->visible);
		bad += compare(session, i, "PrimsWritten_S0", scene->written);
		if (has_counter("PrimsStorageNeed_S0"))
			bad += compare(session, i, "PrimsStorageNeed_S0",
				       is_softpipe && !scene->written ? 0 : scene->generated);
	}
	if (!has_counter("GPUTime"))
		return bad;
	check(api.GetCounterIndex("GPUTime", &index), "GetCounterIndex");
	check(api.GetSampleFloat64(session, 0, index, &time), "GPUTime");
	printf("GPUTime: %.6f ms\n", time);
	return bad + !(time > 0);
}

/* What OpenGL ES does not have is not there, rather than 0. */
static int compare_list(void)
{
	static const char *const missing[] = {"Occlusion", "IAVertices", "PSInvocations",
					      "OverflowPred", "PrimsNotStored"};
	int bad = 0;

	for (size_t i = 0; i < sizeof(missing) / sizeof(*missing); i++)
		bad += has_counter(missing[i]);
	return bad;
}

int main(int count, char **arguments)
{
	const char *reason;
	gpa_uint32 session;
	void *context;
	int bad;

	gpa_load(getenv("TACHO_GPA_GL"), &api);
	api.RegisterLoggingCallback(GPA_LOGGING_ERROR_AND_MESSAGE, tell);
	check(api.Initialize(), "Initialize");
	context = gl_way_open(count == 3 ? GL_WAY_EGL : GL_WAY_EGL_ES, &reason);
	if (!context || count < 2 || count > 3) {
		printf("SKIP: no OpenGL ES 3 without a window: %s\n", reason);
		return 77;
	}
	printf("%s, %s\n", (const char *)glGetString(GL_RENDERER),
	       (const char *)glGetString(GL_VERSION));
	if (count == 2)
		make_scene();
	check(api.OpenContext(context), "OpenContext");
	bad = compare_list();
	check(api.EnableAllCounters(), "EnableAllCounters");
	session = sample_all();
	bad += compare_all(session, arguments[1]);
	check(api.CloseContext(), "CloseContext");
	check(api.Destroy(), "Destroy");
	bad += glGetError() != 0;
	printf("%d wrong\n", bad);
	return bad != 0;
}
