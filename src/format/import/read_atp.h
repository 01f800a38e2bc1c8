/* SPDX-License-Identifier: MIT */
/*
 * Reading .atp files of versions 2 and 3: the sections as blocks of lines, and each sort of line.
 * Everything points into the file's text.
 */
#ifndef TACHO_FORMAT_IMPORT_READ_ATP_H
#define TACHO_FORMAT_IMPORT_READ_ATP_H

#include "base/map.h"
#include "format/import/import_header.h"
#include "format/import/span.h"

/* From the last on: those that tacho writes besides, numbers into `others` of the file. */
enum tacho__atp_api { TACHO__ATP_OPENCL, TACHO__ATP_HSA, TACHO__ATP_OTHERS };

enum { TACHO__ATP_OTHERS_MAX = 16 };

enum tacho__atp_section {
	TACHO__ATP_CALLS,
	TACHO__ATP_TIMES,
	TACHO__ATP_CALLERS, /* stack traces */
	TACHO__ATP_KERNELS, /* HSA dispatches; of no thread */
	TACHO__ATP_MARKERS,
};

/* The lines of one thread in one section. */
struct tacho__atp_block {
	enum tacho__atp_section section;
	enum tacho__atp_api api;
	uint32_t thread;
	uint32_t occurrence; /* of this thread in sections of this sort, from 0 */
	uint64_t count;	     /* of lines that are there */
	struct tacho__span lines;
};

struct tacho__atp_file {
	struct tacho__atp_block *blocks; /* owned */
	size_t count, capacity;
	struct tacho__map by_key; /* what tacho__atp_find() looks for -> number of the block + 1 */
	char others[TACHO__ATP_OTHERS_MAX][32]; /* names of APIs */
	size_t other_count;
	uint64_t unreadable; /* bytes outside of anything known */
	bool is_cut;	     /* a block has fewer lines than it says */
};

/*
 * Finds the blocks of `text` and fills the header. VERSION for a file of the graphics server
 * ("ATP version 1"), PARSE for what is no .atp, NOMEM. `name` is for messages.
 */
int tacho__atp_read(const char *name, struct tacho__span text, struct tacho__import_header *header,
		    struct tacho__atp_file *out_file);
void tacho__atp_file_finish(struct tacho__atp_file *file);

/* NULL when there is none. */
const struct tacho__atp_block *tacho__atp_find(const struct tacho__atp_file *file,
					       enum tacho__atp_section section,
					       enum tacho__atp_api api, uint32_t thread,
					       uint32_t occurrence);

/* "RET = NAME ( ARGS )"; behind it remarks: for repeated calls, and those that tacho makes. */
struct tacho__atp_call {
	struct tacho__span result; /* empty for none */
	struct tacho__span name, arguments;
	uint64_t repeats;	  /* consecutive calls less one */
	bool has_failed, is_bare; /* as remarks tell, of other APIs than OpenCL and HSA */
};
bool tacho__atp_parse_call(struct tacho__span line, struct tacho__atp_call *out_call);

/* Takes the next argument off; false behind the last. */
bool tacho__atp_take_argument(struct tacho__span *arguments, struct tacho__span *out_argument);

/* The command part of a line of times. */
struct tacho__atp_command {
	uint32_t code;
	struct tacho__span name;
	uint64_t queued_ns, submit_ns, start_ns, end_ns;
	int64_t queue_number, context_number; /* -1: not known */
	uint64_t queue, context;
	struct tacho__span device;
	bool is_kernel;
	uint64_t kernel;
	struct tacho__span kernel_name;
	uint32_t dimensions; /* 0: not known */
	uint64_t global[3], local[3];
	bool has_local, has_bytes;
	uint64_t bytes;
};

struct tacho__atp_times {
	int number;
	struct tacho__span name;
	uint64_t start_ns, end_ns;
	bool has_command;
	struct tacho__atp_command command;
	bool has_copy; /* an HSA copy that ran by itself */
	uint64_t copy_start_ns, copy_end_ns;
};

/*
 * A line of times. `name` is the function that the call's line names, NULL when that is not known:
 * a name that fills its field runs into the next one. The header names the devices, whose names do
 * likewise. A command part that does not read is left out, and *out_is_cut set.
 */
bool tacho__atp_parse_times(struct tacho__span line, struct tacho__span name,
			    enum tacho__atp_api api, const struct tacho__import_header *header,
			    struct tacho__atp_times *out_times, bool *out_is_cut);

/* What the API calls the sort of command, by its name. */
enum tacho_command_kind tacho__atp_command_kind(struct tacho__span name);

/* A dispatch of HSA, or another packet; in any of the three forms that files have. */
struct tacho__atp_packet {
	struct tacho__span kernel, device, type;
	uint64_t object, start_ns, end_ns;
	uint64_t agent;
	int64_t queue_number; /* -1: not known */
	uint64_t queue;	      /* 0: not known */
	uint32_t dimensions;  /* 0: not known */
	uint64_t global[3], local[3];
	bool has_memory;
	uint64_t private_bytes, group_bytes;
};
bool tacho__atp_parse_packet(struct tacho__span line, struct tacho__atp_packet *out_packet);

/* A line of the activity logger. */
struct tacho__atp_marker {
	struct tacho__span function, name, group; /* the latter two empty for none */
	uint64_t at_ns;
};
bool tacho__atp_parse_marker(struct tacho__span line, struct tacho__atp_marker *out_marker);

/* Who made a call: "symbol (file:line)"; false when the line does not tell. */
struct tacho__atp_caller {
	struct tacho__span function, symbol, line, file;
};
bool tacho__atp_parse_caller(struct tacho__span line, struct tacho__atp_caller *out_caller);

#endif
