/* SPDX-License-Identifier: MIT */
/*
 * Saving a recording while it is written. Its keeper says in the pool how long the files are after
 * each commit: files that are cut there are a recording. Pieces before the newest change no more,
 * but for times that come late, each with a checksum of its own, so a second name is enough.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fs.h"
#include "record/chunk.h"
#include "record/place.h"
#include "record/pool.h"
#include "record/reader.h"
#include "tacho/sys/json.h"

enum {
	COMMIT_TRIES = 3000,
	PAUSE_NS = 1000000,
	COPY_BYTES = 256 * 1024,
	RENAME_EXCLUSIVE = 1, /* RENAME_NOREPLACE, which old headers lack */
};

#define WHOLE UINT64_MAX /* of a file, however long it is */

/* How long the files are at one instant. */
struct cut {
	bool is_open; /* more may come */
	uint32_t first, last;
	uint64_t last_bytes, control_bytes;
};

struct snapshot {
	const struct tacho_recording *recording;
	char *path, *temporary; /* of what is made */
	int from, to;		/* folders */
	struct cut cut;
};

static int fail_errno(const struct snapshot *snapshot, int error, const char *file)
{
	return tacho__fs_fail(
		error, "save",
		tacho__detail("%s of %s to %s", file, snapshot->recording->path, snapshot->path));
}

/* ---- when ---- */

/*
 * What the keeper intends is what it has committed, but for the moments in which it writes. So two
 * that are equal were read whole.
 */
static bool read_commit(const struct tacho__pool *pool, struct tacho__pool_commit *out_commit)
{
	struct tacho__pool_commit intended;
	const struct timespec pause = {.tv_nsec = PAUSE_NS};

	for (int i = 0; i < COMMIT_TRIES; i++) {
		*out_commit = pool->committed;
		atomic_thread_fence(memory_order_seq_cst);
		intended = pool->intended;
		if (!memcmp(out_commit, &intended, sizeof(intended)))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* The numbers of the pieces that are there: 0 and 0 when none is. */
static int find_pieces(struct snapshot *snapshot)
{
	DIR *folder = opendir(snapshot->recording->path);
	struct dirent *entry;
	int error;

	if (!folder)
		return fail_errno(snapshot, errno, "the folder");
	for (errno = 0; (entry = readdir(folder)); errno = 0) {
		unsigned number;
		int length = 0;

		if (sscanf(entry->d_name, TACHO__CALLS_FORMAT "%n", &number, &length) != 1 ||
		    !length || entry->d_name[length] || !number)
			continue;
		if (!snapshot->cut.first || number < snapshot->cut.first)
			snapshot->cut.first = number;
		if (number > snapshot->cut.last)
			snapshot->cut.last = number;
	}
	error = errno;
	closedir(folder);
	return error ? fail_errno(snapshot, error, "the folder") : 0;
}

static int cut_open(struct snapshot *snapshot)
{
	const struct tacho_recording *recording = snapshot->recording;
	struct tacho__pool_commit commit;
	const char *stage;
	uint32_t windows;
	int error = 0;
	struct tacho__pool *pool = tacho__pool_open(recording->pool, &windows, &stage, &error);
	bool is_good;

	if (!pool && error == ENOENT)
		return 0; /* it has just ended */
	if (!pool)
		return fail_errno(snapshot, error, "the memory");
	is_good = read_commit(pool, &commit);
	munmap(pool, tacho__pool_bytes(windows));
	if (!is_good)
		return tacho__fail(TACHO_E_BUSY,
				   "its keeper is in the middle of a write that fails",
				   "make room where it records", "cannot save %s", recording->path);
	snapshot->cut.is_open = true;
	snapshot->cut.last = commit.segment;
	snapshot->cut.last_bytes = commit.segment_bytes;
	snapshot->cut.control_bytes = commit.control_bytes;
	return 0;
}

static int choose_cut(struct snapshot *snapshot)
{
	uint32_t last;
	int rc;

	snapshot->cut.last_bytes = snapshot->cut.control_bytes = WHOLE;
	rc = *snapshot->recording->pool ? cut_open(snapshot) : 0;
	last = snapshot->cut.last;
	if (!rc)
		rc = find_pieces(snapshot);
	if (snapshot->cut.is_open)
		snapshot->cut.last = last;
	return rc;
}

/* ---- files ---- */

/* Copies so many bytes, or the whole file: 0 or errno. EPIPE: it was shorter. */
static int copy_bytes(int from, int to, uint64_t bytes)
{
	char *buffer = malloc(COPY_BYTES);
	int error = buffer ? 0 : ENOMEM;
	bool is_whole = bytes == WHOLE;

	while (bytes && !error) {
		size_t wanted = bytes < COPY_BYTES ? (size_t)bytes : COPY_BYTES;
		ssize_t got = read(from, buffer, wanted), done = 0;

		if (got < 0 && errno == EINTR)
			continue;
		if (!got && is_whole)
			break;
		error = got < 0 ? errno : got ? 0 : EPIPE;
		while (!error && done < got) {
			ssize_t wrote = write(to, buffer + done, (size_t)(got - done));

			if (wrote < 0 && errno != EINTR)
				error = errno;
			done += wrote > 0 ? wrote : 0;
		}
		bytes -= got > 0 ? (uint64_t)got : 0;
	}
	free(buffer);
	return error;
}

/* The first bytes of a file, or all of it: 0 or errno. */
static int copy_file(const struct snapshot *snapshot, const char *name, uint64_t bytes)
{
	int from = openat(snapshot->from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	int to, error;

	if (from < 0)
		return errno;
	to = openat(snapshot->to, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	error = to < 0 ? errno : copy_bytes(from, to, bytes);
	close(from);
	if (to >= 0 && close(to) && !error)
		error = errno;
	return error;
}

/* A piece that changes no more: 0 or errno. */
static int take_piece(const struct snapshot *snapshot, const char *name)
{
	if (!linkat(snapshot->from, name, snapshot->to, name, 0))
		return 0;
	if (errno == ENOENT)
		return ENOENT;
	return copy_file(snapshot, name, WHOLE);
}

static void remove_pieces(const struct snapshot *snapshot, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i && i < to; i++) {
		char name[32];

		snprintf(name, sizeof(name), TACHO__CALLS_FORMAT, (unsigned)i);
		unlinkat(snapshot->to, name, 0);
	}
}

/* Pieces that a ring loses meanwhile are its oldest, and what came before them goes too. */
static int take_pieces(struct snapshot *snapshot)
{
	struct cut *cut = &snapshot->cut;
	char name[32];
	int error;

	for (uint32_t i = cut->first; i && i < cut->last; i++) {
		snprintf(name, sizeof(name), TACHO__CALLS_FORMAT, (unsigned)i);
		error = take_piece(snapshot, name);
		if (error && error != ENOENT)
			return fail_errno(snapshot, error, name);
		if (!error)
			continue;
		remove_pieces(snapshot, cut->first, i);
		cut->first = i + 1;
	}
	if (!cut->last)
		return 0;
	snprintf(name, sizeof(name), TACHO__CALLS_FORMAT, (unsigned)cut->last);
	error = copy_file(snapshot, name, cut->last_bytes);
	if (error == ENOENT && !cut->last_bytes)
		error = 0;
	return error ? fail_errno(snapshot, error, name) : 0;
}

/* One of those that are written once. */
static int copy_whole(const struct snapshot *snapshot, const char *name, bool is_needed)
{
	int error = copy_file(snapshot, name, WHOLE);

	return error && (is_needed || error != ENOENT) ? fail_errno(snapshot, error, name) : 0;
}

/* The end of the snapshot: when it was made, and that nobody writes into it. */
static int write_end(const struct snapshot *snapshot)
{
	struct tacho__fs_new file = {0};
	struct tacho__anchor now;
	struct tacho_json json;
	int rc = tacho__fs_create_in(&file, snapshot->temporary, TACHO__END_FILE);

	if (rc)
		return rc;
	tacho__clock_anchor(&now);
	tacho_json_init(&json, file.stream, true);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_string(&json, "schema", "tacho.end/1");
	tacho_json_begin_object(&json, "end");
	tacho_json_add_unsigned(&json, "raw_ns", now.raw_ns);
	tacho_json_add_unsigned(&json, "monotonic_ns", now.monotonic_ns);
	tacho_json_add_unsigned(&json, "realtime_ns", now.realtime_ns);
	tacho_json_end(&json);
	tacho_json_add_integer(&json, "exit_status", -1);
	tacho_json_add_string(&json, "why_empty", "");
	tacho_json_add_unsigned(&json, TACHO__SNAPSHOT_KEY, snapshot->cut.first);
	tacho_json_finish(&json);
	return tacho__fs_commit(&file);
}

static int fill(struct snapshot *snapshot)
{
	int rc = choose_cut(snapshot), error;

	if (!rc)
		rc = take_pieces(snapshot);
	if (rc)
		return rc;
	error = copy_file(snapshot, TACHO__CONTROL_FILE, snapshot->cut.control_bytes);
	if (error)
		return fail_errno(snapshot, error, TACHO__CONTROL_FILE);
	rc = copy_whole(snapshot, TACHO__META_FILE, true);
	if (!rc)
		rc = copy_whole(snapshot, TACHO_COUNTING_FILE, false);
	if (!rc)
		rc = snapshot->cut.is_open ? write_end(snapshot)
					   : copy_whole(snapshot, TACHO__END_FILE, false);
	return rc;
}

/* ---- the folder ---- */

static int make_folder(struct snapshot *snapshot)
{
	struct stat status;

	if (!lstat(snapshot->path, &status))
		return tacho__fs_fail(EEXIST, "create", snapshot->path);
	if (asprintf(&snapshot->temporary, "%s.XXXXXX", snapshot->path) < 0) {
		snapshot->temporary = NULL;
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to save a recording");
	}
	if (!mkdtemp(snapshot->temporary)) {
		int error = errno;

		free(snapshot->temporary);
		snapshot->temporary = NULL;
		return tacho__fs_fail(error, "create", snapshot->path);
	}
	snapshot->to = open(snapshot->temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return snapshot->to < 0 ? tacho__fs_fail(errno, "open", snapshot->temporary) : 0;
}

static void remove_folder(struct snapshot *snapshot)
{
	static const char *const others[] = {TACHO__CONTROL_FILE, TACHO__META_FILE,
					     TACHO_COUNTING_FILE, TACHO__END_FILE};

	if (!snapshot->temporary)
		return;
	remove_pieces(snapshot, snapshot->cut.first, snapshot->cut.last + 1);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		unlinkat(snapshot->to, others[i], 0);
	rmdir(snapshot->temporary);
}

/* The name appears when all is there. Where the kernel cannot rename so, a race may replace an
 * empty folder. */
static int place_folder(struct snapshot *snapshot)
{
	struct stat status;

	if (!syscall(SYS_renameat2, AT_FDCWD, snapshot->temporary, AT_FDCWD, snapshot->path,
		     RENAME_EXCLUSIVE))
		return 0;
	if ((errno == EINVAL || errno == ENOSYS) && lstat(snapshot->path, &status) &&
	    !rename(snapshot->temporary, snapshot->path))
		return 0;
	return tacho__fs_fail(errno, "create", snapshot->path);
}

static int save(struct snapshot *snapshot)
{
	const char *path = snapshot->recording->path;
	int rc;

	snapshot->from = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (snapshot->from < 0)
		return tacho__fs_fail(errno, "open", path);
	rc = make_folder(snapshot);
	if (!rc)
		rc = fill(snapshot);
	if (!rc)
		rc = place_folder(snapshot);
	if (rc)
		remove_folder(snapshot);
	return rc;
}

/* What only its keeper has comes into files first. */
static int settle(struct tacho_recording *recording)
{
	const struct tacho_fault *fault;
	int rc = tacho__recording_settle(recording);

	if (rc)
		return rc;
	if (!*recording->pool && !tacho__recording_is_v2(recording))
		return tacho__fail(TACHO_E_UNSUPPORTED, "it has a form that is written no more",
				   "copy its folder", "cannot save %s", recording->path);
	fault = tacho_recording_get_fault(recording, 0);
	if (!fault)
		return 0;
	return tacho__fail(TACHO_E_IO, tacho__detail("%s %s", fault->path, fault->what),
			   "see: tacho check", "cannot save %s", recording->path);
}

int tacho_recording_snapshot(const char *path, const char *output)
{
	struct snapshot snapshot = {.from = -1, .to = -1};
	struct tacho_recording *recording = NULL;
	int rc;

	if (!path || !output)
		return tacho__fail_null(__func__);
	rc = tacho__recording_find(path, &recording);
	if (rc)
		return rc;
	snapshot.recording = recording;
	snapshot.path = tacho__recording_name_folder(output);
	if (!snapshot.path)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to save a recording");
	if (!rc)
		rc = settle(recording);
	if (!rc)
		rc = save(&snapshot);
	if (snapshot.from >= 0)
		close(snapshot.from);
	if (snapshot.to >= 0)
		close(snapshot.to);
	free(snapshot.path);
	free(snapshot.temporary);
	tacho_recording_close(recording);
	return rc;
}
