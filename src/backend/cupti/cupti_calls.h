/* SPDX-License-Identifier: MIT */
/*
 * What tacho calls of libcupti and libnvperf_host, declared anew. Each function takes one struct,
 * whose first field is the size that the library expects: exactly that of its own version. The
 * structs here are those of the newest known version; cupti_library.c tries the older sizes, too.
 */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_CALLS_H
#define TACHO_BACKEND_CUPTI_CUPTI_CALLS_H

#include <stddef.h>
#include <stdint.h>

/* What every struct begins with. */
struct tacho__cupti_head {
	size_t size;
	void *reserved; /* NULL */
};

enum tacho__cupti_type {
	TACHO__CUPTI_COUNTER,
	TACHO__CUPTI_RATIO,
	TACHO__CUPTI_THROUGHPUT,
	TACHO__CUPTI_TYPE_COUNT
};

enum {
	TACHO__CUPTI_RANGES = 0, /* the kind of profiler: ranges, not samples */
	TACHO__CUPTI_INVALID_PARAMETER = 1,
	TACHO__CUPTI_INVALID_METRIC = 17,
	TACHO__CUPTI_NOT_SUPPORTED = 27,
	TACHO__CUPTI_INVALID_CHIP = 46,
};

struct tacho__cupti_chips {
	struct tacho__cupti_head head;
	size_t count;
	const char *const *names;
};

struct tacho__cupti_open {
	struct tacho__cupti_head head;
	int profiler;
	const char *chip;
	const uint8_t *availability;
	void *host; /* out */
	const char *single_pass_set;
};

struct tacho__cupti_close {
	struct tacho__cupti_head head;
	void *host;
};

struct tacho__cupti_bases {
	struct tacho__cupti_head head;
	void *host;
	int type;
	const char *const *names;
	size_t count;
};

struct tacho__cupti_endings {
	struct tacho__cupti_head head;
	void *host;
	int type;
	const char *name;
	size_t count;
	const char *const *endings;
};

struct tacho__cupti_properties {
	struct tacho__cupti_head head;
	void *host;
	const char *name;
	const char *description, *hw_unit, *unit; /* out, borrowed */
	int type;
};

struct tacho__cupti_metrics {
	struct tacho__cupti_head head;
	void *host;
	const char *const *names;
	size_t count;
};

struct tacho__cupti_image_size {
	struct tacho__cupti_head head;
	void *host;
	size_t size;
};

struct tacho__cupti_image {
	struct tacho__cupti_head head;
	void *host;
	size_t size;
	uint8_t *bytes;
};

struct tacho__cupti_passes {
	struct tacho__cupti_head head;
	size_t size;
	uint8_t *bytes;
	size_t count;
};

/* ---- libnvperf_host ---- */

struct tacho__nvpw_counters {
	struct tacho__cupti_head head;
	const uint8_t *bytes;
	size_t size;
	size_t pass;
	const char **names; /* NULL: only their count is asked for */
	size_t count;
};

struct tacho__nvpw_scratch {
	struct tacho__cupti_head head;
	const char *chip;
	const uint8_t *availability;
	size_t size;
};

struct tacho__nvpw_evaluator {
	struct tacho__cupti_head head;
	uint8_t *scratch;
	size_t scratch_size;
	const char *chip;
	const uint8_t *availability;
	const uint8_t *counter_data;
	size_t counter_data_size;
	void *evaluator; /* out */
};

struct tacho__nvpw_close {
	struct tacho__cupti_head head;
	void *evaluator;
};

/* A metric in the library's own words. */
struct tacho__nvpw_request {
	size_t metric;
	uint8_t type;
	uint8_t rollup;
	uint16_t submetric;
};

enum { TACHO__NVPW_REQUEST_SIZE = 12 }; /* to the end of the last field */

struct tacho__nvpw_convert {
	struct tacho__cupti_head head;
	void *evaluator;
	const char *name;
	struct tacho__nvpw_request *request;
	size_t request_size;
};

struct tacho__nvpw_needs {
	struct tacho__cupti_head head;
	void *evaluator;
	const struct tacho__nvpw_request *requests;
	size_t count;
	size_t request_size, request_stride;
	const char **names;
	size_t name_count;
	const char **optional_names;
	size_t optional_count;
};

#endif
