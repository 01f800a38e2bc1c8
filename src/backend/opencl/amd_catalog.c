/* SPDX-License-Identifier: MIT */
/*
 * What AMD's runtime counts on a GPU. It lists nothing: blocks and events are the catalog's, and
 * every block is tried with one counter.
 */
#include <stdio.h>
#include <string.h>

#include "backend/opencl/opencl_amd.h"
#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"

enum { SIMDS_PER_UNIT = 4 }; /* of all GCN */

#define CREATE "clCreatePerfCounterAMD"

static uint32_t get_number(const struct tacho__opencl_amd_device *device, uint32_t name)
{
	return (uint32_t)tacho__opencl_get_number(device->cl.queue.get_device_info, device->device,
						  name);
}

/* "gfx8"; NULL: its counters are not known. */
static const char *recognize(const struct tacho__opencl_amd_device *device)
{
	static const char *const generations[] = {[6] = "gfx6", [7] = "gfx7", [8] = "gfx8"};
	const struct tacho__opencl_amd_chip *chip = tacho__opencl_amd_find_chip(device->name);
	uint32_t major = get_number(device, CL__DEVICE_GFXIP_MAJOR_AMD);

	if (chip)
		return chip->arch;
	return major >= 6 && major <= 8 ? generations[major] : NULL;
}

cl_handle tacho__opencl_amd_create(const struct tacho__opencl_amd_device *device,
				   const struct tacho__opencl_amd_counter *counter,
				   uint64_t register_, int32_t *out_error)
{
	uint64_t properties[] = {
		CL__PERFCOUNTER_BLOCK, counter->block, CL__PERFCOUNTER_REGISTER, register_,
		CL__PERFCOUNTER_EVENT, counter->event, CL__PERFCOUNTER_NONE,	 0};

	*out_error = CL__SUCCESS;
	return device->cl.create_counter(device->device, properties, out_error);
}

/*
 * The driver's number of a block: its place in GPUPerfAPI's list, but for one that the list of gfx7
 * leaves out (TCS). False: it has none; GPIN is no hardware, and from WD on AMD's two runtimes
 * number the blocks of gfx9 differently.
 */
static bool find_number(const struct tacho_arch *known, const struct tacho_block *block,
			uint64_t *out_number)
{
	enum { TCS = 79, WD = 92 };
	const struct tacho_block *other;
	uint64_t number = 0;

	while ((other = tacho_arch_get_block(known, number)) && other != block)
		number++;
	if (!other || !strcmp(block->name, "GPIN") ||
	    (!strcmp(known->name, "gfx9") && number >= WD))
		return false;
	if (!strcmp(known->name, "gfx7") && number >= TCS)
		number++;
	*out_number = number;
	return true;
}

/* Why a block cannot count, "" when it can; NULL: no memory. */
static const char *try_block(struct tacho__opencl_amd_device *device,
			     const struct tacho_block *block,
			     const struct tacho__opencl_amd_counter *counter)
{
	int32_t error;
	cl_handle handle = tacho__opencl_amd_create(device, counter, 0, &error);
	int32_t released = handle ? device->cl.release_counter(handle) : 0;

	if (handle && !released && !error)
		return "";
	return tacho__catalog_text(device->own.catalog,
				   CREATE " of the driver said %s for block %s",
				   error ? tacho__opencl_error(error) : "nothing", block->name);
}

/* A block with its counters. */
static int add_block(struct tacho__opencl_amd_device *device, const struct tacho_arch *known,
		     const struct tacho_block *block)
{
	struct tacho__opencl_amd_counter how = {0};
	const struct tacho_entry *entry;
	const char *reason = NULL;
	int rc = tacho__arch_add_block(device->own.arch, block);

	if (!find_number(known, block, &how.block))
		reason = "AMD's drivers do not agree on the number of its block";
	for (size_t i = 0; !rc && (entry = tacho_arch_get_entry(known, i)); i++) {
		if (entry->kind != TACHO_ENTRY_COUNTER || strcmp(entry->block, block->name) != 0)
			continue;
		how.event = (uint32_t)entry->event;
		if (!reason)
			reason = try_block(device, block, &how);
		if (!reason)
			return TACHO_E_NOMEM;
		rc = *reason ? tacho__known_refuse(device->own.arch, entry, reason)
			     : tacho__known_add_counter(&device->own, entry, &how, sizeof(how));
	}
	return rc;
}

/* What formulas must know of the device where its card is not known. */
static int add_model(struct tacho__opencl_amd_device *device, const struct tacho_arch *known)
{
	const struct tacho__opencl_amd_chip *chip = tacho__opencl_amd_find_chip(device->name);
	uint32_t simds = get_number(device, CL__DEVICE_SIMD_PER_COMPUTE_UNIT_AMD);
	const struct tacho_property properties[] = {
		{"NUM_SHADER_ENGINES", chip ? chip->shader_engines : 0},
		{"NUM_SIMDS", (uint64_t)get_number(device, CL__DEVICE_MAX_COMPUTE_UNITS) *
				      (simds ? simds : SIMDS_PER_UNIT)},
		{"PCI_DEVICE", get_number(device, CL__DEVICE_PCIE_ID_AMD)},
	};

	return tacho__known_add_model(&device->own, known,
				      *device->board ? device->board : device->name, properties,
				      TACHO__ARRAY_SIZE(properties));
}

static int add_all(struct tacho__opencl_amd_device *device, const struct tacho_arch *known)
{
	const struct tacho_block *block;
	int rc = 0;

	for (size_t i = 0; !rc && (block = tacho_arch_get_block(known, i)); i++)
		rc = add_block(device, known, block);
	if (!rc)
		rc = tacho__known_add_metrics(&device->own, known);
	if (!rc)
		rc = tacho__known_add_sets(&device->own, known);
	return rc ? rc : add_model(device, known);
}

static int refuse_all(struct tacho__opencl_amd_device *device, const struct tacho_arch *known,
		      const char *reason)
{
	const struct tacho_entry *entry;
	int rc = reason ? 0 : TACHO_E_NOMEM;

	for (size_t i = 0; !rc && (entry = tacho_arch_get_entry(known, i)); i++)
		if (entry->kind == TACHO_ENTRY_METRIC)
			rc = tacho__known_refuse(device->own.arch, entry, reason);
	return rc;
}

static bool has_functions(const struct tacho__opencl_amd *cl)
{
	return cl->create_counter && cl->release_counter && cl->enqueue_begin && cl->enqueue_end &&
	       cl->get_counter_info;
}

int tacho__opencl_amd_fill(struct tacho__opencl_amd_device *device,
			   const struct tacho_catalog *catalog)
{
	const char *name = recognize(device);
	const struct tacho_arch *known;
	int rc = tacho__known_find_definition(&device->own, catalog, name ? name : "gfx9", "cl",
					      &known);

	if (!rc)
		rc = tacho__catalog_create(&device->own.catalog);
	if (!rc)
		rc = tacho__catalog_add_arch(device->own.catalog, known, &device->own.arch);
	if (rc)
		return rc;
	if (!name)
		rc = refuse_all(device, known,
				tacho__catalog_text(device->own.catalog,
						    "the device is \"%s\", and only the counters "
						    "of gfx6 to gfx9 before CDNA are known",
						    device->name));
	else if (!has_functions(&device->cl))
		rc = refuse_all(
			device, known,
			tacho__catalog_text(
				device->own.catalog,
				"the driver \"%s\" does not have the functions behind " CREATE
				"; AMD's own drivers for this GPU have them",
				device->driver));
	else
		rc = add_all(device, known);
	return rc ? rc : tacho__catalog_complete(device->own.catalog);
}
