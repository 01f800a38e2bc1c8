/* SPDX-License-Identifier: MIT */
/* Memory that is there, or the command ends. */
#include <stdarg.h>
#include <stdlib.h>

#include <tacho/error.h>

#include "cli.h"

void cli_out_of_memory(void)
{
	fputs("tacho: out of memory\n", stderr);
	exit(CLI_FAILED);
}

bool cli_succeeded(int rc)
{
	if (rc == TACHO_E_NOMEM)
		cli_out_of_memory();
	return rc == 0;
}

void *cli_alloc(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory)
		cli_out_of_memory();
	return memory;
}

void *cli_grow(void *list, size_t count, size_t size)
{
	/* It has room for a power of two less one, so that its capacity need not be kept. */
	if (count & (count + 1))
		return list;
	list = reallocarray(list, 2 * (count + 1), size);
	if (!list)
		cli_out_of_memory();
	return list;
}

char *cli_format_list(const char *format, va_list list)
{
	char *text;

	if (vasprintf(&text, format, list) < 0)
		cli_out_of_memory();
	return text;
}

char *cli_format(const char *format, ...)
{
	char *text;
	va_list list;

	va_start(list, format);
	text = cli_format_list(format, list);
	va_end(list);
	return text;
}

void cli_append(char **text, const char *separator, const char *format, ...)
{
	char *old = *text, *more;
	va_list list;

	va_start(list, format);
	more = cli_format_list(format, list);
	va_end(list);
	*text = cli_format("%s%s%s", old ? old : "", old && *old ? separator : "", more);
	free(old);
	free(more);
}
