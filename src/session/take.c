/* SPDX-License-Identifier: MIT */
/* Complete rows as a result: values are copied under the lock and worked out without it. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/result.h"
#include "model/shape.h"
#include "model/single.h"
#include "session/session.h"

/* Programs that run: those of groups, and of entries that do not fit into theirs. */
struct job {
	struct tacho__group group;
	uint8_t is_own; /* made here */
	struct tacho__target *targets;
};

struct taking {
	struct tacho_session *session;
	struct tacho__arena arena;
	struct tacho__row **rows;
	size_t row_count;
	uint64_t *seen;
	struct tacho_column **columns; /* [pass][counter] */
	struct job *jobs;
	size_t job_count;
	struct tacho__outcome *outcomes; /* group: the number of the job */
	struct tacho_result *result;
};

static uint64_t scale_whole(uint64_t value, uint32_t runs, uint32_t count, uint8_t *state)
{
	unsigned __int128 scaled = (unsigned __int128)value * runs + count / 2;

	scaled /= count;
	if (scaled <= UINT64_MAX)
		return (uint64_t)scaled;
	*state = tacho__state_worse(*state, TACHO_STATE_OVERFLOW);
	return UINT64_MAX;
}

/*
 * What came of several ranges: of a rate the mean. ROTATE: what was measured for some of them
 * stands for all; a rate, the first and the last stay as they are.
 */
static void scale(const struct taking *taking, const struct tacho__raw *raw,
		  const struct tacho__row *row, const struct tacho__place *place,
		  union tacho__number *value, uint8_t *state)
{
	bool is_rotating = taking->session->is_rotating;
	uint32_t measured = place->ranges ? place->ranges : 1, runs = 1, count = 1;

	if (raw->is_rate)
		count = place->count;
	else if (is_rotating && !raw->is_first && !raw->is_last) {
		runs = row->runs;
		count = measured;
	}
	if (runs != count && raw->column.type == TACHO_TYPE_U64)
		value->whole = scale_whole(value->whole, runs, count, state);
	else if (runs != count)
		value->real *= (double)runs / count;
	if (is_rotating && measured < row->runs)
		*state = tacho__state_worse(*state, TACHO_STATE_SCALED);
}

/* The mean of what came; ROTATE: over all ranges, also those that were not measured. */
static double get_coverage(const struct taking *taking, const struct tacho__row *row,
			   const struct tacho__place *place, double sum)
{
	if (taking->session->is_rotating)
		return sum * place->ranges / ((double)place->count * row->runs);
	return sum / place->count;
}

/* One row of a column. */
static void gather_row(const struct taking *taking, uint32_t pass, const struct tacho__raw *raw,
		       size_t index, struct tacho_column *column)
{
	const struct tacho__row *row = taking->rows[index];
	const struct tacho__place *place = &row->places[pass];
	size_t count = column->instance_count, to = index * count;
	size_t from = place->count ? (place->slot - 1) * count : 0;
	union tacho__number *data = (union tacho__number *)column->data.u64;
	uint8_t *states = (uint8_t *)column->states;
	double *coverage = (double *)column->coverage;

	if (!place->count) { /* there may be a slot that memory ran out for */
		memset(states + to, TACHO_STATE_ABSENT, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		data[to + i].whole = raw->data.u64[from + i];
		states[to + i] = raw->states[from + i];
		if (coverage)
			coverage[to + i] = get_coverage(taking, row, place,
							raw->coverage ? raw->coverage[from + i]
								      : place->count);
		scale(taking, raw, row, place, &data[to + i], &states[to + i]);
		if (place->is_lost)
			states[to + i] = tacho__state_worse(states[to + i], TACHO_STATE_LOST);
	}
}

static struct tacho_column *new_column(struct taking *taking, const struct tacho_column *info,
				       int has_coverage)
{
	struct tacho_column *column = tacho__arena_get(&taking->arena, sizeof(*column));
	size_t count = info->instance_count * (taking->row_count + 1);

	if (!column)
		return NULL;
	*column = *info;
	column->data.u64 = tacho__arena_get(&taking->arena, count * sizeof(uint64_t));
	column->states = tacho__arena_get(&taking->arena, count);
	column->coverage =
		has_coverage ? tacho__arena_get(&taking->arena, count * sizeof(double)) : NULL;
	return column->data.u64 && column->states && (column->coverage || !has_coverage) ? column
											 : NULL;
}

static int gather_pass(struct taking *taking, uint32_t pass)
{
	struct tacho_session *session = taking->session;
	const struct tacho__store *store = &session->stores[pass];
	const struct tacho_plan_pass *plan = tacho_plan_get_pass(session->plan, pass);
	struct tacho_column *columns =
		tacho__arena_get(&taking->arena, (store->raw_count + 1) * sizeof(*columns));

	if (!columns)
		return TACHO_E_NOMEM;
	taking->columns[pass] = columns;
	for (size_t i = 0; i < store->raw_count; i++) {
		struct tacho__raw *raw = &store->raws[i];
		struct tacho_column info = {.type = plan->counters[i].entry->type,
					    .instance_count = 1};
		struct tacho_column *column;

		if (store->has_shape)
			info = raw->column;
		column = new_column(taking, &info, session->is_rotating || raw->coverage);
		if (!column)
			return TACHO_E_NOMEM;
		columns[i] = *column;
		for (size_t row = 0; row < taking->row_count; row++)
			gather_row(taking, pass, raw, row, column);
	}
	return 0;
}

static int choose_rows(struct taking *taking)
{
	struct tacho_session *session = taking->session;
	struct tacho__row *row;
	size_t count = 0;

	for (row = session->first_row; row; row = row->next)
		count += (size_t)tacho__row_is_complete(session, row);
	taking->rows = tacho__arena_get(&taking->arena, (count + 1) * sizeof(struct tacho__row *));
	taking->seen = calloc(count + 1, sizeof(*taking->seen));
	if (!taking->rows || !taking->seen)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu rows", count);
	for (row = session->first_row; row; row = row->next) {
		if (!tacho__row_is_complete(session, row))
			continue;
		taking->seen[taking->row_count] = row->seen;
		taking->rows[taking->row_count++] = row;
	}
	return 0;
}

/* Under the lock. From here on nothing is added to the rows, but to those that are kept. */
static int gather(struct taking *taking)
{
	struct tacho_session *session = taking->session;
	int rc;

	if (session->failed)
		tacho__session_give_up(session, UINT64_MAX);
	rc = choose_rows(taking);
	taking->columns = tacho__arena_get(&taking->arena,
					   session->pass_count * sizeof(struct tacho_column *));
	if (!taking->columns)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < session->pass_count && !rc; i++)
		rc = gather_pass(taking, i);
	for (size_t i = 0; i < taking->row_count && !rc && !session->options.keeps_rows; i++)
		tacho__row_detach(session, taking->rows[i]);
	return rc;
}

static int bind(struct taking *taking, struct job *job, struct tacho_formula_problem *problem)
{
	struct tacho_column *columns =
		tacho__arena_get(&taking->arena, (job->group.source_count + 1) * sizeof(*columns));

	if (!columns)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < job->group.source_count; i++) {
		const struct tacho__source *source = &job->group.sources[i];

		columns[i] = taking->columns[source->pass][source->counter];
	}
	return tacho__program_bind(job->group.program, columns, problem);
}

/* A program for an entry alone: the operands of another one do not fit together. */
static int isolate(struct taking *taking, size_t index)
{
	const struct tacho_session *session = taking->session;
	struct tacho__outcome *outcome = &taking->outcomes[index];
	struct job *job = &taking->jobs[taking->job_count];
	struct tacho_formula_problem problem = {0};
	int rc;

	job->group = session->groups[outcome->group];
	job->group.program = NULL;
	job->is_own = 1;
	rc = tacho__program_create(&job->group.program);
	if (rc)
		return rc;
	taking->job_count++;
	rc = tacho__session_add_output(session, job->group.program,
				       tacho_config_get_definition(session->config, index),
				       &outcome->output);
	if (!rc)
		rc = tacho__session_find_sources(session, &taking->arena, &job->group);
	if (!rc)
		rc = bind(taking, job, &problem);
	outcome->group = (size_t)(job - taking->jobs);
	if (rc == TACHO_E_INVAL) {
		outcome->how = TACHO__NOT_THERE;
		outcome->note = tacho__arena_string(&taking->arena, problem.message);
		rc = outcome->note ? 0 : TACHO_E_NOMEM;
	}
	return rc;
}

static int isolate_all(struct taking *taking, size_t group)
{
	int rc = 0;

	for (size_t i = 0; i < taking->session->outcome_count && !rc; i++)
		if (taking->session->outcomes[i].how == TACHO__FROM_GROUP &&
		    taking->session->outcomes[i].group == group)
			rc = isolate(taking, i);
	return rc;
}

/* Binds the programs to the values, so that all shapes are known. */
static int bind_all(struct taking *taking)
{
	const struct tacho_session *session = taking->session;
	size_t count = session->outcome_count + session->group_count + 1;
	int rc = 0;

	taking->jobs = tacho__arena_get(&taking->arena, count * sizeof(*taking->jobs));
	taking->outcomes = tacho__arena_get(&taking->arena, count * sizeof(*taking->outcomes));
	if (!taking->jobs || !taking->outcomes)
		return TACHO_E_NOMEM;
	memcpy(taking->outcomes, session->outcomes,
	       session->outcome_count * sizeof(*taking->outcomes));
	for (size_t i = 0; i < session->group_count; i++)
		taking->jobs[taking->job_count++].group = session->groups[i];
	for (size_t i = 0; i < session->group_count && !rc; i++) {
		rc = bind(taking, &taking->jobs[i], NULL);
		if (rc != TACHO_E_INVAL)
			continue;
		taking->jobs[i].group.program = NULL;
		rc = isolate_all(taking, i);
	}
	for (size_t i = 0; i < taking->job_count && !rc; i++) {
		taking->jobs[i].targets =
			tacho__arena_get(&taking->arena, (session->outcome_count + 1) *
								 sizeof(*taking->jobs[i].targets));
		rc = taking->jobs[i].targets ? 0 : TACHO_E_NOMEM;
	}
	return rc;
}

/* A counter, instances as they are or in one. */
static int add_counter(struct taking *taking, const struct tacho_column *named,
		       const struct tacho__source *source, int keeps)
{
	const struct tacho_column *from = &taking->columns[source->pass][source->counter];
	struct tacho_column column = *from;
	uint8_t *states;
	double *coverage = NULL, part;
	uint64_t *data;
	void *place;
	int rc;

	column.name = named->name;
	column.unit = named->unit;
	column.description = named->description;
	column.note = named->note;
	if (!keeps) {
		column.dimension_count = 0;
		column.instance_count = 1;
		column.present = NULL;
	}
	rc = tacho__result_add_counted(taking->result, &column, from->coverage != NULL, &place,
				       &states, &coverage);
	if (rc)
		return rc;
	data = place;
	for (size_t row = 0; row < taking->row_count; row++) {
		size_t count = from->instance_count, at = row * count;
		struct tacho__value_in in = {
			.column = from,
			.data = from->data.u64 + at,
			.states = from->states + at,
			.coverage = from->coverage ? from->coverage + at : NULL,
			.is_rate =
				taking->session->stores[source->pass].raws[source->counter].is_rate,
		};

		if (!keeps && count > 1) {
			tacho__values_reduce(&in, &data[row], &states[row], &part);
			if (coverage)
				coverage[row] = part;
			continue;
		}
		memcpy(data + at, in.data, count * sizeof(*data));
		memcpy(states + at, in.states, count);
		if (coverage)
			memcpy(coverage + at, in.coverage, count * sizeof(*coverage));
	}
	return 0;
}

static int has_coverage(const struct taking *taking, const struct job *job)
{
	for (size_t i = 0; i < job->group.source_count; i++) {
		const struct tacho__source *source = &job->group.sources[i];

		if (taking->columns[source->pass][source->counter].coverage)
			return 1;
	}
	return 0;
}

static int add_computed(struct taking *taking, const struct tacho_column *named,
			const struct tacho__outcome *outcome)
{
	struct job *job = &taking->jobs[outcome->group];
	struct tacho__target *target = &job->targets[outcome->output];
	struct tacho_column column = *tacho__program_get_shape(job->group.program, outcome->output);

	column.name = named->name;
	column.unit = named->unit;
	column.description = named->description;
	column.note = named->note;
	return tacho__result_add_counted(taking->result, &column, has_coverage(taking, job),
					 &target->data, &target->states, &target->coverage);
}

static int add_columns(struct taking *taking)
{
	const struct tacho_session *session = taking->session;
	int rc = 0;

	for (size_t i = 0; i < session->outcome_count && !rc; i++) {
		const struct tacho_config_entry *entry = tacho_config_get_entry(session->config, i);
		const struct tacho_entry *info = tacho_config_get_definition(session->config, i);
		const struct tacho__outcome *outcome = &taking->outcomes[i];
		const char *mode_note = session->device->traits.modes[entry->mode].note;
		struct tacho_column named = {
			.name = tacho_config_get_column_name(session->config, i),
			.unit = info->unit,
			.description = info->description,
			.instance_count = 1,
			.note = *outcome->note ? outcome->note
				: mode_note    ? mode_note
					       : "",
		};

		if (*session->difference)
			rc = tacho__result_add_absent(taking->result, &named, session->difference);
		else if (outcome->how == TACHO__NOT_THERE)
			rc = tacho__result_add_absent(taking->result, &named, outcome->note);
		else if (outcome->how == TACHO__FROM_GROUP)
			rc = add_computed(taking, &named, outcome);
		else
			rc = add_counter(taking, &named, &outcome->source,
					 (int)entry->keeps_instances);
	}
	for (size_t i = 0; i < taking->job_count && !rc; i++)
		if (taking->jobs[i].group.program && taking->jobs[i].targets[0].data)
			rc = tacho__program_run(taking->jobs[i].group.program, 0, taking->row_count,
						session->options.strict != 0,
						taking->jobs[i].targets);
	return rc;
}

/* Index plus 1 of the row with this serial among the rows taken, which rise; 0: not there. */
static uint64_t find_row(const struct taking *taking, uint64_t serial)
{
	size_t low = 0, high = taking->row_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (taking->rows[middle]->serial < serial)
			low = middle + 1;
		else
			high = middle;
	}
	return serial && low < taking->row_count && taking->rows[low]->serial == serial ? low + 1
											: 0;
}

static enum tacho_row_kind get_kind(const struct taking *taking, const struct tacho__row *row)
{
	if (!row->is_device)
		return TACHO_ROW_RANGE;
	return taking->session->options.window_ns ? TACHO_ROW_WINDOW : TACHO_ROW_LAUNCH;
}

static int describe_rows(struct taking *taking)
{
	int rc = tacho__result_create(taking->row_count, &taking->result);

	for (size_t i = 0; i < taking->row_count && !rc; i++) {
		const struct tacho__row *row = taking->rows[i];
		uint64_t parent = find_row(taking, row->parent);

		/* Ranges that add up may be there before the row that is around them now. */
		rc = tacho__result_set_row(
			taking->result, i,
			&(struct tacho_row){.kind = get_kind(taking, row),
					    .id = row->id,
					    .name = row->name,
					    .parent = parent <= i ? parent : 0,
					    .repetition = row->repetition,
					    .start_ns = row->start_ns,
					    .end_ns = row->end_ns,
					    .uncertainty_ns = row->uncertainty_ns});
	}
	return rc;
}

/* A column in which all is well needs no states. */
static void drop_states(struct tacho_result *result)
{
	for (size_t i = 0; i < result->column_count; i++) {
		struct tacho_column *column = &result->columns[i];
		size_t count = column->instance_count * result->row_count, k = 0;

		while (column->states && k < count && column->states[k] == TACHO_STATE_OK)
			k++;
		if (k == count)
			column->states = NULL;
	}
}

/* Rows that were taken leave the session. */
static void remove_rows(struct tacho_session *session)
{
	struct tacho__row **link = &session->first_row;

	while (*link) {
		struct tacho__row *row = *link;

		if (row->is_taken) {
			*link = row->next;
			tacho__row_free(session, row);
		} else {
			link = &row->next;
		}
	}
	session->last_link = link;
}

static void finish(struct taking *taking, int rc)
{
	struct tacho_session *session = taking->session;

	for (size_t i = 0; i < taking->job_count; i++)
		if (taking->jobs[i].is_own)
			tacho__program_destroy(taking->jobs[i].group.program);
	if (rc) {
		free(taking->seen);
		tacho_result_destroy(taking->result);
	} else {
		pthread_mutex_lock(&session->lock);
		remove_rows(session);
		pthread_mutex_unlock(&session->lock);
		free(session->seen);
		session->seen = taking->seen;
		session->seen_count = taking->row_count;
	}
	tacho__arena_finish(&taking->arena);
}

int tacho_session_take(struct tacho_session *session, struct tacho_result **out_result)
{
	struct taking taking = {.session = session};
	int rc;

	if (!session || !out_result)
		return tacho__fail_null(__func__);
	pthread_mutex_lock(&session->lock);
	rc = gather(&taking);
	pthread_mutex_unlock(&session->lock);
	if (!rc)
		rc = describe_rows(&taking);
	if (!rc)
		rc = bind_all(&taking);
	if (!rc)
		rc = add_columns(&taking);
	if (!rc)
		drop_states(taking.result);
	finish(&taking, rc);
	if (!rc)
		*out_result = taking.result;
	return rc;
}
