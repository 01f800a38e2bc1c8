/* SPDX-License-Identifier: MIT */
/* The folder of drop-in libraries, and who answers to their names. */
#include "tacho/sys/face.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/dl.h"
#include "base/error.h"
#include "inject/own_library.h"

static const struct {
	const char *name, *title;
	const char *libraries[TACHO_FACE_LIBRARIES_MAX];
} faces[] = {
	{"gpa", "GPUPerfAPI 2.x", {"libGPUPerfAPICL.so", "libGPUPerfAPIGL.so"}},
};

/* Below the folder of libtacho: installed, and in a build folder. */
static const char *const places[] = {"tacho-compat", "src/face"};

static int find_folder(const char *library, char out_folder[TACHO_FACE_PATH_MAX])
{
	char core[PATH_MAX], file[PATH_MAX + 64];
	int size, error = 0, rc = tacho__library_find_core(core);

	if (rc)
		return rc;
	if (!*core)
		return tacho__fail(TACHO_E_UNSUPPORTED, "libtacho is a part of this program", "",
				   "there are no drop-in libraries");
	size = (int)(strrchr(core, '/') - core);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(places); i++) {
		snprintf(file, sizeof(file), "%.*s/%s/%s", size, core, places[i], library);
		if (access(file, R_OK)) {
			error = error && errno == ENOENT ? error : errno;
			continue;
		}
		file[strlen(file) - strlen(library) - 1] = '\0';
		snprintf(out_folder, TACHO_FACE_PATH_MAX, "%.*s", TACHO_FACE_PATH_MAX - 1, file);
		return 0;
	}
	return tacho__fail(TACHO_E_UNSUPPORTED,
			   tacho__detail("%.*s/%s has no %s that can be read: %s", size, core,
					 places[0], library, strerror(error)),
			   "install tacho again", "there are no drop-in libraries");
}

static void find_answer(const char *folder, struct tacho_face_library *library)
{
	char own[TACHO_FACE_PATH_MAX + 64], real[PATH_MAX];
	struct tacho__dl_answer answer;

	tacho__dl_try(library->name, &answer);
	if (!answer.loads)
		return;
	snprintf(library->answer, sizeof(library->answer), "%s", answer.path);
	snprintf(own, sizeof(own), "%s/%s", folder, library->name);
	library->is_ours = realpath(answer.path, real) && !strcmp(real, own);
}

int tacho_face_find(const char *name, struct tacho_face *out_face)
{
	struct tacho_face *face;
	size_t i = 0;
	int rc;

	while (i < TACHO__ARRAY_SIZE(faces) && strcmp(faces[i].name, name) != 0)
		i++;
	if (i == TACHO__ARRAY_SIZE(faces))
		return tacho__fail(TACHO_E_NOTFOUND, "", "choose of gpa",
				   "there are no drop-in libraries for \"%s\"", name);
	face = calloc(1, sizeof(*face));
	if (!face)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for paths");
	face->name = faces[i].name;
	face->title = faces[i].title;
	rc = find_folder(faces[i].libraries[0], face->folder);
	while (!rc && face->library_count < TACHO_FACE_LIBRARIES_MAX &&
	       faces[i].libraries[face->library_count]) {
		struct tacho_face_library *library = &face->libraries[face->library_count];

		library->name = faces[i].libraries[face->library_count++];
		find_answer(face->folder, library);
	}
	if (!rc)
		*out_face = *face;
	free(face);
	return rc;
}
