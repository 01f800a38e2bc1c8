/* SPDX-License-Identifier: MIT */
/* The folder that a target writes its input to; it goes when the process ends by itself. */
#ifndef FUZZ_FOLDER_H
#define FUZZ_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static struct {
	char path[32];
	pid_t owner; /* readers start processes, which have no right to it */
} fuzz_folder = {"/tmp/tacho-fuzz-XXXXXX", 0};

static int fuzz_folder_remove_one(const char *path, const struct stat *status, int kind,
				  struct FTW *place)
{
	(void)status;
	(void)kind;
	(void)place;
	return remove(path);
}

static void fuzz_folder_remove(void)
{
	if (getpid() == fuzz_folder.owner)
		nftw(fuzz_folder.path, fuzz_folder_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void fuzz_folder_make(void)
{
	fuzz_folder.owner = getpid();
	if (!mkdtemp(fuzz_folder.path) || atexit(fuzz_folder_remove))
		abort();
}

#endif
