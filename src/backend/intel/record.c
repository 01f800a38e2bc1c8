/* SPDX-License-Identifier: MIT */
/* Streams of a real GPU for those who want the reports themselves. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend/intel/intel_private.h"
#include "backend/oa_stream.h"
#include "base/error.h"

struct own {
	struct tacho_oa_stream stream;
	struct tacho__intel_gpu gpu; /* the device's, with the format of this stream */
	struct tacho__intel_set set;
	struct tacho__intel_stream reports;
	char note[96];
};

static struct own *get_own(struct tacho_oa_stream *stream)
{
	return (struct own *)stream;
}

static void close_stream(struct tacho_oa_stream *stream)
{
	struct own *own = get_own(stream);

	tacho__intel_stream_close(&own->reports);
	tacho__intel_set_remove(&own->gpu, &own->set);
	free(own);
}

static int get_clock(struct tacho_oa_stream *stream, uint64_t *out_cpu_ns, uint64_t *out_gpu_ticks)
{
	return tacho__intel_gpu_get_clock(&get_own(stream)->gpu, out_cpu_ns, out_gpu_ticks);
}

static int next(struct tacho_oa_stream *stream, int timeout_ms, struct tacho_oa_record *out_record)
{
	return tacho__intel_stream_next(&get_own(stream)->reports, timeout_ms, out_record);
}

/* What these records say is not known, nor whether they tell of a loss. */
static const char *get_note(struct tacho_oa_stream *stream)
{
	struct own *own = get_own(stream);

	if (!own->reports.odd_count)
		return "";
	snprintf(own->note, sizeof(own->note),
		 "%" PRIu64 " records of the driver are of unknown types and were passed over",
		 own->reports.odd_count);
	return own->note;
}

static const struct tacho__oa_stream_kind kind = {
	.close = close_stream, .get_clock = get_clock, .next = next, .get_note = get_note};

/* The unit's own one without a name. */
static int choose_format(struct tacho__intel_gpu *gpu, const char *name)
{
	const struct tacho_oa_format *format;
	int rc;

	if (!name)
		return 0;
	rc = tacho_oa_format_find(name, gpu->gen, &format);
	return rc ? rc : tacho__intel_gpu_choose_format(gpu, format);
}

/* Programs the set and begins; what was done is undone when it fails, but for the memory. */
static int start(struct own *own, struct tacho__intel_device *device, const struct tacho_set *set,
		 uint64_t period_ns)
{
	int rc = tacho__intel_set_add(&own->gpu, device->arch, &device->model, set, &own->set);

	if (rc)
		return rc;
	rc = tacho__intel_stream_open(&own->gpu, own->set.config, period_ns, &own->reports);
	if (rc) {
		tacho__intel_set_remove(&own->gpu, &own->set);
		return rc;
	}
	rc = tacho__intel_stream_enable(&own->reports);
	if (rc) {
		tacho__intel_stream_close(&own->reports);
		tacho__intel_set_remove(&own->gpu, &own->set);
	}
	return rc;
}

int tacho__intel_open_oa(struct tacho_device *base, const struct tacho_set *set, uint64_t period_ns,
			 const char *format, struct tacho_oa_stream **out_stream)
{
	struct tacho__intel_device *device = TACHO__OWN(struct tacho__intel_device, base);
	struct tacho__intel_gpu gpu = device->gpu;
	struct own *own;
	int rc;

	rc = tacho__intel_check_device(device);
	if (!rc)
		rc = choose_format(&gpu, format);
	if (rc)
		return rc;
	own = calloc(1, sizeof(*own));
	if (!own)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a stream");
	own->gpu = gpu;
	rc = start(own, device, set, period_ns);
	if (rc) {
		free(own);
		return rc;
	}
	own->stream.kind = &kind;
	own->stream.device = gpu.device;
	own->stream.topology = gpu.topology;
	own->stream.period_ns = own->reports.period_ns;
	*out_stream = &own->stream;
	return 0;
}
