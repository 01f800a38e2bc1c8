/* SPDX-License-Identifier: MIT */
/*
 * Lines of times of .atp files. Fields are padded to a width and never cut, so a value that fills
 * its field runs into the next one: what follows is then told by what it is made of.
 */
#include <string.h>

#include "base/array.h"
#include "format/import/read_atp.h"

/* Widths of the fields whose values may be longer. */
enum { NAME_WIDTH = 45, COMMAND_WIDTH = 40, DEVICE_WIDTH = 30 };

static bool take_u64(struct tacho__span *rest, uint64_t *out_value)
{
	struct tacho__span word;

	return tacho__span_take_word(rest, &word) && tacho__span_to_u64(word, out_value);
}

static bool take_object(struct tacho__span *rest, int64_t *out_number, uint64_t *out_handle)
{
	struct tacho__span word;

	return tacho__span_take_word(rest, &word) && tacho__span_to_i64(word, out_number) &&
	       tacho__span_take_word(rest, &word) && tacho__span_to_handle(word, out_handle);
}

/* A word before a number: one that fills its field has the number's digits at its end. */
static bool take_name(struct tacho__span *rest, size_t width, struct tacho__span *out_name)
{
	if (!tacho__span_take_word(rest, out_name))
		return false;
	if (tacho__span_size(*out_name) > width)
		rest->at = tacho__span_take_digits(out_name).at;
	return tacho__span_size(*out_name) != 0;
}

enum tacho_command_kind tacho__atp_command_kind(struct tacho__span name)
{
	static const struct {
		const char *part;
		enum tacho_command_kind kind;
	} parts[] = {
		{"_NDRANGE_KERNEL", TACHO_COMMAND_KERNEL},
		{"_TASK", TACHO_COMMAND_KERNEL},
		{"_MEMFILL", TACHO_COMMAND_FILL},
		{"_FILL_", TACHO_COMMAND_FILL},
		{"_MEMCPY", TACHO_COMMAND_COPY},
		{"_COPY_", TACHO_COMMAND_COPY},
		{"_READ_", TACHO_COMMAND_READ},
		{"_WRITE_", TACHO_COMMAND_WRITE},
		{"_UNMAP", TACHO_COMMAND_UNMAP},
		{"_MAP", TACHO_COMMAND_MAP},
		{"_COMMAND_BUFFER", TACHO_COMMAND_BUFFER},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(parts); i++)
		if (tacho__span_find(name, parts[i].part))
			return parts[i].kind;
	for (int kind = TACHO_COMMAND_KERNEL; kind < TACHO_COMMAND_BUFFER; kind++)
		if (tacho__span_is(name, tacho_command_kind_to_string(kind)))
			return (enum tacho_command_kind)kind; /* of other APIs' sections */
	return TACHO_COMMAND_OTHER;
}

/* Where a handle begins that follows on a name without a blank. */
static const char *find_handle(struct tacho__span word)
{
	uint64_t handle;

	if (tacho__span_ends(word, "NULL"))
		return word.end - strlen("NULL");
	for (const char *at = word.end - 2; at > word.at; at--)
		if (tacho__span_to_handle((struct tacho__span){at, word.end}, &handle))
			return at;
	return word.end;
}

static bool take_device(struct tacho__span *rest, bool is_kernel,
			const struct tacho__import_header *header, struct tacho__span *out_device)
{
	struct tacho__span word;
	size_t size;

	if (!tacho__span_take_word(rest, &word))
		return false;
	if (tacho__span_size(word) > DEVICE_WIDTH) {
		const char *end = word.end;

		if (tacho__import_header_find(header, word, &size) && size >= DEVICE_WIDTH)
			end = word.at + size;
		else if (is_kernel)
			end = find_handle(word);
		else
			tacho__span_take_digits(&word), end = word.end;
		word.end = end;
		rest->at = end;
	}
	*out_device = word;
	return tacho__span_size(word) != 0;
}

static bool take_launch(struct tacho__span rest, struct tacho__atp_command *command)
{
	struct tacho__span word, local, global;
	uint32_t count = 0;

	if (!tacho__span_take_word(&rest, &word) || !tacho__span_to_handle(word, &command->kernel))
		return false;
	if (!tacho__span_take_last_word(&rest, &local) ||
	    !tacho__span_take_last_word(&rest, &global))
		return false;
	command->kernel_name = tacho__span_trim(rest);
	if (!tacho__span_size(command->kernel_name))
		return false;
	if (!tacho__span_to_sizes(global, command->global, &command->dimensions))
		command->dimensions = 0;
	command->has_local = tacho__span_to_sizes(local, command->local, &count);
	return true;
}

static bool take_command(struct tacho__span rest, const struct tacho__import_header *header,
			 struct tacho__atp_command *out_command)
{
	struct tacho__atp_command command = {.queue_number = -1, .context_number = -1};
	struct tacho__span word;

	if (!tacho__span_take_word(&rest, &word) || !tacho__span_to_u32(word, &command.code) ||
	    !take_name(&rest, COMMAND_WIDTH, &command.name) ||
	    !take_u64(&rest, &command.queued_ns) || !take_u64(&rest, &command.submit_ns) ||
	    !take_u64(&rest, &command.start_ns) || !take_u64(&rest, &command.end_ns) ||
	    !take_object(&rest, &command.queue_number, &command.queue) ||
	    !take_object(&rest, &command.context_number, &command.context))
		return false;
	command.is_kernel = tacho__atp_command_kind(command.name) == TACHO_COMMAND_KERNEL;
	if (!take_device(&rest, command.is_kernel, header, &command.device))
		return false;
	if (command.is_kernel && !take_launch(rest, &command))
		return false;
	if (!command.is_kernel)
		command.has_bytes = take_u64(&rest, &command.bytes);
	*out_command = command;
	return true;
}

static bool take_function(struct tacho__span *rest, struct tacho__span name,
			  struct tacho__span *out_name)
{
	*rest = tacho__span_trim(*rest);
	if (!name.at || !tacho__span_size(name) ||
	    tacho__span_size(*rest) < tacho__span_size(name) ||
	    memcmp(rest->at, name.at, tacho__span_size(name)) != 0)
		return take_name(rest, NAME_WIDTH, out_name);
	rest->at += tacho__span_size(name);
	*out_name = name;
	return true;
}

bool tacho__atp_parse_times(struct tacho__span line, struct tacho__span name,
			    enum tacho__atp_api api, const struct tacho__import_header *header,
			    struct tacho__atp_times *out_times, bool *out_is_cut)
{
	struct tacho__atp_times times = {0};
	struct tacho__span word;
	uint32_t number;

	if (!tacho__span_take_word(&line, &word) || !tacho__span_to_u32(word, &number) ||
	    !take_function(&line, name, &times.name) || !take_u64(&line, &times.start_ns) ||
	    !take_u64(&line, &times.end_ns))
		return false;
	times.number = number <= INT32_MAX ? (int)number : -1;
	line = tacho__span_trim(line);
	*out_is_cut = false;
	if (tacho__span_size(line) && api == TACHO__ATP_HSA) {
		times.has_copy = take_u64(&line, &times.copy_start_ns) &&
				 take_u64(&line, &times.copy_end_ns);
		*out_is_cut = !times.has_copy;
	} else if (tacho__span_size(line)) {
		times.has_command = take_command(line, header, &times.command);
		*out_is_cut = !times.has_command;
	}
	*out_times = times;
	return true;
}

/* ---- HSA's packets ---- */

static bool is_number(struct tacho__span word)
{
	uint64_t value;

	return tacho__span_to_u64(word, &value) || tacho__span_to_handle(word, &value);
}

static uint64_t to_number(struct tacho__span word)
{
	uint64_t value = 0;

	if (!tacho__span_to_u64(word, &value))
		tacho__span_to_handle(word, &value);
	return value;
}

/* A name may hold blanks, so it ends where a handle and two times follow. */
static bool take_kernel(struct tacho__span *line, struct tacho__atp_packet *packet)
{
	struct tacho__span rest = *line, word, after;

	while (tacho__span_take_word(&rest, &word)) {
		after = rest;
		if (word.at == line->at || !tacho__span_to_handle(word, &packet->object) ||
		    !take_u64(&after, &packet->start_ns) || !take_u64(&after, &packet->end_ns))
			continue;
		packet->kernel =
			tacho__span_trim((struct tacho__span){.at = line->at, .end = word.at});
		*line = after;
		return true;
	}
	return false;
}

/* The fields of the packet itself: header, setup, group x y z, -, grid x y z, private, group, ...
 */
static void take_fields(struct tacho__span text, struct tacho__atp_packet *packet)
{
	enum { SETUP = 1, GROUP = 2, GRID = 6, PRIVATE = 9, SHARED = 10, FIELDS = 11 };
	uint64_t fields[FIELDS];
	const char *at = text.at + 1;

	for (int i = 0; i < FIELDS; i++) {
		const char *end = memchr(at, ',', (size_t)(text.end - at));

		if (!end || !tacho__span_to_u64((struct tacho__span){at, end}, &fields[i]))
			return;
		at = end + 1;
	}
	/* the two lowest bits: HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS of hsa.h */
	packet->dimensions = fields[SETUP] & 3;
	packet->has_memory = true;
	packet->private_bytes = fields[PRIVATE];
	packet->group_bytes = fields[SHARED];
	for (int i = 0; i < 3; i++) {
		packet->global[i] = fields[GRID + i];
		packet->local[i] = fields[GROUP + i];
	}
}

/* Of 5.6: agent handle, queue number, device number, type, id, {fields}. */
static bool take_packet(struct tacho__span *rest, struct tacho__span fields,
			struct tacho__atp_packet *packet)
{
	struct tacho__span id, words[3];
	size_t count = 0;

	if (!tacho__span_take_last_word(rest, &id) ||
	    !tacho__span_take_last_word(rest, &packet->type))
		return false;
	while (count < 3) {
		struct tacho__span before = *rest;

		if (!tacho__span_take_last_word(rest, &words[count]) || !is_number(words[count])) {
			*rest = before;
			break;
		}
		count++;
	}
	if (count == 3) {
		packet->agent = to_number(words[2]);
		tacho__span_to_i64(words[1], &packet->queue_number);
	} else if (count) {
		packet->agent = to_number(words[count - 1]);
	}
	take_fields(fields, packet);
	return true;
}

/* Of earlier versions: agent handle, queue handle, and between them perhaps the queue's number. */
static bool take_handles(struct tacho__span *rest, struct tacho__span queue,
			 struct tacho__atp_packet *packet)
{
	struct tacho__span second, third, before;

	if (!is_number(queue) || !tacho__span_take_last_word(rest, &second) || !is_number(second))
		return false;
	packet->queue = to_number(queue);
	packet->type = tacho__span_of("HSA_PACKET_TYPE_KERNEL_DISPATCH");
	packet->agent = to_number(second);
	before = *rest;
	if (!tacho__span_take_last_word(rest, &third) || !is_number(third) ||
	    !tacho__span_size(tacho__span_trim(*rest))) {
		*rest = before;
		return true;
	}
	packet->agent = to_number(third);
	tacho__span_to_i64(second, &packet->queue_number);
	return true;
}

bool tacho__atp_parse_packet(struct tacho__span line, struct tacho__atp_packet *out_packet)
{
	struct tacho__atp_packet packet = {.queue_number = -1};
	struct tacho__span rest = line, last;
	bool good;

	if (!take_kernel(&rest, &packet) || !tacho__span_take_last_word(&rest, &last))
		return false;
	good = *last.at == '{' ? take_packet(&rest, last, &packet)
			       : take_handles(&rest, last, &packet);
	packet.device = tacho__span_trim(rest);
	if (!good || !tacho__span_size(packet.device))
		return false;
	*out_packet = packet;
	return true;
}
