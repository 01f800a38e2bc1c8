/* SPDX-License-Identifier: MIT */
/* The values of a pass's counters: each one's rule, worked out by the formula engine. */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/sim/sim_private.h"
#include "base/error.h"
#include "model/shape.h"

/* What names in a rule mean, for one counter. */
struct rule_scope {
	const struct tacho__sim_spec *device;
	const char *stage; /* "cs"; "": all stages together */
};

static const char stage_prefix[] = "stage_";

static uint64_t hash_text(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (*text)
		hash = (hash ^ (unsigned char)*text++) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

/* As splitmix64 ends. */
static uint64_t mix(uint64_t hash)
{
	hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
	return hash ^ hash >> 31;
}

static const char *find_variable(const char *name)
{
	const char *own;

	for (size_t i = 0; (own = tacho__sim_variable_name(i)); i++)
		if (!strcmp(own, name))
			return own;
	return NULL;
}

static int find_name(void *user, const char *name, struct tacho__definition *out_definition)
{
	const struct rule_scope *scope = user;
	char staged[64];
	const char *own;

	*out_definition = (struct tacho__definition){.meaning = TACHO__MEANS_COLUMN, .type = -1};
	if (!strncmp(name, stage_prefix, sizeof(stage_prefix) - 1)) {
		name += sizeof(stage_prefix) - 1;
		snprintf(staged, sizeof(staged), "%s_%s", scope->stage, name);
		if (*scope->stage)
			name = staged;
	}
	own = find_variable(name);
	if (own) {
		out_definition->name = own;
		return 0;
	}
	for (size_t i = 0; i < scope->device->hardware_count; i++) {
		const struct tacho__sim_number *number = &scope->device->hardware[i];

		if (strcmp(number->name, name) != 0)
			continue;
		out_definition->meaning = TACHO__MEANS_REAL;
		out_definition->name = number->name;
		out_definition->real = number->value;
		return 0;
	}
	return tacho__fail(TACHO_E_NOTFOUND, "", "use a variable of docs/sim.md",
			   "there is no variable \"%s\", and the hardware of %s does not state it",
			   name, scope->device->name);
}

/* The name of the counter without the number of its block's instance. */
static void get_plain_name(const struct tacho_arch *arch, const struct tacho_entry *entry,
			   char *out, size_t out_size)
{
	const struct tacho_block *block = tacho_arch_find_block(arch, entry->block);
	size_t size = block ? strlen(block->name) : 0;

	if (block && block->family && *block->family && strcmp(block->family, block->name) != 0 &&
	    !strncmp(entry->name, block->name, size) && entry->name[size] == '_')
		snprintf(out, out_size, "%s%s", block->family, entry->name + size);
	else
		snprintf(out, out_size, "%s", entry->name);
}

static const struct tacho__sim_rule *find_rule(const struct tacho__sim_rules *rules,
					       const char *name, const char *set)
{
	for (size_t i = 0; i < rules->rule_count; i++) {
		const struct tacho__sim_rule *rule = &rules->rules[i];

		if (*rule->set && fnmatch(rule->set, set, 0))
			continue;
		for (const char *const *glob = rule->globs; *glob; glob++)
			if (!fnmatch(*glob, name, 0))
				return rule;
	}
	return NULL;
}

static int find_spread(const struct tacho__sim_rules *rules, const struct tacho__sim_rule *rule,
		       const char *family)
{
	if (rule && rule->spread >= 0)
		return rule->spread;
	for (size_t i = 0; i < rules->spread_count; i++)
		if (!fnmatch(rules->spreads[i].glob, family, 0))
			return rules->spreads[i].spread;
	return TACHO__SIM_WAVES;
}

/* The expression for a way of accumulating; NULL: half of the value in each cycle. */
static const char *get_expression(const struct tacho__sim_rule *rule, const char *accumulate)
{
	if (!*accumulate)
		return rule->value;
	if (!strcmp(accumulate, "HIGH_RES"))
		return *rule->high ? rule->high : NULL;
	return *rule->low ? rule->low : NULL;
}

static int add_output(struct tacho__sim_counters *counters, struct tacho__sim_counter *counter,
		      const struct rule_scope *names, const char *accumulate)
{
	struct tacho__scope scope = {.user = (void *)names, .find = find_name};
	const char *text = get_expression(counter->rule, accumulate);
	char made[1024];
	struct tacho__expression expression = {.notation = "infix"};
	struct tacho_formula_problem problem;
	size_t output;
	int rc;

	if (!text) {
		/* What rises evenly from 0 is half of its end on average. */
		snprintf(made, sizeof(made), "(%s)*cycles/%d", counter->rule->value,
			 !strcmp(accumulate, "HIGH_RES") ? 2 : 8);
		text = made;
	}
	expression.text = text;
	expression.size = strlen(text);
	rc = tacho__program_add(counters->program, &expression, TACHO_TYPE_F64, &scope, &output,
				&problem);
	if (!rc)
		counter->output = (uint32_t)output;
	return rc;
}

/* Stages of the hardware as blocks name them: "SQ_VS" is "vs". */
static void get_stage(const struct tacho_block *block, char out[3])
{
	static const char *const stages[] = {
#define S(stage) #stage,
		TACHO__SIM_STAGES(S)
#undef S
	};
	const char *name = block && block->stage ? block->stage : "";
	const char *last = strrchr(name, '_');

	out[0] = '\0';
	for (size_t i = 0; last && i < sizeof(stages) / sizeof(stages[0]); i++)
		if (!strcasecmp(last + 1, stages[i]))
			memcpy(out, stages[i], 3);
}

static uint32_t count_family(const struct tacho_arch *arch, const struct tacho_block *block,
			     uint32_t *out_index)
{
	const struct tacho_block *each;
	uint32_t count = 0;

	for (size_t i = 0; (each = tacho_arch_get_block(arch, i)); i++) {
		if (strcmp(each->family, block->family) != 0)
			continue;
		if (each == block)
			*out_index = count;
		count++;
	}
	return count;
}

static int has_word(const char *words, const char *word)
{
	size_t size = strlen(word);

	for (const char *at = words; *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (strcspn(at, " ") == size && !strncmp(at, word, size))
			return 1;
	return 0;
}

/* The turn of a position: the dies take turns first, then engines, arrays, and what is in them. */
static uint32_t find_rank(const struct tacho_column *column, size_t instance)
{
	static const char *const order[] = {"DIMENSION_XCC", "DIMENSION_AID",
					    "DIMENSION_SHADER_ENGINE", "DIMENSION_SHADER_ARRAY"};
	uint32_t positions[TACHO_DIMENSION_MAX], rank = 0, step = 1;
	uint8_t is_used[TACHO_DIMENSION_MAX] = {0};

	tacho__shape_position(column->dimensions, column->dimension_count, instance, positions);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		int at = tacho__shape_find(column->dimensions, column->dimension_count, order[i]);

		if (at < 0)
			continue;
		is_used[at] = 1;
		rank += positions[at] * step;
		step *= column->dimensions[at].extent;
	}
	for (uint32_t i = 0; i < column->dimension_count; i++) {
		if (is_used[i])
			continue;
		rank += positions[i] * step;
		step *= column->dimensions[i].extent;
	}
	return rank;
}

/* Turns of the instances. What lies at compute units exists as often as these. */
static int make_ranks(struct tacho__sim_counters *counters, const struct tacho__sim_device *device,
		      struct tacho__sim_counter *counter, const struct tacho_block *block)
{
	size_t count = counter->column.instance_count;
	double units = tacho__sim_spec_get(&device->spec, "compute_units");
	int at_units = block && has_word(block->attributes, "Tc") &&
		       has_word(block->attributes, "Se") && units >= 1 && units < (double)count;
	uint8_t *present;

	counter->ranks = tacho__arena_get(&counters->arena, count * sizeof(*counter->ranks));
	present = tacho__arena_get(&counters->arena, (count + 7) / 8);
	if (!counter->ranks || !present)
		return TACHO_E_NOMEM;
	counter->rank_count = at_units ? (uint32_t)units : (uint32_t)count;
	for (size_t i = 0; i < count; i++) {
		uint32_t rank = find_rank(&counter->column, i);

		counter->ranks[i] = rank < counter->rank_count ? rank : UINT32_MAX;
		if (rank < counter->rank_count)
			present[i / 8] |= (uint8_t)(1u << i % 8);
	}
	if (at_units)
		counter->column.present = present;
	/* Each instance is a block of its own: its turn among them. */
	if (count == 1 && block && block->family && *block->family)
		counter->rank_count = count_family(device->arch, block, &counter->ranks[0]);
	return 0;
}

static int init_counter(struct tacho__sim_counters *counters,
			const struct tacho__sim_device *device, const struct tacho_plan_pass *pass,
			size_t index)
{
	const struct tacho_plan_counter *programmed = &pass->counters[index];
	struct tacho__sim_counter *counter = &counters->counters[index];
	const struct tacho_entry *entry = programmed->entry;
	const struct tacho_block *block =
		*entry->block ? tacho_arch_find_block(device->arch, entry->block) : NULL;
	struct rule_scope names = {.device = &device->spec};
	char name[256], stage[3];
	int rc;

	get_plain_name(device->arch, entry, name, sizeof(name));
	get_stage(block, stage);
	names.stage = stage;
	counter->entry = entry;
	counter->rule = find_rule(&device->rules, name, pass->set ? pass->set->name : "");
	counter->spread =
		(uint8_t)find_spread(&device->rules, counter->rule, block ? block->family : "");
	counter->name_hash = mix(hash_text(device->spec.name) ^ mix(hash_text(entry->name)));
	counter->column = (struct tacho_column){.type = entry->type, .instance_count = 1};
	rc = tacho_arch_get_dimensions(device->arch, entry, &device->model,
				       counter->column.dimensions,
				       &counter->column.dimension_count);
	if (rc)
		return rc;
	counter->column.instance_count =
		tacho__shape_count(counter->column.dimensions, counter->column.dimension_count);
	rc = make_ranks(counters, device, counter, block);
	if (!rc && counter->rule && !*counter->rule->absent)
		rc = add_output(counters, counter, &names, programmed->accumulate);
	if (!rc) {
		counter->offset = (uint32_t)counters->value_count;
		counters->value_count += counter->column.instance_count;
	}
	return rc;
}

/* Binds the program to the variables once: they change in place. */
static int bind(struct tacho__sim_counters *counters)
{
	const struct tacho__input *inputs;
	size_t count = tacho__program_get_inputs(counters->program, &inputs);
	struct tacho_column *columns =
		tacho__arena_get(&counters->arena, (count + 1) * sizeof(*columns));

	if (!columns)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count; i++) {
		size_t variable = 0;

		while (strcmp(tacho__sim_variable_name(variable), inputs[i].name) != 0)
			variable++;
		columns[i] = (struct tacho_column){.name = inputs[i].name,
						   .unit = "",
						   .note = "",
						   .type = TACHO_TYPE_F64,
						   .instance_count = 1,
						   .data.f64 = &counters->variables[variable]};
	}
	return tacho__program_bind(counters->program, columns, NULL);
}

/* An output per counter at most. */
static int make_targets(struct tacho__sim_counters *counters)
{
	struct tacho__arena *arena = &counters->arena;
	uint8_t *states = tacho__arena_get(arena, counters->count + 1);

	counters->outputs = tacho__arena_get(arena, (counters->count + 1) * sizeof(double));
	counters->targets =
		tacho__arena_get(arena, (counters->count + 1) * sizeof(*counters->targets));
	if (!states || !counters->outputs || !counters->targets)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < counters->count; i++)
		counters->targets[i] =
			(struct tacho__target){.data = &counters->outputs[i], .states = &states[i]};
	return 0;
}

int tacho__sim_counters_init(struct tacho__sim_counters *counters,
			     const struct tacho__sim_device *device,
			     const struct tacho_plan_pass *pass)
{
	int rc;

	memset(counters, 0, sizeof(*counters));
	counters->count = pass->counter_count;
	counters->counters = tacho__arena_get(
		&counters->arena, (pass->counter_count + 1) * sizeof(*counters->counters));
	rc = counters->counters ? tacho__program_create(&counters->program) : TACHO_E_NOMEM;
	for (size_t i = 0; !rc && i < pass->counter_count; i++)
		rc = init_counter(counters, device, pass, i);
	if (!rc)
		rc = bind(counters);
	if (!rc)
		rc = make_targets(counters);
	if (rc)
		tacho__sim_counters_finish(counters);
	return rc;
}

void tacho__sim_counters_finish(struct tacho__sim_counters *counters)
{
	tacho__program_destroy(counters->program);
	tacho__arena_finish(&counters->arena);
	memset(counters, 0, sizeof(*counters));
}

/* How many of `waves` turns come to the instance whose turn is `rank` of `count`. */
static uint64_t get_share(uint64_t waves, uint32_t rank, uint32_t count)
{
	return waves / count + (rank < waves % count);
}

/* Turns that went to the instances before, when dealt out instance by instance. */
static uint64_t get_shares_before(uint64_t waves, uint32_t rank, uint32_t count)
{
	uint64_t extra = waves % count;

	return waves / count * rank + (rank < extra ? rank : extra);
}

static int64_t get_value(const struct tacho__sim_counter *counter,
			 const struct tacho__sim_work *work, int64_t total, uint32_t rank,
			 double channel_bytes)
{
	uint32_t count = counter->rank_count;
	uint64_t waves = work->waves ? work->waves : count, before, share;

	switch (counter->spread) {
	case TACHO__SIM_EACH: return total;
	case TACHO__SIM_USED: return get_share(waves, rank, count) ? total : 0;
	case TACHO__SIM_CHANNEL:
		/* The first request goes to the channel of the address, the next to the next. */
		share = (uint64_t)((double)work->address / channel_bytes) % count;
		rank = (uint32_t)((rank + count - share) % count);
		return total < 0 ? 0 : (int64_t)get_share((uint64_t)total, rank, count);
	default:
		before = get_shares_before(waves, rank, count);
		share = get_share(waves, rank, count);
		return tacho__sim_scale(total, before + share, waves) -
		       tacho__sim_scale(total, before, waves);
	}
}

/* Without a rule: something from 0 to the cycles that the device was busy, by name and work. */
static int64_t get_hash_value(const struct tacho__sim_counter *counter,
			      const struct tacho__sim_work *work, uint32_t rank)
{
	uint64_t cycles = (uint64_t)work->variables[TACHO__SIM_cycles];
	uint64_t hash = mix(counter->name_hash ^ mix(work->hash + rank));

	return (int64_t)((unsigned __int128)hash * (cycles + 1) >> 64);
}

/* To the nearest whole number; what no device counts to is cut off. */
static int64_t round_value(double value)
{
	if (!(value < 0x1p60))
		return INT64_C(1) << 60;
	return value > -0x1p60 ? (int64_t)llround(value) : -(INT64_C(1) << 60);
}

int tacho__sim_counters_add(struct tacho__sim_counters *counters,
			    const struct tacho__sim_device *device,
			    const struct tacho__sim_work *work, int64_t *sums)
{
	int rc;

	memcpy(counters->variables, work->variables, sizeof(counters->variables));
	rc = tacho__program_run(counters->program, 0, 1, 0, counters->targets);
	for (size_t i = 0; !rc && i < counters->count; i++) {
		const struct tacho__sim_counter *counter = &counters->counters[i];
		const struct tacho__sim_rule *rule = counter->rule;
		int64_t total = 0;

		if (rule && *rule->absent)
			continue;
		if (rule) {
			total = round_value(counters->outputs[counter->output]);
			total = tacho__sim_scale(total, rule->part + 1, rule->parts) -
				tacho__sim_scale(total, rule->part, rule->parts);
		}
		for (size_t k = 0; k < counter->column.instance_count; k++) {
			uint32_t rank = counter->ranks[k];

			if (rank == UINT32_MAX)
				continue;
			tacho__sim_add(&sums[counter->offset + k],
				       rule ? get_value(counter, work, total, rank,
							device->spec.channel_bytes)
					    : get_hash_value(counter, work, rank));
		}
	}
	return rc;
}
