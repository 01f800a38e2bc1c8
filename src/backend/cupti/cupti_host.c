/* SPDX-License-Identifier: MIT */
/* Asking NVIDIA's library of its chips and their metrics. */
#include "backend/cupti/cupti_host.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static int fail_nonsense(const char *what, size_t count)
{
	return tacho__fail(TACHO_E_UNSUPPORTED, tacho__detail("%zu %s", count, what),
			   "install another version of CUPTI",
			   "NVIDIA's library answers what cannot be");
}

/* A bounded copy; what is too long, or NULL, is "". */
static const char *copy_text(struct tacho__arena *arena, const char *text)
{
	size_t size = text ? strnlen(text, TACHO__CUPTI_TEXT_MAX) : 0;

	if (!size || size == TACHO__CUPTI_TEXT_MAX)
		return "";
	return tacho__arena_text(arena, text, size);
}

static int copy_names(struct tacho__arena *arena, const char *const *names, size_t count,
		      const char *what, size_t max, struct tacho__cupti_names *out_names)
{
	struct tacho__cupti_names own = {NULL, 0};

	if (count > max || (count && !names))
		return fail_nonsense(what, count);
	own.names = tacho__arena_get(arena, (count + 1) * sizeof(*own.names));
	if (!own.names)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count; i++) {
		const char *name = copy_text(arena, names[i]);

		if (!name)
			return TACHO_E_NOMEM;
		if (*name)
			own.names[own.count++] = name;
	}
	*out_names = own;
	return 0;
}

int tacho__cupti_list_chips(struct tacho__arena *arena, struct tacho__cupti_names *out_chips)
{
	struct tacho__cupti_chips chips = {.count = 0};
	int status = tacho__cupti_call(TACHO__CUPTI_GET_CHIPS, &chips);

	if (status)
		return tacho__cupti_fail(TACHO__CUPTI_GET_CHIPS, status);
	return copy_names(arena, chips.names, chips.count, "chips", TACHO__CUPTI_CHIPS_MAX,
			  out_chips);
}

int tacho__cupti_host_open(enum tacho__cupti_kind kind, const char *chip,
			   const uint8_t *availability, void **out_host)
{
	struct tacho__cupti_open params = {
		.profiler = (int)kind, .chip = chip, .availability = availability};
	int status = tacho__cupti_call(TACHO__CUPTI_OPEN, &params);

	if (status)
		return tacho__cupti_fail(TACHO__CUPTI_OPEN, status);
	*out_host = params.host;
	return 0;
}

void tacho__cupti_host_close(void *host)
{
	struct tacho__cupti_close params = {.host = host};

	tacho__cupti_call(TACHO__CUPTI_CLOSE, &params);
}

int tacho__cupti_list_bases(void *host, enum tacho__cupti_type type, struct tacho__arena *arena,
			    struct tacho__cupti_names *out_names)
{
	struct tacho__cupti_bases params = {.host = host, .type = (int)type};
	int status = tacho__cupti_call(TACHO__CUPTI_GET_BASES, &params);

	if (status)
		return tacho__cupti_fail(TACHO__CUPTI_GET_BASES, status);
	return copy_names(arena, params.names, params.count, "metrics", TACHO__CUPTI_NAMES_MAX,
			  out_names);
}

int tacho__cupti_list_endings(void *host, enum tacho__cupti_type type, const char *name,
			      struct tacho__arena *arena, struct tacho__cupti_names *out_endings)
{
	struct tacho__cupti_endings params = {.host = host, .type = (int)type, .name = name};
	int status = tacho__cupti_call(TACHO__CUPTI_GET_ENDINGS, &params);

	if (status)
		return tacho__cupti_fail(TACHO__CUPTI_GET_ENDINGS, status);
	return copy_names(arena, params.endings, params.count, "endings", TACHO__CUPTI_NAMES_MAX,
			  out_endings);
}

int tacho__cupti_get_facts(void *host, const char *name, struct tacho__arena *arena,
			   struct tacho__cupti_facts *out_facts)
{
	struct tacho__cupti_properties params = {.host = host, .name = name};
	struct tacho__cupti_facts facts;
	int status = tacho__cupti_call(TACHO__CUPTI_GET_PROPERTIES, &params);

	if (status == TACHO__CUPTI_INVALID_METRIC || status == TACHO__CUPTI_INVALID_PARAMETER)
		return TACHO_E_NOTFOUND;
	if (status)
		return tacho__cupti_fail(TACHO__CUPTI_GET_PROPERTIES, status);
	if (params.type < 0 || params.type >= TACHO__CUPTI_TYPE_COUNT)
		return fail_nonsense("as the type of a metric", (size_t)params.type);
	facts.description = copy_text(arena, params.description);
	facts.hw_unit = copy_text(arena, params.hw_unit);
	facts.unit = copy_text(arena, params.unit);
	facts.type = (enum tacho__cupti_type)params.type;
	if (!facts.description || !facts.hw_unit || !facts.unit)
		return TACHO_E_NOMEM;
	*out_facts = facts;
	return 0;
}

/* ---- the library's plan ---- */

static int get_passes(struct tacho__cupti_config *config)
{
	struct tacho__cupti_passes params = {.size = config->size, .bytes = config->bytes};
	int status = tacho__cupti_call(TACHO__CUPTI_GET_PASSES, &params);

	if (status)
		return tacho__cupti_fail(TACHO__CUPTI_GET_PASSES, status);
	if (!params.count || params.count > TACHO__CUPTI_PASSES_MAX)
		return fail_nonsense("passes", params.count);
	config->pass_count = params.count;
	return 0;
}

static int get_image(void *host, struct tacho__cupti_config *config)
{
	struct tacho__cupti_image_size size = {.host = host};
	struct tacho__cupti_image image = {.host = host};
	int status = tacho__cupti_call(TACHO__CUPTI_GET_IMAGE_SIZE, &size);

	if (status)
		return tacho__cupti_fail(TACHO__CUPTI_GET_IMAGE_SIZE, status);
	if (!size.size || size.size > TACHO__CUPTI_IMAGE_MAX)
		return fail_nonsense("bytes of a config image", size.size);
	config->bytes = calloc(1, size.size);
	if (!config->bytes)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	config->size = size.size;
	image.size = size.size;
	image.bytes = config->bytes;
	status = tacho__cupti_call(TACHO__CUPTI_GET_IMAGE, &image);
	return status ? tacho__cupti_fail(TACHO__CUPTI_GET_IMAGE, status) : 0;
}

int tacho__cupti_configure(void *host, const char *const *names, size_t count,
			   struct tacho__cupti_config *out_config)
{
	struct tacho__cupti_metrics metrics = {.host = host, .names = names, .count = count};
	struct tacho__cupti_config config = {.bytes = NULL};
	int status = tacho__cupti_call(TACHO__CUPTI_ADD_METRICS, &metrics);
	int rc = status ? tacho__cupti_fail(TACHO__CUPTI_ADD_METRICS, status) : 0;

	if (!rc)
		rc = get_image(host, &config);
	if (!rc)
		rc = get_passes(&config);
	if (rc)
		free(config.bytes);
	else
		*out_config = config;
	return rc;
}

int tacho__cupti_make_config(enum tacho__cupti_kind kind, const char *chip,
			     const char *const *names, size_t count,
			     struct tacho__cupti_config *out_config)
{
	void *host = NULL;
	int rc = tacho__cupti_host_open(kind, chip, NULL, &host);

	if (rc)
		return rc;
	rc = tacho__cupti_configure(host, names, count, out_config);
	tacho__cupti_host_close(host);
	return rc;
}

/* ---- what the passes collect, and what metrics need ---- */

/* NVIDIA's host library has codes of its own. */
static int fail_host(const char *what, int status)
{
	return tacho__fail_vendor(
		tacho__fail(TACHO_E_UNSUPPORTED, tacho__detail("libnvperf_host says %d", status),
			    "install another version of CUPTI", "%s is not told", what),
		status);
}

int tacho__cupti_list_counters(const struct tacho__cupti_config *config, size_t pass,
			       struct tacho__arena *arena, struct tacho__cupti_names *out_ids)
{
	struct tacho__nvpw_counters params = {
		.bytes = config->bytes, .size = config->size, .pass = pass};
	int status = tacho__cupti_call(TACHO__NVPW_GET_COUNTERS, &params);
	size_t room = params.count;
	const char **ids;
	int rc;

	if (status)
		return fail_host("what a pass collects", status);
	if (room > TACHO__CUPTI_NAMES_MAX)
		return fail_nonsense("counters of a pass", room);
	ids = calloc(room + 1, sizeof(*ids));
	if (!ids)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	params.names = ids;
	status = tacho__cupti_call(TACHO__NVPW_GET_COUNTERS, &params);
	rc = status ? fail_host("what a pass collects", status)
		    : copy_names(arena, ids, params.count, "counters of a pass", room, out_ids);
	free(ids);
	return rc;
}

int tacho__cupti_evaluator_open(const char *chip, struct tacho__cupti_evaluator *out_evaluator)
{
	struct tacho__nvpw_scratch scratch = {.chip = chip};
	struct tacho__nvpw_evaluator params = {.chip = chip};
	int status = tacho__cupti_call(TACHO__NVPW_GET_SCRATCH, &scratch);

	if (status)
		return fail_host("what metrics are made of", status);
	if (scratch.size > TACHO__CUPTI_IMAGE_MAX)
		return fail_nonsense("bytes of an evaluator", scratch.size);
	params.scratch = malloc(scratch.size + 1);
	params.scratch_size = scratch.size;
	if (!params.scratch)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	status = tacho__cupti_call(TACHO__NVPW_OPEN, &params);
	if (status) {
		free(params.scratch);
		return fail_host("what metrics are made of", status);
	}
	*out_evaluator = (struct tacho__cupti_evaluator){params.evaluator, params.scratch};
	return 0;
}

void tacho__cupti_evaluator_close(struct tacho__cupti_evaluator *evaluator)
{
	struct tacho__nvpw_close params = {.evaluator = evaluator->evaluator};

	tacho__cupti_call(TACHO__NVPW_CLOSE, &params);
	free(evaluator->scratch);
}

/* Those that are needed stand before those that are used when they are there. */
static int read_needs(struct tacho__nvpw_needs *params, struct tacho__arena *arena,
		      struct tacho__cupti_names *out_ids)
{
	size_t room = params->name_count;
	const char **ids = calloc(room + params->optional_count + 1, sizeof(*ids));
	int status, rc;

	if (!ids)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	params->names = ids;
	params->optional_names = ids + room;
	status = tacho__cupti_call(TACHO__NVPW_GET_NEEDS, params);
	rc = status ? fail_host("what a metric is made of", status)
		    : copy_names(arena, ids, params->name_count, "counters of a metric", room,
				 out_ids);
	free(ids);
	return rc;
}

int tacho__cupti_list_needs(const struct tacho__cupti_evaluator *evaluator, const char *name,
			    struct tacho__arena *arena, struct tacho__cupti_names *out_ids)
{
	struct tacho__nvpw_request request = {0};
	struct tacho__nvpw_convert convert = {.evaluator = evaluator->evaluator,
					      .name = name,
					      .request = &request,
					      .request_size = TACHO__NVPW_REQUEST_SIZE};
	struct tacho__nvpw_needs needs = {.evaluator = evaluator->evaluator,
					  .requests = &request,
					  .count = 1,
					  .request_size = TACHO__NVPW_REQUEST_SIZE,
					  .request_stride = sizeof(request)};
	int status = tacho__cupti_call(TACHO__NVPW_CONVERT, &convert);

	if (!status)
		status = tacho__cupti_call(TACHO__NVPW_GET_NEEDS, &needs);
	if (status)
		return fail_host("what a metric is made of", status);
	if (needs.name_count > TACHO__CUPTI_NAMES_MAX ||
	    needs.optional_count > TACHO__CUPTI_NAMES_MAX)
		return fail_nonsense("counters of a metric", needs.name_count);
	return read_needs(&needs, arena, out_ids);
}
