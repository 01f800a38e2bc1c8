/* SPDX-License-Identifier: MIT */
/* The three session files of one run, out of one pass over the recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fs.h"
#include "base/text.h"
#include "format/atp.h"
#include "format/csv_codexl.h"
#include "format/estimate.h"
#include "format/format.h"
#include "format/occupancy_file.h"

enum { ATP, CSV, OCCUPANCY, FILES };

static const char *const suffixes[FILES] = {".atp", ".csv", ".occupancy"};

struct session {
	struct tacho__spill spill;
	struct tacho__atp atp;
	struct tacho__csv csv;
	struct tacho__occupancy occupancy;
	struct tacho_kept *kept;
	struct tacho__fs_new files[FILES];
};

static int begin(struct session *session, const char *base, const struct tacho_recording *recording)
{
	int rc;

	memset(session, 0, sizeof(*session));
	rc = tacho__spill_init(&session->spill, base);
	tacho__atp_init(&session->atp, &session->spill);
	tacho__csv_init(&session->csv, &session->spill, recording);
	if (!rc)
		rc = tacho_kept_create(&session->kept);
	tacho__occupancy_init(&session->occupancy, &session->spill);
	return rc;
}

static void finish(struct session *session)
{
	for (size_t i = 0; i < FILES; i++)
		tacho__fs_discard(&session->files[i]);
	tacho__occupancy_finish(&session->occupancy);
	tacho_kept_destroy(session->kept);
	tacho__csv_finish(&session->csv);
	tacho__atp_finish(&session->atp);
	tacho__spill_finish(&session->spill);
}

/* Only a recording that kept binaries has kernels looked up there. */
static void take_blob(void *user, const struct tacho_blob *blob)
{
	struct session *session = user;

	if (strcmp(blob->kind, "binary"))
		return;
	tacho_kept_add(session->kept, blob);
	session->csv.kept = session->occupancy.kept = session->kept;
}

static int add(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct session *session = user;
	uint64_t index = call->index;
	int rc = 0;

	/* OpenCL has bare ones in session files only, where a .csv stood alone. */
	if (!call->is_bare || strcmp(call->function->api, TACHO__ATP_API))
		rc = tacho__atp_add(&session->atp, cursor, call, &index);

	if (rc)
		return rc < 0 ? rc : 0;
	if (call->command && call->command->contents)
		session->csv.templates++;
	if (!call->command || call->command->kind != TACHO_COMMAND_KERNEL)
		return 0;
	rc = tacho__csv_add(&session->csv, cursor, call, index);
	return rc ? rc : tacho__occupancy_add(&session->occupancy, call);
}

static int create_files(struct session *session, const char *base, const struct tacho__export *how)
{
	int rc = 0;

	for (size_t i = 0; i < FILES && !rc; i++) {
		char *path = tacho__format_path(base, suffixes[i]);

		rc = !path	? TACHO_E_NOMEM
		     : i == ATP ? tacho__fs_create(&session->files[i], path, how->overwrite)
				: tacho__export_create_csv(&session->files[i], path, how);
		free(path);
	}
	return rc;
}

static int write_files(struct session *session, const struct tacho_recording *recording,
		       const struct tacho_cursor *cursor, const char *base)
{
	const char *name = tacho__base_name(base);
	int rc = tacho__atp_write(&session->atp, recording, cursor, name,
				  session->files[ATP].stream);

	if (!rc)
		rc = tacho__csv_write(&session->csv, recording, cursor, name,
				      session->files[CSV].stream);
	if (!rc)
		rc = tacho__occupancy_write(&session->occupancy, recording,
					    session->files[OCCUPANCY].stream);
	for (size_t i = 0; i < FILES && !rc; i++)
		if (ferror(session->files[i].stream) || fflush(session->files[i].stream))
			rc = tacho__fs_fail(errno ? errno : EIO, "write", session->files[i].path);
	return rc;
}

static int commit_files(struct session *session)
{
	int rc = 0;

	for (size_t i = 0; i < FILES && !rc; i++)
		rc = tacho__fs_commit(&session->files[i]);
	return rc;
}

static int write_codexl(struct tacho_recording *recording, const char *base,
			const struct tacho__export *how)
{
	struct tacho_cursor *cursor = NULL;
	struct session session;
	int rc = begin(&session, base, recording);

	if (!rc)
		rc = create_files(&session, base, how);
	if (!rc)
		rc = tacho_cursor_open(recording, &cursor);
	if (!rc) {
		tacho_cursor_on_blob(cursor, take_blob, &session);
		tacho_cursor_on_range(cursor, tacho__atp_ranges_take, &session.atp.ranges);
		rc = tacho__format_each_call(cursor, add, &session);
	}
	if (!rc)
		rc = write_files(&session, recording, cursor, base);
	if (!rc)
		rc = tacho__export_check(recording, how);
	if (!rc)
		rc = commit_files(&session);
	finish(&session);
	tacho_cursor_close(cursor);
	return rc;
}

/* What the widths of the formats' fields make of a call. */
enum {
	HEADER_BYTES = 2000,
	CALL_BYTES = 12 + 94, /* what surrounds name, result and arguments; times */
	COMMAND_BYTES = 250,
	KERNEL_BYTES = 75 + 150, /* sizes and handle; the row in .csv */
	OCCUPANCY_BYTES = 130,	 /* the row in .occupancy */
	TRANSFER_BYTES = 20,
	RANGE_BYTES = 140, /* a line where it begins, and one where it ends */
};

struct estimate {
	struct tacho__sampler arguments;
	struct tacho__map
		last; /* thread -> hash of its last call when that may be repeated, else 1 */
	uint64_t bytes;
	bool has_binary; /* some program was kept */
};

static void see_blob(void *user, const struct tacho_blob *blob)
{
	struct estimate *estimate = user;

	estimate->has_binary |= !strcmp(blob->kind, "binary");
}

/* Kernels with a binary on devices that are called by their architecture get rows in .occupancy,
 * and those of which the driver states what they need. */
static bool has_occupancy(const struct estimate *estimate, const struct tacho_command *command)
{
	const struct tacho_object *device = command->device;
	struct tacho_limits limits;

	return tacho_kernel_is_stated(command->kernel) ||
	       (estimate->has_binary && device &&
		!tacho_limits_find(device->name, 0, TACHO_UNIT_USUAL, &limits));
}

static void see_range(void *user, const struct tacho_named_range *range)
{
	struct estimate *estimate = user;

	estimate->bytes += RANGE_BYTES;
}

static int estimate_call(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	const struct tacho_command *command = call->command;
	struct estimate *estimate = user;
	uintptr_t hash = 1;
	int rc;

	bool is_own = !strcmp(call->function->api, TACHO__ATP_API);

	if (is_own ? call->is_bare : !tacho__atp_has_section(call->function->api))
		return 0;
	if (is_own && !strcmp(call->function->name, TACHO__ATP_POLLED)) {
		hash = (uintptr_t)tacho__hash_text(tacho_cursor_format_arguments(cursor, ";")) | 2;
		if ((uintptr_t)tacho__map_get(&estimate->last, call->thread) == hash)
			return 0;
	}
	rc = tacho__map_set(&estimate->last, call->thread, (void *)hash);
	if (rc)
		return rc;
	estimate->bytes += CALL_BYTES + strlen(call->function->name) + strlen(call->result) +
			   tacho__sampler_add(&estimate->arguments, cursor);
	if (!command)
		return 0;
	if (command->state == TACHO_STATE_OK)
		estimate->bytes += COMMAND_BYTES + TRANSFER_BYTES;
	if (command->kind == TACHO_COMMAND_KERNEL)
		estimate->bytes +=
			KERNEL_BYTES + 2 * (command->kernel ? strlen(command->kernel->name) : 0);
	if (command->kind == TACHO_COMMAND_KERNEL && has_occupancy(estimate, command))
		estimate->bytes += OCCUPANCY_BYTES;
	return 0;
}

static int estimate_codexl(struct tacho_recording *recording, uint64_t *out_bytes)
{
	struct estimate estimate = {.bytes = HEADER_BYTES};
	struct tacho_cursor *cursor;
	int rc = tacho_cursor_open(recording, &cursor);

	if (rc)
		return rc;
	tacho_cursor_on_blob(cursor, see_blob, &estimate);
	tacho_cursor_on_range(cursor, see_range, &estimate);
	rc = tacho__format_each_call(cursor, estimate_call, &estimate);
	tacho_cursor_close(cursor);
	tacho__map_finish(&estimate.last);
	if (!rc)
		*out_bytes = estimate.bytes;
	return rc;
}

const struct tacho__format tacho__format_codexl = {
	.format = {.name = "codexl",
		   .summary = "session files of CodeXL and rcprof (docs/codexl.md)",
		   .suffixes = ".atp .csv .occupancy"},
	.write = write_codexl,
	.why_no_stream = "it is three files: .atp, .csv and .occupancy",
	.estimate = estimate_codexl,
};
