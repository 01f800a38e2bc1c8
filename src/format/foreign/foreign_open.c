/* SPDX-License-Identifier: MIT */
/* Opening files of other tools: which reader is for which, and all of them as one recording. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/nearest.h"
#include "base/text.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_db.h"
#include "format/foreign/foreign_names.h"
#include "record/reader.h"

enum {
	FILES_MAX = 512, /* that are read: each database is an open file */
	NAMED_MAX = 5,	 /* of those that are not, in the note */
};

/* What is asked to be opened, and what was found there. */
struct opening {
	const struct tacho__foreign_reader *kind; /* NULL: by content */
	struct tacho__foreign_names names;
	struct tacho__foreign_file *files; /* that are read, in the order of their readers */
	size_t count, capacity;
	struct tacho__buf unread; /* names of those that no reader knows */
	uint64_t unread_count;
	struct tacho__buf twice; /* sentences about files that others make needless */
	int failure;		 /* of a look at a file, beside what it begins with */
	const char *stranger;	 /* the first that was named and that no reader knows */
};

static void close_opening(struct opening *opening)
{
	for (size_t i = 0; i < opening->count; i++)
		tacho__foreign_db_close(opening->files[i].db);
	free(opening->files);
	tacho__buf_finish(&opening->unread);
	tacho__buf_finish(&opening->twice);
	tacho__foreign_names_finish(&opening->names);
}

/* ---- looking at files ---- */

static const struct tacho__foreign_reader *find_reader(const struct tacho__foreign_file *file)
{
	const struct tacho__foreign_reader *reader;

	for (size_t i = 0; (reader = tacho__foreign_get_reader(i)); i++)
		if (reader->fits(file))
			return reader;
	return NULL;
}

/* The reader that was asked for reads what was named; of a folder, what it knows. */
static void choose_reader(const struct opening *opening, const struct tacho__foreign_name *name,
			  struct tacho__foreign_file *file)
{
	const struct tacho__foreign_reader *kind = opening->kind;

	if (!kind)
		file->reader = find_reader(file);
	else if (!name->is_found || kind->fits(file))
		file->reader = kind;
}

static void leave(struct opening *opening, const struct tacho__foreign_name *name)
{
	if (!name->is_found && !opening->stranger)
		opening->stranger = name->path;
	if (++opening->unread_count <= NAMED_MAX)
		tacho__buf_printf(&opening->unread, "%s%s", opening->unread.size ? ", " : "",
				  tacho__base_name(name->path));
}

static int keep(struct opening *opening, struct tacho__foreign_file *file)
{
	int rc = 0;

	if (opening->count >= FILES_MAX)
		rc = tacho__fail(TACHO_E_PARSE, "", "name fewer",
				 "more than %d files are no recording", FILES_MAX);
	if (!rc)
		rc = tacho__array_add(&opening->files, &opening->capacity, &opening->count, file,
				      sizeof(*file));
	if (rc)
		tacho__foreign_db_close(file->db);
	return rc;
}

static int look_at(struct opening *opening, const struct tacho__foreign_name *name)
{
	struct tacho__foreign_file *file = calloc(1, sizeof(*file));
	int rc;

	if (!file)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", name->path);
	file->path = name->path;
	file->failure = &opening->failure;
	opening->failure = 0;
	rc = tacho__foreign_read_head(file);
	if (!rc && tacho__foreign_db_is(file->head, file->head_size))
		rc = tacho__foreign_db_open(name->path, &file->db);
	if (!rc)
		choose_reader(opening, name, file);
	if (!rc && file->db && !file->reader)
		rc = tacho__foreign_db_check(file->db);
	if (!rc && !file->reader)
		rc = opening->failure;
	if (!rc && file->reader) {
		rc = keep(opening, file);
	} else {
		tacho__foreign_db_close(file->db);
		if (!rc)
			leave(opening, name);
	}
	free(file);
	return rc;
}

/* By reader; those of one stay in their order. */
static int sort_files(struct opening *opening)
{
	const struct tacho__foreign_reader *reader;
	struct tacho__foreign_file *sorted;
	size_t count = 0;

	if (opening->count < 2)
		return 0;
	sorted = calloc(opening->count, sizeof(*sorted));
	if (!sorted)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu files",
				   opening->count);
	for (size_t k = 0; (reader = tacho__foreign_get_reader(k)); k++)
		for (size_t i = 0; i < opening->count; i++)
			if (opening->files[i].reader == reader)
				sorted[count++] = opening->files[i];
	free(opening->files);
	opening->files = sorted;
	return 0;
}

/* ---- files that others make needless ---- */

/* "a.csv and 3 more" */
static void put_files(struct tacho__buf *text, const struct opening *opening,
		      const struct tacho__foreign_told *source)
{
	tacho__buf_put(text, tacho__base_name(opening->files[source->first_file].path));
	if (source->file_count > 1)
		tacho__buf_printf(text, " and %zu more", source->file_count - 1);
}

static void close_files(struct opening *opening, const struct tacho__foreign_told *left)
{
	size_t behind = left->first_file + left->file_count;

	for (size_t i = 0; i < left->file_count; i++)
		tacho__foreign_db_close(opening->files[left->first_file + i].db);
	memmove(&opening->files[left->first_file], &opening->files[behind],
		(opening->count - behind) * sizeof(*opening->files));
	opening->count -= left->file_count;
}

static size_t find_database(const struct opening *opening, size_t file)
{
	const struct tacho__foreign_reader *reader = opening->files[file].reader;

	return reader->find_database ? reader->find_database(opening->files, opening->count, file)
				     : opening->count;
}

static void tell_needless(struct opening *opening, const struct tacho__foreign_told *left,
			  size_t database)
{
	tacho__buf_put(&opening->twice, opening->twice.size ? " " : "");
	put_files(&opening->twice, opening, left);
	tacho__buf_printf(&opening->twice,
			  " %s left out: beside %s are databases of the same runs, such as %s. "
			  "Without these %s read.",
			  left->file_count > 1 ? "are" : "is", left->file_count > 1 ? "them" : "it",
			  tacho__base_name(opening->files[database].path),
			  left->file_count > 1 ? "they are" : "it is");
}

/* Before anything is read: neither need tell the same as the other. */
static void leave_needless(struct opening *opening)
{
	struct tacho__foreign_told left = {0};

	while (left.first_file < opening->count) {
		const size_t database = find_database(opening, left.first_file);
		size_t end = left.first_file;

		while (database < opening->count && end < opening->count &&
		       find_database(opening, end) == database)
			end++;
		left.file_count = end - left.first_file;
		if (left.file_count) {
			tell_needless(opening, &left, database);
			close_files(opening, &left);
		} else {
			left.first_file++;
		}
	}
}

static int look(struct opening *opening)
{
	int rc = 0;

	for (size_t i = 0; i < opening->names.count && !rc; i++) {
		const struct tacho__foreign_name *name = &opening->names.all[i];

		if (name->is_left)
			leave(opening, name);
		else
			rc = look_at(opening, name);
	}
	if (!rc)
		rc = sort_files(opening);
	if (!rc)
		leave_needless(opening);
	return rc;
}

/* ---- reading them ---- */

/* Times that do not fit unsigned numbers, or count from 1970, begin at 0 with the first one. */
static void set_origin(struct tacho__foreign *foreign)
{
	struct tacho_run *run = &foreign->recording->run;
	const int64_t day_ns = INT64_C(86400000000000);

	if (foreign->has_time && (foreign->first_ns < 0 || foreign->first_ns > 365 * day_ns))
		foreign->origin_ns = foreign->first_ns;
	/* 0 where no file tells the time of day */
	if (foreign->clock.has_epoch || foreign->origin_ns > 0)
		run->realtime_offset_ns =
			(int64_t)((uint64_t)run->realtime_offset_ns + (uint64_t)foreign->origin_ns);
	run->start_ns = (uint64_t)foreign->first_ns - (uint64_t)foreign->origin_ns;
	run->end_ns = (uint64_t)foreign->last_ns - (uint64_t)foreign->origin_ns;
	for (size_t i = 0; i < foreign->recording->process_count; i++)
		foreign->recording->processes[i]->process.start_ns = run->start_ns;
}

/* The recording has the counters that files told. */
static void set_counters(struct tacho__foreign *foreign)
{
	struct tacho_recording *recording = foreign->recording;

	recording->counters = foreign->counters;
	recording->counter_count = foreign->counter_count;
	recording->counted =
		(struct tacho_recorded_counting){.device = "", .replay = TACHO_REPLAY_NONE};
	recording->is_counted = recording->counter_count != 0;
}

static void begin(struct tacho__foreign *foreign)
{
	struct tacho_run *run = &foreign->recording->run;

	run->generator = run->host = "";
	run->application = run->arguments = run->working_directory = "";
	run->os_name = run->os_release = run->via = run->why_empty = run->why_uncounted = "";
	run->exit_status = -1;
	tacho__foreign_begin_sorters(foreign);
}

/* All files of a reader, from `first` on. */
static int read_with(struct tacho__foreign *foreign, const struct opening *opening, size_t first,
		     size_t count)
{
	const struct tacho__foreign_reader *reader = opening->files[first].reader;
	struct tacho__foreign_file *files = &opening->files[first];
	int rc = 0;

	for (size_t i = 0; i < count; i++) {
		files[i].number = i + 1;
		files[i].is_alone = count == 1;
	}
	tacho__foreign_begin_file(foreign);
	if (reader->read) {
		rc = tacho__foreign_begin_source(foreign, first, count);
		return rc ? rc : reader->read(foreign, files, count);
	}
	for (size_t i = 0; i < count && !rc; i++) {
		tacho__foreign_begin_file(foreign);
		rc = tacho__foreign_begin_source(foreign, first + i, 1);
		if (!rc)
			rc = reader->read_file(foreign, &files[i]);
	}
	return rc;
}

/* The files from `first` on that have the same reader; *out_count is how many. */
static int read_some(struct tacho__foreign *foreign, const struct opening *opening, size_t first,
		     size_t *out_count)
{
	const struct tacho__foreign_reader *reader = opening->files[first].reader;
	struct tacho_run *run = &foreign->recording->run;
	const char *before = run->generator, *own;
	size_t count = 1;
	int rc;

	while (first + count < opening->count && opening->files[first + count].reader == reader)
		count++;
	*out_count = count;
	run->generator = "";
	rc = read_with(foreign, opening, first, count);
	tacho__map_finish(&foreign->processes); /* keys are of one reader */
	own = *run->generator ? run->generator : reader->title;
	run->generator = before;
	return rc ? rc : tacho__foreign_set_tool(foreign, own);
}

/* The user said what it is, and it may be something else. */
static int check_kind(const struct tacho__foreign *foreign, const struct opening *opening)
{
	const struct tacho__foreign_file *file = &opening->files[0];

	if (!opening->kind || foreign->has_time || foreign->recording->process_count ||
	    foreign->counter_count || foreign->sums.line_count || opening->kind->fits(file))
		return 0;
	return tacho__fail(TACHO_E_PARSE, "nothing of that kind is in it", "open it without a kind",
			   "%s cannot be read as %s", file->path, opening->kind->name);
}

static void note_files(struct tacho__foreign *foreign, const struct opening *opening)
{
	if (opening->count > 1)
		tacho__foreign_note(foreign, "It was read from %zu files.", opening->count);
	foreign->note.failed |= opening->twice.failed;
	if (opening->twice.size)
		tacho__foreign_note(foreign, "%s", opening->twice.text);
	if (!opening->unread_count)
		return;
	tacho__foreign_note(foreign, "Not read, for tacho does not know what they are: %s",
			    tacho__buf_text(&opening->unread));
	if (opening->unread_count > NAMED_MAX)
		tacho__buf_printf(&foreign->note, " and %" PRIu64 " more",
				  opening->unread_count - NAMED_MAX);
	tacho__buf_char(&foreign->note, '.');
}

static void tell_twin(const struct tacho__foreign *foreign, struct opening *opening,
		      const struct tacho__foreign_told *left)
{
	tacho__buf_put(&opening->twice, opening->twice.size ? " " : "");
	put_files(&opening->twice, opening, left);
	tacho__buf_put(&opening->twice, left->file_count > 1 ? " are" : " is");
	tacho__buf_put(&opening->twice, " left out: the same launches are in ");
	put_files(&opening->twice, opening, &foreign->sources[left->twin - 1]);
	tacho__buf_printf(&opening->twice, ", which tell%s as much or more.",
			  foreign->sources[left->twin - 1].file_count > 1 ? "" : "s");
}

/* Files whose launches others tell, too, are closed, and then it is begun anew: 1. */
static int leave_twice(struct tacho__foreign *foreign, struct opening *opening)
{
	const struct tacho__foreign_told *sources = foreign->sources;
	int rc = tacho__foreign_find_twice(foreign);

	if (rc != 1)
		return rc;
	for (size_t i = 0; i < foreign->source_count; i++)
		if (sources[i].twin)
			tell_twin(foreign, opening, &sources[i]);
	for (size_t i = foreign->source_count; i--;)
		if (sources[i].twin)
			close_files(opening, &sources[i]);
	return 1;
}

/* Launches that are there twice, since neither of two files has all that the other has. */
struct shared {
	struct tacho__foreign *foreign;
	const struct opening *opening;
	uint64_t pairs;
};

static void note_shared(void *user, const struct tacho__foreign_told *left,
			const struct tacho__foreign_told *right, size_t count)
{
	struct shared *shared = user;
	struct tacho__buf text = {0};

	if (++shared->pairs > NAMED_MAX)
		return;
	put_files(&text, shared->opening, left);
	tacho__buf_put(&text, " and out of ");
	put_files(&text, shared->opening, right);
	shared->foreign->note.failed |= text.failed;
	tacho__foreign_note(shared->foreign,
			    "The launches of %zu process%s are here twice, out of %s: read these "
			    "apart.",
			    count, count == 1 ? "" : "es", tacho__buf_text(&text));
	tacho__buf_finish(&text);
}

static int note_all_shared(struct tacho__foreign *foreign, const struct opening *opening)
{
	struct shared shared = {.foreign = foreign, .opening = opening};
	int rc = tacho__foreign_each_shared(foreign, note_shared, &shared);

	if (shared.pairs > NAMED_MAX)
		tacho__foreign_note(foreign, "So it is with %" PRIu64 " more pairs of files.",
				    shared.pairs - NAMED_MAX);
	return rc;
}

/* 1: some files were left out, and it is to be begun anew. */
static int fill(struct tacho__foreign *foreign, struct opening *opening)
{
	struct tacho_recording *recording = foreign->recording;
	size_t count;
	uint32_t process;
	int rc = 0;

	begin(foreign);
	for (size_t i = 0; i < opening->count && !rc; i += count)
		rc = read_some(foreign, opening, i, &count);
	if (!rc)
		rc = check_kind(foreign, opening);
	if (!rc)
		rc = leave_twice(foreign, opening);
	if (!rc)
		rc = note_all_shared(foreign, opening);
	if (!rc)
		rc = tacho__foreign_finish_sums(foreign);
	if (!rc && !recording->process_count)
		rc = tacho__foreign_process(foreign, 0, 0, &process);
	if (!rc)
		rc = tacho__foreign_join(foreign);
	if (rc)
		return rc;
	set_origin(foreign);
	set_counters(foreign);
	tacho__foreign_note_values(foreign);
	tacho__foreign_note_clocks(foreign);
	note_files(foreign, opening);
	recording->run.import_note = tacho__buf_keep(&foreign->note, &recording->arena);
	/* what failed may have been long ago, and a fault of a file told since */
	return recording->run.import_note
		       ? 0
		       : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for what files lack");
}

static int create(struct opening *opening, const char *path, struct tacho_recording **out_recording)
{
	struct tacho_recording *recording = calloc(1, sizeof(*recording));
	struct tacho__foreign *foreign = calloc(1, sizeof(*foreign));
	int rc;

	if (!recording || !foreign) {
		free(recording);
		free(foreign);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", path);
	}
	tacho__recording_init(recording);
	recording->source = &tacho__source_foreign;
	recording->source_data = foreign;
	foreign->recording = recording;
	recording->path = strdup(path);
	rc = recording->path ? fill(foreign, opening)
			     : tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", path);
	if (rc)
		tacho_recording_close(recording);
	else
		*out_recording = recording;
	return rc == 1 ? create(opening, path, out_recording) : rc;
}

/* ---- opening ---- */

static int find_kind(const char *name, const struct tacho__foreign_reader **out_kind)
{
	const void *things[TACHO__HINT_COUNT];
	unsigned scores[TACHO__HINT_COUNT];
	struct tacho__nearest nearest = {things, scores, TACHO__HINT_COUNT, 0};
	const struct tacho__foreign_reader *reader;

	for (size_t i = 0; (reader = tacho__foreign_get_reader(i)); i++) {
		if (!strcmp(reader->name, name)) {
			*out_kind = reader;
			return 0;
		}
		tacho__nearest_offer(&nearest, reader->name,
				     tacho_nearest_score(name, reader->name));
	}
	return tacho__fail(TACHO_E_NOTFOUND, "", tacho__nearest_describe(&nearest),
			   "no kind of files is called \"%s\"", name);
}

/* Whether it is the name of a recording, without its suffix. */
static bool is_own_name(const char *name)
{
	char *folder = tacho__recording_name_folder(name);
	mode_t named = 0, kind = 0;
	bool is_own = folder && !tacho__fs_get_kind(name, &named) && !named &&
		      !tacho__fs_get_kind(folder, &kind) && kind == S_IFDIR;

	free(folder);
	return is_own;
}

static int check_names(const char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tacho__foreign_is_own(paths[i]) || is_own_name(paths[i]))
			return tacho__fail(TACHO_E_PARSE, "it is a recording of tacho's own",
					   "name it alone, or compare two: tacho diff",
					   "%s is no part of another recording", paths[i]);
	return 0;
}

static int check_strangers(const struct opening *opening)
{
	if (!opening->stranger)
		return 0;
	return tacho__fail(TACHO_E_PARSE, "tacho does not know what it is",
			   "leave it out, or say which kind of files they are",
			   "%s is no part of a recording", opening->stranger);
}

int tacho__foreign_open(const char *const *paths, size_t count, const char *kind,
			struct tacho_recording **out_recording)
{
	struct opening opening = {0};
	int rc = kind ? find_kind(kind, &opening.kind) : 0;

	*out_recording = NULL;
	if (!rc && (count > 1 || kind))
		rc = check_names(paths, count);
	for (size_t i = 0; i < count && !rc; i++)
		rc = tacho__foreign_names_add(&opening.names, paths[i]);
	if (!rc)
		rc = look(&opening);
	if (!rc && count > 1)
		rc = check_strangers(&opening);
	if (!rc && opening.count)
		rc = create(&opening, paths[0], out_recording);
	close_opening(&opening);
	return rc;
}
