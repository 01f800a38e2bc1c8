/* SPDX-License-Identifier: MIT */
/*
 * How many bytes the calls of a recording take, counted in its stream files without the reader.
 *
 *	bytes STREAM...		prints "records N", "bytes N" and "mean BYTES" for the function with
 *				the most records, and "files BYTES" for all files as they are
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/wire.h"

enum { KINDS = 65536 };

static struct {
	uint64_t records, bytes;
} kinds[KINDS];

static void count_window(const unsigned char *window, size_t window_bytes, size_t header_bytes)
{
	size_t at = header_bytes;
	uint64_t word;

	while (at + sizeof(word) <= window_bytes) {
		memcpy(&word, window + at, sizeof(word));
		if (TACHO__WORD_BYTES(word) == 0 || TACHO__WORD_BYTES(word) > window_bytes - at)
			return;
		kinds[TACHO__WORD_KIND(word)].records++;
		kinds[TACHO__WORD_KIND(word)].bytes += TACHO__WORD_BYTES(word);
		at += TACHO__WORD_BYTES(word);
	}
}

static void count_file(const unsigned char *file, size_t size)
{
	struct tacho__window_header header;

	for (size_t at = 0; at + sizeof(header) <= size; at += header.window_bytes) {
		memcpy(&header, file + at, sizeof(header));
		if (header.magic != TACHO__WINDOW_MAGIC || header.window_bytes > size - at ||
		    header.window_bytes < TACHO__WINDOW_UNIT)
			return;
		count_window(file + at, header.window_bytes, header.header_bytes);
	}
}

int main(int argc, char **argv)
{
	uint64_t file_bytes = 0;
	size_t most = 0;

	for (int i = 1; i < argc; i++) {
		int fd = open(argv[i], O_RDONLY | O_CLOEXEC);
		struct stat status;
		void *file;

		if (fd < 0 || fstat(fd, &status) != 0) {
			perror(argv[i]);
			return 1;
		}
		file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		close(fd);
		if (file == MAP_FAILED) {
			perror(argv[i]);
			return 1;
		}
		count_file(file, (size_t)status.st_size);
		munmap(file, (size_t)status.st_size);
		file_bytes += (uint64_t)status.st_size;
	}
	for (size_t i = 0; i < KINDS; i++) {
		if (TACHO__KIND_API(i) != 0 && kinds[i].records > kinds[most].records)
			most = i;
	}
	if (!kinds[most].records) {
		fprintf(stderr, "bytes: no calls in these streams\n");
		return 1;
	}
	printf("records %llu\nbytes %llu\nmean %.2f\nfiles %llu\n",
	       (unsigned long long)kinds[most].records, (unsigned long long)kinds[most].bytes,
	       (double)kinds[most].bytes / (double)kinds[most].records,
	       (unsigned long long)file_bytes);
	return 0;
}
