/* SPDX-License-Identifier: MIT */
#include "format/attributes.h"

#include <stddef.h>

#include "base/array.h"

const char *tacho__object_kind_to_string(enum tacho_object_kind kind)
{
	static const char *const names[] = {"unknown", "device",  "context",
					    "queue",   "program", "kernel"};

	return (unsigned)kind < TACHO__ARRAY_SIZE(names) ? names[kind] : names[0];
}

const char *const tacho__attribute_names[] = {
	"vendor",
	"version",
	"driver",
	"type",
	"address_bits",
	"compute_units",
	"timer_resolution_ns",
	"platform_name",
	"platform_vendor",
	"platform_version",
	"parent",
	"devices",
	"properties",
	"forced_profiling",
	"local_bytes",
	"private_bytes",
	"preferred_multiple",
	"board_name",
	"pcie_device_id",
	"vgprs",
	"sgprs",
	"scratch_registers",
	"max_waves_per_unit",
	"max_groups_per_unit",
	"max_vgprs",
	"max_sgprs",
	"max_lds_bytes",
	"wave_size",
	"max_group_size",
	"max_waves_per_group",
	"max_global_size",
	"graphics_ip",
	"simds_per_unit",
	"registers",
	"simd_width",
	"spill_bytes",
	"const_bytes",
	"symbol",
	"compute_capability",
	"architecture",
	"uuid",
	"pci",
	"memory_bytes",
	"memory_bus_bits",
	"memory_clock_khz",
	"clock_khz",
	"number",
	"priority",
	"flags",
	NULL,
};
