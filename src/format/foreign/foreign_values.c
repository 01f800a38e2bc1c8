/* SPDX-License-Identifier: MIT */
/* Values of counters, told apart from the commands that they belong to. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "format/foreign/foreign.h"

static int compare(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

int tacho__foreign_compare_values(const void *left, const void *right)
{
	const struct tacho__foreign_value *a = left, *b = right;
	int order = compare(a->process, b->process);

	order = order ? order : compare(a->values, b->values);
	return order ? order : compare(a->counter, b->counter);
}

int tacho__foreign_compare_counted(const void *left, const void *right)
{
	const struct tacho__foreign_command *a = left, *b = right;
	int order = compare(a->process, b->process);

	return order ? order : compare(a->values, b->values);
}

int tacho__foreign_counter(struct tacho__foreign *foreign, const char *name, const char *unit,
			   enum tacho_type type, uint32_t *out_counter)
{
	uintptr_t known = (uintptr_t)tacho__names_get(&foreign->by_counter, name);
	struct tacho__arena *arena = &foreign->recording->arena;
	struct tacho_entry *entry;

	if (!known) {
		if (tacho__array_reserve(&foreign->counters, &foreign->counter_capacity,
					 foreign->counter_count, sizeof(*foreign->counters)))
			return TACHO_E_NOMEM;
		entry = &foreign->counters[foreign->counter_count];
		*entry = (struct tacho_entry){.name = tacho__arena_string(arena, name),
					      .unit = tacho__arena_string(arena, unit),
					      .group = "",
					      .type = type};
		if (arena->failed)
			return TACHO_E_NOMEM;
		tacho__entry_complete(entry);
		known = ++foreign->counter_count;
		if (tacho__names_set(&foreign->by_counter, entry->name, (void *)known))
			return TACHO_E_NOMEM;
	}
	*out_counter = (uint32_t)known;
	return 0;
}

int tacho__foreign_add_value(struct tacho__foreign *foreign,
			     const struct tacho__foreign_value *value)
{
	tacho__foreign_tally(foreign);
	return tacho__sorter_add(&foreign->values, value, sizeof(*value));
}

/* ---- joining ---- */

struct join {
	struct tacho__foreign *foreign;
	struct tacho__sorted values;
	const struct tacho__foreign_value *value; /* NULL: no more */
	struct {
		struct tacho__foreign_command command;
		struct tacho__foreign_kept kept[TACHO__FOREIGN_VALUES_MAX];
	} whole;
	size_t kept_count;
};

static int next_value(struct join *join)
{
	const void *record = NULL;
	size_t size;
	int rc = tacho__sorted_next(&join->values, &record, &size);

	join->value = rc == 1 ? record : NULL;
	return rc < 0 ? rc : 0;
}

static int compare_keys(const struct tacho__foreign_value *value,
			const struct tacho__foreign_command *command)
{
	int order = compare(value->process, command->process);

	return order ? order : compare(value->values, command->values);
}

static void keep(struct join *join)
{
	const struct tacho__foreign_value *value = join->value;
	const struct tacho__foreign_kept *last =
		join->kept_count ? &join->whole.kept[join->kept_count - 1] : NULL;

	if (last && last->counter == value->counter)
		return;
	if (join->kept_count == TACHO__FOREIGN_VALUES_MAX) {
		join->foreign->surplus_values++;
		return;
	}
	join->whole.kept[join->kept_count++] = (struct tacho__foreign_kept){
		value->counter, value->state, value->note, 0, value->number};
}

/* The values of a command; those before them belong to none. */
static int take_values(struct join *join, const struct tacho__foreign_command *command)
{
	int rc = 0, order;

	join->whole.command = *command;
	join->kept_count = 0;
	while (!rc && join->value && (order = compare_keys(join->value, command)) <= 0) {
		if (!order)
			keep(join);
		else
			join->foreign->lonely_values++;
		rc = next_value(join);
	}
	return rc ? rc
		  : tacho__foreign_put_command(
			    join->foreign, &join->whole.command,
			    sizeof(*command) + join->kept_count * sizeof(*join->whole.kept));
}

static int join_all(struct join *join, struct tacho__sorted *counted)
{
	const void *command;
	size_t size;
	int rc = next_value(join), more = 0;

	while (!rc && (more = tacho__sorted_next(counted, &command, &size)) == 1)
		rc = take_values(join, command);
	rc = rc ? rc : more;
	while (!rc && join->value) {
		join->foreign->lonely_values++;
		rc = next_value(join);
	}
	return rc;
}

int tacho__foreign_join_values(struct tacho__foreign *foreign)
{
	struct join *join = calloc(1, sizeof(*join));
	struct tacho__sorted counted = {0};
	int rc;

	if (!join)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for values");
	join->foreign = foreign;
	rc = tacho__sorter_seal(&foreign->values);
	if (!rc)
		rc = tacho__sorter_seal(&foreign->counted);
	if (!rc)
		rc = tacho__sorted_open(&join->values, &foreign->values);
	if (!rc)
		rc = tacho__sorted_open(&counted, &foreign->counted);
	if (!rc)
		rc = join_all(join, &counted);
	tacho__sorted_close(&counted);
	tacho__sorted_close(&join->values);
	free(join);
	tacho__sorter_finish(&foreign->values);
	tacho__sorter_finish(&foreign->counted);
	return rc;
}

void tacho__foreign_note_values(struct tacho__foreign *foreign)
{
	if (foreign->lost_sizes)
		tacho__foreign_note(foreign,
				    "The sizes of %" PRIu64 " launch%s count groups or work-items, "
				    "which only their calls tell, and these are not in the file: "
				    "they are left out.",
				    foreign->lost_sizes, foreign->lost_sizes == 1 ? "" : "es");
	tacho__foreign_note_count(
		foreign, foreign->lonely_values,
		"value of a counter names no launch that the file has, and is left out.",
		"values of counters name no launch that the file has, and are left out.");
	if (foreign->surplus_values)
		tacho__foreign_note(foreign,
				    "%" PRIu64 " value%s of launches with more than %d are left "
				    "out.",
				    foreign->surplus_values,
				    foreign->surplus_values == 1 ? "" : "s",
				    TACHO__FOREIGN_VALUES_MAX);
}
