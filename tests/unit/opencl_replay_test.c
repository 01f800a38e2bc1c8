/* SPDX-License-Identifier: MIT */
/*
 * Bringing a launch's memory back on a driver that refuses, fails or never ends some of it: what is
 * in the program's memory then, and whether that is told rightly.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "inject/counting.h"
#include "inject/opencl/copies.h"
#include "inject/opencl/cl_kernels.h"
#include "inject/opencl/printing.h"
#include "inject/opencl/spares.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum { BYTES = 16, OBJECTS = 3, COPIES_MAX = 16, FATES = 8, MS_NS = 1000000 };

/* Memory of the program and of ours. */
struct memory {
	_Alignas(16) uint8_t bytes[BYTES];
	uint32_t type;
	bool was_tried;
};

static struct memory objects[OBJECTS], copies[COPIES_MAX];

struct tacho__opencl_dispatch tacho__opencl_target;
const char tacho__count_timeout[] = "timeout";

/* What the driver does with one command that writes an object of the program. */
enum fate { WORKS, REFUSES, FAILS };

static struct {
	size_t copy_count;
	enum fate trial;		/* of the copies into objects that were not tried yet */
	enum fate copy[OBJECTS][FATES]; /* of the n-th copy after a run; the last goes on */
	enum fate write[OBJECTS];
	unsigned copies_done[OBJECTS];
	bool has_run;
	bool refuses_read;
	bool is_full; /* it refuses to write the second object until it gets a buffer back */
	uint64_t patience_ns;
	int released; /* buffers of ours */
	enum tacho__prints prints;
	const char *kernel; /* of which that was asked */
	int events;
	int32_t status; /* of the event that was made last */
} driver;

/* ---- what the layer knows of the program ---- */

bool tacho__opencl_is_memory(uintptr_t handle)
{
	return handle >= (uintptr_t)objects && handle < (uintptr_t)(objects + OBJECTS);
}

bool tacho__opencl_has_other_memory(void)
{
	return false;
}

bool tacho__opencl_has_device_queue(void)
{
	return false;
}

bool tacho__opencl_find_svm(uintptr_t pointer, struct tacho__svm *out_svm)
{
	if (!tacho__opencl_is_memory(pointer))
		return false;
	*out_svm = (struct tacho__svm){.base = (void *)pointer, .bytes = BYTES};
	return true;
}

bool tacho__opencl_was_tried(uintptr_t memory, bool is_svm)
{
	return ((struct memory *)memory)->was_tried;
}

void tacho__opencl_note_tried(uintptr_t memory, bool is_svm)
{
	assert_false(driver.has_run);
	((struct memory *)memory)->was_tried = true;
}

enum tacho__prints tacho__printing_of(void *program, void *device, const char *kernel)
{
	assert_ptr_equal(program, &driver);
	assert_ptr_equal(device, &driver);
	driver.kernel = kernel;
	return driver.prints;
}

/* ---- the driver ---- */

static int32_t answer(const void *value, size_t size, void *out)
{
	memcpy(out, value, size);
	return CL_SUCCESS;
}

static int32_t get_queue_info(void *queue, uint32_t name, size_t room, void *out, size_t *size)
{
	void *handle = &driver;

	return answer(&handle, sizeof(handle), out);
}

static int32_t get_kernel_info(void *kernel, uint32_t name, size_t room, void *out, size_t *size)
{
	void *program = &driver;

	return answer(&program, sizeof(program), out);
}

static int32_t get_build_info(void *program, void *device, uint32_t name, size_t room, void *out,
			      size_t *size)
{
	return CL_INVALID_VALUE;
}

static int32_t get_memory_info(void *memory, uint32_t name, size_t room, void *out, size_t *size)
{
	const struct memory *object = memory;
	uint64_t flags = CL_MEM_READ_WRITE;
	size_t bytes = BYTES;

	if (name == CL_MEM_FLAGS)
		return answer(&flags, sizeof(flags), out);
	if (name == CL_MEM_TYPE)
		return answer(&object->type, sizeof(object->type), out);
	return answer(&bytes, sizeof(bytes), out);
}

/* 4 x 1 pixels of 4 bytes. */
static int32_t get_image_info(void *image, uint32_t name, size_t room, void *out, size_t *size)
{
	size_t number = name == CL_IMAGE_WIDTH || name == CL_IMAGE_ELEMENT_SIZE ? 4 : 0;

	memset(out, 0, room);
	return answer(&number, room < sizeof(number) ? room : sizeof(number), out);
}

static void *create_buffer(void *context, uint64_t flags, size_t size, void *host, int32_t *error)
{
	assert_true(driver.copy_count < COPIES_MAX);
	*error = CL_SUCCESS;
	return &copies[driver.copy_count++];
}

static int32_t release_memory(void *memory)
{
	driver.released++;
	return CL_SUCCESS;
}

static void *svm_alloc(void *context, uint64_t flags, size_t size, uint32_t alignment)
{
	return copies[driver.copy_count++].bytes;
}

static void svm_free(void *context, void *memory)
{
	assert_true((struct memory *)memory < copies + COPIES_MAX);
}

static int32_t retain_context(void *context)
{
	return CL_SUCCESS;
}

/* Writes, refuses, or fails half way. */
static int32_t write_bytes(uint8_t *to, const uint8_t *from, enum fate fate, void **out_event)
{
	if (fate == REFUSES)
		return CL_OUT_OF_RESOURCES;
	memcpy(to, from, fate == FAILS ? BYTES / 2 : BYTES);
	driver.status = fate == FAILS ? CL_OUT_OF_RESOURCES : CL_COMPLETE;
	driver.events++;
	*out_event = &driver;
	return CL_SUCCESS;
}

static enum fate find_fate(const void *to)
{
	size_t object = (size_t)((const struct memory *)to - objects);
	unsigned turn;

	if (!tacho__opencl_is_memory((uintptr_t)to))
		return WORKS;
	if (!driver.has_run)
		return driver.trial;
	if (driver.is_full && object == 1 && !driver.released)
		return REFUSES;
	turn = driver.copies_done[object]++;
	return driver.copy[object][turn < FATES ? turn : FATES - 1];
}

static int32_t copy_buffer(void *queue, void *from, void *to, size_t from_at, size_t to_at,
			   size_t bytes, uint32_t waits, void *const *wait_list, void **event)
{
	assert_int_equal(bytes, BYTES);
	return write_bytes(((struct memory *)to)->bytes, ((struct memory *)from)->bytes,
			   find_fate(to), event);
}

static int32_t copy_from_image(void *queue, void *from, void *to, const size_t *origin,
			       const size_t *region, size_t to_at, uint32_t waits,
			       void *const *wait_list, void **event)
{
	return copy_buffer(queue, from, to, 0, 0, BYTES, 0, NULL, event);
}

static int32_t copy_to_image(void *queue, void *from, void *to, size_t from_at,
			     const size_t *origin, const size_t *region, uint32_t waits,
			     void *const *wait_list, void **event)
{
	return copy_buffer(queue, from, to, 0, 0, BYTES, 0, NULL, event);
}

static int32_t svm_copy(void *queue, uint32_t blocking, void *to, const void *from, size_t size,
			uint32_t waits, void *const *wait_list, void **event)
{
	return write_bytes(to, from, find_fate(to), event);
}

static int32_t read_buffer(void *queue, void *buffer, uint32_t blocking, size_t at, size_t bytes,
			   void *host, uint32_t waits, void *const *wait_list, void **event)
{
	assert_int_equal(bytes, BYTES);
	return write_bytes(host, ((struct memory *)buffer)->bytes,
			   driver.refuses_read ? REFUSES : WORKS, event);
}

static int32_t write_buffer(void *queue, void *buffer, uint32_t blocking, size_t at, size_t bytes,
			    const void *host, uint32_t waits, void *const *wait_list, void **event)
{
	assert_int_equal(bytes, BYTES);
	return write_bytes(((struct memory *)buffer)->bytes, host,
			   driver.has_run ? driver.write[(struct memory *)buffer - objects]
					  : driver.trial,
			   event);
}

static int32_t write_image(void *queue, void *image, uint32_t blocking, const size_t *origin,
			   const size_t *region, size_t row, size_t slice, const void *host,
			   uint32_t waits, void *const *wait_list, void **event)
{
	assert_int_equal(region[0], 4);
	assert_int_equal(region[1] * region[2], 1);
	return write_buffer(queue, image, blocking, 0, BYTES, host, 0, NULL, event);
}

static int32_t get_event_info(void *event, uint32_t name, size_t room, void *out, size_t *size)
{
	return answer(&driver.status, sizeof(driver.status), out);
}

static int32_t release_event(void *event)
{
	driver.events--;
	return CL_SUCCESS;
}

static int32_t flush(void *queue)
{
	return CL_SUCCESS;
}

static int set_up(void **state)
{
	memset(&driver, 0, sizeof(driver));
	memset(copies, 0, sizeof(copies));
	driver.prints = TACHO__PRINTS_NEVER;
	driver.patience_ns = 20 * MS_NS;
	tacho__opencl_target = (struct tacho__opencl_dispatch){
		.clGetCommandQueueInfo = get_queue_info,
		.clGetKernelInfo = get_kernel_info,
		.clGetProgramBuildInfo = get_build_info,
		.clGetMemObjectInfo = get_memory_info,
		.clGetImageInfo = get_image_info,
		.clCreateBuffer = create_buffer,
		.clReleaseMemObject = release_memory,
		.clSVMAlloc = svm_alloc,
		.clSVMFree = svm_free,
		.clRetainContext = retain_context,
		.clReleaseContext = retain_context,
		.clEnqueueCopyBuffer = copy_buffer,
		.clEnqueueCopyImageToBuffer = copy_from_image,
		.clEnqueueCopyBufferToImage = copy_to_image,
		.clEnqueueSVMMemcpy = svm_copy,
		.clEnqueueReadBuffer = read_buffer,
		.clEnqueueWriteBuffer = write_buffer,
		.clEnqueueWriteImage = write_image,
		.clGetEventInfo = get_event_info,
		.clReleaseEvent = release_event,
		.clFlush = flush,
	};
	for (size_t i = 0; i < OBJECTS; i++) {
		memset(objects[i].bytes, (int)i + 1, BYTES);
		objects[i].type = CL_MEM_OBJECT_BUFFER;
		objects[i].was_tried = false;
	}
	return 0;
}

/* ---- a launch: its kernel adds 10 to every byte of all objects ---- */

static void run_kernel(void)
{
	driver.has_run = true;
	for (size_t i = 0; i < OBJECTS; i++)
		for (size_t at = 0; at < BYTES; at++)
			objects[i].bytes[at] = (uint8_t)(objects[i].bytes[at] + 10);
}

/* How often the kernel seems to have run on this byte. */
static int count_runs(size_t object, size_t at)
{
	return (objects[object].bytes[at] - (int)object - 1) / 10;
}

static bool has_run(int times)
{
	for (size_t i = 0; i < OBJECTS; i++)
		for (size_t at = 0; at < BYTES; at++)
			if (count_runs(i, at) != times)
				return false;
	return true;
}

/* Keeps, runs, brings back; and runs again when all is back. */
static enum tacho__restored replay(uint32_t kind_of_first)
{
	struct tacho__argument arguments[OBJECTS];
	struct tacho__opencl_kernel kernel = {.arguments = arguments, .argument_count = OBJECTS};
	struct tacho__replay replay = {.queue = NULL};
	enum tacho__restored restored;

	for (size_t i = 0; i < OBJECTS; i++)
		arguments[i] = (struct tacho__argument){
			i ? (uint32_t)TACHO__ARGUMENT_WORD : kind_of_first, (uintptr_t)&objects[i]};
	assert_null(tacho__replay_save(&replay, &driver, &driver, &kernel, 4096));
	assert_int_equal(replay.count, OBJECTS);
	replay.patience_ns = driver.patience_ns;
	run_kernel();
	restored = tacho__copies_bring_back(&replay);
	if (restored == TACHO__RESTORED) {
		assert_true(has_run(0));
		run_kernel();
	}
	tacho__replay_finish(&replay);
	/* else the next test would have these copies */
	tacho__opencl_released_context(CL_SUCCESS, &driver);
	assert_int_equal(driver.events, 0);
	driver.has_run = false;
	return restored;
}

static void test_all_works(void **state)
{
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED);
	assert_true(has_run(1));
}

/* The second copy is refused once, or fails half way once. */
static void test_tried_again(void **state)
{
	driver.copy[1][0] = REFUSES;
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED);
	assert_true(has_run(1));
	set_up(state);
	driver.copy[1][0] = FAILS;
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED);
	assert_true(has_run(1));
}

static void refuse_copies(size_t object, enum fate fate)
{
	for (size_t i = 0; i < FATES; i++)
		driver.copy[object][i] = fate;
}

/* The device copies no more, and takes what the host has; of a buffer and of an image. */
static void test_through_the_host(void **state)
{
	objects[2].type = CL_MEM_OBJECT_IMAGE2D;
	refuse_copies(1, REFUSES);
	refuse_copies(2, FAILS);
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED);
	assert_true(has_run(1));
}

/* Nothing was written: memory is that of the one run, whole. */
static void test_refused_before_all(void **state)
{
	refuse_copies(0, REFUSES);
	driver.write[0] = REFUSES;
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED_NOTHING);
	assert_true(has_run(1));
	set_up(state);
	refuse_copies(0, REFUSES);
	driver.refuses_read = true;
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED_NOTHING);
	assert_true(has_run(1));
}

/* Shared virtual memory has no other way. */
static void test_svm(void **state)
{
	driver.copy[0][0] = REFUSES;
	assert_int_equal(replay(TACHO__ARGUMENT_SVM), TACHO__RESTORED);
	assert_true(has_run(1));
	set_up(state);
	refuse_copies(0, REFUSES);
	assert_int_equal(replay(TACHO__ARGUMENT_SVM), TACHO__RESTORED_NOTHING);
	assert_true(has_run(1));
}

/* Some is back and the rest is refused for a while. */
static void test_patience(void **state)
{
	refuse_copies(1, REFUSES);
	driver.copy[1][FATES - 1] = WORKS;
	driver.write[1] = REFUSES;
	driver.patience_ns = UINT64_MAX / 2;
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED);
	assert_true(has_run(1));
	assert_int_equal(driver.copies_done[1], FATES);
	/* what was written half way is no better */
	set_up(state);
	refuse_copies(0, FAILS);
	driver.copy[0][FATES - 1] = WORKS;
	driver.write[0] = FAILS;
	driver.patience_ns = UINT64_MAX / 2;
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED);
	assert_true(has_run(1));
}

/* What we keep for other launches is not kept from this one. */
static void test_full_device(void **state)
{
	struct tacho__spare spare = {.context = &driver, .bytes = BYTES + 1};

	assert_true(tacho__spare_get(&spare, 4096));
	tacho__spare_put(&spare);
	driver.is_full = true;
	driver.write[1] = REFUSES;
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED);
	assert_true(has_run(1));
}

static const char *save(struct tacho__replay *replay, struct tacho__opencl_kernel *kernel)
{
	const char *why = tacho__replay_save(replay, &driver, &driver, kernel, 4096);

	tacho__replay_finish(replay);
	tacho__opencl_released_context(CL_SUCCESS, &driver);
	return why;
}

/* A device that never takes anything back is found out before the launch, once for each memory. */
static void test_trial(void **state)
{
	struct tacho__argument argument = {TACHO__ARGUMENT_WORD, (uintptr_t)&objects[0]};
	struct tacho__opencl_kernel kernel = {.arguments = &argument, .argument_count = 1};
	struct tacho__replay replay = {.queue = NULL};

	driver.trial = REFUSES;
	assert_string_equal(save(&replay, &kernel),
			    "the device refused to bring back what it writes");
	driver.trial = FAILS;
	assert_non_null(save(&replay, &kernel));
	assert_true(has_run(0));
	driver.trial = WORKS;
	assert_null(save(&replay, &kernel));
	driver.trial = REFUSES; /* it is not asked for any more */
	assert_null(save(&replay, &kernel));
	argument.value = (uintptr_t)&objects[1];
	assert_non_null(save(&replay, &kernel));
	assert_true(has_run(0));
}

/* What prints, or may, is not run again; asked for once. */
static void test_printing(void **state)
{
	struct tacho__opencl_kernel kernels[3] = {{.counted.name = "one"}};
	struct tacho__replay replay = {.queue = NULL};

	driver.prints = TACHO__PRINTS;
	assert_string_equal(save(&replay, &kernels[0]),
			    "it may print, and would do so in each pass");
	assert_string_equal(driver.kernel, "one");
	driver.prints = TACHO__PRINTS_PERHAPS;
	driver.kernel = NULL;
	assert_non_null(save(&replay, &kernels[0]));
	assert_null(driver.kernel);
	assert_non_null(strstr(save(&replay, &kernels[1]), "neither its program's source nor"));
	driver.prints = TACHO__PRINTS_NEVER;
	assert_null(save(&replay, &kernels[2]));
}

/* Some is back and the rest cannot be: that is told apart from the above. */
static void test_part(void **state)
{
	refuse_copies(1, REFUSES);
	driver.write[1] = REFUSES;
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED_PART);
	assert_int_equal(count_runs(0, 0), 0);
	assert_int_equal(count_runs(1, 0), 1);
	/* half of the first was written before all was refused */
	set_up(state);
	refuse_copies(0, REFUSES);
	driver.copy[0][0] = FAILS;
	driver.write[0] = REFUSES;
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED_PART);
	set_up(state);
	refuse_copies(0, REFUSES);
	driver.write[0] = FAILS;
	assert_int_equal(replay(TACHO__ARGUMENT_WORD), TACHO__RESTORED_PART);
	assert_int_equal(count_runs(0, 0), 0);
	assert_int_equal(count_runs(0, BYTES - 1), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_all_works, set_up),
		cmocka_unit_test_setup(test_tried_again, set_up),
		cmocka_unit_test_setup(test_through_the_host, set_up),
		cmocka_unit_test_setup(test_refused_before_all, set_up),
		cmocka_unit_test_setup(test_svm, set_up),
		cmocka_unit_test_setup(test_patience, set_up),
		cmocka_unit_test_setup(test_full_device, set_up),
		cmocka_unit_test_setup(test_trial, set_up),
		cmocka_unit_test_setup(test_printing, set_up),
		cmocka_unit_test_setup(test_part, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
