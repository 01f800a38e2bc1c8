/* SPDX-License-Identifier: MIT */
/* Memory that is kept until the generator ends. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

struct block {
	struct block *next;
	max_align_t bytes[];
};

static struct block *blocks;

static void release_all(void)
{
	while (blocks) {
		struct block *next = blocks->next;

		free(blocks);
		blocks = next;
	}
}

static _Noreturn void run_out(void)
{
	fputs("apigen: out of memory\n", stderr);
	exit(1);
}

void *keep(size_t bytes)
{
	struct block *block = calloc(1, sizeof(*block) + bytes);

	if (!block)
		run_out();
	if (!blocks)
		atexit(release_all);
	block->next = blocks;
	blocks = block;
	return block->bytes;
}

const char *keep_text(const char *text, size_t size)
{
	char *copy = keep(size + 1);

	memcpy(copy, text, size);
	return copy;
}

const char *keep_format(const char *format, ...)
{
	va_list list;
	const char *kept;
	char *text;
	int size;

	va_start(list, format);
	size = vasprintf(&text, format, list);
	va_end(list);
	if (size < 0)
		run_out();
	kept = keep_text(text, (size_t)size);
	free(text);
	return kept;
}

void die(const struct api *api, int line, const char *format, ...)
{
	va_list list;

	fprintf(stderr, "%s:%d: ", api->file, line);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputc('\n', stderr);
	exit(1);
}
