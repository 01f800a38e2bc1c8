/* SPDX-License-Identifier: MIT */
/*
 * The dimensions of AMD's counters: how many copies of a block a device has, by the rules of
 * aqlprofile's counter_dimensions.hpp (ROCm 7.0).
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"
#include "catalog/read_rocm.h"

/* A device as the kernel's topology describes it; arrays and SIMDs are those of all dies. */
struct topology {
	uint64_t xccs, engines, arrays_per_engine, compute_units;
};

static int get_property(const struct tacho_model *model, const char *name, uint64_t *out_value)
{
	uint64_t value = 0;
	int is_missing = !tacho__model_get(model, name, &value);

	/* More than any device has is as wrong as none, and would run over in sums. */
	if (!is_missing && value > 0 && value <= UINT16_MAX) {
		*out_value = value;
		return 0;
	}
	return tacho__fail(TACHO_E_UNSUPPORTED,
			   is_missing ? tacho__detail("it has no property \"%s\"", name)
				      : tacho__detail("its property \"%s\" is %llu", name,
						      (unsigned long long)value),
			   "use a model or device that states it",
			   "the shape of counters on %s cannot be worked out",
			   model ? model->name : "no model");
}

static int get_topology(const struct tacho_model *model, struct topology *out_topology)
{
	uint64_t arrays, arrays_per_engine, simds, simds_per_unit, xccs = 1;
	int rc = get_property(model, "array_count", &arrays);

	if (!rc)
		rc = get_property(model, "simd_arrays_per_engine", &arrays_per_engine);
	if (!rc)
		rc = get_property(model, "simd_count", &simds);
	if (!rc)
		rc = get_property(model, "simd_per_cu", &simds_per_unit);
	/* Kernels from before devices of several dies do not state it. */
	if (!rc && tacho__model_get(model, "num_xcc", &xccs))
		rc = get_property(model, "num_xcc", &xccs);
	if (rc)
		return rc;
	*out_topology = (struct topology){
		.xccs = xccs,
		.engines = arrays / arrays_per_engine,
		.arrays_per_engine = arrays_per_engine,
		.compute_units = simds / simds_per_unit,
	};
	if (out_topology->engines >= xccs && out_topology->compute_units)
		return 0;
	return tacho__fail(TACHO_E_UNSUPPORTED,
			   tacho__detail("it has %llu shader engines, %llu compute units and "
					 "%llu dies",
					 (unsigned long long)out_topology->engines,
					 (unsigned long long)out_topology->compute_units,
					 (unsigned long long)xccs),
			   "use a model or device that states them rightly",
			   "the shape of counters on %s cannot be worked out", model->name);
}

/* Whether a blank-separated word is among the block's attributes. */
static int has_attribute(const struct tacho_block *block, const char *word)
{
	size_t size = strlen(word);

	for (const char *at = block->attributes; at && *at;) {
		size_t length = strcspn(at, " ");

		if (length == size && !memcmp(at, word, size))
			return 1;
		at += length;
		at += strspn(at, " ");
	}
	return 0;
}

static int is_generation(const struct tacho_arch *arch, const char *prefix)
{
	const char *generation = tacho__arch_of(arch)->generation;

	return !strncmp(generation ? generation : arch->name, prefix, strlen(prefix));
}

static uint64_t divide_up(uint64_t number, uint64_t by)
{
	return (number + by - 1) / by;
}

/*
 * Copies of a block beside each other. On gfx9 the blocks at a compute unit are numbered over the
 * units of their shader array, and one more.
 */
static uint64_t get_instances(const struct tacho_arch *arch, const struct tacho_block *block,
			      const struct topology *topology)
{
	uint64_t arrays = topology->arrays_per_engine * topology->engines;
	uint64_t most = divide_up(topology->compute_units, arrays) + 1;

	if (is_generation(arch, "gfx9") && has_attribute(block, "Tc") &&
	    has_attribute(block, "Se") && most < block->instances)
		return most;
	return block->instances;
}

static void add(struct tacho_dimension *dimensions, uint32_t *count, const char *name,
		uint64_t extent)
{
	dimensions[(*count)++] = (struct tacho_dimension){
		.name = name,
		.extent = (uint32_t)(extent ? extent : 1),
	};
}

int tacho__rocm_dimensions(const struct tacho_arch *arch, const struct tacho_block *block,
			   const struct tacho_model *model, struct tacho_dimension *out_dimensions,
			   uint32_t *out_count)
{
	struct topology topology;
	uint32_t count = 0;
	int rc = get_topology(model, &topology);

	if (rc)
		return rc;
	if (topology.xccs > 1 && has_attribute(block, "Grbma"))
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   "it belongs to the dies below the compute dies, and how many "
				   "of these there are is not public",
				   "ask for counters of other blocks",
				   "the shape of block %s on %s cannot be worked out", block->name,
				   model->name);
	/* Memory controllers belong to the 4 I/O dies below the compute dies. */
	if (topology.xccs > 1 && !strcmp(block->name, "UMC"))
		add(out_dimensions, &count, "DIMENSION_AID", 4);
	else if (topology.xccs > 1)
		add(out_dimensions, &count, "DIMENSION_XCC", topology.xccs);
	if (has_attribute(block, "Sq") &&
	    (is_generation(arch, "gfx11") || is_generation(arch, "gfx12")))
		add(out_dimensions, &count, "DIMENSION_WGP",
		    divide_up(topology.compute_units / 2,
			      topology.arrays_per_engine * topology.engines));
	else
		add(out_dimensions, &count, "DIMENSION_INSTANCE",
		    get_instances(arch, block, &topology));
	if (has_attribute(block, "Se"))
		add(out_dimensions, &count, "DIMENSION_SHADER_ENGINE",
		    topology.engines / topology.xccs);
	if (has_attribute(block, "Sa"))
		add(out_dimensions, &count, "DIMENSION_SHADER_ARRAY", topology.arrays_per_engine);
	*out_count = count;
	return 0;
}
