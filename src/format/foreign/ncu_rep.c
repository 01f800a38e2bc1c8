/* SPDX-License-Identifier: MIT */
/*
 * Reports of Nsight Compute (.ncu-rep, and .ncu-repz, which is packed): "NVR", a header, and blocks
 * up to the end of the file, each a header and its payload of code and launches. The messages are
 * those of Protocol Buffers. What a device is may stand behind what ran on it: first all headers
 * are read, then all launches.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign_bytes.h"
#include "format/foreign/ncu.h"

enum {
	MESSAGE_MAX = 256 * 1024 * 1024, /* a longer one is damage */
	VERSION = 7,
	ROOM = 64 * 1024,
};

static bool fits(const struct tacho__foreign_file *file)
{
	return file->head_size >= 8 && !memcmp(file->head, "NVR", 4);
}

/* ---- bytes ---- */

/* The file from its beginning; `message` is the last message that was read. */
struct stream {
	struct tacho__foreign_bytes *bytes;
	unsigned char room[ROOM];
	size_t at, size;
	uint64_t offset; /* of the next byte that is taken */
	struct tacho__buf message;
};

/* 1: there is a byte at least; 0: the file ends, perhaps in the middle of its packed bytes. */
static int fill(struct stream *stream)
{
	int rc;

	if (stream->at < stream->size)
		return 1;
	stream->at = stream->size = 0;
	rc = tacho__foreign_bytes_read(stream->bytes, stream->room, ROOM, &stream->size);
	if (rc == TACHO_E_PARSE)
		return 0;
	return rc ? rc : stream->size != 0;
}

/* Takes `size` bytes into the message, or nowhere. 1; 0: the file ends before. */
static int take(struct stream *stream, uint64_t size, bool is_kept)
{
	int rc = 1;

	tacho__buf_clear(&stream->message);
	while (size && (rc = fill(stream)) == 1) {
		size_t part = stream->size - stream->at;

		part = size < part ? (size_t)size : part;
		if (is_kept)
			tacho__buf_add(&stream->message, stream->room + stream->at, part);
		if (stream->message.failed)
			return TACHO_E_NOMEM;
		stream->at += part;
		stream->offset += part;
		size -= part;
	}
	return rc;
}

static int fail_parse(const struct tacho__ncu_rep *rep, const struct stream *stream,
		      const char *what)
{
	return tacho__fail(TACHO_E_PARSE,
			   tacho__detail("%s at byte %" PRIu64, what, stream->offset),
			   "copy the file again, or let Nsight Compute write it again",
			   "%s is no whole report of Nsight Compute", rep->path);
}

/* A message behind its size, which is taken off `left` with it. */
static int take_message(struct tacho__ncu_rep *rep, struct stream *stream, uint64_t *left,
			bool is_kept)
{
	const unsigned char *bytes;
	uint32_t size;
	int rc = *left < 4 ? fail_parse(rep, stream, "a message without a size")
			   : take(stream, 4, true);

	if (rc != 1)
		return rc;
	bytes = (const unsigned char *)stream->message.text;
	size = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	*left -= 4;
	if (size > MESSAGE_MAX || size > *left)
		return fail_parse(rep, stream, "a message of a size that cannot be");
	*left -= size;
	return take(stream, size, is_kept);
}

static const uint8_t *bytes_of(const struct stream *stream)
{
	return (const uint8_t *)tacho__buf_text(&stream->message);
}

/* ---- blocks ---- */

static int take_result(struct tacho__ncu_rep *rep, struct stream *stream, uint64_t *left)
{
	int rc = take_message(rep, stream, left, true);

	if (rc != 1)
		return rc;
	rc = tacho__ncu_take_result(rep, bytes_of(stream), stream->message.size);
	if (rc == TACHO__NCU_NO_MESSAGE)
		return fail_parse(rep, stream, "a launch that is no message");
	return rc ? rc : 1;
}

/* Code is left out, launches are taken. 1; 0: the file ends in it. */
static int take_payload(struct tacho__ncu_rep *rep, struct stream *stream,
			const struct tacho__ncu_block *block)
{
	uint64_t left = block->payload;
	int rc = 1;

	for (uint64_t i = 0; i < block->sources && rc == 1; i++)
		rc = take_message(rep, stream, &left, false);
	for (uint64_t i = 0; i < block->results && rc == 1; i++)
		rc = take_result(rep, stream, &left);
	rep->ranges += rc == 1 ? block->ranges : 0;
	return rc == 1 ? take(stream, left, false) : rc;
}

/* 1; 0: the file ends, in the middle of the block where it is cut. */
static int take_block(struct tacho__ncu_rep *rep, struct stream *stream, bool is_first)
{
	struct tacho__ncu_block block;
	uint64_t left = UINT64_MAX;
	int rc = fill(stream);

	if (rc != 1)
		return rc;
	rc = take_message(rep, stream, &left, true);
	if (rc == 1) {
		rc = tacho__ncu_take_header(rep, bytes_of(stream), stream->message.size, is_first,
					    &block);
		if (rc == TACHO__NCU_NO_MESSAGE)
			return fail_parse(rep, stream, "a block that is no message");
		rc = rc ? rc : 1;
	}
	if (rc == 1)
		rc = is_first ? take(stream, block.payload, false)
			      : take_payload(rep, stream, &block);
	rep->is_cut |= rc == 0;
	return rc;
}

/* What stands in front of the blocks. 1; 0: the file ends in it. */
static int take_file_header(struct tacho__ncu_rep *rep, struct stream *stream)
{
	struct tacho__proto_reader reader;
	struct tacho__proto_field field;
	uint64_t left = UINT64_MAX;
	int rc = take(stream, 4, false);

	if (rc == 1)
		rc = take_message(rep, stream, &left, true);
	reader = (struct tacho__proto_reader){bytes_of(stream),
					      bytes_of(stream) + stream->message.size};
	while (rc == 1 && tacho__proto_next(&reader, &field) == 1)
		if (field.number == 1)
			rep->version = field.value;
	rep->is_cut |= rc == 0;
	return rc;
}

/* From the beginning: first what headers say, then launches. */
static int walk(struct tacho__ncu_rep *rep, bool is_first)
{
	struct stream *stream = calloc(1, sizeof(*stream));
	int rc;

	if (!stream)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", rep->path);
	rc = tacho__foreign_bytes_open(rep->path, &stream->bytes);
	rc = rc ? rc : take_file_header(rep, stream);
	while (rc == 1)
		rc = take_block(rep, stream, is_first);
	tacho__foreign_bytes_close(stream->bytes);
	tacho__buf_finish(&stream->message);
	free(stream);
	return rc;
}

/* ---- the file ---- */

static void note_count(struct tacho__foreign *foreign, uint64_t count, const char *what,
		       const char *of_one, const char *of_several)
{
	if (count)
		tacho__foreign_note(foreign, "%" PRIu64 " %s%s %s.", count, what,
				    tacho__plural(count), count == 1 ? of_one : of_several);
}

static void note_what_lacks(struct tacho__ncu_rep *rep)
{
	struct tacho__foreign *foreign = rep->foreign;

	if (rep->version != VERSION)
		tacho__foreign_note(foreign,
				    "%s is of version %" PRIu64
				    " of these files, tacho knows version %d.",
				    rep->path, rep->version, VERSION);
	if (rep->launches)
		tacho__foreign_note(
			foreign, TACHO__NCU_NO_TIMES
			": kernels have durations, in the order in which they were "
			"profiled, and each ran alone, with the clocks and caches that were "
			"asked for.");
	else
		foreign->recording->run.why_empty = "The report holds no profiled kernel.";
	note_count(foreign, rep->ranges, "profiled range", "is not read", "are not read");
	note_count(foreign, rep->instances, "value",
		   "has parts, for instructions or units, which are not read",
		   "have parts, for instructions or units, which are not read");
	note_count(foreign, rep->texts, "value", "that is a text is left out",
		   "that are texts are left out");
	note_count(foreign, rep->unnamed, "value", "without a name is left out",
		   "without a name are left out");
}

/* The program is the first process. */
static void name_program(struct tacho_recording *recording)
{
	if (recording->process_count)
		recording->run.application = recording->processes[0]->process.executable;
}

static int read_report(struct tacho__ncu_rep *rep)
{
	int rc = walk(rep, true);

	if (!rc && rep->start_s && rep->start_s < INT64_MAX / 1000000000)
		tacho__foreign_set_epoch(rep->foreign, (int64_t)rep->start_s * 1000000000);
	rep->is_cut = false;
	if (!rc)
		rc = walk(rep, false);
	if (!rc && rep->is_cut && !rep->launches)
		rc = tacho__fail(TACHO_E_PARSE, "it ends before a launch is whole",
				 "copy the file again, or let Nsight Compute write it again",
				 "%s is no whole report of Nsight Compute", rep->path);
	if (!rc && rep->is_cut)
		rc = tacho__foreign_lose(rep->foreign, rep->path,
					 "ends early: what is whole of it is read");
	if (!rc)
		name_program(rep->foreign->recording);
	if (!rc)
		note_what_lacks(rep);
	tacho__map_finish(&rep->counters);
	for (size_t i = 0; i < rep->device_count; i++)
		tacho__buf_finish(&rep->devices[i].text);
	free(rep->devices);
	free(rep->strings);
	return rc;
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	return read_report(&(struct tacho__ncu_rep){
		.foreign = foreign, .path = file->path, .file = file->number});
}

const struct tacho__foreign_reader tacho__foreign_ncu_rep = {
	.name = "ncu-rep",
	.title = "Nsight Compute, report",
	.fits = fits,
	.read_file = read_file,
};
