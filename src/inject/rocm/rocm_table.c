/* SPDX-License-Identifier: MIT */
#include "inject/rocm/rocm_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "inject/rocm/rocm_functions.h"
#include "record/writer.h"

enum {
	FUNCTIONS_MAX = 1024,  /* of a table */
	OPERATIONS_MAX = 1024, /* of a kind */
	NAME_MAX_BYTES = 128,
};

static const uint32_t kinds[] = {
	ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API,
	ROCPROFILER_BUFFER_TRACING_HSA_CORE_API,
	ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API,
};

static const char commands[] =
	"calls 1 rocm\n"
	"func 0 -1 kernel_dispatch - queue=x kernel=h dims=u grid=l:u workgroup=l:u dispatch=u "
	"agent=x hsa_queue=x private_bytes=u lds_bytes=u correlation=u\n"
	"func 1 -1 memory_copy - queue=x bytes=u source=x destination=x correlation=u\n"
	"func 2 -1 memory_copy_to_device - queue=x bytes=u source=x destination=x correlation=u\n"
	"func 3 -1 memory_copy_from_device - queue=x bytes=u source=x destination=x correlation=u\n"
	"func 4 -1 memory_copy_on_device - queue=x bytes=u source=x destination=x correlation=u\n"
	"cmd 0 kernel 0 kernel_dispatch queue=queue kernel=kernel dims=dims global=grid "
	"local=workgroup\n"
	"cmd 1 copy 1 memory_copy queue=queue bytes=bytes\n"
	"cmd 2 write 2 memory_copy_to_device queue=queue bytes=bytes\n"
	"cmd 3 read 3 memory_copy_from_device queue=queue bytes=bytes\n"
	"cmd 4 copy 4 memory_copy_on_device queue=queue bytes=bytes\n";

/* Functions that only ask, and those that wait for a device. */
static const char *const polls[] = {"hipEventQuery",
				    "hipStreamQuery",
				    "hipGetDevice",
				    "hsa_signal_load_relaxed",
				    "hsa_signal_load_scacquire",
				    "hsa_queue_load_read_index_relaxed",
				    "hsa_queue_load_read_index_scacquire"};
static const char *const waits[] = {"hipDeviceSynchronize", "hipStreamSynchronize",
				    "hipEventSynchronize", "hsa_signal_wait_relaxed",
				    "hsa_signal_wait_scacquire"};

static struct {
	FILE *stream; /* of the text that is being made */
	unsigned count;
	char poll[512], wait[512];				    /* numbers of functions */
	uint16_t numbers[TACHO__ARRAY_SIZE(kinds)][OPERATIONS_MAX]; /* plus 1 */
} table;

static bool is_name(const char *name)
{
	size_t size =
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return size && size < NAME_MAX_BYTES && !name[size];
}

static void add_number(char *list, size_t room, const char *const *names, size_t count,
		       const char *name)
{
	size_t used = strlen(list);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			snprintf(list + used, room - used, " %u", table.count);
}

static int add_function(rocprofiler_buffer_tracing_kind_t kind,
			rocprofiler_tracing_operation_t operation, void *numbers)
{
	const char *name = NULL;
	uint64_t size = 0;

	if (operation < 0 || operation >= OPERATIONS_MAX || table.count == FUNCTIONS_MAX ||
	    tacho__rocm.query_buffer_tracing_kind_operation_name(kind, operation, &name, &size) ||
	    !name || !is_name(name))
		return 0;
	fprintf(table.stream, "func %u -1 %s - correlation=u\n", table.count, name);
	add_number(table.poll, sizeof(table.poll), polls, TACHO__ARRAY_SIZE(polls), name);
	add_number(table.wait, sizeof(table.wait), waits, TACHO__ARRAY_SIZE(waits), name);
	((uint16_t *)numbers)[operation] = (uint16_t)++table.count;
	return 0;
}

bool tacho__rocm_table_make(void)
{
	char *text = NULL;
	size_t size = 0;

	table.stream = open_memstream(&text, &size);
	if (!table.stream)
		return false;
	fputs(commands, table.stream);
	table.count = TACHO__ROCM_COMMANDS;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(kinds); i++)
		tacho__rocm.iterate_buffer_tracing_kind_operations(kinds[i], add_function,
								   table.numbers[i]);
	if (table.poll[0])
		fprintf(table.stream, "poll%s\n", table.poll);
	if (table.wait[0])
		fprintf(table.stream, "wait%s\n", table.wait);
	if (fclose(table.stream) || !text) { /* glibc does not complain of the latter */
		free(text);
		return false;
	}
	tacho__record_add_table(TACHO__ROCM_API, text, size); /* it stays for the process's life */
	return true;
}

int tacho__rocm_table_find(uint32_t kind, int32_t operation)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(kinds); i++)
		if (kinds[i] == kind && operation >= 0 && operation < OPERATIONS_MAX)
			return table.numbers[i][operation] - 1;
	return -1;
}
