/* SPDX-License-Identifier: MIT */
/*
 * Streams whose first failure stays: what is written behind it goes nowhere, and fclose() fails
 * with the errno that it had, however long ago that was. So writers need not look at each
 * fprintf(); who closes the stream asks once. tacho_stream_open() makes one over a descriptor.
 */
#ifndef TACHO_BASE_OUT_STREAM_H
#define TACHO_BASE_OUT_STREAM_H

#include <stdio.h>

#include "base/buf.h"
#include "tacho/sink.h"
#include "tacho/sys/file.h"

/* Over a sink, which is copied. NULL with the error set when memory ran out. */
FILE *tacho__stream_open_sink(const struct tacho_sink *sink);

/* A sink that adds to the buffer. */
struct tacho_sink tacho__stream_sink_to_buf(struct tacho__buf *buf);

#endif
