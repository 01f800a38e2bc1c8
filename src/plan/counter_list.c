/* SPDX-License-Identifier: MIT */
/*
 * Lists of counters in files: names by line; rcprof's counter files, which are that; the input of
 * rocprofv3, as "pmc:" lines or as jobs in YAML or JSON.
 */
#include "plan/counter_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/yaml.h"
#include "plan/words.h"

enum { FILE_BYTES_MAX = 1024 * 1024, WORDS_MAX = 100000, GROUP_DEPTH_MAX = 2 };

static const char blanks[] = TACHO__BLANKS;

struct words {
	const char **list;
	size_t count, capacity;
};

struct list {
	struct tacho__counter_list list; /* first: the public pointer is to it */
	struct tacho__arena arena;
	struct words names, kernels, excluded;
};

static int add(struct list *list, struct words *words, const char *prefix, const char *text,
	       size_t size)
{
	size_t before = strlen(prefix);
	char *copy = tacho__arena_get(&list->arena, before + size + 1);

	if (!copy)
		return TACHO_E_NOMEM;
	if (words->count == WORDS_MAX)
		return tacho__fail(TACHO_E_PARSE, "there are too many names", "name fewer",
				   "a list of counters is too long");
	memcpy(copy, prefix, before);
	memcpy(copy + before, text, size);
	return tacho__array_add(&words->list, &words->capacity, &words->count, &copy, sizeof(copy));
}

/* "SQ_WAVES:device=0" restricts to a device: the name is what stands before. */
static size_t measure_name(const char *text, size_t size)
{
	const char *found = memmem(text, size, ":device=", strlen(":device="));

	return found ? (size_t)(found - text) : size;
}

static int add_name(struct list *list, const char *text, size_t size)
{
	size = measure_name(text, size);
	return size ? add(list, &list->names, "", text, size) : 0;
}

/* Names between blanks and commas. */
static int add_pmc(struct list *list, const char *text, size_t size)
{
	const char *end = text + size;
	int rc = 0;

	while (text < end && !rc) {
		size_t length = 0;

		while (text < end && (strchr(blanks, *text) || *text == ','))
			text++;
		while (text + length < end && !strchr(blanks, text[length]) && text[length] != ',')
			length++;
		if (length)
			rc = add_name(list, text, length);
		text += length;
	}
	return rc;
}

static int add_words(struct list *list, const char *text, size_t size)
{
	struct tacho__word word;
	int rc = 0;

	while (!rc && tacho__words_next(&text, &size, &word))
		rc = add(list, &list->names, "", word.text, word.size);
	return rc;
}

/* Lines of the first generation's input that choose GPUs and ranges; tacho has options for that. */
static bool is_other_key(const char *line, size_t size)
{
	static const char *const keys[] = {"gpu:", "range:"};

	while (size && strchr(blanks, *line)) {
		line++;
		size--;
	}
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(keys); i++)
		if (size >= strlen(keys[i]) && !strncasecmp(line, keys[i], strlen(keys[i])))
			return true;
	return false;
}

/* "kernel: NAME NAME" of the same input. */
static int add_kernels(struct list *list, const char *text, size_t size)
{
	size_t before = list->names.count;
	int rc = add_pmc(list, text, size);

	for (size_t i = before; i < list->names.count && !rc; i++)
		rc = add(list, &list->kernels, "", list->names.list[i],
			 strlen(list->names.list[i]));
	list->names.count = before;
	return rc;
}

static int read_lines(struct list *list, const char *text)
{
	bool has_pmc = false;
	int rc = 0;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
		has_pmc |= memmem(line, strcspn(line, "#\n"), "pmc:", 4) != NULL;
	for (const char *line = text; *line && !rc;
	     line += strcspn(line, "\n"), line += *line == '\n') {
		size_t size = strcspn(line, "#\n");
		const char *pmc = memmem(line, size, "pmc:", 4);
		const char *kernel = memmem(line, size, "kernel:", 7);

		if (pmc)
			rc = add_pmc(list, pmc + 4, size - (size_t)(pmc + 4 - line));
		else if (has_pmc && kernel)
			rc = add_kernels(list, kernel + 7, size - (size_t)(kernel + 7 - line));
		else if (!has_pmc && !is_other_key(line, size))
			rc = add_words(list, line, size);
	}
	return rc;
}

/* A text with names, or a list of such; groups are lists in a list. */
static int add_node(struct list *list, const struct tacho__yaml *node, unsigned depth)
{
	int rc = 0;

	if (!node)
		return 0;
	if (node->type == TACHO__YAML_SCALAR)
		return add_pmc(list, node->text, node->size);
	for (const struct tacho__yaml *each = node->first; each && !rc; each = each->next)
		if (each->type == TACHO__YAML_SCALAR)
			rc = add_pmc(list, each->text, each->size);
		else if (depth < GROUP_DEPTH_MAX)
			rc = add_node(list, each, depth + 1);
	return rc;
}

static int add_regex(struct list *list, struct words *words, const struct tacho__yaml *job,
		     const char *key)
{
	const char *text = tacho__yaml_string(job, key, "");

	return *text ? add(list, words, "regex:", text, strlen(text)) : 0;
}

static int add_job(struct list *list, const struct tacho__yaml *job)
{
	int rc = add_node(list, tacho__yaml_get(job, "pmc"), 0);

	if (!rc)
		rc = add_node(list, tacho__yaml_get(job, "pmc_groups"), 0);
	if (!rc)
		rc = add_regex(list, &list->kernels, job, "kernel_include_regex");
	return rc ? rc : add_regex(list, &list->excluded, job, "kernel_exclude_regex");
}

static int read_jobs(struct list *list, const char *path, const char *text, size_t size)
{
	const struct tacho__yaml *jobs;
	const struct tacho__yaml *root;
	int rc = tacho__yaml_parse(&list->arena, path, text, size, &root);

	if (rc)
		return rc;
	jobs = tacho__yaml_get(root, "jobs");
	if (!jobs)
		return add_job(list, root);
	for (const struct tacho__yaml *job = jobs->first; job && !rc; job = job->next)
		rc = add_job(list, job);
	return rc;
}

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

int tacho__counter_list_read(const char *path, struct tacho__counter_list **out_list)
{
	struct list *list = calloc(1, sizeof(*list));
	struct tacho__buf text = {0};
	int rc;

	if (!list)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %s", path);
	rc = tacho__fs_read(path, FILE_BYTES_MAX, &text);
	if (!rc && is_yaml(path, tacho__buf_text(&text)))
		rc = read_jobs(list, path, tacho__buf_text(&text), text.size);
	else if (!rc)
		rc = read_lines(list, tacho__buf_text(&text));
	tacho__buf_finish(&text);
	if (!rc && !list->names.count)
		rc = tacho__fail(TACHO_E_PARSE, "it names no counter",
				 "write names, one a line, or \"pmc:\" and names",
				 "%s is no list of counters", path);
	list->list = (struct tacho__counter_list){
		.names = list->names.list,
		.name_count = list->names.count,
		.kernels = list->kernels.list,
		.kernel_count = list->kernels.count,
		.excluded = list->excluded.list,
		.excluded_count = list->excluded.count,
	};
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
	free(list->names.list);
	free(list->kernels.list);
	free(list->excluded.list);
	tacho__arena_finish(&list->arena);
	free(list);
}
