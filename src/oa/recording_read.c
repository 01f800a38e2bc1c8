/* SPDX-License-Identifier: MIT */
/*
 * Recordings read in one go, from files and pipes. Records stay in a buffer until the next pair of
 * clock readings was seen behind them, which recorders write every second: their times lie between
 * two pairs then. Pairs farther away than the buffer's limit are not waited for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "oa/oa_recording.h"
#include "oa/recording_clock.h"
#include "tacho/sys/file.h"

enum {
	BUFFER_FIRST = 1 << 20,
	BUFFER_MAX = 64 << 20,
	CAUSE_BYTES = 256,
	AHEAD_MAX = 2, /* pairs that are looked for: two make a straight line */
};

struct tacho_oa_recording {
	struct tacho_file file;
	char *name; /* the file's */
	uint8_t *buffer;
	size_t capacity, used;
	uint64_t base;	  /* offset in the file of the buffer's first byte */
	uint64_t at;	  /* of the next record to deliver */
	uint64_t scanned; /* up to here pairs were looked for */
	uint8_t is_whole; /* the file's end is in the buffer */
	uint8_t is_stuck; /* looking ahead found something malformed; it is told when it comes */
	uint8_t has_unit, has_topology;
	int read_error; /* what ended the reading early, told when that place comes */
	char read_cause[CAUSE_BYTES];
	int failed; /* the error that ended the reading */
	size_t report_bytes;
	uint64_t ahead[AHEAD_MAX]; /* offsets of pairs that were looked ahead at */
	size_t ahead_count;
	struct tacho__oa_clock clock;
	struct tacho_oa_device device;
	struct tacho_oa_topology topology;
	uint8_t topology_bytes[TACHO__OA_RECORD_MAX];
	struct tacho_oa_counts counts;
};

struct header {
	enum tacho__oa_type type;
	size_t body_bytes;
	const uint8_t *body;
};

static int fail_at(struct tacho_oa_recording *recording, uint64_t offset, const char *cause)
{
	recording->failed = TACHO_E_PARSE;
	return tacho__fail(
		TACHO_E_PARSE, cause, "what was before it has been read; record again for the rest",
		"%s is malformed at byte %llu", recording->name, (unsigned long long)offset);
}

static size_t get_rest(const struct tacho_oa_recording *recording, uint64_t offset)
{
	return recording->used - (size_t)(offset - recording->base);
}

/*
 * Room for more: what was delivered goes, then the buffer grows. 0 when it may not, or cannot: then
 * that is the end.
 */
static int make_room(struct tacho_oa_recording *recording)
{
	size_t done = (size_t)(recording->at - recording->base), capacity;
	uint8_t *buffer;

	if (recording->used < recording->capacity)
		return 1;
	/* Moving less than was delivered costs less than reading; a buffer at its limit must. */
	if (done && (done >= recording->capacity / 2 || 2 * recording->capacity > BUFFER_MAX)) {
		memmove(recording->buffer, recording->buffer + done, recording->used - done);
		recording->base = recording->at;
		recording->used -= done;
		return 1;
	}
	capacity = recording->capacity ? 2 * recording->capacity : BUFFER_FIRST;
	if (capacity > BUFFER_MAX)
		return 0;
	buffer = realloc(recording->buffer, capacity);
	if (!buffer) {
		recording->read_error = TACHO_E_NOMEM;
		snprintf(recording->read_cause, CAUSE_BYTES, "no memory for %zu bytes", capacity);
		return 0;
	}
	recording->buffer = buffer;
	recording->capacity = capacity;
	return 1;
}

/* Reads until `size` bytes from `offset` on are in the buffer. 0 when they do not come, or fit. */
static int read_until(struct tacho_oa_recording *recording, uint64_t offset, size_t size)
{
	while (get_rest(recording, offset) < size) {
		size_t got = 0;
		int rc;

		if (recording->is_whole || recording->read_error || !make_room(recording))
			return 0;
		rc = tacho_file_read(&recording->file, recording->buffer + recording->used,
				     recording->capacity - recording->used, &got);
		if (rc) {
			recording->read_error = rc;
			snprintf(recording->read_cause, CAUSE_BYTES, "%s",
				 tacho_error_last()->cause);
		}
		recording->is_whole = !got;
		recording->used += got;
	}
	return 1;
}

/* The same, which mostly has been done already. */
static inline int fill(struct tacho_oa_recording *recording, uint64_t offset, size_t size)
{
	return get_rest(recording, offset) >= size || read_until(recording, offset, size);
}

static enum tacho__oa_type get_type(const struct tacho_oa_recording *recording, uint32_t type)
{
	if (type >= TACHO__OA_TYPE_SAMPLE && type <= TACHO__OA_TYPE_BUFFER_LOST)
		return (enum tacho__oa_type)type;
	if (recording->device.driver == TACHO_OA_XE)
		return type >= TACHO__XE_TYPE_VERSION && type <= TACHO__XE_TYPE_CORRELATION
			       ? (enum tacho__oa_type)(TACHO__OA_TYPE_VERSION + type -
						       TACHO__XE_TYPE_VERSION)
			       : TACHO__OA_TYPE_UNKNOWN;
	return type >= TACHO__OA_TYPE_VERSION && type <= TACHO__OA_TYPE_CORRELATION
		       ? (enum tacho__oa_type)type
		       : TACHO__OA_TYPE_UNKNOWN;
}

/* The record there: 1; 0 at the end of the file; -1 when it is not whole, without an error. */
static inline int look(struct tacho_oa_recording *recording, uint64_t offset,
		       struct header *out_header)
{
	const uint8_t *at;
	size_t size;

	if (!fill(recording, offset, TACHO__OA_HEADER_BYTES))
		return get_rest(recording, offset) ? -1 : 0;
	size = tacho__oa_get16(recording->buffer + (offset - recording->base) + 6);
	if (size < TACHO__OA_HEADER_BYTES || !fill(recording, offset, size))
		return -1;
	at = recording->buffer + (offset - recording->base);
	out_header->type = get_type(recording, tacho__oa_get32(at));
	out_header->body = at + TACHO__OA_HEADER_BYTES;
	out_header->body_bytes = size - TACHO__OA_HEADER_BYTES;
	return 1;
}

static int fail_record(struct tacho_oa_recording *recording)
{
	uint64_t offset = recording->at;
	size_t rest = get_rest(recording, offset), size = TACHO__OA_HEADER_BYTES;

	if (recording->read_error) {
		recording->failed = recording->read_error;
		return tacho__fail(recording->read_error, recording->read_cause, "",
				   "cannot read %s behind byte %llu", recording->name,
				   (unsigned long long)offset);
	}
	if (rest >= TACHO__OA_HEADER_BYTES)
		size = tacho__oa_get16(recording->buffer + (offset - recording->base) + 6);
	if (size < TACHO__OA_HEADER_BYTES)
		return fail_at(recording, offset,
			       tacho__detail("the record's size is %zu, and its header alone has "
					     "%d bytes",
					     size, TACHO__OA_HEADER_BYTES));
	if (!recording->is_whole) {
		recording->failed = TACHO_E_NOMEM;
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", recording->name);
	}
	if (rest < TACHO__OA_HEADER_BYTES)
		return fail_at(recording, offset,
			       tacho__detail("the file ends after %zu of a record's first %d bytes",
					     rest, TACHO__OA_HEADER_BYTES));
	return fail_at(
		recording, offset,
		tacho__detail("the file ends after %zu of the record's %zu bytes", rest, size));
}

/* Looks behind the records that wait for pairs, until there are enough. */
static void look_ahead(struct tacho_oa_recording *recording)
{
	if (recording->scanned < recording->at)
		recording->scanned = recording->at;
	while (!recording->is_stuck && recording->ahead_count < AHEAD_MAX &&
	       (!recording->ahead_count || recording->clock.count < 2)) {
		struct header header;

		if (recording->scanned - recording->at > BUFFER_MAX / 2)
			return;
		if (look(recording, recording->scanned, &header) <= 0) {
			recording->is_stuck = 1;
			return;
		}
		if (header.type == TACHO__OA_TYPE_CORRELATION &&
		    header.body_bytes >= TACHO__OA_CORRELATION_BYTES) {
			if (tacho__oa_clock_add(&recording->clock, tacho__oa_get64(header.body),
						tacho__oa_get64(header.body + 8)))
				recording->ahead[recording->ahead_count++] = recording->scanned;
			else
				recording->counts.odd_correlations++;
		}
		recording->scanned += TACHO__OA_HEADER_BYTES + header.body_bytes;
	}
}

static int take_version(struct tacho_oa_recording *recording, const struct header *header)
{
	uint32_t version;

	if (header->body_bytes < 4)
		return fail_at(recording, recording->at,
			       tacho__detail("the version has %zu bytes, not %d",
					     header->body_bytes, TACHO__OA_VERSION_BYTES));
	version = tacho__oa_get32(header->body);
	if (version == TACHO__OA_VERSION)
		return 0;
	recording->failed = TACHO_E_VERSION;
	return tacho__fail(TACHO_E_VERSION,
			   tacho__detail("version %u at byte %llu", version,
					 (unsigned long long)recording->at),
			   "record with a recorder that writes version 1, or use a newer tacho",
			   "%s is of a version that is not known", recording->name);
}

static void copy_text(char *out_text, const uint8_t *bytes, size_t size)
{
	memcpy(out_text, bytes, size);
	out_text[size] = '\0';
}

static int take_device(struct tacho_oa_recording *recording, const struct header *header)
{
	struct tacho_oa_device *device = &recording->device;
	const uint8_t *body = header->body;

	if (header->body_bytes < TACHO__OA_DEVICE_BYTES)
		return fail_at(recording, recording->at,
			       tacho__detail("the description of the device has %zu bytes, not %d",
					     header->body_bytes, TACHO__OA_DEVICE_BYTES));
	if (recording->has_unit)
		return 0;
	device->timestamp_frequency_hz = tacho__oa_get64(body + TACHO__OA_DEVICE_FREQUENCY);
	device->device_id = tacho__oa_get32(body + TACHO__OA_DEVICE_ID);
	device->revision = tacho__oa_get32(body + TACHO__OA_DEVICE_REVISION);
	device->min_frequency_hz = tacho__oa_get32(body + TACHO__OA_DEVICE_MIN_FREQUENCY);
	device->max_frequency_hz = tacho__oa_get32(body + TACHO__OA_DEVICE_MAX_FREQUENCY);
	device->engine_class = tacho__oa_get32(body + TACHO__OA_DEVICE_ENGINE_CLASS);
	device->engine_instance = tacho__oa_get32(body + TACHO__OA_DEVICE_ENGINE_INSTANCE);
	device->format = tacho__oa_get32(body + TACHO__OA_DEVICE_FORMAT);
	copy_text(device->set_name, body + TACHO__OA_DEVICE_SET_NAME,
		  TACHO__OA_DEVICE_SET_NAME_BYTES);
	copy_text(device->set_guid, body + TACHO__OA_DEVICE_SET_GUID,
		  TACHO__OA_DEVICE_SET_GUID_BYTES);
	recording->clock.frequency_hz = device->timestamp_frequency_hz;
	recording->has_unit = 1;
	return 0;
}

static int take_topology(struct tacho_oa_recording *recording, const struct header *header)
{
	if (recording->has_topology)
		return 0;
	memcpy(recording->topology_bytes, header->body, header->body_bytes);
	if (tacho__oa_topology_parse(recording->topology_bytes, header->body_bytes,
				     &recording->topology))
		return fail_at(recording, recording->at,
			       tacho__detail("the topology: %s", tacho_error_last()->cause));
	recording->has_topology = 1;
	return 0;
}

static int take_correlation(struct tacho_oa_recording *recording, const struct header *header)
{
	if (header->body_bytes < TACHO__OA_CORRELATION_BYTES)
		return fail_at(recording, recording->at,
			       tacho__detail("a pair of clock readings has %zu bytes, not %d",
					     header->body_bytes, TACHO__OA_CORRELATION_BYTES));
	recording->counts.correlations++;
	if (recording->at >= recording->scanned) {
		if (!tacho__oa_clock_add(&recording->clock, tacho__oa_get64(header->body),
					 tacho__oa_get64(header->body + 8)))
			recording->counts.odd_correlations++;
	} else if (recording->ahead_count && recording->ahead[0] == recording->at) {
		recording->ahead_count--;
		memmove(recording->ahead, recording->ahead + 1,
			recording->ahead_count * sizeof(*recording->ahead));
	}
	return 0;
}

/* A record that is not delivered. */
static int take(struct tacho_oa_recording *recording, const struct header *header)
{
	switch (header->type) {
	case TACHO__OA_TYPE_VERSION: return take_version(recording, header);
	case TACHO__OA_TYPE_DEVICE: return take_device(recording, header);
	case TACHO__OA_TYPE_TOPOLOGY: return take_topology(recording, header);
	case TACHO__OA_TYPE_CORRELATION: return take_correlation(recording, header);
	default: recording->counts.unknown++; return 0;
	}
}

static int is_delivered(enum tacho__oa_type type)
{
	return type == TACHO__OA_TYPE_SAMPLE || type == TACHO__OA_TYPE_REPORT_LOST ||
	       type == TACHO__OA_TYPE_BUFFER_LOST;
}

static int check_report(struct tacho_oa_recording *recording, const struct header *header)
{
	if (!recording->has_unit)
		return fail_at(recording, recording->at,
			       "a report comes before the description of the device");
	/* id and timestamp, of 64 bits each in the newer formats */
	if (header->body_bytes < 16)
		return fail_at(recording, recording->at,
			       tacho__detail("a report of %zu bytes", header->body_bytes));
	if (recording->report_bytes && header->body_bytes != recording->report_bytes)
		return fail_at(recording, recording->at,
			       tacho__detail("a report of %zu bytes, and those before have %zu",
					     header->body_bytes, recording->report_bytes));
	recording->report_bytes = header->body_bytes;
	return 0;
}

/* Formats with a header of 64-bit values: i915's of the media unit; xe's OAC, OAM and PEC. */
static int has_wide_header(const struct tacho_oa_device *device)
{
	return device->driver == TACHO_OA_XE ? device->format >= 7 : device->format >= 13;
}

static int deliver_report(struct tacho_oa_recording *recording, struct header header,
			  struct tacho_oa_record *record)
{
	int rc = check_report(recording, &header);

	if (rc)
		return rc;
	look_ahead(recording);
	/* that may have moved the buffer */
	header.body =
		recording->buffer + (recording->at - recording->base) + TACHO__OA_HEADER_BYTES;
	record->bytes = header.body;
	record->size = header.body_bytes;
	record->gpu_ticks = tacho__oa_clock_unwrap(
		&recording->clock, recording->ahead_count,
		tacho__oa_get32(header.body + (has_wide_header(&recording->device) ? 8 : 4)));
	record->cpu_ns = 0;
	record->time =
		tacho__oa_clock_convert(&recording->clock, record->gpu_ticks, &record->cpu_ns);
	recording->counts.reports++;
	return 0;
}

static int deliver(struct tacho_oa_recording *recording, const struct header *header,
		   struct tacho_oa_record *out_record)
{
	struct tacho_oa_record record = {.offset = recording->at};
	uint64_t next = recording->at + TACHO__OA_HEADER_BYTES + header->body_bytes;
	int rc = 0;

	if (header->type == TACHO__OA_TYPE_SAMPLE) {
		rc = deliver_report(recording, *header, &record);
	} else if (header->type == TACHO__OA_TYPE_REPORT_LOST) {
		record.kind = TACHO_OA_REPORT_LOST;
		recording->counts.reports_lost++;
	} else {
		record.kind = TACHO_OA_BUFFER_LOST;
		recording->counts.buffers_lost++;
	}
	if (rc)
		return rc;
	recording->at = next;
	*out_record = record;
	return 1;
}

/* Up to the next record that is to be delivered: 1, 0 at the end. */
static int advance(struct tacho_oa_recording *recording, struct header *out_header)
{
	for (;;) {
		int rc = look(recording, recording->at, out_header);

		if (rc < 0 || (!rc && recording->read_error))
			return fail_record(recording);
		if (!rc || is_delivered(out_header->type))
			return rc;
		rc = take(recording, out_header);
		if (rc)
			return rc;
		recording->at += TACHO__OA_HEADER_BYTES + out_header->body_bytes;
	}
}

int tacho_oa_recording_next(struct tacho_oa_recording *recording,
			    struct tacho_oa_record *out_record)
{
	struct header header;
	int rc;

	if (recording->failed)
		return recording->failed;
	rc = advance(recording, &header);
	return rc == 1 ? deliver(recording, &header, out_record) : rc;
}

int tacho_oa_recording_is(const uint8_t *bytes, size_t size)
{
	uint32_t type;

	if (size < TACHO__OA_HEADER_BYTES)
		return 0;
	type = tacho__oa_get32(bytes);
	return (type == TACHO__OA_TYPE_VERSION || type == TACHO__XE_TYPE_VERSION) &&
	       tacho__oa_get16(bytes + 6) == TACHO__OA_HEADER_BYTES + TACHO__OA_VERSION_BYTES;
}

static int begin(struct tacho_oa_recording *recording)
{
	struct header header;
	int rc;

	fill(recording, 0, TACHO__OA_HEADER_BYTES);
	if (recording->read_error)
		return fail_record(recording);
	if (!recording->used)
		return tacho__fail(TACHO_E_PARSE, "it is empty",
				   "give a file that i915-perf-recorder wrote",
				   "%s is no OA recording", recording->name);
	if (!tacho_oa_recording_is(recording->buffer, recording->used))
		return tacho__fail(TACHO_E_PARSE, "it does not begin with a version",
				   "give a file that tacho oa record, i915-perf-recorder or "
				   "xe-perf-recorder wrote; of raw reports name the generation: "
				   "tacho oa decode --gen G",
				   "%s is no OA recording", recording->name);
	if (tacho__oa_get32(recording->buffer) == TACHO__XE_TYPE_VERSION)
		recording->device.driver = TACHO_OA_XE;
	rc = advance(recording, &header);
	if (rc < 0)
		return rc;
	if (!recording->has_unit)
		return fail_at(recording, recording->at,
			       rc ? "a report comes before the description of the device"
				  : "it ends without a description of the device");
	return 0;
}

static int open_file(struct tacho_file *file, struct tacho_oa_recording **out_recording)
{
	struct tacho_oa_recording *recording = calloc(1, sizeof(*recording));
	int rc;

	if (recording) {
		recording->name = strdup(file->name);
		recording->file = *file;
		recording->file.name = recording->name;
	} else {
		tacho_file_close(file);
	}
	if (!recording || !recording->name)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", file->name);
	else
		rc = begin(recording);
	if (rc) {
		tacho_oa_recording_close(recording);
		return rc;
	}
	*out_recording = recording;
	return 0;
}

int tacho_oa_recording_open_fd(int fd, const char *name, struct tacho_oa_recording **out_recording)
{
	struct tacho_file file = {.name = name, .fd = fd};

	return open_file(&file, out_recording);
}

int tacho_oa_recording_open(const char *path, struct tacho_oa_recording **out_recording)
{
	struct tacho_file file;
	int rc = tacho_file_open(path, &file);

	return rc ? rc : open_file(&file, out_recording);
}

void tacho_oa_recording_close(struct tacho_oa_recording *recording)
{
	if (!recording)
		return;
	tacho_file_close(&recording->file);
	free(recording->buffer);
	free(recording->name);
	free(recording);
}

const struct tacho_oa_device *
tacho_oa_recording_get_device(const struct tacho_oa_recording *recording)
{
	return &recording->device;
}

const struct tacho_oa_topology *
tacho_oa_recording_get_topology(const struct tacho_oa_recording *recording)
{
	return recording->has_topology ? &recording->topology : NULL;
}

const struct tacho_oa_counts *
tacho_oa_recording_get_counts(const struct tacho_oa_recording *recording)
{
	return &recording->counts;
}
