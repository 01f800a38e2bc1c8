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
	TACHO__CUPTI_INVALID_PARAMETER = 1,
	TACHO__CUPTI_INVALID_OPERATION = 7,
	TACHO__CUPTI_INVALID_METRIC = 17,
	TACHO__CUPTI_BUSY = 26,
	TACHO__CUPTI_NOT_SUPPORTED = 27,
	TACHO__CUPTI_NO_RIGHTS = 35,
	TACHO__CUPTI_INVALID_CHIP = 46,
};

struct tacho__cupti_chips {
	struct tacho__cupti_head head;
	size_t count;
	const char *const *names;
};

/* What is counted: ranges of work, or the whole GPU by the clock. They know different metrics. */
enum tacho__cupti_kind {
	TACHO__CUPTI_RANGES = 0,
	TACHO__CUPTI_SAMPLES = 1,
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

/* Values of what a counter data image has of a range. */
struct tacho__cupti_evaluate {
	struct tacho__cupti_head head;
	void *host;
	const uint8_t *data;
	size_t data_size;
	size_t range;
	const char *const *names;
	size_t count;
	double *values; /* out; NaN: it was not collected */
};

/* ---- on a GPU: only behind cuInit() and a count of devices, some of these crash otherwise ---- */

struct tacho__cupti_supported {
	struct tacho__cupti_head head;
	int device;
	int is_supported, architecture, sli, vgpu, confidential, mining, wsl; /* out */
	int api;
};

/* What the fields of struct tacho__cupti_supported are. */
enum {
	TACHO__CUPTI_SUPPORT_UNKNOWN = 0,
	TACHO__CUPTI_SUPPORT_NONE,
	TACHO__CUPTI_SUPPORT_DISABLED, /* by the system */
	TACHO__CUPTI_SUPPORT_GOOD,
};

struct tacho__cupti_chip_name {
	struct tacho__cupti_head head;
	size_t device;
	const char *chip; /* out */
};

struct tacho__cupti_availability {
	struct tacho__cupti_head head;
	void *context;
	size_t size;
	uint8_t *bytes;	       /* NULL: only the size is asked for */
	uint8_t allows_device; /* from 13.3 on: counters of the device, too */
};

struct tacho__cupti_enable {
	struct tacho__cupti_head head;
	void *context;
	void *profiler;	   /* out */
	int cache_control; /* from 13.4 on */
};

struct tacho__cupti_profiler_only { /* disable, start, pop */
	struct tacho__cupti_head head;
	void *profiler;
};

enum { TACHO__CUPTI_AUTO_RANGES = 1, TACHO__CUPTI_USER_RANGES = 2 };

enum {
	TACHO__CUPTI_REPLAY_APPLICATION = 1,
	TACHO__CUPTI_REPLAY_KERNEL = 2,
	TACHO__CUPTI_REPLAY_USER = 3,
};

struct tacho__cupti_set_config {
	struct tacho__cupti_head head;
	void *profiler;
	size_t config_size;
	const uint8_t *config; /* read until the next one is set */
	size_t data_size;
	uint8_t *data;
	int ranges, replay;
	size_t range_max;
	uint16_t levels, first_level;
	size_t pass;
	uint16_t level;
};

struct tacho__cupti_stop {
	struct tacho__cupti_head head;
	void *profiler;
	size_t pass, level; /* out: of the next one */
	uint8_t all_submitted;
};

struct tacho__cupti_push {
	struct tacho__cupti_head head;
	void *profiler;
	const char *name;
};

struct tacho__cupti_decode {
	struct tacho__cupti_head head;
	void *profiler;
	size_t dropped; /* out: ranges */
};

struct tacho__cupti_data_size {
	struct tacho__cupti_head head;
	void *profiler;
	const char *const *names;
	size_t count;
	size_t range_max;
	uint32_t node_max;
	size_t size; /* out */
};

struct tacho__cupti_data {
	struct tacho__cupti_head head;
	void *profiler;
	size_t size;
	uint8_t *bytes;
};

struct tacho__cupti_data_info {
	struct tacho__cupti_head head;
	const uint8_t *bytes;
	size_t size;
	size_t range_count; /* out */
};

struct tacho__cupti_range_info {
	struct tacho__cupti_head head;
	const uint8_t *bytes;
	size_t size;
	size_t range;
	const char *delimiter;
	const char *name; /* out */
};

/* ---- samples of a whole GPU ---- */

/* An interface, of struct tacho__cupti_supported. */
enum { TACHO__CUPTI_API_RANGES = 0, TACHO__CUPTI_API_SAMPLES = 3 };

struct tacho__cupti_samples_availability {
	struct tacho__cupti_head head;
	size_t device; /* as CUDA numbers it in this process */
	size_t size;   /* in and out */
	uint8_t *bytes;
};

struct tacho__cupti_samples_enable {
	struct tacho__cupti_head head;
	size_t device;
	void *sampler; /* out */
};

enum { TACHO__CUPTI_EVERY_CYCLES = 0, TACHO__CUPTI_EVERY_NS = 1 };

struct tacho__cupti_samples_config {
	struct tacho__cupti_head head;
	void *sampler;
	size_t config_size;
	const uint8_t *config;
	size_t buffer_size; /* bytes of what the GPU has sampled and nobody decoded */
	uint64_t interval;
	int trigger;
	int append; /* 0: what came first is kept */
};

struct tacho__cupti_samples_size {
	struct tacho__cupti_head head;
	void *sampler;
	const char *const *names;
	size_t count;
	uint32_t sample_max;
	size_t size; /* out */
};

struct tacho__cupti_samples_decode {
	struct tacho__cupti_head head;
	void *sampler;
	uint8_t *data;
	size_t data_size;
	int reason; /* out: why it stopped, which is no fault */
	uint8_t overflow;
};

struct tacho__cupti_samples_count {
	struct tacho__cupti_head head;
	const uint8_t *data;
	size_t data_size;
	size_t total, populated, completed; /* out */
};

struct tacho__cupti_sample {
	struct tacho__cupti_head head;
	void *sampler;
	const uint8_t *data;
	size_t data_size;
	size_t index;
	uint64_t start_ns, end_ns; /* out */
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
