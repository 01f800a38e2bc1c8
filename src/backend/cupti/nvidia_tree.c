/* SPDX-License-Identifier: MIT */
#include "backend/cupti/nvidia_tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/text.h"

enum {
	FILE_MAX = 8192,
	FOLDER_MAX = 1 << 16,
	SYS_ADMIN_BIT = 21, /* include/uapi/linux/capability.h */
	PERFMON_BIT = 38,
};

/* The beginning of a file below the root; "" when it cannot be read. */
static bool read_file(const struct tacho__nvidia_tree *tree, const char *name, char text[FILE_MAX])
{
	char path[PATH_MAX];

	text[0] = '\0';
	if (snprintf(path, sizeof(path), "%s%s", tree->root, name) >= (int)sizeof(path))
		return false;
	return tacho__fs_read_start(path, text, FILE_MAX) > 0;
}

static int get_error(const struct tacho__nvidia_tree *tree, const char *node)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%sdev/%s", tree->root, node) >= (int)sizeof(path))
		return ENAMETOOLONG;
	return access(path, R_OK | W_OK) ? errno : 0;
}

/* What stands behind "KEY:" at the beginning of a line, without blanks around; "" when none does.
 */
static void get_value(const char *text, const char *key, char *out_value, size_t room)
{
	size_t key_size = strlen(key), size;

	out_value[0] = '\0';
	for (const char *line = text; *line; line += *line == '\n') {
		size = strcspn(line, "\n");
		if (size > key_size && !strncmp(line, key, key_size)) {
			const char *at = line + key_size, *end = line + size;

			while (at < end && tacho__is_blank(*at))
				at++;
			while (end > at && tacho__is_blank(end[-1]))
				end--;
			snprintf(out_value, room, "%.*s", (int)(end - at), at);
			return;
		}
		line += size;
	}
}

/* ---- the driver ---- */

/* The first word that is a version: NVIDIA's two kernel modules put it behind different words. */
static void find_version(const char *text, char *out_version, size_t room)
{
	size_t line = strcspn(text, "\n");

	for (const char *at = text; at < text + line;) {
		size_t size = strcspn(at, " \t\n"), digits = strspn(at, "0123456789");

		if (size && digits > 1 && at[digits] == '.' && strspn(at, "0123456789.") == size) {
			snprintf(out_version, room, "%.*s", (int)size, at);
			return;
		}
		at += size ? size : 1;
	}
}

static void read_driver(struct tacho__nvidia_tree *tree)
{
	char text[FILE_MAX], number[32];
	char *end;

	tree->has_driver = read_file(tree, "proc/driver/nvidia/version", text);
	find_version(text, tree->driver_version, sizeof(tree->driver_version));
	read_file(tree, "proc/driver/nvidia/params", text);
	get_value(text, "RmProfilingAdminOnly:", number, sizeof(number));
	tree->admin_only = (int)strtol(number, &end, 10);
	if (end == number || *end || tree->admin_only < 0 || tree->admin_only > 1)
		tree->admin_only = -1;
	tree->control_error = get_error(tree, "nvidiactl");
	tree->is_wsl = get_error(tree, "dxg") != ENOENT;
}

static void read_rights(struct tacho__nvidia_tree *tree)
{
	char text[FILE_MAX], number[32];
	char *end;

	read_file(tree, "proc/self/status", text);
	get_value(text, "CapEff:", number, sizeof(number));
	tree->capabilities = strtoull(number, &end, 16);
	tree->has_capabilities = end > number && !*end;
	tree->is_privileged = (tree->capabilities >> SYS_ADMIN_BIT & 1) ||
			      (tree->capabilities >> PERFMON_BIT & 1);
}

/* ---- processes ---- */

static void note_process(struct tacho__nvidia_tree *tree, const char *name, long pid)
{
	static const struct {
		const char *name; /* the kernel keeps 15 bytes */
		size_t place;
	} known[] = {
		{"nvidia-cuda-mps", offsetof(struct tacho__nvidia_tree, mps)},
		{"nv-hostengine", offsetof(struct tacho__nvidia_tree, dcgm)},
		{"dcgm-exporter", offsetof(struct tacho__nvidia_tree, dcgm)},
		{"ncu", offsetof(struct tacho__nvidia_tree, profiler)},
		{"nv-nsight-cu-cl", offsetof(struct tacho__nvidia_tree, profiler)},
		{"nsys", offsetof(struct tacho__nvidia_tree, profiler)},
		{"nsys-launcher", offsetof(struct tacho__nvidia_tree, profiler)},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(known); i++) {
		struct tacho__nvidia_process *process = (void *)((char *)tree + known[i].place);

		if (strcmp(known[i].name, name) != 0 || process->pid)
			continue;
		snprintf(process->name, sizeof(process->name), "%s", known[i].name);
		process->pid = pid;
	}
}

static int list(const struct tacho__nvidia_tree *tree, const char *folder,
		struct tacho__arena *arena, struct tacho__fs_names *out_names)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s%s", tree->root, folder) >= (int)sizeof(path))
		return 0;
	return tacho__fs_list(arena, path, FOLDER_MAX, out_names) == TACHO_E_NOMEM ? TACHO_E_NOMEM
										   : 0;
}

static int read_processes(struct tacho__nvidia_tree *tree)
{
	struct tacho__arena arena = {0};
	struct tacho__fs_names names = {0};
	char text[FILE_MAX], path[64];
	int rc = list(tree, "proc", &arena, &names);

	for (size_t i = 0; i < names.count; i++) {
		char *end;
		long pid = strtol(names.names[i], &end, 10);

		if (*end || pid <= 0)
			continue;
		snprintf(path, sizeof(path), "proc/%ld/comm", pid);
		read_file(tree, path, text);
		text[strcspn(text, "\n")] = '\0';
		note_process(tree, text, pid);
	}
	free(names.names);
	tacho__arena_finish(&arena);
	return rc;
}

/* ---- cards ---- */

static struct tacho__nvidia_card *add_card(struct tacho__nvidia_tree *tree, const char *pci)
{
	struct tacho__nvidia_card *card;

	for (uint32_t i = 0; i < tree->count; i++)
		if (!strcasecmp(tree->cards[i].pci, pci))
			return NULL;
	if (tree->count == TACHO__NVIDIA_CARDS_MAX)
		return NULL;
	card = &tree->cards[tree->count++];
	snprintf(card->pci, sizeof(card->pci), "%s", pci);
	return card;
}

/* One that NVIDIA's driver has; nvidia-smi counts them by their place on the bus. */
static void read_card(struct tacho__nvidia_tree *tree, const char *pci)
{
	struct tacho__nvidia_card *card = add_card(tree, pci);
	char text[FILE_MAX], name[128], number[32];

	if (!card)
		return;
	snprintf(name, sizeof(name), "proc/driver/nvidia/gpus/%.64s/information", pci);
	read_file(tree, name, text);
	snprintf(card->driver, sizeof(card->driver), "nvidia");
	get_value(text, "Model:", card->name, sizeof(card->name));
	get_value(text, "GPU UUID:", card->uuid, sizeof(card->uuid));
	/* of a GPU that is asleep it has question marks */
	if (strchr(card->uuid, '?'))
		card->uuid[0] = '\0';
	get_value(text, "GPU Excluded:", number, sizeof(number));
	card->is_excluded = !strcasecmp(number, "Yes");
	get_value(text, "Device Minor:", number, sizeof(number));
	if (!*number || number[strspn(number, "0123456789")])
		return;
	snprintf(card->node, sizeof(card->node), "nvidia%.16s", number);
	card->node_error = get_error(tree, card->node);
}

/* A GPU of NVIDIA's that another driver has, or none. */
static void read_pci(struct tacho__nvidia_tree *tree, const char *pci)
{
	static const char *const classes[] = {"30000", "30200"}; /* VGA, 3D */
	struct tacho__nvidia_card *card;
	char text[FILE_MAX], name[128], class[32], id[32], driver[32];
	bool is_gpu = false;

	snprintf(name, sizeof(name), "sys/bus/pci/devices/%.64s/uevent", pci);
	read_file(tree, name, text);
	get_value(text, "PCI_CLASS=", class, sizeof(class));
	get_value(text, "PCI_ID=", id, sizeof(id));
	get_value(text, "DRIVER=", driver, sizeof(driver));
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(classes); i++)
		is_gpu |= !strcmp(class, classes[i]);
	/* what NVIDIA's driver has and does not show here is kept from this container */
	if (!is_gpu || strncasecmp(id, "10DE:", 5) || !strcmp(driver, "nvidia"))
		return;
	card = add_card(tree, pci);
	if (!card)
		return;
	snprintf(card->driver, sizeof(card->driver), "%s", driver);
	snprintf(card->name, sizeof(card->name), "NVIDIA GPU, PCI %s", id);
}

static int read_cards(struct tacho__nvidia_tree *tree, const char *folder,
		      void (*read)(struct tacho__nvidia_tree *tree, const char *pci))
{
	struct tacho__arena arena = {0};
	struct tacho__fs_names names = {0};
	int rc = list(tree, folder, &arena, &names);

	for (size_t i = 0; i < names.count; i++)
		read(tree, names.names[i]);
	free(names.names);
	tacho__arena_finish(&arena);
	return rc;
}

static int compare_cards(const void *a, const void *b)
{
	return strcasecmp(((const struct tacho__nvidia_card *)a)->pci,
			  ((const struct tacho__nvidia_card *)b)->pci);
}

int tacho__nvidia_tree_read(const struct tacho_probe *probe, struct tacho__nvidia_tree *out_tree)
{
	struct tacho__nvidia_tree *tree = out_tree;
	const char *root = probe ? tacho__probe_get_options(probe)->sysroot : "/";
	const char *named = secure_getenv(TACHO__NVIDIA_ROOT_VARIABLE);
	int rc;

	memset(tree, 0, sizeof(*tree));
	tree->is_foreign = strcmp(root, "/") != 0;
	if (!tree->is_foreign && named && *named == '/')
		root = named;
	if (snprintf(tree->root, sizeof(tree->root), "%s%s", root,
		     tacho__ends_with(root, "/") || !strcmp(root, "/") ? "" : "/") >= PATH_MAX)
		strcpy(tree->root, "/");
	read_driver(tree);
	read_rights(tree);
	rc = read_cards(tree, "proc/driver/nvidia/gpus", read_card);
	qsort(tree->cards, tree->count, sizeof(tree->cards[0]), compare_cards);
	tree->driven = tree->count;
	if (!rc)
		rc = read_cards(tree, "sys/bus/pci/devices", read_pci);
	if (!rc && (tree->count || tree->is_wsl))
		rc = read_processes(tree);
	return rc;
}
