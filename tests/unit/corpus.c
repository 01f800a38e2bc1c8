/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target (fuzz/NAME.c) once over each file of the folder that is named: no libFuzzer.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run(const char *path)
{
	struct stat status;
	FILE *file;
	uint8_t *data;
	size_t size;

	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return 0;
	file = fopen(path, "rb");
	size = (size_t)status.st_size;
	/* exactly as large, so that sanitizers see one byte too far */
	data = malloc(size ? size : 1);
	if (!file || !data || fread(data, 1, size, file) != size) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	fclose(file);
	fprintf(stderr, "%s\n", path); /* the last line when it crashes */
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 1;
}

int main(int argc, char **argv)
{
	DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
	char path[4096];
	int count = 0;

	if (!folder) {
		fprintf(stderr, "cannot open %s\n", argc == 2 ? argv[1] : "a folder");
		return 1;
	}
	for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
		snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
		count += run(path);
	}
	closedir(folder);
	fprintf(stderr, "%d inputs\n", count);
	return count == 0;
}
