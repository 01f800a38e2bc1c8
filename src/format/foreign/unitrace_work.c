/* SPDX-License-Identifier: MIT */
/* Work of devices by the names and places that Intel's tracers give it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/unitrace.h"

/* Parts of names of functions, the first that fits; M is the host's memory, S is shared. */
static const struct {
	const char *part;
	enum tacho_command_kind kind;
} kinds[] = {
	{"WriteBuffer", TACHO_COMMAND_WRITE}, {"WriteImage", TACHO_COMMAND_WRITE},
	{"ReadBuffer", TACHO_COMMAND_READ},   {"ReadImage", TACHO_COMMAND_READ},
	{"(M2D)", TACHO_COMMAND_WRITE},	      {"(H2D)", TACHO_COMMAND_WRITE},
	{"(D2M)", TACHO_COMMAND_READ},	      {"(D2H)", TACHO_COMMAND_READ},
	{"MemoryFill", TACHO_COMMAND_FILL},   {"FillBuffer", TACHO_COMMAND_FILL},
	{"FillImage", TACHO_COMMAND_FILL},    {"MemFill", TACHO_COMMAND_FILL},
	{"Memset", TACHO_COMMAND_FILL},	      {"Unmap", TACHO_COMMAND_UNMAP},
	{"SVMMap", TACHO_COMMAND_MAP},	      {"MapBuffer", TACHO_COMMAND_MAP},
	{"MapImage", TACHO_COMMAND_MAP},      {"Copy", TACHO_COMMAND_COPY},
	{"Memcpy", TACHO_COMMAND_COPY},
};

enum tacho_command_kind tacho__unitrace_kind_of(const char *name)
{
	if (strncmp(name, "zeCommandList", 13) && strncmp(name, "clEnqueue", 9))
		return TACHO_COMMAND_KERNEL;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(kinds); i++)
		if (strstr(name, kinds[i].part))
			return kinds[i].kind;
	return TACHO_COMMAND_OTHER;
}

/* "SIMD32 {8192; 1; 1} {128; 1; 1}": groups, then their size. */
static bool take_shape(const char *text, struct tacho__foreign_command *command)
{
	uint64_t groups[3], sizes[3];
	int end = 0;

	text = strchr(text, '{');
	if (!text ||
	    sscanf(text,
		   "{%" SCNu64 "; %" SCNu64 "; %" SCNu64 "} {%" SCNu64 "; %" SCNu64 "; %" SCNu64
		   "}%n",
		   &groups[0], &groups[1], &groups[2], &sizes[0], &sizes[1], &sizes[2],
		   &end) != 6 ||
	    !end || text[end])
		return false;
	tacho__foreign_set_groups(command, groups, sizes);
	return true;
}

/* Cuts off what is in brackets at the end, when it is a shape or a number of bytes. */
static void take_brackets(char *name, struct tacho__foreign_command *command)
{
	size_t size = strlen(name);
	char *open = strrchr(name, '[');

	if (!open || open == name || name[size - 1] != ']')
		return;
	name[size - 1] = '\0';
	if (tacho__foreign_csv_unsigned(open + 1, &command->bytes)) {
		command->has_bytes = 1;
		*open = '\0';
	} else if (!strncmp(open, "[SIMD", 5) && take_shape(open, command)) {
		*open = '\0';
	} else {
		name[size - 1] = ']';
	}
}

static int take_kernel(struct tacho__foreign *foreign, const char *name,
		       struct tacho__foreign_command *command)
{
	struct tacho__foreign_kernel kernel = {.process = command->process,
					       .registers = -1,
					       .local_bytes = -1,
					       .private_bytes = -1};
	int rc = tacho__foreign_text(foreign, name, &kernel.name);

	return rc ? rc : tacho__foreign_kernel(foreign, &kernel, &command->kernel);
}

/* Without the quotes around it, on one line. */
static void put_plain(struct tacho__buf *text, const char *name)
{
	size_t size = strlen(name);

	if (size >= 2 && *name == '"' && name[size - 1] == '"')
		tacho__buf_add(text, name + 1, size - 2);
	else
		tacho__buf_put(text, name);
	for (size_t i = 0; i < text->size; i++)
		if (text->text[i] == '\n')
			text->text[i] = ' ';
}

/* As tacho__objects_add() changes what is told again: by the handle that take_kernel() gave it. */
static int describe(struct tacho__foreign *foreign, uint32_t process, const char *name,
		    const struct tacho__buf *facts)
{
	struct tacho__foreign_things *things = &foreign->handles[process];
	struct tacho__buf text = {0};
	uint32_t number = 0;
	int rc = TACHO_E_NOMEM;

	tacho__buf_printf(&text, "name=%s\n", name);
	if (!text.failed)
		rc = tacho__foreign_text(foreign, text.text, &number);
	if (!rc && tacho__foreign_find(foreign, process, TACHO_OBJECT_KERNEL, number)) {
		tacho__buf_put(&text, tacho__buf_text(facts));
		rc = text.failed || facts->failed
			     ? TACHO_E_NOMEM
			     : tacho__objects_add(&foreign->objects, &things->all,
						  &foreign->recording->processes[process]->process,
						  0, TACHO_OBJECT_KERNEL, number,
						  (const uint8_t *)text.text, text.size);
	}
	tacho__buf_finish(&text);
	return rc;
}

int tacho__unitrace_describe_kernel(struct tacho__foreign *foreign, uint32_t process,
				    const char *name, const struct tacho__buf *facts)
{
	struct tacho__foreign_command unused = {0};
	struct tacho__buf text = {0};
	int rc;

	tacho__buf_put(&text, "");
	put_plain(&text, name);
	if (!text.failed && text.size)
		take_brackets(text.text, &unused);
	rc = text.failed ? TACHO_E_NOMEM
			 : describe(foreign, process, tacho__buf_text(&text), facts);
	tacho__buf_finish(&text);
	return rc;
}

const char *tacho__unitrace_skip_tile(const char *name, bool *out_has_tile, uint64_t *out_tile)
{
	int end = 0;

	*out_has_tile = sscanf(name, "Tile #%" SCNu64 ": %n", out_tile, &end) == 1 && end;
	return *out_has_tile ? name + end : name;
}

int tacho__unitrace_take_name(struct tacho__foreign *foreign, const char *name,
			      struct tacho__foreign_command *command)
{
	struct tacho__buf text = {0};
	int rc;

	tacho__buf_put(&text, "");
	put_plain(&text, name);
	if (text.failed) {
		tacho__buf_finish(&text);
		return TACHO_E_NOMEM;
	}
	if (text.size)
		take_brackets(text.text, command);
	command->kind = tacho__unitrace_kind_of(tacho__buf_text(&text));
	if (command->kind == TACHO_COMMAND_KERNEL) {
		rc = take_kernel(foreign, tacho__buf_text(&text), command);
		if (!rc)
			rc = tacho__foreign_text(foreign, "kernel", &command->name);
	} else {
		rc = tacho__foreign_text(foreign, tacho__buf_text(&text), &command->name);
	}
	tacho__buf_finish(&text);
	return rc;
}

int tacho__unitrace_take_place(struct tacho__foreign *foreign, const char *device,
			       const char *device_name, const char *queue,
			       struct tacho__foreign_command *command)
{
	struct tacho__buf text = {0};
	uint64_t handle;
	int rc;

	tacho__buf_put(&text, "type=gpu\n");
	if (*device_name)
		tacho__buf_printf(&text, "name=%s\n", device_name);
	else
		tacho__buf_printf(&text, "name=GPU%s%s\n", *device ? " " : "", device);
	rc = tacho__foreign_described(foreign, command->process, TACHO_OBJECT_DEVICE, &text,
				      &handle, &command->device);
	if (rc || !*queue)
		return rc;
	tacho__buf_printf(&text, "name=%s\ndevice=0x%" PRIX64 "\n", queue, handle);
	return tacho__foreign_described(foreign, command->process, TACHO_OBJECT_QUEUE, &text, NULL,
					&command->queue);
}
