/* SPDX-License-Identifier: MIT */
#include "oa/variables.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

struct device {
	const struct tacho_oa_device *device;
	const struct tacho_oa_topology *topology; /* NULL: not recorded */
	const char *arch;
	enum tacho_oa_gen gen;
};

/* Published masks have 3 bits a slice, from Gen11 on 8. */
static uint64_t get_subslice_mask(const struct device *device)
{
	uint32_t bits = device->gen >= TACHO_OA_GEN11 ? 8 : 3;
	uint64_t mask = 0;

	for (uint32_t slice = 0; slice < device->topology->max_slices; slice++)
		for (uint32_t i = 0; i < device->topology->max_subslices; i++)
			if (slice * bits + i < 64 &&
			    tacho_oa_topology_has_subslice(device->topology, slice, i))
				mask |= 1ull << (slice * bits + i);
	return mask;
}

/* Threads that an EU holds: 8 from Gen12.5 on, 6 on the small Gen9 (IGT, lib/i915/perf.c). */
static uint64_t get_threads(const struct device *device)
{
	if (device->gen >= TACHO_OA_GEN12_5)
		return 8;
	return !strcmp(device->arch, "bxt") || !strcmp(device->arch, "glk") ? 6 : 7;
}

static int get_known(const struct device *device, const char *name, uint64_t *out_value)
{
	const struct tacho_oa_device *info = device->device;
	const struct {
		const char *name;
		uint64_t value;
		int is_known;
	} values[] = {
		{"GpuTimestampFrequency", info->timestamp_frequency_hz,
		 info->timestamp_frequency_hz != 0},
		{"GpuMinFrequency", info->min_frequency_hz, info->min_frequency_hz != 0},
		{"GpuMaxFrequency", info->max_frequency_hz, info->max_frequency_hz != 0},
		{"SkuRevisionId", info->revision, 1},
		{"QueryMode", 0, 1},
		{"EuThreadsCount", get_threads(device), 1},
		{"VectorEngineThreadsCount", get_threads(device), 1},
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (!strcmp(name, values[i].name) && values[i].is_known) {
			*out_value = values[i].value;
			return 1;
		}
	}
	return 0;
}

static int get_counted(const struct device *device, const char *name, uint64_t *out_value)
{
	const struct tacho_oa_topology *topology = device->topology;
	uint64_t mask = get_subslice_mask(device);
	uint64_t half = (1ull << topology->max_subslices / 2 % 64) - 1;
	const struct {
		const char *name;
		uint64_t value;
	} values[] = {
		{"EuCoresTotalCount", topology->eu_count},
		{"VectorEngineTotalCount", topology->eu_count},
		{"EuSlicesTotalCount", topology->slice_count},
		{"SliceTotalCount", topology->slice_count},
		{"EuSubslicesTotalCount", topology->subslice_count},
		{"EuDualSubslicesTotalCount", topology->subslice_count},
		{"XeCoreTotalCount", topology->subslice_count},
		/* The first half of the device (IGT, lib/i915/perf.c). */
		{"EuDualSubslicesSlice0123Count", (uint64_t)__builtin_popcountll(mask & half)},
		{"SliceMask", topology->slice_mask},
		{"SubsliceMask", mask},
		{"DualSubsliceMask", mask},
		{"XeCoreMask", mask},
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (!strcmp(name, values[i].name)) {
			*out_value = values[i].value;
			return 1;
		}
	}
	return 0;
}

/* "GtSlice2", "GtSlice2XeCore3", "GtXeCore5": 1 when it exists. */
static int get_part(const struct device *device, const char *name, uint64_t *out_value)
{
	const struct tacho_oa_topology *topology = device->topology;
	unsigned slice, core;
	int end = 0;

	if (sscanf(name, "GtSlice%2uXeCore%2u%n", &slice, &core, &end) == 2 && !name[end])
		*out_value = (uint64_t)tacho_oa_topology_has_subslice(topology, slice, core);
	else if (sscanf(name, "GtSlice%2u%n", &slice, &end) == 1 && !name[end])
		*out_value = slice < 64 ? topology->slice_mask >> slice & 1 : 0;
	else if (sscanf(name, "GtXeCore%2u%n", &core, &end) == 1 && !name[end] &&
		 topology->max_subslices)
		*out_value = (uint64_t)tacho_oa_topology_has_subslice(
			topology, core / topology->max_subslices, core % topology->max_subslices);
	else
		return 0;
	return 1;
}

int tacho__oa_variables_make(struct tacho__arena *arena, const struct tacho_oa_device *info,
			     const struct tacho_oa_topology *topology,
			     const struct tacho_arch *arch, enum tacho_oa_gen gen,
			     struct tacho_model *out_model)
{
	const struct device device = {
		.device = info, .topology = topology, .arch = arch->name, .gen = gen};
	const struct tacho_entry *entry;
	struct tacho_property *properties;
	size_t room = 1, count = 0;

	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++)
		room += entry->kind == TACHO_ENTRY_CONSTANT;
	properties = tacho__arena_get(arena, room * sizeof(*properties));
	if (!properties)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the device's variables");
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		struct tacho_property property = {.name = entry->name};

		if (entry->kind == TACHO_ENTRY_CONSTANT &&
		    (get_known(&device, entry->name, &property.value) ||
		     (device.topology && (get_counted(&device, entry->name, &property.value) ||
					  get_part(&device, entry->name, &property.value)))))
			properties[count++] = property;
	}
	*out_model = (struct tacho_model){.name = "recorded",
					  .title = "the recorded device",
					  .properties = properties,
					  .property_count = count,
					  .source = "recording"};
	return 0;
}

int tacho__oa_variables_get(struct tacho__arena *arena, const struct tacho_oa_recording *recording,
			    const struct tacho_arch *arch, enum tacho_oa_gen gen,
			    struct tacho_model *out_model)
{
	return tacho__oa_variables_make(arena, tacho_oa_recording_get_device(recording),
					tacho_oa_recording_get_topology(recording), arch, gen,
					out_model);
}

static int fail_variable(const struct tacho_arch *arch, const char *name)
{
	const struct tacho_entry *near[3];
	size_t count = tacho_arch_find_nearest(arch, name, near, 3);
	const char *known = "";

	for (size_t i = 0; i < count; i++)
		if (near[i]->kind == TACHO_ENTRY_CONSTANT)
			known = tacho__detail("%s%s%s", known,
					      *known ? ", " : "near: ", near[i]->name);
	return tacho__fail(TACHO_E_NOTFOUND, known,
			   "name one as equations have it behind $: L3BankTotalCount",
			   "no equation of %s reads a variable \"%.255s\"", arch->name, name);
}

/* The place of a name among the properties; their number when it is not there. */
static size_t find_property(const struct tacho_property *properties, size_t count, const char *name)
{
	size_t i = 0;

	while (i < count && strcmp(properties[i].name, name) != 0)
		i++;
	return i;
}

int tacho__oa_variables_replace(struct tacho__arena *arena, const struct tacho_arch *arch,
				const struct tacho_property *variables, size_t count,
				struct tacho_model *model)
{
	size_t room = model->property_count + count, used = model->property_count;
	struct tacho_property *properties;

	if (!count)
		return 0;
	properties = tacho__arena_get(arena, room * sizeof(*properties));
	if (!properties)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the device's variables");
	if (used)
		memcpy(properties, model->properties, used * sizeof(*properties));
	for (size_t i = 0; i < count; i++) {
		const struct tacho_entry *entry = tacho_arch_find_entry(arch, variables[i].name);
		size_t at;

		if (!entry || entry->kind != TACHO_ENTRY_CONSTANT)
			return fail_variable(arch, variables[i].name);
		at = find_property(properties, used, entry->name);
		used += at == used;
		properties[at] = (struct tacho_property){entry->name, variables[i].value};
	}
	model->properties = properties;
	model->property_count = used;
	return 0;
}
