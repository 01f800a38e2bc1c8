/* SPDX-License-Identifier: MIT */
#include "intel_fake.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/intel/uapi.h"
#include "oa/report.h"

enum { NODE = 100, STREAM = 101, TEST_OA = 1, EXPONENT_MAX = 31, BUILT_IN = 2, FAKE_LIE = 1 << 16 };

static const char test_oa_guid[] = "4a534b07-cba3-414d-8d60-874830e883aa";
static const char render_basic_guid[] = "9d8a3af5-c02c-4a4a-b947-f1672469e0fb";

static const uint8_t chv_topology[] = {0, 0, 1, 0, 2, 0, 8, 0, 1,    0,
				       1, 0, 2, 0, 1, 0, 1, 3, 0xff, 0xff};

/* As the kernel with drm.debug says it. */
static int refuse(struct intel_fake *fake, int error, const char *why)
{
	snprintf(fake->complaint, sizeof(fake->complaint), "%s", why);
	errno = error;
	return -1;
}

static bool may_count(const struct intel_fake *fake)
{
	return !fake->is_paranoid || fake->is_privileged;
}

static int fake_open(void *user, const char *path)
{
	struct intel_fake *fake = user;

	if (fake->open_error)
		return refuse(fake, fake->open_error, "the node's rights");
	if (!strstr(path, "/dev/dri/renderD128") && !strstr(path, "dev/dri/card0"))
		return refuse(fake, ENOENT, "another path");
	if (fake->is_gone)
		return refuse(fake, ENXIO, "gone");
	fake->has_node = true;
	return NODE;
}

static int get_param(struct intel_fake *fake, struct tacho__i915_getparam *question)
{
	switch (question->param) {
	case TACHO__I915_PARAM_CHIPSET_ID: *question->value = 0x22b1; return 0;
	case TACHO__I915_PARAM_REVISION: *question->value = 33; return 0;
	case TACHO__I915_PARAM_PERF_REVISION:
		if (!fake->revision)
			return refuse(fake, EINVAL, "a parameter of newer kernels");
		*question->value = fake->revision;
		return 0;
	case TACHO__I915_PARAM_CS_TIMESTAMP_FREQUENCY:
		*question->value = (int)fake->timestamp_hz;
		return 0;
	default: return refuse(fake, EINVAL, "an unknown parameter");
	}
}

static int query_i915(struct intel_fake *fake, const struct tacho__i915_query *question)
{
	struct tacho__i915_query_item *item = (void *)(uintptr_t)question->items;

	if (question->flags || question->item_count != 1)
		return refuse(fake, EINVAL, "the query's head");
	if (item->flags || item->query_id != TACHO__I915_QUERY_TOPOLOGY)
		item->length = -EINVAL;
	else if (!item->length)
		item->length = sizeof(chv_topology);
	else if (item->length < (int)sizeof(chv_topology))
		item->length = -EINVAL;
	else
		memcpy((void *)(uintptr_t)item->data, chv_topology, sizeof(chv_topology));
	if (item->length > 0 && item->data && fake->lies)
		item->length = FAKE_LIE;
	return 0;
}

static bool is_guid(const char *guid)
{
	for (int i = 0; i < 36; i++) {
		bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (is_dash ? guid[i] != '-' : !strchr("0123456789abcdef", guid[i]))
			return false;
	}
	return true;
}

/* Registers that a set may write on Cherryview: gen8_is_valid_mux_addr() and its like. */
static bool is_allowed(int kind, uint32_t address)
{
	static const uint32_t flex[] = {0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c};

	if (kind == 1)
		return (address >= 0x2710 && address <= 0x272c) ||
		       (address >= 0x2740 && address <= 0x275c) ||
		       (address >= 0x2770 && address <= 0x27ac);
	for (size_t i = 0; kind == 2 && i < sizeof(flex) / sizeof(flex[0]); i++)
		if (address == flex[i])
			return true;
	return kind == 0 && ((address >= 0x91b8 && address <= 0x91cc) ||
			     (address >= 0x9800 && address <= 0x9888) || address == 0xe180 ||
			     (address >= 0x182300 && address <= 0x1823a4) ||
			     (address >= 0xd00 && address <= 0xd2c) || address == 0x20cc);
}

static int add_guid(struct intel_fake *fake, const char *guid, uint32_t count)
{
	if (!may_count(fake))
		return refuse(fake, EACCES, "paranoid");
	if (!count || !is_guid(guid))
		return refuse(fake, EINVAL, "no registers, or no GUID");
	for (int i = 0; i < FAKE_CONFIGS; i++)
		if (fake->configs[i].is_there && !strncmp(fake->configs[i].guid, guid, 36))
			return refuse(fake, EADDRINUSE, "the GUID is known");
	for (int i = BUILT_IN; i < FAKE_CONFIGS; i++) {
		if (fake->configs[i].is_there)
			continue;
		fake->configs[i].is_there = true;
		snprintf(fake->configs[i].guid, sizeof(fake->configs[i].guid), "%.36s", guid);
		fake->configs[i].register_count = count;
		fake->configs_added++;
		return i;
	}
	return refuse(fake, ENOSPC, "too many");
}

static int add_i915_config(struct intel_fake *fake, const struct tacho__i915_perf_config *config)
{
	const uint64_t lists[] = {config->mux, config->boolean, config->flex};
	const uint32_t counts[] = {config->mux_count, config->boolean_count, config->flex_count};

	for (int kind = 0; kind < 3; kind++) {
		const uint32_t *pairs = (const void *)(uintptr_t)lists[kind];

		for (uint32_t i = 0; i < counts[kind]; i++)
			if (!is_allowed(kind, pairs[2 * i]))
				return refuse(fake, EINVAL, "a register");
	}
	return add_guid(fake, config->uuid, counts[0] + counts[1] + counts[2]);
}

static int remove_config(struct intel_fake *fake, uint64_t config)
{
	if (!may_count(fake))
		return refuse(fake, EACCES, "paranoid");
	if (config < BUILT_IN || config >= FAKE_CONFIGS || !fake->configs[config].is_there)
		return refuse(fake, ENOENT, "no such set");
	fake->configs[config].is_there = false;
	fake->configs_removed++;
	return 0;
}

static bool has_config(const struct intel_fake *fake, uint64_t config)
{
	return config < FAKE_CONFIGS && fake->configs[config].is_there;
}

/* What both drivers look at last. */
static int begin_stream(struct intel_fake *fake, uint64_t config, uint64_t exponent,
			uint32_t report_size)
{
	uint64_t period_ns;

	if (fake->has_no_unit)
		return refuse(fake, ENODEV, "no OA unit");
	if (!may_count(fake))
		return refuse(fake, EACCES, "paranoid");
	if (!has_config(fake, config))
		return refuse(fake, EINVAL, "the set");
	if (exponent > EXPONENT_MAX)
		return refuse(fake, EINVAL, "the exponent");
	period_ns = ((2ull << exponent) * 1000000000 + fake->timestamp_hz - 1) / fake->timestamp_hz;
	if (fake->max_rate_hz && 1000000000 / period_ns > fake->max_rate_hz && !fake->is_privileged)
		return refuse(fake, EACCES, "the rate");
	if (fake->has_stream || fake->is_held)
		return refuse(fake, EBUSY, "another stream");
	fake->has_stream = true;
	fake->is_enabled = false;
	fake->config = config;
	fake->exponent = exponent;
	fake->report_size = report_size;
	fake->at = fake->size = 0;
	fake->opened++;
	return STREAM;
}

static int open_i915(struct intel_fake *fake, const struct tacho__i915_perf_open *open)
{
	static const uint32_t sizes[] = {64, 64, 128, 256}; /* of reports, from format 7 on */
	const uint64_t(*pairs)[2] = (const void *)(uintptr_t)open->properties;
	uint64_t values[16] = {0};
	uint32_t seen = 0;

	if (open->flags & ~7u || !(open->flags & TACHO__I915_PERF_DISABLED) ||
	    !(open->flags & TACHO__I915_PERF_NONBLOCK))
		return refuse(fake, EINVAL, "the flags");
	if (!open->property_count || open->property_count > 10)
		return refuse(fake, EINVAL, "the number of properties");
	for (uint32_t i = 0; i < open->property_count; i++) {
		uint64_t id = pairs[i][0];

		if (!id || id > 10 ||
		    (id == TACHO__I915_PROPERTY_POLL_PERIOD && fake->revision < 5))
			return refuse(fake, EINVAL, "an unknown property");
		seen |= 1u << id;
		values[id] = pairs[i][1];
	}
	fake->properties = seen;
	if (seen & 3u << TACHO__I915_PROPERTY_ENGINE_CLASS)
		return refuse(fake, EINVAL, "an engine: it has one that can be chosen only");
	if (!values[TACHO__I915_PROPERTY_SAMPLE_OA])
		return refuse(fake, EINVAL, "nothing to sample");
	if (!values[TACHO__I915_PROPERTY_METRICS_SET])
		return refuse(fake, EINVAL, "the set is 0");
	if (values[TACHO__I915_PROPERTY_FORMAT] < 7 || values[TACHO__I915_PROPERTY_FORMAT] > 10)
		return refuse(fake, EINVAL, "a format of another generation");
	if (!(seen & 1u << TACHO__I915_PROPERTY_EXPONENT))
		return refuse(fake, EINVAL, "no exponent");
	if (seen & 1u << TACHO__I915_PROPERTY_POLL_PERIOD &&
	    values[TACHO__I915_PROPERTY_POLL_PERIOD] < 100000)
		return refuse(fake, EINVAL, "the poll period");
	return begin_stream(fake, values[TACHO__I915_PROPERTY_METRICS_SET],
			    values[TACHO__I915_PROPERTY_EXPONENT],
			    sizes[values[TACHO__I915_PROPERTY_FORMAT] - 7]);
}

/*
 * The formats of Xe2 and which unit writes them (Linux xe_oa.c: oa_formats, and what
 * xe_oa_init_supported_formats() allows).
 */
static const struct {
	uint32_t type, select, size, bc; /* the property's four bytes */
	uint32_t bytes, unit;
} xe_formats[] = {
	{5, 1, 1, 0, 576, 3}, {5, 1, 1, 1, 640, 3}, {5, 1, 0, 0, 320, 3}, {5, 5, 1, 0, 320, 3},
	{5, 5, 0, 0, 192, 3}, {5, 6, 1, 0, 320, 3}, {5, 6, 0, 0, 192, 3}, {5, 3, 1, 0, 320, 3},
	{5, 4, 1, 0, 320, 3}, {4, 1, 0, 0, 192, 2}, {4, 2, 0, 0, 128, 2},
};

/* The size of a report; 0: no such format of this unit. */
static uint32_t check_xe_format(uint64_t format, uint64_t unit)
{
	for (size_t i = 0; i < sizeof(xe_formats) / sizeof(xe_formats[0]); i++)
		if (xe_formats[i].type == (format & 0xff) &&
		    xe_formats[i].select == (format >> 8 & 0xff) &&
		    xe_formats[i].size == (format >> 16 & 0xff) &&
		    xe_formats[i].bc == (format >> 24 & 0xff) && !(format >> 32) &&
		    xe_formats[i].unit == unit)
			return xe_formats[i].bytes;
	return 0;
}

static int open_xe(struct intel_fake *fake, uint64_t address)
{
	const struct tacho__xe_property *property;
	uint64_t values[16] = {0};
	uint32_t seen = 0, bytes;

	for (int i = 0; address; i++) {
		property = (const void *)(uintptr_t)address;
		if (i >= 16)
			return refuse(fake, E2BIG, "too many properties");
		if (property->name || property->pad || property->pad2 || !property->property ||
		    property->property > 13)
			return refuse(fake, EINVAL, "a property");
		seen |= 1u << property->property;
		values[property->property] = property->value;
		address = property->next;
	}
	if (values[TACHO__XE_PROPERTY_OA_UNIT] != 3 && values[TACHO__XE_PROPERTY_OA_UNIT] != 2)
		return refuse(fake, EINVAL, "the unit");
	bytes = check_xe_format(values[TACHO__XE_PROPERTY_FORMAT],
				values[TACHO__XE_PROPERTY_OA_UNIT]);
	if (!bytes)
		return refuse(fake, EINVAL, "the format");
	fake->format = values[TACHO__XE_PROPERTY_FORMAT];
	if (!values[TACHO__XE_PROPERTY_SAMPLE_OA] || !values[TACHO__XE_PROPERTY_DISABLED] ||
	    !(seen & 1u << TACHO__XE_PROPERTY_EXPONENT))
		return refuse(fake, EINVAL, "what is sampled");
	return begin_stream(fake, values[TACHO__XE_PROPERTY_METRIC_SET],
			    values[TACHO__XE_PROPERTY_EXPONENT], bytes);
}

static int observe(struct intel_fake *fake, const struct tacho__xe_observation *observation)
{
	const struct tacho__xe_oa_config *config;

	if (observation->extensions || observation->type)
		return refuse(fake, EINVAL, "the kind of observation");
	switch (observation->operation) {
	case TACHO__XE_OBSERVATION_OPEN: return open_xe(fake, observation->param);
	case TACHO__XE_OBSERVATION_ADD_CONFIG:
		config = (const void *)(uintptr_t)observation->param;
		if (config->extensions)
			return refuse(fake, EINVAL, "the set's extensions");
		return add_guid(fake, config->uuid, config->register_count);
	case TACHO__XE_OBSERVATION_REMOVE_CONFIG:
		return remove_config(fake, *(const uint64_t *)(uintptr_t)observation->param);
	default: return refuse(fake, EINVAL, "the operation");
	}
}

/* Two cores of eight EUs; the media unit comes first, as a trap. */
static int query_xe(struct intel_fake *fake, struct tacho__xe_device_query *question)
{
	static const uint64_t config[] = {1, 0x00046420};
	static const uint8_t topology[] = {0, 0, 2, 0, 4, 0, 0, 0, 3,	 0, 0, 0,
					   0, 0, 5, 0, 4, 0, 0, 0, 0xff, 0, 0, 0};
	uint64_t units[2 + 2 * 10] = {0, 2};
	const void *answer = NULL;
	uint32_t size = 0;

	units[2 + 1] = 1ull << 32 | 2; /* media */
	units[2 + 2] = 1;
	units[2 + 3] = 24000000;
	units[2 + 8] = 1;
	units[2 + 9] = 2; /* its engine: class 2, instance 0 */
	units[12 + 1] = 3;
	units[12 + 2] = TACHO__XE_OA_UNIT_BASE;
	units[12 + 3] = fake->timestamp_hz;
	units[12 + 8] = 1;
	units[12 + 9] = 4; /* its engine: class 4, instance 0 */
	if (question->query == TACHO__XE_QUERY_CONFIG) {
		answer = config;
		size = sizeof(config);
	} else if (question->query == TACHO__XE_QUERY_TOPOLOGY) {
		answer = topology;
		size = sizeof(topology);
	} else if (question->query == TACHO__XE_QUERY_OA_UNITS) {
		answer = units;
		size = sizeof(units);
	} else if (question->query == TACHO__XE_QUERY_ENGINE_CYCLES) {
		struct tacho__xe_engine_cycles *cycles = (void *)(uintptr_t)question->data;

		if (question->size != sizeof(*cycles) ||
		    (cycles->engine.class != 4 && cycles->engine.class != 2) ||
		    cycles->clock != CLOCK_MONOTONIC)
			return refuse(fake, EINVAL, "the clock");
		cycles->cycles = fake->clock_ticks + (cycles->engine.class == 2);
		cycles->cpu_ns = 77;
		return 0;
	}
	if (!answer)
		return refuse(fake, EINVAL, "an unknown query");
	if (question->size && question->size != size)
		return refuse(fake, EINVAL, "the answer's size");
	if (question->size)
		memcpy((void *)(uintptr_t)question->data, answer, size);
	question->size = question->data && fake->lies ? FAKE_LIE : size;
	return 0;
}

static int node_ioctl(struct intel_fake *fake, unsigned long request, void *argument)
{
	if (fake->driver == TACHO_OA_XE) {
		if (request == TACHO__XE_DEVICE_QUERY)
			return query_xe(fake, argument);
		if (request == TACHO__XE_OBSERVATION)
			return observe(fake, argument);
		return refuse(fake, ENOTTY, "an ioctl of the node");
	}
	switch (request) {
	case TACHO__I915_GETPARAM: return get_param(fake, argument);
	case TACHO__I915_QUERY: return query_i915(fake, argument);
	case TACHO__I915_PERF_OPEN: return open_i915(fake, argument);
	case TACHO__I915_PERF_ADD_CONFIG: return add_i915_config(fake, argument);
	case TACHO__I915_PERF_REMOVE_CONFIG: return remove_config(fake, *(uint64_t *)argument);
	case TACHO__I915_REG_READ: {
		struct tacho__i915_reg_read *question = argument;

		if (question->offset != 0x2359)
			return refuse(fake, EINVAL, "a register");
		question->value = fake->clock_ticks;
		return 0;
	}
	default: return refuse(fake, ENOTTY, "an ioctl of the node");
	}
}

static int stream_ioctl(struct intel_fake *fake, unsigned long request, void *argument)
{
	if (request == TACHO__OA_STREAM_ENABLE || request == TACHO__OA_STREAM_DISABLE) {
		fake->is_enabled = request == TACHO__OA_STREAM_ENABLE;
		return 0;
	}
	if (fake->driver == TACHO_OA_XE && request == TACHO__XE_STREAM_STATUS) {
		((struct tacho__xe_oa_status *)argument)->status = fake->xe_status;
		fake->xe_status = 0;
		return 0;
	}
	return refuse(fake, EINVAL, "an ioctl of the stream");
}

static int fake_ioctl(void *user, int fd, unsigned long request, void *argument)
{
	struct intel_fake *fake = user;
	int result;

	pthread_mutex_lock(&fake->lock);
	if (fake->is_gone)
		result = refuse(fake, ENODEV, "gone");
	else if (fd == NODE && fake->has_node)
		result = node_ioctl(fake, request, argument);
	else if (fd == STREAM && fake->has_stream)
		result = stream_ioctl(fake, request, argument);
	else
		result = refuse(fake, EBADF, "a descriptor");
	pthread_mutex_unlock(&fake->lock);
	return result;
}

/* i915 gives whole records only. */
static ssize_t copy_records(struct intel_fake *fake, uint8_t *bytes, size_t size)
{
	size_t copied = 0;

	while (fake->at + copied < fake->size) {
		uint16_t record;

		memcpy(&record, fake->queue + fake->at + copied + 6, sizeof(record));
		if (copied + record > size)
			break;
		memcpy(bytes + copied, fake->queue + fake->at + copied, record);
		copied += record;
	}
	if (copied)
		return (ssize_t)copied;
	return refuse(fake, ENOSPC, "the buffer is too small for a record");
}

static ssize_t read_stream(struct intel_fake *fake, uint8_t *bytes, size_t size)
{
	ssize_t got = 0;
	int error = fake->read_error;

	fake->read_count++;
	if (fake->is_gone)
		return refuse(fake, ENODEV, "gone");
	fake->read_error = 0;
	if (error)
		return refuse(fake, error, "as the test wants it");
	if (!fake->is_enabled || fake->xe_status)
		return refuse(fake, EIO, "disabled, or a status");
	if (fake->at == fake->size)
		return refuse(fake, EAGAIN, "nothing");
	if (fake->read_max && size > fake->read_max)
		size = fake->read_max;
	if (fake->driver == TACHO_OA_XE) {
		got = (ssize_t)(fake->size - fake->at < size ? fake->size - fake->at : size);
		memcpy(bytes, fake->queue + fake->at, (size_t)got);
	} else {
		got = copy_records(fake, bytes, size);
	}
	if (got > 0)
		fake->at += (size_t)got;
	pthread_cond_broadcast(&fake->changed);
	return got;
}

static ssize_t fake_read(void *user, int fd, void *bytes, size_t size)
{
	struct intel_fake *fake = user;
	ssize_t got;
	int error;

	pthread_mutex_lock(&fake->lock);
	got = fd == STREAM && fake->has_stream ? read_stream(fake, bytes, size)
					       : refuse(fake, EBADF, "a descriptor");
	error = errno;
	pthread_mutex_unlock(&fake->lock);
	errno = error;
	return got;
}

static int fake_poll(void *user, int fd, int timeout_ms)
{
	struct intel_fake *fake = user;
	struct timespec end;
	int error = 0, ready;

	if (fd != STREAM)
		return refuse(fake, EBADF, "a descriptor");
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += timeout_ms % 1000 * 1000000l;
	end.tv_sec += timeout_ms / 1000 + end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	pthread_mutex_lock(&fake->lock);
	for (;;) {
		ready = fake->is_gone || fake->at < fake->size || fake->read_error ||
			fake->xe_status;
		if (ready || error == ETIMEDOUT || !timeout_ms)
			break;
		fake->is_idle = true;
		pthread_cond_broadcast(&fake->changed);
		error = pthread_cond_timedwait(&fake->changed, &fake->lock, &end);
	}
	pthread_mutex_unlock(&fake->lock);
	return ready;
}

static void fake_close(void *user, int fd)
{
	struct intel_fake *fake = user;

	pthread_mutex_lock(&fake->lock);
	if (fd == NODE)
		fake->has_node = false;
	else if (fd == STREAM)
		fake->has_stream = false;
	pthread_mutex_unlock(&fake->lock);
}

static bool fake_is_privileged(void *user)
{
	return ((struct intel_fake *)user)->is_privileged;
}

struct tacho__intel_system intel_fake_system(struct intel_fake *fake)
{
	return (struct tacho__intel_system){
		.user = fake,
		.open = fake_open,
		.ioctl = fake_ioctl,
		.read = fake_read,
		.poll = fake_poll,
		.close = fake_close,
		.is_privileged = fake_is_privileged,
	};
}

void intel_fake_init(struct intel_fake *fake, enum tacho_oa_driver driver)
{
	pthread_condattr_t attributes;

	memset(fake, 0, sizeof(*fake));
	fake->driver = driver;
	fake->is_paranoid = fake->is_privileged = true;
	fake->max_rate_hz = driver == TACHO_OA_I915 ? 100000 : 0;
	fake->timestamp_hz = driver == TACHO_OA_I915 ? 12500000 : 19200000;
	fake->revision = 5;
	fake->clock_ticks = 123456789;
	pthread_mutex_init(&fake->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&fake->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	fake->configs[TEST_OA].is_there = true;
	memcpy(fake->configs[TEST_OA].guid, test_oa_guid, sizeof(test_oa_guid));
	/* The one that the tree of sysfs has. */
	fake->configs[7].is_there = true;
	memcpy(fake->configs[7].guid, render_basic_guid, sizeof(render_basic_guid));
}

void intel_fake_finish(struct intel_fake *fake)
{
	pthread_cond_destroy(&fake->changed);
	pthread_mutex_destroy(&fake->lock);
}

/* Under the lock: a header of i915's records, then the body. */
static void put_record(struct intel_fake *fake, uint32_t type, const void *body, size_t size)
{
	const struct tacho__i915_record header = {.type = type,
						  .size = (uint16_t)(sizeof(header) + size)};

	if (fake->driver == TACHO_OA_I915) {
		memcpy(fake->queue + fake->size, &header, sizeof(header));
		fake->size += sizeof(header);
	}
	if (size)
		memcpy(fake->queue + fake->size, body, size);
	fake->size += size;
	fake->is_idle = false;
	pthread_cond_broadcast(&fake->changed);
}

void intel_fake_put(struct intel_fake *fake, const struct tacho_oa_format *format,
		    const struct tacho_oa_report *report)
{
	uint8_t bytes[1024];

	tacho__oa_report_encode(format, report, bytes);
	pthread_mutex_lock(&fake->lock);
	put_record(fake, TACHO__I915_RECORD_SAMPLE, bytes, format->size_bytes);
	pthread_mutex_unlock(&fake->lock);
}

void intel_fake_put_record(struct intel_fake *fake, uint32_t type, const void *bytes, size_t size)
{
	pthread_mutex_lock(&fake->lock);
	put_record(fake, type, bytes, size);
	pthread_mutex_unlock(&fake->lock);
}

void intel_fake_wait(struct intel_fake *fake)
{
	pthread_mutex_lock(&fake->lock);
	while (!fake->is_idle && !fake->is_gone)
		pthread_cond_wait(&fake->changed, &fake->lock);
	pthread_mutex_unlock(&fake->lock);
}

void intel_fake_unplug(struct intel_fake *fake)
{
	pthread_mutex_lock(&fake->lock);
	fake->is_gone = true;
	pthread_cond_broadcast(&fake->changed);
	pthread_mutex_unlock(&fake->lock);
}

struct tacho__intel_system intel_fake_served;

int intel_fake_probe(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	return tacho__intel_probe(probe, backend_info, &intel_fake_served);
}

int intel_fake_open(const struct tacho_probe *probe, size_t index,
		    const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	return tacho__intel_open(probe, index, catalog, &intel_fake_served, out_device);
}

char *intel_fake_path(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/tests/data/intel/%s", getenv("TACHO_SOURCE_ROOT"), name);
	return path;
}
