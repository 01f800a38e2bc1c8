/* SPDX-License-Identifier: MIT */
/*
 * How many bytes the calls of a recording take, counted in its files without the reader.
 *
 *	bytes FILE...		prints "calls N", "records N", "bytes N" and "mean BYTES" of a call
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/chunk.h"

static struct {
	uint64_t calls, records, bytes;
} sum;

static int count_file(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	struct tacho__chunk_header header;
	off_t offset = 0;

	if (fd < 0) {
		perror(name);
		return 1;
	}
	while (pread(fd, &header, sizeof(header), offset) == (ssize_t)sizeof(header) &&
	       header.magic == TACHO__CHUNK_MAGIC && header.bytes) {
		sum.calls += header.calls;
		sum.records += header.records;
		sum.bytes += header.bytes;
		offset += header.bytes;
	}
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (count_file(argv[i]))
			return 1;
	if (!sum.calls) {
		fprintf(stderr, "bytes: no calls\n");
		return 1;
	}
	printf("calls %" PRIu64 "\nrecords %" PRIu64 "\nbytes %" PRIu64 "\nmean %.2f\n", sum.calls,
	       sum.records, sum.bytes, (double)sum.bytes / (double)sum.calls);
	return 0;
}
