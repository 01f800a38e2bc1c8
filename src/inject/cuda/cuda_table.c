/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "inject/cuda/cuda_functions.h"
#include "record/writer.h"

enum { NAME_MAX_BYTES = 128, VERSION_DIGITS = 4 };

/* What stands behind the name of a launch, and how its command reads it. */
#define LAUNCH_ARGUMENTS                                                                 \
	" function=x grid=l:u block=l:u cluster=l:u shared_bytes=u stream=x threads=l:u" \
	" dims=h queue=h kernel=h"
#define BARE_KERNEL                                                                   \
	" - grid=l:u block=l:u cluster=l:u shared_bytes=u threads=l:u dims=h queue=h" \
	" kernel=h name=s graph=u node=u correlation=u\n"
#define BARE_COPY " - bytes=u queue=h graph=u node=u correlation=u\n"
#define KERNEL_ROLES                                                       \
	" queue=queue kernel=kernel dims=dims global=threads local=block " \
	"extra_local=shared_bytes\n"
#define COPY_ROLES " queue=queue bytes=bytes\n"

static const struct {
	const char *name, *kind;
} bares[] = {
	[TACHO__CUDA_GRAPH_KERNEL] = {"graph_kernel", "kernel"},
	[TACHO__CUDA_DEVICE_KERNEL] = {"device_launched_kernel", "kernel"},
	[TACHO__CUDA_OTHER_KERNEL] = {"kernel_without_call", "kernel"},
	[TACHO__CUDA_GRAPH_WRITE] = {"graph_write", "write"},
	[TACHO__CUDA_GRAPH_READ] = {"graph_read", "read"},
	[TACHO__CUDA_GRAPH_COPY] = {"graph_copy", "copy"},
	[TACHO__CUDA_GRAPH_FILL] = {"graph_fill", "fill"},
	[TACHO__CUDA_OTHER_WRITE] = {"write_without_call", "write"},
	[TACHO__CUDA_OTHER_READ] = {"read_without_call", "read"},
	[TACHO__CUDA_OTHER_COPY] = {"copy_without_call", "copy"},
	[TACHO__CUDA_OTHER_FILL] = {"fill_without_call", "fill"},
};

static struct tacho__cuda_function tables[2][TACHO__CUDA_ID_MAX];

/* ---- names ---- */

static bool is_name(const char *name)
{
	size_t size =
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return size && size < NAME_MAX_BYTES && !name[size];
}

static void cut(char *name, const char *ending)
{
	size_t size = strlen(name), cut_size = strlen(ending);

	if (size > cut_size && !strcmp(name + size - cut_size, ending))
		name[size - cut_size] = '\0';
}

/* "cudaMemcpy_ptds_v7000" is cudaMemcpy_ptds: since when a function is there is no part of it. */
static void cut_version(char *name)
{
	char *version = strrchr(name, '_');

	if (version && version[1] == 'v' && strlen(version + 2) >= VERSION_DIGITS &&
	    !version[2 + strspn(version + 2, "0123456789")])
		*version = '\0';
}

/* By how its name begins. */
static enum tacho__cuda_change find_change(const char *name)
{
	static const struct {
		const char *begin;
		enum tacho__cuda_change change;
	} changes[] = {
		{"cuModuleUnload", TACHO__CUDA_ENDS_MODULE},
		{"cuLibraryUnload", TACHO__CUDA_ENDS_LIBRARY},
		{"cuStreamBeginCapture", TACHO__CUDA_BEGINS_CAPTURE},
		{"cuStreamEndCapture", TACHO__CUDA_ENDS_CAPTURE},
		{"cuGraphInstantiate", TACHO__CUDA_MAKES_EXECUTABLE},
		{"cuFuncSetBlockShape", TACHO__CUDA_SETS_BLOCK},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(changes); i++)
		if (!strncmp(name, changes[i].begin, strlen(changes[i].begin)))
			return changes[i].change;
	return TACHO__CUDA_CHANGES_NOTHING;
}

static const struct tacho__cuda_signature *find_signature(bool is_runtime, const char *name,
							  bool *out_per_thread)
{
	char plain[NAME_MAX_BYTES];

	snprintf(plain, sizeof(plain), "%s", name);
	cut(plain, "_ptsz");
	cut(plain, "_ptds");
	*out_per_thread = strcmp(plain, name) != 0;
	return tacho__cuda_signature_find(is_runtime, plain);
}

/* ---- arguments ---- */

/* "*bytes=u8" */
static bool parse_field(const char *text, uint32_t *offset, struct tacho__cuda_field *out_field)
{
	const char *equals = strchr(text, '=');
	uint32_t bytes;

	if (!equals || !strchr("xuiosqab-", equals[1]) || !strchr("1248", equals[2]))
		return false;
	bytes = (uint32_t)(equals[2] - '0');
	*offset = (*offset + bytes - 1) / bytes * bytes;
	*out_field = (struct tacho__cuda_field){.kind = equals[1],
						.is_factor = *text == '*',
						.offset = (uint8_t)*offset,
						.bytes = (uint8_t)bytes};
	*offset += bytes;
	return true;
}

bool tacho__cuda_table_lay_out(const struct tacho__cuda_signature *signature,
			       struct tacho__cuda_function *out_function)
{
	const char *at = signature->arguments ? signature->arguments : "";
	uint32_t offset = 0;

	*out_function = (struct tacho__cuda_function){
		.is_known = true, .role = signature->role, .scale = signature->scale};
	for (; *at; at += strcspn(at, " "), at += *at == ' ') {
		if (out_function->field_count == TACHO__CUDA_FIELDS_MAX ||
		    !parse_field(at, &offset, &out_function->fields[out_function->field_count]))
			return false;
		out_function->field_count++;
	}
	return true;
}

/* The same for readers of the recording. */
static void print_arguments(FILE *stream, const struct tacho__cuda_signature *signature)
{
	for (const char *at = signature->arguments; at && *at;) {
		size_t size = strcspn(at, " "), name = strcspn(at, "=");
		const char *from = at + (*at == '*');
		char kind = at[name + 1];

		if (kind != '-')
			fprintf(stream, " %.*s=%s%c", (int)(at + name - from), from,
				kind == 'o' ? "o:" : "", strchr("uis", kind) ? kind : 'x');
		at += size;
		at += *at == ' ';
	}
}

static void print_command(FILE *stream, unsigned id, const char *name, enum tacho__cuda_role role)
{
	static const char *const kinds[] = {[TACHO__CUDA_WRITE] = "write",
					    [TACHO__CUDA_READ] = "read",
					    [TACHO__CUDA_COPY] = "copy",
					    [TACHO__CUDA_FILL] = "fill"};

	if (tacho__cuda_is_launch(role))
		fprintf(stream, "cmd %u kernel %u %s" KERNEL_ROLES, id, id, name);
	else if (tacho__cuda_is_command(role))
		fprintf(stream, "cmd %u %s %u %s queue=queue bytes=size\n", id, kinds[role], id,
			name);
}

/* ---- tables ---- */

static void add_function(FILE *stream, bool is_runtime, unsigned id, const char *name)
{
	struct tacho__cuda_function *function = &tables[is_runtime][id];
	bool per_thread;
	const struct tacho__cuda_signature *signature =
		find_signature(is_runtime, name, &per_thread);
	enum tacho__cuda_role role = signature ? signature->role : TACHO__CUDA_PLAIN;

	*function = (struct tacho__cuda_function){.is_known = true};
	if (signature && !tacho__cuda_table_lay_out(signature, function))
		return;
	function->is_per_thread = per_thread;
	if (!is_runtime)
		function->change = find_change(name);
	fprintf(stream, "func %u -1 %s e:%s", id, name, is_runtime ? "cudaError" : "CUresult");
	if (tacho__cuda_is_launch(role))
		fputs(LAUNCH_ARGUMENTS, stream);
	else if (signature)
		print_arguments(stream, signature);
	if (tacho__cuda_is_command(role) && !tacho__cuda_is_launch(role))
		fputs(" queue=h size=h", stream);
	fputs(role == TACHO__CUDA_POLL ? "\n" : " correlation=u\n", stream);
	print_command(stream, id, name, role);
	if (role == TACHO__CUDA_POLL || tacho__cuda_waits(role))
		fprintf(stream, "%s %u\n", role == TACHO__CUDA_POLL ? "poll" : "wait", id);
}

static void add_functions(FILE *stream, bool is_runtime)
{
	char cut_name[NAME_MAX_BYTES];
	const char *name;

	for (unsigned id = 1; id < TACHO__CUDA_ID_MAX; id++) {
		name = NULL;
		if (tacho__cuda.cuptiGetCallbackName(is_runtime ? TACHO__CUDA_DOMAIN_RUNTIME
								: TACHO__CUDA_DOMAIN_DRIVER,
						     id, &name) ||
		    !name || !is_name(name))
			continue;
		snprintf(cut_name, sizeof(cut_name), "%s", name);
		if (is_runtime)
			cut_version(cut_name);
		add_function(stream, is_runtime, id, cut_name);
	}
}

static void add_bares(FILE *stream)
{
	for (unsigned i = 0; i < TACHO__ARRAY_SIZE(bares); i++) {
		unsigned id = TACHO__CUDA_ID_MAX + i;
		bool is_kernel = !strcmp(bares[i].kind, "kernel");

		fprintf(stream, "func %u -1 %s%s", id, bares[i].name,
			is_kernel ? BARE_KERNEL : BARE_COPY);
		fprintf(stream, "cmd %u %s %u %s%s", id, bares[i].kind, id, bares[i].name,
			is_kernel ? KERNEL_ROLES : COPY_ROLES);
		fprintf(stream, "bare %u\n", id);
	}
}

/* Its text stays for the process's life. */
static bool make(bool is_runtime)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return false;
	fprintf(stream, "calls 1 %s\n%s", is_runtime ? "cudart" : "cuda",
		is_runtime ? tacho__cuda_runtime_errors : tacho__cuda_driver_errors);
	if (!is_runtime)
		add_bares(stream);
	add_functions(stream, is_runtime);
	if (fclose(stream) || !text) { /* glibc does not complain of the latter */
		free(text);
		return false;
	}
	tacho__record_add_table(is_runtime ? TACHO__CUDA_RUNTIME_API : TACHO__CUDA_API, text, size);
	return true;
}

bool tacho__cuda_table_make(void)
{
	return make(false) && make(true);
}

const struct tacho__cuda_function *tacho__cuda_table_find(bool is_runtime, uint32_t id)
{
	return id < TACHO__CUDA_ID_MAX && tables[is_runtime][id].is_known ? &tables[is_runtime][id]
									  : NULL;
}
