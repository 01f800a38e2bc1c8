/* SPDX-License-Identifier: MIT */
/* Which slices, subslices and EUs a device has, as the kernel's topology query tells it. */
#include "oa/oa_recording.h"

#include "base/error.h"

/* Offsets in struct drm_i915_query_topology_info (linux, include/uapi/drm/i915_drm.h). */
enum {
	MAX_SLICES = 2,
	MAX_SUBSLICES = 4,
	MAX_EUS = 6,
	SUBSLICE_OFFSET = 8,
	SUBSLICE_STRIDE = 10,
	EU_OFFSET = 12,
	EU_STRIDE = 14,
	MASKS = TACHO__OA_TOPOLOGY_BYTES, /* the slices' bits begin here; offsets count from here */
};

enum { SLICES_MAX = 64, SUBSLICES_MAX = 256, EUS_MAX = 256 };

static int has_bit(const uint8_t *mask, uint32_t bit)
{
	return mask[bit / 8] >> (bit % 8) & 1;
}

static const uint8_t *get_subslices(const struct tacho_oa_topology *topology, uint32_t slice)
{
	return topology->bytes + MASKS + tacho__oa_get16(topology->bytes + SUBSLICE_OFFSET) +
	       (size_t)slice * tacho__oa_get16(topology->bytes + SUBSLICE_STRIDE);
}

static const uint8_t *get_eus(const struct tacho_oa_topology *topology, uint32_t slice,
			      uint32_t subslice)
{
	return topology->bytes + MASKS + tacho__oa_get16(topology->bytes + EU_OFFSET) +
	       ((size_t)slice * topology->max_subslices + subslice) *
		       tacho__oa_get16(topology->bytes + EU_STRIDE);
}

int tacho_oa_topology_has_subslice(const struct tacho_oa_topology *topology, uint32_t slice,
				   uint32_t subslice)
{
	return slice < topology->max_slices && subslice < topology->max_subslices &&
	       topology->slice_mask >> slice & 1 &&
	       has_bit(get_subslices(topology, slice), subslice);
}

static int fail(const char *cause)
{
	return tacho__fail(TACHO_E_PARSE, cause, "record again: the file is damaged",
			   "the topology is malformed");
}

static int check(const struct tacho_oa_topology *topology)
{
	const uint8_t *bytes = topology->bytes;
	size_t room = topology->size - MASKS;
	size_t subslice_stride = tacho__oa_get16(bytes + SUBSLICE_STRIDE);
	size_t eu_stride = tacho__oa_get16(bytes + EU_STRIDE);

	if (!topology->max_slices || topology->max_slices > SLICES_MAX ||
	    topology->max_subslices > SUBSLICES_MAX || topology->max_eus > EUS_MAX)
		return fail(tacho__detail("%u slices of %u subslices of %u EUs",
					  topology->max_slices, topology->max_subslices,
					  topology->max_eus));
	if (topology->max_subslices > 8 * subslice_stride || topology->max_eus > 8 * eu_stride)
		return fail(tacho__detail("%u subslices in %zu bytes, %u EUs in %zu bytes",
					  topology->max_subslices, subslice_stride,
					  topology->max_eus, eu_stride));
	if ((topology->max_slices + 7) / 8 > room ||
	    tacho__oa_get16(bytes + SUBSLICE_OFFSET) + topology->max_slices * subslice_stride >
		    room ||
	    tacho__oa_get16(bytes + EU_OFFSET) +
			    topology->max_slices * topology->max_subslices * eu_stride >
		    room)
		return fail(tacho__detail("its masks do not fit into its %zu bytes", room));
	return 0;
}

static void count_parts(struct tacho_oa_topology *topology)
{
	for (uint32_t slice = 0; slice < topology->max_slices; slice++) {
		if (!has_bit(topology->bytes + MASKS, slice))
			continue;
		topology->slice_mask |= 1ull << slice;
		topology->slice_count++;
		for (uint32_t subslice = 0; subslice < topology->max_subslices; subslice++) {
			if (!has_bit(get_subslices(topology, slice), subslice))
				continue;
			topology->subslice_count++;
			for (uint32_t eu = 0; eu < topology->max_eus; eu++)
				topology->eu_count +=
					(uint32_t)has_bit(get_eus(topology, slice, subslice), eu);
		}
	}
}

int tacho__oa_topology_parse(const uint8_t *bytes, size_t size,
			     struct tacho_oa_topology *out_topology)
{
	struct tacho_oa_topology topology = {.bytes = bytes, .size = size};
	int rc;

	if (size < MASKS)
		return fail(tacho__detail("it has %zu bytes, and %d are before its masks", size,
					  MASKS));
	topology.max_slices = tacho__oa_get16(bytes + MAX_SLICES);
	topology.max_subslices = tacho__oa_get16(bytes + MAX_SUBSLICES);
	topology.max_eus = tacho__oa_get16(bytes + MAX_EUS);
	rc = check(&topology);
	if (rc)
		return rc;
	count_parts(&topology);
	*out_topology = topology;
	return 0;
}
