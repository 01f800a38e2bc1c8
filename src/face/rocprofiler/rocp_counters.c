/* SPDX-License-Identifier: MIT */
/* Ids of counters: numbers into a table that only grows, the same for all agents of a family. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "face/rocprofiler/rocprofiler.h"

enum { ID_MAX = UINT16_MAX };

static struct {
	pthread_rwlock_t lock;
	struct tacho__arena arena; /* of counters and their names: they stay */
	const struct tacho__rocp_counter *counters[ID_MAX];
	size_t count;
	struct tacho__names by_name; /* "FAMILY:NAME" */
} table = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static const struct tacho__rocp_counter *find(const char *family, const char *name)
{
	struct tacho__buf key = {0};
	const struct tacho__rocp_counter *counter = NULL;

	tacho__buf_printf(&key, "%s:%s", family, name);
	if (!key.failed)
		counter = tacho__names_get(&table.by_name, tacho__buf_text(&key));
	tacho__buf_finish(&key);
	return counter;
}

static uint64_t add(const char *family, const char *name)
{
	struct tacho__rocp_counter *counter = tacho__arena_get(&table.arena, sizeof(*counter));
	struct tacho__buf text = {0};
	const char *key;

	tacho__buf_printf(&text, "%s:%s", family, name);
	key = tacho__buf_keep(&text, &table.arena);
	if (!counter || !key)
		return 0;
	if (table.count == ID_MAX) {
		tacho__fail(TACHO_E_UNSUPPORTED, tacho__detail("there are %zu", table.count),
			    "create fewer counters", "there is no id left for %s", name);
		return 0;
	}
	counter->id = table.count + 1;
	counter->name = strchr(key, ':') + 1;
	counter->family = tacho__arena_text(&table.arena, key, strlen(family));
	if (!counter->family || tacho__names_set(&table.by_name, key, counter))
		return 0;
	table.counters[table.count++] = counter;
	return counter->id;
}

uint64_t tacho__rocp_counter_add(const char *family, const char *name)
{
	const struct tacho__rocp_counter *counter;
	uint64_t id;

	pthread_rwlock_wrlock(&table.lock);
	counter = find(family, name);
	id = counter ? counter->id : add(family, name);
	pthread_rwlock_unlock(&table.lock);
	return id;
}

uint64_t tacho__rocp_counter_find(const char *family, const char *name)
{
	const struct tacho__rocp_counter *counter;

	pthread_rwlock_rdlock(&table.lock);
	counter = find(family, name);
	pthread_rwlock_unlock(&table.lock);
	return counter ? counter->id : 0;
}

const struct tacho__rocp_counter *tacho__rocp_counter_get(uint64_t id)
{
	const struct tacho__rocp_counter *counter = NULL;

	pthread_rwlock_rdlock(&table.lock);
	if (id && id <= table.count)
		counter = table.counters[id - 1];
	pthread_rwlock_unlock(&table.lock);
	return counter;
}

static size_t count_entries(const struct tacho__rocp_edition *edition,
			    const struct tacho__rocp_agent *agent)
{
	size_t count = 0;

	while (tacho__rocp_edition_list(edition, agent, count))
		count++;
	return count;
}

rocprofiler_status_t
rocprofiler_iterate_agent_supported_counters(rocprofiler_agent_id_t agent_id,
					     rocprofiler_available_counters_cb_t callback,
					     void *user_data)
{
	const struct tacho__rocp_agent *agent = tacho__rocp_agent_find(agent_id);
	struct tacho__rocp_edition *edition;
	rocprofiler_counter_id_t *ids;
	rocprofiler_status_t status;
	size_t count;

	if (!agent)
		return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
	if (!callback)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	status = tacho__rocp_edition_take(&edition);
	if (status)
		return status;
	count = count_entries(edition, agent);
	ids = calloc(count + 1, sizeof(*ids));
	for (size_t i = 0; ids && i < count; i++)
		ids[i].handle =
			tacho__rocp_counter_find(tacho__rocp_edition_get(edition, agent)->family,
						 tacho__rocp_edition_list(edition, agent, i)->name);
	tacho__rocp_edition_release(edition);
	if (!ids)
		status = ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	else if (!count)
		status = ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED;
	else
		status = callback(agent_id, ids, count, user_data);
	free(ids);
	return status;
}
