/* SPDX-License-Identifier: MIT */
/*
 * The least that reading an Nsight Systems database takes: steps through the calls and the kernels
 * and takes each column that tacho takes, with SQLite alone.
 *
 *	columns FILE      prints "LAUNCHES NANOSECONDS"
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/sqlite_library.h"

static struct tacho__sqlite_library library;

/* Adds up the last column less the one before it; the others are taken, too. */
static uint64_t read_columns(struct tacho__sqlite_db *db, const char *sql, int count,
			     uint64_t *out_total)
{
	struct tacho__sqlite_statement *statement;
	uint64_t rows = 0, all = 0;

	*out_total = 0;
	if (library.calls.prepare_v2(db, sql, -1, &statement, NULL))
		return 0;
	for (; library.calls.step(statement) == TACHO__SQLITE_ROW; rows++) {
		int64_t values[32] = {0};

		for (int i = 0; i < count; i++)
			if (library.calls.column_type(statement, i) == TACHO__SQLITE_INTEGER)
				values[i] = library.calls.column_int64(statement, i);
		for (int i = 0; i < count; i++)
			all += (uint64_t)values[i];
		*out_total += (uint64_t)(values[1] - values[0]);
	}
	library.calls.finalize(statement);
	return all ? rows : 0;
}

int main(int argc, char **argv)
{
	struct tacho__sqlite_db *db;
	uint64_t calls, launches, total_ns;

	if (argc != 2 || tacho__sqlite_library_open(&library) ||
	    library.calls.open_v2(argv[1], &db, TACHO__SQLITE_OPEN_READONLY, NULL)) {
		fprintf(stderr, "usage: columns FILE, and SQLite's library\n");
		return 1;
	}
	calls = read_columns(db,
			     "SELECT start, end, globalTid, correlationId, nameId, returnValue "
			     "FROM CUPTI_ACTIVITY_KIND_RUNTIME",
			     6, &total_ns);
	launches =
		read_columns(db,
			     "SELECT start, end, deviceId, contextId, streamId, correlationId, "
			     "globalPid, demangledName, registersPerThread, gridX, gridY, gridZ, "
			     "blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, "
			     "localMemoryPerThread FROM CUPTI_ACTIVITY_KIND_KERNEL",
			     18, &total_ns);
	printf("%" PRIu64 " %" PRIu64 "\n", launches, total_ns);
	return calls && launches ? 0 : 1;
}
