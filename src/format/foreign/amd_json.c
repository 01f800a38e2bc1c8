/* SPDX-License-Identifier: MIT */
/*
 * JSON of rocprofv3: an object for each process. What names things is read first, then what
 * happened, wherever each stands in the file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/amd_record.h"

#define TOOL "rocprofiler-sdk-tool"

struct kernel {
	uint32_t name;
	struct tacho__amd_number local_bytes, private_bytes, vgprs, accum_vgprs, sgprs;
};

/* What the numbers of a process stand for. */
struct element {
	uint64_t key; /* of its process */
	uint32_t process, run;
	bool has_host; /* it says whose clock its times are of */
	uint64_t kinds;
	struct tacho__map kind_names, operations; /* texts: by kind, by kind << 32 | operation */
	struct tacho__map markers, counters;	  /* texts by correlation id; counters by id */
	struct tacho__map kernels;		  /* id -> struct kernel */
};

struct reader {
	struct tacho__amd amd;
	struct tacho__foreign_json json;
	struct tacho__amd_record record;
	struct element *elements; /* of this file */
	size_t count, capacity;
	struct element *element; /* that is read */
	bool is_second;		 /* what happened is read now */
	uint64_t numbered;	 /* processes of all files */
	uint64_t operations;	 /* of the kind that is read */
	uint64_t calls, copies, memory;
	struct tacho__arena arena; /* kernels */
	/* Of the launch whose counters are read, by counter: and which it has. */
	struct sum {
		double value;
		uint64_t instances;
	} * sums;
	uint32_t *counted;
	size_t sum_capacity, counted_capacity, counted_count;
	uint64_t instances; /* launches have a counter several times */
};

static bool fits(const struct tacho__foreign_file *file)
{
	return strstr(file->head, "\"" TOOL "\"") != NULL;
}

static const char *text_of(const struct reader *reader, uint32_t text)
{
	return text ? reader->amd.foreign->texts[text - 1] : "";
}

static struct tacho__amd_number number(const struct reader *reader, enum tacho__amd_field field)
{
	return reader->record.numbers[field];
}

/* ---- what names things ---- */

static int take_metadata(struct reader *reader)
{
	uint32_t pid = (uint32_t)number(reader, TACHO__AMD_F_PID).value;
	const char *host = text_of(reader, reader->record.texts[TACHO__AMD_F_HOST]);

	tacho__foreign_set_host(reader->amd.foreign, host);
	reader->element->has_host = *host != '\0';
	return tacho__foreign_process(reader->amd.foreign, reader->element->key, pid,
				      &reader->element->process);
}

static void put_text(const struct reader *reader, struct tacho__buf *text, const char *key,
		     enum tacho__amd_field field)
{
	const char *value = text_of(reader, reader->record.texts[field]);

	if (*value && !strpbrk(value, "\r\n"))
		tacho__buf_printf(text, "%s=%s\n", key, value);
}

static void put_number(const struct reader *reader, struct tacho__buf *text, const char *key,
		       enum tacho__amd_field field)
{
	if (number(reader, field).value)
		tacho__buf_printf(text, "%s=%" PRIu64 "\n", key, number(reader, field).value);
}

/* Types are 1, a processor, and 2, a GPU. */
static int take_agent(struct reader *reader)
{
	struct tacho__amd_agent agent = {.run = reader->element->run,
					 .is_gpu = number(reader, TACHO__AMD_F_TYPE).value == 2,
					 .numbers = {number(reader, TACHO__AMD_F_ID)}};
	bool has_product = *text_of(reader, reader->record.texts[TACHO__AMD_F_PRODUCT]) != '\0';
	const char *name = text_of(reader, reader->record.texts[TACHO__AMD_F_NAME]);
	struct tacho__buf text = {0};
	int rc;

	put_text(reader, &text, "name", has_product ? TACHO__AMD_F_PRODUCT : TACHO__AMD_F_NAME);
	tacho__buf_printf(&text, "type=%s\n", agent.is_gpu ? "gpu" : "cpu");
	put_text(reader, &text, "vendor", TACHO__AMD_F_VENDOR);
	if (!strncmp(name, "gfx", 3))
		put_text(reader, &text, "architecture", TACHO__AMD_F_NAME);
	put_number(reader, &text, "number", TACHO__AMD_F_NODE);
	put_number(reader, &text, "compute_units", TACHO__AMD_F_UNITS);
	put_number(reader, &text, "wave_size", TACHO__AMD_F_WAVE);
	agent.text = tacho__buf_text(&text);
	rc = text.failed ? TACHO_E_NOMEM : tacho__amd_add_agent(&reader->amd, &agent);
	tacho__buf_finish(&text);
	return rc;
}

static int take_counter(struct reader *reader)
{
	const char *name = text_of(reader, reader->record.texts[TACHO__AMD_F_NAME]);
	uint32_t text;
	int rc = tacho__foreign_text(reader->amd.foreign, *name ? name : "(no name)", &text);

	return rc ? rc
		  : tacho__map_set(&reader->element->counters,
				   number(reader, TACHO__AMD_F_ID).value, (void *)(uintptr_t)text);
}

static int take_symbol(struct reader *reader)
{
	const uint32_t *texts = reader->record.texts;
	struct kernel *kernel = tacho__arena_get(&reader->arena, sizeof(*kernel));

	if (!kernel)
		return TACHO_E_NOMEM;
	*kernel = (struct kernel){.name = texts[TACHO__AMD_F_FORMATTED_NAME]
						  ? texts[TACHO__AMD_F_FORMATTED_NAME]
						  : texts[TACHO__AMD_F_KERNEL_NAME],
				  .local_bytes = number(reader, TACHO__AMD_F_GROUP_SEGMENT),
				  .private_bytes = number(reader, TACHO__AMD_F_PRIVATE_SEGMENT),
				  .vgprs = number(reader, TACHO__AMD_F_VGPRS),
				  .accum_vgprs = number(reader, TACHO__AMD_F_ACCUM),
				  .sgprs = number(reader, TACHO__AMD_F_SGPRS)};
	return tacho__map_set(&reader->element->kernels,
			      number(reader, TACHO__AMD_F_KERNEL_ID).value, kernel);
}

/* The names of a kind's operations, as they come: the kind is the place in its list. */
static int take_operation(void *user, const struct tacho__amd_record *record,
			  enum tacho__amd_field last)
{
	struct reader *reader = user;
	struct element *element = reader->element;

	if (last != TACHO__AMD_F_OPERATIONS)
		return 0;
	return tacho__map_set(&element->operations, element->kinds << 32 | reader->operations++,
			      (void *)(uintptr_t)record->texts[TACHO__AMD_F_OPERATIONS]);
}

static int take_kind(struct reader *reader)
{
	uint32_t name = reader->record.texts[TACHO__AMD_F_KIND];

	reader->operations = 0;
	reader->element->kinds++;
	return name ? tacho__map_set(&reader->element->kind_names, reader->element->kinds - 1,
				     (void *)(uintptr_t)name)
		    : 0;
}

static int take_message(struct reader *reader)
{
	uint32_t text = reader->record.texts[TACHO__AMD_F_VALUE];

	return text ? tacho__map_set(&reader->element->markers,
				     number(reader, TACHO__AMD_F_KEY).value,
				     (void *)(uintptr_t)text)
		    : 0;
}

/* ---- what happened ---- */

static uint32_t find_text(const struct tacho__map *map, uint64_t key)
{
	return (uint32_t)(uintptr_t)tacho__map_get(map, key);
}

static const char *kind_of(const struct reader *reader)
{
	return text_of(reader, find_text(&reader->element->kind_names,
					 number(reader, TACHO__AMD_F_KIND).value));
}

static const char *operation_of(const struct reader *reader)
{
	uint64_t key = number(reader, TACHO__AMD_F_KIND).value << 32 |
		       (uint32_t)number(reader, TACHO__AMD_F_OPERATION).value;

	return text_of(reader, find_text(&reader->element->operations, key));
}

/* The devices of files are found by their handles. */
static int take_device(struct reader *reader, enum tacho__amd_field field,
		       struct tacho__foreign_command *command)
{
	struct tacho__amd_number handle = number(reader, field);
	char name[32] = "";

	if (handle.is_known)
		snprintf(name, sizeof(name), "%" PRIu64, handle.value);
	return tacho__amd_device(&reader->amd, command->process, reader->element->run, name, true,
				 &command->device);
}

static int take_kernel(struct reader *reader, struct tacho__foreign_command *launch)
{
	const struct kernel *found = tacho__map_get(&reader->element->kernels,
						    number(reader, TACHO__AMD_F_OF_KERNEL).value);
	struct tacho__amd_number all = number(reader, TACHO__AMD_F_LOCAL);
	struct tacho__amd_kernel kernel = {.name = ""};

	if (found) {
		kernel = (struct tacho__amd_kernel){.name = text_of(reader, found->name),
						    .local_bytes = found->local_bytes,
						    .private_bytes = found->private_bytes,
						    .vgprs = found->vgprs,
						    .accum_vgprs = found->accum_vgprs,
						    .sgprs = found->sgprs};
		launch->has_extra_local = all.is_known && found->local_bytes.is_known &&
					  all.value > found->local_bytes.value;
		if (launch->has_extra_local)
			launch->extra_local_bytes = all.value - found->local_bytes.value;
	}
	return tacho__amd_take_kernel(&reader->amd, &kernel, launch);
}

static int add_launch(struct reader *reader, enum tacho__amd_teller teller)
{
	const struct tacho__amd_number start = number(reader, TACHO__AMD_F_START);
	const struct tacho__amd_number end = number(reader, TACHO__AMD_F_END);
	struct tacho__amd_number queue = number(reader, TACHO__AMD_F_QUEUE);
	struct tacho__foreign_command launch = {
		.process = reader->element->process,
		.thread = (uint32_t)number(reader, TACHO__AMD_F_THREAD).value,
		.link = number(reader, TACHO__AMD_F_CORRELATION).value,
		.values = number(reader, TACHO__AMD_F_DISPATCH).is_known
				  ? number(reader, TACHO__AMD_F_DISPATCH).value + 1
				  : 0};
	char name[40] = "";
	int rc = take_kernel(reader, &launch);

	if (!rc)
		rc = take_device(reader, TACHO__AMD_F_AGENT, &launch);
	if (queue.is_known)
		snprintf(name, sizeof(name), "queue %" PRIu64, queue.value);
	if (!rc)
		rc = tacho__amd_queue(&reader->amd, name, &launch);
	if (!rc)
		rc = tacho__amd_take_times(&reader->amd, &start, &end, NULL, &launch);
	tacho__amd_take_sizes(&reader->record.numbers[TACHO__AMD_F_GRID_X],
			      &reader->record.numbers[TACHO__AMD_F_GROUP_X], &launch);
	return rc ? rc : tacho__amd_add_launch(&reader->amd, &launch, teller);
}

static int take_launch(struct reader *reader)
{
	return add_launch(reader, TACHO__AMD_TRACE);
}

/* Room for all counters that are known by now; what is behind the last one is 0. */
static int reserve_sums(struct reader *reader, size_t count)
{
	size_t before = reader->sum_capacity;
	int rc = 0;

	while (!rc && reader->sum_capacity <= count)
		rc = tacho__array_reserve(&reader->sums, &reader->sum_capacity,
					  reader->sum_capacity, sizeof(*reader->sums));
	if (!rc && reader->sum_capacity > before)
		memset(reader->sums + before, 0,
		       (reader->sum_capacity - before) * sizeof(*reader->sums));
	return rc;
}

/* The instances of a counter are as many values, in whatever order: together they are one. */
static int add_instance(struct reader *reader, uint32_t counter, double value)
{
	int rc = reserve_sums(reader, counter);

	if (!rc && !reader->sums[counter].instances)
		rc = tacho__array_add(&reader->counted, &reader->counted_capacity,
				      &reader->counted_count, &counter, sizeof(counter));
	if (rc)
		return rc;
	reader->sums[counter].value += value;
	reader->sums[counter].instances++;
	return 0;
}

static int take_counted(void *user, const struct tacho__amd_record *record,
			enum tacho__amd_field last)
{
	struct reader *reader = user;
	uint32_t text =
		find_text(&reader->element->counters, record->numbers[TACHO__AMD_F_COUNTER].value);
	uint32_t counter = 0;
	int rc;

	if (!record->numbers[TACHO__AMD_F_COUNTED].is_known || !text)
		return 0;
	rc = tacho__foreign_counter(reader->amd.foreign, text_of(reader, text), "", TACHO_TYPE_F64,
				    &counter);
	return rc ? rc : add_instance(reader, counter, record->counted);
}

/* The sums of all counters of the launch that was read. */
static int add_values(struct reader *reader)
{
	struct tacho__foreign_value value = {.process = reader->element->process,
					     .values = number(reader, TACHO__AMD_F_DISPATCH).value +
						       1,
					     .state = TACHO_STATE_OK};
	int rc = 0;

	for (size_t i = 0; i < reader->counted_count; i++) {
		struct sum *sum = &reader->sums[reader->counted[i]];

		value.counter = reader->counted[i];
		value.number.f64 = sum->value;
		reader->instances += sum->instances > 1;
		if (!rc)
			rc = tacho__foreign_add_value(reader->amd.foreign, &value);
		*sum = (struct sum){0};
	}
	reader->counted_count = 0;
	return rc;
}

static int take_counters(struct reader *reader)
{
	int rc = add_values(reader);

	return rc ? rc : add_launch(reader, TACHO__AMD_COUNTERS);
}

static int take_copy(struct reader *reader)
{
	const struct tacho__amd_number start = number(reader, TACHO__AMD_F_START);
	const struct tacho__amd_number end = number(reader, TACHO__AMD_F_END);
	struct tacho__amd_number bytes = number(reader, TACHO__AMD_F_BYTES);
	struct tacho__foreign_command copy = {
		.process = reader->element->process,
		.thread = (uint32_t)number(reader, TACHO__AMD_F_THREAD).value,
		.link = number(reader, TACHO__AMD_F_CORRELATION).value,
		.has_bytes = bytes.is_known,
		.bytes = bytes.value};
	int rc = tacho__amd_take_direction(&reader->amd, operation_of(reader), &copy);

	reader->copies++;
	if (!rc)
		rc = take_device(reader,
				 copy.kind == TACHO_COMMAND_WRITE ? TACHO__AMD_F_TO
								  : TACHO__AMD_F_FROM,
				 &copy);
	if (!rc)
		rc = tacho__amd_take_times(&reader->amd, &start, &end, NULL, &copy);
	return rc ? rc : tacho__foreign_add_command(reader->amd.foreign, &copy);
}

static int add_call(struct reader *reader, const char *api, uint64_t link)
{
	struct tacho__amd_number start = number(reader, TACHO__AMD_F_START);
	struct tacho__amd_number end = number(reader, TACHO__AMD_F_END);
	struct tacho__foreign_call call = {
		.process = reader->element->process,
		.thread = (uint32_t)number(reader, TACHO__AMD_F_THREAD).value,
		.link = link,
		.start_ns = (int64_t)start.value,
		.end_ns = (int64_t)(end.is_known ? end.value : start.value)};
	int rc = tacho__amd_function(&reader->amd, api, operation_of(reader), &call.function);

	if (rc || !start.is_known || start.value > INT64_MAX || end.value > INT64_MAX)
		return rc;
	reader->calls++;
	return tacho__foreign_add_call(reader->amd.foreign, &call);
}

static int take_memory(struct reader *reader)
{
	reader->memory++;
	return add_call(reader, "memory", 0);
}

static int take_marker(struct reader *reader)
{
	uint64_t id = number(reader, TACHO__AMD_F_CORRELATION).value;
	uint32_t message = find_text(&reader->element->markers, id);
	struct tacho__amd_number start = number(reader, TACHO__AMD_F_START);
	struct tacho__amd_number end = number(reader, TACHO__AMD_F_END);
	struct tacho__foreign_range range = {
		.process = reader->element->process,
		.thread = (uint32_t)number(reader, TACHO__AMD_F_THREAD).value,
		.start_ns = (int64_t)start.value,
		.end_ns = (int64_t)end.value,
		.has_end = end.is_known};

	if (!start.is_known || start.value > INT64_MAX || end.value > INT64_MAX)
		return 0;
	return tacho__amd_add_marker(&reader->amd, kind_of(reader),
				     message ? text_of(reader, message) : operation_of(reader),
				     &range);
}

static int take_call(struct reader *reader)
{
	return tacho__amd_is_marker(kind_of(reader))
		       ? take_marker(reader)
		       : add_call(reader, kind_of(reader),
				  number(reader, TACHO__AMD_F_CORRELATION).value);
}

/* ---- the file ---- */

/* Where things are in an object of a process, and in which of both passes they are read. */
static const struct list {
	const char *in, *name; /* `in` "": the object itself; name "*_api": that ends so */
	bool is_second;
	int (*take)(struct reader *reader);
	int (*on_element)(void *user, const struct tacho__amd_record *record,
			  enum tacho__amd_field last);
} lists[] = {
	{"", "metadata", false, take_metadata, NULL},
	{"", "agents", false, take_agent, NULL},
	{"", "counters", false, take_counter, NULL},
	{"", "kernel_symbols", false, take_symbol, NULL},
	{"strings", "buffer_records", false, take_kind, take_operation},
	{"strings", "marker_api", false, take_message, NULL},
	{"callback_records", "counter_collection", true, take_counters, take_counted},
	{"buffer_records", "kernel_dispatch", true, take_launch, NULL},
	{"buffer_records", "memory_copy", true, take_copy, NULL},
	{"buffer_records", "memory_allocation", true, take_memory, NULL},
	{"buffer_records", "scratch_memory", true, take_memory, NULL},
	{"buffer_records", "*_api", true, take_call, NULL},
};

static bool is_named(const char *text, const char *name)
{
	size_t size = strlen(text), tail = strlen(name) - 1;

	if (*name == '*')
		return size > tail && !strcmp(text + size - tail, name + 1);
	return !strcmp(text, name);
}

static const struct list *find_list(const struct reader *reader, const char *in)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(lists); i++)
		if (!strcmp(in, lists[i].in) && lists[i].is_second == reader->is_second &&
		    is_named(reader->json.text, lists[i].name))
			return &lists[i];
	return NULL;
}

static int read_record(struct reader *reader, const struct list *list)
{
	int rc;

	reader->record.on_element = list->on_element;
	reader->record.user = reader;
	rc = tacho__amd_record_read(reader->amd.foreign, &reader->json, &reader->record);
	return rc ? rc : list->take(reader);
}

/* One record, or a list of them. */
static int read_list(struct reader *reader, const struct list *list)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&reader->json, &piece);

	if (rc || piece == TACHO__FOREIGN_JSON_OBJECT)
		return rc ? rc : read_record(reader, list);
	if (piece != TACHO__FOREIGN_JSON_ARRAY)
		return 0;
	while (!(rc = tacho__foreign_json_next(&reader->json, &piece)) &&
	       piece != TACHO__FOREIGN_JSON_ARRAY_END) {
		rc = piece == TACHO__FOREIGN_JSON_OBJECT
			     ? read_record(reader, list)
			     : tacho__foreign_json_skip(&reader->json, piece);
		if (rc)
			return rc;
	}
	return rc;
}

static bool has_lists(const char *name)
{
	return !strcmp(name, "strings") || !strcmp(name, "callback_records") ||
	       !strcmp(name, "buffer_records");
}

/* The lists of the object that was begun; `in` is its name. */
static int read_lists(struct reader *reader, const char *in)
{
	enum tacho__foreign_json_piece piece;
	int rc;

	while (!(rc = tacho__foreign_json_next(&reader->json, &piece)) &&
	       piece == TACHO__FOREIGN_JSON_KEY) {
		const struct list *list = find_list(reader, in);
		char name[32];

		snprintf(name, sizeof(name), "%.31s", reader->json.text);
		if (list) {
			rc = read_list(reader, list);
		} else if (!*in && has_lists(name)) {
			rc = tacho__foreign_json_next(&reader->json, &piece);
			if (!rc && piece == TACHO__FOREIGN_JSON_OBJECT)
				rc = read_lists(reader, name);
		} else {
			rc = tacho__foreign_json_skip(&reader->json, piece);
		}
		if (rc)
			return rc;
	}
	return rc;
}

static int make_element(struct reader *reader)
{
	struct element element = {.key = ++reader->numbered};
	char run[40];
	int rc;

	snprintf(run, sizeof(run), "process %" PRIu64 " of JSON", element.key);
	rc = tacho__foreign_text(reader->amd.foreign, run, &element.run);
	return rc ? rc
		  : tacho__array_add(&reader->elements, &reader->capacity, &reader->count, &element,
				     sizeof(element));
}

static int read_element(struct reader *reader, size_t index)
{
	int rc = reader->is_second ? 0 : make_element(reader);

	if (rc)
		return rc;
	reader->element = &reader->elements[index];
	/* made by now, unless its object does not say which process it is, or was cut before */
	if (reader->is_second)
		rc = tacho__foreign_process(reader->amd.foreign, reader->element->key, 0,
					    &reader->element->process);
	return rc ? rc : read_lists(reader, "");
}

/* All objects of processes: they are where the depth is that of the tool's list. */
static int read_pass(struct reader *reader, const char *path)
{
	enum tacho__foreign_json_piece piece;
	bool is_tool = false;
	size_t index = 0;
	int rc = tacho__foreign_json_open(&reader->json, path);

	while (!rc && !(rc = tacho__foreign_json_next(&reader->json, &piece)) &&
	       piece != TACHO__FOREIGN_JSON_END) {
		if (piece == TACHO__FOREIGN_JSON_KEY) {
			is_tool = tacho__foreign_json_is(&reader->json, TOOL);
			if (!is_tool)
				rc = tacho__foreign_json_skip(&reader->json, piece);
		} else if (piece == TACHO__FOREIGN_JSON_OBJECT && is_tool &&
			   (!reader->is_second || index < reader->count)) {
			rc = read_element(reader, index++);
		}
	}
	/* the first pass finds the same */
	if (rc == TACHO_E_PARSE && reader->json.is_cut && index)
		rc = tacho__foreign_lose(reader->amd.foreign, path,
					 "ends early: what is whole of it is read");
	tacho__foreign_json_close(&reader->json);
	return rc;
}

/* Of a launch in which the file was cut. */
static void forget_sums(struct reader *reader)
{
	while (reader->counted_count)
		reader->sums[reader->counted[--reader->counted_count]] = (struct sum){0};
}

static void forget_elements(struct reader *reader)
{
	forget_sums(reader);
	for (size_t i = 0; i < reader->count; i++) {
		struct element *element = &reader->elements[i];

		tacho__map_finish(&element->kind_names);
		tacho__map_finish(&element->operations);
		tacho__map_finish(&element->markers);
		tacho__map_finish(&element->counters);
		tacho__map_finish(&element->kernels);
	}
	free(reader->elements);
	reader->elements = NULL;
	reader->count = reader->capacity = 0;
	tacho__arena_finish(&reader->arena);
}

/* "12_results.json" */
static bool is_of_process(const char *path)
{
	const char *base = tacho__base_name(path);
	size_t digits = strspn(base, "0123456789");

	return digits && base[digits] == '_';
}

static int read_file(struct reader *reader, const char *path)
{
	int rc;

	reader->is_second = false;
	rc = read_pass(reader, path);
	reader->is_second = true;
	if (!rc)
		rc = read_pass(reader, path);
	if (!rc && reader->count && !reader->elements[0].has_host && is_of_process(path))
		rc = tacho__amd_tell_host(&reader->amd, path);
	forget_elements(reader);
	return rc;
}

static void note_what_lacks(const struct reader *reader)
{
	struct tacho__foreign *foreign = reader->amd.foreign;

	if (reader->amd.launch_count)
		tacho__foreign_note(foreign, "When work was queued and submitted, and what calls "
					     "were given, is not in such files.");
	tacho__foreign_note_count(
		foreign, reader->memory,
		"allocation of memory is a call here; how much it gave is left out.",
		"allocations of memory are calls here; how much they gave is left out.");
	tacho__foreign_note_count(foreign, reader->instances,
				  "value is a sum over the instances of a counter.",
				  "values are sums over the instances of a counter.");
	if (!reader->amd.launch_count && !reader->calls && !reader->copies)
		foreign->recording->run.why_empty = "The file holds no call and no work.";
}

static int read_files(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		      size_t count)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	int rc = 0;

	if (!reader)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", files[0].path);
	tacho__amd_begin(&reader->amd, foreign);
	for (size_t i = 0; i < count && !rc; i++)
		rc = read_file(reader, files[i].path);
	if (!rc)
		rc = tacho__amd_end_launches(&reader->amd);
	if (!rc)
		rc = tacho__foreign_set_tool(foreign, "rocprofv3, JSON");
	if (!rc)
		note_what_lacks(reader);
	tacho__amd_finish(&reader->amd);
	free(reader->sums);
	free(reader->counted);
	free(reader);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_amd_json = {
	.name = "rocprofv3-json",
	.title = "rocprofv3, JSON",
	.fits = fits,
	.read = read_files,
};
