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

enum { NS_PER_S = 1000000000 }; /* OpenGL counts time in nanoseconds */

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
		rc = tacho__known_add_model(&device->own, known, device->version.renderer,
					    &(struct tacho_property){"TS_FREQ", NS_PER_S}, 1);
	return rc ? rc : tacho__catalog_complete(device->own.catalog);
}
