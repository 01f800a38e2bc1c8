/* SPDX-License-Identifier: MIT */
#include "base/crc32c.h"

#include <string.h>

/* What four bits become, by the reflected polynomial 0x82f63b78. */
static const uint32_t nibbles[16] = {
	0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
	0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
	0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

uint32_t tacho__crc32c_plain(uint32_t crc, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	crc = ~crc;
	for (; size; size--) {
		crc ^= *at++;
		crc = crc >> 4 ^ nibbles[crc & 15];
		crc = crc >> 4 ^ nibbles[crc & 15];
	}
	return ~crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t with_instruction(uint32_t crc, const uint8_t *at,
								   size_t size)
{
	uint64_t state = ~crc, word;

	for (; size >= sizeof(word); size -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		state = __builtin_ia32_crc32di(state, word);
		at += sizeof(word);
	}
	for (; size; size--)
		state = __builtin_ia32_crc32qi((uint32_t)state, *at++);
	return ~(uint32_t)state;
}

uint32_t tacho__crc32c(uint32_t crc, const void *bytes, size_t size)
{
	if (__builtin_cpu_supports("sse4.2"))
		return with_instruction(crc, bytes, size);
	return tacho__crc32c_plain(crc, bytes, size);
}
#elif defined(__ARM_FEATURE_CRC32)
uint32_t tacho__crc32c(uint32_t crc, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	uint64_t word;

	crc = ~crc;
	for (; size >= sizeof(word); size -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		crc = __builtin_aarch64_crc32cx(crc, word);
		at += sizeof(word);
	}
	for (; size; size--)
		crc = __builtin_aarch64_crc32cb(crc, *at++);
	return ~crc;
}
#else
uint32_t tacho__crc32c(uint32_t crc, const void *bytes, size_t size)
{
	return tacho__crc32c_plain(crc, bytes, size);
}
#endif
