/* SPDX-License-Identifier: MIT */
/* Streams that gzip and zstd packed: zlib is part of tacho, libzstd is opened when one is met. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/array.h"
#include "base/dl.h"
#include "base/error.h"
#include "format/foreign/foreign_bytes.h"

#define ZSTD_LIBRARY "libzstd.so.1"

/* As zstd.h declares them. */
struct zstd_out {
	void *bytes;
	size_t size, at;
};

struct zstd_in {
	const void *bytes;
	size_t size, at;
};

struct zstd_calls {
	void *(*createDStream)(void);
	size_t (*freeDStream)(void *stream);
	size_t (*decompressStream)(void *stream, struct zstd_out *out, struct zstd_in *in);
	unsigned (*isError)(size_t code);
	const char *(*getErrorName)(size_t code);
};

struct tacho__foreign_unpack {
	bool is_zstd;
	z_stream zlib;
	struct tacho__dl dl;
	struct zstd_calls zstd;
	void *stream; /* of zstd */
};

static const unsigned char gzip_head[] = {0x1f, 0x8b}, zstd_head[] = {0x28, 0xb5, 0x2f, 0xfd};

static bool begins_with(const unsigned char *head, size_t size, const unsigned char *with,
			size_t with_size)
{
	return size >= with_size && !memcmp(head, with, with_size);
}

static int open_gzip(struct tacho__foreign_unpack *unpack)
{
	enum { GZIP = 16 };

	return inflateInit2(&unpack->zlib, GZIP + MAX_WBITS) == Z_OK
		       ? 0
		       : tacho__fail(TACHO_E_NOMEM, "", "", "no memory to unpack a file");
}

static int open_zstd(struct tacho__foreign_unpack *unpack)
{
	static const struct tacho__dl_symbol symbols[] = {
		TACHO__DL_SYMBOL(zstd_calls, createDStream, "ZSTD_createDStream"),
		TACHO__DL_SYMBOL(zstd_calls, freeDStream, "ZSTD_freeDStream"),
		TACHO__DL_SYMBOL(zstd_calls, decompressStream, "ZSTD_decompressStream"),
		TACHO__DL_SYMBOL(zstd_calls, isError, "ZSTD_isError"),
		TACHO__DL_SYMBOL(zstd_calls, getErrorName, "ZSTD_getErrorName"),
	};
	int rc = tacho__dl_open(ZSTD_LIBRARY, symbols, TACHO__ARRAY_SIZE(symbols), &unpack->dl,
				&unpack->zstd);

	if (rc)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("%s", tacho_error_last()->cause),
				   "install libzstd1 (Debian, Ubuntu), libzstd (Fedora, openSUSE) "
				   "or zstd-libs (Alpine), or unpack the file: zstd -d FILE",
				   "cannot load %s, which unpacks zstd", ZSTD_LIBRARY);
	unpack->stream = unpack->zstd.createDStream();
	return unpack->stream ? 0
			      : tacho__fail(TACHO_E_NOMEM, "", "", "no memory to unpack a file");
}

int tacho__foreign_unpack_open(const unsigned char *head, size_t size,
			       struct tacho__foreign_unpack **out_unpack)
{
	bool is_zstd = begins_with(head, size, zstd_head, sizeof(zstd_head));
	struct tacho__foreign_unpack *unpack;
	int rc;

	*out_unpack = NULL;
	if (!is_zstd && !begins_with(head, size, gzip_head, sizeof(gzip_head)))
		return 0;
	unpack = calloc(1, sizeof(*unpack));
	if (!unpack)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to unpack a file");
	unpack->is_zstd = is_zstd;
	rc = is_zstd ? open_zstd(unpack) : open_gzip(unpack);
	if (rc)
		tacho__foreign_unpack_close(unpack);
	else
		*out_unpack = unpack;
	return rc;
}

void tacho__foreign_unpack_close(struct tacho__foreign_unpack *unpack)
{
	if (!unpack)
		return;
	if (unpack->stream)
		unpack->zstd.freeDStream(unpack->stream);
	tacho__dl_close(&unpack->dl);
	if (!unpack->is_zstd)
		inflateEnd(&unpack->zlib);
	free(unpack);
}

static int fail_damaged(const char *cause)
{
	return tacho__fail(TACHO_E_PARSE, tacho__detail("%s", cause),
			   "copy the file again, or let the tool write it again",
			   "the packed bytes are damaged");
}

static int unzstd(struct tacho__foreign_unpack *unpack, struct zstd_in *in, struct zstd_out *out,
		  bool *out_is_end)
{
	size_t code = unpack->zstd.decompressStream(unpack->stream, out, in);

	if (unpack->zstd.isError(code))
		return fail_damaged(unpack->zstd.getErrorName(code));
	*out_is_end = code == 0;
	return 0;
}

static int gunzip(struct tacho__foreign_unpack *unpack, struct zstd_in *in, struct zstd_out *out,
		  bool *out_is_end)
{
	int status;

	unpack->zlib.next_in = (Bytef *)in->bytes;
	unpack->zlib.avail_in = (uInt)in->size;
	unpack->zlib.next_out = out->bytes;
	unpack->zlib.avail_out = (uInt)out->size;
	status = inflate(&unpack->zlib, Z_NO_FLUSH);
	if (status == Z_MEM_ERROR)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to unpack a file");
	if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
		return fail_damaged(unpack->zlib.msg ? unpack->zlib.msg : zError(status));
	in->at = in->size - unpack->zlib.avail_in;
	out->at = out->size - unpack->zlib.avail_out;
	*out_is_end = status == Z_STREAM_END;
	if (*out_is_end) /* files may be several streams, one behind the other */
		inflateReset(&unpack->zlib);
	return 0;
}

int tacho__foreign_unpack_some(struct tacho__foreign_unpack *unpack, const unsigned char *in,
			       size_t in_size, unsigned char *out, size_t room, size_t *out_used,
			       size_t *out_made, bool *out_is_end)
{
	struct zstd_in from = {.bytes = in, .size = in_size};
	struct zstd_out to = {.bytes = out, .size = room};
	int rc = unpack->is_zstd ? unzstd(unpack, &from, &to, out_is_end)
				 : gunzip(unpack, &from, &to, out_is_end);

	*out_used = from.at;
	*out_made = to.at;
	return rc;
}
