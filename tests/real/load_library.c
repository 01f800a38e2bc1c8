/* SPDX-License-Identifier: MIT */
/* load_library FILE: opens it so that nobody else sees its symbols, and calls its main(). */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*run)(void) = NULL;

	if (library)
		*(void **)&run = dlsym(library, "main");
	else
		fprintf(stderr, "%s\n", dlerror());
	return run ? run() : 1;
}
