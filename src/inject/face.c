/* SPDX-License-Identifier: MIT */
/* The folder of drop-in libraries, and who answers to their names. */
#include "tacho/sys/face.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/dl.h"
#include "base/error.h"
#include "inject/inject.h"
#include "inject/own_library.h"

static const struct row {
	const char *name, *title, *model;
	const char *libraries[TACHO_FACE_LIBRARIES_MAX];
	bool is_brought_in; /* its first library is loaded into programs that do not load it */
	const char *header; /* that programs are compiled with; NULL: anybody's will do */
} faces[] = {
	{"gpa",
	 "GPUPerfAPI 2.x",
	 "rx480",
	 {"libGPUPerfAPICL.so", "libGPUPerfAPIGL.so", "libGPUPerfAPIGLES.so",
	  "libGPUPerfAPIHSA.so"},
	 false},
	{"perfworks",
	 "PerfWorks 0.46",
	 "h200",
	 {"libnvperfapi.so"},
	 .header = "nvperfapi_user_impl.h"},
	{"rocprofiler", "ROCprofiler-SDK 1.0", "mi300x", {"librocprofiler-sdk.so.1"}, true},
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
			   "install them: Debian's package is tacho-compat",
			   "there are no drop-in libraries");
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

/* ---- what programs need ---- */

static int add(struct tacho_face *face, const char *name, const char *value, bool is_list)
{
	struct tacho_face_variable *variable = &face->variables[face->variable_count];

	if (face->variable_count == TACHO_FACE_VARIABLES_MAX)
		return tacho__fail(TACHO_E_UNSUPPORTED, "", "", "an API needs too many variables");
	if ((size_t)snprintf(variable->value, sizeof(variable->value), "%s", value) >=
	    sizeof(variable->value))
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("it has %zu characters", strlen(value)),
				   "install tacho where its path is shorter",
				   "the value of %s is too long", name);
	snprintf(variable->name, sizeof(variable->name), "%s", name);
	variable->is_list = is_list;
	face->variable_count++;
	return 0;
}

/* By the loaders that load this library by themselves, and no tool of an API beside it. */
static int add_layers(struct tacho_face *face, const char *library)
{
	struct tacho__environment environment = {0};
	const struct tacho__injection *injection;
	int rc = 0;

	for (size_t i = 0; !rc && (injection = tacho__injection_get(i)); i++)
		rc = injection->set_layer(&environment, library);
	for (size_t i = 0; !rc && i < environment.count; i++) {
		char *value = strchr(environment.list[i], '=');

		*value++ = '\0';
		if (!strcmp(value, library))
			rc = add(face, environment.list[i], value, true);
	}
	tacho__environment_finish(&environment);
	return rc;
}

static bool do_loaders_know_layers(void)
{
	const struct tacho__injection *injection;

	for (size_t i = 0; (injection = tacho__injection_get(i)); i++) {
		struct tacho__loader loader = {0};

		injection->find_loader(&loader);
		if (loader.path[0] && !loader.has_layers)
			return false;
	}
	return true;
}

/* So that a program that never heard of the API loads its library, by way of the layer. */
static int bring_in(struct tacho_face *face)
{
	char path[TACHO_FACE_PATH_MAX + 64];
	struct tacho__library library;
	int rc = tacho__library_find(&library);

	if (rc)
		return rc;
	snprintf(path, sizeof(path), "%s/%s", face->folder, face->libraries[0].name);
	if (library.links[0])
		rc = tacho__fail(TACHO_E_UNSUPPORTED,
				 tacho__detail("loaders split lists of paths where %s has a blank "
					       "or a colon",
					       library.file),
				 "install tacho at another place", "programs cannot load tacho");
	else if (do_loaders_know_layers())
		rc = add_layers(face, library.path);
	else
		rc = add(face, "LD_PRELOAD", library.path, true) ||
		     add(face, "TACHO_VIA", "preload", false);
	tacho__library_finish(&library);
	return rc ? rc : add(face, TACHO_FACE_VARIABLE, path, false);
}

/* For compilers; none where headers are not installed. */
static int add_headers(struct tacho_face *face, const char *header)
{
	/* From the library's: installed, also with a folder of the machine's, and in a build. */
	static const char *const folders[] = {"../include/tacho-compat",
					      "../../include/tacho-compat", "../include/compat",
					      "../../include/compat"};
	char core[PATH_MAX], folder[PATH_MAX + 64], file[PATH_MAX], real[PATH_MAX];
	int rc = tacho__library_find_core(core);

	if (rc)
		return rc;
	*strrchr(core, '/') = '\0';
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(folders); i++) {
		snprintf(folder, sizeof(folder), "%s/%s", core, folders[i]);
		if (!realpath(folder, real) ||
		    (size_t)snprintf(file, sizeof(file), "%s/%s", real, header) >= sizeof(file) ||
		    access(file, R_OK))
			continue;
		return add(face, "CPATH", real, true);
	}
	return 0;
}

static int fill(const struct row *row, struct tacho_face *face)
{
	int rc = find_folder(row->libraries[0], face->folder);

	face->name = row->name;
	face->title = row->title;
	face->model = row->model;
	while (!rc && face->library_count < TACHO_FACE_LIBRARIES_MAX &&
	       row->libraries[face->library_count]) {
		struct tacho_face_library *library = &face->libraries[face->library_count];

		library->name = row->libraries[face->library_count++];
		find_answer(face->folder, library);
	}
	if (!rc)
		rc = add(face, "LD_LIBRARY_PATH", face->folder, true);
	if (!rc && row->header)
		rc = add_headers(face, row->header);
	return rc || !row->is_brought_in ? rc : bring_in(face);
}

int tacho_face_find(const char *name, struct tacho_face *out_face)
{
	struct tacho_face *face;
	size_t i = 0;
	int rc;

	while (i < TACHO__ARRAY_SIZE(faces) && strcmp(faces[i].name, name) != 0)
		i++;
	if (i == TACHO__ARRAY_SIZE(faces))
		return tacho__fail(TACHO_E_NOTFOUND, "", "choose of gpa, perfworks, rocprofiler",
				   "there are no drop-in libraries for \"%s\"", name);
	face = calloc(1, sizeof(*face));
	if (!face)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for paths");
	rc = fill(&faces[i], face);
	if (!rc)
		*out_face = *face;
	free(face);
	return rc;
}
