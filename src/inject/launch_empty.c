/* SPDX-License-Identifier: MIT */
/* Why a recording holds no call: facts that were seen, in one sentence. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/text.h"
#include "inject/elf_tables.h"
#include "inject/launch.h"
#include "record/place.h"
#include "tacho/recording.h"

enum { ENVIRONMENT_BYTES_MAX = 16 * 1024 * 1024 };

/* Notes the GPU libraries that the program itself names. */
static void look_at_linked(struct tacho_launch *launch)
{
	int fd = launch->binary[0] ? open(launch->binary, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct tacho__buf names = {0};

	if (fd < 0)
		return;
	tacho__elf_list_needed(fd, &names);
	close(fd);
	for (size_t at = 0; at < names.size; at += strlen(names.text + at) + 1) {
		int row = tacho__gpu_library_find(names.text + at);

		if (row < 0)
			continue;
		launch->seen.linked[row] = true;
		if (!launch->seen.file[row][0])
			snprintf(launch->seen.file[row], sizeof(launch->seen.file[row]), "%s",
				 names.text + at);
	}
	tacho__buf_finish(&names);
}

/* The first library of an API that was seen, as a row; -1 when there is none. */
static int find_library(const struct tacho__sightings *seen, const char *api_name)
{
	const struct tacho__gpu_library *library;

	for (size_t i = 0; (library = tacho__gpu_library_get(i)); i++)
		if ((seen->mapped[i] || seen->linked[i]) && !strcmp(library->api_name, api_name))
			return (int)i;
	return -1;
}

static bool is_recorded(const char *api_name)
{
	const struct tacho__injection *injection;

	for (size_t i = 0; (injection = tacho__injection_get(i)); i++)
		if (!strcmp(injection->api_name, api_name))
			return true;
	return false;
}

/* "libGL.so.1 (OpenGL), libvulkan.so.1 (Vulkan)": all that were seen, of APIs without an injection.
 */
static void list_libraries(const struct tacho__sightings *seen, struct tacho__buf *text)
{
	const struct tacho__gpu_library *library;

	for (size_t i = 0; (library = tacho__gpu_library_get(i)); i++)
		if ((seen->mapped[i] || seen->linked[i]) && !is_recorded(library->api_name))
			tacho__buf_printf(text, "%s%s (%s)", text->size ? ", " : "", seen->file[i],
					  library->api_name);
}

static void explain_api(const struct tacho__sightings *seen,
			const struct tacho__injection *injection, struct tacho__buf *text)
{
	int row = find_library(seen, injection->api_name);
	struct tacho__buf others = {0};

	if (row < 0 && injection->is_tool)
		return;
	if (text->size)
		tacho__buf_put(text, "; ");

	if (row >= 0) {
		tacho__buf_printf(text,
				  "the program %s %s, but tacho's library did not come up in it: ",
				  seen->mapped[row] ? "loaded" : "is linked with", seen->file[row]);
		injection->explain(seen, text);
		return;
	}
	tacho__buf_printf(text, "the program is linked with no %s loader, and %s",
			  injection->api_name,
			  seen->looked ? "none was seen in its memory"
				       : "it ended before its memory could be looked at");
	list_libraries(seen, &others);
	if (others.size)
		tacho__buf_printf(text, "; it uses %s, which tacho does not record",
				  tacho__buf_text(&others));
	tacho__buf_finish(&others);
}

/* What the recording itself tells about its lack of calls. */
struct contents {
	struct tacho__buf unwatched; /* what processes said that they could not record */
	uint64_t ranges;
};

static void count_range(void *user, const struct tacho_named_range *range)
{
	struct contents *contents = user;

	(void)range;
	contents->ranges++;
}

static void list_unwatched(struct tacho_recording *recording, struct tacho__buf *out_text)
{
	for (size_t i = 0; i < tacho_recording_get_process_count(recording); i++) {
		const char *text = tacho_recording_get_process(recording, i)->unwatched;

		if (*text && !strstr(tacho__buf_text(out_text), text))
			tacho__buf_printf(out_text, "%s%s", out_text->size ? "; " : "", text);
	}
}

/* Nothing when the recording cannot be read. */
static void look_into(const char *path, struct contents *contents)
{
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;

	if (tacho_recording_open(path, &recording))
		return;
	if (!tacho_cursor_open(recording, &cursor)) {
		tacho_cursor_on_range(cursor, count_range, contents);
		while (tacho_cursor_next(cursor, &call) == 1)
			;
		list_unwatched(recording, &contents->unwatched);
		tacho_cursor_close(cursor);
	}
	tacho_recording_close(recording);
}

static void explain_silence(const struct tacho_launch *launch, struct tacho__buf *out_text)
{
	uint32_t processes = launch->seen.processes;
	struct contents contents = {0};

	look_into(launch->directory, &contents);
	if (contents.unwatched.size || !contents.ranges)
		tacho__buf_printf(out_text, "tacho's library came up in %u process%s, but ",
				  processes, processes == 1 ? "" : "es");
	if (contents.unwatched.size)
		tacho__buf_printf(out_text, "did not record %s",
				  tacho__buf_text(&contents.unwatched));
	else if (contents.ranges)
		tacho__buf_printf(out_text,
				  "the program named %" PRIu64 " range%s, and made no call that "
				  "tacho records",
				  contents.ranges, tacho__plural(contents.ranges));
	else
		tacho__buf_put(out_text, "no call was made");
	tacho__buf_finish(&contents.unwatched);
}

/* Whether the process was started for this recording. */
static bool is_of_launch(const struct tacho_launch *launch, const char *pid)
{
	struct tacho__buf text = {0};
	char path[64], wanted[128];
	bool found;

	snprintf(path, sizeof(path), "/proc/%.16s/environ", pid);
	snprintf(wanted, sizeof(wanted), TACHO__STAMP_VARIABLE "=%s", launch->stamp);
	found = !tacho__fs_read(path, ENVIRONMENT_BYTES_MAX, &text) && text.size &&
		memmem(text.text, text.size, wanted, strlen(wanted) + 1);
	tacho__buf_finish(&text);
	return found;
}

/* A daemon, or what a shell has left in the background: it may still make calls. */
static void name_survivor(const struct tacho_launch *launch, struct tacho__buf *text)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (isdigit((unsigned char)*entry->d_name) && is_of_launch(launch, entry->d_name))
			break;
	if (folder && entry)
		tacho__buf_printf(text,
				  "process %s, which the program had started, went on when it "
				  "ended, and had made no call yet",
				  entry->d_name);
	if (folder)
		closedir(folder);
}

void tacho__launch_explain(struct tacho_launch *launch, struct tacho__buf *out_text)
{
	struct tacho__sightings *seen = &launch->seen;
	const struct tacho__injection *injection;

	seen->via = launch->via;
	seen->processes = atomic_load(&launch->keeper.pool->processes);
	if (seen->processes) {
		explain_silence(launch, out_text);
		return;
	}
	if (!launch->no_follow)
		name_survivor(launch, out_text);
	look_at_linked(launch);
	for (size_t i = 0; (injection = tacho__injection_get(i)); i++)
		explain_api(seen, injection, out_text);
	if (launch->no_follow)
		tacho__buf_put(out_text, "; with --no-follow its children are not recorded");
}
