/* SPDX-License-Identifier: MIT */
/*
 * Lists by line: names, which is what rcprof's counter files are too; or rocprofv3's "pmc:" lines,
 * with the "kernel:", "range:" and "gpu:" lines of the first rocprof.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/pattern.h"
#include "base/text.h"
#include "plan/counter_list_parts.h"
#include "plan/words.h"

static const char blanks[] = TACHO__BLANKS;

enum key { PMC, KERNEL, RANGE, GPU, TRACE, NO_KEY };

struct line {
	const char *text; /* without the remark */
	size_t size;
	uint32_t number;
	enum key key;
	size_t value; /* where that begins; of a line without a key, its first word */
};

static const struct {
	const char *word;
	enum key key;
} words[] = {{"pmc", PMC}, {"kernel", KERNEL}, {"range", RANGE},
	     {"gpu", GPU}, {"hip", TRACE},     {"hsa", TRACE}};

static size_t skip_blanks(const struct line *line, size_t at)
{
	while (at < line->size && strchr(blanks, line->text[at]))
		at++;
	return at;
}

static void find_key(struct line *line)
{
	size_t begin = skip_blanks(line, 0);

	line->key = NO_KEY;
	line->value = begin;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(words); i++) {
		size_t length = strlen(words[i].word);
		size_t colon = skip_blanks(line, begin + length);

		if (line->size - begin < length + 1 || colon >= line->size ||
		    strncasecmp(line->text + begin, words[i].word, length) ||
		    line->text[colon] != ':')
			continue;
		line->key = words[i].key;
		line->value = colon + 1;
	}
}

/* The line at *text, which moves behind it; false at the end. */
static bool next_line(const char **text, struct line *line)
{
	if (!**text)
		return false;
	line->text = *text;
	line->size = strcspn(*text, "#\n");
	line->number++;
	*text += strcspn(*text, "\n");
	*text += **text == '\n';
	find_key(line);
	return true;
}

static struct tacho__list_place place_of(const struct line *line)
{
	return (struct tacho__list_place){line->number, (uint32_t)line->value + 1};
}

static int add_pmc(struct tacho__list_reader *reader, const struct line *line)
{
	struct tacho__list_job *job;
	int rc = tacho__list_add_job(reader, place_of(line), &job);

	return rc ? rc
		  : tacho__list_add_names(reader, &job->names, line->text + line->value,
					  line->size - line->value, place_of(line));
}

/* A part of a kernel's name, whatever its characters mean in expressions. */
static int add_part(struct tacho__list_reader *reader, struct tacho__list_words *to,
		    const struct tacho__listed *name)
{
	struct tacho__buf pattern = {0};
	int rc;

	tacho__buf_put(&pattern, TACHO__REGEX_PREFIX);
	for (const char *c = name->text; *c; c++) {
		if (strchr("\\.[]{}()*+?^$|", *c))
			tacho__buf_char(&pattern, '\\');
		tacho__buf_char(&pattern, *c);
	}
	rc = pattern.failed ? TACHO_E_NOMEM
			    : tacho__list_add(reader, to, pattern.text, pattern.size,
					      (struct tacho__list_place){name->line, name->column});
	tacho__buf_finish(&pattern);
	return rc;
}

/* "kernel:" is about all "pmc:" lines. */
static int add_kernels(struct tacho__list_reader *reader, const struct line *line)
{
	struct tacho__list_words names = {0};
	int rc = tacho__list_add_names(reader, &names, line->text + line->value,
				       line->size - line->value, place_of(line));

	for (size_t k = 0; k < names.count && !rc; k++)
		for (size_t i = 0; i < reader->job_count && !rc; i++)
			rc = add_part(reader, &reader->jobs[i].kernels, &names.list[k]);
	free(names.list);
	return rc;
}

static int remark(struct tacho__list_reader *reader, const struct line *line)
{
	switch (line->key) {
	case RANGE:
		return tacho__list_remark(reader, place_of(line),
					  "\"range:\" selects no launches; -s and -c do, and "
					  "--iterations");
	case GPU:
		return tacho__list_remark(reader, place_of(line),
					  "\"gpu:\" chooses no device; -d and --sim do");
	default:
		return tacho__list_remark(reader, place_of(line),
					  "it asks for a trace of calls: of the APIs that tacho "
					  "knows, a recording has all of them");
	}
}

static int take_line(struct tacho__list_reader *reader, const struct line *line)
{
	switch (line->key) {
	case KERNEL: return 0; /* when all jobs are known */
	case NO_KEY:
		if (line->value == line->size)
			return 0;
		return tacho__list_fail(reader, place_of(line),
					"the file has \"pmc:\" lines, and this is none",
					"begin the line with pmc:, kernel:, range: or gpu:, or "
					"make it a remark with #");
	default: return remark(reader, line);
	}
}

static int read_pmc_lines(struct tacho__list_reader *reader, const char *text)
{
	const char *rest = text;
	int rc = 0;

	for (struct line line = {0}; !rc && next_line(&rest, &line);)
		rc = line.key == PMC ? add_pmc(reader, &line) : take_line(reader, &line);
	rest = text;
	for (struct line line = {0}; !rc && next_line(&rest, &line);)
		if (line.key == KERNEL)
			rc = add_kernels(reader, &line);
	return rc;
}

/* Words with commas between, as in a list of -m. */
static int read_names(struct tacho__list_reader *reader, const char *text)
{
	struct tacho__list_job *job;
	int rc = tacho__list_add_job(reader, (struct tacho__list_place){1, 1}, &job);

	for (struct line line = {0}; !rc && next_line(&text, &line);) {
		const char *rest = line.text;
		struct tacho__word word;

		while (!rc && tacho__words_next(&rest, &line.size, &word))
			rc = tacho__list_add(
				reader, &job->names, word.text, word.size,
				(struct tacho__list_place){line.number,
							   (uint32_t)(word.text - line.text) + 1});
	}
	return rc;
}

int tacho__list_read_lines(struct tacho__list_reader *reader, const char *text)
{
	const char *rest = text;

	for (struct line line = {0}; next_line(&rest, &line);)
		if (line.key == PMC)
			return read_pmc_lines(reader, text);
	return read_names(reader, text);
}
