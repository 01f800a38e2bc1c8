/* SPDX-License-Identifier: MIT */
/* Values as JSON: what docs/values.md describes, read and written. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "format/values_file.h"
#include "model/shape.h"
#include "tacho/sys/json.h"

struct reader {
	const char *name; /* of the file */
	struct tacho_result *result;
};

/* One counter while it is read. */
struct counter {
	const char *name;
	const struct tacho__json *values; /* the first */
	struct tacho__json single;	  /* the only one, when it is in no array */
	size_t count;
	const struct tacho__json *states; /* the array, or NULL */
	struct tacho_column column;
};

static int refuse(const struct reader *reader, const char *name, const char *cause,
		  const char *cure)
{
	return tacho__fail(TACHO_E_PARSE, cause, cure, "cannot read counter \"%s\" of %s", name,
			   reader->name);
}

static size_t count_children(const struct tacho__json *array)
{
	size_t count = 0;

	for (const struct tacho__json *at = array->first; at; at = at->next)
		count++;
	return count;
}

static int read_dimension(const struct reader *reader, struct counter *counter,
			  const struct tacho__json *pair)
{
	static const char cure[] = "write \"dims\" as [[\"DIMENSION_XCC\",2],...]";
	const struct tacho__json *name, *extent;
	struct tacho_column *column = &counter->column;

	if (pair->type != TACHO__JSON_ARRAY || count_children(pair) != 2)
		return refuse(reader, counter->name,
			      "a dimension is no pair of a name and an extent", cure);
	name = pair->first;
	extent = name->next;
	if (name->type != TACHO__JSON_STRING || !name->string[0])
		return refuse(reader, counter->name, "the name of a dimension is no text", cure);
	if (!extent->is_whole || !extent->whole || extent->whole > INT32_MAX)
		return refuse(reader, counter->name,
			      tacho__detail("the extent of %s is no whole number from 1 to 2^31-1",
					    name->string),
			      cure);
	if (column->dimension_count == TACHO_DIMENSION_MAX)
		return refuse(reader, counter->name,
			      tacho__detail("it has more than %d dimensions", TACHO_DIMENSION_MAX),
			      "");
	if (tacho__shape_find(column->dimensions, column->dimension_count, name->string) >= 0)
		return refuse(reader, counter->name,
			      tacho__detail("the dimension %s is there twice", name->string), "");
	column->dimensions[column->dimension_count++] =
		(struct tacho_dimension){.name = name->string, .extent = (uint32_t)extent->whole};
	return 0;
}

static int check_values(const struct reader *reader, struct counter *counter)
{
	size_t expected =
		tacho__shape_count(counter->column.dimensions, counter->column.dimension_count);

	if (!expected)
		return refuse(reader, counter->name,
			      "the extents of its dimensions multiply to more than 2^31", "");
	if (counter->count != expected)
		return refuse(reader, counter->name,
			      tacho__detail("it has %zu values, and its dimensions have room for "
					    "%zu",
					    counter->count, expected),
			      "give one value for each position, the last dimension fastest");
	counter->column.type = TACHO_TYPE_U64;
	for (const struct tacho__json *at = counter->values; at; at = at->next) {
		if (at->type != TACHO__JSON_NULL &&
		    (at->type != TACHO__JSON_NUMBER || !isfinite(at->number)))
			return refuse(reader, counter->name,
				      "a value is neither a finite number nor null", "");
		if (at->type == TACHO__JSON_NUMBER && !at->is_whole)
			counter->column.type = TACHO_TYPE_F64;
	}
	return 0;
}

static int store_states(const struct reader *reader, const struct counter *counter)
{
	const struct tacho__json *state = counter->states ? counter->states->first : NULL;
	const struct tacho__json *value = counter->values;
	bool any = state;
	uint8_t *states;
	int rc;

	for (const struct tacho__json *at = value; at && !any; at = at->next)
		any = at->type == TACHO__JSON_NULL;
	if (!any)
		return 0;
	rc = tacho__result_add_states(reader->result, &states);
	if (rc)
		return rc;
	for (; value; value = value->next, states++) {
		if (state && (state->type != TACHO__JSON_STRING ||
			      !tacho__state_parse(state->string, states)))
			return refuse(reader, counter->name, "a state is none that is known",
				      "use ok, scaled, overflow, lost or absent");
		if (value->type == TACHO__JSON_NULL)
			*states = (*states & TACHO__STATE_MARKS) | TACHO_STATE_ABSENT;
		state = state ? state->next : NULL;
	}
	return 0;
}

static int store_column(const struct reader *reader, const struct counter *counter)
{
	bool whole = counter->column.type == TACHO_TYPE_U64;
	size_t index = 0;
	void *data;
	int rc;

	rc = tacho__result_add_column(reader->result, &counter->column, &data);
	if (rc)
		return rc;
	for (const struct tacho__json *at = counter->values; at; at = at->next) {
		if (whole)
			((uint64_t *)data)[index++] = at->whole;
		else
			((double *)data)[index++] = at->number;
	}
	return store_states(reader, counter);
}

static void find_values(struct counter *counter, const struct tacho__json *json)
{
	const struct tacho__json *values = tacho__json_get(json, "values");

	if (values && values->type == TACHO__JSON_ARRAY) {
		counter->values = values->first;
		counter->count = count_children(values);
	} else if (values) {
		counter->single = *values;
		counter->single.next = NULL;
		counter->values = &counter->single;
		counter->count = 1;
	}
}

static int read_shape(const struct reader *reader, struct counter *counter,
		      const struct tacho__json *json)
{
	const struct tacho__json *dims = tacho__json_get(json, "dims");
	int rc = 0;

	if (dims && dims->type != TACHO__JSON_ARRAY)
		return refuse(reader, json->key, "\"dims\" is no array", "");
	for (dims = dims ? dims->first : NULL; dims && !rc; dims = dims->next)
		rc = read_dimension(reader, counter, dims);
	return rc;
}

static int read_counter(const struct reader *reader, const struct tacho__json *json)
{
	const struct tacho__json *constant = tacho__json_get(json, "constant");
	struct counter counter = {.name = json->key,
				  .column.name = json->key,
				  .column.unit = tacho__json_string(json, "unit", ""),
				  .states = tacho__json_get(json, "states")};
	int rc;

	if (!json->key[0])
		return refuse(reader, "", "its name is empty", "");
	find_values(&counter, json);
	if (!counter.values)
		return refuse(reader, json->key, "it has no \"values\"", "");
	rc = read_shape(reader, &counter, json);
	if (!rc)
		rc = check_values(reader, &counter);
	if (rc)
		return rc;
	if (counter.states && (counter.states->type != TACHO__JSON_ARRAY ||
			       count_children(counter.states) != counter.count))
		return refuse(reader, json->key, "\"states\" is no array with one state a value",
			      "");
	if (tacho_result_find_column(reader->result, json->key))
		return refuse(reader, json->key, "there are two with this name", "");
	if (!constant || !constant->boolean)
		return store_column(reader, &counter);
	if (counter.count != 1 || counter.values->type != TACHO__JSON_NUMBER)
		return refuse(reader, json->key, "a constant has one number", "");
	return tacho__result_set_constant(reader->result, json->key, counter.values->number);
}

static int read_constant(const struct reader *reader, const struct tacho__json *json)
{
	if (json->type != TACHO__JSON_NUMBER || !isfinite(json->number) || !json->key[0])
		return tacho__fail(TACHO_E_PARSE, "it is no finite number", "",
				   "cannot read constant \"%s\" of %s", json->key, reader->name);
	return tacho__result_set_constant(reader->result, json->key, json->number);
}

static int read_derived(const struct reader *reader, const struct tacho__json *json)
{
	const char *expression = json->type == TACHO__JSON_STRING
					 ? json->string
					 : tacho__json_string(json, "expression", NULL);
	int rc;

	if (!expression || !json->key[0])
		return tacho__fail(TACHO_E_PARSE, "it is neither a text nor has an \"expression\"",
				   "", "cannot read expression \"%s\" of %s", json->key,
				   reader->name);
	rc = tacho__result_add_expression(reader->result, json->key, expression);
	if (rc != TACHO_E_EXISTS)
		return rc;
	return tacho__fail(TACHO_E_PARSE, "there are two with this name", "",
			   "cannot read expression \"%s\" of %s", json->key, reader->name);
}

static int read_members(const struct reader *reader, const struct tacho__json *root,
			const char *key,
			int (*read)(const struct reader *reader, const struct tacho__json *json))
{
	const struct tacho__json *object = tacho__json_get(root, key);
	int rc = 0;

	if (object && object->type != TACHO__JSON_OBJECT)
		return tacho__fail(TACHO_E_PARSE, tacho__detail("\"%s\" is no object", key), "",
				   "cannot read %s", reader->name);
	for (object = object ? object->first : NULL; object && !rc; object = object->next)
		rc = read(reader, object);
	return rc;
}

/* The parser's error, with the name of the file. */
static int parse(struct tacho__arena *arena, const char *name, const char *text, size_t size,
		 struct tacho__json **out_root)
{
	const struct tacho_error_detail *detail;
	int rc = tacho__json_parse(arena, text, size, out_root);
	char *message, *cause;

	if (rc != TACHO_E_PARSE)
		return rc;
	detail = tacho_error_last();
	message = tacho__arena_string(arena, detail->message);
	cause = tacho__arena_string(arena, detail->cause);
	if (!message || !cause)
		return TACHO_E_NOMEM;
	return tacho__fail(TACHO_E_PARSE, cause, "", "%s: %s", name, message);
}

int tacho__values_read_json(const char *name, const char *text, size_t size,
			    struct tacho_result **out_result)
{
	struct reader reader = {.name = name};
	struct tacho__arena arena = {0};
	struct tacho__json *root;
	int rc;

	rc = parse(&arena, name, text, size, &root);
	if (rc)
		goto out;
	if (!tacho__json_get(root, "counters") && !tacho__json_get(root, "constants") &&
	    !tacho__json_get(root, "derived")) {
		rc = tacho__fail(TACHO_E_PARSE,
				 "it has none of \"counters\", \"constants\", \"derived\"",
				 "write {\"counters\":{\"NAME\":{\"dims\":[],\"values\":[1]}}}",
				 "%s has no values", name);
		goto out;
	}
	rc = tacho__result_create(1, &reader.result);
	if (rc)
		goto out;
	reader.result->rows[0].kind = TACHO_ROW_MEASUREMENT;
	rc = read_members(&reader, root, "counters", read_counter);
	if (!rc)
		rc = read_members(&reader, root, "constants", read_constant);
	if (!rc)
		rc = read_members(&reader, root, "derived", read_derived);
	if (!rc) {
		*out_result = reader.result;
		reader.result = NULL;
	}
out:
	tacho_result_destroy(reader.result);
	tacho__arena_finish(&arena);
	return rc;
}

static void add_text(struct tacho_json *json, const char *key, const char *text)
{
	if (*text)
		tacho_json_add_string(json, key, text);
}

void tacho_values_add_position(struct tacho_json *json, const struct tacho_column *column,
			       size_t instance)
{
	uint32_t positions[TACHO_DIMENSION_MAX];

	if (!column->dimension_count)
		return;
	tacho__shape_position(column->dimensions, column->dimension_count, instance, positions);
	tacho_json_begin_object(json, "pos");
	for (uint32_t i = 0; i < column->dimension_count; i++)
		tacho_json_add_unsigned(json, column->dimensions[i].name, positions[i]);
	tacho_json_end(json);
}

void tacho__values_add(struct tacho_json *json, const struct tacho_column *column, size_t row,
		       size_t instance)
{
	uint8_t state = tacho_column_get_state(column, row, instance);
	size_t at = row * column->instance_count + instance;

	if (tacho__state_is_absent(state))
		tacho_json_add_null(json, "value");
	else if (column->type == TACHO_TYPE_U64)
		tacho_json_add_unsigned(json, "value", column->data.u64[at]);
	else
		tacho_json_add_real(json, "value", column->data.f64[at]);
	tacho_values_add_state(json, state, tacho_column_get_coverage(column, row, instance));
	if (tacho_column_is_out_of_range(column, row, instance))
		tacho_json_add_bool(json, "out_of_range", true);
	add_text(json, "note", tacho_column_get_note(column, row, instance));
}

static void write_value(struct tacho_json *json, const struct tacho_column *column, size_t row,
			size_t instance)
{
	if (!tacho_column_is_present(column, instance))
		return;
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", column->name);
	tacho_values_add_position(json, column, instance);
	tacho__values_add(json, column, row, instance);
	tacho_json_end(json);
}

void tacho_values_add_state(struct tacho_json *json, uint8_t state, double coverage)
{
	tacho_json_add_string(json, "state", tacho_state_to_string(state));
	if ((state & TACHO_STATE_MASK) == TACHO_STATE_SCALED)
		tacho_json_add_real(json, "coverage", coverage);
	if (state & TACHO_MARK_DIV0)
		tacho_json_add_bool(json, "div0", true);
	if (state & TACHO_MARK_DEFAULT)
		tacho_json_add_bool(json, "default", true);
}

void tacho_values_begin_column(struct tacho_json *json, const char *name, const char *unit,
			       enum tacho_type type, const char *description)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", name);
	tacho_json_add_string(json, "unit", *unit ? unit : NULL);
	tacho_json_add_string(json, "type", type == TACHO_TYPE_U64 ? "u64" : "f64");
	add_text(json, "description", description);
}

void tacho_values_add_dimensions(struct tacho_json *json, const struct tacho_column *column)
{
	if (!column->dimension_count)
		return;
	tacho_json_begin_array(json, "dims");
	for (uint32_t i = 0; i < column->dimension_count; i++) {
		tacho_json_begin_array(json, NULL);
		tacho_json_add_string(json, NULL, column->dimensions[i].name);
		tacho_json_add_unsigned(json, NULL, column->dimensions[i].extent);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

static void write_column(struct tacho_json *json, const struct tacho_column *column)
{
	tacho_values_begin_column(json, column->name, column->unit, column->type,
				  column->description);
	tacho_values_add_dimensions(json, column);
	add_text(json, "note", column->note);
	tacho_json_end(json);
}

void tacho_values_begin_row(struct tacho_json *json, const struct tacho_row *row)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "of", tacho_row_kind_to_string(row->kind));
	tacho_json_add_unsigned(json, "id", row->id);
	tacho_json_add_string(json, "name", row->name);
	add_text(json, "device", row->device);
	tacho_json_begin_array(json, "values");
}

static void write_row(struct tacho_json *json, const struct tacho_result *result, size_t row)
{
	tacho_values_begin_row(json, &result->rows[row]);
	for (size_t i = 0; i < result->column_count; i++)
		for (size_t at = 0; at < result->columns[i].instance_count; at++)
			write_value(json, &result->columns[i], row, at);
	tacho_json_end(json);
	tacho_json_end(json);
}

void tacho_values_begin(struct tacho_json *json, FILE *stream)
{
	tacho_json_init(json, stream, false);
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "schema", "tacho.values/1");
	tacho_json_add_string(json, "generator", "tacho " TACHO_VERSION);
}

void tacho_values_add(struct tacho_json *json, const struct tacho_result *result)
{
	tacho_json_begin_array(json, "columns");
	for (size_t i = 0; i < result->column_count; i++)
		write_column(json, &result->columns[i]);
	tacho_json_end(json);
	tacho_json_begin_array(json, "rows");
	for (size_t row = 0; row < result->row_count; row++)
		write_row(json, result, row);
	tacho_json_end(json);
}

void tacho_result_write_json(const struct tacho_result *result, FILE *stream)
{
	struct tacho_json json;

	tacho_values_begin(&json, stream);
	tacho_values_add(&json, result);
	tacho_json_finish(&json);
}
