/* SPDX-License-Identifier: MIT */
/* The one list of backends, and the probe that asks them all. */
#include <stdarg.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#if TACHO_WITH_OPENCL
#include "backend/opencl/opencl.h"
#endif

static const struct tacho__backend *const backends[] = {
#if TACHO_WITH_OPENCL
	&tacho__backend_opencl,
#endif
	NULL,
};

struct tacho_probe {
	struct tacho__arena arena;
	struct tacho_probe_backend *backends;
	size_t backend_count;
	struct tacho_device **devices;
	size_t device_count, device_capacity;
	const char *backend; /* the one that is being asked */
	bool failed;	     /* memory ran out */
};

const struct tacho__backend *tacho__backend_get(size_t index)
{
	return index < TACHO__ARRAY_SIZE(backends) ? backends[index] : NULL;
}

struct tacho_device *tacho__probe_add_device(struct tacho_probe *probe)
{
	struct tacho_device *device = tacho__arena_get(&probe->arena, sizeof(*device));
	struct tacho_device **devices =
		tacho__array_grow(probe->devices, &probe->device_capacity, probe->device_count + 1,
				  sizeof(struct tacho_device *));

	if (devices)
		probe->devices = devices;
	if (!device || !devices) {
		probe->failed = true;
		return NULL;
	}
	*device = (struct tacho_device){.backend = probe->backend,
					.name = "",
					.vendor = "",
					.platform = "",
					.driver = "",
					.kind = "",
					.cause = "",
					.cure = ""};
	probe->devices[probe->device_count++] = device;
	return device;
}

const char *tacho__probe_text(struct tacho_probe *probe, const char *format, ...)
{
	struct tacho__buf buf = {0};
	const char *text = NULL;
	va_list list;

	va_start(list, format);
	tacho__buf_vprintf(&buf, format, list);
	va_end(list);
	if (!buf.failed)
		text = tacho__arena_string(&probe->arena, tacho__buf_text(&buf));
	tacho__buf_finish(&buf);
	if (!text)
		probe->failed = true;
	return text ? text : "";
}

static int ask_all(struct tacho_probe *probe)
{
	probe->backends = tacho__arena_get(&probe->arena,
					   TACHO__ARRAY_SIZE(backends) * sizeof(*probe->backends));
	if (!probe->backends)
		return TACHO_E_NOMEM;
	for (size_t i = 0; backends[i]; i++) {
		struct tacho_probe_backend *about = &probe->backends[probe->backend_count];
		int rc;

		about->name = probe->backend = backends[i]->name;
		about->summary = backends[i]->summary;
		about->library = about->cause = about->cure = "";
		rc = backends[i]->probe(probe, about);
		if (rc)
			return rc;
		probe->backend_count++;
	}
	return probe->failed ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the devices") : 0;
}

int tacho_probe_create(struct tacho_probe **out_probe)
{
	struct tacho_probe *probe = calloc(1, sizeof(*probe));
	int rc;

	if (!probe)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a probe");
	rc = ask_all(probe);
	if (rc)
		tacho_probe_destroy(probe);
	else
		*out_probe = probe;
	return rc;
}

void tacho_probe_destroy(struct tacho_probe *probe)
{
	if (!probe)
		return;
	free(probe->devices);
	tacho__arena_finish(&probe->arena);
	free(probe);
}

const struct tacho_probe_backend *tacho_probe_get_backend(const struct tacho_probe *probe,
							  size_t index)
{
	return index < probe->backend_count ? &probe->backends[index] : NULL;
}

const struct tacho_device *tacho_probe_get_device(const struct tacho_probe *probe, size_t index)
{
	return index < probe->device_count ? probe->devices[index] : NULL;
}
