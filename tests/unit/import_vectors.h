/* SPDX-License-Identifier: MIT */
/* The session files of tests/data, opened. */
#ifndef IMPORT_VECTORS_H
#define IMPORT_VECTORS_H

#include "tacho/recording.h"
#include "test_folder.h"

/* A file of the source folder; valid until the next call. */
const char *source_path(const char *path);

struct tacho_cursor *open_cursor(struct tacho_recording *recording);

/* The next call, which must be of this function. */
const struct tacho_call *get_call(struct tacho_cursor *cursor, const char *function);

void check_end(struct tacho_cursor *cursor);
void put_file(struct folder *folder, const char *name, const char *text);
void check_packet(struct tacho_cursor *cursor, const char *kernel, const char *device,
		  uint64_t start_ns, uint64_t end_ns);

#endif
