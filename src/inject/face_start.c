/* SPDX-License-Identifier: MIT */
#include "inject/face_start.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "inject/attribute_env.h"
#include "intercept/intercept.h"
#include "tacho/sys/face.h"

static struct {
	pthread_once_t once;
	const char *library; /* NULL: none is asked for */
	atomic_bool has_started;
} face = {.once = PTHREAD_ONCE_INIT};

static void load(void)
{
	void *library = dlopen(face.library, RTLD_NOW | RTLD_LOCAL);
	void *start = library ? dlsym(library, TACHO__FACE_START) : NULL;
	struct tacho__attributes attributes = {.size = 0};

	if (start) {
		((tacho__face_start_fn *)start)();
		return;
	}
	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "uncounted", "the face of %s did not start: %s",
			      TACHO_FACE_VARIABLE,
			      library ? "it has no " TACHO__FACE_START : dlerror());
	tacho__attributes_add(&attributes, "uncounted_cure",
			      "unset it, or set it as tacho env does");
	tacho__intercept_process(attributes.text);
}

static void on_call(struct tacho__call *call)
{
	int error = errno;

	(void)call;
	if (atomic_load_explicit(&face.has_started, memory_order_relaxed) ||
	    atomic_exchange(&face.has_started, true))
		return;
	load();
	errno = error;
}

static void ask(void)
{
	static const struct tacho__subscriber subscriber = {.keeps_nothing = true, .call = on_call};
	const char *library = secure_getenv(TACHO_FACE_VARIABLE);

	if (library && library[0] == '/' && tacho__intercept_subscribe(&subscriber))
		face.library = library;
}

bool tacho__face_await_call(void)
{
	pthread_once(&face.once, ask);
	return face.library != NULL;
}
