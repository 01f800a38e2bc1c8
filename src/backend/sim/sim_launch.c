/* SPDX-License-Identifier: MIT */
/* Work for real launches: what kernels are said to do, and which counters rest on defaults. */
#include <stdlib.h>
#include <string.h>

#include "backend/sim/sim_rules.h"
#include "backend/sim/sim.h"
#include "backend/sim/sim_private.h"
#include "backend/sim/sim_work.h"
#include "base/array.h"
#include "base/error.h"

enum { FILE_MAX = 1 << 24 };

/* What can be said of a kernel: a bit each. */
#define PLAIN(X)	X(bytes_read) X(bytes_written) X(lanes) X(duration_ns)
#define RATIOS(X)	X(l1_hit) X(l2_hit) X(lds_conflict) X(occupancy)
#define INSTRUCTIONS(X) TACHO__SIM_INSTRUCTIONS(X)

enum fact {
#define X(name) FACT_##name,
	PLAIN(X) RATIOS(X) INSTRUCTIONS(X)
#undef X
		FACT_COUNT
};

#define BIT(name) (UINT64_C(1) << FACT_##name)
#define X(name)	  | BIT(name)
static const uint64_t all_instructions = 0 INSTRUCTIONS(X);
static const uint64_t everything = 0 PLAIN(X) RATIOS(X) INSTRUCTIONS(X);
#undef X

static const char *const fact_names[] = {
#define X(name) #name,
	PLAIN(X) RATIOS(X) INSTRUCTIONS(X)
#undef X
};

/* What is said of a kernel. */
struct facts {
	const char *name;
	uint64_t stated, per_item; /* a bit for each fact */
	double values[FACT_COUNT];
};

struct tacho_sim_kernels {
	struct tacho__arena arena;
	struct facts defaults;
	struct facts *kernels;
	size_t kernel_count;
};

static int fail(const char *path, const struct tacho__yaml *at, const char *what)
{
	return tacho__fail(TACHO_E_PARSE, what, "write it as docs/replay.md shows",
			   "the kernels of %s are not described rightly (line %u)", path,
			   at ? (unsigned)at->line : 1u);
}

static bool read_real(const struct tacho__yaml *scalar, double *out_value)
{
	return !tacho__sim_read_number(scalar, 0x1p52, out_value);
}

/* The fact's number, or -1; *out_per_item: it is meant for each work-item. */
static int find_fact(const char *key, bool *out_per_item)
{
	size_t size = strlen(key);

	*out_per_item = size > 9 && !strcmp(key + size - 9, "_per_item");
	if (*out_per_item)
		size -= 9;
	for (int i = 0; i < FACT_COUNT; i++)
		if (!strncmp(fact_names[i], key, size) && !fact_names[i][size] &&
		    (!*out_per_item || i == FACT_bytes_read || i == FACT_bytes_written))
			return i;
	return -1;
}

/* Of a fact that is stated twice the first one holds. */
static void state(struct facts *facts, int fact, bool per_item, double value)
{
	uint64_t bit = UINT64_C(1) << fact;

	if (facts->stated & bit)
		return;
	facts->stated |= bit;
	facts->per_item |= per_item ? bit : 0;
	facts->values[fact] = value;
}

static int read_facts(const char *path, const struct tacho__yaml *from, struct facts *facts)
{
	bool per_item;
	double value;

	facts->name = from->key;
	if (from->type != TACHO__YAML_MAPPING)
		return fail(path, from, "a kernel is described by {KEY: NUMBER, ...}");
	for (const struct tacho__yaml *each = from->first; each; each = each->next) {
		int fact = find_fact(each->key, &per_item);

		if (fact < 0)
			return fail(path, each,
				    tacho__detail("\"%s\" is nothing that work has", each->key));
		if (!read_real(each, &value))
			return fail(path, each, tacho__detail("\"%s\" is no number", each->key));
		if (value > 1 &&
		    (fact == FACT_l1_hit || fact == FACT_l2_hit || fact == FACT_lds_conflict))
			return fail(path, each, tacho__detail("\"%s\" is over 1", each->key));
		if (fact >= FACT_valu && value > UINT32_MAX)
			return fail(path, each, tacho__detail("\"%s\" is too large", each->key));
		state(facts, fact, per_item, value);
	}
	return 0;
}

static int read_kernels(const char *path, const struct tacho__yaml *root,
			struct tacho_sim_kernels *own)
{
	const struct tacho__yaml *kernels = tacho__yaml_get(root, "kernels");
	int rc = 0;

	if (!tacho__yaml_get(root, "sim-kernels"))
		return fail(path, root, "it does not begin with \"sim-kernels: 1\"");
	if (!kernels || kernels->type != TACHO__YAML_MAPPING)
		return fail(path, kernels, "it has no \"kernels\", a mapping of their names");
	own->kernels = tacho__arena_get(&own->arena,
					(tacho__yaml_count(kernels) + 1) * sizeof(*own->kernels));
	if (!own->kernels)
		return TACHO_E_NOMEM;
	for (const struct tacho__yaml *each = kernels->first; each && !rc; each = each->next)
		rc = read_facts(path, each, &own->kernels[own->kernel_count++]);
	return rc;
}

static int read_file(struct tacho_sim_kernels *kernels, const char *path)
{
	const struct tacho__yaml *root;
	int rc = tacho__yaml_read(&kernels->arena, path, FILE_MAX, &root);

	return rc ? rc : read_kernels(path, root, kernels);
}

int tacho_sim_kernels_read(const char *path, struct tacho_sim_kernels **out_kernels)
{
	struct tacho_sim_kernels *kernels = calloc(1, sizeof(*kernels));
	const struct tacho__yaml *root;
	int rc;

	if (!out_kernels)
		return tacho__fail_null(__func__);
	if (!kernels)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for kernels");
	rc = tacho__sim_read_builtin(&kernels->arena, "rules-launch", &root);
	if (!rc)
		rc = read_facts("rules-launch", tacho__yaml_get(root, "defaults"),
				&kernels->defaults);
	if (!rc && path)
		rc = read_file(kernels, path);
	if (rc)
		tacho_sim_kernels_destroy(kernels);
	else
		*out_kernels = kernels;
	return rc;
}

void tacho_sim_kernels_destroy(struct tacho_sim_kernels *kernels)
{
	if (kernels)
		tacho__arena_finish(&kernels->arena);
	free(kernels);
}

static void set_fact(struct tacho_sim_work *work, int fact, double value)
{
	switch (fact) {
#define X(name) \
	case FACT_##name: work->name = (__typeof__(work->name))value; break;
		PLAIN(X)
		RATIOS(X)
#undef X
#define X(name) \
	case FACT_##name: work->per_wave.name = (uint32_t)value; break;
		INSTRUCTIONS(X)
#undef X
	default: break;
	}
}

/* Sets what is stated and not set yet. */
static void apply(struct tacho_sim_work *work, const struct facts *facts, uint64_t *set)
{
	uint64_t wanted = facts->stated & ~*set;
	double items = 1;

	for (int i = 0; i < 3; i++)
		items *= work->grid[i] ? (double)work->grid[i] : 1;
	for (int fact = 0; fact < FACT_COUNT; fact++) {
		double value = facts->values[fact] * (facts->per_item >> fact & 1 ? items : 1);

		if (wanted >> fact & 1)
			set_fact(work, fact, value < 0x1p52 ? value : 0x1p52);
	}
	*set |= wanted;
}

void tacho_sim_kernels_describe(const struct tacho_sim_kernels *kernels, const char *name,
				struct tacho_sim_work *work, uint64_t *out_given)
{
	uint64_t set = 0;

	if (!kernels || !name || !work || !out_given)
		return;
	for (size_t i = 0; i < kernels->kernel_count; i++)
		if (!strcmp(kernels->kernels[i].name, name)) {
			apply(work, &kernels->kernels[i], &set);
			break;
		}
	/* Who lists a kernel's instructions has listed them all. */
	if (set & all_instructions)
		set |= all_instructions;
	*out_given = set;
	apply(work, &kernels->defaults, &set);
}

/* What a variable of the rules follows from, beyond the size of the launch. */
static uint64_t get_needed(const char *name)
{
	static const struct {
		const char *name;
		uint64_t needed;
	} known[] = {
#define X(name) {#name, BIT(name)},
		INSTRUCTIONS(X)
#undef X
			{"rows", 0},
		{"items", 0},
		{"groups", 0},
		{"units", 0},
		{"is_kernel", 0},
		{"is_draw", 0},
		{"cs_items", 0},
		{"cs_valu", BIT(valu)},
		{"cs_salu", BIT(salu)},
		{"lanes", BIT(valu) | BIT(lanes)},
		{"bytes_read", BIT(bytes_read)},
		{"reads", BIT(bytes_read)},
		{"bytes_written", BIT(bytes_written)},
		{"writes", BIT(bytes_written)},
		{"l2_writes", BIT(bytes_written)},
		{"stores", BIT(bytes_written)},
		{"requests", BIT(bytes_read) | BIT(bytes_written)},
		{"l1_hits", BIT(bytes_read) | BIT(l1_hit)},
		{"l2_reads", BIT(bytes_read) | BIT(l1_hit)},
		{"fetches", BIT(bytes_read) | BIT(l1_hit) | BIT(l2_hit)},
		{"lds_cycles", BIT(lds) | BIT(lds_conflict)},
		{"lds_wait_cycles", BIT(lds) | BIT(lds_conflict)},
		{"cycles", BIT(duration_ns)},
		{"ns", BIT(duration_ns)},
		{"elapsed_cycles", BIT(duration_ns)},
		{"elapsed_ns", BIT(duration_ns)},
		{"begin_ns", BIT(duration_ns)},
		{"end_ns", BIT(duration_ns)},
		{"active_ns", BIT(duration_ns)},
		{"wave_cycles", BIT(duration_ns) | BIT(occupancy)},
		{"wave_cycles_4th", BIT(duration_ns) | BIT(occupancy)},
	};

	if (!strncmp(name, "waves", 5) || !strcmp(name, "cs_waves"))
		return 0;
	if (!strcmp(name, "instructions"))
		return all_instructions;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(known); i++)
		if (!strcmp(name, known[i].name))
			return known[i].needed;
	return everything;
}

/* Adds those of a counter, a constant has none; `accumulate` is how a metric uses it, which the
 * time always goes into.
 */
static int add_needed(const struct tacho__sim_device *device, const struct tacho_entry *entry,
		      uint64_t *needed)
{
	const struct tacho_plan_counter counter = {.entry = entry, .accumulate = ""};
	const struct tacho_plan_pass pass = {.counters = &counter, .counter_count = 1};
	const struct tacho__input *inputs;
	struct tacho__sim_counters counters;
	size_t count;
	int rc;

	if (entry->kind == TACHO_ENTRY_CONSTANT)
		return 0;
	rc = tacho__sim_counters_init(&counters, device, &pass);
	if (rc)
		return rc;
	count = tacho__program_get_inputs(counters.program, &inputs);
	for (size_t i = 0; i < count; i++)
		*needed |= get_needed(inputs[i].name);
	if (!counters.counters[0].rule)
		*needed = everything;
	tacho__sim_counters_finish(&counters);
	return 0;
}

int tacho_sim_get_needed_work(const struct tacho_device *device, const struct tacho_entry *entry,
			      uint64_t *out_needed)
{
	const struct tacho__sim_device *own = TACHO__OWN(struct tacho__sim_device, device);
	const struct tacho_entry **inputs;
	uint64_t needed = 0;
	size_t count;
	int rc;

	if (!device || !entry || !out_needed)
		return tacho__fail_null(__func__);
	if (device->backend != &tacho__backend_sim)
		return tacho__fail(TACHO_E_UNSUPPORTED, device->info->name,
				   "use a simulated device", "it counts what really happens");
	if (entry->kind != TACHO_ENTRY_METRIC) {
		rc = add_needed(own, entry, &needed);
	} else {
		rc = tacho_arch_list_inputs(device->traits.arch, entry, &inputs, &count);
		if (rc)
			return rc;
		for (size_t i = 0; i < count && !rc; i++)
			rc = add_needed(own, inputs[i], &needed);
		if (strstr(entry->expression, "accumulate"))
			needed |= BIT(duration_ns) | BIT(occupancy);
		free(inputs);
	}
	if (!rc)
		*out_needed = needed;
	return rc;
}
