/* SPDX-License-Identifier: MIT */
/* What the ids in the rows of a rocpd database stand for. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "format/foreign/amd_rocpd.h"

const char *tacho__rocpd_table(const struct tacho__rocpd_set *set, const char *table,
			       struct tacho__buf *buf)
{
	tacho__buf_clear(buf);
	tacho__buf_printf(buf, "rocpd_%s", table);
	tacho__buf_put(buf, tacho__buf_text(&set->suffix));
	return buf->failed ? NULL : buf->text;
}

/* 1: the query is at the row of that id. */
static int find_row(struct tacho__foreign_query *query, int64_t id)
{
	int rc = tacho__foreign_query_again(query, id);

	return rc ? rc : tacho__foreign_query_next(query);
}

/* The text in the first column of the row of that id, looked up once. */
static int get_text(struct tacho__rocpd_set *set, struct tacho__foreign_query *query,
		    struct tacho__map *known, int64_t id, uint32_t *out_text)
{
	int rc;

	*out_text = (uint32_t)(uintptr_t)tacho__map_get(known, (uint64_t)id);
	if (*out_text)
		return 0;
	rc = find_row(query, id);
	if (rc <= 0)
		return rc;
	rc = tacho__foreign_text(set->amd.foreign, tacho__foreign_query_text(query, 0), out_text);
	return rc ? rc : tacho__map_set(known, (uint64_t)id, (void *)(uintptr_t)*out_text);
}

int tacho__rocpd_text(struct tacho__rocpd_set *set, int64_t id, uint32_t *out_text)
{
	return get_text(set, &set->strings, &set->texts, id, out_text);
}

int tacho__rocpd_place(struct tacho__rocpd_set *set, const struct tacho__foreign_query *query,
		       struct tacho__rocpd_place *out_place)
{
	int rc;

	*out_place = (struct tacho__rocpd_place){0};
	if (set->has_tracks) {
		rc = find_row(&set->tracks, tacho__foreign_query_get(query, TACHO__ROCPD_TRACK));
		if (rc <= 0)
			return rc;
		query = &set->tracks;
	}
	out_place->process = tacho__foreign_query_get(query, TACHO__ROCPD_PROCESS);
	out_place->thread = tacho__foreign_query_get(query, TACHO__ROCPD_THREAD);
	out_place->agent = tacho__foreign_query_get(query, TACHO__ROCPD_AGENT);
	out_place->has_queue =
		tacho__foreign_query_int(query, TACHO__ROCPD_QUEUE, &out_place->queue);
	return 0;
}

int tacho__rocpd_time(struct tacho__rocpd_set *set, const struct tacho__foreign_query *query,
		      enum tacho__rocpd_place_column column, struct tacho__amd_number *out_time)
{
	int64_t value = 0;
	int rc = 1;

	if (set->has_stamps) {
		rc = find_row(&set->stamps,
			      tacho__foreign_query_get(query, column + TACHO__ROCPD_START_STAMP -
								      TACHO__ROCPD_START));
		query = &set->stamps;
	}
	out_time->is_known =
		rc == 1 &&
		tacho__foreign_query_int(query, set->has_stamps ? 0 : (int)column, &value) &&
		value >= 0;
	out_time->value = out_time->is_known ? (uint64_t)value : 0;
	return rc < 0 ? rc : 0;
}

int tacho__rocpd_process(struct tacho__rocpd_set *set, int64_t id, uint32_t *out_process)
{
	uintptr_t known = (uintptr_t)tacho__map_get(&set->process_map, (uint64_t)id);
	int64_t pid = 0;
	int rc;

	if (set->is_again) {
		*out_process = set->process;
		return 0;
	}
	*out_process = (uint32_t)(known - 1);
	if (known)
		return 0;
	rc = find_row(&set->processes, id);
	if (rc < 0)
		return rc;
	if (rc)
		tacho__foreign_query_int(&set->processes, 0, &pid);
	known = (uintptr_t)rc;
	rc = tacho__foreign_process(set->amd.foreign, set->number << 32 | (uint32_t)id,
				    (uint32_t)pid, out_process);
	if (!rc && known)
		rc = tacho__foreign_name_process(set->amd.foreign, *out_process,
						 tacho__foreign_query_text(&set->processes, 1));
	set->process = *out_process;
	return rc ? rc
		  : tacho__map_set(&set->process_map, (uint64_t)id,
				   (void *)((uintptr_t)*out_process + 1));
}

int tacho__rocpd_thread(struct tacho__rocpd_set *set, int64_t id, uint32_t *out_thread)
{
	uintptr_t known = (uintptr_t)tacho__map_get(&set->thread_map, (uint64_t)id);
	int rc;

	*out_thread = (uint32_t)(known - 1);
	if (known)
		return 0;
	rc = find_row(&set->threads, id);
	if (rc < 0)
		return rc;
	*out_thread = rc ? (uint32_t)tacho__foreign_query_get(&set->threads, 0) : 0;
	return tacho__map_set(&set->thread_map, (uint64_t)id, (void *)((uintptr_t)*out_thread + 1));
}

/* ---- things ---- */

static void put_text(struct tacho__buf *text, const char *key, const char *value)
{
	if (*value && !strpbrk(value, "\r\n"))
		tacho__buf_printf(text, "%s=%s\n", key, value);
}

/* Columns: type, name, product_name, vendor_name, absolute_index. */
static void describe_agent(const struct tacho__foreign_query *agent, struct tacho__buf *text)
{
	const char *name = tacho__foreign_query_text(agent, 1);
	const char *product = tacho__foreign_query_text(agent, 2);
	const char *type = tacho__foreign_query_text(agent, 0);
	int64_t number;

	put_text(text, "name", *product ? product : *name ? name : "(no name)");
	put_text(text, "vendor", tacho__foreign_query_text(agent, 3));
	put_text(text, "type", !strcmp(type, "GPU") ? "gpu" : !strcmp(type, "CPU") ? "cpu" : "");
	if (!strncmp(name, "gfx", 3))
		put_text(text, "architecture", name);
	if (tacho__foreign_query_int(agent, 4, &number))
		tacho__buf_printf(text, "number=%" PRId64 "\n", number);
}

int tacho__rocpd_device(struct tacho__rocpd_set *set, uint32_t process, int64_t id,
			uint32_t *out_device)
{
	uint64_t handle = (uint64_t)id + 1;
	struct tacho__buf text = {0};
	int rc;

	*out_device = tacho__foreign_find(set->amd.foreign, process, TACHO_OBJECT_DEVICE, handle);
	if (*out_device)
		return 0;
	rc = find_row(&set->agents, id);
	if (rc <= 0)
		return rc;
	describe_agent(&set->agents, &text);
	rc = tacho__foreign_thing(set->amd.foreign, process, TACHO_OBJECT_DEVICE, handle, &text,
				  out_device);
	tacho__buf_finish(&text);
	return rc;
}

int tacho__rocpd_queue(struct tacho__rocpd_set *set, int64_t id,
		       struct tacho__foreign_command *command)
{
	char number[32];
	const char *name;
	int rc = find_row(&set->queues, id);

	if (rc < 0)
		return rc;
	name = rc ? tacho__foreign_query_text(&set->queues, 0) : "";
	snprintf(number, sizeof(number), "Queue %" PRId64, id);
	return tacho__amd_queue(&set->amd, *name ? name : number, command);
}

static struct tacho__amd_number fact(const struct tacho__foreign_query *query, int column)
{
	int64_t value;
	struct tacho__amd_number number = {
		.is_known = tacho__foreign_query_int(query, column, &value) && value >= 0};

	number.value = number.is_known ? (uint64_t)value : 0;
	return number;
}

/* Columns: display_name, kernel_name, group_segment_size, private_segment_size, ...vgpr..., sgpr.
 */
int tacho__rocpd_kernel(struct tacho__rocpd_set *set, int64_t id,
			struct tacho__foreign_command *command)
{
	const struct tacho__foreign_query *query = &set->kernels;
	uint64_t key = (uint64_t)command->process << 32 | (uint32_t)id;
	struct tacho__amd_kernel kernel = {.name = ""};
	int rc;

	command->kind = TACHO_COMMAND_KERNEL;
	command->kernel = (uint32_t)(uintptr_t)tacho__map_get(&set->kernel_map, key);
	if (command->kernel)
		return tacho__foreign_text(set->amd.foreign, "kernel", &command->name);
	rc = find_row(&set->kernels, id);
	if (rc < 0)
		return rc;
	if (rc) {
		kernel.name = tacho__foreign_query_text(query, 0);
		if (!*kernel.name)
			kernel.name = tacho__foreign_query_text(query, 1);
		kernel.local_bytes = fact(query, 2);
		kernel.private_bytes = fact(query, 3);
		kernel.vgprs = fact(query, 4);
		kernel.accum_vgprs = fact(query, 5);
		kernel.sgprs = fact(query, 6);
	}
	rc = tacho__amd_take_kernel(&set->amd, &kernel, command);
	return rc ? rc : tacho__map_set(&set->kernel_map, key, (void *)(uintptr_t)command->kernel);
}

int tacho__rocpd_counter(struct tacho__rocpd_set *set, int64_t id, uint32_t *out_counter)
{
	char accumulated[80];
	const char *name, *unit;
	int rc;

	*out_counter = (uint32_t)(uintptr_t)tacho__map_get(&set->counter_map, (uint64_t)id);
	if (*out_counter)
		return 0;
	rc = find_row(&set->counters, id);
	if (rc <= 0)
		return rc;
	name = tacho__foreign_query_text(&set->counters, 0);
	unit = tacho__foreign_query_text(&set->counters, 1);
	if (set->level && *set->level && !strcmp(name, "SQ_ACCUM_PREV_HIRES")) {
		snprintf(accumulated, sizeof(accumulated), "%s_ACCUM", set->level);
		name = accumulated;
	}
	rc = tacho__foreign_counter(set->amd.foreign, *name ? name : "(no name)", unit,
				    TACHO_TYPE_F64, out_counter);
	return rc ? rc
		  : tacho__map_set(&set->counter_map, (uint64_t)id,
				   (void *)(uintptr_t)*out_counter);
}

int tacho__rocpd_event(struct tacho__rocpd_set *set, int64_t id, uint64_t *out_link,
		       uint32_t *out_category)
{
	int rc = find_row(&set->events, id);

	*out_link = 0;
	*out_category = 0;
	if (rc <= 0)
		return rc;
	*out_link = (uint64_t)tacho__foreign_query_get(&set->events, 0);
	return get_text(set, &set->categories, &set->category_texts,
			tacho__foreign_query_get(&set->events, 1), out_category);
}
