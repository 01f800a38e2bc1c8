/* SPDX-License-Identifier: MIT */
/* Asking backends for their devices, and what they were asked for. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"

/* One part of the list: a backend, or a device of it that exists because it was named. */
struct argument {
	const char *backend, *word; /* word "": the backend as a whole */
};

/* A device and whose it is. */
struct found {
	struct tacho_device_info *info;
	const struct tacho__backend *backend;
	size_t index; /* among the devices of its backend */
};

struct tacho_probe {
	struct tacho__arena arena;
	struct tacho__probe_options options;
	struct argument *arguments;
	size_t argument_count, argument_capacity;
	struct tacho_probe_backend *backends;
	size_t backend_count, backend_capacity;
	struct found *devices;
	size_t device_count, device_capacity;
	const struct tacho__backend *backend; /* the one that is being asked */
	size_t index;			      /* of its next device */
	bool failed;			      /* memory ran out */
};

static const struct tacho__backend *get_backend(const struct tacho_probe *probe, size_t index)
{
	return probe->options.table ? probe->options.table[index] : tacho__backend_get(index);
}

struct tacho_device_info *tacho__probe_add_device_info(struct tacho_probe *probe)
{
	struct tacho_device_info *info = tacho__arena_get(&probe->arena, sizeof(*info));

	if (!info || tacho__array_reserve(&probe->devices, &probe->device_capacity,
					  probe->device_count, sizeof(*probe->devices))) {
		probe->failed = true;
		return NULL;
	}
	*info = (struct tacho_device_info){.backend = probe->backend->name,
					   .name = "",
					   .vendor = "",
					   .platform = "",
					   .driver = "",
					   .kind = "",
					   .cause = "",
					   .cure = "",
					   .id = "",
					   .arch = "",
					   .api = "",
					   .windows_by = "",
					   .pci = "",
					   .found_only = !probe->backend->open};
	probe->devices[probe->device_count++] =
		(struct found){.info = info, .backend = probe->backend, .index = probe->index++};
	return info;
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

const struct tacho__probe_options *tacho__probe_get_options(const struct tacho_probe *probe)
{
	return &probe->options;
}

const char *tacho__probe_get_argument(const struct tacho_probe *probe, const char *backend,
				      size_t index)
{
	for (size_t i = 0; i < probe->argument_count; i++) {
		const struct argument *word = &probe->arguments[i];

		if (*word->word && !strcmp(word->backend, backend) && index-- == 0)
			return word->word;
	}
	return NULL;
}

static int fail_unknown(const struct tacho_probe *probe, const char *name)
{
	struct tacho__buf known = {0};
	int rc;

	for (size_t i = 0; get_backend(probe, i); i++)
		tacho__buf_printf(&known, "%s%s", i ? ", " : "choose of ",
				  get_backend(probe, i)->name);
	rc = tacho__fail(TACHO_E_NOTFOUND, "", tacho__buf_text(&known),
			 "there is no backend \"%s\"", name);
	tacho__buf_finish(&known);
	return rc;
}

static int add_argument(struct tacho_probe *probe, const char *text, size_t size)
{
	struct argument argument;
	char *name = tacho__arena_text(&probe->arena, text, size);
	char *colon;
	size_t i = 0;

	if (!name)
		return TACHO_E_NOMEM;
	colon = strchr(name, ':');
	if (colon)
		*colon = '\0';
	while (get_backend(probe, i) && strcmp(get_backend(probe, i)->name, name) != 0)
		i++;
	if (!get_backend(probe, i))
		return fail_unknown(probe, name);
	argument = (struct argument){.backend = name, .word = colon ? colon + 1 : ""};
	return tacho__array_add(&probe->arguments, &probe->argument_capacity,
				&probe->argument_count, &argument, sizeof(argument));
}

static int read_arguments(struct tacho_probe *probe, const char *list)
{
	int rc = 0;

	while (*list && !rc) {
		size_t size = strcspn(list, ",");

		if (size)
			rc = add_argument(probe, list, size);
		list += size + (list[size] == ',');
	}
	if (!rc && !probe->argument_count)
		rc = tacho__fail(TACHO_E_NOTFOUND, "the list is empty",
				 "name a backend, or give no list", "no backend is named");
	return rc;
}

static int is_wanted(const struct tacho_probe *probe, const struct tacho__backend *backend)
{
	if (!probe->options.backends)
		return !backend->is_named_only && (backend->open || !probe->options.only_counting);
	for (size_t i = 0; i < probe->argument_count; i++)
		if (!strcmp(probe->arguments[i].backend, backend->name))
			return 1;
	return 0;
}

static int ask(struct tacho_probe *probe, const struct tacho__backend *backend)
{
	struct tacho_probe_backend *asked;
	int rc;

	if (tacho__array_reserve(&probe->backends, &probe->backend_capacity, probe->backend_count,
				 sizeof(*asked)))
		return TACHO_E_NOMEM;
	probe->backend = backend;
	probe->index = 0;
	asked = &probe->backends[probe->backend_count];
	*asked = (struct tacho_probe_backend){.name = backend->name,
					      .summary = backend->summary,
					      .library = "",
					      .cause = "",
					      .cure = ""};
	rc = backend->probe(probe, asked);
	if (!rc)
		probe->backend_count++;
	return rc;
}

static int prepare(struct tacho_probe *probe)
{
	const char *sysroot = probe->options.sysroot ? probe->options.sysroot : "/";
	size_t size = strlen(sysroot);

	probe->options.sysroot =
		tacho__probe_text(probe, size && sysroot[size - 1] == '/' ? "%s" : "%s/", sysroot);
	if (probe->failed)
		return TACHO_E_NOMEM;
	return probe->options.backends ? read_arguments(probe, probe->options.backends) : 0;
}

int tacho__probe_create(const struct tacho__probe_options *options, struct tacho_probe **out_probe)
{
	struct tacho_probe *probe = calloc(1, sizeof(*probe));
	int rc;

	if (!probe)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a probe");
	probe->options = *options;
	rc = prepare(probe);
	for (size_t i = 0; !rc && get_backend(probe, i); i++)
		if (is_wanted(probe, get_backend(probe, i)))
			rc = ask(probe, get_backend(probe, i));
	if (!rc && probe->failed)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the devices");
	if (rc)
		tacho_probe_destroy(probe);
	else
		*out_probe = probe;
	return rc;
}

int tacho_probe_create(struct tacho_probe **out_probe)
{
	if (!out_probe)
		return tacho__fail_null(__func__);
	return tacho__probe_create(&(struct tacho__probe_options){0}, out_probe);
}

void tacho_probe_destroy(struct tacho_probe *probe)
{
	if (!probe)
		return;
	free(probe->arguments);
	free(probe->backends);
	free(probe->devices);
	tacho__arena_finish(&probe->arena);
	free(probe);
}

const struct tacho_probe_backend *tacho_probe_get_backend(const struct tacho_probe *probe,
							  size_t index)
{
	return probe && index < probe->backend_count ? &probe->backends[index] : NULL;
}

const struct tacho_device_info *tacho_probe_get_device_info(const struct tacho_probe *probe,
							    size_t index)
{
	return probe && index < probe->device_count ? probe->devices[index].info : NULL;
}

const struct tacho_device_info *tacho__probe_get_own_info(const struct tacho_probe *probe,
							  const char *backend, size_t index)
{
	for (size_t i = 0; i < probe->device_count; i++)
		if (probe->devices[i].index == index &&
		    !strcmp(probe->devices[i].backend->name, backend))
			return probe->devices[i].info;
	return NULL;
}

const struct tacho__backend *tacho__probe_find_backend(const struct tacho_probe *probe,
						       const struct tacho_device_info *info,
						       size_t *out_index)
{
	for (size_t i = 0; i < probe->device_count; i++) {
		if (probe->devices[i].info == info) {
			*out_index = probe->devices[i].index;
			return probe->devices[i].backend;
		}
	}
	return NULL;
}
