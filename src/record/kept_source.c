/* SPDX-License-Identifier: MIT */
/* The public functions on cursors, each by the source that the recording came from. */
#include "record/argument.h"
#include "record/kept_source.h"

#include "base/error.h"
#include "record/brief.h"
#include "record/reader.h"
#include "record/share.h"

int tacho_cursor_open(struct tacho_recording *recording, struct tacho_cursor **out_cursor)
{
	int rc;

	if (!recording || !out_cursor)
		return tacho__fail_null(__func__);
	if (recording->sum_count)
		return tacho__recording_refuse_rows(recording);
	pthread_mutex_lock(&recording->opening);
	rc = recording->source->open_cursor(recording, out_cursor);
	pthread_mutex_unlock(&recording->opening);
	return rc;
}

void tacho_cursor_close(struct tacho_cursor *cursor)
{
	if (!cursor)
		return;
	if (cursor->others)
		cursor->others--;
	else
		cursor->source->close_cursor(cursor);
}

struct tacho_cursor *tacho__cursor_share(struct tacho_cursor *cursor)
{
	cursor->others++;
	return cursor;
}

int tacho_cursor_next(struct tacho_cursor *cursor, const struct tacho_call **out_call)
{
	const struct tacho_call *call = NULL;
	int rc;

	if (!cursor)
		return tacho__fail_null(__func__);
	rc = cursor->failed ? 0 : cursor->source->next(cursor, &call);
	if (cursor->failed && rc >= 0)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read a call");
	if (rc == 1 && out_call)
		*out_call = call;
	return rc;
}

void tacho__cursor_be_brief(struct tacho_cursor *cursor)
{
	cursor->is_brief = true;
}

const char *tacho_cursor_format_arguments(struct tacho_cursor *cursor, const char *separator)
{
	if (!cursor || !separator)
		return NULL;
	return cursor->source->format_arguments
		       ? cursor->source->format_arguments(cursor, separator)
		       : "";
}

const char *tacho_cursor_get_argument(struct tacho_cursor *cursor, size_t index,
				      const char **out_name)
{
	return cursor && out_name && cursor->source->get_argument
		       ? cursor->source->get_argument(cursor, index, out_name)
		       : NULL;
}

bool tacho__cursor_read_argument(struct tacho_cursor *cursor, size_t index,
				 struct tacho__call_argument *out_argument)
{
	struct tacho__call_argument argument = {0};

	if (cursor->source->read_argument)
		return cursor->source->read_argument(cursor, index, out_argument);
	argument.text = tacho_cursor_get_argument(cursor, index, &argument.name);
	*out_argument = argument;
	return argument.text != NULL;
}

bool tacho__cursor_read_handle(struct tacho_cursor *cursor, size_t index,
			       struct tacho__call_handle *out_handle)
{
	return cursor->source->read_handle &&
	       cursor->source->read_handle(cursor, index, out_handle);
}

bool tacho__cursor_read_recorded(struct tacho_cursor *cursor, const void **out_bytes,
				 size_t *out_size)
{
	if (cursor->source->read_recorded)
		cursor->source->read_recorded(cursor, out_bytes, out_size);
	return cursor->source->read_recorded != NULL;
}

const struct tacho_object *tacho_cursor_get_object(const struct tacho_cursor *cursor, size_t index)
{
	return cursor ? cursor->source->get_object(cursor, index) : NULL;
}

const char *tacho_cursor_get_thread_name(const struct tacho_cursor *cursor,
					 const struct tacho_process *process, uint32_t thread)
{
	if (!cursor)
		return NULL;
	return cursor->source->get_thread_name
		       ? cursor->source->get_thread_name(cursor, process, thread)
		       : "";
}

const struct tacho_recorded_row *tacho_cursor_get_row(struct tacho_cursor *cursor)
{
	return cursor ? cursor->source->get_row(cursor) : NULL;
}

void tacho_cursor_get_matching(const struct tacho_cursor *cursor,
			       struct tacho_matching *out_matching)
{
	if (!cursor || !out_matching)
		return;
	if (cursor->source->get_matching)
		cursor->source->get_matching(cursor, out_matching);
	else
		*out_matching = (struct tacho_matching){.run_count = 1};
}

void tacho_cursor_on_blob(struct tacho_cursor *cursor, tacho_blob_fn fn, void *user)
{
	if (cursor && cursor->source->on_blob)
		cursor->source->on_blob(cursor, fn, user);
}

void tacho_cursor_on_range(struct tacho_cursor *cursor, tacho_range_fn fn, void *user)
{
	if (!cursor)
		return;
	cursor->on_range = fn;
	cursor->range_user = user;
}

void tacho_cursor_on_window(struct tacho_cursor *cursor, tacho_window_fn fn, void *user)
{
	if (!cursor)
		return;
	cursor->on_window = fn;
	cursor->window_user = user;
}

void tacho_cursor_on_memory(struct tacho_cursor *cursor, tacho_memory_fn fn, void *user)
{
	if (!cursor)
		return;
	cursor->on_memory = fn;
	cursor->memory_user = user;
}
