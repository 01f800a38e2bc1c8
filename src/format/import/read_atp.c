/* SPDX-License-Identifier: MIT */
#include "format/import/read_atp.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

enum { PARTS_MAX = 64 };

static const char rule[] = "=====";

struct reader {
	const char *name;
	struct tacho__span text;
	struct tacho__import_header *header;
	struct tacho__atp_file *file;
	bool has_section, is_known; /* a section was met; it is one of ours */
	bool has_version;	    /* the header has the key that every .atp has */
	enum tacho__atp_section section;
	enum tacho__atp_api api;
};

static uint64_t key_of(enum tacho__atp_section section, enum tacho__atp_api api, uint32_t thread,
		       uint32_t occurrence)
{
	return (uint64_t)occurrence << 48 ^ (uint64_t)section << 40 ^ (uint64_t)api << 32 ^ thread;
}

const struct tacho__atp_block *tacho__atp_find(const struct tacho__atp_file *file,
					       enum tacho__atp_section section,
					       enum tacho__atp_api api, uint32_t thread,
					       uint32_t occurrence)
{
	uintptr_t number =
		(uintptr_t)tacho__map_get(&file->by_key, key_of(section, api, thread, occurrence));

	return number ? &file->blocks[number - 1] : NULL;
}

static bool drop_prefix(struct tacho__span *name, const char *prefix)
{
	if (!tacho__span_starts(*name, prefix))
		return false;
	name->at += strlen(prefix);
	return true;
}

static bool find_section(struct tacho__span name, enum tacho__atp_section *out_section)
{
	static const struct {
		const char *name;
		enum tacho__atp_section section;
	} names[] = {
		{"API Trace Output", TACHO__ATP_CALLS},
		{"Timestamp Output", TACHO__ATP_TIMES},
		{"Stack Trace Output", TACHO__ATP_CALLERS},
		{"Kernel Timestamp Output", TACHO__ATP_KERNELS},
		{"Perfmarker Output", TACHO__ATP_MARKERS},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(names); i++)
		if (tacho__span_is(name, names[i].name)) {
			*out_section = names[i].section;
			return true;
		}
	return false;
}

/* "API NAME": a section of an API that only tacho writes. */
static bool find_other(struct reader *reader, struct tacho__span name)
{
	struct tacho__atp_file *file = reader->file;
	struct tacho__span api;
	size_t i = 0;

	if (!tacho__span_take_word(&name, &api) ||
	    tacho__span_size(api) >= sizeof(file->others[0]) ||
	    !find_section(tacho__span_trim(name), &reader->section) ||
	    (reader->section != TACHO__ATP_CALLS && reader->section != TACHO__ATP_TIMES))
		return false;
	while (i < file->other_count && !tacho__span_is(api, file->others[i]))
		i++;
	if (i == TACHO__ATP_OTHERS_MAX)
		return false;
	if (i == file->other_count) {
		memcpy(file->others[i], api.at, tacho__span_size(api));
		file->other_count++;
	}
	reader->api = (enum tacho__atp_api)(TACHO__ATP_OTHERS + i);
	return true;
}

/* "=====NAME=====", with what older writers put in front of the name. */
static void take_section(struct reader *reader, struct tacho__span line)
{
	struct tacho__span name = tacho__span_trim(line);

	name.at += strlen(rule);
	if (tacho__span_ends(name, rule))
		name.end -= strlen(rule);
	if (!drop_prefix(&name, "CodeXL ") && !drop_prefix(&name, "AMD APP Profiler "))
		drop_prefix(&name, "AMD ");
	reader->api = TACHO__ATP_OPENCL;
	if (drop_prefix(&name, "hsa "))
		reader->api = TACHO__ATP_HSA;
	else if (!drop_prefix(&name, "ocl "))
		drop_prefix(&name, "OpenCL ");
	reader->has_section = true;
	reader->is_known = find_section(name, &reader->section) || find_other(reader, name);
}

/* The lines that follow, as many as the count says and are there before the next section. */
static struct tacho__span take_lines(struct reader *reader, uint64_t count, uint64_t *out_count)
{
	struct tacho__span lines = {reader->text.at, reader->text.at}, line;
	uint64_t taken = 0;

	while (taken < count && !tacho__span_starts(reader->text, rule) &&
	       tacho__span_take_line(&reader->text, &line))
		taken++;
	reader->file->is_cut |= taken < count;
	lines.end = reader->text.at;
	*out_count = taken;
	return lines;
}

static int add_block(struct reader *reader, uint32_t thread, uint64_t count)
{
	struct tacho__atp_file *file = reader->file;
	struct tacho__atp_block *block;

	if (tacho__array_reserve(&file->blocks, &file->capacity, file->count,
				 sizeof(*file->blocks)))
		return TACHO_E_NOMEM;
	block = &file->blocks[file->count];
	*block = (struct tacho__atp_block){
		.section = reader->section, .api = reader->api, .thread = thread};
	block->lines = take_lines(reader, count, &block->count);
	while (tacho__atp_find(file, block->section, block->api, thread, block->occurrence))
		if (++block->occurrence == PARTS_MAX) {
			file->unreadable += tacho__span_size(block->lines);
			return 0;
		}
	file->count++;
	return tacho__map_set(&file->by_key,
			      key_of(block->section, block->api, thread, block->occurrence),
			      (void *)(uintptr_t)file->count);
}

/* A line outside of blocks: a thread's id or a count, or the header of another part. */
static int take_head(struct reader *reader, struct tacho__span line)
{
	uint64_t thread = 0, count;
	struct tacho__span next;

	if (!tacho__span_size(tacho__span_trim(line)))
		return 0;
	if (!reader->is_known || !tacho__span_to_u64(tacho__span_trim(line), &thread)) {
		if (!memchr(line.at, '=', tacho__span_size(line)))
			reader->file->unreadable += tacho__span_size(line) + 1;
		return tacho__import_header_take(reader->header, line);
	}
	if (reader->section == TACHO__ATP_KERNELS)
		return add_block(reader, 0, thread);
	if (tacho__span_starts(reader->text, rule) ||
	    !tacho__span_take_line(&reader->text, &next) ||
	    !tacho__span_to_u64(tacho__span_trim(next), &count)) {
		reader->file->unreadable += tacho__span_size(line) + 1;
		reader->file->is_cut = true;
		return 0;
	}
	return add_block(reader, (uint32_t)thread, count);
}

static int refuse_graphics(const char *name)
{
	return tacho__fail(TACHO_E_VERSION,
			   "it is of version 1 of the format, which CodeXL's server for graphics "
			   "frames wrote for DirectX 12 and Vulkan",
			   "give a trace of OpenCL or HSA: its first line is TraceFileVersion=3.2 "
			   "or alike",
			   "cannot read %s", name);
}

static int read_all(struct reader *reader)
{
	struct tacho__span line;
	int rc = 0;

	while (!rc && tacho__span_take_line(&reader->text, &line)) {
		if (tacho__span_starts(line, rule)) {
			take_section(reader, line);
		} else if (reader->has_section) {
			rc = take_head(reader, line);
		} else if (tacho__span_starts(line, "//")) {
			rc = refuse_graphics(reader->name);
		} else {
			reader->has_version |= tacho__span_starts(line, "TraceFileVersion");
			rc = tacho__import_header_take(reader->header, line);
		}
	}
	return rc;
}

int tacho__atp_read(const char *name, struct tacho__span text, struct tacho__import_header *header,
		    struct tacho__atp_file *out_file)
{
	struct tacho__atp_file file = {0};
	struct reader reader = {.name = name, .text = text, .header = header, .file = &file};
	int rc = read_all(&reader);

	if (!rc && !reader.has_version && !file.count)
		rc = tacho__fail(TACHO_E_PARSE,
				 "it has neither TraceFileVersion nor a section that is known",
				 "give a file that rcprof, CodeXL or tacho wrote",
				 "%s is no .atp file", name);
	if (rc)
		tacho__atp_file_finish(&file);
	else
		*out_file = file;
	return rc;
}

void tacho__atp_file_finish(struct tacho__atp_file *file)
{
	free(file->blocks);
	tacho__map_finish(&file->by_key);
	memset(file, 0, sizeof(*file));
}
