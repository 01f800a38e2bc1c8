/* SPDX-License-Identifier: MIT */
/*
 * Kernels by their place. Two builds of a program, or one for GPUs of two vendors, launch the same
 * work in the same order under other names. The launches whose names both sides have are put beside
 * each other; where as many others stand between two of them on both sides, each has its place. Two
 * names are one when they have the same place in more than half of the launches of each.
 */
#include <stdlib.h>

#include "analyze/diff/align.h"
#include "analyze/diff/diff.h"
#include "base/array.h"
#include "base/error.h"

enum {
	LAUNCHES_MAX = 100000, /* of a side that are looked at */
	ROUNDS_MAX = 8,
	ALONE = 0, /* the number of names that only one side has */
};

/* A kernel's name on a side. */
struct name {
	const char *text;
	uint64_t launches; /* in the stretch that is compared */
};

struct order {
	uint32_t *launches; /* numbers of names */
	size_t count, capacity;
	struct name *names;
	size_t name_count, name_capacity;
	struct tacho__names by_name;	     /* its number + 1 */
	const struct tacho_process *process; /* whose */
};

/* The launches of names that both sides have. */
struct common {
	uint32_t *tokens; /* numbers of lines */
	uint32_t *places; /* in the order */
	size_t count;
};

struct places {
	struct tacho_diff *diff;
	struct order orders[2];
	uint32_t *tokens[2]; /* of names: the number of their line, or ALONE */
	struct common common[2];
	struct tacho__aligned aligned; /* of these */
	struct tacho__aligned next,
		seen; /* the last place that was told; all before was compared */
	bool has_next;
	struct tacho__map votes; /* name of A << 32 | name of B -> how often beside each other */
};

/* ---- what was launched ---- */

static const char *name_of(const struct tacho_command *command)
{
	if (command->kind == TACHO_COMMAND_BUFFER)
		return command->contents->name;
	return command->kind == TACHO_COMMAND_KERNEL && command->kernel ? command->kernel->name
									: NULL;
}

static int add_launch(struct tacho_diff *diff, struct order *order, const char *text)
{
	uintptr_t known = (uintptr_t)tacho__names_get(&order->by_name, text);
	struct name name = {0};
	uint32_t number;
	int rc = 0;

	if (!known) {
		name.text = tacho__arena_string(&diff->arena, text);
		rc = name.text ? tacho__array_add(&order->names, &order->name_capacity,
						  &order->name_count, &name, sizeof(name))
			       : TACHO_E_NOMEM;
		known = order->name_count;
		if (!rc)
			rc = tacho__names_set(&order->by_name, name.text, (void *)known);
	}
	number = (uint32_t)(known - 1);
	return rc ? rc
		  : tacho__array_add(&order->launches, &order->capacity, &order->count, &number,
				     sizeof(number));
}

static int read_order(struct tacho_diff *diff, enum tacho_diff_side side, struct order *order)
{
	const struct tacho__diff_run *run = &diff->runs[side ? diff->side_runs[0] : 0];
	const struct tacho_call *call;
	struct tacho_cursor *cursor;
	int rc = tacho_cursor_open(run->recording, &cursor);

	if (rc)
		return rc;
	while (order->count < LAUNCHES_MAX && (rc = tacho_cursor_next(cursor, &call)) == 1) {
		const char *name = call->command ? name_of(call->command) : NULL;

		if (!order->process && name)
			order->process = call->process;
		rc = name && *name && call->process == order->process
			     ? add_launch(diff, order, name)
			     : 0;
		if (rc)
			break;
	}
	tacho_cursor_close(cursor);
	return rc < 0 ? rc : 0;
}

/* ---- beside each other ---- */

/* What the name is in the comparison already: its own, or that of a pair. */
static int line_of(struct places *places, enum tacho_diff_side side, const char *name,
		   const char **out_line)
{
	int rc = 0;
	const struct tacho__diff_alias *alias =
		tacho__diff_get_alias(places->diff, side, name, &rc);

	*out_line = alias ? alias->line : name;
	return rc;
}

/* A number for each line; `in` has a bit for each side that has it. */
static int number_lines(struct places *places, uint32_t *const tokens[2], uint8_t *in)
{
	struct tacho__names numbers = {0};
	uintptr_t last = ALONE;
	int rc = 0;

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < places->orders[side].name_count && !rc; i++) {
			const char *line;
			uintptr_t number;

			rc = line_of(places, (enum tacho_diff_side)side,
				     places->orders[side].names[i].text, &line);
			number = rc ? 0 : (uintptr_t)tacho__names_get(&numbers, line);
			if (!rc && !number)
				rc = tacho__names_set(&numbers, line, (void *)(number = ++last));
			tokens[side][i] = (uint32_t)number;
			in[number] |= (uint8_t)(1 << side);
		}
	tacho__names_finish(&numbers);
	return rc;
}

/* Names that one side has are all the same, but those that a pair is about. */
static int number_names(struct places *places, uint32_t *const tokens[2])
{
	size_t count = places->orders[0].name_count + places->orders[1].name_count;
	uint8_t *in = calloc(count + 1, 1);
	int rc = in ? number_lines(places, tokens, in) : tacho__diff_fail_memory();

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < places->orders[side].name_count && !rc; i++) {
			const char *name = places->orders[side].names[i].text, *line;

			rc = line_of(places, (enum tacho_diff_side)side, name, &line);
			if (!rc && line == name && in[tokens[side][i]] != 3)
				tokens[side][i] = ALONE;
		}
	free(in);
	return rc;
}

/* Two launches at the same place between those that both sides have. */
static int vote(struct places *places, size_t i, size_t k)
{
	uint64_t key =
		(uint64_t)places->orders[0].launches[i] << 32 | places->orders[1].launches[k];
	uintptr_t votes = (uintptr_t)tacho__map_get(&places->votes, key);

	return tacho__map_set(&places->votes, key, (void *)(votes + 1));
}

static bool is_alone(const struct places *places, int side, size_t i)
{
	return places->tokens[side][places->orders[side].launches[i]] == ALONE;
}

/* What stands between `from` and `to`: when it is as many on both sides, each has its place. */
static int vote_between(struct places *places, struct tacho__aligned from, struct tacho__aligned to)
{
	int rc = 0;

	if (to.a - from.a != to.b - from.b)
		return 0;
	for (size_t i = 0; i < to.a - from.a; i++)
		if (!is_alone(places, 0, from.a + i) || !is_alone(places, 1, from.b + i))
			return 0;
	for (size_t i = 0; i < to.a - from.a && !rc; i++)
		rc = vote(places, from.a + i, from.b + i);
	return rc;
}

/* All that both sides have stands beside each other, or alone; else they are too different. */
static bool is_whole(const struct places *places)
{
	return places->aligned.a == places->common[0].count &&
	       places->aligned.b == places->common[1].count;
}

/* The same launch on both sides, told from the last to the first. */
static int take_common(void *user, size_t i, size_t k)
{
	struct places *places = user;
	struct tacho__aligned at = {places->common[0].places[i], places->common[1].places[k]};
	struct tacho__aligned behind = {at.a + 1, at.b + 1};
	int rc = 0;

	if (!places->has_next && !is_whole(places))
		places->next = places->seen = behind;
	rc = vote_between(places, behind, places->next);
	places->next = at;
	places->has_next = true;
	return rc;
}

static void count_launches(struct order *order, size_t count)
{
	for (size_t i = 0; i < order->name_count; i++)
		order->names[i].launches = 0;
	for (size_t i = 0; i < count; i++)
		order->names[order->launches[i]].launches++;
}

/* *out_count: how many names were found again. */
static int take_votes(struct places *places, size_t *out_count)
{
	int rc = 0;

	for (size_t i = 0; i < places->votes.capacity && !rc; i++) {
		const struct tacho__map_entry *entry = &places->votes.entries[i];
		const struct name *a, *b;
		uint64_t votes = (uintptr_t)entry->value;

		if (!votes)
			continue;
		a = &places->orders[0].names[entry->key >> 32];
		b = &places->orders[1].names[(uint32_t)entry->key];
		if (2 * votes <= a->launches || 2 * votes <= b->launches)
			continue;
		rc = tacho__diff_add_alias(
			places->diff, TACHO_DIFF_B, b->text,
			&(struct tacho__diff_alias){a->text, b->text, TACHO_DIFF_MATCH_PLACE});
		++*out_count;
	}
	return rc;
}

/* The launches of names that both sides have. */
static int find_common(struct places *places, int side)
{
	const struct order *order = &places->orders[side];
	struct common *common = &places->common[side];

	common->count = 0;
	if (!common->tokens)
		common->tokens = malloc((order->count + 1) * sizeof(*common->tokens));
	if (!common->places)
		common->places = malloc((order->count + 1) * sizeof(*common->places));
	if (!common->tokens || !common->places)
		return tacho__diff_fail_memory();
	for (size_t i = 0; i < order->count; i++)
		if (!is_alone(places, side, i)) {
			common->tokens[common->count] = places->tokens[side][order->launches[i]];
			common->places[common->count++] = (uint32_t)i;
		}
	return 0;
}

/* What stands between launches that both sides have votes; *out_count: for so many names. */
static int compare(struct places *places, size_t *out_count)
{
	struct common *common = places->common;
	int rc = number_names(places, places->tokens);

	for (int side = 0; side < 2 && !rc; side++)
		rc = find_common(places, side);
	if (rc)
		return rc;
	places->has_next = false;
	places->next = (struct tacho__aligned){places->orders[0].count, places->orders[1].count};
	places->seen = places->next;
	rc = tacho__align(common[0].tokens, common[0].count, common[1].tokens, common[1].count,
			  take_common, places, &places->aligned);
	if (!rc && (places->has_next || is_whole(places)))
		rc = vote_between(places, (struct tacho__aligned){0}, places->next);
	if (rc)
		return rc;
	count_launches(&places->orders[0], places->seen.a);
	count_launches(&places->orders[1], places->seen.b);
	return take_votes(places, out_count);
}

static void finish_order(struct order *order)
{
	free(order->launches);
	free(order->names);
	tacho__names_finish(&order->by_name);
}

static int begin(struct places *places)
{
	int rc = 0;

	for (int side = 0; side < 2 && !rc; side++) {
		rc = read_order(places->diff, (enum tacho_diff_side)side, &places->orders[side]);
		if (rc)
			return rc;
		places->tokens[side] =
			calloc(places->orders[side].name_count + 1, sizeof(*places->tokens[side]));
		rc = places->tokens[side] ? 0 : tacho__diff_fail_memory();
	}
	return rc;
}

int tacho__diff_find_places(struct tacho_diff *diff)
{
	struct places places = {.diff = diff};
	size_t found = 1;
	int rc = begin(&places);

	/* names that were found stand between others: until nothing is found any more */
	for (int i = 0; i < ROUNDS_MAX && found && !rc; i++) {
		found = 0;
		rc = compare(&places, &found);
		tacho__map_finish(&places.votes);
		places.votes = (struct tacho__map){0};
	}
	for (int side = 0; side < 2; side++) {
		free(places.tokens[side]);
		free(places.common[side].tokens);
		free(places.common[side].places);
		finish_order(&places.orders[side]);
	}
	return rc;
}

/* ---- devices ---- */

/* Of the first launch, "" when there is none. Owned by the comparison. */
static int find_device(struct tacho_diff *diff, size_t run, const char **out_name)
{
	const struct tacho_call *call;
	struct tacho_cursor *cursor;
	int rc = tacho_cursor_open(diff->runs[run].recording, &cursor);

	*out_name = "";
	if (rc)
		return rc;
	while ((rc = tacho_cursor_next(cursor, &call)) == 1)
		if (call->command && name_of(call->command) && call->command->device)
			break;
	if (rc == 1)
		*out_name = tacho__arena_string(&diff->arena, call->command->device->name);
	tacho_cursor_close(cursor);
	return rc < 0 ? rc : *out_name ? 0 : TACHO_E_NOMEM;
}

int tacho__diff_has_other_devices(struct tacho_diff *diff, bool *out_has)
{
	const char *a, *b;
	int rc = find_device(diff, 0, &a);

	if (!rc)
		rc = find_device(diff, diff->side_runs[0], &b);
	if (!rc)
		*out_has = *a && *b && strcmp(a, b) != 0;
	return rc;
}
