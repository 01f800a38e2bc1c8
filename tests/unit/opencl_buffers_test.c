/* SPDX-License-Identifier: MIT */
/*
 * Command buffers between a program and a driver that is made here: which version's arguments are
 * read, and what is told of what the program records, changes and runs.
 */
#include "buffers_fake.h"

#include <pthread.h>
#include <string.h>

#include "inject/recorded.h"

#define QUEUE HANDLE(0x100)

typedef void *create_fn(uint32_t, void *const *, const uint64_t *, int32_t *);
typedef int32_t plain_fn(void *);
typedef int32_t kernel_fn(void *, void *, const uint64_t *, void *, uint32_t, const size_t *,
			  const size_t *, const size_t *, uint32_t, const uint32_t *, uint32_t *,
			  void **);
typedef int32_t old_barrier_fn(void *, void *, uint32_t, const uint32_t *, uint32_t *, void **);
typedef int32_t new_barrier_fn(void *, void *, const uint64_t *, uint32_t, const uint32_t *,
			       uint32_t *, void **);
typedef int32_t copy_fn(void *, void *, const uint64_t *, void *, void *, size_t, size_t, size_t,
			uint32_t, const uint32_t *, uint32_t *, void **);
typedef int32_t rect_fn(void *, void *, const uint64_t *, void *, void *, const size_t *,
			const size_t *, const size_t *, size_t, size_t, size_t, size_t, uint32_t,
			const uint32_t *, uint32_t *, void **);
typedef int32_t enqueue_fn(uint32_t, void **, void *, uint32_t, void *const *, void **);
typedef int32_t list_fn(void *, const void *);
typedef int32_t update_fn(void *, uint32_t, const uint32_t *, const void **);
typedef void *remap_fn(void *, uint32_t, uint32_t, void *const *, uint32_t, void *const *, void **,
		       int32_t *);

/* ---- what programs do ---- */

static void *create(uintptr_t handle)
{
	create_fn *function = (create_fn *)fake_get("clCreateCommandBufferKHR");
	void *queues[] = {QUEUE};

	fake.buffer = handle;
	return function(1, queues, NULL, NULL);
}

static int32_t call(const char *name, void *buffer)
{
	return ((plain_fn *)fake_get(name))(buffer);
}

/* Returns the command's handle. */
static void *record_kernel(void *buffer, size_t size)
{
	kernel_fn *function = (kernel_fn *)fake_get("clCommandNDRangeKernelKHR");
	const size_t global[] = {size, 2, 9};
	void *command = NULL;

	function(buffer, NULL, NULL, HANDLE(0x70), 2, NULL, global, NULL, 0, NULL, NULL, &command);
	return command;
}

/* Returns the version that was told. */
static uint64_t run(void *buffer)
{
	enqueue_fn *function = (enqueue_fn *)fake_get("clEnqueueCommandBufferKHR");

	assert_int_equal(function(0, NULL, buffer, 0, NULL, NULL), fake.result);
	return told_version();
}

/* A finalized one with two kernels; they can be changed. */
static void *make(uintptr_t handle, void *commands[2])
{
	void *buffer = create(handle);

	commands[0] = record_kernel(buffer, 64);
	commands[1] = record_kernel(buffer, 128);
	call("clFinalizeCommandBufferKHR", buffer);
	told.templates[0] = '\0';
	return buffer;
}

/* ---- versions ---- */

/* The barrier is recorded, and the driver gets what the program passed. */
static void follows(uint32_t version, const char *asked)
{
	bool is_old = version < VERSION(0, 9, 5);
	const uint64_t properties[] = {0};
	void *buffer, *function;
	int32_t rc;

	fake_begin(NULL);
	fake.versions[0] = version;
	buffer = create(0x5000);
	told.templates[0] = '\0';
	function = fake_get("clCommandBarrierWithWaitListKHR");
	rc = is_old ? ((old_barrier_fn *)function)(buffer, NULL, 7, NULL, NULL, NULL)
		    : ((new_barrier_fn *)function)(buffer, NULL, properties, 7, NULL, NULL, NULL);
	assert_int_equal(rc, CL_SUCCESS);
	assert_string_equal(fake.asked, asked);
	assert_string_equal(told.templates, "5000 v1 [0 other CL_COMMAND_BARRIER]\n");
	assert_string_equal(told.process, "");
}

static void reads_arguments_as_the_version_has_them(void **state)
{
	follows(VERSION(0, 9, 0), "old barrier 7\n");
	follows(VERSION(0, 9, 4), "old barrier 7\n");
	follows(VERSION(0, 9, 5), "new barrier 1 7\n");
	follows(VERSION(0, 9, 8), "new barrier 1 7\n");
}

/* The program gets the driver's function, and the recording the reason. */
static void passes_on(const char *name, const char *process)
{
	void *driver = ((void *(*)(void *, const char *))tacho__opencl_target
				.clGetExtensionFunctionAddressForPlatform)(HANDLE(0xA), name);

	assert_ptr_equal(fake_get(name), driver);
	assert_string_equal(told.process, process);
	assert_ptr_equal(fake_get(name), driver); /* and says so once */
	assert_string_equal(told.process, process);
	told.process[0] = '\0';
}

static void passes_on_what_it_cannot_read(void **state)
{
	fake.versions[0] = VERSION(0, 9, 9);
	passes_on("clCommandCopyImageKHR",
		  "unwatched=clCommandCopyImageKHR (its arguments in version 0.9.9 of "
		  "cl_khr_command_buffer are not known)\n");
	fake.versions[0] = 0;
	passes_on("clEnqueueCommandBufferKHR",
		  "unwatched=clEnqueueCommandBufferKHR (the driver does not say which version of "
		  "cl_khr_command_buffer it has)\nunseen_work=1\n");
	fake.versions[0] = VERSION(0, 9, 4);
	fake.device_count = 2;
	passes_on("clCommandFillBufferKHR",
		  "unwatched=clCommandFillBufferKHR (devices have versions 0.9.4 to 0.9.8 of "
		  "cl_khr_command_buffer)\n");
	fake.device_count = 1;
	fake.mutable_version = VERSION(1, 0, 0);
	passes_on("clUpdateMutableCommandsKHR",
		  "unwatched=clUpdateMutableCommandsKHR (its arguments in version 1.0.0 of "
		  "cl_khr_command_buffer_mutable_dispatch are not known)\n");
}

/* Nobody can know the arguments of a function that is in no list. */
static void tells_functions_that_it_does_not_know(void **state)
{
	passes_on("clEnqueueStrangeTHING",
		  "unwatched=clEnqueueStrangeTHING (its arguments are not known)\nunseen_work=1\n");
	passes_on("clGetStrangeTHING",
		  "unwatched=clGetStrangeTHING (its arguments are not known)\n");
	passes_on("not a name\n", "");
	passes_on("clNothing", "");
}

/* A device without the extension has no say. */
static void asks_devices_that_have_it(void **state)
{
	fake.versions[1] = 0;
	fake.device_count = 2;
	fake.hides_names = true;
	create(0x5000);
	assert_string_equal(told.templates, "5000 v1 on 100\n");
}

/* ---- recording ---- */

static void tells_commands(void **state)
{
	const size_t global[] = {640, 360}, local[] = {16, 8}, origin[3] = {0};
	const size_t region[] = {10, 20, 30};
	void *buffer = create(0x5000), *command = NULL;

	((kernel_fn *)fake_get("clCommandNDRangeKernelKHR"))(buffer, HANDLE(0x101), NULL,
							     HANDLE(0x70), 2, NULL, global, local,
							     0, NULL, NULL, &command);
	assert_ptr_equal(command, HANDLE(0x6000));
	((copy_fn *)fake_get("clCommandCopyBufferKHR"))(buffer, NULL, NULL, HANDLE(1), HANDLE(2), 0,
							0, 4096, 0, NULL, NULL, NULL);
	((rect_fn *)fake_get("clCommandCopyBufferRectKHR"))(buffer, NULL, NULL, HANDLE(1),
							    HANDLE(2), origin, origin, region, 0, 0,
							    0, 0, 0, NULL, NULL, NULL);
	fake.result = CL_OUT_OF_RESOURCES;
	assert_null(record_kernel(buffer, 1)); /* none */
	assert_int_equal(call("clFinalizeCommandBufferKHR", buffer), CL_OUT_OF_RESOURCES);
	fake.result = CL_SUCCESS;
	assert_int_equal(call("clFinalizeCommandBufferKHR", buffer), CL_SUCCESS);
	assert_string_equal(told.templates,
			    "5000 v1 on 100\n"
			    "5000 v1 [0 kernel CL_COMMAND_NDRANGE_KERNEL queue=101 kernel=70 "
			    "global=640x360x0 local=16]\n"
			    "5000 v1 [1 copy CL_COMMAND_COPY_BUFFER bytes=4096]\n"
			    "5000 v1 [2 copy CL_COMMAND_COPY_BUFFER_RECT bytes=6000]\n"
			    "5000 v1 all 3\n");
	assert_int_equal(run(buffer), 1);
}

/* A handle that is given out again is another buffer; one that is retained is not. */
static void follows_its_life(void **state)
{
	void *commands[2], *buffer = make(0x5000, commands);

	assert_int_equal(run(buffer), 1);
	call("clRetainCommandBufferKHR", buffer);
	call("clReleaseCommandBufferKHR", buffer);
	assert_int_equal(run(buffer), 1);
	fake.result = CL_INVALID_VALUE;
	call("clRetainCommandBufferKHR", buffer); /* none of these happens */
	call("clReleaseCommandBufferKHR", buffer);
	fake.result = CL_SUCCESS;
	assert_int_equal(run(buffer), 1);
	call("clReleaseCommandBufferKHR", buffer);
	assert_int_equal(run(buffer), 0);
	create(0x5000);
	record_kernel(buffer, 4);
	call("clFinalizeCommandBufferKHR", buffer);
	assert_string_equal(told.templates, "5000 v2 on 100\n"
					    "5000 v2 [0 kernel CL_COMMAND_NDRANGE_KERNEL kernel=70 "
					    "global=4x2x0]\n5000 v2 all 1\n");
	assert_int_equal(run(buffer), 2);
	assert_int_equal(run(HANDLE(0x5abc)), 0); /* not made by this program's calls */
	fake.result = CL_OUT_OF_RESOURCES;
	assert_null(create(0x5000));
}

/* ---- changes ---- */

struct config {
	void *command;
	uint32_t num_args, num_svm_args, num_exec_infos, work_dim;
	const void *args, *svm_args, *exec_infos;
	const size_t *offset, *global, *local;
};

static void follows_changes(void **state)
{
	update_fn *update = (update_fn *)fake_get("clUpdateMutableCommandsKHR");
	void *commands[2], *buffer = make(0x5000, commands);
	const size_t size[] = {7, 8, 9};
	struct config first = {.command = commands[0], .num_args = 3, .args = size};
	struct config second = {.command = commands[1], .global = size, .local = size};
	const void *configs[] = {&first, &second};
	uint32_t types[] = {0, 0};

	assert_int_equal(update(buffer, 2, types, configs), CL_SUCCESS);
	assert_string_equal(fake.asked, "update 2\n");
	/* arguments are nothing that is told; two of three sizes are those of two dimensions */
	assert_string_equal(told.templates,
			    "5000 v2 from 5000 v1 [1 unknown  global=7x8x0 local=7] all 2\n");
	assert_int_equal(run(buffer), 2);
	fake.result = CL_INVALID_VALUE;
	update(buffer, 2, types, configs);
	fake.result = CL_SUCCESS;
	assert_int_equal(run(buffer), 2);
	told.templates[0] = '\0';
	types[1] = 1; /* a change that nobody knows yet */
	update(buffer, 2, types, configs);
	assert_int_equal(run(buffer), 0);
	/* and what was lost stays so */
	types[1] = 0;
	update(buffer, 2, types, configs);
	assert_int_equal(run(buffer), 0);
}

static void knows_commands_of_its_own_only(void **state)
{
	update_fn *update = (update_fn *)fake_get("clUpdateMutableCommandsKHR");
	void *commands[2], *buffer = make(0x5000, commands);
	const size_t size[] = {7, 8};
	struct config config = {.command = HANDLE(0x6abc), .global = size};
	const void *configs[] = {&config};
	const uint32_t type = 0;

	update(buffer, 1, &type, configs);
	assert_int_equal(run(buffer), 0);
}

static void tells_many_changes_in_pieces(void **state)
{
	enum { COUNT = 40 };
	update_fn *update = (update_fn *)fake_get("clUpdateMutableCommandsKHR");
	struct config config[COUNT];
	const void *configs[COUNT];
	uint32_t types[COUNT] = {0};
	const size_t size[] = {7, 8};
	void *buffer = create(0x5000);
	size_t lines = 0, changes = 0;

	for (size_t i = 0; i < COUNT; i++) {
		config[i] =
			(struct config){.command = record_kernel(buffer, i + 1), .global = size};
		configs[i] = &config[i];
	}
	call("clFinalizeCommandBufferKHR", buffer);
	told.templates[0] = '\0';
	update(buffer, COUNT, types, configs);
	for (const char *at = told.templates; *at; at++) {
		lines += *at == '\n';
		changes += *at == '[';
	}
	assert_int_equal(lines, 3);
	assert_int_equal(changes, COUNT);
	assert_non_null(strstr(told.templates, "\n5000 v2 [16 "));
	assert_non_null(strstr(told.templates, "[39 unknown  global=7x8x0] all 40\n"));
	assert_int_equal(run(buffer), 2);
}

/* As versions before 0.9.2 have it: a list of structures, each with a type. */
static void follows_changes_by_list(void **state)
{
	struct listed {
		uint32_t type;
		const void *next;
		struct config config;
	} configs[] = {{.type = 1}, {.type = 1}};
	struct {
		uint32_t type;
		const void *next;
		uint32_t count;
		const struct listed *configs;
	} list = {.count = 2, .configs = configs};
	const size_t size[] = {7, 8};
	void *commands[2], *buffer = make(0x5000, commands);
	list_fn *update;

	fake.mutable_version = VERSION(0, 9, 1);
	update = (list_fn *)fake_get("clUpdateMutableCommandsKHR");
	configs[0].config = (struct config){.command = commands[0], .global = size};
	configs[1].config = (struct config){.command = commands[1], .local = size};
	assert_int_equal(update(buffer, &list), CL_SUCCESS);
	assert_string_equal(fake.asked, "update by list\n");
	assert_string_equal(told.templates,
			    "5000 v2 from 5000 v1 [0 unknown  global=7x8x0] [1 unknown  local=7] "
			    "all 2\n");
	assert_int_equal(run(buffer), 2);
	assert_int_equal(update(buffer, NULL), CL_SUCCESS);
	assert_int_equal(run(buffer), 2);
	configs[1].next = &list; /* more follows, of a kind that is not known */
	update(buffer, &list);
	assert_int_equal(run(buffer), 0);
}

/* A copy for other queues, whose commands have handles of their own. */
static void follows_copies(void **state)
{
	remap_fn *remap = (remap_fn *)fake_get("clRemapCommandBufferKHR");
	update_fn *update = (update_fn *)fake_get("clUpdateMutableCommandsKHR");
	void *commands[2], *buffer = make(0x5000, commands), *copied[2], *copy;
	void *queues[] = {HANDLE(0x200), HANDLE(0x201)};
	const size_t size[] = {7, 8};
	struct config config = {.global = size};
	const void *configs[] = {&config};
	const uint32_t type = 0;

	fake.buffer = 0x5100;
	copy = remap(buffer, 0, 2, queues, 2, commands, copied, NULL);
	assert_ptr_equal(copy, HANDLE(0x5100));
	assert_string_equal(told.templates, "5100 v2 from 5000 v1 on 200 on 201 all 2\n");
	told.templates[0] = '\0';
	config.command = copied[1];
	update(copy, 1, &type, configs);
	assert_string_equal(told.templates,
			    "5100 v3 from 5100 v2 [1 unknown  global=7x8x0] all 2\n");
	assert_int_equal(run(copy), 3);
	assert_int_equal(run(buffer), 1);
	fake.buffer = 0x5200;
	copy = remap(HANDLE(0x5abc), 0, 2, queues, 0, NULL, NULL, NULL);
	assert_int_equal(run(copy), 0);
}

/* ---- threads ---- */

enum { THREADS = 4, ROUNDS = 500, HANDLES = 20, COMMANDS = 3 };

/* Each has handles of its own, which come and go. */
static void *use_many(void *argument)
{
	uintptr_t first = (uintptr_t)argument;
	void *queues[] = {QUEUE};

	for (size_t i = 0; i < ROUNDS; i++) {
		void *buffer = HANDLE(first + i % HANDLES * 64);
		const struct tacho__recorded recorded = {.kind = TACHO_COMMAND_KERNEL,
							 .name = "",
							 .holder = buffer,
							 .command = HANDLE(first + 7),
							 .kernel = HANDLE(0x70),
							 .dimensions = 1};

		tacho__opencl_made_buffer(buffer, 1, queues);
		for (size_t k = 0; k < COMMANDS; k++)
			tacho__opencl_record(&recorded);
		tacho__opencl_finalized_buffer(CL_SUCCESS, buffer);
		assert_true(tacho__opencl_buffer_version(buffer) != 0);
		assert_true(tacho__opencl_buffer_queue(0, NULL, buffer) == (uintptr_t)QUEUE);
		assert_int_equal(tacho__opencl_release_buffer(buffer), CL_SUCCESS);
		assert_true(tacho__opencl_buffer_version(buffer) == 0);
	}
	return NULL;
}

static void threads_use_them_at_once(void **state)
{
	pthread_t threads[THREADS];

	fake_get("clReleaseCommandBufferKHR");
	fake.is_threaded = true;
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(
			pthread_create(&threads[i], NULL, use_many, HANDLE(0x900000 + 0x10000 * i)),
			0);
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_int_equal(told.template_count, THREADS * ROUNDS * (COMMANDS + 2));
}

/* ---- limits ---- */

/* More buffers at different addresses than are followed: the rest are unknown, and nothing breaks.
 */
static void has_room_for_many(void **state)
{
	enum { BUFFERS = 20000, FIRST = 0x100000 };
	size_t followed = 0;

	for (uintptr_t i = 0; i < BUFFERS; i++) {
		void *buffer = create(FIRST + 64 * i);

		record_kernel(buffer, 1);
		call("clFinalizeCommandBufferKHR", buffer);
		told.templates[0] = '\0';
		fake.event_count = 0;
		fake.asked[0] = '\0';
		if (run(buffer))
			followed++;
		else
			assert_true(followed > 8000);
		call("clReleaseCommandBufferKHR", buffer);
	}
	assert_in_range(followed, 8000, 16384);
	fake.event_count = 0;
	create(FIRST); /* a handle that is known already has its place */
	assert_int_not_equal(run(HANDLE(FIRST)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(reads_arguments_as_the_version_has_them, fake_begin),
		cmocka_unit_test_setup(passes_on_what_it_cannot_read, fake_begin),
		cmocka_unit_test_setup(tells_functions_that_it_does_not_know, fake_begin),
		cmocka_unit_test_setup(asks_devices_that_have_it, fake_begin),
		cmocka_unit_test_setup(tells_commands, fake_begin),
		cmocka_unit_test_setup(follows_its_life, fake_begin),
		cmocka_unit_test_setup(follows_changes, fake_begin),
		cmocka_unit_test_setup(knows_commands_of_its_own_only, fake_begin),
		cmocka_unit_test_setup(tells_many_changes_in_pieces, fake_begin),
		cmocka_unit_test_setup(follows_changes_by_list, fake_begin),
		cmocka_unit_test_setup(follows_copies, fake_begin),
		cmocka_unit_test_setup(threads_use_them_at_once, fake_begin),
		cmocka_unit_test_setup(has_room_for_many, fake_begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
