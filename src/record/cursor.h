/* SPDX-License-Identifier: MIT */
/* The cursor of folders, shared by its files: cursor.c cursor_commands.c. */
#ifndef TACHO_RECORD_CURSOR_H
#define TACHO_RECORD_CURSOR_H

#include "record/call_arguments.h"
#include "record/kept_source.h"
#include "record/merge.h"
#include "record/objects.h"
#include "record/reader.h"
#include "record/rows.h"
#include "record/templates.h"
#include "record/window_reader.h"

/* What a constant that a call returned means. Most calls return the same one. */
struct tacho__call_result {
	const struct tacho__enum *set;
	int64_t value;
	const struct tacho__constant *constant; /* NULL: it has no name */
	bool is_failure;
};

struct tacho__folder_cursor {
	struct tacho_cursor cursor; /* the first member, as of every source */
	struct tacho_recording *recording;
	struct tacho__merge merge;
	struct tacho__objects objects;
	struct tacho__templates templates;
	struct tacho__told told;
	struct tacho__window_reader windows;
	struct tacho__names launched;	      /* "process/device/kernel" that had a first launch */
	struct tacho__rows *rows;	      /* NULL: nothing was to be counted */
	const struct tacho_recorded_row *row; /* of the current command */
	struct tacho_call call;
	struct tacho_command command;
	struct tacho__function *function;
	struct tacho__call_arguments arguments;
	const void *recorded; /* the current call's result and arguments, as they were packed */
	size_t recorded_size;
	struct tacho__buf result;
	struct tacho__call_result last_result;
	uint64_t unreadable; /* bytes of records that make no sense */
	tacho_blob_fn on_blob;
	void *blob_user;
	tacho__evidence_fn on_evidence;
	void *evidence_user;
};

/*
 * cursor_commands.c: the command of the current call, of cursor->function, whose arguments are
 * decoded. NOMEM.
 */
int tacho__cursor_take_command(struct tacho__folder_cursor *cursor, struct tacho__merged *source);
/* Of a look that needs less: its device and its times, before anything is decoded. */
void tacho__cursor_take_brief_command(struct tacho__folder_cursor *cursor,
				      struct tacho__merged *source);
/* Only its evidence, before anything of the call is decoded. What on_evidence returns. */
int tacho__cursor_survey_command(struct tacho__folder_cursor *cursor, struct tacho__merged *source);

#endif
