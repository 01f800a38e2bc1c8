/* SPDX-License-Identifier: MIT */
/* What a batch of columns is made of. */
#ifndef TACHO_ANALYZE_COLUMNS_H
#define TACHO_ANALYZE_COLUMNS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/map.h"
#include "tacho/columns.h"

enum { TACHO__TEXT_CACHE = 256 };

/* All texts of a recording's batches, each once. Who opened it and each batch hold it. */
struct tacho__texts {
	atomic_uint holders;
	struct tacho__arena arena;
	struct tacho__names numbers;
	const char **texts; /* the first is "" */
	size_t count, capacity;
	struct {
		const void *at; /* where a text was met: mostly the same one is there again */
		uint32_t number;
	} cache[TACHO__TEXT_CACHE];
};

/* Held once. NOMEM. */
int tacho__texts_create(struct tacho__texts **out_texts);
void tacho__texts_release(struct tacho__texts *texts);
/* The number of a text, 0 for NULL; when memory runs out arena.failed is set. */
uint32_t tacho__texts_add(struct tacho__texts *texts, const char *text);

/* Values of one counter while the rows of a batch come in. */
struct tacho__values_column {
	struct tacho_column about; /* of the cursor's row, borrowed */
	uint64_t *numbers;	   /* of the column's type, as many as rows x instances fit */
	uint8_t *states;
	double *coverage;   /* NULL: all is 1 */
	const char **notes; /* texts; NULL: none has one */
};

/* Rows of values while they come in, and the result that they become. {0} has none. */
struct tacho__values {
	struct tacho__values_column *columns; /* NULL before the first row, and when it is whole */
	size_t count, capacity, rows;
	struct tacho_result *result;
};

struct tacho_batch {
	struct tacho__texts *texts;
	struct tacho_call_columns calls;
	struct tacho_command_columns commands;
	struct tacho_range_columns ranges;
	struct tacho_window_columns windows;
	size_t call_capacity, command_capacity, range_capacity, window_capacity;
	struct tacho__values values;	     /* of commands */
	struct tacho__values *window_values; /* by sampling */
	size_t sampling_count;
	bool is_import; /* of session files, which tell less of times */
};

/* columns_rows.c: each appends a row. NOMEM. `command` is the row of the call's command. */
int tacho__batch_add_call(struct tacho_batch *batch, const struct tacho_call *call,
			  uint64_t command);
int tacho__batch_add_command(struct tacho_batch *batch, const struct tacho_call *call,
			     uint64_t call_row, const struct tacho_recorded_row *row);
int tacho__batch_add_range(struct tacho_batch *batch, const struct tacho_named_range *range);
int tacho__batch_add_window(struct tacho_batch *batch, const struct tacho_window *window,
			    uint32_t sampling);
void tacho__batch_free_rows(struct tacho_batch *batch);

/* columns_values.c: the values of the command or window that was added last; all as results. */
int tacho__batch_add_values(struct tacho_batch *batch, const struct tacho_recorded_row *row);
int tacho__batch_add_window_values(struct tacho_batch *batch, const struct tacho_window *window,
				   uint32_t sampling);
int tacho__batch_finish_values(struct tacho_batch *batch);
void tacho__batch_free_values(struct tacho_batch *batch);

#endif
