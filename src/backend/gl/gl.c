/* SPDX-License-Identifier: MIT */
/* The backend: the context that is current on the calling thread is its one device. */
#include <stdlib.h>
#include <string.h>

#include "backend/gl/gl.h"
#include "backend/gl/gl_private.h"
#include "base/error.h"
#include "catalog/arch.h"

static int add_device(struct tacho_probe *probe, const struct tacho__gl *gl)
{
	struct tacho_device_info *info = tacho__probe_add_device_info(probe);
	struct tacho__gl_version version;
	struct tacho__gl_quirks quirks;
	int rc;

	if (!info)
		return TACHO_E_NOMEM;
	tacho__gl_get_version(gl, &version);
	rc = tacho__gl_quirks_read(&version, &quirks);
	if (rc)
		return rc;
	info->name = tacho__probe_text(probe, "%s",
				       *version.renderer ? version.renderer : "OpenGL context");
	info->vendor = tacho__probe_text(probe, "%s", version.vendor);
	info->platform = version.is_es ? "OpenGL ES" : "OpenGL";
	info->driver = tacho__probe_text(probe, "%s", version.text);
	info->kind = tacho__gl_quirks_is(&quirks, "software") ? "cpu" : "gpu";
	info->usable = 1;
	tacho__gl_quirks_finish(&quirks);
	return 0;
}

/* The context that the caller names must be the one that is current. */
static int find_named(const struct tacho_probe *probe, struct tacho__gl *out_gl)
{
	void *wanted = tacho__probe_get_options(probe)->handle, *current;
	int rc = tacho__gl_find(out_gl);

	if (rc || !wanted)
		return rc;
	current = out_gl->get_current();
	if (current == wanted)
		return 0;
	tacho__gl_close(out_gl);
	return tacho__fail(TACHO_E_NODEVICE,
			   tacho__detail("%p is current, %p was given", current, wanted),
			   "make the context current on this thread before tacho is asked",
			   "the OpenGL context that was given is not current on this thread");
}

static int probe(struct tacho_probe *probe_, struct tacho_probe_backend *backend_info)
{
	const struct tacho_error_detail *detail;
	struct tacho__gl gl;
	int rc = find_named(probe_, &gl);

	if (rc == TACHO_E_NOMEM)
		return rc;
	if (rc) {
		detail = tacho_error_last();
		backend_info->cause =
			tacho__probe_text(probe_, "%s: %s", detail->message, detail->cause);
		backend_info->cure = tacho__probe_text(probe_, "%s", detail->cure);
		return 0;
	}
	backend_info->library = tacho__probe_text(probe_, "%s", gl.dl.path);
	backend_info->usable = 1;
	rc = add_device(probe_, &gl);
	tacho__gl_close(&gl);
	return rc;
}

int tacho__gl_check_current(const struct tacho__gl_device *device)
{
	void *current = device->gl.get_current();

	if (current == device->context)
		return 0;
	return tacho__fail(TACHO_E_INVAL,
			   current ? "another context is current" : "no context is current",
			   "call from the thread that has the context of the device current",
			   "the OpenGL context is not current on this thread");
}

static bool has_enough(const struct tacho__gl_version *version)
{
	return version->number >= (version->is_es ? 30 : 15);
}

/* Libraries give a function that does nothing for one that the driver does not have. */
static bool has_wide_results(const struct tacho__gl_device *device)
{
	if (device->version.is_es)
		return tacho__gl_has_extension(&device->gl, "GL_EXT_disjoint_timer_query");
	return device->version.number >= 33 ||
	       tacho__gl_has_extension(&device->gl, "GL_ARB_timer_query");
}

static void look_at_driver(struct tacho__gl_device *device)
{
	const struct tacho__gl_version *version = &device->version;
	int32_t bits = 0;
	int rc = 0;

	if (!has_wide_results(device))
		device->gl.get_object_64 = NULL;
	device->has_query_buffer =
		!version->is_es && device->gl.bind_buffer &&
		(version->number >= 44 ||
		 tacho__gl_has_extension(&device->gl, "GL_ARB_query_buffer_object"));
	device->has_any_samples =
		!tacho__gl_explain_query(device, GL__ANY_SAMPLES_PASSED, 0, &rc) && !rc;
	device->finishes = tacho__gl_quirks_is(&device->quirks, "finish");
	if (tacho__gl_explain_query(device, GL__TIME_ELAPSED, 0, &rc) || rc)
		return;
	if (device->gl.query_counter && device->gl.get_object_64)
		device->gl.get_query(GL__TIMESTAMP, GL__QUERY_COUNTER_BITS, &bits);
	device->has_stamps = bits > 0;
	device->stamp_bits = bits > 64 ? 64 : (uint32_t)bits;
}

static void close_device(struct tacho_device *base)
{
	struct tacho__gl_device *device = TACHO__OWN(struct tacho__gl_device, base);
	tacho__known_finish(&device->own);
	tacho__gl_quirks_finish(&device->quirks);
	tacho__gl_close(&device->gl);
	free(device);
}

/* The driver's texts may go with the context. */
static int keep_version(struct tacho__gl_device *device)
{
	struct tacho__arena *arena = tacho__catalog_arena(device->own.catalog);
	struct tacho__gl_version *version = &device->version;

	tacho__gl_get_version(&device->gl, version);
	version->vendor = tacho__arena_string(arena, version->vendor);
	version->renderer = tacho__arena_string(arena, version->renderer);
	version->text = tacho__arena_string(arena, version->text);
	return version->vendor && version->renderer && version->text ? 0 : TACHO_E_NOMEM;
}

static int fill_unit(struct tacho__gl_device *device, const struct tacho_probe *probe_,
		     const struct tacho_catalog *catalog)
{
	const struct tacho_arch *standard;
	int rc = find_named(probe_, &device->gl);

	if (rc)
		return rc;
	device->context = device->gl.get_current();
	rc = tacho__catalog_create(&device->own.catalog);
	if (!rc)
		rc = keep_version(device);
	if (!rc && !has_enough(&device->version))
		rc = tacho__fail(TACHO_E_VERSION,
				 tacho__detail("GL_VERSION is \"%.100s\" of \"%.100s\"",
					       device->version.text, device->version.renderer),
				 "install a driver with OpenGL 1.5 or OpenGL ES 3.0, or newer",
				 "this OpenGL is too old to count");
	if (!rc)
		rc = tacho__gl_quirks_read(&device->version, &device->quirks);
	if (!rc)
		rc = tacho__known_find_definition(&device->own, catalog, "any", "gl", &standard);
	if (rc)
		return rc;
	device->source = device->own.definitions ? device->own.definitions : catalog;
	look_at_driver(device);
	rc = tacho__gl_fill_catalog(device, standard);
	if (rc || device->own.counters.count)
		return rc;
	return tacho__fail(TACHO_E_UNSUPPORTED,
			   tacho__detail("\"%.100s\" of \"%.100s\" has neither queries with bits "
					 "to count nor counters of the vendor",
					 device->version.text, device->version.renderer),
			   "use another driver", "there is nothing to count in this context");
}

static int open_device(const struct tacho_probe *probe_, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	struct tacho__gl_device *device = calloc(1, sizeof(*device));
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for an OpenGL context");
	rc = fill_unit(device, probe_, catalog);
	if (rc) {
		close_device(&device->base);
		return rc;
	}
	device->base.traits = (struct tacho__device_traits){
		.arch = tacho__arch_public(device->own.arch),
		.model = tacho_arch_get_model(tacho__arch_public(device->own.arch), 0),
		.replays = TACHO__REPLAYS_RANGES | 1u << TACHO_REPLAY_ROTATE,
	};
	tacho__gl_set_modes(device);
	*out_device = &device->base;
	return 0;
}

const struct tacho__backend tacho__backend_gl = {
	.name = "gl",
	.summary = "queries and counters of the OpenGL context of the calling thread",
	.is_named_only = 1, /* a program has a context, the command never */
	.probe = probe,
	.open = open_device,
	.close = close_device,
	.check_pass = tacho__gl_check_pass,
	.explain = tacho__gl_explain,
	.begin = tacho__gl_begin,
	.begin_pass = tacho__gl_begin_pass,
	.end_pass = tacho__collection_end_pass,
	.begin_range = tacho__gl_begin_range,
	.end_range = tacho__gl_end_range,
	.drain = tacho__gl_drain,
	.end = tacho__gl_end,
};
