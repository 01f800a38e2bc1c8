/* SPDX-License-Identifier: MIT */
/* Files with lists of counters: which form it is, and what its jobs come to together. */
#include "plan/counter_list.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "plan/counter_list_parts.h"
#include "plan/iterations.h"
#include "plan/words.h"

enum { FILE_BYTES_MAX = 1024 * 1024, WORDS_MAX = 100000, JOBS_MAX = 10000, REMARKS_MAX = 100 };

static const char blanks[] = TACHO__BLANKS;

struct list {
	struct tacho__counter_list list; /* first: the public pointer is to it */
	struct tacho__list_reader reader;
	struct tacho__listed *names; /* of several jobs */
};

/* ---- what readers fill ---- */

int tacho__list_fail(const struct tacho__list_reader *reader, struct tacho__list_place place,
		     const char *cause, const char *cure)
{
	return tacho__fail(TACHO_E_PARSE, cause, cure, "cannot take %s, line %u, column %u",
			   reader->path, (unsigned)place.line, (unsigned)place.column);
}

int tacho__list_remark(struct tacho__list_reader *reader, struct tacho__list_place place,
		       const char *format, ...)
{
	char sentence[512], *text;
	const char *kept;
	va_list list;

	if (reader->remark_count > REMARKS_MAX)
		return 0;
	va_start(list, format);
	vsnprintf(sentence, sizeof(sentence), format, list);
	va_end(list);
	if (reader->remark_count == REMARKS_MAX)
		snprintf(sentence, sizeof(sentence), "there is more, which is not told");
	if (asprintf(&text, "%s, line %u, column %u: %s", reader->path, (unsigned)place.line,
		     (unsigned)place.column, sentence) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %s", reader->path);
	kept = tacho__arena_string(&reader->arena, text);
	free(text);
	return kept ? tacho__array_add(&reader->remarks, &reader->remark_capacity,
				       &reader->remark_count, &kept, sizeof(kept))
		    : TACHO_E_NOMEM;
}

int tacho__list_add_job(struct tacho__list_reader *reader, struct tacho__list_place place,
			struct tacho__list_job **out_job)
{
	const struct tacho__list_job job = {.place = place};
	int rc;

	if (reader->job_count == JOBS_MAX)
		return tacho__list_fail(reader, place, "there are too many jobs", "split the file");
	rc = tacho__array_add(&reader->jobs, &reader->job_capacity, &reader->job_count, &job,
			      sizeof(job));
	if (!rc)
		*out_job = &reader->jobs[reader->job_count - 1];
	return rc;
}

int tacho__list_add(struct tacho__list_reader *reader, struct tacho__list_words *words,
		    const char *text, size_t size, struct tacho__list_place place)
{
	struct tacho__listed word = {.line = place.line, .column = place.column};

	if (reader->words == WORDS_MAX)
		return tacho__list_fail(reader, place, "there are too many names", "name fewer");
	word.text = tacho__arena_text(&reader->arena, text, size);
	if (!word.text)
		return TACHO_E_NOMEM;
	reader->words++;
	return tacho__array_add(&words->list, &words->capacity, &words->count, &word, sizeof(word));
}

/* "SQ_WAVES:device=0" restricts to a device: the name is what stands before. */
static int add_name(struct tacho__list_reader *reader, struct tacho__list_words *words,
		    const char *text, size_t size, struct tacho__list_place place)
{
	const char *device = memmem(text, size, ":device=", strlen(":device="));
	size_t length = device ? (size_t)(device - text) : size;
	int rc = 0;

	if (device)
		rc = tacho__list_remark(reader, place,
					"%.*s: counters are counted on the device that -d or --sim "
					"names, not on one that the file names",
					(int)(size < 100 ? size : 100), text);
	return rc || !length ? rc : tacho__list_add(reader, words, text, length, place);
}

int tacho__list_add_names(struct tacho__list_reader *reader, struct tacho__list_words *words,
			  const char *text, size_t size, struct tacho__list_place place)
{
	const char *begin = text, *end = text + size;
	int rc = 0;

	while (text < end && !rc) {
		size_t length = 0;

		while (text < end && (strchr(blanks, *text) || *text == ','))
			text++;
		while (text + length < end && !strchr(blanks, text[length]) && text[length] != ',')
			length++;
		if (length)
			rc = add_name(reader, words, text, length,
				      (struct tacho__list_place){
					      place.line, place.column + (uint32_t)(text - begin)});
		text += length;
	}
	return rc;
}

/* ---- jobs become one list ---- */

static bool same_words(const struct tacho__list_words *a, const struct tacho__list_words *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->list[i].text, b->list[i].text))
			return false;
	return true;
}

static bool select_same(const struct tacho__list_job *a, const struct tacho__list_job *b)
{
	if (a->iteration_count != b->iteration_count)
		return false;
	for (size_t i = 0; i < a->iteration_count; i++)
		if (a->iterations[i].first != b->iterations[i].first ||
		    a->iterations[i].last != b->iterations[i].last)
			return false;
	return same_words(&a->kernels, &b->kernels) && same_words(&a->excluded, &b->excluded);
}

/* Which jobs are meant: from *out_first on, *out_count of them. */
static int choose_jobs(const struct tacho__list_reader *reader, uint32_t job, size_t *out_first,
		       size_t *out_count)
{
	const struct tacho__list_job *jobs = reader->jobs;

	*out_first = job ? job - 1 : 0;
	*out_count = job ? 1 : reader->job_count;
	if (job > reader->job_count)
		return tacho__fail(TACHO_E_NOTFOUND, tacho__detail("it has %zu", reader->job_count),
				   "take the number of one, from 1", "%s has no job %u",
				   reader->path, (unsigned)job);
	for (size_t i = 1; i < *out_count; i++)
		if (!select_same(&jobs[0], &jobs[i]))
			return tacho__list_fail(
				reader, jobs[i].place,
				tacho__detail("job %zu, which begins there, counts other launches "
					      "than job 1, and all jobs are counted together",
					      i + 1),
				"take one job after the other: --job N");
	return 0;
}

/* The names of all of them, one behind the other. */
static int join_names(struct list *list, size_t first, size_t count)
{
	const struct tacho__list_job *jobs = list->reader.jobs + first;
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += jobs[i].names.count;
	if (!total)
		return tacho__fail(TACHO_E_PARSE, "it names no counter",
				   "write names, one a line, or \"pmc:\" and names",
				   "%s is no list of counters", list->reader.path);
	list->names = malloc(total * sizeof(*list->names));
	if (!list->names)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %s", list->reader.path);
	list->list.names = list->names;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < jobs[i].names.count; k++)
			list->names[list->list.name_count++] = jobs[i].names.list[k];
	return 0;
}

static int complete(struct list *list, uint32_t job)
{
	struct tacho__list_reader *reader = &list->reader;
	struct tacho__counter_list *info = &list->list;
	size_t first, count;
	int rc;

	for (size_t i = 0; i < reader->job_count; i++)
		reader->jobs[i].iteration_count = tacho__iterations_join(
			reader->jobs[i].iterations, reader->jobs[i].iteration_count);
	rc = choose_jobs(reader, job, &first, &count);
	if (!rc)
		rc = join_names(list, first, count);
	if (rc)
		return rc;
	info->kernels = reader->jobs[first].kernels.list;
	info->kernel_count = reader->jobs[first].kernels.count;
	info->excluded = reader->jobs[first].excluded.list;
	info->excluded_count = reader->jobs[first].excluded.count;
	info->iterations = reader->jobs[first].iterations;
	info->iteration_count = reader->jobs[first].iteration_count;
	info->remarks = reader->remarks;
	info->remark_count = reader->remark_count;
	return 0;
}

/* ---- the file ---- */

/* By the name of the file, or by the first line that says something. */
static bool is_yaml(const char *path, const char *text)
{
	const char *point = strrchr(path, '.');

	if (point && (!strcasecmp(point, ".yaml") || !strcasecmp(point, ".yml") ||
		      !strcasecmp(point, ".json")))
		return true;
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		line += strspn(line, " \t\r");
		if (*line && *line != '#' && *line != '\n')
			return *line == '{' || !strncmp(line, "jobs:", 5) ||
			       !strncmp(line, "---", 3);
	}
	return false;
}

int tacho__counter_list_read(const char *path, uint32_t job, struct tacho__counter_list **out_list)
{
	struct list *list = calloc(1, sizeof(*list));
	struct tacho__buf text = {0};
	int rc;

	if (!list)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %s", path);
	list->reader.path = path;
	rc = tacho__fs_read(path, FILE_BYTES_MAX, &text);
	if (!rc && is_yaml(path, tacho__buf_text(&text)))
		rc = tacho__list_read_jobs(&list->reader, tacho__buf_text(&text), text.size);
	else if (!rc)
		rc = tacho__list_read_lines(&list->reader, tacho__buf_text(&text));
	tacho__buf_finish(&text);
	if (!rc)
		rc = complete(list, job);
	if (rc)
		tacho__counter_list_destroy(&list->list);
	else
		*out_list = &list->list;
	return rc;
}

void tacho__counter_list_destroy(struct tacho__counter_list *info)
{
	struct list *list = (struct list *)info;

	if (!list)
		return;
	for (size_t i = 0; i < list->reader.job_count; i++) {
		free(list->reader.jobs[i].names.list);
		free(list->reader.jobs[i].kernels.list);
		free(list->reader.jobs[i].excluded.list);
		free(list->reader.jobs[i].iterations);
	}
	free(list->reader.jobs);
	free(list->reader.remarks);
	free(list->names);
	tacho__arena_finish(&list->reader.arena);
	free(list);
}
