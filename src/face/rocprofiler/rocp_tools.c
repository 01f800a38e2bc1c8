/* SPDX-License-Identifier: MIT */
/* Tools are libraries and programs that have a rocprofiler_configure(). */
#include "face/rocprofiler/rocp_tools.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "face/rocprofiler/rocprofiler.h"

/* A program that has one and is linked with this library exports it for this reference. */
#pragma weak rocprofiler_configure

struct names {
	char **names;
	size_t count, capacity;
};

static void add(struct tacho__rocp_tools *tools, rocprofiler_configure_func_t configure,
		const char *where)
{
	struct tacho__rocp_tool tool = {configure, NULL};

	for (size_t i = 0; i < tools->count; i++)
		if (tools->tools[i].configure == configure)
			return;
	tool.where = strdup(where);
	if (!tool.where ||
	    tacho__array_add(&tools->tools, &tools->capacity, &tools->count, &tool, sizeof(tool))) {
		free(tool.where);
		tacho__rocp_log_error("no memory for the tool of %s", where);
	}
}

static rocprofiler_configure_func_t find_in(void *handle)
{
	rocprofiler_configure_func_t configure;
	void *symbol = dlsym(handle, "rocprofiler_configure");

	memcpy(&configure, &symbol, sizeof(configure));
	return configure;
}

static void add_from(struct tacho__rocp_tools *tools, void *handle, const char *where)
{
	rocprofiler_configure_func_t configure = find_in(handle);

	if (configure)
		add(tools, configure, where);
}

/* Libraries stay loaded: their functions are called until the process ends. */
static void add_library(struct tacho__rocp_tools *tools, const char *path)
{
	rocprofiler_configure_func_t configure;
	void *handle = dlopen(path, RTLD_NOLOAD | RTLD_LAZY);

	if (!handle)
		handle = dlopen(path, RTLD_LOCAL | RTLD_LAZY);
	if (!handle) {
		tacho__rocp_log_error("ROCP_TOOL_LIBRARIES: %s; mend the path, or take it out",
				      dlerror());
		return;
	}
	configure = find_in(handle);
	if (configure)
		add(tools, configure, path);
	else
		tacho__rocp_log_error("ROCP_TOOL_LIBRARIES: %s has no rocprofiler_configure(): "
				      "it is not a tool",
				      path);
}

static void add_named(struct tacho__rocp_tools *tools)
{
	const char *value = getenv("ROCP_TOOL_LIBRARIES");
	char *list = value ? strdup(value) : NULL, *rest = list, *path;

	while ((path = strsep(&rest, ":")))
		if (*path)
			add_library(tools, path);
	free(list);
}

/* Names only: nothing can be opened within dl_iterate_phdr(). */
static int note_name(struct dl_phdr_info *info, size_t size, void *user)
{
	struct names *names = user;
	char *name = *info->dlpi_name ? strdup(info->dlpi_name) : NULL;

	if (name &&
	    tacho__array_add(&names->names, &names->capacity, &names->count, &name, sizeof(name)))
		free(name);
	return 0;
}

static void add_loaded(struct tacho__rocp_tools *tools)
{
	struct names names = {0};

	dl_iterate_phdr(note_name, &names);
	for (size_t i = 0; i < names.count; i++) {
		void *handle = dlopen(names.names[i], RTLD_NOLOAD | RTLD_LAZY);

		if (handle) {
			add_from(tools, handle, names.names[i]);
			dlclose(handle);
		}
		free(names.names[i]);
	}
	free(names.names);
}

void tacho__rocp_tools_find(rocprofiler_configure_func_t forced,
			    struct tacho__rocp_tools *out_tools)
{
	*out_tools = (struct tacho__rocp_tools){0};
	if (forced)
		add(out_tools, forced, "rocprofiler_force_configure()");
	add_named(out_tools);
	if (rocprofiler_configure)
		add(out_tools, rocprofiler_configure, "the program");
	add_from(out_tools, RTLD_DEFAULT, "the program's libraries");
	add_from(out_tools, RTLD_NEXT, "the libraries behind this one");
	if (find_in(RTLD_DEFAULT))
		add_loaded(out_tools);
}
