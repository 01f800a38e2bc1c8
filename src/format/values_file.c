/* SPDX-License-Identifier: MIT */
/* Values in files: which format it is, and what the formats share. */
#include "format/values_file.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "format/recorded_values.h"
#include "model/shape.h"
#include "tacho/sys/file.h"

#define BYTES_MAX ((size_t)1 << 30)
/* Rounding of a quotient that is exactly 100. */
#define PERCENT_MAX (100 * (1 + 1e-9))

int tacho_values_parse(const char *name, const char *text, size_t size,
		       struct tacho_result **out_result)
{
	size_t at = 0;

	if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		text += 3;
		size -= 3;
	}
	while (at < size && text[at] && strchr(" \t\r\n", text[at]))
		at++;
	if (at == size)
		return tacho__fail(TACHO_E_PARSE, "it is empty",
				   "give JSON with \"counters\", or CSV with a line of names",
				   "%s has no values", name);
	if (text[at] == '{' || text[at] == '[')
		return tacho__values_read_json(name, text, size, out_result);
	return tacho__values_read_csv(name, text, size, out_result);
}

/* What is no text shows early; what never ends would not show otherwise. */
static int check_part(const struct tacho_file *file, const struct tacho__buf *text,
		      const char *chunk, size_t size)
{
	const char *zero = memchr(chunk, '\0', size);

	if (zero)
		return tacho__fail(
			TACHO_E_PARSE,
			tacho__detail("byte %zu is 0", text->size + (size_t)(zero - chunk)), "",
			"%s is no text", file->name);
	if (file->size_bytes > BYTES_MAX || text->size + size > BYTES_MAX)
		return tacho__fail(TACHO_E_PARSE,
				   tacho__detail("it is larger than %zu bytes", BYTES_MAX), "",
				   "cannot read %s", file->name);
	return 0;
}

static int read_all(struct tacho_file *file, struct tacho__buf *text)
{
	char chunk[16384];
	size_t got = 0;
	int rc;

	while (!(rc = tacho_file_read(file, chunk, sizeof(chunk), &got)) && got) {
		rc = check_part(file, text, chunk, got);
		if (rc)
			return rc;
		tacho__buf_add(text, chunk, got);
		if (text->failed)
			return TACHO_E_NOMEM;
	}
	return rc;
}

const char *tacho_values_get_arch(const struct tacho_result *result)
{
	return result && result->arch ? result->arch : "";
}

int tacho_values_read(const char *path, struct tacho_result **out_result)
{
	return tacho_values_read_as(path, NULL, out_result);
}

int tacho_values_read_as(const char *path, const char *kind, struct tacho_result **out_result)
{
	struct tacho_result *recorded = NULL;
	struct tacho__buf text = {0};
	struct tacho_file file;
	int rc = strcmp(path, "-") != 0 || kind
			 ? tacho__values_read_recording(path, kind, &recorded)
			 : 0;

	if (recorded)
		*out_result = recorded;
	if (rc || recorded)
		return rc;
	rc = tacho_file_open(path, &file);
	if (rc)
		return rc;
	rc = read_all(&file, &text);
	tacho_file_close(&file);
	if (!rc)
		rc = tacho_values_parse(file.name, tacho__buf_text(&text), text.size, out_result);
	tacho__buf_finish(&text);
	return rc;
}

int tacho_values_set_constant(struct tacho_result *result, const char *name, double value)
{
	return tacho__result_set_constant(result, name, value);
}

static const struct {
	const char *word;
	uint8_t mark;
} marks[] = {
	{"div0", TACHO_MARK_DIV0}, {"default", TACHO_MARK_DEFAULT}, {"below0", TACHO_MARK_BELOW0}};

/* The marks behind a state, each " WORD" once. */
static bool parse_marks(const char *text, uint8_t *out_marks)
{
	uint8_t found = 0;

	while (*text == ' ') {
		size_t length = strcspn(++text, " "), i = 0;

		while (i < TACHO__ARRAY_SIZE(marks) && (strlen(marks[i].word) != length ||
							memcmp(marks[i].word, text, length) != 0))
			i++;
		if (i == TACHO__ARRAY_SIZE(marks) || found & marks[i].mark)
			return false;
		found |= marks[i].mark;
		text += length;
	}
	*out_marks = found;
	return true;
}

bool tacho__state_parse(const char *text, uint8_t *out_state)
{
	size_t length = strcspn(text, " ");
	uint8_t found;

	if (!parse_marks(text + length, &found))
		return false;
	for (uint8_t state = TACHO_STATE_OK; state <= TACHO_STATE_ABSENT; state++) {
		const char *word = tacho_state_to_string(state);

		if (strlen(word) == length && !memcmp(word, text, length)) {
			*out_state = state | found;
			return true;
		}
	}
	return false;
}

void tacho__state_write(FILE *stream, uint8_t state)
{
	fputs(tacho_state_to_string(state), stream);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(marks); i++)
		if (state & marks[i].mark)
			fprintf(stream, " %s", marks[i].word);
}

const char *tacho_values_get_expression(const struct tacho_result *result, const char *name)
{
	for (size_t i = 0; i < result->expression_count; i++)
		if (!strcmp(result->expressions[i].name, name))
			return result->expressions[i].expression;
	return NULL;
}

const char *tacho_values_get_expression_name(const struct tacho_result *result, size_t index)
{
	return index < result->expression_count ? result->expressions[index].name : NULL;
}

int tacho_column_is_out_of_range(const struct tacho_column *column, size_t row, size_t instance)
{
	double value = tacho_column_get_value(column, row, instance);

	return !strcmp(column->unit, "percent") && (value < 0 || value > PERCENT_MAX);
}

void tacho_column_get_position(const struct tacho_column *column, size_t instance,
			       uint32_t out_positions[TACHO_DIMENSION_MAX])
{
	tacho__shape_position(column->dimensions, column->dimension_count, instance, out_positions);
}
