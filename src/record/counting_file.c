/* SPDX-License-Identifier: MIT */
/* counting.json: reading and writing it, and which kernels it selects. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/pattern.h"
#include "intercept/profile.h"
#include "plan/iterations.h"
#include "record/counting_devices.h"
#include "record/counting_plan.h"
#include "tacho/sys/counting.h"
#include "tacho/sys/json.h"

static const char schema[] = "tacho.counting/1";

enum {
	FILE_BYTES_MAX = 16 * 1024 * 1024,
	ITEMS_MAX = 100000,
	PASSES_MAX = 100000,
};

struct counting {
	struct tacho_counting counting; /* first: the public pointer is to it */
	struct tacho__arena arena;
	struct tacho__pattern *matchers; /* of all lists */
	size_t matcher_count;
};

static const char *const from_names[] = {"launch", "session"};
static const char *const type_names[] = {"u64", "f64"};

/* ---- patterns ---- */

int tacho_counting_check_pattern(const char *pattern)
{
	struct tacho__pattern compiled;
	int rc;

	if (!*pattern || strcasecmp(pattern, TACHO__REGEX_PREFIX) == 0)
		return tacho__fail(TACHO_E_INVAL, "it is empty",
				   "give a name, a glob or regex:EXPRESSION",
				   "\"%s\" matches no name", pattern);
	rc = tacho__pattern_init(&compiled, pattern, 0);
	if (!rc)
		tacho__pattern_finish(&compiled);
	return rc;
}

/* `pattern` is one of the lists'. */
static bool matches(const struct counting *counting, const char *pattern, const char *kernel)
{
	for (size_t i = 0; i < counting->matcher_count; i++)
		if (counting->matchers[i].text == pattern)
			return tacho__pattern_fits(&counting->matchers[i], kernel);
	return false;
}

static bool matches_any(const struct counting *counting, const char *const *patterns, size_t count,
			const char *kernel)
{
	for (size_t i = 0; i < count; i++)
		if (matches(counting, patterns[i], kernel))
			return true;
	return false;
}

bool tacho_counting_selects(const struct tacho_counting *info, const char *kernel)
{
	const struct counting *counting = (const struct counting *)info;
	const struct tacho_counting_select *select = &info->select;

	return (!select->kernel_count ||
		matches_any(counting, select->kernels, select->kernel_count, kernel)) &&
	       !matches_any(counting, select->excluded, select->excluded_count, kernel);
}

bool tacho_counting_selects_range(const struct tacho_counting *info, const char *name)
{
	const struct tacho_counting_select *select = &info->select;

	return !select->range_count || matches_any((const struct counting *)info, select->ranges,
						   select->range_count, name);
}

bool tacho_counting_fits(const struct tacho_counting *counting, const char *pattern,
			 const char *name)
{
	return matches((const struct counting *)counting, pattern, name);
}

bool tacho_counting_is_selective(const struct tacho_counting *counting)
{
	const struct tacho_counting_select *select = &counting->select;

	return select->kernel_count || select->excluded_count || select->range_count ||
	       select->device_count || select->iteration_count || select->skip || select->count ||
	       select->delay_ns || select->duration_ns || select->is_paused;
}

bool tacho_counting_selects_iteration(const struct tacho_counting *counting, uint64_t n)
{
	const struct tacho_counting_select *select = &counting->select;

	return !select->iteration_count ||
	       tacho__iterations_has(select->iterations, select->iteration_count, n);
}

bool tacho_counting_is_paused(const struct tacho_counting *counting,
			      const struct tacho_counting_control *control)
{
	uint32_t launcher = control ? __atomic_load_n(&control->request, __ATOMIC_RELAXED) : 0;
	uint32_t program = tacho__profile_get_request();

	if (launcher == TACHO_REQUEST_PAUSE || program == TACHO_REQUEST_PAUSE)
		return true;
	return counting->select.is_paused && launcher != TACHO_REQUEST_RESUME &&
	       program != TACHO_REQUEST_RESUME;
}

/* ---- reading ---- */

static int mistake(const char *member, const char *cause)
{
	return tacho__fail(TACHO_E_PARSE, cause, "let tacho record write it again",
			   "%s: \"%s\" is wrong", TACHO_COUNTING_FILE, member);
}

static uint64_t get_whole(const struct tacho__json *json, const char *key)
{
	const struct tacho__json *number = tacho__json_get(json, key);

	return number && number->is_whole ? number->whole : 0;
}

static bool get_bool(const struct tacho__json *json, const char *key)
{
	const struct tacho__json *value = tacho__json_get(json, key);

	return value && value->type == TACHO__JSON_BOOL && value->boolean;
}

static int read_texts(struct counting *counting, const struct tacho__json *json, const char *key,
		      const char *const **out_texts, size_t *out_count)
{
	size_t count, i = 0;
	const struct tacho__json *item = tacho__json_items(json, key, &count);
	const char **texts;

	if (count > ITEMS_MAX)
		return mistake(key, "it has too many items");
	texts = tacho__arena_get(&counting->arena, (count + 1) * sizeof(*texts));
	if (!texts)
		return TACHO_E_NOMEM;
	for (; item; item = item->next) {
		if (item->type != TACHO__JSON_STRING)
			return mistake(key, "an item is no text");
		texts[i++] = item->string;
	}
	*out_texts = texts;
	*out_count = count;
	return 0;
}

static int read_columns(struct counting *counting, const struct tacho__json *root)
{
	size_t count;
	const struct tacho__json *item = tacho__json_items(root, "columns", &count);
	struct tacho_counting_column *column;

	if (count > ITEMS_MAX)
		return mistake("columns", "it has too many items");
	column = tacho__arena_get(&counting->arena, (count + 1) * sizeof(*column));
	if (!column)
		return TACHO_E_NOMEM;
	counting->counting.columns = column;
	counting->counting.column_count = count;
	for (; item; item = item->next, column++) {
		int type =
			tacho__json_word(item, "type", type_names, TACHO__ARRAY_SIZE(type_names));
		int from =
			tacho__json_word(item, "from", from_names, TACHO__ARRAY_SIZE(from_names));

		column->name = tacho__json_string(item, "name", NULL);
		column->unit = tacho__json_string(item, "unit", "");
		column->description = tacho__json_string(item, "description", "");
		column->group = tacho__json_string(item, "group", "");
		column->semantic = tacho__json_string(item, "semantic", "");
		if (!column->name || type < 0 || from < 0)
			return mistake("columns", "an item lacks name, type or from");
		column->type = (uint32_t)type;
		column->from = (uint32_t)from;
		counting->counting.entry_count += from == TACHO_FROM_SESSION;
	}
	return 0;
}

/* A list of pairs. */
static int read_iterations(struct counting *counting, const struct tacho__json *json)
{
	static const char key[] = "iterations";
	struct tacho_counting_select *select = &counting->counting.select;
	struct tacho_iterations *list;
	size_t count, i = 0;
	const struct tacho__json *item = tacho__json_items(json, key, &count);

	if (count > TACHO__ITERATIONS_MAX)
		return mistake(key, "it has too many items");
	list = tacho__arena_get(&counting->arena, (count + 1) * sizeof(*list));
	if (!list)
		return TACHO_E_NOMEM;
	for (; item; item = item->next, i++) {
		const struct tacho__json *first =
			item->type == TACHO__JSON_ARRAY ? item->first : NULL;
		const struct tacho__json *last = first ? first->next : NULL;

		if (!last || last->next || !first->is_whole || !last->is_whole || !first->whole ||
		    first->whole > last->whole)
			return mistake(key, "an item is no range of numbers from 1");
		list[i] = (struct tacho_iterations){first->whole, last->whole};
	}
	select->iteration_count = tacho__iterations_join(list, count);
	select->iterations = list;
	return 0;
}

static int read_select(struct counting *counting, const struct tacho__json *root)
{
	const struct tacho__json *json = tacho__json_get(root, "select");
	struct tacho_counting_select *select = &counting->counting.select;
	int rc = read_texts(counting, json, "kernels", &select->kernels, &select->kernel_count);

	if (!rc)
		rc = read_texts(counting, json, "exclude", &select->excluded,
				&select->excluded_count);
	if (!rc)
		rc = read_texts(counting, json, "ranges", &select->ranges, &select->range_count);
	if (!rc)
		rc = tacho__counting_read_devices(&counting->arena, json, select);
	if (!rc)
		rc = read_iterations(counting, json);
	select->skip = get_whole(json, "skip");
	select->count = get_whole(json, "count");
	select->delay_ns = get_whole(json, "delay_ns");
	select->duration_ns = get_whole(json, "duration_ns");
	select->is_paused = get_bool(json, "paused");
	return rc;
}

static int compile_all(struct counting *counting, const char *const *patterns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int rc = tacho__pattern_init(&counting->matchers[counting->matcher_count],
					     patterns[i], 0);

		if (rc)
			return rc;
		counting->matcher_count++;
	}
	return 0;
}

static int make_matchers(struct counting *counting)
{
	const struct tacho_counting_select *select = &counting->counting.select;
	int rc;

	counting->matchers =
		tacho__arena_get(&counting->arena, (select->kernel_count + select->excluded_count +
						    select->range_count + 1) *
							   sizeof(*counting->matchers));
	if (!counting->matchers)
		return TACHO_E_NOMEM;
	counting->counting.matchers = counting->matchers;
	rc = compile_all(counting, select->kernels, select->kernel_count);
	if (!rc)
		rc = compile_all(counting, select->excluded, select->excluded_count);
	return rc ? rc : compile_all(counting, select->ranges, select->range_count);
}

static int read_passes(struct tacho_counting *counting, const struct tacho__json *root)
{
	int64_t pass = tacho__json_integer(root, "pass", -1);
	uint64_t passes = get_whole(root, "passes"), runs = get_whole(root, "runs");

	if (tacho_replay_parse(tacho__json_string(root, "replay", ""), &counting->replay) ||
	    counting->replay == TACHO_REPLAY_CALLER)
		return mistake("replay", "it is none, kernel, process, rotate or vendor");
	if (passes > PASSES_MAX || runs > PASSES_MAX || pass < -1 || pass > PASSES_MAX)
		return mistake("passes", "the number is too large");
	counting->only_pass = (int32_t)pass;
	counting->pass_count = (uint32_t)passes;
	counting->run_count = runs ? (uint32_t)runs : 1;
	counting->replay_memory_bytes = get_whole(root, "replay_memory");
	counting->timeout_ns = get_whole(root, "timeout_ns");
	return 0;
}

static int read_all(struct counting *counting, const struct tacho__json *root)
{
	struct tacho_counting *info = &counting->counting;
	int rc;

	if (strcmp(tacho__json_string(root, "schema", ""), schema))
		return mistake("schema",
			       tacho__detail("it is \"%s\", not \"%s\"",
					     tacho__json_string(root, "schema", ""), schema));
	info->backends = tacho__json_string(root, "backends", NULL);
	info->device = tacho__json_string(root, "device", NULL);
	info->title = tacho__json_string(root, "title", "");
	info->kernels_file = tacho__json_string(root, "kernels_file", NULL);
	info->plan_json = tacho__json_get(root, "plan");
	info->is_simulated = get_bool(root, "simulated");
	info->is_strict = get_bool(root, "strict");
	rc = read_columns(counting, root);
	if (!rc)
		rc = read_passes(info, root);
	if (!rc)
		rc = read_select(counting, root);
	return rc ? rc : make_matchers(counting);
}

int tacho_counting_parse(const char *text, size_t size, struct tacho_counting **out_counting)
{
	struct counting *counting = calloc(1, sizeof(*counting));
	struct tacho__json *root;
	int rc;

	if (!counting)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %s", TACHO_COUNTING_FILE);
	rc = tacho__json_parse(&counting->arena, text, size, &root);
	if (!rc)
		rc = read_all(counting, root);
	if (rc)
		tacho_counting_destroy(&counting->counting);
	else
		*out_counting = &counting->counting;
	return rc;
}

int tacho_counting_read(const char *path, struct tacho_counting **out_counting)
{
	struct tacho__buf text = {0};
	int rc = tacho__fs_read(path, FILE_BYTES_MAX, &text);

	if (!rc)
		rc = tacho_counting_parse(tacho__buf_text(&text), text.size, out_counting);
	tacho__buf_finish(&text);
	return rc;
}

void tacho_counting_destroy(struct tacho_counting *info)
{
	struct counting *counting = (struct counting *)info;

	if (!counting)
		return;
	for (size_t i = 0; i < counting->matcher_count; i++)
		tacho__pattern_finish(&counting->matchers[i]);
	tacho__arena_finish(&counting->arena);
	free(counting);
}

/* ---- writing ---- */

static void add_texts(struct tacho_json *json, const char *key, const char *const *texts,
		      size_t count)
{
	tacho_json_begin_array(json, key);
	for (size_t i = 0; i < count; i++)
		tacho_json_add_string(json, NULL, texts[i]);
	tacho_json_end(json);
}

static void write_columns(const struct tacho_counting *counting, struct tacho_json *json)
{
	tacho_json_begin_array(json, "columns");
	for (size_t i = 0; i < counting->column_count; i++) {
		const struct tacho_counting_column *column = &counting->columns[i];

		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", column->name);
		tacho_json_add_string(json, "unit", column->unit);
		tacho_json_add_string(json, "type", type_names[column->type == TACHO_TYPE_F64]);
		tacho_json_add_string(json, "description", column->description);
		tacho_json_add_string(json, "group", column->group);
		tacho_json_add_string(json, "semantic", column->semantic);
		tacho_json_add_string(json, "from", from_names[column->from == TACHO_FROM_SESSION]);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

static void write_select(const struct tacho_counting_select *select, struct tacho_json *json)
{
	tacho_json_begin_object(json, "select");
	add_texts(json, "ranges", select->ranges, select->range_count);
	add_texts(json, "kernels", select->kernels, select->kernel_count);
	add_texts(json, "exclude", select->excluded, select->excluded_count);
	tacho__counting_write_devices(select, json);
	tacho_json_begin_array(json, "iterations");
	for (size_t i = 0; i < select->iteration_count; i++) {
		tacho_json_begin_array(json, NULL);
		tacho_json_add_unsigned(json, NULL, select->iterations[i].first);
		tacho_json_add_unsigned(json, NULL, select->iterations[i].last);
		tacho_json_end(json);
	}
	tacho_json_end(json);
	tacho_json_add_unsigned(json, "skip", select->skip);
	tacho_json_add_unsigned(json, "count", select->count);
	tacho_json_add_unsigned(json, "delay_ns", select->delay_ns);
	tacho_json_add_unsigned(json, "duration_ns", select->duration_ns);
	tacho_json_add_bool(json, "paused", select->is_paused);
	tacho_json_end(json);
}

void tacho_counting_write(const struct tacho_counting *counting, FILE *stream)
{
	struct tacho_json json;

	tacho_json_init(&json, stream, true);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_string(&json, "schema", schema);
	tacho_json_add_string(&json, "backends", counting->backends);
	tacho_json_add_string(&json, "device", counting->device);
	tacho_json_add_string(&json, "title", counting->title ? counting->title : "");
	tacho_json_add_bool(&json, "simulated", counting->is_simulated);
	write_columns(counting, &json);
	tacho_json_add_unsigned(&json, "passes", counting->pass_count);
	if (counting->plan)
		tacho__counting_write_plan(counting->plan, &json);
	tacho_json_add_string(&json, "replay", tacho_replay_to_string(counting->replay));
	if (counting->only_pass < 0)
		tacho_json_add_null(&json, "pass");
	else
		tacho_json_add_integer(&json, "pass", counting->only_pass);
	tacho_json_add_unsigned(&json, "runs", counting->run_count ? counting->run_count : 1);
	tacho_json_add_unsigned(&json, "replay_memory", counting->replay_memory_bytes);
	tacho_json_add_unsigned(&json, "timeout_ns", counting->timeout_ns);
	tacho_json_add_bool(&json, "strict", counting->is_strict);
	write_select(&counting->select, &json);
	tacho_json_add_string(&json, "kernels_file", counting->kernels_file);
	tacho_json_finish(&json);
}
