/* SPDX-License-Identifier: MIT */
/*
 * gl_modes DRIVER egl|glx|es: triangles whose numbers are known, in ranges in ranges and in ranges
 * that are there twice, counted serialized, pipelined and as the driver does it, with the times of
 * the ranges. Exits with 0 when all is as worked out, 77 without a context.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GL_GLEXT_PROTOTYPES 1
#include <GL/glcorearb.h>

#include "../face/gl_ways.h"
#include "tacho/error.h"
#include "tacho/session.h"

enum { SIDE = 16, LIST_MAX = 1024, SECOND_NS = 1000000000 };

/* Rows in the order in which their ranges first begin. */
enum { ROW_100, ROW_200, ROW_10, ROWS };

static int bad;

static void die(const char *what)
{
	fprintf(stderr, "gl_modes: %s: %s: %s\n", what, tacho_error_last()->message,
		tacho_error_last()->cause);
	exit(1);
}

/* ---- what is drawn ---- */

static void attach(GLuint program, GLenum kind, const char *head, const char *body)
{
	const char *texts[] = {head, body};
	GLuint shader = glCreateShader(kind);

	glShaderSource(shader, 2, texts, NULL);
	glCompileShader(shader);
	glAttachShader(program, shader);
}

static void prepare(int is_es)
{
	const char *head =
		is_es ? "#version 300 es\nprecision mediump float;\n" : "#version 330 core\n";
	GLuint program = glCreateProgram(), names[3];

	attach(program, GL_VERTEX_SHADER, head,
	       "void main() { gl_Position = vec4(float(gl_VertexID % 3) - 1.0,"
	       " float(gl_VertexID % 2), 0.0, 1.0); }\n");
	attach(program, GL_FRAGMENT_SHADER, head,
	       "out vec4 color; void main() { color = vec4(1.0); }\n");
	glLinkProgram(program);
	glUseProgram(program);
	glGenVertexArrays(1, &names[0]);
	glBindVertexArray(names[0]);
	glGenFramebuffers(1, &names[1]);
	glBindFramebuffer(GL_FRAMEBUFFER, names[1]);
	glGenRenderbuffers(1, &names[2]);
	glBindRenderbuffer(GL_RENDERBUFFER, names[2]);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIDE, SIDE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[2]);
	glViewport(0, 0, SIDE, SIDE);
	printf("%s, %s\n", (const char *)glGetString(GL_RENDERER),
	       (const char *)glGetString(GL_VERSION));
}

static void draw(int triangles)
{
	glDrawArrays(GL_TRIANGLES, 0, 3 * triangles);
}

static void push(struct tacho_session *session, uint64_t id)
{
	if (tacho_session_push_range(session, id, NULL))
		die("no range");
}

static void pop(struct tacho_session *session)
{
	if (tacho_session_pop_range(session))
		die("the range does not end");
}

/* The guide's example, with the first range once more at the end. */
static void work(struct tacho_session *session)
{
	draw(7);
	push(session, 100);
	draw(1000);
	pop(session);
	draw(3);
	push(session, 200);
	draw(1);
	push(session, 10);
	draw(10);
	pop(session);
	draw(100);
	pop(session);
	draw(5);
	push(session, 100);
	draw(2000);
	pop(session);
	draw(4);
}

/* ---- what is counted ---- */

static const struct mode {
	const char *suffix;
	uint64_t triangles[ROWS];
} modes[] = {
	{"", {3000, 111, 10}},
	{":serialized", {3000, 111, 10}},
	{":pipelined", {3000, 101, 10}}, /* what is in range 10 is not in range 200 */
};

enum { MODES = sizeof(modes) / sizeof(modes[0]) };

static const struct {
	const char *name;
	uint64_t per_triangle;
} counters[] = {{"IAVertices", 3}, {"IAPrimitives", 1}, {"PrimsStorageNeed_S0", 1}};

enum { COUNTERS = sizeof(counters) / sizeof(counters[0]) };

static int has_entry(const struct tacho_device *device, const char *name)
{
	const struct tacho_arch *arch = tacho_device_get_arch(device);
	const struct tacho_entry *entry = tacho_arch_find_entry(arch, name);

	return entry && !tacho_config_check_entry(arch, tacho_device_get_model(device), entry);
}

static void add(char *list, const char *name, const char *suffix)
{
	size_t size = strlen(list);

	snprintf(list + size, LIST_MAX - size, "%s%s%s", size ? "," : "", name, suffix);
}

static struct tacho_plan *make_plan(struct tacho_device *device, struct tacho_config **out_config)
{
	static const char *const times[] = {"gpu__time_start", "gpu__time_end",
					    "gpu__time_duration"};
	char list[LIST_MAX] = "";
	struct tacho_plan *plan;

	for (size_t i = 0; i < MODES; i++) {
		for (size_t k = 0; k < COUNTERS; k++)
			if (has_entry(device, counters[k].name))
				add(list, counters[k].name, modes[i].suffix);
		for (size_t k = 0; k < 3; k++)
			if (has_entry(device, times[k]))
				add(list, times[k], modes[i].suffix);
	}
	if (has_entry(device, "gpu__time_active"))
		add(list, "gpu__time_active", ":serialized");
	if (tacho_device_parse_config(device, list, NULL, out_config, NULL) ||
	    tacho_device_plan(device, *out_config, NULL, &plan))
		die("no plan");
	return plan;
}

/* How often the work runs: ranges are two levels deep, which pipelined passes count at once. */
static void run(struct tacho_session *session, const struct tacho_plan *plan)
{
	const struct tacho_plan_pass *pass;
	size_t wanted = 0, runs = 0;
	int more = 1;

	for (size_t i = 0; (pass = tacho_plan_get_pass(plan, i)); i++)
		wanted += pass->mode == TACHO_MODE_PIPELINED ? 1 : 2;
	for (; more; runs++) {
		if (tacho_session_begin_pass(session))
			die("no pass");
		work(session);
		if (tacho_session_end_pass(session, &more))
			die("the pass does not end");
	}
	printf("%zu runs, %zu wanted: %s\n", runs, wanted, runs == wanted ? "ok" : "WRONG");
	bad += runs != wanted;
}

/* ---- what came of it ---- */

static const struct tacho_column *find_column(const struct tacho_result *result, const char *name,
					      const char *suffix)
{
	char text[128];

	snprintf(text, sizeof(text), "%s%s", name, suffix);
	return tacho_result_find_column(result, text);
}

static uint64_t get_whole(const struct tacho_column *column, size_t row)
{
	if (tacho_column_get_state(column, row, 0) != TACHO_STATE_OK) {
		printf("%s, row %zu: state %d: WRONG\n", column->name, row,
		       (int)tacho_column_get_state(column, row, 0));
		bad++;
	}
	return column->type == TACHO_TYPE_U64 ? column->data.u64[row]
					      : (uint64_t)column->data.f64[row];
}

/* softpipe counts primitives for transform feedback only while that is active. */
static int is_left_out(const char *counter, const char *driver)
{
	return !strcmp(driver, "softpipe") && !strcmp(counter, "PrimsStorageNeed_S0");
}

static void compare_counts(const struct tacho_result *result, const struct mode *mode,
			   const char *driver)
{
	for (size_t i = 0; i < COUNTERS; i++) {
		const struct tacho_column *column =
			find_column(result, counters[i].name, mode->suffix);

		if (!column || is_left_out(counters[i].name, driver))
			continue;
		for (size_t row = 0; row < ROWS; row++) {
			uint64_t wanted = mode->triangles[row] * counters[i].per_triangle;
			uint64_t value = get_whole(column, row);

			printf("%s, range %zu: %llu %s\n", column->name, row,
			       (unsigned long long)value, value == wanted ? "ok" : "WRONG");
			bad += value != wanted;
		}
	}
}

static void expect(int is_true, const char *what, const char *suffix)
{
	printf("times%s: %s: %s\n", suffix, what, is_true ? "ok" : "WRONG");
	bad += !is_true;
}

struct times {
	uint64_t start, end, duration;
};

/* Only their order is known, and that a split range does not last from its start to its end. */
static void compare_times(const struct tacho_result *result, const struct mode *mode)
{
	const struct tacho_column *start = find_column(result, "gpu__time_start", mode->suffix);
	const struct tacho_column *end = find_column(result, "gpu__time_end", mode->suffix);
	const struct tacho_column *duration =
		find_column(result, "gpu__time_duration", mode->suffix);
	struct times times[ROWS];

	if (!start || !end || !duration)
		return;
	for (size_t i = 0; i < ROWS; i++) {
		times[i] = (struct times){get_whole(start, i), get_whole(end, i),
					  get_whole(duration, i)};
		expect(times[i].start && times[i].start <= times[i].end,
		       "a range ends after its start", mode->suffix);
		expect(times[i].duration <= times[i].end - times[i].start,
		       "it lasts no longer than from its start to its end", mode->suffix);
	}
	expect(times[ROW_100].start <= times[ROW_200].start, "range 100 begins before 200",
	       mode->suffix);
	expect(times[ROW_100].end >= times[ROW_200].end, "and ends behind it", mode->suffix);
	expect(times[ROW_100].duration + times[ROW_200].duration <=
		       times[ROW_100].end - times[ROW_100].start,
	       "it does not last while 200 does", mode->suffix);
	if (strcmp(mode->suffix, ":pipelined") != 0)
		return; /* range 10 is of another run */
	expect(times[ROW_200].start <= times[ROW_10].start &&
		       times[ROW_10].end <= times[ROW_200].end,
	       "range 10 lies in 200", mode->suffix);
	expect(times[ROW_200].duration + times[ROW_10].duration <=
		       times[ROW_200].end - times[ROW_200].start,
	       "200 does not last while 10 does", mode->suffix);
}

/* A range that has the GPU for itself is active as long as it lasts; else that is not known. */
static void compare_active(struct tacho_device *device, const struct tacho_result *result)
{
	const struct tacho_column *active = find_column(result, "gpu__time_active", "");
	const struct tacho_column *duration =
		find_column(result, "gpu__time_duration", ":serialized");
	struct tacho_config *config;
	struct tacho_plan *plan = NULL;
	int rc;

	if (!active)
		return;
	for (size_t i = 0; i < ROWS; i++)
		expect(get_whole(active, i) == get_whole(duration, i), "active as long as it lasts",
		       ":serialized");
	if (tacho_device_parse_config(device, "gpu__time_active:pipelined", NULL, &config, NULL))
		die("no config");
	rc = tacho_device_plan(device, config, NULL, &plan);
	expect(rc == TACHO_E_UNSUPPORTED && strstr(tacho_error_last()->cause, "time stamps"),
	       "the time active is refused", ":pipelined");
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

/* These drivers all have to wait before they take a time stamp. */
static void compare_note(const struct tacho_result *result)
{
	const struct tacho_column *column = find_column(result, "gpu__time_duration", ":pipelined");

	if (column)
		expect(strstr(column->note, "this driver") != NULL, "the driver's way is told",
		       ":pipelined");
}

static void count(struct tacho_device *device, const char *driver)
{
	const struct tacho_session_options options = {.size = sizeof(options), .accumulates = 1};
	struct tacho_config *config;
	struct tacho_plan *plan = make_plan(device, &config);
	struct tacho_session *session;
	struct tacho_result *result;

	if (tacho_session_create(device, plan, &options, &session))
		die("no session");
	run(session, plan);
	if (tacho_session_drain(session, UINT64_C(20) * SECOND_NS, NULL) ||
	    tacho_session_take(session, &result))
		die("no values");
	if (tacho_result_get_row_count(result) != ROWS)
		die("there are not three rows");
	for (size_t i = 0; i < MODES; i++) {
		compare_counts(result, &modes[i], driver);
		compare_times(result, &modes[i]);
	}
	compare_active(device, result);
	compare_note(result);
	tacho_result_destroy(result);
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

int main(int argument_count, char **arguments)
{
	const struct tacho_context_options options = {.size = sizeof(options), .backends = "gl"};
	const char *kind = argument_count == 3 ? arguments[2] : "", *reason;
	int is_es = !strcmp(kind, "es");
	struct tacho_context *context;
	struct tacho_device *device;

	if (!gl_way_open(is_es			? GL_WAY_EGL_ES
			 : !strcmp(kind, "glx") ? GL_WAY_GLX
						: GL_WAY_EGL,
			 &reason)) {
		printf("SKIP: no OpenGL context without a window: %s\n", reason);
		return 77;
	}
	prepare(is_es);
	if (tacho_context_create(&options, &context) ||
	    tacho_device_open(context, tacho_context_get_device_info(context, 0), &device))
		die("no device");
	count(device, arguments[1]);
	if (glGetError()) {
		printf("an error of OpenGL is left\n");
		bad++;
	}
	tacho_device_close(device);
	tacho_context_destroy(context);
	printf("%d wrong\n", bad);
	return bad != 0;
}
