/* SPDX-License-Identifier: MIT */
#include "record/call_arguments.h"

enum { HIDDEN = 'h' }; /* of kinds: tells something to the reader, and is no text */

void tacho__call_arguments_finish(struct tacho__call_arguments *arguments)
{
	for (size_t i = 0; i < TACHO__ARGUMENTS_COUNT_MAX; i++)
		tacho__buf_finish(&arguments->texts[i]);
	tacho__buf_finish(&arguments->joined);
}

void tacho__call_arguments_begin(struct tacho__call_arguments *arguments,
				 const struct tacho__function *function,
				 const struct tacho__unpack *unpack)
{
	arguments->function = function;
	arguments->rest = *unpack;
	arguments->decoded = 0;
}

void tacho__call_arguments_decode(struct tacho__call_arguments *arguments, size_t end)
{
	const struct tacho__function *function = arguments->function;

	for (; arguments->decoded < end; arguments->decoded++) {
		size_t i = arguments->decoded;

		arguments->places[i] = arguments->rest;
		arguments->is_text[i] = false;
		tacho__call_decode(&function->arguments[i].show, &arguments->rest, function,
				   arguments->values, NULL, &arguments->values[i]);
	}
}

/* One that is decoded. */
static void put_text(struct tacho__call_arguments *arguments, size_t index, struct tacho__buf *buf)
{
	struct tacho__unpack unpack = arguments->places[index];

	tacho__call_decode(&arguments->function->arguments[index].show, &unpack,
			   arguments->function, arguments->values, buf, &arguments->values[index]);
	arguments->failed |= buf->failed;
}

const char *tacho__call_arguments_format(struct tacho__call_arguments *arguments,
					 const char *separator)
{
	const struct tacho__function *function = arguments->function;
	const char *between = "";

	tacho__call_arguments_decode(arguments, function->count);
	tacho__buf_clear(&arguments->joined);
	for (size_t i = 0; i < function->count; i++) {
		if (function->arguments[i].show.kind == HIDDEN)
			continue;
		tacho__buf_put(&arguments->joined, between);
		put_text(arguments, i, &arguments->joined);
		between = separator;
	}
	return tacho__buf_text(&arguments->joined);
}

/* Their count if there is none. */
static size_t find_shown(const struct tacho__function *function, size_t number)
{
	for (size_t i = 0; i < function->count; i++)
		if (function->arguments[i].show.kind != HIDDEN && !number--)
			return i;
	return function->count;
}

const char *tacho__call_arguments_get(struct tacho__call_arguments *arguments, size_t number,
				      const char **out_name)
{
	size_t index = find_shown(arguments->function, number);
	struct tacho__buf *text = &arguments->texts[index % TACHO__ARGUMENTS_COUNT_MAX];

	if (index == arguments->function->count)
		return NULL;
	tacho__call_arguments_decode(arguments, index + 1);
	if (!arguments->is_text[index]) {
		tacho__buf_clear(text);
		put_text(arguments, index, text);
		arguments->is_text[index] = true;
	}
	if (text->failed)
		return NULL;
	*out_name = arguments->function->arguments[index].name;
	return tacho__buf_text(text);
}
