/* SPDX-License-Identifier: MIT */
/*
 * What compiled programs tell of their printing.
 *
 *	prints KERNEL FILE...
 */
#include <stdio.h>
#include <stdlib.h>

#include "inject/opencl/binary.h"

enum { BYTES_MAX = 1 << 24 };

int main(int argc, char **argv)
{
	static const char *const answers[] = {"perhaps", "never", "prints"};
	static unsigned char bytes[BYTES_MAX];

	for (int i = 2; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		size_t size;

		if (!file) {
			perror(argv[i]);
			return 1;
		}
		size = fread(bytes, 1, sizeof(bytes), file);
		fclose(file);
		printf("%s %s\n", argv[i], answers[tacho__binary_prints(bytes, size, argv[1])]);
	}
	return 0;
}
