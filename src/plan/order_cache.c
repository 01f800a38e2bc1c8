/* SPDX-License-Identifier: MIT */
#include "plan/order_cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/sha256.h"

enum { FILE_MAX = 16 << 20, FILES_MAX = 256 };

static const char format_name[] = "tacho-order 1";

/* ---- where ---- */

/* Each folder of the path below `from` that is not there, for this user alone. */
static bool make_folders(char *path, size_t from)
{
	for (char *at = path + from; (at = strchr(at, '/')); at++) {
		bool good;

		*at = '\0';
		good = !mkdir(path, 0700) || errno == EEXIST;
		*at = '/';
		if (!good)
			return false;
	}
	return true;
}

/* Not for a program that has more rights than who started it. */
static bool find_folder(char out_path[PATH_MAX])
{
	const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
	int size = -1;

	if (cache && *cache == '/')
		size = snprintf(out_path, PATH_MAX, "%s/tacho/orders/", cache);
	else if (home && *home == '/')
		size = snprintf(out_path, PATH_MAX, "%s/.cache/tacho/orders/", home);
	return size > 0 && size < PATH_MAX - 2 * TACHO__SHA256_SIZE - 1;
}

void tacho__order_key_make(const struct tacho_arch *arch, const struct tacho__ordering *ordering,
			   struct tacho__order_key *out_key)
{
	uint8_t digest[TACHO__SHA256_SIZE];
	struct tacho__buf question = {0};
	char *at;

	out_key->path[0] = '\0';
	tacho__buf_printf(&question, "%s\n%s\n%s\n%s\n", format_name, ordering->library->build,
			  arch->api, arch->name);
	for (size_t i = 0; i < ordering->count; i++)
		tacho__buf_printf(&question, "%s\n", ordering->entries[i]->name);
	if (!question.failed && find_folder(out_key->path)) {
		tacho__sha256(question.text, question.size, digest);
		at = out_key->path + strlen(out_key->path);
		for (size_t i = 0; i < sizeof(digest); i++)
			at += sprintf(at, "%02x", digest[i]);
	} else {
		out_key->path[0] = '\0';
	}
	tacho__buf_finish(&question);
}

/* ---- reading ---- */

struct reading {
	char *at; /* behind the line that was read */
	struct tacho__names by_name;
	const struct tacho_entry **entries;
};

/* The next line, without its end; NULL when there is no whole one. */
static char *next_line(struct reading *reading)
{
	char *line = reading->at, *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	reading->at = end + 1;
	return line;
}

/* Each entry once, and no others. */
static bool read_entries(struct reading *reading, const struct tacho__ordering *ordering)
{
	static char taken;

	for (size_t i = 0; i < ordering->count; i++)
		if (tacho__names_set(&reading->by_name, ordering->entries[i]->name,
				     (void *)ordering->entries[i]))
			return false;
	for (size_t i = 0; i < ordering->count; i++) {
		char *name = next_line(reading);
		void *entry = name ? tacho__names_get(&reading->by_name, name) : NULL;

		if (!entry || entry == &taken)
			return false;
		reading->entries[i] = entry;
		if (tacho__names_set(&reading->by_name, reading->entries[i]->name, &taken))
			return false;
	}
	return !*reading->at;
}

static bool read_text(struct reading *reading, struct tacho__ordering *ordering)
{
	size_t passes, given, trials;
	char *line = next_line(reading);
	bool is_good = line && !strcmp(line, format_name);

	line = is_good ? next_line(reading) : NULL;
	if (!line || sscanf(line, "passes %zu given %zu trials %zu", &passes, &given, &trials) != 3)
		return false;
	if (!passes || passes > given || !read_entries(reading, ordering))
		return false;
	ordering->pass_count = passes;
	ordering->given_count = given;
	ordering->trial_count = trials;
	memcpy(ordering->entries, reading->entries, ordering->count * sizeof(*ordering->entries));
	return true;
}

bool tacho__order_cache_read(const struct tacho__order_key *key, struct tacho__ordering *ordering)
{
	struct reading reading = {.at = NULL};
	struct tacho__buf text = {0};
	bool found = false;

	if (!*key->path || access(key->path, R_OK))
		return false;
	if (!tacho__fs_read(key->path, FILE_MAX, &text) && text.size)
		reading.entries = malloc((ordering->count + 1) * sizeof(*reading.entries));
	if (reading.entries) {
		reading.at = text.text;
		found = read_text(&reading, ordering);
	}
	free(reading.entries);
	tacho__names_finish(&reading.by_name);
	tacho__buf_finish(&text);
	return found;
}

/* ---- writing ---- */

/* Many questions make many files: the folder is emptied when it is full. */
static void make_room(const char *path)
{
	struct tacho__arena arena = {0};
	struct tacho__fs_names names = {0};
	char folder[PATH_MAX], file[2 * PATH_MAX];

	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
	if (!tacho__fs_list(&arena, folder, FILES_MAX, &names) && names.count == FILES_MAX)
		for (size_t i = 0; i < names.count; i++) {
			snprintf(file, sizeof(file), "%s/%s", folder, names.names[i]);
			unlink(file);
		}
	free(names.names);
	tacho__arena_finish(&arena);
}

void tacho__order_cache_write(const struct tacho__order_key *key,
			      const struct tacho__ordering *ordering)
{
	struct tacho__order_key own = *key;
	struct tacho__fs_new file = {0};

	if (!*own.path || !make_folders(own.path, 1))
		return;
	make_room(own.path);
	if (tacho__fs_create(&file, own.path, true))
		return;
	fprintf(file.stream, "%s\npasses %zu given %zu trials %zu\n", format_name,
		ordering->pass_count, ordering->given_count, ordering->trial_count);
	for (size_t i = 0; i < ordering->count; i++)
		fprintf(file.stream, "%s\n", ordering->entries[i]->name);
	tacho__fs_commit(&file);
}
