/* SPDX-License-Identifier: MIT */
/* Memory for copies that is kept: what is given out again, the limit, and whom a context outlives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

#include "inject/opencl/spares.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum { BLOCKS = 128 };

/* A driver whose shared virtual memory does not hold its context, as OpenCL leaves open. */
struct context {
	_Alignas(16) int references;
};

static struct block {
	_Alignas(16) struct context *context;
	bool is_svm, is_there;
} blocks[BLOCKS];

struct tacho__opencl_dispatch tacho__opencl_target;

static struct {
	size_t made, there, uses_after_end;
	bool has_no_memory;
} driver;

static int32_t retain_context(void *context)
{
	driver.uses_after_end += ((struct context *)context)->references <= 0;
	((struct context *)context)->references++;
	return CL_SUCCESS;
}

static int32_t release_context(void *context)
{
	driver.uses_after_end += ((struct context *)context)->references <= 0;
	((struct context *)context)->references--;
	return CL_SUCCESS;
}

static void *make(void *context, bool is_svm)
{
	struct block *block = &blocks[driver.made];

	if (driver.has_no_memory)
		return NULL;
	assert_true(driver.made < BLOCKS);
	driver.made++;
	driver.there++;
	driver.uses_after_end += ((struct context *)context)->references <= 0;
	*block = (struct block){.context = context, .is_svm = is_svm, .is_there = true};
	return block;
}

static void *create_buffer(void *context, uint64_t flags, size_t size, void *host, int32_t *error)
{
	void *buffer = make(context, false);

	*error = buffer ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
	if (buffer)
		((struct context *)context)->references++;
	return buffer;
}

static void *svm_alloc(void *context, uint64_t flags, size_t size, uint32_t alignment)
{
	return make(context, true);
}

static void drop(struct block *block, bool is_svm)
{
	assert_true(block->is_there && block->is_svm == is_svm);
	block->is_there = false;
	driver.there--;
	driver.uses_after_end += block->context->references <= 0;
}

static int32_t release_buffer(void *buffer)
{
	struct block *block = buffer;

	drop(block, false);
	block->context->references--;
	return CL_SUCCESS;
}

static void svm_free(void *context, void *memory)
{
	assert_ptr_equal(((struct block *)memory)->context, context);
	drop(memory, true);
}

static int set_up(void **state)
{
	memset(&driver, 0, sizeof(driver));
	tacho__opencl_target.clRetainContext = retain_context;
	tacho__opencl_target.clReleaseContext = release_context;
	tacho__opencl_target.clCreateBuffer = create_buffer;
	tacho__opencl_target.clReleaseMemObject = release_buffer;
	tacho__opencl_target.clSVMAlloc = svm_alloc;
	tacho__opencl_target.clSVMFree = svm_free;
	return 0;
}

/* The program gives its last reference back; then the layer hears of it. */
static void end_context(struct context *context)
{
	release_context(context);
	tacho__opencl_released_context(CL_SUCCESS, context);
}

static struct tacho__spare get(struct context *context, size_t bytes, bool is_svm)
{
	struct tacho__spare spare = {.context = context, .bytes = bytes, .is_svm = is_svm};

	assert_true(tacho__spare_get(&spare, 1000));
	assert_non_null(spare.memory);
	return spare;
}

static void test_given_out_again(void **state)
{
	struct context one = {1}, other = {1};
	struct tacho__spare buffer = get(&one, 100, false), svm = get(&one, 100, true), next;

	tacho__spare_put(&buffer);
	tacho__spare_put(&svm);
	assert_int_equal(driver.made, 2);
	/* of another size, kind or context it is not the same */
	next = get(&one, 101, false);
	assert_int_equal(driver.made, 3);
	tacho__spare_put(&next);
	next = get(&other, 100, false);
	assert_int_equal(driver.made, 4);
	tacho__spare_put(&next);
	next = get(&one, 100, true);
	assert_ptr_equal(next.memory, svm.memory);
	tacho__spare_put(&next);
	next = get(&one, 100, false);
	assert_ptr_equal(next.memory, buffer.memory);
	tacho__spare_put(&next);
	assert_int_equal(driver.made, 4);
	end_context(&other);
	assert_int_equal(driver.there, 3);
	end_context(&one);
	assert_int_equal(driver.there, 0);
	assert_int_equal(one.references, 0);
	assert_int_equal(other.references, 0);
	assert_int_equal(driver.uses_after_end, 0);
}

/* What is kept and what is new stay below the limit, and the oldest goes. */
static void test_limit(void **state)
{
	struct context context = {1};
	struct tacho__spare first = get(&context, 400, false), second = get(&context, 500, true);
	struct tacho__spare third;

	tacho__spare_put(&first);
	tacho__spare_put(&second);
	third = get(&context, 300, false);
	assert_int_equal(driver.there, 2);
	assert_false(((struct block *)first.memory)->is_there);
	assert_true(((struct block *)second.memory)->is_there);
	tacho__spare_put(&third);
	end_context(&context);
	assert_int_equal(driver.there, 0);
	assert_int_equal(context.references, 0);
	assert_int_equal(driver.uses_after_end, 0);
}

/* A device without memory: no reference stays. */
static void test_no_memory(void **state)
{
	struct context context = {1};
	struct tacho__spare spare = {.context = &context, .bytes = 1, .is_svm = true};

	driver.has_no_memory = true;
	assert_false(tacho__spare_get(&spare, 1000));
	spare.is_svm = false;
	assert_false(tacho__spare_get(&spare, 1000));
	assert_int_equal(context.references, 1);
}

static struct {
	size_t there; /* when the driver was asked */
	uint32_t asked;
} query;

static int32_t get_info(void *context, uint32_t name, size_t room, void *value, size_t *size)
{
	query.there = driver.there;
	query.asked = name;
	return CL_INVALID_VALUE;
}

/* A program that reads how many references there are to its context finds none of ours. */
static void test_counts(void **state)
{
	struct context one = {1}, other = {1};
	struct tacho__spare spares[] = {get(&one, 1, false), get(&one, 2, true),
					get(&other, 1, false)};

	tacho__opencl_target.clGetContextInfo = get_info;
	for (size_t i = 0; i < 3; i++)
		tacho__spare_put(&spares[i]);
	assert_int_equal(tacho__opencl_get_context_info(&one, CL_CONTEXT_DEVICES, 0, NULL, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(query.asked, CL_CONTEXT_DEVICES);
	assert_int_equal(query.there, 3);
	tacho__opencl_get_context_info(&one, CL_CONTEXT_REFERENCE_COUNT, 0, NULL, NULL);
	assert_int_equal(query.asked, CL_CONTEXT_REFERENCE_COUNT);
	assert_int_equal(query.there, 1);
	assert_int_equal(one.references, 1);
	end_context(&other);
	assert_int_equal(driver.there, 0);
}

/* A program may give its context back before its queue. */
static void test_queue_released_last(void **state)
{
	struct context context = {2}; /* the program's and its queue's */
	struct tacho__spare spare;

	end_context(&context);
	spare = get(&context, 1, true);
	tacho__spare_put(&spare);
	tacho__opencl_released_queue(CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(driver.there, 1);
	release_context(&context);
	tacho__opencl_released_queue(CL_SUCCESS);
	assert_int_equal(driver.there, 0);
	assert_int_equal(context.references, 0);
	assert_int_equal(driver.uses_after_end, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_given_out_again, set_up),
		cmocka_unit_test_setup(test_limit, set_up),
		cmocka_unit_test_setup(test_no_memory, set_up),
		cmocka_unit_test_setup(test_counts, set_up),
		cmocka_unit_test_setup(test_queue_released_last, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
