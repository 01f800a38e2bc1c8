/* SPDX-License-Identifier: MIT */
/* meta.json and end.json: what the launcher knows of a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"
#include "base/machine.h"
#include "inject/launch.h"
#include "record/wire.h"
#include "tacho/sys/json.h"

enum { OS_RELEASE_MAX = 64 * 1024 };

/* The value of a line KEY=value or KEY="value" of /etc/os-release. Owned; NULL: not there. */
static char *find_os_name(const char *text)
{
	static const char key[] = "PRETTY_NAME=";

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t size = strcspn(line, "\n");

		if (strncmp(line, key, sizeof(key) - 1))
			continue;
		line += sizeof(key) - 1;
		size -= sizeof(key) - 1;
		if (size >= 2 && (*line == '"' || *line == '\'') && line[size - 1] == *line) {
			line++;
			size -= 2;
		}
		return strndup(line, size);
	}
	return NULL;
}

static char *get_os_name(void)
{
	struct tacho__buf buf = {0};
	char *name = NULL;

	if (!tacho__fs_read("/etc/os-release", OS_RELEASE_MAX, &buf) ||
	    !tacho__fs_read("/usr/lib/os-release", OS_RELEASE_MAX, &buf))
		name = find_os_name(tacho__buf_text(&buf));
	tacho__buf_finish(&buf);
	return name;
}

static void add_clocks(struct tacho_json *json, const char *key, const struct tacho__anchor *anchor)
{
	tacho_json_begin_object(json, key);
	tacho_json_add_unsigned(json, "raw_ns", anchor->raw_ns);
	tacho_json_add_unsigned(json, "monotonic_ns", anchor->monotonic_ns);
	tacho_json_add_unsigned(json, "realtime_ns", anchor->realtime_ns);
	tacho_json_end(json);
}

static void add_fact(void *user, const char *name, const char *value, bool is_setting)
{
	struct tacho_json *json = user;

	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", name);
	tacho_json_add_string(json, "value", value);
	tacho_json_add_bool(json, "setting", is_setting);
	tacho_json_end(json);
}

/* How fast the machine may be, and is, at this moment. */
static void add_machine(struct tacho_json *json)
{
	tacho_json_begin_array(json, "machine");
	tacho__machine_read(add_fact, json);
	tacho_json_end(json);
}

int tacho__launch_write_meta(struct tacho_launch *launch)
{
	struct tacho__fs_new file = {0};
	struct tacho_json json;
	struct utsname system;
	char *os_name, *folder;
	int rc = tacho__fs_create_in(&file, launch->absolute, TACHO__META_FILE);

	if (rc)
		return rc;
	memset(&system, 0, sizeof(system));
	uname(&system);
	os_name = get_os_name();
	folder = getcwd(NULL, 0);
	tacho_json_init(&json, file.stream, true);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_string(&json, "schema", "tacho.meta/1");
	tacho_json_add_string(&json, "generator", "tacho " TACHO_VERSION);
	tacho_json_add_string(&json, TACHO__STAMP_KEY, launch->stamp);
	tacho_json_add_string(&json, TACHO__POOL_KEY, launch->keeper.path);
	tacho_json_add_string(&json, "application", launch->program);
	tacho_json_begin_array(&json, "arguments");
	for (char **argument = launch->argv + 1; *argument; argument++)
		tacho_json_add_string(&json, NULL, *argument);
	tacho_json_end(&json);
	tacho_json_add_string(&json, "working_directory", folder ? folder : "");
	tacho_json_add_string(&json, "host", system.nodename);
	tacho_json_add_string(&json, "os_name", os_name ? os_name : system.sysname);
	tacho_json_add_string(&json, "os_release", system.release);
	tacho_json_add_string(&json, "via", launch->via == TACHO_VIA_PRELOAD ? "preload" : "layer");
	add_clocks(&json, "start", &launch->start);
	tacho_json_add_integer(&json, "launcher_pid", getpid());
	add_machine(&json);
	tacho_json_finish(&json);
	free(os_name);
	free(folder);
	return tacho__fs_commit(&file);
}

int tacho__launch_write_end(struct tacho_launch *launch)
{
	const struct tacho__pool *pool = launch->keeper.pool;
	struct tacho__fs_new file = {0};
	struct tacho__anchor now;
	struct tacho_json json;
	int rc = tacho__fs_create_in(&file, launch->absolute, TACHO__END_FILE);

	if (rc)
		return rc;
	tacho__clock_anchor(&now);
	tacho_json_init(&json, file.stream, true);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_string(&json, "schema", "tacho.end/1");
	add_clocks(&json, "end", &now);
	tacho_json_add_integer(&json, "exit_status", launch->has_ended ? launch->status : -1);
	tacho_json_add_string(&json, "why_empty", launch->outcome.why_empty);
	add_machine(&json);
	if (atomic_load(&pool->keeper_state) == TACHO__KEEPER_ENDED) {
		tacho_json_add_unsigned(&json, "control_bytes", pool->committed.control_bytes);
		tacho_json_add_unsigned(&json, "keeper_ns", atomic_load(&pool->keeper_ns));
	}
	tacho_json_finish(&json);
	return tacho__fs_commit(&file);
}
