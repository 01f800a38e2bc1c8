/* SPDX-License-Identifier: MIT */
/*
 * Puts data files into the library: embed OUTPUT ARRAY FOLDER NAME... writes a C file with the text
 * of each FOLDER/NAME as one of ARRAY, such as tacho__builtins. With --pack before OUTPUT they are
 * packed, for tacho__inflate(). Runs on the building machine.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LINE_BYTES = 4000 };

static void die(const char *action, const char *path)
{
	fprintf(stderr, "embed: cannot %s %s: %s\n", action, path, strerror(errno));
	exit(1);
}

static unsigned char *allocate(size_t size)
{
	unsigned char *bytes = malloc(size);

	if (!bytes)
		die("hold", "a file");
	return bytes;
}

static unsigned char *read_file(const char *path, size_t *out_size)
{
	FILE *in = fopen(path, "rb");
	unsigned char *bytes;
	long size = -1;

	if (!in || fseek(in, 0, SEEK_END) || (size = ftell(in)) < 0)
		die("open", path);
	rewind(in);
	bytes = allocate((size_t)size + 1);
	if (fread(bytes, 1, (size_t)size, in) != (size_t)size)
		die("read", path);
	fclose(in);
	*out_size = (size_t)size;
	return bytes;
}

/* String literals, a line of the file each. */
static void write_bytes(FILE *out, const unsigned char *bytes, size_t size)
{
	fputs("\t\"", out);
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == '"' || bytes[i] == '\\')
			fprintf(out, "\\%c", bytes[i]);
		else if (bytes[i] >= ' ' && bytes[i] < 0x7f && bytes[i] != '?')
			putc(bytes[i], out);
		else
			fprintf(out, "\\%03o", (unsigned)bytes[i]);
		if (bytes[i] == '\n' || i % LINE_BYTES == LINE_BYTES - 1)
			fputs("\"\n\t\"", out);
	}
	fputs("\"", out);
}

/* Packs in place of the bytes; returns the new size. */
static size_t pack(unsigned char **bytes, size_t size)
{
	uLongf packed_size = compressBound(size);
	unsigned char *packed = allocate(packed_size);

	if (compress2(packed, &packed_size, *bytes, size, Z_BEST_COMPRESSION) != Z_OK)
		die("pack", "a file");
	free(*bytes);
	*bytes = packed;
	return packed_size;
}

static void write_file(FILE *out, const char *folder, const char *name, int is_packed)
{
	unsigned char *bytes;
	char path[4096];
	size_t size, stored;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		die("open", name);
	}
	bytes = read_file(path, &size);
	stored = is_packed ? pack(&bytes, size) : size;
	fprintf(out, "\t{\"%s\", (const unsigned char *)\n", name);
	write_bytes(out, bytes, stored);
	if (is_packed)
		fprintf(out, ", %zu", stored);
	fprintf(out, ", %zu},\n", size);
	free(bytes);
}

int main(int count, char **arguments)
{
	int is_packed = count > 1 && !strcmp(arguments[1], "--pack");
	const char *type = is_packed ? "tacho__packed" : "tacho__builtin";
	char **rest = arguments + 1 + is_packed;
	FILE *out;

	if (count - is_packed < 4) {
		fprintf(stderr, "usage: embed [--pack] OUTPUT ARRAY FOLDER NAME...\n");
		return 2;
	}
	out = fopen(rest[0], "w");
	if (!out)
		die("create", rest[0]);
	fprintf(out, "#include \"%s\"\n\n", is_packed ? "base/inflate.h" : "catalog/catalog.h");
	fprintf(out, "extern const struct %s %s[];\n", type, rest[1]);
	fprintf(out, "const struct %s %s[] = {\n", type, rest[1]);
	for (char **name = rest + 3; *name; name++)
		write_file(out, rest[2], *name, is_packed);
	fputs("\t{0},\n};\n", out);
	if (ferror(out) | fclose(out))
		die("write", rest[0]);
	return 0;
}
