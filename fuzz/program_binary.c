/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes what is read of drivers' binaries, inside of profiled programs. The readers are not in the
 * library that fuzz targets are linked with.
 */
#include "inject/opencl/binary.c"
#include "inject/opencl/bitcode.c"
#include "inject/opencl/spirv.c"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever is said of a kernel is said of the program, too. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum tacho__prints any = tacho__binary_prints(data, size, NULL);
	enum tacho__prints one = tacho__binary_prints(data, size, "mute");

	if ((one == TACHO__PRINTS) != (any == TACHO__PRINTS) ||
	    (one == TACHO__PRINTS_NEVER && any != one))
		abort();
	return 0;
}
