/* SPDX-License-Identifier: MIT */
/* Templates through a whole recording: told, run and read again. */
#include "sample_api.h"

#include <time.h>

enum { BUFFER = 0x5000, RUNS = 50 };

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct tacho__template_command make_launch(uint64_t index, uint64_t size)
{
	return (struct tacho__template_command){.index = index,
						.kind = TACHO_COMMAND_KERNEL,
						.name = "COMMAND_LAUNCH",
						.kernel = SAMPLE_KERNEL,
						.dimensions = 1,
						.has_global = true,
						.global = {size}};
}

/* Command by command, as a program records them; the last ones at once. */
static void tell(uint64_t handle, uint64_t version, uint64_t count)
{
	static const uint64_t queues[] = {SAMPLE_QUEUE};
	struct tacho__template_command commands[100];
	struct tacho__template template = {.api = SAMPLE_API,
					   .handle = handle,
					   .version = version,
					   .queues = queues,
					   .queue_count = 1};

	tacho__intercept_template(&template);
	template.queues = NULL;
	for (uint64_t i = 0; i < count; i++)
		commands[i] = make_launch(i, 100 + i);
	template.commands = commands;
	template.count = 1;
	tacho__intercept_template(&template);
	template.commands = commands + 1;
	template.count = count - 1;
	tacho__intercept_template(&template);
	template.count = 0;
	template.is_complete = true;
	template.total = count;
	tacho__intercept_template(&template);
}

static void change(uint64_t handle, uint64_t version, uint64_t base, uint64_t index, uint64_t size)
{
	struct tacho__template_command command = make_launch(index, size);
	struct tacho__template template = {.api = SAMPLE_API,
					   .handle = handle,
					   .version = version,
					   .base_handle = handle,
					   .base_version = base,
					   .commands = &command,
					   .count = 1};

	command.kernel = 0;
	command.name = "";
	tacho__intercept_template(&template);
	template.count = 0;
	template.is_complete = true;
	template.total = 100;
	tacho__intercept_template(&template);
}

static void complete(void *token, enum tacho__slot_code code)
{
	struct tacho__times times = {.code = code};

	times.queued = now_ns();
	times.submit = now_ns();
	times.start = now_ns();
	usleep(20);
	times.end = now_ns();
	tacho__intercept_complete(token, &times);
}

static void run_all(void *argument)
{
	void *token;

	sample_make_objects("1");
	tell(BUFFER, 1, 100);
	for (int i = 0; i < RUNS; i++)
		complete(sample_run_template(BUFFER, 1), TACHO__SLOT_TIMES);
	change(BUFFER, 2, 1, 99, 7);
	complete(sample_run_template(BUFFER, 2), TACHO__SLOT_MARKED);
	complete(sample_run_template(BUFFER, 2), TACHO__SLOT_NO_START);
	tell(BUFFER, 3, 2); /* the handle is another one's now */
	complete(sample_run_template(BUFFER, 3), TACHO__SLOT_TIMES);
	complete(sample_run_template(BUFFER, 0), TACHO__SLOT_TIMES);
	token = sample_run_template(BUFFER, 3);
	if (!token)
		_exit(97);
}

static void check_first(const struct tacho_command *command)
{
	assert_int_equal(command->state, TACHO_STATE_OK);
	assert_int_equal(command->has_marked_start, 0);
	assert_string_equal(command->contents->name, "command buffer (100 kernels)");
	assert_int_equal(command->contents->version, 1);
	assert_int_equal(command->contents->command_count, 100);
	for (uint64_t i = 0; i < 100; i++) {
		const struct tacho_template_command *recorded = &command->contents->commands[i];

		assert_int_equal(recorded->kind, TACHO_COMMAND_KERNEL);
		assert_string_equal(recorded->kernel->name, "saxpy");
		assert_string_equal(recorded->name, "COMMAND_LAUNCH");
		assert_string_equal(recorded->device->name, "Sample Device");
		assert_int_equal(recorded->global[0], 100 + i);
		assert_int_equal(recorded->has_local, 0);
	}
}

static void check_rest(size_t index, const struct tacho_command *command)
{
	const struct tacho_template *contents = command->contents;

	switch (index) {
	case 0:
		assert_int_equal(command->state, TACHO_STATE_OK);
		assert_int_equal(command->has_marked_start, 1);
		assert_int_equal(contents->commands[99].global[0], 7);
		assert_int_equal(contents->commands[98].global[0], 198);
		assert_string_equal(contents->name, "command buffer (100 kernels)");
		break;
	case 1:
		assert_int_equal(command->state, TACHO_STATE_ABSENT);
		assert_string_equal(command->reason,
				    "the driver tells when the command ended, not when it began");
		break;
	case 2: assert_string_equal(contents->name, "command buffer (2 kernels)"); break;
	case 3:
		assert_string_equal(contents->name, "command buffer (contents not known)");
		assert_int_equal(contents->is_known, 0);
		assert_int_equal(contents->command_count, 0);
		break;
	default:
		assert_int_equal(command->state, TACHO_STATE_LOST);
		assert_true(command->not_after_ns == UINT64_MAX);
		return;
	}
	assert_true(command->not_after_ns < UINT64_MAX);
}

static void executions_run_what_was_told(void **state)
{
	char *path = sample_recording();
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	size_t count = 0;

	assert_int_equal(sample_run(path, run_all, NULL), 0);
	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	for (; tacho_cursor_next(cursor, &call) == 1; count++) {
		const struct tacho_command *command = call->command;

		assert_int_equal(command->kind, TACHO_COMMAND_BUFFER);
		assert_string_equal(command->name, "COMMAND_RUN");
		assert_int_equal(command->contents->handle, BUFFER);
		assert_true(command->not_before_ns && command->not_before_ns <= call->end_ns);
		if (command->state == TACHO_STATE_OK)
			assert_true(command->start_ns + command->uncertainty_ns >=
					    command->not_before_ns &&
				    command->end_ns <=
					    command->not_after_ns + command->uncertainty_ns);
		if (count < RUNS)
			check_first(command);
		else
			check_rest(count - RUNS, command);
	}
	assert_int_equal(count, RUNS + 5);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	sample_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(executions_run_what_was_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
