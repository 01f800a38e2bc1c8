/* SPDX-License-Identifier: MIT */
/* The plan in counting.json: the command writes it, and the counted process has the same again. */
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/json.h"
#include "catalog/arch.h"
#include "plan/from_passes.h"
#include "record/counting_plan.h"
#include "session/session.h"
#include "tacho/sys/counting.h"

static const char *const mode_names[] = {
	[TACHO_MODE_DEFAULT] = "default",
	[TACHO_MODE_SERIALIZED] = "serialized",
	[TACHO_MODE_PIPELINED] = "pipelined",
};

/* ---- writing ---- */

static void write_entries(const struct tacho_plan *plan, struct tacho_json *json)
{
	const struct tacho_config *config = tacho_plan_get_config(plan);
	const struct tacho_config_entry *wanted;

	tacho_json_begin_array(json, "entries");
	for (size_t i = 0; (wanted = tacho_config_get_entry(config, i)); i++) {
		const struct tacho_plan_entry *entry = tacho_plan_get_entry(plan, i);

		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", wanted->name);
		tacho_json_add_bool(json, "instances", wanted->keeps_instances);
		tacho_json_add_string(json, "mode", mode_names[wanted->mode]);
		tacho_json_begin_array(json, "passes");
		for (size_t k = 0; k < entry->pass_count; k++)
			tacho_json_add_unsigned(json, NULL, entry->passes[k]);
		tacho_json_end(json);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

static void write_passes(const struct tacho_plan *plan, struct tacho_json *json)
{
	const struct tacho_plan_pass *pass;

	tacho_json_begin_array(json, "passes");
	for (size_t i = 0; (pass = tacho_plan_get_pass(plan, i)); i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "mode", mode_names[pass->mode]);
		tacho_json_add_string(json, "set", pass->set ? pass->set->name : "");
		tacho_json_begin_array(json, "counters");
		for (size_t k = 0; k < pass->counter_count; k++) {
			tacho_json_begin_object(json, NULL);
			tacho_json_add_string(json, "name", pass->counters[k].entry->name);
			tacho_json_add_string(json, "accumulate", pass->counters[k].accumulate);
			tacho_json_end(json);
		}
		tacho_json_end(json);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

void tacho__counting_write_plan(const struct tacho_plan *plan, struct tacho_json *json)
{
	tacho_json_begin_object(json, "plan");
	write_entries(plan, json);
	write_passes(plan, json);
	tacho_json_end(json);
}

/* ---- reading ---- */

/* What is read, until config and plan have copies of their own. */
struct reading {
	struct tacho__arena arena;
	struct tacho_device *device;
	struct tacho_config_entry *wanted;
	struct tacho_plan_entry *entries;
	size_t entry_count;
	struct tacho_plan_pass *passes;
	size_t pass_count;
};

static int refuse(const struct reading *reading, const char *cause)
{
	return tacho__fail(TACHO_E_INVAL, cause,
			   "let the program use the libtacho and the definitions that tacho uses",
			   "the plan in %s does not fit %s", TACHO_COUNTING_FILE,
			   tacho_device_get_info(reading->device)->name);
}

/* An array's items, in room for one more; NULL: no memory. */
static void *get_room(struct reading *reading, const struct tacho__json *array, size_t size,
		      size_t *out_count)
{
	size_t count = 0;

	for (const struct tacho__json *item = array ? array->first : NULL; item; item = item->next)
		count++;
	*out_count = count;
	return tacho__arena_get(&reading->arena, (count + 1) * size);
}

static int read_mode(const struct reading *reading, const struct tacho__json *json,
		     uint32_t *out_mode)
{
	const char *name = tacho__json_string(json, "mode", "");

	for (uint32_t i = 0; i < TACHO__ARRAY_SIZE(mode_names); i++)
		if (strcmp(mode_names[i], name) == 0) {
			*out_mode = i;
			return 0;
		}
	return refuse(reading, tacho__detail("it has a mode \"%.40s\"", name));
}

/* Counters in the device's own notation are not there before they are asked for. */
static int find_entry(const struct reading *reading, const struct tacho__json *json,
		      const struct tacho_entry **out_entry)
{
	const char *name = tacho__json_string(json, "name", "");

	*out_entry = tacho__arch_get_exact(tacho_device_get_arch(reading->device), name);
	if (!*out_entry && tacho_device_define_entry(reading->device, name, out_entry))
		return refuse(reading, tacho__detail("there is no \"%.200s\"", name));
	return 0;
}

/* The numbers rise and are of passes that there are. */
static int read_pass_numbers(struct reading *reading, const struct tacho__json *json,
			     struct tacho_plan_entry *entry)
{
	const struct tacho__json *array = tacho__json_get(json, "passes");
	uint32_t *passes = get_room(reading, array, sizeof(*passes), &entry->pass_count);
	size_t i = 0;

	if (!passes)
		return TACHO_E_NOMEM;
	for (const struct tacho__json *item = array ? array->first : NULL; item;
	     item = item->next, i++) {
		if (!item->is_whole || item->whole >= reading->pass_count ||
		    (i && item->whole <= passes[i - 1]))
			return refuse(reading,
				      tacho__detail("%s is not of its passes", entry->entry->name));
		passes[i] = (uint32_t)item->whole;
	}
	entry->passes = passes;
	return 0;
}

static int read_entries(struct reading *reading, const struct tacho__json *plan)
{
	const struct tacho__json *array = tacho__json_get(plan, "entries");
	size_t i = 0;
	int rc = 0;

	reading->wanted = get_room(reading, array, sizeof(*reading->wanted), &reading->entry_count);
	reading->entries =
		get_room(reading, array, sizeof(*reading->entries), &reading->entry_count);
	if (!reading->wanted || !reading->entries)
		return TACHO_E_NOMEM;
	for (const struct tacho__json *item = array ? array->first : NULL; item && !rc;
	     item = item->next, i++) {
		const struct tacho__json *instances = tacho__json_get(item, "instances");

		rc = find_entry(reading, item, &reading->entries[i].entry);
		if (!rc)
			rc = read_mode(reading, item, &reading->wanted[i].mode);
		if (!rc)
			rc = read_pass_numbers(reading, item, &reading->entries[i]);
		if (rc)
			break;
		reading->wanted[i].name = reading->entries[i].entry->name;
		reading->wanted[i].keeps_instances = instances && instances->boolean;
	}
	return rc;
}

static int read_counters(struct reading *reading, const struct tacho__json *json,
			 struct tacho_plan_pass *pass)
{
	const struct tacho__json *array = tacho__json_get(json, "counters");
	struct tacho_plan_counter *counters =
		get_room(reading, array, sizeof(*counters), &pass->counter_count);
	size_t i = 0;
	int rc = 0;

	if (!counters)
		return TACHO_E_NOMEM;
	for (const struct tacho__json *item = array ? array->first : NULL; item && !rc;
	     item = item->next, i++) {
		const char *accumulate = tacho__json_string(item, "accumulate", "");

		counters[i].accumulate = accumulate;
		if (*accumulate && strcmp(accumulate, "LOW_RES") && strcmp(accumulate, "HIGH_RES"))
			return refuse(reading, tacho__detail("it accumulates %.40s", accumulate));
		rc = find_entry(reading, item, &counters[i].entry);
	}
	pass->counters = counters;
	return rc;
}

static int read_passes(struct reading *reading, const struct tacho__json *plan)
{
	const struct tacho_arch *arch = tacho_device_get_arch(reading->device);
	const struct tacho__json *array = tacho__json_get(plan, "passes");
	size_t i = 0;
	int rc = 0;

	reading->passes = get_room(reading, array, sizeof(*reading->passes), &reading->pass_count);
	if (!reading->passes)
		return TACHO_E_NOMEM;
	for (const struct tacho__json *item = array ? array->first : NULL; item && !rc;
	     item = item->next, i++) {
		struct tacho_plan_pass *pass = &reading->passes[i];
		const char *set = tacho__json_string(item, "set", "");

		pass->set = *set ? tacho_arch_find_set(arch, set) : NULL;
		if (*set && !pass->set)
			rc = refuse(reading, tacho__detail("there is no set \"%.200s\"", set));
		if (!rc)
			rc = read_mode(reading, item, &pass->mode);
		if (!rc)
			rc = read_counters(reading, item, pass);
	}
	return rc;
}

static int make(const struct reading *reading, struct tacho_config **out_config,
		struct tacho_plan **out_plan)
{
	struct tacho_config *config = NULL;
	struct tacho_plan *plan = NULL;
	int rc = tacho_config_create(tacho_device_get_arch(reading->device),
				     tacho_device_get_model(reading->device), reading->wanted,
				     reading->entry_count, &config);

	if (!rc && !tacho_config_get_entry(config, reading->entry_count - 1))
		rc = refuse(reading, "it has an entry twice");
	if (!rc)
		rc = tacho__plan_create_from_passes(config, reading->passes, reading->pass_count,
						    reading->entries, &plan);
	if (!rc)
		rc = tacho__device_check_plan(reading->device, plan);
	if (rc) {
		tacho_plan_destroy(plan);
		tacho_config_destroy(config);
		return rc;
	}
	*out_config = config;
	*out_plan = plan;
	return 0;
}

int tacho_counting_make_plan(const struct tacho_counting *counting, struct tacho_device *device,
			     struct tacho_config **out_config, struct tacho_plan **out_plan)
{
	struct reading reading = {.device = device};
	const struct tacho__json *json;
	int rc;

	if (!counting || !device || !out_config || !out_plan)
		return tacho__fail_null(__func__);
	json = counting->plan_json;
	rc = read_passes(&reading, json);
	if (!rc)
		rc = read_entries(&reading, json);
	if (!rc && (reading.pass_count != counting->pass_count ||
		    reading.entry_count != counting->entry_count))
		rc = refuse(&reading,
			    tacho__detail("it has %zu passes of %u and %zu entries of %zu",
					  reading.pass_count, counting->pass_count,
					  reading.entry_count, counting->entry_count));
	if (!rc)
		rc = make(&reading, out_config, out_plan);
	tacho__arena_finish(&reading.arena);
	return rc;
}
