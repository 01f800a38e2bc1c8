/* SPDX-License-Identifier: MIT */
/*
 * Call tables, as processes send them, and what they decide: which functions are polls, which give
 * work or wait for it, which are to be recorded. What is left out is counted by function.
 */
#include <stdlib.h>
#include <sys/statvfs.h>

#include "base/crc32c.h"
#include "base/pattern.h"
#include "record/keeper/keeper_private.h"

enum {
	TABLE_BYTES_MAX = 4 * 1024 * 1024,
	WORK_EIGHTHS = 7, /* of the budget; the rest is for work alone */
};

static const struct tacho__function *find_function(const struct keeper *k, uint16_t kind)
{
	const struct tacho__call_table *table = k->apis[TACHO__KIND_API(kind)].table;
	const struct tacho__function *function =
		table ? &table->functions[TACHO__KIND_FUNCTION(kind)] : NULL;

	return function && function->known ? function : NULL;
}

/* What is no pattern was refused before the start. */
static bool fits(const char *text, const char *name)
{
	struct tacho__pattern pattern;
	bool good;

	if (tacho__pattern_init(&pattern, text, 0))
		return false;
	good = tacho__pattern_fits(&pattern, name);
	tacho__pattern_finish(&pattern);
	return good;
}

static bool is_asked_for(const struct keeper *k, const struct tacho__function *function)
{
	if (k->limits.only_work && !function->command && !function->waits)
		return false;
	for (uint32_t i = 0; i < k->limits.call_count; i++)
		if (fits(k->limits.calls[i], function->function.name))
			return true;
	return !k->limits.call_count;
}

/* Once for each function, not for each call; and tells the programs what they need not record. */
static void choose_functions(struct keeper *k, uint32_t api)
{
	struct tacho__kept_api *info = &k->apis[api];

	for (uint32_t i = 0; i < TACHO__POOL_FUNCTIONS_MAX; i++) {
		const struct tacho__function *function = &info->table->functions[i];

		if (!function->known || is_asked_for(k, function))
			continue;
		info->left_out[i / 64] |= UINT64_C(1) << (i % 64);
		atomic_fetch_or(&k->pool->left_out[api][i / 64], UINT64_C(1) << (i % 64));
	}
}

static void finish_table(struct keeper *k, uint32_t api)
{
	struct tacho__kept_api *info = &k->apis[api];
	const char *text = tacho__buf_text(&info->text);
	struct tacho__call_table *table = NULL;

	if (tacho__call_table_parse(&k->arena, text, info->text.size, &table))
		return;
	info->table = table;
	k->pool->tables[api].crc = tacho__crc32c(0, text, info->text.size);
	atomic_store(&k->pool->tables[api].is_known, 1);
	tacho__keeper_note_table(k, api, text, info->text.size);
	choose_functions(k, api);
}

/* Pieces come in order from one stream; other processes may send the same meanwhile. */
void tacho__keeper_take_table(struct keeper *k, uint32_t stream, const uint8_t *values,
			      uint32_t size)
{
	struct tacho__unpack unpack;
	struct tacho__kept_api *info;
	uint64_t api, offset, total, piece;
	const uint8_t *bytes;

	tacho__unpack_begin(&unpack, values, size);
	api = tacho__unpack_u64(&unpack);
	offset = tacho__unpack_u64(&unpack);
	total = tacho__unpack_u64(&unpack);
	piece = tacho__unpack_u64(&unpack);
	bytes = tacho__unpack_bytes(&unpack, piece);
	if (!bytes || api >= TACHO__POOL_APIS_MAX || total > TABLE_BYTES_MAX)
		return;
	info = &k->apis[api];
	if (info->table)
		return;
	if (!offset && info->sender != stream + 1) {
		tacho__buf_clear(&info->text);
		info->sender = stream + 1;
	}
	if (info->sender != stream + 1 || info->text.size != offset)
		return;
	tacho__buf_add(&info->text, bytes, piece);
	if (info->text.size == total && !info->text.failed)
		finish_table(k, (uint32_t)api);
}

bool tacho__keeper_is_poll(const struct keeper *k, uint16_t kind)
{
	const struct tacho__function *function = find_function(k, kind);

	return function && function->is_poll;
}

bool tacho__keeper_is_bare(const struct keeper *k, uint16_t kind)
{
	const struct tacho__function *function = find_function(k, kind);

	return function && function->is_bare;
}

/* Whether the call is left out because of what the recording may be. */
static bool is_beyond_budget(const struct keeper *k, const struct tacho__function *function)
{
	if (k->level == TACHO__LEVEL_WORK)
		return !function || !(function->command || function->waits);
	return k->level == TACHO__LEVEL_NOTHING;
}

/* Whether as many were recorded as were to be. */
static bool is_past_end(const struct keeper *k)
{
	const struct tacho__keeper_limits *limits = &k->limits;

	return (limits->max_calls && atomic_load(&k->pool->taken_calls) >= limits->max_calls) ||
	       (limits->max_launches &&
		atomic_load(&k->pool->taken_launches) >= limits->max_launches);
}

static void count_taken(struct keeper *k, const struct tacho__function *function)
{
	if (!function || !function->is_bare) /* nobody calls those */
		atomic_fetch_add(&k->pool->taken_calls, 1);
	if (function && function->command && function->command->kind == TACHO_COMMAND_KERNEL)
		atomic_fetch_add(&k->pool->taken_launches, 1);
}

/* Counts a call that was asked for and is left out all the same; false: it is not. */
static bool leave_out_of_bounds(struct keeper *k, const struct tacho__function *function)
{
	if (is_past_end(k))
		atomic_fetch_add(&k->pool->past, 1);
	else if (is_beyond_budget(k, function))
		atomic_fetch_add(&k->pool->beyond, 1);
	else
		return false;
	return true;
}

bool tacho__keeper_wants(struct keeper *k, uint16_t kind)
{
	const struct tacho__function *function;
	struct tacho__kept_api *api = &k->apis[TACHO__KIND_API(kind)];
	uint32_t index = TACHO__KIND_FUNCTION(kind);
	bool is_asked;

	if (!TACHO__KIND_API(kind) &&
	    ((kind != TACHO__RECORD_RANGE && kind != TACHO__RECORD_WINDOW) ||
	     (k->level != TACHO__LEVEL_NOTHING && !is_past_end(k))))
		return true;
	function = find_function(k, kind);
	is_asked = !(api->left_out[index / 64] >> (index % 64) & 1);
	if (is_asked && !leave_out_of_bounds(k, function)) {
		count_taken(k, function);
		return true;
	}
	if (!api->bounded)
		api->bounded = calloc(TACHO__POOL_FUNCTIONS_MAX, sizeof(*api->bounded));
	if (api->bounded)
		api->bounded[TACHO__KIND_FUNCTION(kind)]++;
	atomic_fetch_add(&k->pool->bounded, 1);
	return false;
}

void tacho__keeper_watch_budget(struct keeper *k)
{
	uint64_t bytes = tacho__keeper_files_bytes(&k->files) + k->files.control.bytes;
	uint64_t limit = k->limits.max_bytes;

	k->level = TACHO__LEVEL_ALL;
	if (bytes >= limit || k->disk_is_scarce)
		k->level = TACHO__LEVEL_NOTHING;
	else if (bytes >= limit / 8 * WORK_EIGHTHS)
		k->level = TACHO__LEVEL_WORK;
}

void tacho__keeper_watch_disk(struct keeper *k)
{
	struct statvfs fs;

	k->disk_is_scarce = k->leaves_spare && !fstatvfs(k->files.directory_fd, &fs) &&
			    fs.f_bavail < fs.f_blocks / TACHO__KEEPER_SPARE_PARTS;
	tacho__keeper_watch_budget(k);
	atomic_store(&k->pool->file_bytes,
		     tacho__keeper_files_bytes(&k->files) + k->files.control.bytes);
}
