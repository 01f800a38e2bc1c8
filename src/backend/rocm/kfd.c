/* SPDX-License-Identifier: MIT */
#include "backend/rocm/kfd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"

enum {
	FILE_MAX = 4096, /* a page: the most that a file of sysfs has */
	PROPERTIES_MAX = 128,
	KEY_MAX = 64,
	BANKS_MAX = 64,
	IDS_MAX = 1 << 20, /* libdrm's list of names */
	HEAP_PUBLIC = 1,   /* memory banks of the GPU itself */
	HEAP_PRIVATE = 2,
};

#define NODES "sys/class/kfd/kfd/topology/nodes"

/* Lists of names that libdrm and AMD's driver install. */
static const char *const id_files[] = {"usr/share/libdrm/amdgpu.ids",
				       "opt/amdgpu/share/libdrm/amdgpu.ids"};

void tacho__kfd_format_arch(uint64_t gfx_target_version, char out_arch[TACHO__KFD_ARCH_MAX])
{
	uint64_t major = gfx_target_version / 10000 % 1000;

	snprintf(out_arch, TACHO__KFD_ARCH_MAX, "gfx%u%u%x", (unsigned)major,
		 (unsigned)(gfx_target_version / 100 % 100), (unsigned)(gfx_target_version % 100));
}

static int read_text(struct tacho__buf *text, const char *root, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int read_text(struct tacho__buf *text, const char *root, const char *format, ...)
{
	struct tacho__buf path = {0};
	va_list list;
	int rc;

	tacho__buf_clear(text);
	tacho__buf_put(&path, root);
	va_start(list, format);
	tacho__buf_vprintf(&path, format, list);
	va_end(list);
	rc = path.failed ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the path of a file")
			 : tacho__fs_read(path.text, IDS_MAX, text);
	tacho__buf_finish(&path);
	return rc;
}

/* Lines "name number"; what is none is passed over. */
static int parse_properties(struct tacho__arena *arena, const char *text,
			    const struct tacho_property **out_properties, size_t *out_count)
{
	struct tacho_property *properties =
		tacho__arena_get(arena, PROPERTIES_MAX * sizeof(*properties));
	size_t count = 0;

	if (!properties)
		return TACHO_E_NOMEM;
	for (const char *line = text; *line && count < PROPERTIES_MAX;) {
		size_t size = strcspn(line, " \n");
		char *end = NULL;

		if (size && size < KEY_MAX && line[size] == ' ' && line[size + 1] >= '0' &&
		    line[size + 1] <= '9') {
			properties[count].value = strtoull(line + size + 1, &end, 10);
			properties[count].name = tacho__arena_text(arena, line, size);
			if (!properties[count].name)
				return TACHO_E_NOMEM;
			count += *end == '\n' || !*end;
		}
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	*out_properties = properties;
	*out_count = count;
	return 0;
}

static uint64_t get(const struct tacho__kfd_gpu *gpu, const char *name)
{
	for (size_t i = 0; i < gpu->property_count; i++)
		if (!strcmp(gpu->properties[i].name, name))
			return gpu->properties[i].value;
	return 0;
}

static int read_memory(struct tacho__arena *arena, const char *root, struct tacho__kfd_gpu *gpu)
{
	struct tacho__buf text = {0};
	struct tacho__kfd_gpu bank = {0};
	uint64_t heap;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < BANKS_MAX && i < get(gpu, "mem_banks_count"); i++) {
		rc = read_text(&text, root, NODES "/%u/mem_banks/%u/properties", gpu->node, i);
		if (rc)
			continue;
		rc = parse_properties(arena, tacho__buf_text(&text), &bank.properties,
				      &bank.property_count);
		heap = get(&bank, "heap_type");
		if (!rc && (heap == HEAP_PUBLIC || heap == HEAP_PRIVATE))
			gpu->memory_bytes += get(&bank, "size_in_bytes");
	}
	tacho__buf_finish(&text);
	return rc == TACHO_E_NOMEM ? rc : 0;
}

/* The revision that the list of names tells boards with one chip apart by. */
static unsigned read_revision(const char *root, uint32_t render_minor)
{
	struct tacho__buf text = {0};
	unsigned revision = 0;

	if (!read_text(&text, root, "sys/class/drm/renderD%u/device/revision", render_minor))
		revision = (unsigned)strtoul(tacho__buf_text(&text), NULL, 0);
	tacho__buf_finish(&text);
	return revision;
}

/* Of lines "740F,	02,	AMD Instinct MI210"; NULL: the list does not have it. */
static const char *find_id(const char *text, uint32_t device_id, unsigned revision,
			   size_t *out_size)
{
	for (const char *line = text; *line;) {
		char *end;
		unsigned long device = strtoul(line, &end, 16), found;
		const char *next = strchrnul(line, '\n');

		if (end > line && *end == ',' && device == device_id) {
			found = strtoul(end + 1, &end, 16);
			end += *end == ',';
			end += strspn(end, " \t");
			if (found == revision && end < next) {
				*out_size = strcspn(end, "\r\n");
				return end;
			}
		}
		line = *next ? next + 1 : next;
	}
	return NULL;
}

/* The name on the box; NULL in *out_name where no list has it. */
static int read_name(struct tacho__arena *arena, const char *root, const struct tacho__kfd_gpu *gpu,
		     const char **out_name)
{
	struct tacho__buf text = {0};
	const char *found = NULL;
	size_t size = 0;
	int rc = 0;

	*out_name = NULL;
	for (size_t i = 0; i < sizeof(id_files) / sizeof(id_files[0]) && !found && !rc; i++) {
		if (!read_text(&text, root, "%s", id_files[i]))
			found = find_id(tacho__buf_text(&text), gpu->device_id,
					read_revision(root, gpu->render_minor), &size);
	}
	if (found) {
		*out_name = tacho__arena_text(arena, found, size);
		rc = *out_name ? 0 : TACHO_E_NOMEM;
	}
	tacho__buf_finish(&text);
	return rc;
}

static int describe(struct tacho__arena *arena, const char *root, struct tacho__kfd_gpu *gpu)
{
	char arch[TACHO__KFD_ARCH_MAX];
	uint64_t per_unit = get(gpu, "simd_per_cu");
	int rc;

	tacho__kfd_format_arch(get(gpu, "gfx_target_version"), arch);
	gpu->arch = tacho__arena_string(arena, arch);
	gpu->vendor_id = (uint32_t)get(gpu, "vendor_id");
	gpu->device_id = (uint32_t)get(gpu, "device_id");
	gpu->render_minor = (uint32_t)get(gpu, "drm_render_minor");
	gpu->compute_units = per_unit ? (uint32_t)(get(gpu, "simd_count") / per_unit) : 0;
	gpu->dies = get(gpu, "num_xcc") ? (uint32_t)get(gpu, "num_xcc") : 1;
	rc = gpu->arch ? read_memory(arena, root, gpu) : TACHO_E_NOMEM;
	if (!rc)
		rc = read_name(arena, root, gpu, &gpu->name);
	gpu->has_name = !rc && gpu->name;
	if (!rc && !gpu->name)
		gpu->name = gpu->arch;
	return rc;
}

/* 1 when the node is a GPU. */
static int look_at(struct tacho__arena *arena, const char *root, uint32_t node,
		   struct tacho__kfd_gpu *out_gpu)
{
	struct tacho__kfd_gpu gpu = {.node = node, .name = "", .arch = ""};
	struct tacho__buf text = {0};
	int rc = read_text(&text, root, NODES "/%u/properties", node);

	/* KFD refuses nodes whose devices the control group does not have */
	gpu.is_forbidden = rc == TACHO_E_PERM;
	if (!rc && text.size <= FILE_MAX)
		rc = parse_properties(arena, tacho__buf_text(&text), &gpu.properties,
				      &gpu.property_count);
	tacho__buf_finish(&text);
	if (rc == TACHO_E_NOMEM)
		return rc;
	if (gpu.is_forbidden) {
		*out_gpu = gpu;
		return 1;
	}
	if (rc || !get(&gpu, "simd_count") || !get(&gpu, "gfx_target_version"))
		return 0;
	rc = describe(arena, root, &gpu);
	if (!rc)
		*out_gpu = gpu;
	return rc ? rc : 1;
}

int tacho__kfd_list(struct tacho__arena *arena, const char *root,
		    const struct tacho__kfd_gpu **out_gpus, size_t *out_count)
{
	struct tacho__kfd_gpu *gpus = NULL;
	struct tacho__fs_names nodes = {0};
	struct tacho__buf path = {0};
	size_t count = 0;
	int rc;

	tacho__buf_printf(&path, "%s" NODES, root);
	rc = path.failed ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the list of GPUs")
			 : tacho__fs_list(arena, path.text, TACHO__KFD_NODES_MAX, &nodes);
	tacho__buf_finish(&path);
	if (rc != TACHO_E_NOMEM) {
		gpus = tacho__arena_get(arena, (nodes.count + 1) * sizeof(*gpus));
		rc = gpus ? 0 : TACHO_E_NOMEM;
	}
	for (size_t i = 0; rc >= 0 && i < nodes.count; i++) {
		char *end;
		unsigned long node = strtoul(nodes.names[i], &end, 10);

		if (*end || node > UINT32_MAX)
			continue;
		rc = look_at(arena, root, (uint32_t)node, &gpus[count]);
		count += rc == 1;
	}
	free(nodes.names);
	if (rc < 0)
		return rc;
	*out_gpus = gpus;
	*out_count = count;
	return 0;
}

const char *tacho__kfd_read_driver(struct tacho__arena *arena, const char *root)
{
	struct tacho__buf text = {0};
	const char *version = "";
	int rc = read_text(&text, root, "sys/module/amdgpu/version");

	if (rc == TACHO_E_NOMEM)
		version = NULL;
	else if (!rc)
		version = tacho__arena_text(arena, text.text, strcspn(text.text, " \n"));
	tacho__buf_finish(&text);
	return version;
}
