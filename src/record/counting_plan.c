/* SPDX-License-Identifier: MIT */
/* The plan in counting.json: the command writes it, and the counted process has the same again. */
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/json.h"
#include "catalog/arch.h"
#include "plan/from_passes.h"
#include "plan/plan_order.h"
#include "record/counting_plan.h"
#include "session/session.h"
#include "tacho/sys/devices.h"
#include "tacho/sys/counting.h"

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
		tacho_json_add_string(json, "mode", tacho_mode_to_string(wanted->mode));
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
		tacho_json_add_string(json, "mode", tacho_mode_to_string(pass->mode));
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

/* Passes of a vendor's library: it makes the same again of the same counters in the same order. */
static void write_orders(const struct tacho_plan *plan, struct tacho_json *json)
{
	tacho_json_begin_array(json, "orders");
	for (uint32_t mode = 0; mode < TACHO_MODE_COUNT; mode++) {
		const struct tacho__plan_order *order = tacho__plan_get_order(plan, mode);

		if (!order->count)
			continue;
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "mode", tacho_mode_to_string(mode));
		tacho_json_begin_array(json, "counters");
		for (size_t i = 0; i < order->count; i++)
			tacho_json_add_string(json, NULL, order->entries[i]->name);
		tacho_json_end(json);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

void tacho__counting_write_plan(const struct tacho_plan *plan, struct tacho_json *json)
{
	tacho_json_begin_object(json, "plan");
	tacho_json_add_string(json, "arch",
			      tacho_config_get_arch(tacho_plan_get_config(plan))->name);
	write_entries(plan, json);
	write_passes(plan, json);
	write_orders(plan, json);
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
	struct tacho__plan_order orders[TACHO_MODE_COUNT];
};

static int refuse(const struct reading *reading, const char *cause)
{
	return tacho__fail(TACHO_E_INVAL, cause,
			   "let the program use the libtacho and the definitions that tacho uses",
			   "the plan in %s does not fit %s", TACHO_COUNTING_FILE,
			   tacho_device_get_info(reading->device)->name);
}

static int read_mode(const struct reading *reading, const struct tacho__json *json,
		     uint32_t *out_mode)
{
	const char *word = tacho__json_string(json, "mode", "");
	uint32_t mode = 0;

	while (mode < TACHO_MODE_COUNT && strcmp(word, tacho_mode_to_string(mode)) != 0)
		mode++;
	if (mode == TACHO_MODE_COUNT)
		return refuse(reading, "a mode is not known");
	*out_mode = mode;
	return 0;
}

/* Counters in the device's own notation are not there before they are asked for. */
static int find_name(const struct reading *reading, const char *name,
		     const struct tacho_entry **out_entry)
{
	*out_entry = tacho__arch_get_name(tacho_device_get_arch(reading->device), name);
	if (!*out_entry && tacho_device_define_entry(reading->device, name, out_entry))
		return refuse(reading, tacho__detail("there is no \"%.200s\"", name));
	return 0;
}

static int find_entry(const struct reading *reading, const struct tacho__json *json,
		      const struct tacho_entry **out_entry)
{
	return find_name(reading, tacho__json_string(json, "name", ""), out_entry);
}

/* The numbers rise and are of passes that there are. */
static int read_pass_numbers(struct reading *reading, const struct tacho__json *json,
			     struct tacho_plan_entry *entry)
{
	const struct tacho__json *item = tacho__json_items(json, "passes", &entry->pass_count);
	uint32_t *passes =
		tacho__arena_get(&reading->arena, (entry->pass_count + 1) * sizeof(*passes));

	if (!passes)
		return TACHO_E_NOMEM;
	entry->passes = passes;
	for (; item; item = item->next, passes++) {
		if (!item->is_whole || item->whole >= reading->pass_count ||
		    (passes > entry->passes && item->whole <= passes[-1]))
			return refuse(reading,
				      tacho__detail("%s is not of its passes", entry->entry->name));
		*passes = (uint32_t)item->whole;
	}
	return 0;
}

static int read_entry(struct reading *reading, const struct tacho__json *json,
		      struct tacho_config_entry *wanted, struct tacho_plan_entry *entry)
{
	const struct tacho__json *instances = tacho__json_get(json, "instances");
	int rc = find_entry(reading, json, &entry->entry);

	if (!rc)
		rc = read_mode(reading, json, &wanted->mode);
	if (!rc)
		rc = read_pass_numbers(reading, json, entry);
	if (rc)
		return rc;
	wanted->name = entry->entry->name;
	wanted->keeps_instances = instances && instances->boolean;
	return 0;
}

static int read_entries(struct reading *reading, const struct tacho__json *plan)
{
	const struct tacho__json *item = tacho__json_items(plan, "entries", &reading->entry_count);
	size_t room = reading->entry_count + 1;
	int rc = 0;

	reading->wanted = tacho__arena_get(&reading->arena, room * sizeof(*reading->wanted));
	reading->entries = tacho__arena_get(&reading->arena, room * sizeof(*reading->entries));
	if (!reading->wanted || !reading->entries)
		return TACHO_E_NOMEM;
	for (size_t i = 0; item && !rc; item = item->next, i++)
		rc = read_entry(reading, item, &reading->wanted[i], &reading->entries[i]);
	return rc;
}

static int read_counters(struct reading *reading, const struct tacho__json *json,
			 struct tacho_plan_pass *pass)
{
	const struct tacho__json *item = tacho__json_items(json, "counters", &pass->counter_count);
	struct tacho_plan_counter *counter =
		tacho__arena_get(&reading->arena, (pass->counter_count + 1) * sizeof(*counter));
	int rc = counter ? 0 : TACHO_E_NOMEM;

	pass->counters = counter;
	for (; item && !rc; item = item->next, counter++) {
		int word = tacho__json_word(item, "accumulate", tacho__resolution_names,
					    TACHO__RESOLUTIONS);

		if (word < 0)
			return refuse(reading, "a counter is accumulated in no known way");
		counter->accumulate = tacho__resolution_names[word];
		rc = find_entry(reading, item, &counter->entry);
	}
	return rc;
}

static int read_passes(struct reading *reading, const struct tacho__json *plan)
{
	const struct tacho__json *item = tacho__json_items(plan, "passes", &reading->pass_count);
	struct tacho_plan_pass *pass =
		tacho__arena_get(&reading->arena, (reading->pass_count + 1) * sizeof(*pass));
	int rc = pass ? 0 : TACHO_E_NOMEM;

	reading->passes = pass;
	for (; item && !rc; item = item->next, pass++) {
		const char *set = tacho__json_string(item, "set", "");

		if (*set)
			pass->set =
				tacho_arch_find_set(tacho_device_get_arch(reading->device), set);
		if (*set && !pass->set)
			return refuse(reading, tacho__detail("there is no set \"%.200s\"", set));
		rc = read_mode(reading, item, &pass->mode);
		if (!rc)
			rc = read_counters(reading, item, pass);
	}
	return rc;
}

static int read_order(struct reading *reading, const struct tacho__json *json,
		      struct tacho__plan_order *order)
{
	const struct tacho__json *item = tacho__json_items(json, "counters", &order->count);
	const struct tacho_entry **entries =
		tacho__arena_get(&reading->arena, (order->count + 1) * sizeof(*entries));
	int rc = entries ? 0 : TACHO_E_NOMEM;

	order->entries = entries;
	for (; item && !rc; item = item->next)
		rc = find_name(reading, item->string ? item->string : "", entries++);
	return rc;
}

static int read_orders(struct reading *reading, const struct tacho__json *plan)
{
	size_t count;
	const struct tacho__json *item = tacho__json_items(plan, "orders", &count);
	uint32_t mode = 0;
	int rc = 0;

	for (; item && !rc; item = item->next) {
		rc = read_mode(reading, item, &mode);
		if (!rc)
			rc = read_order(reading, item, &reading->orders[mode]);
	}
	return rc;
}

static int set_orders(const struct reading *reading, struct tacho_plan *plan)
{
	int rc = 0;

	for (uint32_t mode = 0; mode < TACHO_MODE_COUNT && !rc; mode++)
		rc = tacho__plan_set_order(plan, mode, &reading->orders[mode]);
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
		rc = set_orders(reading, plan);
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

int tacho_counting_open_device(const struct tacho_counting *counting, void *handle,
			       struct tacho_context **out_context, struct tacho_device **out_device)
{
	struct tacho_context_options options = {.size = sizeof(options), .handle = handle};
	const struct tacho_device_info *info;
	int rc;

	if (!counting || !out_context || !out_device)
		return tacho__fail_null(__func__);
	options.backends = counting->backends;
	rc = tacho_context_create_lean(&options, out_context);
	if (!rc && counting->device)
		rc = tacho_context_find_device_info(*out_context, counting->device, &info);
	else if (!rc)
		info = tacho_context_get_device_info(*out_context, 0);
	return rc ? rc : tacho_device_open(*out_context, info, out_device);
}

int tacho_counting_make_plan(const struct tacho_counting *counting, struct tacho_device *device,
			     struct tacho_config **out_config, struct tacho_plan **out_plan)
{
	struct reading reading = {.device = device};
	const struct tacho__json *json;
	const char *arch;
	int rc;

	if (!counting || !device || !out_config || !out_plan)
		return tacho__fail_null(__func__);
	json = counting->plan_json;
	arch = tacho__json_string(json, "arch", "nothing");
	if (strcmp(arch, tacho_device_get_arch(device)->name) != 0)
		return refuse(&reading, tacho__detail("it is for %.40s, the device is %s", arch,
						      tacho_device_get_arch(device)->name));
	rc = read_passes(&reading, json);
	if (!rc)
		rc = read_entries(&reading, json);
	if (!rc)
		rc = read_orders(&reading, json);
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

int tacho_counting_check_launches(const struct tacho_device *device)
{
	if (!device)
		return tacho__fail_null(__func__);
	if (device->backend->begin_range || !device->traits.has_windows)
		return 0;
	return tacho__fail(TACHO_E_UNSUPPORTED, "it counts windows of time only",
			   "sample it beside the program: add -I MS", "%s counts no launches",
			   device->info->name);
}

int tacho_counting_check_replay(const struct tacho_device *device, uint32_t replay)
{
	if (!device)
		return tacho__fail_null(__func__);
	if (replay == TACHO_REPLAY_VENDOR && !(device->traits.replays & 1u << replay))
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   "nothing but tacho runs a launch again there",
				   "take --replay kernel, process or rotate",
				   "%s has no library that replays by itself", device->info->name);
	if (replay != TACHO_REPLAY_KERNEL || device->traits.replays & 1u << TACHO_REPLAY_CALLER)
		return 0;
	return tacho__fail(TACHO_E_UNSUPPORTED, "what counts on it cannot run a kernel again",
			   "take --replay process or rotate, or name fewer",
			   "%s needs several passes", device->info->name);
}

int tacho_counting_check_modes(const struct tacho_plan *plan)
{
	const struct tacho_plan_pass *pass;

	if (!plan)
		return tacho__fail_null(__func__);
	for (size_t i = 0; (pass = tacho_plan_get_pass(plan, i)); i++)
		if (pass->mode == TACHO_MODE_PIPELINED)
			return tacho__fail(TACHO_E_UNSUPPORTED,
					   "a launch that is counted has the device for itself",
					   "leave :pipelined out; ranges that overlap are for "
					   "programs that count themselves",
					   "%s of launches cannot be counted pipelined",
					   pass->entry_count ? pass->entries[0]->name
							     : pass->counters[0].entry->name);
	return 0;
}
