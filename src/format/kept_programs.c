/* SPDX-License-Identifier: MIT */
/* What a recording kept of its programs, as files: BASE.programs/<id>.build_log and so on. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/map.h"
#include "format/format.h"

enum { KIND_BYTES_MAX = 32 };

struct writer {
	const char *folder;
	bool overwrite, made_folder;
	struct tacho__buf written; /* paths, each with its NUL */
	struct tacho__map numbers; /* of files with the same program and kind, by hash */
	uint64_t files;
	int rc; /* the first failure: the cursor's callback returns nothing */
};

/* The kind comes out of a file that anybody may have written: only harmless characters pass. */
static void clean_kind(const char *kind, char *out_kind)
{
	size_t length = 0;

	for (; *kind && length < KIND_BYTES_MAX; kind++)
		if ((*kind >= 'a' && *kind <= 'z') || (*kind >= '0' && *kind <= '9') ||
		    *kind == '_')
			out_kind[length++] = *kind;
	out_kind[length] = '\0';
	if (!length)
		strcpy(out_kind, "unknown");
}

/* How many blobs of this program and kind there were, this one included. */
static int count_same(struct writer *writer, uint32_t program, const char *kind,
		      uintptr_t *out_number)
{
	uint64_t key = UINT64_C(0xcbf29ce484222325) ^ program;
	uintptr_t number;
	int rc;

	for (; *kind; kind++)
		key = (key ^ (unsigned char)*kind) * UINT64_C(0x100000001b3);
	number = (uintptr_t)tacho__map_get(&writer->numbers, key) + 1;
	rc = tacho__map_set(&writer->numbers, key, (void *)number);
	if (!rc)
		*out_number = number;
	return rc;
}

static int write_file(struct writer *writer, const struct tacho_blob *blob)
{
	uint32_t program = blob->program ? blob->program->id : 0;
	char kind[KIND_BYTES_MAX + 1], again[24] = "", *path;
	struct tacho__fs_new file = {0};
	uintptr_t number;
	int rc;

	clean_kind(blob->kind, kind);
	rc = count_same(writer, program, kind, &number);
	if (rc)
		return rc;
	if (number > 1)
		snprintf(again, sizeof(again), "-%" PRIuPTR, number);
	if (asprintf(&path, "%s/%" PRIu32 "%s.%s", writer->folder, program, again, kind) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to write a program");
	rc = tacho__fs_create(&file, path, writer->overwrite);
	if (!rc) {
		fwrite(blob->bytes, 1, blob->size, file.stream);
		rc = tacho__fs_commit(&file);
	}
	if (!rc)
		tacho__buf_add(&writer->written, path, strlen(path) + 1);
	free(path);
	writer->files += !rc;
	return rc;
}

/* What of the recording is missing, in a file of its own. */
static int write_gaps(struct writer *writer, const struct tacho_recording *recording)
{
	const struct tacho_fault *fault;
	struct tacho__fs_new file = {0};
	char *path, *text;
	int rc;

	if (!tacho_recording_check(recording))
		return 0;
	if (asprintf(&path, "%s/not-whole.txt", writer->folder) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to write a program");
	rc = tacho__fs_create(&file, path, writer->overwrite);
	if (!rc)
		fprintf(file.stream, "%s is not whole: programs may be missing.\n",
			tacho_recording_get_path(recording));
	for (size_t i = 0; !rc && (fault = tacho_recording_get_fault(recording, i)); i++) {
		rc = tacho_fault_format(fault, &text);
		if (rc)
			break;
		fprintf(file.stream, "%s\n", text);
		free(text);
	}
	if (!rc)
		rc = tacho__fs_commit(&file);
	tacho__fs_discard(&file);
	free(path);
	return rc;
}

/* As if nothing had been written. */
static void forget(struct writer *writer)
{
	const char *path = tacho__buf_text(&writer->written);
	const char *end = path + writer->written.size;

	for (; path < end; path += strlen(path) + 1)
		unlink(path);
	if (writer->made_folder)
		rmdir(writer->folder);
}

/* A folder that is there already must be one, not a link to somewhere else. */
static int make_folder(struct writer *writer)
{
	struct stat status;

	writer->made_folder = !mkdir(writer->folder, 0700);
	if (writer->made_folder)
		return 0;
	if (errno != EEXIST || !writer->overwrite)
		return tacho__fs_fail(errno, "create", writer->folder);
	if (lstat(writer->folder, &status))
		return tacho__fs_fail(errno, "look at", writer->folder);
	if (!S_ISDIR(status.st_mode))
		return tacho__fail(TACHO_E_EXISTS, "it is not a folder", "give another name",
				   "cannot create %s", writer->folder);
	return 0;
}

static void take_blob(void *user, const struct tacho_blob *blob)
{
	struct writer *writer = user;

	if (writer->rc)
		return;
	if (!writer->files)
		writer->rc = make_folder(writer);
	if (!writer->rc)
		writer->rc = write_file(writer, blob);
}

static int write_programs(struct tacho_recording *recording, const char *base,
			  const struct tacho__export *how)
{
	char *folder = tacho__format_path(base, ".programs");
	struct writer writer = {.folder = folder, .overwrite = how->overwrite};
	int rc = folder ? tacho__format_walk(recording, take_blob, NULL, &writer) : TACHO_E_NOMEM;

	if (!rc)
		rc = writer.rc;
	if (!rc && writer.written.failed)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to write programs");
	if (!rc)
		rc = tacho__export_check(recording, how);
	if (!rc && !writer.files)
		rc = tacho__fail(TACHO_E_NOTFOUND,
				 tacho_recording_check(recording)
					 ? "what can be read of the recording has no programs"
					 : "the recording has no programs",
				 "record with --keep-programs, and a program that makes some",
				 "there is nothing to write to %s", folder);
	else if (!rc)
		rc = write_gaps(&writer, recording);
	if (rc && folder)
		forget(&writer);
	tacho__buf_finish(&writer.written);
	tacho__map_finish(&writer.numbers);
	free(folder);
	return rc;
}

static void add_size(void *user, const struct tacho_blob *blob)
{
	uint64_t *bytes = user;

	*bytes += blob->size;
}

static int estimate_programs(struct tacho_recording *recording, uint64_t *out_bytes)
{
	uint64_t bytes = 0;
	int rc = tacho__format_walk(recording, add_size, NULL, &bytes);

	if (!rc)
		*out_bytes = bytes;
	return rc;
}

const struct tacho__format tacho__format_programs = {
	.format = {.name = "programs",
		   .summary = "build logs, binaries and sources kept by record --keep-programs",
		   .suffixes = ".programs/"},
	.write = write_programs,
	.why_no_stream = "it is a folder of files",
	.estimate = estimate_programs,
};
