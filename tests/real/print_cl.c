/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program with kernels that print and kernels that do not, made in one of the ways that
 * programs are made. Each launch of a printing kernel prints one line; run once too often it prints
 * one more. All change their memory in place; what came out is printed in the end.
 *
 *	print_cl PLATFORM WAY [FOLDER]
 *
 *	source	   from source that has printf in it, or only in what is not compiled
 *	option	   printf comes with a build option
 *	glue	   printf is put together by the compiler's first phase
 *	file	   from a file in FOLDER that is included: it is written there
 *	header	   from a header that is given when the program is compiled
 *	library	   from a compiled program that is linked in
 *	binary	   from binaries of the driver
 *
 * Exits with 77 where the driver does not do that.
 */
#define CL_OTHER_FUNCTIONS(X)                                                                      \
	X(int32_t, clGetProgramInfo, (void *, uint32_t, size_t, void *, size_t *))                 \
	X(int32_t, clReleaseProgram, (void *))                                                     \
	X(void *, clCreateProgramWithBinary,                                                       \
	  (void *, uint32_t, void *const *, const size_t *, const unsigned char **, int32_t *,     \
	   int32_t *))                                                                             \
	X(int32_t, clCompileProgram,                                                               \
	  (void *, uint32_t, void *const *, const char *, uint32_t, void *const *, const char **,  \
	   void *, void *))                                                                        \
	X(void *, clLinkProgram,                                                                   \
	  (void *, uint32_t, void *const *, const char *, uint32_t, void *const *, void *, void *, \
	   int32_t *))                                                                             \
	X(int32_t, clEnqueueReadBuffer,                                                            \
	  (void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *const *, void **))

#include "cl_program.h"

#include <stdbool.h>
#include <string.h>

enum { ITEMS = 64, LAUNCHES = 3, MEM_COPY_HOST_PTR = 32, PATH_BYTES = 512 };
enum { PROGRAM_BINARY_SIZES = 0x1165, PROGRAM_BINARIES = 0x1166 };

/* What is built first, and a beginning of all. */
#define SCALE " { uint i = get_global_id(0); x[i] = x[i] * 3 + 1; "

static const char plain_mute[] = "kernel void mute(global uint *x)" SCALE "}\n";
static const char plain_loud[] =
	"kernel void loud(global uint *x)" SCALE "if (!i) printf(\"loud %u\\n\", x[0]); }\n";
/* Text that has the word and does not print. */
static const char hidden_mute[] = "#ifdef DEBUG\n#define TELL(v) printf(\"debug %u\\n\", v)\n"
				  "#else\n#define TELL(v)\n#endif\n"
				  "kernel void mute(global uint *x)" SCALE "TELL(x[0]); }\n";
static const char option_text[] =
	"#ifdef TELL\nkernel void loud(global uint *x)" SCALE "if (!i) TELL(\"loud %u\\n\", x[0]); "
	"}\n#else\nkernel void mute(global uint *x)" SCALE "}\n#endif\n";
static const char glue_text[] = "#define GLUE(a, b) a##b\n#ifdef TELL\n"
				"kernel void loud(global uint *x)" SCALE
				"if (!i) GLUE(pri, ntf)(\"loud %u\\n\", x[0]); }\n#else\n"
				"kernel void GLUE(mu, te)(global uint *x)" SCALE "}\n#endif\n";
static const char mute_with_file[] = "#include \"mute.h\"\n"
				     "kernel void mute(global uint *x)" SCALE "TELL(x[0]); }\n";
static const char loud_with_file[] =
	"#include \"loud.h\"\n"
	"kernel void loud(global uint *x)" SCALE "if (!i) TELL(x[0]); }\n";
static const char mute_header[] = "#define TELL(v)\n";
static const char loud_header[] = "#define TELL(v) printf(\"loud %u\\n\", v)\n";
static const char mute_with_function[] =
	"void tell(uint v);\nkernel void mute(global uint *x)" SCALE "tell(x[0]); }\n";
static const char loud_with_function[] =
	"void tell(uint v);\nkernel void loud(global uint *x)" SCALE "if (!i) tell(x[0]); }\n";
static const char mute_function[] = "void tell(uint v) { }\n";
static const char loud_function[] = "void tell(uint v) { printf(\"loud %u\\n\", v); }\n";

static void *from_source(const char *text)
{
	int32_t status;
	void *made = cl.clCreateProgramWithSource(context, 1, &text, NULL, &status);

	check("clCreateProgramWithSource", status);
	return made;
}

static void *build(const char *text, const char *options)
{
	void *made = from_source(text);

	check("clBuildProgram", cl.clBuildProgram(made, 1, &device, options, NULL, NULL));
	return made;
}

/* `what` failed: the driver cannot. */
static void need(const char *what, bool worked)
{
	if (worked)
		return;
	fprintf(stderr, "print_cl: no %s\n", what);
	exit(77);
}

static void *compile(const char *text, const char *name, const char *header)
{
	void *made = from_source(text), *headers[1] = {header ? from_source(header) : NULL};

	need("clCompileProgram",
	     !cl.clCompileProgram(made, 1, &device, "", header ? 1 : 0, header ? headers : NULL,
				  header ? &name : NULL, NULL, NULL));
	return made;
}

static void *join(void *one, void *other)
{
	void *const parts[2] = {one, other};
	int32_t status = 0;
	void *made = cl.clLinkProgram(context, 1, &device, "", other ? 2 : 1, parts, NULL, NULL,
				      &status);

	need("clLinkProgram", made && !status);
	return made;
}

static void *through_binary(void *made)
{
	const unsigned char *bytes;
	int32_t status, state = 0;
	size_t size = 0;

	check("the binary's size",
	      cl.clGetProgramInfo(made, PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL));
	bytes = malloc(size);
	check("the binary",
	      cl.clGetProgramInfo(made, PROGRAM_BINARIES, sizeof(bytes), &bytes, NULL));
	check("clReleaseProgram", cl.clReleaseProgram(made));
	made = cl.clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &state, &status);
	need("clCreateProgramWithBinary", made && !status);
	check("clBuildProgram", cl.clBuildProgram(made, 1, &device, "", NULL, NULL));
	return made;
}

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[PATH_BYTES];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	check(path, !file || fputs(text, file) < 0 || fclose(file));
}

static void include(const char *folder, void **out_mute, void **out_loud)
{
	char options[PATH_BYTES];

	write_file(folder, "mute.h", mute_header);
	write_file(folder, "loud.h", loud_header);
	snprintf(options, sizeof(options), "-I %s", folder);
	*out_mute = build(mute_with_file, options);
	*out_loud = build(loud_with_file, options);
}

/* False: there is no such way. */
static bool make(const char *way, const char *folder, void **out_mute, void **out_loud)
{
	if (!strcmp(way, "source")) {
		*out_mute = build(hidden_mute, "");
		*out_loud = build(plain_loud, "");
	} else if (!strcmp(way, "option")) {
		*out_mute = build(option_text, "-DOTHER=1 -cl-mad-enable");
		*out_loud = build(option_text, "-D TELL=printf");
	} else if (!strcmp(way, "glue")) {
		*out_mute = build(glue_text, "");
		*out_loud = build(glue_text, "-DTELL");
	} else if (!strcmp(way, "file")) {
		include(folder, out_mute, out_loud);
	} else if (!strcmp(way, "header")) {
		*out_mute = join(compile(mute_with_file, "mute.h", mute_header), NULL);
		*out_loud = join(compile(loud_with_file, "loud.h", loud_header), NULL);
	} else if (!strcmp(way, "library")) {
		*out_mute = join(compile(mute_with_function, NULL, NULL),
				 compile(mute_function, NULL, NULL));
		*out_loud = join(compile(loud_with_function, NULL, NULL),
				 compile(loud_function, NULL, NULL));
	} else if (!strcmp(way, "binary")) {
		*out_mute = through_binary(build(plain_mute, ""));
		*out_loud = through_binary(build(plain_loud, ""));
	} else {
		return false;
	}
	return true;
}

static void run(void *of, const char *name)
{
	uint32_t values[ITEMS] = {1, 2, 3};
	size_t items = ITEMS;
	void *kernel = make_kernel(of, name);
	void *x = make_buffer(MEM_READ_WRITE | MEM_COPY_HOST_PTR, sizeof(values), values);

	set_buffer(kernel, 0, x);
	for (int i = 0; i < LAUNCHES; i++) {
		check(name, cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL,
						      NULL));
		check("clFinish", cl.clFinish(queue));
	}
	check("clEnqueueReadBuffer",
	      cl.clEnqueueReadBuffer(queue, x, 1, 0, sizeof(values), values, 0, NULL, NULL));
	fflush(stdout);
	printf("%s: %u %u %u\n", name, values[0], values[1], values[ITEMS - 1]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	void *mute, *loud;

	if (argc < 3)
		return 2;
	set_up((unsigned)strtoul(argv[1], NULL, 10), plain_mute);
	if (!make(argv[2], argc > 3 ? argv[3] : ".", &mute, &loud))
		return 2;
	run(mute, "mute");
	run(loud, "loud");
	run(mute, "mute");
	return 0;
}
