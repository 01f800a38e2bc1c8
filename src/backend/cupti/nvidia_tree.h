/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's GPUs as files show them: those of the kernel driver in /proc, of the PCI bus in /sys,
 * and the nodes in /dev. No library is loaded, and no GPU is woken.
 */
#ifndef TACHO_BACKEND_CUPTI_NVIDIA_TREE_H
#define TACHO_BACKEND_CUPTI_NVIDIA_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "backend/backend.h"

/* A folder to read instead of "/": a container's host, a test's. GPUs of it count. */
#define TACHO__NVIDIA_ROOT_VARIABLE "TACHO_NVIDIA_ROOT"

enum { TACHO__NVIDIA_CARDS_MAX = 64, TACHO__NVIDIA_TEXT_MAX = 128 };

struct tacho__nvidia_card {
	char pci[32];			   /* "0000:1b:00.0" */
	char name[TACHO__NVIDIA_TEXT_MAX]; /* ""; of PCI alone it is not known */
	char uuid[48];			   /* "GPU-..."; "" */
	char driver[32];		   /* of the kernel, that has it; "": none has */
	char node[32];			   /* "nvidia0", in /dev; "": not known */
	bool is_excluded;		   /* the driver leaves it alone, as it was told to */
	int node_error;			   /* errno of opening the node, as far as rights tell; 0 */
};

/* A process that may hold what counts, or change how. */
struct tacho__nvidia_process {
	char name[32]; /* as the kernel shows it, 15 bytes of it */
	long pid;
};

struct tacho__nvidia_tree {
	char root[PATH_MAX];	 /* ends with a slash */
	bool is_foreign;	 /* of another machine, on which nothing counts */
	bool has_driver;	 /* the kernel's */
	char driver_version[32]; /* "580.65.06"; "" */
	bool is_wsl;		 /* Windows has the driver */
	int control_error;	 /* as node_error, of /dev/nvidiactl */
	int admin_only;		 /* RmProfilingAdminOnly: 0, 1; -1: not known */
	bool has_capabilities;	 /* of this process; else unknown */
	bool is_privileged;	 /* CAP_SYS_ADMIN or CAP_PERFMON */
	uint64_t capabilities;	 /* CapEff */
	struct tacho__nvidia_process mps, dcgm, profiler;	  /* pid 0: none is seen */
	struct tacho__nvidia_card cards[TACHO__NVIDIA_CARDS_MAX]; /* as nvidia-smi numbers them */
	uint32_t count;
	uint32_t driven; /* the first ones: NVIDIA's driver has them */
};

/*
 * Reads it all, from the root of the probe (NULL: "/") or what the environment names. Files that
 * make no sense are passed over. NOMEM.
 */
int tacho__nvidia_tree_read(const struct tacho_probe *probe, struct tacho__nvidia_tree *out_tree);

#endif
