/* SPDX-License-Identifier: MIT */
/* In an EGL context without a window: n points. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GL_GLEXT_PROTOTYPES 1
#include <GL/glcorearb.h>

#include "gl_ways.h"
#include "nvpa_work.h"

const char *const work_metric = "IAVertices";

static GLuint add_shader(GLuint program, GLenum kind, const char *text)
{
	GLuint shader = glCreateShader(kind);

	glShaderSource(shader, 1, &text, NULL);
	glCompileShader(shader);
	glAttachShader(program, shader);
	return shader;
}

static void make_target(void)
{
	GLuint frame, color;

	glGenFramebuffers(1, &frame);
	glBindFramebuffer(GL_FRAMEBUFFER, frame);
	glGenRenderbuffers(1, &color);
	glBindRenderbuffer(GL_RENDERBUFFER, color);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
	glViewport(0, 0, 16, 16);
}

/* Points in the middle of nowhere, and a buffer of indices for glDrawElements(). */
static int prepare(void)
{
	static const unsigned short indices[6] = {0, 1, 2, 3, 4, 5};
	GLuint program = glCreateProgram(), array, buffer;
	GLint is_linked = 0;

	add_shader(
		program, GL_VERTEX_SHADER,
		"#version 330\nvoid main() { gl_Position = vec4(float(gl_VertexID), 0, 0, 1); }");
	add_shader(program, GL_FRAGMENT_SHADER,
		   "#version 330\nout vec4 color; void main() { color = vec4(1); }");
	make_target();
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
	glUseProgram(program);
	glGenVertexArrays(1, &array);
	glBindVertexArray(array);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
	return is_linked;
}

void *work_open(const char **out_reason)
{
	void *ctx = gl_way_open(GL_WAY_EGL, out_reason);

	if (!ctx)
		return NULL;
	printf("%s, %s\n", glGetString(GL_RENDERER), glGetString(GL_VERSION));
	if (!prepare()) {
		puts("the program does not link");
		exit(1);
	}
	work_do(1); /* drivers compile when something is first drawn */
	glFinish();
	return ctx;
}

void work_do(unsigned n)
{
	glDrawArrays(GL_POINTS, 0, (GLsizei)n);
}

uint64_t work_get_shortest_ns(unsigned n)
{
	(void)n;
	return 0;
}

void work_close(void)
{
}
