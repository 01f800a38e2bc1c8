/* SPDX-License-Identifier: MIT */
/* Launches: how large they are for their device, and what they cost the host. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/rules/rules.h"
#include "tacho/error.h"
#include "tacho/sys/units.h"

enum { FIRST_AMONG = 16 };

/* ---- lines ---- */

static struct tacho__launch_line *make_line(struct tacho_findings *findings, const char *label,
					    struct tacho__device_facts *device)
{
	struct tacho__launch_line *line = tacho__arena_get(&findings->arena, sizeof(*line));

	if (!line)
		return NULL;
	line->device = device;
	line->label = tacho__arena_string(&findings->arena, label);
	if (!line->label || tacho__names_set(&findings->line_names, line->label, line))
		return NULL;
	findings->line_count++;
	return line;
}

/* The line of a kernel on a device; *out_line is NULL when there are too many. */
static int get_line(struct tacho_findings *findings, const struct tacho_command *command,
		    struct tacho__device_facts *device, struct tacho__launch_line **out_line)
{
	uint64_t key = (uint64_t)(uintptr_t)command->kernel * 31 ^ (uintptr_t)device->object;
	struct tacho__launch_line *line = tacho__map_get(&findings->lines, key);
	struct tacho__buf *text = &findings->scratch;

	if (!line || line->device != device) {
		const char *name = command->kernel && *command->kernel->name
					   ? command->kernel->name
					   : "a kernel of no known name";

		tacho__buf_clear(text);
		tacho__buf_printf(text, "%s on %s", name, device->label);
		if (tacho__findings_check(text))
			return TACHO_E_NOMEM;
		line = tacho__names_get(&findings->line_names, tacho__buf_text(text));
		if (!line && findings->line_count >= TACHO__LAUNCH_LINES_MAX) {
			*out_line = NULL;
			return 0;
		}
		if (!line)
			line = make_line(findings, tacho__buf_text(text), device);
		if (!line || tacho__map_set(&findings->lines, key, line))
			return TACHO_E_NOMEM;
	}
	*out_line = line;
	return 0;
}

/* ---- sizes ---- */

static uint64_t product(const uint64_t *sizes)
{
	uint64_t result = 1;

	for (int i = 0; i < 3; i++)
		if (__builtin_mul_overflow(result, sizes[i], &result))
			return UINT64_MAX;
	return result;
}

static uint64_t group_count(const struct tacho_command *command)
{
	uint64_t result = 1;

	for (int i = 0; i < 3; i++) {
		uint64_t local = command->local[i] ? command->local[i] : 1;
		uint64_t groups = command->global[i] / local + (command->global[i] % local != 0);

		if (__builtin_mul_overflow(result, groups, &result))
			return UINT64_MAX;
	}
	return result;
}

/* What the device runs at once: as told, else as the driver prefers it for the kernel; 0: unknown.
 */
static uint64_t wave_of(struct tacho_findings *findings, const struct tacho_command *command)
{
	const char *text;

	if (findings->thresholds[TACHO__WAVE_SIZE])
		return findings->thresholds[TACHO__WAVE_SIZE];
	text = command->kernel ? tacho_object_get(command->kernel, "preferred_multiple") : NULL;
	return text ? strtoull(text, NULL, 10) : 0;
}

/* One more launch of a line that a rule finds fault with. */
static int add(struct tacho_findings *findings, enum tacho__rule_id rule,
	       struct tacho__launch_line *line, struct tacho__finding **known,
	       const struct tacho__seen *seen, double wasted)
{
	struct tacho__place place = tacho__seen_place(seen);
	const struct tacho_command *command = seen->call->command;
	char text[128], local[64] = "chosen by the driver";
	uint64_t ns = 0;
	int rc = *known ? 0 : tacho__finding_get(findings, rule, line->label, known);

	if (rc || !*known)
		return rc;
	(*known)->owner = line;
	if (tacho__command_duration(command, &ns)) {
		(*known)->sums[0] += ns;
		(*known)->sums[1]++;
	}
	if (command->has_local)
		snprintf(local, sizeof(local), "%" PRIu64 " x %" PRIu64 " x %" PRIu64,
			 command->local[0], command->local[1], command->local[2]);
	snprintf(text, sizeof(text), "size %" PRIu64 " x %" PRIu64 " x %" PRIu64 ", groups %s",
		 command->global[0], command->global[1], command->global[2], local);
	/* A CPU runs no lanes: what it takes for a group of a few work-items is not known. */
	if (!line->device->is_cpu || rule == TACHO__RULE_IDLE_UNITS)
		tacho__gain_mark(findings, *known, TACHO__MARK_COMMAND,
				 (uint64_t)((double)ns * wasted));
	return tacho__finding_count(findings, *known, &place, (uint64_t)((double)ns * wasted),
				    text);
}

/* Work-groups that are too few leave compute units idle, whatever else the device does. */
static int take_units(struct tacho_findings *findings, const struct tacho__seen *seen,
		      struct tacho__launch_line *line)
{
	const struct tacho_command *command = seen->call->command;
	uint64_t wanted = findings->thresholds[TACHO__GLOBAL_SIZE], actual;
	int rc;

	if (wanted) {
		actual = product(command->global);
	} else {
		if (!line->device->units ||
		    __builtin_mul_overflow(line->device->units,
					   findings->thresholds[TACHO__GROUPS_PER_UNIT], &wanted))
			return 0;
		actual = command->has_local ? group_count(command) : product(command->global);
	}
	if (actual >= wanted)
		return 0;
	rc = add(findings, TACHO__RULE_IDLE_UNITS, line, &line->idle_units, seen,
		 (double)(wanted - actual) / (double)wanted);
	if (!rc && line->idle_units) {
		struct tacho__finding *finding = line->idle_units;

		finding->sums[2] = actual > finding->sums[2] ? actual : finding->sums[2];
		finding->sums[3] = wanted;
	}
	return rc;
}

static int take_group(struct tacho_findings *findings, const struct tacho__seen *seen,
		      struct tacho__launch_line *line)
{
	const struct tacho_command *command = seen->call->command;
	uint64_t local = product(command->local), global = product(command->global);
	uint64_t wave = wave_of(findings, command);
	bool is_small;
	int rc;

	if (!command->has_local || !local)
		return 0;
	if (!wave) {
		findings->waveless++;
		return 0;
	}
	/* A launch that has no more work-items than that cannot have larger groups. */
	if (global < wave || local % wave == 0)
		return 0;
	is_small = local < wave;
	rc = add(findings, is_small ? TACHO__RULE_SMALL_WORK_GROUP : TACHO__RULE_ODD_WORK_GROUP,
		 line, is_small ? &line->small_group : &line->odd_group, seen,
		 (double)(wave - local % wave) / (double)(local - local % wave + wave));
	if (!rc && is_small && line->small_group) {
		line->small_group->sums[2] = local;
		line->small_group->sums[3] = wave;
	} else if (!rc && line->odd_group) {
		line->odd_group->sums[2] = local;
		line->odd_group->sums[3] = wave;
	}
	return rc;
}

/* ---- times ---- */

/* Launches that were one would cost what one does; whether they are tiny is known at the end. */
static int mark_tiny(struct tacho_findings *findings, const struct tacho__seen *seen,
		     struct tacho__launch_line *line, uint64_t lag_ns)
{
	int rc = 0;

	if (!line->tiny)
		rc = tacho__finding_get(findings, TACHO__RULE_TINY_LAUNCHES, line->label,
					&line->tiny);
	if (rc || line->count < 2)
		return rc;
	tacho__gain_mark(findings, line->tiny, TACHO__MARK_CALL, seen->host_ns);
	tacho__gain_mark(findings, line->tiny, TACHO__MARK_LAG, lag_ns);
	return 0;
}

static uint64_t above(uint64_t ns, uint64_t sum_ns, uint64_t count)
{
	uint64_t mean = count ? sum_ns / count : 0;

	return ns > mean ? ns - mean : 0;
}

/* Now that some others were seen: what the first launch took more. */
static int mark_first(struct tacho_findings *findings, struct tacho__launch_line *line)
{
	uint64_t device = above(line->first_device_ns, line->device_ns, line->count),
		 host = above(line->first_host_ns, line->host_ns, line->count),
		 lag = above(line->first_lag_ns, line->lag_ns, line->count);
	uint64_t node = line->first_node;
	int rc;

	line->first_node = 0;
	rc = tacho__finding_get(findings, TACHO__RULE_SLOW_FIRST_LAUNCH, line->label,
				&line->slow_first);
	if (!rc)
		rc = tacho__gain_mark_node(findings, node, line->slow_first, TACHO__MARK_COMMAND,
					   device, device);
	if (!rc)
		rc = tacho__gain_mark_node(findings, node, line->slow_first, TACHO__MARK_CALL, host,
					   host);
	return rc ? rc
		  : tacho__gain_mark_node(findings, node, line->slow_first, TACHO__MARK_LAG, lag,
					  lag);
}

static int take_times(struct tacho_findings *findings, const struct tacho__seen *seen,
		      struct tacho__launch_line *line)
{
	uint64_t ns, lag = tacho__gain_lag_ns(findings, seen);

	if (!tacho__command_duration(seen->call->command, &ns) || seen->call->is_bare)
		return 0;
	if (seen->call->command->first_launch && !line->has_first) {
		line->has_first = true;
		line->first_lag_ns = lag;
		line->first_node = tacho__gain_node(findings);
		line->first_device_ns = ns;
		line->first_host_ns = seen->host_ns;
		line->first_place = tacho__seen_place(seen);
		return 0;
	}
	line->count++;
	line->lag_ns += lag;
	line->device_ns += ns;
	line->host_ns += seen->host_ns;
	if (seen->host_ns > ns && seen->host_ns - ns > line->worst_ns) {
		line->worst_ns = seen->host_ns - ns;
		line->worst_place = tacho__seen_place(seen);
	}
	/* Some are enough to know what others take, while the first one is still in the window. */
	if (line->first_node && line->count == FIRST_AMONG)
		return mark_first(findings, line);
	return mark_tiny(findings, seen, line, lag);
}

int tacho__launches_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho_command *command = seen->call->command;
	struct tacho__launch_line *line = NULL;
	struct tacho__device_facts *device;
	int rc;

	if (command->kind != TACHO_COMMAND_KERNEL || !command->device)
		return 0;
	rc = tacho__device_get(findings, command->device, &device);
	if (!rc)
		rc = get_line(findings, command, device, &line);
	if (rc || !line)
		return rc;
	/* A launch whose size nobody knows is not a small one. */
	if (device->is_judged && command->dimensions) {
		rc = take_units(findings, seen, line);
		if (!rc)
			rc = take_group(findings, seen, line);
	}
	return rc ? rc : take_times(findings, seen, line);
}

/* ---- the end ---- */

static int complete_first(struct tacho_findings *findings, struct tacho__launch_line *line)
{
	uint64_t first = line->first_device_ns + line->first_host_ns + line->first_lag_ns, mean;
	struct tacho__finding *finding = NULL;
	int rc;

	if (!line->has_first || !line->count)
		return 0;
	mean = (line->device_ns + line->host_ns + line->lag_ns) / line->count;
	if (first <= mean || first - mean < findings->thresholds[TACHO__FIRST_LAUNCH_NS] ||
	    first / findings->thresholds[TACHO__FIRST_LAUNCH_TIMES] < mean)
		return 0;
	rc = line->first_node ? mark_first(findings, line) : 0;
	if (!rc)
		rc = tacho__finding_add(findings, TACHO__RULE_SLOW_FIRST_LAUNCH, line->label,
					&line->first_place, first - mean, NULL, &finding);
	if (!rc && finding)
		finding->owner = line;
	return rc;
}

static int complete_tiny(struct tacho_findings *findings, struct tacho__launch_line *line)
{
	struct tacho__finding *finding = NULL;
	int rc;

	if (!line->count || line->count < findings->thresholds[TACHO__TINY_LAUNCH_COUNT] ||
	    line->host_ns <= line->device_ns)
		return 0;
	rc = tacho__finding_add(findings, TACHO__RULE_TINY_LAUNCHES, line->label,
				&line->worst_place, line->worst_ns, NULL, &finding);
	if (rc || !finding)
		return rc;
	finding->owner = line;
	finding->finding.count += line->count - 1;
	finding->finding.cost_ns += line->host_ns - line->device_ns - line->worst_ns;
	return 0;
}

int tacho__launches_complete(struct tacho_findings *findings)
{
	const struct tacho__names *names = &findings->line_names;
	int rc = 0;

	if (!findings->thresholds[TACHO__FIRST_LAUNCH_TIMES])
		findings->thresholds[TACHO__FIRST_LAUNCH_TIMES] = 1;
	for (size_t i = 0; i < names->capacity && !rc; i++)
		if (names->entries[i].key)
			rc = complete_first(findings, names->entries[i].value);
	for (size_t i = 0; i < names->capacity && !rc; i++)
		if (names->entries[i].key)
			rc = complete_tiny(findings, names->entries[i].value);
	if (!rc && findings->waveless &&
	    (findings->applies[TACHO__RULE_SMALL_WORK_GROUP] ||
	     findings->applies[TACHO__RULE_ODD_WORK_GROUP]))
		rc = tacho__findings_note(
			findings,
			"The work-groups of %" PRIu64
			" launch%s were not judged: what their devices run at once is not known. "
			"--rule wave-size=N says it.",
			findings->waveless, findings->waveless == 1 ? "" : "es");
	return rc;
}

/* Launches that matter little need no advice; where no time is known they are told. */
static bool matters(const struct tacho_findings *findings, const struct tacho__finding *finding)
{
	const struct tacho__launch_line *line = finding->owner;

	if (!line || !line->device->kernel_ns || !finding->sums[1])
		return true;
	return tacho__percent(finding->sums[0], line->device->kernel_ns) >=
	       findings->thresholds[TACHO__LAUNCH_SHARE];
}

/* "12 launches, 34.5% of the device's kernel time" */
static void put_launches(const struct tacho__finding *finding, struct tacho__buf *message)
{
	const struct tacho__launch_line *line = finding->owner;
	const struct tacho_finding *info = &finding->finding;
	char share[TACHO_UNITS_MAX];

	tacho__buf_printf(message, "%s: %" PRIu64 " launch%s", info->subject, info->count,
			  info->count == 1 ? "" : "es");
	if (line && finding->sums[1])
		tacho__buf_printf(
			message, ", %s of the device's kernel time,",
			tacho_units_share(share, finding->sums[0], line->device->kernel_ns));
}

bool tacho__judge_idle_units(struct tacho_findings *findings, struct tacho__finding *finding,
			     struct tacho__buf *message)
{
	if (!matters(findings, finding))
		return false;
	put_launches(finding, message);
	tacho__buf_printf(message,
			  " with at most %" PRIu64 " of the %" PRIu64
			  " %s that would give every compute unit something to do.",
			  finding->sums[2], finding->sums[3],
			  findings->thresholds[TACHO__GLOBAL_SIZE] ? "work-items" : "work-groups");
	return true;
}

static bool judge_group(struct tacho_findings *findings, struct tacho__finding *finding,
			struct tacho__buf *message, const char *fault)
{
	if (!matters(findings, finding))
		return false;
	put_launches(finding, message);
	tacho__buf_printf(message,
			  " in work-groups of %" PRIu64 " work-items, %s %" PRIu64
			  " that the device runs at once.",
			  finding->sums[2], fault, finding->sums[3]);
	return true;
}

bool tacho__judge_small_group(struct tacho_findings *findings, struct tacho__finding *finding,
			      struct tacho__buf *message)
{
	return judge_group(findings, finding, message, "fewer than the");
}

bool tacho__judge_odd_group(struct tacho_findings *findings, struct tacho__finding *finding,
			    struct tacho__buf *message)
{
	return judge_group(findings, finding, message, "no multiple of the");
}

bool tacho__judge_tiny_launches(struct tacho_findings *findings, struct tacho__finding *finding,
				struct tacho__buf *message)
{
	const struct tacho__launch_line *line = finding->owner;
	const struct tacho_finding *info = &finding->finding;
	char host[TACHO_UNITS_MAX], device[TACHO_UNITS_MAX];

	tacho__buf_printf(message,
			  "%s: %" PRIu64 " launches took the host %s each on average, and the "
			  "device %s.",
			  info->subject, info->count,
			  tacho_units_time(host, line->host_ns / line->count, 3),
			  tacho_units_time(device, line->device_ns / line->count, 3));
	return true;
}

bool tacho__judge_first_launch(struct tacho_findings *findings, struct tacho__finding *finding,
			       struct tacho__buf *message)
{
	const struct tacho__launch_line *line = finding->owner;
	char time[6][TACHO_UNITS_MAX];

	if (!line)
		return false;
	tacho__buf_printf(message,
			  "%s: the first launch took the host %s, %s to begin and the device %s, "
			  "the %" PRIu64 " others %s, %s and %s on average.",
			  finding->finding.subject,
			  tacho_units_time(time[0], line->first_host_ns, 3),
			  tacho_units_time(time[1], line->first_lag_ns, 3),
			  tacho_units_time(time[2], line->first_device_ns, 3), line->count,
			  tacho_units_time(time[3], line->host_ns / line->count, 3),
			  tacho_units_time(time[4], line->lag_ns / line->count, 3),
			  tacho_units_time(time[5], line->device_ns / line->count, 3));
	return true;
}
