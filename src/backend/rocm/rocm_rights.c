/* SPDX-License-Identifier: MIT */
/* Who may use the GPU: the nodes in /dev, as they are. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/rocm/rocm_private.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"

enum { GROUPS_MAX = 1 << 20, GROUP_NAME_MAX = 128 };

/* "render" of "render:x:109:alice"; its number where the file does not have it. */
static void find_group(const char *root, gid_t gid, char out_name[GROUP_NAME_MAX])
{
	struct tacho__buf path = {0}, text = {0};

	snprintf(out_name, GROUP_NAME_MAX, "%u", (unsigned)gid);
	tacho__buf_printf(&path, "%setc/group", root);
	if (!path.failed && !tacho__fs_read(path.text, GROUPS_MAX, &text)) {
		for (const char *line = tacho__buf_text(&text); line && *line;) {
			size_t size = strcspn(line, ":\n");
			const char *number =
				line[size] == ':' ? strchr(line + size + 1, ':') : NULL;
			char *end;

			if (number && strtoul(number + 1, &end, 10) == gid && *end == ':')
				snprintf(out_name, GROUP_NAME_MAX, "%.*s", (int)size, line);
			line = strchr(line, '\n');
			line += line != NULL;
		}
	}
	tacho__buf_finish(&path);
	tacho__buf_finish(&text);
}

/* The last error tells what hinders. */
static int fail(const char *root, const char *path, int error, const char *what)
{
	char group[GROUP_NAME_MAX];
	struct stat node;

	if (error == ENOENT || error == ENODEV || error == ENXIO)
		return tacho__fail(TACHO_E_NODEVICE, tacho__detail("%s is not there", path),
				   "in a container, pass it in: --device=/dev/kfd "
				   "--device=/dev/dri; else load the driver: modprobe amdgpu",
				   "%s cannot be used", what);
	if (error != EACCES && error != EPERM)
		return tacho__fail_errno(TACHO_E_NODEVICE, error, "", "cannot open %s", path);
	if (stat(path, &node))
		return tacho__fail(TACHO_E_PERM, tacho__detail("%s is hidden", path),
				   "run as a user who sees it", "%s may not be used", what);
	find_group(root, node.st_gid, group);
	return tacho__fail(
		TACHO_E_PERM,
		tacho__detail("%s has mode %04o, its group is %s, and this user is not "
			      "in it",
			      path, (unsigned)node.st_mode & 07777, group),
		tacho__detail("run as root: usermod -aG %s USER; then log in again", group),
		"%s may not be used", what);
}

static int check_node(const char *root, const char *node, const char *what)
{
	struct tacho__buf path = {0};
	int rc = 0;

	tacho__buf_printf(&path, "%sdev/%s", root, node);
	if (path.failed)
		rc = TACHO_E_NOMEM;
	else if (access(path.text, R_OK | W_OK))
		rc = fail(root, path.text, errno, what);
	tacho__buf_finish(&path);
	return rc;
}

int tacho__rocm_check_rights(const char *root, const struct tacho__kfd_gpu *gpu)
{
	char node[32];
	int rc;

	if (gpu->is_forbidden)
		return tacho__fail(TACHO_E_PERM,
				   tacho__detail("the kernel refuses to show node %" PRIu32
						 " of /sys/class/kfd",
						 gpu->node),
				   "give the container this GPU: --device=/dev/dri/renderD...",
				   "a GPU may not be looked at");
	snprintf(node, sizeof(node), "dri/renderD%" PRIu32, gpu->render_minor);
	rc = check_node(root, "kfd", gpu->name);
	return rc ? rc : check_node(root, node, gpu->name);
}
