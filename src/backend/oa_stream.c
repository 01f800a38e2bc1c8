/* SPDX-License-Identifier: MIT */
#include "backend/oa_stream.h"

#include <stdio.h>
#include <string.h>

#include "backend/intel/intel.h"
#include "backend/sim/sim.h"
#include "backend/backend.h"
#include "base/error.h"

/* The one that is named, or the first that can be programmed. */
static int find_set(const struct tacho_arch *arch, const char *name,
		    const struct tacho_set **out_set)
{
	const struct tacho_set *set = name ? tacho_arch_find_set(arch, name) : NULL;

	for (size_t i = 0; !name && (set = tacho_arch_get_set(arch, i)) && !set->is_exclusive; i++)
		;
	if (!set || !set->is_exclusive)
		return tacho__fail(
			TACHO_E_NOTFOUND, "",
			tacho__detail("choose another: tacho list sets --arch %s", arch->name),
			"%s has no metric set%s%s%s", arch->name, name ? " \"" : "",
			name ? name : "", name ? "\"" : "");
	*out_set = set;
	return 0;
}

static void fill(struct tacho_oa_stream *stream, const struct tacho_set *set)
{
	snprintf(stream->device.set_name, sizeof(stream->device.set_name), "%s", set->name);
	snprintf(stream->device.set_guid, sizeof(stream->device.set_guid), "%s", set->guid);
}

int tacho_oa_stream_open(struct tacho_device *device, const struct tacho_oa_stream_options *options,
			 struct tacho_oa_stream **out_stream)
{
	const struct tacho_arch *arch = device->traits.arch;
	const struct tacho_set *set = NULL;
	/* A backend of tests may have the functions of a real one. */
	int is_intel = device->backend->begin == tacho__backend_intel.begin;
	int is_sim = device->backend->begin == tacho__backend_sim.begin, rc;

	if (strcmp(arch->api, "oa") != 0 || (!is_intel && !is_sim))
		return tacho__fail(TACHO_E_UNSUPPORTED, "it has no OA unit",
				   "choose an Intel GPU of the backend intel, or \"sim:bsw\"",
				   "%s:%s writes no reports", device->backend->name,
				   device->info->name);
	rc = find_set(arch, options->set, &set);
	if (rc)
		return rc;
	if (is_sim && options->format)
		return tacho__fail(TACHO_E_UNSUPPORTED, "only real units have others",
				   "leave the format out",
				   "simulated GPUs write reports in the usual format only");
	rc = is_intel ? tacho__intel_open_oa(device, set, options->period_ns, options->format,
					     out_stream)
		      : tacho__sim_open_oa(device, set, options->period_ns, out_stream);
	if (!rc)
		fill(*out_stream, set);
	return rc;
}

void tacho_oa_stream_close(struct tacho_oa_stream *stream)
{
	if (stream)
		stream->kind->close(stream);
}

const struct tacho_oa_device *tacho_oa_stream_get_device(const struct tacho_oa_stream *stream)
{
	return &stream->device;
}

const struct tacho_oa_topology *tacho_oa_stream_get_topology(const struct tacho_oa_stream *stream)
{
	return &stream->topology;
}

uint64_t tacho_oa_stream_get_period_ns(const struct tacho_oa_stream *stream)
{
	return stream->period_ns;
}

int tacho_oa_stream_get_clock(struct tacho_oa_stream *stream, uint64_t *out_cpu_ns,
			      uint64_t *out_gpu_ticks)
{
	return stream->kind->get_clock(stream, out_cpu_ns, out_gpu_ticks);
}

int tacho_oa_stream_next(struct tacho_oa_stream *stream, int timeout_ms,
			 struct tacho_oa_record *out_record)
{
	return stream->kind->next(stream, timeout_ms, out_record);
}

const char *tacho_oa_stream_get_note(struct tacho_oa_stream *stream)
{
	return stream->kind->get_note ? stream->kind->get_note(stream) : "";
}
