/* SPDX-License-Identifier: MIT */
/* The target is 64x64 pixels. The grid has 8x8 squares of 8x8 pixels, each of two triangles. */
#include "gl_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tacho/error.h"

enum { SIDE = 64, SQUARES = 8, GRID_POINTS = SQUARES + 1, GRID_INDICES = SQUARES * SQUARES * 6 };
enum { POINTS = 100, PATCHES = 10, STREAM_POINTS = 10 };
enum { XFB_ROOM = 100, STREAM_ROOM = 20, BUSY_ROUNDS = 1000 };

void die(const char *what)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	fprintf(stderr, "gl_scene: %s: %s; %s; %s\n", what, detail->message, detail->cause,
		detail->cure);
	exit(1);
}

static GLuint make_shader(GLenum kind, const char *text)
{
	GLuint shader = glCreateShader(kind);
	GLint ok = 0;
	char log[1024] = "";

	glShaderSource(shader, 1, &text, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
	if (ok)
		return shader;
	glGetShaderInfoLog(shader, sizeof(log), NULL, log);
	fprintf(stderr, "gl_scene: a shader does not compile: %s\n", log);
	exit(1);
}

struct stage {
	GLenum kind;
	const char *text;
};

static GLuint make_program(const struct stage *stages, const char *const *outputs, int count)
{
	GLuint program = glCreateProgram();
	GLint ok = 0;

	for (; stages->text; stages++)
		glAttachShader(program, make_shader(stages->kind, stages->text));
	if (count)
		glTransformFeedbackVaryings(program, count, outputs, GL_INTERLEAVED_ATTRIBS);
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	if (ok)
		return program;
	fprintf(stderr, "gl_scene: a program does not link\n");
	exit(1);
}

#define VERTEX                                                        \
	"#version 330\nlayout(location=0) in vec2 at; out vec4 kept;" \
	"void main() { kept = gl_Position = vec4(at / 32.0 - 1.0, 0.0, 1.0); }"
#define FRAGMENT "#version 330\nout vec4 color; void main() { color = vec4(1.0); }"
#define BUSY                                                                             \
	"#version 330\nout vec4 color; uniform int rounds; void main() { float a = 0.5;" \
	"for (int i = 0; i < rounds; i++) a = sin(a + 1.0); color = vec4(a); }"
#define TWICE                                                                             \
	"#version 330\nlayout(triangles) in; layout(triangle_strip, max_vertices=6) out;" \
	"void main() { for (int n = 0; n < 2; n++) { for (int i = 0; i < 3; i++) {"       \
	"gl_Position = gl_in[i].gl_Position; EmitVertex(); } EndPrimitive(); } }"
#define CONTROL                                                                     \
	"#version 400\nlayout(vertices=4) out; void main() {"                       \
	"gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;" \
	"for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = 4.0;"                   \
	"gl_TessLevelInner[0] = gl_TessLevelInner[1] = 4.0; }"
#define EVALUATION                                                                  \
	"#version 400\nlayout(quads, equal_spacing, ccw) in; void main() {"         \
	"vec4 a = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x);" \
	"vec4 b = mix(gl_in[3].gl_Position, gl_in[2].gl_Position, gl_TessCoord.x);" \
	"gl_Position = mix(a, b, gl_TessCoord.y); }"
#define STREAMS                                                                                \
	"#version 400\nlayout(points) in; layout(points, max_vertices=10) out;"                \
	"layout(stream=0) out float a; layout(stream=1) out float b;"                          \
	"layout(stream=2) out float c; layout(stream=3) out float d; void main() {"            \
	"a = b = c = d = 1.0; EmitStreamVertex(0); EndStreamPrimitive(0);"                     \
	"for (int i = 0; i < 2; i++) { b = 1.0; EmitStreamVertex(1); EndStreamPrimitive(1); }" \
	"for (int i = 0; i < 3; i++) { c = 1.0; EmitStreamVertex(2); EndStreamPrimitive(2); }" \
	"for (int i = 0; i < 4; i++) { d = 1.0; EmitStreamVertex(3); EndStreamPrimitive(3); } }"
#define COMPUTE "#version 430\nlayout(local_size_x=8, local_size_y=8) in; void main() { }"

static struct {
	GLint version; /* 45: OpenGL 4.5 */
	GLuint plain, busy, twice, patches, feedback, streams, compute;
	GLuint arrays, grid, points, quads, buffers[4];
} world;

/* Vertices in pixels, two numbers each, in a vertex array of their own. */
static GLuint make_array(const float *vertices, size_t count)
{
	GLuint array, buffer;

	glGenVertexArrays(1, &array);
	glBindVertexArray(array);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * 2 * sizeof(float)), vertices,
		     GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
	return array;
}

static void make_grid(void)
{
	float corners[GRID_POINTS * GRID_POINTS * 2], all[GRID_INDICES * 2];
	GLushort indices[GRID_INDICES];
	GLuint buffer;
	size_t n = 0;

	for (int i = 0; i < GRID_POINTS * GRID_POINTS; i++) {
		corners[2 * i] = (float)(i % GRID_POINTS * SIDE / SQUARES);
		corners[2 * i + 1] = (float)(i / GRID_POINTS * SIDE / SQUARES);
	}
	for (int y = 0; y < SQUARES; y++)
		for (int x = 0; x < SQUARES; x++) {
			static const int steps[6] = {0,		 1, GRID_POINTS, 1, GRID_POINTS + 1,
						     GRID_POINTS};

			for (int i = 0; i < 6; i++)
				indices[n++] = (GLushort)(y * GRID_POINTS + x + steps[i]);
		}
	for (n = 0; n < GRID_INDICES; n++)
		memcpy(&all[2 * n], &corners[2 * indices[n]], 2 * sizeof(float));
	world.arrays = make_array(all, GRID_INDICES);
	world.grid = make_array(corners, GRID_POINTS * GRID_POINTS);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
}

/* Points in the middle of pixels, no two in one block of 4x4; squares of 8x8 pixels for patches. */
static void make_others(void)
{
	static const float corner[4][2] = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
	float points[POINTS * 2], quads[PATCHES * 4 * 2];

	for (int i = 0; i < POINTS; i++) {
		points[2 * i] = (float)(i % 10) * 4 + 0.5f;
		points[2 * i + 1] = (float)(i / 10) * 4 + 0.5f;
	}
	for (int i = 0; i < PATCHES * 4; i++) {
		quads[2 * i] = (float)(i / 4 % 8 * 8) + corner[i % 4][0];
		quads[2 * i + 1] = (float)(i / 4 / 8 * 8) + corner[i % 4][1];
	}
	world.points = make_array(points, POINTS);
	world.quads = make_array(quads, PATCHES * 4);
}

static void make_programs(void)
{
	static const char *const kept[] = {"kept"};
	static const char *const streams[] = {"a", "gl_NextBuffer", "b", "gl_NextBuffer",
					      "c", "gl_NextBuffer", "d"};
	const struct stage vertex = {GL_VERTEX_SHADER, VERTEX};
	const struct stage fragment = {GL_FRAGMENT_SHADER, FRAGMENT};
	const struct stage busy = {GL_FRAGMENT_SHADER, BUSY};
	const struct stage twice = {GL_GEOMETRY_SHADER, TWICE};
	const struct stage last = {0, NULL};

	world.plain = make_program((struct stage[]){vertex, fragment, last}, NULL, 0);
	world.busy = make_program((struct stage[]){vertex, busy, last}, NULL, 0);
	world.twice = make_program((struct stage[]){vertex, twice, fragment, last}, NULL, 0);
	world.feedback = make_program((struct stage[]){vertex, last}, kept, 1);
	if (world.version >= 40) {
		world.patches =
			make_program((struct stage[]){vertex,
						      {GL_TESS_CONTROL_SHADER, CONTROL},
						      {GL_TESS_EVALUATION_SHADER, EVALUATION},
						      fragment,
						      last},
				     NULL, 0);
		world.streams = make_program(
			(struct stage[]){vertex, {GL_GEOMETRY_SHADER, STREAMS}, last}, streams, 7);
		glPatchParameteri(GL_PATCH_VERTICES, 4);
	}
	if (world.version >= 43)
		world.compute =
			make_program((struct stage[]){{GL_COMPUTE_SHADER, COMPUTE}, last}, NULL, 0);
	glGenBuffers(4, world.buffers);
}

static void make_target(void)
{
	GLuint frame, color;

	glGenFramebuffers(1, &frame);
	glBindFramebuffer(GL_FRAMEBUFFER, frame);
	glGenRenderbuffers(1, &color);
	glBindRenderbuffer(GL_RENDERBUFFER, color);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIDE, SIDE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
	glViewport(0, 0, SIDE, SIDE);
}

void draw_points(void)
{
	glUseProgram(world.plain);
	glBindVertexArray(world.points);
	glDrawArrays(GL_POINTS, 0, POINTS);
}

void draw_grid(void)
{
	glUseProgram(world.plain);
	glBindVertexArray(world.grid);
	glDrawElements(GL_TRIANGLES, GRID_INDICES, GL_UNSIGNED_SHORT, NULL);
}

void draw_patches(void)
{
	glUseProgram(world.patches);
	glBindVertexArray(world.quads);
	glDrawArrays(GL_PATCHES, 0, PATCHES * 4);
}

void draw_twice(void)
{
	glUseProgram(world.twice);
	glBindVertexArray(world.arrays);
	glDrawArrays(GL_TRIANGLES, 0, GRID_INDICES);
}

static void bind_feedback(int count, size_t bytes)
{
	for (int i = 0; i < count; i++) {
		glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, (GLuint)i, world.buffers[i]);
		glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_COPY);
	}
}

void draw_feedback(void)
{
	bind_feedback(1, XFB_ROOM * 3 * 4 * sizeof(float));
	glUseProgram(world.feedback);
	glBindVertexArray(world.arrays);
	glEnable(GL_RASTERIZER_DISCARD);
	glBeginTransformFeedback(GL_TRIANGLES);
	glDrawArrays(GL_TRIANGLES, 0, GRID_INDICES);
	glEndTransformFeedback();
	glDisable(GL_RASTERIZER_DISCARD);
}

void draw_streams(void)
{
	bind_feedback(4, STREAM_ROOM * sizeof(float));
	glUseProgram(world.streams);
	glBindVertexArray(world.points);
	glEnable(GL_RASTERIZER_DISCARD);
	glBeginTransformFeedback(GL_POINTS);
	glDrawArrays(GL_POINTS, 0, STREAM_POINTS);
	glEndTransformFeedback();
	glDisable(GL_RASTERIZER_DISCARD);
}

void run_compute(void)
{
	glUseProgram(world.compute);
	glDispatchCompute(4, 3, 2);
}

/* The scissor leaves no pixel: all is hidden. */
void draw_hidden(void)
{
	glEnable(GL_SCISSOR_TEST);
	glScissor(0, 0, 0, 0);
	draw_grid();
	glDisable(GL_SCISSOR_TEST);
}

void draw_busy(void)
{
	glUseProgram(world.busy);
	glUniform1i(glGetUniformLocation(world.busy, "rounds"), BUSY_ROUNDS);
	glBindVertexArray(world.grid);
	glDrawElements(GL_TRIANGLES, GRID_INDICES, GL_UNSIGNED_SHORT, NULL);
}

int draw_prepare(void)
{
	GLint major = 0, minor = 0;

	glGetIntegerv(GL_MAJOR_VERSION, &major);
	glGetIntegerv(GL_MINOR_VERSION, &minor);
	world.version = 10 * major + minor;
	printf("%s, %s\n", (const char *)glGetString(GL_RENDERER),
	       (const char *)glGetString(GL_VERSION));
	make_target();
	make_grid();
	make_others();
	make_programs();
	return world.version;
}

const char *draw_deviations(const char *driver)
{
	static char words[64];
	const char *mesa = strstr((const char *)glGetString(GL_VERSION), "Mesa ");
	int major = 0, minor = 0;

	if (!mesa || sscanf(mesa, "Mesa %d.%d", &major, &minor) != 2 || !strstr(driver, "llvmpipe"))
		return driver;
	snprintf(words, sizeof(words), "%s%s%s", driver,
		 100 * major + minor < 2403 ? ",blocks" : "",
		 100 * major + minor >= 2302 ? ",rectangles" : "");
	return words;
}
