/* SPDX-License-Identifier: MIT */
/* Counters that tools bring along: files of definitions, and expressions. */
#include <pthread.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/text.h"
#include "face/rocprofiler/rocprofiler.h"

static struct {
	pthread_mutex_t lock; /* of the next two lines, which do not change once they were taken */
	struct tacho__buf loaded;
	bool has_loaded, replaces, is_taken;

	pthread_mutex_t create_lock; /* outside of all others */
	struct tacho__buf created;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER, .create_lock = PTHREAD_MUTEX_INITIALIZER};

static struct tacho__rocp_texts get_texts(void)
{
	return (struct tacho__rocp_texts){
		.loaded = own.has_loaded ? tacho__buf_text(&own.loaded) : NULL,
		.loaded_size = own.loaded.size,
		.replaces = own.replaces,
	};
}

struct tacho__rocp_texts tacho__rocp_texts_take(void)
{
	struct tacho__rocp_texts texts;

	pthread_mutex_lock(&own.lock);
	own.is_taken = true;
	texts = get_texts();
	pthread_mutex_unlock(&own.lock);
	return texts;
}

/* Whether agents can be counted with it: reading it finds out. */
static rocprofiler_status_t try_loaded(void)
{
	const struct tacho__rocp_texts texts = get_texts();
	struct tacho__rocp_edition *edition;

	if (tacho__rocp_agents_load())
		return ROCPROFILER_STATUS_ERROR;
	if (tacho__rocp_edition_make(&texts, &edition)) {
		tacho__rocp_fail("definitions of counters cannot be read");
		return ROCPROFILER_STATUS_ERROR;
	}
	tacho__rocp_edition_release(edition);
	return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t load(const char *yaml, size_t size, bool appends)
{
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;

	if (own.is_taken) {
		tacho__rocp_log_error("definitions come too late: counters were asked for before");
		return ROCPROFILER_STATUS_ERROR;
	}
	tacho__buf_finish(&own.loaded);
	tacho__buf_add(&own.loaded, yaml, size);
	if (own.loaded.failed)
		status = ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	own.has_loaded = !status && size;
	own.replaces = !appends;
	if (own.has_loaded) {
		status = try_loaded();
		own.has_loaded = !status;
	}
	return status;
}

rocprofiler_status_t rocprofiler_load_counter_definition(const char *yaml, size_t size,
							 rocprofiler_counter_flag_t flags)
{
	rocprofiler_status_t status;

	if (!yaml && size)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&own.lock);
	status = load(yaml, size, flags == ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION);
	pthread_mutex_unlock(&own.lock);
	return status;
}

/* ---- counters of expressions ---- */

/* A counter that is to be made. */
struct created {
	const struct tacho__rocp_agent *agent;
	const char *name, *expression, *description;
	size_t name_size, expression_size, description_size;
	struct tacho__buf key; /* the name with a 0 behind it */
};

static void add_quoted(struct tacho__buf *text, const char *bytes, size_t size)
{
	tacho__buf_char(text, '"');
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
			tacho__buf_printf(text, "\\x%02x", c);
		else
			tacho__buf_char(text, (char)c);
	}
	tacho__buf_char(text, '"');
}

/* All that were made so far, and this one, in the schema of the definitions. */
static void write_definitions(struct tacho__buf *text, const struct created *created,
			      const char *family)
{
	if (own.created.size)
		tacho__buf_add(text, own.created.text, own.created.size);
	else
		tacho__buf_put(text, "rocprofiler-sdk:\n"
				     "  counters-schema-version: 1\n"
				     "  counters:\n");
	tacho__buf_put(text, "  - name: ");
	add_quoted(text, created->name, created->name_size);
	tacho__buf_put(text, "\n    description: ");
	add_quoted(text, created->description, created->description_size);
	tacho__buf_printf(
		text, "\n    definitions:\n    - architectures: [%s]\n      expression: ", family);
	add_quoted(text, created->expression, created->expression_size);
	tacho__buf_char(text, '\n');
}

static bool is_name(const char *name, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!tacho__is_name(name[i]))
			return false;
	return size && tacho__is_name_start(*name);
}

/* A counter that is there, and is all that its expression says. */
static int check_created(const struct tacho__rocp_edition *edition, const struct created *created)
{
	const struct tacho__rocp_unit *unit = tacho__rocp_edition_get(edition, created->agent);
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	const struct tacho_entry *entry =
		tacho_arch_find_entry(unit->arch, tacho__buf_text(&created->key));
	uint32_t count;
	int rc;

	if (!entry || strcmp(entry->name, tacho__buf_text(&created->key)) != 0)
		return tacho__fail(TACHO_E_PARSE, "its expression cannot be read",
				   "write it as those of ROCprofiler-SDK", "there is no counter %s",
				   tacho__buf_text(&created->key));
	rc = tacho_config_check_entry(unit->arch, unit->model, entry);
	if (!rc)
		rc = tacho_arch_get_dimensions(unit->arch, entry, unit->model, dimensions, &count);
	return rc == TACHO_E_UNSUPPORTED ? 0 : rc;
}

/* Under the lock: makes the edition with the counter the newest. */
static rocprofiler_status_t create(const struct created *created, const char *family)
{
	struct tacho__rocp_texts texts = get_texts();
	struct tacho__rocp_edition *edition = NULL;
	struct tacho__buf text = {0};
	int rc;

	write_definitions(&text, created, family);
	texts.created = tacho__buf_text(&text);
	texts.created_size = text.size;
	rc = text.failed ? TACHO_E_NOMEM : tacho__rocp_edition_make(&texts, &edition);
	if (!rc)
		rc = check_created(edition, created);
	if (rc) {
		tacho__rocp_fail("a counter cannot be created");
		tacho__buf_finish(&text);
	} else {
		tacho__rocp_edition_set(edition);
		tacho__buf_finish(&own.created);
		own.created = text;
	}
	tacho__rocp_edition_release(edition);
	if (rc == TACHO_E_NOMEM)
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	return rc ? ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED : ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t check_and_create(const struct created *created, uint64_t *out_id)
{
	const char *name = tacho__buf_text(&created->key);
	struct tacho__rocp_edition *edition;
	const struct tacho__rocp_unit *unit;
	rocprofiler_status_t status = tacho__rocp_edition_take(&edition);

	if (status)
		return status;
	unit = tacho__rocp_edition_get(edition, created->agent);
	if (!created->agent->is_simulated)
		status = ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED;
	else if (tacho__rocp_edition_find(edition, created->agent, name))
		status = ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	else
		status = create(created, unit->family);
	if (!status)
		*out_id = tacho__rocp_counter_find(unit->family, name);
	tacho__rocp_edition_release(edition);
	return status;
}

rocprofiler_status_t rocprofiler_create_counter(const char *name, size_t name_len, const char *expr,
						size_t expr_len, const char *description,
						size_t description_len,
						rocprofiler_agent_id_t agent,
						rocprofiler_counter_id_t *out_counter)
{
	struct created created = {
		.agent = tacho__rocp_agent_find(agent),
		.name = name,
		.name_size = name_len,
		.expression = expr,
		.expression_size = expr_len,
		.description = description ? description : "",
		.description_size = description ? description_len : 0,
	};
	rocprofiler_status_t status;
	uint64_t id = 0;

	if (!created.agent)
		return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
	if (!name || !expr || !out_counter || !expr_len || !is_name(name, name_len))
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	tacho__buf_add(&created.key, name, name_len);
	if (created.key.failed)
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	pthread_mutex_lock(&own.create_lock);
	status = check_and_create(&created, &id);
	pthread_mutex_unlock(&own.create_lock);
	tacho__buf_finish(&created.key);
	if (!status)
		out_counter->handle = id;
	return status;
}
