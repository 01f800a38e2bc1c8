/* SPDX-License-Identifier: MIT */
/* One record of rocprofv3's JSON: what of it is asked for, however deep it lies. */
#ifndef TACHO_FORMAT_FOREIGN_AMD_RECORD_H
#define TACHO_FORMAT_FOREIGN_AMD_RECORD_H

#include "format/foreign/amd.h"
#include "format/foreign/foreign_json.h"

/* Numbers and texts of agents, kernels, counters, calls, launches, copies: "A.B" lies in A. */
enum tacho__amd_field {
	TACHO__AMD_F_PID,
	TACHO__AMD_F_HOST,
	TACHO__AMD_F_ID,
	TACHO__AMD_F_NAME,
	TACHO__AMD_F_PRODUCT,
	TACHO__AMD_F_VENDOR,
	TACHO__AMD_F_TYPE,
	TACHO__AMD_F_NODE,
	TACHO__AMD_F_LOGICAL,
	TACHO__AMD_F_UNITS,
	TACHO__AMD_F_WAVE,
	TACHO__AMD_F_KERNEL_ID,
	TACHO__AMD_F_KERNEL_NAME,
	TACHO__AMD_F_FORMATTED_NAME,
	TACHO__AMD_F_GROUP_SEGMENT,
	TACHO__AMD_F_PRIVATE_SEGMENT,
	TACHO__AMD_F_SGPRS,
	TACHO__AMD_F_VGPRS,
	TACHO__AMD_F_ACCUM,
	TACHO__AMD_F_KIND, /* a number in records, a text in the list of kinds */
	TACHO__AMD_F_OPERATION,
	TACHO__AMD_F_OPERATIONS, /* the last one of a list */
	TACHO__AMD_F_KEY,
	TACHO__AMD_F_VALUE,
	TACHO__AMD_F_CORRELATION,
	TACHO__AMD_F_START,
	TACHO__AMD_F_END,
	TACHO__AMD_F_THREAD,
	TACHO__AMD_F_BYTES,
	TACHO__AMD_F_TO,
	TACHO__AMD_F_FROM,
	TACHO__AMD_F_AGENT,
	TACHO__AMD_F_QUEUE,
	TACHO__AMD_F_OF_KERNEL,
	TACHO__AMD_F_DISPATCH,
	TACHO__AMD_F_LOCAL,
	TACHO__AMD_F_GROUP_X,
	TACHO__AMD_F_GROUP_Y,
	TACHO__AMD_F_GROUP_Z,
	TACHO__AMD_F_GRID_X,
	TACHO__AMD_F_GRID_Y,
	TACHO__AMD_F_GRID_Z,
	TACHO__AMD_F_COUNTER,
	TACHO__AMD_F_COUNTED,
	TACHO__AMD_FIELDS
};

struct tacho__amd_record {
	struct tacho__amd_number numbers[TACHO__AMD_FIELDS];
	uint32_t texts[TACHO__AMD_FIELDS];
	double counted; /* of the last value of a counter */
	/* Called behind each element of a list in it that is a text or object, when it is set. */
	int (*on_element)(void *user, const struct tacho__amd_record *record,
			  enum tacho__amd_field last);
	void *user;
};

/* Reads the object whose beginning was the last piece. PARSE, IO, NOMEM. */
int tacho__amd_record_read(struct tacho__foreign *foreign, struct tacho__foreign_json *json,
			   struct tacho__amd_record *record);

#endif
