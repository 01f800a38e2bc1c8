/* SPDX-License-Identifier: MIT */
/* A small kernel, built and run on a device, its result looked at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/opencl.h"

enum { ITEMS = 64, LOG_MAX = 1 << 20 };

static const char source[] =
	"__kernel void tacho_trial(__global const int *a, __global const int *b,"
	" __global int *c)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"	c[i] = a[i] + b[i];\n"
	"}\n";

struct trial {
	const struct tacho__opencl *cl;
	const char *platform;
	cl_handle device, context, queue, buffers[3], program, kernel;
	int32_t a[ITEMS], b[ITEMS], c[ITEMS];
	struct tacho__buf *cause, *cure;
};

static bool failed(struct trial *t, const char *function, int32_t error)
{
	if (!error)
		return false;
	tacho__buf_printf(t->cause, "%s said %s", function, tacho__opencl_error(error));
	return true;
}

static bool make_context(struct trial *t)
{
	int32_t error = 0;

	t->context = t->cl->create_context(NULL, 1, &t->device, NULL, NULL, &error);
	if (failed(t, "clCreateContext", error)) {
		if (error == CL__INVALID_DEVICE && tacho__opencl_cache_blame(t->platform, t->cause))
			tacho__buf_put(t->cure, tacho__opencl_cache_cure);
		return false;
	}
	t->queue = t->cl->create_queue(t->context, t->device, 0, &error);
	return !failed(t, "clCreateCommandQueue", error);
}

static bool make_buffers(struct trial *t)
{
	int32_t *hosts[] = {t->a, t->b, t->c};

	for (int32_t i = 0; i < ITEMS; i++) {
		t->a[i] = 3 * i + 1;
		t->b[i] = 1000 - 7 * i;
		t->c[i] = -1;
	}
	for (int i = 0; i < 3; i++) {
		int32_t error = 0;

		t->buffers[i] =
			t->cl->create_buffer(t->context, CL__MEM_READ_WRITE | CL__MEM_COPY_HOST_PTR,
					     sizeof(t->a), hosts[i], &error);
		if (failed(t, "clCreateBuffer", error))
			return false;
	}
	return true;
}

/* The first line of the log that says something. */
static void add_build_log(struct trial *t)
{
	size_t size = 0;
	char *log, *line;

	if (t->cl->get_build_info(t->program, t->device, CL__PROGRAM_BUILD_LOG, 0, NULL, &size) ||
	    !size || size > LOG_MAX)
		return;
	log = calloc(1, size + 1);
	if (!log)
		return;
	if (!t->cl->get_build_info(t->program, t->device, CL__PROGRAM_BUILD_LOG, size, log, NULL)) {
		line = log + strspn(log, " \t\r\n");
		line[strcspn(line, "\r\n")] = '\0';
		if (*line)
			tacho__buf_printf(t->cause, "; build log: %.200s", line);
	}
	free(log);
}

static bool build(struct trial *t)
{
	const char *text = source;
	int32_t error = 0;

	t->program = t->cl->create_program(t->context, 1, &text, NULL, &error);
	if (failed(t, "clCreateProgramWithSource", error))
		return false;
	error = t->cl->build_program(t->program, 1, &t->device, "", NULL, NULL);
	if (failed(t, "clBuildProgram", error)) {
		add_build_log(t);
		tacho__buf_put(t->cure, "use another driver, or a version of this one that knows "
					"the device");
		return false;
	}
	t->kernel = t->cl->create_kernel(t->program, "tacho_trial", &error);
	return !failed(t, "clCreateKernel", error);
}

static bool execute(struct trial *t)
{
	size_t items = ITEMS;
	int32_t error;

	for (uint32_t i = 0; i < 3; i++) {
		error = t->cl->set_argument(t->kernel, i, sizeof(t->buffers[i]), &t->buffers[i]);
		if (failed(t, "clSetKernelArg", error))
			return false;
	}
	error = t->cl->enqueue_kernel(t->queue, t->kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
	if (failed(t, "clEnqueueNDRangeKernel", error))
		return false;
	error = t->cl->enqueue_read(t->queue, t->buffers[2], CL__TRUE, 0, sizeof(t->c), t->c, 0,
				    NULL, NULL);
	return !failed(t, "clEnqueueReadBuffer", error);
}

static bool is_right(struct trial *t)
{
	for (int32_t i = 0; i < ITEMS; i++) {
		if (t->c[i] == t->a[i] + t->b[i])
			continue;
		tacho__buf_printf(t->cause, "the kernel ran, but item %d is %d instead of %d", i,
				  t->c[i], t->a[i] + t->b[i]);
		tacho__buf_put(t->cure, "use another driver: this one computes wrongly");
		return false;
	}
	return true;
}

static void release(struct trial *t)
{
	if (t->kernel)
		t->cl->release_kernel(t->kernel);
	if (t->program)
		t->cl->release_program(t->program);
	for (int i = 0; i < 3; i++)
		if (t->buffers[i])
			t->cl->release_buffer(t->buffers[i]);
	if (t->queue)
		t->cl->release_queue(t->queue);
	if (t->context)
		t->cl->release_context(t->context);
}

bool tacho__opencl_trial(const struct tacho__opencl *cl, const char *platform, cl_handle device,
			 struct tacho__buf *out_cause, struct tacho__buf *out_cure)
{
	struct trial trial = {.cl = cl,
			      .platform = platform,
			      .device = device,
			      .cause = out_cause,
			      .cure = out_cure};
	bool right = make_context(&trial) && make_buffers(&trial) && build(&trial) &&
		     execute(&trial) && is_right(&trial);

	release(&trial);
	return right;
}
