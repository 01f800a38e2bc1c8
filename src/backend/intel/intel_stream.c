/* SPDX-License-Identifier: MIT */
/* Streams of reports, of either driver. */
#include "backend/intel/intel_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backend/intel/uapi.h"
#include "base/clock.h"
#include "base/error.h"
#include "oa/period.h"

static const uint64_t NS_PER_S = 1000000000, NS_PER_MS = 1000000;

static const char *get_driver(const struct tacho__intel_gpu *gpu)
{
	return gpu->card.driver == TACHO_OA_XE ? "xe" : "i915";
}

/* More reports a second than those without privilege may have. */
static int check_rate(const struct tacho__intel_rights *rights, uint64_t period_ns)
{
	if (rights->is_privileged || !rights->max_rate_hz ||
	    NS_PER_S / period_ns <= rights->max_rate_hz)
		return 0;
	return tacho__fail(TACHO_E_PERM,
			   tacho__detail("dev.i915.oa_max_sample_rate is %llu, CAP_PERFMON is "
					 "missing",
					 (unsigned long long)rights->max_rate_hz),
			   "choose longer intervals, or run as root: sysctl "
			   "dev.i915.oa_max_sample_rate=NUMBER",
			   "%llu reports a second are too many",
			   (unsigned long long)(NS_PER_S / period_ns));
}

static int fail_permission(const struct tacho__intel_gpu *gpu, uint64_t period_ns, int error)
{
	struct tacho__intel_rights rights;
	int rc;

	tacho__intel_get_rights(gpu->sysroot, gpu->card.driver, gpu->system, &rights);
	rc = tacho__intel_check_rights(&rights, gpu->card.name);
	if (!rc)
		rc = check_rate(&rights, period_ns);
	if (rc)
		return tacho__fail_vendor(rc, error);
	return tacho__fail_errno(TACHO_E_PERM, error,
				 "look at the kernel's log: a security module refuses",
				 "%s may not count the whole GPU", gpu->card.name);
}

static int fail_open(const struct tacho__intel_gpu *gpu, uint64_t period_ns, int error)
{
	switch (error) {
	case EACCES:
	case EPERM: return fail_permission(gpu, period_ns, error);
	case EBUSY:
		return tacho__fail_errno(
			TACHO_E_BUSY, error,
			"end the other profiler; only one program counts at a time",
			"another program uses the OA unit of %s", gpu->card.name);
	case ENODEV:
		return tacho__fail_errno(
			TACHO_E_NODEVICE, error,
			"load a driver that counts on this GPU; its log says why it does not",
			"%s has no OA unit that its driver can use", gpu->card.name);
	case EINVAL:
		return tacho__fail_errno(
			TACHO_E_UNSUPPORTED, error,
			"use a newer kernel; its log names the property with drm.debug=1",
			"%s refuses a stream of reports %s of %s", get_driver(gpu),
			gpu->format->name, gpu->card.name);
	default:
		return tacho__fail_errno(TACHO_E_IO, error, "",
					 "%s opens no stream of reports of %s", get_driver(gpu),
					 gpu->card.name);
	}
}

int tacho__intel_stream_open(const struct tacho__intel_gpu *gpu, uint64_t config,
			     uint64_t period_ns, struct tacho__intel_stream *out_stream)
{
	struct tacho__intel_stream stream = {.gpu = gpu};
	uint64_t timestamp_hz = gpu->device.timestamp_frequency_hz;

	stream.exponent = tacho__oa_find_exponent(timestamp_hz, period_ns);
	stream.period_ns = tacho__oa_get_period_ns(timestamp_hz, stream.exponent);
	stream.buffer = malloc(TACHO__INTEL_BUFFER_BYTES);
	if (!stream.buffer)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for reports");
	stream.fd = gpu->card.driver == TACHO_OA_XE
			    ? tacho__xe_open_stream(gpu, config, stream.exponent)
			    : tacho__i915_open_stream(gpu, config, stream.exponent);
	if (stream.fd < 0) {
		free(stream.buffer);
		return fail_open(gpu, stream.period_ns, -stream.fd);
	}
	*out_stream = stream;
	return 0;
}

int tacho__intel_stream_enable(struct tacho__intel_stream *stream)
{
	const struct tacho__intel_gpu *gpu = stream->gpu;

	if (tacho__intel_ioctl(gpu->system, stream->fd, TACHO__OA_STREAM_ENABLE, NULL) < 0)
		return tacho__fail_errno(errno == ENODEV ? TACHO_E_LOST : TACHO_E_IO, errno, "",
					 "%s does not begin to count on %s", get_driver(gpu),
					 gpu->card.name);
	stream->is_enabled = true;
	return 0;
}

void tacho__intel_stream_close(struct tacho__intel_stream *stream)
{
	const struct tacho__intel_system *system = stream->gpu->system;

	if (stream->is_enabled)
		tacho__intel_ioctl(system, stream->fd, TACHO__OA_STREAM_DISABLE, NULL);
	system->close(system->user, stream->fd);
	free(stream->buffer);
	stream->buffer = NULL;
	stream->is_enabled = false;
}

static int fail_read(const struct tacho__intel_stream *stream, int error)
{
	const char *card = stream->gpu->card.name;

	if (error == ENODEV)
		return tacho__fail_errno(TACHO_E_LOST, error,
					 "wait until its driver is there again, and begin anew",
					 "%s is gone", card);
	return tacho__fail_errno(TACHO_E_IO, error, "begin anew", "no reports can be read from %s",
				 card);
}

/* xe says EIO instead of a record, and its status says why. 0: nothing was lost. */
static int get_xe_loss(const struct tacho__intel_stream *stream,
		       enum tacho_oa_record_kind *out_kind)
{
	struct tacho__xe_oa_status status = {0};

	if (tacho__intel_ioctl(stream->gpu->system, stream->fd, TACHO__XE_STREAM_STATUS, &status) <
	    0)
		return 0;
	*out_kind = TACHO_OA_REPORT_LOST;
	if (status.status & TACHO__XE_STATUS_BUFFER_OVERFLOW)
		*out_kind = TACHO_OA_BUFFER_LOST;
	return (status.status & (TACHO__XE_STATUS_REPORT_LOST | TACHO__XE_STATUS_BUFFER_OVERFLOW |
				 TACHO__XE_STATUS_COUNTER_OVERFLOW)) != 0;
}

/* One record of what was read: 1; 0 when nothing whole is left. */
static int take_record(struct tacho__intel_stream *stream, struct tacho_oa_record *out_record)
{
	size_t report_size = stream->gpu->format->size_bytes;
	struct tacho__i915_record header;

	while (stream->gpu->card.driver == TACHO_OA_I915 &&
	       stream->size - stream->at >= sizeof(header)) {
		const uint8_t *body = stream->buffer + stream->at + sizeof(header);

		memcpy(&header, stream->buffer + stream->at, sizeof(header));
		if (header.size < sizeof(header) || header.size > stream->size - stream->at)
			return tacho__fail(
				TACHO_E_IO,
				tacho__detail("a record says that it has %u bytes", header.size),
				"use another kernel", "i915 gave what is no stream of reports");
		stream->at += header.size;
		*out_record = (struct tacho_oa_record){.bytes = body,
						       .size = header.size - sizeof(header)};
		switch (header.type) {
		case TACHO__I915_RECORD_SAMPLE:
			/* A part of a report is none: what it had to say is lost. */
			out_record->kind = out_record->size < report_size ? TACHO_OA_REPORT_LOST
									  : TACHO_OA_REPORT;
			out_record->size = report_size;
			return 1;
		case TACHO__I915_RECORD_REPORT_LOST:
			out_record->kind = TACHO_OA_REPORT_LOST;
			return 1;
		case TACHO__I915_RECORD_BUFFER_LOST:
			out_record->kind = TACHO_OA_BUFFER_LOST;
			return 1;
		default: break;
		}
		stream->odd_count++;
	}
	if (stream->gpu->card.driver == TACHO_OA_XE && stream->size - stream->at >= report_size) {
		*out_record = (struct tacho_oa_record){.kind = TACHO_OA_REPORT,
						       .bytes = stream->buffer + stream->at,
						       .size = report_size};
		stream->at += report_size;
		return 1;
	}
	return 0;
}

/* Reads once: 1 when bytes or a record came, which then is *out_record; 0: nothing, ask again. */
static int refill(struct tacho__intel_stream *stream, struct tacho_oa_record *out_record)
{
	const struct tacho__intel_system *system = stream->gpu->system;
	enum tacho_oa_record_kind kind;
	ssize_t got;

	/* What is left is a part of a report: only xe's, which has no records. */
	memmove(stream->buffer, stream->buffer + stream->at, stream->size - stream->at);
	stream->size -= stream->at;
	stream->at = 0;
	got = system->read(system->user, stream->fd, stream->buffer + stream->size,
			   TACHO__INTEL_BUFFER_BYTES - stream->size);
	if (got > 0) {
		stream->size += (size_t)got;
		return take_record(stream, out_record);
	}
	if (!got)
		return fail_read(stream, ENODEV);
	if (errno == EAGAIN || errno == EINTR)
		return 0;
	if (errno == EIO && stream->gpu->card.driver == TACHO_OA_XE && get_xe_loss(stream, &kind)) {
		*out_record = (struct tacho_oa_record){.kind = kind};
		return 1;
	}
	return fail_read(stream, errno);
}

int tacho__intel_stream_next(struct tacho__intel_stream *stream, int timeout_ms,
			     struct tacho_oa_record *out_record)
{
	const struct tacho__intel_system *system = stream->gpu->system;
	uint64_t end_ns = tacho__clock_monotonic_ns() + (uint64_t)timeout_ms * NS_PER_MS, now_ns;
	struct tacho_oa_record record = {0};
	int rc = take_record(stream, &record), ready;

	while (!rc) {
		ready = system->poll(system->user, stream->fd, timeout_ms);
		if (ready < 0 && errno != EINTR)
			return fail_read(stream, errno);
		if (ready > 0)
			rc = refill(stream, &record);
		now_ns = tacho__clock_monotonic_ns();
		if (rc || now_ns >= end_ns)
			break;
		timeout_ms = (int)((end_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS);
	}
	if (rc > 0)
		*out_record = record;
	return rc;
}
