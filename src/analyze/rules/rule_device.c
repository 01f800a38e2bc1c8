/* SPDX-License-Identifier: MIT */
/* What devices are and when they had nothing to do. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rules/rules.h"
#include "base/array.h"
#include "record/command.h"
#include "tacho/error.h"
#include "tacho/sys/units.h"

/* ---- devices ---- */

/* "OpenCL 3.0 PoCL ..." is 300; 0 when it is none. */
static uint32_t version_of(const struct tacho_object *object)
{
	for (size_t i = 0; tacho__api_roles_get(i); i++) {
		const struct tacho__api_roles *api = tacho__api_roles_get(i);
		const char *text =
			api->version_key ? tacho_object_get(object, api->version_key) : NULL;
		size_t size = text ? strlen(api->version_prefix) : 0;
		unsigned major, minor;

		if (text && !strncmp(text, api->version_prefix, size) &&
		    sscanf(text + size, "%3u.%3u", &major, &minor) == 2 && minor < 10)
			return major * 100 + minor * 10;
	}
	return 0;
}

static void describe(struct tacho_findings *findings, struct tacho__device_facts *device)
{
	const struct tacho_object *object = device->object;
	const char *type = tacho_object_get(object, "type");
	const char *units = tacho_object_get(object, "compute_units");
	uint32_t version = version_of(object);

	device->is_typed = type != NULL;
	device->is_cpu = type && !strcmp(type, "cpu");
	device->is_judged =
		findings->thresholds[TACHO__CPU_DEVICES] || (type && strcmp(type, "cpu") != 0);
	device->units = units ? strtoull(units, NULL, 10) : 0;
	if (version > findings->api_version)
		findings->api_version = version;
	device->gaps.gap_ns = findings->thresholds[TACHO__GAP_NS];
	if (!device->gaps.gap_ns)
		device->gaps.gap_ns = 1;
	device->calls.done_ns = findings->idle.done_ns;
}

/* Devices of one name are told apart by their processes, or by number in one. */
static const char *label_of(struct tacho_findings *findings, const struct tacho_object *object)
{
	const char *name = *object->name ? object->name : "unknown";
	struct tacho__buf *text = &findings->scratch;
	bool is_shared = false;
	unsigned number = 1;

	for (size_t i = 0; i < findings->device_count; i++) {
		const struct tacho_object *other = findings->device_list[i]->object;

		if (strcmp(other->name, object->name) != 0)
			continue;
		is_shared |= other->process != object->process;
		number += other->process == object->process;
	}
	tacho__buf_clear(text);
	tacho__buf_put(text, name);
	if (number > 1)
		tacho__buf_printf(text, " #%u", number);
	if (is_shared)
		tacho__buf_printf(text, " of process %" PRIu32, object->process->pid);
	return tacho__findings_check(text) ? NULL
					   : tacho__findings_text(findings, tacho__buf_text(text));
}

int tacho__device_get(struct tacho_findings *findings, const struct tacho_object *object,
		      struct tacho__device_facts **out_device)
{
	struct tacho__device_facts *device = tacho__map_get(&findings->devices, (uintptr_t)object);

	if (!device) {
		device = tacho__arena_get(&findings->arena, sizeof(*device));
		if (!device)
			return TACHO_E_NOMEM;
		device->object = object;
		device->label = label_of(findings, object);
		if (!device->label ||
		    tacho__map_set(&findings->devices, (uintptr_t)object, device) ||
		    tacho__array_add(&findings->device_list, &findings->device_capacity,
				     &findings->device_count, &device, sizeof(device)))
			return TACHO_E_NOMEM;
		describe(findings, device);
	}
	*out_device = device;
	return 0;
}

/* Where a command without times may have run there is no gap. */
static int take_doubt(void *user, uint64_t from_ns, uint64_t until_ns)
{
	struct tacho__device_facts *device = user;

	if (from_ns && until_ns != UINT64_MAX)
		return tacho__idle_end(device, from_ns, until_ns);
	if (!device->is_open || from_ns < device->open_ns)
		device->open_ns = from_ns;
	device->is_open = true;
	return 0;
}

/* When it ran, in the sets of what runs beside what. */
static int take_times(struct tacho__device_facts *device, const struct tacho_command *command)
{
	const struct tacho_template *contents = command->contents;
	bool is_kernels = command->kind == TACHO_COMMAND_KERNEL ||
			  (contents && contents->is_known &&
			   contents->kernel_count == contents->command_count);
	struct tacho__busy *busy = is_kernels ? &device->kernels : &device->copies;
	int rc = tacho__busy_add(&device->all, command->start_ns, command->end_ns);

	if (contents && !is_kernels)
		device->is_mixed = true;
	else if (!rc && command->kind != TACHO_COMMAND_OTHER)
		rc = tacho__busy_add(busy, command->start_ns, command->end_ns);
	return rc ? rc : tacho__idle_end(device, command->start_ns, command->end_ns);
}

/* A command, and the device that it worked on, or partly on. */
struct place {
	struct tacho_findings *findings;
	const struct tacho_command *command;
	bool is_submitted;
};

/* Between commands of a submit nothing is missing: what stands there is not told of, or no work. */
static int fill_gap(const struct place *place, struct tacho__device_facts *device)
{
	const struct tacho_command *command = place->command;
	uint64_t end_ns = tacho__gain_queue_end_ns(place->findings, command->queue);

	return place->is_submitted && end_ns && command->not_before_ns <= end_ns
		       ? tacho__idle_end(device, end_ns, command->start_ns)
		       : 0;
}

static int take_device(void *user, const struct tacho_object *object)
{
	const struct place *place = user;
	const struct tacho_command *command = place->command;
	struct tacho__device_facts *device;
	uint64_t ns;
	int rc;

	if (!object)
		return tacho__use_add(&place->findings->elsewhere, command);
	rc = tacho__device_get(place->findings, object, &device);
	if (rc)
		return rc;
	device->launches += tacho__command_kernels(command);
	if (tacho__command_kernels(command) && tacho__command_duration(command, &ns))
		device->kernel_ns += ns;
	if (object->process && object->process->has_unseen_work)
		rc = take_doubt(device, 0, UINT64_MAX);
	if (rc)
		return rc;
	if (command->state != TACHO_STATE_OK || command->end_ns < command->start_ns)
		return take_doubt(device, command->not_before_ns, command->not_after_ns);
	if (!tacho__command_is_of_one_device(command))
		return take_doubt(device, command->start_ns, command->end_ns);
	rc = fill_gap(place, device);
	return rc ? rc : take_times(device, command);
}

int tacho__device_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	struct place place = {findings, seen->call->command, tacho__is_submitted(seen)};

	return tacho__use_each_device(place.command, take_device, &place);
}

/* ---- gaps ---- */

uint64_t tacho__device_span_ns(const struct tacho__device_facts *device)
{
	const struct tacho__gaps *gaps = &device->gaps;

	return gaps->count ? gaps->pieces[gaps->count - 1].end_ns - gaps->pieces[0].start_ns : 0;
}

/* What has no known end may have run until the last end that is known. */
static int close_open(struct tacho__device_facts *device)
{
	const struct tacho__gaps *gaps = &device->gaps;
	uint64_t from_ns = device->open_ns, until_ns;

	if (!device->is_open || !gaps->count)
		return 0;
	until_ns = gaps->pieces[gaps->count - 1].end_ns;
	if (from_ns < gaps->pieces[0].start_ns)
		from_ns = gaps->pieces[0].start_ns;
	return tacho__idle_end(device, from_ns, until_ns);
}

static bool was_idle(const struct tacho_findings *findings,
		     const struct tacho__device_facts *device)
{
	uint64_t idle = tacho__gaps_sum_ns(&device->gaps);

	return findings->applies[TACHO__RULE_IDLE_DEVICE] && idle && device->all.has_any &&
	       idle >= findings->thresholds[TACHO__IDLE_NS] &&
	       tacho__percent(idle, tacho__device_span_ns(device)) >=
		       findings->thresholds[TACHO__IDLE_SHARE];
}

bool tacho__device_was_counted(const struct tacho_findings *findings)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(findings->recording);

	return counting && *counting->device;
}

/* What was idle is looked at again, but where it says nothing about the program. */
static int judge_gaps(struct tacho_findings *findings, struct tacho__device_facts *device,
		      bool *has_told)
{
	bool is_idle = was_idle(findings, device);

	device->is_idle = is_idle && !tacho__device_was_counted(findings);
	if (is_idle == device->is_idle || *has_told)
		return 0;
	*has_told = true;
	return tacho__findings_note(findings, "idle-device was not judged: launches that are "
					      "counted wait for one another.");
}

int tacho__device_complete(struct tacho_findings *findings)
{
	bool has_told = false;
	int rc = 0;

	for (size_t i = 0; i < findings->device_count && !rc; i++) {
		struct tacho__device_facts *device = findings->device_list[i];

		rc = tacho__use_each_time(&findings->elsewhere, take_doubt, device);
		if (!rc)
			rc = close_open(device);
		if (!rc)
			rc = judge_gaps(findings, device, &has_told);
		if (rc)
			break;
		if (device->is_typed || findings->thresholds[TACHO__CPU_DEVICES] ||
		    tacho__names_get(&findings->device_names, device->label))
			continue;
		rc = tacho__names_set(&findings->device_names, device->label, device);
		if (!rc)
			rc = tacho__findings_note(
				findings,
				"Launches and transfers on %s were not judged for their size: "
				"whether it is a GPU is not known. --rule cpu-devices=1 judges "
				"all devices.",
				device->label);
	}
	return rc;
}
