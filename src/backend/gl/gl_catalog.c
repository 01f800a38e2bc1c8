/* SPDX-License-Identifier: MIT */
/*
 * The architecture of a context: what its driver can count, of what the catalog knows and of what
 * the driver itself lists.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/gl/gl_private.h"
#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"

#define NS_PER_S 1000000000

int tacho__gl_add_counter(struct tacho__gl_device *device, const struct tacho_entry *entry,
			  const struct tacho__gl_counter *how)
{
	return tacho__known_add_counter(&device->own, entry, how, sizeof(*how));
}

/* AMD's catalog has GPUTime; elsewhere it is the same from OpenGL's own time stamps. */
static int add_gpu_time(struct tacho__gl_device *device)
{
	static const char *const inputs[] = {"GL_TIME_ELAPSED"};
	static const char *const names[] = {"GPUTime"};
	struct tacho_entry time = {
		.name = names[0],
		.kind = TACHO_ENTRY_METRIC,
		.type = TACHO_TYPE_F64,
		.description = "Milliseconds between the start and the end of the measured work on "
			       "the GPU, from time stamps.",
		.group = "Timing",
		.unit = "milliseconds",
		.notation = "gpa",
		.expression = "0,(1000000),/",
		.inputs = inputs,
		.input_count = 1,
		.better = "lower",
		.caveat = "It is counted alone, in a pass of its own.",
		.source = "OpenGL 4.6 core profile, section 4.3",
	};
	int rc;

	if (tacho__arch_get_exact(tacho__arch_public(device->own.arch), time.name))
		return 0;
	rc = tacho__known_add_metric(&device->own, &time);
	return rc ? rc
		  : tacho__arch_add_set(device->own.arch, &(struct tacho_set){.name = "Timing"},
					names, 1);
}

/* What AMD's formulas must know of the device; OpenGL counts time in nanoseconds. */
static int add_model(struct tacho__gl_device *device, const struct tacho_arch *from)
{
	const struct tacho_model *card = tacho__known_find_card(from, device->version.renderer);
	size_t count = card ? card->property_count : 0;
	struct tacho_property *properties = tacho__arena_get(
		tacho__catalog_arena(device->own.catalog), (count + 1) * sizeof(*properties));
	struct tacho_model model = {.name = card ? card->name : "driver",
				    .title = device->version.renderer,
				    .properties = properties,
				    .property_count = count + 1,
				    .source = card ? card->source : "the driver"};
	int rc;

	if (!properties)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count; i++)
		properties[i] = card->properties[i];
	properties[count] = (struct tacho_property){"TS_FREQ", NS_PER_S};
	rc = tacho__arch_add_model(device->own.arch, &model);
	if (!rc)
		device->model = tacho_arch_get_model(tacho__arch_public(device->own.arch), 0);
	return rc;
}

static int add_arch(struct tacho__gl_device *device, const struct tacho_arch *from)
{
	struct tacho_arch arch = *from;

	arch.title = device->version.renderer;
	arch.vendor = device->version.vendor;
	return tacho__catalog_add_arch(device->own.catalog, &arch, &device->own.arch);
}

int tacho__gl_fill_catalog(struct tacho__gl_device *device, const struct tacho_arch *standard)
{
	struct tacho__gl_groups groups = {0};
	const struct tacho_arch *known = NULL;
	int rc = tacho__gl_list_groups(device, &groups);

	if (!rc) {
		known = tacho__gl_recognize(device, &groups);
		rc = add_arch(device, known ? known : standard);
	}
	if (!rc)
		rc = tacho__gl_add_queries(device, standard);
	if (!rc)
		rc = tacho__gl_add_monitors(device, &groups, known);
	if (!rc && known)
		rc = tacho__known_add_metrics(&device->own, known);
	if (!rc)
		rc = tacho__known_add_metrics(&device->own, standard);
	if (!rc && known)
		rc = tacho__known_add_sets(&device->own, known);
	if (!rc)
		rc = tacho__known_add_sets(&device->own, standard);
	if (!rc)
		rc = add_gpu_time(device);
	if (!rc)
		rc = tacho__gl_add_perf_queries(device);
	if (!rc && known)
		rc = add_model(device, known);
	return rc ? rc : tacho__catalog_complete(device->own.catalog);
}
