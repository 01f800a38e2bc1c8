/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>

#include "tacho/tacho.h"
#include "test_folder.h"
#include "import_vectors.h"

const char *source_path(const char *path)
{
	static char full[PATH_MAX];

	assert_true(snprintf(full, sizeof(full), "%s/%s", getenv("TACHO_SOURCE_ROOT"), path) <
		    (int)sizeof(full));
	return full;
}

struct tacho_cursor *open_cursor(struct tacho_recording *recording)
{
	struct tacho_cursor *cursor = NULL;

	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	return cursor;
}

const struct tacho_call *get_call(struct tacho_cursor *cursor, const char *function)
{
	const struct tacho_call *call = NULL;

	assert_int_equal(tacho_cursor_next(cursor, &call), 1);
	assert_string_equal(call->function->name, function);
	return call;
}

void check_end(struct tacho_cursor *cursor)
{
	const struct tacho_call *call;

	assert_int_equal(tacho_cursor_next(cursor, &call), 0);
}

void put_file(struct folder *folder, const char *name, const char *text)
{
	FILE *file = fopen(folder_name(folder, name), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

void check_packet(struct tacho_cursor *cursor, const char *kernel, const char *device,
		  uint64_t start_ns, uint64_t end_ns)
{
	const struct tacho_call *call = get_call(cursor, "HSA_PACKET_TYPE_KERNEL_DISPATCH");
	const struct tacho_command *command = call->command;

	assert_string_equal(call->function->api, "HSA");
	assert_int_equal(call->is_bare, 1);
	assert_int_equal(command->state, TACHO_STATE_OK);
	assert_int_equal(command->lacks_queue_times, 1);
	assert_int_equal(command->start_ns, start_ns);
	assert_int_equal(command->end_ns, end_ns);
	assert_string_equal(command->device->name, device);
	assert_string_equal(command->kernel->name, kernel);
}
