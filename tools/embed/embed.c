/* SPDX-License-Identifier: MIT */
/*
 * Puts data files into the library: embed OUTPUT ARRAY FOLDER NAME... writes a C file with the text
 * of each FOLDER/NAME as one of ARRAY, such as tacho__builtins. Runs on the building machine.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 4000 };

static void die(const char *action, const char *path)
{
	fprintf(stderr, "embed: cannot %s %s: %s\n", action, path, strerror(errno));
	exit(1);
}

/* The file as string literals, a line of the file each; returns its size. */
static size_t write_text(FILE *out, const char *path)
{
	FILE *in = fopen(path, "rb");
	size_t size = 0;
	int c;

	if (!in)
		die("open", path);
	fputs("\t\"", out);
	for (; (c = getc(in)) != EOF; size++) {
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c >= ' ' && c < 0x7f)
			putc(c, out);
		else
			fprintf(out, "\\%03o", (unsigned)c);
		if (c == '\n' || size % LINE_BYTES == LINE_BYTES - 1)
			fputs("\"\n\t\"", out);
	}
	fputs("\"", out);
	if (ferror(in))
		die("read", path);
	fclose(in);
	return size;
}

int main(int count, char **arguments)
{
	FILE *out;

	if (count < 4) {
		fprintf(stderr, "usage: embed OUTPUT ARRAY FOLDER NAME...\n");
		return 2;
	}
	out = fopen(arguments[1], "w");
	if (!out)
		die("create", arguments[1]);
	fputs("#include \"catalog/catalog.h\"\n\n", out);
	fprintf(out, "extern const struct tacho__builtin %s[];\n", arguments[2]);
	fprintf(out, "const struct tacho__builtin %s[] = {\n", arguments[2]);
	for (int i = 4; i < count; i++) {
		char path[4096];
		size_t size;

		if (snprintf(path, sizeof(path), "%s/%s", arguments[3], arguments[i]) >=
		    (int)sizeof(path)) {
			errno = ENAMETOOLONG;
			die("open", arguments[i]);
		}
		fprintf(out, "\t{\"%s\", (const unsigned char *)\n", arguments[i]);
		size = write_text(out, path);
		fprintf(out, ", %zu},\n", size);
	}
	fputs("\t{0},\n};\n", out);
	if (ferror(out) | fclose(out))
		die("write", arguments[1]);
	return 0;
}
