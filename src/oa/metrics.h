/* SPDX-License-Identifier: MIT */
/* Metrics of a recording: the reports' differences as columns of one program. */
#ifndef TACHO_OA_METRICS_H
#define TACHO_OA_METRICS_H

#include "base/arena.h"
#include "catalog/catalog.h"
#include "formula/program.h"
#include "tacho/sys/oa_metrics.h"

enum { TACHO__OA_BATCH = 512 };

/* One that was asked for. */
struct tacho__oa_wanted {
	const struct tacho_entry *entry;
	const char *symbol;
	const char *note; /* why it is absent; "" when it is worked out */
	size_t output;
};

struct tacho_oa_metrics {
	struct tacho_oa_recording *recording;
	const struct tacho_arch *arch;
	const struct tacho_set *set;
	enum tacho_oa_cut cut;
	int strict;
	enum tacho_oa_gen gen;
	const struct tacho_oa_format *format;
	struct tacho_oa_limits limits;
	struct tacho__arena arena;
	struct tacho_model model;
	struct tacho__arch_scope scope;
	struct tacho__oa_wanted *wanted;
	size_t wanted_count;

	/* Bound to the inputs without states, and when some value is not plainly ok with them. */
	struct tacho__program *plain, *stateful;
	const struct tacho__input *inputs;
	size_t input_count;
	int *input_index;	 /* in the report's values, -1: the format does not have it */
	uint64_t **input_values; /* TACHO__OA_BATCH each */
	uint8_t **input_states;
	struct tacho_column *plain_columns, *stateful_columns;
	struct tacho__target *targets; /* of the outputs */
	struct tacho_column *columns;  /* of wanted */
	uint8_t *absent_states;

	/* The interval that is open. */
	struct tacho_oa_report reports[2];  /* the last one, and the one before or after */
	struct tacho_oa_record first, last; /* bytes are not borrowed: NULL */
	unsigned last_at;		    /* which of reports */
	int has_last, was_lost;
	uint32_t first_context;
	struct tacho_oa_sums sums;

	struct tacho_oa_interval intervals[TACHO__OA_BATCH];
	size_t count;
	int has_states; /* of this batch: some input is not plainly ok */
	int end;	/* what the recording's end, or its error, was; 1: not there yet */
	uint64_t skipped_count;
};

#endif
