/* SPDX-License-Identifier: MIT */
/*
 * Editions of what can be counted. The catalog is immutable: what a tool adds is in a catalog of
 * its own, made anew, with devices of its own, while configs go on with theirs.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "face/rocprofiler/rocprofiler.h"

struct unit {
	struct tacho__rocp_unit unit;
	const struct tacho_entry **entries; /* what it can count */
	size_t count, capacity;
};

struct tacho__rocp_edition {
	atomic_uint references;
	struct tacho_context *context; /* of simulated devices; NULL: there are none */
	struct unit *units;	       /* one per agent */
	size_t unit_count;
	bool replaces;
};

static struct {
	pthread_mutex_t lock;
	struct tacho__rocp_edition *newest;
	/* This machine's CPUs, which all editions share. */
	pthread_once_t cpu_once;
	struct tacho_context *cpu_context;
	struct tacho_device *cpu_device;
} editions = {.lock = PTHREAD_MUTEX_INITIALIZER, .cpu_once = PTHREAD_ONCE_INIT};

/* ---- what an agent can count ---- */

static int add_entry(struct unit *unit, const struct tacho_entry *entry)
{
	if (!tacho__rocp_counter_add(unit->unit.family, entry->name))
		return TACHO_E_NOMEM;
	return tacho__array_add(&unit->entries, &unit->capacity, &unit->count, &entry,
				sizeof(entry));
}

/* A constant that nobody states could have no value. */
static bool is_stated(const struct tacho__rocp_unit *unit, const struct tacho_entry *entry)
{
	double value;

	return entry->kind != TACHO_ENTRY_CONSTANT ||
	       (unit->model && !tacho_arch_get_constant(unit->arch, entry, unit->model, &value));
}

static int add_own_entries(const struct tacho__rocp_edition *edition, struct unit *unit)
{
	const struct tacho__rocp_unit *own = &unit->unit;
	const struct tacho_entry *entry;
	int rc = 0;

	for (size_t i = 0; !rc && (entry = tacho_arch_get_entry(own->arch, i)); i++) {
		bool is_hidden =
			edition->replaces && !*entry->file && entry->kind != TACHO_ENTRY_CONSTANT;

		if (!is_hidden && is_stated(own, entry) &&
		    !tacho_config_check_entry(own->arch, own->model, entry))
			rc = add_entry(unit, entry);
	}
	return rc;
}

/* Those of launches that this face is told of. */
static bool is_told(const struct tacho_entry *entry)
{
	return !entry->is_of_transfers &&
	       tacho__rocp_command_position(entry) != TACHO__COMMAND_WAVEFRONTS;
}

static int add_command_entries(struct unit *unit)
{
	const struct tacho_entry *entry;
	int rc = 0;

	for (size_t i = 0; !rc && (entry = tacho_command_get_entry(i)); i++)
		if (is_told(entry))
			rc = add_entry(unit, entry);
	return rc;
}

/* ---- the devices of an edition ---- */

static void open_cpu_once(void)
{
	const struct tacho_context_options options = {.size = sizeof(options), .backends = "perf"};
	int rc = tacho_context_create(&options, &editions.cpu_context);

	if (!rc)
		rc = tacho_device_open(editions.cpu_context,
				       tacho_context_get_device_info(editions.cpu_context, 0),
				       &editions.cpu_device);
	if (rc)
		tacho__rocp_fail("the kernel's counters of this machine's CPUs are not there");
}

static struct tacho_device *open_cpu(void)
{
	pthread_once(&editions.cpu_once, open_cpu_once);
	return editions.cpu_device;
}

int tacho__rocp_edition_open(const struct tacho__rocp_edition *edition,
			     const struct tacho__rocp_agent *agent,
			     struct tacho_device **out_device)
{
	return tacho_device_open(edition->context,
				 tacho_context_get_device_info(edition->context, agent->simulated),
				 out_device);
}

static int fill_unit(struct tacho__rocp_edition *edition, const struct tacho__rocp_agent *agent,
		     struct unit *unit)
{
	struct tacho__rocp_unit *own = &unit->unit;
	int rc = 0;

	own->family = agent->api ? "command" : "";
	if (agent->is_simulated)
		rc = tacho__rocp_edition_open(edition, agent, &own->device);
	else if (agent->is_cpu_device)
		own->device = open_cpu();
	if (!rc && own->device) {
		own->arch = tacho_device_get_arch(own->device);
		own->model = tacho_device_get_model(own->device);
		own->family = own->arch->name;
		rc = add_own_entries(edition, unit);
	}
	if (!rc && agent->api)
		rc = add_command_entries(unit);
	return rc;
}

/* ---- definitions of tools as files for the catalog ---- */

/* The file of a text in memory; its path goes to `out_path`. -1 with the error. */
static int make_file(const char *name, const char *text, size_t size, char *out_path, size_t room)
{
	int fd = memfd_create(name, MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < size) {
		ssize_t wrote = write(fd, text + done, size - done);

		if (wrote <= 0) {
			close(fd);
			fd = -1;
		} else {
			done += (size_t)wrote;
		}
	}
	if (fd < 0)
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the definitions of a tool");
	else
		snprintf(out_path, room, "/proc/self/fd/%d", fd);
	return fd;
}

static void log_problems(const struct tacho_catalog *catalog)
{
	const struct tacho_problem *problem;

	for (size_t i = 0; (problem = tacho_catalog_get_problem(catalog, i)); i++)
		tacho__rocp_log_error("definitions, line %u, %s: %s", problem->line, problem->entry,
				      problem->message);
}

/* That all simulated agents have, so that no other is read; NULL: they have several. */
static const char *find_common_arch(void)
{
	const struct tacho__rocp_agent *agent;
	const char *arch = NULL;

	for (size_t i = 0; (agent = tacho__rocp_agent_get(i)); i++) {
		if (!agent->is_simulated)
			continue;
		if (arch && strcmp(arch, agent->info.name) != 0)
			return NULL;
		arch = agent->info.name;
	}
	return arch;
}

static int open_context(const struct tacho__rocp_texts *texts, struct tacho_context **out_context)
{
	char paths[2][32];
	const char *files[2];
	int fds[2] = {-1, -1}, rc = 0;
	struct tacho_catalog_options options = {.size = sizeof(options),
						.arch = find_common_arch(),
						.api = "rocm",
						.definitions = files};

	if (texts->loaded)
		fds[0] = make_file("definitions", texts->loaded, texts->loaded_size, paths[0],
				   sizeof(paths[0]));
	if (texts->created)
		fds[1] = make_file("counters", texts->created, texts->created_size, paths[1],
				   sizeof(paths[1]));
	if ((texts->loaded && fds[0] < 0) || (texts->created && fds[1] < 0))
		rc = TACHO_E_NOMEM;
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			files[options.definition_count++] = paths[i];
	if (!rc)
		rc = tacho__rocp_agents_open(&options, out_context);
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (!rc)
		log_problems(tacho_context_get_catalog(*out_context));
	return rc;
}

/* ---- their life ---- */

static bool has_simulated_agents(void)
{
	const struct tacho__rocp_agent *agent = tacho__rocp_agent_get(0);

	for (size_t i = 0; agent && !agent->is_simulated; i++)
		agent = tacho__rocp_agent_get(i);
	return agent;
}

static void destroy(struct tacho__rocp_edition *edition)
{
	for (size_t i = 0; i < edition->unit_count; i++) {
		if (tacho__rocp_agent_get(i)->is_simulated)
			tacho_device_close(edition->units[i].unit.device);
		free(edition->units[i].entries);
	}
	tacho_context_destroy(edition->context);
	free(edition->units);
	free(edition);
}

int tacho__rocp_edition_make(const struct tacho__rocp_texts *texts,
			     struct tacho__rocp_edition **out_edition)
{
	struct tacho__rocp_edition *edition = calloc(1, sizeof(*edition));
	size_t count = 0;
	int rc = 0;

	while (tacho__rocp_agent_get(count))
		count++;
	if (edition)
		edition->units = calloc(count + 1, sizeof(*edition->units));
	if (!edition || !edition->units) {
		free(edition);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu agents", count);
	}
	edition->unit_count = count;
	edition->replaces = texts->loaded && texts->replaces;
	atomic_init(&edition->references, 1);
	if (has_simulated_agents())
		rc = open_context(texts, &edition->context);
	for (size_t i = 0; i < count && !rc; i++)
		rc = fill_unit(edition, tacho__rocp_agent_get(i), &edition->units[i]);
	if (rc)
		destroy(edition);
	else
		*out_edition = edition;
	return rc;
}

static struct tacho__rocp_edition *hold(struct tacho__rocp_edition *edition)
{
	atomic_fetch_add(&edition->references, 1);
	return edition;
}

void tacho__rocp_edition_release(struct tacho__rocp_edition *edition)
{
	if (edition && atomic_fetch_sub(&edition->references, 1) == 1)
		destroy(edition);
}

void tacho__rocp_edition_set(struct tacho__rocp_edition *edition)
{
	struct tacho__rocp_edition *before;

	pthread_mutex_lock(&editions.lock);
	before = editions.newest;
	editions.newest = hold(edition);
	pthread_mutex_unlock(&editions.lock);
	tacho__rocp_edition_release(before);
}

rocprofiler_status_t tacho__rocp_edition_take(struct tacho__rocp_edition **out_edition)
{
	struct tacho__rocp_texts texts;
	int rc = 0;

	pthread_mutex_lock(&editions.lock);
	if (!editions.newest) {
		texts = tacho__rocp_texts_take();
		rc = tacho__rocp_edition_make(&texts, &editions.newest);
	}
	if (!rc)
		*out_edition = hold(editions.newest);
	pthread_mutex_unlock(&editions.lock);
	return rc ? tacho__rocp_fail("what agents count cannot be read")
		  : ROCPROFILER_STATUS_SUCCESS;
}

const struct tacho__rocp_unit *tacho__rocp_edition_get(const struct tacho__rocp_edition *edition,
						       const struct tacho__rocp_agent *agent)
{
	return &edition->units[agent->index].unit;
}

const struct tacho_entry *tacho__rocp_edition_list(const struct tacho__rocp_edition *edition,
						   const struct tacho__rocp_agent *agent,
						   size_t index)
{
	const struct unit *unit = &edition->units[agent->index];

	return index < unit->count ? unit->entries[index] : NULL;
}

const struct tacho_entry *tacho__rocp_edition_find(const struct tacho__rocp_edition *edition,
						   const struct tacho__rocp_agent *agent,
						   const char *name)
{
	const struct unit *unit = &edition->units[agent->index];

	for (size_t i = 0; i < unit->count; i++)
		if (!strcmp(unit->entries[i]->name, name))
			return unit->entries[i];
	return NULL;
}
