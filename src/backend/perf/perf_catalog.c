/* SPDX-License-Identifier: MIT */
/* The architecture of a unit, made of what the kernel has here. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "backend/known.h"
#include "backend/perf/perf.h"
#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"

enum {
	ENTRIES_MAX = 100000, /* of all units together; the largest servers have some 10,000 */
	SLOTS = 4096,	      /* the kernel gives turns when hardware has fewer counters */
	DEFAULTS_MAX = 16,
};

#define USER_ONLY                                                        \
	"user space only: kernel.perf_event_paranoid is 2 or more, and " \
	"CAP_PERFMON is missing"
#define DEVICE_WIDE "counts for the whole device, not for the program alone"
#define SOURCE	    "the running kernel"
#define NO_BLOCK    "kernel"

static struct tacho__perf_counter *add_counter(struct tacho__perf_device *device,
					       const struct tacho_entry *entry)
{
	struct tacho__perf_counter *counter = tacho__arena_get(&device->arena, sizeof(*counter));
	const struct tacho_arch *arch = tacho__arch_public(device->arch);

	/* the entry last: without its counter it would be one that nobody can count */
	if (!counter || tacho__names_set(&device->counters, entry->name, counter) ||
	    tacho__arch_add_entry(device->arch, entry, TACHO__ADD_NEW))
		return NULL;
	counter->entry = tacho__arch_get_exact(arch, entry->name);
	counter->scale = 1;
	return counter;
}

const struct tacho__perf_counter *tacho__perf_find_counter(const struct tacho__perf_device *device,
							   const struct tacho_entry *entry)
{
	const struct tacho__perf_counter *counter =
		tacho__names_get(&device->counters, entry->name);

	return counter && counter->entry == entry ? counter : NULL;
}

/* What the machine does not open is no counter of it. */
static int add_refused(struct tacho__perf_device *device, const struct tacho_entry *entry,
		       const char *cause, const char *cure)
{
	const char *reason =
		tacho__catalog_text(device->catalog, "%s%s%s", cause, *cure ? "; " : "", cure);

	return reason ? tacho__known_refuse(device->arch, entry, reason) : TACHO_E_NOMEM;
}

static int refuse(struct tacho__perf_device *device, const struct tacho_entry *entry, int error,
		  enum tacho__perf_scope scope)
{
	tacho__perf_fail(error, entry->name, scope);
	return add_refused(device, entry, tacho_error_last()->cause, tacho_error_last()->cure);
}

static int add_generic(struct tacho__perf_device *device, const struct tacho__perf_generic *generic,
		       bool *out_is_there)
{
	struct tacho_entry entry = {
		.name = generic->name,
		.kind = TACHO_ENTRY_COUNTER,
		.type = TACHO_TYPE_U64,
		.description = generic->description,
		.unit = generic->unit,
		.block = NO_BLOCK,
		.event = generic->config,
		.width_bits = 64,
		.source = SOURCE,
		.semantic = "event",
		.aliases = &generic->alias,
		.alias_count = generic->alias != NULL,
	};
	struct tacho__perf_counter trial = {.code = {.type = generic->type}, .scale = 1}, *counter;
	int error;

	trial.entry = &entry;
	trial.code.config[0] = generic->config;
	error = device->is_foreign ? 0 : tacho__perf_try(&trial, !generic->is_kernel_only);
	*out_is_there = !error;
	if (error)
		return refuse(device, &entry, error, TACHO__PERF_PROCESS);
	/* the clocks run on in the kernel all the same */
	if (trial.code.is_user_only && strcmp(generic->unit, "nanoseconds") != 0)
		entry.caveat = USER_ONLY;
	counter = add_counter(device, &entry);
	if (!counter)
		return TACHO_E_NOMEM;
	trial.entry = counter->entry;
	*counter = trial;
	return 0;
}

static int add_generics(struct tacho__perf_device *device)
{
	static const char *const together[] = {"cycles", "instructions"};
	const char *defaults[DEFAULTS_MAX];
	size_t count = 0, cycles = 0;
	bool is_there;
	int rc = 0;

	for (size_t i = 0; tacho__perf_generics[i].name && !rc; i++) {
		const struct tacho__perf_generic *generic = &tacho__perf_generics[i];

		rc = add_generic(device, generic, &is_there);
		if (is_there && generic->is_default && count < DEFAULTS_MAX)
			defaults[count++] = generic->name;
		for (size_t k = 0; is_there && k < TACHO__ARRAY_SIZE(together); k++)
			cycles += !strcmp(generic->name, together[k]);
	}
	if (!rc && cycles == TACHO__ARRAY_SIZE(together)) {
		rc = tacho__arch_add_entry(
			device->arch,
			&(struct tacho_entry){.name = "ipc",
					      .kind = TACHO_ENTRY_METRIC,
					      .type = TACHO_TYPE_F64,
					      .description = "instructions per cycle",
					      .unit = "instructions/cycle",
					      .notation = "infix",
					      .expression = "instructions / cycles",
					      .source = "the definition of the word"},
			TACHO__ADD_NEW);
		if (count < DEFAULTS_MAX)
			defaults[count++] = "ipc";
	}
	if (!rc && count)
		rc = tacho__arch_add_set(
			device->arch,
			&(struct tacho_set){.name = "default",
					    .description = "what is counted when nothing is named"},
			defaults, count);
	return rc;
}

static const char *unit_word(const char *unit)
{
	static const struct {
		const char *from, *to;
	} words[] = {{"ns", "nanoseconds"}, {"ms", "milliseconds"}, {"Joules", "joules"}};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(words); i++)
		if (!strcmp(unit, words[i].from))
			return words[i].to;
	return unit;
}

static int add_coded(struct tacho__perf_device *device, const struct tacho__perf_pmu *pmu,
		     const struct tacho__perf_code *code, const char *name, const char *bare,
		     const struct tacho_entry **out_entry)
{
	const struct tacho__perf_event *event = code->event;
	double scale = event ? event->scale : 1;
	const char **aliases = tacho__arena_get(&device->arena, sizeof(*aliases));
	struct tacho_entry entry = {
		.name = name,
		.kind = TACHO_ENTRY_COUNTER,
		.type = scale == 1 ? TACHO_TYPE_U64 : TACHO_TYPE_F64,
		.description = tacho__catalog_text(device->catalog, "%s, as the unit %s has it",
						   event ? event->terms : name, pmu->name),
		.group = pmu->name,
		.unit = event ? unit_word(event->unit) : "",
		.block = pmu->name,
		.event = code->config[0],
		.width_bits = 64,
		.source = SOURCE,
		.caveat = pmu->is_device_wide  ? DEVICE_WIDE
			  : code->is_user_only ? USER_ONLY
					       : "",
		.semantic = "event",
		.aliases = aliases,
		.alias_count = bare != NULL,
	};
	struct tacho__perf_counter *counter;

	if (!aliases || !entry.description)
		return TACHO_E_NOMEM;
	*aliases = bare;
	counter = add_counter(device, &entry);
	if (!counter)
		return TACHO_E_NOMEM;
	counter->pmu = pmu;
	counter->code = *code;
	counter->code.event = NULL;
	counter->scale = scale;
	if (out_entry)
		*out_entry = counter->entry;
	return 0;
}

/* May the unit not be used, none of its events can be counted; else the first event tells how. */
struct trial {
	int error; /* a permission that is missing; 0 */
	bool is_user_only;
};

static struct trial try_pmu(const struct tacho__perf_device *device,
			    const struct tacho__perf_pmu *pmu)
{
	struct trial trial = {0};
	int error = device->is_foreign ? 0 : tacho__perf_try_pmu(pmu, &trial.is_user_only);

	if (error == EACCES || error == EPERM)
		trial.error = error;
	return trial;
}

static enum tacho__perf_scope scope_of(const struct tacho__perf_pmu *pmu)
{
	return pmu->is_device_wide ? TACHO__PERF_SYSTEM : TACHO__PERF_PROCESS;
}

static int add_event(struct tacho__perf_device *device, const struct tacho__perf_pmu *pmu,
		     const struct tacho__perf_event *event, const struct trial *trial)
{
	const char *name = tacho__catalog_text(device->catalog, "%s/%s/", pmu->name, event->name);
	struct tacho_entry refused = {.name = name,
				      .description = event->terms,
				      .group = pmu->name,
				      .unit = unit_word(event->unit),
				      .source = SOURCE};
	struct tacho__perf_code code;

	if (!name)
		return TACHO_E_NOMEM;
	if (trial->error)
		return refuse(device, &refused, trial->error, scope_of(pmu));
	if (tacho__perf_encode(pmu, event->name, strlen(event->name), &code))
		return add_refused(device, &refused, tacho_error_last()->message,
				   tacho_error_last()->cure);
	code.is_user_only = trial->is_user_only;
	return add_coded(device, pmu, &code, name, device->only ? event->name : NULL, NULL);
}

static int add_pmu(struct tacho__perf_device *device, const struct tacho__perf_pmu *pmu,
		   size_t *count)
{
	struct trial trial = try_pmu(device, pmu);
	int rc = tacho__arch_add_block(
		device->arch,
		&(struct tacho_block){.name = pmu->name, .description = "", .slots = SLOTS});

	for (size_t i = 0; i < pmu->event_count && !rc && ++*count < ENTRIES_MAX; i++)
		rc = add_event(device, pmu, &pmu->events[i], &trial);
	return rc;
}

int tacho__perf_fill_catalog(struct tacho__perf_device *device)
{
	struct tacho_arch arch = {.name = "linux",
				  .api = "perf",
				  .title = "events of the Linux kernel and its drivers",
				  .vendor = "",
				  .source = SOURCE};
	size_t count = 0;
	int rc = tacho__catalog_add_arch(device->catalog, &arch, &device->arch);

	if (!rc)
		rc = tacho__arch_add_block(
			device->arch,
			&(struct tacho_block){.name = NO_BLOCK,
					      .description = "the kernel's own events",
					      .slots = SLOTS});
	if (!rc && !device->only)
		rc = add_generics(device);
	for (size_t i = 0; i < device->pmu_count && !rc; i++)
		if (!device->only || device->only == &device->pmus[i])
			rc = add_pmu(device, &device->pmus[i], &count);
	return rc ? rc : tacho__catalog_complete(device->catalog);
}

static int fail_pmu(const struct tacho__perf_device *device, const char *name, size_t size)
{
	return tacho__fail(TACHO_E_NOTFOUND,
			   tacho__detail("%zu units are below /sys/bus/event_source/devices",
					 device->pmu_count),
			   "run: tacho list devices perf", "there is no unit \"%.*s\"",
			   (int)(size > 100 ? 100 : size), name);
}

static const struct tacho__perf_pmu *find_pmu(const struct tacho__perf_device *device,
					      const char *name, size_t size)
{
	for (size_t i = 0; i < device->pmu_count; i++) {
		const struct tacho__perf_pmu *pmu = &device->pmus[i];

		if (strlen(pmu->name) == size && !memcmp(pmu->name, name, size) &&
		    (!device->only || device->only == pmu))
			return pmu;
	}
	return NULL;
}

/* There is an entry of this name: the same counter, or it was refused, or another one. */
static int take_existing(const struct tacho__perf_device *device, const struct tacho__perf_pmu *pmu,
			 const struct tacho__perf_code *code, const struct tacho_entry *entry,
			 const struct tacho_entry **out_entry)
{
	const struct tacho__perf_counter *counter = tacho__perf_find_counter(device, entry);
	struct trial trial = try_pmu(device, pmu);

	if (!counter && trial.error)
		return tacho__perf_fail(trial.error, entry->name, scope_of(pmu));
	if (!counter || counter->pmu != pmu ||
	    memcmp(counter->code.config, code->config, sizeof(code->config)) != 0)
		return tacho__fail(TACHO_E_EXISTS, "", "give it another name with name=TEXT",
				   "there is a counter \"%.100s\" already", entry->name);
	*out_entry = entry;
	return 0;
}

int tacho__perf_define(struct tacho_device *base, const char *text,
		       const struct tacho_entry **out_entry)
{
	struct tacho__perf_device *device = TACHO__OWN(struct tacho__perf_device, base);
	const struct tacho_arch *arch = tacho__arch_public(device->arch);
	const struct tacho_entry *entry = tacho__arch_get_exact(arch, text);
	const char *slash = strchr(text, '/'), *name;
	size_t size = strlen(text);
	const struct tacho__perf_pmu *pmu;
	struct tacho__perf_code code;
	int rc;

	if (entry && tacho__perf_find_counter(device, entry)) {
		*out_entry = entry;
		return 0;
	}
	if (!slash || slash == text || size < 4 || text[size - 1] != '/' ||
	    slash == text + size - 1)
		return tacho__fail(TACHO_E_PARSE, tacho__detail("it is \"%.100s\"", text),
				   "write UNIT/EVENT/ or UNIT/NAME=NUMBER,.../",
				   "an event is malformed");
	pmu = find_pmu(device, text, (size_t)(slash - text));
	if (!pmu)
		return fail_pmu(device, text, (size_t)(slash - text));
	rc = tacho__perf_encode(pmu, slash + 1, (size_t)(text + size - 1 - slash - 1), &code);
	if (rc)
		return rc;
	name = tacho__catalog_text(device->catalog, "%s", *code.name ? code.name : text);
	if (!name)
		return TACHO_E_NOMEM;
	entry = tacho__arch_get_exact(arch, name);
	if (entry)
		return take_existing(device, pmu, &code, entry, out_entry);
	code.is_user_only = try_pmu(device, pmu).is_user_only;
	return add_coded(device, pmu, &code, name, NULL, out_entry);
}
