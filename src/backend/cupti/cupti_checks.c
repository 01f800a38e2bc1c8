/* SPDX-License-Identifier: MIT */
/* What keeps GPUs from being counted on, found out before anything runs. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cupti/cupti_gpus.h"
#include "backend/cupti/cupti_library.h"
#include "backend/cupti/cupti_status.h"
#include "base/array.h"
#include "base/error.h"

/* What a check looks at. */
struct look {
	const struct tacho__cupti_system *system;
	const struct tacho__nvidia_tree *tree;
	const struct tacho__cupti_found *found;
	const struct tacho__cupti_asked *asked;
	const struct tacho__cupti_support *support;
	bool is_sampled;
	char what[192]; /* that fails */
};

static const char admin_cure[] =
	"let everybody count: put options nvidia NVreg_RestrictProfilingToAdminUsers=0 into a file "
	"of /etc/modprobe.d, then load the driver anew or reboot; or run as root; in a container: "
	"docker run --cap-add=SYS_ADMIN (a host's administrator must allow it)";

/* ---- the kernel's driver and its nodes ---- */

static int check_driver(const struct look *look)
{
	const struct tacho__nvidia_card *card = look->found->card;

	if (card && strcmp(card->driver, "nvidia") != 0)
		return tacho__fail(
			TACHO_E_NODEVICE,
			*card->driver ? tacho__detail("the driver %s has PCI device %s",
						      card->driver, card->pci)
				      : tacho__detail("no driver has PCI device %s", card->pci),
			"install NVIDIA's driver and load it: modprobe nvidia", "%s", look->what);
	if (card && card->is_excluded)
		return tacho__fail(
			TACHO_E_NODEVICE,
			tacho__detail(
				"/proc/driver/nvidia/gpus/%s/information has GPU Excluded: Yes",
				card->pci),
			"take it out of the driver's option NVreg_ExcludedGpus", "%s", look->what);
	return 0;
}

static int fail_node(const struct look *look, const char *node, int error)
{
	if (error == ENOENT)
		return tacho__fail(
			TACHO_E_NODEVICE,
			tacho__detail("%sdev/%s is not there, though the driver has the "
				      "GPU",
				      look->tree->root, node),
			"give the container the GPU: docker run --gpus all; on the machine "
			"itself: nvidia-modprobe -c 0 -u",
			"%s", look->what);
	return tacho__fail(TACHO_E_PERM,
			   tacho__detail("%sdev/%s: %s", look->tree->root, node, strerror(error)),
			   "let this user open it: its group, or the driver's option "
			   "NVreg_DeviceFileMode",
			   "%s", look->what);
}

static int check_nodes(const struct look *look)
{
	const struct tacho__nvidia_card *card = look->found->card;

	if (!card || look->tree->is_wsl)
		return 0;
	if (look->tree->control_error)
		return fail_node(look, "nvidiactl", look->tree->control_error);
	return card->node_error ? fail_node(look, card->node, card->node_error) : 0;
}

/* ---- the driver's library ---- */

static int fail_trouble(const struct look *look, const struct tacho__cupti_trouble *trouble)
{
	return tacho__fail(trouble->code,
			   tacho__detail("%s%s%s", trouble->message, *trouble->cause ? ": " : "",
					 trouble->cause),
			   *trouble->cure
				   ? trouble->cure
				   : "install the library of NVIDIA's driver (libcuda.so.1); in "
				     "a container: docker run --gpus all",
			   "%s", look->what);
}

static int check_start(const struct look *look)
{
	if (!look->system->is_asked)
		return 0;
	if (look->system->answers.cuda.code)
		return fail_trouble(look, &look->system->answers.cuda);
	if (look->found->asked)
		return 0;
	return tacho__fail(TACHO_E_NODEVICE, "neither NVML nor CUDA shows it",
			   "look whether nvidia-smi shows it, and into dmesg for lines with NVRM",
			   "%s", look->what);
}

static int check_visible(const struct look *look)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");

	if (!look->asked || look->found->gpu.cuda_number != TACHO__CUPTI_HIDDEN)
		return 0;
	if (look->asked->cuda_number >= 0 && visible)
		return tacho__fail(TACHO_E_NODEVICE,
				   tacho__detail("CUDA_VISIBLE_DEVICES is \"%.200s\" and hides it; "
						 "to CUDA it is number %d",
						 visible, look->asked->cuda_number),
				   "name it there, or take the variable out of the environment",
				   "%s", look->what);
	return tacho__fail(TACHO_E_NODEVICE, "NVML shows it, CUDA does not",
			   look->asked->is_mig
				   ? "make compute instances of it: nvidia-smi mig -cgi ... -C"
				   : "look at its compute mode: nvidia-smi -q -d COMPUTE",
			   "%s", look->what);
}

/* ---- CUPTI ---- */

static int check_library(const struct look *look)
{
	return look->system->is_asked && look->system->answers.cupti.code
		       ? fail_trouble(look, &look->system->answers.cupti)
		       : 0;
}

/* Both as 1300 for 13.0; 0: not known. */
static uint32_t get_cupti_release(uint32_t version)
{
	return version >= 10000 ? version / 100 : 0;
}

static uint32_t get_driver_release(int version)
{
	return version > 0 ? (uint32_t)version / 1000 * 100 + (uint32_t)version % 1000 / 10 : 0;
}

static bool is_older(const struct tacho__cupti_answers *answers)
{
	uint32_t driver = get_driver_release(answers->cuda_version);

	return driver && driver < get_cupti_release(answers->cupti_version);
}

/* A driver may know what a newer CUPTI asks of it: only what failed is blamed on its age. */
static int check_age(const struct look *look)
{
	const struct tacho__cupti_answers *answers = &look->system->answers;
	uint32_t driver = get_driver_release(answers->cuda_version);
	uint32_t cupti = get_cupti_release(answers->cupti_version);

	if (!look->asked || !is_older(answers) ||
	    (!answers->cupti_status && look->asked->chip_status <= 0 && look->support->status <= 0))
		return 0;
	return tacho__fail(
		TACHO_E_VERSION,
		tacho__detail("CUPTI is of CUDA %u.%u, and the driver%s%s of CUDA %u.%u is older",
			      cupti / 100, cupti % 100, *answers->driver_version ? " " : "",
			      answers->driver_version, driver / 100, driver % 100),
		tacho__detail("update the driver, or set " TACHO__CUPTI_VARIABLE
			      " to the CUPTI of CUDA %u.%u",
			      driver / 100, driver % 100),
		"%s", look->what);
}

static int check_chip(const struct look *look)
{
	if (look->asked && look->system->answers.cupti_status)
		return tacho__cupti_fail_status(tacho__cupti_call_name(TACHO__CUPTI_INITIALIZE),
						look->system->answers.cupti_status, look->what);
	if (!look->asked || look->asked->chip_status < 0)
		return 0;
	if (look->asked->chip_status)
		return tacho__cupti_fail_status(tacho__cupti_call_name(TACHO__CUPTI_GET_CHIP_NAME),
						look->asked->chip_status, look->what);
	if (look->support->status || look->support->chip != TACHO__CUPTI_SUPPORT_NONE)
		return 0;
	return tacho__fail(TACHO_E_UNSUPPORTED,
			   tacho__detail("CUPTI does not count on %s, whose compute capability is "
					 "%" PRIu32 ".%" PRIu32,
					 *look->asked->chip ? look->asked->chip : "its chip",
					 look->asked->major, look->asked->minor),
			   look->is_sampled ? "count launches on it; samples need Turing or newer"
					    : "take a GPU of 7.0 (Volta) or newer",
			   "%s", look->what);
}

/* What CUPTI refuses where it is asked in time, as the status that it would give later. */
static int check_support(const struct look *look)
{
	const struct tacho__cupti_support *support = look->support;
	const struct {
		uint8_t level;
		int none, disabled;
	} rows[] = {
		{support->vgpu, 33, 40}, {support->confidential, 41, 41}, {support->mining, 42, 42},
		{support->sli, 44, 44},	 {support->wsl, 45, 45},
	};
	const char *call = tacho__cupti_call_name(TACHO__CUPTI_GET_SUPPORTED);

	if (!look->asked || support->status < 0)
		return 0;
	if (support->status)
		return tacho__cupti_fail_status(call, support->status, look->what);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(rows); i++) {
		if (rows[i].level == TACHO__CUPTI_SUPPORT_NONE)
			return tacho__cupti_fail_status(call, rows[i].none, look->what);
		if (rows[i].level == TACHO__CUPTI_SUPPORT_DISABLED)
			return tacho__cupti_fail_status(call, rows[i].disabled, look->what);
	}
	return 0;
}

/* ---- rights, and who else counts ---- */

enum { RIGHTS_MAX = 256 };

static const char *describe_rights(const struct tacho__nvidia_tree *tree, char out[RIGHTS_MAX])
{
	int size = tree->admin_only < 0
			   ? snprintf(out, RIGHTS_MAX, "RmProfilingAdminOnly cannot be read")
			   : snprintf(out, RIGHTS_MAX,
				      "/proc/driver/nvidia/params has RmProfilingAdminOnly: %d",
				      tree->admin_only);

	if (tree->has_capabilities)
		snprintf(out + size, (size_t)(RIGHTS_MAX - size),
			 ", and this process has %s (CapEff %016" PRIx64 ")",
			 tree->is_privileged ? "CAP_SYS_ADMIN or CAP_PERFMON"
					     : "neither CAP_SYS_ADMIN nor CAP_PERFMON",
			 tree->capabilities);
	return out;
}

/* CUPTI's word counts; where it was not asked, what files say. */
static int check_rights(const struct look *look)
{
	const struct tacho__nvidia_tree *tree = look->tree;
	char rights[RIGHTS_MAX];
	int said = look->asked ? look->asked->availability : -1;

	if (said >= 0 && said != TACHO__CUPTI_NO_RIGHTS)
		return 0;
	if (said < 0 && (tree->admin_only != 1 || !tree->has_capabilities || tree->is_privileged))
		return 0;
	return tacho__fail(TACHO_E_PERM, describe_rights(tree, rights), admin_cure, "%s",
			   look->what);
}

static int check_busy(const struct look *look)
{
	const struct tacho__nvidia_tree *tree = look->tree;
	const struct tacho__nvidia_process *holder =
		tree->profiler.pid ? &tree->profiler : &tree->dcgm;

	if (!look->asked || look->asked->availability != TACHO__CUPTI_BUSY || !holder->pid)
		return 0;
	return tacho__fail(
		TACHO_E_BUSY,
		tacho__detail("its counters are held, and process %ld is %s", holder->pid,
			      holder->name),
		holder == &tree->dcgm
			? "let DCGM pause: dcgmi profile --pause, and --resume afterwards"
			: "wait for its end, or end it",
		"%s", look->what);
}

/* Whatever else it said. */
static int check_availability(const struct look *look)
{
	if (!look->asked || look->asked->availability <= 0)
		return 0;
	return tacho__cupti_fail_status(
		tacho__cupti_call_name(TACHO__CUPTI_SAMPLES_GET_AVAILABILITY),
		look->asked->availability, look->what);
}

static int check_mps(const struct look *look)
{
	if (!look->tree->mps.pid || look->is_sampled)
		return 0;
	return tacho__fail(
		TACHO_E_UNSUPPORTED,
		tacho__detail("MPS shares the GPU: process %ld is %s", look->tree->mps.pid,
			      look->tree->mps.name),
		"end it: echo quit | nvidia-cuda-mps-control; samples (-I) and NVML count "
		"beside it",
		"%s", look->what);
}

int tacho__cupti_check_gpu(const struct tacho__cupti_system *system, size_t index, bool is_sampled)
{
	static int (*const checks[])(const struct look *look) = {
		check_driver,  check_nodes, check_start,	check_visible,
		check_library, check_age,   check_chip,		check_support,
		check_rights,  check_busy,  check_availability, check_mps,
	};
	const struct tacho__cupti_found *found = &system->gpus[index];
	struct look look = {.system = system,
			    .tree = &system->tree,
			    .found = found,
			    .asked = found->asked,
			    .is_sampled = is_sampled};
	int rc = 0;

	/* what is of another machine can be looked at; in the program that counts it comes to
	 * light */
	if (system->tree.is_foreign || system->live)
		return 0;
	if (found->asked)
		look.support = is_sampled ? &found->asked->samples : &found->asked->ranges;
	snprintf(look.what, sizeof(look.what), "%.120s cannot be counted on", found->gpu.name);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(checks) && !rc; i++)
		rc = checks[i](&look);
	return rc;
}

/* ---- the doctor's lines ---- */

struct told {
	tacho_check_fn fn;
	void *user;
};

static void tell(const struct told *told, enum tacho_check_level level, const char *what,
		 const char *detail, const char *cause, const char *cure)
{
	const struct tacho_check check = {level, what, detail, cause, cure};

	told->fn(told->user, &check);
}

static void tell_driver(const struct told *told, const struct tacho__cupti_system *system)
{
	const struct tacho__cupti_answers *answers = &system->answers;
	const char *version =
		*answers->driver_version ? answers->driver_version : system->tree.driver_version;
	uint32_t release = get_driver_release(answers->cuda_version);

	if (!system->tree.has_driver && !system->tree.is_wsl) {
		tell(told, TACHO_CHECK_WARN, "NVIDIA's driver", "not loaded",
		     tacho__detail("%sproc/driver/nvidia/version is not there", system->tree.root),
		     "install NVIDIA's driver and load it: modprobe nvidia");
		return;
	}
	tell(told, TACHO_CHECK_OK, "NVIDIA's driver",
	     tacho__detail("%s%s%s%s", *version ? version : "of an unknown version",
			   release ? tacho__detail(", of CUDA %u.%u", release / 100, release % 100)
				   : "",
			   system->tree.is_wsl ? ", Windows'" : "",
			   answers->is_confidential ? ", confidential computing is on" : ""),
	     "", "");
	if (answers->nvml.code)
		tell(told, TACHO_CHECK_WARN, "NVML", "does not answer",
		     tacho__detail("%s%s%s", answers->nvml.message,
				   *answers->nvml.cause ? ": " : "", answers->nvml.cause),
		     *answers->nvml.cure
			     ? answers->nvml.cure
			     : "install the library of NVIDIA's driver, libnvidia-ml.so.1");
}

static void tell_rights(const struct told *told, const struct tacho__nvidia_tree *tree)
{
	bool is_open = tree->admin_only == 0 || tree->is_privileged;
	char rights[RIGHTS_MAX];

	if (!tree->has_driver)
		return;
	tell(told, is_open ? TACHO_CHECK_OK : TACHO_CHECK_WARN, "profiling rights",
	     tree->admin_only == 0   ? "RmProfilingAdminOnly is 0: everybody may count"
	     : tree->is_privileged   ? "CAP_SYS_ADMIN or CAP_PERFMON is there"
	     : tree->admin_only == 1 ? "for administrators alone"
				     : "not known",
	     is_open ? "" : describe_rights(tree, rights), is_open ? "" : admin_cure);
}

static void tell_others(const struct told *told, const struct tacho__nvidia_tree *tree)
{
	if (tree->profiler.pid)
		tell(told, TACHO_CHECK_WARN, "another profiler",
		     tacho__detail("%s, process %ld", tree->profiler.name, tree->profiler.pid),
		     "one process at a time has a GPU's counters", "wait for its end, or end it");
	if (tree->dcgm.pid)
		tell(told, TACHO_CHECK_WARN, "DCGM",
		     tacho__detail("%s, process %ld", tree->dcgm.name, tree->dcgm.pid),
		     "while it watches profiling fields it holds the counters of GPUs before "
		     "Hopper",
		     "if counting says that the GPU is busy: dcgmi profile --pause, and --resume "
		     "afterwards");
	if (tree->mps.pid)
		tell(told, TACHO_CHECK_WARN, "MPS",
		     tacho__detail("%s, process %ld", tree->mps.name, tree->mps.pid),
		     "launches of a GPU that MPS shares cannot be counted",
		     "end it: echo quit | nvidia-cuda-mps-control");
}

static void tell_modes(const struct told *told, const struct tacho__cupti_system *system)
{
	for (uint32_t i = 0; i < system->count; i++) {
		const struct tacho__cupti_asked *asked = system->gpus[i].asked;

		if (asked && asked->is_mig)
			tell(told, TACHO_CHECK_WARN, "MIG",
			     tacho__detail("on, GPU %" PRIu32, system->gpus[i].gpu.index),
			     "units that several instances share (L2, DRAM) have no values",
			     "count in a compute instance that has the whole of its GPU instance, "
			     "or "
			     "switch MIG off: nvidia-smi -mig 0");
		if (asked && asked->is_asleep && !system->tree.is_wsl)
			tell(told, TACHO_CHECK_WARN, "persistence mode",
			     tacho__detail("off, GPU %" PRIu32, system->gpus[i].gpu.index),
			     "the GPU starts anew for each first program, which takes seconds",
			     "switch it on: nvidia-smi -pm 1, or nvidia-persistenced");
	}
}

void tacho__cupti_check_system(const struct tacho__cupti_system *system, tacho_check_fn fn,
			       void *user)
{
	const struct told told = {fn, user};

	if (!system->count && !system->tree.has_driver && !system->tree.is_wsl)
		return;
	tell_driver(&told, system);
	tell_rights(&told, &system->tree);
	tell_others(&told, &system->tree);
	tell_modes(&told, system);
}
