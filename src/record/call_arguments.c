/* SPDX-License-Identifier: MIT */
#include "record/call_arguments.h"

void tacho__call_arguments_finish(struct tacho__call_arguments *arguments)
{
	for (size_t i = 0; i < TACHO__ARGUMENTS_COUNT_MAX; i++)
		tacho__buf_finish(&arguments->texts[i]);
	tacho__buf_finish(&arguments->joined);
}

/* The next one, and its text, where `buf` is not NULL. */
static void decode_next(struct tacho__call_arguments *arguments, struct tacho__buf *buf)
{
	const struct tacho__function *function = arguments->function;
	size_t i = arguments->decoded++;
	const struct tacho__show *show = &function->arguments[i].show;
	enum tacho__number_form form = tacho__call_get_form(show);

	arguments->places[i] = *arguments->rest;
	arguments->is_text[i] = false;
	if (buf || !form) {
		tacho__call_decode(show, arguments->rest, function, arguments->values, buf,
				   &arguments->values[i]);
		return;
	}
	arguments->values[i] = (struct tacho__value){
		.scalar = form == TACHO__NUMBER_SIGNED
				  ? (uint64_t)tacho__unpack_i64(arguments->rest)
				  : tacho__unpack_u64(arguments->rest),
		.present = true,
	};
}

void tacho__call_arguments_decode(struct tacho__call_arguments *arguments, size_t end)
{
	while (arguments->decoded < end)
		decode_next(arguments, NULL);
}

static void put_text(struct tacho__call_arguments *arguments, size_t index, struct tacho__buf *buf)
{
	struct tacho__unpack unpack;

	tacho__call_arguments_decode(arguments, index);
	if (index == arguments->decoded) {
		decode_next(arguments, buf);
	} else {
		unpack = arguments->places[index];
		tacho__call_decode(&arguments->function->arguments[index].show, &unpack,
				   arguments->function, arguments->values, buf,
				   &arguments->values[index]);
	}
	arguments->failed |= buf->failed;
}

const char *tacho__call_arguments_format(struct tacho__call_arguments *arguments,
					 const char *separator)
{
	const struct tacho__function *function = arguments->function;
	const char *between = "";

	tacho__buf_clear(&arguments->joined);
	for (size_t i = 0; i < function->shown_count; i++) {
		tacho__buf_put(&arguments->joined, between);
		put_text(arguments, function->shown[i], &arguments->joined);
		between = separator;
	}
	return tacho__buf_text(&arguments->joined);
}

/* The index of a shown one; the count of all if there is none. */
static size_t find_shown(const struct tacho__call_arguments *arguments, size_t number)
{
	const struct tacho__function *function = arguments->function;

	return number < function->shown_count ? function->shown[number] : function->count;
}

/* NULL: no memory. */
static const char *get_text(struct tacho__call_arguments *arguments, size_t index)
{
	struct tacho__buf *text = &arguments->texts[index];

	if (arguments->decoded <= index || !arguments->is_text[index]) {
		tacho__buf_clear(text);
		put_text(arguments, index, text);
		arguments->is_text[index] = true;
	}
	return text->failed ? NULL : tacho__buf_text(text);
}

const char *tacho__call_arguments_get(struct tacho__call_arguments *arguments, size_t number,
				      const char **out_name)
{
	size_t index = find_shown(arguments, number);
	const char *text = index < arguments->function->count ? get_text(arguments, index) : NULL;

	if (text)
		*out_name = arguments->function->arguments[index].name;
	return text;
}

bool tacho__call_arguments_read(struct tacho__call_arguments *arguments, size_t number,
				struct tacho__call_argument *out_argument)
{
	size_t index = find_shown(arguments, number);
	const struct tacho__show *show;
	uint64_t value;

	if (index == arguments->function->count)
		return false;
	show = &arguments->function->arguments[index].show;
	out_argument->name = arguments->function->arguments[index].name;
	out_argument->form = tacho__call_get_form(show);
	out_argument->text = NULL;
	if (out_argument->form || tacho__call_has_names(show)) {
		tacho__call_arguments_decode(arguments, index + 1);
		value = out_argument->number = arguments->values[index].scalar;
		if (out_argument->form == TACHO__NUMBER_POINTER && !value)
			out_argument->form = TACHO__NUMBER_NONE;
		if (!out_argument->form)
			out_argument->text = tacho__call_find_name(show, value);
	} else if (show->kind == 'l') { /* most lists are of what to wait for, and not there */
		tacho__call_arguments_decode(arguments, index + 1);
		out_argument->text = arguments->values[index].present ? NULL : "NULL";
	}
	if (!out_argument->form && !out_argument->text)
		out_argument->text = get_text(arguments, index);
	return out_argument->form || out_argument->text;
}

bool tacho__call_arguments_read_handle(struct tacho__call_arguments *arguments, size_t number,
				       struct tacho__call_handle *out_handle)
{
	size_t index = find_shown(arguments, number);
	const struct tacho__show *show;

	if (index == arguments->function->count)
		return false;
	show = &arguments->function->arguments[index].show;
	if (show->kind != 'x' && !(show->kind == 'o' && show->inner->kind == 'x'))
		return false;
	tacho__call_arguments_decode(arguments, index + 1);
	out_handle->handle = arguments->values[index].scalar;
	out_handle->is_written = show->kind == 'o';
	return arguments->values[index].present;
}
