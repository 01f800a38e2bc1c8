/* SPDX-License-Identifier: MIT */
#include "inject/marks/marks_source.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "intercept/marks.h"
#include "record/pool.h"
#include "record/writer.h"

static struct {
	atomic_bool is_started;
	atomic_flag told[TACHO__LOSSES];
} source;

bool tacho__source_is_wanted(void)
{
	return secure_getenv(TACHO__POOL_VARIABLE) != NULL;
}

static void start(void)
{
	if (!atomic_load_explicit(&source.is_started, memory_order_acquire)) {
		tacho__record_start();
		atomic_store_explicit(&source.is_started, true, memory_order_release);
	}
}

void tacho__source_tell(struct tacho__range_note *note)
{
	int error = errno;

	start();
	tacho__marks_tell(note);
	errno = error;
}

void tacho__source_name_thread(uint64_t thread, const char *name)
{
	int error = errno;

	if (name && thread == (uint64_t)gettid()) {
		start();
		tacho__intercept_thread_name(name);
	}
	errno = error;
}

void tacho__source_lose(enum tacho__source_loss loss)
{
	static const char *const sentences[TACHO__LOSSES] = {
		[TACHO__LOST_NAMES] = "unwatched=names of ranges: there are too many\n",
		[TACHO__LOST_OPEN] = "unwatched=ranges of the process: too many are open at once\n",
	};

	if (!atomic_flag_test_and_set(&source.told[loss]))
		tacho__intercept_process(sentences[loss]);
}

/* Returns its bytes. */
static unsigned encode(uint32_t character, char out[4])
{
	if (character < 0x80) {
		out[0] = (char)character;
		return 1;
	}
	if (character < 0x800) {
		out[0] = (char)(0xc0 | character >> 6);
		out[1] = (char)(0x80 | (character & 0x3f));
		return 2;
	}
	if (character < 0x10000) {
		out[0] = (char)(0xe0 | character >> 12);
		out[1] = (char)(0x80 | (character >> 6 & 0x3f));
		out[2] = (char)(0x80 | (character & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | character >> 18);
	out[1] = (char)(0x80 | (character >> 12 & 0x3f));
	out[2] = (char)(0x80 | (character >> 6 & 0x3f));
	out[3] = (char)(0x80 | (character & 0x3f));
	return 4;
}

const char *tacho__source_narrow(const wchar_t *text, char out[TACHO__WIDE_BYTES])
{
	size_t size = 0;

	while (text && *text) {
		uint32_t character = (uint32_t)*text++;
		char bytes[4];
		unsigned count;

		if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
			character = 0xfffd;
		count = encode(character, bytes);
		if (size + count >= TACHO__WIDE_BYTES)
			break;
		for (unsigned i = 0; i < count; i++)
			out[size++] = bytes[i];
	}
	out[size] = '\0';
	return out;
}
