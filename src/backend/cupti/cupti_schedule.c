/* SPDX-License-Identifier: MIT */
/* The passes that NVIDIA's library makes, and what each of them collects. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cupti/cupti_chip.h"
#include "base/error.h"

/* It is in the first pass of every plan, and no metric needs it. */
static const char nobody[] = "0x0000000000000000";

const char *tacho__cupti_name_whole(struct tacho__arena *arena, const struct tacho_entry *entry)
{
	size_t size = strlen(entry->name);
	char *name;

	if (!entry->ending_count)
		return entry->name;
	name = tacho__arena_get(arena, size + strlen(entry->endings[0]) + 1);
	if (name)
		sprintf(name, "%s%s", entry->name, entry->endings[0]);
	return name;
}

static const char **name_all(struct tacho__arena *arena, const struct tacho_entry *const *entries,
			     size_t count)
{
	const char **names = tacho__arena_get(arena, (count + 1) * sizeof(*names));

	for (size_t i = 0; names && i < count; i++) {
		names[i] = tacho__cupti_name_whole(arena, entries[i]);
		if (!names[i])
			return NULL;
	}
	return names;
}

/* Which one of them does not go with those before it: the library says only that one does not. */
static int blame(const struct tacho__cupti_chip *chip, const char *const *names, size_t count)
{
	size_t good = 0, bad = count;
	struct tacho__cupti_config config;
	int rc;

	while (bad - good > 1) {
		size_t middle = good + (bad - good) / 2;

		rc = tacho__cupti_make_config(chip->kind, chip->name, names, middle, &config);
		if (rc == TACHO_E_NOMEM)
			return rc;
		if (rc) {
			bad = middle;
		} else {
			good = middle;
			free(config.bytes);
		}
	}
	rc = tacho__cupti_make_config(chip->kind, chip->name, names + good, 1, &config);
	if (!rc)
		free(config.bytes);
	if (rc == TACHO_E_NOMEM)
		return rc;
	return tacho__fail(TACHO_E_UNSUPPORTED,
			   rc ? tacho_error_last()->cause
			      : "NVIDIA's library counts it, but not in a plan with the others",
			   rc ? "leave it out" : "leave it out, or plan it alone",
			   "%s cannot be counted%s", names[good], rc ? "" : " with the others");
}

static int make_config(const struct tacho__cupti_chip *chip, const char *const *names, size_t count,
		       struct tacho__cupti_config *out_config)
{
	int rc = tacho__cupti_make_config(chip->kind, chip->name, names, count, out_config);

	return rc == TACHO_E_UNSUPPORTED ? blame(chip, names, count) : rc;
}

int tacho__cupti_count_passes(void *user, const struct tacho_entry *const *entries, size_t count,
			      size_t *out_count)
{
	struct tacho__arena arena = {0};
	struct tacho__cupti_config config;
	const char **names = name_all(&arena, entries, count);
	int rc = names ? make_config(user, names, count, &config) : TACHO_E_NOMEM;

	if (!rc) {
		*out_count = config.pass_count;
		free(config.bytes);
	}
	tacho__arena_finish(&arena);
	return rc;
}

/* ---- all about a plan ---- */

struct filling {
	const struct tacho__cupti_chip *chip;
	struct tacho__schedule *schedule;
	size_t capacity;	   /* of its counters */
	struct tacho__names by_id; /* to the index of a counter, from 1 */
};

/* 0: no pass collects it. */
static uintptr_t find_number(const struct filling *filling, const char *id)
{
	return (uintptr_t)tacho__names_get(&filling->by_id, id);
}

static int add_counter(struct filling *filling, const char *id, size_t pass)
{
	struct tacho__schedule *schedule = filling->schedule;

	if (!strcmp(id, nobody) || tacho__names_get(&filling->by_id, id))
		return 0;
	if (schedule->counter_count == filling->capacity)
		return tacho__fail(TACHO_E_UNSUPPORTED, "it lists more counters than it counted",
				   "install another version of CUPTI",
				   "NVIDIA's library answers what cannot be");
	schedule->counters[schedule->counter_count++] =
		(struct tacho__schedule_counter){.id = id, .name = "", .pass = (uint32_t)pass};
	return tacho__names_set(&filling->by_id, id, (void *)(uintptr_t)schedule->counter_count);
}

static int fill_counters(struct filling *filling, const struct tacho__cupti_config *config)
{
	struct tacho__schedule *schedule = filling->schedule;
	struct tacho__cupti_names *passes =
		tacho__arena_get(&schedule->arena, config->pass_count * sizeof(*passes));
	int rc = passes ? 0 : TACHO_E_NOMEM;

	for (size_t i = 0; i < config->pass_count && !rc; i++) {
		rc = tacho__cupti_list_counters(config, i, &schedule->arena, &passes[i]);
		if (!rc)
			filling->capacity += passes[i].count;
	}
	if (!rc) {
		schedule->counters = tacho__arena_get(
			&schedule->arena, (filling->capacity + 1) * sizeof(*schedule->counters));
		rc = schedule->counters ? 0 : TACHO_E_NOMEM;
	}
	for (size_t i = 0; i < config->pass_count && !rc; i++)
		for (size_t k = 0; k < passes[i].count && !rc; k++)
			rc = add_counter(filling, passes[i].names[k], i);
	return rc;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int fill_entry(struct filling *filling, const struct tacho__cupti_evaluator *evaluator,
		      const char *name, struct tacho__schedule_entry *entry)
{
	struct tacho__arena arena = {0};
	struct tacho__cupti_names ids;
	uint32_t *counters = NULL;
	int rc = tacho__cupti_list_needs(evaluator, name, &arena, &ids);

	if (!rc) {
		counters = tacho__arena_get(&filling->schedule->arena,
					    (ids.count + 1) * sizeof(*counters));
		rc = counters ? 0 : TACHO_E_NOMEM;
	}
	for (size_t i = 0; !rc && i < ids.count; i++) {
		uintptr_t number = find_number(filling, ids.names[i]);

		if (number)
			counters[entry->count++] = (uint32_t)(number - 1);
	}
	if (!rc) {
		qsort(counters, entry->count, sizeof(*counters), compare_numbers);
		entry->counters = counters;
	}
	tacho__arena_finish(&arena);
	return rc;
}

/* Whether it is the base of one that is planned. */
static bool is_wanted(const char *const *names, size_t count, const char *base)
{
	size_t size = strlen(base);

	for (size_t i = 0; i < count; i++)
		if (!strncmp(names[i], base, size) && names[i][size] == '.')
			return true;
	return false;
}

/*
 * The library's counters have numbers for names. One that a metric is all made of can be called as
 * that: as one that is planned where that is possible, else as any, and as the metrics of other
 * kinds of collection (names with points) only when no other has it.
 */
static int name_counter(struct filling *filling, const struct tacho__cupti_evaluator *evaluator,
			const char *base, bool is_planned)
{
	struct tacho__arena arena = {0};
	struct tacho__cupti_names ids = {NULL, 0};
	char whole[TACHO__CUPTI_TEXT_MAX + sizeof(".sum")];
	int rc;

	snprintf(whole, sizeof(whole), "%s.sum", base);
	rc = tacho__cupti_list_needs(evaluator, whole, &arena, &ids);
	if (!rc && ids.count == 1) {
		uintptr_t number = find_number(filling, ids.names[0]);
		struct tacho__schedule_counter *counter =
			number ? &filling->schedule->counters[number - 1] : NULL;

		if (counter && (!*counter->name || is_planned ||
				(strchr(counter->name, '.') && !strchr(base, '.'))))
			counter->name = tacho__arena_string(&filling->schedule->arena, base);
		if (counter && !counter->name)
			rc = TACHO_E_NOMEM;
	}
	tacho__arena_finish(&arena);
	return rc == TACHO_E_NOMEM ? rc : 0;
}

static int name_counters(struct filling *filling, const struct tacho__cupti_evaluator *evaluator,
			 const char *const *names, size_t count)
{
	struct tacho__arena arena = {0};
	struct tacho__cupti_names bases = {NULL, 0};
	void *host;
	int rc = tacho__cupti_host_open(filling->chip->kind, filling->chip->name, NULL, &host);

	if (rc)
		return rc;
	rc = tacho__cupti_list_bases(host, TACHO__CUPTI_COUNTER, &arena, &bases);
	tacho__cupti_host_close(host);
	for (int planned = 0; planned <= 1; planned++)
		for (size_t i = 0; i < bases.count && !rc; i++)
			if (is_wanted(names, count, bases.names[i]) == planned)
				rc = name_counter(filling, evaluator, bases.names[i], planned);
	tacho__arena_finish(&arena);
	return rc;
}

/* What libnvperf_host tells; without it passes are known by their number alone. */
static int fill(struct filling *filling, const struct tacho__cupti_config *config,
		const char *const *names, size_t count)
{
	struct tacho__schedule *schedule = filling->schedule;
	struct tacho__cupti_evaluator evaluator;
	int rc = fill_counters(filling, config);

	if (!rc)
		rc = tacho__cupti_evaluator_open(filling->chip->name, &evaluator);
	if (rc)
		return rc;
	for (size_t i = 0; i < count && !rc; i++)
		rc = fill_entry(filling, &evaluator, names[i], &schedule->entries[i]);
	if (!rc)
		rc = name_counters(filling, &evaluator, names, count);
	tacho__cupti_evaluator_close(&evaluator);
	return rc;
}

int tacho__cupti_schedule(void *user, const struct tacho_entry *const *entries, size_t count,
			  struct tacho__schedule *out_schedule)
{
	struct tacho__schedule schedule = {.pass_count = 0};
	struct filling filling = {.chip = user, .schedule = &schedule};
	struct tacho__cupti_config config = {.bytes = NULL};
	const char **names = name_all(&schedule.arena, entries, count);
	const struct tacho__cupti *cupti;
	int rc = names ? make_config(user, names, count, &config) : TACHO_E_NOMEM;

	if (!rc) {
		schedule.pass_count = config.pass_count;
		schedule.entries =
			tacho__arena_get(&schedule.arena, (count + 1) * sizeof(*schedule.entries));
		rc = schedule.entries ? tacho__cupti_load(&cupti) : TACHO_E_NOMEM;
	}
	/* what samples are made of is known to the library alone */
	if (!rc)
		schedule.tells_counters =
			cupti->tells_counters && filling.chip->kind == TACHO__CUPTI_RANGES;
	if (!rc && schedule.tells_counters)
		rc = fill(&filling, &config, names, count);
	tacho__names_finish(&filling.by_id);
	free(config.bytes);
	if (rc)
		tacho__schedule_finish(&schedule);
	else
		*out_schedule = schedule;
	return rc;
}
